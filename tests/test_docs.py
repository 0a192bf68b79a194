"""The documentation says what the program does."""

from __future__ import annotations

import ast
import doctest
import re
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest
from tests.cli.conftest import kibitz, the_command
from tests.test_layers import ROWS
from tools.type_commands import is_as_shown
from tools.write_docs import (
    blocks,
    command_names,
    diagnostic_page,
    english_page,
    find,
    site_pages,
)
from tools.write_games import FOLDER as GAMES, index_page, is_current, pages
from tools.write_pictures import FOLDER, pictures

from kibitz.cli import app
from kibitz.games import Entry, catalogue
from kibitz.gdl import KEYWORD_ARITY, parse

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "kibitz"
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *(p for p in DOCS.rglob("*.md") if "generated" not in p.parts)])
DIAGNOSTICS = sorted((DOCS / "diagnostics").glob("GDL*.md"))


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def codes_in_source() -> set[str]:
    """Give every string in the source that is a diagnostic's code."""
    return {
        node.value
        for path in SOURCE.rglob("*.py")
        if "GDL" in (text := path.read_text("utf-8"))
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and re.fullmatch(r"GDL\d{3}", node.value)
    }


def test_every_code_has_a_page_and_every_page_a_code() -> None:
    assert {path.stem for path in DIAGNOSTICS} == codes_in_source()


def test_the_table_of_diagnostics_lists_every_page_with_its_title() -> None:
    table = (DOCS / "diagnostics" / "index.md").read_text("utf-8")
    rows = re.findall(r"^\| \[(GDL\d+)\]\((\S+)\) \| (.*) \| (.*) \|$", table, re.MULTILINE)
    pages = [(path.stem, path.name, path.read_text("utf-8")) for path in DIAGNOSTICS]
    assert [(code, file) for code, file, _, _ in rows] == [(code, file) for code, file, _ in pages]
    for (code, _, severity, title), (_, _, page) in zip(rows, pages, strict=True):
        assert page.startswith(f"# {code}: {title}\n\n*{severity.capitalize()}.* ")


@pytest.mark.parametrize("path", DIAGNOSTICS, ids=lambda p: p.stem)
def test_the_example_of_a_diagnostic_triggers_it_and_the_mended_one_nothing(path: Path) -> None:
    page = path.read_text("utf-8")
    if path.stem == "GDL001":  # a page cannot contain bytes that are not text; see its Python
        assert len(blocks(page, "python")) == 2
        return
    example, mended = blocks(page, "kif")
    assert path.stem in {d.code for d in find(example, path.stem)[1]}
    assert find(mended, path.stem)[1] == ()
    assert diagnostic_page(page, path.stem) == page, "run tools/write_docs.py"


def test_the_reference_of_sentences_is_current() -> None:
    page = (DOCS / "english.md").read_text("utf-8")
    assert english_page(page) == page, "run tools/write_docs.py"


