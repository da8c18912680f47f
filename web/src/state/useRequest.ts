/** What a page asks of the server, for as long as it shows it. */
import { useEffect, useRef, useState } from "react";

import { type Failure, RetryingRequest } from "../api/request";

interface Asked<T> {
  answer: T | null;
  failure: Failure | null;
  retry: () => void;
}

/** Asks once for each key, and nothing for null. */
export function useRequest<T>(key: string | null, send: () => Promise<T>): Asked<T> {
  const [found, setFound] = useState<{ key: string; answer: T | null; failure: Failure | null } | null>(null);
  const latest = useRef(send);
  const request = useRef<RetryingRequest<T> | null>(null);
  useEffect(() => {
    latest.current = send;
  });
  useEffect(() => {
    if (key === null) return;
    let current = true;
    request.current = new RetryingRequest(() => latest.current(), {
      wanted: () => current,
      done: (answer) => {
        if (current) setFound({ key, answer, failure: null });
      },
      failed: (failure) => setFound({ key, answer: null, failure }),
    });
    return () => {
      current = false;
    };
  }, [key]);
  const shown = found?.key === key ? found : null;
  return {
    answer: shown?.answer ?? null,
    failure: shown?.failure ?? null,
    retry: () => request.current?.retryNow(),
  };
}
