r"""Read or derive a language bias, and enumerate its candidates.

A bias is written much as for ILASP (paper 004, figures 11 and 12)::

    #modeo(3, next(has(var(player),var(cell)))).     at most three such literals
    #modeo(1, in_line(var(cell),var(cell),var(cell))).
    #modeo(1, var(total) \ 2 != 0).                   a comparison binds nothing
    #constant(pile, 4).                              what const(pile) may be
    #modeh(b(var(pile),var(d),var(bool))).           the head of a rule that may be invented
    #modeb(1, binary(var(num),var(d),var(bool))).    what may stand in the body of such a rule
    #weight(1). #maxp(2). #maxv(4). #maxl(5).
    binary(3,1,1).                                   anything else is background, as it is

A conjunction grows by one literal at a time, whose places take existing or new variables.
Conjunctions that differ only in the names of variables count as one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import permutations, product

from kibitz.errors import BudgetExceededError, InputError
from kibitz.gdl import Function, Names, RuleSheet, clauses_of
from kibitz.learn.minimax.clingo_queries import fixed_clauses
from kibitz.learn.programs import check_fact, check_literal, read_program
from kibitz.learn.rules import kinds
from kibitz.reading import bounded

_PLACE = re.compile(r"(var|const)\((\w+)\)")
_KEY = re.compile(r"#(\w+)\((.*)\)", re.DOTALL)
_COMPARISON = re.compile(r"!=|<=|>=|<|>|=")


@dataclass(frozen=True, slots=True)
class Mode:
    """A literal with places for variables and constants, and how often it may be used."""

    most: int
    parts: tuple[str, ...]
    """The text between places: one more than there are places."""
    places: tuple[tuple[str, str], ...]
    """For each place, `var` or `const`, and the type."""

    @property
    def is_comparison(self) -> bool:
        """Whether it compares numbers, and so binds no variable."""
        return any(_COMPARISON.search(part) for part in self.parts)

    def fill(self, terms: tuple[str, ...]) -> str:
        """Put terms into the places."""
        text = [self.parts[0]]
        for term, part in zip(terms, self.parts[1:], strict=True):
            text += [term, part]
        return "".join(text)


@dataclass(frozen=True)
class Bias:
    """A language of weak constraints, and of rules that define their relations."""

    orders: tuple[Mode, ...]
    heads: tuple[Mode, ...] = ()
    bodies: tuple[Mode, ...] = ()
    constants: dict[str, tuple[str, ...]] = field(default_factory=dict)
    weights: tuple[int, ...] = (1, -1)
    priorities: int = 2
    variables: int = 4
    length: int = 4
    background: str = ""
    text: str = ""


def _mode(most: int, text: str) -> Mode:
    places = tuple((m.group(1), m.group(2)) for m in _PLACE.finditer(text))
    parts = tuple(re.sub(r"\s+", " ", part) for part in _PLACE.split(text)[::3])
    return Mode(most, parts, places)


@bounded("reading the bias")
def read_bias(text: str, *, name: str = "bias") -> Bias:
    """Read a bias.

    >>> bias = read_bias("#modeo(2, next(free(var(cell)))). #weight(1). #maxv(2).")
    >>> bias.orders[0].fill(("V0",)), bias.weights, bias.variables
    ('next(free(V0))', (1,), 2)
    """
    orders: list[Mode] = []
    heads: list[Mode] = []
    bodies: list[Mode] = []
    constants: dict[str, list[str]] = {}
    weights: list[int] = []
    numbers = {"maxp": 2, "maxv": 4, "maxl": 4}
    background: list[str] = []
    for line, sentence in _sentences(text):
        found = _KEY.fullmatch(sentence)
        if not sentence.startswith("#"):
            background.append(f"{sentence}.")
            continue
        key, inside = (found.group(1), found.group(2)) if found else ("", "")
        inside = re.sub(r",\s*\((positive|negative)\)\s*$", "", inside)
        first, _, rest = inside.partition(",")
        if key in ("modeo", "modeb", "modeh"):
            counted = re.fullmatch(r"\s*[0-9]{1,9}\s*", first) is not None
            written = (rest if counted else inside).strip()
            if key == "modeh":
                check_fact(written, name=f"{name}:{line}")
            else:
                check_literal(written, name=f"{name}:{line}", is_plain=key == "modeo")
            mode = _mode(int(first) if counted else 1, written)
            {"modeo": orders, "modeb": bodies, "modeh": heads}[key].append(mode)
        elif key == "constant" and rest.strip():
            check_fact(f"p({rest.strip()})", name=f"{name}:{line}")
            constants.setdefault(first.strip(), []).append(rest.strip())
        elif key == "weight" and re.fullmatch(r"-?[1-9]\d{0,3}", inside.strip()):
            weights.append(int(inside))
        elif key in numbers and re.fullmatch(r"[1-9]\d?", inside.strip()):
            numbers[key] = int(inside)
        else:
            raise InputError(
                f"{name}:{line}: cannot read #{key or sentence[1:20]}",
                hint="a bias has #modeo, #modeh, #modeb, #constant, #weight, #maxp, #maxv, #maxl",
            )
    if not orders:
        raise InputError(
            f"{name} has no #modeo, so nothing can be learned",
            hint="such as #modeo(1, next(has(var(player),var(cell)))).",
        )
    return Bias(
        tuple(orders),
        tuple(heads),
        tuple(bodies),
        {kind: tuple(found) for kind, found in constants.items()},
        tuple(dict.fromkeys(weights)) or (1, -1),
        numbers["maxp"],
        numbers["maxv"],
        numbers["maxl"],
        "\n".join(_rules("\n".join(background), name)),
        text,
    )


def _rules(background: str, name: str) -> tuple[str, ...]:
    """Return the rules of a background; raise InputError if it has anything else."""
    program = read_program(background, name=f"the background of {name}")
    if program.constraints:
        raise InputError(f"{name} has a weak constraint", hint="those are what is learned")
    return program.rules


def _sentences(text: str) -> list[tuple[int, str]]:
    """Split at full stops, without comments; yield each sentence with its line."""
    found = []
    clean = re.sub(r"%[^\n]*", "", text)
    begin = 0
    for match in re.finditer(r"(?<!\.)\.(?!\.)(?=\s|$|#)", clean):
        sentence = clean[begin : match.start()]
        line = clean.count("\n", 0, begin + len(sentence) - len(sentence.lstrip())) + 1
        if sentence.strip():
            found.append((line, sentence.strip()))
        begin = match.end()
    if clean[begin:].strip():
        raise InputError(f"a bias ends without a full stop: {clean[begin:].strip()[:40]}")
    return found


def automatic_bias(sheet: RuleSheet) -> Bias:
    """Make a bias of a rule sheet: fluents of the next state, and fixed relations among things.

    Types are the kinds of constants that share places in the rules. For fluents that end in a
    number there is also a relation for which binary digits are set in an odd number of them. For
    relations of three or more things that can be free or owned there are relations for who has them
    all, who has all but one that is free, and where two are missing in two ways at once. Relations
    among roles alone are left out.
    """
    clauses = clauses_of(sheet)
    names = Names.of_sheet(sheet)
    groups = kinds(clauses)
    number = {place: i for i, (places, _) in enumerate(groups) for place in places}
    fluents: dict[tuple[str, int], None] = {}
    static: dict[tuple[str, int], None] = {}
    for clause in clauses:
        head = clause.head
        if head.relation in ("next", "init") and isinstance(head.args[0], Function):
            fluents[head.args[0].name, len(head.args[0].args)] = None
    for clause in fixed_clauses(sheet):
        if clause.head.relation != "role":
            static[clause.head.relation, len(clause.head.args)] = None

    def types(is_term: bool, name: str, arity: int) -> list[str]:
        return [f"var(t{number[is_term, name, i]})" for i in range(arity)]

    roles = f"var(t{number[False, 'role', 0]})"
    lines: list[str] = []
    used: set[str] = set()
    length, levels = 5, 3
    for name, arity in fluents:
        args = types(True, name, arity)
        used.update(args)
        written = names.name(name)
        inside = f"({','.join(args)})" if args else ""
        lines.append(f"#modeo({3 if arity > 1 else 1}, next({written}{inside})).")
        if arity > 1 and _is_number(groups[number[True, name, arity - 1]][1]):
            others = ",".join(f"A{i}" for i in range(arity - 1))
            lines.append(f"#modeo(1, odd_{written}(var(digit))).")
            lines.append(
                f"odd_{written}(D) :- D = (1;2;4;8;16), S = #count {{ {others},N : "
                f"next({written}({others},N)), (N / D) \\ 2 = 1 }}, S \\ 2 = 1."
            )
    for name, arity in static:
        args = types(False, name, arity)
        if not (2 <= arity <= 4 and used.issuperset(args)) or set(args) == {roles}:
            continue
        written = names.relation(name)
        if arity > 2 and len(set(args)) == 1:  # in whatever order
            places = [f"A{i}" for i in range(arity)]
            lines += [
                f"any_{written}({','.join(order)}) :- {written}({','.join(places)})."
                for order in permutations(places)
            ]
            whose = _whose(fluents, args[0], lambda name, arity: types(True, name, arity))
            if whose is not None:
                lines += _incomplete(written, places, args[0], whose, names)
                length, levels = 3, 4
            written = f"any_{written}"
        lines.append(f"#modeo(1, {written}({','.join(args)})).")
    limits = f"#weight(1). #weight(-1). #maxp({levels}). #maxv(4). #maxl({length})."
    return read_bias("\n".join([limits, *lines]), name="the automatic bias")


def _whose(
    fluents: Iterable[tuple[str, int]], thing: str, types: Callable[[str, int], list[str]]
) -> tuple[str, str, str] | None:
    """Find the fluents for who has a thing and for a free thing, and the type of owners."""
    free = [name for name, arity in fluents if types(name, arity) == [thing]]
    owned = [
        (name, types(name, 2)[0])
        for name, arity in fluents
        if arity == 2 and types(name, 2)[1] == thing != types(name, 2)[0]
    ]
    return (free[0], *owned[0]) if free and owned else None


def _incomplete(
    relation: str,
    places: list[str],
    thing: str,
    whose: tuple[str, str, str],
    names: Names,
) -> list[str]:
    """Write rules for who has all the things of a relation, or lacks one or two of them."""
    free, owned, owner = whose
    has = [f"next({names.name(owned)}(P,{place}))" for place in places]
    is_free = [f"next({names.name(free)}({place}))" for place in places]
    all_of_them = f"{relation}({','.join(places)})"
    lines = [f"full_{relation}(P) :- {', '.join([all_of_them, *has])}."]
    for i, place in enumerate(places):
        rest = [is_free[j] if j == i else has[j] for j in range(len(places))]
        lines.append(f"lacks_{relation}(P,{place}) :- {', '.join([all_of_them, *rest])}.")
        for k, other in enumerate(places):
            if k != i:
                rest = [is_free[j] if j in (i, k) else has[j] for j in range(len(places))]
                body = ", ".join([all_of_them, *rest])
                lines.append(f"half_{relation}(P,{place},{other}) :- {body}.")
    lines += [
        f"fork_{relation}(P,A) :- half_{relation}(P,A,B), half_{relation}(P,A,C), B != C.",
        f"#modeo(1, full_{relation}({owner})).",
        f"#modeo(2, lacks_{relation}({owner},{thing})).",
        f"#modeo(1, fork_{relation}({owner},{thing})).",
    ]
    return lines


def _is_number(constants: set[Function]) -> bool:
    return bool(constants) and all(constant.name.isdecimal() for constant in constants)


_MOST_BODIES = 20_000
_MOST_INVENTED = 2
"""How many literals a rule for an invented relation may have."""

_Literal = tuple[int, tuple[str, ...]]
"""The number of a mode, and its terms: V0, V1, … or constants."""


@dataclass(frozen=True, slots=True)
class Body:
    """A conjunction of literals, and its variables."""

    literals: tuple[str, ...]
    comparisons: tuple[str, ...]
    variables: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.literals) + len(self.comparisons)

    @property
    def text(self) -> str:
        """The conjunction for clingo."""
        return ", ".join((*self.literals, *self.comparisons))


@dataclass(frozen=True)
class _Grown:
    literals: frozenset[_Literal]
    types: tuple[str, ...]


def _terms(
    mode: Mode, types: tuple[str, ...], bias: Bias, *, may_be_new: bool
) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Fill the places of a literal in every way; yield the terms, and the types of variables."""

    def fill(
        index: int, terms: tuple[str, ...], known: tuple[str, ...]
    ) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
        if index == len(mode.places):
            yield terms, known
            return
        kind, name = mode.places[index]
        if kind == "const":
            for constant in bias.constants.get(name, ()):
                yield from fill(index + 1, (*terms, constant), known)
            return
        for number, one in enumerate(known):
            if one == name:
                yield from fill(index + 1, (*terms, f"V{number}"), known)
        if may_be_new and len(known) < bias.variables:
            yield from fill(index + 1, (*terms, f"V{len(known)}"), (*known, name))

    yield from fill(0, (), types)


