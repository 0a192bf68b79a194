"""Derive ideas from Heaps: rules in the strategy language, the sizes they hold for, and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations

from kibitz.synth.insight.heaps import Heaps, Values, heap_values, is_tame
from kibitz.synth.insight.rows import Octal, Rows, octal_values

_MOST_ALTERNATIVES = 3
_MOST_RULES = 3
NIM_SUM = (
    "A nim-sum is 0 if every power of two occurs an even number of times once the numbers are "
    "written as sums of different powers of two: those of 3, 5 and 6 are 2 + 1, 4 + 1 and 4 + 2."
)

MISERE_NIM = (
    "With heaps of one alone there is nothing to choose: they go one by one, and of an odd number "
    "the opponent takes the last.",
    "As long as two heaps or more are larger than one, every move changes a nim-sum of 0, and you "
    "can make it again; so it is the opponent who leaves one larger heap.",
)
MISERE = (
    "Whatever the opponent does to values of 0 and 1 with an odd number of ones, it is no longer "
    "so, and you can make it so again; at the end it is not so, so that the opponent moves last.",
    "As long as two values or more are larger than 1, every move changes a nim-sum of 0, and you "
    "can make it again; so it is the opponent who leaves one larger value alone.",
)
"""Why the two rules of misère play are right."""


@dataclass(frozen=True, slots=True)
class HoldsFor:
    """For which sizes of a game a list plays perfectly, and whether that is proved for all.

    `beyond` says what else is proved, for other sizes.
    """

    proved: bool
    sizes: str
    beyond: str = ""

    def as_json(self) -> dict[str, bool | str]:
        """Return it as JSON."""
        more = f"; {self.beyond}" if self.beyond else ""
        return {"proved": self.proved, "sizes": self.sizes + more}


@dataclass(frozen=True, slots=True)
class Idea:
    """Rules that may play perfectly, each with its reason; `proof` if they do at every size.

    With `must_answer` they are to have a move after every move of the opponent. Nothing of this is
    trusted before the checker has followed the rules. `beyond` says what is proved for other sizes
    where that is not that they play perfectly.
    """

    rules: tuple[str, ...]
    why: tuple[str, ...]
    proof: HoldsFor | None = None
    must_answer: bool = False
    beyond: str = ""

    @property
    def text(self) -> str:
        """The list in the strategy language."""
        return "\n".join(["symmetric none", *self.rules]) + "\n"


def heap_ideas(heaps: Heaps) -> Iterator[Idea]:
    """Walk the rules that the values of heaps suggest, the simplest first.

    >>> next(heap_ideas(Heaps("left", 1, 1, 21, (1, 2, 3), False))).rules
    ('next (left.1 % 4 = 0) => any',)
    """
    values = heap_values(heaps)
    if values is not None and (heaps.heaps == 1 or not heaps.misere):
        sums = _single(heaps, values) if heaps.heaps == 1 else _several(heaps, values)
        if sums is not None:
            yield sums
    if heaps.misere and heaps.heaps > 1:
        yield from _misere(heaps)


def taking(heaps: Heaps) -> str:
    """Say what may be done to a number."""
    done = "added" if heaps.is_up else "taken"
    if heaps.takes is None:
        return f"any number may be {done}"
    *first, last = map(str, heaps.takes)
    listed = f"{', '.join(first)} or {last}" if first else last
    return f"{listed} may be {done}"


def _single(heaps: Heaps, values: Values) -> Idea | None:
    """Leave one heap at a number from which whoever moves loses."""
    done = "adds" if heaps.is_up else "takes"
    if values.is_identity:
        reason = f"{taking(heaps).capitalize()}, so one move ends it."
        rule = f"next ({heaps.term} = {heaps.end}) => any"
        return Idea((rule,), (reason,), HoldsFor(True, _every(heaps)))
    values = values.won_or_lost
    period = len(values.period)
    zeros = [place for place, value in enumerate(values.period) if value == 0]
    if values.start or period < 2 or not zeros:
        return None
    zeros = _enough(heaps, zeros, period)
    turned = [(heaps.end - z if heaps.is_up else heaps.end + z) % period for z in zeros]
    kinds = [f"{heaps.term} % {period} = {rest}" for rest in sorted(turned)]
    rules = [kinds[at : at + _MOST_ALTERNATIVES] for at in range(0, len(kinds), _MOST_ALTERNATIVES)]
    if len(rules) > _MOST_RULES:
        return None
    what = _such(sorted(turned), period)
    back = "bring it back to one" if len(kinds) == 1 else "make it one again"
    goal = (
        f"the end, {heaps.end}, is one, so that you get there first"
        if heaps.is_clamped
        else f"the end, {heaps.end}, is one, so that the opponent is the first who cannot move"
        if not heaps.misere
        else "at the end, where whoever moved last has lost, it is not one"
    )
    reason = (
        f"Whatever the opponent {done} at {what}, the number is no longer one, and you can {back}; "
        f"{goal}."
    )
    proof = HoldsFor(True, _every(heaps))
    texts = tuple(f"next ({' or '.join(rule)}) => any" for rule in rules)
    return Idea(texts, (reason,) * len(texts), proof)


def _enough(heaps: Heaps, zeros: list[int], period: int) -> list[int]:
    """Return as few remainders of lost numbers as one can always leave where one can leave any."""
    takes = heaps.takes or ()
    left = [
        {(n - min(k, n)) % period for k in takes if heaps.is_clamped or k <= n}.intersection(zeros)
        for n in range(1, max(takes) + period + 1)
        if n % period not in zeros
    ]
    for size in range(1, len(zeros)):
        for chosen in combinations(zeros, size):
            if all(not found or found.intersection(chosen) for found in left):
                return list(chosen)
    return zeros


def _such(rests: list[int], period: int) -> str:
    if rests == [0]:
        return f"a multiple of {period}"
    if len(rests) == 1:
        return f"a number that is {rests[0]} more than a multiple of {period}"
    listed = " or ".join(map(str, rests))
    return f"a number that leaves {listed} on division by {period}"


def _every(heaps: Heaps) -> str:
    """Say for which sizes a proof by values holds."""
    end = f"up to {heaps.end}" if heaps.is_up else f"down to {heaps.end}"
    until = f"while there is room {end}" if heaps.is_up or heaps.end else "while there is enough"
    if heaps.is_clamped:
        until = f"also beyond {heaps.end}, which ends play"
    if heaps.heaps == 1:
        what = "every gap" if heaps.name == "gaps" else f"every number in {heaps.name}"
        return f"{what}, as long as {taking(heaps)} {until}"
    where = "to" if heaps.is_up else "from"
    return (
        f"any number of heaps, each of any size, as long as {taking(heaps)} "
        f"{where} any one of them {until}"
    )


def _several(heaps: Heaps, values: Values) -> Idea | None:
    """Leave heaps whose values have nim-sum 0."""
    found = _value_term(heaps, values)
    if found is None:
        return None
    term, what = found
    reason = (
        f"A move changes the {what} of one heap, so it changes a nim-sum of 0; and from any "
        f"other nim-sum some heap can be given the {what} that makes it 0 again. When "
        f"nothing is left it is 0, so that the opponent is the first who cannot move. {NIM_SUM}"
    )
    rule = f"next nimsum({term}) = 0 => any"
    return Idea((rule,), (reason,), HoldsFor(True, _every(heaps)))


def _value_term(heaps: Heaps, values: Values) -> tuple[str, str] | None:
    """Write the values of all heaps, with a word for them; None if they begin irregularly."""
    plain = not heaps.is_up and not heaps.end
    if values.is_identity and plain:
        return heaps.term, "number"
    if values.start or values.is_identity:
        return None
    size = len(values.period)
    if plain and values.period == tuple(range(size)):
        return f"{heaps.term} % {size}", "remainder"
    sign = -1 if heaps.is_up else 1
    table = [values.period[sign * (number - heaps.end) % size] for number in range(size)]
    return f"table({heaps.term}, {', '.join(map(str, table))})", "value"


def row_ideas(rows: Rows) -> Iterator[Idea]:
    """Return the rule that the values of runs give, with a proof where they have a period.

    >>> idea = next(row_ideas(Rows("(pin _ up)", (0, 1, 2, 3), None)))
    >>> idea.rules, idea.proof
    (('next runs((pin _ up), 0, 1, 2, 3) = 0 => any',), None)
    """
    reason = (
        "A move changes what one run is worth, so it changes a nim-sum of 0; and from any other "
        "nim-sum some move makes it 0 again. When no move is left it is 0, so that the opponent "
        "is the first who cannot move."
    )
    known = octal_values(rows.moves) if rows.moves else None
    proof = None
    if known is not None and known[0][: len(rows.values)] == rows.values:
        _, start, period = known
        proof = HoldsFor(
            True,
            f"rows of any length, as long as {_cutting(rows.moves or {})}; the values of "
            f"longer runs repeat with period {period} from length {start} on",
        )
    table = ", ".join(map(str, rows.values))
    yield Idea((f"next runs({rows.pattern}, {table}) = 0 => any",), (reason,), proof)


def _cutting(moves: Octal) -> str:
    """Say what a move may take from a run, and what it may leave of it."""
    left = {0: "nothing", 1: "one run", 2: "two runs"}
    said = []
    for taken, parts in sorted(moves.items()):
        rest = " or ".join(left[count] for count in sorted(parts))
        where = "anywhere in it" if len(parts) == 3 else f"if that leaves {rest} of it"
        what = "one" if taken == 1 else f"{taken} side by side"
        said.append(f"{what} may be taken from a run {where}")
    return " and ".join(said)


def _misere(heaps: Heaps) -> Iterator[Idea]:
    """Play as if the last move won, but leave an odd number of heaps of value 1 at the end.

    Bouton (1901) proves it for heaps from which any number may be taken, Ferguson (1974) for
    other heaps, if a heap of value 0 with a move has one to value 1.
    """
    normal = replace(heaps, misere=False)
    values = heap_values(normal)
    found = None if values is None else _value_term(normal, values)
    if values is None or found is None or not is_tame(normal, values):
        return
    term, _ = found
    rules = (
        f"next largest({term}) < 2 and next nimsum({term}) = 1 => any",
        f"next nimsum({term}) = 0 => any",
    )
    yield Idea(rules, MISERE_NIM if values.is_identity else MISERE, HoldsFor(True, _every(heaps)))
