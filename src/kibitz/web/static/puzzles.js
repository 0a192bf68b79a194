// The view Puzzles: positions to win from; hints that stay, and nothing that shows the answer too early.

import { follow, get, of, post, showJob } from "./api.js";
import { store, stored } from "./app.js";
import { fill, h, select } from "./dom.js";

export function puzzlesPanel(root, app) {
  const key = `puzzles ${app.game}`;
  const wish = { role: app.info.roles[0], win_in: 1, level: "", k1: "1", k2: "3", ...stored(`puzzle wish ${app.game}`, {}) };
  let set = null, at = -1, hints = [], step = 0, state = "";
  const solved = new Set(stored(key, []));
  const form = h("section", { class: "card" });
  const work = h("div", { class: "job", hidden: true });
  const task = h("section", { class: "card", hidden: true });
  const list = h("section");
  fill(root, form, work, task, list);
  const before = { ...app.players };

  const asked = app.asked?.puzzle ?? "";
  app.asked = null;
  const goal = (n) => (n ? `win in ${n} more round${n > 1 ? "s" : ""}` : "win at once");

  const change = (name) => (value) => { wish[name] = value; store(`puzzle wish ${app.game}`, wish); };
  fill(form, h("h2", {}, "Puzzles"),
    h("div", { class: "field" }, h("label", { for: "p-role" }, "You play"), select(app.info.roles.map((r) => [r, r]), wish.role, change("role"), { id: "p-role" }),
      h("label", { for: "p-length" }, "Length"), select([...[0, 1, 2, 3, 4, 5, 6].map((n) => [n, goal(n)]), ["even", "even chances"]], wish.win_in, change("win_in"), { id: "p-length" }),
      h("label", { for: "p-level" }, "Level"), select([["", "easy to hard"], ["easy", "easy"], ["medium", "medium"], ["hard", "hard"]], wish.level, change("level"), { id: "p-level" }),
      h("label", { for: "p-skill" }, "For one who"), select([["random", "plays at random"], ["1", "looks 1 round ahead"], ["2", "looks 2 rounds ahead"], ["3", "looks 3 rounds ahead"]], wish.k1, change("k1"), { id: "p-skill" }),
      h("label", { for: "p-other" }, "Against"), select([["random", "a random player"], ["1", "1 round ahead"], ["2", "2 rounds ahead"], ["3", "3 rounds ahead"], ["optimal", "a perfect player"]], wish.k2, change("k2"), { id: "p-other" })),
    h("button", { class: "main", onclick: () => app.try(find) }, "Find puzzles"));

  async function find() {
    const even = wish.win_in === "even";
    const job = await post(of(app.game, "/jobs"), {
      kind: "puzzles", role: wish.role, win_in: even ? 1 : Number(wish.win_in), balanced: even, level: even ? null : wish.level || null, k1: wish.k1, k2: wish.k2, count: 12,
    });
    const report = showJob(work, job, app);
    try {
      set = await follow(job, (view) => report(view.progress || view.status));
    } catch (error) { fill(work, h("span", {}, error.message)); return; }
    work.hidden = true;
    if (!set.puzzles.length) {
      const some = set.counts.map((count, j) => [count, j]).filter(([count]) => count).map(([count, j]) => `${goal(j)}: ${count}`).join(", ");
      fill(list, h("p", {}, set.why.replace(/; .*/, ""), "."), h("p", { class: "quiet" }, some ? `There are ${some}.` : "Try the other side, or other skills."));
      task.hidden = true;
      return;
    }
    await open(Math.max(0, set.puzzles.findIndex((puzzle) => !solved.has(puzzle.id))));
  }

  async function open(n) {
    at = n; hints = []; step = 0; state = "";
    const puzzle = set.puzzles[n];
    for (const role of app.info.roles) app.players[role] = role === puzzle.role ? { kind: "person" } : opponent();
    await app.goto(start());
    if (puzzle.win_in !== null) app.carry({ puzzle: `${puzzle.role},${puzzle.win_in}` });
    show();
  }
  // Answers to a puzzle are the best there are; an even match is played against whom it is even for.
  const opponent = () => (!set.is_balanced || wish.k2 === "optimal" ? { kind: "perfect" } : wish.k2 === "random" ? { kind: "random" } : { kind: "depth", depth: Number(wish.k2) });
  const start = () => (set.puzzles[at].line ? set.puzzles[at].line.split(".").map(Number) : []);

  function show() {
    if (!set || at < 0) return;
    const puzzle = set.puzzles[at];
    const done = set.puzzles.filter((one) => solved.has(one.id)).length;
    task.hidden = false;
    fill(task, h("h2", {}, `${at + 1}. ${puzzle.text}`), h("p", { class: "quiet" }, set.is_balanced ? `You and your opponent have equal chances here; score ${Math.round(100 * puzzle.score)} of 100 on average.` : puzzle.level ? `${puzzle.level}; rated ${puzzle.rating}` : "From a link."),
      state && h("p", { role: "status", class: { solved: "win", drawn: "draw", failed: "loss" }[state] }, h("strong", { class: "worth" }, describe())),
      hints.map((text) => h("p", {}, `Hint: ${text}`)),
      h("div", { class: "row" },
        h("button", { disabled: step >= 3 || state !== "", onclick: () => app.try(hint) }, "Hint"),
        h("button", { onclick: () => app.try(async () => { state = ""; await app.goto(start()); show(); }) }, "Try again"),
        h("button", { class: state === "solved" ? "main" : "", disabled: at + 1 >= set.puzzles.length, onclick: () => app.try(() => open(at + 1)) }, "Next")));
    if (set.isLink) { fill(list); return; }
    fill(list, h("label", {}, `${done} of ${set.puzzles.length} solved${streak()}`, h("progress", { max: String(set.puzzles.length), value: String(done) })),
      h("ol", { class: "puzzles" }, set.puzzles.map((one, i) => h("li", {}, h("button", { class: solved.has(one.id) ? "solved" : "", "aria-current": i === at ? "true" : null, "aria-pressed": String(i === at), "aria-label": `Puzzle ${i + 1}, ${one.level}${solved.has(one.id) ? ", solved" : ""}`, onclick: () => app.try(() => open(i)) }, solved.has(one.id) ? `${i + 1} ✔` : String(i + 1))))),
      h("p", { class: "quiet" }, `${set.of_level.toLocaleString()} such positions among ${set.positions.toLocaleString()}.`));
  }

  function describe() {
    if (state === "drawn") return "= Drawn. Play again for the win, or go on.";
    if (state === "solved") return set.is_balanced ? "✔ Won." : "✔ Solved.";
    return set.is_balanced ? "✘ Lost. Try again." : "✘ That gives the win away. Try again.";
  }

  async function hint() {
    step += 1;
    const found = await get(of(app.game, "/hint"), { line: app.lineText, step });
    hints.push(found.text);
    app.board.set({ target: found.cells, says: found.cells });
    show();
  }

  const run = (length) => store(`streak ${app.game}`, length);
  const streak = () => { const length = stored(`streak ${app.game}`, 0); return length > 1 ? `, ${length} in a row without help` : ""; };

  async function judge() {
    const made = app.lastMove;
    if (!set || at < 0 || set.is_balanced || !made || made.role !== set.puzzles[at].role || state === "solved") return;
    const found = await get(of(app.game, "/why"), { line: made.line.join("."), move: made.number });
    if (found.is_best === false) { state = "failed"; run(0); app.board.set({}); }
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
      solved.add(puzzle.id);
      store(key, [...solved]);
    } else if (set.is_balanced) { state = "failed"; run(0); }
    app.board.outlines = {};
    show();
  }
  // A link has the position as its line, whose puzzle it is, and in how many rounds it is won.
  const [who, rounds] = [asked.slice(0, asked.lastIndexOf(",")), Number(asked.slice(asked.lastIndexOf(",") + 1))];
  if (app.info.roles.includes(who) && Number.isInteger(rounds) && app.line.length) {
    const text = goal(rounds);
    set = { isLink: true, is_balanced: false, puzzles: [{ id: `link ${app.lineText}`, line: app.lineText, role: who, win_in: rounds, level: "", text: `${text[0].toUpperCase()}${text.slice(1)}, as ${who}` }] };
    app.try(() => open(0));
  }
  return { moved: () => app.try(judge), position: ended, leave: () => { app.players = before; app.board.outlines = {}; } };
}
