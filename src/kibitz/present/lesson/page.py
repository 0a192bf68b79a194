"""A Lesson in, a page out: to be printed, and with a test of oneself on the screen."""

from __future__ import annotations

from importlib import resources

from kibitz.board import escape
from kibitz.present.explanation.page import rule_figure, rule_items
from kibitz.present.explanation.text import terms_of
from kibitz.present.lesson.lesson import Exercise, Lesson, LessonStep
from kibitz.present.style import html_page_frame

__all__ = ["lesson_page"]

_QUESTIONS = 10
_STYLE = """
.exercises { display: grid; grid-template-columns: repeat(auto-fill, minmax(11rem, 1fr));
  gap: 1.25rem; margin: 1rem 0 }
.exercise { break-inside: avoid; border: 1px solid var(--line); border-radius: 10px;
  padding: .8rem .9rem; font: .85rem/1.4 system-ui, sans-serif }
.exercise b { display: block; margin-bottom: .4rem; color: var(--soft) }
.exercise svg { width: 100%; max-width: 11rem; height: auto; display: block; margin: 0 auto }
.blank { border-bottom: 1px solid var(--soft); height: 1.9rem }
.step { break-inside: avoid-page }
.lead { display: grid; grid-template-columns: 1fr 9rem; gap: 1.5rem; align-items: center;
  background: var(--card); border: 1px solid var(--line); border-left: 5px solid var(--mark);
  border-radius: 10px; padding: 1rem 1.25rem; break-inside: avoid }
.lead p { font-size: 1.25rem; line-height: 1.4; margin: 0 }
.lead svg { width: 9rem; height: auto }
.lead.plain { grid-template-columns: 1fr }
.answers { break-before: page }
.answers .exercises { grid-template-columns: repeat(auto-fill, minmax(8.5rem, 1fr)); gap: .75rem }
#selftest { border: 1px solid var(--line); border-radius: 12px; padding: 1rem 1.25rem;
  margin: 1.5rem 0; font-family: system-ui, sans-serif; font-size: .95rem }
#selftest h3 { margin-top: 0 }
#selftest button { font: inherit; color: var(--ink); background: var(--paper);
  border: 1px solid var(--soft); border-radius: 8px; padding: .45rem .8rem; cursor: pointer }
#selftest button:hover, #selftest button:focus-visible { border-color: var(--mark);
  outline: 2px solid var(--mark) }
#selftest .start button { background: var(--mark); color: var(--paper); border-color: var(--mark) }
#selftest.running .start { display: none }
#selftest .question svg { width: 13rem; max-width: 100%; height: auto; display: block;
  margin: .5rem 0 }
.choices { display: flex; flex-wrap: wrap; gap: .5rem }
#score-table { border-collapse: collapse; margin-top: 1rem }
#score-table td, #score-table th { padding: .2rem 1rem .2rem 0; text-align: left;
  font-variant-numeric: tabular-nums }
[hidden] { display: none !important }
@media print { .exercises { grid-template-columns: repeat(4, 1fr); gap: 3mm; margin: 2mm 0 }
  .exercise { padding: 2mm } .exercise svg { max-width: 32mm } .blank { height: 7mm }
  .lead { padding: 2mm 4mm } .lead svg { width: 24mm }
  .step .exercises { grid-template-columns: repeat(3, 1fr) }
  .together, .revision { break-inside: avoid-page }
  .answers .exercises { grid-template-columns: repeat(5, 1fr) }
  .answers .exercise { font-size: 7.5pt } }
"""


def lesson_page(lesson: Lesson) -> str:
    """Write a lesson as a page that needs nothing from elsewhere."""
    title = f"{lesson.title}: a lesson for {lesson.role}"
    numbers = {exercise.name: n for n, exercise in enumerate(lesson.exercises, start=1)}
    parts = [
        '<p class="kind">A lesson</p>',
        f"<h1>{escape(lesson.title)}, playing {escape(lesson.role)}</h1>",
        f'<div class="intro"><div><p>{escape(" ".join(lesson.story))}</p></div>{lesson.svg}</div>',
        f'<p class="worth">{escape(" ".join(lesson.worth))}</p>',
        f"<p>{escape(_promise(lesson))}</p>",
        _self_test(lesson),
    ]
    parts += (_step(lesson, n, step, numbers) for n, step in enumerate(lesson.steps, start=1))
    parts.append(_together(lesson))
    if lesson.revision:
        parts.append(
            '<section class="revision"><h2>Mixed revision</h2><p>Which rule is it? Write down the '
            f"move, and the number of the rule.</p>{_exercises(lesson.revision, numbers)}</section>"
        )
    parts.append(_answers(lesson, numbers))
    script = resources.files("kibitz.present.lesson").joinpath("selftest.js").read_text("utf-8")
    return html_page_frame(title, "\n".join(parts), style=_STYLE, script=script)


