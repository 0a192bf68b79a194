// The dialogue Save: positions, matches, strategies and tried lines as files.

import { of, save } from "./api.js";
import { fill, h } from "./dom.js";

const PICTURES = ["svg", "png", "html", "md", "tex", "txt", "json"];

export function showFiles(dialog, app) {
  const path = (rest, params) => `${of(app.game, rest)}?${new URLSearchParams(params)}`;
  const line = app.lineText, lines = app.lines();
  const kinds = [
    ["The position", "its board", [...PICTURES, "dot"], (form) => save(path("/export", { form, line, what: "position" }))],
    ["The match", "every position up to here; txt is its notation", [...PICTURES, "dot"], (form) => save(path("/export", { form, line, what: "match" })), line],
    ["Lines tried", `${lines.length} so far, as a tree`, ["dot", "json", "txt"], (form) => save(of(app.game, "/lines/export"), { lines: lines.slice(0, 200), form }), lines.length],
    ["The strategy", "its rules as small boards; dot is a tree of yes and no", [...PICTURES, "dot"], (form) => save(of(app.game, "/strategy/export"), { text: app.strategy.text, role: app.strategy.role, form }), app.strategy.text.trim()],
  ];
  fill(dialog, h("h2", {}, "Save as a file"),
    kinds.map(([name, about, forms, work, there = true]) => h("section", { class: "files" }, h("h3", {}, name),
      h("p", { class: "quiet" }, there ? about : "nothing to save yet"),
      h("div", { class: "row" }, there && forms.map((form) => h("button", { class: "small", "aria-label": `${name} as ${form}`, onclick: () => app.try(() => work(form)) }, form))))),
    h("form", { method: "dialog" }, h("button", { autofocus: true }, "Close")));
  dialog.showModal();
}
