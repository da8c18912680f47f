/** Shown in place of a page that failed. */
import { t } from "../text";

export function PageFailed() {
  return (
    <section className="missing" role="alert">
      <h1>{t.broken.heading}</h1>
      <p>{t.broken.what}</p>
      <button type="button" className="button is-main" onClick={() => location.reload()}>
        {t.broken.reload}
      </button>
    </section>
  );
}
