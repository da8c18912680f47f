/** A link or text that can be copied with one press. */
import { useEffect, useRef, useState } from "react";

import { t } from "../text";
import { Icon } from "./Icon";

/** Puts a text on the clipboard, and says whether that worked. */
async function toClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return selectedToClipboard(text);
  }
}

/** The old way, which also works on pages without TLS, such as those of a server in the same house. */
function selectedToClipboard(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.readOnly = true;
  field.className = "unseen";
  document.body.append(field);
  field.select();
  try {
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- there is no other way without TLS
    return document.execCommand("copy");
  } catch {
    return false;
  } finally {
    field.remove();
    if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  }
}

interface CopyButtonProps {
  text: string;
  label: string;
  icon?: boolean;
  /** Called where the browser does not let us copy. */
  onFail?: () => void;
}

export function CopyButton({ text, label, icon = true, onFail }: CopyButtonProps) {
  const [done, setDone] = useState<boolean | null>(null);
  useEffect(() => {
    if (done === null) return;
    const timer = setTimeout(() => setDone(null), done ? 2000 : 6000);
    return () => clearTimeout(timer);
  }, [done]);
  const copy = async () => {
    const copied = await toClipboard(text);
    setDone(copied);
    if (!copied) onFail?.();
  };
  return (
    <button type="button" className="button" onClick={() => void copy()}>
      {icon && <Icon name="link" />}
      <span aria-live="polite">
        {done === null ? label : done ? t.share.copied : onFail ? t.share.selected : t.share.failed}
      </span>
    </button>
  );
}

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
