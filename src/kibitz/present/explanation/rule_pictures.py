"""A list that was found in, its rules and examples out, as they are shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kibitz.board import (
    Layout,
    Mark,
    layout_of,
    mark_fluent,
    mark_move,
    svg_board,
    svg_stencil,
    text_board,
    text_stencil,
)
from kibitz.engine import CompiledGame, Move, Role, State
from kibitz.english import names_of, plain_rule, say_move, say_rule, scene_of, work_out
from kibitz.present.explanation.examples import ExampleLine, allowed_edges
from kibitz.present.explanation.explanation import Example, MoveText, RuleText
from kibitz.present.explanation.known_lists import KnownList
from kibitz.solve import Solution
from kibitz.space import reachable_under
from kibitz.strategy import Decisions, Formula
from kibitz.synth import Insight, Synthesis
from kibitz.wording import result_sentence

__all__ = ["RulePicture", "SynthesisedRules", "draw_followed", "show_example", "show_rule"]

_TRIED = 12
"""Positions that are tried until one shows what a rule asks for."""


@dataclass(frozen=True)
class SynthesisedRules:
    """A list that was found for a role, and its decisions on the space it was judged on."""

    found: Synthesis | Insight | KnownList
    judging: Solution
    decisions: Decisions


def show_rule(
    synthesised: SynthesisedRules, number: int, decides: int, cause: str = ""
) -> RuleText:
    """Put a rule into words, with the small board that shows it.

    A rule that names no place is shown by a position in which it is followed. `cause` is why a
    rule works that only names places.
    """
    found = synthesised.found
    game = synthesised.judging.space.game
    rule = found.strategy.rules_for(found.role)[number]
    scene = scene_of(game, found.role)
    sentence = say_rule(scene, rule, symmetric=found.reading != "none")
    text = found.rule_texts[number]
    why = found.why[number] if isinstance(found, Insight) and found.why else ""
    plain = plain_rule(rule)
    if plain is None or rule.is_for_any_move or plain.moves == scene.every_move:
        shown = _in_play(synthesised, number)
        return RuleText(
            sentence, text, shown.text, shown.svg, decides, bool(shown.svg), why, shown.note
        )
    literals = sorted(plain.literals, key=lambda pair: (not pair[1], str(pair[0])))
    moves = sorted(plain.moves, key=str)
    has_board = bool(layout_of(game).boards)  # else a picture has terms, which the sentence says
    return RuleText(
        sentence,
        text,
        text_stencil(game, literals, moves) if has_board else "",
        svg_stencil(game, literals, moves) if has_board else "",
        decides,
        why=why or ("" if plain.asked else cause),
    )


def _in_play(synthesised: SynthesisedRules, number: int) -> RulePicture:
    """Draw the nearest position in which a rule decides, and best shows what it asks for."""
    decisions, space = synthesised.decisions, synthesised.judging.space
    role = space.game.roles.index(synthesised.found.role)
    order = reachable_under(space, allowed_edges(decisions)).order
    here = order[decisions.decider[order] == number][:_TRIED]
    condition = synthesised.found.strategy.rules_for(synthesised.found.role)[number].condition
    found: list[tuple[State, State, Move]] = []
    for state in here.tolist():
        edges = range(int(space.first_edge[state]), int(space.first_edge[state + 1]))
        edge = next(e for e in edges if decisions.moves.chosen[e])
        move = space.joint_moves[space.action[edge]][role]
        found.append((space.state(state), space.state(int(space.target[edge])), move))
    if not found:
        return RulePicture()
    layout = layout_of(space.game)
    return max(
        (draw_followed(condition, *moment, layout) for moment in found),
        key=lambda picture: bool(picture.note),
    )


@dataclass(frozen=True)
class RulePicture:
    """A rule in a position, in letters and as SVG, and a note on what is seen there."""

    text: str = ""
    svg: str = ""
    note: str = ""


def draw_followed(
    condition: Formula, before: State, after: State, move: Move, layout: Layout
) -> RulePicture:
    """Draw a move by a rule: what it leaves, with what the condition is about; or where it is made.

    >>> import kibitz
    >>> from kibitz.strategy import read_strategy
    >>> start = kibitz.load("chomp:2x2").initial()
    >>> (rule,) = read_strategy("next count(cell(_, _, choc)) = 3 => any", start.game).rules
    >>> move = start.legal("player1")[-1]
    >>> after = start.play(str(move))
    >>> print(draw_followed(rule.condition, start, after, move, layout_of(start.game)).text)
       1  2
    1 ch ch
    2 ch[ch]
    Player 1 to move
    leaves
         1    2
    1 ch:1 ch:2
    2 ch:3    .
    """
    worked = work_out(condition, before, after, layout)
    made = mark_move(layout, move, "move")
    note = " ".join(worked.notes)
    if not worked.is_after:
        marks = [made, *worked.marks]
        return RulePicture(
            text_board(before, layout, marks=marks), svg_board(before, layout, marks=marks), note
        )
    left = text_board(after, layout, marks=worked.marks, turns=False)
    text = f"{text_board(before, layout, marks=[made])}\nleaves\n{left}"
    marks = [*changed_cells(before, after, layout), *worked.marks]
    return RulePicture(text, svg_board(after, layout, marks=marks), note)


def changed_cells(before: State, after: State, layout: Layout) -> list[Mark]:
    """Mark the cells on which something is new."""
    known = frozenset(before.fluents)
    marks = (mark_fluent(layout, f, "last") for f in after.fluents if f not in known)
    return [mark for mark in marks if mark.cells]


def show_example(game: CompiledGame, role: Role, line: ExampleLine) -> Example:
    """Show a match move by move; moves of roles without a choice are left out."""
    layout = layout_of(game)
    state = game.initial()
    shown = []
    for joint, rule in zip(line.joints, line.rules, strict=True):
        free = [name for name in game.roles if len(state.legal(name)) > 1]
        if not free:
            acts = [r for r, m in zip(game.roles, joint, strict=True) if m.args or m.name != "noop"]
            free = acts[:1] or list(game.roles)
        after = game.successor(state.key, joint)
        marks: Sequence[Mark] = changed_cells(state, after, layout)
        if not marks:
            made = (mark_move(layout, move, "last") for move in joint)
            marks = [mark for mark in made if mark.cells]
        moved = [
            (name, say_move(scene_of(game, name), move))
            for name, move in zip(game.roles, joint, strict=True)
            if name in free
        ]
        shown.append(
            MoveText(
                tuple(name for name, _ in moved),
                " and ".join(scene_of(game, name).named(name) for name, _ in moved),
                " / ".join(dict.fromkeys(text for _, text in moved)),
                rule,
                _board(after, marks),
                svg_board(after, layout, marks=marks),
            )
        )
        state = after
    return Example(tuple(shown), _result(game, state), tuple(sorted(line.fired)))


def _board(state: State, marks: Sequence[Mark]) -> str:
    """Draw a state in letters; where play is over, no role is to move."""
    return text_board(state, marks=marks, turns=not state.is_terminal)


def _result(game: CompiledGame, state: State) -> str:
    if not state.is_terminal:
        return "and so on"
    return result_sentence(state.goals, names_of(game))
