/** The entry point: loads the shared styles and draws the app. */
import "./styles/base.css";
import "./ui/button.css";
import "./ui/field.css";
import "./ui/panel.css";

import { createRoot } from "react-dom/client";

import { App } from "./frame/App";
import { listenToHistory } from "./state/route";

listenToHistory();
const root = document.getElementById("root");
if (root) createRoot(root).render(<App />);
