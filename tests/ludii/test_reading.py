"""Any text in, a tree of ludemes or diagnostics out: no other exception, in bounded time."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from tests.cpu import cpu_seconds
from tests.effort import examples
from tests.ludii.traces import LUDII, index, keys, needs_ludii

from kibitz.errors import InputError, RuleSheetError
from kibitz.ludii import Library, expand, parse_ludemes
from kibitz.ludii.expansion import remember, remembered

SHEET = """
(define "Grid" (square #1 diagonals:#2)) // the board
(game "Own" (players 2)
    (equipment {(board ("Grid" <Size:n>)) (piece "Disc" Each)})
    (rules (play (move Add (to (sites Empty)))) (end (if (is Line <Size>) (result Mover Win))))
)
(option "Size" <Size> args:{<n>} {(item "3x3" <3> "small")* (item "4x4" <4> "large")})
(rulesets {(ruleset "Ruleset/Large" {"Size/4x4"})})
(metadata (info {(description "a text with \\"quotes\\" and (brackets")}))
"""
WORDS = (
    '( ) { } < > <= "a" "Grid" ("Grid" 1 2) (define "A" ("A")) (define "B" #1) ("B" #1) ~ #1 #2 '
    'if: 1 1..5 (game (option "Size" <Size> args:{<n>} {(item "x" <3> "")} ) <Size> <Size:n> // \n '
    "(rulesets (ruleset (metadata * ** ) is Line Mover"
)


def read(text: str | bytes) -> str:
    """Return the tree as text, or the codes of what is wrong."""
    try:
        return str(expand(text, name="own.lud")[1])
    except RuleSheetError as error:
        if not str(error).startswith("own.lud:"):
            raise AssertionError(str(error)) from error
        return " ".join(d.code for d in error.diagnostics)


def test_options_definitions_and_labels_without_values() -> None:
    tree = expand(SHEET)[1]
    assert "(board (square 3))" in str(tree)
    assert "(is Line 3)" in str(tree)
    assert [item.kind for item in tree.items[1:]] == ["players", "equipment", "rules"]


@pytest.mark.parametrize("chosen", ["Size/4x4", "Ruleset/Large"])
def test_an_option_or_a_ruleset_is_chosen_by_its_name(chosen: str) -> None:
    assert "(square 4)" in str(expand(SHEET, options=[chosen])[1])


def test_an_option_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(
        RuleSheetError, match=r'no option "Size/9x9"[^$]*options: Size/3x3, Size/4x4'
    ):
        expand(SHEET, options=["Size/9x9"])


def test_places_are_those_of_the_text() -> None:
    source, tree = expand(SHEET, name="own.lud")
    line = next(one for one in tree.walk() if one.kind == "is Line")
    assert source.position(line.place.start) == (5, 58)
    square = next(one for one in tree.walk() if one.name == "square")
    assert source.position(square.place.start) == (2, 16)


def test_what_the_library_brings_in_has_the_place_of_the_call(tmp_path: Path) -> None:
    (tmp_path / "def" / "boards").mkdir(parents=True)
    (tmp_path / "def" / "boards" / "Grid.def").write_text('(define "Far" (square #1))')
    library = Library.find(tmp_path)
    source, tree = expand('(game "x"\n  (board ("Far" 3)))', library=library)
    square = next(one for one in tree.walk() if one.name == "square")
    assert source.position(square.place.start) == (2, 10)
    assert str(square) == "(square 3)"


def test_a_folder_without_definitions_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no definitions of Ludii"):
        Library.find(tmp_path)


@pytest.mark.parametrize("layout", ["def", "res/def", "Common/res/def"])
def test_definitions_are_found_in_the_layouts_of_ludii_and_in_a_jar(
    layout: str, tmp_path: Path
) -> None:
    folder = tmp_path / "copy"
    (folder / layout / "board").mkdir(parents=True)
    (folder / layout / "board" / "Far.def").write_text('(define "Far" (square 3))')
    jar = tmp_path / "Ludii.jar"
    with zipfile.ZipFile(jar, "w") as archive:
        archive.write(folder / layout / "board" / "Far.def", "def/board/Far.def")
        archive.writestr("lud/Far.lud", '(define "Other" 1)')
        archive.writestr("main/Main.class", b"\xca\xfe")
    assert list(Library.find(folder).definitions) == ["Far"]
    assert Library.find(jar).definitions.keys() == {"Far"}


def test_a_file_that_is_no_jar_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "Ludii.jar"
    path.write_bytes(b"PK\x03\x04 and nothing more")
    with pytest.raises(InputError, match="holds no definitions of Ludii"):
        Library.find(path)


def test_a_copy_is_remembered_until_it_is_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    monkeypatch.delenv("KIBITZ_LUDII", raising=False)
    (tmp_path / "def").mkdir()
    (tmp_path / "def" / "Far.def").write_text('(define "Far" 1)')
    with pytest.raises(InputError, match="holds no definitions"):
        remember(str(tmp_path / "settings"))
    assert (remembered(), remember(str(tmp_path)), remembered()) == (None, 1, str(tmp_path))
    assert list(Library.find().definitions) == ["Far"]
    remember("")
    assert Library.find().definitions == {}


def test_the_environment_names_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "def").mkdir()
    (tmp_path / "def" / "Far.def").write_text('(define "Far" 1)')
    monkeypatch.setenv("KIBITZ_LUDII", str(tmp_path))
    assert list(Library.find().definitions) == ["Far"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('(game "x" {1 2)', "LUD002"),
        ("(game (a)", "LUD002"),
        (")", "LUD002"),
        ('(game "x)', "LUD001"),
        ("(" * 201 + ")" * 201, "LUD003"),
        ('(game "x" ())', "LUD004"),
        ('(game "x" ("Unknown" 1))', "LUD004"),
        ('(game "x" (board <Size>))', "LUD004"),
        ('(game "x" 1..5000)', "LUD004"),
        ("(match)", "LUD004"),
        ("", "LUD004"),
        ('(define "A" ("A" 1)) (game "x" ("A"))', "LUD004"),
        ('(define "A" ("A") ("A")) (game "x" ("A"))', "LUD004"),
        ('(define "A" (a ("A"))) (game "x" ("A"))', "LUD004"),
        ('(game <S>) (option "S" <S> args:{<s>} {(item "a" <<S> <S>> "")})', "LUD005"),
        (b"\xff", "GDL001"),
    ],
)
def test_what_cannot_be_read_is_named(text: str | bytes, code: str) -> None:
    assert read(text) == code


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    read(data)


@given(st.lists(st.sampled_from(WORDS.split(" ")), max_size=60))
@examples(300)
def test_any_sequence_of_words_is_read_or_refused(words: list[str]) -> None:
    read(" ".join(words))


@given(st.integers(0, len(SHEET)), st.integers(0, 8), st.text(max_size=3))
@examples(200)
def test_a_spoiled_sheet_is_read_or_refused(start: int, length: int, put: str) -> None:
    read(SHEET[:start] + put + SHEET[start + length :])


@pytest.mark.parametrize(
    "text",
    [
        "(a " * 300_000,
        "(game " + "x " * 200_000 + ")",
        "(game " + "word" * 250_000 + ")",
        '(game "' + "\\" * 1_000_000 + '")',
        '"' + "(" * 1_000_000,
        "(game " + "{}" * 100_000 + ")",
        '(define "A" ("B" #1 #1)) (define "B" ("A" (x #1) (x #1))) (game ("A" y))',
        "(game " + '("A" ' * 150 + "x" + ")" * 150 + ') (define "A" (b #1 #1))',
    ],
    ids=["open", "words", "one word", "backslashes", "quote", "lists", "growth", "doubling"],
)
def test_hostile_texts_take_time_in_proportion(text: str) -> None:
    before = cpu_seconds()
    read(text)
    assert cpu_seconds() - before < 30


@needs_ludii
def test_sheets_of_ludii_expand_to_what_ludii_expands_them_to() -> None:
    library = Library.find(LUDII)
    for key in keys():
        text = (LUDII / "lud" / f"{key}.lud").read_bytes()
        expected = (LUDII / "expanded" / f"{key}.lud").read_bytes()
        assert expand(text, name=key, options=index()[key]["options"], library=library)[
            1
        ] == parse_ludemes(expected, name=key)
