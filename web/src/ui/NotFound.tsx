/** There is nothing under this address. */
import { t } from "../text";
import { Link } from "./Link";
import { usePageTitle } from "./usePageTitle";
import "./NotFound.css";

export function NotFound({ what }: { what: "page" | "game" }) {
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
