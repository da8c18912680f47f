/** What a page asks of the server, for as long as it shows it. */
import { useEffect, useRef, useState } from "react";

import { Errand, type Obstacle } from "../api/errand";

interface Asked<T> {
  answer: T | null;
  obstacle: Obstacle | null;
  retry: () => void;
}

/** Asks once for each key, and nothing for null. */
export function useErrand<T>(key: string | null, send: () => Promise<T>): Asked<T> {
  const [found, setFound] = useState<{ key: string; answer: T | null; obstacle: Obstacle | null } | null>(
    null,
  );
  const latest = useRef(send);
  const errand = useRef<Errand<T> | null>(null);
  useEffect(() => {
    latest.current = send;
  });
  useEffect(() => {
    if (key === null) return;
    let current = true;
    errand.current = new Errand(() => latest.current(), {
      wanted: () => current,
      done: (answer) => {
        if (current) setFound({ key, answer, obstacle: null });
      },
      trouble: (obstacle) => setFound({ key, answer: null, obstacle }),
    });
    return () => {
      current = false;
    };
  }, [key]);
  const shown = found?.key === key ? found : null;
  return {
    answer: shown?.answer ?? null,
    obstacle: shown?.obstacle ?? null,
    retry: () => errand.current?.hurry(),
  };
}
