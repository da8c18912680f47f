/** The opening map of solved games: what every first move is worth. */
import { useMemo } from "react";

import { Certainty } from "../analysis/Certainty";
import { Legend } from "../analysis/Legend";
import { api } from "../api/client";
import { Board } from "../board/Board";
import { planeOf, ratioOf } from "../board/geometry";
import { heatMap } from "../board/heat";
import { emptyPicture } from "../board/picture";
import { flat } from "../model/cells";
import { loadGames, wordsOf } from "../state/games";
import { navigate } from "../state/route";
import { useRequest } from "../state/useRequest";
import { t } from "../text";
import { evaluationText } from "../text/evaluation";
import { failureText } from "../text/failure";
import { LoadFailure } from "../ui/LoadFailure";
import { usePageTitle } from "../ui/usePageTitle";
import "./OpeningsPage.css";

export default function OpeningsPage({ game }: { game: string | null }) {
  usePageTitle(t.openings.title);
  const list = useRequest("all", () => Promise.all([api.openings(), loadGames()]));
  const [openings, games] = list.answer ?? [null, []];
  const chosen = openings?.find((each) => each.game === game) ?? openings?.[0];
  const map = useRequest(chosen?.game ?? null, () => api.openingMap(chosen?.game ?? ""));
  const shown = map.answer;
  const words = useMemo(() => wordsOf(games, chosen?.name ?? ""), [games, chosen]);
  const picture = useMemo(
    () =>
      shown && {
        ...emptyPicture(shown.layout, shown.marks, words.title(shown), words),
        cells: flat(shown.board),
        heat: heatMap(shown.layout, shown.analysis),
      },
    [shown, words],
  );
  if (list.failure) return <LoadFailure failure={list.failure} onRetry={list.retry} />;
  const plane = shown && planeOf(shown.layout);
  return (
    <div className="openings">
      <h1>{t.openings.heading}</h1>
      <p className="intro">{t.openings.intro}</p>
      {openings && chosen && (
        <label className="field">
          <span>{t.openings.choose}</span>
          <select
            value={chosen.game}
            onChange={(event) =>
              navigate(`/openings?game=${encodeURIComponent(event.target.value)}`, { replace: true })
            }
          >
            {openings.map((each) => (
              <option key={each.game} value={each.game}>
                {wordsOf(games, each.name).title(each)}
              </option>
            ))}
          </select>
        </label>
      )}
      {shown && picture && plane ? (
        <>
          <p className="openings-verdict" role="status">
            {t.openings.verdict(
              words.mark(shown.analysis.turn),
              shown.analysis.evaluation ? evaluationText(shown.analysis.evaluation) : t.understand.unknown,
            )}{" "}
            <Certainty proven={shown.analysis.proven} />
          </p>
          <div
            className="board-scroll"
            style={{
              ["--ratio" as string]: ratioOf(plane),
              ["--zoom" as string]: 1,
            }}
          >
            <Board picture={picture} onPress={null} turnable={false} />
          </div>
          <Legend />
          <p className="help">{t.openings.source(shown.source)}</p>
        </>
      ) : map.failure ? (
        <p className="loading" role="alert">
          {failureText(map.failure)}{" "}
          <button type="button" className="button" onClick={map.retry}>
            {t.trouble.retry}
          </button>
        </p>
      ) : (
        <p className="loading">{t.openings.working}</p>
      )}
    </div>
  );
}
