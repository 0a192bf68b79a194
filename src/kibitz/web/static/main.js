// Puts the page together: address, header, keys, and the view that is shown.

import { get, isCopy, showJob } from "./api.js";
import { App, store, stored, unpack } from "./app.js";
import { BoardView } from "./board.js";
import { designPanel } from "./design.js";
import { fill, h, renew } from "./dom.js";
import { showFiles } from "./files.js";
import { learnPanel } from "./learn.js";
import { playPanel } from "./play.js";
import { puzzlesPanel } from "./puzzles.js";
import { qrPicture } from "./qr.js";
import { reportPanel } from "./report.js";
import { rulesPanel } from "./rules.js";
import { seePanel } from "./see.js";
import { startPanel } from "./start.js";
import { strategyPanel } from "./strategy.js";

const PANELS = { learn: learnPanel, play: playPanel, see: seePanel, strategy: strategyPanel, puzzles: puzzlesPanel, rules: rulesPanel, report: reportPanel, design: designPanel };
const COPIED = { learn: 1, play: 1, see: 1, puzzles: 1 }; // what a copy without a server shows
const VIEWS = Object.keys(PANELS);
const by = (id) => document.getElementById(id);
const app = new App();
app.board = new BoardView(app, by("board"), by("caption"), by("choices"), by("status"));
app.terms = stored("terms", false); // moves as the rules write them, not in words
let chosen = 0; // how often the visitor has chosen a view
app.show = (view) => { chosen++; app.say(""); show(view); app.address(); };
let panel = {}; // what the view does when something happens; `leave` when another is shown

function show(view) {
  panel.leave?.();
  app.scene = null;
  app.view = view === "start" || view in PANELS ? view : "learn";
  app.shown = { view: app.view, game: app.game };
  document.body.classList.toggle("no-game", !app.info);
  app.extra = {};
  app.pending = {};
  app.board.mode = null;
  app.board.outlines = {};
  const spoils = app.view !== "puzzles" && app.view !== "learn";
  const changed = spoils !== app.spoils;
  app.spoils = spoils;
  if (app.view === "see" && !app.values && !app.seen) { app.seen = true; app.values = true; pressed(); app.try(() => app.refresh()); }
  else if (changed && app.pos) app.try(() => app.refresh());
  for (const link of document.querySelectorAll("nav a")) {
    if (link.dataset.view === app.view) link.setAttribute("aria-current", "page"); else link.removeAttribute("aria-current");
  }
  document.body.dataset.view = app.view;
  document.title = app.view === "start" || !app.info ? "Kibitz" : `${app.info.title} · Kibitz`;
  fill(by("panel"));
  if (app.view === "start") { panel = startPanel(by("panel"), app); return; }
  if (app.pos) app.board.draw();
  panel = app.info || app.view === "design" ? PANELS[app.view](by("panel"), app) ?? {} : {};
  app.board.update();
}
const isEmpty = () => !by("panel").firstChild;

function read() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const start = JSON.parse(document.body.dataset.start);
  const game = parts.get("game") || start;
  const text = parts.get("line") ?? "";
  const line = /^\d+(\.\d+)*$/.test(text) ? text.split(".").map(Number) : [];
  return { view: parts.get("view") ?? (game ? "learn" : "start"), game, line, parts };
}

// The browser reports a change of the address twice; it is followed once, and until there is another.
let followed = null;
async function follow() {
  const { hash } = location;
  if (followed?.hash === hash) return;
  const mine = followed = { hash };
  try { await goAlong(() => followed === mine); } finally { if (followed === mine) followed = null; }
}

async function goAlong(isLast) {
  app.say("");
  const { view, game, line, parts } = read();
  if (isCopy && (view === "start" || !(view in COPIED))) { app.show("learn"); return; }
  if (view === "design") {
    app.asked = { design: parts.get("design") };
    if (app.view !== "design" || isEmpty()) show("design");
    return;
  }
  if (view === "start" || !game) { if (app.view !== "start" || isEmpty()) show("start"); return; }
  const wasStart = app.view === "start", isOther = game !== app.game, before = chosen;
  if (parts.has("flip") !== app.flip) { app.flip = parts.has("flip"); pressed(); }
  app.asked = { step: parts.get("step"), queue: parts.get("queue"), role: parts.get("role"), puzzle: parts.get("puzzle"), set: parts.get("set") };
  if (isOther) {
    if (view in PANELS) app.view = view;
    app.spoils = app.view !== "puzzles" && app.view !== "learn";
    if (app.view === "see" && !app.seen) { app.seen = app.values = true; pressed(); }
    document.body.dataset.view = app.view;
    fill(by("status"), `Opening ${game.startsWith("~") ? parts.get("name") ?? "the game" : game} …`);
    const text = parts.get("rules") ? await unpack(parts.get("rules")) : null;
    const rules = text && { text, name: (parts.get("name") ?? "pasted").replace(/[^\w .:,+-]/g, "-").slice(0, 60) || "pasted" };
    const done = await app.try(() => app.open(game, line, rules));
    if (!done) { if (!app.info) { fill(by("status")); if (app.message) show("start"); } return; }
  } else if (line.join(".") !== app.wanted.join(".")) await app.try(() => app.goto(line, { quiet: true }));
  const strategy = parts.get("strategy") ? await unpack(parts.get("strategy")) : null;
  if (!isLast()) return;
  const isNew = strategy !== null && strategy !== app.strategy.text;
  if (isNew) app.strategy = { text: strategy, role: app.info.roles.includes(parts.get("role")) ? parts.get("role") : app.info.roles[0] };
  if (before === chosen && (view !== app.view || wasStart && !isOther || isNew || isEmpty())) show(view);
  else if (!isOther && view === app.view) panel.asked?.(app.asked); // Back and forward within a view
}

