"""Describe the rules of a game in a few plain sentences, each proved or played.

Boards are described from the layout; turns, moves and ends from all reachable states, where these
are known; and what wins from the gates of the goals. Where that is impossible, names of the rule
sheet are used, or nothing is said.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile

import numpy as np

from kibitz.board import CellRef
from kibitz.engine import CompiledGame, Move, Role
from kibitz.english.games.endings import turns_by_gates
from kibitz.english.games.outcomes import Results
from kibitz.english.games.patterns import plural_of
from kibitz.english.places import BoardWords
from kibitz.english.rules.phrases import Content
from kibitz.english.scene import Scene, scene_of
from kibitz.english.verbs import Verb, plain_words
from kibitz.gdl import Function, RuleSheet
from kibitz.space import SEVERAL, StateSpace
from kibitz.strategy import Columns, Numbers, columns_of
from kibitz.wording import IN_WORDS, join_words, number_word

_MOST_WORK = 40_000_000


def left_behind(scene: Scene, verb: Verb) -> list[Content | None]:
    """Return for each place of a verb's moves what is there afterwards, if always the same.

    All moves are evaluated side by side, one bit for each: what every node of the network can be
    when the move is legal and made, whatever else holds.
    """
    network = scene.game.network
    moves = list(verb.moves.items())
    places = len(moves[0][0][0])
    if len(moves) * len(network.gates) > _MOST_WORK or not all(
        len(target) == 1 for (targets, _), _ in moves for target in targets
    ):
        return [None] * places
    can = _Possible(scene, [move for _, move in moves])
    found: list[Content | None] = []
    for index in range(places):
        refs = [targets[index][0] for (targets, _), _ in moves]
        found.append(
            next(
                (
                    content
                    for content in scene.contents.values()
                    if all(
                        can.stands(bit, scene.pieces_at.get((ref, content.piece)))
                        for bit, ref in enumerate(refs)
                    )
                ),
                None,
            )
        )
    return found


class _Possible:
    """What nodes can be once each of some moves is made: a bit for each move."""

    def __init__(self, scene: Scene, moves: list[Move]) -> None:
        self.network = network = scene.game.network
        role = scene.game.roles.index(scene.role)
        first = network.first_move + sum(map(len, network.moves[:role]))
        every = (1 << len(moves)) - 1
        known: dict[int, int] = {}
        """Literals that hold when a move is legal and made, by the bits of these moves."""
        for bit, move in enumerate(moves):
            number = network.moves[role].index(move)
            for other in range(len(network.moves[role])):
                literal = 2 * (first + other) + (other != number)
                known[literal] = known.get(literal, 0) | 1 << bit
            for literal in _conditions(scene, network.legal[role][number]):
                known[literal] = known.get(literal, 0) | 1 << bit
        self._fill(every, known)
        node = network.first_move
        for place, (others, legal) in enumerate(zip(network.moves, network.legal, strict=True)):
            for number in range(len(others)):
                if place != role:
                    known[2 * node + 1] = every & ~self.true(legal[number])
                node += 1
        self._fill(every, known)
        self.number = {fluent: index for index, fluent in enumerate(network.fluents)}
        self.hidden = {hidden.fluent: hidden.unless for hidden in network.hidden}

    def _fill(self, every: int, known: dict[int, int]) -> None:
        self.yes, self.no = [0], [every]
        for node in range(1, self.network.first_gate):
            self._add(node, every, every, known)
        for node, (a, b) in enumerate(self.network.gates, start=self.network.first_gate):
            yes = self.true(a) & self.true(b)
            self._add(node, yes, self.true(a ^ 1) | self.true(b ^ 1), known)

    def _add(self, node: int, yes: int, no: int, known: dict[int, int]) -> None:
        self.yes.append(yes & ~known.get(2 * node + 1, 0))
        self.no.append(no & ~known.get(2 * node, 0))

    def true(self, literal: int) -> int:
        """Return for which moves a literal can hold."""
        return (self.no if literal & 1 else self.yes)[literal >> 1]

    def stands(self, bit: int, fluent: Function | None) -> bool:
        """Return whether a fluent holds after a move, whatever else there is."""
        if fluent is None:
            return False
        if fluent in self.number:
            return not self.true(self.network.next[self.number[fluent]] ^ 1) >> bit & 1
        if fluent not in self.hidden:
            return False
        return not any(self.true(self.network.next[i]) >> bit & 1 for i in self.hidden[fluent])


def _conditions(scene: Scene, literal: int) -> list[int]:
    """Split a conjunction."""
    network = scene.game.network
    found, stack = [], [literal]
    while stack:
        top = stack.pop()
        found.append(top)
        node = (top >> 1) - network.first_gate
        if node >= 0 and not top & 1:
            stack += network.gates[node]
    return found


def story_of(game: CompiledGame, space: StateSpace | None = None) -> list[str]:
    """Describe the rules of a game; with all its states in `space`, it can say more.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore
    >>> game = CompiledGame(load_sheet("nim:1,2"))
    >>> for line in story_of(game, explore(game)):
    ...     print(line)
    Two players, Player 1 and Player 2, take turns; Player 1 begins.
    There are two heaps: heap a with 1 and heap b with 2.
    A move is to reduce a heap to a smaller number.
    Play ends when all heaps are empty; whoever moved last wins.

    Where the rule sheet has the rules in words, as those from other languages do, they are quoted.
    """
    own = _words_of(game.sheet)
    if own:
        return ["In the words of the rule sheet:", *own]
    is_whole = space is not None and space.is_complete and not space.is_reduced
    whole = space if is_whole else None
    story = _Story(game, whole)
    results = Results(game, whole, story.columns, story.due)
    lines = [story.players(), *story.boards(), *story.moves(), *results.wins(), *results.ends()]
    lines += results.goals()
    return [line for line in lines if line]


def _words_of(sheet: RuleSheet) -> list[str]:
    """Return the sentences of a rule sheet's first comment, if these are the rules in words.

    >>> from kibitz.gdl import parse
    >>> _words_of(parse("; The rules in words:\\n; Take one.\\n; Who takes none loses.\\n(role a)"))
    ['Take one.', 'Who takes none loses.']
    """
    lines = takewhile(lambda line: line.startswith(";"), sheet.source.text.splitlines())
    first, *rest = [line.lstrip("; ").rstrip() for line in lines] or [""]
    return [line for line in rest if line] if first == IN_WORDS else []


@dataclass
class _Story:
    game: CompiledGame
    space: StateSpace | None

    def __post_init__(self) -> None:
        self.scene: Scene = scene_of(self.game, self.game.roles[0])
        self.columns: Columns | None = columns_of(self.space) if self.space is not None else None

    def named(self, role: Role) -> str:
        return self.scene.named(role)

    def players(self) -> str:
        roles = [self.named(role) for role in self.game.roles]
        if len(roles) == 1:
            return "A puzzle for one player."
        who = f"{number_word(len(roles)).capitalize()} players, {join_words(roles)}"
        if self.space is None:
            begins = turns_by_gates(self.game)
            return f"{who}, take turns; {self.named(begins)} begins." if begins else f"{who}."
        turn, over = self.space.turn, self.space.terminal
        if (turn[~over] == SEVERAL).all():
            return f"{who}, choose their moves at the same time."
        if self._takes_turns():
            return f"{who}, take turns; {roles[int(turn[0])]} begins."
        return f"{who}."

    def _takes_turns(self) -> bool:
        """Return whether roles have the choice in their order, whatever is played."""
        return self.due is not None

    @cached_property
    def due(self) -> Numbers | None:
        """Whose turn it is in every state, if roles take turns; also where no role has a choice."""
        if self.space is None or self.columns is None:
            return None
        turn = self.space.turn.astype(np.int64)
        if turn[0] < 0 or (turn == SEVERAL).any():
            return None
        source, target = self.columns.source, self.space.target
        roles = len(self.game.roles)
        due = np.full(len(self.space), -1, dtype=np.int64)
        due[0] = turn[0]
        bounds = zip(self.space.layers, (*self.space.layers[1:], len(self.space)), strict=True)
        for start, end in bounds:
            edges = slice(self.space.first_edge[start], self.space.first_edge[end])
            after = (due[source[edges]] + 1) % roles
            known = due[target[edges]]
            due[target[edges]] = np.where(known < 0, after, known)
        is_right = ((due[source] + 1) % roles == due[target]).all()
        in_turn = (turn < 0) | (turn == due)
        return due if is_right and in_turn[~self.space.terminal].all() else None

    def boards(self) -> list[str]:
        return [self._board(words) for words in self.scene.boards[:3]]

    def _board(self, words: BoardWords) -> str:
        board = words.board
        count = len(board.cells)
        title = words.suffix and f" ({words.suffix.strip()})"
        if board.kind == "heaps":
            held = [self._held(ref) for ref in words.refs]
            names = [
                f"{words.named[(ref,)].text} with {content.piece}" if content else ""
                for ref, content in zip(words.refs, held, strict=True)
            ]
            plural = plural_of(board.title or "heap")
            return f"There are {number_word(count)} {plural}: {join_words(names)}." * all(names)
        if board.kind == "graph":
            points = len(board.points)
            every = count == points * (points - 1) // 2
            joined = "each joined to every other" if every else f"joined by {count} lines"
            return f"There are {number_word(points)} points, {joined}.{self._start(words)}"
        if board.kind == "strip":
            plural = plural_of(board.title or "cell")
            return f"There are {number_word(count)} {plural} in a row{title}.{self._start(words)}"
        if board.kind == "stacks":
            return ""
        plural = plural_of(words.noun)
        if words.is_rectangle:
            size = f"{len(words.ys)} by {len(words.xs)}"
            return f"The board has {size} {plural}{title}.{self._start(words)}"
        return f"The board has {count} {plural}{title}.{self._start(words)}"

    def _held(self, ref: CellRef) -> Content | None:
        initial = self.game.initial().fluents
        found = [self.scene.on_board[f] for f in initial if f in self.scene.on_board]
        return next((content for where, content in found if where == ref), None)

    def _start(self, words: BoardWords) -> str:
        """Describe the initial board."""
        held = [(ref, content) for ref in words.refs if (content := self._held(ref))]
        blank = ("is empty", "is free")
        men = [(ref, content) for ref, content in held if content.one not in blank]
        if not men:
            word = "free" if words.board.kind == "graph" else "empty"
            return f" All are {word} at first." if len(held) == len(words.refs) else ""
        if len(men) == 1:
            ref, content = men[0]
            return f" At first {words.named[(ref,)].text} {self._neutral(content, 1)}."
        counts = Counter(content for _, content in men)
        if len(counts) == 1 and len(men) == len(words.refs):
            return f" All {self._neutral(men[0][1], 2)} at first."
        if len(counts) > 4:
            return ""
        parts = []
        for content, n in counts.items():
            rows = _whole_rows(words, {ref for ref, c in men if c == content})
            phrase = self._neutral(content, 2 if rows.endswith("s") else 1 if rows else n)
            parts.append(f"{rows or number_word(n)} {phrase}")
        return f" At first {join_words(parts)}."

    def _neutral(self, content: Content, count: int) -> str:
        """Describe what is on cells without saying whose it is."""
        if content.one.startswith("is ") and content.piece not in self.scene.owners:
            return content.one if count == 1 else content.many
        called = self.scene.layout.called(content.piece)
        return f"{'holds' if count == 1 else 'hold'} {called}"

    def moves(self) -> list[str]:
        """Describe the moves, for roles with the same moves together."""
        by_role: dict[Role, list[str]] = {}
        for role in self.game.roles:
            scene = scene_of(self.game, role)
            groups: dict[tuple[str, int], list[Move]] = {}
            for move in scene.moves:
                groups.setdefault((move.name, len(move.args)), []).append(move)
            plain = []
            by_role[role] = []
            for key, moves in groups.items():
                if key in scene.verbs:
                    kind = self._kind_of_move(scene, role, key)
                    by_role[role].append(
                        kind.removeprefix("move ")
                        if kind.startswith("move from ")
                        else f"to {kind}"
                    )
                elif moves[0].args:
                    by_role[role].append(f"to {_offered(moves)}")
                elif not self._is_waiting(role, moves):
                    plain += moves
            if plain:
                names = [self.game.write(move) for move in plain[:8]]
                more = [f"{len(plain) - 8} more"] if len(plain) > 8 else []
                by_role[role].append(join_words([*names, *more]))
        alike: dict[str, list[Role]] = {}
        for role, ways in by_role.items():
            if ways:
                alike.setdefault(", or ".join(ways), []).append(role)
        lines = []
        for text, roles in alike.items():
            everyone = len(roles) == len(self.game.roles)
            who = "A" if everyone else f"For {join_words([self.named(r) for r in roles])}, a"
            several = not text.startswith(("to ", "from ")) and (" and " in text or ", or " in text)
            start = f"{who[:-1]}{'M' if everyone else 'm'}oves are" if several else f"{who} move is"
            lines.append(f"{start} {text}.")
        return lines

    def _is_waiting(self, role: Role, moves: list[Move]) -> bool:
        """Return whether a move without arguments is only made where the role has no choice."""
        if self.space is None or self.columns is None:
            return moves[0].name == "noop"
        index = self.game.roles.index(role)
        made = np.array([joint[index] in moves for joint in self.space.joint_moves], dtype=bool)
        edges = made[self.space.action]
        return not self.columns.to_move(role)[self.columns.source[edges]].any()

    def _kind_of_move(self, scene: Scene, role: Role, key: tuple[str, int]) -> str:
        verb = scene.verbs[key]
        (targets, value) = next(iter(verb.moves))
        words = scene.boards[targets[0][0].board]
        noun = (words.noun or "place") if len(targets[0]) == 1 else "column"
        if len(targets[0]) > 1 and words.lines[targets[0]].text.startswith("row"):
            noun = "row"
        if words.board.kind == "graph":
            noun = "line"
        asked = [
            self._asked(scene, role, [(t[n], m) for (t, _), m in verb.moves.items()])
            for n in range(len(targets))
        ]
        nouns = [_with(noun, adjective) for adjective in asked]
        text = verb.template
        for number, phrase in enumerate(nouns, start=1):
            text = text.replace(f"{{{number}}}", phrase)
        if value:
            values = list(dict.fromkeys(v for _, v in verb.moves))
            phrase = " or ".join(values) if len(values) < 7 else "one of several things"
            if words.board.kind == "heaps":
                phrase = "a smaller number" if self._is_smaller(scene, role, key) else "a number"
            text = text.replace("{v}", phrase)
        if len(targets) == 2 and words.is_rectangle and text.endswith(nouns[1]):
            apart = {
                max(abs(a - b) for a, b in zip(words.at(t[0][0]), words.at(t[1][0]), strict=True))
                for t, _ in verb.moves
            }
            text += " next to it" * (apart == {1})
        return text + _leaving(scene, verb)

    def _asked(
        self, scene: Scene, role: Role, targets: list[tuple[tuple[CellRef, ...], Move]]
    ) -> str:
        """Describe what is on the place of a move whenever it is made, if always the same."""
        if self.space is None or self.columns is None:
            return ""
        index = self.game.roles.index(role)
        kinds: set[Content] | None = None
        for target, move in targets:
            if len(target) != 1:
                return ""
            made = np.array([joint[index] == move for joint in self.space.joint_moves], dtype=bool)
            states = self.columns.source[made[self.space.action]]
            states = states[self.columns.to_move(role)[states]]
            if not len(states):
                continue
            found = {
                content
                for (ref, content), fluent in scene.fluent_at.items()
                if ref == target[0] and self.columns.fluent(fluent)[states].all()
            }
            kinds = found if kinds is None else kinds & found
        words = {"is empty": "empty", "is free": "free", "is yours": "own"}
        return next((words[c.one] for c in kinds or () if c.one in words), "")

    def _is_smaller(self, scene: Scene, role: Role, key: tuple[str, int]) -> bool:
        """Return whether moves always leave less on a heap than there was."""
        verb = scene.verbs[key]
        if self.space is None or self.columns is None or not verb.template.endswith(" to {v}"):
            return False
        index = self.game.roles.index(role)
        for (targets, value), move in verb.moves.items():
            made = np.array([joint[index] == move for joint in self.space.joint_moves], dtype=bool)
            states = self.columns.source[made[self.space.action]]
            for (ref, content), fluent in scene.fluent_at.items():
                if ref == targets[0][0] and content.piece.isdecimal():
                    less = int(content.piece) <= int(value)
                    if less and self.columns.fluent(fluent)[states].any():
                        return False
        return True


def _leaving(scene: Scene, verb: Verb) -> str:
    """Describe what moves always leave behind, where their verb does not say it."""
    if verb.template.startswith(("take ", "put ")):
        return ""
    left = left_behind(scene, verb)
    if len(left) == 1 and left[0]:
        return f", which then {left[0].one}"
    if len(left) > 1 and left[0] and all(content == left[0] for content in left):
        return f", which then {left[0].many}"
    if len(left) == 2 and left[0] and left[0].one in ("is empty", "is free"):
        return f", leaving the first {left[0].one.removeprefix('is ')}"
    return ""


def _offered(moves: list[Move]) -> str:
    """Describe moves that are made on no board by their values, or by their number."""
    name = plain_words(moves[0].name)
    values = [
        list(dict.fromkeys(map(str, each))) for each in zip(*(m.args for m in moves), strict=True)
    ]
    if any(len(each) > 6 or "(" in "".join(each) for each in values):
        return f"{name}, in one of {len(moves)} ways" if len(moves) > 1 else name
    parts = [" or ".join([", ".join(v[:-1]), v[-1]] if len(v) > 1 else v) for v in values]
    return f"{name} {', '.join(parts)}"


def _whole_rows(words: BoardWords, refs: set[CellRef]) -> str:
    """Name the rows at an end of the board that cells fill, if that is what they do."""
    if not words.is_rectangle:
        return ""
    rows = {words.at(ref)[0] for ref in refs}
    high = len(words.ys)
    if len(refs) != len(rows) * len(words.xs) or len(rows) > high // 2:
        return ""
    count = len(rows)
    for end, wanted in (("top", range(count)), ("bottom", range(high - count, high))):
        if rows == set(wanted):
            return f"the {end} row" if count == 1 else f"the {number_word(count)} {end} rows"
    return ""


def _with(noun: str, adjective: str) -> str:
    if adjective == "own":
        return f"one of your {plural_of(noun)}" if noun else "one of yours"
    phrase = f"{adjective} {noun}".strip()
    return f"an {phrase}" if phrase[:1] in "aeiou" else f"a {phrase}"
