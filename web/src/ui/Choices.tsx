/** One of a few: radio buttons drawn as a bar. */
import "./Choices.css";

interface ChoicesProps<T extends string> {
  name: string;
  label: string;
  value: T;
  choices: readonly { value: T; text: string }[];
  onChoose: (value: T) => void;
}

export function Choices<T extends string>({ name, label, value, choices, onChoose }: ChoicesProps<T>) {
  return (
    <fieldset className="choices">
      <legend>{label}</legend>
      <div className="choices-bar">
        {choices.map((choice) => (
          <label key={choice.value}>
            <input
              type="radio"
              name={name}
              value={choice.value}
              checked={choice.value === value}
              onChange={() => onChoose(choice.value)}
            />
            <span>{choice.text}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
