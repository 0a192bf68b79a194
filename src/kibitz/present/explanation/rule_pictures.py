"""Show the rules of a list with examples, pictures and causes.

A proven list is read and goes through the checker. What was proved of shorter lists, and what was
measured by matches, is taken as it was found.

=========================== ========================================================================
cause                       holds if, in all of these positions
=========================== ========================================================================
wins at once                each move of the rule ends play, and the role wins
threat                      after it every reply lets the role win at once
parried win                 each move that gives up value lets the opponent win at once
parried threat              each of these lets it win at once, or make such a threat itself
distance                    the role can force a win within a few of its own moves
=========================== ========================================================================
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import msgspec
import numpy as np

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
from kibitz.measured import Accuracy, MeasuredRules, RuleWorth, Strength
from kibitz.play import Rating
from kibitz.present.explanation.explanation import Example, MoveText, RoleAdvice, RuleText
from kibitz.solve import Solution
from kibitz.space import NOBODY, StateId, own_moves, playable_line, reachable_under
from kibitz.strategy import (
    Bools,
    Decisions,
    Formula,
    Strategy,
    StrategyRule,
    Verdict,
    columns_of,
    read_strategy,
    verify,
)
from kibitz.synth import Insight, Synthesis
from kibitz.wording import counted, result_sentence, side_name


@dataclass(frozen=True)
class KnownList:
    """A list found before, its verdict by the checker now, and what was proved of shorter ones."""

    role: Role
    strategy: Strategy
    verdict: Verdict
    lower_bound: int
    time_ended: bool
    was_interrupted: ClassVar[bool] = False

    @property
    def reading(self) -> str:
        """How its rules apply to symmetric states."""
        return self.strategy.symmetry

    @property
    def rules(self) -> tuple[StrategyRule, ...]:
        """The rules of the list."""
        return self.strategy.rules_for(self.role)

    @property
    def rule_texts(self) -> list[str]:
        """The rules one by one, in the strategy language."""
        return [rule.text for rule in self.rules]

    @property
    def proved_minimal(self) -> bool:
        """Whether no list with fewer rules exists."""
        return self.lower_bound >= len(self.rules)


def known_list(before: RoleAdvice, judging: Solution) -> KnownList | None:
    """Return the list of an advice, if the checker finds it perfect now."""
    strategy = read_strategy(before.strategy, judging.space.game)
    verdict = verify(strategy, judging, before.role)
    if not verdict.perfect or verdict.dead_rules:
        return None
    return KnownList(before.role, strategy, verdict, before.lower_bound, before.time_ended)


def known_measured_rules(game: CompiledGame, data: dict[str, Any]) -> MeasuredRules:
    """Return the rules that `MeasuredRules.as_json` gave, with what was measured of them."""
    accuracy = data["accuracy"]
    return MeasuredRules(
        game=game,
        roles=tuple(data["roles"]),
        strategies={role: read_strategy(text, game) for role, text in data["strategies"].items()},
        strength=msgspec.convert(data["strength"], dict[str, Strength]),
        per_rule=msgspec.convert(data["per_rule"], tuple[RuleWorth, ...]),
        ratings=tuple(
            Rating(
                one["agent"], one["rating"], tuple(one["interval"]), one["points"], one["matches"]
            )
            for one in data["ratings"]
        ),
        accuracy=msgspec.convert(accuracy, Accuracy) if "random" in (accuracy or ()) else None,
        rounds=data["rounds"],
        seed=data["seed"],
        seconds=data["seconds"],
        was_interrupted=data["interrupted"],
        watched=data.get("watched", MeasuredRules.watched),
        time_ended=data.get("time_ended", False),
    )


_MOST_NODES = 150_000
_MOST_EXAMPLES = 4


@dataclass(frozen=True, slots=True)
class ExampleLine:
    """Joint moves from the start, and which rule decided each (0 for none, or another's move)."""

    joints: tuple[tuple[Move, ...], ...]
    rules: tuple[int, ...]

    @property
    def fired(self) -> frozenset[int]:
        """The rules that were followed."""
        return frozenset(self.rules) - {0}


def allowed_edges(decisions: Decisions) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Mark the edges that play may take: the list's where it allows any, and all others' moves."""
    moves = decisions.moves
    space = moves.space
    source = np.repeat(np.arange(len(space)), np.diff(space.first_edge))
    covered = np.zeros(len(space), dtype=bool)
    covered[source[moves.chosen]] = True
    allowed: np.ndarray[tuple[int], np.dtype[np.bool_]] = moves.chosen | ~covered[source]
    return allowed


def positions_decided(decisions: Decisions, rules: int) -> list[int]:
    """Count in how many of the positions that play comes to each rule decides."""
    seen = reachable_under(decisions.moves.space, allowed_edges(decisions)).seen
    counts = np.bincount(decisions.decider[seen] + 1, minlength=rules + 1)
    return [int(count) for count in counts[1 : rules + 1]]


def example_lines(decisions: Decisions, rules: int) -> list[ExampleLine]:
    """Find few matches in which every rule that can be followed is, as far as a search shows."""
    found: list[ExampleLine] = []
    wanted = frozenset(range(1, rules + 1))
    while wanted and len(found) < _MOST_EXAMPLES:
        line = _line_with(decisions, wanted)
        if line is None or not line.fired & wanted:
            break
        found.append(line)
        wanted -= line.fired
    return found


def _line_with(decisions: Decisions, wanted: frozenset[int]) -> ExampleLine | None:
    """Search states together with the wanted rules met, for an end with most; shortest first."""
    space = decisions.moves.space
    allowed = allowed_edges(decisions)
    bit = {number: 1 << place for place, number in enumerate(sorted(wanted)[:20])}
    start = (0, 0)
    parent: dict[tuple[StateId, int], tuple[tuple[StateId, int], int]] = {start: (start, -1)}
    queue = deque([start])
    best: tuple[int, tuple[StateId, int]] | None = None
    while queue and len(parent) < _MOST_NODES:
        node = queue.popleft()
        state, mask = node
        if space.terminal[state]:
            count = mask.bit_count()
            if best is None or count > best[0]:
                best = (count, node)
                if count == len(bit):
                    break
            continue
        after = mask | bit.get(int(decisions.decider[state]) + 1, 0)
        for edge in range(int(space.first_edge[state]), int(space.first_edge[state + 1])):
            child = (int(space.target[edge]), after)
            if allowed[edge] and child not in parent:
                parent[child] = (node, edge)
                queue.append(child)
    if best is None:
        return None
    edges = []
    node = best[1]
    while node != start:
        node, edge = parent[node]
        edges.append((node[0], edge))
    edges.reverse()
    return ExampleLine(
        tuple(playable_line(space, [edge for _, edge in edges])),
        tuple(int(decisions.decider[state]) + 1 for state, _ in edges),
    )


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


_WON = 100
_NEAR = 4
"""Own moves up to which the distance to a win is a reason."""


def rule_causes(synthesised: SynthesisedRules, rules: int) -> list[str]:
    """Return one sentence for each rule, empty where none of the causes is there."""
    judging, decisions = synthesised.judging, synthesised.decisions
    space = judging.space
    if len(space.game.roles) != 2:
        return [""] * rules
    role = synthesised.found.role
    mine = space.game.roles.index(role)
    opponent = side_name(space.game.roles[1 - mine])
    source, target = columns_of(space).source, space.target

    def some(states: Bools) -> Bools:
        found = np.zeros(len(space), dtype=bool)
        found[source[states[target]]] = True
        return found

    won, lost = (space.terminal & (space.goals[:, who] == _WON) for who in (mine, 1 - mine))
    # Where nobody has a choice, the one move is both roles'.
    forced = ~space.terminal & (space.turn == NOBODY)
    my_turn, their_turn = (forced | (space.turn == who) for who in (mine, 1 - mine))
    i_win = my_turn & some(won)
    they_win = lost | their_turn & some(lost)
    threat = their_turn & ~some(~i_win)
    they_threaten = their_turn & some(my_turn & ~some(~they_win))
    seen = reachable_under(space, allowed_edges(decisions)).seen
    gives_up = judging.values[target] != judging.values[source]

    def cause(number: int) -> str:
        here = seen & my_turn & (decisions.decider == number)
        told = target[decisions.moves.chosen & here[source]]
        wrong = target[gives_up & here[source]]
        if not told.size:
            return ""
        if won[told].all():
            return "It wins at once."
        if threat[told].all():
            return "It makes a threat that no reply parries."
        if wrong.size and they_win[wrong].all():
            return f"Any mistake there lets {opponent} win at once."
        if wrong.size and (they_win | they_threaten)[wrong].all():
            return (
                f"Any mistake there lets {opponent} win at once, or make a threat that nothing "
                "parries."
            )
        gets = judging.values[here] if mine == 0 else judging.total - judging.values[here]
        last = int(np.flatnonzero(here)[judging.distance[here].argmax()])
        own = own_moves(space.state(last), role, int(judging.distance[last]))
        if (gets == _WON).all() and own is not None and own <= _NEAR:
            return f"From there you can win in {counted(own, 'move')}{' or fewer' * (own > 1)}."
        return ""

    return [cause(number) for number in range(rules)]
