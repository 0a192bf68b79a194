"""Comparisons of Kibitz with plain code, and of its parts with one another, on any small game.

Each takes a Case and a source of random choices, and raises Difference if two sides disagree.
Where a side does not apply it raises Refused, or Kibitz a KibitzError that says why.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import cached_property
from itertools import product
from random import Random

import clingo
import numpy as np
import numpy.typing as npt
from tests.soundness.certificates import (
    Writer,
    by_kibitz,
    by_standalone,
    forged_openings,
    forgeries,
    standalone_game,
)
from tests.soundness.plain import (
    Difference,
    Graph,
    Joint,
    Node,
    Refused,
    explore_plainly,
    judge,
    matches,
    same,
)
from tests.soundness.plans import (
    Following,
    Image,
    Plan,
    random_formula,
    random_plan,
    random_rules,
    write,
)

from kibitz.engine import Game, ReferenceGame, State
from kibitz.engine.compiled.game import CompiledGame
from kibitz.engine.compiled.perft import perft
from kibitz.engine.frame import Covering, translate
from kibitz.engine.grounding.invariants import Status, find_invariants
from kibitz.engine.ungrounded import UngroundedGame, count_visits
from kibitz.english import names_of, rule_book_of
from kibitz.errors import KibitzError
from kibitz.gdl import RuleSheet, parse_terms, read, to_kif, to_ruleform
from kibitz.measured.positions import Positions, allowed_moves
from kibitz.measured.strength import _draw, measure_accuracy, strength_of
from kibitz.policy import play_matches, policy_for
from kibitz.present import Study, StudyOptions
from kibitz.prove import (
    Prover,
    Spending,
    certificate_of,
    check_certificate,
    read_certificate,
    regenerate,
)
from kibitz.puzzles import DepthSkill, Wanted, choose_puzzles, find_positions
from kibitz.rulebook import as_gdl
from kibitz.solve import Solution, solve, solve_layers, solve_maxn, solve_mixed, winning_sets
from kibitz.solve.retrograde import guaranteed_goals
from kibitz.solve.symbolic import reach, solve_symbolically
from kibitz.space import (
    Limits,
    StateSpace,
    Symmetries,
    explore,
    explore_layers,
    find_symmetries,
)
from kibitz.strategy import Strategy, Verdict, read_strategy, verify
from kibitz.strategy.encodings import asp_encoding, tptp_encoding
from kibitz.strategy.evaluation.rule_images import carriers_of, elements_of
from kibitz.strategy.syntax.printer import write_rule
from kibitz.strategy.verification.compliance import comply
from kibitz.strategy.verification.reference import verify_by_reference
from kibitz.synth import Options, synthesise
from kibitz.wording import NUMBER_WORDS

__all__ = ["COMPARISONS", "Case", "Difference"]

Rows = npt.NDArray[np.uint64]


class Case:
    """A game by its text, with all that is made of it, each once."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def sheet(self) -> RuleSheet:
        return read(self.text, name="random", form="kif")

    @cached_property
    def reference(self) -> ReferenceGame:
        return ReferenceGame(self.sheet)

    @cached_property
    def compiled(self) -> CompiledGame:
        return CompiledGame(self.sheet)

    @cached_property
    def ungrounded(self) -> UngroundedGame:
        return UngroundedGame(self.sheet)

    @cached_property
    def _graph(self) -> Graph | Refused:
        try:
            return explore_plainly(self.reference)
        except Refused as refused:
            return refused

    @property
    def graph(self) -> Graph:
        if isinstance(self._graph, Refused):
            raise self._graph
        return self._graph

    @property
    def small_graph(self) -> Graph:
        """Give the graph if a strategy can be taken path by path on it."""
        if self.graph.edges > 250:
            raise Refused("too many moves for paths")
        return self.graph

    @cached_property
    def space(self) -> StateSpace:
        return explore(self.compiled, limits=Limits(states=1_000))

    @cached_property
    def solution(self) -> Solution:
        return solve(self.space)

    @cached_property
    def symmetries(self) -> Symmetries:
        return find_symmetries(self.compiled)

    @cached_property
    def images(self) -> list[Image]:
        """Give what the elements of the group make of fluents and moves, by their text."""
        names = self.symmetries
        fluents = list(map(str, names.fluents))
        moves = [list(map(str, some)) for some in names.moves]
        return [
            (
                {fluents[a]: fluents[b] for a, b in enumerate(element.fluents)},
                {
                    role: {moves[r][a]: moves[r][b] for a, b in enumerate(element.moves[r])}
                    for r, role in enumerate(self.compiled.roles)
                },
            )
            for element in elements_of(self.compiled)
        ]

    def number(self, state: State) -> int:
        """Give the plain number of a state."""
        fluents = texts(state)
        if fluents not in self.graph.number:
            raise Difference(f"a state that cannot be reached: {' '.join(sorted(fluents))}")
        return self.graph.number[fluents]

    @cached_property
    def numbers(self) -> list[int]:
        """Give the plain number of each state of the space."""
        return [self.number(self.space.state(s)) for s in range(len(self.space))]


def texts(state: State) -> frozenset[str]:
    return frozenset(map(str, state.fluents))


# Engines.


def view(state: State) -> dict[str, object]:
    return {
        "state": sorted(texts(state)),
        "legal": {role: sorted(map(str, state.legal(role))) for role in state.game.roles},
        "terminal": state.is_terminal,
        "goals": state.goals,
    }


def alike(games: dict[str, Game], rng: Random, steps: int) -> None:
    """Make the same random moves in all games, now and then from a state met before."""
    (first, *others) = games
    same("roles", {name: game.roles for name, game in games.items()},
         dict.fromkeys(games, games[first].roles))  # fmt: skip
    states = {name: game.initial() for name, game in games.items()}
    met: list[State] = []
    made: list[str] = []
    for _ in range(steps):
        expected = view(states[first])
        for name in others:
            same(f"{name} against {first} after {made}", view(states[name]), expected)
        met.append(states[first])
        legal = [states[first].legal(role) for role in games[first].roles]
        if not all(legal) or rng.random() < 0.15:
            fluents = rng.choice(met).fluents
            states = {name: game.state(fluents) for name, game in games.items()}
            made = [f"jump to {' '.join(map(str, fluents))}"]
            continue
        joint = [rng.choice(moves) for moves in legal]
        made.append(" ".join(map(str, joint)))
        states = {name: state.step(joint) for name, state in states.items()}


def compare_engines(case: Case, rng: Random) -> None:
    """Walk with the reference, the compiled and the ungrounded engine."""
    alike({"reference": case.reference, "compiled": case.compiled}, rng, 16)


