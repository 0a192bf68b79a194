"""Decide by clingo whether a list of a given number of rules exists.

The question is asked for only some of the states, which is a relaxation: if there is no list for
them, there is none at all. A list that is correct on them is played through; where it errs, the
states that led there are added, and the question is asked again.

For each rule there are atoms for the orbit of its move and for its literals. It applies to an image
unless one of its literals is false there. In a state that is reached the list must not play a wrong
move; the states that its moves lead to are reached.
"""

from __future__ import annotations

import time
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise

import clingo
import numpy as np

from kibitz.budget import time_to_work
from kibitz.synth.problem.problem import Problem
from kibitz.synth.search.lists import ANY_MOVE, Bench, CandidateRule

UNBOUNDED = (1 << 32) - 2
"""More conflicts than any search has; the largest limit that clingo takes."""
_ASKING = 100
"""The cost of a question in conflicts, even if it has none."""
_SIZE = 30_000
"""Literals of a question for which a conflict counts once more: it takes longer."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A list, or the proof that there is none; neither where time or conflicts ran out."""

    rules: list[CandidateRule] | None
    is_impossible: bool
    states: int
    seconds: float
    conflicts: int
    """Its cost, which is the same on any machine."""
    time_ended: bool
    """Whether time ended it."""


def decide(
    problem: Problem,
    length: int,
    *,
    seconds: float = float("inf"),
    conflicts: int = UNBOUNDED,
    silence: int = ANY_MOVE,
) -> Answer:
    """Find a correct list of a number of rules, or prove that there is none.

    Gives up after a number of seconds, or of conflicts of clingo's search; conflicts in large
    questions count more than once.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.solve import solve
    >>> from kibitz.space import explore
    >>> from kibitz.synth.problem.problem import make_problem
    >>> solution = solve(explore(CompiledGame(load_sheet("nim:1,2,3"))))
    >>> problem = make_problem(solution, "player2", reading="none")
    >>> decide(problem, 7).is_impossible, len(decide(problem, 8).rules)
    (True, 8)
    """
    hunt = _Hunt(problem, length, seconds, conflicts, silence, None)
    rules = hunt.list_of(())
    is_impossible = rules is None and hunt.question.is_impossible
    return Answer(
        rules,
        is_impossible,
        len(hunt.question.number),
        hunt.spent(),
        conflicts - hunt.conflicts,
        hunt.question.time_ended,
    )


def fewest_literals(
    problem: Problem,
    length: int,
    known: int,
    *,
    seconds: float = float("inf"),
    conflicts: int = UNBOUNDED,
    silence: int = ANY_MOVE,
) -> tuple[list[CandidateRule] | None, int, bool]:
    """Look for a list of a number of rules with fewer literals than are `known` to suffice.

    Asks for none, one, two, and so on. Returns a list with the fewest, if fewer suffice, how many
    literals every list of that length needs at least, and whether time ended it.
    """
    hunt = _Hunt(problem, length, seconds, conflicts, silence, max(0, known - 1))
    for total in range(known):
        for sizes in hunt.question.all_sizes(total):
            rules = hunt.list_of(sizes)
            if rules is not None or not hunt.question.is_impossible:
                return rules, total, hunt.question.time_ended
    return None, known, False


class _Hunt:
    """Asks for lists again and again, with more states each time, until a limit is reached."""

    def __init__(
        self,
        problem: Problem,
        length: int,
        seconds: float,
        conflicts: int,
        silence: int,
        most: int | None,
    ) -> None:
        self.begin, self.silence = time.perf_counter(), silence
        self.seconds = min(seconds, time_to_work())
        self.conflicts = conflicts
        """How many are left."""
        self.question = _Question(problem, length, silence, most)
        self.bench = Bench(problem, room=length)
        self.question.add_states(map(int, problem.arrays.roots))

    def spent(self) -> float:
        """Return the seconds since it began."""
        return time.perf_counter() - self.begin

    def list_of(self, sizes: tuple[int, ...]) -> list[CandidateRule] | None:
        """Return a correct list whose rules have at most these sizes; None if there is none."""
        while True:
            rules = self.question.solve(self.seconds - self.spent(), self.conflicts, sizes)
            self.conflicts -= self.question.conflicts
            if rules is None:
                return None
            self.bench.put(rules)
            bad = self.bench.errors(self.silence)
            if not len(bad):
                return rules
            self.question.add_states(_needed(self.bench, bad.tolist(), self.question.number))


def _needed(bench: Bench, bad: list[int], known: Container[int]) -> list[int]:
    """Return the states on the paths to some of the states where a list errs."""
    parents = bench.parents()
    found: list[int] = []
    news = 0
    for state in bad:
        if state not in parents:  # It comes after another error.
            continue
        way = []
        at = state
        while at >= 0:
            if at not in known and at not in found:
                way.append(at)
            at = int(parents[at])
        found += way
        news += bool(way)
        if news >= 4:
            break
    return found


