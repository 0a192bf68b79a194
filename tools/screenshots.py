"""Make pictures of the page: `python tools/screenshots.py FOLDER [NAME...]`.

Without names all of `SHOTS` are made; `--docs` puts those of the README into docs/images as well.
Every view of many games is for `tools/page_tour.py`.
"""

from __future__ import annotations

import argparse
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import uvicorn
from playwright.sync_api import Browser, Page, sync_playwright

from kibitz.strategy import shipped_text
from kibitz.web import make_app

CHROMIUM = "/usr/bin/chromium"
ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
IMAGES = Path(__file__).resolve().parent.parent / "docs" / "images"
README = ("see", "strategy", "puzzles")


@dataclass(frozen=True)
class Shot:
    """A picture to be made."""

    name: str
    view: str
    game: str
    line: str = ""
    size: tuple[int, int] = (1120, 760)
    scheme: str = "light"

    @property
    def where(self) -> str:
        """The address behind the host's."""
        return f"#view={self.view}&game={self.game}" + (f"&line={self.line}" if self.line else "")


SHOTS = (
    Shot("play", "play", "connect:3,4x4", "3.2.3", (1120, 640)),
    Shot("see", "see", "tictactoe", "4"),
    Shot("strategy", "strategy", "tictactoe", "4.7", (1120, 900)),
    Shot("puzzles", "puzzles", "connect:3,4x4", "", (1120, 640)),
    Shot("rules", "rules", "nim:1,2,4,5", "", (1120, 700)),
    Shot("dark", "see", "nim:1,2,4,5", "3", scheme="dark"),
    Shot("sim", "see", "sim", "0"),
    Shot("breakthrough", "see", "breakthrough:4x4"),
    Shot("morris", "see", "threemensmorris", scheme="dark"),
    Shot("estimates", "see", "connectfour", "3"),
    Shot("mixed", "see", "roshambo"),
    Shot("phone", "see", "tictactoe", "0.6.3", (360, 780)),
    Shot("projector", "strategy", "tictactoe", "4.7", (1920, 1080)),
)


def main() -> None:
    """Read the arguments, start a server, and take all pictures."""
    reading = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    reading.add_argument("folder", type=Path)
    reading.add_argument("names", nargs="*", help="pictures")
    reading.add_argument("--docs", action="store_true", help="renew docs/images")
    given = reading.parse_intermixed_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    shots = [shot for shot in SHOTS if not given.names or shot.name in given.names]
    with serving() as address, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        for shot in shots:
            data = take(browser, address, shot)
            (given.folder / f"{shot.name}.png").write_bytes(data)
            if given.docs and shot.name in README:
                (IMAGES / f"{shot.name}.png").write_bytes(data)
            print(given.folder / f"{shot.name}.png", flush=True)
        browser.close()


@contextmanager
def serving() -> Iterator[str]:
    """Start a server, and give its address."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(make_app(), log_level="error"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    yield f"http://127.0.0.1:{listener.getsockname()[1]}/"
    server.should_exit = True
    thread.join(10)


def take(browser: Browser, address: str, shot: Shot) -> bytes:
    """Open the page, wait until it is at rest, and give its picture."""
    width, height = shot.size
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if shot.scheme == "dark" else "light",
    )
    page = context.new_page()
    page.goto(address + shot.where)
    until(page, "globalThis.kibitz?.solution || globalThis.kibitz?.solving?.error")
    if shot.view == "strategy" and shot.game == "tictactoe":
        text = shipped_text("tictactoe-five")
        page.evaluate("(text) => kibitz.setStrategy({ text, role: 'xplayer' })", text)
        page.keyboard.press("2")
        page.keyboard.press("4")
        until(page, "document.querySelector('ol.rules li.fires') !== null")
    elif shot.view == "strategy":
        page.get_by_role("button", name="Rule for this position").click()
        page.wait_for_timeout(1500)
    if shot.view == "puzzles":
        page.get_by_role("button", name="Find puzzles").click()
        until(page, "document.querySelector('ol.puzzles, #panel > section p') !== null", 20)
    if shot.name == "see":
        page.locator("button.why").last.click()
        until(page, "document.querySelector('#panel p strong') !== null", 15)
    if shot.view == "see":
        until(page, "document.querySelector('ul.moves') !== null", 15)
    page.wait_for_timeout(400)
    data = page.screenshot()
    context.close()
    return data


def until(page: Page, condition: str, seconds: float = 60) -> None:
    """Wait until something is true on the page."""
    deadline = time.monotonic() + seconds
    while not page.evaluate(condition) and time.monotonic() < deadline:
        page.wait_for_timeout(50)


if __name__ == "__main__":
    main()
