/** Shown in place of what the server does not send. */
import { useEffect } from "react";

import { type Failure, isTemporary } from "../api/request";
import { announce } from "../state/announcer";
import { t } from "../text";
import { failureText } from "../text/failure";
import { Link } from "./Link";
import { NotFound } from "./NotFound";
import { usePageTitle } from "./usePageTitle";

export function LoadFailure({ failure, onRetry }: { failure: Failure; onRetry: () => void }) {
  return failure.kind === "missing" ? (
    <NotFound what="game" />
  ) : (
    <Waiting failure={failure} onRetry={onRetry} />
  );
}

function Waiting({ failure, onRetry }: { failure: Failure; onRetry: () => void }) {
  const waiting = isTemporary(failure);
  usePageTitle(waiting ? t.trouble.title : t.trouble.refused);
  const words = failureText(failure);
  useEffect(() => announce(words), [words]);
  return (
    <section className="missing">
      <h1>{waiting ? t.trouble.heading : t.trouble.refused}</h1>
      <p>{words}</p>
      {waiting && (
        <button type="button" className="button is-main" onClick={onRetry}>
          {t.trouble.retry}
        </button>
      )}
      <Link to="/" className="button">
        {t.missing.home}
      </Link>
    </section>
  );
}
