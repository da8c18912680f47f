/** Nothing is here, or it cannot be shown yet. */
import { useEffect } from "react";

import { type Obstacle, passes } from "../api/errand";
import { announce } from "../state/announcer";
import { t } from "../text";
import { refusalText } from "../text/said";
import { Link } from "./Link";
import { usePageTitle } from "./title";

export function Missing({ what }: { what: "page" | "game" }) {
  usePageTitle(t.missing.title);
  return (
    <section className="missing">
      <h1>{t.missing.heading}</h1>
      <p>{t.missing[what]}</p>
      <Link to="/" className="button is-main">
        {t.missing.home}
      </Link>
    </section>
  );
}

/** In place of a page that the server does not give us. */
export function Hindered({ obstacle, onRetry }: { obstacle: Obstacle; onRetry: () => void }) {
  return obstacle.trouble === "missing" ? (
    <Missing what="game" />
  ) : (
    <Waiting obstacle={obstacle} onRetry={onRetry} />
  );
}

function Waiting({ obstacle, onRetry }: { obstacle: Obstacle; onRetry: () => void }) {
  usePageTitle(t.trouble.title);
  const words = troubleText(obstacle);
  useEffect(() => announce(words), [words]);
  return (
    <section className="missing">
      <h1>{t.trouble.heading}</h1>
      <p>{words}</p>
      <button type="button" className="button is-main" onClick={onRetry}>
        {t.trouble.retry}
      </button>
      <Link to="/" className="button">
        {t.missing.home}
      </Link>
    </section>
  );
}

/** Why nothing comes, and whether we keep asking. */
export function troubleText(obstacle: Obstacle): string {
  if (passes(obstacle))
    return `${t.trouble[obstacle.trouble === "busy" ? "busy" : "silent"]} ${t.trouble.again}`;
  return refusalText(obstacle);
}
