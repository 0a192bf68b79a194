"""Make pictures of every view of the page: `python tools/screenshots.py FOLDER`.

Those named in `README` go to docs/images/ as well if `--docs` is given.
"""

from __future__ import annotations

import socket
import sys
import threading
import time
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

SHOTS: tuple[tuple[str, str, tuple[int, int], str], ...] = (
    ("play", "#view=play&game=connect:3,4x4&line=3.2.3", (1120, 640), "light"),
    ("see", "#view=see&game=tictactoe&line=4", (1120, 760), "light"),
    ("strategy", "#view=strategy&game=tictactoe&line=4.7", (1120, 900), "light"),
    ("puzzles", "#view=puzzles&game=connect:3,4x4", (1120, 640), "light"),
    ("rules", "#view=rules&game=nim:1,2,4,5", (1120, 700), "light"),
    ("dark", "#view=see&game=nim:1,2,4,5&line=3", (1120, 760), "dark"),
    ("sim", "#view=see&game=sim&line=0", (1120, 760), "light"),
    ("breakthrough", "#view=see&game=breakthrough:4x4", (1120, 760), "light"),
    ("morris", "#view=see&game=threemensmorris", (1120, 760), "dark"),
    ("phone", "#view=see&game=tictactoe&line=0.6.3", (360, 780), "light"),
    ("projector", "#view=strategy&game=tictactoe&line=4.7", (1920, 1080), "light"),
)


def main() -> None:
    """Start a server, and take all pictures."""
    given = [word for word in sys.argv[1:] if not word.startswith("--")]
    folder = Path(given[0] if given else "screenshots")
    wanted = set(given[1:])
    folder.mkdir(parents=True, exist_ok=True)
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(make_app(), log_level="error"))
    threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True).start()
    while not server.started:
        time.sleep(0.02)
    address = f"http://127.0.0.1:{listener.getsockname()[1]}/"
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        for name, where, size, scheme in SHOTS:
            if not wanted or name in wanted:
                data = take(browser, address + where, name, size, scheme)
                (folder / f"{name}.png").write_bytes(data)
                if "--docs" in sys.argv and name in README:
                    IMAGES.mkdir(exist_ok=True)
                    (IMAGES / f"{name}.png").write_bytes(data)
                print(folder / f"{name}.png")
        browser.close()
    server.should_exit = True


def take(browser: Browser, address: str, name: str, size: tuple[int, int], scheme: str) -> bytes:
    """Open the page, wait until it is at rest, and give its picture."""
    width, height = size
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if scheme == "dark" else "light",
    )
    page = context.new_page()
    page.goto(address)
    until(page, "globalThis.kibitz?.solution || globalThis.kibitz?.solving?.error")
    if name in ("strategy", "projector"):
        text = shipped_text("tictactoe-five")
        page.evaluate("(text) => kibitz.setStrategy({ text, role: 'xplayer' })", text)
        page.keyboard.press("1")
        page.keyboard.press("3")
        until(page, "document.querySelector('ol.rules li.fires') !== null")
    if name == "puzzles":
        page.get_by_role("button", name="Find puzzles").click()
        until(page, "document.querySelector('ol.puzzles') !== null")
    if name == "see":
        page.locator("button.why").last.click()
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
