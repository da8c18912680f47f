/** A button that copies a text. */
import { useEffect, useState } from "react";

import { t } from "../text";
import { copyToClipboard } from "./clipboard";
import { Icon } from "./Icon";

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
    const copied = await copyToClipboard(text);
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
