"""Game and role in, Scene out: which words stand for which fluents and moves, both ways."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from weakref import WeakKeyDictionary

from kibitz.engine import Game, Move, Role
from kibitz.engine.compiled import CompiledGame
from kibitz.errors import KibitzError
from kibitz.gdl import Function
from kibitz.render import CellRef, Layout, layout_of
from kibitz.render.lists import count_of
from kibitz.render.pieces import COLOURS, is_blank
from kibitz.render.statics import owner_of, owners_of
from kibitz.render.survey import Survey, look_at
from kibitz.strategy import read_strategy
from kibitz.strategy.images import Carrier, carriers_of
from kibitz.strategy.printing import write_formula
from kibitz.strategy.tree import And, Const, Formula, Holds, Not, Or, disjunction
from kibitz.words.lexicon import Lexicon
from kibitz.words.phrases import Content, PlainRule
from kibitz.words.places import BoardWords, Place, Target

__all__ = [
    "FORMULAS",
    "Scene",
    "Verb",
    "owned_pieces",
    "parts_of",
    "plain_words",
    "scene_of",
    "use_lexicon",
]

_FORK = "next (not terminal & next can({0}, next wins({0})))"
_MINE, _THEIRS = _FORK.format("me"), _FORK.format("opponent")
_WIN_LOOMS = "can(me, next can(opponent, next wins(opponent)))"
_FORK_LOOMS = f"can(me, next can(opponent, {_THEIRS}))"

FORMULAS = {
    f"{_WIN_LOOMS} & next next not wins(opponent)": (
        "this parries a threat to win at once",
        "that parries a threat to win at once",
    ),
    f"{_FORK_LOOMS} & next not can(opponent, {_THEIRS})": (
        "this keeps the opponent from making a double threat",
        "that keeps the opponent from making a double threat",
    ),
    "next wins(me)": ("this wins at once", "that wins at once"),
    _MINE: ("this makes a double threat", "that makes a double threat"),
    "next not wins(opponent)": ("this does not lose at once", "that does not lose at once"),
    "next next not wins(opponent)": (
        "no reply then wins for the opponent",
        "after which no reply wins for the opponent",
    ),
    "next next wins(me)": (
        "every reply then makes you win",
        "after which every reply makes you win",
    ),
    f"next not can(opponent, {_THEIRS})": (
        "the opponent then cannot make a double threat",
        "after which the opponent cannot make a double threat",
    ),
    _WIN_LOOMS: ("some move would let the opponent win at once", ""),
    _FORK_LOOMS: ("some move would let the opponent make a double threat", ""),
}
"""What formulas that every game has ask of a move, in words: after a move, and after *a move*.

