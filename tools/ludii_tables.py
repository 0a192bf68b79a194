"""Write the tables of docs/ludii.md: which sheets of a folder are read, agree, solved, explained.

    python tools/ludii_tables.py FOLDER --keep results.json --write

The folder has `lud`, `def`, `traces` and `index.json`. Each sheet is read, compared with its
traces, and solved if its board is small, by a process of its own that has so many CPU-seconds. What
is found is kept by the text of the rules in GDL, so that a second run does what is new only.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import multiprocessing
import resource
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

from kibitz.conformance import conform
from kibitz.engine import CompiledGame, UngroundedGame
from kibitz.errors import KibitzError
from kibitz.gdl import to_kif
from kibitz.ludii import Library, read_ludii
from kibitz.present import Study, StudyOptions
from kibitz.solve import solve_any
from kibitz.space import Limits, explore

PAGE = Path(__file__).resolve().parents[1] / "docs" / "ludii.md"
START, END = "<!-- tables of tools/ludii_tables.py -->", "<!-- end of the tables -->"
MOST_SITES = 25
KINDS = {
    "space/line": "lines",
    "space/blocking": "blocking",
    "space/connection": "connection",
    "space/territory": "territory",
    "space": "groups and patterns",
    "hunt": "hunts",
    "race": "races",
    "sow": "sowing",
    "war/leaping": "capture by jumping",
    "war/custodial": "capture between two",
    "war/replacement/checkmate": "chess and its kin",
    "war": "other captures",
    "puzzle": "puzzles for one",
}


def main() -> None:
    """Look at the sheets of a folder, and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--keep", type=Path, default=Path("ludii.json"))
    parser.add_argument("--cpu", type=int, default=60, help="CPU-seconds to compare a sheet")
    parser.add_argument("--solve-cpu", type=int, default=5, help="CPU-seconds to solve a sheet")
    parser.add_argument("--explain-cpu", type=int, default=20, help="CPU-seconds to explain it")
    parser.add_argument("--seconds", type=float, default=1e9, help="start nothing after so long")
    parser.add_argument("--write", action="store_true", help="write the tables into the docs")
    given = parser.parse_args()
    games = sorted(json.loads((given.folder / "index.json").read_text("utf-8")), key=_sites)
    kept: dict[str, Any] = json.loads(given.keep.read_text("utf-8")) if given.keep.exists() else {}
    library = Library.find(given.folder)
    until = time.monotonic() + given.seconds
    results = {}
    for game in games:
        results[game["key"]] = _looked_at(game, given, library, kept, time.monotonic() < until)
        given.keep.write_text(json.dumps(kept), "utf-8")
    text = _tables(games, results, given.solve_cpu)
    if given.write:
        page = PAGE.read_text("utf-8")
        before, _, rest = page.partition(START)
        PAGE.write_text(f"{before}{START}\n{text}{END}{rest.partition(END)[2]}", "utf-8")
    else:
        sys.stdout.write(text)


def _sites(game: dict[str, Any]) -> tuple[int, str]:
    return game["sites"], game["key"]


def _looked_at(
    game: dict[str, Any], given: Any, library: Library, kept: dict[str, Any], go_on: bool
) -> dict[str, Any]:
    """Return what is known of a sheet, and find out what is not."""
    data = (given.folder / "lud" / f"{game['key']}.lud").read_bytes()
    try:
        sheet = read_ludii(data, name=game["key"], options=game["options"], library=library)
    except KibitzError:
        return {"read": False}
    key = hashlib.sha256(to_kif(sheet).encode()).hexdigest()[:24]
    found: dict[str, Any] = kept.setdefault(key, {"read": True})
    if "agrees" not in found and go_on:
        traces = json.loads(
            gzip.decompress((given.folder / "traces" / f"{game['key']}.json.gz").read_bytes())
        )
        found["agrees"] = _apart(lambda: conform(UngroundedGame(sheet), traces).agree, given.cpu)
    if "solved" not in found and game["sites"] <= MOST_SITES and go_on:

        def solved() -> dict[str, Any] | None:
            space = explore(CompiledGame(sheet), limits=Limits(states=1_000_000))
            if space.stopped:
                return None
            return {"states": len(space), "value": dict(solve_any(space).values())}

        found["solved"] = _apart(solved, given.solve_cpu)
    if found.get("solved") and "rules" not in found and go_on:

        def explained() -> dict[str, int]:
            study = Study(sheet, StudyOptions(1.0))
            study.run()
            return {part.role: len(part.rules) for part in study.known.parts}

        found["rules"] = _apart(explained, given.explain_cpu)
    return found


def _apart(work: Any, cpu_seconds: int) -> Any:
    """Do some work in a process that ends after so many CPU-seconds; return None if it fails."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)

    def run() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds + 1))
        try:
            theirs.send(work())
        except Exception:
            theirs.send(None)

    process = context.Process(target=run)
    process.start()
    theirs.close()
    try:
        return ours.recv()
    except EOFError:
        return None
    finally:
        process.join()


def _kind(category: str) -> str:
    path = category.removeprefix("board/")
    fitting = [start for start in KINDS if path.startswith(start)]
    return KINDS[max(fitting, key=len)] if fitting else "others"


def _tables(games: list[dict[str, Any]], results: dict[str, Any], solve_cpu: int) -> str:
    by_kind: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for game in games:
        by_kind[_kind(game["category"])].append({**game, **results[game["key"]]})
    lines = [
        f"| kind | sheets | read | agree | at most {MOST_SITES} sites | solved | explained |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    groups = sorted(by_kind.items(), key=lambda pair: -len(pair[1]))
    every = [one for _, group in groups for one in group]
    for kind, group in [*groups, ("all", every)]:
        counts = [
            len(group),
            sum(one["read"] for one in group),
            sum(bool(one.get("agrees")) for one in group),
            sum(one["sites"] <= MOST_SITES for one in group),
            sum(bool(one.get("solved")) for one in group),
            sum(any((one.get("rules") or {}).values()) for one in group),
        ]
        lines.append(f"| {kind} | {' | '.join(map(str, counts))} |")
    lines += [
        "",
        "Of those that agree, these were solved by listing all positions, in at most"
        f" {solve_cpu} CPU-seconds each. The rules of `kibitz explain`, proved to play perfectly,"
        " are counted for each player who has any, where a short search found them:",
        "",
        "| game | sites | positions | with best play | rules |",
        "|---|---:|---:|---|---|",
    ]
    for one in sorted(every, key=_sites):
        if one.get("solved") and one.get("agrees"):
            states, value = one["solved"]["states"], one["solved"]["value"]
            rules = ", ".join(f"{who}: {n}" for who, n in (one.get("rules") or {}).items() if n)
            lines.append(
                f"| {one['name']} | {one['sites']} | {states:,} | {_worth(value)} | {rules} |"
            )
    return "\n".join([*lines, ""])


def _worth(value: dict[str, int]) -> str:
    if len(value) == 1:
        return {0: "cannot be solved", 100: "can be solved"}.get(next(iter(value.values())), "")
    if len(set(value.values())) == 1:
        return "a draw"
    best = max(value, key=lambda role: value[role])
    return {"p1": "the first player wins", "p2": "the second player wins"}.get(best, f"{best} wins")


if __name__ == "__main__":
    main()
