/** The front page: pick a game and an opponent, and play. */
import { useCallback, useEffect, useState } from "react";

import { api, type LevelInfo } from "../api/client";
import { styleOf } from "../board/picture";
import { t } from "../text";
import { usePageTitle } from "../shell/title";
import { type Card, cardsOf } from "./cards";
import { MiniBoard } from "./MiniBoard";
import { sampleOf } from "./samples";
import { Setup } from "./Setup";

const marksOf = (card: Card): string[] => (card.game.name === "duel" ? ["R", "G"] : ["X", "O"]);

export function FrontPage() {
  usePageTitle(t.front.title);
  const [cards, setCards] = useState<Card[] | null>(null);
  const [levels, setLevels] = useState<LevelInfo[]>([]);
  const [failed, setFailed] = useState(false);
  const [chosen, setChosen] = useState(0);

  const load = useCallback(async () => {
    setFailed(false);
    try {
      const [games, known] = await Promise.all([api.games(), api.levels()]);
      setCards(cardsOf(games));
      setLevels(known);
    } catch {
      setFailed(true);
    }
  }, []);
  useEffect(() => void load(), [load]);

  const card = cards?.[chosen];
  return (
    <div className="front">
      <section aria-labelledby="front-heading">
        <h1 id="front-heading">{t.front.heading}</h1>
        {cards === null && !failed && <p className="loading">{t.front.loading}</p>}
        {failed && (
          <p className="loading" role="alert">
            {t.front.failed}{" "}
            <button type="button" className="button" onClick={() => void load()}>
              {t.front.again}
            </button>
          </p>
        )}
        <div className="cards" role="radiogroup" aria-label={t.front.games}>
          {cards?.map((each, at) => (
            <label key={each.key} className="card">
              <input type="radio" name="game" checked={at === chosen} onChange={() => setChosen(at)} />
              <span className="card-face">
                <MiniBoard
                  sample={sampleOf(each.key, each.layout)}
                  style={styleOf(each.layout, marksOf(each))}
                />
                <b>{each.name}</b>
                <small>{each.summary}</small>
              </span>
            </label>
          ))}
        </div>
      </section>
      {card && <Setup key={card.key} card={card} levels={levels} />}
    </div>
  );
}
