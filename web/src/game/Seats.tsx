/** Who plays which mark, who is on turn and who is here. */
import type { GameState, Presence, SeatState, You } from "../api/client";
import { Mark } from "../board/Mark";
import { styleOf } from "../board/picture";
import { isOver } from "../model/view";
import { useWords } from "../state/games";
import { t } from "../text";
import type { GameWords } from "../text/gameWords";
import { levelName } from "../text/level";
import { Spinner } from "../ui/Spinner";
import "./Seats.css";

interface SeatsProps {
  view: GameState;
  you: You;
  presence: Presence;
  thinking: boolean;
  cells: readonly (string | null)[];
}

function seatName(seat: SeatState | undefined, mark: string, you: You, words: GameWords): string {
  if (seat?.kind === "ai") return t.seat.ai(levelName(seat.level ?? ""));
  if (seat?.kind === "open") return t.seat.open;
  if (you.marks.length === 1 && you.marks[0] === mark) return t.seat.you;
  if (you.marks.length > 1) return words.mark(mark);
  return seat?.name ?? words.mark(mark);
}

export function Seats({ view, you, presence, thinking, cells }: SeatsProps) {
  const style = styleOf(view.layout, view.marks);
  const words = useWords();
  return (
    <ul className="seats" aria-label={t.seat.label}>
      {view.marks.map((mark) => {
        const seat = view.seats[mark];
        const onTurn = !isOver(view) && view.currentPlayer === mark;
        const person = seat?.kind === "person" && view.needsConsent;
        const here = presence.players.includes(mark);
        const classes = ["seat", onTurn && "is-on-turn", view.winner === mark && "is-winner"];
        return (
          <li key={mark} className={classes.filter(Boolean).join(" ")}>
            <Mark mark={mark} style={style} />
            <span className="seat-name">{seatName(seat, mark, you, words)}</span>
            {style === "tile" && (
              <span className="seat-tiles">
                {cells.filter((cell) => cell === mark).length}
                <span className="unseen"> {t.seat.tilesWord}</span>
              </span>
            )}
            {person && (
              <span
                className={here ? "dot is-here" : "dot"}
                role="img"
                aria-label={here ? t.seat.here : t.seat.away}
              />
            )}
            {onTurn && thinking && <Spinner />}
            {onTurn && <span className="unseen">{t.seat.onTurn}</span>}
          </li>
        );
      })}
    </ul>
  );
}
