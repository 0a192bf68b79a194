"""Programs of strangers: only rules and weak constraints get as far as clingo."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kibitz.engine.compiled.game import CompiledGame
from kibitz.errors import InputError
from kibitz.games import load_sheet
from kibitz.learn.advice import read_advice
from kibitz.learn.preferences.bias import read_bias
from kibitz.learn.preferences.preferences import read_preferences
from kibitz.learn.programs import check_fact, check_literal, read_program

WEAK = ":~ next(heap(b,2)). [1@1]"


@pytest.mark.parametrize(
    "form",
    [
        '#include "{file}".',
        '#incl:~ next(heap(b,2)). [1@1]ude "{file}".',
        '#incl%* *%ude "{file}".',
        '%* a %* b *% *% #include "{file}".',
        'a. % "\n#include "{file}".',
        '"%" . #include "{file}".',
        '"\\"%" . #include "{file}".',
        'a.#include"{file}".',
        '# include "{file}".',
    ],
)
def test_no_way_of_including_a_file_reads_it(form: str, tmp_path: Path) -> None:
    secret = tmp_path / "secret.lp"
    secret.write_text("best_do(player1,secret).", "utf-8")
    text = form.format(file=secret) + f"\nbest_do(player1,noop). {WEAK}"
    game = CompiledGame(load_sheet("nim:1,2"))
    with pytest.raises(InputError) as raised:
        read_advice(text, game, name="mine.lp")
    assert "secret" not in str(raised.value).replace(str(secret), "")
    with pytest.raises(InputError):
        read_preferences(text)
    with pytest.raises(InputError):
        read_bias(f"{text}\n#modeo(1, next(heap(b,var(n)))).")


@pytest.mark.parametrize(
    "statement",
    [
        "#script (python) import os #end.",
        "#script(lua) x #end.",
        "#external a.",
        "#program other.",
        "#program base(t).",
        "#const n = 3.",
        "#minimize { @f(X) : p(X) }.",
        "#theory t { }.",
        "#edge (a,b).",
        "#heuristic a. [1,true]",
        "#project a.",
        "#defined a/0.",
        "#show a : b.",
        "&sum { x } = 1.",
        "a :- &sum { x } = 1.",
        "a :- @f(1) = 2.",
        "a(@g()).",
        "{ a; b }.",
        "a; b.",
        ":- a.",
        "#true.",
        "not a.",
    ],
)
def test_a_statement_of_any_other_kind_is_refused(statement: str) -> None:
    with pytest.raises(InputError, match=r"^mine\.lp"):
        read_program(f"p(1). {statement} {WEAK}", name="mine.lp")
    with pytest.raises(InputError):
        read_bias(f"#modeo(1, next(heap(b,var(n)))).\n{statement}")


def test_rules_aggregates_and_comments_are_read() -> None:
    text = """
    %* of #include %* nested *% "too *%
    odd(D) :- D = (1;2;4), S = #count { A,N : next(h(A,N)), (N / D) \\ 2 = 1 }, S \\ 2 = 1. % 1.
    all :- next(f(X)) : g(X); not h(1..3), #true. -a. s("% no comment. #show").
    #show odd/1.
    :~ odd(D), next(f(_,D,_)), D != 2. [-2@3, D]
    """
    program = read_program(text, name="mine.lp")
    assert len(program.rules) == 4
    assert program.rules[3] == 's("% no comment. #show").'
    assert {"odd", "all", "s"} <= program.defined
    (weak,) = program.constraints
    assert weak.literals == ("odd(V0)", "next(f(V1,V0,V2))")
    assert weak.comparisons == ("V0 != 2",)
    assert (weak.weight, weak.priority) == (-2, 3)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a :- b(\n", "mine.lp:2:1-2: error: syntax error"),
        ("a.\nb(", "mine.lp:3:1-2: error: syntax error"),
        ("\n:~ not p. [1@1]", "mine.lp:2: a weak constraint here has neither negation"),
        (":~ p(X+1). [1@1]", "mine.lp:1: an atom of a weak constraint computes nothing"),
        (":~ p(X). [X@1]", "mine.lp:1: weight and priority are whole numbers here, not X"),
        ("p(" + "f(" * 60 + "1" + ")" * 61 + ".", "nested more than 50 deep"),
        ("p(" + "f(" * 10**6 + "1" + ")" * 10**6 + ").", "more than 10,000 characters"),
        ("p(" + "-" * 10**6 + "1).", "more than 10,000 characters"),
        ("p(" + '1+".".'[:-1] * 10**5 + "1).", "more than 10,000 characters"),
        ("%*" * 10**5, "mine.lp"),
        ('"\\' * 10**5, "mine.lp"),
        ("a.\0b.", "null character"),
        ("a(\ud800).", "mine.lp"),
    ],
)
def test_what_cannot_be_read_is_one_message(
    text: str, message: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(InputError) as raised:
        read_program(text, name="mine.lp")
    assert message in str(raised.value)
    assert len(str(raised.value)) < 400
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    "text",
    ["p. [1@1] :~ q", "p, q", "p. [1@1] %", "@f(1) = 1", "not p", "p(1..3)", "#true"],
)
def test_a_literal_of_a_bias_holds_nothing_more(text: str) -> None:
    with pytest.raises(InputError):
        check_literal(text, name="bias")
    with pytest.raises(InputError):
        read_bias(f"#modeo(1, {text}).")


@pytest.mark.parametrize("text", ["p :- q", "p. q", "p %", "p; q", "{p}", "@f", "p(@f)"])
def test_a_head_and_a_constant_of_a_bias_hold_nothing_more(text: str) -> None:
    with pytest.raises(InputError):
        check_fact(text, name="bias")
    with pytest.raises(InputError):
        read_bias(f"#modeo(1, next(a)). #modeh({text}).")


def test_a_constant_of_a_bias_is_one_term() -> None:
    with pytest.raises(InputError):
        read_bias("#modeo(1, next(f(const(c)))). #constant(c, 1).q(2).")
    with pytest.raises(InputError):
        read_bias("#modeo(1, next(f(const(c)))). #constant(c, @f).")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "\nbest_do(player1,M) :- lucky(M), true(heap(a,1)).",
            "mine.lp:2: nothing defines lucky",
        ),
        ("best_do(player1,reduce(a,0)) :- not tru(heap(a,1)).", "nothing defines tru/1"),
        ("best_do(player1,reduce(a,0)) :- next(heap(a,1)).", "nothing defines next/1"),
        ("best_do(player1,reduce(a,0)) :- 1 < #sum { N,H : heap(H,N) }.", "defines heap/2"),
        (":~ next(heap(H,N)), good(H). [1@1]", "nothing defines good/1"),
        (":~ next(heap(H,N)), smaller(N). [1@1]", "nothing defines smaller/1"),
        ("p(X) :- p(X). q(X) :- r(X,X). :~ next(heap(H,N)), p(H), q(H). [1@1]", "defines r/2"),
    ],
)
def test_a_relation_that_nothing_defines_is_an_error(text: str, found: str) -> None:
    with pytest.raises(InputError, match=re.escape(found)):
        read_advice(text, CompiledGame(load_sheet("nim:1,2")), name="mine.lp")


def test_relations_that_are_given_or_defined_are_no_errors() -> None:
    game = CompiledGame(load_sheet("nim:1,2"))
    for text in (
        "odd(H) :- true(heap(H,1)). best_do(player1,reduce(H,0)) :- odd(H), not even(H). even(x).",
        ":~ next(heap(H,N)), smaller(N,M), role(R). [1@1]",
        "-p(1). p(X) :- -p(X). :~ p(X), next(heap(X,1)). [1@1]",
    ):
        read_advice(text, game)
