// The view See: every move by its value, the value through the game, and why not.

import { ApiError, get, of, post } from "./api.js";
import { numbers } from "./app.js";
import { either, fill, h, renew } from "./dom.js";
import { timeline } from "./timeline.js";

const TITLES = { win: "Winning", draw: "Drawn", loss: "Losing" };
const TITLES_ALONE = { win: "Good", draw: "In between", loss: "Bad" }; // who plays alone beats nobody

// Only 50 each at an end is a draw.
const titled = (outcome, known, isAlone) => (isAlone ? TITLES_ALONE[outcome] : outcome === "draw" && known.some((move) => move.worth.label === "=") ? "Even" : TITLES[outcome]);
const MOST = 24; // moves of a group that are shown at first
const isOpen = ({ worth }) => worth.kind === "estimate" || worth.kind === "bounds";
const brief = new Intl.NumberFormat("en", { notation: "compact" });

export function seePanel(root, app) {
  const analysis = h("div", { class: "analysis", hidden: true });
  const moves = h("div");
  const why = h("section", { class: "card", hidden: true, "aria-live": "polite" });
  const chart = h("section", { class: "card", hidden: true });
  fill(root, h("section", { class: "card" }, analysis, moves), why, chart);
  let shown = null;
  const isAlone = app.info.roles.length === 1, unfolded = new Set(); // groups of moves that are shown to their end

  const update = () => {
    const { pos } = app;
    if (shown && shown !== app.lineText && !shown.split(" ")[1]?.startsWith(app.lineText)) why.hidden = true;
    if (app.hide) { fill(moves, h("p", { class: "quiet" }, "Hidden for practice. Press z to see values.")); chart.hidden = true; return; }
    const known = pos.moves.filter((move) => move.worth);
    if (!known.length) renew(moves, h("p", { class: "quiet" }, silence()));
    else renew(moves, note(known[0].worth), legend(known), pos.roles.filter((role) => known.some((move) => move.role === role)).map((role) => list(role, known.filter((move) => move.role === role))));
    search();
    timeline(chart, app);
  };

  // How far the search of this position has come, and what it knows of moves that are open.
  const search = () => {
    const { analysis: found, pos } = app;
    analysis.hidden = !found || app.hide || pos.is_over || !pos.moves.some((move) => move.worth);
    if (analysis.hidden) return;
    const { view, error } = found;
    const part = view?.partial;
    const runs = !error && (!view || view.status === "running" || view.status === "waiting");
    if (!analysis.firstChild) fill(analysis, h("p", { "aria-live": "polite" }, h("strong")), h("progress", { "aria-label": "Moves that are proved" }), h("div", { class: "job" }, h("span"), h("button", { class: "small" })));
    const [said, bar, line] = analysis.children;
    const text = error ? "" : part?.text ?? "Searching for proofs …";
    if (said.textContent !== text) said.firstChild.textContent = text;
    said.hidden = !text;
    bar.hidden = !part;
    bar.max = part?.moves.length ?? 1;
    bar.value = part?.proved ?? 0;
    const ended = runs ? "" : part?.is_complete ? "" : part?.note ? ` It ended: ${part.note}.` : view?.status === "cancelled" ? " Stopped." : part ? " The time is up." : "";
    line.firstChild.textContent = error ? `Not proved: ${error}.` : part ? `${part.proved} of ${part.moves.length} moves proved, ${part.positions.toLocaleString("en")} positions, ${Math.round(part.seconds)} s${part.playouts ? `; estimates from ${brief.format(part.playouts)} matches` : ""}.${ended}` : "";
    const button = line.lastChild;
    button.hidden = Boolean(error) || !runs && (!part || part.is_complete || Boolean(part.note));
    button.textContent = runs ? "Stop" : "Go on";
    button.onclick = () => (runs ? app.stop(true) : app.try(() => app.analyse(true)));
    for (const one of part?.moves ?? []) {
      const place = moves.querySelector(`[data-open="${one.role} ${one.number}"]`);
      if (place) { place.textContent = [one.worth.label !== "?" && one.worth.label, one.positions > 0 && brief.format(one.positions)].filter(Boolean).join(" · "); place.title = one.text; }
    }
  };

  const silence = () => {
    if (app.pos.is_terminal) return "Play has ended here.";
    if (app.pos.is_over) return "Play is stuck here, so it has no value.";
    if (app.unsearched) return `There are no values here: ${app.unsearched}.`;
    if (app.solving?.status === "failed") return "The game is not solved here: a search looks for estimates …";
    return app.solving?.status === "cancelled" ? "Solving was cancelled; begin it again to see values." : "Values come as soon as the game is solved.";
  };

  const note = (worth) => {
    const roles = app.pos.roles.map((role) => app.called(role)).join(" / ");
    const text = {
      estimate: "A search proves what it can of each move; small numbers count the positions searched. ≈ marks estimates by trial matches, from 0 to 100, which deepen meanwhile.",
      maxn: isAlone ? "The goal that each move leads to with best play, of 100 at most." : `Goals under best play for ${roles}, each role caring for its own.`,
      mixed: "Roles choose at once, so best play mixes its moves: what each brings on average, and how often it is played.",
    }[app.pos.moves.some((move) => move.worth && isOpen(move)) ? "estimate" : worth.kind];
    return text && h("p", { class: "quiet" }, text);
  };

  // Pointing at a move shows it on the board.
  const pointing = (move) => ({ onmouseenter: () => app.board.hint(move), onmouseleave: () => app.board.hint(null), onfocusin: () => app.board.hint(move), onfocusout: () => app.board.hint(null) });

  // What the shades and letters on the board mean, as far as they are there.
  const legend = (known) => {
    if (!app.values) return null;
    const shades = [["win", isAlone && known.some((move) => move.worth.goal === 100) ? "W: solved" : "W: the mover wins"], ["draw", "D or =: even"], ["loss", isAlone ? "L: not solved" : "L: the mover loses"], ["open", "≈ or ?: not proved"]]
      .filter(([tone]) => known.some((move) => (isOpen(move) ? "open" : move.worth.kind === "exact" && move.worth.outcome) === tone));
    return shades.length > 0 && h("p", { class: "legend", "aria-label": "What the shades on the board mean" }, shades.map(([tone, text]) => h("span", { class: tone }, h("i"), text)),
      known.some((move) => move.worth.plies) && h("span", {}, `a number: moves ${isAlone ? "" : known.some((move) => Number.isInteger(move.worth.own_moves)) ? "of the winner " : "of both "}until the end`));
  };

  // The moves of one role, in groups from best to worst.
  const list = (role, known) => {
    const counts = new Map();
    for (const move of known) counts.set(move.group, (counts.get(move.group) ?? 0) + 1);
    const kind = known[0].worth.kind;
    const sorted = [...known].sort((a, b) => rank(a.worth, b.worth) || a.group - b.group);
    const best = sorted[0].worth.goal;
    const groups = kind === "mixed" && known.some((move) => move.worth.share !== null)
      ? [["win", "Played", sorted.filter((move) => move.worth.share > 0)], ["loss", "Never played", sorted.filter((move) => !move.worth.share)]]
      : kind === "maxn" || kind === "mixed"
        ? [["win", "Best", sorted.filter((move) => move.worth.goal === best)], ["loss", "Others", sorted.filter((move) => move.worth.goal !== best)]]
        : ["win", "", "draw", "loss"].map((outcome) => {
          const group = sorted.filter((move) => (isOpen(move) ? "" : move.worth.outcome) === outcome);
          return outcome ? [outcome, titled(outcome, group, isAlone), group, group[0]?.worth.sign] : ["open", "Not proved", group];
        });
    return h("div", { "data-key": role }, h("h2", {}, isAlone ? "Moves" : `Moves of ${app.called(role)}`), groups.filter(([, , group]) => group.length).map(([tone, title, group, sign]) =>
      h("div", { class: tone, "data-key": tone }, h("h3", {}, h("span", { class: "worth" }, sign ? `${sign} ` : ""), `${title}: ${group.length}`),
        h("ul", { class: "moves" }, group.slice(0, unfolded.has(tone) ? group.length : MOST).map((move) => h("li", { ...pointing(move), "data-key": `${move.role} ${move.number}` },
          h("button", { class: "make", onclick: () => app.try(() => app.move(move.role, move.number)), "aria-label": `${app.name(move)}, ${describe(move.worth)}` },
            h("span", { class: "worth" }, move.worth.label), h("span", { class: app.terms ? "mono" : "name" }, app.name(move)), beside(move, counts)),
          (app.solution || app.solving?.status === "failed") && h("button", { class: "why", onclick: () => explain(move), "aria-label": `Why ${app.name(move)}?` }, "why?")))),
        !unfolded.has(tone) && group.length > MOST && h("button", { class: "small", onclick: () => { unfolded.add(tone); update(); } }, `Show all ${group.length}`))));
  };

  const beside = ({ role, number, worth, group }, counts) => {
    if (isOpen({ worth })) return h("span", { class: "twin", "data-open": `${role} ${number}` });
    if (worth.share !== null) return h("span", { class: "twin" }, `${Math.round(100 * worth.share)} %`);
    if (worth.kind === "maxn") return h("span", { class: "twin" }, app.pos.roles.map((role) => span(worth.goals[role])).join(" / "));
    return counts.get(group) > 1 && h("span", { class: "twin", title: "moves with the same letter mirror one another" }, letter(group));
  };

  const explain = (move) => app.try(async () => {
    const { line } = app, isHere = app.stays(true);
    const number = app.number({ [move.role]: move.number });
    const found = await get(of(app.game, "/why"), { line: line.join("."), move: number, role: move.role });
    if (!isHere()) return;
    shown = `${line.join(".")} ${found.refutation}`;
    const whole = numbers(found.refutation);
    const rule = h("p");
    const said = (terms, words) => (app.terms ? terms : words);
    fill(why, h("h2", {}, `${found.keeps_value === false ? "Why not" : found.keeps_value ? "Why" : "What about"} ${said(found.move, found.move_words)}?`),
      found.cause && h("p", { class: "cause" }, h("strong", {}, found.cause)),
      h("p", {}, h("span", { class: isOpen(found) ? "open" : found.worth.outcome }, h("span", { class: "worth" }, found.worth.label)), " ", found.verdict),
      found.is_end && h("p", { class: "quiet" }, "Play ends with this move."),
      found.keeps_value !== null && whole.length > line.length + 1 && h("p", { class: "row long" }, h("span", { class: "quiet" }, found.keeps_value ? "So it goes on:" : "Refuted by:"), said(found.refutation_moves, found.refutation_words).map((text, i) => h("button", { class: `small line side${app.pos.roles.indexOf(found.refutation_roles[i])}`, title: app.called(found.refutation_roles[i]), "data-side": found.refutation_roles[i], ...pointing({ cells: found.refutation_cells[i] }), onclick: () => app.try(() => app.goto(whole.slice(0, line.length + i + 1))) }, `${line.length + i + 1}. ${text}`))),
      found.keeps_value === false && found.best_moves.length > 0 && h("p", {}, "Better: ", h("strong", {}, either(said(found.best_moves, found.best_words))), ` (${found.best.label}).`),
      rule,
      found.keeps_value !== null && whole.length > line.length + 1 && h("div", { class: "row" }, h("button", { onclick: () => play(whole, line.length) }, "Play it out"), h("button", { onclick: () => app.try(() => app.goto(line)) }, "Back to the position")));
    why.hidden = false;
    why.scrollIntoView({ block: "nearest" });
    try { await advise(rule, found, line); } catch (error) { if (!(error instanceof ApiError)) throw error; } // there may be no rule for this
  });

  // The rule that would have been right: of the visitor's strategy, or of the lesson, if they have one for this; else a new one.
  // Where play never comes with a list, what it says may be wrong: then it is no advice.
  const advise = async (place, { role, worth, keeps_value, best_moves }, line) => {
    const here = { role, line: line.join(".") }, lesson = app.lessons?.[`${app.game} ${role}`]?.strategy;
    for (const [text, whose] of [[app.strategy.role === role && app.strategy.text, "your strategy"], [lesson, "the lesson"]]) {
      const found = text && await post(of(app.game, "/strategy"), { text, ...here }), fires = found && found.rules.find((one) => one.fires);
      if (fires && (keeps_value === null || found.moves.every((move) => best_moves.includes(move)))) { fill(place, `Rule ${fires.number} of ${whose} says: `, h("strong", {}, fires.words || fires.text)); return; }
    }
    if (keeps_value || worth.kind !== "exact" || !app.solution) return;
    const found = await post(of(app.game, "/strategy/suggest"), here);
    fill(place, "A rule for this: ", h("strong", {}, found.words || found.text), ` (${found.told})`);
  };

  // One move after another, until the visitor does something else.
  const play = async (whole, from) => {
    for (let n = from + 1; n <= whole.length; n++) {
      await app.try(() => app.goto(whole.slice(0, n)));
      const isHere = app.stays(true);
      if (n < whole.length) await new Promise((go) => setTimeout(go, 700));
      if (!isHere()) return;
    }
  };

  update();
  return { position: update, solving: update, analysis: search };
}

const LATE = 1e9; // where a search proved the value and not how soon
const rank = (a, b) => b.goal - a.goal || (a.outcome === "win" ? 1 : -1) * ((a.plies ?? LATE) - (b.plies ?? LATE));
const span = ([low, high]) => (low === high ? String(low) : `${low}–${high}`);
const letter = (group) => String.fromCharCode(97 + (group % 26)) + (group >= 26 ? Math.floor(group / 26) : "");
const describe = (worth) => (worth.kind === "exact" ? `${worth.label}, ${worth.text}` : worth.text);
