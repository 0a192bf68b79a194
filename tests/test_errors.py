from __future__ import annotations

import ast
import inspect
import pickle
import re
from pathlib import Path

import pytest

from kibitz import errors
from kibitz.errors import (
    BudgetExceededError,
    Diagnostic,
    GameNameError,
    IllegalMoveError,
    InputError,
    KibitzError,
    NoChoiceError,
    Note,
    Place,
    RuleSheetError,
    Severity,
    Source,
    internal_error,
)

SOURCE = Source("a.kif", "(role me)\n\n\t(legal me\twait)\n(goal")


@pytest.mark.parametrize(
    ("offset", "position"), [(0, (1, 1)), (9, (1, 10)), (10, (2, 1)), (12, (3, 2)), (28, (4, 1))]
)
def test_positions_count_lines_and_columns_from_one(offset: int, position: tuple[int, int]) -> None:
    assert SOURCE.position(offset) == position


def test_lines_are_cut_out_without_their_ends() -> None:
    lines = ["(role me)", "", "\t(legal me\twait)", "(goal"]
    assert [SOURCE.line(n) for n in range(1, 5)] == lines
    assert Source("empty", "").line(1) == ""


def test_a_diagnostic_shows_message_line_carets_notes_and_hint() -> None:
    found = Diagnostic(
        "GDL099", Severity.WARNING, "odd", Place(12, 17), "mend it", (Note("see", Place(0, 5)),)
    )
    assert found.render(SOURCE).splitlines() == [
        "a.kif:3:2: GDL099: warning: odd",
        "   3 |  (legal me wait)",
        "     |  ^^^^^",
        "a.kif:1:1: note: see",
        "   1 | (role me)",
        "     | ^^^^^",
        "  hint: mend it",
    ]


def test_carets_stay_on_the_first_line_of_a_place() -> None:
    assert SOURCE.excerpt(Place(0, 30)).splitlines()[1] == "     | ^^^^^^^^^"


@pytest.mark.parametrize("place", [Place(33, 33), Place(33, 34), Place(10, 10)])
def test_a_place_without_text_gets_one_caret(place: Place) -> None:
    assert SOURCE.excerpt(place).count("^") == 1


def test_long_lines_are_cut_around_the_place() -> None:
    source = Source("long", "a" * 500 + "HERE" + "b" * 500)
    shown, carets = source.excerpt(Place(500, 504)).splitlines()
    assert len(shown) == len("   1 | ") + 100
    start = carets.index("^")
    assert shown[start : start + 4] == "HERE"
    assert carets[start:] == "^^^^"


def test_a_place_longer_than_the_excerpt_ends_with_it() -> None:
    source = Source("long", "a" * 500)
    shown, carets = source.excerpt(Place(10, 490)).splitlines()
    assert len(carets) == len(shown)


ERRORS = [
    KibitzError("a", hint="b"),
    RuleSheetError(SOURCE, [Diagnostic("GDL004", Severity.ERROR, "bad", Place(0, 5))]),
    GameNameError("no game"),
    IllegalMoveError("me", "(mark 1 1)", ["noop"]),
    InputError("no file", hint="look"),
    NoChoiceError("me has nothing to decide"),
    BudgetExceededError("too long", hint="allow more with --time", options=["--time"]),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda e: type(e).__name__)
def test_errors_cross_process_borders_whole(error: KibitzError) -> None:
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert str(copy) == str(error)
    assert copy.__dict__ == error.__dict__


def test_an_error_shows_its_hint_below_the_message() -> None:
    assert str(KibitzError("a", hint="b")) == "a\n  hint: b"
    assert str(KibitzError("a")) == "a"


def test_an_illegal_move_where_none_is_legal_says_so() -> None:
    assert str(IllegalMoveError("me", "a", [])).endswith("hint: legal moves: none")


def test_an_internal_error_says_what_to_report() -> None:
    error = internal_error(KeyError("x"))
    assert error.message == "internal error: KeyError: 'x'"
    assert "KIBITZ_DEBUG=1" in error.hint


def options_in(call: ast.Call) -> set[str]:
    """Give the options of the command line that the texts of a call speak of."""
    texts = [
        node.value
        for keyword in call.keywords
        if keyword.arg == "hint"
        for node in ast.walk(keyword.value)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    return set(re.findall(r"--[a-z-]+", " ".join(texts)))


def test_a_budget_error_whose_hint_speaks_of_options_carries_them() -> None:
    silent = []
    for path in sorted(Path(errors.__file__).parent.rglob("*.py")):
        text = path.read_text("utf-8")
        for node in ast.walk(ast.parse(text)) if "BudgetExceededError" in text else ():
            if not isinstance(node, ast.Call) or "BudgetExceededError" not in ast.dump(node.func):
                continue
            carried = {keyword.arg for keyword in node.keywords}
            if options_in(node) and "options" not in carried:
                silent.append(f"{path.name}:{node.lineno}")
    assert silent == []


def test_a_hint_that_speaks_of_options_is_seen() -> None:
    (call,) = [
        node
        for node in ast.walk(ast.parse('E("needs more", hint="allow " + "more with --time")'))
        if isinstance(node, ast.Call)
    ]
    assert options_in(call) == {"--time"}


TEXTS_OF_ERRORS = re.compile(
    r"""["'] (not )?in (\w+\.)*(message|hint)\b|\bin str\(\w*error|"""
    r"""\b(error|exc)\.(message|hint)\.(startswith|endswith)|re\.\w+\([^)]*error\.(message|hint)"""
)


def test_nobody_looks_into_the_text_of_an_error() -> None:
    seen = [
        f"{path.name}: {line.strip()}"
        for path in sorted(Path(errors.__file__).parent.rglob("*.py"))
        for line in path.read_text("utf-8").splitlines()
        if TEXTS_OF_ERRORS.search(line)
    ]
    assert seen == []


@pytest.mark.parametrize(
    "line",
    [
        'if "nothing to decide" not in error.message:',
        'hint = _BEYOND if "--" in error.hint else error.hint',
        'if "memory" in str(error):',
        'if error.message.startswith("no "):',
    ],
)
def test_a_look_into_the_text_of_an_error_would_be_seen(line: str) -> None:
    assert TEXTS_OF_ERRORS.search(line)


def test_the_tree_drawn_in_the_docstring_is_the_tree() -> None:
    drawn = set(re.findall(r"\w+Error\b", errors.__doc__ or ""))
    defined = {
        name
        for name, value in vars(errors).items()
        if inspect.isclass(value) and issubclass(value, KibitzError)
    }
    assert drawn == defined


def test_long_names_and_numbers_are_shortened_in_every_message() -> None:
    long = "9" * 100_000
    error = InputError(f"the goal {long} of {long}", hint=f"write it as {long}")
    assert len(str(error)) < 500
    assert str(error).startswith("the goal 999")
    found = Diagnostic.error("GDL004", long, Place(0, 5), long, [Note(long, Place(0, 5))])
    assert len(str(RuleSheetError(SOURCE, [found] * 3))) < 3_000
    move = IllegalMoveError("me", "a", [f"(go {i})" for i in range(100_000)])
    assert len(str(move)) < 6_000


def test_of_many_findings_the_first_ones_are_shown_and_the_others_counted() -> None:
    found = Diagnostic.error("GDL004", "bad", Place(0, 5))
    text = str(RuleSheetError(SOURCE, [found] * 8_000))
    assert text.count("GDL004") == 50
    assert text.endswith("and 7,950 more; kibitz check --json lists all")
