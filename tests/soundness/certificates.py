"""Certificates written from a plain Graph: true ones, and forged ones that no checker may accept.

Games take turns. What a role can force is found backwards from the ends, so that endless play
guarantees nothing, as in a certificate.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from typing import Any

from tests.soundness.plain import Graph, explore_plainly

from kibitz.engine import Game, ReferenceGame
from kibitz.errors import KibitzError
from kibitz.gdl import RuleSheet, to_kif
from kibitz.prove import check_certificate, read_certificate, standalone_checker

__all__ = [
    "Writer",
    "by_kibitz",
    "by_standalone",
    "forged_openings",
    "forgeries",
    "standalone_game",
    "writer_of",
]

END, CUT = -1, -2
LOSE = "lose"
"""To make moves that give the goal away just before what follows is left out."""
FALSE_NUMBERS: tuple[Any, ...] = (-5, 101, True, 100.0, "100", None, 10**30, [100], float("nan"))


@dataclass
class Writer:
    """Writes certificates for the game of a graph, whose rules have a digest."""

    graph: Graph
    rules: str
    rng: Random
    has_lost: bool = False
    """Whether the cheat `LOSE` was possible."""

    @cached_property
    def choosers(self) -> list[list[int]]:
        return [self.graph.choosers(i) for i in range(len(self.graph.nodes))]

    @cached_property
    def goals(self) -> list[int]:
        ends = [node for node in self.graph.nodes if node.is_terminal]
        return sorted({goal or 0 for node in ends for goal in node.goals.values()})

    def forced(self, role: str, goal: int) -> dict[int, int]:
        """Give the states from which a role can force a goal, with the plies that takes at most."""
        nodes, me = self.graph.nodes, self.graph.roles.index(role)
        rank: dict[int, int] = {}
        for i, node in enumerate(nodes):
            if node.is_terminal and (node.goals[role] or 0) >= goal:
                rank[i] = 0
        while new := {
            i: max(rank.values()) + 1
            for i, node in enumerate(nodes)
            if i not in rank and node.next
            for after in [[to in rank for to in node.next.values()]]
            if (any(after) if self.choosers[i] == [me] else all(after))
        }:
            rank |= new
        return rank

    @cached_property
    def ranks(self) -> dict[tuple[str, int], dict[int, int]]:
        return {(r, goal): self.forced(r, goal) for r in self.graph.roles for goal in self.goals}

    def sure(self, i: int) -> dict[str, int]:
        """Give the goal that each role can force from a state; -1 where that is none."""
        return {
            role: max((goal for goal in self.goals if i in self.ranks[role, goal]), default=-1)
            for role in self.graph.roles
        }

    def is_decided(self, i: int) -> bool:
        """Return whether a true certificate of a state exists."""
        sure = self.sure(i).values()
        return min(sure) >= 0 and (len(sure) < 2 or {sum(sure)} == self.graph.sums)

    def certificate(
        self, i: int, claims: dict[str, int], cheat: str = "", *, depth: int | None = None
    ) -> dict[str, Any]:
        """Write that a state guarantees goals, cheating in one way where that is not so.

        What is so many moves away from the first state, or more, is left out. A claim of nothing is
        shown by nothing half of the time.
        """
        parts = [
            {
                "role": role,
                "at_least": goal,
                "positions": []
                if goal == 0 and len(claims) == 2 and self.rng.random() < 0.5
                else self.positions(i, role, goal, cheat, depth),
            }
            for role, goal in claims.items()
        ]
        start = sorted(self.graph.nodes[i].fluents)
        return {"format": "kibitz proof 2", "rules": self.rules, "start": start, "parts": parts}

    def positions(
        self, start: int, role: str, goal: int, cheat: str, depth: int | None
    ) -> list[list[Any]]:
        rank, me = self.ranks.get((role, goal), {}), self.graph.roles.index(role)
        number: dict[int, int] = {}
        lists: list[list[Any]] = []

        def mark(i: int) -> Any:
            node = self.graph.nodes[i]
            is_bad = node.is_terminal and (node.goals[role] or 0) < goal
            if cheat == "cut lines" and i not in rank and i != start:
                return CUT
            if depth is not None and self.graph.layer[i] >= depth and not node.is_terminal:
                return CUT
            if not is_bad and not node.is_terminal:
                if i not in number:
                    number[i] = len(lists)
                    lists.append([])
                    waiting.append(i)
                return number[i]
            if is_bad and cheat == "cut ends":
                return CUT
            if is_bad and cheat == "point elsewhere":
                return self.rng.randrange(len(lists) + 1)
            if is_bad and cheat == "odd numbers":
                return self.rng.choice([*FALSE_NUMBERS, -3, False, "-1", -1.0])
            return END

        waiting: list[int] = []
        mark(start)
        while waiting:
            i = waiting.pop()
            node, choosers = self.graph.nodes[i], self.choosers[i]
            mover = choosers[0] if choosers else me
            after = sorted((joint[mover], to) for joint, to in node.next.items())
            if choosers == [me]:
                good = [pair for pair in after if rank.get(pair[1], 10**9) < rank.get(i, 10**9)]
                bad = [pair for pair in after if pair[1] not in rank]
                if cheat == LOSE and self.graph.layer[i] + 1 == depth and good and bad:
                    good, self.has_lost = bad, True
                move, to = good[0] if good else self.rng.choice(after)
                if not good and cheat == "illegal moves":
                    move = self.rng.choice(["resign", "", after[0][0] + " ", "noop"])
                lists[number[i]] = [move, mark(to)]
            else:
                if cheat == "replies left out":
                    after = [pair for pair in after if pair[1] in rank]
                lists[number[i]] = [mark(to) for _, to in after]
        return lists


def writer_of(game: ReferenceGame, rng: Random) -> Writer:
    graph = explore_plainly(game, nodes=2_000, edges=10_000)
    return Writer(graph, standalone_game(game.sheet).digest, rng)


def standalone_game(sheet: RuleSheet) -> Any:
    """Give the game as the checker sees it that shares no code with Kibitz."""
    return standalone_checker._Game(to_kif(sheet))


def by_kibitz(game: Game, text: str) -> str:
    """Return "proved", "left out" or "refused"."""
    try:
        return "proved" if check_certificate(game, read_certificate(text)).is_whole else "left out"
    except KibitzError:
        return "refused"


def by_standalone(game: Any, text: str) -> str:
    """Return "proved", "left out" or "refused"."""
    try:
        made = json.loads(text, object_pairs_hook=standalone_checker._once)
        return "proved" if standalone_checker._check(game, game.start, made) else "left out"
    except Exception:
        return "refused"


CHEATS = ("", "cut ends", "cut lines", "point elsewhere", "odd numbers", "illegal moves",
          "replies left out")  # fmt: skip


def forgeries(writer: Writer) -> Iterator[tuple[str, str]]:
    """Give certificates that show nothing true of the first state, each with what it does."""
    graph, rng = writer.graph, writer.rng
    truth = writer.sure(0)
    total = min(graph.sums or {100})
    for cheat in CHEATS:
        wrong = dict(truth)
        while all(0 <= goal <= truth[role] for role, goal in wrong.items()):
            first = rng.choice([*writer.goals, rng.randint(0, 100)])
            wrong = dict(zip(graph.roles, (first, total - first), strict=False))
            if len(wrong) == 1:
                wrong[graph.roles[0]] = rng.randint(truth[graph.roles[0]] + 1, 101)
        yield f"claims {wrong}: {cheat}", json.dumps(writer.certificate(0, wrong, cheat))
        depth = rng.randint(1, 4)
        made = writer.certificate(0, wrong, cheat, depth=depth)
        yield f"claims {wrong}, left out after {depth}: {cheat}", json.dumps(made)
    for i in rng.sample(range(len(graph.nodes)), min(len(graph.nodes), 12)):
        sure = writer.sure(i)
        if i == 0 or graph.nodes[i].fluents == graph.nodes[0].fluents:
            continue
        made = writer.certificate(i, sure)
        yield f"begins at state {i}", json.dumps(made)
        made["start"] = sorted(graph.nodes[0].fluents)
        if sure != truth:
            yield f"shows state {i} as the first one", json.dumps(made)
            if len(sure) == 2:
                role, other = rng.sample(graph.roles, 2)
                mixed = writer.certificate(0, {role: truth[role]})
                mixed["parts"] += writer.certificate(i, {other: sure[other]})["parts"]
                if sure[other] > truth[other]:
                    yield f"has parts of two states, {i}", json.dumps(mixed)
    roles = graph.roles
    turned = [
        replace(node, goals=dict(zip(roles, reversed(node.goals.values()), strict=True)))
        for node in graph.nodes
    ]
    other_game = Writer(replace(graph, nodes=tuple(turned)), writer.rules, rng)
    if any(goal > truth[role] for role, goal in other_game.sure(0).items()):
        yield "is of other rules", json.dumps(other_game.certificate(0, other_game.sure(0)))
    true = writer.certificate(0, truth)
    yield from tampered(true, rng)


def forged_openings(writer: Writer) -> Iterator[tuple[str, str]]:
    """Give certificates of what is false that leave out all from some number of moves on."""
    roles = writer.graph.roles
    truth, total = writer.sure(0), min(writer.graph.sums or {100})
    for goal in writer.goals:
        wrong = dict(zip(roles, (goal, total - goal), strict=False))
        if all(claimed <= truth[role] for role, claimed in wrong.items()):
            continue
        for depth in range(1, max(writer.graph.layer) + 1):
            for cheat in ("", "cut lines", "cut ends", "illegal moves", "replies left out"):
                made = writer.certificate(0, wrong, cheat, depth=depth)
                yield f"claims {wrong}, left out after {depth}: {cheat}", json.dumps(made)
    for depth in range(1, max(writer.graph.layer) + 1):
        writer.has_lost = False
        made = writer.certificate(0, truth, LOSE, depth=depth)
        if writer.has_lost:
            yield f"loses by move {depth}", json.dumps(made)


def tampered(true: dict[str, Any], rng: Random) -> Iterator[tuple[str, str]]:
    """Give a certificate with one field changed to what is not so."""

    def changed(what: str, **fields: Any) -> tuple[str, str]:
        return what, json.dumps(true | fields)

    parts, start = true["parts"], true["start"]
    first = parts[0]
    yield changed("has no parts", parts=[])
    empty = [one | {"positions": []} for one in parts]
    none = [one | {"at_least": 0} for one in empty]
    for what, wrong in (
        ("shows nothing", empty),
        ("claims nothing", none),
        ("shows nothing of its first goal", [*empty[:1], *parts[1:]]),
        ("shows nothing of its last goal", [*parts[:-1], *empty[-1:]]),
        ("gives its first role nothing", [*none[:1], *parts[1:]]),
        ("gives its last role nothing", [*parts[:-1], *none[-1:]]),
    ):
        pairs = zip(wrong, parts, strict=True)
        if any(mine != one for mine, one in pairs if one["at_least"] or len(parts) < 2):
            yield changed(what, parts=wrong)
    yield changed("lacks a part", parts=parts[1:])
    yield changed("has a part twice", parts=[*parts, rng.choice(parts)])
    yield changed("has a part for nobody", parts=[*parts, first | {"role": "nobody"}])
    yield changed("has another role", parts=[first | {"role": "nobody"}, *parts[1:]])
    yield changed("has a part that is no object", parts=[*parts[1:], first["positions"]])
    if len(parts) == 2:
        swapped = [
            one | {"role": other["role"]} for one, other in zip(parts, parts[::-1], strict=True)
        ]
        if (
            parts[0]["positions"] != parts[1]["positions"]
            or first["at_least"] != parts[1]["at_least"]
        ):
            yield changed("has its roles exchanged", parts=swapped)
    for goal in (*FALSE_NUMBERS, first["at_least"] + 1, first["at_least"] - 1):
        if goal != first["at_least"] or type(goal) is not int:
            yield changed(f"claims {goal}", parts=[first | {"at_least": goal}, *parts[1:]])
    yield changed("has doubled fluents", start=start * 2 or ["p"])
    yield changed("has a fluent less", start=start[1:] if start else ["p"])
    yield changed("has one text for all fluents", start=[" ".join(["", *start])])
    yield changed("is for other rules", rules="0" * 64)
    yield changed("is in another format", format="kibitz proof 1")
    yield changed("says more", game="chess")
    yield changed("has a part that says more", parts=[first | {"cut": 0}, *parts[1:]])
    yield "lacks its start", json.dumps({k: v for k, v in true.items() if k != "start"})
    text = json.dumps(true)
    yield "has a field twice", text[:-1] + f', "start": {json.dumps(start)}}}'
    yield "is nested", "[" * 100_000
    for part in parts:
        lists = part["positions"]
        for what, wrong in wrong_positions(lists, rng):
            if wrong == [] and part["at_least"] == 0 and len(parts) == 2:
                continue  # nothing is shown by nothing
            rest = [part | {"positions": wrong} if one is part else one for one in parts]
            yield changed(what, parts=rest)


def wrong_positions(lists: list[list[Any]], rng: Random) -> Iterator[tuple[str, Any]]:
    yield "has a position too many", [*lists, [0]]
    yield "has positions that are no list", {} if not lists else dict(enumerate(lists))
    if not lists:
        return
    at = rng.randrange(len(lists))
    yield "lacks the last position", lists[:-1]
    for what, entry in {
        "goes back to the start": [*lists[at][:-1], 0],
        "goes back to itself": [*lists[at][:-1], at],
        "leaves out the rest": [*lists[at][:-1], CUT],
        "goes nowhere": [*lists[at][:-1], len(lists)],
        "lacks a reply": lists[at][:-1],
        "has a reply too many": [*lists[at], lists[at][-1]],
        "has no reply": [],
    }.items():
        if entry != lists[at]:
            yield f"{what} in position {at}", [*lists[:at], entry, *lists[at + 1 :]]
