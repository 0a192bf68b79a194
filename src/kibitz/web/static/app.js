// What the page knows: the game, the line that is on the board, the lines tried, who plays.

import { ApiError, follow, get, of, post, remove } from "./api.js";

const stored = (key, fallback) => {
  try { return JSON.parse(localStorage.getItem(key)) ?? fallback; } catch { return fallback; }
};
export const numbers = (line) => (line ? line.split(".").map(Number) : []); // of the joint moves of a line
const store = (key, value) => { try { localStorage.setItem(key, JSON.stringify(value)); } catch { /* full, or forbidden */ } };

export class App extends EventTarget {
  view = "play";
  game = "";
  info = null;
  line = [];
  wanted = []; // the line that was asked for last, which is on the board when it has come
  pos = null;
  flip = false;
  values = false;
  hide = false;
  spoils = true; // false in puzzles: nothing shows the answer
  players = {}; // role → {kind, depth, rules}
  pending = {};
  tree = { children: new Map(), last: null, text: "" };
  solving = null;
  isWatched = false; // the job that solves the game is followed
  shown = null; // one object for each time that a view is shown
  analysis = null; // the search of the position on the board: { here, job, view, drawn, error }
  strategy = { text: "", role: "" };
  patience = 40_000; // ms until a player who has not chosen is asked again, once
  thinking = ""; // the role whose player chooses a move now
  scene = null; // a position of a lesson that is on the board instead: { pos, choose }
  #turn = 0;
  #arriving = null; // the position that was asked for last
  #opening = 0;
  #thought = null;
  #released = Promise.resolve(); // fulfilled as long as no button of a pointer is pressed

  constructor() {
    super();
    let release = () => {};
    addEventListener("pointerdown", () => { release(); this.#released = new Promise((go) => { release = go; }); }, true);
    for (const what of ["pointerup", "pointercancel", "blur"]) addEventListener(what, () => setTimeout(() => release())); // after the click
  }

  // Whether a visitor still sees what an answer was asked for: the same view of the same game, and the same position if `line` counts.
  stays(line = false) {
    const { shown, here } = this;
    return () => this.shown === shown && (!line || this.here === here);
  }

  // A move as one wants to read it: in words, or as the rules write it.
  name(move) { return this.terms ? move.text : move.words || move.text; }

  emit(what) { this.dispatchEvent(new Event(what)); }
  say(message, hint = "") { this.message = message ? [message, hint].filter(Boolean).join("\n") : ""; this.emit("message"); }

  // Run something that asks the server; errors are shown, not thrown.
  async try(work) {
    try { return await work(); }
    catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code !== "cancelled") this.say(error.message, error.hint);
      return undefined;
    }
  }

  // Open a game by its name or key, or from `rules`, which a link may carry; the last that is asked for counts.
  async open(game, line = [], rules = null) {
    const opening = ++this.#opening;
    this.say("");
    const early = this.ask(game, line).catch(() => null); // at the same time, for a board that comes soon
    let info;
    try { info = await get(of(game)); }
    catch (error) {
      const text = game.startsWith("~") ? rules ?? stored(`rules ${game}`, null) : null;
      if (!text) throw error;
      info = await this.make(text);
    }
    return opening === this.#opening && info ? this.take(info, line, await early) : false;
  }

  // Make a game of a rule sheet, as a job that can be watched and cancelled.
  async make(rules, report = (view) => this.opening(view)) {
    try { return await follow(await post("/api/open", rules), report); }
    finally { this.opening(null); }
  }
  opening(job) { this.making = job && ["running", "waiting"].includes(job.status) ? job : null; this.emit("making"); }

  // A game that was made while one did something else waits until it is wanted.
  ready(info) { this.waiting = info; this.emit("making"); }

