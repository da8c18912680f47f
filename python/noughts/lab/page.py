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
h1 { font-size: 1.6rem; overflow-wrap: anywhere; } h2 { font-size: 1.2rem; margin-top: 2rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { border-bottom: 1px solid var(--line); padding: .25rem .5rem; text-align: left; vertical-align: top; }
th { font-weight: 600; }
table { width: 100%; }
tbody tr > :first-child { font-weight: 600; overflow-wrap: anywhere; min-width: 6rem; }
img { max-width: 100%; background: #fff; border-radius: .4rem; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; }
summary { cursor: pointer; margin: .4rem 0; }
select, button { font: inherit; padding: .2rem .6rem; max-width: 100%; }
button { min-width: 2.75rem; min-height: 2.75rem; }
#board, #text { --room: min(100vw, 76rem) - 2rem; }
#board { --cell: min(3.4rem, calc((var(--room)) / var(--cols) - 2px));
  display: inline-grid; gap: 2px; margin: .8rem 0; }
#board div { width: var(--cell); height: var(--cell); display: grid; place-items: center; background: var(--soft);
  border-radius: .25rem; font-size: calc(var(--cell) * .47); font-weight: 700; position: relative; }
#board .last { outline: 2px solid currentColor; }
#board small { font-size: calc(var(--cell) * .24); font-weight: 400; }
#text { white-space: pre; font-size: min(1em, calc((var(--room)) / var(--chars) / .62)); }
#board .first { color: var(--x); } #board .second { color: var(--o); }
/* On a phone every row of a table is a list of its own, so that nothing has to be moved sideways. */
@media (max-width: 60rem) {
  thead { position: absolute; display: block; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  table, tbody, tr, td { display: block; }
  tr { border-bottom: 1px solid var(--line); padding: .4rem 0; }
  td { border: 0; padding: .1rem 0; display: flex; justify-content: space-between; gap: 1rem; text-align: right;
    overflow-wrap: anywhere; }
  td::before { content: attr(data-label); font-weight: 400; opacity: .75; text-align: left; flex: none; }
}
</style>
</head>
<body>
<h1>noughts: $TITLE</h1>
<h2>Where it ended</h2>
<p>Optimal is the share of positions in which the choice is a best one; points lost is what a choice costs on average
(½ from a win to a draw). A sample of positions says it for all positions only within the interval, with 95% certainty;
where all were looked at, it is exact. Scores are wins–draws–losses.</p>
$SUMMARY
<h2>How it learned</h2>
<picture>
<source media="(max-width: 40rem)" srcset="data:image/png;base64,$NARROW_CURVES">
<img alt="Learning curves; the table below has the same figures" src="data:image/png;base64,$CURVES">
</picture>
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
<p id="best"></p>
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
  at("names").textContent = told.players + " — " + told.result;
  at("note").textContent = now.note;
  at("count").textContent = step + " / " + (told.steps.length - 1);
  const board = at("board");
  board.replaceChildren();
  at("text").textContent = told.cols ? "" : now.text;
  at("text").style.setProperty("--chars", Math.max(...now.text.split("\\n").map((line) => line.length)));
  at("best").textContent = told.cols ? "" : now.best;
  if (!told.cols) return;
  board.style.setProperty("--cols", told.cols);
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
