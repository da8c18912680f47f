/** The moments of a game, fetched once they are wanted and again when the game has moved on. */
import { useEffect, useState } from "react";

import { api, type Moments } from "../api/client";
import { Errand } from "../api/errand";

export function useMoments(id: string, version: number, wanted: boolean): Moments | null {
  const [found, setFound] = useState<Moments | null>(null);
  useEffect(() => {
    if (!wanted || (found && found.version >= version)) return;
    let current = true;
    new Errand(() => api.moments(id), {
      wanted: () => current,
      done: (moments) => {
        if (current) setFound(moments);
      },
      // The connection banner tells of it; the board stays as it is.
      trouble: () => undefined,
    });
    return () => {
      current = false;
    };
  }, [id, version, wanted, found]);
  return found;
}
