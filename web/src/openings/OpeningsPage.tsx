/** The opening map of solved games: what every first move is worth. */
import { useEffect, useMemo, useState } from "react";

import { api, type OpeningInfo, type OpeningMap } from "../api/client";
import { Board } from "../board/Board";
import { planeOf, ratioOf } from "../board/geometry";
import { emptyPicture } from "../board/picture";
import { heatMap } from "../board/worth";
import { Legend, Sureness } from "../game/Understand";
import { Missing } from "../shell/Missing";
import { usePageTitle } from "../shell/title";
import { go } from "../state/route";
import { flat } from "../state/view";
import { t } from "../text";

export default function OpeningsPage({ game }: { game: string | null }) {
  usePageTitle(t.openings.title);
  const [openings, setOpenings] = useState<OpeningInfo[] | null>(null);
  const [map, setMap] = useState<OpeningMap | null>(null);
  const [failed, setFailed] = useState(false);
  const chosen = openings?.find((each) => each.game === game) ?? openings?.[0];
  useEffect(() => {
    api.openings().then(setOpenings, () => setFailed(true));
  }, []);
  useEffect(() => {
    if (!chosen) return;
    let current = true;
    api.openingMap(chosen.game).then(
      (found) => current && setMap(found),
      () => current && setFailed(true),
    );
    return () => {
      current = false;
    };
  }, [chosen]);

  const shown = map && map.game === chosen?.game ? map : null;
  const picture = useMemo(
    () =>
      shown && {
        ...emptyPicture(shown.layout, shown.marks, shown.game),
        cells: flat(shown.board),
        heat: heatMap(shown.layout, shown.analysis),
      },
    [shown],
  );
  if (failed) return <Missing what="server" />;
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
              go(`/openings?game=${encodeURIComponent(event.target.value)}`, { replace: true })
            }
          >
            {openings.map((each) => (
              <option key={each.game} value={each.game}>
                {each.title}: {each.game}
              </option>
            ))}
          </select>
        </label>
      )}
      {shown && picture && plane ? (
        <>
          <p className="openings-verdict" role="status">
            {t.openings.verdict(shown.analysis.turn, shown.analysis.evaluation?.text ?? t.understand.unknown)}{" "}
            <Sureness proven={shown.analysis.proven} />
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
      ) : (
        <p className="loading">{t.openings.working}</p>
      )}
    </div>
  );
}