def _canonical(grown: _Grown) -> _Grown:
    """Give variables the names that make the conjunction the least."""
    best: tuple[list[_Literal], tuple[str, ...]] | None = None
    count = len(grown.types)
    for order in permutations(range(count)):
        names = {f"V{old}": f"V{new}" for new, old in enumerate(order)}
        literals = sorted(
            (mode, tuple(names.get(term, term) for term in terms)) for mode, terms in grown.literals
        )
        types = tuple(grown.types[old] for old in order)
        if best is None or (literals, types) < best:
            best = (literals, types)
    assert best is not None
    return _Grown(frozenset(best[0]), best[1])


def _grow(modes: Sequence[Mode], bias: Bias, start: _Grown, length: int) -> Iterator[_Grown]:
    layer = {start}
    seen = {start}
    for _ in range(length):
        longer: set[_Grown] = set()
        for grown in layer:
            used = [mode for mode, _ in grown.literals]
            for number, mode in enumerate(modes):
                if used.count(number) >= mode.most or (mode.is_comparison and not used):
                    continue
                for terms, types in _terms(
                    mode, grown.types, bias, may_be_new=not mode.is_comparison
                ):
                    literal = (number, terms)
                    joined = (
                        not used
                        or not mode.places
                        or any(
                            term in {t for _, ts in grown.literals for t in ts}
                            for term in terms
                            if term.startswith("V")
                        )
                    )
                    if literal in grown.literals or not joined:
                        continue
                    new = _canonical(_Grown(grown.literals | {literal}, types))
                    if new not in seen:
                        seen.add(new)
                        longer.add(new)
                        if len(seen) > _MOST_BODIES:
                            raise BudgetExceededError(
                                f"the bias allows more than {_MOST_BODIES:,} conjunctions",
                                hint="lower #maxl or #maxv, or the number that #modeo begins with",
                            )
        yield from sorted(longer, key=lambda grown: sorted(grown.literals))
        layer = longer


