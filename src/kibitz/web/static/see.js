// The view See: every move by its value, the value through the game, and why not.

import { get, of, post } from "./api.js";
import { fill, h } from "./dom.js";
import { timeline } from "./timeline.js";

const TITLES = {
  exact: { win: "Winning", draw: "Drawn", loss: "Losing" },
  estimate: { win: "Seems better", draw: "Seems even", loss: "Seems worse" },
};

// Only 50 each at an end is a draw.
const titled = (kind, outcome, known) => (kind === "exact" && known.some((move) => move.worth.label === "=") ? { ...TITLES.exact, draw: "Even" } : TITLES[kind])[outcome];

export function seePanel(root, app) {
  const moves = h("div");
  const why = h("section", { class: "card", hidden: true, "aria-live": "polite" });
  const chart = h("section", { class: "card", hidden: true });
  fill(root, h("section", { class: "card" }, moves), why, chart);
  let shown = null;

  const update = () => {
    const { pos } = app;
    if (shown && shown !== app.lineText && !shown.split(" ")[1]?.startsWith(app.lineText)) why.hidden = true;
    if (app.hide) { fill(moves, h("p", { class: "quiet" }, "Hidden for practice. Press z to see values.")); chart.hidden = true; return; }
    const known = pos.moves.filter((move) => move.worth);
    if (!known.length) fill(moves, h("p", { class: "quiet" }, silence()));
    else fill(moves, note(known[0].worth), pos.roles.filter((role) => known.some((move) => move.role === role)).map((role) => list(role, known.filter((move) => move.role === role))));
    timeline(chart, app);
  };

  const silence = () => {
    if (app.pos.is_terminal) return "Play has ended here.";
    if (app.pos.is_over) return "Play is stuck here, so it has no value.";
    if (app.solving?.status === "failed") return `Not solved: ${app.solving.error}. Searching for estimates …`;
    return app.solving?.status === "cancelled" ? "Solving was cancelled; begin it again to see values." : "Values come as soon as the game is solved.";
  };

  const note = (worth) => {
    const roles = app.pos.roles.join(" / ");
    const text = {
      estimate: `Not solved: ${app.solving?.error ?? "the budget ends"}. What you see are estimates of a short search, from 0 to 100; a move with a letter is proved.`,
      maxn: `Goals under best play for ${roles}, each role caring for its own.`,
      mixed: "Roles choose at once, so best play mixes its moves: what each brings on average, and how often it is played.",
    }[app.pos.moves.some((move) => move.worth?.kind === "estimate") ? "estimate" : worth.kind];
    return text && h("p", { class: "quiet" }, text);
  };

  // The moves of one role, in groups from best to worst.
  const list = (role, known) => {
    const counts = new Map();
    for (const move of known) counts.set(move.group, (counts.get(move.group) ?? 0) + 1);
    const kind = known.some((move) => move.worth.kind === "estimate") ? "estimate" : known[0].worth.kind;
    const sorted = [...known].sort((a, b) => rank(a.worth, b.worth) || a.group - b.group);
    const best = sorted[0].worth.goal;
    const groups = kind === "mixed" && known.some((move) => move.worth.share !== null)
      ? [["win", "Played", sorted.filter((move) => move.worth.share > 0)], ["loss", "Never played", sorted.filter((move) => !move.worth.share)]]
      : kind === "maxn" || kind === "mixed"
        ? [["win", "Best", sorted.filter((move) => move.worth.goal === best)], ["loss", "Others", sorted.filter((move) => move.worth.goal !== best)]]
        : ["win", "draw", "loss"].map((outcome) => [outcome, titled(kind, outcome, known), sorted.filter((move) => move.worth.outcome === outcome), known.find((move) => move.worth.outcome === outcome)?.worth.sign]);
    return h("div", {}, h("h2", {}, `Moves of ${role}`), groups.filter(([, , group]) => group.length).map(([tone, title, group, sign]) =>
      h("div", { class: tone }, h("h3", {}, h("span", { class: "worth" }, sign ? `${sign} ` : ""), `${title}: ${group.length}`),
        h("ul", { class: "moves" }, group.map((move) => h("li", {},
          h("button", { class: "make", onclick: () => app.try(() => app.move(move.role, move.number)), "aria-label": `${move.text}, ${describe(move.worth)}` },
            h("span", { class: "worth" }, move.worth.label), h("span", { class: "mono" }, move.text), beside(move, counts)),
          move.worth.kind !== "estimate" && app.solution && h("button", { class: "why", onclick: () => explain(move), "aria-label": `Why ${move.text}?` }, "why?")))))));
  };

  const beside = ({ worth, group }, counts) => {
    if (worth.share !== null) return h("span", { class: "twin" }, `${Math.round(100 * worth.share)} %`);
    if (worth.kind === "maxn") return h("span", { class: "twin" }, app.pos.roles.map((role) => span(worth.goals[role])).join(" / "));
    return counts.get(group) > 1 && h("span", { class: "twin", title: "moves with the same letter mirror one another" }, letter(group));
  };

  const explain = (move) => app.try(async () => {
    const line = app.line;
    const number = app.number({ [move.role]: move.number });
    const found = await get(of(app.game, "/why"), { line: line.join("."), move: number, role: move.role });
    shown = `${line.join(".")} ${found.refutation}`;
    const whole = found.refutation.split(".").map(Number);
    const rule = h("p");
    fill(why, h("h2", {}, `${found.is_best ? "Why" : "Why not"} ${found.move}?`),
      h("p", {}, h("span", { class: found.worth.outcome }, h("span", { class: "worth" }, found.worth.label)), " ", found.verdict),
      h("p", { class: "row" }, h("span", { class: "quiet" }, found.is_best ? "So it goes on:" : "Refuted by:"), found.refutation_moves.map((text, i) => h("button", { class: "small mono", onclick: () => app.try(() => app.goto(whole.slice(0, line.length + i + 1))) }, text))),
      !found.is_best && h("p", {}, "Better: ", h("span", { class: "mono" }, found.best_moves.join(" or ")), ` (${found.best.label}).`),
      rule,
      h("div", { class: "row" }, h("button", { onclick: () => play(whole, line.length) }, "Play it out"), h("button", { onclick: () => app.try(() => app.goto(line)) }, "Back to the position")));
    why.hidden = false;
    why.scrollIntoView({ block: "nearest" });
    await advise(rule, found, line);
  });

  // The rule that would have been right: from the visitor's strategy if it has one for this, else a new one.
  const advise = async (place, { role, worth, is_best }, line) => {
    const here = { role, line: line.join(".") };
    if (app.strategy.text && app.strategy.role === role) {
      const beside = await post(of(app.game, "/strategy"), { text: app.strategy.text, ...here });
      const fires = beside.rules.find((one) => one.fires);
      if (fires) { fill(place, `Rule ${fires.number} of your strategy says: `, h("strong", {}, fires.words || fires.text)); return; }
    }
    if (is_best || worth.kind !== "exact") return;
    const found = await post(of(app.game, "/strategy/suggest"), here);
    fill(place, "A rule for this: ", h("strong", {}, found.words || found.text), ` (${found.told})`);
  };

  const play = async (whole, from) => {
    for (let n = from + 1; n <= whole.length; n++) {
      await app.try(() => app.goto(whole.slice(0, n)));
      if (n < whole.length) await new Promise((go) => setTimeout(go, 700));
    }
  };

  update();
  return { position: update, solving: update };
}

const rank = (a, b) => b.goal - a.goal || (a.outcome === "win" ? 1 : -1) * ((a.plies ?? 0) - (b.plies ?? 0));
const span = ([low, high]) => (low === high ? String(low) : `${low}–${high}`);
const letter = (group) => String.fromCharCode(97 + (group % 26)) + (group >= 26 ? Math.floor(group / 26) : "");
const describe = (worth) => (worth.kind === "exact" ? `${worth.label}, ${worth.text}` : worth.text);
