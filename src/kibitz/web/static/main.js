// Puts the page together: address, header, keys, and the view that is shown.

import { get, showJob } from "./api.js";
import { App, store, stored } from "./app.js";
import { BoardView } from "./board.js";
import { fill, h } from "./dom.js";
import { showFiles } from "./files.js";
import { playPanel } from "./play.js";
import { puzzlesPanel } from "./puzzles.js";
import { rulesPanel } from "./rules.js";
import { seePanel } from "./see.js";
import { strategyPanel } from "./strategy.js";

const PANELS = { play: playPanel, see: seePanel, strategy: strategyPanel, puzzles: puzzlesPanel, rules: rulesPanel };
const by = (id) => document.getElementById(id);
const app = new App();
app.board = new BoardView(app, by("board"), by("caption"), by("choices"), by("status"));
let panel = {};

function show(view) {
  panel.leave?.();
  app.view = view in PANELS ? view : "play";
  app.board.mode = null;
  app.board.outlines = {};
  const spoils = app.view !== "puzzles";
  const changed = spoils !== app.spoils;
  app.spoils = spoils;
  if (app.view === "see" && !app.values && !app.seen) { app.seen = true; app.values = true; pressed(); app.try(() => app.refresh()); }
  else if (changed && app.pos) app.try(() => app.refresh());
  for (const link of document.querySelectorAll("nav a")) {
    if (link.dataset.view === app.view) link.setAttribute("aria-current", "page"); else link.removeAttribute("aria-current");
  }
  document.body.dataset.view = app.view;
  fill(by("panel"));
  panel = app.info ? PANELS[app.view](by("panel"), app) ?? {} : {};
  app.board.update();
}

function read() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const start = JSON.parse(document.body.dataset.start);
  const text = parts.get("line") ?? "";
  const line = /^\d+(\.\d+)*$/.test(text) ? text.split(".").map(Number) : [];
  return { view: parts.get("view") ?? "play", game: parts.get("game") || start, line };
}

async function follow() {
  const { view, game, line } = read();
  if (game !== app.game) {
    if (view in PANELS) app.view = view;
    app.spoils = app.view !== "puzzles";
    if (app.view === "see" && !app.seen) { app.seen = app.values = true; pressed(); }
    fill(by("status"), `Opening ${game} …`);
    const done = await app.try(async () => { await app.open(game, line); return true; });
    if (!done) { if (!app.info) fill(by("status")); return; }
  } else if (line.join(".") !== app.lineText) await app.try(() => app.goto(line, { quiet: true }));
  if (view !== app.view || !by("panel").firstChild) show(view);
}

const DO = {
  first: () => app.goto([]), back: () => app.back(), forward: () => app.forward(), last: () => app.goto(app.whole),
  best: () => app.spoils && !app.hide ? app.best() : null,
  values: () => { app.values = !app.values; pressed(); return app.refresh(); },
  flip: () => { app.flip = !app.flip; pressed(); return app.refresh(); },
  hide: () => { app.hide = !app.hide; pressed(); return app.refresh(); },
};
function pressed() {
  document.querySelector("[data-do=best]").disabled = app.hide;
  for (const name of ["values", "flip", "hide"]) document.querySelector(`[data-do=${name}]`).setAttribute("aria-pressed", String(app[name]));
}
const run = (name) => app.try(() => DO[name]());
for (const button of document.querySelectorAll("[data-do]")) button.addEventListener("click", () => run(button.dataset.do));

for (const link of document.querySelectorAll("nav a")) link.addEventListener("click", (event) => {
  event.preventDefault();
  show(link.dataset.view);
  app.address();
});
by("open").addEventListener("submit", (event) => {
  event.preventDefault();
  const game = by("game").value.trim();
  if (game) app.try(async () => { await app.open(game); });
});
by("save").addEventListener("click", () => { if (app.pos) showFiles(by("files"), app); });
by("help").addEventListener("click", () => by("keys").showModal());
by("theme").addEventListener("click", () => {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = document.documentElement.dataset.theme ?? (dark ? "dark" : "light");
  document.documentElement.dataset.theme = now === "dark" ? "light" : "dark";
  store("theme", document.documentElement.dataset.theme);
});
const theme = stored("theme", null);
if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  if (event.target.closest("input, textarea, select, [contenteditable]")) return;
  const views = Object.keys(PANELS);
  const keys = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last", f: "flip", l: "values", z: "hide" };
  if (event.key === "?") by("keys").showModal();
  else if (event.key === " " && !event.target.closest("button, a, summary")) run("best");
  else if (event.key in keys) run(keys[event.key]);
  else if (/^[1-5]$/.test(event.key)) { show(views[event.key - 1]); app.address(); }
  else return;
  event.preventDefault();
});

for (const what of ["position", "solving", "analysis", "strategy", "moved", "pending", "players"]) app.addEventListener(what, () => panel[what]?.());
app.addEventListener("game", () => { document.title = `${app.info.name} · Kibitz`; by("game").value = app.info.name; show(app.view); });
app.addEventListener("message", () => { by("message").textContent = app.message; by("message").hidden = !app.message; });
app.addEventListener("position", () => { if (app.message) app.say(""); });
let shown = null; // the id of the job that solves the game, and the function that shows it
app.addEventListener("solving", () => {
  const job = app.solving;
  const line = by("solving");
  if (job && (job.status === "running" || job.status === "waiting")) {
    if (shown?.id !== job.id) shown = { id: job.id, report: showJob(line, job, app) };
    shown.report(`Solving: ${job.progress || "waiting"}`);
    return;
  }
  shown = null;
  line.hidden = job?.status !== "failed" && job?.status !== "cancelled";
  if (job?.status === "failed") fill(line, h("span", {}, `Not solved: ${job.error}.`));
  else fill(line, h("span", {}, "Solving was cancelled."), h("button", { class: "small", onclick: () => app.try(() => app.open(app.game, app.line)) }, "Begin again"));
});
addEventListener("hashchange", follow);
addEventListener("popstate", follow);
addEventListener("pagehide", () => app.stop());

get("/api/games").then((found) => fill(by("games"), found.games.flatMap((game) => game.examples.map((name) => h("option", { value: name }, game.summary))))).catch(() => {});
follow();
globalThis.kibitz = app;
