"""Advise in games too large to solve: measured rules, or a plan for a puzzle."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import cast

import numpy as np
import numpy.typing as npt

from kibitz.board import Mark, layout_of, mark_fluent, mark_move, svg_board, text_board
from kibitz.engine import Blocks, CompiledGame, Move, Role, State, simulate
from kibitz.measured import MeasuredRules, SearchOptions, find_measured_rules
from kibitz.play import Planner
from kibitz.policy import (
    MaskTable,
    MoveMasks,
    NotCompilableError,
    Policy,
    RandomPolicy,
    UctPolicy,
    place_policy,
    play_matches,
    policy_for,
)
from kibitz.present.explanation.explanation import RoleAdvice, RuleText
from kibitz.present.explanation.rule_pictures import ExampleLine, known_measured_rules, show_example
from kibitz.present.explanation.text import opponent_words
from kibitz.strategy import Strategy, moves_at, rule_text
from kibitz.wording import join_words, side_name

_FEW = 4
"""The most matches of a list whose moves are asked for state by state."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A position of a match in which a list chose, and the rule that decided; 0 for none.

    `allowed` are the moves of that rule, `otherwise` those of the list without it.
    """

    key: int
    ply: int
    rule: int
    made: Move
    allowed: tuple[Move, ...]
    otherwise: tuple[Move, ...]

    @property
    def is_needed(self) -> bool:
        """Whether the list without the rule allows another move."""
        return not set(self.otherwise) <= set(self.allowed)


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A match of a list in the seat of a role: its joint moves, decisions, goal and opponent."""

    role: Role
    joints: tuple[tuple[Move, ...], ...]
    decisions: tuple[Decision, ...]
    goal: float
    against: str

    @property
    def rules(self) -> tuple[int, ...]:
        """The rule that decided each joint move; 0 for none."""
        decided = {one.ply: one.rule for one in self.decisions}
        return tuple(decided.get(ply, 0) for ply in range(len(self.joints)))


def play_by_rules(
    strategy: Strategy, role: Role, opponent: Policy, matches: int, *, seed: int = 1
) -> list[PlayedMatch]:
    """Play matches by a rule list against an opponent who has all other roles.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.policy import RandomPolicy
    >>> from kibitz.strategy import read_strategy
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> rules = read_strategy("next wins(me) => any\\ntrue => mark(2,2)", game)
    >>> match, = play_by_rules(rules, "xplayer", RandomPolicy(), 1)
    >>> match.rules[0]
    2
    """
    game = strategy.game
    assert isinstance(game, CompiledGame)
    seats: dict[Role, Policy] = dict.fromkeys(game.roles, opponent)
    try:
        masks = MoveMasks(game, role)
        wanted = [masks.plan(plan) for plan in strategy.parts(role)]
        seats[role] = place_policy(masks, masks.first(wanted), name=strategy.name)
        table = MaskTable(masks, wanted)
    except NotCompilableError:  # Looking ahead takes longer, and too many gates here.
        seats[role], table = policy_for(strategy, role), None
        matches = min(matches, _FEW)
    results = play_matches(game, seats, matches, seed=seed, threads=1, record=True)
    return [
        _watch(strategy, role, table, record, float(goal), opponent.name)
        for record, goal in zip(results.records, results.of(role), strict=True)
    ]


def _watch(
    strategy: Strategy,
    role: Role,
    table: MaskTable | None,
    record: npt.NDArray[np.int64],
    goal: float,
    against: str,
) -> PlayedMatch:
    """Play a match again, and ask in each position which rule decides."""
    game = strategy.game
    assert isinstance(game, CompiledGame)
    index = game.roles.index(role)
    moves = game.network.moves
    joints = [tuple(moves[i][n] for i, n in enumerate(joint)) for joint in record.tolist()]
    states = [game.initial()]
    for joint in joints:
        states.append(game.successor(states[-1].key, joint))
    plies = [ply for ply in range(len(joints)) if len(states[ply].legal(role)) > 1]
    if not plies:
        return PlayedMatch(role, tuple(joints), (), goal, against)
    if table is not None:
        last = np.concatenate([np.full((1, len(game.roles)), -1), record])[plies]
        found = table.ask(Blocks(game).rows([cast(int, states[ply].key) for ply in plies]), last)
    decisions = []
    for place, ply in enumerate(plies):
        if table is None:
            past = list(zip(states[:ply], joints[:ply], strict=True))
            by_rule = [moves_at(one, states[ply], role, past) for one in strategy.parts(role)]
        else:
            by_rule = [
                tuple(moves[index][n] for n in np.flatnonzero(found[rule, place]))
                for rule in range(len(found))
            ]
        decisions.append(_decision(states[ply], role, ply, joints[ply][index], by_rule))
    return PlayedMatch(role, tuple(joints), tuple(decisions), goal, against)


