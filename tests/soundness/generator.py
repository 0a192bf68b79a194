"""Random small games as KIF text: one generator for the tests and for tools/fuzz.

`random_game(Random(seed))` gives the same text for the same seed. Games have one to three roles who
take turns or choose at once; some get stuck, go round in circles or never end; boards are symmetric
or not; goals add up or do not. Any of them may have fluents that never change or never hold, rules
in any order, and terms inside terms.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

__all__ = ["KINDS", "random_game", "rules_of"]


def random_game(rng: Random, kind: str | None = None) -> str:
    """Write a random game of a kind, or of any."""
    lines = KINDS[kind or rng.choice(sorted(KINDS))](rng)
    if kind != "loose":
        lines = decorated(rng, lines)
    rng.shuffle(lines)
    return "\n".join(dict.fromkeys(lines)) + "\n"


def rules_of(text: str) -> list[str]:
    """Split a sheet into its rules."""
    found, depth, start = [], 0, 0
    for place, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if char == ")" and depth == 0:
            found.append(text[start : place + 1].strip())
            start = place + 1
    return found


def decorated(rng: Random, lines: list[str]) -> list[str]:
    """Add what changes nothing, or little: fluents that stay, vanish or never hold, a clock."""
    lines = list(lines)
    if rng.random() < 0.25:
        lines += ["(init (fixed 1))", "(<= (next (fixed ?x)) (true (fixed ?x)))"]
        if rng.random() < 0.5:
            lines.append("(init (fixed 2))")
    if rng.random() < 0.15:
        lines.append("(init fresh)")
    if rng.random() < 0.2:
        lines.append("(<= haunted (true (ghost ?x)))")
        lines = [_add(line, "(not haunted)") if rng.random() < 0.3 else line for line in lines]
    if rng.random() < 0.2 and "(init (clock" not in " ".join(lines):
        lines += clock(rng.randint(2, 5))
    return lines


def _add(line: str, literal: str) -> str:
    """Give a rule one more literal."""
    if not line.startswith("(<= ") or "haunted" in line:
        return line
    return f"{line[:-1]} {literal})"


def clock(last: int) -> list[str]:
    """Count joint moves, and end play after some."""
    return [
        "(init (clock 0))",
        *(f"(succ {i} {i + 1})" for i in range(last)),
        "(<= (next (clock ?m)) (true (clock ?n)) (succ ?n ?m))",
        f"(<= terminal (true (clock {last})))",
    ]


def turns(rng: Random, roles: list[str]) -> list[str]:
    """Let roles take turns, whoever waits making a move that does nothing."""
    order = rng.sample(roles, len(roles)) if rng.random() < 0.3 else roles
    lines = [f"(role {role})" for role in roles]
    lines += [f"(after {a} {b})" for a, b in zip(order, [*order[1:], order[0]], strict=True)]
    lines.append(f"(init (control {rng.choice([order[0], order[0], roles[-1]])}))")
    lines.append("(<= (next (control ?b)) (true (control ?a)) (after ?a ?b))")
    if len(roles) > 1:
        lines.append("(<= (legal ?r noop) (role ?r) (not (true (control ?r))))")
    return lines


def rewards(rng: Random, roles: list[str], won: str, drawn: str) -> list[str]:
    """Reward whoever `(won ?r)` says, and all where the condition `drawn` holds."""
    style = rng.choice(["opposed", "opposed", "opposed", "opposed", "selfish", "odd"])
    high, low = {"opposed": (100, 0), "selfish": (100, 30), "odd": (90, 10)}[style]
    tie = {"opposed": 50, "selfish": rng.choice([0, 50]), "odd": 50}[style]
    lines = [f"(<= (goal ?r {high}) ({won} ?r))"]
    if len(roles) > 1:
        lines.append(f"(<= (goal ?r {low}) (role ?r) ({won} ?q) (distinct ?r ?q))")
        lines.append(f"(<= (goal ?r {tie}) (role ?r) {drawn})")
    else:
        lines.append(f"(<= (goal ?r {tie if rng.random() < 0.5 else 0}) (role ?r) {drawn})")
    return lines


NAMES = ("x", "o", "z")


def some_roles(rng: Random, choices: tuple[int, ...] = (1, 2, 2, 2, 2, 3)) -> list[str]:
    return list(NAMES[: rng.choice(choices)])


def lines_game(rng: Random) -> list[str]:
    """Mark cells; a line of own marks wins, or loses."""
    roles = some_roles(rng)
    count = rng.randint(3, 4 if len(roles) == 3 else 5)
    shape = rng.choice(["plain", "pair", "nested"])
    wide = rng.choice([2, 3])
    places = {
        "plain": [str(i + 1) for i in range(count)],
        "pair": [f"{i // wide + 1} {i % wide + 1}" for i in range(count)],
        "nested": [f"(at {i // wide + 1} {i % wide + 1})" for i in range(count)],
    }[shape]
    any_place = {"plain": "?p", "pair": "?x ?y", "nested": "(at ?x ?y)"}[shape]
    size = rng.choice([2, 2, 3])
    numbers = range(count)
    sets = {
        "ring": [[(i + j) % count for j in range(size)] for i in numbers],
        "row": [[i + j for j in range(size)] for i in range(count - size + 1)],
        "any": [rng.sample(numbers, size) for _ in range(rng.randint(1, 3))],
    }[rng.choice(["ring", "row", "any"])]
    lines = turns(rng, roles) + [f"(place {place})" for place in places]
    for line in sets:
        marks = " ".join(f"(true (cell {places[i]} ?r))" for i in line)
        lines.append(f"(<= (has_line ?r) (role ?r) {marks})")
    if rng.random() < 0.3:  # a line in two bodies at once
        held = [f"(true (cell {places[i]} ?r))" for i in rng.sample(numbers, 3)]
        lines.append(f"(<= (has_line ?r) (role ?r) {held[0]} (or {held[1]} {held[2]}))")
    lines.append("(<= any_line (has_line ?r))")
    if len(roles) > 1 and rng.random() < 0.3:  # misère
        lines.append("(<= (won ?r) (role ?r) (has_line ?q) (distinct ?r ?q) (not (has_line ?r)))")
    else:
        lines.append("(<= (won ?r) (has_line ?r))")
    lines.append("(<= settled (won ?r))")
    lines += rewards(rng, roles, "won", "(not settled)")
    free = f"(true (cell {any_place} b))"
    if rng.random() < 0.6:
        blocked = rng.randrange(count) if rng.random() < 0.2 else -1
        for i, place in enumerate(places):
            lines.append(f"(init (cell {place} {'k' if i == blocked else 'b'}))")
        if rng.random() < 0.1:  # a value beside another, which never ends
            lines.append(f"(init (cell {places[0]} k))")
        lines.append(
            f"(<= (next (cell {any_place} ?v)) (true (cell {any_place} ?v)) (distinct ?v b))"
        )
        marked = f"(<= (next (cell {any_place} b)) (true (cell {any_place} b))"
        if rng.random() < 0.5:
            lines.append(f"(<= (marked {any_place}) (does ?r (mark {any_place})))")
            lines.append(f"{marked} (not (marked {any_place})))")
        else:
            other = any_place.replace("?x", "?u").replace("?y", "?w").replace("?p", "?q")
            pairs = list(
                zip(re.findall(r"\?\w", any_place), re.findall(r"\?\w", other), strict=True)
            )
            differ = [f"(distinct {a} {b})" for a, b in pairs]
            differs = f"(or {' '.join(differ)})" if len(differ) > 1 else differ[0]
            lines.append(f"{marked} (does ?r (mark {other})) {differs})")
            if rng.random() < 0.7:
                lines.append(f"{marked} (does ?r pass))")
    else:
        lines.append(f"(<= (taken {any_place}) (true (cell {any_place} ?v)))")
        lines.append(f"(<= (next (cell {any_place} ?v)) (true (cell {any_place} ?v)))")
        free = f"(place {any_place}) (not (taken {any_place}))"
    lines.append(f"(<= (legal ?r (mark {any_place})) (true (control ?r)) {free})")
    if rng.random() < 0.15:
        lines.append("(<= (legal ?r pass) (true (control ?r)))")
    lines.append(f"(<= (next (cell {any_place} ?r)) (does ?r (mark {any_place})))")
    lines.append(f"(<= open {free})")
    lines.append("(<= terminal any_line)")
    if rng.random() < 0.9:
        lines.append("(<= terminal (not open))")
    return lines


def nim_game(rng: Random) -> list[str]:
    """Take from heaps; whoever takes the last wins, or loses."""
    roles = some_roles(rng)
    heaps = {name: rng.randint(1, 3) for name in "abc"[: rng.randint(1, 3)]}
    top = max(heaps.values())
    most = rng.randint(1, top)
    lines = turns(rng, roles)
    lines += [f"(init (heap {name} {size}))" for name, size in heaps.items()]
    lines += [
        f"(less {a} {b} {b - a})" for b in range(1, top + 1) for a in range(b) if b - a <= most
    ]
    by_rest = rng.random() < 0.5
    rest = "?n" if by_rest else "?k"
    lines.append(
        f"(<= (legal ?r (take ?h {rest})) (true (control ?r)) (true (heap ?h ?m)) (less ?n ?m ?k))"
    )
    found = "" if by_rest else " (true (heap ?h ?m)) (less ?n ?m ?k)"
    lines.append(f"(<= (next (heap ?h ?n)) (does ?r (take ?h {rest})){found})")
    if rng.random() < 0.5:
        lines.append("(<= (touched ?h) (does ?r (take ?h ?n)))")
        lines.append("(<= (next (heap ?h ?n)) (true (heap ?h ?n)) (not (touched ?h)))")
    else:
        lines.append(
            "(<= (next (heap ?h ?n)) (true (heap ?h ?n)) (does ?r (take ?g ?k)) (distinct ?g ?h))"
        )
    lines.append("(<= left (true (heap ?h ?n)) (distinct ?n 0))")
    if rng.random() < 0.9:
        lines.append("(<= terminal (not left))")
    winner = "(true (control ?r))"
    if rng.random() < 0.6 and len(roles) > 1:
        winner = "(true (control ?q)) (after ?r ?q)"
    lines.append(f"(<= (won ?r) (role ?r) (not left) {winner})")
    return lines + rewards(rng, roles, "won", "left")


def switches_game(rng: Random) -> list[str]:
    """Turn switches on and off; some forbid others."""
    roles = some_roles(rng, (1, 2, 2, 2))
    switches = [f"s{i}" for i in range(rng.randint(2, 4))]
    lines = turns(rng, roles) + [f"(switch {s})" for s in switches]
    lines += [f"(init (on {s}))" for s in switches if rng.random() < 0.25]
    lines += [
        "(<= (next (on ?s)) (does ?r (turn_on ?s)))",
        "(<= (next (on ?s)) (true (on ?s)) (not (turned_off ?s)))",
        "(<= (turned_off ?s) (does ?r (turn_off ?s)))",
        "(<= (legal ?r (turn_on ?s)) (true (control ?r)) (switch ?s) (not (true (on ?s)))"
        " (not (forbidden ?s)))",
        "(forbidden nothing)",
    ]
    for _ in range(rng.randint(0, 3)):
        blocked, by = rng.choice(switches), rng.choice(switches)
        lines.append(f"(<= (forbidden {blocked}) (true (on {by})))")
    if rng.random() < 0.5:
        lines.append("(<= (legal ?r (turn_off ?s)) (true (control ?r)) (true (on ?s)))")
    if rng.random() < 0.6:
        lines.append("(<= (legal ?r wait) (true (control ?r)))")
    if rng.random() < 0.6:
        lines += clock(rng.randint(2, 4))
    for _ in range(rng.randint(1, 2)):
        parts = rng.sample(switches, rng.randint(1, 2))
        lines.append(f"(<= terminal {' '.join(f'(true (on {s}))' for s in parts)})")
    good, fair = rng.choice(switches), rng.choice(switches)
    winner = "(true (control ?r))" if rng.random() < 0.3 else f"(leader ?r) (true (on {good}))"
    lines += [
        f"(leader {roles[0]})",
        f"(<= (won ?r) (role ?r) {winner} (true (on {good})))",
        "(<= settled (won ?r))",
    ]
    if len(roles) > 1:
        bad = rng.choice(switches)
        lines.append(
            f"(<= (won {roles[1]}) (true (on {bad})) (not (true (on {fair}))) "
            f"(not (true (on {good}))))"
        )
        if rng.random() < 0.4:
            lines = [line.replace("(true (control ?r)) (true (on", "(leader ?r) (true (on")
                     if line.startswith("(<= (won") else line for line in lines]  # fmt: skip
    return lines + rewards(rng, roles, "won", "(not settled)")


def positions_game(rng: Random) -> list[str]:
    """Go from position to position by joint moves; any graph, with cycles or without."""
    roles = list("abc"[: rng.choice([1, 2, 2, 2, 3])])
    size = rng.randint(2, 9)
    at_once = rng.choice([0.0, 0.0, 0.0, 0.3, 1.0])
    is_acyclic = rng.random() < 0.5
    opposed = rng.random() < 0.7 and len(roles) == 2
    total = rng.choice([100, 100, 100, 80]) if opposed else 100
    lines = [f"(role {role})" for role in roles] + ["(init (at 0))"]
    values = (0, 25, 50, 75, 100)
    for place in range(size):
        is_end = place == size - 1 or (place > 0 and rng.random() < 0.3)
        if is_end:
            if rng.random() < 0.07:
                continue  # stuck
            lines.append(f"(end {place})")
            first = min(total, rng.choice(values))
            for index, role in enumerate(roles):
                goal = first if index == 0 else total - first if opposed else rng.choice(values)
                if rng.random() > 0.01:
                    lines.append(f"(<= (goal {role} {goal}) (true (at {place})))")
            continue
        choosing = [role for role in roles if rng.random() < at_once]
        if not choosing:
            choosing = [roles[(place + rng.choice([0, 0, 1])) % len(roles)]]
        picks = [["noop"]] * len(roles)
        for role in choosing:
            moves = [f"(go {m})" for m in range(rng.choice([1, 2, 2, 3]))]
            picks[roles.index(role)] = moves
        joints: list[tuple[str, ...]] = [()]
        for moves in picks:
            joints = [(*joint, move) for joint in joints for move in moves]
        lines += [f"(can {place} {role} {m})" for role, ms in zip(roles, picks, strict=True)
                  for m in ms]  # fmt: skip
        for joint in joints:
            low = place + 1 if is_acyclic else 0
            lines.append(f"(edge {place} {' '.join(joint)} {rng.randrange(low, size)})")
    variables = [f"?m{i}" for i in range(len(roles))]
    does = " ".join(f"(does {r} {v})" for r, v in zip(roles, variables, strict=True))
    lines += [
        "(<= (legal ?r ?m) (true (at ?p)) (can ?p ?r ?m))",
        f"(<= (next (at ?q)) (true (at ?p)) {does} (edge ?p {' '.join(variables)} ?q))",
        "(<= terminal (true (at ?p)) (end ?p))",
    ]
    return lines


def pursuit_game(rng: Random) -> list[str]:
    """Move a token of one's own along a small graph; meeting ends play."""
    roles = ["fox", "dog"]
    count = rng.randint(3, 5)
    pairs = {(i, (i + 1) % count) for i in range(count - rng.choice([0, 1]))}
    pairs |= {(rng.randrange(count), rng.randrange(count)) for _ in range(rng.randint(0, 2))}
    both_ways = rng.random() < 0.7
    lines = turns(rng, roles)
    lines += [f"(edge {a} {b})" for a, b in pairs if a != b]
    if both_ways:
        lines.append("(<= (joined ?a ?b) (or (edge ?a ?b) (edge ?b ?a)))")
    else:
        lines.append("(<= (joined ?a ?b) (edge ?a ?b))")
    fox, dog = rng.sample(range(count), 2)
    lines += [f"(init (on fox {fox}))", f"(init (on dog {dog}))"]
    lines.append("(<= (legal ?r (go ?a ?b)) (true (control ?r)) (true (on ?r ?a)) (joined ?a ?b))")
    if rng.random() < 0.3:
        lines.append("(<= (legal ?r stay) (true (control ?r)))")
    lines += [
        "(<= (next (on ?r ?b)) (does ?r (go ?a ?b)))",
        "(<= (goes ?r) (does ?r (go ?a ?b)))",
        "(<= (next (on ?r ?a)) (true (on ?r ?a)) (not (goes ?r)))",
        "(<= met (true (on fox ?a)) (true (on dog ?a)))",
        "(<= terminal met)",
    ]
    home = rng.randrange(count)
    if rng.random() < 0.6:
        lines.append(f"(<= home (true (on fox {home})) (not met))")
        lines.append("(<= terminal home)")
    else:
        lines.append("(<= home (true (on fox nowhere)))")
    lines.append("(<= (won fox) home)")
    if rng.random() < 0.8:
        lines.append("(<= (won dog) met)")
    else:
        lines.append("(<= (won ?r) met (true (control ?q)) (after ?r ?q))")
    lines.append("(<= settled (won ?r))")
    return lines + rewards(rng, roles, "won", "(not settled)")


