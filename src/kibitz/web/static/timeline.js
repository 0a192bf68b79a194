// The value through the game: one line for the first role, or for each where they are not opposed.

import { get, of } from "./api.js";
import { h, renew, svg } from "./dom.js";

const TONES = ["var(--kb-blue)", "var(--kb-red)", "var(--kb-green)", "var(--kb-purple)", "var(--kb-orange)", "var(--kb-sky)"];

export function timeline(chart, app, mistakes = new Set()) {
  return app.try(async () => {
    if (!Object.keys(app.pos.worth).length) { chart.hidden = true; return; }
    const whole = app.whole, turn = chart.turn = (chart.turn ?? 0) + 1;
    const found = await get(of(app.game, "/timeline"), { line: whole.join(".") });
    if (app.hide || chart.turn !== turn) return; // a later one was asked for
    const first = app.info.roles[0];
    const several = found.moments[0].worth[first].kind !== "exact";
    const roles = several ? app.info.roles.slice(0, TONES.length) : [first];
    const longest = Math.max(...found.moments.map((moment) => moment.worth[roles[0]].label.length));
    const step = Math.max(34, 7 * longest + 6); // so that no label runs into the next
    const wide = Math.max(240, step * found.moments.length + 40);
    const y = (goal) => 20 + (100 - goal) * 0.7;
    const x = (ply) => 40 + ply * step;
    const drawing = svg("svg", { class: "timeline kb", viewBox: `0 0 ${wide} 118`, preserveAspectRatio: "xMinYMid meet", role: "group", "aria-label": `Value for ${roles.map((role) => app.called(role)).join(", ")} through the game` });
    for (const goal of [0, 50, 100]) drawing.append(svg("line", { x1: 34, x2: wide, y1: y(goal), y2: y(goal), stroke: "var(--line)" }), svg("text", { x: 4, y: y(goal) + 4 }, String(goal)));
    roles.forEach((role, i) => {
      const tone = several ? TONES[i] : "var(--soft)";
      drawing.append(svg("polyline", { fill: "none", stroke: tone, "stroke-width": 2, "stroke-dasharray": several && i ? `${2 + 3 * i} 3` : "none", points: found.moments.map((m) => `${x(m.ply)},${y(m.worth[role].goal)}`).join(" ") }));
    });
    for (const moment of found.moments) {
      const worths = roles.map((role) => moment.worth[role]);
      const played = app.name(app.node(whole.slice(0, moment.ply)) ?? { text: "" });
      const label = roles.map((role, i) => `${worths[i].label} for ${app.called(role)}`).join(", ");
      drawing.append(svg("g", { class: "dot", tabindex: 0, role: "button", "aria-label": `after ${moment.ply} moves${played ? `, ${played}` : ""}: ${label}${mistakes.has(moment.ply) ? ", a mistake" : ""}`, onclick: () => app.try(() => app.goto(whole.slice(0, moment.ply))), onkeydown: (event) => { if (event.key === "Enter") app.try(() => app.goto(whole.slice(0, moment.ply))); } },
        ...worths.map((worth, i) => svg("circle", { cx: x(moment.ply), cy: y(worth.goal), r: moment.ply === app.line.length ? 9 - 2 * i : Math.max(3, 6 - i), fill: several ? TONES[i] : `var(--${worth.outcome})`, stroke: "var(--paper)", "stroke-width": 2 })),
        ...(mistakes.has(moment.ply) ? [svg("circle", { class: "slip", cx: x(moment.ply), cy: y(worths[0].goal), r: 11 })] : []),
        svg("text", { x: x(moment.ply), y: 112, "text-anchor": "middle" }, worths[0].label)));
    }
    renew(chart, h("h2", {}, several || app.info.roles.length === 1 ? "Value through the game" : `Value for ${app.called(first)}`), drawing,
      several && h("p", { class: "row quiet kb" }, roles.map((role, i) => h("span", {}, h("span", { class: "key", style: `background:${TONES[i]}` }), ` ${app.called(role)}`))));
    chart.hidden = false;
  });
}
