/** The options of a game, each with what it means. */
import type { GameInfo, OptionInfo } from "../api/client";
import { t } from "../text";
import type { GameWords } from "../text/gameWords";
import { choicesOf, toText, type Values } from "./options";
import "./Options.css";

interface OptionsProps {
  game: GameInfo;
  words: GameWords;
  /** What the card begins with. */
  initial: Values;
  values: Values;
  onChange: (change: Values) => void;
}

export function Options({ game, words, initial, values, onChange }: OptionsProps) {
  return (
    <div className="options">
      {game.options
        .filter((option) => !option.hidden)
        .map((option) => (
          <Option
            key={option.name}
            words={words}
            option={option}
            initial={initial[option.name]}
            value={values[option.name]}
            onChange={onChange}
          />
        ))}
    </div>
  );
}

function Option({
  words,
  option,
  initial,
  value,
  onChange,
}: {
  words: GameWords;
  option: OptionInfo;
  initial: unknown;
  value: unknown;
  onChange: (to: Values) => void;
}) {
  const { label, help, choice: choiceName } = words.option(option.name);
  const id = `option-${option.name}`;
  const set = (to: unknown) => onChange({ [option.name]: to });
  if (option.flag) {
    return (
      <label className="option is-flag">
        <input type="checkbox" checked={value === true} onChange={(event) => set(event.target.checked)} />
        <span>
          <b>{label}</b>
          <small>{help}</small>
        </span>
      </label>
    );
  }
  if (option.choices) {
    return (
      <fieldset className="option choices">
        <legend>{label}</legend>
        <div className="choices-bar">
          {choicesOf(option.choices, initial).map((choice) => (
            <label key={choice}>
              <input
                type="radio"
                name={id}
                value={choice}
                checked={choice === value}
                aria-describedby={`${id}-help`}
                onChange={() => set(choice)}
              />
              <span>{choiceName(choice)}</span>
            </label>
          ))}
        </div>
        <small id={`${id}-help`}>{help}</small>
      </fieldset>
    );
  }
  if (option.kind === "size") {
    return <SizeOption name={label} help={help} option={option} value={toText(value)} onChange={set} />;
  }
  if (option.kind === "text") {
    return (
      <div className="option">
        <label htmlFor={id}>{label}</label>
        <input
          id={id}
          value={toText(value)}
          aria-describedby={`${id}-help`}
          onChange={(event) => set(event.target.value)}
        />
        <small id={`${id}-help`}>{help}</small>
      </div>
    );
  }
  return (
    <div className="option">
      <label htmlFor={id}>{label}</label>
      <NumberField
        id={id}
        value={toText(value)}
        minimum={option.minimum}
        maximum={option.maximum}
        step={option.kind === "number" ? "any" : 1}
        describedBy={`${id}-help`}
        onChange={set}
      />
      <small id={`${id}-help`}>{help}</small>
    </div>
  );
}

interface SizeOptionProps {
  name: string;
  help: string;
  option: OptionInfo;
  value: string;
  onChange: (value: string) => void;
}

/** The sides of a board. Each is kept as it was typed, even when nothing is left of it. */
function SizeOption({ name, help, option, value, onChange }: SizeOptionProps) {
  const flat = option.sides?.["2"] ?? null;
  const deep = option.sides?.["3"] ?? null;
  const [rows = "", cols = "", layers = "1"] = value.split("x");
  const set = (change: { rows?: string; cols?: string; layers?: string }) => {
    const size = { rows, cols, layers, ...change };
    onChange([size.rows, size.cols, ...(size.layers === "1" ? [] : [size.layers])].join("x"));
  };
  const limits = { minimum: option.minimum, maximum: layers === "1" ? flat : deep };
  return (
    <fieldset className="option is-size">
      <legend>{name}</legend>
      <div className="sides">
        <label>
          <span>{t.size.rows}</span>
          <NumberField value={rows} {...limits} onChange={(to) => set({ rows: to })} />
        </label>
        <label>
          <span>{t.size.cols}</span>
          <NumberField value={cols} {...limits} onChange={(to) => set({ cols: to })} />
        </label>
        {deep !== null && (
          <label>
            <span>{t.size.layers}</span>
            <NumberField
              value={layers}
              minimum={flat === null ? option.minimum : 1}
              maximum={deep}
              onChange={(to) => set({ layers: to })}
            />
          </label>
        )}
      </div>
      <small>{help}</small>
    </fieldset>
  );
}

interface NumberFieldProps {
  id?: string;
  value: string;
  minimum: number | null;
  maximum: number | null;
  step?: number | "any";
  describedBy?: string;
  onChange: (value: string) => void;
}

function NumberField({ id, value, minimum, maximum, step = 1, describedBy, onChange }: NumberFieldProps) {
  return (
    <input
      id={id}
      type="number"
      inputMode={step === 1 ? "numeric" : "decimal"}
      required
      value={value}
      min={minimum ?? undefined}
      max={maximum ?? undefined}
      step={step}
      aria-describedby={describedBy}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
