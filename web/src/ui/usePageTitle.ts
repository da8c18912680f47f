/** The title of the browser's tab. */
import { useEffect } from "react";

import { t } from "../text";

export function usePageTitle(page: string): void {
  useEffect(() => {
    document.title = t.title(page);
  }, [page]);
}
