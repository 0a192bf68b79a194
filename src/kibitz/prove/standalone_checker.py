"""Check a proof by `kibitz solve --search --certificate` with clingo alone, without Kibitz.

    python check_proof.py RULES.kif PROOF.json [POSITION.kif]

RULES.kif is what `kibitz show GAME --form kif` prints. The exit status is 0 if the claim is proved,
1 if positions were left out, and 2 if it is refused. States have numbers, many in a call of clingo.
"""

import hashlib
import json
import re
import sys
from collections import defaultdict
from graphlib import TopologicalSorter
from itertools import chain, product
from pathlib import Path
from typing import Any

import clingo

_KEYWORDS = {"role", "init", "true", "does", "next", "legal", "goal", "terminal"}
_END, _CUT, _BATCH = -1, -2, 500
_State = frozenset[clingo.Symbol]


def _require(holds: object, why: str) -> None:
    if not holds:
        raise ValueError(why)


def _parse(text: str) -> list[Any]:
    """Read KIF as tuples of a name and arguments; `(p)` and `p` are the same."""
    stack: list[list[Any]] = [[]]
    for token in re.findall(r"[()]|;[^\n]*|[^\s();]+", text):
        if token == "(":
            stack.append([])
        elif token == ")":
            (name,), *args = stack.pop()
            stack[-1].append((name, *args))
        elif token[0] != ";":
            stack[-1].append((token,))
    return stack[0]


def _written(node: Any) -> str:
    return f"({' '.join([node[0], *map(_written, node[1:])])})" if node[1:] else str(node[0])


def _as_term(node: Any) -> str:
    """Write a constant as a string, and a function as a tuple that begins with its name."""
    if node[0][0] == "?":
        return "V" + str(node[0]).encode().hex()
    name = '"' + node[0].replace("\\", "\\\\").replace('"', '\\"') + '"'
    return f"({','.join([name, *map(_as_term, node[1:])])})" if node[1:] else str(name)


def _as_text(symbol: clingo.Symbol) -> str:
    is_name = symbol.type == clingo.SymbolType.String
    return symbol.string if is_name else f"({' '.join(map(_as_text, symbol.arguments))})"


class _Game:
    def __init__(self, text: str) -> None:
        nodes = _parse(text)
        self.digest = hashlib.sha256(" ".join(map(_written, nodes)).encode()).hexdigest()
        rules = [node[1:] if node[0] == "<=" else (node,) for node in nodes]
        needs = [(rule[0][0], {*re.split(r"[\s()]+", _written(("", *rule)))}) for rule in rules]
        self.program, self.moving = "", set(_KEYWORDS)
        while more := {name for name, below in needs if below & self.moving} - self.moving:
            self.moving |= more
        for head, *body in rules:
            state = ["s(S)"] if head[0] in self.moving else []
            for way in product(*(self.ways(part, negated=False) for part in body)):
                self.program += f"{self.atom(head)} :- {', '.join([*state, *chain(*way)])}.\n"
        first = self.ask("role init", [frozenset()])[0]
        self.roles = first["role",]
        self.start: _State = frozenset(first["init",].values())
        _require("random" not in self.roles and "sees" not in dict(needs), "this is GDL-II")

    def atom(self, node: Any) -> str:
        relation = node[0] if node[0] in _KEYWORDS else "r" + node[0].encode().hex()
        terms = [*(["S"] if node[0] in self.moving else []), *map(_as_term, node[1:])]
        return f"{relation}({','.join(terms)})" if terms else relation

    def ways(self, node: Any, *, negated: bool) -> list[list[str]]:
        """Return conjunctions of literals; the formula holds if one of them does."""
        name, *args = node
        if name == "not":
            return self.ways(args[0], negated=not negated)
        if name == "or":
            parts = [self.ways(part, negated=negated) for part in args]
            return [[*chain(*way)] for way in product(*parts)] if negated else [*chain(*parts)]
        if name == "distinct":
            return [[f"{_as_term(args[0])} {'=' if negated else '!='} {_as_term(args[1])}"]]
        return [["not " * negated + self.atom(node)]]

    def ask(self, names: str, states: list[_State], facts: str = "") -> list[Any]:
        """Return what holds in each state by relation and first arguments: the last, by text."""
        facts += "".join(f"#show {name}/{n}." for name in names.split() for n in (1, 2, 3))
        for i, state in enumerate(states):
            facts += f"s({i})." + "".join(f"true({i},{fluent})." for fluent in state)
        control = clingo.Control(["2", "--warn=none"], logger=lambda _code, _message: None)
        control.add("base", [], self.program + facts)
        control.ground([("base", [])])
        with control.solve(yield_=True) as handle:
            models = [model.symbols(shown=True) for model in handle]
        _require(len(models) == 1, "the rules do not say one thing of a state")
        found: list[Any] = [defaultdict(dict) for _ in states]
        for atom in models[0]:
            number, *args = atom.arguments
            texts = list(map(_as_text, args)) or [""]
            found[number.number][atom.name, *texts[:-1]][texts[-1]] = args[-1] if args else ""
        return found

    def follow(self, start: _State, role: str, lists: list[Any]) -> list[Any]:
        """Return the goals at the ends that a part leads to, and None for what is left out."""
        marks, edges = {start: 0 if lists else _END}, dict[int, list[int]]()
        ends, new = list[Any](), [start]
        while new:
            batch, new = new[:_BATCH], new[_BATCH:]
            before, targets, does = list[_State](), list[int](), ""
            for state, said in zip(batch, self.ask("legal goal terminal", batch), strict=True):
                mark, legal = marks[state], {name: said["legal", name] for name in self.roles}
                _require((("terminal",) in said) == (mark == _END), "an end is marked wrongly")
                if mark in (_END, _CUT):
                    goals = {name: " ".join(said["goal", name]) for name in self.roles}
                    is_goal = [re.fullmatch("0*(100|[0-9]?[0-9])", goal) for goal in goals.values()]
                    _require(mark == _CUT or all(is_goal), "an end has not one goal for each role")
                    ends.append(None if mark == _CUT else goals)
                    continue
                _require(0 <= mark < len(lists) and mark not in edges, f"{mark} is no position")
                choosers = [name for name in legal if len(legal[name]) > 1]
                _require(all(legal.values()) and len(choosers) < 2, "roles do not take turns")
                mover, entry = [*choosers, role][0], lists[mark]
                moves = sorted(legal[mover])
                if choosers == [role]:
                    moves, entry = [move for move in moves if move == entry[0]], entry[1:]
                _require(len(moves) == len(entry), "a move is not legal, or a reply is missing")
                edges[mark] = [to for to in entry if to >= 0]
                targets += entry
                for move in moves:
                    for name, symbols in legal.items():
                        made = symbols[move if name == mover else min(symbols)]
                        does += f"does({len(before)},{self.roles[name]},{made})."
                    before.append(state)
            for said, to in zip(self.ask("next", before, does), targets, strict=True):
                after = frozenset(said["next",].values())
                new += [after] * (after not in marks)
                _require(type(to) is int and marks.setdefault(after, to) == to, "two numbers")
        _require(len(edges) == len(lists), "no line comes to some of the positions")
        TopologicalSorter(edges).prepare()  # a ValueError where play can go in circles
        return ends