def compare_ungrounded(case: Case, rng: Random) -> None:
    """Walk with the engine that does not ground."""
    alike({"reference": case.reference, "ungrounded": case.ungrounded}, rng, 16)


def compare_backends(case: Case, rng: Random) -> None:
    """Walk with every way to run gates."""
    ways = {way: CompiledGame(case.sheet, backend=way) for way in ("straight", "interpreter")}
    alike({"compiled": case.compiled, **ways}, rng, 16)


def compare_perft(case: Case, rng: Random) -> None:
    """Count the tree by the compiled engine, with and without stopping at the end, and plainly."""
    depth = rng.randint(1, 3)
    stop = rng.random() < 0.5
    counts, states = [1], [case.reference.initial()]
    for _ in range(depth):
        after = []
        for state in states:
            if not (stop and state.is_terminal):
                legal = [state.legal(role) for role in case.reference.roles]
                after += [case.reference.successor(state.key, j) for j in product(*legal)]
        if len(after) > 1000:
            break
        counts.append(len(after))
        states = after
    found = perft(case.compiled, len(counts) - 1, stop_at_terminal=stop, threads=1)
    same("states at each depth", found.per_depth, tuple(counts))
    if not stop:
        same("visits", count_visits(case.ungrounded, len(counts) - 1), sum(counts))


def compare_frame(case: Case, rng: Random) -> None:
    """Walk with the rules of change that frame rules become."""
    covering = rng.choice(list(Covering))
    translation = translate(case.sheet, covering)
    if not translation.is_changed:
        raise Refused("no frame rules")
    engine = rng.choice([ReferenceGame, UngroundedGame, CompiledGame])
    game = engine(translation.sheet)
    alike({"reference": case.reference, f"translated, {covering}": game}, rng, 12)


def compare_printing(case: Case, rng: Random) -> None:
    """Print the sheet in both notations and read it again."""
    kif = read(to_kif(case.sheet), name="again", form="kif")
    same("the sheet from KIF", kif.rules, case.sheet.rules)
    rules = read(to_ruleform(case.sheet), name="again", form="rules")
    same("the sheet from the rule form", rules.rules, case.sheet.rules)


# Spaces, values and invariants.


def compare_space(case: Case, rng: Random) -> None:
    """Compare the space with all states that the reference engine finds."""
    graph, space = case.graph, case.space
    same("complete", space.is_complete, True)
    same("number of states", len(set(case.numbers)), len(graph.nodes))
    same("states once each", len(space), len(graph.nodes))
    bounds = [*space.layers, len(space)]
    for s, i in enumerate(case.numbers):
        node = graph.nodes[i]
        found = {tuple(map(str, joint)): case.numbers[to] for joint, to in space.moves(s)}
        same(f"moves of {sorted(node.fluents)}", found, node.next)
        same("edges once each", len(space.moves(s)), len(node.next))
        same(f"terminal in {sorted(node.fluents)}", bool(space.terminal[s]), node.is_terminal)
        goals = [-1 if goal is None else goal for goal in node.goals.values()]
        same(f"goals in {sorted(node.fluents)}", space.goals[s].tolist(), goals)
        layer = next(k for k, bound in enumerate(bounds) if s < bound) - 1
        same(f"distance of {sorted(node.fluents)}", layer, graph.layer[i])
        choosers = graph.choosers(i)
        turn = choosers[0] if len(choosers) == 1 else -2 if choosers else -1
        if not node.is_stuck:
            same(f"turn in {sorted(node.fluents)}", int(space.turn[s]), turn)


def needs_values(graph: Graph) -> None:
    if len(graph.roles) > 2 or not graph.takes_turns or graph.sums is None:
        raise Refused("states have no one value")
    if len(graph.roles) == 2 and len(graph.sums) > 1:
        raise Refused("goals do not add up")


def check_values(what: str, graph: Graph, solution: Solution, number: Callable[[int], int]) -> None:
    for s in range(len(solution.space)):
        i = number(s)
        where = f"of {sorted(graph.nodes[i].fluents)}, {what}"
        same(f"value {where}", int(solution.values[s]), graph.values[i])
        same(f"plies {where}", solution.plies(s), graph.distances[i])


def compare_solution(case: Case, rng: Random) -> None:
    """Compare values and distances with plain value iteration."""
    needs_values(case.graph)
    check_values("explicit", case.graph, case.solution, lambda s: case.numbers[s])
    values = case.graph.values
    first = dict(zip(case.graph.roles, (values[0], case.graph.total - values[0]), strict=False))
    same("values", case.solution.value(), first)
    same("guaranteed goals", guaranteed_goals(case.space), first)
    line = case.solution.line()
    state: State = case.compiled.initial()
    for joint in line:
        same("value along the best line", values[case.number(state)], values[0])
        state = state.step(joint)


def compare_symbolic(case: Case, rng: Random) -> None:
    """Compare sets as decision diagrams with the graph: reachable, ends, values and distances."""
    graph = case.graph
    found = reach(case.compiled)
    same("reachable states", found.states.count, len(graph.nodes))
    members = {case.number(state) for state in found.states.sample(len(graph.nodes))}
    same("reachable states by name", members, set(range(len(graph.nodes))))
    inner = {case.number(state) for state in found.inner.sample(len(graph.nodes))}
    same("inner states", inner, {i for i, n in enumerate(graph.nodes) if not n.is_terminal})
    needs_values(graph)
    solution = solve_symbolically(found)
    for s, i in enumerate(case.numbers):
        where = f"of {sorted(graph.nodes[i].fluents)}, symbolic"
        state = case.space.state(s)
        worth = (graph.values[i], graph.total - graph.values[i])
        values = dict(zip(graph.roles, worth, strict=False))
        same(f"values {where}", solution.value(state), values)
        same(f"plies {where}", solution.plies(state), graph.distances[i])


def carry(node: Node, image: Image) -> frozenset[str]:
    return frozenset(image[0][fluent] for fluent in node.fluents)