A double threat is one that no reply parries: whatever is played next, the win can follow.
"""

_VERBS = {"mark": "take {1}", "place": "put one on {1}", "put": "put one on {1}"}
_MOTIONS = ("move", "jump", "slide", "go", "step", "hop", "push", "capture", "travel", "walk")
_STATES = ("on", "off", "up", "down", "lit", "dark", "full", "open", "closed", "burned", "visited")
_SAFE = re.compile(r"[\w-]+(?: [\w-]+)*")
_LEXICONS: WeakKeyDictionary[Game, Lexicon] = WeakKeyDictionary()
_SCENES: WeakKeyDictionary[Game, dict[Role, Scene]] = WeakKeyDictionary()
_SURVEYS: WeakKeyDictionary[Game, Survey] = WeakKeyDictionary()


def use_lexicon(game: Game, lexicon: Lexicon) -> None:
    """Have a game spoken of in these words."""
    _LEXICONS[game] = lexicon
    _SCENES.pop(game, None)


def scene_of(game: CompiledGame, role: Role) -> Scene:
    """Give the words of a game for a role, made once."""
    known = _SCENES.setdefault(game, {})
    if role not in known:
        known[role] = Scene(game, role, _LEXICONS.get(game, Lexicon()))
    return known[role]


def survey_of(game: Game) -> Survey:
    """Look at a game, once."""
    if game not in _SURVEYS:
        _SURVEYS[game] = look_at(game)
    return _SURVEYS[game]


def plain_words(name: str) -> str:
    """Take a name of the rules apart into words.

    >>> plain_words("moveTo"), plain_words("jump_over")
    ('move to', 'jump over')
    """
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    return re.sub(r"[_\-]+", " ", spaced).lower()


def owned_pieces(game: Game, layout: Layout) -> dict[str, Role]:
    """Tell whose the pieces are: by name or by a fact, and never put down by another in play."""
    owners = owners_of(game)
    found = {}
    for board in layout.boards:
        for piece in board.pieces:
            owner = owner_of(piece.name, owners)
            if owner and piece.shape != "blank":
                found[piece.name] = owner
    survey = survey_of(game)
    noops = {t.name for t in survey.moves if t.arity == 0}
    for step in (*survey.first_steps, *survey.steps):
        movers = {
            role
            for role, move in zip(game.roles, step.joint, strict=True)
            if move.args or move.name not in noops
        }
        for fluent in step.after - step.before:
            place = layout.place(fluent)
            if place and place.piece in found and movers and found[place.piece] not in movers:
                del found[place.piece]
    return found


def parts_of(condition: Formula) -> frozenset[Formula]:
    """Take a condition apart into what must hold together."""
    parts = condition.parts if isinstance(condition, And) else (condition,)
    return frozenset(normal(part) for part in parts if part != Const(True))


def normal(formula: Formula) -> Formula:
    """Give alternatives one order, so that equal ones are the same."""
    match formula:
        case Not(inner):
            return Not(normal(inner))
        case Or(parts) if all(isinstance(part, Holds) for part in parts):
            return Or(tuple(sorted(parts, key=write_formula)))
        case _:
            return formula


@dataclass(frozen=True)
class Verb:
    """How moves of one name are said: a template, with {1}, {2} for places and {v} for values."""

    template: str
    moves: dict[tuple[tuple[Target, ...], str], Move] = field(repr=False)


class Scene:
    """All words for a game as one of its roles sees it."""

    def __init__(self, game: CompiledGame, role: Role, lexicon: Lexicon) -> None:
        self.game, self.role, self.lexicon = game, role, lexicon
        self.layout = layout_of(game)
        network = game.network
        self.fluents = (*network.fluents, *(hidden.fluent for hidden in network.hidden))
        self.moves = network.moves[game.roles.index(role)]
        many = len(self.layout.boards) > 1
        self.boards = [
            BoardWords(
                number,
                board,
                dict(lexicon.cells),
                f" of {board.title or f'board {number + 1}'}" if many else "",
            )
            for number, board in enumerate(self.layout.boards)
        ]
        self.owners = owned_pieces(game, self.layout)
        self._said: dict[str, str] = {}
        """Whose words are whose: no two pieces have the same."""

    def named(self, role: Role) -> str:
        """Give what a role is called."""
        return self.lexicon.roles.get(role) or self.layout.called(role)

    @cached_property
    def places(self) -> dict[str, Place]:
        """Every phrase for a place by its text."""
        found: dict[str, Place] = {}
        for words in self.boards:
            found = {**words.by_text, **found}
        return found

    @cached_property
    def carriers(self) -> list[Carrier]:
        """The symmetries of the game; none where they are not known."""
        try:
            return carriers_of(self.game)
        except KibitzError:
            return []

    def images(self, rule: PlainRule) -> frozenset[PlainRule]:
        """Give a rule with all its images."""
        found = {rule}
        for carrier in self.carriers:
            moves = carrier.moves[self.role]
            literals = ((carrier.fluents.get(f, f), sign) for f, sign in rule.literals)
            found.add(
                PlainRule(
                    frozenset(literals),
                    frozenset(normal(carrier.formula(part)) for part in rule.asked),
                    frozenset(moves.get(move, move) for move in rule.moves),
                )
            )
        return frozenset(found)

    @cached_property
    def on_board(self) -> dict[Function, tuple[CellRef, Content]]:
        """Where each fluent that is shown on a cell stands, and what it says of it."""
        found: dict[Function, tuple[CellRef, Content]] = {}
        for fluent in self.fluents:
            place = self.layout.place(fluent)
            if place is None or place.cell is None or place.shows not in ("piece", "count"):
                continue
            content = self._content(place.cell.board, place.piece)
            if (place.cell, content) not in self._taken:
                self._taken.add((place.cell, content))
                found[fluent] = (place.cell, content)
        return found

    @cached_property
    def _taken(self) -> set[tuple[CellRef, Content]]:
        return set()

    @cached_property
    def fluent_at(self) -> dict[tuple[CellRef, Content], Function]:
        """The fluent that says something of a cell."""
        return {where: fluent for fluent, where in self.on_board.items()}

    @cached_property
    def contents(self) -> dict[str, Content]:
        """Everything that can be said of a cell, by its name."""
        found: dict[str, Content] = {}
        for _, content in self.on_board.values():
            found[content.one] = content
        return found

    def _content(self, number: int, name: str) -> Content:
        one, many, none = self._content_words(number, name)
        if self._said.setdefault(one, name) != name:
            one, many, none = (f"{verb} {name}" for verb in ("holds", "hold", "does not hold"))
        return Content(name, one, many, none)

    def _content_words(self, number: int, name: str) -> tuple[str, str, str]:
        """Say what a piece is to one cell, to several, and that it is not; "" for *is not*."""
        board = self.layout.boards[number]
        piece = board.piece(name)
        given = self.lexicon.pieces.get(name)
        if given:
            return f"holds {given}", f"hold {given}", f"does not hold {given}"
        if board.kind == "heaps":
            if count_of(name) == 0:
                return "is empty", "are empty", ""
            return f"has {name}", f"have {name}", f"does not have {name}"
        owner = self.owners.get(name)
        own = [n for n, who in self.owners.items() if who == owner and n in board.piece_of]
        state = ""
        if piece.shape == "blank" or (is_blank(name) and not board.has_blank):
            state = "free" if board.kind == "graph" else "empty"
        elif owner and len(own) == 1:
            state = "yours" if owner == self.role else self._whose(owner)
        elif name in _STATES or name in COLOURS:
            state = name
        elif len(board.pieces) == 1:
            state = "occupied"
        if state:
            return f"is {state}", f"are {state}", ""
        called = self.layout.called(name)
        if called == name and name.isalpha() and name.islower() and len(name) > 2:
            called = f"an {name}" if name[0] in "aeiou" else f"a {name}"
        return f"holds {called}", f"hold {called}", f"does not hold {called}"

    def _whose(self, role: Role) -> str:
        return "the opponent's" if len(self.game.roles) == 2 else f"{self.named(role)}'s"

    @cached_property
    def facts(self) -> dict[Function, tuple[str, str]]:
        """Words for each fluent that stands on no cell: that it holds, and that it does not."""
        found: dict[Function, tuple[str, str]] = {}
        texts: set[str] = set()
        for fluent in self.fluents:
            if fluent in self.on_board:
                continue
            yes, no = self._fact(fluent)
            if yes in texts or no in texts or not _SAFE.fullmatch(yes.replace("'", "")):
                plain = self.game.write(fluent)
                yes, no = f"{plain} holds", f"{plain} does not hold"
            texts |= {yes, no}
            found[fluent] = yes, no
        return found

    def _fact(self, fluent: Function) -> tuple[str, str]:
        pattern = self.layout.pattern(fluent)
        args = [str(arg) for arg in fluent.args]
        template = self.lexicon.fluents.get(fluent.name)
        if template:
            yes = _fill(template, [self.named(a) if a in self.game.roles else a for a in args])
            return yes, f"it is not so that {yes}"
        place = self.layout.place(fluent)
        if place and place.shows == "item" and place.cell:
            thing, where = place.piece, self.layout.cell(place.cell).name
            return f"{thing} is on {where}", f"{thing} is not on {where}"
        if pattern and pattern.shows == "turn" and len(args) == 1:
            whose = "your" if args[0] == self.role else self._whose(args[0])
            return f"it is {whose} turn", f"it is not {whose} turn"
        if pattern and pattern.shows == "counter" and 1 <= len(args) <= 2:
            subject = plain_words(fluent.name)
            if len(args) == 2:
                if args[0] not in self.game.roles:
                    subject += f" {args[0]}"
                else:
                    whose = "your" if args[0] == self.role else self._whose(args[0])
                    subject = f"{whose} {subject}"
            else:
                subject = f"the {subject}"
            return f"{subject} is {args[-1]}", f"{subject} is not {args[-1]}"
        return "", ""

    @cached_property
    def formulas(self) -> dict[frozenset[Formula], tuple[str, str]]:
        """Formulas that have words of their own, those of several parts first."""
        found: dict[frozenset[Formula], tuple[str, str]] = {}
        for text, words in FORMULAS.items():
            try:
                found[self.read_formula(text)] = words
            except KibitzError:  # such as the opponent where there is none
                continue
        for words_ in self.boards:
            groups: dict[str, list[CellRef]] = {}
            for ref in words_.refs if words_.is_rectangle and not words_.suffix else ():
                groups.setdefault(words_.kind_of[ref], []).append(ref)
            for kind, refs in groups.items():
                for content in self.contents.values():
                    held = [self.fluent_at.get((ref, content)) for ref in refs]
                    fluents = [Holds(f) for f in held if f is not None]
                    if len(fluents) == len(refs) > 1:
                        either = normal(disjunction(fluents))
                        found[frozenset({either})] = (f"some {kind} {content.one}", "")
                        found[frozenset({Not(either)})] = (f"no {kind} {content.one}", "")
        return found

    def read_formula(self, text: str) -> frozenset[Formula]:
        """Read a formula of the strategy language for the role, as its parts."""
        move = self.game.write(self.moves[0])
        strategy = read_strategy(f"symmetric none\n{text} => {move}", self.game)
        return parts_of(strategy.rules_for(self.role)[0].condition)

    @cached_property
    def every_move(self) -> frozenset[Move]:
        """All moves of the role that are made with something, or simply all."""
        return frozenset(move for move in self.moves if move.args) or frozenset(self.moves)

    @cached_property
    def verbs(self) -> dict[tuple[str, int], Verb]:
        """How the moves of each name are said; those made on no board have no verb."""
        found: dict[tuple[str, int], Verb] = {}
        used: set[str] = set()
        groups: dict[tuple[str, int], list[Move]] = {}
        for move in self.moves:
            groups.setdefault((move.name, len(move.args)), []).append(move)
        for key, moves in groups.items():
            made = self._made(moves)
            if made is None:
                continue
            template = self._template(moves[0], made)
            if template in used:
                template = f"{plain_words(key[0])}: {template}"
            used.add(template)
            found[key] = Verb(template, made)
        return found

    def _made(self, moves: Iterable[Move]) -> dict[tuple[tuple[Target, ...], str], Move] | None:
        """Sort moves by the places and the value that each is made with, if that tells them."""
        found: dict[tuple[tuple[Target, ...], str], Move] = {}
        for move in moves:
            gesture = self.layout.gesture(move)
            if gesture.kind == "button" or not gesture.cells:
                return None
            targets: tuple[Target, ...] = (
                (gesture.cells,)
                if gesture.kind == "click"
                else tuple((ref,) for ref in gesture.cells)
            )
            words = self.boards[gesture.cells[0].board]
            if any(t not in words.named and t not in words.lines for t in targets):
                return None
            if words.board.kind == "stacks" and len(targets) > 1:
                return None
            if gesture.value and not _SAFE.fullmatch(gesture.value):
                return None
            if (targets, gesture.value) in found:
                return None
            found[targets, gesture.value] = move
        return found

    def _template(self, move: Move, made: dict[tuple[tuple[Target, ...], str], Move]) -> str:
        given = self.lexicon.moves.get(move.name)
        targets, value = next(iter(made))
        size = len(targets)
        if given:
            for n in range(size + 1, 10):
                given = given.replace(f"{{{n}}}", "{v}")
            wanted = [*(f"{{{n + 1}}}" for n in range(size)), *(["{v}"] if value else [])]
            if all(given.count(part) == 1 for part in wanted):
                return given
        name = plain_words(move.name)
        if size > 1:
            middle = "".join(f" by {{{n}}}" for n in range(2, size))
            told = f"{name} from {{1}}{middle} to {{{size}}}"
            if size == 2 and name.split()[0] not in _MOTIONS:
                told = f"{_VERBS.get(name, f'{name} {{1}}')} and {{2}}"
            return f"{told} as {{v}}" if value else told
        if len(targets[0]) > 1:
            return f"{name} {{v}} in {{1}}" if value else f"{name} in {{1}}"
        if value:
            if self.boards[targets[0][0].board].board.kind == "stacks":
                return f"{name} {{v}} to {{1}}"
            word = self._counted(move)
            return f"{name} {{1}} {word} {{v}}" if word else f"{name} {{v}} at {{1}}"
        if name in _VERBS:
            return _VERBS[name]
        return f"{name} {{1}}"

    def _counted(self, move: Move) -> str:
        """Tell whether the value of a move on heaps is what is left, or what is taken."""
        ways = {"to", "by"}
        survey = survey_of(self.game)
        for step in (*survey.first_steps, *survey.steps):
            for made in step.joint:
                if (made.name, len(made.args)) != (move.name, len(move.args)):
                    continue
                gesture = self.layout.gesture(made)
                if not gesture.cells:
                    return ""
                before = self._count(gesture.cells[0], step.before)
                after = self._count(gesture.cells[0], step.after)
                value = count_of(gesture.value)
                if before is None or after is None or value is None:
                    return ""
                ways &= {w for w, n in (("to", after), ("by", before - after)) if n == value}
        return ways.pop() if len(ways) == 1 else ""

    def _count(self, ref: CellRef, fluents: Iterable[Function]) -> int | None:
        for fluent in fluents:
            place = self.layout.place(fluent)
            if place and place.cell == ref and place.shows == "count":
                return count_of(place.piece)
        return None

    @cached_property
    def likewise(self) -> str:
        """Say which images of a rule are meant beside it."""
        kinds: set[str] = set()
        for carrier in self.carriers[1:]:
            kinds.add(self._turning(carrier))
        if "other" in kinds or kinds == {"same"}:
            return ", or the like by symmetry"
        words = [word for word in ("turned", "mirrored") if word in kinds]
        return f", or the same {' or '.join(words)}" if words else ""

    def _turning(self, carrier: Carrier) -> str:
        """Tell what a symmetry does to the boards: it turns them, mirrors them, or else."""
        moved: dict[CellRef, CellRef] = {}
        for fluent, image in carrier.fluents.items():
            a, b = self.on_board.get(fluent), self.on_board.get(image)
            if (a is None) != (b is None) or (a and b and a[1] != b[1]):
                return "other"
            if a and b:
                moved[a[0]] = b[0]
        if not moved:
            return "other"
        points = [
            (complex(*_middle(self.boards, a)), complex(*_middle(self.boards, b)))
            for a, b in moved.items()
        ]
        if all(abs(a - b) < 1e-6 for a, b in points):
            return "same"
        is_flat = len({a.imag for a, _ in points}) == 1
        ways = (("turned", False), ("mirrored", True))
        for name, flip in reversed(ways) if is_flat else ways:
            if _is_isometry(points, flip):
                return name
        return "other"


def _middle(boards: list[BoardWords], ref: CellRef) -> tuple[float, float]:
    board = boards[ref.board].board
    if board.kind not in ("grid", "points", "holes", "hex", "strip"):
        return ref.cell * 7.3, ref.cell * ref.cell * 1.1
    cell = board.cells[ref.cell]
    return cell.x + 1000 * ref.board, cell.y


def _is_isometry(points: list[tuple[complex, complex]], flip: bool) -> bool:
    sources = [a.conjugate() if flip else a for a, _ in points]
    a0, b0 = sources[0], points[0][1]
    for a, (_, b) in zip(sources, points, strict=True):
        if abs(a - a0) > 1e-6:
            turn = (b - b0) / (a - a0)
            break
    else:
        return True
    close = (
        abs((b - b0) - turn * (a - a0)) < 1e-6 for a, (_, b) in zip(sources, points, strict=True)
    )
    return abs(abs(turn) - 1) < 1e-6 and all(close)


def _fill(template: str, values: list[str]) -> str:
    for number, value in enumerate(values, start=1):
        template = template.replace(f"{{{number}}}", value)
    return template
