"""Measure the page: `python -m tools.page_times [GAME...]`, when the machine is free.

For each game that is listed: the first paint in Chromium, and how long the server takes to answer
what the page asks most: a position with values, a reply, the game in words. Times are milliseconds,
the median and the longest of `ROUNDS`, after the game is solved.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
import urllib.request
from collections.abc import Callable

from playwright.sync_api import sync_playwright
from tools.screenshots import ARGUMENTS, CHROMIUM, serving

ROUNDS = 15
GAMES = (
    "tictactoe",
    "nim:1,3,5,7",
    "connect:3,4x4",
    "sim",
    "breakthrough:4x4",
    "chomp:4x5",
    "hex:3",
)


def ask(address: str, path: str, body: dict[str, object] | None = None) -> dict[str, object]:
    """Ask the server, and read its answer."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(address + path, data, {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=600) as response:
        found: dict[str, object] = json.load(response)
    return found


def times(work: Callable[[], object]) -> tuple[float, float]:
    """Return the median and the longest time of some work."""
    found = []
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        work()
        found.append(1000 * (time.perf_counter() - begin))
    return statistics.median(found), max(found)


def wait_solved(address: str, game: str) -> None:
    """Wait until a game is solved, or cannot be."""
    while True:
        job = ask(address, f"/api/games/{game}")["solving"]
        if isinstance(job, dict) and job["status"] in ("done", "failed", "cancelled"):
            return
        time.sleep(0.1)


def main() -> None:
    """Measure, and print a table."""
    games = sys.argv[1:] or GAMES
    with serving() as where, sync_playwright() as play:
        address = where.rstrip("/")
        browser = play.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        print(f"{'game':18} {'paint':>12} {'position':>12} {'reply':>12} {'words':>12}")
        for game in games:
            wait_solved(address, game)
            role = ask(address, f"/api/games/{game}")["roles"][0]  # type: ignore[index]
            wish = {"role": role, "opponent": "perfect"}
            paints = []
            for _ in range(3):
                page = browser.new_page()
                page.goto(f"{address}/#game={game}")
                page.wait_for_selector("#board svg")
                paints.append(
                    page.evaluate(
                        "performance.getEntriesByName('first-contentful-paint')[0].startTime"
                    )
                )
                page.close()
            rows = [
                (statistics.median(paints), max(paints)),
                times(lambda: ask(address, f"/api/games/{game}/position?values=true")),  # noqa: B023
                times(lambda: ask(address, f"/api/games/{game}/reply", wish)),  # noqa: B023
                times(lambda: ask(address, f"/api/games/{game}/about")),  # noqa: B023
            ]
            print(f"{game:18} " + " ".join(f"{mid:5.0f} / {most:4.0f}" for mid, most in rows))
        browser.close()


if __name__ == "__main__":
    main()
