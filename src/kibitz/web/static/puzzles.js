// The view Puzzles: positions to win from, by theme; sets that stay, a rating of the solver, hints that cost points,
// and nothing that shows the answer too early.

import { follow, get, of, post, showJob } from "./api.js";
import { numbers, pack, store, stored } from "./app.js";
import { fill, h, renew, select } from "./dom.js";

const THEMES = { win: "a win at once", parry: "parrying a threat", doubleThreat: "a double threat", zugzwang: "zugzwang", sacrifice: "a sacrifice", forcing: "a forcing move", quiet: "a quiet move" };
const themed = (theme) => THEMES[theme] ?? theme.replace(/^rule(\d+)$/, "rule $1");
const WISH = ["role", "win_in", "level", "k1", "k2", "theme", "seed"]; // as a link has it
const START = 1500, STEP = 32; // a rating as Elo's, on the scale of the puzzles' own

export function puzzlesPanel(root, app) {
  const key = `puzzles ${app.game}`;
  const wish = { role: app.info.roles[0], win_in: 1, level: "", k1: "1", k2: "3", theme: "", seed: 1, ...stored(`puzzle wish ${app.game}`, {}) };
  let set = null, at = -1, hints = [], step = 0, state = "", gained = "";
  const solved = new Set(stored(key, []));
  const form = h("section", { class: "card" });
  const work = h("div", { class: "job", hidden: true });
  const task = h("section", { class: "card", hidden: true });
  const list = h("section");
  fill(root, form, work, task, list);
  const { info } = app, before = { ...app.players }, isHere = app.stays(), isAlone = info.roles.length === 1;
  let search = 0, begun = 0; // the last search, and the puzzle that was opened last

  const asked = app.asked?.puzzle ?? "";
  const askedSet = (app.asked?.set ?? "").split(";");
  app.asked = null;
  const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}`;
  const goal = (n) => (n ? `win in ${n} more round${n > 1 ? "s" : ""}` : "win at once");

  const change = (name) => (value) => { wish[name] = value; store(`puzzle wish ${app.game}`, wish); };
  const numbered = app.strategy.text.split("\n").filter((line) => line.includes("=>")).length; // blocks have arrows, too
  const rules = Array.from({ length: Math.min(numbered, 30) }, (_, i) => [`rule${i + 1}`, `rule ${i + 1} of your strategy`]);
  const more = h("details", { open: wish.win_in === "even" }, h("summary", {}, "More choices"), h("div", { class: "field" },
      h("label", { for: "p-level" }, "Level"), select([["", "easy to hard"], ["easy", "easy"], ["medium", "medium"], ["hard", "hard"]], wish.level, change("level"), { id: "p-level" }),
      h("label", { for: "p-skill" }, "For one who"), select([["random", "plays at random"], ["1", "looks 1 round ahead"], ["2", "looks 2 rounds ahead"], ["3", "looks 3 rounds ahead"]], wish.k1, change("k1"), { id: "p-skill" }),
      !isAlone && h("label", { for: "p-other" }, "Against"), !isAlone && select([["random", "a random player"], ["1", "1 round ahead"], ["2", "2 rounds ahead"], ["3", "3 rounds ahead"], ["optimal", "a perfect player"]], wish.k2, change("k2"), { id: "p-other" })));
  fill(form, h("h2", {}, "Puzzles"),
    h("div", { class: "field" }, !isAlone && h("label", { for: "p-role" }, "You play"), !isAlone && select(app.info.roles.map((r) => [r, app.called(r)]), wish.role, change("role"), { id: "p-role" }),
      h("label", { for: "p-length" }, "Length"), select([...[0, 1, 2, 3, 4, 5, 6].map((n) => [n, goal(n)]), ["even", "even chances"]], wish.win_in, (value) => { change("win_in")(value); more.open = more.open || value === "even"; }, { id: "p-length" }),
      h("label", { for: "p-theme" }, "Solved by"), select([["", "anything"], ...Object.entries(THEMES), ...rules], wish.theme, change("theme"), { id: "p-theme" })), more,
    h("div", { class: "row" }, h("button", { class: "main", onclick: () => app.try(() => find()) }, "Find puzzles"),
      h("button", { onclick: () => app.try(() => { change("seed")(Number(wish.seed) + 1); return find(); }) }, "Others")));

  // Where no move is right or wrong by itself there are none.
  function refuse() {
    if (app.solution && app.solution.kind !== "exact") fill(form, h("h2", {}, "Puzzles"), h("p", {}, "There are none: no move of this game is right or wrong by itself. Puzzles are for one player, or for two with opposed goals who move in turn."));
  }
  refuse();

  async function find(from = null) {
    const mine = ++search, isIdle = app.stays(true), wanted = { ...wish };
    const even = wish.win_in === "even";
    const job = await post(of(app.game, "/jobs"), {
      kind: "puzzles", role: wish.role, win_in: even ? 1 : Number(wish.win_in), balanced: even, level: even ? null : wish.level || null, k1: wish.k1, k2: wish.k2, count: 12,
      seed: Number(wish.seed), theme: even ? null : wish.theme || null, rules: wish.role === app.strategy.role ? app.strategy.text : "",
    });
    const isLast = () => isHere() && mine === search;
    const report = isLast() ? showJob(work, job, app) : () => {};
    let found;
    try { found = await follow(job, (view) => { if (isLast()) report(view.progress || view.status); }); }
    catch (error) { if (isLast()) fill(work, h("span", {}, `No puzzles: ${error.whole}.`)); return; }
    if (!isLast()) return;
    const use = () => { work.hidden = true; return take({ ...found, wish: wanted }, from); };
    if (isIdle()) { await use(); return; }
    // One plays another puzzle meanwhile, and goes on with it as long as one likes.
    fill(work, h("span", {}, `${found.puzzles.length} puzzles are found.`), h("button", { class: "small", onclick: () => app.try(use) }, "Open them"));
  }
  async function take(found, from) {
    set = found;
    if (!set.puzzles.length) {
      const some = set.counts.map((count, j) => [count, j]).filter(([count]) => count).map(([count, j]) => `${goal(j)}: ${count}`).join("; ");
      fill(list, h("p", {}, sentence(set.why.replace(/; .*/, "")), "."), h("p", { class: "quiet" }, some ? `Positions by length: ${some}.` : "Try the other side, or other skills."));
      task.hidden = true;
      return;
    }
    const next = set.puzzles.findIndex((puzzle) => !solved.has(puzzle.id));
    await open(Math.min(from ?? Math.max(0, next), set.puzzles.length - 1));
  }
  const keepSet = () => { if (!set.isLink) store(`puzzle set ${app.game}`, { set, at, wish: set.wish }); };

  async function open(n) {
    at = n; hints = []; step = 0; state = gained = "";
    const mine = ++begun;
    keepSet();
    const puzzle = set.puzzles[n];
    for (const role of app.info.roles) app.players[role] = role === puzzle.role ? { kind: "person" } : opponent();
    await app.goto(start());
    if (!isHere() || mine !== begun) return;
    const own = (set.wish?.theme ?? "").startsWith("rule") && !set.isLink;
    const packed = own ? await pack(app.strategy.text) : "";
    if (puzzle.win_in !== null && isHere()) app.carry({ puzzle: `${puzzle.role},${puzzle.win_in}`, ...(set.isLink ? {} : { set: [...WISH.map((name) => set.wish[name]), n].join(";") }), ...(own ? { strategy: packed, role: app.strategy.role } : {}) });
    show();
  }
  // Answers to a puzzle are the best there are; an even match is played against whom it is even for.
  const opponent = () => (!set.is_balanced || set.wish.k2 === "optimal" ? { kind: "perfect" } : set.wish.k2 === "random" ? { kind: "random" } : { kind: "depth", depth: Number(set.wish.k2) });
  const start = () => numbers(set.puzzles[at].line);

  function show() {
    if (!set || at < 0) return;
    const puzzle = set.puzzles[at];
    const done = set.puzzles.filter((one) => solved.has(one.id)).length;
    task.hidden = false;
    renew(task, h("h2", {}, `${at + 1}. ${puzzle.text}`), h("p", { class: "quiet" }, set.is_balanced ? `You and your opponent have equal chances here; score ${Math.round(100 * puzzle.score)} of 100 on average.` : puzzle.level ? [puzzle.level, `rated ${puzzle.rating}`, state && puzzle.themes?.length ? `solved by ${puzzle.themes.map(themed).join(", ")}` : ""].filter(Boolean).join("; ") : "From a link."),
      state && h("p", { role: "status", class: { solved: "win", drawn: "draw", failed: "loss" }[state] }, h("strong", { class: "worth" }, describe()), gained && ` ${gained}`),
      hints.map((text) => h("p", {}, `Hint: ${text}`)),
      h("div", { class: "row" },
        h("button", { disabled: step >= 3 || state !== "", title: "Each hint costs a quarter of the points", onclick: () => app.try(hint) }, "Hint"),
        h("button", { onclick: () => app.try(async () => { state = ""; await app.goto(start()); show(); }) }, "Try again"),
        h("button", { class: state === "solved" ? "main" : "", disabled: at + 1 >= set.puzzles.length, onclick: () => app.try(() => open(at + 1)) }, "Next")));
    if (set.isLink) { fill(list); return; }
    renew(list, h("label", {}, `${done} of ${set.puzzles.length} solved${streak()}${rated()}`, h("progress", { max: String(set.puzzles.length), value: String(done) })),
      h("ol", { class: "puzzles" }, set.puzzles.map((one, i) => h("li", {}, h("button", { class: solved.has(one.id) ? "solved" : "", "aria-current": i === at ? "true" : null, "aria-pressed": String(i === at), "aria-label": `Puzzle ${i + 1}, ${one.level}${solved.has(one.id) ? ", solved" : ""}`, onclick: () => app.try(() => open(i)) }, solved.has(one.id) ? `${i + 1} ✔` : String(i + 1))))),
      h("p", { class: "quiet" }, `${set.of_level.toLocaleString("en")} such position${set.of_level === 1 ? "" : "s"} among ${set.positions.toLocaleString("en")}.`));
  }

  function describe() {
    if (state === "drawn") return "= Drawn. Play again for the win, or go on.";
    if (state === "solved") return set.is_balanced ? "✔ Won." : "✔ Solved.";
    return set.is_balanced ? "✘ Lost. Try again." : "✘ That gives the win away. Try again.";
  }

  async function hint() {
    step += 1;
    const mine = begun, found = await get(of(app.game, "/hint"), { line: app.lineText, step });
    if (!isHere() || mine !== begun) return;
    hints.push(found.text);
    app.board.set({ target: found.cells, says: found.cells });
    show();
  }

  const run = (length) => store(`streak ${app.game}`, length);
  const streak = () => { const length = stored(`streak ${app.game}`, 0); return length > 1 ? `, ${length} in a row without help` : ""; };

  // The first try at a puzzle counts: 1 point, a quarter less for each hint, 0 where the win was given away.
  const rating = () => stored("puzzle rating", {})[app.game] ?? { value: START, tries: 0 };
  const rated = () => (rating().tries ? `; your rating ${Math.round(rating().value)} after ${rating().tries} puzzle${rating().tries > 1 ? "s" : ""}` : "");
  function rate(points) {
    const puzzle = set.puzzles[at];
    const tried = stored(`tried ${app.game}`, []);
    if (set.is_balanced || !puzzle.rating || tried.includes(puzzle.id)) return;
    store(`tried ${app.game}`, [...tried, puzzle.id]);
    const { value, tries } = rating();
    const gain = STEP * (points - 1 / (1 + 10 ** ((puzzle.rating - value) / 400)));
    store("puzzle rating", { ...stored("puzzle rating", {}), [app.game]: { value: value + gain, tries: tries + 1 } });
    gained = `Your rating: ${Math.round(value + gain)} (${gain < 0 ? "−" : "+"}${Math.abs(Math.round(gain))}).`;
  }

  async function judge() {
    const made = app.lastMove;
    if (!set || at < 0 || set.is_balanced || !made || made.role !== set.puzzles[at].role || state === "solved") return;
    const mine = begun, found = await get(of(app.game, "/why"), { line: made.line.join("."), move: made.number });
    if (!isHere() || mine !== begun) return;
    if (found.keeps_value === false) { state = "failed"; run(0); rate(0); }
    show();
  }
  function ended() {
    if (!set || at < 0 || !app.pos.is_terminal || state) return;
    const puzzle = set.puzzles[at];
    const goal = app.pos.goals[puzzle.role] ?? 0;
    if (app.line.length <= start().length) return;
    if (goal > 50 || (set.is_balanced && goal === 50)) {
      state = goal > 50 ? "solved" : "drawn";
      if (!solved.has(puzzle.id)) run(step ? 0 : stored(`streak ${app.game}`, 0) + 1); // with a hint it begins anew
      rate(1 - step / 4);
      solved.add(puzzle.id);
      store(key, [...solved]);
    } else if (set.is_balanced) { state = "failed"; run(0); }
    app.board.set({});
    show();
  }
  // A link has the position as its line, whose puzzle it is, and in how many rounds it is won.
  const [who, rounds] = [asked.slice(0, asked.lastIndexOf(",")), Number(asked.slice(asked.lastIndexOf(",") + 1))];
  const kept = stored(`puzzle set ${app.game}`, null);
  if (kept) kept.set.wish ??= kept.wish;
  if (askedSet.length === WISH.length + 1 && app.info.roles.includes(askedSet[0])) {
    WISH.forEach((name, i) => { wish[name] = askedSet[i]; form.querySelector(`#p-${{ win_in: "length", k1: "skill", k2: "other" }[name] ?? name}`)?.querySelectorAll("option").forEach((one) => { one.selected = one.value === askedSet[i]; }); });
    const same = kept && WISH.every((name) => String(kept.wish[name]) === askedSet[WISH.indexOf(name)]);
    const n = Math.max(0, Number(askedSet.at(-1)) || 0);
    if (same) { ({ set } = kept); app.try(() => open(Math.min(n, set.puzzles.length - 1))); } else app.try(() => find(n));
  } else if (app.info.roles.includes(who) && Number.isInteger(rounds) && app.line.length) {
    const text = goal(rounds);
    set = { isLink: true, is_balanced: false, puzzles: [{ id: `link ${app.lineText}`, line: app.lineText, role: who, win_in: rounds, level: "", text: `${sentence(text)}${isAlone ? "" : `, as ${app.called(who)}`}` }] };
    app.try(() => open(0));
  } else if (kept?.set?.puzzles?.length) { // what one did last
    ({ set, at } = kept);
    show();
    task.hidden = true;
    at = -1;
  }
  return { moved: () => { app.board.set({}); app.try(judge); }, position: ended, solving: refuse, leave: () => { if (app.info === info) app.players = before; app.board.outlines = {}; } };
}