class _Question:
    def __init__(self, problem: Problem, length: int, silence: int, most: int | None) -> None:
        self.problem, self.length, self.silence = problem, length, silence
        self.cores: list[list[tuple[int, int]]] = []
        """Bounds on the literals of some rules under which there is no list."""
        self.arrays = problem.arrays
        self.control = clingo.Control(["--configuration=trendy"])
        self.is_impossible = False
        self.conflicts = 0
        """The cost of the last question."""
        self.size = 0
        """How many literals the bodies about the effect of rules in states have."""
        self.roots = set(self.arrays.roots.tolist())
        self.number: dict[int, int] = {}
        """For each state that was added, the atom that says that it is reached."""
        self.sources: dict[int, list[list[int]]] = {}
        self.orbits = [
            o
            for o in range(len(problem.orbit_moves))
            if self.arrays.block_first[o, 0] < self.arrays.block_first[o, -1]
        ]
        self.usable = {
            o: self.arrays.usable[
                self.arrays.usable_first[o] : self.arrays.usable_first[o + 1]
            ].tolist()
            for o in self.orbits
        }
        with self.control.backend() as backend:
            self.move = [{o: backend.add_atom() for o in self.orbits} for _ in range(length)]
            self.literal = []
            for k in range(length):
                backend.add_rule(list(self.move[k].values()), choice=True)
                backend.add_weight_rule(
                    [no := backend.add_atom()], 1, [(a, 1) for a in self.move[k].values()]
                )
                backend.add_rule([], [-no])
                backend.add_weight_rule(
                    [two := backend.add_atom()], 2, [(a, 1) for a in self.move[k].values()]
                )
                backend.add_rule([], [two])
                names = sorted({x for o in self.orbits for x in self.usable[o]})
                atoms = {x: backend.add_atom() for x in names}
                self.literal.append(atoms)
                backend.add_rule(list(atoms.values()), choice=True)
                self.restrict(backend, k)
            self.longer: list[list[int]] = []
            """For each rule, the atoms that say that it has more than 0, 1, 2, … literals."""
            if most is not None:
                self.limit(backend, most)

    def limit(self, backend: clingo.Backend, most: int) -> None:
        """Limit the number of literals of all rules together."""
        for atoms in self.literal:
            counted = [(atom, 1) for atom in atoms.values()]
            self.longer.append([backend.add_atom() for _ in range(most + 1)])
            for size, atom in enumerate(self.longer[-1]):
                backend.add_weight_rule([atom], size + 1, counted)
        together = [(atom, 1) for atoms in self.longer for atom in atoms]
        backend.add_weight_rule([over := backend.add_atom()], most + 1, together)
        backend.add_rule([], [over])

    def all_sizes(self, total: int) -> Iterator[tuple[int, ...]]:
        """Go through the ways to distribute a number of literals among the rules.

        Those that an earlier proof covers are left out.
        """
        for bars in combinations(range(total + self.length - 1), self.length - 1):
            edges = (-1, *bars, total + self.length - 1)
            sizes = tuple(b - a - 1 for a, b in pairwise(edges))
            if not any(all(sizes[k] <= most for k, most in core) for core in self.cores):
                yield sizes

    def restrict(self, backend: clingo.Backend, k: int) -> None:
        """Exclude literals that say nothing, and pairs in which one implies the other."""
        a = self.arrays
        atoms = self.literal[k]
        for orbit in self.orbits:
            usable = self.usable[orbit]
            for x in atoms.keys() - set(usable):
                backend.add_rule([], [self.move[k][orbit], atoms[x]])
            start, end = a.block_first[orbit, 0], a.block_first[orbit, -1]
            columns = a.columns[usable, start:end]
            for i, x in enumerate(usable):
                both = columns[i] & columns
                same_i = (both == columns[i]).all(axis=1)
                same_j = (both == columns).all(axis=1)
                empty = (both == 0).all(axis=1)
                for j in range(i + 1, len(usable)):
                    if same_i[j] or same_j[j] or empty[j]:
                        backend.add_rule([], [self.move[k][orbit], atoms[x], atoms[usable[j]]])

    def add_states(self, states: Iterable[int]) -> None:
        """Ask about more states."""
        with self.control.backend() as backend:
            new = [s for s in dict.fromkeys(states) if s not in self.number]
            for state in new:
                self.number[state] = backend.add_atom()
                backend.add_rule([self.number[state]], choice=True)
                if state in self.roots:
                    backend.add_rule([], [-self.number[state]])
            for state in new:
                self.add_state(backend, state)
            for state in new:
                for body in self.sources.pop(state, []):
                    backend.add_rule([], [*body, -self.number[state]])

    def add_state(self, backend: clingo.Backend, state: int) -> None:
        """Encode what each rule does in a state, and where that leads."""
        a = self.arrays
        reach = self.number[state]
        before: int | None = None
        images = self.images(state)
        self.size += self.length * sum(1 + len(false) for _, _, false in images)
        for k in range(self.length):
            fires = backend.add_atom()
            found: dict[int, int] = {}
            earlier: dict[int, int] = {}
            for orbit, place, false in images:
                sit = int(a.sit_first[state]) + place
                if sit not in found:
                    found[sit] = backend.add_atom()
                body = [self.move[k][orbit], *(-self.literal[k][x] for x in false)]
                if a.is_first:
                    body = self.in_turn(backend, body, earlier, orbit)
                backend.add_rule([found[sit]], body)
            clear = [] if before is None else [-before]
            for sit, applies in found.items():
                backend.add_rule([fires], [applies])
                if not a.sit_correct[sit]:
                    backend.add_rule([], [reach, applies, *clear])
                else:
                    for to in a.succ[a.succ_first[sit] : a.succ_first[sit + 1]].tolist():
                        self.lead(backend, [reach, applies, *clear], to)
            if before is None:
                before = fires
            else:
                now = backend.add_atom()
                backend.add_rule([now], [before])
                backend.add_rule([now], [fires])
                before = now
        assert before is not None
        if a.all_correct[state] and self.silence:
            for to in a.correct_succ[a.correct_first[state] : a.correct_first[state + 1]].tolist():
                self.lead(backend, [reach, -before], to)
        else:
            backend.add_rule([], [reach, -before])

    @staticmethod
    def in_turn(
        backend: clingo.Backend, body: list[int], earlier: dict[int, int], orbit: int
    ) -> list[int]:
        """Encode that an image applies if none before it, of the same orbit of moves, does."""
        matches, so_far = backend.add_atom(), backend.add_atom()
        backend.add_rule([matches], body)
        backend.add_rule([so_far], [matches])
        before = earlier.get(orbit)
        earlier[orbit] = so_far
        if before is None:
            return [matches]
        backend.add_rule([so_far], [before])
        return [matches, -before]

    def lead(self, backend: clingo.Backend, body: list[int], to: int) -> None:
        """Encode that a state is reached if something holds; later, if it is not yet included."""
        if to in self.number:
            backend.add_rule([], [*body, -self.number[to]])
        else:
            self.sources.setdefault(to, []).append(body)

    def images(self, state: int) -> list[tuple[int, int, tuple[int, ...]]]:
        """Return the different images of a state's situations, with the literals that fail there.

        Under *first* they come in the order in which they are tried.
        """
        a = self.arrays
        found: dict[tuple[int, int, tuple[int, ...]], None] = {}
        for orbit in self.orbits:
            usable = np.array(self.usable[orbit], dtype=np.int64)
            for block in range(a.block_first[orbit, state], a.block_first[orbit, state + 1]):
                column = a.columns[usable, block] if len(usable) else np.zeros(0, np.uint64)
                for bit in range(64):
                    if not int(a.full[block]) >> bit & 1:
                        continue
                    false = tuple(usable[(column >> np.uint64(bit)) & np.uint64(1) == 0].tolist())
                    place = a.block_sit[64 * block + bit] if a.is_first else a.block_sit[block]
                    found[orbit, int(place), false] = None
        return list(found)

    def solve(
        self, seconds: float, conflicts: int, sizes: tuple[int, ...] = ()
    ) -> list[CandidateRule] | None:
        """Return a list that is correct in the included states; rules have at most these sizes."""
        self.is_impossible = False
        self.conflicts = 0
        self.time_ended = seconds <= 0
        weight = 1 + self.size // _SIZE
        if seconds <= 0 or conflicts < weight:
            return None
        solving = self.control.configuration.solve
        assert isinstance(solving, clingo.Configuration)
        solving.solve_limit = str(min(conflicts // weight, UNBOUNDED))
        bounds = {
            -self.longer[k][size]: (k, size)
            for k, size in enumerate(sizes)
            if size < len(self.longer[k])
        }
        found: list[CandidateRule] | None = None

        def keep(model: clingo.Model) -> None:
            nonlocal found
            found = []
            for moves, literals in zip(self.move, self.literal, strict=True):
                orbit = next(o for o, atom in moves.items() if model.is_true(atom))
                chosen = [x for x, atom in literals.items() if model.is_true(atom)]
                found.append(CandidateRule(orbit, tuple(sorted(chosen))))

        with self.control.solve(list(bounds), async_=True, on_model=keep) as handle:
            end = time.perf_counter() + seconds
            while not handle.wait(0.2):  # Python sees Ctrl-C in between.
                if time.perf_counter() > end:
                    handle.cancel()
                    self.time_ended = True
                    return None
            self.is_impossible = bool(handle.get().unsatisfiable)
            if self.is_impossible:
                self.cores.append([bounds[literal] for literal in handle.core() or ()])
        searched = int(self.control.statistics["solving"]["solvers"]["conflicts"])
        self.conflicts = weight * (_ASKING + searched)
        return found
