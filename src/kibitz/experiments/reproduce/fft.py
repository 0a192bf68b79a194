"""Paper 000's Table II: how short the lists are that Kibitz finds, beside the paper's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import mean
from typing import Any

from kibitz.engine import CompiledGame
from kibitz.games import load_sheet
from kibitz.synth import Options, Reading, Synthesis, Vocabulary, prepare, synthesise


@dataclass(frozen=True, slots=True)
class FftRow:
    """A game and role, what the paper says of it, and how long Kibitz searches."""

    key: str
    game: str
    role: str
    reading: Reading = "any"
    literals: Vocabulary = "all"
    features: bool = False
    actions: bool = False
    lift: str | None = None
    paper_rules: int | None = None
    paper_literals: int | None = None
    paper_seconds: float | None = None
    seconds: float = 10.0
    remark: str = ""


ROWS = (
    FftRow("tictactoe-x", "tictactoe", "xplayer", paper_rules=5, paper_literals=6,
        paper_seconds=0.828, remark="the paper's list needs the reading first"),
    FftRow("tictactoe-x-first", "tictactoe", "xplayer", reading="first", paper_rules=5,
        paper_literals=6, paper_seconds=0.828),
    FftRow("tictactoe-o", "tictactoe", "oplayer"),
    FftRow("tictactoe-x-actions", "tictactoe", "xplayer", actions=True),
    FftRow("tictactoe-x-features", "tictactoe", "xplayer", features=True),
    FftRow("tictactoe-o-features", "tictactoe", "oplayer", features=True),
    FftRow("tictactoe-x-words", "tictactoe", "xplayer", features=True, literals="none"),
    FftRow("tictactoe-o-words", "tictactoe", "oplayer", features=True, literals="none"),
    FftRow("nim", "nim:1,2,4,5", "player1", reading="none", paper_rules=18, paper_literals=24,
        paper_seconds=0.1974, remark="its Table IV lists 19 rules"),
    FftRow("nim-positive", "nim:1,2,4,5", "player1", reading="none", literals="positive",
        paper_rules=18, paper_literals=24, paper_seconds=0.1974),
    FftRow("nim-actions", "nim:1,2,4,5", "player1", reading="none", actions=True),
    FftRow("nim-lifted", "nim:1,2,4,5", "player1", reading="none", lift="heap.1"),
    FftRow("nim-original", "nim:1,3,5,7", "player2", reading="none", paper_rules=71, seconds=60,
        remark="the paper does not name the side"),
    FftRow("nim-original-lifted", "nim:1,3,5,7", "player2", reading="none", lift="heap.1",
        seconds=60),
    FftRow("nim-digits", "nim:1,3,5,7,digits", "player2", reading="none", features=True,
        lift="heap.1"),
    FftRow("sim", "sim", "blue", paper_rules=32, paper_literals=166, paper_seconds=14651.58,
        seconds=60, remark="24 threads"),
    FftRow("threemensmorris", "threemensmorris", "xplayer"),
    FftRow("morris-features", "threemensmorris", "xplayer", features=True),
    FftRow("connect3", "connect:3,4x4", "xplayer", seconds=30),
    FftRow("connect3-features", "connect:3,4x4", "xplayer", features=True, seconds=30),
    FftRow("hex-features", "hex:3", "red", features=True),
    FftRow("kayles", "kayles", "player1"),
    FftRow("chomp", "chomp", "player1"),
    FftRow("hex", "hex:3", "red"),
    FftRow("domineering", "domineering", "vertical"),
)  # fmt: skip


@dataclass(frozen=True)
class ListFigures:
    """Lists that Kibitz found for a row, seed by seed."""

    row: FftRow
    found: tuple[Synthesis, ...]

    @property
    def best(self) -> Synthesis:
        """The shortest list."""
        return min(self.found, key=lambda f: (len(f.rules), f.literals))

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {
            "key": self.row.key,
            "game": self.row.game,
            "role": self.row.role,
            "symmetry": self.row.reading,
            "literals_used": self.row.literals,
            "features": self.row.features,
            "actions": self.row.actions,
            "lift": self.row.lift,
            "paper": {
                "rules": self.row.paper_rules,
                "literals": self.row.paper_literals,
                "seconds": self.row.paper_seconds,
            },
            "best": self.best.as_json(),
            "rules": [len(f.rules) for f in self.found],
            "literals": [f.literals for f in self.found],
            "seconds": [f.seconds for f in self.found],
            "mean_rules": mean(len(f.rules) for f in self.found),
            "mean_literals": mean(f.literals for f in self.found),
            "lower_bound": max(f.lower_bound for f in self.found),
        }

    def line(self) -> str:
        """Return it as a line for a person."""
        row, best = self.row, self.best
        paper = "-"
        if row.paper_rules is not None:
            time = f" {row.paper_seconds:,.1f} s" if row.paper_seconds else ""
            paper = f"{row.paper_rules} / {row.paper_literals or '?'}{time}"
        bound = max(f.lower_bound for f in self.found)
        known = "minimum" if bound >= len(best.rules) else f"at least {bound}"
        known = "minimum of both" if best.proved_fewest_literals else known
        return (
            f"{row.key:<21} paper {paper:<21} best {len(best.rules)} / {best.literals} ({known}), "
            f"mean {mean(len(f.rules) for f in self.found):.1f} / "
            f"{mean(f.literals for f in self.found):.1f}, "
            f"{mean(f.seconds for f in self.found):.1f} s"
        )


def measure_lists(
    row: FftRow, seeds: Sequence[int], *, seconds: float | None = None
) -> ListFigures:
    """Synthesise for a row with each of the seeds.

    >>> measure_lists(ROWS[-3], [0], seconds=1).best.verdict.perfect
    True
    """
    game = CompiledGame(load_sheet(row.game))
    ready = prepare(game, reading=row.reading)
    options = Options(
        reading=row.reading,
        literals=row.literals,
        features=row.features,
        actions=row.actions,
        lift=row.lift,
        seconds=row.seconds if seconds is None else seconds,
    )
    found = []
    for seed in seeds:
        one = synthesise(game, row.role, replace(options, seed=seed), prepared=ready)
        if one.was_interrupted:
            raise KeyboardInterrupt
        found.append(one)
    return ListFigures(row, tuple(found))
