/** What screen readers listen to. */
import { announcements } from "../state/announcer";
import { useStore } from "../state/store";

export function LiveRegions() {
  const { polite, assertive } = useStore(announcements);
  return (
    <div className="unseen">
      <p role="status" aria-live="polite">
        {polite}
      </p>
      <p role="alert" aria-live="assertive">
        {assertive}
      </p>
    </div>
  );
}
