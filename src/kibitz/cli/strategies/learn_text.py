"""Format the result of learning as plain data and as text."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from kibitz.cli.common.inputs import note

if TYPE_CHECKING:
    from kibitz.learn import Result
    from kibitz.strategy import Verdict


def learned_text(
    game: str, result: Result, tested: dict[str, dict[str, Verdict]]
) -> dict[str, Any]:
    """Return what was learned, and the verdicts on it, as plain data."""
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
        "optimal": result.is_optimal if result.pool is None else None,
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
        **({} if result.pool is None else {"pool": result.pool.as_json()}),
        **({} if result.held_out is None else {"held_out": result.held_out.as_json()}),
    }


def print_learned(summary: dict[str, Any]) -> None:
    """Print what was learned for people."""
    counts = (
        f"{summary['examples']:,} examples, {summary['examples_used']:,} of them looked at; "
        f"{summary['candidates']:,} candidates; {summary['seconds']:.2f} s"
    )
    if summary["constraints"] is None:
        proved = "no hypothesis in this language" if summary["is_smallest"] else "nothing found"
        print(f"{summary['game']}: {proved} ({counts})")
        if summary["broken"]:
            print("these examples clash:")
        for text in summary["broken"][:10]:
            print(f"  {text}")
    else:
        size = (
            "proved to be of least cost" if summary["is_smallest"] else "perhaps not of least cost"
        )
        print(f"{summary['game']}: {summary['literals']} literals, {size} ({counts})")
        if summary["background"]:
            print(summary["background"])
        for line in summary["constraints"]:
            print(line)
        if summary["broken"]:
            print(f"{len(summary['broken'])} kinds of examples are broken")
        if summary["rounds"] > 1:
            print(f"the best of {summary['rounds']} rounds")
        _print_verdicts(f"{summary['game']}, learned from", summary["verdicts"])
        for name, verdicts in summary["tests"].items():
            _print_verdicts(name, verdicts)
        if "pool" in summary:
            _print_pool(summary["pool"], summary["held_out"])
    if summary["time_ended"]:
        print("Time ended the search or a proof; with more --time there may be more to say.")
    if summary["ilasp"] is not None:
        print(f"ILASP: {summary['ilasp'].strip()}")
        _print_verdicts("ILASP", summary["ilasp_verdicts"] or {})


def _print_pool(pool: dict[str, Any], held: dict[str, Any]) -> None:
    print(
        f"learned from {pool['positions']} positions of matches, {pool['proved']} of them with "
        f"proved values and {pool['estimated']} with estimated; nothing is proved of the result"
    )
    if held["pairs"]:
        print(
            f"of {held['pairs']} pairs of moves held out it ranks {held['right']} right: "
            f"{held['share']:.0%} ({100 * held['low']:.0f} to {100 * held['high']:.0f})"
        )


def _print_verdicts(name: str, verdicts: dict[str, Any]) -> None:
    for role, verdict in verdicts.items():
        wrong, states = verdict["bad_states"], verdict["states_checked"]
        how = "perfect"
        if not verdict["perfect"]:
            how = (
                f"gives up value in {wrong:,} of {states:,} states"
                if wrong
                else "gives nothing away, but may go on for ever"
            )
        goals = f"guaranteed {verdict['guarantees'][role]}; best play gives {verdict['value']}"
        print(f"{name}, {role}: {how}; {goals}")


def _print_tree_pool(pool: dict[str, Any], held: dict[str, Any] | None) -> None:
    print(
        f"from {pool['positions']} positions of matches, {pool['proved']} of them with proved "
        f"values; scores with ~ are estimates"
    )
    if held is None:
        return
    if not held["spoken"]:
        print(f"the rules say nothing in {held['positions']} positions held out")
        return
    print(
        f"in {held['spoken']} of {held['positions']} positions held out the rules say something, "
        f"and in {held['right']} of these only best moves: {held['share']:.0%} "
        f"({100 * held['low']:.0f} to {100 * held['high']:.0f}); "
        f"a move at random is one of the best in {held['chance']:.0%}"
    )


def print_tree(summary: dict[str, Any], shown: str) -> None:
    """Print the size and value of a tree, its rules, and the nodes to show."""
    calls = f", {summary['calls']:,} calls of clingo" if summary["calls"] is not None else ""
    if "pool" in summary:
        print(f"{summary['game']}: {summary['nodes']:,} nodes, {summary['seconds']:.2f} s")
        _print_tree_pool(summary["pool"], summary.get("held_out"))
    else:
        value = "not known" if summary["value"] is None else summary["value"]
        print(
            f"{summary['game']}: {summary['nodes']:,} nodes{calls}, {summary['seconds']:.2f} s; "
            f"value for the first role {value}"
        )
    for rule in summary["rules"]:
        print(f"  {rule}")
    if shown:
        print(shown)
    elif sys.stdout.isatty():
        note("--show N prints N nodes of the tree; -o FILE.svg draws it")
