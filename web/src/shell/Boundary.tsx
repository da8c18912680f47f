/** Keeps a failure in one part from taking the page with it: a file that did not load, a mistake of ours. */
import { Component, type ReactNode } from "react";

import { t } from "../text";

interface BoundaryProps {
  children: ReactNode;
  /** What stands there instead. */
  instead: ReactNode;
}

export class Boundary extends Component<BoundaryProps, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    return this.state.failed ? this.props.instead : this.props.children;
  }
}

/** In place of a page that failed. */
export function Failed() {
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
