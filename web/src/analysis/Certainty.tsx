/** Whether something is proven or an estimate. */
import { t } from "../text";
import "./Certainty.css";

export function Certainty({ proven }: { proven: boolean }) {
  return (
    <span className={proven ? "certainty is-proven" : "certainty"}>
      {proven ? t.understand.proven : t.understand.estimate}
    </span>
  );
}