def pawns_game(rng: Random) -> list[str]:
    """Pawns of two sides on a few files; who comes through wins."""
    roles = ["white", "black"]
    files, ranks = rng.choice([(1, 3), (1, 4), (2, 3), (2, 4), (3, 3)])
    lines = turns(rng, roles)
    lines += [f"(succ {i} {i + 1})" for i in range(1, max(files, ranks))]
    lines += [
        "(<= (ahead white ?a ?b) (succ ?a ?b))",
        "(<= (ahead black ?a ?b) (succ ?b ?a))",
        "(<= (beside ?a ?b) (or (succ ?a ?b) (succ ?b ?a)))",
        f"(last white {ranks})",
        "(last black 1)",
    ]
    for file in range(1, files + 1):
        lines.append(f"(init (man {file} 1 white))")
        if rng.random() < 0.9:
            lines.append(f"(init (man {file} {ranks} black))")
    lines += [
        "(<= (occupied ?f ?y) (true (man ?f ?y ?r)))",
        "(<= (legal ?r (move ?f ?y ?f ?z)) (true (control ?r)) (true (man ?f ?y ?r))"
        " (ahead ?r ?y ?z) (not (occupied ?f ?z)))",
        "(<= (next (man ?g ?z ?r)) (does ?r (move ?f ?y ?g ?z)))",
        "(<= (touched ?f ?y) (does ?r (move ?f ?y ?g ?z)))",
        "(<= (touched ?g ?z) (does ?r (move ?f ?y ?g ?z)))",
        "(<= (next (man ?f ?y ?r)) (true (man ?f ?y ?r)) (not (touched ?f ?y)))",
        "(<= (through ?r) (true (man ?f ?y ?r)) (last ?r ?y))",
        "(<= through_some (through ?r))",
        "(<= terminal through_some)",
        "(<= (able ?r) (role ?r) (true (man ?f ?y ?r)) (ahead ?r ?y ?z) (not (occupied ?f ?z)))",
    ]
    if files > 1 and rng.random() < 0.7:
        taking = (
            "(true (man ?f ?y ?r)) (ahead ?r ?y ?z) (beside ?f ?g) (true (man ?g ?z ?q))"
            " (distinct ?q ?r)"
        )
        lines.append(f"(<= (legal ?r (move ?f ?y ?g ?z)) (true (control ?r)) {taking})")
        lines.append(f"(<= (able ?r) {taking})")
    lines.append("(<= (won ?r) (through ?r))")
    lines.append("(<= (blocked ?r) (true (control ?r)) (not (able ?r)))")
    ending = rng.choice(["stuck", "over", "loses", "passes"])
    if ending in ("over", "loses"):
        lines.append("(<= terminal (blocked ?r))")
    if ending == "loses":
        lines.append("(<= (won ?r) (blocked ?q) (after ?q ?r) (not through_some))")
    if ending == "passes":
        lines.append("(<= (legal ?r noop) (blocked ?r))")
    lines.append("(<= settled (won ?r))")
    return lines + rewards(rng, roles, "won", "(not settled)")