def test_the_site_has_every_export_command_and_option(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("typer.testing._get_command", "tools.write_docs.get_command"):
        monkeypatch.setattr(name, the_command)  # made once
    pages = {path.relative_to(DOCS / "generated"): text for path, text in site_pages().items()}
    for path, text in pages.items():
        if path.parent.name == "api" and path.stem != "index":
            module = import_module(f"kibitz.{path.stem}")
            for name in getattr(module, "__all__", ()):
                if not isinstance(getattr(module, name), ModuleType):
                    assert f"\n## {name}\n" in text, (path.stem, name)
    page = pages[Path("commands.md")]
    group = the_command(app)
    for name in command_names():
        section = page.partition(f"## {name}\n")[2].partition("\n## ")[0]
        command = getattr(group, "commands")[name]  # noqa: B009
        options = [o for p in command.params for o in p.opts if o.startswith("--")]
        assert [option for option in options if option not in section] == [], name


@pytest.mark.parametrize("entry", catalogue(), ids=lambda entry: entry.name)
def test_every_game_of_the_library_has_a_page_made_from_its_rules(entry: Entry) -> None:
    assert is_current(entry), f"run tools/write_games.py {entry.name}"


def test_the_list_of_games_has_every_page() -> None:
    assert (GAMES / "index.md").read_text("utf-8") == index_page()
    assert {path.stem for path in GAMES.glob("*.md")} == {*pages(), "index"}


def commands_in(page: str) -> list[tuple[str, list[str]]]:
    """Give every ./run line of a page with the output shown below it."""
    found = []
    for block in blocks(page, "console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, *output = part.splitlines()
            found.append((command, output))
    found += [(line, []) for line in re.findall(r"`(\./run [^`]+)`", page)]
    return [(c, output) for c, output in found if c.startswith("./run ") and "…" not in c]


README_COMMANDS = commands_in((ROOT / "README.md").read_text("utf-8"))


@pytest.mark.parametrize(
    ("command", "output"), README_COMMANDS, ids=[c for c, _ in README_COMMANDS]
)
def test_the_commands_of_the_readme_print_what_it_says(command: str, output: list[str]) -> None:
    words = command.split()[1:]
    done = kibitz(*words)
    assert done.returncode == 0
    assert done.stderr == "" or "checked again just now" in done.stderr  # the first time only
    if output:
        assert is_as_shown(done.stdout, "\n".join(output))


def test_the_readme_shows_its_two_commands() -> None:
    page = (ROOT / "README.md").read_text("utf-8")
    assert ("./run explain tictactoe", True) in [(c, bool(out)) for c, out in README_COMMANDS]
    assert "`./test`" in page


CODE = [
    (f"{name_of(path)}-{number}", block)
    for path in PAGES
    for number, block in enumerate(blocks(path.read_text("utf-8"), "python"), start=1)
]


@pytest.mark.parametrize("code", [block for _, block in CODE], ids=[name for name, _ in CODE])
def test_the_python_in_the_documentation_runs(
    code: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if code.startswith(">>>"):
        test = doctest.DocTestParser().get_doctest(code, {}, "block", None, None)
        assert doctest.DocTestRunner().run(test).failed == 0
        return
    exec(compile(code, "block", "exec"), {"__name__": "block"})
    promised = re.findall(r"print\(.*\)  # (.*)", code)
    if promised:
        assert capsys.readouterr().out.splitlines() == promised


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_links_lead_somewhere(path: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", path.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"`[^`]*`", "", text)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if not target.startswith(("http://", "https://", "mailto:", "#")):
            assert (path.parent / target.partition("#")[0]).exists(), target


def test_every_page_can_be_reached_from_the_readme() -> None:
    reached: set[Path] = set()
    waiting = [ROOT / "README.md"]
    while waiting:
        page = waiting.pop().resolve()
        if page in reached or page.suffix != ".md" or not page.exists():
            continue
        reached.add(page)
        links = re.findall(r"\]\(([^)\s#]+)", page.read_text("utf-8"))
        waiting += [page.parent / link for link in links if not link.startswith("http")]
    assert set(PAGES) <= reached


def test_the_two_notations_on_their_page_mean_the_same() -> None:
    page = (DOCS / "notations.md").read_text("utf-8")
    (kif,), (rules,) = blocks(page, "kif"), blocks(page, "prolog")
    assert parse(kif, form="kif") == parse(rules, form="rules")
    table = re.findall(r"^\| (?:fact|rule) \| `(.*)` \| `(.*)` \|$", page, re.MULTILINE)
    assert len(table) == 2
    for left, right in table:
        assert parse(left, form="kif") == parse(right, form="rules")


def is_there(package: str) -> bool:
    return (SOURCE / package / "__init__.py").exists() or (SOURCE / f"{package}.py").exists()


def test_the_architecture_names_only_what_is_there() -> None:
    assert [package for row in ROWS for package in row if not is_there(package)] == []


def test_files_named_in_the_architecture_exist() -> None:
    page = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    files = re.findall(r"`([\w/]+\.py)`", page)
    assert len(files) > 20
    for file in files:
        assert (SOURCE / file).exists() or (ROOT / file).exists(), file


def test_the_glossary_has_every_keyword() -> None:
    page = (DOCS / "glossary.md").read_text("utf-8")
    assert [word for word in KEYWORD_ARITY if f"`{word}`" not in page] == []


def test_the_pictures_of_concepts_are_as_the_program_draws_them() -> None:
    shown = {path.stem: path.read_text("utf-8") for path in FOLDER.glob("*.svg")}
    assert dict(pictures()) == shown, "run tools/write_pictures.py"