def _decision(
    state: State, role: Role, ply: int, made: Move, by_rule: Sequence[tuple[Move, ...]]
) -> Decision:
    """Return what the first rule that has moves allows, and what the rules after it would."""
    legal = tuple(state.legal(role))
    asking = [number for number, moves in enumerate(by_rule) if moves]
    rule = asking[0] + 1 if asking else 0
    return Decision(
        key=cast(int, state.key),
        ply=ply,
        rule=rule,
        made=made,
        allowed=by_rule[rule - 1] if rule else legal,
        otherwise=by_rule[asking[1]] if len(asking) > 1 else legal,
    )


_PLAYOUTS = 1000


def plan_advice(game: CompiledGame, seconds: float) -> tuple[RoleAdvice | None, int | None]:
    """Look for a plan for a puzzle's only role; return it, and its goal if no other can get more.

    >>> from kibitz.games import load_sheet
    >>> advice, goal = plan_advice(CompiledGame(load_sheet("eightpuzzle")), 30)
    >>> advice.worth.partition(" moves ")[2], goal
    ('get 100, the highest goal that its rules have.', 100)
    """
    if len(game.roles) != 1:
        return None, None
    planner = Planner(game)
    planner.search(game.initial(), time.monotonic() + seconds)
    if planner.plan is None or planner.plan.goal <= _without_plan(game):
        return None, None
    moves = _moves(game, planner.plan.moves)
    is_best = planner.plan.goal == planner.best_goal
    most = "the highest goal that its rules have" if is_best else "the most that was found"
    these = "This move gets" if len(moves) == 1 else f"These {len(moves)} moves get"
    line = ExampleLine(tuple((move,) for move in moves), (0,) * len(moves))
    advice = RoleAdvice(
        game.roles[0],
        f"{these} {planner.plan.goal}, {most}.",
        examples=(show_example(game, game.roles[0], line),),
    )
    return advice, planner.plan.goal if is_best else None


def _without_plan(game: CompiledGame) -> float:
    """Return what the role has at the start, or what random moves get on average if more."""
    role = game.roles[0]
    played = simulate(game, playouts=_PLAYOUTS, seconds=1, threads=1)
    mean = None if played.unfinished else played.mean_goals[role]
    return max(game.initial().goals[role] or 0, mean or 0)


def _moves(game: CompiledGame, moves: dict[object, Move]) -> list[Move]:
    """Return the moves of a plan in their order."""
    found = []
    state = game.initial()
    while not state.is_terminal:
        found.append(moves[state.key])
        state = game.successor(state.key, (moves[state.key],))
    return found


_MATCHES = 32
"""Matches in each seat from which examples are taken."""
_FEW_MATCHES = 8
"""The same for a list that is shown while better ones are looked for."""
_STRONG, _WEAK = 1000, 100
"""Playouts of the tree search they are against; fewer where a match takes much work."""
_MUCH = 2_000_000
"""Gates of a game times the moves of a match, from which on it is much work."""

Report = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class MeasuredAdvice:
    """Advice by measured rules, and the matches that its examples are from."""

    advice: RoleAdvice
    matches: tuple[PlayedMatch, ...]


def measured_advice(
    game: CompiledGame,
    role: Role | None,
    options: SearchOptions,
    *,
    before: RoleAdvice | None = None,
    matches: int = _MATCHES,
    report: Report = lambda _: None,
    seen: Callable[[MeasuredAdvice], None] | None = None,
) -> MeasuredAdvice:
    """Find rules for a role, or one list for all, measure them, and show each in a match.

    `seen` gets advice by each better list that is found on the way.
    Those of an advice from `before` are shown as they were measured then, with the command of then.
    """

    def advice(found: MeasuredRules, matches: int) -> MeasuredAdvice:
        played = _play(game, found, matches)
        asked = replace(options, seconds=found.given_s)
        command = before.command if before is not None else _command(game.sheet.name, role, asked)
        return MeasuredAdvice(_advice(game, found, played, command), tuple(played))

    if before is not None and before.measured is not None:
        found = known_measured_rules(game, before.measured)
    else:

        def show(found: MeasuredRules) -> None:
            if seen is not None:
                seen(advice(found, _FEW_MATCHES))

        found = find_measured_rules(
            game, role, options, report=report, seen=None if seen is None else show
        )
    report("playing matches for examples")
    return advice(found, matches)