def bridge_game(rng: Random) -> list[str]:
    """Mark nodes of a graph; whoever's marks join two ends wins: recursion over the state."""
    roles = ["x", "o"]
    count = rng.randint(3, 5)
    lines = turns(rng, roles)
    pairs = {(i, i + 1) for i in range(count - 1)}
    pairs |= {tuple(sorted(rng.sample(range(count), 2))) for _ in range(rng.randint(0, 3))}  # type: ignore[misc]
    lines += [f"(node {i})" for i in range(count)] + [f"(edge {a} {b})" for a, b in sorted(pairs)]
    lines += [
        "(<= (joined ?a ?b) (or (edge ?a ?b) (edge ?b ?a)))",
        "(<= (reach ?r ?a ?a) (true (mark ?a ?r)))",
        "(<= (reach ?r ?a ?c) (reach ?r ?a ?b) (joined ?b ?c) (true (mark ?c ?r)))",
        "(<= (marked ?a) (true (mark ?a ?r)))",
        "(<= (next (mark ?a ?r)) (does ?r (put ?a)))",
        "(<= (next (mark ?a ?r)) (true (mark ?a ?r)))",
        "(<= (legal ?r (put ?a)) (true (control ?r)) (node ?a) (not (marked ?a)))",
        "(<= open (node ?a) (not (marked ?a)))",
        "(<= terminal (not open))",
        "(<= settled (won ?r))",
    ]
    if rng.random() < 0.5:
        lines.append("(<= terminal settled)")
    start, end = rng.sample(range(count), 2)
    lines.append(f"(<= (won x) (reach x {start} {end}))")
    if rng.random() < 0.5:
        lines.append(f"(<= (won o) (not open) (not (reach x {start} {end})))")
    else:
        lines.append(f"(<= (won o) (reach o {start} {rng.randrange(count)}) "
                     f"(not (reach x {start} {end})))")  # fmt: skip
    return lines + rewards(rng, roles, "won", "(not settled)")


