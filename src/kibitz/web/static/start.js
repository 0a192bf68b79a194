// The start page: what this is, all games of the library as cards, and what one did last.

import { get } from "./api.js";
import { stored } from "./app.js";
import { fill, h, picture } from "./dom.js";

export function startPanel(root, app) {
  const cards = h("ul", { class: "gallery" });
  const none = h("p", { class: "quiet", role: "status" });
  const search = h("input", { type: "search", placeholder: "Search games", "aria-label": "Search games", oninput: () => show() });
  const recent = stored("recent", []);
  fill(root,
    h("section", { class: "hero" }, h("h2", {}, "Learn any board game from its rules"),
      h("p", {}, "Kibitz reads the rules of a game, finds a few plain rules for playing it well, proves them where it can, and teaches them to you.")),
    recent.length > 0 && h("section", { "aria-label": "What you did last" }, h("h3", {}, "Go on"),
      h("p", { class: "row" }, recent.slice(0, 4).map((one) => h("a", { class: "button", href: one.hash }, `${one.name}: ${one.view}${one.moves ? `, move ${one.moves}` : ""}`)))),
    h("section", { "aria-label": "Games" }, h("div", { class: "row" }, h("h3", {}, "Games"), search,
      h("a", { class: "button main own", href: "#view=design" }, "Design your own"), h("a", { class: "button own", href: "#view=rules&game=tictactoe" }, "Paste rules")), cards, none));
  let games = [], about = "";

  // The facts were computed from the same rules; other sizes of a family are a name in the box above.
  const card = (game) => h("li", {}, h("a", { class: "card", href: `#game=${encodeURIComponent(game.name)}` },
    h("span", { class: "thumb", "aria-hidden": "true" }, game.svg && picture(game.svg)),
    h("strong", {}, game.title), h("span", { class: "quiet" }, game.summary),
    h("span", { class: "facts" }, [[game.value], [game.rules],
      game.time ? [`${game.difficulty}, ${game.time} to learn`, about] : ["No lesson yet"]].map(([text, title]) => h("span", { title }, text)))));
  function show() {
    const words = search.value.toLowerCase().split(/[^\p{L}\p{N}:]+/u).filter(Boolean), phrase = words.join(" ");
    const plain = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}:]+/gu, " ");
    // Words of a name in any order; of a description only as they stand there, or another game would be found.
    const found = games.filter((game) => words.every((word) => plain(`${game.name} ${game.title} ${game.also}`).includes(word)) || plain(`${game.summary} ${game.value}`).includes(phrase));
    fill(cards, found.map(card));
    none.textContent = games.length && !found.length ? `No game of the library has ${search.value} in its name or its description. Design it in English, or paste its rules.` : "";
  }
  const isHere = app.stays();
  app.try(async () => { const found = await get("/api/gallery"); if (!isHere()) return; ({ games, about } = found); root.append(h("style", {}, found.style)); show(); });
  return {};
}