def compare_symmetries(case: Case, rng: Random) -> None:
    """See that symmetries are symmetries of all states, and that a reduced space is the orbits."""
    graph = case.graph
    if case.symmetries.order == 1:
        raise Refused("no symmetry")
    same("order", len(case.images), case.symmetries.order)
    orbit = list(range(len(graph.nodes)))
    for image in case.images:
        same("image of the start", carry(graph.nodes[0], image), graph.nodes[0].fluents)
        for i, node in enumerate(graph.nodes):
            where = f"image of {sorted(node.fluents)}"
            if carry(node, image) not in graph.number:
                raise Difference(f"{where} cannot be reached")
            to = graph.number[carry(node, image)]
            orbit[i] = min(orbit[i], to)
            other = graph.nodes[to]
            same(f"ends in {where}", other.is_terminal, node.is_terminal)
            same(f"goals in {where}", other.goals, node.goals)
            carried = {
                tuple(image[1][r][m] for r, m in zip(graph.roles, joint, strict=True)):
                    graph.number.get(carry(graph.nodes[target], image))
                for joint, target in node.next.items()
            }  # fmt: skip
            same(f"moves in {where}", other.next, carried)
    reduced = explore(case.compiled, symmetries=case.symmetries)
    numbers = [case.number(reduced.state(s)) for s in range(len(reduced))]
    same("orbits", sorted(orbit[i] for i in numbers), sorted(set(orbit)))
    for s, i in enumerate(numbers):
        node = graph.nodes[i]
        found = {tuple(map(str, j)): orbit[numbers[to]] for j, to in reduced.moves(s)}
        expected = {joint: orbit[to] for joint, to in node.next.items()}
        same(f"moves of {sorted(node.fluents)} up to symmetry", found, expected)
        same("terminal", bool(reduced.terminal[s]), node.is_terminal)
    needs_values(graph)
    check_values("reduced", graph, solve(reduced), lambda s: numbers[s])


def compare_maxn(case: Case, rng: Random) -> None:
    """Compare outcomes of roles that each care for themselves with every way to break ties."""
    graph = case.graph
    if not graph.takes_turns or graph.sums is None:
        raise Refused("max-n does not apply")
    if graph.order is None or any(node.is_stuck for node in graph.nodes):
        raise Refused("cycles or stuck states")
    outcomes: dict[int, set[tuple[int, ...]]] = {}
    for i in graph.order:
        node = graph.nodes[i]
        if node.is_terminal:
            outcomes[i] = {tuple(goal or 0 for goal in node.goals.values())}
            continue
        after = [outcomes[to] for to in node.next.values()]
        mover = next(iter(graph.choosers(i)), None)
        if mover is None:
            outcomes[i] = set(after[0])
            continue
        least = max(min(goals[mover] for goals in some) for some in after)
        outcomes[i] = {goals for some in after for goals in some if goals[mover] >= least}
    solution = solve_maxn(case.space)
    for s, i in enumerate(case.numbers):
        found = {tuple(o.values()) for o in solution.look(s).outcomes}
        same(f"outcomes of {sorted(graph.nodes[i].fluents)}", found, outcomes[i])


def compare_mixed(case: Case, rng: Random) -> None:
    """Compare values of choices made at once with exact fractions, from the ends backwards."""
    from tests.solve.test_mixed import exact_value

    graph = case.graph
    if len(graph.roles) != 2 or graph.sums is None or len(graph.sums) != 1:
        raise Refused("not two opposed roles")
    if graph.order is None or any(node.is_stuck for node in graph.nodes):
        raise Refused("cycles or stuck states")
    if graph.takes_turns and rng.random() < 0.8:
        raise Refused("no choices at once")
    values: dict[int, Fraction] = {}
    first, second = graph.roles
    for i in graph.order:
        node = graph.nodes[i]
        if node.is_terminal:
            values[i] = Fraction(node.goals[first] or 0)
        else:
            values[i] = exact_value([
                [values[node.next[mine, other]] for other in node.legal[second]]
                for mine in node.legal[first]
            ])  # fmt: skip
    solution = solve_mixed(case.space)
    for s, i in enumerate(case.numbers):
        low, high = solution.bounds(s)[first]
        if not low - 1e-6 <= values[i] <= high + 1e-6:
            raise Difference(
                f"value of {sorted(graph.nodes[i].fluents)}: {low} to {high}, and is {values[i]}"
            )


