/** What the colours on the cells mean. */
import { t } from "../text";
import "./Legend.css";

export function Legend() {
  return (
    <ul className="legend">
      {(["win", "draw", "loss"] as const).map((value) => (
        <li key={value}>
          <span className={`swatch heat-${value}`} aria-hidden="true" />
          {t.understand.legend[value]}
        </li>
      ))}
    </ul>
  );
}
