/** On or off. */
import "./Switch.css";

export function Switch({
  label,
  on,
  onSwitch,
}: {
  label: string;
  on: boolean;
  onSwitch: (on: boolean) => void;
}) {
  return (
    <label className="switch">
      <input
        type="checkbox"
        role="switch"
        checked={on}
        onChange={(event) => onSwitch(event.target.checked)}
      />
      <span>{label}</span>
    </label>
  );
}
