"""A game with strategies for some roles as one clingo program, after paper 001, section 7.4.

Its answer sets are the complete paths on which these roles comply. Each formula and each plan gets
its own predicate, `s1(A,T)`: it allows move A at time T. Formulas without ○ are written by the
scheme of the paper; those with ○ are first regressed to what they say of the state at time T, and
become small rules over fluents.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kibitz.engine import FALSE, TRUE, CompiledGame, Literal, Move, Role
from kibitz.errors import InputError
from kibitz.gdl import (
    Function,
    Names,
    clauses_of,
    explicit_time_program,
    on_demand,
    parse_terms,
    timed_relations,
)
from kibitz.space import Limits, StateSpace, choices_on, explore, longest_matches
from kibitz.strategy import tree
from kibitz.strategy.encodings.regression import Regression
from kibitz.strategy.evaluation.move_set import check_silence
from kibitz.strategy.strategy import Strategy
from kibitz.strategy.syntax.numbers import JOINS, Pair, Things, evaluate

_TURNS = """\
#defined choice/1.
many(R,T) :- legal(R,M,T), legal(R,N,T), M < N, on(T).
choosing(T) :- many(R,T).
acts(R,T) :- legal(R,M,T), choice(M), on(T).
acting(T) :- acts(R,T).
able(R,T) :- legal(R,M,T), on(T).
stuck(T) :- role(R), on(T), not able(R,T).
playing(T) :- on(T), not terminal(T), not stuck(T).
turn(R,T) :- many(R,T), playing(T).
turn(R,T) :- acts(R,T), playing(T), not choosing(T).
turn(R,T) :- role(R), playing(T), not choosing(T), not acting(T)."""
"""The definition in `turns`; choice(M) is a move that is one of several somewhere."""

_INITIAL = """\
differs(T) :- holds(F,T), on(T), not holds(F,0).
differs(T) :- holds(F,0), on(T), not holds(F,T)."""


def asp_encoding(
    game: CompiledGame,
    strategies: Mapping[Role, Strategy],
    *,
    horizon: int | None = None,
    silence: str = "any",
) -> str:
    """Write a program whose answer sets are the complete paths that comply with strategies.

    The horizon is the length of the longest match, unless one is given. `silence` is what happens
    where a strategy allows no move; see `MoveSet.under`.
    """
    check_silence(silence)
    for role in strategies:
        game.check_role(role)
    limits = Limits(states=2_000_000, seconds=60, hint="encode a smaller instance")
    space = explore(game, limits=limits)
    space.require_complete()
    if horizon is None:
        horizon = int(longest_matches(space)[0])
        if horizon < 0:
            raise InputError(
                f"matches of {game.sheet.name} need not end, so no horizon is long enough",
                hint="give the longest length of matches with --horizon",
            )
    names = Names.of_sheet(game.sheet)
    start = sorted(game.initial().fluents, key=str)
    lines = ["% The game.", explicit_time_program(game.sheet, start, horizon, names)]
    choices = choices_on(space)
    lines += ["% Whose turn it is.", *_choice_facts(choices, names), _TURNS]
    for role, strategy in strategies.items():
        writer = _Writer(game, role, names, space, choices)
        plan = strategy.plan(role)
        top = writer.plan(plan)
        if writer.uses_initial and _INITIAL not in lines:
            lines.append(_INITIAL)
        who = names.term(role_term(role))
        lines += [f"% {role} follows {strategy.name}.", *writer.lines]
        follows = f":- does({who},A,T), turn({who},T), not {top}(A,T)"
        if silence == "any":
            lines += [
                "% Where it is silent, any legal move may be made.",
                f"{top}_speaks(T) :- {top}(A,T), turn({who},T).",
                f"{follows}, {top}_speaks(T).",
            ]
        else:
            lines += ["% Where it is silent, no match goes on.", f"{follows}."]
    return "\n".join([*lines, "#show does/3."]) + "\n"


def _choice_facts(choices: frozenset[Move], names: Names) -> list[str]:
    return [f"choice({names.term(move)})." for move in sorted(choices, key=str)]


def role_term(role: Role) -> Function:
    """Read a role's name as the term it is."""
    return parse_terms(role, name="role")[0]


