"""Find the list that is shortest to say for a role of a game, the sizes it holds for, and why.

Ideas come from what the rules are about: heaps and their values, symmetry, numbers of the state.
Each is read again and followed by the checker through all positions before it is believed.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar

import numpy as np

from kibitz.engine import CompiledGame, Role
from kibitz.errors import KibitzError, NoChoiceError
from kibitz.solve import Solution, keeping_edges
from kibitz.strategy import Strategy, StrategyRule, Verdict, columns_of, read_strategy, verify
from kibitz.synth.insight.counter_ideas import counter_ideas
from kibitz.synth.insight.grid_ideas import grid_ideas
from kibitz.synth.insight.growth import check_grown, check_larger
from kibitz.synth.insight.heaps import heaps_of
from kibitz.synth.insight.ideas import HoldsFor, Idea, heap_ideas, row_ideas
from kibitz.synth.insight.mark_rows import mark_row_ideas
from kibitz.synth.insight.number_rules import number_ideas
from kibitz.synth.insight.place_values import place_value_ideas
from kibitz.synth.insight.replies import (
    PLAN,
    mirror_ideas,
    pairing_ideas,
    ring_ideas,
    threat_ideas,
    threatening_mirror_ideas,
)
from kibitz.synth.insight.rows import rows_of

_MOST_IDEAS = 400
_MOST_KEPT = 12
"""Ideas that are followed by the checker, and right ones of which the best is taken."""


@dataclass(frozen=True)
class Insight:
    """A list that people remember, its verdict by the checker, its sizes, and why it works."""

    role: Role
    strategy: Strategy
    verdict: Verdict
    holds_for: HoldsFor
    why: tuple[str, ...]
    seconds: float
    states: int
    larger_games: int = 0
    """In how many larger games of the family it was followed too."""
    was_interrupted: ClassVar[bool] = False
    time_ended: ClassVar[bool] = False
    lower_bound: ClassVar[int] = 1
    """A list without rules does not play perfectly."""
    reading: ClassVar[str] = "none"

    @property
    def rules(self) -> tuple[StrategyRule, ...]:
        """The rules of the list."""
        return tuple(self.strategy.rules_for(self.role))

    @property
    def proved_minimal(self) -> bool:
        """Whether no list with fewer rules exists."""
        return len(self.rules) == 1

    @property
    def is_general(self) -> bool:
        """Whether it is known to work for more than this game, or is as short as can be."""
        plain = self.proved_minimal and not self._tables
        return self.holds_for.proved or self.larger_games > 0 or plain

    @property
    def length(self) -> int:
        """How many rules it is to remember; a table counts as three, a plan of moves as two."""
        return len(self.rules) + 2 * self._tables + self.strategy.text.count(PLAN)

    @property
    def _tables(self) -> int:
        return self.strategy.text.count("entry(")

    @property
    def rule_texts(self) -> list[str]:
        """The rules one by one, in the strategy language."""
        lines = self.strategy.text.splitlines()
        return [line for line in lines if not line.startswith("symmetric ")]

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON, with the keys of a synthesis."""
        rules = self.verdict.rules
        return {
            "role": self.role,
            "strategy": self.strategy.text,
            "rules": rules,
            "literals": self.verdict.literals,
            "verdict": self.verdict.as_json(),
            "symmetry": self.strategy.symmetry,
            "language": "rules of any kind",
            "lower_bound": self.lower_bound,
            "proved_minimal": self.proved_minimal,
            "literals_lower_bound": 0,
            "proved_fewest_literals": False,
            "seconds": self.seconds,
            "seed": 0,
            "states": self.states,
            "time_ended": self.time_ended,
            "shorter_with": None,
            "holds_for": self.holds_for.as_json(),
            "why": list(self.why),
        }


def find_insight(solution: Solution, role: Role, *, grow: str | None = None) -> Insight | None:
    """Find the list that is shortest to say; None where no idea plays perfectly.

    The solution is of all states, not one of each orbit. With `grow`, an argument of numbers such
    as `heap.2`, a list is also followed in relatives of the sheet in which these go on.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.solve import solve
    >>> from kibitz.space import explore
    >>> game = CompiledGame(load_sheet("nim:3,4,5"))
    >>> found = find_insight(solve(explore(game)), "player1")
    >>> found.rule_texts, found.holds_for.proved
    (['next nimsum(heap.2) = 0 => any'], True)
    """
    begin = time.perf_counter()
    game = solution.space.game
    game.check_role(role)
    kept: list[tuple[int, Idea, Strategy, Verdict, HoldsFor]] = []
    for idea in islice(_ideas(solution, role), _MOST_IDEAS):
        checked = _checked(idea, solution, role)
        if checked is None:
            continue
        strategy, verdict = checked
        if idea.proof is not None and grow is None:
            kept = [(0, idea, strategy, verdict, idea.proof)]
            break
        here = _positions(strategy, solution, role)
        value = solution.value()[role]
        if grow is None:
            grown = check_larger(strategy, game, role, value)
        else:
            grown = check_grown(strategy, game, role, value, grow)
            if idea.proof is not None:
                proof = HoldsFor(True, f"{idea.proof.sizes}; followed in {here}{grown.text}")
                kept = [(grown.games, idea, strategy, verdict, proof)]
                break
        sizes = HoldsFor(False, here + grown.text, idea.beyond)
        kept.append((grown.games, idea, strategy, verdict, sizes))
        if not grown.failed or len(kept) == _MOST_KEPT:
            break
        if len(idea.rules) > len(kept[0][1].rules):
            break
    if not kept:
        return None
    # Of several, the first one among those that work on the most larger games.
    larger, idea, strategy, verdict, holds_for = max(kept, key=lambda found: found[0])
    return Insight(
        role,
        strategy,
        verdict,
        holds_for,
        idea.why or _reason(strategy, solution, role),
        time.perf_counter() - begin,
        len(solution.space),
        larger,
    )


