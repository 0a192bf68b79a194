"""Search the first position of a game and write what took longest as the book of the game.

Run it from the checkout with .venv/bin/python tools/write_book.py NAME [--time S] [--memory GB]
[--bytes N]. The value comes first, then that of every first move, as far as the time allows.
connectfour takes about six minutes on two free cores for its value, and 4 GB.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from kibitz.engine import CompiledGame
from kibitz.games import load_sheet
from kibitz.prove import Prover, Spending, known_moves, write_book

__all__ = ["main"]


def main(arguments: list[str]) -> None:
    """Make a book, and say what is in it."""
    parser = argparse.ArgumentParser(description="Write the book of a game.")
    parser.add_argument("name")
    parser.add_argument("--time", type=float, default=1800.0)
    parser.add_argument("--memory", type=float, default=4.0)
    parser.add_argument("--bytes", type=int, default=200_000)
    asked = parser.parse_args(arguments)
    game = CompiledGame(load_sheet(asked.name))
    spending = Spending(seconds=asked.time, memory=int(asked.memory * 1e9), report=print)
    prover = Prover(game, spending, use_book=False)
    proof = prover.prove(game.initial(), moves=True)
    book = write_book(game, prover.table, positions=prover.positions, most=asked.bytes)
    print(json.dumps(proof.as_json()))
    for one in known_moves(prover, game.initial()):
        print(game.write(one.move), dict(one.bounds))
    print(f"{len(book.rows):,} proofs")


if __name__ == "__main__":
    main(sys.argv[1:])
