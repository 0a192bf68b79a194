"use strict";
// A test before and after the lesson. Scores stay in this browser; nothing is sent anywhere.
(() => {
  const test = document.getElementById("selftest");
  const key = "kibitz-lesson-" + test.dataset.lesson;
  const questions = [...test.querySelectorAll(".question")];
  const scores = document.getElementById("scores");
  const status = document.getElementById("test-status");
  let running = null;

  const load = () => {
    try {
      const kept = JSON.parse(localStorage.getItem(key));
      return Array.isArray(kept) ? kept.filter((s) => s && Number.isInteger(s.right)) : [];
    } catch {
      return [];
    }
  };
  const keep = (list) => {
    try {
      localStorage.setItem(key, JSON.stringify(list));
      return true;
    } catch {
      return false;
    }
  };

  const show = () => {
    const list = load();
    scores.replaceChildren(
      ...list.map((score) => {
        const row = document.createElement("tr");
        for (const text of [score.which, score.right + " of " + score.of, score.when]) {
          row.append(Object.assign(document.createElement("td"), { textContent: text }));
        }
        return row;
      }),
    );
    document.getElementById("score-table").hidden = !list.length;
    document.getElementById("forgetting").hidden = !list.length;
    const first = list.find((s) => s.which === "before");
    const last = list.findLast((s) => s.which === "after");
    const share = (s) => Math.round((100 * s.right) / s.of);
    document.getElementById("gain").textContent =
      first && last ? `Before: ${share(first)}%. After: ${share(last)}%.` : "";
  };

  const ask = () => {
    for (const question of questions) question.hidden = true;
    const { list, at } = running;
    if (at < list.length) {
      list[at].hidden = false;
      status.textContent = `Question ${at + 1} of ${list.length}`;
      list[at].querySelector("button").focus();
      return;
    }
    const score = {
      which: running.which,
      right: running.right,
      of: list.length,
      when: new Date().toISOString().slice(0, 10),
    };
    const kept = keep([...load(), score].slice(-50));
    status.textContent =
      `${score.right} of ${score.of} right.` + (kept ? "" : " This browser keeps no scores.");
    running = null;
    test.classList.remove("running");
    show();
  };

  for (const button of test.querySelectorAll("[data-start]")) {
    button.addEventListener("click", () => {
      const which = button.dataset.start;
      const list = questions.filter((question) => question.dataset.part === which);
      if (!list.length) return;
      running = { which, list, at: 0, right: 0 };
      test.classList.add("running");
      ask();
    });
  }
  for (const question of questions) {
    for (const choice of question.querySelectorAll("button")) {
      choice.addEventListener("click", () => {
        if (!running) return;
        if (choice.dataset.good === "yes") running.right += 1;
        running.at += 1;
        ask();
      });
    }
  }
  document.getElementById("forget").addEventListener("click", () => {
    try {
      localStorage.removeItem(key);
    } catch {}
    show();
  });
  show();
})();
