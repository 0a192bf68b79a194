"""A game in; out who wins, when play ends and with what result, in plain sentences.

First from the gates of the goals and of the end, which are exact; then from all reachable states;
else in the names of the rule sheet.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from kibitz.board import CellRef
from kibitz.engine import CompiledGame, Role
from kibitz.english.games.endings import Cells, Endings, endings_of, is_impossible, neutral
from kibitz.english.games.patterns import name_patterns, plural_of
from kibitz.english.scene import scene_of
from kibitz.english.verbs import plain_words
from kibitz.gdl import Atom, Distinct, Function, Not, Rule, RuleSheet, atoms_of
from kibitz.space import StateSpace
from kibitz.strategy import Bools, Columns, Numbers
from kibitz.wording import equal_text, join_words

_MANY_GOALS = 6
_SENTENCE = re.compile(r"(?:[\w:,]+: )?([A-Z][^.;*=<>{}]{20,300}\.)(?:\s|$)")


def _own_words(sheet: RuleSheet) -> str:
    """Quote the first sentence of a rule sheet's comment before the first rule, if any.

    >>> from kibitz.gdl import parse
    >>> _own_words(parse(";;; ====\\n; hex: Join two opposite sides of a rhombus.\\n(role a)"))
    'The rule sheet says of the game: “Join two opposite sides of a rhombus.”'
    >>> _own_words(parse(";; Last revision 5/31/06\\n;; Roles\\n(role a)"))
    ''
    """
    before = sheet.source.text.partition("(")[0]
    lines = [line.strip(" ;*=-#|") for line in before.splitlines()]
    for paragraph in re.split(r"\n{2,}", "\n".join(lines)):
        found = _SENTENCE.match(" ".join(paragraph.split()))
        if found:
            return f"The rule sheet says of the game: “{found[1]}”"
    return ""


class Results:
    """Describes who wins and when play ends."""

    def __init__(
        self,
        game: CompiledGame,
        space: StateSpace | None,
        columns: Columns | None,
        due: Numbers | None,
    ) -> None:
        self.game, self.space, self.columns, self.due = game, space, columns, due
        self.scene = scene_of(game, game.roles[0])
        self.over = endings_of(game, game.network.terminal)
        self.covered: Bools | None = None
        """The states with one of the patterns described as winning or losing."""
        self.described: list[Endings] = []
        """What was described as winning or losing."""
        self.goal = 100
        self.said = {0, 100}
        """The goals that sentences have named."""

    def named(self, role: Role) -> str:
        """Return the name of a role."""
        return self.scene.named(role)

    def wins(self) -> list[str]:
        """Describe what wins or loses."""
        for goal, verb in ((100, "wins"), (0, "loses")):
            found = [self._goal(role, goal) for role in self.game.roles]
            known = [each for each in found if each is not None]
            if len(known) < len(found) or (len(found) < 2 and not known):
                continue
            texts = [
                self._ways(role, each) for role, each in zip(self.game.roles, known, strict=True)
            ]
            if not all(texts):
                continue
            self.described, self.goal = known, goal
            self._cover()
            return self._say(texts, verb)
        return []

    def _say(self, texts: list[list[str]], verb: str) -> list[str]:
        if all(ways == texts[0] for ways in texts):
            if len(texts[0]) == 1 and (name := texts[0][0].removeprefix("with ")) != texts[0][0]:
                return [f"{name[0].upper()}{name[1:]} {verb}."]
            return [f"You {verb.removesuffix('s')} {', or '.join(texts[0])}."]
        lines = []
        for role, ways in zip(self.game.roles, texts, strict=True):
            text = ", or ".join(ways).replace("your own", "its own")
            name = self.named(role)
            lines.append(f"{name[0].upper()}{name[1:]} {verb} {text}.")
        return lines

    def _goal(self, role: Role, goal: int) -> Endings | None:
        """Return what makes a goal true, if it is only about own men and lost ones."""
        goals = self.game.network.goals[self.game.roles.index(role)]
        literals = [literal for value, literal in goals if value == goal]
        found = endings_of(self.game, literals[0]) if len(literals) == 1 else None
        if found is None or found.full or found.facts or found.stuck:
            return None
        others = {other for other in self.game.roles if other != role}
        return found if len(found.patterns) < 2 and not set(found.patterns) & others else None

    def _ways(self, role: Role, found: Endings) -> list[str]:
        """Describe the ways to win; empty if some cannot be described."""
        ways = []
        for whose, cells in found.patterns.items():
            name = self._pattern(whose, cells)
            if not name:
                return []
            ends = self.over is not None and cells <= self.over.patterns.get(whose, set())
            ends = ends or all(self._ends_play(whose, each) for each in cells)
            ways.append(f"with {name}" if ends else f"with {name} at the end of play")
        for gone in found.gone:
            if len(self.game.roles) != 2:
                return []
            ways.append(
                "by having no piece left"
                if gone == role
                else "by leaving the opponent without a piece"
            )
        return ways

    def _pattern(self, whose: Role | tuple[str], cells: set[Cells]) -> str:
        """Describe patterns of a role's own men, or of a piece by its name."""
        name = name_patterns(self.scene, frozenset(cells))
        if isinstance(whose, tuple):
            known = not name.startswith("any of ")
            return name.replace("of your own", self.scene.layout.called(whose[0])) * known
        return name

    def _ends_play(self, whose: Role | tuple[str], cells: Cells) -> bool:
        """Return whether play is over wherever these cells are held so, whatever else holds."""
        network = self.game.network
        number = {fluent: index for index, fluent in enumerate(network.fluents)}
        given = []
        for ref in cells:
            held = [
                number.get(fluent)
                for (where, piece), fluent in self.scene.pieces_at.items()
                if where == ref and (whose == (piece,) or self.scene.owners.get(piece) == whose)
            ]
            if len(held) != 1 or held[0] is None:
                return False
            given.append(2 + 2 * held[0])
        return is_impossible(network, network.terminal ^ 1, given)

    def _cover(self) -> None:
        """Mark the states with a pattern that was described."""
        if self.columns is None or self.space is None:
            return
        here = np.zeros(len(self.space), dtype=bool)
        for found in self.described:
            for whose, sets in found.patterns.items():
                for cells in sets:
                    here |= np.logical_and.reduce([self._held(ref, whose) for ref in cells])
            for gone in found.gone:
                refs = {ref for ref, _ in self.scene.pieces_at}
                here |= ~np.logical_or.reduce([self._held(ref, gone) for ref in refs])
        self.covered = here

    def _held(self, ref: CellRef, whose: Role | tuple[str]) -> Bools:
        """Return the states in which a cell holds a piece of a role, or this piece."""
        assert self.columns is not None
        assert self.space is not None
        held = np.zeros(len(self.space), dtype=bool)
        for (where, piece), fluent in self.scene.pieces_at.items():
            mine = whose == (piece,) or self.scene.owners.get(piece) == whose
            if where == ref and mine:
                held |= self.columns.fluent(fluent)
        return held

    def ends(self) -> list[str]:
        """Describe when else play ends, and who wins then."""
        if self.space is not None and self.columns is not None:
            seen = self._ends_seen()
            if seen is not None:
                return seen
        rest = self._others()
        if rest is None:
            return [self._by_name(), _own_words(self.game.sheet)]
        if not rest:
            return []
        also = "also " if self.described else ""
        return [f"Play {also}ends when {', or when '.join(rest)}{self._worth()}."]

    def _others(self) -> list[str] | None:
        """Describe all ends not yet described; None if that is impossible."""
        over = self.over
        if over is None:
            return None
        rest = []
        for whose, cells in over.patterns.items():
            known: set[Cells] = set()
            for found in self.described:
                known |= found.patterns.get(whose, set())
            if not cells <= known:
                name = self._pattern(whose, cells - known)
                if not name:
                    return None
                who = "there is" if isinstance(whose, tuple) else f"{self.named(whose)} has"
                rest.append(f"{who} {name.replace('your own', 'its own')}")
        gone = {role for found in self.described for role in found.gone}
        rest += [f"{self.named(role)} has no piece left" for role in over.gone if role not in gone]
        for number in sorted(over.full):
            words = self.scene.boards[number]
            noun = "line" if words.board.kind == "graph" else words.noun
            rest.append("the board is full" if words.is_rectangle else f"no {noun} is free")
        rest += over.facts
        if set(over.stuck) == set(self.game.roles) and len(self.game.roles) > 1:
            return [*rest, "the player to move has no move left"]
        moves = [
            f"{self.named(r)} has no move left" if r else "no move is left" for r in over.stuck
        ]
        return [*rest, *moves]

    def _worth(self) -> str:
        """Describe what all roles get at other ends, if the gates decide it."""
        network = self.game.network
        if not self.described or len(self.game.roles) < 2:
            return ""
        given = [
            literal ^ 1
            for values in network.goals
            for value, literal in values
            if value == self.goal and literal > 1
        ]
        left = [
            {value for value, x in values if not is_impossible(network, x, given)}
            for values in network.goals
        ]
        if any(len(values) != 1 for values in left):
            return ""
        goals = [values.pop() for values in left]
        return self._equal(goals[0] or 0) if len(set(goals)) == 1 and goals[0] is not None else ""

    def _ends_seen(self) -> list[str] | None:
        """Describe the other ends from all states; None where that is impossible."""
        assert self.space is not None
        over = self.space.terminal
        covered = self.covered if self.covered is not None else np.zeros_like(over)
        if (covered & ~over).any():
            return None
        rest = over & ~covered
        if not rest.any():
            return []
        when = self._when(rest, ~over) or ", or when ".join(self._others() or ())
        if not when:
            return None
        return [f"Play {'also ' * bool(covered.any())}ends when {when}{self._then(rest)}."]

    def _when(self, rest: Bools, going_on: Bools) -> str:
        """Describe what holds in all these ends, and in no state that is not an end."""
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
        """Describe the goals in these ends."""
        assert self.space is not None
        goals = self.space.goals[rest]
        roles = self.game.roles
        if len(roles) == 1:
            if len(set(goals[:, 0])) > 1:
                return ""
            self.said.add(int(goals[0, 0]))
            return f", which is worth {int(goals[0, 0])}"
        if (goals == goals[:, :1]).all() and len(np.unique(goals)) == 1:
            return self._equal(int(goals[0, 0]))
        if len(roles) != 2 or self.due is None:
            return ""
        last = 1 - self.due[rest]
        rows = np.arange(len(last))
        for who, word in ((last, "wins"), (1 - last, "loses")):
            if (goals[rows, who] == 100).all() and (goals[rows, 1 - who] == 0).all():
                return f"; whoever moved last {word}"
        return ""

    def _equal(self, goal: int) -> str:
        """Say that all roles get the same goal, behind what leads to it."""
        self.said.add(goal)
        return ", which is a draw" if goal == 50 else f": {equal_text(goal, len(self.game.roles))}"

    def goals(self) -> list[str]:
        """Name the goals that no sentence so far has named."""
        network = self.game.network
        values = {
            value
            for role in network.goals
            for value, literal in role
            if value is not None and not is_impossible(network, literal, [network.terminal])
        }
        if self.space is not None:
            values &= set(np.unique(self.space.goals[self.space.terminal]).tolist())
        elif len(network.goals) > 1 and values <= {0, 50, 100}:
            return []  # Many rules give 50 where play goes on.
        left = sorted(values - self.said)
        if not left:
            return []
        named = join_words([str(value) for value in left])
        if len(left) > _MANY_GOALS:
            named = f"{len(left)} values from {left[0]} to {left[-1]}"
        start = "There is a goal" if len(left) == 1 else "There are goals"
        return [f"{start} of {named} points as well."]

    def _by_name(self) -> str:
        """Name the relations by which the rules end play, and their conditions where short."""
        ways = [
            " and ".join(self._conditions(rule)) or "it begins"
            for rule in self.game.sheet.rules
            if rule.head.relation == "terminal"
        ]
        if not ways or len(ways) > 4:
            return ""
        return f"Play ends, in the words of the rule sheet, when {'; or when '.join(ways)}."

    def _conditions(self, rule: Rule) -> Iterator[str]:
        """Walk the conditions of a rule; alternatives are joined by *or*."""
        stuck = self._nobody_moves(rule)
        if stuck:
            yield stuck
            return
        for part in rule.body:
            if isinstance(part, Distinct):
                yield f"{_written(str(part.left))} differs from {_written(str(part.right))}"
                continue
            conditions = [self._condition(atom, sign) for atom, sign in atoms_of(part)]
            if len(conditions) > 1 and not isinstance(part, Not):
                yield f"either {' or '.join(conditions)}"
            else:
                yield " and ".join(conditions)

    def _nobody_moves(self, rule: Rule) -> str:
        """Return whether a rule says that the player to move has no move."""
        parts = [list(atoms_of(part)) for part in self._unfolded(rule).body]
        if len(parts) != 2 or any(len(part) != 1 for part in parts):
            return ""
        (((first, yes),), ((second, no),)) = parts
        if not yes or no or first.relation != "true" or not isinstance(first.args[0], Function):
            return ""
        turns = {f.name for f in self.scene.fluents if self._is_turn(f)}
        asks = self._asks_for_moves(second.relation) and second.args == first.args[0].args
        return "the player to move has no move left" if first.args[0].name in turns and asks else ""

    def _is_turn(self, fluent: Function) -> bool:
        pattern = self.scene.layout.pattern(fluent)
        return bool(pattern and pattern.shows == "turn" and len(fluent.args) == 1)

    def _unfolded(self, rule: Rule) -> Rule:
        """Replace a relation without arguments by its rule, if it has only one."""
        atoms = [pair for part in rule.body for pair in atoms_of(part)]
        if len(atoms) != 1 or not atoms[0][1] or atoms[0][0].args:
            return rule
        known = [r for r in self.game.sheet.rules if r.head.relation == atoms[0][0].relation]
        return known[0] if len(known) == 1 else rule

    def _condition(self, atom: Atom, sign: bool) -> str:
        """Describe a condition of a rule: a fluent by its phrase, a relation by its name."""
        if atom.relation == "true" and isinstance(atom.args[0], Function):
            fluent = atom.args[0]
            if fluent in self.scene.facts:
                return neutral(self.scene, self.scene.facts[fluent][0 if sign else 1])
            return f"{_written(str(fluent))} {'holds' if sign else 'does not hold'}"
        if self._asks_for_moves(atom.relation):
            roles = [str(arg) for arg in atom.args if str(arg) in self.game.roles]
            who = self.named(roles[0]) if roles else "a player"
            return f"{who} has {'a' if sign else 'no'} move left"
        name = plain_words(atom.relation)
        of = join_words([_written(str(arg)) for arg in atom.args])
        text = f"“{name}” holds" if sign else f"“{name}” does not hold"
        return f"{text} for {of}" if of else text

    def _asks_for_moves(self, relation: str) -> bool:
        """Return whether a relation only says that some move is legal."""
        rules = [rule for rule in self.game.sheet.rules if rule.head.relation == relation]
        bodies = [[a for part in rule.body for a in atoms_of(part)] for rule in rules]
        return bool(rules) and all(
            any(atom.relation == "legal" and sign for atom, sign in body)
            and all(atom.relation in ("legal", "role") and sign for atom, sign in body)
            for body in bodies
        )


def _written(text: str) -> str:
    return text.replace("?", "").strip()
