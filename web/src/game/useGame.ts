/** A game of the server for as long as its page is open. */
import { useEffect, useState } from "react";

import { GameStore } from "../state/gameStore";
import { useStore } from "../state/store";

export function useGame(id: string) {
  const [store] = useState(() => new GameStore(id));
  useEffect(() => {
    store.open();
    return () => store.close();
  }, [store]);
  return { store, ...useStore(store) };
}
