// The view Learn: the rules in words, how the game ends, then one rule after another with positions that need it.

import { follow, get, isCopy, of, post, showJob } from "./api.js";
import { numbers, store, stored } from "./app.js";
import { fill, h, picture, renew, select } from "./dom.js";

const DAY = 86_400_000;
const MOST_MIXED = 12;
const WAITS = [0, 1, 3, 7, 21, 60]; // days until what one got wrong comes again, by how often it was right since

const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1).replace(/[.\s]*$/, ".")}`;

export function learnPanel(root, app) {
  const asked = app.asked ?? {};
  app.asked = null;
  app.lessons ??= {}; // by game and role, as long as the page is open
  let role = app.info.roles.includes(asked.role) ? asked.role : stored(`learn role ${app.game}`, null);
  if (!app.info.roles.includes(role)) role = null;
  let lesson = null, about = null, work = false, at = 0, queue = [], current = null, failed = "";
  const again = new Set(); // positions that come a second time in this step, and no more
  const isHere = app.stays(), isAlone = app.info.roles.length === 1;
  const body = h("div");
  const job = h("div", { class: "job", hidden: true });
  fill(root, body, job);

  const key = () => `learn ${lesson.name}`;
  const progress = () => ({ at: 0, done: [], cards: {}, ...stored(key(), {}) });
  const keep = (change) => store(key(), { ...progress(), ...change });
  const exercises = () => [...lesson.steps.flatMap((step) => step.exercises), ...lesson.revision];
  const due = () => { const { cards } = progress(); return exercises().filter((one) => cards[one.id] && cards[one.id].due <= Date.now()); };

  // Who goes on with the keyboard is not sent back to the top of the page: the next button has the focus, or the board.
  function refill(...parts) {
    const had = body.contains(document.activeElement);
    fill(body, ...parts);
    if (had) (body.querySelector("button.main") ?? app.board.root).focus({ preventScroll: true });
  }

  // The board shows a position of the lesson; `moves` are those that may be tried on it.
  function place(svg, { moves = [], text = "", caption = "", marks = {} } = {}) {
    app.scene = {
      text, choose: (move) => answer(move),
      pos: { svg, caption, moves: moves.map((one) => ({ ...one, worth: null })), chooses: moves.length ? [moves[0].role] : [], roles: app.info.roles, turns: [], stuck: [], is_over: false, decides: [] },
    };
    app.board.outlines = marks;
    app.board.draw();
  }
  const placeStart = () => { if (app.pos) place(app.pos.svg, { caption: app.pos.caption }); };

  async function begin(wanted = role) {
    if (work || lesson) return;
    const { game } = app, nameOf = (one) => `${game} ${one ?? ""}`;
    let found = app.lessons[nameOf(wanted)];
    if (!found) {
      work = true;
      failed = "";
      intro();
      try {
        const begun = await post(of(game, "/jobs"), { kind: "lesson", role: wanted });
        const report = showJob(job, begun, app);
        found = await follow(begun, (view) => report(`Looking for rules: ${view.progress || "waiting"} …`));
        job.hidden = true;
      } catch (error) {
        failed = error.code === "cancelled" ? error.code : sentence(error.message);
        job.hidden = true;
      }
      work = false;
      if (found) app.lessons[nameOf(wanted)] = app.lessons[nameOf(found.role)] = found;
      if (!isHere()) return;
    }
    if (found) open(found);
    else intro();
  }

  function open(found) {
    lesson = found;
    role = lesson.role;
    store(`learn role ${app.game}`, role);
    goTo({ step: progress().at, ...(asked.step === null || asked.step === undefined ? {} : asked) });
    asked.step = null;
  }

  // Where the address says, such as after Back: a step, and the positions that were still to be solved in it.
  function goTo(place) {
    const all = exercises(), left = numbers(place.queue).map((n) => all[n]).filter(Boolean);
    step(Math.min(Math.max(0, Number(place.step) || 0), lesson.steps.length + 2), { isNew: false, left });
  }

  // 0 is the start, then one for each rule, then mixed positions, then the match. A new step is an entry of the history.
  function step(n, { isNew = true, left = [] } = {}) {
    at = n;
    current = null;
    queue = left;
    again.clear();
    keep({ at });
    carry(isNew);
    if (left.length) ask();
    else if (at === 0) intro();
    else if (at <= lesson.steps.length) teach(lesson.steps[at - 1]);
    else if (at === lesson.steps.length + 1) mixed([...new Set([...due(), ...lesson.revision])]);
    else finish();
  }
  function carry(isNew = false) {
    const all = exercises();
    app.carry({ role, step: at ? String(at) : "", queue: queue.map((one) => all.indexOf(one)).join(".") }, isNew);
  }

  function bar() {
    if (!lesson) return null;
    const { done } = progress();
    const names = ["Rules", ...lesson.steps.map((one) => String(one.rule)), "Mixed", isAlone ? "All" : "Match"];
    const isDone = (i) => { const tasks = tasksOf(lesson.steps[i - 1]); return tasks.length > 0 && tasks.every((one) => done.includes(one.id)); };
    return h("ol", { class: "steps", "aria-label": "Steps of the lesson" }, names.map((name, i) => h("li", {},
      h("button", { class: isDone(i) ? "solved" : "", "aria-current": i === at ? "step" : null, "aria-label": `${/^\d/.test(name) ? `Rule ${name}` : name}${isDone(i) ? ", learned" : ""}`, onclick: () => step(i) }, isDone(i) ? `${name} ✔` : name))));
  }

  // Another side has another lesson, which begins at its start.
  function change(to) {
    role = to;
    lesson = null;
    failed = "";
    asked.step = 0;
    asked.queue = "";
    app.try(() => begin(role));
  }

  const isSolving = () => app.solving?.status === "running" || app.solving?.status === "waiting";
  function intro() { placeStart(); introduce(); }
  function introduce() {
    const story = about?.story ?? [], said = lesson?.value ?? about?.value ?? [];
    const [value, caution] = lesson?.is_measured ? [[], said] : [said, []]; // of the game, or of the rules to be learned
    const wrongs = lesson ? due().slice(0, MOST_MIXED) : [], untaught = about?.untaught ?? "";
    renew(body, bar(),
      h("section", { class: "card" }, h("h2", {}, `How ${app.info.title} is played`),
        story.length ? story.map((line) => h("p", {}, line)) : h("p", { class: "quiet" }, !about ? "…" : about.is_whole ? "There are no words for these rules; the view Rules has them as they are written." : "The rules are being put into words …"),
        about?.full.length > 0 && h("details", {}, h("summary", {}, "The rules in full"), about.full.map((line) => h("p", {}, line))),
        value.length > 0 && h("p", { class: "verdict" }, h("strong", {}, value.join(" "))),
        !value.length && isSolving() && h("p", { class: "quiet" }, "How it ends with best play is known as soon as it is solved.")),
      h("section", { class: "card" }, h("h2", {}, isAlone ? "Learn to solve it" : lesson ? `Learn to play as ${app.called(lesson.role)}` : "Learn to play it well"),
        !failed && h("p", {}, lesson ? lesson.intro : untaught ? `There is no lesson. ${untaught}` : "Kibitz looks for a few rules that are easy to follow, proves them where the game is small enough, and teaches them one by one, each with positions that need it."),
        failed && h("p", { role: "status" }, failed === "cancelled" ? "The search for rules was cancelled." : `${failed} There are other ways to get better at it:`),
        caution.length > 0 && h("p", { class: "verdict" }, h("strong", {}, caution.join(" "))),
        lesson && h("p", { class: "quiet", title: lesson.effort_note }, lesson.effort),
        !untaught && !isAlone && h("p", { class: "row" }, h("label", { for: "learn-role" }, "You play"),
          select([...(role || lesson ? [] : [["", app.info.roles.length > 2 ? "any side" : "either side"]]), ...app.info.roles.map((one) => [one, app.called(one)])], role ?? "", (value) => { if (lesson || failed) change(value || null); else role = value || null; }, { id: "learn-role", disabled: work })),
        h("div", { class: "row" },
          lesson ? h("button", { class: "main", onclick: () => step(1) }, "Begin with the first rule")
            : !untaught && h("button", { class: "main", disabled: work || isSolving(), onclick: () => app.try(() => begin(role)) }, work ? "Making the lesson …" : "Make the lesson"),
          wrongs.length > 0 && h("button", { onclick: () => step(lesson.steps.length + 1, { left: wrongs }) }, `Repeat what you got wrong (${wrongs.length})`),
          failed && app.solution && h("button", { onclick: () => app.show("puzzles") }, "Practise on puzzles"),
          failed && h("button", { onclick: () => app.show("see") }, "See what each move is worth"),
          (failed || lesson?.is_losing) && app.info.roles.filter((one) => one !== role).map((one) => h("button", { onclick: () => change(one) }, `Learn to play as ${app.called(one)}`)),
          h("button", { onclick: () => app.show("play") }, "Just play"))));
  }

  // With several positions the first is worked out, and the others are to be solved.
  const tasksOf = (one) => one ? one.exercises.slice(one.exercises.length > 1 ? 1 : 0) : [];
  const numberOf = (one) => `Rule ${one.rule} of the list, ${at} of ${lesson.steps.length} to learn`;
  function teach(one) {
    queue = tasksOf(one);
    const example = one.exercises.find((first) => !queue.includes(first));
    if (example) place(example.after || example.svg, { text: `Here the rule says: ${example.answer}.`, marks: {} });
    else placeStart();
    refill(bar(), h("section", { class: "card" }, h("p", { class: "quiet" }, numberOf(one)),
      h("h2", { class: "rule" }, one.sentence),
      h("div", { class: "lead" }, one.svg && h("figure", { class: "stencil" }, picture(one.svg), one.seen && h("figcaption", {}, one.seen)),
        h("div", {}, one.why && h("p", {}, one.why), h("p", {}, one.place), h("p", { class: "quiet" }, one.gain),
          example && h("p", {}, isAlone ? "On the board is an example, in which the rule says: " : `On the board is an example: ${app.called(lesson.role)} was to move, and the rule says: `, h("strong", {}, example.answer), "."),
          one.note && h("p", { class: "quiet" }, one.note))),
      h("div", { class: "row" }, queue.length ? h("button", { class: "main", onclick: () => ask() }, "Now you") : h("button", { class: "main", onclick: () => step(at + 1) }, "Next"))));
  }

  function mixed(list) {
    queue = list.slice(0, MOST_MIXED);
    if (!queue.length) { step(lesson.steps.length + 2, { isNew: false }); return; }
    ask();
  }

  // One position: the board takes the answer, and says at once what it is worth.
  function ask() {
    current = { one: queue[0], tries: 0, isOver: false };
    const { one } = current;
    carry();
    place(one.svg, { moves: one.choices, text: isAlone ? "Your move" : `${app.called(lesson.role)} to move` });
    question();
  }
  const ruleOf = (one) => lesson.rules[one.rule - 1];
  const inStep = () => at > 0 && at <= lesson.steps.length;

  function question(tone = "", said = "") {
    const { one, isOver } = current;
    const rule = ruleOf(one);
    refill(bar(), h("section", { class: "card" },
      h("p", { class: "quiet" }, inStep() ? numberOf(one) : "Mixed positions: which rule is it?"),
      h("h2", { class: "rule" }, inStep() || isOver || current.tries > 0 ? rule.sentence : isAlone ? "What do you play?" : `What does ${app.called(lesson.role)} play?`),
      h("p", {}, inStep() ? isAlone ? "Follow the rule: what do you play?" : `Follow the rule: where does ${app.called(lesson.role)} move?` : "Make the move on the board."),
      h("p", { role: "status", class: `feedback ${tone}` }, said && h("strong", { class: "worth" }, said), " ", current.reason = h("span", { class: "reason" })),
      h("div", { class: "row" },
        isOver && h("button", { class: "main next", onclick: next }, queue.length > 1 ? "Next position" : "Go on"),
        !isOver && h("button", { onclick: give }, "Show me"),
        one.line !== null && isOver && h("button", { class: "plain", onclick: () => look(one) }, "Look at it in See"),
        h("span", { class: "quiet" }, `${queue.length} to go`))));
    if (isOver) body.querySelector(".next")?.focus({ preventScroll: true });
  }
  const look = (one) => app.try(async () => { app.scene = null; await app.goto(numbers(one.line)); app.show("see"); });
  const cellsOf = (moves) => [...new Set(moves.flatMap((move) => move.cells))];
  const told = (one) => one.choices.filter((move) => move.is_told);

  // What a wrong move gives away, as soon as it is known.
  async function reason({ one, reason: place }, { role: mover, number }) {
    const { cause, verdict } = await get(of(app.game, "/why"), { line: one.line, move: number, role: mover });
    place.textContent = cause || verdict;
  }
  function answer(move) {
    const { one } = current ?? {};
    if (!one || current.isOver) return;
    if (move.is_good) {
      current.isOver = true;
      if (current.tries === 0) right(one);
      place(move.is_told && one.after && told(one).length === 1 ? one.after : one.svg, { text: "", marks: { right: move.cells } });
      question("win", move.is_told ? `✔ Right: ${move.words}.` : `✔ That is as good here. The rule asks for: ${one.answer}.`);
      return;
    }
    current.tries += 1;
    wrong(one);
    if (current.tries > 1) { give(); return; }
    place(one.svg, { moves: one.choices, text: isAlone ? "Your move" : `${app.called(lesson.role)} to move`, marks: { wrong: move.cells } });
    question("loss", one.is_proved ? "✘ That gives something away. Try again." : "✘ The rule asks for another move. Try again.");
    if (one.is_proved && one.line !== null) app.try(() => reason(current, move));
  }
  function give() {
    current.isOver = true;
    if (current.tries === 0) wrong(current.one);
    place(current.one.svg, { marks: { right: cellsOf(told(current.one)) } });
    question("draw", `The rule says: ${current.one.answer}.`);
  }
  function right(one) {
    const { done, cards } = progress();
    if (!done.includes(one.id)) done.push(one.id);
    if (cards[one.id]) { const box = Math.min(cards[one.id].box + 1, WAITS.length - 1); cards[one.id] = { box, due: Date.now() + WAITS[box] * DAY }; }
    keep({ done, cards });
  }
  function wrong(one) {
    const { cards } = progress();
    cards[one.id] = { box: 0, due: Date.now() };
    keep({ cards });
    if (!again.has(one)) { again.add(one); queue.push(one); carry(); } // it comes again before the end, once
  }
  function next() { queue.shift(); if (queue.length) ask(); else step(at + 1); }

  function finish() {
    placeStart();
    const others = app.info.roles.filter((one) => one !== lesson.role), isSolved = Boolean(app.solution);
    refill(bar(), h("section", { class: "card" }, h("h2", {}, "All together"),
      h("p", {}, `Follow the first of these rules that applies; where none does, any move will do. ${lesson.terms}`),
      h("ol", { class: "rules taught" }, lesson.rules.map((rule) => h("li", {}, h("span", { class: "number" }, String(rule.number)), h("span", { class: "stencil" }, rule.svg ? picture(rule.svg) : ""), h("span", { class: "text" }, rule.sentence, rule.why && h("small", { class: "quiet" }, rule.why))))),
      lesson.proof.map((line) => h("p", { class: "quiet" }, line)),
      h("div", { class: "row" }, h("button", { onclick: () => { app.setStrategy({ text: lesson.strategy, role: lesson.role }); app.show("strategy"); } }, "Open them in Strategy"))),
    others.length > 0 && h("section", { class: "card" }, h("h2", {}, "A match"),
      h("p", {}, isSolved ? `You play ${app.called(lesson.role)} against ${isCopy ? "a perfect player, who takes whatever a mistake gives" : "a player who makes no mistakes and sets traps: it leaves you where most moves are wrong, and takes what a mistake gives"}. The review afterwards shows each mistake${isCopy ? "" : ", and the rule against it"}.` : `You play ${app.called(lesson.role)} against a player who searches for a second.`),
      h("button", { class: "main", onclick: match }, "Play the match")));
  }
  const match = () => app.try(async () => {
    for (const one of app.info.roles) app.setPlayer(one, { ...app.players[one], kind: one === role ? "person" : isCopy || !app.solution ? "perfect" : "trap" });
    app.show("play");
    await app.restart();
  });

  // Words that are at hand come first; of other rules, what takes longer to say comes when it is found.
  async function describe(whole = false) {
    const found = await get(of(app.game, "/about"), { whole });
    if (!isHere()) return found;
    about = found;
    if (at === 0 && !current) introduce();
    if (!found.is_whole) app.try(() => describe(true));
    return found;
  }
  intro();
  // A lesson that needs no search begins by itself.
  const prepare = () => app.try(async () => {
    const { taught } = await describe();
    const isKnown = app.lessons[`${app.game} ${role ?? ""}`];
    if (isHere() && !isSolving() && (isKnown || asked.step || taught.includes(role ?? taught[0]))) await begin(role);
  });
  prepare();
  return {
    solving: () => { if (!lesson) { introduce(); if (!isSolving()) prepare(); } },
    position: () => { if (at === 0) placeStart(); },
    asked: (place) => {
      app.asked = null;
      if (lesson && (place.role ?? role) === role) goTo(place);
    },
    leave: () => { app.scene = null; },
  };
}
