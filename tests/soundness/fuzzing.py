"""Seeds in; out what every comparison finds on the random games they give, counted and shrunk."""

from __future__ import annotations

import re
import signal
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from types import FrameType

from tests.soundness.comparisons import COMPARISONS, Case
from tests.soundness.generator import random_game, rules_of
from tests.soundness.plain import Refused

from kibitz.errors import KibitzError

__all__ = ["Found", "Tally", "examine", "fuzz", "shrink"]

SLOW_S = 300
"""Seconds after which one comparison of a small game counts as a fault."""


@dataclass(frozen=True)
class Found:
    """What one comparison said of one game: nothing, a refusal, or how two sides differ."""

    comparison: str
    refusal: str = ""
    difference: str = ""


@dataclass
class Tally:
    """How often each comparison was made, refused and found a difference."""

    games: int = 0
    made: Counter[str] = field(default_factory=Counter)
    refused: dict[str, Counter[str]] = field(default_factory=dict)
    differing: Counter[str] = field(default_factory=Counter)
    seconds: Counter[str] = field(default_factory=Counter)

    def add(self, found: Found, seconds: float) -> None:
        """Count one comparison."""
        name = found.comparison
        self.seconds[name] += seconds  # type: ignore[assignment]
        if found.refusal:
            self.refused.setdefault(name, Counter())[found.refusal] += 1
        else:
            self.made[name] += 1
            self.differing[name] += bool(found.difference)

    def lines(self) -> Iterator[str]:
        """Describe the counts, with the reasons why comparisons were refused."""
        yield f"{self.games:,} games, {sum(self.made.values()):,} comparisons made, " \
              f"{sum(self.differing.values()):,} differences"  # fmt: skip
        yield f"{'comparison':16} {'made':>7} {'refused':>8} {'made':>5} {'differ':>7} {'s':>7}"
        for name in COMPARISONS:
            no = sum(self.refused.get(name, Counter()).values())
            made = self.made[name]
            if not made + no:
                continue
            share = f"{made / (made + no):.0%}"
            yield f"{name:16} {made:7,} {no:8,} {share:>5} {self.differing[name]:7,} " \
                  f"{self.seconds[name]:7.1f}"  # fmt: skip
        for name, reasons in self.refused.items():
            for reason, count in reasons.most_common(4):
                yield f"  {name} refused {count:,} times: {reason}"


@contextmanager
def within(seconds: int) -> Iterator[None]:
    """Raise TimeoutError if what is done here takes longer."""

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise TimeoutError(f"takes longer than {seconds} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def examine(case: Case, name: str, seed: object) -> Found:
    """Make one comparison; any error but a KibitzError that refuses the game is a difference."""
    try:
        with within(SLOW_S):
            COMPARISONS[name](case, Random(f"{seed} {name}"))
    except Refused as refused:
        return Found(name, refusal=str(refused))
    except KibitzError as error:
        # Names, numbers and quoted texts make no other kind of refusal.
        message = re.sub(r"\d[\d,.]*|\([^)]*\)+", "…", error.message.splitlines()[0])
        roles = "|".join(map(re.escape, case.reference.roles))
        return Found(name, refusal=re.sub(rf"^({roles})\b", "ROLE", message)[:100])
    except Exception as error:
        from tests.soundness.comparisons import Difference

        if isinstance(error, Difference):
            return Found(name, difference=str(error))
        return Found(name, difference="internal error:\n" + traceback.format_exc())
    return Found(name)


def shrink(text: str, name: str, seed: object, *, seconds: float = 30.0) -> str:
    """Drop rules and literals as long as a difference stays."""
    deadline = time.monotonic() + seconds
    rules = rules_of(text)

    def differs(some: Sequence[str]) -> bool:
        case = Case("\n".join(some) + "\n")
        try:
            case.reference.initial()
        except Exception:
            return False
        return bool(examine(case, name, seed).difference)

    again = True
    while again and time.monotonic() < deadline:
        again = False
        for i in range(len(rules) - 1, -1, -1):
            for fewer in smaller(rules, i):
                if time.monotonic() > deadline:
                    break
                if differs(fewer):
                    rules, again = fewer, True
                    break
    return "\n".join(rules) + "\n"


def smaller(rules: list[str], i: int) -> Iterator[list[str]]:
    """Give the rules without one of them, then with one literal less in it."""
    yield rules[:i] + rules[i + 1 :]
    if rules[i].startswith("(<= "):
        inner = rules[i][len("(<= ") : -1]
        head, *body = rules_of(inner if inner.startswith("(") else f"({inner.split()[0]}) " + inner)
        if not inner.startswith("("):
            return
        for k in range(len(body)):
            rest = body[:k] + body[k + 1 :]
            yield [*rules[:i], f"(<= {head} {' '.join(rest)})" if rest else head, *rules[i + 1 :]]


def fuzz(
    seeds: Iterator[int],
    *,
    only: Sequence[str] = (),
    text: str | None = None,
    folder: Path,
    note: Callable[[str], None],
    until: float = float("inf"),
    tally: Tally | None = None,
) -> Tally:
    """Compare on the games of the seeds, or on one text with each seed, until a time has come.

    Each difference is shrunk and written to a file of the folder, with how to see it again.
    """
    tally = tally or Tally()
    told = time.monotonic()
    for seed in seeds:
        sheet = text or random_game(Random(seed))
        case = Case(sheet)
        tally.games += 1
        for name in only or COMPARISONS:
            if time.monotonic() > until:
                return tally
            start = time.process_time()
            found = examine(case, name, seed)
            tally.add(found, time.process_time() - start)
            if found.difference:
                path = write_down(sheet, found, seed, folder)
                note(f"seed {seed}, {name}: a difference, see {path}")
        if time.monotonic() > told + 20:
            told = time.monotonic()
            made, differ = sum(tally.made.values()), sum(tally.differing.values())
            note(f"{tally.games:,} games, {made:,} comparisons, {differ:,} differences")
    return tally


def write_down(sheet: str, found: Found, seed: int, folder: Path) -> Path:
    """Write a game, its smaller version and the difference in it to a file."""
    least = shrink(sheet, found.comparison, seed)
    again = examine(Case(least), found.comparison, seed)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{found.comparison}-{seed}.kif"
    command = f"tools/fuzz --only {found.comparison} --seed {seed}"
    lines = (again.difference or found.difference).splitlines()
    comment = [
        f"{command} --games 1, or on the smaller rules below:",
        f"{command} --sheet {path}",
        *lines,
    ]
    path.write_text("".join(f"; {line}\n" for line in comment) + "\n" + least, "utf-8")
    (folder / f"{path.stem}-whole.kif").write_text(sheet, "utf-8")
    return path