const toggle = (name) => { app[name] = !app[name]; pressed(); return app.refresh(); };
const DO = {
  first: () => app.goto([]), back: () => app.back(), forward: () => app.forward(), last: () => app.goto(app.whole),
  best: () => app.spoils && !app.hide ? app.best() : null,
  values: () => toggle("values"), hide: () => toggle("hide"),
  flip: async () => { await toggle("flip"); app.address(); },
  terms: () => { store("terms", !app.terms); return toggle("terms"); },
};
function pressed() {
  document.querySelector("[data-do=best]").disabled = app.hide;
  for (const name of ["values", "flip", "hide", "terms"]) document.querySelector(`[data-do=${name}]`).setAttribute("aria-pressed", String(app[name]));
}
pressed();
const run = (name) => app.pos && app.try(() => DO[name]());
for (const button of document.querySelectorAll("[data-do]")) button.addEventListener("click", () => run(button.dataset.do));

for (const link of document.querySelectorAll("nav a")) link.addEventListener("click", (event) => {
  event.preventDefault();
  if (app.info || link.dataset.view === "design") app.show(link.dataset.view);
});
document.querySelector(".skip").addEventListener("click", (event) => { event.preventDefault(); by("board").focus(); }); // the address is of the game
by("open").addEventListener("submit", (event) => {
  event.preventDefault();
  const game = by("game").value.trim();
  if (!game) return;
  if (app.view === "start") app.view = "learn";
  app.try(() => app.open(game));
});
by("share").addEventListener("click", () => {
  const code = qrPicture(location.href, "QR code of this link");
  const done = h("p", { role: "status" });
  const copy = async () => { try { await navigator.clipboard.writeText(location.href); done.textContent = "The link is copied."; } catch { done.textContent = "Copy the link from the box."; } };
  fill(by("files"), h("h2", {}, "A link to what is shown"), h("p", { class: "quiet" }, "It carries the game, the position, and what is shown beside it."),
    h("div", { class: "row" }, h("input", { value: location.href, readonly: true, "aria-label": "Link", class: "link", onfocus: (event) => event.target.select() }), h("button", { class: "main", onclick: copy }, "Copy")), done,
    code ?? h("p", { class: "quiet" }, "It is too long for a QR code."),
    ["localhost", "127.0.0.1"].includes(location.hostname) && h("p", { class: "quiet" }, "Other machines reach this page if Kibitz listens to them: kibitz web --host ADDRESS --read-only."),
    h("form", { method: "dialog" }, h("button", { autofocus: true }, "Close")));
  by("files").showModal();
});
by("save").addEventListener("click", () => { if (app.pos) showFiles(by("files"), app); });
by("help").addEventListener("click", () => by("keys").showModal());
by("theme").addEventListener("click", () => {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = document.documentElement.dataset.theme ?? (dark ? "dark" : "light");
  document.documentElement.dataset.theme = now === "dark" ? "light" : "dark";
  store("theme", document.documentElement.dataset.theme);
});
document.body.classList.toggle("copy", isCopy);
const theme = stored("theme", null);
if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  if (event.target.closest("input, textarea, select, [contenteditable]")) return;
  const keys = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last", f: "flip", l: "values", z: "hide", g: "terms" };
  if (event.key === "?") by("keys").showModal();
  else if (app.view === "start") return;
  else if (event.key === " " && !event.target.closest("button, a, summary")) run("best");
  else if (event.key in keys && !app.scene) run(keys[event.key]);
  else if (/^[1-8]$/.test(event.key) && app.info) app.show(VIEWS[event.key - 1]);
  else return;
  event.preventDefault();
});

for (const what of ["position", "solving", "analysis", "strategy", "moved", "pending", "players", "thinking"]) app.addEventListener(what, () => panel[what]?.());
app.addEventListener("game", () => { if (document.activeElement !== by("game")) by("game").value = app.info.name; show(app.view); app.address(); });
app.addEventListener("message", () => { by("message").textContent = app.message; by("message").hidden = !app.message; });
app.addEventListener("making", () => {
  const line = by("making"), { making, waiting } = app;
  line.hidden = !making && !waiting;
  if (making) {
    if (line.dataset.job !== making.id) line.report = showJob(line, making, app);
    line.dataset.job = making.id;
    line.report(`Opening ${making.game}: ${making.progress || "waiting"} …`);
  } else if (waiting) fill(line, h("span", {}, `${waiting.name} is ready.`), h("button", { class: "small", onclick: () => { app.waiting = null; line.hidden = true; if (app.view === "start") app.view = "learn"; app.try(() => app.take(waiting)); } }, "Open it"));
});
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
  if (job?.status === "failed") renew(line, h("details", {}, h("summary", {}, "Not solved"), `${job.error}.`));
  else renew(line, h("span", {}, "Solving was cancelled."), h("button", { class: "small", onclick: () => app.try(() => app.open(app.game, app.line)) }, "Begin again"));
});
addEventListener("hashchange", follow);
addEventListener("popstate", follow);
addEventListener("pagehide", () => app.stop());

get("/api/games").then((found) => fill(by("games"), found.games.flatMap((game) => game.examples.map((name) => h("option", { value: name }, game.summary))))).catch(() => {});
follow();
globalThis.kibitz = app;
