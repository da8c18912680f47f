"""The page of a report: it asks for nothing from anywhere."""

from __future__ import annotations

__all__ = ["PAGE"]

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy"
  content="default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>noughts: $TITLE</title>
<style>
:root { color-scheme: light dark; --line: #8884; --soft: #8882; --x: #0b6bcb; --o: #b8460e; }
@media (prefers-color-scheme: dark) { :root { --x: #6cb6ff; --o: #ffa666; } }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 76rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { border-bottom: 1px solid var(--line); padding: .25rem .7rem; text-align: left; white-space: nowrap; }
th { font-weight: 600; }
img { max-width: 100%; background: #fff; border-radius: .4rem; }
summary { cursor: pointer; margin: .4rem 0; }
select, button { font: inherit; padding: .2rem .6rem; }
#board { display: inline-grid; gap: 2px; margin: .8rem 0; }
#board div { width: 3.4rem; height: 3.4rem; display: grid; place-items: center; background: var(--soft);
  border-radius: .25rem; font-size: 1.6rem; font-weight: 700; position: relative; }
#board .last { outline: 2px solid currentColor; }
#board small { font-size: .72rem; font-weight: 400; }
#board .first { color: var(--x); } #board .second { color: var(--o); }
</style>
</head>
<body>
<h1>noughts: $TITLE</h1>
<h2>Where it ended</h2>
<p>Optimal is the share of positions in which the choice is a best one; points lost is what a choice costs on average
(½ from a win to a draw). Scores are wins–draws–losses.</p>
$SUMMARY
<h2>How it learned</h2>
<img alt="Learning curves; the table below has the same figures" src="data:image/png;base64,$CURVES">
<p>Lines are means over the seeds of a group, bands go from the least to the most.</p>
$PROGRESS
<h2>Games to step through</h2>
<div id="player">
<p><label>Game <select id="which"></select></label>
<button id="start" aria-label="first">|◀</button> <button id="back" aria-label="back">◀</button>
<button id="next" aria-label="next">▶</button> <button id="end" aria-label="last">▶|</button>
<span id="count"></span></p>
<p id="names"></p>
<p id="note" aria-live="polite"></p>
<div id="board"></div><pre id="text"></pre>
<p>Small figures are what the trained agent thinks of a move, from −1 to 1. Arrow keys step, too.</p>
</div>
<h2>Manifests</h2>
$MANIFESTS
<script>
"use strict";
const games = $GAMES;
const at = (id) => document.getElementById(id);
let game = 0, step = 0;
function show() {
  const told = games[game], now = told.steps[step];
  at("names").textContent = told.players + " — " + told.result.replace("_", " ");
  at("note").textContent = now.note;
  at("count").textContent = step + " / " + (told.steps.length - 1);
  const board = at("board");
  board.replaceChildren();
  at("text").textContent = told.cols ? "" : now.text;
  if (!told.cols) return;
  board.style.gridTemplateColumns = "repeat(" + told.cols + ", auto)";
  const values = Object.values(now.values), best = values.length ? Math.max(...values) : 0;
  now.cells.forEach((mark, cell) => {
    const box = document.createElement("div");
    if (mark) {
      box.textContent = mark;
      box.className = "XR".includes(mark) ? "first" : "second";
    } else if (cell in now.values) {
      const small = document.createElement("small"), value = now.values[cell];
      small.textContent = value.toFixed(2);
      if (value === best) small.style.fontWeight = 700;
      const strength = Math.round(35 * Math.abs(value));
      const colour = value < 0 ? "crimson" : "seagreen";
      box.style.background = "color-mix(in srgb, " + colour + " " + strength + "%, var(--soft))";
      box.append(small);
    }
    if (cell === now.last) box.classList.add("last");
    board.append(box);
  });
}
function go(to) {
  step = Math.min(Math.max(to, 0), games[game].steps.length - 1);
  show();
}
if (!games.length) {
  at("player").textContent = "No games were kept.";
} else {
  games.forEach((told, index) => at("which").append(new Option(told.title + " — " + told.players, index)));
  at("which").onchange = (event) => { game = Number(event.target.value); go(0); };
  at("start").onclick = () => go(0);
  at("back").onclick = () => go(step - 1);
  at("next").onclick = () => go(step + 1);
  at("end").onclick = () => go(Infinity);
  document.addEventListener("keydown", (event) => {
    if (event.target.tagName === "SELECT") return;
    if (event.key === "ArrowRight") go(step + 1);
    if (event.key === "ArrowLeft") go(step - 1);
  });
  show();
}
</script>
</body>
</html>
"""