# Rules without a plan: anything that is safe, stratified and finite.

VALUES = ("1", "2", "(c 1)")
VARIABLES = ("?x", "?y", "?z")
FLUENTS = {"f": 1, "g": 2, "p": 0}
MOVES = {"noop": 0, "mark": 1, "go": 2}
IN_HEADS = (*VARIABLES[:2], *VARIABLES, *VALUES)
IN_BODIES = (*IN_HEADS, "(c ?x)")
"""A term that is built in a head could be built again and again."""


@dataclass(frozen=True)
class Words:
    """Relations that a body may ask for, those that it may deny, and whether moves are known."""

    asked: dict[str, int]
    denied: dict[str, int]
    with_moves: bool = False


def loose_game(rng: Random) -> list[str]:
    """Write any rules: layers of relations with recursion, moves at once, frame rules."""
    roles = [f"r{i}" for i in range(rng.randint(1, 3))]
    lines = [f"(role {role})" for role in roles] + [f"(n {value})" for value in VALUES]
    lines += [f"(e {rng.choice(VALUES)} {rng.choice(VALUES)})" for _ in range(rng.randint(0, 5))]
    for _ in range(rng.randint(0, 6)):
        name = rng.choice(sorted(FLUENTS))
        lines.append(f"(init {atom(rng, name, FLUENTS[name], VALUES)})")
    known = {"e": 2, "n": 1}
    for layer in range(rng.randint(0, 3)):
        below = dict(known)
        names = {f"d{layer}": rng.randint(0, 2)}
        if rng.random() < 0.5:
            names[f"m{layer}"] = rng.randint(0, 2)
        known.update(names)
        for name, arity in names.items():
            for _ in range(rng.randint(1, 2)):
                lines.append(rule(rng, atom(rng, name, arity), Words(known, below)))
    words = Words(known, known)
    lines += [f"(legal {role} noop)" for role in roles if rng.random() < 0.9]
    if rng.random() < 0.3:
        lines.append("(<= (legal ?r (mark ?x)) (role ?r) (n ?x))")
    for _ in range(rng.randint(1, 3)):
        move = rng.choice(sorted(MOVES))
        head = f"(legal {rng.choice([*roles, '?r'])} {atom(rng, move, MOVES[move])})"
        lines.append(rule(rng, head, words))
    moving = Words(known, known, with_moves=True)
    for name, arity in FLUENTS.items():
        for _ in range(rng.randint(1, 2)):
            lines.append(rule(rng, f"(next {atom(rng, name, arity)})", moving))
        if rng.random() < 0.5:
            lines.append(frame_rule(rng, name, arity))
    lines.append(rule(rng, "terminal", words, least=1))
    if rng.random() < 0.5:  # goals that are there wherever play ends
        split = rule(rng, "split", words, least=1)
        lines.append(split)
        for role in roles:
            a, b = rng.choice([(100, 0), (0, 100), (60, 40), (50, 50)])
            lines += [f"(<= (goal {role} {a}) split)", f"(<= (goal {role} {b}) (not split))"]
    else:
        lines += [rule(rng, f"(goal {r} {v})", words) for r in roles for v in (0, 50, 100)]
    return lines


