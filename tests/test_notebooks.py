"""The notebooks in examples/ run, cells show what they end in, and the board can be played on."""

from __future__ import annotations

import ast
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.effort import quick

import kibitz

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))


def run_cell(source: str, names: dict[str, Any]) -> Any:
    """Run a cell as Jupyter does; return what its last line is worth."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    if last is None:
        return None
    assert isinstance(last, ast.Expr)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names)


def shown(value: Any) -> str:
    for method in ("_repr_html_", "_repr_svg_", "_repr_mimebundle_"):
        if hasattr(value, method) and (text := getattr(value, method)()):
            return str(text)
    return repr(value)


@pytest.mark.parametrize(
    "name", quick([path.stem for path in NOTEBOOKS], ["play_in_a_notebook", "learn_with_batches"])
)
def test_a_notebook_runs_and_every_cell_shows_something(name: str) -> None:
    pytest.importorskip("anywidget")
    content = json.loads((ROOT / "examples" / f"{name}.ipynb").read_text("utf-8"))
    assert content["nbformat"] == 4
    names: dict[str, Any] = {}
    for cell in content["cells"]:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == []
            assert shown(run_cell("".join(cell["source"]), names))


def test_there_are_three_notebooks() -> None:
    assert len(NOTEBOOKS) >= 3


def test_a_game_an_explanation_and_a_verdict_show_themselves_with_everything_escaped() -> None:
    text = """(role r) (init (at 0)) (legal r go) (<= (next (at 1)) (does r go))
    (<= terminal (true (at 1))) (goal r 100)"""
    game = kibitz.load(text)
    assert "<svg" in game._repr_html_()
    assert "played by r" in game._repr_html_()
    page = kibitz.explain("nim:1,2", role="player1")._repr_html_()
    assert page.startswith("<iframe sandbox srcdoc=")
    assert page.count('"') == 6  # those of the frame's own attributes
    verdict = kibitz.verify("tictactoe", "true => (mark 2 2)", role="xplayer")
    html = verdict._repr_html_()
    assert "<td>strongly optimal</td><td>no</td>" in html
    assert f"{verdict.states_checked:,}" in html


def test_clicks_in_the_browser_make_moves_and_others_are_ignored() -> None:
    pytest.importorskip("anywidget")
    from kibitz.notebook import board

    widget = board("tictactoe", opponent="optimal")
    corner = next(move for move in widget.moves if move["text"] == "take the top left corner")
    assert corner["is_click"]
    assert f'data-cell="{corner["starts"][0]}"' in widget.svg
    before = widget.version
    widget._receive(widget, {"move": corner["number"]}, [])
    assert [len(joint) for joint in widget.match.line.moves] == [2, 2]
    assert widget.version > before
    for nonsense in ("move", {"move": 99}, {"move": "1"}, {}):
        widget._receive(widget, nonsense, [])
    assert [len(joint) for joint in widget.match.line.moves] == [2, 2]
    widget._receive(widget, {"undo": True}, [])
    assert not widget.match.line.moves
    widget.play("(mark 9 9)")  # off the board
    assert "is not legal" in widget.message
    for _ in range(9):
        if widget.match.legal:
            widget.play(widget.match.legal[-1])
    assert "wins" in widget.message or "draw" in widget.message
    widget._receive(widget, {"restart": True}, [])
    assert widget.message == "Your move, X."
    widget.play("corner")
    assert widget.message == "corner can mean several moves. Your move, X."


def test_a_move_from_cell_to_cell_names_both() -> None:
    pytest.importorskip("anywidget")
    from kibitz.notebook import board

    widget = board("breakthrough:4x3", opponent="random")
    assert all(len(move["starts"]) == 1 and move["end"] for move in widget.moves)


PAGE = """<div id=board></div><script type=module>
  const script = new Blob([await ask({})], { type: "text/javascript" });
  const { default: widget } = await import(URL.createObjectURL(script));
  let state = await ask({ state: true }), changed;
  widget.render({ el: document.getElementById("board"), model: {
    get: (name) => state[name],
    on: (event, then) => { if (event === "change:version") changed = then; },
    send: async (message) => { state = await ask({ state: true, message }); changed(); },
  } });
</script>"""


def test_a_match_is_played_in_a_browser_by_clicks_and_keys() -> None:
    pytest.importorskip("anywidget")
    sync_api = pytest.importorskip("playwright.sync_api")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("there is no Chromium on this system")
    from kibitz.notebook import board

    widget = board("breakthrough:4x3", opponent="random")

    def ask(asked: dict[str, Any]) -> Any:
        """Give the script, or the state after a message, as Jupyter would."""
        if "message" in asked:
            widget._receive(widget, asked["message"], [])
        names = ("svg", "moves", "message", "version")
        return {name: getattr(widget, name) for name in names} if "state" in asked else widget._esm

    with sync_api.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page()
        page.expose_function("ask", ask)
        page.set_content(PAGE)
        sync_api.expect(page.locator("p")).to_have_text(widget.message)
        move = widget.moves[0]
        page.locator(f"[data-cell='{move['starts'][0]}']").click()
        page.locator(f"[data-cell='{move['end']}']").focus()
        page.keyboard.press("Enter")
        page.wait_for_function("() => document.activeElement === document.body")
        assert widget.match.line.moves[1:]  # a move, and the answer
        page.get_by_role("button", name="Take back").click()
        sync_api.expect(page.locator("[role=button]")).to_have_count(3)
        assert widget.match.line.moves == ()
        browser.close()
