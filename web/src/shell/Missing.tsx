/** Nothing is here, or nobody answers. */
import { t } from "../text";
import { Link } from "./Link";
import { usePageTitle } from "./title";

export function Missing({ what }: { what: "page" | "game" | "server" }) {
  usePageTitle(t.missing.title);
  return (
    <section className="missing">
      <h1>{t.missing.heading}</h1>
      <p>{t.missing[what]}</p>
      {what === "server" && (
        <button type="button" className="button" onClick={() => location.reload()}>
          {t.missing.again}
        </button>
      )}
      <Link to="/" className="button is-main">
        {t.missing.home}
      </Link>
    </section>
  );
}
