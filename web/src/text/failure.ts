/** Which phrase says that the server does not answer. */
import { type Failure, isTemporary } from "../api/request";
import { t } from "./index";
import { refusalText } from "./refusal";

/** Why nothing comes, and whether we keep asking. */
export function failureText(failure: Failure): string {
  if (isTemporary(failure))
    return `${t.trouble[failure.kind === "busy" ? "busy" : "unreachable"]} ${t.trouble.again}`;
  return refusalText(failure);
}
