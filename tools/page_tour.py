"""Look at the page as a visitor: `python -m tools.page_tour FOLDER [GAME or FILE...]`.

For each game every view is opened and used as far as a visitor would at first: a step of the lesson
and its last one, a match, the values and a *why?*, a rule, a puzzle, the report. Each is a picture
`GAME-VIEW-SIZE.png` at 1200 and 360 pixels, light and dark. What a script of the page raised, and
how long each view took until it was at rest, is printed.
"""

from __future__ import annotations

import argparse
import contextlib
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from playwright.sync_api import Error, Page, sync_playwright
from tools.screenshots import ARGUMENTS, CHROMIUM, serving, until

GAMES = (
    "tictactoe", "connect:4,5x4", "connectfour", "nim:1,2,4,5", "sim", "breakthrough:4x4", "hex:3",
    "chomp:3x4", "threemensmorris", "hanoi:3", "roshambo",
)  # fmt: skip
SIZES = {
    "light": ((1200, 800), "light"),
    "dark": ((1200, 800), "dark"),
    "phone": ((360, 760), "light"),
    "night": ((360, 760), "dark"),
}
PATIENCE = 45  # seconds for each view

AT_REST = """!kibitz.isWatched && !kibitz.thinking && !kibitz.making
    && ![...document.querySelectorAll('.job button')].some((one) => one.offsetParent
        && one.textContent === 'Cancel')
    && !document.querySelector('.badge')?.textContent.includes('…')"""


def main() -> None:
    """Read the arguments, start a server, and go through all games."""
    reading = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    reading.add_argument("folder", type=Path)
    reading.add_argument("games", nargs="*", help="games of the library, or files with rules")
    reading.add_argument("--sizes", default=",".join(SIZES))
    reading.add_argument("--views", default=",".join(VIEWS))
    given = reading.parse_intermixed_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    with serving() as address, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        for game in given.games or GAMES:
            context = browser.new_context(viewport={"width": 1200, "height": 800})
            page = context.new_page()
            page.set_default_timeout(1000 * PATIENCE)
            page.on("pageerror", lambda error: print(f"  script error: {error}", flush=True))
            name = re.sub(r"\W+", "-", Path(game).name.split(".")[0])
            where = opened(page, address, game)
            for view, seconds in visit(page, address, where, given.views.split(",")):
                print(f"{name} {view}: {seconds:.1f} s", flush=True)
                for size in given.sizes.split(","):
                    (width, height), scheme = SIZES[size]
                    page.set_viewport_size({"width": width, "height": height})
                    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
                    page.wait_for_timeout(100)
                    page.screenshot(path=given.folder / f"{name}-{view}-{size}.png", full_page=True)
                page.set_viewport_size({"width": 1200, "height": 800})
            context.close()
        browser.close()


def opened(page: Page, address: str, game: str) -> str:
    """Give the name of a game for the address; that of a file is made from its rules."""
    if not Path(game).exists():
        return game
    text, name = Path(game).read_text("utf-8", errors="replace"), Path(game).name.split(".")[0]
    body = {"text": text, "name": name}
    found = page.request.post(f"{address}api/games", data=body, timeout=90_000).json()
    if "id" not in found:
        print(f"{game}: {found}", flush=True)
    return str(found.get("id", "nothing"))


def visit(page: Page, address: str, game: str, views: list[str]) -> Iterator[tuple[str, float]]:
    """Open the views one after another, and give each when it is at rest."""
    for view in views:
        begin = time.monotonic()
        name = view.split("-")[0]
        page.goto(f"{address}#view={name}&game={game}")
        until(page, f"globalThis.kibitz?.shown?.view === {name!r} && {AT_REST}", PATIENCE)
        with contextlib.suppress(Error):
            VIEWS[view](page)
        page.wait_for_timeout(300)
        until(page, AT_REST, PATIENCE)
        yield view, time.monotonic() - begin


def press(page: Page, *names: str) -> None:
    """Press buttons that are there, one after another."""
    for name in names:
        button = page.locator("#panel").get_by_role("button", name=name, exact=True).first
        if button.count() and button.is_enabled():
            button.click()
            page.wait_for_timeout(150)
            until(page, AT_REST, PATIENCE)


def moves(page: Page, count: int) -> None:
    """Go to a position after some moves, of which none ends play if possible."""
    for number in range(count):
        page.evaluate(
            """async (n) => { const { pos } = kibitz; if (pos.is_over) return;
               const all = pos.counts.reduce((a, b) => a * b, 1);
               await kibitz.goto([...kibitz.line, (7 * n + 3) % all]); }""",
            number,
        )
        until(page, AT_REST, PATIENCE)


def learn_rule(page: Page) -> None:
    """Show the first rule of a lesson."""
    press(page, "Make the lesson", "Begin with the first rule")


def learn_question(page: Page) -> None:
    """Show the first position that is to be solved."""
    learn_rule(page)
    press(page, "Now you")


def learn_match(page: Page) -> None:
    """Show the last step of a lesson."""
    press(page, "Make the lesson", "Match")


def play(page: Page) -> None:
    """Show a match after some moves."""
    moves(page, 3)


def see(page: Page) -> None:
    """Show values of a position, and why the last move is as it is."""
    moves(page, 2)
    until(page, "document.querySelector('ul.moves, #panel .quiet') !== null", PATIENCE)
    if page.locator("button.why").count():
        page.locator("button.why").last.click()
        until(page, "document.querySelector('#panel > section:nth-of-type(2):not([hidden])')", 10)


def strategy(page: Page) -> None:
    """Make a rule for a position."""
    press(page, "Rule for this position", "Find rules by matches")


def strategy_choose(page: Page) -> None:
    """Show the concepts that a rule can have."""
    press(page, "Choose concepts")


def puzzles(page: Page) -> None:
    """Find puzzles, and ask for a hint."""
    press(page, "Find puzzles", "Hint")


def report(page: Page) -> None:
    """Make the report."""
    press(page, "Make the report")


VIEWS: dict[str, Callable[[Page], None]] = {
    "learn": lambda page: None,
    "learn-rule": learn_rule,
    "learn-question": learn_question,
    "learn-match": learn_match,
    "play": play,
    "see": see,
    "strategy": strategy,
    "strategy-choose": strategy_choose,
    "puzzles": puzzles,
    "rules": lambda page: None,
    "report": report,
}

if __name__ == "__main__":
    main()
