/** Keeps a failure in one part from taking the page with it: a file that did not load, a mistake of ours. */
import { Component, type ReactNode } from "react";

interface BoundaryProps {
  children: ReactNode;
  /** What stands there instead. */
  instead: ReactNode;
}

export class ErrorBoundary extends Component<BoundaryProps, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    return this.state.failed ? this.props.instead : this.props.children;
  }
}
