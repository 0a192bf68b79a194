// The board: the server's picture, made to be clicked, dragged on, and read aloud.

import { fill, h, picture, svg } from "./dom.js";

const FRAMES = ["picked", "denies", "says", "fires", "blocks", "target"];

export class BoardView {
  picked = null; // the cell that a drag or the first of two clicks begins at
  mode = null; // a function that gets clicks on cells instead of moves
  outlines = {}; // class → cells

  constructor(app, root, caption, choices, status) {
    Object.assign(this, { app, root, caption, choices, status });
    addEventListener("pointerup", () => { if (this.held) { this.held = null; this.update(); } });
    app.addEventListener("position", () => this.draw());
    app.addEventListener("pending", () => this.update());
    app.addEventListener("players", () => this.update());
  }

  draw() {
    const { pos } = this.app;
    const focused = document.activeElement?.closest?.("#board [data-cell]")?.dataset.cell;
    const drawing = pos.svg ? picture(pos.svg) : svg("svg", { viewBox: "0 0 1 1", class: "none" });
    drawing.setAttribute("role", "group");
    drawing.style.setProperty("--natural", `${Math.max(12, Math.min(38, drawing.viewBox?.baseVal.width / 6 || 30))}rem`);
    fill(this.root, pos.svg && drawing);
    const caption = pos.caption && picture(pos.caption);
    if (caption) caption.style.width = `${caption.viewBox?.baseVal.width / 13.5}rem`;
    fill(this.caption, caption);
    this.picked = null;
    this.cells = new Map([...drawing.querySelectorAll("g[data-cell]")].map((g) => [g.dataset.cell, g]));
    for (const [cell, g] of this.cells) {
      g.dataset.label = g.getAttribute("aria-label") ?? `cell ${cell}`;
      g.addEventListener("click", (event) => { if (!this.dragged) this.click(cell, event); this.dragged = false; });
      g.addEventListener("keydown", (event) => {
        if (event.key !== "Enter") return;
        event.preventDefault();
        this.click(cell, event);
      });
      g.addEventListener("pointerdown", () => { this.from = cell; if (!this.mode && !this.picked && this.drags(cell).length) { this.held = cell; this.update(); } });
      g.addEventListener("pointerup", () => {
        if (this.from && this.from !== cell && !this.mode && this.drags(this.from).some((m) => m.cells.at(-1) === cell)) {
          this.dragged = true;
          const found = this.drags(this.from).filter((m) => m.cells.at(-1) === cell);
          this.from = null;
          this.choose(found);
        }
      });
    }
    this.update();
    if (focused && this.cells.has(focused)) this.cells.get(focused).focus({ preventScroll: true });
  }

  get moves() {
    const { pos, app } = this;
    const open = app.pos.chooses.filter((role) => !(role in app.pending));
    const people = open.filter((role) => app.players[role]?.kind === "person");
    const role = people[0] ?? open[0] ?? app.pos.roles[0];
    return pos.moves.filter((move) => move.role === role);
  }
  get pos() { return this.app.pos; }
  get isHeld() { return Boolean(this.picked || this.held); } // a move is half made
  clicks(cell) { return this.moves.filter((m) => m.kind === "click" && m.cells.includes(cell)); }
  drags(cell) { return this.moves.filter((m) => m.kind === "drag" && m.cells[0] === cell); }

  click(cell) {
    if (this.mode) { this.mode(cell); return; }
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

  make(move) { this.offer = null; this.app.try(() => this.app.move(move.role, move.number)); }

  set(outlines) { this.outlines = outlines; this.update(); }

  update() {
    const { app, pos } = this;
    if (!pos || !this.cells) return;
    const usable = new Map();
    for (const move of pos.is_over ? [] : this.moves) {
      const starts = move.kind === "drag" ? [move.cells[0]] : move.kind === "click" ? move.cells : [];
      for (const cell of starts) usable.set(cell, [...(usable.get(cell) ?? []), move]);
    }
    const start = this.picked ?? this.held;
    const targets = new Set(start ? this.drags(start).map((m) => m.cells.at(-1)) : []);
    for (const [cell, g] of this.cells) {
      const moves = usable.get(cell) ?? [];
      const can = moves.length > 0 || targets.has(cell) || Boolean(this.mode);
      const marks = ["can", "picked", "target", ...Object.keys(this.outlines)].filter((name) =>
        name === "can" ? can : name === "picked" ? cell === start : name === "target" ? targets.has(cell) : this.outlines[name].includes(cell));
      g.setAttribute("class", marks.join(" "));
      if (can) { g.setAttribute("tabindex", "0"); g.setAttribute("role", "button"); }
      else { g.removeAttribute("tabindex"); g.setAttribute("role", "img"); }
      const worth = !app.hide && app.values ? moves.map((m) => m.worth?.label).filter(Boolean).join(" or ") : "";
      const label = moves.length ? `; ${moves.length === 1 ? `play ${moves[0].text}` : `${moves.length} moves`}${worth ? `, ${worth}` : ""}` : targets.has(cell) ? "; move here" : "";
      g.setAttribute("aria-label", g.dataset.label + label);
    }
    this.frame();
    const offered = this.offer ?? (pos.is_over ? [] : this.moves.filter((m) => m.kind === "button"));
    this.offer = null;
    fill(this.choices, offered.slice(0, 120).map((move) =>
      h("button", { class: move.worth && app.values && !app.hide ? move.worth.outcome : "", onclick: () => this.make(move) },
        move.worth && app.values && !app.hide ? h("span", { class: "worth" }, `${move.worth.label} `) : null, move.text)));
    this.status.textContent = this.describe();
    // Where the picture says whose turn it is, this is for those who hear the page.
    this.status.className = pos.turns.length && !pos.is_over && !this.picked ? "said" : "";
  }

  // Frames of marked cells lie above all cells, so that no neighbour covers them.
  frame() {
    const drawing = this.root.firstElementChild;
    if (!drawing) return;
    drawing.querySelector("g.frames")?.remove();
    const frames = svg("g", { class: "frames", "aria-hidden": "true" });
    for (const g of this.cells.values()) {
      const kind = FRAMES.find((name) => g.classList.contains(name));
      if (!kind) continue;
      const frame = g.firstElementChild.cloneNode();
      frame.setAttribute("class", kind);
      if (frame.nodeName !== "line") frame.setAttribute("fill", "none");
      frames.append(frame);
    }
    drawing.append(frames);
  }

  describe() {
    const { app, pos } = this;
    if (pos.is_terminal) {
      return `The end: ${pos.result}`;
    }
    if (pos.stuck.length) return `Play is stuck: ${pos.stuck.join(" and ")} ${pos.stuck.length > 1 ? "have" : "has"} no legal move, and the rules do not end play here.`;
    const waiting = pos.chooses.filter((role) => !(role in app.pending));
    return `${(waiting.length ? waiting : pos.roles.slice(0, 1)).join(", ")} to move${this.picked ? ": choose where to" : ""}`;
  }
}