def compare_winning_sets(case: Case, rng: Random) -> None:
    """Compare positions won in j rounds, and puzzles made of them, with forcing a win plainly."""
    graph, space = case.graph, case.space
    role = rng.choice(graph.roles)
    if not graph.takes_turns:
        raise Refused("roles choose at once")
    me = graph.roles.index(role)
    plies = {i: 0 for i, n in enumerate(graph.nodes) if n.is_terminal and n.goals[role] == 100}
    for round_ in range(1, len(graph.nodes) + 1):
        won = set(plies)
        for i in set(range(len(graph.nodes))) - won:
            into = [to in won for to in graph.nodes[i].next.values()]
            if into and (any(into) if graph.choosers(i) == [me] else all(into)):
                plies[i] = round_
    expected: dict[int, set[int]] = {}
    several = []
    for i, count in plies.items():
        movers = [r for r in graph.roles if i in graph.turns[r]]
        if not graph.choosers(i) and len(movers) > 1:
            several.append(i)  # nobody chooses, and nobody is known to be the one to move
        elif count and movers == [role]:
            expected.setdefault((count - 1) // 2, set()).add(i)
    found = winning_sets(space, role, set="exact")
    for j in range(max([*expected, len(found.sets)], default=0) + 1):
        states = {case.numbers[int(s)] for s in found.ids(j)} - set(several)
        same(f"{role} wins in {j} rounds", states, expected.get(j, set()))
    needs_values(graph)
    if len(graph.roles) != 2:
        raise Refused("puzzles are for two roles")
    positions = find_positions(case.compiled, role, set="exact", among="reachable")
    same("counts of positions", positions.counts, found.counts)
    for j in sorted(expected):
        wanted = Wanted(count=5, unique=rng.random() < 0.5)
        for puzzle in choose_puzzles(
            positions, j, own=DepthSkill(1), other=DepthSkill(1), wanted=wanted
        ):
            i = case.number(puzzle.state)
            node = graph.nodes[i]
            winning = {joint[me]: plies[to] for joint, to in node.next.items() if to in plies}
            firsts = {move for move, count in winning.items() if count < 2 * j + 2}
            where = f"of the puzzle {sorted(node.fluents)} for {role}"
            same(f"first moves {where}", set(puzzle.first_moves), firsts)
            same(f"slower moves {where}", set(puzzle.slower_moves), set(winning) - firsts)
            same(f"some move is wrong {where}", len(firsts) < len(node.next), True)
            same(f"plies {where}", puzzle.remoteness, graph.distances[i])
            if wanted.unique:
                same(f"number of first moves {where}", len(firsts), 1)
            if i not in several:
                same(f"rounds {where}", (plies[i] - 1) // 2, puzzle.win_in)


GROUP = re.compile(
    r"(exactly|at most) one \((\S+) _\) holds|\((\S+) _\) holds for (exactly|at most) one role"
)
FUNCTION = re.compile(r"every \((\S+) (.*)\) has (exactly|at most) one value")
STAYS = re.compile(r"(\S+|\(\S+ …\)) never (ends once it holds|begins to hold)")
TOGETHER = re.compile(r"(\S+): (\S+|\(\S+ …\)) and (\S+): (\S+|\(\S+ …\)) are never legal together")


def kind_of(text: str) -> str:
    return text.strip("()").split()[0]


def breaks(statement: str, graph: Graph) -> str:
    """Say how a statement about all states is wrong; empty if it holds."""
    terms = {t: parse_terms(t)[0] for node in graph.nodes for t in node.fluents}
    if found := GROUP.fullmatch(statement):
        amount, name = found[1] or found[4], found[2] or found[3]
        for node in graph.nodes:
            count = sum(terms[t].name == name and len(terms[t].args) == 1 for t in node.fluents)
            if count > 1 or (amount == "exactly" and count != 1):
                return f"{count} in {sorted(node.fluents)}"
        return ""
    if found := FUNCTION.fullmatch(statement):
        name, args, amount = found.groups()
        place, arity = args.split().index("_"), len(args.split())
        rows: set[tuple[str, ...]] = set()
        counts = []
        for node in graph.nodes:
            found_rows: dict[tuple[str, ...], int] = {}
            for text in node.fluents:
                term = terms[text]
                if term.name == name and len(term.args) == arity:
                    row = tuple(str(a) for k, a in enumerate(term.args) if k != place)
                    found_rows[row] = found_rows.get(row, 0) + 1
            rows |= set(found_rows)
            counts.append((node, found_rows))
        for node, having in counts:
            for row in rows:
                n = having.get(row, 0)
                if n > 1 or (amount == "exactly" and n != 1):
                    return f"{n} for {row} in {sorted(node.fluents)}"
        return ""
    if found := STAYS.fullmatch(statement):
        name, what = kind_of(found[1]), found[2]
        for node in graph.nodes:
            for to in node.next.values():
                before, after = node.fluents, graph.nodes[to].fluents
                changed = before - after if what.startswith("ends") else after - before
                if any(terms[t].name == name for t in changed):
                    return f"{sorted(changed)} from {sorted(before)}"
        return ""
    if found := TOGETHER.fullmatch(statement):
        one, mine, two, other = found.groups()
        for node in graph.nodes:
            legal = [kind_of(m) for m in node.legal[one]], [kind_of(m) for m in node.legal[two]]
            if node.next and kind_of(mine) in legal[0] and kind_of(other) in legal[1]:
                return f"both are legal in {sorted(node.fluents)}"
        return ""
    if statement == "at most one role has a choice of moves":
        return "" if graph.takes_turns else "several choose at once"
    raise Difference(f"nobody knows how to check: {statement}")


def compare_invariants(case: Case, rng: Random) -> None:
    """See that what is called proved holds in all states, and what is called refuted does not."""
    graph = case.graph
    found = find_invariants(case.sheet)
    for invariant in found.found:
        if invariant.status is Status.NOT_PROVED:
            continue
        how = breaks(invariant.statement, graph)
        if invariant.status is Status.PROVED and how:
            raise Difference(f"called proved: {invariant.statement}\n  but {how}")
        if invariant.status is Status.REFUTED and not how:
            raise Difference(f"called refuted, and holds in all states: {invariant.statement}")


# Strategies.


class Followed:
    """A random strategy, read by Kibitz and followed plainly."""

    def __init__(self, case: Case, plan: Plan) -> None:
        self.case, self.plan, self.role = case, plan, plan.role
        self.strategy: Strategy = read_strategy(plan.text, case.compiled)
        images = case.images if plan.rules and plan.symmetry != "none" else []
        self.follow = Following(case.small_graph, plan, images)

    @cached_property
    def chosen(self) -> dict[int, frozenset[str]]:
        return {i: self.follow.moves(i) for i in range(len(self.case.graph.nodes))}

    def __str__(self) -> str:
        return f"{self.role} follows\n{self.plan.text}"


def some_strategy(case: Case, rng: Random, *, past: bool = False) -> Followed:
    graph = case.small_graph
    if graph.edges == 0:
        raise Refused("no moves")
    role = rng.choice(graph.roles)
    return Followed(case, random_plan(rng, graph, role, past=past))


def names(moves: Sequence[object]) -> frozenset[str]:
    return frozenset(map(str, moves))


def compare_moves(case: Case, rng: Random) -> None:
    """Compare a strategy's moves on the space and at single states with the definitions."""
    for _ in range(3):
        made = some_strategy(case, rng)
        on = made.strategy.on(case.space, made.role)
        for s, i in enumerate(case.numbers):
            where = f"in {sorted(case.graph.nodes[i].fluents)}, {made}"
            same(f"moves on the space {where}", names(on.moves(s)), made.chosen[i])
            here = made.strategy.moves(case.space.state(s), made.role)
            same(f"moves at the state {where}", names(here), made.chosen[i])


def compare_past(case: Case, rng: Random) -> None:
    """Compare a strategy that refers to the past with the definitions, along random matches."""
    for _ in range(3):
        made = some_strategy(case, rng, past=True)
        i, state = 0, case.compiled.initial()
        plain: list[tuple[int, Joint]] = []
        history: list[tuple[State, tuple[object, ...]]] = []
        for _ in range(6):
            node = case.graph.nodes[i]
            if not node.next:
                break
            expected = made.follow.moves(i, plain)
            found = made.strategy.moves(state, made.role, history=history)  # type: ignore[arg-type]
            same(f"moves after {plain}, {made}", names(found), expected)
            joint = rng.choice(sorted(node.next))
            played = tuple(parse_terms(move)[0] for move in joint)
            plain.append((i, joint))
            history.append((state, played))
            i, state = node.next[joint], state.step(played)


CLAIMS = (
    "perfect",
    "valid",
    "complete",
    "deterministic",
    "weakly_optimal",
    "strongly_optimal",
    "makes_progress",
    "guarantees",
    "states_checked",
    "bad_states",
)


def claims_of(verdict: object, leave: Sequence[str] = ()) -> dict[str, object]:
    return {claim: getattr(verdict, claim) for claim in CLAIMS if claim not in leave}


def check_counterexample(made: Followed, verdict: Verdict) -> None:
    """Follow the path to the counterexample, and see that it is one."""
    shown = verdict.counterexample
    if shown is None:
        raise Difference(f"no counterexample, {made}")
    graph, me = made.case.graph, made.case.graph.roles.index(made.role)
    i = 0
    for joint in shown.path:
        mine = i in graph.turns[made.role] and made.chosen[i]
        if joint not in graph.nodes[i].next or (mine and joint[me] not in mine):
            raise Difference(f"the path {shown.path} is not play that follows the strategy, {made}")
        i = graph.nodes[i].next[joint]
    node = graph.nodes[i]
    same(f"where the path leads, {made}", frozenset(shown.fluents), node.fluents)
    keeps = {joint[me] for joint, to in node.next.items() if graph.values[to] == graph.values[i]}
    legal = frozenset(node.legal[made.role])
    ahead, plies = graph.values[i] != graph.total // 2, graph.distances
    best = {
        joint[me]
        for joint, to in node.next.items()
        if joint[me] in keeps and (not ahead or plies[to] == (plies[i] or 0) - 1)
    }
    same(f"moves that keep the value, {made}", set(shown.keeping_moves), keeps)
    same(f"best moves, {made}", set(shown.optimal_moves), best)
    same(f"moves chosen, {made}", set(shown.moves_chosen), made.chosen[i] or legal)
    if set(shown.moves_chosen) <= best:
        raise Difference(f"a counterexample that is none: {sorted(node.fluents)}, {made}")


def compare_verify(case: Case, rng: Random) -> None:
    """Compare verdicts with the definitions, and with those of the reference engine."""
    for _ in range(2):
        made = some_strategy(case, rng)
        try:
            needs_values(case.graph)
        except Refused:
            expected = judge(case.graph, made.role, made.chosen, is_solved=False)
            found = verify(made.strategy, case.space, made.role)
            skip = ("bad_states",)
            same(f"verdict, {made}", claims_of(found, skip), claims_of(expected, skip))
            continue
        expected = judge(case.graph, made.role, made.chosen, is_solved=True)
        found = verify(made.strategy, case.solution, made.role)
        same(f"verdict, {made}", claims_of(found), claims_of(expected))
        if not expected.perfect:
            check_counterexample(made, found)
        if len(case.graph.nodes) <= 40:
            carriers = carriers_of(case.compiled) if made.strategy.symmetry != "none" else []
            again = read_strategy(made.plan.text, case.reference)
            other = verify_by_reference(again, made.role, carriers=carriers)
            same(f"verdict by reference, {made}", claims_of(other), claims_of(expected))
            same(f"dead rules, {made}", found.dead_rules, other.dead_rules)
            same(f"literals, {made}", found.literals, other.literals)


def compare_verify_reduced(case: Case, rng: Random) -> None:
    """Compare verdicts of rule lists on one state of each orbit with those on all."""
    graph = case.small_graph
    if case.symmetries.order == 1:
        raise Refused("no symmetry")
    needs_values(graph)
    reduced = solve(explore(case.compiled, symmetries=case.symmetries))
    role = rng.choice(graph.roles)
    plan = random_rules(rng, graph, role)
    if plan is None or plan.symmetry != "any":
        raise Refused("no list that is read as any")
    made = Followed(case, plan)
    found = verify(made.strategy, reduced, role)
    expected = judge(graph, role, made.chosen, is_solved=True)
    skip = ("states_checked", "bad_states")
    same(f"verdict on orbits, {made}", claims_of(found, skip), claims_of(expected, skip))


def compare_encoding(case: Case, rng: Random) -> None:
    """Compare answer sets of an encoding with all matches that comply, one by one."""
    graph = case.small_graph
    if graph.order is None:
        raise Refused("matches need not end")
    past = rng.random() < 0.2
    bound = rng.sample(graph.roles, rng.randint(0, len(graph.roles)))
    made = {r: Followed(case, random_plan(rng, graph, r, past=past)) for r in bound}
    silence = rng.choice(["any", "stop"])
    follow = {role: m.follow.moves for role, m in made.items()}
    expected = matches(graph, follow, silence=silence, most=400)
    if len(expected) > 400:
        raise Refused("too many matches")
    strategies = {role: m.strategy for role, m in made.items()}
    text = asp_encoding(case.compiled, strategies, silence=silence)
    control = clingo.Control(["0", "--warn=none"])
    control.add("base", [], text)
    control.ground([("base", [])])
    found = []
    with control.solve(yield_=True) as handle:
        for model in handle:
            steps: dict[int, dict[str, str]] = {}
            for symbol in model.symbols(shown=True):
                role, move, at = symbol.arguments
                steps.setdefault(at.number, {})[kif(role)] = kif(move)
            found.append(tuple(tuple(steps[t][r] for r in graph.roles) for t in sorted(steps)))
    who = "".join(f"\n{m}" for m in made.values())
    same(f"matches as answer sets, silence {silence}{who}", sorted(found), sorted(expected))


def kif(symbol: clingo.Symbol) -> str:
    if symbol.type == clingo.SymbolType.Number or not symbol.arguments:
        return str(symbol)
    return f"({symbol.name} {' '.join(map(kif, symbol.arguments))})"


def compare_axioms(case: Case, rng: Random) -> None:
    """Let a prover find out, a few moves into a match, whose turn it is and which moves comply."""
    prover = shutil.which("eprover")
    if not prover:
        raise Refused("the prover E is not installed")
    graph = case.small_graph
    bound = rng.sample(graph.roles, rng.randint(0, len(graph.roles)))
    made = [Followed(case, random_plan(rng, graph, role)) for role in bound]
    silence = rng.choice(["any", "stop"])
    strategies = {m.role: m.strategy for m in made}
    text = tptp_encoding(case.compiled, strategies, silence=silence)
    joints = {joint for node in graph.nodes for joint in node.next}
    action = {joint: re.sub(r"[^A-Za-z0-9]+", "_", f"a_{'_and_'.join(joint)}") for joint in joints}
    action = {joint: name.strip("_") for joint, name in action.items()}
    if len(set(action.values())) < len(action):
        raise Refused("names of actions are not told apart by letters and digits")
    i, situation = 0, "s0"
    for _ in range(rng.randint(0, 2)):
        if graph.nodes[i].next:
            joint = rng.choice(sorted(graph.nodes[i].next))
            i, situation = graph.nodes[i].next[joint], f"do({action[joint]},{situation})"

    def complies(joint: Joint, m: Followed) -> bool:
        move = joint[graph.roles.index(m.role)]
        allowed = move in m.chosen[i] or (silence == "any" and not m.chosen[i])
        return i not in graph.turns[m.role] or allowed

    claims = [
        ("" if i in graph.turns[role] else "~") + f"turn{number}({situation})"
        for number, role in enumerate(graph.roles, 1)
    ]
    for joint, name in sorted(action.items()):
        may = joint in graph.nodes[i].next and all(complies(joint, m) for m in made)
        claims.append(("" if may else "~") + f"strat({name},{situation})")
    who = f"in {sorted(graph.nodes[i].fluents)}, silence {silence}" + "".join(
        f"\n{m}" for m in made
    )
    claims = rng.sample(claims, min(3, len(claims)))
    proved = [claim for claim in claims if _is_proved(prover, text, claim)]
    refuted = [c for c in claims if c not in proved and _is_proved(prover, text, f"~({c})")]
    same(f"what axioms refute {who}", refuted, [])
    if not proved:
        raise Refused("the prover needs more time")


def _is_proved(prover: str, text: str, claim: str) -> bool:
    """Return whether a prover derives a claim from axioms within some seconds of work."""
    command = [prover, "--auto", "-s", "--cpu-limit=2", "--tptp3-format", "-"]
    problem = f"{text}fof(q, conjecture, {claim}).\n"
    done = subprocess.run(command, input=problem, capture_output=True, text=True, check=False)
    broke_off = "picosat" in done.stderr  # a part that E can be built without
    assert broke_off or "SZS status" in done.stdout, done.stdout + done.stderr
    return "SZS status Theorem" in done.stdout


def compare_comply(case: Case, rng: Random) -> None:
    """Compare what is left of a game, its ends and a property, with the graph cut down plainly."""
    graph = case.small_graph
    if graph.edges == 0:
        raise Refused("no moves")
    bound = rng.sample(graph.roles, rng.randint(1, len(graph.roles)))
    made = [Followed(case, random_plan(rng, graph, role)) for role in bound]
    silence = rng.choice(["any", "stop"])

    def keep(i: int, joint: Joint) -> bool:
        return all(
            i not in graph.turns[m.role]
            or (silence == "any" and not m.chosen[i])
            or joint[graph.roles.index(m.role)] in m.chosen[i]
            for m in made
        )

    reached = graph.reach(keep)
    formula = random_formula(rng, graph)
    who = f", silence {silence}" + "".join(f"\n{m}" for m in made)
    who += f"\nproperty {write(formula)}"
    sets = [m.strategy.on(case.space, m.role) for m in made]
    found = comply(case.space, sets, write(formula), silence=silence)
    same(f"states{who}", found.states, len(reached))
    ends = [graph.nodes[i] for i in reached if graph.nodes[i].is_terminal]
    same(f"ends{who}", found.ends, len(ends))
    expected: dict[tuple[int | None, ...], int] = {}
    for node in ends:
        goals = tuple(node.goals.values())
        expected[goals] = expected.get(goals, 0) + 1
    same(f"outcomes{who}", {tuple(o.goals.values()): o.states for o in found.outcomes}, expected)
    rest = cut(graph, keep)
    holds = all(Following(rest, made[0].plan).everywhere(formula, i) for i in reached)
    same(f"holds{who}", found.holds, holds)
    stops = [i for i in reached if not graph.nodes[i].is_terminal and not rest.nodes[i].next]
    if stops:
        same(f"replies where play stops{who}", found.replies, {})
        return
    if len(bound) < len(graph.roles) == 2:
        needs_values(graph)
        other = next(role for role in graph.roles if role not in bound)
        first = graph.solved(keep)[-1][0]
        goal = first if other == graph.roles[0] else graph.total - first
        reply = found.replies.get(other)
        same(f"best reply{who}", reply and reply.goal, goal)


def cut(graph: Graph, keep: Callable[[int, Joint], bool]) -> Graph:
    """Give a graph with only some of its moves; whose turn it is stays."""
    nodes = [
        Node(n.fluents, n.legal, n.is_terminal, n.goals,
             {joint: to for joint, to in n.next.items() if keep(i, joint)})
        for i, n in enumerate(graph.nodes)
    ]  # fmt: skip
    rest = Graph(graph.roles, tuple(nodes), graph.layer)
    vars(rest)["turns"] = graph.turns
    return rest


def compare_rule_printing(case: Case, rng: Random) -> None:
    """Print the rules of a list and read them again."""
    graph = case.small_graph
    plan = random_rules(rng, graph, rng.choice(graph.roles))
    if plan is None:
        raise Refused("no moves")
    made = Followed(case, plan)
    header = f"symmetric {plan.symmetry}\n"
    text = header + "".join(
        f"{write_rule(rule.choices)}\n" for rule in made.strategy.rules_for(plan.role)
    )
    again = read_strategy(text, case.compiled)
    one, other = (s.on(case.space, plan.role) for s in (made.strategy, again))
    for s in range(len(case.space)):
        same(f"moves after printing {text}, {made}", names(other.moves(s)), names(one.moves(s)))


def compare_synthesis(case: Case, rng: Random) -> None:
    """See that lists which synthesis finds are perfect by the plain definitions."""
    graph = case.small_graph
    needs_values(graph)
    role = rng.choice(graph.roles)
    reading = rng.choice(["any", "first", "none"])
    method = rng.choice(["search", "search", "paper", "naive"])
    options = Options(rounds=1, reading=reading, method=method, seed=rng.randint(0, 9))  # type: ignore[arg-type]
    found = synthesise(case.compiled, role, options)
    chosen = {
        case.numbers[s]: names(found.strategy.moves(case.space.state(s), role))
        for s in range(len(case.space))
    }
    for i in chosen:
        if i not in graph.turns[role]:
            chosen[i] = frozenset()
    expected = judge(graph, role, chosen, is_solved=True)
    who = f", {method}, {reading}, {role}:\n{found.strategy.text}"
    same(f"perfect{who}", expected.perfect, True)
    skip = ("states_checked",)
    same(f"verdict{who}", claims_of(found.verdict, skip), claims_of(expected, skip))


def compare_compact(case: Case, rng: Random) -> None:
    """Compare values and plies that were found without moves with plain value iteration."""
    graph = case.graph
    needs_values(graph)
    space = explore_layers(case.compiled, limits=Limits(states=1_000), spill=tempfile.gettempdir())
    same("states", len(space), len(graph.nodes))
    same("ends", space.ends, sum(node.is_terminal for node in graph.nodes))
    same("edges", space.edges, graph.edges)
    solution = solve_layers(space)
    for s, i in enumerate(case.numbers):
        where = f"of {sorted(graph.nodes[i].fluents)}, compact"
        state = case.space.state(s)
        worth = (graph.values[i], graph.total - graph.values[i])
        values = dict(zip(graph.roles, worth, strict=False))
        same(f"values {where}", solution.value(state), values)
        same(f"plies {where}", solution.plies(state), graph.distances[i])


def compare_reduced(case: Case, rng: Random) -> None:
    """Compare values and distances of one state of each orbit with those of all states."""
    needs_values(case.graph)
    if case.symmetries.order == 1:
        raise Refused("no symmetry")
    solution = solve(explore(case.compiled, symmetries=case.symmetries))
    numbers = [case.number(solution.space.state(s)) for s in range(len(solution.space))]
    check_values("reduced", case.graph, solution, lambda s: numbers[s])


def compare_certificates(case: Case, rng: Random) -> None:
    """Let two checkers accept proofs, by the search and by plain values, and refuse forged ones."""
    graph = case.graph
    needs_values(graph)
    alone = standalone_game(case.sheet)
    game: Game = rng.choice([case.reference, case.compiled])
    writer = Writer(graph, alone.digest, rng)
    sure = writer.sure(0)

    def check(what: str, text: str, allowed: set[str]) -> None:
        found = by_kibitz(game, text), by_standalone(alone, text)
        if len(set(found)) > 1 or found[0] not in allowed:
            raise Difference(f"{what}: the two checkers say {found} of\n{text[:2000]}")

    true = json.dumps(writer.certificate(0, sure))
    check("a true certificate", true, {"proved"} if writer.is_decided(0) else {"refused"})
    if writer.is_decided(0):
        for what, text in forgeries(writer):
            check(f"a forged certificate that {what}", text, {"refused", "left out"})
    spending = Spending(seconds=250, memory=4_000_000, positions=100_000, threads=1)
    try:
        prover = Prover(case.compiled, spending)
        proof = prover.prove(case.compiled.initial(), weak=True)
    except KibitzError:  # goals that search does not take
        return
    if proof.value is not None:
        worth = (graph.values[0], graph.total - graph.values[0])
        same("proved by search", proof.value, dict(zip(graph.roles, worth, strict=False)))
        # What no end gives less than may be a value, and no certificate shows ends that no role
        # can force; a role of two that gets 0 needs none.
        needed = {r: goal for r, goal in proof.value.items() if goal or len(graph.roles) == 1}
        if any(sure[role] < goal for role, goal in needed.items()):
            with suppress(KibitzError):
                made = json.dumps(certificate_of(prover, proof))
                raise Difference(f"the search shows ends that no role can force:\n{made[:2000]}")
            return
        made = json.dumps(certificate_of(prover, proof))
        check("the certificate of the search", made, {"proved"})
        made = json.dumps(certificate_of(prover, proof, depth=rng.randint(1, 3)))
        check("the certificate of the first moves", made, {"proved", "left out"})
        left = regenerate(prover, check_certificate(game, read_certificate(made))).left
        if prover.positions < 100_000:
            same("left", left, 0)
    for what, text in forged_openings(writer) if writer.is_decided(0) else ():
        check(f"a forged opening that {what}", text, {"refused", "left out"})
        with suppress(KibitzError):
            checked = check_certificate(game, read_certificate(text))
            if not regenerate(prover, checked).left:
                raise Difference(f"a forged opening that {what} is proved:\n{text[:2000]}")


NUMBER = r"([\d,]+|no|one|two|three|four|five|six|seven|eight|nine|ten)"


def numbers_in(pattern: str, text: str) -> list[int]:
    """Give the numbers where a sentence has N, as digits or as a word."""
    found = re.findall(pattern.replace("N", NUMBER), text)
    return [
        NUMBER_WORDS.index(n) if n in NUMBER_WORDS else int(n.replace(",", ""))
        for one in found
        for n in ([one] if isinstance(one, str) else one)
    ]


def compare_explain(case: Case, rng: Random) -> None:
    """Compare what the sentences of an explanation say with plain values and definitions."""
    graph = case.graph
    needs_values(graph)
    study = Study(case.sheet, StudyOptions(seconds=3, max_states=1_000, measured=False))
    study.run()
    known = study.known
    text = " ".join(str(known).split())
    counted = text.replace("from both", "from all two").replace("from the one", "from all one")
    if known.states is None:
        raise Refused("its time was up")
    same("states", known.states, len(graph.nodes))
    if known.faults or not known.worth:
        raise Refused("its rules are broken")
    same("states", numbers_in("known from all N position", counted), [len(graph.nodes)])
    names = names_of(case.compiled)
    first = graph.values[0]
    worth = dict(zip(graph.roles, (first, graph.total - first), strict=False))
    line = known.worth[0]
    same(f"best play in {line!r}", *said_value(line, worth, names, graph))
    if "moves keep that" in text and "such as" not in text:
        (kept, total) = numbers_in("N of the N first moves keep that", text)[:2]
        after = graph.nodes[0].next.values()
        same("first moves", total, len(after))
        same("first moves that keep it", kept, sum(graph.values[to] == first for to in after))
    for part in known.parts:
        if not part.rules:
            continue
        strategy = read_strategy(part.strategy, case.compiled)  # the reference knows no boards
        chosen = {}
        for s, i in enumerate(case.numbers):
            state = case.space.state(s)
            mine = i in graph.turns[part.role]
            chosen[i] = names_of_moves(strategy, state, part.role) if mine else frozenset()
        judged = judge(graph, part.role, chosen, is_solved=True)
        who = f", {part.role}:\n{part.strategy}"
        same(f"strongly optimal{who}", judged.strongly_optimal, True)
        same(f"makes progress{who}", judged.makes_progress, True)
        same(f"guarantees{who}", judged.guarantees[part.role], worth[part.role])
        followed = numbers_in("through all N position", part.sure)
        same(f"positions followed{who}", followed, [judged.states_checked] * len(followed))


def names_of_moves(strategy: Strategy, state: State, role: str) -> frozenset[str]:
    return frozenset(map(str, strategy.moves(state, role)))


def said_value(
    line: str, worth: dict[str, int], names: Mapping[str, str], graph: Graph
) -> tuple[object, object]:
    """Give what a sentence says of the value and the length of best play, and what it should."""
    goals = {role: rf"{re.escape(names[role])} gets {goal}\b" for role, goal in worth.items()}
    winners = [role for role in worth if re.search(rf"\b{re.escape(names[role])} wins\b", line)]
    plies = graph.distances[0]
    if "puzzle is solved" in line:
        says_value = list(worth.values()) == [100]
    elif "draw" in line:
        says_value = set(worth.values()) == {50}
    elif winners:
        says_value = [r for r, goal in worth.items() if goal == 100] == winners
    elif "nobody wins: play need never end" in line:
        says_value = plies is None
    elif both := re.search(r"\bboth (lose|win|get \d+)\b", line):
        says = {"lose": "get 0", "win": "get 100"}.get(both[1], both[1])
        says_value = {f"get {goal}" for goal in worth.values()} == {says}
    else:
        says_value = all(re.search(goal, line.replace(",", " ")) for goal in goals.values())
    after, within = numbers_in("after N move", line), numbers_in(r"in N move", line)
    if within:  # the winner's own moves, where the roles alternate
        (me,) = (graph.roles.index(role) for role in winners)
        starts = graph.choosers(0) in ([me], [])
        lengths = {(plies + 1) // 2 if starts else plies // 2} if plies else set()
        lengths |= {(plies or 0) // 2, ((plies or 0) + 1) // 2} if not graph.choosers(0) else set()
        says_length = set(within) <= lengths
    elif after:
        says_length = after == [plies]
    else:
        says_length = plies == 0 if "at once" in line else plies is None
    return (says_value, says_length), (True, True)


def compare_english(case: Case, rng: Random) -> None:
    """Write the rules in English, read them, and compare the games that the sheets make."""
    graph = case.graph
    book = rule_book_of(case.compiled, moves=200)
    if not book.is_complete:
        raise Refused("it cannot be put into sentences")
    again = explore_plainly(ReferenceGame(read(as_gdl(book.text, name="book"))))
    same("roles", len(again.roles), len(graph.roles))

    def ends(one: Graph) -> list[tuple[int, ...]]:
        found = [n.goals.values() for n in one.nodes if n.is_terminal]
        return sorted(tuple(-1 if goal is None else goal for goal in goals) for goals in found)

    same(f"goals at ends, {book.text}", sorted(set(ends(again))), sorted(set(ends(graph))))
    needs_values(graph)
    same(f"the value, {book.text}", again.values[0], graph.values[0])
    same(f"its length, {book.text}", again.distances[0], graph.distances[0])
    same(f"first moves, {book.text}", len(again.nodes[0].next), len(graph.nodes[0].next))


def compare_measured(case: Case, rng: Random) -> None:
    """Compare what is measured of a strategy: its moves, points against random play, accuracy."""
    made = some_strategy(case, rng)
    graph, role = case.graph, made.role
    me = graph.roles.index(role)
    policy = policy_for(made.strategy, role)
    going = [s for s, i in enumerate(case.numbers) if graph.nodes[i].next]
    rows = state_rows(case, [case.space.state(s) for s in going])
    found = allowed_moves(case.compiled, role, policy, Positions.alone(case.compiled, rows))

    def allowed(i: int) -> frozenset[str]:
        mine = made.chosen[i] if i in graph.turns[role] else frozenset()
        return mine or frozenset(graph.nodes[i].legal[role])

    for s, moves in zip(going, found, strict=True):
        i = case.numbers[s]
        where = f"in {sorted(graph.nodes[i].fluents)}, {made}"
        same(f"moves of the policy {where}", names(moves), allowed(i))
    if graph.order is None or graph.sums is None or any(node.is_stuck for node in graph.nodes):
        return  # matches need not end, or end without goals
    points: dict[int, float] = {}
    for i in graph.order:
        node = graph.nodes[i]
        after = [points[to] for joint, to in node.next.items() if joint[me] in allowed(i)]
        points[i] = sum(after) / len(after) if after else float(node.goals[role] or 0)
    played = play_matches(case.compiled, {role: policy}, 4_096, seed=rng.randint(0, 99), threads=1)
    shown = strength_of(played.of(role))
    same(f"matches{made}", shown.matches, 4_096)
    # by Hoeffding's inequality the mean is further off once in 10^12 times
    if abs(shown.score - points[0]) > 6.0 or not shown.low <= shown.score <= shown.high:
        raise Difference(f"points against random play, {made}: {shown}, and are {points[0]}")
    try:
        needs_values(graph)
    except Refused:  # moves and points were compared
        return
    seed = rng.randint(0, 99)
    accuracy = measure_accuracy(
        case.compiled, {role: policy}, positions=60, searched=100_000, seconds=60.0, seed=seed
    )
    source = Random(seed)
    drawn = [_draw(case.compiled, [role], source) for _ in range(60)]
    kept, chance, mattering, judged = Fraction(0), Fraction(0), 0, 0
    for i in (case.number(one.state) for one in drawn if one is not None):
        node = graph.nodes[i]
        leads_to = {joint[me]: to for joint, to in node.next.items()}
        right = {move for move, to in leads_to.items() if graph.values[to] == graph.values[i]}
        same(f"role that chooses in {sorted(node.fluents)}", graph.choosers(i), [me])
        judged += 1
        if right < set(leads_to):
            mattering += 1
            kept += Fraction(len(right & allowed(i)), len(allowed(i)))
            chance += Fraction(len(right), len(leads_to))
    if accuracy is None:
        same(f"positions in which a choice matters, {made}", mattering, 0)
        return
    counts = (accuracy.judged, accuracy.positions, accuracy.open)
    same(f"positions judged, and those that matter, {made}", counts, (judged, mattering, 0))
    shares = (round(accuracy.share, 6), round(accuracy.random, 6))
    expected = (round(float(100 * part / mattering), 6) for part in (kept, chance))
    same(f"accuracy and that of random moves, {made}", shares, tuple(expected))


def state_rows(case: Case, states: Sequence[State]) -> Rows:
    """Pack states as rows of bits."""
    words = max(1, -(-case.compiled.program.layout.fluent_count // 64))
    raw = b"".join(int(state.key).to_bytes(8 * words, "little") for state in states)  # type: ignore[call-overload]
    return np.frombuffer(raw, dtype="<u8").astype(np.uint64).reshape(len(states), words)


Comparison = Callable[[Case, Random], None]

COMPARISONS: dict[str, Comparison] = {
    "engines": compare_engines,
    "ungrounded": compare_ungrounded,
    "backends": compare_backends,
    "perft": compare_perft,
    "frame": compare_frame,
    "printing": compare_printing,
    "space": compare_space,
    "solution": compare_solution,
    "symbolic": compare_symbolic,
    "symmetries": compare_symmetries,
    "maxn": compare_maxn,
    "mixed": compare_mixed,
    "winning-sets": compare_winning_sets,
    "invariants": compare_invariants,
    "moves": compare_moves,
    "past": compare_past,
    "verify": compare_verify,
    "verify-reduced": compare_verify_reduced,
    "encoding": compare_encoding,
    "axioms": compare_axioms,
    "comply": compare_comply,
    "rule-printing": compare_rule_printing,
    "synthesis": compare_synthesis,
    "compact": compare_compact,
    "reduced": compare_reduced,
    "certificates": compare_certificates,
    "explain": compare_explain,
    "english": compare_english,
    "measured": compare_measured,
}
