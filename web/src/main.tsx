import "./styles/base.css";
import "./styles/board.css";
import "./styles/front.css";
import "./styles/game.css";

import { createRoot } from "react-dom/client";

import { App } from "./shell/App";
import { followHistory } from "./state/route";

followHistory();
const root = document.getElementById("root");
if (root) createRoot(root).render(<App />);
