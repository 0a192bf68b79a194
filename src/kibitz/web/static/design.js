// The view Design: a form makes sentences, sentences make a game, and the game is tried at once.

import { get, post } from "./api.js";
import { pack, store, stored, unpack } from "./app.js";
import { fill, h, later, renew, select } from "./dom.js";
import { showFindings } from "./rules.js";
import { fairness, makeReport } from "./report.js";

const PARTS = [["board", "Board"], ["pieces", "Players and pieces"], ["moves", "Moves"], ["end", "End"]];
const DRAFT = "design";

export function designPanel(root, app) {
  const carried = app.asked?.design;
  app.asked = null;
  let { templates, sentences } = { templates: [], sentences: {} };
  let turn = 0, drawn = null, made = null;
  const isHere = app.stays();
  const kind = h("select", { id: "design-kind", onchange: () => fromTemplate() });
  const name = h("input", { id: "design-name", maxlength: "60", value: "My game", oninput: () => fromForm() });
  const number = (label) => h("input", { type: "number", min: "1", max: "26", "aria-label": label, oninput: () => fromForm() });
  const columns = number("Columns, or counters"), rows = number("Rows");
  const text = h("textarea", { class: "rules english", spellcheck: "false", "aria-label": "Rules in sentences", oninput: () => soon() });
  const parts = h("div", { class: "parts" });
  const status = h("p", { role: "status", "aria-live": "polite" });
  const findings = h("ul", { class: "findings" });
  const job = h("div", { class: "job", hidden: true });
  const verdict = h("div", { "aria-live": "polite" });
  const buttons = [["Is it fair?", fair, "main"], ["Play it", () => go("play")], ["Find its rules", () => go("learn")], ["Puzzles", () => go("puzzles")], ["Report", () => go("report")]]
    .map(([label, work, style = ""]) => h("button", { class: style, disabled: true, onclick: () => app.try(() => work()) }, label));
  fill(root,
    h("section", { class: "card" }, h("h2", {}, "Design a game"),
      h("div", { class: "field" }, h("label", { for: "design-kind" }, "Kind of game"), kind, h("label", { for: "design-name" }, "Name"), name, h("span", { class: "quiet" }, "Size"), h("div", { class: "row" }, columns, h("span", {}, "by"), rows)),
      parts),
    h("section", { class: "card" }, h("h2", {}, "Its rules"), h("p", { class: "quiet" }, "Change any sentence; the form and the board follow."), text, status, findings),
    h("section", { class: "card" }, h("h2", {}, "Try it"), h("div", { class: "row" }, buttons), job, verdict));

  const chosen = () => templates.find((one) => one.kind === kind.value) ?? templates[0];
  const title = () => name.value.replace(/[^\p{L}\p{N} '-]/gu, "").trim() || "My game";
  const write = (one, size) => one.text.replaceAll("$name", title()).replaceAll("$columns", size[0]).replaceAll("$rows", size[1]);
  let last = ""; // the text as the template gave it: while nobody changed it, the form writes it anew
  function fromTemplate() {
    const one = chosen();
    [columns.value, rows.value] = [one.columns, one.rows];
    put(write(one, [one.columns, one.rows]));
    last = text.value;
  }
  // Name and size go into the template as long as it is unchanged, and else into their sentences alone.
  function fromForm() {
    if (columns.value === "" && !columns.disabled || rows.value === "" && !rows.disabled) return;
    if (text.value === last) { put(write(chosen(), [columns.value || chosen().columns, rows.value || chosen().rows])); last = text.value; return; }
    const size = [columns.value, rows.value], board = boardSentence();
    const resized = board?.replace(/\d+/g, (old) => size.shift() ?? old);
    put(text.value.replace(/^Name:.*$/m, `Name: ${title()}.`).replace(board ?? "", resized ?? ""));
  }
  function put(value) { text.value = value; soon(); }

  const boardSentence = () => drawn?.sentences.find((one) => one.part === "board" && !/^(Name|Game|Title):/i.test(one.text) && /\d/.test(one.text))?.text;
  // The sentences of the text by their part, each with a button that takes it out, and others to add.
  function showParts() {
    const size = boardSentence()?.match(/\d+/g) ?? [];
    [columns, rows].forEach((box, i) => { box.disabled = !size[i]; if (box !== document.activeElement) box.value = size[i] ?? ""; });
    renew(parts, PARTS.map(([part, label]) => {
      const here = drawn.sentences.filter((one) => one.part === part);
      return h("fieldset", {}, h("legend", {}, label),
        h("ul", { class: "sentences" }, here.map((one) => h("li", {}, h("span", {}, one.text), h("button", { class: "small plain", "aria-label": `Take out: ${one.text}`, onclick: () => takeOut(one.text) }, "✕")))),
        select([["", "Add …"], ...(sentences[part] ?? []).map((one) => [one, one])], "", (one) => one && put(`${text.value.trimEnd()}\n${one}\n`), { "aria-label": `Add a sentence: ${label}` }));
    }));
  }
  const takeOut = (sentence) => {
    const at = text.value.indexOf(sentence);
    if (at >= 0) put(text.value.slice(0, at) + text.value.slice(at + sentence.length).replace(/^[.!]?[ \t]*\n?/, ""));
  };

  async function check() {
    const mine = ++turn, rules = { text: text.value };
    keep();
    fill(verdict);
    const packed = await pack(text.value);
    if (mine !== turn || !isHere()) return;
    app.carry({ design: packed });
    const ask = (path, body) => post(path, body).catch((error) => ({ error }));
    const found = await ask("/api/check", rules);
    if (mine !== turn || !isHere()) return;
    if (found.error) { status.className = "loss"; status.textContent = found.error.message; return; }
    showFindings({ status, findings, text }, found, found.is_valid ? " · playing it …" : "");
    for (const button of buttons) button.disabled = !found.is_valid;
    const seen = await ask("/api/design", rules);
    if (mine !== turn || !isHere() || seen.error) return;
    drawn = seen;
    showParts();
    place();
    if (!found.is_valid) return;
    const played = await ask("/api/check", { ...rules, play: true });
    if (mine === turn && isHere()) showFindings({ status, findings, text }, played.error ? found : played, played.played ? ` · ${played.played}` : " · not played");
  }
  const keep = () => store(DRAFT, { text: text.value, kind: kind.value, name: name.value });
  const checkLater = later(300, check), soon = () => { keep(); checkLater(); };
  function place() {
    app.scene = { text: drawn.why && `No board yet: ${drawn.why}.`, choose: () => {}, pos: { svg: drawn.svg, caption: drawn.caption, moves: [], chooses: [], roles: drawn.roles, turns: [], stuck: [], is_over: false, decides: [] } };
    app.board.outlines = {};
    app.board.draw();
  }

  const rulesNow = () => ({ text: text.value, name: title().replace(/[^\w .:,+-]/g, "-").slice(0, 60) });
  async function build() { // once for each text
    const rules = rulesNow();
    if (made?.text === rules.text && made.name === rules.name) return made.info;
    const info = await app.make(rules);
    made = { ...rules, info };
    return info;
  }
  async function fair() {
    const mine = turn, info = await build();
    fill(verdict);
    const found = await makeReport(app, info.id, job, true);
    if (found && mine === turn && isHere()) fill(verdict, fairness(found.fairness));
  }
  async function go(view) {
    const { visit } = app, info = await build();
    if (app.visit !== visit || !isHere()) { app.ready(info); return; }
    app.view = view;
    await app.take(info);
  }

  app.try(async () => {
    ({ templates, sentences } = await get("/api/templates"));
    if (!isHere()) return;
    fill(kind, templates.map((one) => h("option", { value: one.kind }, one.summary)));
    const kept = stored(DRAFT, null), linked = carried ? await unpack(carried) : null;
    if (text.value) { check(); return; } // one has begun to write already
    if (!linked && !kept) { fromTemplate(); return; }
    if (kept && kept.text === (linked ?? kept.text)) { kind.value = kept.kind; name.value = kept.name; }
    text.value = linked ?? kept.text;
    check();
  });
  return { leave: () => { app.scene = null; } };
}