Value = int | str
"""A constant, or a predicate of a value and a time."""

_SIGNS = {
    "plus": "V+W",
    "minus": "V-W",
    "times": "V*W",
    "xor": "V^W",
    "distance": "|V-W|",
    "remainder": r"((V\W)+W)\W",  # clingo's remainder has the sign of the first one
}


def _term(value: Value, variable: str) -> str:
    return str(value) if isinstance(value, int) else variable


def _bound(value: Value, variable: str, time: str = "T") -> list[str]:
    """Write what binds the variable of a value."""
    return [] if isinstance(value, int) else [f"{value}({variable},{time})"]


class _Clauses:
    """Numbers as predicates, each operation with its rules; a truth value is a literal at T."""

    const = staticmethod(int)

    def __init__(self, writer: _Writer) -> None:
        self.writer = writer
        self.known: dict[object, str] = {}

    def made(self, key: object, *rules: tuple[str, Sequence[str]]) -> str:
        """Return the predicate of a key, whose rules have these arguments and bodies."""
        if key not in self.known:
            name = self.known[key] = self.writer.new()
            for args, body in rules:
                self.writer.rule(f"{name}({args})", *dict.fromkeys(["on(T)", *body]))
        return self.known[key]

    def holds(self, fluent: Function) -> str:
        return f"holds({self.writer.names.term(fluent)},T)"

    def possible(self, things: Things) -> Things:
        return things

    def no(self, literal: str) -> str:
        return literal[4:] if literal.startswith("not ") else f"not {literal}"

    def all(self, literals: Sequence[str]) -> str:
        return f"{self.made(('all', *literals), ('T', literals))}(T)"

    def choose(self, when: str, then: Value, other: Value) -> Value:
        sides = [
            (f"{_term(value, 'V')},T", [*_bound(value, "V"), literal])
            for value, literal in ((then, when), (other, self.no(when)))
        ]
        return self.made((when, then, other), *sides)

    def join(self, name: str, a: Value, b: Value) -> Value:
        if isinstance(a, int) and isinstance(b, int):
            return int(JOINS[name](a, b))
        one, other = _term(a, "V"), _term(b, "W")
        both = [*_bound(a, "V"), *_bound(b, "W")]
        if name in _SIGNS:
            made = _SIGNS[name].replace("V", one).replace("W", other)
            return self.made((name, a, b), (f"{made},T", both))
        sign = "<=" if name == "min" else ">="
        sides = ((one, f"{one} {sign} {other}"), (other, f"{other} {sign} {one}"))
        rules = [(f"{chosen},T", [*both, compared]) for chosen, compared in sides]
        return self.made((name, a, b), *rules)

    def lookup(self, table: tuple[int, ...], place: Value) -> Value:
        if isinstance(place, int):
            return table[place] if 0 <= place < len(table) else -1
        if table not in self.known:
            name = self.known[table] = self.writer.new()
            self.writer.lines += [f"{name}({n},{entry})." for n, entry in enumerate(table)]
        entries = self.known[table]
        found = ("N,T", [f"{place}(V,T)", f"{entries}(V,N)"])
        return self.made((table, place), found, ("-1,T", [f"{place}(V,T)", f"not {entries}(V,_)"]))

    def heads(self, held: Sequence[str], pairs: Sequence[Pair]) -> list[str]:
        """Write which places are joined, and which are the first of their group."""
        key = ("groups", *held, *pairs)
        if key not in self.known:
            name = self.known[key] = self.writer.new()
            near = [f"{name}_near({a},{b}). {name}_near({b},{a})." for a, b in pairs]
            self.writer.lines += [*near, f"#defined {name}_near/2."]
            rule = self.writer.rule
            for place, literal in enumerate(held):
                rule(f"{name}_held({place},T)", "on(T)", literal)
            both = [f"{name}_held(I,T)", f"{name}_held(J,T)"]
            rule(f"{name}_joined(I,J,T)", f"{name}_near(I,J)", *both)
            further = [f"{name}_joined(I,J,T)", f"{name}_near(J,K)", f"{name}_held(K,T)"]
            rule(f"{name}_joined(I,K,T)", *further)
            rule(f"{name}_later(I,T)", f"{name}_joined(I,J,T)", "J < I")
            rule(f"{name}_first(I,T)", f"{name}_held(I,T)", f"not {name}_later(I,T)")
        return [f"{self.known[key]}_first({place},T)" for place in range(len(held))]

    def modulo(self, modulus: int) -> _Clauses:
        return self

    def bounded(self, most: int) -> _Clauses:
        return self

    def unbounded(self, value: Value) -> Value:
        return value


