// A copy of the page without a server: questions are answered from what was written beside it.

const all = globalThis.kibitzAnswers ?? null;
export const isCopy = Boolean(all);
const known = (number) => (number === null ? null : all.table[number]);
const drawn = (pieces) => pieces.map(known).join("");
const refused = (message) => ({ error: { code: "copy", message, hint: "kibitz web answers it" } });
const job = (kind, result) => (result?.error ? { id: kind, kind, status: "failed", error: result.error, hint: "" } : { id: kind, kind, game: all.game.id, status: "done", progress: "", result });

// The states of a line, as far as it is legal, with what was played between them.
function walk(line) {
  const went = { states: [all.states[0]], line: [], played: [], words: [] };
  for (const number of line ? line.split(".").map(Number) : []) {
    const state = went.states.at(-1);
    if (state.next[number] === undefined) break;
    const made = made_by(state, number);
    went.line.push(number);
    went.played.push(made.map((move) => move.text).join(" / "));
    went.words.push(made.map((move) => move.words).join(" / "));
    went.states.push(all.states[state.next[number]]);
  }
  return went;
}
// The moves of a joint move, without those of roles that had no choice.
function made_by(state, number) {
  const { roles, counts } = known(state.facts), moves = state.moves.map(([move]) => known(move));
  const each = roles.map((role, i) => {
    const own = Math.floor(number / counts.slice(i + 1).reduce((product, count) => product * count, 1)) % counts[i];
    return { ...moves.find((move) => move.role === role && move.number === own), free: counts[i] > 1 };
  });
  const chosen = each.filter((move) => move.free);
  const said = chosen.length ? chosen : each.filter((move) => move.text.startsWith("("));
  return said.length ? said : each.slice(0, 1);
}

function position({ line, values, hide }) {
  const went = walk(line), state = went.states.at(-1), isOpen = hide !== "true";
  return {
    game: all.game.id, line: went.line.join("."), ply: went.line.length, state: [], played: went.played, played_words: went.words,
    svg: drawn(isOpen && values === "true" ? state.valued : state.svg), caption: drawn(state.caption), ...known(state.facts), worth: isOpen ? known(state.worth) : {},
    moves: state.moves.map(([move, worth]) => ({ ...known(move), worth: isOpen ? known(worth) : null })),
  };
}
function reply({ line, role, opponent }) {
  const state = walk(line).states.at(-1), { roles, counts } = known(state.facts);
  const own = state.moves.filter(([move, , best]) => known(move).role === role && (best || opponent === "random"));
  const picked = own[Math.floor(Math.random() * own.length)];
  const number = roles.reduce((sum, one, i) => sum * counts[i] + (one === role ? known(picked[0]).number : 0), 0);
  return { line: [line, number].filter((part) => part !== "").join("."), number, move: known(picked[0]).text, by: opponent };
}
function timeline({ line }) {
  const went = walk(line);
  return { game: all.game.id, moments: went.states.map((state, ply) => ({ ply, played: went.played[ply - 1] ?? "", worth: known(state.worth) })) };
}

// What a move gives away, by the values that were written; null where it gives away nothing.
function judged(state, role, number) {
  const own = state.moves.map(([move, worth, isBest]) => ({ ...known(move), worth: known(worth), isBest })).filter((move) => move.role === role && move.worth);
  const most = Math.max(...own.map((move) => move.worth.goal)), made = own.find((move) => move.number === number);
  if (!made || made.worth.goal >= most) return null;
  const best = own.filter((move) => move.worth.goal === most && move.isBest);
  return { role, move: made.text, words: made.words, worth: made.worth, best: best[0].worth, best_moves: best.map((one) => one.text), best_words: best.map((one) => one.words),
    verdict: `It ${made.worth.text}, where another move ${best[0].worth.text}.`, rule: "", is_own: false };
}
function review({ line }) {
  const went = walk(line);
  const mistakes = went.line.flatMap((number, at) => made_by(went.states[at], number).map((move) => judged(went.states[at], move.role, move.number)).filter(Boolean).map((one) => ({ ply: at + 1, ...one })));
  return { mistakes, text: mistakes.length ? `${mistakes.length} move${mistakes.length > 1 ? "s" : ""} gave something away.` : "No move gave anything away." };
}

export function answer(method, path, body) {
  const url = new URL(path, "copy://page");
  const asked = { line: "", ...Object.fromEntries(url.searchParams), ...body };
  const rest = url.pathname.replace(`/api/games/${encodeURIComponent(all.game.id)}`, "");
  const answers = {
    "": () => ({ ...all.game, solving: job("solve", all.solution) }),
    "/api/games": () => ({ games: [] }),
    "/position": () => position(asked), "/timeline": () => timeline(asked), "/reply": () => reply(asked), "/review": () => review(asked),
    "/why": () => ({ cause: "", verdict: judged(walk(asked.line).states.at(-1), asked.role, Number(asked.move))?.verdict ?? "" }),
    "/about": () => all.about,
    "/hint": () => known(walk(asked.line).states.at(-1).hints[asked.step - 1]),
    "/jobs": () => (asked.kind === "lesson" ? job("lesson", all.lessons[asked.role ?? ""])
      : asked.kind === "puzzles" ? job("puzzles", all.puzzles[`${asked.role} ${asked.win_in}`] ?? { error: "these puzzles are not in this copy of the page" }) : null),
  };
  return answers[rest]?.() ?? refused("this copy of the page has no answer to that");
}
