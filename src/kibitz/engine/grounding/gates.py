"""Build the Network of ground rules: strata, loops, and small sums of products.

Each atom is an OR over its rules of the AND over their bodies. Written out so, frame rules and
long lists of alternatives repeat themselves; three things keep the network small:

- a role makes exactly one move, so an OR over more than half of its moves is the negation of the
  OR over the others;
- a move that is made is legal, so what its legality asks for need not be asked again;
- the literal that most alternatives have in common is taken out in front of them, repeatedly.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Sequence
from heapq import heapify, heappop, heappush

from kibitz.engine.grounding.gringo import GroundRules
from kibitz.engine.grounding.network import FALSE, TRUE, Builder, Literal, Network
from kibitz.gdl import Function, components

Term = frozenset[Literal]
"""A conjunction."""


class UnstratifiedError(Exception):
    """An instance of an atom depends on its own negation."""


def build(ground: GroundRules, roles: Sequence[str], deadline: float = float("inf")) -> Network:
    """Make a network of ground rules; raise TimeoutError after a time of `time.thread_time`."""
    return _Building(ground, roles, deadline).network()


class _Building:
    def __init__(self, ground: GroundRules, roles: Sequence[str], deadline: float) -> None:
        self.roles = tuple(roles)
        self.deadline = deadline
        self.named: dict[str, dict[tuple[Function, ...], int]] = {}
        for relation, args, number in ground.atoms:
            self.named.setdefault(relation, {})[args] = number
        self.facts: dict[str, set[tuple[Function, ...]]] = {}
        for relation, args in ground.facts:
            self.facts.setdefault(relation, set()).add(args)
        self.rules: dict[int, list[tuple[int, ...]]] = {}
        for head, body in ground.rules:
            self.rules.setdefault(head, []).append(body)
        self.literal: dict[int, Literal] = {}
        self.number_inputs()

    def number_inputs(self) -> None:
        """Give fluents and moves their nodes, in the order of their texts."""
        true = self.named.get("true", {})
        self.fluents = tuple(sorted((args[0] for args in true), key=_natural))
        legal = {*self.named.get("legal", {}), *self.facts.get("legal", ())}
        moves: dict[str, list[Function]] = {role: [] for role in self.roles}
        for role, move in legal:
            if str(role) in moves:
                moves[str(role)].append(move)
        self.moves = tuple(tuple(sorted(moves[role], key=_natural)) for role in self.roles)
        node = 1
        for fluent in self.fluents:
            self.literal[true[fluent,]] = 2 * node
            node += 1
        does = self.named.get("does", {})
        self.role_terms = {str(args[0]): args[0] for args in self.facts.get("role", ())}
        self.move_role: dict[Literal, int] = {}
        self.move_literals: list[list[Literal]] = []
        for index, role in enumerate(self.roles):
            self.move_literals.append([])
            for move in self.moves[index]:
                self.literal[does[self.role_terms[role], move]] = 2 * node
                self.move_role[2 * node] = index
                self.move_literals[index].append(2 * node)
                node += 1
        self.builder = Builder(node - 1)
        self.needs: dict[Literal, Term] = {}

    def network(self) -> Network:
        self.define_atoms(self.atoms_of("legal"))
        for index, role in enumerate(self.roles):
            for move, literal in zip(self.moves[index], self.move_literals[index], strict=True):
                number = self.named.get("legal", {}).get((self.role_terms[role], move))
                bodies = self.rules.get(number, []) if number else []
                if len(bodies) == 1:
                    self.needs[literal] = frozenset(
                        lit for lit in map(self.value, bodies[0]) if lit > 1
                    )
        self.define_atoms(
            number for name in ("terminal", "goal", "next") for number in self.atoms_of(name)
        )
        initial = {args[0] for args in self.facts.get("init", ())}
        network = Network(
            roles=self.roles,
            fluents=self.fluents,
            moves=self.moves,
            initial=tuple(fluent in initial for fluent in self.fluents),
            gates=tuple(self.builder.gates),
            legal=tuple(
                tuple(
                    self.output("legal", (self.role_terms[role], move))
                    for move in self.moves[index]
                )
                for index, role in enumerate(self.roles)
            ),
            next=tuple(self.output("next", (fluent,)) for fluent in self.fluents),
            terminal=self.output("terminal", ()),
            goals=tuple(self.goal_values(role) for role in self.roles),
        )
        return network

    def atoms_of(self, relation: str) -> Iterable[int]:
        return self.named.get(relation, {}).values()

    def output(self, relation: str, args: tuple[Function, ...]) -> Literal:
        if args in self.facts.get(relation, ()):
            return TRUE
        number = self.named.get(relation, {}).get(args)
        return FALSE if number is None else self.value(number)

    def goal_values(self, role: str) -> tuple[tuple[int | None, Literal], ...]:
        pairs = [*self.named.get("goal", {}), *self.facts.get("goal", ())]
        found = [args for args in pairs if str(args[0]) == role]
        found.sort(key=lambda args: _natural(args[1]))
        return tuple((_number(args[1]), self.output("goal", args)) for args in found)

    def value(self, number: int) -> Literal:
        """Return the literal of a body literal, whose atom is defined."""
        literal = self.literal.get(abs(number), FALSE)
        return literal ^ 1 if number < 0 else literal

    def define_atoms(self, wanted: Iterable[int]) -> None:
        """Define atoms and all that they need, each after what it needs."""
        successors: dict[int, list[int]] = {}
        stack = [number for number in wanted if number not in self.literal]
        while stack:
            number = stack.pop()
            if number in successors or number in self.literal:
                continue
            below = {abs(n) for body in self.rules.get(number, ()) for n in body}
            successors[number] = [n for n in below if n not in self.literal]
            stack.extend(successors[number])
        for count, group in enumerate(components(successors)):
            if count % 256 == 0 and time.thread_time() > self.deadline:
                raise TimeoutError
            if len(group) == 1 and group[0] not in successors.get(group[0], ()):
                number = group[0]
                self.literal[number] = self.alternatives(self.rules.get(number, ()))
            else:
                self.define_loop(group)

    def define_loop(self, group: list[int]) -> None:
        """Define mutually recursive atoms: their least fixpoint."""
        inside = set(group)
        if any(-n in inside for number in group for body in self.rules[number] for n in body):
            raise UnstratifiedError
        bodies = (body for number in group for body in self.rules[number])
        if all(sum(n in inside for n in body) <= 1 for body in bodies):
            self.eliminate(group)
        else:
            self.unfold(group)

    def eliminate(self, group: list[int]) -> None:
        """Solve a loop whose bodies have at most one atom of it each, by Gaussian elimination.

        Each atom is "constant, or coefficient and other atom, or ..."; in a least fixpoint an atom
        never needs itself. So one atom after the other is put into the rows of those that need it,
        the one that adds fewest coefficients first, and then all are computed in reverse. Of equal
        ones the least coefficient decides: loops that differ in constants alone, such as what can
        be reached from each cell, then share all products of coefficients.
        """
        inside = set(group)
        rows: dict[int, dict[int, Literal]] = {}
        constant: dict[int, Literal] = {}
        for number in group:
            found: dict[int, list[tuple[int, ...]]] = {}
            for body in self.rules[number]:
                other = next((n for n in body if n in inside), 0)
                found.setdefault(other, []).append(tuple(n for n in body if n != other))
            values = {other: self.alternatives(bodies) for other, bodies in found.items()}
            constant[number] = values.pop(0, FALSE)
            rows[number] = {n: v for n, v in values.items() if n != number and v != FALSE}
        users: dict[int, set[int]] = {number: set() for number in group}
        for number, row in rows.items():
            for other in row:
                users[other].add(number)

        def cost(number: int) -> tuple[int, Literal, int]:
            row = rows[number]
            return len(row) * len(users[number]), min(row.values(), default=FALSE), number

        both, either = self.builder.both, self.builder.either
        heap = [cost(number) for number in group]
        heapify(heap)
        order: list[int] = []
        done: set[int] = set()
        while heap:
            entry = heappop(heap)
            number = entry[-1]
            if number in done:
                continue
            if entry != cost(number):
                heappush(heap, cost(number))
                continue
            if time.thread_time() > self.deadline:
                raise TimeoutError
            done.add(number)
            order.append(number)
            for other in rows[number]:
                users[other].discard(number)
            for user in users[number]:
                factor = rows[user].pop(number)
                constant[user] = either(constant[user], both(factor, constant[number]))
                for other, literal in rows[number].items():
                    if other != user:
                        added = both(factor, literal)
                        rows[user][other] = either(rows[user].get(other, FALSE), added)
                        users[other].add(user)
        for number in reversed(order):
            needed = (both(a, self.literal[n]) for n, a in rows[number].items())
            self.literal[number] = self.builder.any(sorted([constant[number], *needed]))

    def unfold(self, group: list[int]) -> None:
        """Compute a loop from below: n rounds reach the least fixpoint of n atoms."""
        for number in group:
            self.literal[number] = FALSE
        for _ in group:
            if time.thread_time() > self.deadline:
                raise TimeoutError
            values = {number: self.alternatives(self.rules[number]) for number in group}
            if all(self.literal[number] == literal for number, literal in values.items()):
                break
            self.literal.update(values)

    def alternatives(self, bodies: Iterable[tuple[int, ...]]) -> Literal:
        """Return the OR of bodies."""
        terms: set[Term] = set()
        for body in bodies:
            term = self.term(body)
            if term is not None:
                if not term:
                    return TRUE
                terms.add(term)
        return self.sum_of_products(self.merge_moves(terms))

    def term(self, body: tuple[int, ...]) -> Term | None:
        """Return a body as a set of literals, or None if it can never hold."""
        literals = {self.value(number) for number in body}
        literals.discard(TRUE)
        if FALSE in literals or any(lit ^ 1 in literals for lit in literals):
            return None
        for literal in tuple(literals):
            if literal in self.needs:
                needed = self.needs[literal]
                if any(lit ^ 1 in literals for lit in needed):
                    return None
                literals -= needed
        return frozenset(literals)

    def merge_moves(self, terms: set[Term]) -> set[Term]:
        """Put alternatives together that differ in the move of one role only."""
        for role, moves in enumerate(self.move_literals):
            groups: dict[Term, set[Literal]] = {}
            for term in terms:
                made = [lit for lit in term if self.move_role.get(lit) == role]
                if len(made) == 1:
                    groups.setdefault(term - {made[0]}, set()).add(made[0])
                elif len(made) > 1:
                    groups.setdefault(frozenset([FALSE]), set())
            if not any(len(found) > 1 for found in groups.values()):
                continue
            plain = {t for t in terms if not any(self.move_role.get(lit) == role for lit in t)}
            for rest, found in groups.items():
                if not found:
                    continue
                joined = self.any_move(found, moves)
                plain.add(rest if joined == TRUE else rest | {joined})
            terms = plain
        return terms

    def any_move(self, found: set[Literal], moves: list[Literal]) -> Literal:
        if 2 * len(found) <= len(moves):
            return self.builder.any(sorted(found))
        return self.builder.any(lit for lit in moves if lit not in found) ^ 1

    def sum_of_products(self, terms: set[Term]) -> Literal:
        """Take out common literals, the most common one first."""
        if not terms:
            return FALSE
        if frozenset() in terms:
            return TRUE
        if len(terms) == 1:
            return self.product(next(iter(terms)))
        holding: dict[Literal, set[Term]] = {}
        for term in terms:
            for literal in term:
                holding.setdefault(literal, set()).add(term)
        heap = [(-len(found), literal) for literal, found in holding.items() if len(found) > 1]
        heapify(heap)
        left = set(terms)
        parts: list[Literal] = []
        while heap:
            count, literal = heappop(heap)
            found = holding[literal]
            if len(found) != -count:  # others have taken some of its terms since
                if len(found) > 1:
                    heappush(heap, (-len(found), literal))
                continue
            left -= found
            for term in found:
                for other in term - {literal}:
                    holding[other].discard(term)
            inner = self.sum_of_products({term - {literal} for term in found})
            parts.append(self.builder.both(literal, inner))
        result = self.builder.any(sorted(self.product(term) for term in left))
        for part in reversed(parts):
            result = self.builder.either(part, result)
        return result

    def product(self, term: Term) -> Literal:
        return self.builder.all(sorted(term))


def _number(term: Function) -> int | None:
    """Read a goal value, a whole number from 0 to 100."""
    is_value = not term.args and re.fullmatch(r"0*([0-9]{1,2}|100)", term.name)
    return int(term.name) if is_value else None


def _natural(term: Function) -> list[tuple[int, int, str]]:
    """Order texts with their numbers as numbers."""
    parts = re.split(r"(\d{1,18})", str(term))
    return [(1, int(p), "") if p.isdecimal() else (0, 0, p) for p in parts]
