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
from kibitz.strategy.encodings.regression import Regression
from kibitz.strategy.evaluation.move_set import check_silence
from kibitz.strategy.strategy import Strategy
from kibitz.strategy.syntax.numbers import Number
from kibitz.strategy.syntax.tree import (
    Also,
    And,
    AtLeast,
    Before,
    Const,
    Derived,
    Does,
    Either,
    Else,
    Formula,
    GoalIs,
    Holds,
    Initial,
    Leaf,
    Legal,
    Made,
    Not,
    NumberIs,
    Or,
    Plan,
    Simple,
    Terminal,
    Turn,
    Unchanged,
    Wins,
    leaves,
    next_depth,
    uses_can,
)

__all__ = ["asp_encoding", "role_term"]

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


_EXPRESSIONS = {
    "plus": "({}+{})",
    "minus": "({}-{})",
    "times": "({}*{})",
    "remainder": r"((({0}\{1})+{1})\{1})",
    "distance": "|{}-{}|",
    "xor": "({}^{})",
}
"""Numbers that are made of two others; clingo's remainder has the sign of the first one."""


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
        self.known: dict[Plan | Formula | Number, str] = {}
        self.images: dict[Leaf, str] = {}
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

    def plan(self, plan: Plan) -> str:
        """Return the predicate of a plan, writing its rules if it is new."""
        if plan in self.known:
            return self.known[plan]
        match plan:
            case Simple(formula):
                name = self.top_formula(formula)
            case Either(parts):
                inner = [self.plan(part) for part in parts]
                name = self.new()
                for part in inner:
                    self.rule(f"{name}(A,T)", f"{part}(A,T)")
            case Else(parts):
                name = self._else([self.plan(part) for part in parts])
            case Also(parts):
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

    def top_formula(self, formula: Formula) -> str:
        """Return the predicate of the moves under which a formula is valid."""
        about_others = any(
            isinstance(leaf, Does) and leaf.role != self.role for leaf in leaves(formula)
        )
        if next_depth(formula) or uses_can(formula) or about_others:
            return self.regressed(formula)
        return self.formula(formula)

    def formula(self, formula: Formula) -> str:
        """Return the predicate of a formula without ○, by the scheme of the paper."""
        if formula in self.known:
            return self.known[formula]
        match formula:
            case Const(value):
                name = self.new()
                if value:
                    self.rule(f"{name}(A,T)", self.domain())
                else:
                    self.rule(f"{name}(A,T)", self.domain(), "A != A")
            case Not(inner):
                part = self.formula(inner)
                name = self.new()
                self.rule(f"{name}(A,T)", self.domain(), f"not {part}(A,T)")
            case And(parts):
                inside = [self.formula(part) for part in parts]
                name = self.new()
                self.rule(f"{name}(A,T)", *(f"{part}(A,T)" for part in inside))
            case Or(parts):
                inside = [self.formula(part) for part in parts]
                name = self.new()
                for part in inside:
                    self.rule(f"{name}(A,T)", f"{part}(A,T)")
            case AtLeast(count, parts):
                inside = [self.formula(part) for part in parts]
                name = self.new()
                held = "; ".join(f"{number} : {part}(A,T)" for number, part in enumerate(inside))
                self.rule(f"{name}(A,T)", self.domain(), f"#count {{ {held} }} >= {count}")
            case Does(_, move):
                name = self.new()
                written = self.names.term(move)
                self.rule(f"{name}(A,T)", f"A = {written}", self.domain(written))
            case leaf:
                assert isinstance(leaf, Leaf)
                name = self.new()
                for body in self.leaf(leaf, "T"):
                    self.rule(f"{name}(A,T)", self.domain(), *body)
        self.known[formula] = name
        return name

    def leaf(self, leaf: Leaf, time: str) -> list[list[str]]:
        """Write what a leaf says at a time: bodies of rules, one of which must hold."""
        term = self.names.term
        match leaf:
            case Holds(fluent):
                return [[f"holds({term(fluent)},{time})"]]
            case Derived(_, renaming) if renaming:
                return [[f"{self.image(leaf)}({time})"]]
            case Derived(atom):
                args = [term(arg) for arg in atom.args]
                if atom.name in self.timed:
                    args.append(time)
                relation = self.names.relation(atom.name)
                return [[f"{relation}({','.join(args)})" if args else relation]]
            case Legal(role, move):
                who = term(role_term(role))
                return [[f"legal({who},{term(move)},{time})", f"not terminal({time})"]]
            case Wins(role):
                return [[*self.goal(role, time, "V = 100"), f"terminal({time})"]]
            case GoalIs(role, comparison, number):
                return [self.goal(role, time, f"V {comparison} {number}")]
            case NumberIs(left, comparison, right):
                body: list[str] = []
                one, other = (self.number(number, time, body) for number in (left, right))
                return [[*body, f"{one} {comparison} {other}"]]
            case Unchanged():
                return [[f"on({time})", f"not {self.differing(leaf)}({time})"]]
            case Turn(role):
                return [[f"turn({term(role_term(role))},{time})"]]
            case Initial():
                self.uses_initial = True
                return [[f"on({time})", f"not differs({time})"]]
            case Terminal():
                return [[f"terminal({time})"]]
            case Made(moves):
                return [[f"{time} >= {moves}"]]
            case Before(moves, Does(role, move)):
                who = term(role_term(role))
                return [[f"does({who},{term(move)},{time}-{moves})"]]
            case Before(moves, inner):
                return [
                    [*body, f"{time} >= {moves}"] for body in self.leaf(inner, f"{time}-{moves}")
                ]
            case Does():
                raise TypeError("does depends on the path")

    def image(self, leaf: Derived) -> str:
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

    def differing(self, leaf: Unchanged) -> str:
        """Return the predicate that a state is not its own image."""
        if leaf not in self.images:
            name = self.images[leaf] = self.new()
            for pair in leaf.pairs:
                for a, b in (pair, pair[::-1]):
                    held = [f"holds({self.names.term(fluent)},T)" for fluent in (a, b)]
                    self.rule(f"{name}(T)", held[0], f"not {held[1]}", "on(T)")
        return self.images[leaf]

    def number(self, number: Number, time: str, body: list[str]) -> str:
        """Return an expression for a number at a time; add what binds its variables to a body."""
        if number.kind == "constant":
            return str(number.constant)
        if number.kind == "entry":
            place = self.number(number.parts[0], time, body)
            low, high = number.parts[0].bounds()
            name, variable = self.new(), f"V{len(body)}"
            self.lines += [f"{name}({n},{number.entry(n)})." for n in range(low, high + 1)]
            body += [f"X{variable} = {place}", f"{name}(X{variable},{variable})"]
            return variable
        if number.parts:
            one, other = (self.number(part, time, body) for part in number.parts)
            return _EXPRESSIONS[number.kind].format(one, other)
        variable = f"V{len(body)}"
        if number.kind == "runs":
            name = self.runs(number)
        elif number.kind == "steps":
            name = self.steps(number)
        elif number.kind == "groups":
            name = self.groups(number)
        else:
            name = self.counted_number(number)
        body.append(f"{name}({variable},{time})")
        return variable

    def runs(self, number: Number) -> str:
        """Return the predicate of the nim-sum of runs, going along their places."""
        if number in self.known:
            return self.known[number]
        name = self.new()
        self.known[number] = name
        things = sorted(number.things, key=lambda thing: thing[1])
        self.lines += [f"{name}_entry({n},{value})." for n, value in enumerate(number.table)]
        before = -2
        for index, (fluent, place) in enumerate(things, start=1):
            kind = "joined" if place == before + 1 else "apart"
            self.lines.append(f"{name}_{kind}({index},{self.names.term(fluent)}).")
            before = place
        self.lines.append(f"#defined {name}_joined/2. #defined {name}_apart/2.")
        self.rule(f"{name}_to(0,0,0,T)", "on(T)")
        last = [f"{name}_to(I-1,L,V,T)", f"{name}_entry(L,N)"]
        joined, apart = f"{name}_joined(I,F)", f"{name}_apart(I,F)"
        self.rule(f"{name}_to(I,L+1,V,T)", *last, joined, "holds(F,T)")
        self.rule(f"{name}_to(I,1,V^N,T)", *last, apart, "holds(F,T)")
        for kind in (joined, apart):
            self.rule(f"{name}_to(I,0,V^N,T)", *last, kind, "not holds(F,T)")
        self.rule(f"{name}(V^N,T)", f"{name}_to({len(things)},L,V,T)", f"{name}_entry(L,N)")
        return name

    def steps(self, number: Number) -> str:
        """Return the predicate of what a circuit of alternatives and sums gives."""
        if number in self.known:
            return self.known[number]
        name = self.new()
        self.known[number] = name
        leaves = 1 + max(place for _, place in number.things) // 2
        never = number.constant
        for fluent, place in number.things:
            kind = "blocked" if place % 2 else "own"
            self.lines.append(f"{name}_{kind}({place // 2},{self.names.term(fluent)}).")
        self.lines.append(f"#defined {name}_blocked/2.")
        held = [f"{name}_blocked(I,F)", "holds(F,T)"]
        self.rule(f"{name}_shut(I,T)", *held)
        own = f"{name}_own(I,F)"
        self.rule(f"{name}_at(I,0,T)", own, "holds(F,T)")
        self.rule(f"{name}_at(I,{never},T)", own, "not holds(F,T)", f"{name}_shut(I,T)")
        free = [own, "on(T)", "not holds(F,T)", f"not {name}_shut(I,T)"]
        self.rule(f"{name}_at(I,1,T)", *free)
        self.rule(f"{name}_at({leaves},0,T)", "on(T)")
        self.rule(f"{name}_at({leaves + 1},{never},T)", "on(T)")
        table = number.table[1:]
        for index, step in enumerate(zip(table[::3], table[1::3], table[2::3], strict=True)):
            is_choice, a, b = step
            self.lines.append(f"{name}_step({leaves + 2 + index},{is_choice},{a},{b}).")
        self.lines.append(f"#defined {name}_step/4.")
        both = [f"{name}_at(A,V,T)", f"{name}_at(B,W,T)"]
        for is_choice, smaller in ((1, ("V", "W")), (0, ("V+W", str(never)))):
            step_of = f"{name}_step(I,{is_choice},A,B)"
            one, other = smaller
            self.rule(f"{name}_at(I,{one},T)", step_of, *both, f"{one} <= {other}")
            self.rule(f"{name}_at(I,{other},T)", step_of, *both, f"{one} > {other}")
        self.rule(f"{name}(V,T)", f"{name}_at({number.table[0]},V,T)")
        return name

    def groups(self, number: Number) -> str:
        """Return the predicate of the number of groups, each counted at its first place."""
        if number in self.known:
            return self.known[number]
        name = self.new()
        self.known[number] = name
        for index, (fluent, _) in enumerate(number.things, start=1):
            self.lines.append(f"{name}_at({index},{self.names.term(fluent)}).")
        for a, b in zip(number.table[::2], number.table[1::2], strict=True):
            self.lines.append(f"{name}_near({a + 1},{b + 1}). {name}_near({b + 1},{a + 1}).")
        self.lines.append(f"#defined {name}_near/2.")
        self.rule(f"{name}_held(I,T)", f"{name}_at(I,F)", "holds(F,T)")
        both = [f"{name}_held(I,T)", f"{name}_held(J,T)"]
        self.rule(f"{name}_joined(I,J,T)", f"{name}_near(I,J)", *both)
        further = [f"{name}_joined(I,J,T)", f"{name}_near(J,K)", f"{name}_held(K,T)"]
        self.rule(f"{name}_joined(I,K,T)", *further)
        self.rule(f"{name}_later(I,T)", f"{name}_joined(I,J,T)", "J < I")
        self.rule(f"{name}_first(I,T)", f"{name}_held(I,T)", f"not {name}_later(I,T)")
        self.rule(f"{name}_to(0,0,T)", "on(T)")
        before = [f"{name}_to(I-1,V,T)", f"{name}_at(I,F)"]
        self.rule(f"{name}_to(I,V+1,T)", *before, f"{name}_first(I,T)")
        self.rule(f"{name}_to(I,V,T)", *before, f"not {name}_first(I,T)")
        self.rule(f"{name}(V,T)", f"{name}_to({len(number.things)},V,T)")
        return name

    def counted_number(self, number: Number) -> str:
        """Return the predicate of a number that is made of fluents, adding one after another."""
        if number in self.known:
            return self.known[number]
        name = self.new()
        self.known[number] = name
        things = sorted(number.things, key=lambda thing: -thing[1])
        self.rule(f"{name}_to(0,0,T)", "on(T)")
        if number.kind == "cases":
            cases = number.cases()
            for index, case in enumerate(cases, start=1):
                self.lines.append(f"{name}_case({index}).")
                asked_for = [(self.names.term(fluent), asked) for fluent, asked in case]
                held = [f"{'' if asked else 'not '}holds({f},T)" for f, asked in asked_for]
                self.rule(f"{name}_met({index},T)", "on(T)", *held)
            last = [f"{name}_to(I-1,V,T)", f"{name}_case(I)"]
            self.rule(f"{name}_to(I,V+1,T)", *last, f"{name}_met(I,T)")
            self.rule(f"{name}_to(I,V,T)", *last, f"not {name}_met(I,T)")
            self.rule(f"{name}(V,T)", f"{name}_to({len(cases)},V,T)")
            return name
        for index, (fluent, value) in enumerate(things, start=1):
            self.lines.append(f"{name}_thing({index},{self.names.term(fluent)},{value}).")
        before = f"{name}_to(I-1,V,T)"
        held = [before, f"{name}_thing(I,F,N)", "holds(F,T)"]
        if number.kind == "largest":
            self.rule(f"{name}_to(I,N,T)", *held, "N > V")
            self.rule(f"{name}_to(I,V,T)", *held, "N <= V")
        else:
            joined = {"nimsum": "V^N", "smallest": "N"}.get(number.kind, "V+N")
            self.rule(f"{name}_to(I,{joined},T)", *held)
        self.rule(f"{name}_to(I,V,T)", before, f"{name}_thing(I,F,N)", "not holds(F,T)")
        self.rule(f"{name}(V,T)", f"{name}_to({len(things)},V,T)")
        return name

    def goal(self, role: Role, time: str, fits: str) -> list[str]:
        """Write that a role has exactly one goal, and what it is."""
        who = self.names.term(role_term(role))
        single = f"#count {{ W : goal({who},W,{time}) }} = 1"
        return [f"goal({who},V,{time})", single, "V >= 0", "V <= 100", fits]

    def regressed(self, formula: Formula) -> str:
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
        if isinstance(leaf, Holds):
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
