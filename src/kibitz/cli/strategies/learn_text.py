"""What was learned in, plain data and text out."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from kibitz.cli.common.inputs import note

if TYPE_CHECKING:
    from kibitz.learn import Result
    from kibitz.strategy import Verdict

__all__ = ["learned_text", "print_learned", "print_tree"]


def learned_text(
    game: str, result: Result, tested: dict[str, dict[str, Verdict]]
) -> dict[str, Any]:
    """Give what was learned, and the verdicts on it, as plain data."""
    learned = result.learned
    found = learned.preferences
    return {
        "game": game,
        "constraints": [w.text(i) for i, w in enumerate(found.constraints, 1)] if found else None,
        "background": found.background if found else None,
        "literals": found.size if found else None,
        "is_smallest": learned.is_smallest,
        "examples": learned.examples,
        "examples_used": learned.seen,
        "candidates": learned.candidates,
        "broken": [example.text for example in learned.broken],
        "optimal": result.is_optimal,
        "verdicts": {role: v.as_json() for role, v in result.verdicts.items()},
        "tests": {
            name: {role: v.as_json() for role, v in verdicts.items()}
            for name, verdicts in tested.items()
        },
        "rounds": result.rounds,
        "ilasp": None,
        "ilasp_verdicts": None,
        "seconds": learned.seconds,
        "time_ended": result.time_ended,
    }


def print_learned(told: dict[str, Any]) -> None:
    """Print it for people."""
    counts = (
        f"{told['examples']:,} examples, {told['examples_used']:,} of them looked at; "
        f"{told['candidates']:,} candidates; {told['seconds']:.2f} s"
    )
    if told["constraints"] is None:
        proved = "no hypothesis in this language" if told["is_smallest"] else "nothing found"
        print(f"{told['game']}: {proved} ({counts})")
        if told["broken"]:
            print("these examples clash:")
        for text in told["broken"][:10]:
            print(f"  {text}")
    else:
        size = "proved to be of least cost" if told["is_smallest"] else "perhaps not of least cost"
        print(f"{told['game']}: {told['literals']} literals, {size} ({counts})")
        if told["background"]:
            print(told["background"])
        for line in told["constraints"]:
            print(line)
        if told["broken"]:
            print(f"{len(told['broken'])} kinds of examples are broken")
        if told["rounds"] > 1:
            print(f"the best of {told['rounds']} rounds")
        _print_verdicts(f"{told['game']}, learned from", told["verdicts"])
        for name, verdicts in told["tests"].items():
            _print_verdicts(name, verdicts)
    if told["time_ended"]:
        print("Time ended the search or a proof; with more --time there may be more to say.")
    if told["ilasp"] is not None:
        print(f"ILASP: {told['ilasp'].strip()}")
        _print_verdicts("ILASP", told["ilasp_verdicts"] or {})


def _print_verdicts(name: str, verdicts: dict[str, Any]) -> None:
    for role, verdict in verdicts.items():
        how = (
            "always optimal"
            if verdict["strongly_optimal"]
            else f"not optimal in {verdict['bad_states']:,} of {verdict['states_checked']:,} states"
        )
        print(f"{name}, {role}: {how}; sure of {verdict['guarantees'][role]}")


def print_tree(told: dict[str, Any], shown: str) -> None:
    """Print what a tree came to, its rules, and the nodes to show."""
    calls = f", {told['calls']:,} calls of clingo" if told["calls"] is not None else ""
    value = "not known" if told["value"] is None else told["value"]
    print(
        f"{told['game']}: {told['nodes']:,} nodes{calls}, {told['seconds']:.2f} s; "
        f"value for the first role {value}"
    )
    for rule in told["rules"]:
        print(f"  {rule}")
    if shown:
        print(shown)
    elif sys.stdout.isatty():
        note("--show N prints N nodes of the tree; -o FILE.svg draws it")
