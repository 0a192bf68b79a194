"""What a program of weak constraints costs, compared with clingo's own costs of its text."""

from __future__ import annotations

import random

import clingo
import pytest

from kibitz.errors import InputError
from kibitz.gdl import Function, parse, parse_terms
from kibitz.learn.preferences.preferences import read_preferences

SHEET = parse(
    "(role me) (init (f 1 1)) (legal me go) (next (f 1 1)) (goal me 50) terminal "
    "(base (f 1 1)) (e 1 2) (e 2 3) (e 3 1) (e 1 1)",
    name="weak.kif",
)
ATOMS = ("next(f({},{}))", "next(g({}))", "e({},{})", "p({})")
BACKGROUND = "p(X) :- next(f(X,Y)), not next(g(Y))."


def costs_by_clingo(text: str, fluents: list[Function]) -> dict[int, int]:
    """Let clingo work out what a program costs at each priority."""
    control = clingo.Control(["--warn=none"])
    facts = " ".join(
        f"next({str(f)[1:-1].replace(' ', '(', 1).replace(' ', ',')}))." for f in fluents
    )
    control.add("base", [], f"e(1,2). e(2,3). e(3,1). e(1,1). {facts}\n{text}")
    control.ground([("base", [])])
    found: dict[int, int] = {}
    control.solve(on_model=lambda m: found.update(zip(m.priority, m.cost, strict=True)))
    return found


def random_program(source: random.Random) -> str:
    lines = [BACKGROUND]
    for _ in range(source.randint(1, 4)):
        names = ["X", "Y", "Z"][: source.randint(1, 3)]
        body = []
        for _ in range(source.randint(1, 3)):
            form = source.choice(ATOMS)
            places = [source.choice([*names, *names, "1", "_"]) for _ in range(form.count("{}"))]
            body.append(form.format(*places))
        bound = sorted({name for name in names if any(name in atom for atom in body)})
        if bound and source.random() < 0.3:
            body.append(f"{source.choice(bound)} != {source.randint(1, 3)}")
        terms = [
            source.choice([*bound, *bound, "1", "2", f"{name}+1", f"t({name})", f"({name};1)"])
            for name in source.sample(bound, source.randint(0, len(bound)))
        ]
        terms += source.sample(["1", "here"], source.randint(0, 1))
        cost = f"{source.choice([-2, -1, 1, 1, 3])}@{source.randint(1, 2)}"
        lines.append(f":~ {', '.join(body)}. [{', '.join([cost, *terms])}]")
    return "\n".join(lines)


def random_state(source: random.Random) -> list[Function]:
    texts = [f"(f {x} {y})" for x in (1, 2, 3) for y in (1, 2, 3)] + [f"(g {x})" for x in (1, 2, 3)]
    return list(parse_terms(" ".join(t for t in texts if source.random() < 0.4)))


@pytest.mark.parametrize("seed", range(60))
def test_a_program_costs_what_clingo_says(seed: int) -> None:
    source = random.Random(seed)
    text = random_program(source)
    states = [random_state(source) for _ in range(4)]
    preferences = read_preferences(text)
    levels = sorted({weak.priority for weak in preferences.constraints}, reverse=True)
    for costs, fluents in zip(preferences.costs(SHEET, states).tolist(), states, strict=True):
        theirs = costs_by_clingo(text, fluents)
        again = costs_by_clingo(preferences.text, fluents)
        assert costs == [theirs.get(level, 0) for level in levels], text
        assert costs == [again.get(level, 0) for level in levels], preferences.text


def test_a_tuple_costs_once_however_many_instances_give_it() -> None:
    state = parse_terms("(g 1) (g 2)")
    one = read_preferences(":~ next(g(X)). [1@1]")
    each = read_preferences(":~ next(g(X)). [1@1, X]")
    twice = read_preferences(":~ next(g(X)). [1@1] :~ next(g(1)). [1@1]")
    found = [p.costs(SHEET, [state]).tolist() for p in (one, each, twice)]
    assert found == [[[1]], [[2]], [[1]]]


def test_a_term_needs_a_variable_of_the_body() -> None:
    with pytest.raises(
        InputError, match=r"mine\.lp:1: the terms of a weak constraint have a variab"
    ):
        read_preferences(":~ next(g(X)). [1@1, Y]", name="mine.lp")
