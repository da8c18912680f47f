/** Moves by name, for those who would rather type. */
import { type SyntheticEvent, useState } from "react";

import { t } from "../text";
import "./TypedMove.css";

interface TypedMoveProps {
  disabled: boolean;
  example: string | undefined;
  onPlay: (name: string) => Promise<boolean>;
}

export function TypedMove({ disabled, example, onPlay }: TypedMoveProps) {
  const [text, setText] = useState("");
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    if (!disabled && text.trim() && (await onPlay(text.trim().toLowerCase()))) setText("");
  };
  return (
    <form className="typed" onSubmit={(event) => void submit(event)}>
      <label>
        <span>{t.typed.label}</span>
        <input
          value={text}
          maxLength={16}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          placeholder={example && t.typed.example(example)}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      <button type="submit" className="button" disabled={disabled || !text.trim()}>
        {t.typed.play}
      </button>
    </form>
  );
}
