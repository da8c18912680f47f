/** A link to read and to copy with one press. */
import { useRef } from "react";

import { t } from "../text";
import { CopyButton } from "./CopyButton";
import "./CopyField.css";

export function CopyField({ text, label }: { text: string; label: string }) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <div className="copy-field">
      <label>
        <span>{label}</span>
        <input ref={field} readOnly value={text} onFocus={(event) => event.target.select()} />
      </label>
      <CopyButton text={text} label={t.share.copy} icon={false} onFail={() => field.current?.focus()} />
    </div>
  );
}
