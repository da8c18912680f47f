/** Which page is open. The address is the only state. */
import { Store } from "./store";

export type Route =
  | { page: "front" }
  | { page: "play"; id: string }
  | { page: "watch"; id: string }
  | { page: "replay"; id: string }
  | { page: "openings"; game: string | null }
  | { page: "rules"; game: string }
  | { page: "missing" };

/** The parts of a path, or null where one cannot be read, such as 100%. */
function partsOf(path: string): string[] | null {
  try {
    return path.split("/").filter(Boolean).map(decodeURIComponent);
  } catch {
    return null;
  }
}

export function parseRoute(path: string, search = ""): Route {
  const parts = partsOf(path);
  if (parts === null) return { page: "missing" };
  const [head = "", id = "", ...rest] = parts;
  if (rest.length > 0) return { page: "missing" };
  if (!head) return { page: "front" };
  if ((head === "play" || head === "watch" || head === "replay") && id) return { page: head, id };
  if (head === "openings" && !id) return { page: head, game: new URLSearchParams(search).get("game") };
  if (head === "rules" && !id) {
    const game = new URLSearchParams(search).get("game");
    if (game) return { page: head, game };
  }
  return { page: "missing" };
}

/** The address of a game's rules. */
export const rulesPath = (game: string): string => `/rules?game=${encodeURIComponent(game)}`;

const here = (): { route: Route } => ({ route: parseRoute(location.pathname, location.search) });

export const routes = new Store<{ route: Route }>(
  typeof location === "undefined" ? { route: { page: "front" } } : here(),
);

export function navigate(path: string, options: { replace?: boolean } = {}): void {
  if (options.replace) history.replaceState(null, "", path);
  else history.pushState(null, "", path);
  routes.set(here());
}

export function listenToHistory(): void {
  window.addEventListener("popstate", () => routes.set(here()));
}
