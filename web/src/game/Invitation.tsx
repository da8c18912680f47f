/** A free seat: the link to send, or the seat to take. */
import type { GameState, You } from "../api/client";
import { useWords } from "../state/games";
import { saveSettings, settings } from "../state/settings";
import { useStore } from "../state/store";
import { t } from "../text";
import { CopyField } from "../ui/CopyField";
import "./Invitation.css";

interface InvitationProps {
  view: GameState;
  you: You;
  watching: boolean;
  onJoin: (name: string) => void;
}

export function Invitation({ view, you, watching, onJoin }: InvitationProps) {
  const { name } = useStore(settings);
  const words = useWords();
  const free = view.marks.find((mark) => view.seats[mark]?.kind === "open");
  if (free === undefined || watching) return null;
  if (you.marks.length > 0) {
    return (
      <section className="panel invitation">
        <CopyField label={t.share.invite} text={`${location.origin}/play/${view.id}`} />
      </section>
    );
  }
  const host = Object.values(view.seats).find((seat) => seat.kind === "person" && seat.name)?.name ?? null;
  return (
    <section className="panel invitation">
      <h2>{t.share.invited(host, words.title(view))}</h2>
      <label className="field">
        <span>{t.front.name}</span>
        <input
          maxLength={40}
          value={name}
          autoComplete="nickname"
          onChange={(event) => saveSettings({ name: event.target.value })}
        />
      </label>
      <button type="button" className="button is-main is-big" onClick={() => onJoin(name)}>
        {t.share.join(words.mark(free))}
      </button>
    </section>
  );
}