def atom(rng: Random, name: str, arity: int, terms: tuple[str, ...] = IN_HEADS) -> str:
    """Apply a relation or function to some of the terms."""
    args = [rng.choice(terms) for _ in range(arity)]
    return f"({name} {' '.join(args)})" if args else name


def rule(rng: Random, head: str, words: Words, least: int = 0) -> str:
    """Give a head a body that binds all its variables."""
    body = [positive(rng, words) for _ in range(rng.randint(least, 3))]
    if rng.random() < 0.25:
        body.append(f"(or {positive(rng, words)} {positive(rng, words)})")
    text = " ".join([head, *body])
    bound = {v for v in VARIABLES if any(v in part for part in body if not part.startswith("(or"))}
    for variable in VARIABLES:
        if variable in text and variable not in bound:
            body.insert(0, f"(n {variable})")
    if "?r" in text:
        body.insert(0, "(role ?r)")
    usable = (*(v for v in VARIABLES if any(v in part for part in body)), "1", "2")
    body += [check(rng, words, usable) for _ in range(rng.randint(0, 2))]
    return f"(<= {head} {' '.join(body)})" if body else head


def positive(rng: Random, words: Words) -> str:
    kind = rng.randint(0, 5)
    if words.with_moves and kind < 3:
        move = rng.choice(sorted(MOVES))
        return f"(does {rng.choice(['r0', '?r'])} {atom(rng, move, MOVES[move], IN_BODIES)})"
    if kind < 4:
        name = rng.choice(sorted(FLUENTS))
        return f"(true {atom(rng, name, FLUENTS[name], IN_BODIES)})"
    name = rng.choice(sorted(words.asked))
    return atom(rng, name, words.asked[name], IN_BODIES)