  // Whether nobody has opened another game since a moment ago.
  get visit() { return this.#opening; }

  async take(info, line = [], early = null) {
    const opening = ++this.#opening;
    const packed = info.id.startsWith("~") ? await pack(info.rules) : "";
    early ??= await this.ask(info.id, line);
    if (opening !== this.#opening) return false; // until here the page shows what it showed
    this.isWatched = false;
    this.thinking = "";
    this.scene = null;
    this.game = info.id;
    this.info = info;
    this.solution = this.solving = null;
    this.estimated = this.unsearched = "";
    this.tree = { children: new Map(), last: null, text: "" };
    this.pending = {};
    const known = stored(`players ${this.game}`, {});
    this.players = Object.fromEntries(info.roles.map((role, i) => [role, known[role] ?? { kind: i ? "perfect" : "person", depth: 1, rules: 1 }]));
    this.strategy = stored(`strategy ${this.game}`, { text: "", role: info.roles[0] });
    if (!info.roles.includes(this.strategy.role)) this.strategy.role = info.roles[0];
    this.packed = packed;
    if (packed) store(`rules ${info.id}`, { text: info.rules, name: info.name });
    await this.goto(line, { early });
    this.emit("game");
    if (info.solving) this.watch(info.solving);
    return true;
  }

  async watch(job) {
    const { info } = this; // a game that is opened again is another
    this.isWatched = true;
    try {
      const found = await follow(job, (view) => { if (this.info === info) { this.solving = view; this.emit("solving"); } });
      if (this.info === info) { this.solution = found; await this.refresh(); }
    } catch (error) { if (!(error instanceof ApiError)) throw error; }
    if (this.info !== info) return;
    this.isWatched = false;
    this.emit("solving");
    this.estimate();
  }

  get lineText() { return this.line.join("."); }

  ask(game, line) {
    return get(of(game, "/position"), {
      line: line.join("."), flip: this.flip, values: this.values && this.spoils, hide: this.hide || !this.spoils, legal: true,
    });
  }

  // What is shown beside the position goes into the address too.
  carry(extra, isNew = false) {
    this.extra = extra;
    if (isNew) { this.address(); return; }
    history.replaceState(null, "", this.link());
    if (this.info) this.note(this.link());
  }

  async goto(line, { quiet = false, early = null } = {}) {
    const turn = ++this.#turn;
    this.wanted = line;
    if (this.analysis && this.analysis.here !== `${this.game} ${line.join(".")}`) this.stop();
    const asked = early ? Promise.resolve(early) : this.ask(this.game, line);
    this.#arriving = asked.catch(() => {});
    const pos = await asked;
    const isSame = line === this.line && this.pos !== null && !early;
    if (isSame) await this.#released; // new values wait until a click has ended, which would else be lost
    if (turn !== this.#turn) return;
    if (line !== this.line && this.thinking) { this.#thought = null; this.think(""); } // nobody waits for that move now
    const kept = numbers(pos.line);
    if (!quiet && this.message) this.say("");
    if (kept.length < line.length) { this.say(`Move ${kept.length + 1} of this line is not legal there.`, "The board shows the position before it."); line = kept; }
    this.slides = this.pos && line.length === this.line.length + 1 ? this.drags(line.at(-1)) : [];
    this.line = this.wanted = line;
    pos.stuck = pos.is_terminal ? [] : pos.roles.filter((_, i) => !pos.counts[i]); // who has no legal move
    pos.is_over = pos.is_terminal || pos.stuck.length > 0;
    this.pos = pos;
    if (!isSame) this.pending = {}; // what one role has chosen outlives new values
    this.remember();
    if (!quiet) this.address();
    this.emit("position");
    this.estimate();
  }

  // From which cell to which pieces go in a joint move of the position on the board.
  drags(number) {
    const { roles, counts, moves } = this.pos;
    return roles.flatMap((role, i) => {
      const own = Math.floor(number / counts.slice(i + 1).reduce((product, count) => product * count, 1)) % counts[i];
      return moves.filter((move) => move.kind === "drag" && move.role === role && move.number === own).map((move) => [move.cells[0], move.cells.at(-1)]);
    });
  }

  get here() { return `${this.game} ${this.lineText}`; }

  // Games that are not solved get the estimates of a short search, once for each position; then
  // its moves are proved one after another, as long as the position is on the board.
  async estimate() {
    const { pos, here } = this;
    const wanted = this.solving?.status === "failed" && this.solving.game === this.game && (this.view === "see" || this.values) && this.spoils && !this.hide;
    if (!wanted || pos.is_over) { this.stop(); return; }
    if (pos.moves.some((move) => move.worth) || this.estimated === here) { await this.analyse(); return; }
    this.estimated = here;
    try { await get(of(this.game, "/estimate"), { line: this.lineText }); }
    catch (error) { if (!(error instanceof ApiError)) throw error; this.unsearched = error.message; this.emit("solving"); return; }
    if (this.here === here) await this.refresh();
  }

  async analyse(again = false) {
    if (this.analysis?.here === this.here && !again) return;
    const mine = this.analysis = { here: this.here, job: null, view: null, drawn: "0 0", error: "" };
    try {
      mine.job = await post(of(this.game, "/jobs"), { kind: "analyse", line: this.lineText });
      if (this.analysis !== mine) { this.#cancel(mine.job); return; }
      await follow(mine.job, (view) => {
        mine.view = view;
        if (this.analysis !== mine) return;
        this.emit("analysis");
        const news = `${view.partial?.proved ?? 0} ${view.partial?.playouts ?? 0}`; // proved moves, and estimates that are deeper
        if (news === mine.drawn) return;
        mine.drawn = news;
        this.try(() => this.refresh());
      });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code !== "cancelled") mine.error = error.message;
    }
    if (this.analysis === mine) this.emit("analysis");
  }

  // End the search of a position: what it proved stays on the page if it is only paused.
  stop(pause = false) {
    const { analysis } = this;
    if (!pause) this.analysis = null;
    if (analysis?.job && !["done", "failed", "cancelled"].includes(analysis.view?.status)) this.#cancel(analysis.job);
  }

  #cancel(job) { remove(`/api/jobs/${encodeURIComponent(job.id)}`).catch(() => {}); }

  // New values of the position on the board; a move that is being made comes first, or it would be lost.
  async refresh() {
    for (let last = null; last !== this.#arriving;) { last = this.#arriving; await last; }
    return this.goto(this.line, { quiet: true });
  }

  remember() {
    let node = this.tree;
    this.line.forEach((number, i) => {
      if (!node.children.has(number)) node.children.set(number, { children: new Map(), last: null, text: this.pos.played[i] ?? String(number), words: this.pos.played_words[i] ?? String(number) });
      node.last = number;
      node = node.children.get(number);
    });
    node.chooses = this.pos.chooses;
  }

  // All lines that were tried, each to its end.
  lines(node = this.tree, line = []) {
    if (!node.children.size) return line.length ? [line.join(".")] : [];
    return [...node.children].flatMap(([number, child]) => this.lines(child, [...line, number]));
  }

  node(line = this.line) { return line.reduce((node, number) => node?.children.get(number), this.tree); }

  // The line as far as it was tried before, for stepping forward.
  get whole() {
    const line = [...this.line];
    let node = this.node();
    while (node?.last !== null && node) { line.push(node.last); node = node.children.get(node.last); }
    return line;
  }

  back() { return this.line.length ? this.goto(this.line.slice(0, -1)) : null; }
  forward() { const whole = this.whole; return whole.length > this.line.length ? this.goto(whole.slice(0, this.line.length + 1)) : null; }

  // Take back to where a person last had a choice, or go forward to where one has the next.
  async undo() {
    let line = this.line.slice(0, -1);
    while (line.length && !this.isPersons(this.node(line)?.chooses)) line = line.slice(0, -1);
    await this.goto(line);
    while (this.line.length && !this.isPersons(this.pos.chooses)) await this.goto(this.line.slice(0, -1));
    await this.answer();
  }
  async redo() {
    do { if (await this.forward() === null) break; } while (!this.isPersons(this.pos.chooses));
    await this.answer();
  }
  isPersons(chooses) { return !chooses || chooses.some((role) => this.players[role]?.kind === "person"); }

  // Only where one plays against others do they answer; everywhere else all sides are the visitor's.
  get isMatch() { return this.view === "play" || this.view === "puzzles"; }
  mayMove(role) { return !this.isMatch || !this.thinking && this.players[role]?.kind === "person"; }
  mayPlay() { return this.pos.chooses.some((role) => this.players[role]?.kind === "person") || !this.pos.chooses.length; }

  number(choice) {
    return this.pos.roles.reduce((number, role, i) => number * this.pos.counts[i] + (choice[role] ?? 0), 0);
  }

  // A person makes a move for a role; when all who choose have chosen, it is played.
  async move(role, number) {
    const { pos, line: before, isMatch } = this;
    if (pos.is_over || this.thinking || pos.chooses.length && !this.mayMove(role)) return;
    const chosen = this.pending = { ...this.pending, [role]: number };
    const open = pos.chooses.filter((other) => !(other in chosen));
    if (open.some((other) => this.mayMove(other))) { this.emit("pending"); return; }
    try { for (const other of open) chosen[other] = await this.choice(other); }
    catch (error) { this.pending = {}; throw error; }
    if (this.line !== before) return;
    const played = this.number(chosen);
    await this.goto([...before, played]);
    this.lastMove = { line: before, number: played, role };
    this.emit("moved");
    if (isMatch) await this.answer();
  }

  async choice(role) {
    const player = this.players[role] ?? { kind: "perfect" };
    const mine = this.#thought = {};
    this.think(role);
    let found;
    const ask = () => post(of(this.game, "/reply"), this.wish(role, player), this.patience);
    try { found = await ask().catch((error) => { if (error.code !== "network" || this.#thought !== mine) throw error; return ask(); }); }
    finally { if (this.#thought === mine) this.think(""); }
    let number = found.number;
    for (let i = this.pos.roles.length - 1; i > this.pos.roles.indexOf(role); i--) number = Math.floor(number / this.pos.counts[i]);
    return number % this.pos.counts[this.pos.roles.indexOf(role)];
  }

  called(role) { return this.info?.names?.[role] ?? role; } // what people call a role
  think(role) { this.thinking = role; this.emit("thinking"); }

  wish(role, player) {
    const kind = player.kind === "person" ? "perfect" : player.kind;
    return {
      line: this.lineText, role, seed: this.seed ?? 0,
      opponent: kind === "knows" ? "strategy" : kind,
      depth: Number(player.depth) || 1,
      level: Math.min(8, Math.max(1, Number(player.level) || 5)),
      strategy: kind === "strategy" || kind === "knows" ? this.strategy.text : "",
      rules: kind === "knows" ? Number(player.rules) || 1 : null,
    };
  }

  // Let players who are not persons play, until a person has a choice or play ends.
  async answer() {
    if (this.thinking) return;
    for (let plies = 0; plies < 400; plies++) {
      const pos = this.pos;
      if (pos.is_over || this.mayPlay() && pos.chooses.length) return;
      const roles = pos.chooses.length ? pos.chooses : [pos.roles[0]];
      const line = this.line;
      const choice = {};
      if (pos.chooses.length) for (const role of roles) choice[role] = await this.choice(role);
      if (this.line !== line) return;
      await this.goto([...line, this.number(choice)]);
      if (Object.values(this.players).every((player) => player.kind !== "person")) await new Promise((go) => setTimeout(go, 150));
    }
  }

  async best() {
    const pos = this.pos;
    if (!pos || pos.is_over || this.thinking) return;
    const { line } = this;
    const role = pos.chooses[0] ?? pos.roles[0];
    const found = await post(of(this.game, "/reply"), { line: this.lineText, role, opponent: "perfect" });
    if (this.line !== line) return;
    await this.goto(numbers(found.line));
    this.lastMove = null;
    if (this.isMatch) await this.answer();
  }

  async restart() { this.seed = Math.floor(Math.random() * 1e9); await this.goto([]); await this.answer(); }

  setPlayer(role, player) { this.players[role] = player; store(`players ${this.game}`, this.players); this.emit("players"); }
  setStrategy(strategy) { this.strategy = strategy; store(`strategy ${this.game}`, strategy); this.emit("strategy"); }

  // The address carries all that is needed to come back, also on another machine and after a restart.
  link() {
    const isDesign = this.view === "design"; // a game in the making is its text alone
    const parts = new URLSearchParams(isDesign ? { view: "design" } : { view: this.view, game: this.game });
    if (!isDesign && this.line.length) parts.set("line", this.lineText);
    if (this.flip) parts.set("flip", "1");
    for (const [name, value] of Object.entries(this.extra ?? {})) if (value) parts.set(name, value);
    if (!isDesign && this.packed && this.packed.length < MOST_PACKED) { parts.set("name", this.info.name); parts.set("rules", this.packed); }
    return `#${parts}`;
  }

  address() {
    const hash = this.link();
    if (location.hash !== hash) history.pushState(null, "", hash);
    if (this.info) this.note(hash);
  }

  // What one did last, the latest first, for the start page.
  note(hash) {
    if (this.view === "design") return;
    const others = stored("recent", []).filter((one) => one.game !== this.game);
    store("recent", [{ game: this.game, name: this.info.title, view: this.view, hash, moves: this.line.length }, ...others].slice(0, 8));
  }
}

const MOST_PACKED = 60_000; // a longer rule sheet does not go into an address

// A text as letters that an address may have: deflated, in base64 with - and _.
export async function pack(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let letters = "";
  for (const byte of bytes) letters += String.fromCharCode(byte);
  return btoa(letters).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}
const MOST_UNPACKED = 300_000; // what a rule sheet may have
export async function unpack(packed) {
  try {
    const bytes = Uint8Array.from(atob(packed.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
    const decoder = new TextDecoder();
    let text = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      text += decoder.decode(value, { stream: true });
      if (text.length > MOST_UNPACKED) return null;
    }
  } catch { return null; }
}

export { store, stored };
