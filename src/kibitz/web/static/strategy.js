// The view Strategy: rules beside the board, checked while they are written.

import { download, follow, get, of, post, showJob } from "./api.js";
import { numbers, pack } from "./app.js";
import { either, fill, h, later, picture, renew, select } from "./dom.js";

const BADGES = {
  perfect: ["win", "✔", "A player who follows it, and makes any move where it is silent, plays perfectly."],
  "keeps the value": ["draw", "≈", "It gives nothing away, but play can go on for ever and never reach the value."],
  "weakly optimal": ["draw", "≈", "Its moves give nothing away, but it is silent where not every move keeps the value."],
  checked: ["draw", "≈", ""],
  fails: ["loss", "✘", "It plays a move that gives up value."],
};

const RANK = { fails: 0, checked: 1, "weakly optimal": 1, "keeps the value": 1, perfect: 2 };

const count = (number, name) => `${number} ${name}${number === 1 ? "" : "s"}`;

// A rule list as text, taken apart line by line: settings and blocks, then one rule a line.
export function takeApart(text) {
  const head = [], body = [], blocks = new Map();
  for (const line of text.split("\n")) {
    const block = /^block\s+(\w+)\s*\{(.*)\}\s*$/.exec(line);
    if (block) blocks.set(block[1], block[2].trim());
    else if (/^\s*(symmetric|let|define)\b/.test(line) || (/^\s*(#|$)/.test(line) && !body.length)) head.push(line);
    else if (line.trim() && !line.trim().startsWith("#")) body.push(line.trim());
  }
  return { head: head.filter((line) => line.trim()), body, blocks };
}

export function putTogether({ head, body, blocks }) {
  const used = [...blocks].filter(([name]) => body.includes(name)).map(([name, rule]) => `block ${name} { ${rule} }`);
  return [...head, ...used, ...body].map((line) => `${line}\n`).join("");
}

export function strategyPanel(root, app) {
  const badge = h("div", { class: "badge", role: "status", "aria-live": "polite" });
  const list = h("ol", { class: "rules", "aria-label": "Rules" });
  const text = h("textarea", { spellcheck: "false", "aria-label": "The strategy as text", oninput: () => edit(text.value, false) });
  const trouble = h("p", { class: "quiet", role: "status" });
  const maker = h("section", { class: "card", hidden: true });
  const work = h("div", { class: "job", hidden: true });
  const measured = h("section", { class: "card", hidden: true, "aria-label": "What was measured" });
  const finder = h("button", { class: "main", hidden: true, onclick: () => measure() }, "Find rules by matches");
  const proving = [["Rule for this position", () => suggest()], ["Complete", () => improve("complete", "Complete")], ["Simplify", () => improve("simplify", "Simplify")]]
    .map(([name, work]) => h("button", { hidden: true, onclick: work }, name)); // where moves are known to be right or wrong
  const others = h("div");
  const past = [], future = [];
  let shown = null, focus = null, measuredText = null, resultText = null, makingAt = "", note = "", notedText = null;
  const isHere = app.stays();

  const roles = select(app.info.roles.map((role) => [role, app.called(role)]), app.strategy.role, (role) => { app.setStrategy({ ...app.strategy, role }); check(); }, { "aria-label": "Who plays it" });
  const file = h("input", { type: "file", accept: ".strategy,.txt", hidden: true, onchange: async () => { if (file.files[0]) edit(await file.files[0].text()); file.value = ""; } });
  fill(root, badge,
    h("div", { class: "row" }, h("span", { class: "quiet" }, "for"), roles,
      h("button", { onclick: () => undo(past, future) }, "Undo"), h("button", { onclick: () => undo(future, past) }, "Redo"),
      h("button", { onclick: () => file.click() }, "Open"), h("button", { onclick: () => save() }, "Save"), file),
    h("p", { class: "row" },
      finder,
      h("button", { class: "main", onclick: () => point() }, "Point at cells"),
      h("button", { onclick: () => app.try(choose) }, "Choose concepts"),
      proving),
    work, maker, measured, list, trouble,
    h("details", { class: "card" }, h("summary", {}, "As text"), text),
    h("details", { class: "card", ontoggle: (event) => event.target.open && shipped() }, h("summary", {}, "Compare, and strategies that come with Kibitz"), others));
  text.value = app.strategy.text;

  function edit(value, whole = true) {
    if (value === app.strategy.text) return;
    if (value !== resultText) work.hidden = true; // what a job said is not of this list
    past.push(app.strategy.text);
    if (past.length > 200) past.shift();
    future.length = 0;
    app.setStrategy({ ...app.strategy, text: value });
    if (whole) { text.value = value; check(); } else soon();
  }
  function undo(from, to) {
    if (!from.length) return;
    to.push(app.strategy.text);
    work.hidden = true;
    app.setStrategy({ ...app.strategy, text: from.pop() });
    text.value = app.strategy.text;
    check();
  }
  const save = () => download(new Blob([app.strategy.text], { type: "text/plain" }), `${app.info.name.replace(/\W+/g, "-")}.strategy`);

  let turn = 0;
  async function check() {
    const mine = ++turn;
    if (app.hide) { fill(badge, "Hidden for practice. Press z to see."); badge.className = "badge"; fill(list); app.board.set({}); return; }
    const isKnown = shown && shown.of === app.strategy; // only the position, or what is known of it, is new
    const patience = setTimeout(() => { if (mine === turn && !isKnown) { badge.className = "badge"; trouble.textContent = ""; fill(badge, h("strong", {}, "…"), "Checking"); } }, 400);
    try {
      const { strategy } = app;
      const found = await post(of(app.game, "/strategy"), { text: strategy.text, role: strategy.role, line: app.lineText });
      if (mine !== turn || !isHere()) return;
      shown = { ...found, of: strategy };
      if (note || notedText !== strategy.text) { trouble.textContent = note; notedText = note ? strategy.text : null; } // it stays with its list
      note = "";
      draw();
      const packed = app.strategy.text.trim() ? await pack(app.strategy.text) : "";
      if (mine === turn && isHere()) app.carry(packed ? { strategy: packed, role: app.strategy.role } : {});
    } catch (error) {
      if (mine !== turn || !isHere()) return;
      notedText = null;
      trouble.textContent = `${error.line ? `Line ${error.line}, column ${error.column}: ` : ""}${error.whole}`;
      badge.className = "badge";
      renew(badge, h("strong", {}, error.code === "unsolved" ? "…" : "!"), error.code === "unsolved" ? error.message : "This cannot be checked; see below.");
    } finally { clearTimeout(patience); }
  }
  const soon = later(250, check);

  function draw() {
    const { verdict } = shown;
    measured.hidden = app.strategy.text !== measuredText;
    if (!verdict) {
      badge.className = "badge";
      delete badge.dataset.badge;
      renew(badge, h("strong", {}, "not checked"), h("span", {}, `The game is not solved here, so nothing can be proved of rules. They can be played against.${shown.undecided ? " Which of them decides in this position would take too long to find out." : ""}`));
    } else checked(verdict);
    const parts = takeApart(app.strategy.text);
    const simple = parts.body.length === shown.rules.length;
    renew(list, shown.rules.length ? shown.rules.map((rule, i) => item(rule, i, simple)) : h("li", { class: "quiet", style: "display:block" }, "Without rules any move may be made. Go to a position and add a rule for it."));
    if (focus !== null) { list.children[focus]?.querySelector(".number")?.focus(); focus = null; }
    outline();
  }

  function checked(verdict) {
    if (!shown.rules.length && !app.strategy.text.trim()) {
      badge.className = "badge";
      badge.dataset.badge = "empty";
      renew(badge, h("strong", {}, "No rules yet"), h("span", {}, "Add a rule: it is checked at once, against every position of the game."));
      return;
    }
    const [tone, sign, meaning] = BADGES[verdict.badge];
    badge.className = `badge ${tone}`;
    badge.dataset.badge = verdict.badge;
    const size = verdict.rules ? `${count(verdict.rules, "rule")}, ${count(verdict.literals, "condition")}. ` : "";
    renew(badge, h("strong", {}, `${sign} ${verdict.badge}`), h("span", {}, size, meaning || `Guarantees ${Object.entries(verdict.guarantees).map(([role, goal]) => `${goal} for ${app.called(role)}`).join(", ")}; without opposed players who move in turn no moves are optimal.`),
      verdict.line !== null && h("button", { class: "small", onclick: () => app.try(() => app.goto(numbers(verdict.line))) }, verdict.strongly_optimal ? "Show where it can go on for ever" : `${verdict.badge === "fails" ? "Show where it fails" : "Show where a rule is missing"} (${verdict.bad_states})`));
  }

  // Keep a change only if the checker does not find it worse: the first of some texts that is not.
  async function keep(texts, what) {
    const before = shown?.verdict, { strategy } = app;
    let worst = null;
    for (const value of texts) {
      const after = (await post(of(app.game, "/strategy"), { text: value, role: strategy.role, line: app.lineText })).verdict;
      if (app.strategy !== strategy) return false; // the list is another by now
      const isWorse = before && after && app.strategy.text.trim() && (RANK[after.badge] < RANK[before.badge] || after.badge === "fails" && before.badge === "fails" && after.bad_states > before.bad_states);
      if (!isWorse) {
        if (worst) note = `${what} stands where it breaks nothing; in the place that was wanted, the list would ${worst.after.badge === "fails" ? "give up value" : `be only ${worst.after.badge}`}.`;
        resultText = value;
        edit(value);
        return true;
      }
      worst ??= { value, after };
    }
    const { value, after } = worst;
    notedText = strategy.text;
    fill(trouble, `${what} is not kept: with it the list ${after.badge === "fails" ? `gives up value in ${count(after.bad_states, "position")}` : `is only ${after.badge}`}, and now it ${before.badge === "fails" ? `does so in ${before.bad_states}` : `is ${before.badge}`}. `,
      after.line !== null && h("button", { class: "small", onclick: () => app.try(() => app.goto(numbers(after.line))) }, "Show where"), " ",
      h("button", { class: "small", onclick: () => edit(value) }, "Keep it anyway"));
    return false;
  }
  // A list with a rule at some places, each tried in turn: where it is wanted, then before what decides here, at the top, at the end.
  function placed(rule, first) {
    const fires = shown?.rules.findIndex((one) => one.fires) ?? -1;
    const { body } = takeApart(app.strategy.text);
    const places = [first, fires, 0, body.length].filter((at) => at >= 0 && at <= body.length);
    return [...new Set(places)].map((at) => { const parts = takeApart(app.strategy.text); parts.body.splice(at, 0, rule); return putTogether(parts); });
  }

  function outline() {
    if (!shown || !maker.hidden) return;
    const fires = shown.rules.find((rule) => rule.fires);
    const blocks = shown.rules.filter((rule) => !rule.fires && (!fires || rule.number < fires.number)).flatMap((rule) => rule.blocks);
    app.board.set({ fires: fires?.cells ?? [], blocks: blocks.filter((cell) => !fires?.cells.includes(cell)) });
  }

  function change(make) { const parts = takeApart(app.strategy.text); make(parts); edit(putTogether(parts)); }
  const shift = (from, to) => { if (to < 0 || to >= shown.rules.length) return; focus = to; change(({ body }) => body.splice(to, 0, ...body.splice(from, 1))); };

  function item(rule, i, simple) {
    const keys = (event) => {
      if (!event.altKey || !["ArrowUp", "ArrowDown"].includes(event.key) || !simple) return;
      event.preventDefault();
      shift(i, i + (event.key === "ArrowUp" ? -1 : 1));
    };
    const lock = ({ body, blocks }) => {
      if (rule.is_locked) { const old = body[i]; body[i] = blocks.get(old); blocks.delete(old); return; }
      let name = `meta${i + 1}`;
      while (blocks.has(name)) name += "a";
      blocks.set(name, body[i]);
      body[i] = name;
    };
    return h("li", {
      class: [rule.fires && "fires", rule.is_dead && "dead"].filter(Boolean).join(" "), draggable: simple, onkeydown: keys,
      ondragstart: (event) => { event.dataTransfer.setData("text/plain", String(i)); event.dataTransfer.effectAllowed = "move"; },
      ondragover: (event) => { event.preventDefault(); event.currentTarget.classList.add("over"); },
      ondragleave: (event) => event.currentTarget.classList.remove("over"),
      ondrop: (event) => { event.preventDefault(); const from = Number(event.dataTransfer.getData("text/plain")); if (simple && Number.isInteger(from) && from !== i) shift(from, i); },
      onmouseenter: () => { if (rule.blocks.length && maker.hidden) app.board.set({ ...app.board.outlines, blocks: rule.blocks }); }, onmouseleave: outline,
    },
      h("span", { class: "number", tabindex: simple ? "0" : null, title: "Drag, or Alt with ↑ ↓", "aria-label": `Rule ${rule.number}; Alt with arrows moves it` }, String(rule.number)),
      h("span", { class: "stencil" }, rule.svg ? picture(rule.svg) : ""),
      h("span", { class: "text" }, rule.words && h("span", { class: "words" }, rule.words), (app.terms || !rule.words) && h("span", { class: "mono" }, rule.text),
        h("small", {}, rule.fires ? ["fires here", rule.seen].filter(Boolean).join(": ") : rule.is_dead ? "never decides" : rule.why ? `not here: ${rule.why}` : "")),
      simple && h("span", { class: "row" },
        h("button", { class: "small plain", title: "Up", "aria-label": `Rule ${rule.number} up`, disabled: i === 0, onclick: () => shift(i, i - 1) }, "↑"),
        h("button", { class: "small plain", title: "Down", "aria-label": `Rule ${rule.number} down`, disabled: i === shown.rules.length - 1, onclick: () => shift(i, i + 1) }, "↓"),
        h("button", { class: "small plain", title: rule.is_locked ? "Unlock" : "Lock as a meta-rule: simplify leaves it alone", "aria-label": `${rule.is_locked ? "Unlock" : "Lock"} rule ${rule.number}`, "aria-pressed": String(rule.is_locked), onclick: () => change(lock) }, rule.is_locked ? "locked" : "lock"),
        h("button", { class: "small plain", title: "Remove", "aria-label": `Remove rule ${rule.number}`, onclick: () => change(({ body }) => body.splice(i, 1)) }, "✕")));
  }

  // Where a new rule goes, and the button that puts it there.
  function adder(write, isFirst = false) {
    const where = select([["end", "at the end"], ["top", "at the top"]], isFirst ? "top" : "end", () => {}, { "aria-label": "Where in the list" });
    return [where, h("button", { class: "main", onclick: () => app.try(async () => {
      const rule = await write(), at = where.value === "top" ? 0 : takeApart(app.strategy.text).body.length;
      stop();
      await keep(placed(rule, at), "The rule");
    }) }, "Add rule")];
  }

  // A rule is made where its player has a choice.
  function isItsTurn() {
    const { role } = app.strategy, { pos } = app;
    const isSo = pos.chooses.includes(role) || !pos.chooses.length && !pos.is_over;
    if (!isSo) app.say(`${app.called(role)} is not to move here`, "go to a position where it is, or choose the other player");
    return isSo;
  }

  // A new rule by pointing: first at its move, then at cells, each click changing what is said.
  function point() {
    if (!maker.hidden) { stop(); return; }
    if (!isItsTurn()) return;
    const mine = app.pos.moves.filter((move) => move.role === app.strategy.role);
    let move = null, from = null;
    const said = new Map(), chips = h("div", { class: "chips" });
    const words = h("p", { class: "words", "aria-live": "polite" });
    const picker = select([["", "point at it, or choose"], ...mine.map((m) => [m.number, app.name(m)])], "", (n) => { move = mine.find((m) => String(m.number) === n) ?? null; update(); }, { "aria-label": "The move that it plays" });
    const hint = h("p", { class: "quiet" });
    const made = () => post(of(app.game, "/strategy/rule"), { role: app.strategy.role, moves: [move.text], literals: [...said.values()].map(({ fluent, holds }) => ({ fluent, holds })) });
    const [where, add] = adder(async () => (await made()).text, shown?.verdict?.badge === "fails" && shown.rules.some((rule) => rule.fires));
    const update = () => {
      add.disabled = !move;
      hint.textContent = move ? "Now click cells that matter: as it is, then what it must not be, then nothing." : from ? "Now where the move goes to." : mine.some((m) => m.cells.length) ? "First click the cell of the move." : "First choose the move.";
      if (move) picker.value = String(move.number);
      const asked = words.asked = {};
      if (move) app.try(async () => { const rule = await made(); if (words.asked === asked) words.textContent = rule.words; });
      fill(chips, (app.terms ? [...said] : []).map(([cell, { fluent, holds }]) => h("span", { class: "chip mono" }, `${holds ? "" : "not "}${fluent}`, h("button", { class: "small plain", "aria-label": "Leave out", onclick: () => { said.delete(cell); update(); } }, "✕"))));
      app.board.set({ picked: [...(move?.cells ?? []), ...(from ? [from] : [])], says: [...said].filter(([, s]) => s.holds).map(([cell]) => cell), denies: [...said].filter(([, s]) => !s.holds).map(([cell]) => cell) });
    };
    app.board.mode = (cell) => {
      if (!move) {
        const found = mine.filter((m) => (m.kind === "click" && m.cells.includes(cell)) || (m.kind === "drag" && from && m.cells[0] === from && m.cells.at(-1) === cell));
        if (found.length) { move = found[0]; from = null; } else if (mine.some((m) => m.kind === "drag" && m.cells[0] === cell)) from = cell;
        update();
        return;
      }
      const holds = new Set(app.pos.state);
      const all = app.info.cells[cell] ?? [];
      const steps = [...all.filter((f) => holds.has(f)).map((fluent) => ({ fluent, holds: true })), ...all.filter((f) => !holds.has(f)).map((fluent) => ({ fluent, holds: false })), null];
      const now = said.get(cell);
      const next = steps[(now ? steps.findIndex((s) => s && s.fluent === now.fluent) : -1) + 1];
      if (next) said.set(cell, next); else said.delete(cell);
      update();
    };
    fill(maker, h("h2", {}, "New rule"), h("div", { class: "field" }, h("span", { class: "quiet" }, "Move"), picker), words, chips, hint,
      h("div", { class: "row" }, where, add, h("button", { onclick: stop }, "Cancel")));
    maker.hidden = false;
    makingAt = app.here;
    document.body.dataset.pointing = "";
    update();
  }
  // A new rule by choosing: what a move must do, and what is preferred among such moves.
  async function choose() {
    if (!maker.hidden) { stop(); return; }
    const role = app.strategy.role;
    const concepts = await get(of(app.game, "/concepts"), { role });
    if (!maker.hidden || !isHere()) return;
    const picked = new Set();
    let wish = "";
    const said = h("p", { "aria-live": "polite" });
    const rule = () => `${[...picked].map((one) => `(${one.formula})`).join(" & ") || "true"} => any${wish ? ` also ${wish}` : ""}`;
    const [where, add] = adder(rule);
    const update = () => {
      const parts = [...picked].map((one) => one.words);
      const best = concepts.find((one) => one.is_wish && one.formula === wish);
      add.disabled = !parts.length && !best;
      said.textContent = add.disabled ? "Choose what the move must do, or which is preferred." : `Play a move if ${parts.join(" and ") || "it is legal"}${best ? `; of these, one such that ${best.words}` : ""}.`;
    };
    fill(maker, h("h2", {}, "New rule"), h("fieldset", { class: "concepts" }, h("legend", {}, "The move must do all of these"), concepts.filter((one) => !one.is_wish).map((one) =>
      h("label", {}, h("input", { type: "checkbox", onchange: (event) => { if (event.target.checked) picked.add(one); else picked.delete(one); update(); } }), one.words))),
      h("div", { class: "field" }, h("label", { for: "s-wish" }, "Preferred"), select([["", "any of them"], ...concepts.filter((one) => one.is_wish).map((one) => [one.formula, one.words])], "", (value) => { wish = value; update(); }, { id: "s-wish" })),
      said, h("div", { class: "row" }, where, add, h("button", { onclick: stop }, "Cancel")));
    maker.hidden = false;
    makingAt = app.here;
    update();
  }
  function stop() { maker.hidden = true; delete document.body.dataset.pointing; app.board.mode = null; outline(); }

  function suggest() { return app.try(async () => {
    const isIdle = app.stays(true), { strategy } = app;
    if (!isItsTurn()) return;
    work.hidden = false;
    fill(work, h("span", {}, "Looking for a rule that is right wherever good play meets it …"));
    let found;
    try { found = await post(of(app.game, "/strategy/suggest"), { text: strategy.text, role: strategy.role, line: app.lineText }); }
    finally { work.hidden = true; }
    if (!isIdle() || app.strategy !== strategy) return; // it was for another position, or another list
    const { body } = takeApart(strategy.text);
    if (body.includes(found.text)) { notedText = strategy.text; trouble.textContent = `The list has this rule already: ${found.words || found.text}`; return; }
    const place = body.length === shown?.rules.length ? found.place : 0;
    if (await keep(placed(found.text, place), "The rule")) note = [`Added: ${found.words || found.text} It is ${found.told}.`, note].filter(Boolean).join(" ");
  }); }

  // Run a job that finds a list, and use it; where the list was changed meanwhile, that is for the visitor to decide.
  function job(name, wish, use) { return app.try(async () => {
    const { strategy } = app;
    const begun = await post(of(app.game, "/jobs"), { role: strategy.role, ...wish });
    const report = showJob(work, begun, app);
    try {
      const found = await follow(begun, (view) => report(`${name}: ${view.progress || view.status}`));
      work.hidden = true;
      if (app.strategy === strategy) { await use(found); return; }
      fill(work, h("span", {}, `${name}: it is found, and the list was changed meanwhile.`), h("button", { class: "small", onclick: () => app.try(() => use(found)) }, "Take what was found"));
    } catch (error) { fill(work, h("span", {}, `${name}: ${error.whole}.`)); }
    work.hidden = false;
  }); }
  const improve = (kind, name) => job(name, { kind, text: app.strategy.text, seconds: 10 }, async (found) => {
    if (!await keep([found.text], "What was found")) return;
    fill(work, h("span", {}, `${name}: ${found.told}`, found.note && h("details", {}, h("summary", {}, "Could it be shorter?"), found.note)));
    work.hidden = false;
  });

  // Rules of a game that is too large to be solved: found by matches, with what was measured.
  const measure = () => job("Rules by matches", { kind: "measure" }, (found) => {
    measuredText = found.text;
    edit(found.text);
    const row = (cell, values) => h("tr", {}, values.map((value) => h(cell, {}, value)));
    fill(measured, h("h2", {}, found.told),
      h("p", { class: "quiet" }, "Points of 100, a draw being half, with 95 % intervals:"),
      h("table", {}, h("thead", {}, row("th", ["against", "points", "interval", "matches"])),
        h("tbody", {}, found.strength.map((one) => row("td", [one.against, one.points, one.interval, one.matches])))),
      found.sentences.map((sentence) => h("p", {}, sentence)));
    measured.hidden = false;
  });
  function offer() {
    finder.hidden = app.solving?.status !== "failed";
    for (const button of proving) button.hidden = !app.solution || app.solution.kind !== "exact" && app.info.roles.length > 1;
  }

  function shipped() { return app.try(async () => {
    if (others.firstChild) return; // what was chosen and compared stays
    const found = await get(of(app.game, "/strategies"));
    const names = Object.keys(found);
    const result = h("div");
    const pick = select(names.map((name) => [name, name]), "", () => {}, { "aria-label": "A strategy" });
    const other = h("textarea", { "aria-label": "Another strategy", placeholder: "Paste another strategy to compare with", style: "min-height:5rem" });
    const compare = () => app.try(async () => {
      const { role } = app.strategy, text = other.value || found[pick.value] || "";
      const compared = await post(of(app.game, "/strategy/compare"), { text: app.strategy.text, other: text, role });
      const lists = [shown.rules, (await post(of(app.game, "/strategy"), { text, role, line: app.lineText })).rules];
      const side = (group, i) => `${["yours", "the other"][i]} ${group.rules[i] ? `says, by rule ${group.rules[i]}, ${either((app.terms ? group.moves : group.words)[i])}` : "has no rule"}`;
      const column = (title, rules, others) => h("div", {}, h("h3", {}, title), h("ol", {}, rules.map((rule) => {
        const isShared = others.some((one) => one.text === rule.text);
        return h("li", { class: isShared ? "" : "only" }, h("span", { class: app.terms || !rule.words ? "mono" : "" }, app.terms ? rule.text : rule.words || rule.text), !isShared && h("small", {}, " only here"));
      })));
      fill(result, h("div", { class: "beside" }, column("Yours", lists[0], lists[1]), column("The other", lists[1], lists[0])), h("p", {}, compared.different ? `They differ in ${compared.different} of ${compared.states} positions.` : `They choose alike in all ${compared.states} positions.`),
        compared.groups.map((group) => h("p", {}, `${count(group.states, "position")}, for example one in which ${side(group, 0)}, and ${side(group, 1)}. `,
          h("button", { class: "small", onclick: () => app.try(() => app.goto(numbers(group.line))) }, "Show"))));
    });
    fill(others, names.length ? h("p", { class: "row" }, pick, h("button", { onclick: () => edit(found[pick.value]) }, "Take it")) : h("p", { class: "quiet" }, "No strategy for this game comes with Kibitz."),
      other, h("p", {}, h("button", { onclick: compare, disabled: !names.length && null }, "Compare with mine")), result);
  }); }

  offer();
  check();
  return { position: () => { if (!maker.hidden && makingAt !== app.here) stop(); check(); }, solving: () => { offer(); if (app.solution || app.solving?.status === "failed") check(); }, leave: () => { delete document.body.dataset.pointing; app.board.mode = null; app.board.outlines = {}; } };
}
