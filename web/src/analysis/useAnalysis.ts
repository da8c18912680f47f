/** What the position shown is worth; asked for only while somebody wants to see it. */
import { useEffect, useState } from "react";

import { type Analysis, api } from "../api/client";
import { isTemporary, RetryingRequest } from "../api/request";

export interface AnalysisAnswer {
  analysis: Analysis | null;
  working: boolean;
}

export function useAnalysis(id: string, version: number, ply: number, wanted: boolean): AnalysisAnswer {
  const [found, setFound] = useState<{ key: string; analysis: Analysis | null } | null>(null);
  const key = `${id} ${version} ${ply}`;
  const known = found?.key === key;
  useEffect(() => {
    if (!wanted || known) return;
    let current = true;
    // A replay flies past many positions; only one that stays is worth a search.
    const timer = setTimeout(() => {
      new RetryingRequest(() => api.analysis(id, ply), {
        wanted: () => current,
        done: (analysis) => {
          if (current) setFound({ key, analysis });
        },
        failed: (failure) => {
          if (!isTemporary(failure)) setFound({ key, analysis: null });
        },
      });
    }, 200);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [id, ply, key, wanted, known]);
  return { analysis: known && wanted ? found.analysis : null, working: wanted && !known };
}
