/** A game of the server for as long as its page is open. */
import { useEffect, useState } from "react";

import { useStore } from "../state/store";
import { Table } from "../state/table";

export function useTable(id: string) {
  const [table] = useState(() => new Table(id));
  useEffect(() => {
    table.open();
    return () => table.close();
  }, [table]);
  return { table, ...useStore(table) };
}
