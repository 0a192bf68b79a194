"""Compare Kibitz with plain code on random games for some minutes; see docs/soundness.md."""

from __future__ import annotations

import argparse
import sys
import time
from itertools import count
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.soundness.comparisons import COMPARISONS
from tests.soundness.fuzzing import Tally, fuzz


def main() -> int:
    """Run until the time is over, the games are done or Ctrl-C; exit with 1 for a difference."""
    parser = argparse.ArgumentParser(prog="tools/fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0, help="how long to go on")
    parser.add_argument("--games", type=int, help="how many games to make at most")
    parser.add_argument("--seed", type=int, help="the seed of the first game; each has the next")
    parser.add_argument("--only", action="append", choices=sorted(COMPARISONS), default=[])
    parser.add_argument("--sheet", type=Path, help="compare on this sheet, once with the seed")
    parser.add_argument("--found", type=Path, default=Path("fuzz-found"), metavar="FOLDER",
                        help="where differences are written (default: fuzz-found)")  # fmt: skip
    given = parser.parse_args()
    seed = given.seed if given.seed is not None else time.time_ns() // 1000 % 10**9
    games = 1 if given.sheet else given.games
    seeds = iter(range(seed, seed + games)) if games is not None else count(seed)
    print(f"seeds from {seed}", flush=True)
    tally = Tally()
    try:
        fuzz(
            seeds,
            only=given.only,
            text=given.sheet.read_text("utf-8") if given.sheet else None,
            folder=given.found,
            note=lambda line: print(line, flush=True),
            until=time.monotonic() + 60 * given.minutes,
            tally=tally,
        )
    except KeyboardInterrupt:
        print("interrupted")
    print("\n".join(tally.lines()))
    return 1 if sum(tally.differing.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
