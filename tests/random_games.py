"""A Hypothesis strategy for small rule sheets that are safe, stratified and finite.

A sheet has one to three roles, who move at once; fixed relations; fluents of zero to two arguments;
derived relations in layers, where a layer may ask for itself (recursion) and deny only layers
below; and disjunctions, inequalities, moves with arguments and frame rules. What they describe is
no game that anybody would play, which is the point.
"""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

from kibitz.gdl import RuleSheet, diagnose

__all__ = ["games"]

Draw = st.DrawFn
VALUES = ("1", "2", "(c 1)", "(d (c 2) 1)")
VARIABLES = ("?x", "?y", "?z")
FIXED = {"e": 2, "n": 1}
FLUENTS = {"f": 1, "g": 2, "p": 0}
ASKED_FLUENTS = {**FLUENTS, "never": 1, "n": 1, "e": 2}
"""Those that bodies ask for: also one that no rule sets, and functions named like relations."""

MOVES = {"noop": 0, "mark": 1, "go": 2}


@dataclass(frozen=True)
class Words:
    """Relations that a body may ask for, those that it may deny, and whether moves are known."""

    asked: dict[str, int]
    denied: dict[str, int]
    with_moves: bool = False


@st.composite
def games(draw: Draw) -> RuleSheet:
    """Make a rule sheet without errors."""
    roles = [f"r{i}" for i in range(draw(st.integers(1, 3)))]
    lines = [f"(role {role})" for role in roles]
    lines += [f"(n {value})" for value in VALUES]
    pairs = draw(st.lists(st.tuples(st.sampled_from(VALUES), st.sampled_from(VALUES)), max_size=5))
    lines += [f"(e {a} {b})" for a, b in dict.fromkeys(pairs)]
    lines += [f"(init {term})" for term in draw(st.lists(ground_fluents(), max_size=6))]
    known = dict(FIXED)
    for layer in range(draw(st.integers(0, 3))):
        below = dict(known)
        names = {f"d{layer}": draw(st.integers(0, 2))}
        if draw(st.booleans()):
            names[f"m{layer}"] = draw(st.integers(0, 2))
        known.update(names)
        for name, arity in names.items():
            for _ in range(draw(st.integers(1, 2))):
                head = draw_atom(draw, name, arity)
                lines.append(draw_rule(draw, head, Words(known, below)))
    words = Words(known, known)
    lines += [f"(legal {role} noop)" for role in roles if draw(st.integers(0, 9))]
    if draw(st.booleans()):
        lines.append("(<= (legal ?r (mark ?x)) (role ?r) (n ?x))")
    for _ in range(draw(st.integers(1, 3))):
        role = draw(st.sampled_from([*roles, "?r"]))
        move = draw(st.sampled_from(sorted(MOVES)))
        head = f"(legal {role} {draw_atom(draw, move, MOVES[move])})"
        lines.append(draw_rule(draw, head, words))
    moving = Words(known, known, with_moves=True)
    for name, arity in FLUENTS.items():
        for _ in range(draw(st.integers(1, 2))):
            head = f"(next {draw_atom(draw, name, arity)})"
            lines.append(draw_rule(draw, head, moving))
        if draw(st.booleans()):
            lines.append(draw_frame(draw, name, arity))
    lines.append(draw_rule(draw, "terminal", words, least=2))
    lines += [draw_rule(draw, f"(goal {r} {v})", words) for r in roles for v in (0, 50, 100)]
    sheet, found = diagnose("\n".join(dict.fromkeys(lines)), name="random", form="kif")
    errors = [d for d in found if d.severity.value == "error"]
    assert not errors, errors[0].render(sheet.source)
    return sheet


def ground_fluents() -> st.SearchStrategy[str]:
    value = st.sampled_from(VALUES)
    return st.one_of(
        st.just("p"),
        st.builds("(f {})".format, value),
        st.builds("(g {} {})".format, value, value),
        st.builds("(n {})".format, value),
    )


IN_HEADS = (*VARIABLES[:2], *VARIABLES, "1", "2", "(c 1)")
IN_BODIES = (*IN_HEADS, "(c ?x)", "(d (c ?y) 1)")
"""A term that is built in a head could be built again and again."""


def draw_atom(draw: Draw, name: str, arity: int, terms: tuple[str, ...] = IN_HEADS) -> str:
    """Apply a relation or function to some of the terms."""
    args = [draw(st.sampled_from(terms)) for _ in range(arity)]
    if not args:
        return draw(st.sampled_from([name, name, f"({name})"]))
    return f"({name} {' '.join(args)})"


def draw_rule(draw: Draw, head: str, words: Words, least: int = 0) -> str:
    """Give a head a body that binds all its variables."""
    body = [draw_positive(draw, words) for _ in range(draw(st.integers(least, 3)))]
    if draw(st.integers(0, 3)) == 0:
        one, other = draw_positive(draw, words), draw_positive(draw, words)
        body.append(f"(or {one} {other})")
    text = " ".join([head, *body])
    bound = {v for v in VARIABLES if any(v in part for part in body if not part.startswith("(or"))}
    for variable in VARIABLES:
        if variable in text and variable not in bound:
            body.insert(0, f"(n {variable})")
    if "?r" in text:
        body.insert(0, "(role ?r)")
    usable = (*(v for v in VARIABLES if any(v in part for part in body)), "1", "2")
    body += [draw_check(draw, words, usable) for _ in range(draw(st.integers(0, 2)))]
    return f"(<= {head} {' '.join(body)})" if body else head


def draw_positive(draw: Draw, words: Words) -> str:
    kind = draw(st.integers(0, 5))
    if words.with_moves and kind < 3:
        move = draw(st.sampled_from(sorted(MOVES)))
        made = draw_atom(draw, move, MOVES[move], IN_BODIES)
        return f"(does {draw(st.sampled_from(['r0', '?r']))} {made})"
    if kind < 4:
        name = draw(st.sampled_from(sorted(ASKED_FLUENTS)))
        return f"(true {draw_atom(draw, name, ASKED_FLUENTS[name], IN_BODIES)})"
    name = draw(st.sampled_from(sorted(words.asked)))
    return draw_atom(draw, name, words.asked[name], IN_BODIES)


def draw_check(draw: Draw, words: Words, usable: tuple[str, ...]) -> str:
    """Make a literal that binds nothing: a negation, or an inequality."""
    kind = draw(st.integers(0, 3))
    if kind == 0:
        return f"(distinct {draw(st.sampled_from(usable))} {draw(st.sampled_from(usable))})"
    if kind == 1 and words.with_moves:
        move = draw(st.sampled_from(sorted(MOVES)))
        return f"(not (does r0 {draw_atom(draw, move, MOVES[move], usable)}))"
    if kind == 2:
        name = draw(st.sampled_from(sorted(words.denied)))
        return f"(not {draw_atom(draw, name, words.denied[name], usable)})"
    name = draw(st.sampled_from(sorted(ASKED_FLUENTS)))
    return f"(not (true {draw_atom(draw, name, ASKED_FLUENTS[name], usable)}))"


def draw_frame(draw: Draw, name: str, arity: int) -> str:
    """Say that a fluent stays unless a move names its first argument."""
    fluent = f"({name} {' '.join(VARIABLES[:arity])})" if arity else name
    if not arity or draw(st.booleans()):
        return f"(<= (next {fluent}) (true {fluent}) (not (does r0 noop)))"
    stays = "(does ?r (mark ?v)) (distinct ?v ?x)"
    return f"(<= (next {fluent}) (true {fluent}) {stays})"
