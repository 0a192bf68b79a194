// The view See: every move by what it is worth, the value through the game, and why not.

import { get, of, post } from "./api.js";
import { fill, h, svg } from "./dom.js";

const TITLES = { win: "Winning", draw: "Drawn", loss: "Losing" };

export function seePanel(root, app) {
  const moves = h("div");
  const why = h("section", { class: "card", hidden: true, "aria-live": "polite" });
  const chart = h("section", { class: "card" });
  fill(root, h("section", { class: "card" }, moves), why, chart);
  let shown = null;

  const update = () => {
    const { pos } = app;
    if (shown && shown !== app.lineText && !shown.split(" ")[1]?.startsWith(app.lineText)) why.hidden = true;
    if (app.hide) { fill(moves, h("p", { class: "quiet" }, "Hidden for practice. Press z to see values.")); fill(chart); chart.hidden = true; return; }
    chart.hidden = false;
    const known = pos.moves.filter((move) => move.worth);
    if (!known.length) {
      fill(moves, h("p", { class: "quiet" }, pos.is_terminal ? "Play has ended here." : app.solving?.status === "failed" ? `No values: ${app.solving.error}. It can be played all the same.` : "Values come as soon as the game is solved."));
    } else {
      const mover = known[0].role;
      const counts = new Map();
      for (const move of known) counts.set(move.group, (counts.get(move.group) ?? 0) + 1);
      fill(moves, h("h2", {}, `Moves of ${mover}`), ["win", "draw", "loss"].map((outcome) => {
        const group = known.filter((move) => move.worth.outcome === outcome).sort((a, b) => b.worth.goal - a.worth.goal || (outcome === "win" ? 1 : -1) * ((a.worth.plies ?? 0) - (b.worth.plies ?? 0)) || a.group - b.group);
        if (!group.length) return null;
        return h("div", { class: outcome }, h("h3", {}, h("span", { class: "worth" }, `${group[0].worth.sign} `), `${TITLES[outcome]}: ${group.length}`),
          h("ul", { class: "moves" }, group.map((move) => h("li", {},
            h("button", { class: "make", onclick: () => app.try(() => app.move(move.role, move.number)), "aria-label": `${move.text}, ${move.worth.label}, ${told(move.worth)}` },
              h("span", { class: "worth" }, move.worth.label), h("span", { class: "mono" }, move.text),
              counts.get(move.group) > 1 && h("span", { class: "twin", title: "moves with the same letter mirror one another" }, letter(move.group))),
            h("button", { class: "why", onclick: () => explain(move), "aria-label": `Why ${move.text}?` }, "why?")))));
      }));
    }
    timeline();
  };

  const explain = (move) => app.try(async () => {
    const line = app.line;
    const number = app.number({ [move.role]: move.number });
    const found = await get(of(app.game, "/why"), { line: line.join("."), move: number });
    shown = `${line.join(".")} ${found.refutation}`;
    const whole = found.refutation.split(".").map(Number);
    const rule = h("p");
    fill(why, h("h2", {}, `${found.is_best ? "Why" : "Why not"} ${found.move}?`),
      h("p", {}, h("span", { class: found.worth.outcome }, h("span", { class: "worth" }, found.worth.label)), " ", found.verdict),
      h("p", {}, found.is_best ? "So it goes on: " : "Refuted by: ", found.refutation_moves.map((text, i) => [i ? " " : "", h("button", { class: "small mono", onclick: () => app.try(() => app.goto(whole.slice(0, line.length + i + 1))) }, text)]).flat()),
      !found.is_best && h("p", {}, "Right would be ", h("span", { class: "mono" }, found.best_moves.join(" or ")), ` (${found.best.label}).`),
      rule,
      h("div", { class: "row" }, h("button", { onclick: () => play(whole, line.length) }, "Play it out"), h("button", { onclick: () => app.try(() => app.goto(line)) }, "Back to the position")));
    why.hidden = false;
    why.scrollIntoView({ block: "nearest" });
    if (app.strategy.text && app.strategy.role === found.role) {
      const beside = await post(of(app.game, "/strategy"), { text: app.strategy.text, role: found.role, line: line.join(".") });
      const fires = beside.rules.find((one) => one.fires);
      if (fires) fill(rule, `Rule ${fires.number} of your strategy says: `, h("code", {}, fires.text));
    }
  });

  const play = async (whole, from) => {
    for (let n = from + 1; n <= whole.length; n++) {
      await app.try(() => app.goto(whole.slice(0, n)));
      if (n < whole.length) await new Promise((go) => setTimeout(go, 700));
    }
  };

  const timeline = () => app.try(async () => {
    if (!app.pos.worth || !Object.keys(app.pos.worth).length) { fill(chart); chart.hidden = true; return; }
    const whole = app.whole;
    const found = await get(of(app.game, "/timeline"), { line: whole.join(".") });
    const role = found.moments.length ? app.info.roles[0] : "";
    const wide = Math.max(240, 34 * found.moments.length + 40);
    const y = (goal) => 20 + (100 - goal) * 0.7;
    const x = (ply) => 40 + ply * 34;
    const drawing = svg("svg", { class: "timeline", viewBox: `0 0 ${wide} 118`, preserveAspectRatio: "xMinYMid meet", role: "group", "aria-label": `Value for ${role} through the game` });
    for (const goal of [0, 50, 100]) drawing.append(svg("line", { x1: 34, x2: wide, y1: y(goal), y2: y(goal), stroke: "var(--line)" }), svg("text", { x: 4, y: y(goal) + 4 }, String(goal)));
    drawing.append(svg("polyline", { fill: "none", stroke: "var(--soft)", "stroke-width": 2, points: found.moments.map((m) => `${x(m.ply)},${y(m.worth[role].goal)}`).join(" ") }));
    for (const moment of found.moments) {
      const worth = moment.worth[role];
      const mark = svg("g", { class: "dot", tabindex: 0, role: "button", "aria-label": `after ${moment.ply} moves${moment.played ? `, ${moment.played}` : ""}: ${worth.label} for ${role}`, onclick: () => app.try(() => app.goto(whole.slice(0, moment.ply))) },
        svg("circle", { cx: x(moment.ply), cy: y(worth.goal), r: moment.ply === app.line.length ? 9 : 6, fill: `var(--${worth.outcome})`, stroke: "var(--paper)", "stroke-width": 2 }),
        svg("text", { x: x(moment.ply), y: 112, "text-anchor": "middle" }, worth.label));
      drawing.append(mark);
    }
    fill(chart, h("h2", {}, `Value for ${role}`), drawing);
  });

  update();
  return { position: update, solving: update };
}

const letter = (group) => String.fromCharCode(97 + (group % 26)) + (group >= 26 ? Math.floor(group / 26) : "");
const told = (worth) => ({ win: `wins${worth.plies === null ? "" : ` in ${worth.plies} plies`}`, draw: "draws", loss: `loses${worth.plies === null ? "" : ` in ${worth.plies} plies`}` })[worth.outcome];
