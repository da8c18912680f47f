/** The front page: pick a game and an opponent, and play. */
import { useMemo, useState } from "react";

import { api } from "../api/client";
import { styleOf } from "../board/picture";
import { loadGames } from "../state/games";
import { useRequest } from "../state/useRequest";
import { t } from "../text";
import { failureText } from "../text/failure";
import { usePageTitle } from "../ui/usePageTitle";
import { cardsOf } from "./cards";
import { MiniBoard } from "./MiniBoard";
import { Setup } from "./Setup";
import "./FrontPage.css";

export function FrontPage() {
  usePageTitle(t.front.title);
  const [chosen, setChosen] = useState(0);
  const { answer, failure, retry } = useRequest("all", () => Promise.all([loadGames(), api.levels()]));
  const cards = useMemo(() => answer && cardsOf(answer[0]), [answer]);
  const card = cards?.[chosen];
  return (
    <div className="front">
      <section aria-labelledby="front-heading">
        <h1 id="front-heading">{t.front.heading}</h1>
        {cards === null && failure === null && <p className="loading">{t.front.loading}</p>}
        {failure && (
          <p className="loading" role="alert">
            {failureText(failure)}{" "}
            <button type="button" className="button" onClick={retry}>
              {t.trouble.retry}
            </button>
          </p>
        )}
        <div className="cards" role="radiogroup" aria-label={t.front.games}>
          {cards?.map((each, at) => (
            <label key={each.key} className="card">
              <input type="radio" name="game" checked={at === chosen} onChange={() => setChosen(at)} />
              <span className="card-face">
                <MiniBoard sample={each.sample} style={styleOf(each.layout, each.marks)} />
                <b>{each.title}</b>
                <small>{each.summary}</small>
              </span>
            </label>
          ))}
        </div>
      </section>
      {card && answer && <Setup key={card.key} card={card} levels={answer[1]} />}
    </div>
  );
}