def _play(game: CompiledGame, found: MeasuredRules, matches: int) -> list[PlayedMatch]:
    """Play by the rules in each seat, against tree search where it was measured, then at random.

    Random play comes to positions that rules such as winning at once are for.
    """
    seed = found.seed + 1

    def against(opponent: Policy) -> list[PlayedMatch]:
        return [
            match
            for role in found.roles
            for match in play_by_rules(found.strategies[role], role, opponent, matches, seed=seed)
        ]

    played = against(RandomPolicy())
    if not any(name.startswith("uct:") for name in found.strength):
        return played  # where tree search does not play, or takes too long
    mean = sum(len(match.joints) for match in played) / max(1, len(played))
    strong = _STRONG if len(game.network.gates) * mean < _MUCH else _WEAK
    return [*against(UctPolicy(strong, seed=seed)), *played]


def _advice(
    game: CompiledGame, found: MeasuredRules, played: Sequence[PlayedMatch], command: str
) -> RoleAdvice:
    count = len(found.per_rule)
    decided = Counter(one.rule for match in played for one in match.decisions)
    sample = _sample([match for match in played if match.against == played[0].against])
    shown = show_example(game, sample.role, ExampleLine(sample.joints, sample.rules))
    rules = tuple(_rule(game, found, played, n, decided[n + 1]) for n in range(count))
    return RoleAdvice(
        join_words(found.roles),
        "These rules were found by playing matches; nothing about them is proved.",
        rules=rules,
        strategy=found.text,
        command=command,
        was_interrupted=found.was_interrupted,
        examples=(replace(shown, against=_against(game, sample)),),
        unseen=tuple(n for n, rule in enumerate(rules, start=1) if not rule.decides),
        measured=found.as_json(),
    )


def _rule(
    game: CompiledGame,
    found: MeasuredRules,
    played: Sequence[PlayedMatch],
    number: int,
    decides: int,
) -> RuleText:
    """Put a rule into words, with a position of a match in which it decided."""
    first, sentence = found.roles[0], found.sentences[number]
    text = rule_text(found.strategies[first].rules_for(first)[number])
    shown = _shown(
        (match, one) for match in played for one in match.decisions if one.rule == number + 1
    )
    if shown is None:
        return RuleText(sentence, text, decides=decides)
    match, one = shown
    layout = layout_of(game)
    state = State(game, one.key)
    marks = _marks(state, one, game.successor(one.key, match.joints[one.ply]))
    return RuleText(
        sentence,
        text,
        text_board(state, layout, marks=marks),
        svg_board(state, layout, marks=marks),
        decides,
        is_position=True,
    )


def _marks(state: State, decision: Decision, after: State) -> list[Mark]:
    """Mark a move: an arrow or its cell; of several cells, such as a column, those that change."""
    layout = layout_of(state.game)
    mark = mark_move(layout, decision.made, "move")
    if mark.arrow or len(mark.cells) < 2:
        return [mark]
    new = set(after.fluents) - set(state.fluents)
    cells = {cell for fluent in new for cell in mark_fluent(layout, fluent).cells}
    return [replace(mark, cells=tuple(c for c in mark.cells if c in cells) or mark.cells)]


def _shown(
    decisions: Iterable[tuple[PlayedMatch, Decision]],
) -> tuple[PlayedMatch, Decision] | None:
    """Choose the position that shows a rule best.

    Without the rule another move would be made, few moves are allowed, and the match goes well.
    """

    def rank(pair: tuple[PlayedMatch, Decision]) -> tuple[bool, bool, int, float, int]:
        match, one = pair
        is_random = match.against == RandomPolicy().name
        return (not one.is_needed, is_random, len(one.allowed), -match.goal, one.ply)

    return min(decisions, key=rank, default=None)


def _sample(played: Sequence[PlayedMatch]) -> PlayedMatch:
    """Choose the match in which most rules decide; of these a good one, then a short one."""
    return max(played, key=lambda m: (len(set(m.rules) - {0}), m.goal, -len(m.joints)))


def _against(game: CompiledGame, match: PlayedMatch) -> str:
    """Say who the opponent was, and whom the rules played; nothing of a puzzle."""
    if len(game.roles) == 1:
        return ""
    return f"{opponent_words(match.against)}, the rules playing {side_name(match.role)}"


def _command(name: str, role: Role | None, options: SearchOptions) -> str:
    whom = f" --role {role}" if role is not None else ""
    much = (
        f"--rounds {options.rounds}" if options.seconds is None else f"--time {options.seconds:g}"
    )
    return (
        f"kibitz synth {name}{whom} --measured --max-rules {options.most_rules} {much} "
        f"--seed {options.seed}"
    )
