/** A mark as a picture. Every mark has a shape of its own, so that colour is never needed to tell them apart. */
import { memo, type ReactNode } from "react";

import type { Style } from "./picture";
import "./Mark.css";

const INK: Record<string, ReactNode> = {
  X: <path d="M24 24L76 76M76 24L24 76" />,
  O: <circle cx="50" cy="50" r="28" />,
  A: <path d="M50 22L80 74H20Z" />,
  B: <rect x="24" y="24" width="52" height="52" rx="3" />,
  C: <path d="M50 18L82 50L50 82L18 50Z" />,
  D: <path d="M50 20V80M20 50H80" />,
  E: <path d="M50 18V82M22 34L78 66M78 34L22 66" />,
  F: <path d="M50 18L78 34V66L50 82L22 66V34Z" />,
};

const EMBLEM: Record<string, ReactNode> = {
  X: <path d="M36 36L64 64M64 36L36 64" />,
  O: <circle cx="50" cy="50" r="16" />,
  R: <path d="M50 30L70 50L50 70L30 50Z" className="solid" />,
  G: <circle cx="50" cy="50" r="17" className="solid" />,
};

export const Mark = memo(function Mark({ mark, style }: { mark: string; style: Style }) {
  const known = style === "ink" ? INK[mark] : EMBLEM[mark];
  return (
    <svg
      className={`mark mark-${mark} as-${style}`}
      viewBox="0 0 100 100"
      aria-hidden="true"
      focusable="false"
    >
      {style === "stone" && <circle className="body" cx="50" cy="50" r="43" />}
      {style === "tile" && <rect className="body" x="6" y="6" width="88" height="88" rx="14" />}
      <g className="shape">
        {known ?? (
          <text x="50" y="66" textAnchor="middle" className="solid">
            {mark}
          </text>
        )}
      </g>
    </svg>
  );
});