def _body(grown: _Grown, modes: Sequence[Mode]) -> Body:
    literals: list[str] = []
    comparisons: list[str] = []
    for number, terms in sorted(grown.literals):
        mode = modes[number]
        (comparisons if mode.is_comparison else literals).append(mode.fill(terms))
    return Body(
        tuple(literals), tuple(comparisons), tuple(f"V{i}" for i in range(len(grown.types)))
    )


def constraint_bodies(bias: Bias) -> list[Body]:
    """Return the bodies of all weak constraints, short ones first.

    >>> from kibitz.learn.preferences.bias import read_bias
    >>> bias = read_bias("#modeo(2, next(f(var(x)))). #modeo(1, e(var(x),var(x))). #maxl(2).")
    >>> [body.text for body in constraint_bodies(bias)][:3]
    ['next(f(V0))', 'e(V0,V0)', 'e(V0,V1)']
    """
    start = _Grown(frozenset(), ())
    grown = _grow(bias.orders, bias, start, bias.length)
    return [_body(one, bias.orders) for one in grown]


def fitting_bias(bias: Bias) -> Bias:
    """Return the bias, with fewer literals and then fewer variables where it allows too much.

    >>> from kibitz.learn.preferences.bias import read_bias
    >>> wide = read_bias("#modeo(9, e(var(x),var(x),var(x))). #maxl(9). #maxv(4).")
    >>> fits = fitting_bias(wide)
    >>> 2 <= fits.length < wide.length, fits.variables
    (True, 4)
    """
    if _can_be_listed(bias):
        return bias
    found = None
    for length in range(2, bias.length):
        smaller = replace(bias, length=length)
        if not _can_be_listed(smaller):
            break
        found = smaller
    variables = bias.variables
    while found is None and variables > 1:
        variables -= 1
        smaller = replace(bias, length=min(2, bias.length), variables=variables)
        found = smaller if _can_be_listed(smaller) else None
    if found is None:
        return bias
    text = re.sub(r"#maxv\(\d+\)", f"#maxv({found.variables})", bias.text)
    return replace(found, text=re.sub(r"#maxl\(\d+\)", f"#maxl({found.length})", text))


