/** The history of a game, fetched when it is wanted and again when the game has moved on. */
import { useEffect, useState } from "react";

import { api, type GameHistory } from "../api/client";
import { RetryingRequest } from "../api/request";

export function useHistory(id: string, version: number, wanted: boolean): GameHistory | null {
  const [found, setFound] = useState<GameHistory | null>(null);
  useEffect(() => {
    if (!wanted || (found && found.version >= version)) return;
    let current = true;
    new RetryingRequest(() => api.history(id), {
      wanted: () => current,
      done: (history) => {
        if (current) setFound(history);
      },
      // The connection banner tells of it; the board stays as it is.
      failed: () => undefined,
    });
    return () => {
      current = false;
    };
  }, [id, version, wanted, found]);
  return found;
}