def insight_sentences(found: Insight) -> list[str]:
    """Describe each rule in English.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.solve import solve
    >>> from kibitz.space import explore
    >>> found = find_insight(solve(explore(CompiledGame(load_sheet("nim:1,2")))), "player1")
    >>> insight_sentences(found)
    ['Leave heaps with nim-sum 0 if you can.']
    """
    from kibitz.english import say_rule, scene_of

    game = found.strategy.game
    assert isinstance(game, CompiledGame)
    scene = scene_of(game, found.role)
    rules = found.strategy.rules_for(found.role)
    return [say_rule(scene, rule, symmetric=False) for rule in rules]


def sizes_sentence(holds_for: HoldsFor) -> str:
    """Say for which sizes a list plays perfectly, and how that is known.

    >>> sizes_sentence(HoldsFor(True, "every number in heap"))
    'Proved for every size: every number in heap.'
    """
    if holds_for.proved:
        return f"Proved for every size: {holds_for.sizes}."
    if holds_for.beyond:
        return f"Checked for {holds_for.sizes}; {holds_for.beyond}, and no more than that."
    return f"Checked for {holds_for.sizes}; nothing is proved for other sizes."


def check_choice(solution: Solution, role: Role) -> None:
    """Raise NoChoiceError if whatever the role plays is perfect."""
    game = solution.space.game
    nothing = verify(read_strategy("# nothing", game), solution, role)
    if nothing.perfect:
        raise NoChoiceError(
            f"{role} has nothing to decide in {game.sheet.name}: whatever it plays, "
            f"it gets {solution.value()[role]} against best play",
            hint="roles: " + " ".join(game.roles),
        )


def _ideas(solution: Solution, role: Role) -> Iterator[Idea]:
    heaps = heaps_of(solution.space)
    if heaps is not None:
        yield from heap_ideas(heaps)
    yield from counter_ideas(solution.space)
    rows = rows_of(solution.space) if heaps is None else None
    if rows is not None:
        yield from row_ideas(rows)
    if heaps is None:
        yield from grid_ideas(solution, role)
        yield from ring_ideas(solution, role)
    yield from mirror_ideas(solution, role)
    if heaps is None and rows is None:
        yield from place_value_ideas(solution.space)
    yield from mark_row_ideas(solution, role)
    yield from pairing_ideas(solution, role)
    # One rule about numbers comes before two threats, and these before two rules about numbers.
    numbers = number_ideas(solution, role)
    longer = None
    for idea in numbers:
        if len(idea.rules) > 1:
            longer = idea
            break
        yield idea
    yield from threatening_mirror_ideas(solution, role)
    yield from threat_ideas(solution, role)
    if longer is not None:
        yield longer
        yield from numbers


def _checked(idea: Idea, solution: Solution, role: Role) -> tuple[Strategy, Verdict] | None:
    """Follow an idea's rules; return them with the verdict if they play perfectly."""
    game: CompiledGame = solution.space.game
    try:
        strategy = read_strategy(idea.text, game, name="insight")
        verdict = verify(strategy, solution, role)
    except KibitzError:
        return None
    right = verdict.perfect and not verdict.dead_rules
    if right and idea.must_answer and not _answers(strategy, solution, role):
        return None
    return (strategy, verdict) if right else None


def _answers(strategy: Strategy, solution: Solution, role: Role) -> bool:
    """Return whether rules have a move wherever play that follows them comes, but for its start."""
    space = solution.space
    chosen = strategy.on(space, role).chosen
    mine = columns_of(space).to_move(role)
    known, queue = {0}, [0]
    while queue:
        state = queue.pop()
        edges = np.arange(space.first_edge[state], space.first_edge[state + 1])
        followed = edges[chosen[edges]] if mine[state] else edges
        if mine[state] and not len(followed):
            if state:
                return False
            followed = edges
        for after in space.target[followed].tolist():
            if after not in known:
                known.add(after)
                queue.append(after)
    return True


def _reason(strategy: Strategy, solution: Solution, role: Role) -> tuple[str, ...]:
    """Say why one rule wins that has a move after every move of the opponent; else nothing."""
    is_one = len(strategy.rules_for(role)) == 1
    if not is_one or solution.value()[role] < 100 or not _answers(strategy, solution, role):
        return ()
    return (
        "Whatever the opponent answers, you can do so again, until play ends and you have won; "
        "each answer was followed.",
    )


def _positions(strategy: Strategy, solution: Solution, role: Role) -> str:
    """Say for which starts a list is right: from all positions of the game, or from its own."""
    space = solution.space
    moves = strategy.on(space, role)
    turn = np.flatnonzero(columns_of(space).to_move(role))
    chosen, good = moves.chosen, keeping_edges(solution)
    for state in turn.tolist():
        edges = slice(space.first_edge[state], space.first_edge[state + 1])
        asked = chosen[edges]
        allowed = asked if asked.any() else np.ones_like(asked)
        if (allowed & ~good[edges]).any():
            return "this game from its start"
    return f"this game from any of its {len(space):,} positions"
