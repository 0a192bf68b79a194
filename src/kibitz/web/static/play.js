// The view Play: who plays, the moves made, and the lines that were tried.

import { get } from "./api.js";
import { fill, h, select } from "./dom.js";

// Only a solved game has a perfect player; in others it is a search that answers.
const kinds = (isSolved) => [
  ["person", "a person"], ["perfect", isSolved ? "perfect" : "searches"], ["depth", "looks ahead"], ["strategy", "my strategy"],
  ["knows", "knows n rules"], ["level", "a level"], ["random", "random"],
];

export function playPanel(root, app) {
  const players = h("div");
  const played = h("ol", { class: "played", "aria-label": "Moves played" });
  const tree = h("div");
  fill(root,
    h("section", { class: "card" }, h("h2", {}, "Players"), players,
      h("div", { class: "row" },
        h("button", { class: "main", onclick: () => app.try(() => app.restart()) }, "New game"),
        h("button", { onclick: () => app.try(() => app.undo()) }, "Take back"),
        h("button", { onclick: () => app.try(() => app.forward()) }, "Redo"),
        h("button", { onclick: () => app.try(() => app.answer()) }, "Let it move"))),
    h("section", { class: "card" }, h("h2", {}, "Moves"), played),
    h("details", { class: "card" }, h("summary", {}, "Lines tried"), tree));

  // How a level was rated, once that is loaded; random play has 0.
  let levels = null;
  const ratingOf = (level) => {
    if (levels) return `rated ${levels.find((one) => one.level === Number(level))?.rated ?? "on no game"}; random play has 0`;
    app.try(async () => { levels = (await get("/api/levels")).levels; showPlayers(); });
    return "";
  };

  const showPlayers = () => fill(players, app.info.roles.map((role) => {
    const player = app.players[role];
    const set = (change) => { app.setPlayer(role, { ...player, ...change }); showPlayers(); };
    const id = `player-${role}`;
    return h("div", { class: "field" }, h("label", { for: id }, role),
      h("div", { class: "row" }, select(kinds(Boolean(app.solution)), player.kind, (kind) => set({ kind }), { id }),
        player.kind === "depth" && h("label", {}, "rounds ", h("input", { type: "number", min: "1", max: "12", value: String(player.depth), style: "width:4rem", onchange: (e) => set({ depth: e.target.value }) })),
        player.kind === "knows" && h("label", {}, "rules ", h("input", { type: "number", min: "1", max: "99", value: String(player.rules), style: "width:4rem", onchange: (e) => set({ rules: e.target.value }) })),
        player.kind === "level" && h("label", {}, "1 to 8 ", h("input", { type: "number", min: "1", max: "8", value: String(player.level ?? 5), style: "width:4rem", onchange: (e) => set({ level: e.target.value }) }))),
      player.kind === "level" && h("p", { class: "quiet" }, ratingOf(player.level ?? 5)));
  }));

  let wasSolved = Boolean(app.solution);
  const update = () => {
    if (wasSolved !== Boolean(app.solution)) { wasSolved = !wasSolved; showPlayers(); }
    const whole = app.whole;
    const texts = [];
    let node = app.tree;
    for (const number of whole) { node = node.children.get(number); texts.push(node.text); }
    fill(played, texts.map((text, i) => h("li", {}, h("button", {
      class: "mono", "aria-current": i + 1 === app.line.length ? "step" : null,
      onclick: () => app.try(() => app.goto(whole.slice(0, i + 1))),
    }, `${i + 1}. ${text}`))), !texts.length && h("li", { class: "quiet" }, "Click a cell to begin, or let the other side move."));
    fill(tree, branch(app.tree, []));
  };
  const branch = (node, line) => node.children.size && line.length < 200 && h("ul", { class: "tree" }, [...node.children].map(([number, child]) => {
    // A stretch without a fork is one entry.
    const here = [...line, number];
    let texts = [child.text], last = child, path = here;
    while (last.children.size === 1) { const [[n, next]] = last.children; path = [...path, n]; texts.push(next.text); last = next; }
    return h("li", {}, h("button", { class: "small plain mono", onclick: () => app.try(() => app.goto(path)) }, texts.join(" ")), branch(last, path));
  }));
  showPlayers();
  update();
  return { position: update, game: showPlayers };
}
