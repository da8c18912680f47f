/** Which game it is and what one tries to do, above the board. */
import type { GameState } from "../api/client";
import { useWords } from "../state/games";
import { RulesLink } from "../ui/RulesLink";
import "./GameHeading.css";

export function GameHeading({ view, heading }: { view: GameState; heading: string }) {
  const words = useWords();
  return (
    <header className="game-heading">
      <h1>{heading}</h1>
      <p>
        {words.goal(view)} <RulesLink game={view.game} />
      </p>
    </header>
  );
}