def check(rng: Random, words: Words, usable: tuple[str, ...]) -> str:
    """Make a literal that binds nothing: a negation, or an inequality."""
    kind = rng.randint(0, 3)
    if kind == 0:
        return f"(distinct {rng.choice(usable)} {rng.choice(usable)})"
    if kind == 1 and words.with_moves:
        move = rng.choice(sorted(MOVES))
        return f"(not (does r0 {atom(rng, move, MOVES[move], usable)}))"
    if kind == 2:
        name = rng.choice(sorted(words.denied))
        return f"(not {atom(rng, name, words.denied[name], usable)})"
    name = rng.choice(sorted(FLUENTS))
    return f"(not (true {atom(rng, name, FLUENTS[name], usable)}))"


def frame_rule(rng: Random, name: str, arity: int) -> str:
    """Say that a fluent stays unless a move names its first argument."""
    fluent = f"({name} {' '.join(VARIABLES[:arity])})" if arity else name
    if not arity or rng.random() < 0.5:
        return f"(<= (next {fluent}) (true {fluent}) (not (does r0 noop)))"
    return f"(<= (next {fluent}) (true {fluent}) (does ?r (mark ?v)) (distinct ?v ?x))"


KINDS: dict[str, Callable[[Random], list[str]]] = {
    "bridge": bridge_game,
    "lines": lines_game,
    "loose": loose_game,
    "nim": nim_game,
    "pawns": pawns_game,
    "positions": positions_game,
    "pursuit": pursuit_game,
    "switches": switches_game,
}
