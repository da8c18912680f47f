/** A link to the rules of a game. They open beside what one is doing, so that nothing is lost. */
import { rulesPath } from "../state/route";
import { t } from "../text";

export function RulesLink({ game }: { game: string }) {
  return (
    <a href={rulesPath(game)} target="_blank" rel="noopener">
      {t.rules.link}
      <span className="unseen"> {t.rules.newTab}</span>
    </a>
  );
}
