"""Bias in, candidates out: every weak constraint and invented rule that a bias allows.

A conjunction grows by one literal at a time, whose places take existing or new variables.
Conjunctions that differ only in the names of variables count as one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations, product

from kibitz.errors import BudgetExceededError
from kibitz.learn.preferences.bias import Bias, Mode

__all__ = ["Body", "constraint_bodies", "fitting_bias", "invented_rules", "programs"]

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
