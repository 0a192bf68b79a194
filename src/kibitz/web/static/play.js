// The view Play: who plays, the moves made, the lines that were tried, and after the match its review.

import { get, isCopy, of, post } from "./api.js";
import { store, stored } from "./app.js";
import { either, fill, h, renew, select } from "./dom.js";
import { timeline } from "./timeline.js";

// Only a solved game has a perfect player; in others it is a search that answers.
const kinds = (isSolved, setsTraps) => [
  ["person", "you"], ["perfect", isSolved ? "plays perfectly" : "searches for a second"], ["trap", "sets traps"], ["depth", "looks ahead"], ["strategy", "follows your rules"],
  ["knows", "knows your first rules"], ["level", "has a level"], ["random", "plays at random"],
].filter(([kind]) => (setsTraps || kind !== "trap") && (!isCopy || ["person", "perfect", "random"].includes(kind)));

export function playPanel(root, app) {
  const players = h("div");
  const played = h("ol", { class: "played", "aria-label": "Moves played" });
  const tree = h("div");
  const review = h("section", { class: "card", hidden: true, "aria-label": "Review" });
  const wait = h("button", { onclick: () => app.try(() => app.answer()) }, "Let it move");
  const turn = h("p", { class: "quiet turn" });
  const clock = h("p", { class: "clock row", role: "timer" });
  fill(root, h("div", {}, review,
    h("section", { class: "card" }, h("h2", {}, "Players"), players,
      h("div", { class: "row" },
        h("button", { class: "main", onclick: () => app.try(() => app.restart()) }, "New game"),
        h("button", { onclick: () => app.try(() => app.undo()) }, "Take back"),
        h("button", { onclick: () => app.try(() => app.redo()) }, "Redo"), app.info.roles.length > 1 && wait,
        select([[0, "no clock"], [1, "1 minute each"], [3, "3 minutes each"], [10, "10 minutes each"]], stored("clock", 0), (minutes) => { store("clock", Number(minutes)); wind(); }, { "aria-label": "Clock" })), clock, turn),
    h("section", { class: "card" }, h("h2", {}, "Moves"), played),
    h("details", { class: "card" }, h("summary", {}, "Lines tried"), tree)));

  // How a level was rated, once that is loaded; random play has 0.
  let levels = null;
  const ratingOf = (level) => {
    if (levels) return `rated ${levels.find((one) => one.level === Number(level))?.rated ?? "on no game"}; random play has 0`;
    app.try(async () => { levels = (await get("/api/levels")).levels; showPlayers(); });
    return "";
  };

  const showPlayers = () => renew(players, app.info.roles.map((role) => {
    const player = app.players[role];
    const set = (change) => { app.setPlayer(role, { ...app.players[role], ...change }); showPlayers(); };
    const id = `player-${role}`;
    const number = (name, text, most, value) => h("label", {}, `${text} `, h("input", { type: "number", min: "1", max: String(most), value: String(value), style: "width:4rem", onchange: (e) => set({ [name]: e.target.value }) }));
    return h("div", { class: "field" }, h("label", { for: id }, app.called(role)),
      h("div", { class: "row" }, select(kinds(Boolean(app.solution), app.solution?.kind === "exact" && app.info.roles.length > 1), player.kind, (kind) => set({ kind }), { id }),
        player.kind === "depth" && number("depth", "rounds", 12, player.depth),
        player.kind === "knows" && number("rules", "rules", 99, player.rules),
        player.kind === "level" && number("level", "1 to 8", 8, player.level ?? 5)),
      player.kind === "level" && h("p", { class: "quiet" }, ratingOf(player.level ?? 5)));
  }));

  // Clocks are for oneself: one who is out of time is named, and play goes on.
  let left = {}, running = null, since = 0;
  const wind = () => { left = Object.fromEntries(app.info.roles.map((role) => [role, stored("clock", 0) * 60_000])); running = null; tick(); };
  const tick = () => {
    const now = performance.now();
    if (running && left[running]) left[running] = Math.max(0, left[running] - (now - since));
    since = now;
    clock.hidden = !stored("clock", 0);
    const shown = (role) => { const s = Math.ceil(left[role] / 1000); return left[role] ? `${app.called(role)} ${Math.floor(s / 60)}:${String(s % 60).padStart(2, "0")}` : `${app.called(role)} is out of time`; };
    const texts = app.info.roles.map(shown);
    if (!clock.hidden && texts.join() !== clock.dataset.shown) renew(clock, app.info.roles.map((role, i) => h("span", { class: role === running ? "on" : "" }, texts[i])));
    clock.dataset.shown = texts.join();
  };
  const press = () => { // after each move the other's clock runs
    if (!app.line.length) wind();
    tick();
    running = app.pos.is_over || !app.line.length ? null : app.pos.chooses[0] ?? null;
  };
  const ticking = setInterval(tick, 250);

  let wasSolved = Boolean(app.solution);
  const update = () => {
    if (wasSolved !== Boolean(app.solution)) { wasSolved = !wasSolved; showPlayers(); }
    const whole = app.whole;
    const texts = [];
    let node = app.tree;
    for (const number of whole) { node = node.children.get(number); texts.push(app.name(node)); }
    renew(played, texts.map((text, i) => h("li", {}, h("button", {
      "aria-current": i + 1 === app.line.length ? "step" : null,
      onclick: () => app.try(() => app.goto(whole.slice(0, i + 1))),
    }, `${i + 1}. ${text}`))), !texts.length && h("li", { class: "quiet" }, app.info.roles.length > 1 ? "Make a move on the board, or let the other side begin." : "Make a move to begin."));
    renew(tree, branch(app.tree, []));
    waits();
    press();
    if (app.pos.is_terminal && app.solution && !app.hide) app.try(look);
    else if (!(reviewed && whole.join(".").startsWith(reviewed))) { review.hidden = true; reviewed = ""; }
  };
  // Where a player who is no person has the move, and is not at it, it waits to be asked.
  const waits = () => {
    const { pos } = app;
    const others = pos.is_over || app.thinking ? [] : pos.chooses.filter((role) => app.players[role]?.kind !== "person");
    wait.className = others.length ? "main" : "";
    turn.textContent = others.length && !app.isPersons(pos.chooses) ? `It is ${others.map((role) => app.called(role)).join(" and ")}'s turn: let it move, or step on with →.` : "";
  };
  const branch = (node, line) => node.children.size && line.length < 200 && h("ul", { class: "tree" }, [...node.children].map(([number, child]) => {
    // A stretch without a fork is one entry.
    const here = [...line, number];
    let texts = [app.name(child)], last = child, path = here;
    while (last.children.size === 1) { const [[n, next]] = last.children; path = [...path, n]; texts.push(app.name(next)); last = next; }
    return h("li", {}, h("button", { class: "small plain", onclick: () => app.try(() => app.goto(path)) }, texts.join(" · ")), branch(last, path));
  }));

  // The review: each move that gave value away, what it gave, which rule would have saved it.
  let reviewed = "";
  async function look() {
    const { line: whole, lineText: line } = app;
    if (reviewed === line) return;
    reviewed = line;
    const found = await post(of(app.game, "/review"), { line, text: app.strategy.text, role: app.strategy.role });
    if (reviewed !== line) return;
    const chart = h("div");
    fill(review, h("h2", {}, "Review"),
      h("p", {}, found.mistakes.length ? found.text : h("strong", { class: "win" }, found.text)),
      chart,
      found.mistakes.map((one) => h("div", { class: "mistake" },
        h("p", {}, h("strong", {}, `Move ${one.ply}, ${app.called(one.role)}: `), app.terms ? one.move : one.words, ". ", one.verdict),
        one.rule && h("p", {}, one.is_own ? "Your rule for this: " : "The rule that would have saved it: ", h("em", {}, one.rule)),
        one.best_words.length > 0 && h("p", { class: "quiet" }, `${one.best_words.length > 1 ? "Right moves were" : "The right move was"}: ${either((app.terms ? one.best_moves : one.best_words).slice(0, 3))}.`),
        h("div", { class: "row" },
          h("button", { class: "small", onclick: () => again(whole.slice(0, one.ply - 1), one.role) }, "Try again from here"),
          h("button", { class: "small plain", onclick: () => app.try(async () => { await app.goto(whole.slice(0, one.ply - 1)); app.show("see"); }) }, "Look at it in See")))));
    review.hidden = false;
    await timeline(chart, app, new Set(found.mistakes.map((one) => one.ply)));
    chart.querySelector("h2")?.remove();
  }
  const again = (line, role) => app.try(async () => {
    if (app.players[role].kind !== "person") app.setPlayer(role, { ...app.players[role], kind: "person" });
    showPlayers();
    review.hidden = true;
    reviewed = "";
    await app.goto(line);
  });

  showPlayers();
  wind();
  update();
  return { leave: () => clearInterval(ticking), position: update, thinking: waits, players: waits, solving: update };
}
