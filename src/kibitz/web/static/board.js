// The board: the server's picture, made to be clicked, dragged on, and read aloud.

import { all, fill, h, picture, renew, svg } from "./dom.js";

const FRAMES = ["decides", "picked", "denies", "wrong", "right", "shows", "says", "fires", "blocks", "target"];
const WIDE = 20; // a line, and anything smaller, can be hit this many units of the picture across
const FAR = 6; // pixels that a pointer moves before it drags

export class BoardView {
  picked = null; // the cell that a drag or the first of two clicks begins at
  offer = null; // the moves of which one is meant, where a click may mean several
  mode = null; // a function that gets clicks on cells instead of moves
  outlines = {}; // class → cells

  constructor(app, root, caption, choices, status) {
    Object.assign(this, { app, root, caption, choices, status });
    addEventListener("pointermove", (event) => this.drag(event));
    addEventListener("pointerup", (event) => this.drop(event));
    addEventListener("pointercancel", () => this.letGo());
    app.addEventListener("position", () => { if (!app.scene) this.draw(); });
    for (const what of ["pending", "players", "thinking"]) app.addEventListener(what, () => this.update());
  }

  draw() {
    const { pos } = this;
    const focused = document.activeElement?.closest?.("#board [data-cell]:focus-visible")?.dataset.cell; // by keyboard
    const before = new Map([...(this.cells ?? [])].map(([cell, g]) => [cell, shape(g)]));
    const drawing = pos.svg ? picture(pos.svg) : svg("svg", { viewBox: "0 0 1 1", class: "none" });
    drawing.setAttribute("role", "group");
    drawing.setAttribute("aria-label", "Board");
    drawing.querySelector("title")?.remove(); // else every pause of the pointer shows the game's name
    drawing.style.setProperty("--natural", `${Math.max(12, Math.min(38, drawing.viewBox?.baseVal.width / 6 || 30))}rem`);
    fill(this.root, pos.svg && drawing);
    const caption = pos.caption && picture(pos.caption);
    if (caption) caption.style.width = `${caption.viewBox?.baseVal.width / (pos.svg ? 13.5 : 8.5)}rem`; // larger where it is all that is drawn
    fill(this.caption, caption);
    const here = this.app.scene ? null : this.app.here;
    if (!here || here !== this.drawn) this.picked = this.held = this.offer = null; // a move that is half made outlives new values
    this.drawn = here;
    this.cells = new Map([...drawing.querySelectorAll("g[data-cell]")].map((g) => [g.dataset.cell, g]));
    for (const [cell, g] of this.cells) {
      g.dataset.label = g.getAttribute("aria-label") ?? `cell ${cell}`;
      widen(g);
      if (before.size && before.has(cell) && before.get(cell) !== shape(g)) g.dataset.changed = "";
      g.addEventListener("click", (event) => { if (!this.dragged) this.click(this.nearest(cell, event)); });
      g.addEventListener("keydown", (event) => {
        if (event.key !== "Enter") return;
        event.preventDefault();
        this.click(cell);
      });
      g.addEventListener("pointerdown", (event) => {
        this.dragged = false;
        if (event.button === 0 && !this.mode && this.drags(cell).length) { this.held = { cell, x: event.clientX, y: event.clientY, ghost: null }; this.update(); }
      });
    }
    if (here && !this.dropped) for (const [from, to] of this.app.slides ?? []) this.slide(from, to);
    this.app.slides = [];
    this.dropped = false;
    this.update();
    if (focused && this.cells.has(focused)) {
      const g = this.cells.get(focused);
      if (!g.hasAttribute("tabindex")) g.setAttribute("tabindex", "-1");
      g.focus({ preventScroll: true });
    }
  }

