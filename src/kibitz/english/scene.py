"""Collect the words for the fluents, moves and symmetries of a game."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property

from kibitz.attached import Attached
from kibitz.board import COLOURS, CellRef, count_of, is_blank, layout_of
from kibitz.engine import CompiledGame, Game, Group, Move, Role, prove_groups
from kibitz.english.games.owners import owned_pieces
from kibitz.english.lexicon import Lexicon
from kibitz.english.places import BoardWords, CellPhrase, place_noun
from kibitz.english.rules.formula_phrases import FORMULAS, normal, parts_of
from kibitz.english.rules.phrases import Content, PlainRule
from kibitz.english.verbs import SAFE, Verb, VerbMaker, plain_words
from kibitz.errors import KibitzError
from kibitz.gdl import Function
from kibitz.space import choices_of
from kibitz.strategy import (
    Carrier,
    Formula,
    Holds,
    Not,
    carriers_of,
    disjunction,
    exchanges,
    named_symmetries,
    number_arguments,
    read_strategy,
    symmetry_words,
    write_term,
)


def turning_of(
    boards: Sequence[BoardWords],
    on_board: Mapping[Function, tuple[CellRef, Content]],
    carrier: Carrier,
) -> str:
    """Return whether a symmetry turns or mirrors the boards: turned, mirrored, same, or other."""
    moved: dict[CellRef, CellRef] = {}
    for fluent, image in carrier.fluents.items():
        a, b = on_board.get(fluent), on_board.get(image)
        if (a is None) != (b is None) or (a and b and a[1] != b[1]):
            return "other"
        if a and b:
            moved[a[0]] = b[0]
    if not moved:
        return "other"
    points = [
        (complex(*_middle(boards, a)), complex(*_middle(boards, b))) for a, b in moved.items()
    ]
    if all(abs(a - b) < 1e-6 for a, b in points):
        return "same"
    is_flat = len({a.imag for a, _ in points}) == 1
    ways = (("turned", False), ("mirrored", True))
    for name, flip in reversed(ways) if is_flat else ways:
        if _is_isometry(points, flip):
            return name
    return "other"


def _middle(boards: Sequence[BoardWords], ref: CellRef) -> tuple[float, float]:
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


_STATES = ("on", "off", "up", "down", "lit", "dark", "full", "open", "closed", "burned", "visited")
_LEXICONS: Attached[Game, Lexicon] = Attached()
_SCENES: Attached[Game, dict[Role, Scene]] = Attached()


def use_lexicon(game: Game, lexicon: Lexicon) -> None:
    """Describe a game in these words."""
    _LEXICONS[game] = lexicon
    _SCENES.pop(game)


def scene_of(game: CompiledGame, role: Role) -> Scene:
    """Return the words of a game for a role, made once."""
    known = _SCENES.setdefault(game, {})
    if role not in known:
        known[role] = Scene(game, role, _LEXICONS.setdefault(game, Lexicon()))
    return known[role]


def names_of(game: CompiledGame) -> dict[Role, str]:
    """Return the name of each role.

    >>> import kibitz
    >>> names_of(kibitz.load("tictactoe"))
    {'xplayer': 'X', 'oplayer': 'O'}
    """
    return {role: scene_of(game, role).named(role) for role in game.roles}


_NO_MARKS = str.maketrans("()_", "   ")


def plain_term(term: Function) -> str:
    """Write the parts of a term one after another.

    >>> from kibitz.gdl import parse_terms
    >>> plain_term(parse_terms("(move a (from_to 1 2))")[0])
    'move a from to 1 2'
    """
    return " ".join(str(term).translate(_NO_MARKS).split())


class Scene:
    """All words for a game as one of its roles sees it."""

    def __init__(self, game: CompiledGame, role: Role, lexicon: Lexicon) -> None:
        self.game, self.role, self.lexicon = game, role, lexicon
        self.layout = layout_of(game)
        network = game.network
        self.fluents = (*network.fluents, *(hidden.fluent for hidden in network.hidden))
        self.moves = network.moves[game.roles.index(role)]
        # Of a board whose cells are called as those of no other it need not be said which.
        nouns = [place_noun(board) for board in self.layout.boards]
        self.boards = [
            BoardWords(
                number,
                board,
                dict(lexicon.cells),
                ""
                if nouns.count(nouns[number]) == 1
                else f" of {board.title or f'board {number + 1}'}",
            )
            for number, board in enumerate(self.layout.boards)
        ]
        self.owners = owned_pieces(game, self.layout)
        self._said: dict[str, str] = {}
        """The words for pieces by role; no two pieces have the same."""

    def named(self, role: Role) -> str:
        """Return the name of a role."""
        return self.lexicon.roles.get(role) or self.layout.called(role)

    @cached_property
    def _plain(self) -> dict[Function, str]:
        """The words of terms with arguments, unless another term has the same."""
        network = self.game.network
        terms = {t for t in (*self.fluents, *(m for ms in network.moves for m in ms)) if t.args}
        words = {term: plain_term(term) for term in terms}
        often = Counter(words.values())
        return {term: f"“{text}”" for term, text in words.items() if often[text] == 1}

    def write(self, term: Function) -> str:
        """Write a fluent or move that no phrase says: its words in quotes, or as a term."""
        return self._plain.get(term) or self.game.write(term)

    def writings(self, term: Function) -> set[str]:
        """Return how a fluent or move may be written where sentences are read."""
        return {self.write(term), self.game.write(term)}

    @cached_property
    def places(self) -> dict[str, CellPhrase]:
        """Every phrase for a place by its text."""
        found: dict[str, CellPhrase] = {}
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
        """Return a rule with all its images."""
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
        """The cell of each fluent that is drawn on one, and what it says of it."""
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
    def pieces_at(self) -> dict[tuple[CellRef, str], Function]:
        """The fluent for a piece on a cell."""
        return {(ref, content.piece): fluent for fluent, (ref, content) in self.on_board.items()}

    @cached_property
    def single_cells(self) -> frozenset[CellRef]:
        """The cells that are proved to hold at most one piece."""
        return frozenset(
            ref
            for ref, fluents in self._on_cell.items()
            if len(fluents) == 1 or any(fluents <= set(members) for members, _ in self._groups(ref))
        )

    @cached_property
    def described_cells(self) -> frozenset[CellRef]:
        """The cells for which it is proved that a fluent always says what is on them."""
        found = {
            ref
            for ref, fluents in self._on_cell.items()
            if any(is_exact and set(members) <= fluents for members, is_exact in self._groups(ref))
        }
        # Several relations may say what is on a cell, which the groups do not cover.
        number = {fluent: i for i, fluent in enumerate(self.game.network.fluents)}
        rows = {
            ref: tuple(sorted(number[fluent] for fluent in fluents))
            for ref, fluents in self._on_cell.items()
            if ref not in found and fluents <= number.keys()
        }
        proved = prove_groups(self.game.network, rows.values()) if rows else frozenset()
        return frozenset(found | {ref for ref, row in rows.items() if Group(row, True) in proved})

    @cached_property
    def _on_cell(self) -> dict[CellRef, set[Function]]:
        found: dict[CellRef, set[Function]] = {}
        for fluent, (ref, _) in self.on_board.items():
            found.setdefault(ref, set()).add(fluent)
        return found

    @cached_property
    def _groups_of(self) -> dict[Function, list[tuple[tuple[Function, ...], bool]]]:
        found: dict[Function, list[tuple[tuple[Function, ...], bool]]] = {}
        for group in self.game.grounding.groups:
            for fluent in group[0]:
                found.setdefault(fluent, []).append(group)
        return found

    def _groups(self, ref: CellRef) -> list[tuple[tuple[Function, ...], bool]]:
        """Return the proved groups of fluents that have a fluent of a cell."""
        return [group for fluent in self._on_cell[ref] for group in self._groups_of.get(fluent, ())]

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
        """Return the phrases for a piece on one cell, on several, and on none; "" for *is not*."""
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
        numbered = re.fullmatch(r"([a-z]{3,})\d", name)
        if called == name and owner and numbered:
            whose = "your" if owner == self.role else self._whose(owner)
            called = f"{whose} {numbered[1]}"
        if called == name and name.isalpha() and name.islower() and len(name) > 2:
            called = f"an {name}" if name[0] in "aeiou" else f"a {name}"
        return f"holds {called}", f"hold {called}", f"does not hold {called}"

    def _whose(self, role: Role) -> str:
        return "the opponent's" if len(self.game.roles) == 2 else f"{self.named(role)}'s"

    @cached_property
    def facts(self) -> dict[Function, tuple[str, str]]:
        """Phrases for each fluent that is on no cell: that it holds, and that it does not."""
        found: dict[Function, tuple[str, str]] = {}
        texts: set[str] = set()
        for fluent in self.fluents:
            if fluent in self.on_board:
                continue
            yes, no = self._fact(fluent)
            if yes in texts or no in texts or not SAFE.fullmatch(yes.replace("'", "")):
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
            return yes, f"it is not true that {yes}"
        place = self.layout.place(fluent)
        if place and place.shows == "item" and place.cell:
            thing, where = place.piece, self.layout.cell(place.cell).name
            return f"{thing} is on {where}", f"{thing} is not on {where}"
        if pattern and pattern.shows == "turn" and len(args) == 1:
            whose = "your" if args[0] == self.role else self._whose(args[0])
            return f"it is {whose} turn", f"it is not {whose} turn"
        if pattern and pattern.shows == "label" and len(args) == 1 and SAFE.fullmatch(args[0]):
            of = self.named(args[0]) if args[0] in self.game.roles else args[0]
            subject = f"the {plain_words(fluent.name)}"
            return f"{subject} is {of}", f"{subject} is not {of}"
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
            verb = "are" if subject.endswith("s") else "is"
            return f"{subject} {verb} {args[-1]}", f"{subject} {verb} not {args[-1]}"
        return "", ""

    @cached_property
    def formulas(self) -> dict[frozenset[Formula], tuple[str, str]]:
        """Formulas that have fixed phrases, those of several parts first."""
        found: dict[frozenset[Formula], tuple[str, str]] = {}
        for text, words in FORMULAS.items():
            try:
                found[self.read_formula(text)] = words
            except KibitzError:  # such as the opponent where there is none
                continue
        for name in (*named_symmetries(self.game), *exchanges(self.game)):
            said = f"the position looks the same after {symmetry_words(name)}"
            parts = self.read_formula(f"next unchanged({name})")
            found[parts] = (f"after the move {said}", f"after which {said}")
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
        rules = strategy.rules_for(self.role)
        if not rules:  # such as `at(nearer)` of a move that comes no nearer
            raise KibitzError(f"{text} never holds of {move}")
        return parts_of(rules[0].condition)

    @cached_property
    def numbered(self) -> dict[str, str]:
        """The argument of each fluent that is a number, as NAME.N, where only one of them is."""
        found: dict[str, set[str]] = {}
        for name, index in number_arguments(self.game):
            found.setdefault(name, set()).add(f"{name}.{index}")
        return {name: min(all_) for name, all_ in found.items() if len(all_) == 1}

    @cached_property
    def pattern_words(self) -> dict[str, str]:
        """Words for fluents that differ in one argument, by their pattern: pieces in a line, say.

        Also for all of one kind on a board. No two patterns have the same words.
        """
        groups: dict[Function, list[Function]] = {}
        for fluent in self.fluents:
            for index in range(len(fluent.args)):
                args = (*fluent.args[:index], Function("_"), *fluent.args[index + 1 :])
                groups.setdefault(Function(fluent.name, args), []).append(fluent)
        found: dict[str, str] = {}
        for pattern, members in groups.items():
            said = self._pattern_words(pattern, members)
            if said and len(members) > 1 and said not in found.values():
                found[write_term(pattern)] = said
        return found | self._kind_words

    @cached_property
    def _kind_words(self) -> dict[str, str]:
        """Words for all pieces of one kind, by the pattern of their fluents."""
        kinds: dict[tuple[str, int, str], list[Function]] = {}
        for fluent in self.fluents:
            place = self.layout.place(fluent)
            if place and place.cell:
                key = (fluent.name, place.cell.board, str(place.piece))
                kinds.setdefault(key, []).append(fluent)
        found: dict[str, str] = {}
        for (name, board, piece), members in kinds.items():
            columns = list(zip(*(fluent.args for fluent in members), strict=False))
            args = [values[0] if len(set(values)) == 1 else Function("_") for values in columns]
            is_whole = len(members) == len(self.layout.boards[board].cells)
            if is_whole and args.count(Function("_")) > 1:
                said = "empty cells" if is_blank(piece) else f"{plain_words(piece)} on the board"
                if said not in found.values():
                    found[write_term(Function(name, tuple(args)))] = said
        return found

    def _pattern_words(self, pattern: Function, members: list[Function]) -> str:
        placed = [self.layout.place(fluent) for fluent in members]
        cells = {place.cell for place in placed if place and place.cell}
        pieces = {str(place.piece) for place in placed if place}
        fixed = [str(arg) for arg in pattern.args if str(arg) != "_"]
        name = plain_words(pattern.name)
        groups = self._groups_of.get(members[0], [])
        if any(set(members) <= set(group) for group, _ in groups):
            # Only one of them holds: the number of something that has a name.
            return (
                f"{name} {' '.join(fixed)}"
                if fixed and all(arg.isidentifier() for arg in fixed)
                else ""
            )
        if len(cells) == len(members) and len(pieces) == 1:
            for words in self.boards:
                for target, phrase in words.lines.items():
                    if set(target) == cells:
                        return f"{plain_words(pieces.pop())} in {phrase.text}"
            if len(fixed) == 1 and fixed[0].isalpha():
                plain = name[-1] not in "shuxy"
                return f"{name}s that are {fixed[0]}" if plain else f"places with {fixed[0]}"
        return "" if fixed else f"places with {name}"

    @cached_property
    def every_move(self) -> frozenset[Move]:
        """All moves of the role that are made with something, or simply all."""
        return frozenset(move for move in self.moves if move.args) or frozenset(self.moves)

    @cached_property
    def all_moves(self) -> frozenset[Move]:
        """All moves of the role: `every_move`, with others if they are ever a choice."""
        others = frozenset(self.moves) - self.every_move
        is_choice = bool(others) and not others.isdisjoint(choices_of(self.game))
        return frozenset(self.moves) if is_choice else self.every_move

    def named_moves(self, moves: frozenset[Move]) -> frozenset[Move]:
        """Return moves without those that are never a choice, if they are all of the role's."""
        return self.all_moves if moves == frozenset(self.moves) else moves

    @cached_property
    def verbs(self) -> dict[tuple[str, int], Verb]:
        """The verb of the moves of each name; those made on no board have no verb."""
        return VerbMaker(self.game, self.layout, self.boards, self.lexicon).verbs(self.moves)

    @cached_property
    def likewise(self) -> str:
        """Describe which images of a rule are meant with it."""
        kinds = {turning_of(self.boards, self.on_board, carrier) for carrier in self.carriers[1:]}
        if "other" in kinds or kinds == {"same"}:
            return ", or the like by symmetry"
        words = [word for word in ("turned", "mirrored") if word in kinds]
        return f", or the same {' or '.join(words)}" if words else ""


def _fill(template: str, values: list[str]) -> str:
    for number, value in enumerate(values, start=1):
        template = template.replace(f"{{{number}}}", value)
    return template
