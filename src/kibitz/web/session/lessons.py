"""Views of lessons: the rules of a game in words, how it ends, and the lesson of `teach`.

A lesson is made by the same function as `kibitz teach`, with the same options, so that both have
the same content and the same cache. Here each choice of an exercise also has how it is made on the
board, and each exercise the line that leads to it, where the game is solved.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from kibitz.board import picture_of_board, to_svg
from kibitz.engine import CompiledGame, Role
from kibitz.english import names_of, say_move, scene_of, story_of
from kibitz.errors import BudgetExceededError, InputError, KibitzError
from kibitz.gdl import parse_terms
from kibitz.present import (
    EFFORT_NOTE,
    Exercise,
    Lesson,
    StudyOptions,
    accuracy_sentence,
    describe_game,
    effort_of,
    explanation_at_hand,
    gain_sentence,
    intro_sentence,
    lessons_at_hand,
    no_rules,
    note_sentence,
    place_sentence,
    story_lines,
    teach_cached,
    terms_of,
    value_sentences,
    yardstick_sentences,
)
from kibitz.rulebook import is_english, parts_of
from kibitz.space import StateSpace
from kibitz.web.server.child_jobs import in_child
from kibitz.web.server.jobs import Job, Report
from kibitz.web.session.lines import write_line
from kibitz.web.session.positions import mark_made
from kibitz.web.session.sessions import Session
from kibitz.wording import value_text

_MOST_GATES = 30_000
_MOST_MOVES = 2_000_000
"""What the sentences about a game may cost: its gates, and the moves of its positions."""
_AS_WRITTEN = "These rules run as they are written, which is enough to play and not to teach."


@dataclass(frozen=True, slots=True)
class AboutView:
    """A game in words: its rules, and how it ends with best play, if that is known.

    `full` are the rules to the last detail, where `story` is short and they were found; unless
    `is_whole`, looking longer may find better sentences. `taught` are the roles whose lessons are
    at hand; `untaught` says why there can be no lesson, if so.
    """

    game: str
    story: tuple[str, ...]
    full: tuple[str, ...]
    value: tuple[str, ...]
    taught: tuple[str, ...]
    untaught: str
    is_whole: bool = True


@dataclass(frozen=True, slots=True)
class ChoiceView:
    """A legal move of an exercise: how it is made, whether it keeps the value, and is asked for."""

    number: int
    role: str
    text: str
    words: str
    kind: str
    cells: tuple[str, ...]
    is_good: bool
    is_told: bool


@dataclass(frozen=True, slots=True)
class ExerciseView:
    """A position to find a move in; `after` is the board after a move that the rule asks for."""

    id: str
    rule: int
    svg: str
    after: str
    choices: tuple[ChoiceView, ...]
    answer: str
    is_proved: bool
    line: str | None


@dataclass(frozen=True, slots=True)
class StepView:
    """A rule to learn, with a picture and what is `seen` there, why it works, and exercises."""

    rule: int
    sentence: str
    text: str
    svg: str
    is_position: bool
    why: str
    seen: str
    place: str
    gain: str
    note: str
    exercises: tuple[ExerciseView, ...]


@dataclass(frozen=True, slots=True)
class RuleLine:
    """A rule of the whole list."""

    number: int
    sentence: str
    why: str
    svg: str


@dataclass(frozen=True, slots=True)
class LessonView:
    """A lesson for a role, in the order in which it is learned.

    A role `is_losing` if no rules guarantee it anything: these punish mistakes.
    """

    game: str
    name: str
    title: str
    role: str
    story: tuple[str, ...]
    value: tuple[str, ...]
    intro: str
    effort: str
    effort_note: str
    steps: tuple[StepView, ...]
    revision: tuple[ExerciseView, ...]
    rules: tuple[RuleLine, ...]
    terms: str
    proof: tuple[str, ...]
    is_measured: bool
    is_losing: bool
    strategy: str


def about_view(session: Session, *, is_whole: bool = False) -> AboutView:
    """Describe a game in words: as they are at hand, or the whole rules, which may take longer."""
    game, solution = session.game, session.solution
    if not isinstance(game, CompiledGame):
        return AboutView(session.key, (), (), (), (), _AS_WRITTEN)
    untaught = no_rules(game) if solution and solution.kind != "exact" else ""
    space = solution.space if solution and solution.space.edges < _MOST_MOVES else None
    written = session.keep(("written",), lambda: _written(session))
    known = session.keep(("words",), lambda: explanation_at_hand(session.path, game.sheet))
    story: tuple[str, ...] = written
    full: tuple[str, ...] = ()
    if known is not None:
        story = written or story_lines(known.story)
        full = tuple(known.description.appendix) if known.description is not None else ()
    elif is_whole and not written:
        story, full = session.keep(
            ("rules", space is None), lambda: _described(session, game, space)
        )
    if not story and len(game.network.gates) <= _MOST_GATES:
        story = session.keep(("story", space is None), lambda: tuple(story_of(game, space)))
    is_whole = is_whole or bool(written) or known is not None
    value: tuple[str, ...] = ()
    if solution and solution.kind == "exact":
        value = value_sentences(game, solution)
    elif solution is not None:
        value = (f"With best play {value_text(solution.as_json(), names_of(game))}.",)
    value = tuple(line for line in value if line)
    kept = session.keep(
        ("lessons at hand",), lambda: lessons_at_hand(session.path, game.sheet, game.roles)
    )
    taught = tuple(dict.fromkeys([*session.taught, *kept]))
    return AboutView(session.key, story, full, value, taught, untaught, is_whole)


def _described(
    session: Session, game: CompiledGame, space: StateSpace | None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Look for sentences that are the whole rules, in a child; none where that takes too long."""
    try:
        story, full = session.ask(lambda: describe_game(game, space), doing="describing the rules")
    except BudgetExceededError:
        return (), ()
    return story_lines(story), full