  // A piece that was moved slides there from where it was; one that was dragged is there already.
  slide(from, to) {
    const [a, b] = [from, to].map((cell) => this.cells.get(cell)?.firstElementChild?.getBBox());
    const parts = [...(this.cells.get(to)?.children ?? [])].slice(1).filter((part) => !part.classList.contains("hit"));
    if (!a || !b || !parts.length || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    delete this.cells.get(to).dataset.changed;
    const ghost = svg("g", { class: "ghost", "aria-hidden": "true" });
    ghost.append(...parts.map((part) => part.cloneNode(true)));
    this.root.firstElementChild.append(ghost);
    for (const part of parts) part.style.visibility = "hidden";
    const gone = () => { ghost.remove(); for (const part of parts) part.style.visibility = ""; };
    ghost.animate([{ transform: `translate(${a.x - b.x}px, ${a.y - b.y}px)` }, { transform: "none" }], { duration: 240, easing: "ease-out" }).finished.then(gone, gone);
  }

  // Of lines that cross or lie close, the one is meant whose paint is nearest to the pointer, and first those that take a click.
  nearest(cell, { clientX, clientY, detail }) {
    if (!detail || this.cells.get(cell).firstElementChild?.nodeName !== "line") return cell;
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(this.root.firstElementChild.getScreenCTM().inverse());
    const far = (g) => {
      const [x1, y1, x2, y2] = ["x1", "y1", "x2", "y2"].map((name) => Number(g.firstElementChild.getAttribute(name)));
      const share = Math.min(1, Math.max(0, ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / ((x2 - x1) ** 2 + (y2 - y1) ** 2 || 1)));
      return Math.hypot(x - x1 - share * (x2 - x1), y - y1 - share * (y2 - y1));
    };
    const lines = [...this.cells].filter(([, g]) => g.firstElementChild?.nodeName === "line");
    const rank = ([, g]) => (g.classList.contains("can") && far(g) <= WIDE / 2 ? far(g) : WIDE + far(g));
    return lines.reduce((best, one) => (rank(one) < rank(best) ? one : best))[0];
  }

  // A piece follows the pointer that holds it, until it is let go over a cell.
  drag(event) {
    const { held } = this;
    if (!held || !held.ghost && Math.hypot(event.clientX - held.x, event.clientY - held.y) < FAR) return;
    const drawing = this.root.firstElementChild;
    if (!held.ghost) {
      held.ghost = svg("g", { class: "ghost", "aria-hidden": "true" });
      for (const part of [...this.cells.get(held.cell).children].slice(1)) if (!part.classList.contains("hit")) held.ghost.append(part.cloneNode(true));
      drawing.append(held.ghost);
    }
    const scale = drawing.getScreenCTM().a || 1;
    held.ghost.setAttribute("transform", `translate(${(event.clientX - held.x) / scale} ${(event.clientY - held.y) / scale})`);
  }
  drop(event) {
    const { held } = this;
    this.letGo();
    if (!held?.ghost) return;
    this.dragged = true; // the click that may follow is not one
    setTimeout(() => { this.dragged = false; });
    const cell = document.elementFromPoint(event.clientX, event.clientY)?.closest("#board [data-cell]")?.dataset.cell;
    const found = this.drags(held.cell).filter((m) => m.cells.at(-1) === cell);
    this.dropped = found.length > 0;
    if (found.length) this.choose(found);
  }
  letGo() {
    if (!this.held) return;
    this.held.ghost?.remove();
    this.held = null;
    this.update();
  }

  // The moves that the visitor may make now, of one role at a time.
  get moves() {
    const { pos, app } = this;
    if (pos.is_over) return [];
    if (app.scene) return pos.moves;
    const open = pos.chooses.filter((role) => !(role in app.pending));
    if (!pos.chooses.length) return app.isMatch && !app.isPersons(pos.roles) ? [] : pos.moves; // one move is left
    const role = open.find((one) => app.mayMove(one));
    return role === undefined ? [] : pos.moves.filter((move) => move.role === role);
  }
  get pos() { return this.app.scene?.pos ?? this.app.pos; }
  clicks(cell) { return this.moves.filter((m) => m.kind === "click" && m.cells.includes(cell)); }
  drags(cell) { return this.moves.filter((m) => m.kind === "drag" && m.cells[0] === cell); }

  click(cell) {
    if (this.mode) { this.mode(cell); return; }
    this.offer = null;
    if (this.picked && this.picked !== cell) {
      const found = this.drags(this.picked).filter((m) => m.cells.at(-1) === cell);
      if (found.length) { this.choose(found); return; }
    }
    const drags = this.drags(cell);
    this.picked = drags.length && this.picked !== cell ? cell : null;
    const clicks = this.clicks(cell);
    if (clicks.length) this.choose(clicks);
    else this.update();
  }

  choose(moves) {
    this.picked = null;
    if (moves.length === 1) { this.make(moves[0]); return; }
    this.offer = moves;
    this.update();
    this.choices.querySelector("button")?.focus();
  }

  make(move) {
    this.offer = null;
    if (this.app.scene) this.app.scene.choose(move);
    else this.app.try(() => this.app.move(move.role, move.number));
  }

  set(outlines) { this.outlines = outlines; this.update(); }

  // Show on the board what a move would do, for as long as something points at its name.
  hint(move) {
    const cells = move?.cells ?? [];
    this.set({ ...this.outlines, shows: cells });
  }

  update() {
    const { app, pos } = this;
    if (!pos || !this.cells) return;
    const usable = new Map();
    for (const move of this.moves) {
      const starts = move.kind === "drag" ? [move.cells[0]] : move.kind === "click" ? move.cells : [];
      for (const cell of starts) usable.set(cell, [...(usable.get(cell) ?? []), move]);
    }
    if (pos.decides?.length) this.outlines = { ...this.outlines, decides: pos.decides };
    else delete this.outlines.decides;
    const start = this.picked ?? this.held?.cell;
    const targets = new Set(start ? this.drags(start).map((m) => m.cells.at(-1)) : []);
    for (const [cell, g] of this.cells) {
      const moves = usable.get(cell) ?? [];
      const can = moves.length > 0 || targets.has(cell) || Boolean(this.mode);
      const marks = ["can", "grabs", "picked", "target", ...Object.keys(this.outlines)].filter((name) =>
        name === "can" ? can : name === "grabs" ? moves.some((m) => m.kind === "drag") : name === "picked" ? cell === start || this.outlines.picked?.includes(cell) : name === "target" ? targets.has(cell) || this.outlines.target?.includes(cell) : this.outlines[name].includes(cell));
      g.setAttribute("class", [...new Set(marks)].join(" "));
      if (can) { g.setAttribute("tabindex", "0"); g.setAttribute("role", "button"); }
      else { if (g !== document.activeElement) g.removeAttribute("tabindex"); else g.setAttribute("tabindex", "-1"); g.setAttribute("role", "img"); }
      const worth = !app.hide && app.values ? moves.map((m) => m.worth?.label).filter(Boolean).join(" or ") : "";
      const label = moves.length ? `; ${moves.length === 1 ? app.name(moves[0]) : `${moves.length} moves`}${worth ? `, ${worth}` : ""}` : targets.has(cell) ? "; move here" : "";
      g.setAttribute("aria-label", g.dataset.label + label);
    }
    this.root.setAttribute("aria-busy", String(Boolean(app.thinking)));
    this.frame();
    const offered = this.moves.filter((m) => (this.offer ? this.offer.some((one) => one.role === m.role && one.number === m.number) : m.kind === "button"));
    this.chooses = this.choices.contains(document.activeElement) || Boolean(this.chooses) && document.activeElement === document.body; // by keyboard
    const isForced = !app.scene && !pos.chooses.length && offered.length > 0; // one joint move is left
    if (isForced) renew(this.choices, h("button", { onclick: () => this.make(offered[0]) }, ["Go on", this.moves.filter((move) => move.text.startsWith("(")).map((move) => app.name(move)).join(" / ")].filter(Boolean).join(": ")));
    else renew(this.choices, offered.slice(0, 120).map((move) =>
      h("button", { "data-key": `${move.role} ${move.number}`, class: move.worth && app.values && !app.hide ? move.worth.outcome : "", onclick: () => this.make(move) },
        move.worth && app.values && !app.hide ? h("span", { class: "worth" }, `${move.worth.label} `) : null, app.name(move))));
    if (this.chooses && document.activeElement === document.body) this.choices.querySelector("button")?.focus({ preventScroll: true });
    const text = this.describe();
    if (this.status.textContent !== text) this.status.textContent = text;
    // Where the picture says whose turn it is, this is for those who hear the page.
    this.status.className = pos.turns.length && !pos.is_over && !this.picked && !app.thinking && !app.scene ? "said" : "";
  }

  // Frames of marked cells lie above all cells, so that no neighbour covers them.
  frame() {
    const drawing = this.root.firstElementChild;
    if (!drawing) return;
    drawing.querySelector("g.frames")?.remove();
    const frames = svg("g", { class: "frames", "aria-hidden": "true" });
    for (const g of this.cells.values()) {
      const kind = FRAMES.find((name) => g.classList.contains(name));
      const first = [...g.children].find((part) => part.nodeName !== "title");
      if (!kind || !first) continue;
      const frame = first.cloneNode();
      frame.setAttribute("class", kind);
      if (frame.nodeName !== "line") frame.setAttribute("fill", "none");
      if (frame.nodeName === "circle") frame.setAttribute("r", String(Math.max(frame.getAttribute("r"), 0.8 * WIDE))); // around what stands there
      frames.append(frame);
    }
    const last = [...this.cells.values()].at(-1);
    if (last) last.after(frames); // below the values
  }

  describe() {
    const { app, pos } = this;
    if (app.scene) return app.scene.text ?? "";
    if (pos.is_terminal) return `The end: ${pos.result}`;
    if (pos.stuck.length) return `Play is stuck: ${pos.stuck.join(" and ")} ${pos.stuck.length > 1 ? "have" : "has"} no legal move, and the rules do not end play here.`;
    if (app.thinking) return `${app.called(app.thinking)} is thinking …`;
    const waiting = pos.chooses.filter((role) => !(role in app.pending));
    const who = waiting.map((role) => app.called(role));
    if (who.length > 1) return `${all(who)} choose at the same time`;
    return `${pos.roles.length === 1 ? "Your move" : `${who[0] ?? app.called(pos.roles[0])} to move`}${this.picked ? ": choose where to" : ""}`;
  }
}

// Lines and small things are hit beside the paint as well: an invisible shape lies over each.
function widen(g) {
  const first = [...g.children].find((part) => part.nodeName !== "title");
  if (!first) return;
  const small = first.nodeName === "circle" && Number(first.getAttribute("r")) < WIDE / 2;
  if (first.nodeName !== "line" && !small) return;
  const hit = first.cloneNode();
  for (const name of ["stroke-dasharray", "fill", "stroke"]) hit.removeAttribute(name);
  hit.setAttribute("class", "hit");
  if (small) hit.setAttribute("r", String(WIDE / 2));
  else hit.setAttribute("stroke-width", String(WIDE));
  g.append(hit);
}

// What a cell shows, to see whether that has changed.
const shape = (g) => [...g.children].slice(1).filter((part) => !part.classList.contains("hit")).map((part) => part.outerHTML).join("") + (g.firstElementChild?.nodeName === "line" ? g.firstElementChild.outerHTML : "");
