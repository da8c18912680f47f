import type { Threat } from "../api/client";
import { t } from "./index";

export function threatText({ kind, player, cells, text }: Threat): string {
  return t.understand.threat[kind]?.(player, cells.map((cell) => cell.toUpperCase()).join(" ")) ?? text;
}
