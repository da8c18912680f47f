/** A link or text that can be copied with one press. */
import { useEffect, useState } from "react";

import { t } from "../text";
import { Icon } from "./Icon";

export function CopyButton({ text, label, icon = true }: { text: string; label: string; icon?: boolean }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      // Not allowed here; the text stands in the field beside the button.
    }
  };
  return (
    <button type="button" className="button" onClick={() => void copy()}>
      {icon && <Icon name="link" />}
      <span aria-live="polite">{copied ? t.share.copied : label}</span>
    </button>
  );
}

export function CopyField({ text, label }: { text: string; label: string }) {
  return (
    <div className="copy-field">
      <label>
        <span>{label}</span>
        <input readOnly value={text} onFocus={(event) => event.target.select()} />
      </label>
      <CopyButton text={text} label={t.share.copy} icon={false} />
    </div>
  );
}
