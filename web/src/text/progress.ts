/** Which phrase says what the computer is doing. */
import type { Progress } from "../api/client";
import { t } from "./index";

/** What the computer is doing: "Looking ahead, 5 deep, 1,234 positions". */
export const progressText = ({ stage, depth, nodes }: Progress): string => t.progress(stage, depth, nodes);
