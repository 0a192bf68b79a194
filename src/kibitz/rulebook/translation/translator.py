"""Rules in, a rule sheet in GDL out, with the sentences as comments.

Cells are `(cell COLUMN ROW CONTENT)` on a grid and `(cell NAME CONTENT)` elsewhere; the content is
`b` for empty, the role where each player has one kind of piece, else the role and the kind. What
players may do is `(option ROLE MOVE)`, legal for those in control. What moves do is `(becomes CELL
CONTENT)`; all other cells stay as they are.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from typing import TypeVar

from kibitz.rulebook import model as m
from kibitz.rulebook.model import ANYONE, EACH, OPPONENT, YOU
from kibitz.rulebook.sentences import GRAMMAR
from kibitz.rulebook.translation.ends import Ends
from kibitz.rulebook.translation.geometry import KNIGHT, OFFSETS, Cell, Geometry, geometry_of
from kibitz.rulebook.translation.moves import Moves
from kibitz.rulebook.translation.problems import RulesProblem, closest
from kibitz.rulebook.translation.sheet import Sheet
from kibitz.rulebook.translation.start import write_start
from kibitz.rulebook.translation.turns import write_turns

_Kind = TypeVar("_Kind", bound=m.Sentence)

MAX_PLAYERS = 6


def translate(rules: m.Rules, *, has_ends: bool = True) -> str:
    """Write the rules as GDL in KIF; raise RulesProblem for what makes no game.

    Without ends, the rules say how play goes on; something else says when it is over.
    """
    return Translation(_with_stocks(rules)).text(has_ends=has_ends)


def _with_stocks(rules: m.Rules) -> m.Rules:
    """Let players begin with none of what a choice gives them, if nothing else is said of it."""
    known = {stock.noun for stock in rules.all(m.Stock)}
    found: dict[str, m.Stock] = {}
    conditions = [
        one for end in rules.sentences if isinstance(end, m.End | m.Most) for one in end.conditions
    ]
    for score in rules.all(m.Score):
        turns = [one.count * score.count for one in conditions if isinstance(one, m.TurnsPlayed)]
        asked = [
            one.count for one in conditions if isinstance(one, m.Count) and one.kind == score.noun
        ]
        if score.noun not in known and (turns or asked):
            found[score.noun] = m.Stock(0, score.noun, max(asked or turns))
    return m.Rules.of([*rules.sentences, *found.values()])


class Translation:
    """What all parts of a translation share: board, players, kinds of pieces, and the sheet."""

    def __init__(self, rules: m.Rules) -> None:
        self.rules = rules
        self.sheet = Sheet()
        self.players = self._players()
        self.roles = tuple(name.lower() for name in self.players)
        self.is_simultaneous = rules.one(m.Simultaneous) is not None
        self.geometry: Geometry | None = geometry_of(rules)
        self.kinds, self.neutral = self._kinds()
        self.moves = [
            (rule, move)
            for rule in rules.all(m.MoveRule)
            for move in (*rule.moves, *(rule.then or ()))
        ]
        self._variables = 0
        if self.geometry is not None:
            self._note_starts(self.geometry)

    # Names

    def _players(self) -> tuple[str, ...]:
        named = self.single(m.Players)
        if named is None:
            hint = 'write such as "Players: White and Black."'
            raise RulesProblem("ENG002", "it is not said who plays", None, hint)
        names = named.names
        low = [name.lower() for name in names]
        if len(set(low)) < len(low):
            raise RulesProblem("ENG005", "two players have the same name", named)
        if len(names) > MAX_PLAYERS:
            raise RulesProblem("ENG004", f"at most {MAX_PLAYERS} players", named)
        for name in names:
            if not name.isascii() or name.lower() in ("b", "noop", "pass", "role", "true", "does"):
                why = (
                    "b stands for an empty cell"
                    if name in ("B", "b")
                    else "GDL has this word for something else"
                    if name.isascii()
                    else "names have the letters a to z"
                )
                message = f"{name} cannot be the name of a player: {why}"
                raise RulesProblem("ENG005", message, name, "give the player another name")
        return names

    def single(self, kind: type[_Kind]) -> _Kind | None:
        """Return the only sentence of a kind; two are a contradiction."""
        found = self.rules.all(kind)
        if len(found) > 1 and found[1] != found[0]:
            raise RulesProblem("ENG005", "this was said before, differently", found[1])
        return found[0] if found else None

    def role(self, player: str) -> str:
        """Return the role of a player's name."""
        low = player.lower()
        if low not in self.roles:
            hint = closest(player, self.players)
            if hint.startswith("known"):
                hint += f'; if {player} plays, write such as "Players: {player} and {low}."'
            raise RulesProblem("ENG003", f"no player is called {player}", player, hint)
        return low

    def number(self, role: str) -> int:
        """Return the number of a role in the order of turns."""
        return self.roles.index(role)

    def who(self, player: str) -> str:
        """Return the term for a player: a role, or the variable that stands for you."""
        return "?player" if player == YOU else self.role(player)

    def each(self, player: str) -> list[str]:
        """Return the roles that a name, you or each player may stand for."""
        return list(self.roles) if player in (YOU, EACH) else [self.role(player)]

    def fresh(self, name: str) -> str:
        """Return a variable that is used nowhere else."""
        self._variables += 1
        return f"?{name}{self._variables}"

    @property
    def has_control(self) -> bool:
        """Whether players take turns."""
        return len(self.roles) > 1 and not self.is_simultaneous

    # Pieces

    def _kinds(self) -> tuple[dict[str, list[str]], list[str]]:
        neutral = [one.kind for one in self.rules.all(m.Belongs)]
        kinds: dict[str, list[str]] = {role: [] for role in self.roles}

        def add(role: str, kind: str) -> None:
            if kind not in neutral and kind not in kinds[role]:
                kinds[role].append(kind)

        for start in self.rules.all(m.Start):
            if start.player == YOU:
                if start.kind not in neutral:
                    neutral.append(start.kind)
            else:
                for role in self.each(start.player):
                    add(role, start.kind)
        neutral += [one.kind for one in self.rules.all(m.Trail) if one.kind not in neutral]
        for rule in self.rules.all(m.MoveRule):
            for move in (*rule.moves, *(rule.then or ())):
                if isinstance(move, m.Switch | m.Bite | m.RemovePair) and move.kind not in neutral:
                    neutral.append(move.kind)
                for role in self.each(rule.player):
                    if isinstance(move, m.Put | m.Drop | m.PutLow):
                        add(role, move.kind)
                    if isinstance(move, m.LayDomino) and not kinds[role]:
                        add(role, "piece")
        for promotion in self.rules.all(m.Promotion):
            for role in self.roles:
                if promotion.kind in kinds[role]:
                    add(role, promotion.new)
        for own in kinds.values():  # a piece is whatever a player has, if that is of one kind
            if len(own) == 2 and "piece" in own:
                own.remove("piece")
        clash = [kind for kind in neutral if kind in self.roles or kind == "b"]
        if clash:
            raise RulesProblem("ENG005", f"{clash[0]} is the name of a player", clash[0])
        return kinds, list(dict.fromkeys(neutral))

    def _note_starts(self, geometry: Geometry) -> None:
        """Remember where the pieces of each player start."""
        for start in self.rules.all(m.Start):
            for role in self.each(start.player) if start.player != YOU else ():
                number = self.number(role)
                cells = geometry.region(start.region, number, start)
                geometry.starts.setdefault(number, []).extend(cells)

    @property
    def has_long_turns(self) -> bool:
        """Whether a turn may have several moves."""
        per_turn = self.rules.one(m.MovesPerTurn)
        return (
            (per_turn is not None and per_turn.count > 1)
            or self.rules.one(m.JumpAgain) is not None
            or any(rule.then for rule in self.rules.all(m.MoveRule))
        )

    @property
    def is_plain(self) -> bool:
        """Whether each player has at most one kind of piece."""
        return all(len(kinds) <= 1 for kinds in self.kinds.values())

    def content(self, role: str, kind: str) -> str:
        """Return what a cell holds with a player's piece on it."""
        if kind in self.neutral:
            return kind
        kinds = self.kinds[role]
        if kind == "piece" and len(kinds) == 1:
            kind = kinds[0]
        if kind not in kinds:
            raise RulesProblem(
                "ENG003",
                f"{role} has no {kind}",
                kind,
                closest(kind, [*kinds, *self.neutral]),
            )
        return role if self.is_plain else f"{role}_{kind}"

    def known_kind(self, kind: str) -> None:
        """Raise RulesProblem for a kind of piece that nobody has."""
        every = {one for kinds in self.kinds.values() for one in kinds} | set(self.neutral)
        if kind != "piece" and kind not in every:
            raise RulesProblem(
                "ENG003", f"there is no {kind}", kind, closest(kind, sorted({"piece", *every}))
            )

    def holds(self, cell: str, owner: str, kind: str, player: str) -> list[str]:
        """Return literals: a cell holds a piece of an owner; `player` is who you are."""
        self.known_kind(kind)
        if kind in self.neutral:
            return [f"(true (cell {cell} {kind}))"]
        if owner == ANYONE and kind == "piece":
            content = self.fresh("content")
            return [f"(true (cell {cell} {content}))", f"(distinct {content} b)"]
        before: list[str] = []
        if owner == YOU:
            holder = player
        elif owner in (OPPONENT, ANYONE):
            holder = self.fresh("other")
            before = [f"(role {holder})"]
            if owner == OPPONENT:
                before.append(f"(distinct {holder} {player})")
        else:
            holder = self.role(owner)
        if self.is_plain:
            owners = [role for role, kinds in self.kinds.items() if kind in kinds]
            if kind != "piece" and owner in (OPPONENT, ANYONE) and len(owners) == 1:
                only = [f"(distinct {owners[0]} {player})"] if owner == OPPONENT else []
                return [*only, f"(true (cell {cell} {owners[0]}))"]
            return [*before, f"(true (cell {cell} {holder}))"]
        content = self.fresh("piece")
        wanted = self.fresh("kind") if kind == "piece" else kind
        return [
            f"(true (cell {cell} {content}))",
            f"(owns {holder} {wanted} {content})",
            *(one for one in before if one.startswith("(distinct")),
        ]

    # Cells

    def at(self, suffix: str | int = "") -> str:
        """Return the variables of a cell."""
        if self.geometry is not None and self.geometry.is_grid:
            return f"?x{suffix} ?y{suffix}"
        return f"?c{suffix}"

    def empty(self, cell: str) -> str:
        """Return the literal: a cell is empty."""
        return f"(true (cell {cell} b))"

    @property
    def board(self) -> Geometry:
        """The board, which a sentence needs."""
        if self.geometry is None:
            hint = 'write such as "The board is a grid of 3 columns and 3 rows."'
            raise RulesProblem("ENG002", "it is not said what the board is", None, hint)
        return self.geometry

    def region(self, name: str, make: Callable[[int], Iterable[Cell]], cell: str, who: str) -> str:
        """Return the literal: a cell is in a region, which may differ from player to player."""
        cells = [list(make(number)) for number in range(len(self.roles))]
        if all(one == cells[0] for one in cells[1:]):
            self.later(*(f"({name} {' '.join(one)})" for one in cells[0]))
            return f"({name} {cell})"
        for role, own in zip(self.roles, cells, strict=True):
            self.later(*(f"({name} {role} {' '.join(one)})" for one in own))
        return f"({name} {who} {cell})"

    def later(self, *facts: str) -> None:
        """Add facts that do not change, at the end of the sheet."""
        self._statics.fact(*facts)

    # The sheet

    def text(self, *, has_ends: bool = True) -> str:
        """Write the sheet, with its ends or without."""
        sheet, rules = self.sheet, self.rules
        self._statics = Sheet()
        self._statics.section("What never changes.")
        self._used: set[str] = set()
        title = self.single(m.Title)
        sheet.section(*([title.name, ""] if title else []), *map(GRAMMAR.sentence, rules.sentences))
        sheet.section()
        sheet.fact(*(f"(role {role})" for role in self.roles))
        moves, ends = Moves(self), Ends(self)
        write_start(self)
        if not self.moves:
            hint = 'write such as "On your turn, place a piece on an empty cell."'
            raise RulesProblem("ENG002", "it is not said what a move is", None, hint)
        moves.write()
        write_turns(self)
        if has_ends:
            ends.write()
        self._steps()
        return str(sheet) + "\n" + str(self._statics)

    def hand(self, who: str, kind: str) -> str:
        """Return how the rule sheet names what a player has to place of a kind."""
        kinds = {one.kind for one in self.rules.all(m.Hand)}
        return f"hand {who}" if len(kinds) == 1 else f"hand {who} {kind}"

    def heaps(self) -> list[tuple[str, int]]:
        """Return the names and sizes of the piles."""
        piles = self.rules.one(m.Piles)
        return list(zip("abcdefghijklmnopqrst", piles.sizes, strict=False)) if piles else []

    def use_places(self) -> None:
        """List the cells of the board among what never changes."""
        if "place" in self._used:
            return
        self._used.add("place")
        geometry = self.board
        grid = geometry.board
        if isinstance(grid, m.Grid) and len(geometry.cells) == grid.columns * grid.rows:
            self._statics.rule("(square ?x ?y)", "(column ?x)", "(row ?y)")
            columns = list(dict.fromkeys(cell[0] for cell in geometry.cells))
            self._statics.fact(*(f"(column {name})" for name in columns))
            self._statics.fact(*(f"(row {number})" for number in range(1, grid.rows + 1)))
        else:
            self._statics.fact(*(f"(square {' '.join(cell)})" for cell in geometry.cells))

    def step(self, direction: str, start: str, end: str, only: Iterable[str]) -> str:
        """Return the literal: a step in a direction, which is one of these."""
        self._used.update(only)
        return f"(step {direction} {start} {end})"

    def adjacent(self, start: str, end: str, where: m.Sentence) -> str:
        """Return the literal: two cells are next to each other."""
        self._used.add("adjacent")
        ways = self.board.heads(("straight",), 0, where)
        self._used.update(ways)
        self._statics.rule(
            f"(adjacent {self.at(1)} {self.at(2)})",
            "(straight ?way)" if len(ways) < len(self._all_ways()) else "",
            f"(step ?way {self.at(1)} {self.at(2)})",
        )
        self._straight = ways
        return f"(adjacent {start} {end})"

    def _all_ways(self) -> list[str]:
        return [*OFFSETS, *KNIGHT] if self.board.is_grid else list(self.board.directions)

    def _steps(self) -> None:
        """Say what the directions that are used lead to."""
        if self.geometry is None:
            return
        statics = self._statics
        used = [name for name in self._all_ways() if name in self._used]
        if "adjacent" in self._used and len(self._straight) < len(self._all_ways()):
            statics.fact(*(f"(straight {name})" for name in self._straight))
        if not used:
            return
        if not self.board.is_grid:
            for name in used:
                pairs = self.board.steps[name].items()
                statics.fact(*(f"(step {name} {' '.join(a)} {' '.join(b)})" for a, b in pairs))
            return
        grid = self.board.board
        assert isinstance(grid, m.Grid)
        self.use_places()
        for name in used:
            dx, dy = {**OFFSETS, **KNIGHT}[name]
            x, xs = _shifted("?x", dx, "next_column")
            y, ys = _shifted("?y", dy, "next_row")
            statics.rule(
                f"(step {name} ?x ?y {x} {y})", "(square ?x ?y)", xs, ys, f"(square {x} {y})"
            )
        columns = list(dict.fromkeys(cell[0] for cell in self.board.cells))
        statics.fact(*(f"(next_column {a} {b})" for a, b in itertools.pairwise(columns)))
        statics.fact(*(f"(next_row {n} {n + 1})" for n in range(1, grid.rows)))


def _shifted(variable: str, by: int, relation: str) -> tuple[str, list[str]]:
    """Return the variable that is some steps on, and the literals that lead there."""
    names = [variable, *(f"{variable}{n + 2}" for n in range(abs(by)))]
    pairs = itertools.pairwise(names)
    literals = [f"({relation} {a} {b})" if by > 0 else f"({relation} {b} {a})" for a, b in pairs]
    return names[-1], literals