def _check(game: _Game, start: _State, made: Any) -> bool:
    """Return whether nothing was left out of a proof; raise an error if it is none."""
    _require(set(made) == {"format", "rules", "start", "parts"}, "it has other fields")
    _require(made["format"] == "kibitz proof 2", "it is in another format")
    _require(made["rules"] == game.digest, "it is a proof for other rules")
    _require(made["start"] == sorted(map(_as_text, start)), "it begins in another state")
    roles, is_whole, sums = [part["role"] for part in made["parts"]], True, set[int]()
    _require(sorted(roles) == sorted(game.roles), "it has not one part for each role")
    for part in made["parts"]:
        role, goal, lists = (part[field] for field in ("role", "at_least", "positions"))
        _require((len(part), type(lists), type(goal)) == (3, list, int), "a part has other fields")
        if goal == 0 and not lists and len(roles) == 2:
            continue  # no goal is less
        ends = game.follow(start, role, lists)
        least = min((int(end[role]) for end in ends if end), default=101)
        is_shown = least == goal <= 100 or (None in ends and 0 <= goal < least)
        _require(is_shown, f"{role} is shown to get {least}")
        sums |= {sum(map(int, end.values())) for end in ends if end}
        is_whole &= None not in ends
    total = {sum(part["at_least"] for part in made["parts"])}
    _require(len(roles) != 2 or sums == total or not (sums or is_whole), "the goals do not add up")
    return is_whole


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    _require(len(dict(pairs)) == len(pairs), "a field is given twice")
    return dict(pairs)


def _main() -> int:
    try:
        rules, proof, *position = [Path(name).read_text("utf-8-sig") for name in sys.argv[1:]]
        game, made = _Game(rules), json.loads(proof, object_pairs_hook=_once)
        terms = [clingo.parse_term(_as_term(node)) for text in position for node in _parse(text)]
        is_whole = _check(game, frozenset(terms) if position else game.start, made)
    except Exception as error:
        print(f"refused: {str(error)[:300]}")
        return 2
    goals = ", ".join(f"{part['role']} {part['at_least']}" for part in made["parts"])
    print(f"{'proved' if is_whole else 'not proved, positions were left out'}: at least {goals}")
    print(f"  from {'the position' if position else 'the first state'}: {' '.join(made['start'])}")
    return 0 if is_whole else 1


if __name__ == "__main__":
    sys.exit(_main())
