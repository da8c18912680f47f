/** A board that shows a rule: only to be looked at. */
import { useMemo } from "react";

import type { RuleScene } from "../api/client";
import { Board } from "../board/Board";
import { emptyPicture, type Picture, type Style } from "../board/picture";
import { strokesOf } from "../board/strokes";
import { flat, placeOf, spokenName } from "../model/cells";
import { t } from "../text";
import type { GameWords } from "../text/gameWords";

interface SceneProps {
  scene: RuleScene;
  style: Style;
  marks: readonly string[];
  words: GameWords;
}

export function sceneText({ layout, board }: RuleScene, marks: readonly string[], words: GameWords): string {
  const cells = flat(board);
  const held = marks.map((mark): [string, string[]] => [
    words.mark(mark),
    cells.flatMap((each, cell) => (each === mark ? [spokenName(layout, cell)] : [])),
  ]);
  return t.rules.scene(held.filter(([, where]) => where.length > 0));
}

export function SceneBoard({ scene, style, marks, words }: SceneProps) {
  const text = sceneText(scene, marks, words);
  const picture = useMemo((): Picture => {
    const { layout, winning, owned } = scene;
    const places = winning.map((cell) => placeOf(layout, cell));
    return {
      ...emptyPicture(layout, marks, text, words),
      style,
      cells: flat(scene.board),
      last: scene.last,
      winning: new Set(winning),
      strokes: owned.length === 0 ? strokesOf(layout, places) : [],
      turn: scene.turn,
      legal: new Set(scene.legal),
      refused: new Set(scene.refused),
      regions: owned,
    };
  }, [scene, style, marks, words, text]);
  return (
    <div className="scene" role="img" aria-label={text}>
      <div inert>
        <Board picture={picture} onPress={null} turnable={false} />
      </div>
    </div>
  );
}
