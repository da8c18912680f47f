/** How the chosen game is played: against whom, who starts, with which options. */
import { type SyntheticEvent, useEffect, useState } from "react";

import { api, type BoardInfo, type LevelInfo, type NewGame, Refusal } from "../api/client";
import { isTemporary, RetryingRequest } from "../api/request";
import { emptyPicture } from "../board/picture";
import { navigate } from "../state/route";
import { saveSettings, settings } from "../state/settings";
import { useStore } from "../state/store";
import { t } from "../text";
import { levelName, levelText } from "../text/level";
import { refusalText } from "../text/refusal";
import { Choices } from "../ui/Choices";
import { RulesLink } from "../ui/RulesLink";
import type { Card } from "./cards";
import { levelAmong, levelsFor } from "./levels";
import { MiniBoard } from "./MiniBoard";
import { Options } from "./Options";
import { isComplete, specOf, type Values } from "./options";
import "./Setup.css";

type Opponent = "ai" | "here" | "link";
type Starts = "me" | "other" | "chance";

/** The last choices, so that the next card begins with them. */
const remembered: { opponent: Opponent; level: string; starts: Starts } = {
  opponent: "ai",
  level: "medium",
  starts: "me",
};

/** The board of a spec, or what is wrong with it; the last board stays while the next is asked for. */
function useBoard(spec: string | null): { board: BoardInfo | null; wrong: string | null } {
  const [found, setFound] = useState<{ spec: string; board: BoardInfo | null; wrong: string | null } | null>(
    null,
  );
  useEffect(() => {
    if (spec === null) return;
    let current = true;
    const ask = () =>
      new RetryingRequest(() => api.board(spec), {
        wanted: () => current,
        done: (board) => {
          if (current) setFound({ spec, board, wrong: null });
        },
        failed: (failure) => {
          if (!isTemporary(failure)) setFound({ spec, board: null, wrong: refusalText(failure) });
        },
      });
    const timer = setTimeout(ask, 120);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [spec]);
  return found?.spec === spec ? found : { board: found?.board ?? null, wrong: null };
}

function startRequest(
  spec: string,
  marks: readonly string[],
  opponent: Opponent,
  level: string,
  starts: Starts,
) {
  const first = starts === "me" || (starts === "chance" && Math.random() < 0.5);
  const request: NewGame = { mode: opponent === "ai" ? "PvAI" : "PvP", game: spec };
  if (opponent === "ai") request.level = level;
  if (opponent !== "ai") request.opponent = opponent;
  if (opponent === "here") request.starter = marks[first ? 0 : 1] ?? null;
  else request.seat = marks[first ? 0 : 1] ?? null;
  return request;
}

export function Setup({ card, levels }: { card: Card; levels: LevelInfo[] }) {
  const { name } = useStore(settings);
  const [opponent, setOpponent] = useState(remembered.opponent);
  const [level, setLevel] = useState(remembered.level);
  const [starts, setStarts] = useState(remembered.starts);
  const [values, setValues] = useState<Values>(card.values);
  const [starting, setStarting] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const complete = isComplete(card.game, values);
  const spec = specOf(card.game, values);
  const { board, wrong } = useBoard(complete ? spec : null);
  const marks = board?.marks ?? card.marks;
  const able = levelsFor(levels, board, card.spec);
  const rival = levelAmong(able, level);

  useEffect(() => {
    Object.assign(remembered, { opponent, level, starts });
  }, [opponent, level, starts]);

  const start = async (event: SyntheticEvent) => {
    event.preventDefault();
    setStarting(true);
    setRefused(null);
    try {
      await api.session(name);
      const view = await api.start(startRequest(spec, marks, opponent, rival?.name ?? level, starts));
      navigate(`/play/${view.id}`);
    } catch (error) {
      setRefused(error instanceof Refusal ? refusalText(error) : t.front.failed);
      setStarting(false);
    }
  };

  const who = (choice: Starts) =>
    opponent === "here" && choice !== "chance"
      ? t.front.starts.mark(card.words.mark(marks[choice === "me" ? 0 : 1] ?? ""))
      : choice === "other"
        ? (t.front.starts.other[opponent] ?? "")
        : t.front.starts[choice];
  const title = card.words.title(board ?? card);
  const picture = emptyPicture(board?.layout ?? card.layout, marks, title, card.words);
  const problem = complete ? (wrong ?? refused) : t.front.incomplete;
  return (
    <form className="setup" aria-label={t.front.setup} onSubmit={(event) => void start(event)}>
      <div className="setup-title">
        <MiniBoard sample={{ layout: picture.layout, cells: picture.cells }} style={picture.style} />
        <div>
          <h2>{title}</h2>
          <p>{card.words.goal(board ?? card)}</p>
          <RulesLink game={board?.game ?? card.spec} />
        </div>
      </div>
      <Choices
        name="opponent"
        label={t.front.opponent.label}
        value={opponent}
        choices={(["ai", "here", "link"] as const).map((value) => ({ value, text: t.front.opponent[value] }))}
        onChoose={setOpponent}
      />
      {opponent === "ai" ? (
        <>
          <Choices
            name="level"
            label={t.front.levelLabel}
            value={rival?.name ?? ""}
            choices={able.map(({ name: value }) => ({ value, text: levelName(value) }))}
            onChoose={setLevel}
          />
          <p className="help">{rival && levelText(rival, card.words)}</p>
        </>
      ) : (
        <p className="help">{opponent === "here" ? t.front.opponent.hereHelp : t.front.opponent.linkHelp}</p>
      )}
      {opponent === "link" && (
        <label className="field">
          <span>{t.front.name}</span>
          <input
            maxLength={40}
            value={name}
            autoComplete="nickname"
            onChange={(event) => saveSettings({ name: event.target.value })}
          />
        </label>
      )}
      <Choices
        name="starts"
        label={t.front.starts.label}
        value={starts}
        choices={(["me", "other", "chance"] as const).map((value) => ({ value, text: who(value) }))}
        onChoose={setStarts}
      />
      <details className="more" open={card.open}>
        <summary>{t.front.options}</summary>
        <Options
          game={card.game}
          words={card.words}
          initial={card.values}
          values={values}
          onChange={(change) => setValues({ ...values, ...change })}
        />
      </details>
      <div className="setup-go">
        <p className="problem" role="alert">
          {problem}
        </p>
        <button
          type="submit"
          className="button is-main is-big"
          disabled={starting || !complete || wrong !== null}
        >
          {starting ? t.front.starting : t.front.play}
        </button>
      </div>
    </form>
  );
}
