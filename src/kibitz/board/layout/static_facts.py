"""A rule sheet in, fixed facts about its board out: which cells touch, who owns what.

Relations that no state changes are evaluated by the grounder, within a small budget; where that
fails, the board is drawn without them.
"""

from __future__ import annotations

import re

from kibitz.budget import Budget
from kibitz.engine import Game, dynamic_relations, ground_clauses
from kibitz.errors import KibitzError
from kibitz.gdl import (
    KEYWORD_ARITY,
    Atom,
    Clause,
    Function,
    RuleSheet,
    Variable,
    clauses_of,
    on_demand,
)

__all__ = ["Link", "find_links", "owner_of", "owners_of"]

Link = frozenset[tuple[str, ...]]

_BUDGET = Budget(seconds=1, bytes=1_000_000_000)
_MOST = 20_000
"""Tuples; a relation with more is not a list of neighbours."""


def find_links(sheet: RuleSheet) -> tuple[Link, ...]:
    """Find the relations of four or five constants that hold in every state, and listed pairs.

    >>> from kibitz.gdl import parse
    >>> text = "(succ 1 2) (row 1) (<= (beside ?r ?c ?r ?d) (row ?r) (succ ?c ?d))"
    >>> [sorted(link) for link in find_links(parse(text))]
    [[('1', '1', '1', '2')], [('1', '2')]]
    """
    plain = _plain_pairs(sheet)
    clauses = on_demand(clauses_of(sheet))
    dynamic = dynamic_relations(clauses)
    static = [c for c in clauses if c.head.relation not in dynamic]
    static = [c for c in static if c.head.relation not in KEYWORD_ARITY]
    arity = {c.head.relation: len(c.head.args) for c in static}
    wanted = {relation: n for relation, n in arity.items() if n in (4, 5)}
    if not wanted:
        return plain
    asked = []
    for relation, n in wanted.items():
        args = tuple(Variable(f"a{k}") for k in range(n))
        head = Atom("init", (Function(relation, args),))
        asked.append(Clause(head, (Atom(relation, args),)))
    try:
        rules = ground_clauses([*static, *asked], _BUDGET)
    except KibitzError:
        return plain
    found: dict[str, set[tuple[str, ...]]] = {relation: set() for relation in wanted}
    for name, (term, *_) in rules.facts:
        if name == "init":
            found[term.name].add(tuple(map(str, term.args)))
    links = (frozenset(rows) for rows in found.values() if 0 < len(rows) <= _MOST)
    return (*links, *plain)


def _plain_pairs(sheet: RuleSheet) -> tuple[Link, ...]:
    """Return the relations of two constants that are listed as facts, the shortest list first."""
    found: dict[str, set[tuple[str, ...]]] = {}
    mixed = {rule.head.relation for rule in sheet.rules if rule.body}
    for rule in sheet.rules:
        head = rule.head
        if len(head.args) == 2 and head.relation not in mixed | KEYWORD_ARITY.keys():
            found.setdefault(head.relation, set()).add((str(head.args[0]), str(head.args[1])))
    links = [frozenset(rows) for rows in found.values() if len(rows) <= _MOST]
    return tuple(sorted(links, key=lambda link: (len(link), sorted(link))))


def owners_of(game: Game) -> dict[str, str]:
    """Return the owner of each name, from names and from facts such as (sign xplayer x)."""
    owners = {role: role for role in game.roles}
    for rule in game.sheet.rules:
        head = rule.head
        if rule.body or len(head.args) < 2 or head.relation in KEYWORD_ARITY:
            continue
        named = [str(arg) for arg in head.args if isinstance(arg, Function) and not arg.args]
        if len(named) == len(head.args) and named[0] in game.roles and named[1] not in game.roles:
            owners.setdefault(named[1], named[0])
    return owners


_NUMBERED = re.compile(r"([a-z]+(?:_[a-z]+)*)([1-9])(?:_v?\d+)*")
"""A piece with the number of its owner, and perhaps with states behind it, such as king1_2."""


def owner_of(name: str, owners: dict[str, str]) -> str | None:
    """Return the owner of a piece: by facts, or because it is named after its role.

    >>> owner_of("whitepawn", {"white": "white"}), owner_of("bk", {"black": "black"})
    ('white', 'black')
    >>> owner_of("pawn2", {"p1": "p1", "p2": "p2"})
    'p2'
    """
    if name in owners:
        return owners[name]
    lower = name.lower()
    roles = sorted(set(owners.values()))
    if match := _NUMBERED.fullmatch(lower):
        numbered = [role for role in roles if re.fullmatch(rf"[a-z]+_?{match[2]}", role.lower())]
        if len(numbered) == 1:
            return numbered[0]
    for role in roles:
        if lower.startswith(role.lower()) or (role.lower().startswith(lower) and len(lower) == 1):
            return role
    initials = [role[:1].lower() for role in roles]
    if len(lower) == 2 and initials.count(lower[0]) == 1:
        return roles[initials.index(lower[0])]
    return None
