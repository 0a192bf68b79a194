"""Tasks in the format of ILASP, and ILASP itself where it is installed."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from kibitz.errors import BudgetExceededError, InputError, KibitzError
from kibitz.gdl import RuleSheet
from kibitz.gdl.clingo import Names
from kibitz.learn.bias import Bias
from kibitz.learn.ordering import Example
from kibitz.learn.static import static_program

__all__ = ["ilasp_task", "run_ilasp"]


def ilasp_task(sheet: RuleSheet, examples: Sequence[Example], bias: Bias) -> str:
    """Write a learning task: background, bias, and states after moves as ordered examples.

    >>> from kibitz.games import load
    >>> from kibitz.gdl import parse_terms
    >>> from kibitz.learn.bias import read_bias
    >>> good, bad = (frozenset(parse_terms(t)) for t in ("(heap a 0)", "(heap a 1)"))
    >>> bias = read_bias("#modeo(1, next(heap(a,var(n)))).")
    >>> print(ilasp_task(load("nim:1,2"), [Example(good, bad)], bias).splitlines()[-1])
    #brave_ordering(o0, e0, e1).
    """
    names = Names.of_sheet(sheet)
    numbers: dict[frozenset[object], int] = {}
    lines = [static_program(sheet, names), bias.text.strip()]
    orders = []
    for number, example in enumerate(examples):
        pair = []
        for state in (example.better, example.worse):
            if state not in numbers:
                numbers[state] = len(numbers)
                facts = " ".join(f"next({names.term(f)})." for f in sorted(state, key=str))
                lines.append(f"#pos(e{numbers[state]}, {{}}, {{}}, {{ {facts} }}).")
            pair.append(f"e{numbers[state]}")
        orders.append(f"#brave_ordering(o{number}, {pair[0]}, {pair[1]}).")
    return "\n".join([*lines, *orders]) + "\n"


def run_ilasp(task: str, *, seconds: float = 600.0) -> str:
    """Let ILASP solve a task; give what it prints."""
    program = shutil.which("ILASP")
    if program is None:
        raise InputError(
            "there is no ILASP on the PATH", hint="write the task with --ilasp FILE and run it"
        )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "task.las"
        path.write_text(task, "utf-8")
        try:
            done = subprocess.run(
                [program, "--version=4", str(path)],
                capture_output=True,
                text=True,
                timeout=seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise BudgetExceededError(f"ILASP takes more than {seconds:.0f} s") from None
    if done.returncode:
        raise KibitzError(f"ILASP failed: {done.stderr.strip()[:200]}")
    return done.stdout
