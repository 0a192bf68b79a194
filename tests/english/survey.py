"""Count how many games are described in full: python -m tests.english.survey [FILE or NAME ...].

Without names, the families of the library and the rule sheets by others, if they are there. Each
line has how a game is described, how many sentences that takes, and the CPU time.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from pathlib import Path

from kibitz.budget import Budget
from kibitz.engine import CompiledGame, Game, UngroundedGame
from kibitz.english import rule_book_of
from kibitz.errors import KibitzError
from kibitz.games import load_sheet
from kibitz.games.families import FAMILIES
from kibitz.gdl import read

FOREIGN = Path(__file__).resolve().parents[3] / "shared" / "games" / "rules"


def described(name: str) -> tuple[str, int]:
    """Return how a game is described, and in how many sentences."""
    path = Path(name)
    sheet = read(path.read_bytes(), name=path.stem) if path.is_file() else load_sheet(name)
    game: Game
    try:
        game = CompiledGame(sheet, budget=Budget(seconds=5))
    except KibitzError:
        game = UngroundedGame(sheet)
    book = rule_book_of(game)
    kind = "in patterns" if book.is_complete else "NOT"
    if book.has_letters:
        kind = "with letters for the end" if book.is_mixed else "with letters"
    return kind, len(book.text.splitlines())


def main(names: list[str]) -> None:
    """Describe each game, and count."""
    counts: Counter[tuple[str, str]] = Counter()
    for name in names or [*FAMILIES, *map(str, sorted(FOREIGN.glob("*.kif")))]:
        before = time.process_time()
        kind, sentences = described(name)
        taken = time.process_time() - before
        counts["by others" if Path(name).is_file() else "of the library", kind] += 1
        print(f"{Path(name).stem}: {kind}, {sentences} sentences, {taken:.1f} s", flush=True)
    for (where, kind), count in sorted(counts.items()):
        print(f"{where}: {count} {kind}")


if __name__ == "__main__":
    main(sys.argv[1:])
