// The view Report: whether the game is fair, its figures, first moves and hard positions, for designers.

import { follow, of, post, showJob } from "./api.js";
import { either, fill, h, picture } from "./dom.js";

// How matches end among players of each skill, as bars; exact, or of matches with intervals.
export function fairness(found) {
  const names = [...new Set(found.skills.flatMap((row) => Object.keys(row.shares)))];
  const tone = (name) => (name === "drawn" ? "drawn" : name.endsWith(" wins") ? `side${names.filter((one) => one.endsWith(" wins")).indexOf(name) % 6}` : "rest");
  const tones = { even: "win", uneven: "loss", open: "draw", alone: "draw" };
  const tables = found.skills.length > 0 && [h("p", { class: "quiet" }, "How matches end when everyone plays …"),
    h("dl", { class: "skills kb" }, found.skills.flatMap((row) => [h("dt", {}, row.player, row.matches && h("small", {}, ` ${row.matches.toLocaleString("en")} matches`)),
      h("dd", {}, h("div", { class: "shares", "aria-hidden": "true" }, Object.entries(row.shares).map(([name, share]) => h("span", { class: tone(name), style: `flex:${share}` }))), h("small", {}, row.text))]))];
  return h("div", { class: `fairness ${tones[found.verdict]}` }, h("p", { class: "verdict" }, h("strong", {}, found.sentence)), tables);
}

// Make a report as a job on a line; resolves to nothing where it failed or was cancelled.
export async function makeReport(app, game, line, brief = false) {
  const begun = await post(of(game, "/jobs"), { kind: "report", brief });
  const say = showJob(line, begun, app);
  try {
    const found = await follow(begun, (view) => say(`${brief ? "Trying how fair it is" : "Making the report"}: ${view.progress || "waiting"} …`));
    line.hidden = true;
    return found;
  } catch (error) {
    fill(line, h("span", {}, error.code === "cancelled" ? "Cancelled." : `No report: ${error.whole}.`));
    return null;
  }
}

// Rows for whoever wrote the rules, in the rules' own terms; a row without a name goes on from the last.
const OF_RULES = new Set(["dead rule", "never holds", "always holds", "never legal", "never got", "left out"]);
const isOfRules = (rows, i) => OF_RULES.has(rows.slice(0, i + 1).findLast(([key]) => key)?.[0]);
const table = (rows) => h("dl", { class: "rows" }, rows.flatMap(([key, text]) => [h("dt", {}, key), h("dd", {}, text)]));

export function reportPanel(root, app) {
  app.reports ??= {};
  const { game } = app;
  const job = h("div", { class: "job", hidden: true });
  const body = h("div");
  const begin = h("button", { class: "main", onclick: () => app.try(make) }, "Make the report");
  fill(root, h("section", { class: "card" }, h("h2", {}, `A report on ${app.info.title}`),
    h("p", {}, "For designers: who wins with best play and among weaker players, how long it lasts, which decisions matter, and rules that do nothing."),
    h("div", { class: "row" }, begin), job), body);

  async function make() {
    begin.disabled = true;
    try {
      const found = await makeReport(app, game, job);
      if (found) { app.reports[game] = found; if (app.game === game) show(found); }
    } finally { begin.disabled = false; }
  }
  function show(found) {
    begin.textContent = "Make it again";
    begin.className = "";
    const card = (title, ...parts) => h("section", { class: "card" }, h("h2", {}, title), parts);
    const name = (one, i) => (app.terms ? one.good[i] : one.good_words[i]);
    fill(body, card("Is it fair?", fairness(found.fairness)),
      card("Figures", table(found.rows.filter((_, i) => !isOfRules(found.rows, i)))),
      found.openings.length > 0 && card("First moves", h("ul", { class: "openings" }, found.openings.map((one) => h("li", { class: one.keeps_value ? "win" : "loss" },
        h("span", { class: "worth" }, one.keeps_value ? "✔" : "✘"), ` ${app.terms ? one.move : one.words}`, one.alike > 1 && h("small", { class: "quiet" }, ` and ${one.alike - 1} like it`),
        !one.keeps_value && h("small", { class: "quiet" }, " gives something away"), one.is_dominant && h("small", {}, " best at every skill"))))),
      found.hardest.length > 0 && card("The hardest positions", h("div", { class: "hardest" }, found.hardest.map((hard) => h("figure", {}, picture(hard.svg),
        h("figcaption", {}, h("strong", {}, app.called(hard.role)), ` to move; ${hard.good.length} of ${hard.moves} moves right: ${either(hard.good.map((_, i) => name(hard, i)))}`))))),
      found.rows.some((_, i) => isOfRules(found.rows, i)) && h("details", { class: "card" }, h("summary", {}, "About the text of the rules"), table(found.rows.filter((_, i) => isOfRules(found.rows, i)))),
      h("p", { class: "quiet" }, `Worked out in ${found.seconds} s.`));
  }
  if (app.reports[game]) show(app.reports[game]);
  else if (app.asked?.go) app.try(make);
  return {};
}
