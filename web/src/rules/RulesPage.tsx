/** The rules of a game, with boards that show them. */
import { api } from "../api/client";
import { styleOf } from "../board/picture";
import { loadWords } from "../state/games";
import { useRequest } from "../state/useRequest";
import { t } from "../text";
import { Link } from "../ui/Link";
import { LoadFailure } from "../ui/LoadFailure";
import { usePageTitle } from "../ui/usePageTitle";
import { SceneBoard } from "./SceneBoard";
import "./RulesPage.css";

async function loadRules(game: string) {
  const info = await api.rules(game);
  return { info, words: await loadWords(info.name) };
}

export default function RulesPage({ game }: { game: string }) {
  const { answer, failure, retry } = useRequest(game, () => loadRules(game));
  usePageTitle(answer ? t.rules.of(answer.words.title(answer.info)) : t.rules.title);
  if (failure) return <LoadFailure failure={failure} onRetry={retry} />;
  if (!answer) return <p className="loading">…</p>;
  const { info, words } = answer;
  const style = styleOf(info.layout, info.marks);
  return (
    <article className="rules">
      <h1>{words.title(info)}</h1>
      <p className="rules-goal">{words.goal(info)}</p>
      <ol className="rules-list">
        {info.rules.map((rule) => (
          <li key={rule.note.code}>
            <p>{words.rule(rule)}</p>
            {rule.scenes.length > 0 && (
              <div className="scenes">
                {rule.scenes.map((scene, at) => (
                  <SceneBoard key={at} scene={scene} style={style} marks={info.marks} words={words} />
                ))}
              </div>
            )}
          </li>
        ))}
      </ol>
      <Link to="/" className="button is-main">
        {t.rules.play}
      </Link>
    </article>
  );
}
