/** What goes on: the turn, the result, the AI's thoughts, the connection, and why something was refused. */
import type { GameState, Note, You } from "../api/client";
import { lastChoice, lastPasses } from "../model/passes";
import { isOver } from "../model/view";
import { useWords } from "../state/games";
import type { GameStoreState, Thinking } from "../state/gameStore";
import { settings } from "../state/settings";
import { useStore } from "../state/store";
import { t } from "../text";
import { failureText } from "../text/failure";
import type { GameWords } from "../text/gameWords";
import { moveText } from "../text/move";
import { noteText } from "../text/note";
import { passText } from "../text/pass";
import { progressText } from "../text/progress";
import { refusalText } from "../text/refusal";
import { sentence } from "../text/template";
import { Icon } from "../ui/Icon";
import { Spinner } from "../ui/Spinner";
import { headline, reason } from "./result";
import "./Status.css";

interface StatusProps {
  view: GameState;
  you: You;
  thinking: Thinking | null;
  thought: GameStoreState["thought"];
  aiFailure: GameStoreState["aiFailure"];
  past: number | null;
  watchers: number;
  onNow: () => void;
  onRetry: () => void;
}

function details(
  view: GameState,
  thinking: Thinking | null,
  thought: GameStoreState["thought"],
  words: GameWords,
  figures: boolean,
): string {
  if (isOver(view)) return reason(view, words);
  if (thinking)
    return thinking.progress ? progressText(thinking.progress) : (t.status.levelDoes[thinking.level] ?? "");
  const choice = lastChoice(view.moveHistory);
  if (thought && choice?.player === thought.player && choice.move === thought.move) {
    const { note, proven, nodes, seconds } = thought;
    const said = note ? noteText(note, words, figures) : "";
    return t.status.said(
      moveText(thought.move),
      figures ? t.status.thought(said, proven, nodes, seconds) : said,
    );
  }
  return "";
}

export function Status(props: StatusProps) {
  const { view, you, thinking, thought, aiFailure, past, watchers, onNow, onRetry } = props;
  const over = isOver(view);
  const words = useWords();
  const passed = over ? "" : passText(lastPasses(view.moveHistory), you, words);
  const notice = view.notice && words.say("notice", view.notice as Note);
  const { details: figures } = useStore(settings);
  return (
    <section className={over ? "panel status is-over" : "panel status"}>
      <p className="status-line">
        <b>{thinking && !over ? t.status.thinking : headline(view, you, words)}</b>
        {thinking && !over && <Spinner />}
      </p>
      {passed && <p className="status-passed">{passed}</p>}
      {notice && <p className="status-notice">{sentence(notice)}</p>}
      <p className="status-more">{details(view, thinking, thought, words, figures)}</p>
      <div role="status">
        {aiFailure && (
          <p className="status-past">
            {t.status.stuck} {failureText(aiFailure)}{" "}
            <button type="button" className="button" onClick={onRetry}>
              {t.trouble.retry}
            </button>
          </p>
        )}
      </div>
      {past !== null && (
        <p className="status-past">
          {t.status.past(past, view.moveHistory.length)}{" "}
          <button type="button" className="button" onClick={onNow}>
            {t.status.back}
          </button>
        </p>
      )}
      {watchers > 0 && (
        <p className="watchers">
          <Icon name="eye" /> {t.presence.watching(watchers)}
        </p>
      )}
    </section>
  );
}

export function ConnectionBanner({
  connection,
  onRetry,
}: {
  connection: GameStoreState["connection"];
  onRetry: () => void;
}) {
  return (
    <div className="banner-place" role="status">
      {connection === "lost" && (
        <p className="banner">
          {t.connection.lost}{" "}
          <button type="button" className="button" onClick={onRetry}>
            {t.connection.retry}
          </button>
        </p>
      )}
    </div>
  );
}

export function RefusalNote({
  refusal,
  onDismiss,
}: {
  refusal: GameStoreState["refusal"];
  onDismiss: () => void;
}) {
  const game = useWords();
  const words = refusal && refusalText(refusal, game);
  return (
    <div className="refusal-place" role="alert">
      {refusal && (
        <p className="refusal">
          <b>{t.refusal.label}:</b> {words}{" "}
          <button type="button" className="button is-plain" onClick={onDismiss}>
            {t.refusal.dismiss}
          </button>
        </p>
      )}
    </div>
  );
}