def _written(session: Session) -> tuple[str, ...]:
    """Return the sentences of rules that were written in English, without the name."""
    if not is_english(session.text, name=session.name):
        return ()
    sentences = (" ".join(one.text.split()) for one in parts_of(session.text))
    return tuple(f"{text}." for text in sentences if not text.lower().startswith("name:"))


def lesson_job(session: Session, role: Role | None) -> Callable[[Job], LessonView]:
    """Return the work of a job that makes a lesson for a role, or for the first that has rules."""
    game = session.game
    if role is not None:
        game.check_role(role)
    if not isinstance(game, CompiledGame):
        raise InputError(_AS_WRITTEN.rstrip("."))

    def work(report: Report) -> Lesson:
        return teach_cached(session.path, game.sheet, StudyOptions(), role, report=report)

    def teach(job: Job) -> LessonView:
        lesson = in_child(
            work,
            budget=session.allowance.working,
            doing="making a lesson",
            report=job.report,
            check=job.check,
        )
        session.taught[lesson.role] = lesson.part.strategy
        return _view(session, game, lesson)

    made = ("lesson", role, session.solution is not None)  # lines lead to positions if it is solved
    return lambda job: session.keep(made, lambda: teach(job))


def _view(session: Session, game: CompiledGame, lesson: Lesson) -> LessonView:
    part, is_alone = lesson.part, len(game.roles) == 1
    steps = tuple(
        StepView(
            step.rule,
            step.told.sentence,
            step.told.rule,
            step.told.svg,
            step.told.is_position,
            step.told.why,
            step.told.note,
            place_sentence(lesson, step),
            gain_sentence(lesson, step, is_alone=is_alone),
            note_sentence(lesson, step),
            tuple(_exercise(session, game, lesson.role, one) for one in step.exercises),
        )
        for step in lesson.steps
    )
    measured = part.measured
    proof = (
        [yardstick_sentences(measured), accuracy_sentence(measured)] if measured else [part.sure]
    )
    return LessonView(
        session.key,
        lesson.name,
        lesson.title,
        lesson.role,
        story_lines(lesson.story),
        lesson.worth,
        intro_sentence(lesson, is_alone=is_alone),
        effort_of(lesson).sentence,
        EFFORT_NOTE,
        steps,
        tuple(_exercise(session, game, lesson.role, one) for one in lesson.revision),
        tuple(RuleLine(n, r.sentence, r.why, r.svg) for n, r in enumerate(part.rules, start=1)),
        terms_of(part),
        tuple(sentence for sentence in proof if sentence),
        measured is not None,
        not is_alone and lesson.steps[-1].guaranteed == 0,
        part.strategy,
    )


def _exercise(session: Session, game: CompiledGame, role: Role, one: Exercise) -> ExerciseView:
    """Show an exercise on the page's board: its moves, and how each is made."""
    layout = session.layout
    state = game.state(term for text in one.position for term in parse_terms(text, name="fluent"))
    scene = scene_of(game, role)
    known = {choice.text: choice for choice in one.choices}
    choices: list[ChoiceView] = []
    after = ""
    for number, move in enumerate(state.legal(role)):
        words = say_move(scene, move)
        choice = known.get(words)
        if choice is None:
            continue
        gesture = layout.gesture(move)
        cells = tuple(f"{ref.board}.{ref.cell}" for ref in gesture.cells)
        choices.append(
            ChoiceView(
                number,
                role,
                game.write(move),
                words,
                gesture.kind,
                cells,
                choice.is_good,
                choice.is_told,
            )
        )
        if choice.is_told and not after:
            joint = [move if who == role else state.legal(who)[0] for who in game.roles]
            then = state.step(joint)
            mark = mark_made(layout, move, state, then)
            board = picture_of_board(then, layout, marks=[mark] if mark.cells else [])
            after = to_svg(board) if board else ""
    board = picture_of_board(state, layout)
    line = None
    if session.solution is not None:
        with suppress(KibitzError):
            line = write_line(session.line_to(session.solution.space.number(state)))
    return ExerciseView(
        one.name,
        one.rule,
        to_svg(board) if board else "",
        after,
        tuple(choices),
        one.answer,
        one.is_proved,
        line,
    )
