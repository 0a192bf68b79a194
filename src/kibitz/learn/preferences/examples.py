"""Collect ordered examples, and write tasks for ILASP."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from kibitz.engine import Move, Role, State
from kibitz.errors import BudgetExceededError, InputError, KibitzError
from kibitz.gdl import Function, Names, RuleSheet
from kibitz.learn.minimax.clingo_queries import static_program
from kibitz.learn.minimax.pruned_minimax import Pruned
from kibitz.learn.preferences.bias import Bias, Mode
from kibitz.learn.preferences.preference_search import OrderedExample
from kibitz.learn.preferences.preferences import Preferences, read_preferences
from kibitz.processes import start_program
from kibitz.solve import Solution
from kibitz.space import StateId


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


def examples_from_solution(
    solution: Solution, *, states: Iterable[StateId] | None = None
) -> list[OrderedExample]:
    """Return examples: in every state, optimal moves come before the other moves.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.solve import solve
    >>> from kibitz.space import explore
    >>> solution = solve(explore(CompiledGame(load_sheet("nim:1,2"))))
    >>> [example.text for example in examples_from_solution(solution)][0]
    '(control player1) (heap a 1) (heap b 2): (reduce b 1) before (reduce a 0)'
    """
    space = solution.space
    space.require_all_states("learning from examples")
    found: list[OrderedExample] = []
    for number in range(len(space)) if states is None else states:
        role = int(space.turn[number])
        if role < 0:
            continue
        edges = range(space.first_edge[number], space.first_edge[number + 1])
        sign = 1 if role == 0 else -1
        values = {e: sign * int(solution.values[space.target[e]]) for e in edges}
        top = max(values.values())
        if min(values.values()) == top:
            continue
        state = space.state(number)
        after = {e: frozenset(space.state(int(space.target[e])).fluents) for e in edges}
        moves = {e: space.joint_moves[space.action[e]][role] for e in edges}
        found += [
            OrderedExample(
                after[good], after[bad], _text(state, moves[good], moves[bad]), state=str(state)
            )
            for good in edges
            if values[good] == top
            for bad in edges
            if values[bad] < top
        ]
    return found


def examples_from_decisions(pruned: Pruned) -> list[OrderedExample]:
    """Return the decisions of a pruned search as examples (paper 004, section 3.2.3)."""
    found: dict[str, OrderedExample] = {}
    for state, role, best, worse in pruned.decisions:
        text = _text(state, best, worse)
        if text not in found:
            after = [_after(state, state.game.roles[role], move) for move in (best, worse)]
            found[text] = OrderedExample(after[0], after[1], text, state=str(state))
    return list(found.values())


def _after(state: State, role: Role, move: Move) -> frozenset[Function]:
    joint = [move if one == role else state.legal(one)[0] for one in state.game.roles]
    return frozenset(state.step(joint).fluents)


def _text(state: State, best: Move, worse: Move) -> str:
    write = state.game.write
    return f"{state}: {write(best)} before {write(worse)}"
