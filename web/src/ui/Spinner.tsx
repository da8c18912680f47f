/** Something is going on; words beside it say what. */
import "./Spinner.css";

export const Spinner = () => <span className="spinner" aria-hidden="true" />;
