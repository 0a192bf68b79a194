"""The form of learned preferences: a language bias, read from a file or made from rules.

A bias is written much as for ILASP (paper 004, figures 11 and 12)::

    #modeo(3, next(has(var(player),var(cell)))).     at most three such literals
    #modeo(1, in_line(var(cell),var(cell),var(cell))).
    #modeo(1, var(total) \\ 2 != 0).                   a comparison binds nothing
    #constant(pile, 4).                              what const(pile) may be
    #modeh(b(var(pile),var(d),var(bool))).           the head of a rule that may be invented
    #modeb(1, binary(var(num),var(d),var(bool))).    what may stand in the body of such a rule
    #weight(1). #maxp(2). #maxv(4). #maxl(5).
    binary(3,1,1).                                   anything else is background, as it is
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import permutations

from kibitz.errors import InputError
from kibitz.gdl import Function, Names, RuleSheet, clauses_of
from kibitz.learn.minimax.static_program import fixed_clauses
from kibitz.learn.programs import check_fact, check_literal, read_program
from kibitz.learn.rules import kinds
from kibitz.reading import bounded

__all__ = ["Bias", "Mode", "automatic_bias", "read_bias"]

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