class _Writer:
    """Writes the plans of one role; each formula or plan once."""

    def __init__(
        self,
        game: CompiledGame,
        role: Role,
        names: Names,
        space: StateSpace,
        choices: frozenset[Move],
    ) -> None:
        self.game, self.role, self.names, self.space = game, role, names, space
        self.choices = choices
        self.who = names.term(role_term(role))
        self.timed = timed_relations(on_demand(clauses_of(game.sheet)))
        used = {names.relation(clause.head.relation) for clause in clauses_of(game.sheet)}
        prefix = f"s{game.roles.index(role) + 1}_"
        while any(name.startswith(prefix) for name in used):
            prefix = f"k{prefix}"
        self.prefix = prefix
        self.lines: list[str] = []
        self.known: dict[tree.Plan | tree.Formula, str] = {}
        self.clauses = _Clauses(self)
        self.images: dict[tree.Leaf, str] = {}
        self.relations: dict[Function, Regression] = {}
        self.uses_initial = False
        self.count = 0

    def new(self) -> str:
        self.count += 1
        return f"{self.prefix}{self.count}"

    def domain(self, move: str = "A") -> str:
        return f"legal({self.who},{move},T), on(T)"

    def rule(self, head: str, *body: str) -> None:
        self.lines.append(f"{head} :- {', '.join(body)}.")

    # Plans

    def plan(self, plan: tree.Plan) -> str:
        """Return the predicate of a plan, writing its rules if it is new."""
        if plan in self.known:
            return self.known[plan]
        match plan:
            case tree.Simple(formula):
                name = self.top_formula(formula)
            case tree.Either(parts):
                inner = [self.plan(part) for part in parts]
                name = self.new()
                for part in inner:
                    self.rule(f"{name}(A,T)", f"{part}(A,T)")
            case tree.Else(parts):
                name = self._else([self.plan(part) for part in parts])
            case tree.Also(parts):
                name = self._also([self.plan(part) for part in parts])
        self.known[plan] = name
        return name

    def _else(self, parts: Sequence[str]) -> str:
        name, some = self.new(), self.new()
        if not parts:
            self.rule(f"{name}(A,T)", self.domain(), "A != A")
        for number, part in enumerate(parts):
            if number:
                self.rule(f"{name}(A,T)", f"{part}(A,T)", f"not {some}_{number}(T)")
            else:
                self.rule(f"{name}(A,T)", f"{part}(A,T)")
            if number + 1 < len(parts):
                if number:
                    self.rule(f"{some}_{number + 1}(T)", f"{some}_{number}(T)")
                self.rule(f"{some}_{number + 1}(T)", f"{part}(A,T)")
        return name

    def _also(self, parts: Sequence[str]) -> str:
        name, shared = self.new(), self.new()
        for number in range(1, len(parts) + 1):
            self.rule(f"{shared}_{number}(A,T)", *(f"{part}(A,T)" for part in parts[:number]))
            if number < len(parts):
                further = [f"{part}(B,T)" for part in parts[: number + 1]]
                self.rule(f"{shared}_more{number}(T)", *further)
                self.rule(
                    f"{name}(A,T)", f"{shared}_{number}(A,T)", f"not {shared}_more{number}(T)"
                )
            else:
                self.rule(f"{name}(A,T)", f"{shared}_{number}(A,T)")
        return name

    # Formulas

    def top_formula(self, formula: tree.Formula) -> str:
        """Return the predicate of the moves under which a formula is valid."""
        about_others = any(
            isinstance(leaf, tree.Does) and leaf.role != self.role for leaf in tree.leaves(formula)
        )
        if tree.next_depth(formula) or tree.uses_can(formula) or about_others:
            return self.regressed(formula)
        return self.formula(formula)

    def formula(self, formula: tree.Formula) -> str:
        """Return the predicate of a formula without ○, by the scheme of the paper."""
        if formula in self.known:
            return self.known[formula]
        match formula:
            case tree.Const(value):
                name = self.new()
                if value:
                    self.rule(f"{name}(A,T)", self.domain())
                else:
                    self.rule(f"{name}(A,T)", self.domain(), "A != A")
            case tree.Not(inner):
                part = self.formula(inner)
                name = self.new()
                self.rule(f"{name}(A,T)", self.domain(), f"not {part}(A,T)")
            case tree.And(parts):
                inside = [self.formula(part) for part in parts]
                name = self.new()
                self.rule(f"{name}(A,T)", *(f"{part}(A,T)" for part in inside))
            case tree.Or(parts):
                inside = [self.formula(part) for part in parts]
                name = self.new()
                for part in inside:
                    self.rule(f"{name}(A,T)", f"{part}(A,T)")
            case tree.AtLeast(count, parts):
                inside = [self.formula(part) for part in parts]
                name = self.new()
                held = "; ".join(f"{number} : {part}(A,T)" for number, part in enumerate(inside))
                self.rule(f"{name}(A,T)", self.domain(), f"#count {{ {held} }} >= {count}")
            case tree.Does(_, move):
                name = self.new()
                written = self.names.term(move)
                self.rule(f"{name}(A,T)", f"A = {written}", self.domain(written))
            case leaf:
                assert isinstance(leaf, tree.Leaf)
                name = self.new()
                for body in self.leaf(leaf, "T"):
                    self.rule(f"{name}(A,T)", self.domain(), *body)
        self.known[formula] = name
        return name

    def leaf(self, leaf: tree.Leaf, time: str) -> list[list[str]]:
        """Write what a leaf says at a time: bodies of rules, one of which must hold."""
        term = self.names.term
        match leaf:
            case tree.Holds(fluent):
                return [[f"holds({term(fluent)},{time})"]]
            case tree.Derived(_, renaming) if renaming:
                return [[f"{self.image(leaf)}({time})"]]
            case tree.Derived(atom):
                args = [term(arg) for arg in atom.args]
                if atom.name in self.timed:
                    args.append(time)
                relation = self.names.relation(atom.name)
                return [[f"{relation}({','.join(args)})" if args else relation]]
            case tree.Legal(role, move):
                who = term(role_term(role))
                return [[f"legal({who},{term(move)},{time})", f"not terminal({time})"]]
            case tree.Wins(role):
                return [[*self.goal(role, time, "V = 100"), f"terminal({time})"]]
            case tree.GoalIs(role, comparison, number):
                return [self.goal(role, time, f"V {comparison} {number}")]
            case tree.NumberIs(left, comparison, right):
                one, other = (evaluate(number, self.clauses) for number in (left, right))
                both = zip((one, other), "VW", strict=True)
                body = [x for value, name in both for x in _bound(value, name, time)]
                return [[*body, f"{_term(one, 'V')} {comparison} {_term(other, 'W')}"]]
            case tree.Unchanged():
                return [[f"on({time})", f"not {self.differing(leaf)}({time})"]]
            case tree.Turn(role):
                return [[f"turn({term(role_term(role))},{time})"]]
            case tree.Initial():
                self.uses_initial = True
                return [[f"on({time})", f"not differs({time})"]]
            case tree.Terminal():
                return [[f"terminal({time})"]]
            case tree.Made(moves):
                return [[f"{time} >= {moves}"]]
            case tree.Before(moves, tree.Does(role, move)):
                who = term(role_term(role))
                return [[f"does({who},{term(move)},{time}-{moves})"]]
            case tree.Before(moves, inner):
                return [
                    [*body, f"{time} >= {moves}"] for body in self.leaf(inner, f"{time}-{moves}")
                ]
            case tree.Does():
                raise TypeError("does depends on the path")

    def image(self, leaf: tree.Derived) -> str:
        """Return the predicate that the image of a relation holds, by the fluents it depends on."""
        if leaf not in self.images:
            if leaf.atom not in self.relations:
                made = Regression(self.game, [leaf], (), choices=self.choices)
                self.relations[leaf.atom] = made
            regression = self.relations[leaf.atom]
            name = self.images[leaf] = self.new()
            literal, needed = regression.now(leaf), set[int]()
            self.lines.append(f"#defined {name}/1.")
            if literal != FALSE:
                gates = self.new()
                held = [] if literal == TRUE else self.literal(regression, literal, gates, needed)
                self.rule(f"{name}(T)", "on(T)", *held)
                self.write_gates(regression, gates, needed)
        return self.images[leaf]

    def differing(self, leaf: tree.Unchanged) -> str:
        """Return the predicate that a state is not its own image."""
        if leaf not in self.images:
            name = self.images[leaf] = self.new()
            for pair in leaf.pairs:
                for a, b in (pair, pair[::-1]):
                    held = [f"holds({self.names.term(fluent)},T)" for fluent in (a, b)]
                    self.rule(f"{name}(T)", held[0], f"not {held[1]}", "on(T)")
        return self.images[leaf]

    def goal(self, role: Role, time: str, fits: str) -> list[str]:
        """Write that a role has exactly one goal, and what it is."""
        who = self.names.term(role_term(role))
        single = f"#count {{ W : goal({who},W,{time}) }} = 1"
        return [f"goal({who},V,{time})", single, "V >= 0", "V <= 100", fits]

    def regressed(self, formula: tree.Formula) -> str:
        """Return the predicate of a formula, by what it says of the present state for each move."""
        place = self.game.roles.index(self.role)
        regression = Regression(self.game, [formula], self.space.joint_moves, choices=self.choices)
        name, gates = self.new(), self.new()
        needed: set[int] = set()
        moves = dict.fromkeys(joint[place] for joint in self.space.joint_moves)
        for move in moves:
            literal = regression.under(formula, self.role, move)
            if literal == FALSE:
                continue
            body = [] if literal == TRUE else self.literal(regression, literal, gates, needed)
            written = self.names.term(move)
            self.rule(f"{name}({written},T)", self.domain(written), *body)
        self.write_gates(regression, gates, needed)
        if not any(line.startswith(f"{name}(") for line in self.lines):
            self.rule(f"{name}(A,T)", self.domain(), "A != A")
        return name

    def literal(
        self, regression: Regression, literal: Literal, gates: str, needed: set[int]
    ) -> list[str]:
        """Write a literal of the regression."""
        node = literal >> 1
        denied = "not " if literal & 1 else ""
        first = regression.builder.first_gate
        if node >= first:
            needed.add(node)
            return [f"{denied}{gates}_{node - first + 1}(T)"]
        leaf = regression.inputs[node - 1]
        if isinstance(leaf, tree.Holds):
            return [f"{denied}holds({self.names.term(leaf.fluent)},T)"]
        needed.add(node)
        return [f"{denied}{gates}_in{node}(T)"]

    def write_gates(self, regression: Regression, gates: str, needed: set[int]) -> None:
        """Write the gates that are needed, and those that they need."""
        first = regression.builder.first_gate
        done: set[int] = set()
        while needed - done:
            node = max(needed - done)
            done.add(node)
            if node >= first:
                inside = regression.builder.gates[node - first]
                body = [x for lit in inside for x in self.literal(regression, lit, gates, needed)]
                self.rule(f"{gates}_{node - first + 1}(T)", "on(T)", *body)
            else:
                for body in self.leaf(regression.inputs[node - 1], "T"):
                    self.rule(f"{gates}_in{node}(T)", "on(T)", *body)