def _can_be_listed(bias: Bias) -> bool:
    """Return whether a bias allows few enough bodies."""
    try:
        constraint_bodies(bias)
    except BudgetExceededError:
        return False
    return True


def invented_rules(bias: Bias) -> list[list[str]]:
    """Return for each head that a bias invents the rules that could define it, short ones first."""
    found = []
    for head in bias.heads:
        rules = []
        for terms, types in _terms(head, (), bias, may_be_new=True):
            written = head.fill(terms)
            bound = {term for term in terms if term.startswith("V")}
            start = _Grown(frozenset(), types)
            for grown in _open(bias, start):
                body = _body(grown, bias.bodies)
                inside = {t for _, ts in grown.literals for t in ts}
                if bound <= inside and written not in body.literals:
                    rules.append(f"{written} :- {body.text}.")
        found.append(sorted(dict.fromkeys(rules), key=lambda rule: (rule.count("("), rule)))
    return found


def _open(bias: Bias, start: _Grown) -> Iterator[_Grown]:
    """Grow bodies whose first variables are those of a head, and keep their names."""
    layer = [start]
    seen: set[frozenset[_Literal]] = set()
    for _ in range(_MOST_INVENTED):
        longer = []
        for grown in layer:
            used = [mode for mode, _ in grown.literals]
            for number, mode in enumerate(bias.bodies):
                if used.count(number) >= mode.most:
                    continue
                for terms, types in _terms(mode, grown.types, bias, may_be_new=True):
                    literals = grown.literals | {(number, terms)}
                    if literals not in seen and len(seen) < _MOST_BODIES:
                        seen.add(literals)
                        longer.append(_Grown(literals, types))
        yield from longer
        layer = longer


def programs(choices: Sequence[Sequence[str]]) -> Iterator[tuple[str, ...]]:
    """Return one rule for each head in every combination, those with few atoms first."""
    if not choices:
        yield ()
        return
    combined = sorted(product(*choices), key=lambda rules: sum(rule.count("(") for rule in rules))
    yield from combined
