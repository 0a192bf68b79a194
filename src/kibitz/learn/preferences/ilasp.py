"""Tasks in the format of ILASP, and ILASP itself where it is installed."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from kibitz.errors import BudgetExceededError, InputError, KibitzError
from kibitz.gdl import Names, RuleSheet
from kibitz.learn.minimax.static_program import static_program
from kibitz.learn.preferences.bias import Bias, Mode
from kibitz.learn.preferences.preference_search import OrderedExample
from kibitz.learn.preferences.preferences import Preferences, read_preferences
from kibitz.processes import start_program

__all__ = ["ilasp_task", "read_hypothesis", "run_ilasp"]


def ilasp_task(
    sheet: RuleSheet, examples: Sequence[OrderedExample], bias: Bias, *, with_noise: bool = False
) -> str:
    """Write a learning task: background, bias, and states after moves as ordered examples.

    With noise, an example may be broken, at the cost of its weight.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.gdl import parse_terms
    >>> from kibitz.learn.preferences.bias import read_bias
    >>> good, bad = (frozenset(parse_terms(t)) for t in ("(heap a 0)", "(heap a 1)"))
    >>> bias = read_bias("#modeo(1, next(heap(a,var(n)))).")
    >>> print(ilasp_task(load_sheet("nim:1,2"), [OrderedExample(good, bad)], bias).splitlines()[-1])
    #brave_ordering(o0, e0, e1).
    """
    names = Names.of_sheet(sheet)
    numbers: dict[frozenset[object], int] = {}
    lines = [
        f"% to be run by: ILASP {' '.join(_options(bias))} FILE",
        static_program(sheet, names),
        *_declarations(bias),
    ]
    orders = []
    for number, example in enumerate(examples):
        pair = []
        for state in (example.better, example.worse):
            if state not in numbers:
                numbers[state] = len(numbers)
                facts = " ".join(f"next({names.term(f)})." for f in sorted(state, key=str))
                lines.append(f"#pos(e{numbers[state]}, {{}}, {{}}, {{ {facts} }}).")
            pair.append(f"e{numbers[state]}")
        cost = f"@{example.weight}" if with_noise else ""
        orders.append(f"#brave_ordering(o{number}{cost}, {pair[0]}, {pair[1]}).")
    return "\n".join([*lines, *orders]) + "\n"


def _declarations(bias: Bias) -> Iterator[str]:
    """Write a bias as ILASP reads it: no negation, and lengths are options of the command."""
    for kind, values in bias.constants.items():
        yield from (f"#constant({kind},{value})." for value in values)
    yield from (f"#modeh({_declared(mode)})." for mode in bias.heads)
    for key, modes in (("modeb", bias.bodies), ("modeo", bias.orders)):
        for mode in modes:
            sign = "" if mode.is_comparison else ", (positive)"
            yield f"#{key}({mode.most}, {_declared(mode)}{sign})."
    yield from (f"#weight({weight})." for weight in bias.weights)
    yield f"#maxp({bias.priorities})."
    yield f"#maxv({bias.variables})."
    yield bias.background


def _declared(mode: Mode) -> str:
    return mode.fill(tuple(f"{place}({kind})" for place, kind in mode.places))


def _options(bias: Bias) -> list[str]:
    return ["--version=4", f"-ml={bias.length}", f"--max-rule-length={bias.length + 1}"]


def run_ilasp(task: str, bias: Bias, *, seconds: float = 600.0) -> str:
    """Let ILASP solve a task; return its output."""
    program = shutil.which("ILASP")
    if program is None:
        raise InputError(
            "ILASP is not on the PATH", hint="write the task with --ilasp FILE and run it"
        )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "task.las"
        path.write_text(task, "utf-8")
        command = [program, *_options(bias), str(path)]
        child = start_program(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            output, errors = child.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            raise BudgetExceededError(f"ILASP takes more than {seconds:.0f} s") from None
        finally:
            child.kill()
            child.communicate()
    if child.returncode:
        reason = (errors or output).decode(errors="replace").strip()
        raise KibitzError(f"ILASP failed: {reason[:200]}")
    return output.decode(errors="replace")


def read_hypothesis(printed: str, bias: Bias) -> Preferences | None:
    """Read what ILASP printed; None where it found no hypothesis.

    >>> from kibitz.learn.preferences.bias import read_bias
    >>> bias = read_bias("#modeo(1, odd(var(d))). odd(D) :- next(f(D)).")
    >>> print(read_hypothesis(":~ odd(V1).[1@1, 1, V1]\\n%% Total : 0.1s", bias).text)
    odd(D) :- next(f(D)).
    :~ odd(V0). [1@1, 1, V0]
    <BLANKLINE>
    >>> read_hypothesis("UNSATISFIABLE\\n%% Total : 0.1s", bias)
    """
    if "UNSATISFIABLE" in printed:
        return None
    return read_preferences(f"{bias.background}\n{printed}", name="what ILASP printed")