def _promise(lesson: Lesson) -> str:
    count = len(lesson.steps)
    mean, sure = lesson.nothing
    last = lesson.steps[-1]
    return (
        f"Somebody who moves at random gets {mean:.0f} of 100 on average against random play, and "
        f"{sure} against a good player. Whoever knows the {count} rule{'s' * (count != 1)} of this "
        f"lesson gets {last.against_random:.0f} and never less than {last.guaranteed}. "
        f"They come in the order in which learning them gains most."
    )


def _step(lesson: Lesson, number: int, step: LessonStep, numbers: dict[str, int]) -> str:
    plain = "" if step.told.svg else " plain"
    place = (
        f"It is rule {step.rule} of the list: the rules with smaller numbers go before it."
        if step.rule > 1
        else "It is the first rule of the list: where it applies, it goes before all others."
    )
    gain = (
        f"With what you know now you get {step.against_random:.0f} on average against random play, "
        f"and {step.guaranteed} for sure."
    )
    note = f'<p class="small">{escape(step.note)}</p>' if step.note else ""
    exercises = (
        f"<p>These positions need it. Where do you move?</p>{_exercises(step.exercises, numbers)}"
        if step.exercises
        else ""
    )
    return (
        f'<section class="step"><h2>Step {number}</h2>'
        f'<div class="lead{plain}"><p>{escape(step.told.sentence)}</p>'
        f"{rule_figure(step.told)}</div>"
        f'<p>{escape(place)}</p><p class="small">{escape(gain)}</p>{exercises}{note}</section>'
    )


def _together(lesson: Lesson) -> str:
    terms = terms_of(lesson.part)
    return (
        '<section class="together"><h2>All together</h2><p>Follow the first of these rules that '
        f"applies; where none does, any move will do. {escape(terms)}</p>"
        f"{rule_items(lesson.part.rules)}"
        f'<p class="small">{escape(lesson.part.sure)}</p></section>'
    )


def _exercises(exercises: tuple[Exercise, ...], numbers: dict[str, int]) -> str:
    cards = "".join(
        f'<div class="exercise"><b>{numbers[exercise.name]}</b>{exercise.svg}'
        '<div class="blank"></div></div>'
        for exercise in exercises
    )
    return f'<div class="exercises">{cards}</div>'


def _answers(lesson: Lesson, numbers: dict[str, int]) -> str:
    cards = "".join(
        f'<div class="exercise"><b>{numbers[exercise.name]}</b>{exercise.answer_svg}'
        f"{escape(exercise.answer)} (rule {exercise.rule})</div>"
        for exercise in lesson.exercises
    )
    return (
        '<section class="answers"><h2>Answers</h2><p class="small">Each board shows one move that '
        f'the rule asks for.</p><div class="exercises">{cards}</div></section>'
        "<footer>Made by Kibitz from the rules of the game alone; every answer is proved.</footer>"
    )


def _self_test(lesson: Lesson) -> str:
    """Write the test: half of the exercises before the lesson, the other half after it."""
    questions = []
    seen: dict[int, int] = {}
    asked = {"before": 0, "after": 0}
    for exercise in lesson.exercises:
        turn = seen[exercise.rule] = seen.get(exercise.rule, -1) + 1
        part = "before" if turn % 2 == 0 else "after"
        if asked[part] == _QUESTIONS or turn > 3:
            continue
        asked[part] += 1
        buttons = "".join(
            f'<button type="button" data-good="{"yes" if choice.is_good else "no"}">'
            f"{escape(choice.text)}</button>"
            for choice in exercise.choices
        )
        questions.append(
            f'<div class="question" data-part="{part}" hidden>{exercise.svg}'
            f'<p>{escape(lesson.role)} to move:</p><div class="choices">{buttons}</div></div>'
        )
    return (
        f'<section id="selftest" class="screen" data-lesson="{escape(lesson.name)}">'
        "<h3>How good are you?</h3><p>A short test before the lesson and one after it show what "
        "you have learned. The scores stay in this browser; nothing is sent anywhere.</p>"
        '<p class="start"><button type="button" data-start="before">Test me before</button> '
        '<button type="button" data-start="after">Test me after</button></p>'
        f'<p id="test-status" role="status"></p>{"".join(questions)}'
        '<p id="gain" class="score"></p>'
        '<table id="score-table" hidden><thead><tr><th>test</th><th>score</th><th>day</th></tr>'
        '</thead><tbody id="scores"></tbody></table>'
        '<p id="forgetting" hidden><button type="button" id="forget">Forget my scores</button></p>'
        "</section>"
    )
