// The view Rules: the rule sheet in an editor, checked while it is written.

import { post } from "./api.js";
import { store, stored } from "./app.js";
import { fill, h, later, renew } from "./dom.js";

// What the checks found: how many on the status line, each as a button that marks its place in the text.
export function showFindings({ status, findings, text }, found, more) {
  const count = (kind) => found.findings.filter((one) => one.severity === kind).length;
  const number = (kind) => `${count(kind)} ${kind}${count(kind) === 1 ? "" : "s"}`;
  const others = ["warning", "remark"].filter(count).map(number).join(" and ");
  status.className = found.is_valid ? "win" : "loss";
  renew(status, h("span", { class: "worth" }, found.is_valid ? (others ? `✔ valid, with ${others}` : "✔ valid") : `✘ ${number("error")}`), h("small", {}, more));
  renew(findings, found.findings.slice(0, 30).map((one) => h("li", {}, h("button", { class: one.severity, onclick: () => mark(text, one) },
    h("strong", {}, `${one.line}:${one.column} ${one.code} `), one.message, one.hint && h("small", {}, one.hint)))));
}
function mark(text, one) {
  const lines = text.value.split("\n");
  const offset = (line, column) => lines.slice(0, line - 1).reduce((sum, l) => sum + l.length + 1, 0) + column - 1;
  text.focus();
  text.setSelectionRange(offset(one.line, one.column), Math.max(offset(one.line, one.column) + 1, offset(one.end_line, one.end_column)));
  text.scrollTop = Math.max(0, (one.line - 6) * (text.scrollHeight / lines.length));
}

export function rulesPanel(root, app) {
  const name = h("input", { value: app.info.id.startsWith("~") ? app.info.name : `my ${app.info.name}`.replace(/[^\w .:,+-]/g, "-").slice(0, 60), maxlength: "60", "aria-label": "Name of the game" });
  const text = h("textarea", { class: "rules", spellcheck: "false", wrap: "off", "aria-label": "Rules", oninput: () => { keep(); soon(); } });
  const status = h("p", { role: "status", "aria-live": "polite" });
  const findings = h("ul", { class: "findings" });
  const play = h("button", { class: "main", onclick: () => app.try(open) }, "Play these rules");
  const key = `draft ${app.game}`;
  fill(root, h("h2", {}, "The rules, in GDL, English or the language of Ludii"),
    h("div", { class: "row" }, name, play, h("button", { onclick: () => { text.value = app.info.rules; keep(); check(); } }, "As it was")), status, findings, text);
  text.value = stored(key, null) ?? app.info.rules;

  const keep = () => store(key, text.value === app.info.rules ? null : text.value); // at once: a draft outlives the page
  let turn = 0;
  async function check() {
    const mine = ++turn;
    try {
      const found = await post("/api/check", { text: text.value });
      if (mine !== turn) return;
      play.disabled = !found.is_valid;
      show(found, found.is_valid ? " · playing it …" : "");
      if (!found.is_valid) return;
      const played = await post("/api/check", { text: text.value, play: true }).catch(() => null);
      if (mine === turn) show(played || found, played?.played ? ` · ${played.played}` : " · not played");
    } catch (error) { if (mine === turn) { status.className = "loss"; status.textContent = error.message; } }
  }
  const show = (found, more) => showFindings({ status, findings, text }, found, more);
  const soon = later(250, check);
  async function open() {
    play.disabled = true;
    const { visit } = app;
    try {
      const rules = { text: text.value, name: name.value.trim() || "pasted" };
      const info = await app.make(rules);
      if (app.visit === visit && app.view === "rules") { app.view = "learn"; await app.take(info); }
      else app.ready(info); // one went on to something else meanwhile
    } finally { check(); }
  }
  check();
  return {};
}
