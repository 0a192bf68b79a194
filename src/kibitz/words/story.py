"""A game in, its rules in a few plain sentences out, each of them proved or looked up.

What is said of boards comes from the layout, what is said of turns, moves and ends from all states
that play can reach, where they are known, and what wins from the gates of the goals. Where nothing
can be told so, names of the rule sheet are given, or nothing is said.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kibitz.engine import Move, Role
from kibitz.engine.compiled import CompiledGame
from kibitz.gdl import Function, atoms_of
from kibitz.render import CellRef
from kibitz.space import SEVERAL, StateSpace
from kibitz.strategy.columns import Bools, Columns, Numbers, columns_of
from kibitz.words.patterns import end_play, name_patterns, number_word, patterns_of, plural_of
from kibitz.words.phrases import Content, join_words
from kibitz.words.places import BoardWords
from kibitz.words.scene import Scene, scene_of

__all__ = ["story_of"]


def story_of(game: CompiledGame, space: StateSpace | None = None) -> list[str]:
    """Tell the rules of a game; with all its states in `space`, more can be said.

    >>> from kibitz.games import load
    >>> from kibitz.space import explore
    >>> game = CompiledGame(load("nim:1,2"))
    >>> for line in story_of(game, explore(game)):
    ...     print(line)
    Two players, player1 and player2, take turns; player1 begins.
    There are two heaps: heap a with 1 and heap b with 2.
    A move: reduce a heap to a smaller number.
    Play ends when all heaps are empty; whoever moved last wins.
    """
    whole = space if space is not None and space.is_complete else None
    story = _Story(game, whole)
    lines = [story.players(), *story.boards(), *story.moves(), *story.wins(), *story.ends()]
    return [line for line in lines if line]


@dataclass
class _Story:
    game: CompiledGame
    space: StateSpace | None

    def __post_init__(self) -> None:
        self.scene: Scene = scene_of(self.game, self.game.roles[0])
        self.columns: Columns | None = columns_of(self.space) if self.space is not None else None
        self.covered: Bools | None = None
        """Where one of the patterns that were told stands."""

    def named(self, role: Role) -> str:
        return self.scene.named(role)

    def players(self) -> str:
        roles = [self.named(role) for role in self.game.roles]
        if len(roles) == 1:
            return f"A puzzle for one player, {roles[0]}."
        who = f"{number_word(len(roles)).capitalize()} players, {join_words(roles)}"
        if self.space is None:
            return f"{who}."
        turn, over = self.space.turn, self.space.terminal
        if (turn[~over] == SEVERAL).all():
            return f"{who}, choose their moves at the same time."
        if self._takes_turns():
            return f"{who}, take turns; {roles[int(turn[0])]} begins."
        return f"{who}."

    def _takes_turns(self) -> bool:
        """Tell whether roles have the choice in their order, whatever is played."""
        return self._due is not None

    @cached_property
    def _due(self) -> Numbers | None:
        """Whose turn it is in every state, if roles take turns; where nobody has a choice too."""
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
        told = (turn < 0) | (turn == due)
        return due if is_right and told[~self.space.terminal].all() else None

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
        """Say what stands on the board at first."""
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
        parts = [f"{number_word(n)} {self._neutral(content, n)}" for content, n in counts.items()]
        return f" At first {join_words(parts)}."

    def _neutral(self, content: Content, count: int) -> str:
        """Say what stands on cells without saying whose it is."""
        if content.one.startswith("is ") and content.piece not in self.scene.owners:
            return content.one if count == 1 else content.many
        called = self.scene.layout.called(content.piece)
        return f"{'holds' if count == 1 else 'hold'} {called}"

    def moves(self) -> list[str]:
        told: dict[str, list[Role]] = {}
        for role in self.game.roles:
            scene = scene_of(self.game, role)
            groups: dict[tuple[str, int], list[Move]] = {}
            for move in scene.moves:
                groups.setdefault((move.name, len(move.args)), []).append(move)
            plain = []
            for key, moves in groups.items():
                if key in scene.verbs:
                    told.setdefault(self._kind_of_move(scene, role, key), []).append(role)
                elif not self._is_waiting(role, moves):
                    plain += moves
            if plain:
                names = [self.game.write(move) for move in plain[:8]]
                more = f" and {len(plain) - 8} more" if len(plain) > 8 else ""
                text = ", ".join(names) + more if more else join_words(names)
                word = "Moves" if len(plain) > 1 else "A move"
                told.setdefault(f"{word}: {text}.", []).append(role)
        lines = []
        for text, roles in told.items():
            everyone = len(set(roles)) == len(self.game.roles)
            who = "" if everyone else f"For {join_words([self.named(r) for r in roles])}: "
            lines.append(who + (text[0].lower() + text[1:] if who else text))
        return lines

    def _is_waiting(self, role: Role, moves: list[Move]) -> bool:
        """Tell whether a move without arguments is only made where the role has no choice."""
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
        return f"A move: {text}."

    def _asked(
        self, scene: Scene, role: Role, targets: list[tuple[tuple[CellRef, ...], Move]]
    ) -> str:
        """Say what stands on the place of a move whenever the move is made, if always the same."""
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
        """Tell whether moves always leave less on a heap than there was."""
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

    def wins(self) -> list[str]:
        """Say which patterns win or lose, where all roles have the same ones."""
        lines = []
        for goal, verb in ((100, "wins"), (0, "loses")):
            told = set()
            for role in self.game.roles:
                scene = scene_of(self.game, role)
                sets = patterns_of(scene, goal)
                name = name_patterns(scene, sets) if sets else ""
                if name and not end_play(scene, sets):
                    name += " at the end of play"
                elif name and self.columns is not None:
                    self._cover(sets)
                told.add(name)
            if len(told) == 1 and (name := told.pop()):
                lines.append(f"{name[0].upper()}{name[1:]} {verb}.")
                break
            self.covered = None
        return lines

    def _cover(self, sets: frozenset[frozenset[Function]]) -> None:
        assert self.columns is not None
        assert self.space is not None
        here = self.covered if self.covered is not None else np.zeros(len(self.space), dtype=bool)
        for fluents in sets:
            here = here | np.logical_and.reduce([self.columns.fluent(f) for f in fluents])
        self.covered = here

    def ends(self) -> list[str]:
        """Say when else play ends, and who wins then."""
        if self.space is None or self.columns is None:
            return [self._by_name()]
        over = self.space.terminal
        covered = self.covered if self.covered is not None else np.zeros_like(over)
        if (covered & ~over).any():
            return [self._by_name()]
        rest = over & ~covered
        if not rest.any():
            return []
        when = self._when(rest, ~over)
        if not when:
            return [self._by_name()]
        return [f"Play {'also ' * bool(covered.any())}ends when {when}{self._then(rest)}."]

    def _when(self, rest: Bools, going_on: Bools) -> str:
        """Say what holds in all these ends, and in no state in which play goes on."""
        assert self.columns is not None
        for words in self.scene.boards:
            blank = [
                fluent
                for (ref, content), fluent in self.scene.fluent_at.items()
                if ref.board == words.number and content.one in ("is empty", "is free")
            ]
            if len(blank) != len(words.refs):
                continue
            held = [self.columns.fluent(fluent) for fluent in blank]
            some, every = np.logical_or.reduce(held), np.logical_and.reduce(held)
            noun = "line" if words.board.kind == "graph" else words.noun
            if not some[rest].any() and some[going_on].all():
                return "the board is full" if words.is_rectangle else f"no {noun} is free"
            if every[rest].all() and not every[going_on].any():
                return f"all {plural_of(noun)} are empty"
        return ""

    def _then(self, rest: Bools) -> str:
        """Say what the goals are in these ends."""
        assert self.space is not None
        goals = self.space.goals[rest]
        roles = self.game.roles
        if len(roles) == 1:
            return f", which is worth {int(goals[0, 0])}" if len(set(goals[:, 0])) == 1 else ""
        if (goals == goals[:, :1]).all() and len(np.unique(goals)) == 1:
            return ", which is a draw"
        if len(roles) != 2 or self._due is None:
            return ""
        last = 1 - self._due[rest]
        rows = np.arange(len(last))
        for who, word in ((last, "wins"), (1 - last, "loses")):
            if (goals[rows, who] == 100).all() and (goals[rows, 1 - who] == 0).all():
                return f"; whoever moved last {word}"
        return ""

    def _by_name(self) -> str:
        """Name the relations that the rules end play by."""
        names = []
        for rule in self.game.sheet.rules:
            if rule.head.relation != "terminal":
                continue
            parts = [
                ("" if sign else "not ") + _written(str(atom))
                for part in rule.body
                for atom, sign in atoms_of(part)
            ]
            names.append(" and ".join(parts) or "at once")
        if not names or len(names) > 4:
            return ""
        return f"Play ends, in the words of the rule sheet, on {'; or on '.join(names)}."


def _written(text: str) -> str:
    return text.replace("?", "").strip()


def _with(noun: str, adjective: str) -> str:
    if adjective == "own":
        return f"one of your {plural_of(noun)}" if noun else "one of yours"
    phrase = f"{adjective} {noun}".strip()
    return f"an {phrase}" if phrase[:1] in "aeiou" else f"a {phrase}"
