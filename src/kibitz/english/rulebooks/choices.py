"""A game in which all choose at once in, sentences about choices and points out, compared with it.

Two kinds are known, both found by playing alone, whatever things are called in the rule sheet:
choices that give points, which add up over a fixed number of rounds; and choices that beat one
another, where who won more rounds wins, or who first won some.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import kibitz.rulebook as m
from kibitz.engine import CompiledGame, Game, Move, State
from kibitz.errors import KibitzError
from kibitz.gdl import read

_MOST_ROUNDS = 100
_MOST_OUTCOMES = 36
Joint = tuple[str, ...]


@dataclass(frozen=True)
class ChoiceBook:
    """Rules that make the same game, on how many states they were compared, whether on all."""

    rules: m.Rules
    states: int
    is_exhaustive: bool


def choice_book_of(game: Game, names: tuple[str, ...], *, moves: int) -> ChoiceBook | None:
    """Put a game of choices into sentences; None where it is another game.

    >>> from kibitz.games import load_sheet
    >>> book = choice_book_of(CompiledGame(load_sheet("roshambo")), ("Ann", "Bob"), moves=5_000)
    >>> print(m.write_rulebook(book.rules))
    Players: Ann and Bob.
    All players move at the same time.
    Each player starts with 0 points and can hold three.
    On your turn, choose paper, rock or scissors.
    Paper beats rock.
    Rock beats scissors.
    Scissors beats paper.
    A choice that beats the other gives one point.
    If three turns have been played, whoever has more points wins.
    """
    found = _choices(game)
    if found is None:
        return None
    choices, by_word = found
    trial = _Trial(game, choices, by_word)
    for rules in (*_payoff_rules(trial, names), *_beating_rules(trial, names)):
        compared = _compared(game, rules, by_word, moves)
        if compared is not None:
            return ChoiceBook(rules, *compared)
    return None


def _choices(game: Game) -> tuple[list[tuple[str, ...]], list[dict[str, Move]]] | None:
    """Return the words for what each player chooses, and the moves that they are."""
    start = game.initial()
    choices: list[tuple[str, ...]] = []
    by_word: list[dict[str, Move]] = []
    for role in game.roles:
        words = {_word(move): move for move in start.legal(role)}
        if "" in words or not 2 <= len(words) <= 10 or len(words) < len(start.legal(role)):
            return None
        choices.append(tuple(sorted(words)))
        by_word.append(words)
    return (choices, by_word) if len(choices) > 1 else None


def _word(move: Move) -> str:
    """Return a move as a word of a sentence; nothing if it cannot be one."""
    word = re.sub(r"[^a-z0-9]+", "_", str(move).lower()).strip("_")
    is_plain = re.fullmatch(r"[a-z][a-z0-9_]*", word) is not None and word not in m.RESERVED
    return word if is_plain and word != "noop" else ""


class _Trial:
    """Plays a game with choices by their words."""

    def __init__(
        self, game: Game, choices: list[tuple[str, ...]], by_word: list[dict[str, Move]]
    ) -> None:
        self.game, self.choices, self.by_word = game, choices, by_word
        self.joints: list[Joint] = list(product(*choices))

    def repeated(self, joint: Joint) -> tuple[int, tuple[int | None, ...]] | None:
        """Return how long the same choices are made until the end, and what it gives."""
        state = self.game.initial()
        moves = [self.by_word[n][word] for n, word in enumerate(joint)]
        for rounds in range(_MOST_ROUNDS + 1):
            if state.is_terminal:
                return rounds, tuple(state.goals[role] for role in self.game.roles)
            legal = [state.legal(role) for role in self.game.roles]
            if any(move not in own for move, own in zip(moves, legal, strict=True)):
                return None
            state = state.step(moves)
        return None


def _head(names: tuple[str, ...], choices: list[tuple[str, ...]]) -> list[m.Sentence]:
    head: list[m.Sentence] = [m.Players(names), m.Simultaneous()]
    if len(set(choices)) == 1:
        return [*head, m.MoveRule(m.YOU, None, (m.Choose(choices[0]),))]
    chosen = zip(names, choices, strict=True)
    return [*head, *(m.MoveRule(name, None, (m.Choose(own),)) for name, own in chosen)]


def _payoff_rules(trial: _Trial, names: tuple[str, ...]) -> Iterator[m.Rules]:
    """Yield rules by which each round gives points for what was chosen."""
    if len(trial.joints) > _MOST_OUTCOMES:
        return
    lengths: set[int] = set()
    sentences: list[m.Sentence] = []
    for joint in trial.joints:
        ended = trial.repeated(joint)
        if ended is None or None in ended[1] or not ended[0]:
            return
        rounds, goals = ended
        lengths.add(rounds)
        if any((goal or 0) % rounds for goal in goals):
            return
        points = [(goal or 0) // rounds for goal in goals]
        if len(set(joint)) == len(set(points)) == 1 and len(set(trial.choices)) == 1:
            sentences.append(m.SamePayoff(joint[0], points[0]))
            continue
        picks = tuple(m.Picks(name, word) for name, word in zip(names, joint, strict=True))
        gets = tuple(m.Gets(name, n) for name, n in zip(names, points, strict=True))
        sentences.append(m.Payoff(picks, gets))
    if len(lengths) != 1:
        return
    (rounds,) = lengths
    more = [m.Rounds(rounds)] if rounds > 1 else []
    yield m.Rules.of([*_head(names, trial.choices), *more, *sentences])


def _beating_rules(trial: _Trial, names: tuple[str, ...]) -> Iterator[m.Rules]:
    """Yield rules by which one choice beats another, and who won more rounds wins."""
    if len(names) != 2 or len(set(trial.choices)) != 1:
        return
    drawn: set[int] = set()
    won: set[int] = set()
    beats: dict[str, list[str]] = {}
    for one, other in trial.joints:
        ended = trial.repeated((one, other))
        if ended is None or ended[1] not in ((50, 50), (100, 0), (0, 100)):
            return
        rounds, goals = ended
        (drawn if goals == (50, 50) else won).add(rounds)
        if goals == (100, 0):
            beats.setdefault(one, []).append(other)
    if len(drawn) != 1 or len(won) != 1:
        return
    rounds, first_to = drawn.pop(), won.pop()
    if not 1 <= first_to <= rounds:
        return
    sentences: list[m.Sentence] = [
        *(m.Beats(one, tuple(others)) for one, others in sorted(beats.items())),
        m.Stock(0, "point", first_to),
        m.Score(1, "point"),
    ]
    if first_to < rounds:
        sentences.append(m.End(m.YOU, "wins", (m.Count(m.YOU, "least", first_to, "point"),)))
    sentences.append(m.Most((m.TurnsPlayed(rounds),), "more", "point"))
    yield m.Rules.of([*_head(names, trial.choices), *sentences])


def _compared(
    game: Game, rules: m.Rules, by_word: list[dict[str, Move]], most: int
) -> tuple[int, bool] | None:
    """Walk through both games; return on how many states they agree, and whether on all."""
    try:
        again = m.read_sentences(m.write_rulebook(rules)).rules
        other = CompiledGame(read(m.gdl_of(again), name="rules"))
    except KibitzError:
        return None
    if again != rules:
        return None
    start = game.initial(), other.initial()
    waiting: list[tuple[State, State]] = [start]
    seen = {(start[0].key, start[1].key)}
    steps = states = 0
    for one, two in waiting:
        if steps > most:
            return states, False
        states += 1
        if one.is_terminal != two.is_terminal:
            return None
        if one.is_terminal:
            if [one.goals[r] for r in game.roles] != [two.goals[r] for r in other.roles]:
                return None
            continue
        legal = [{_word(move) for move in one.legal(role)} for role in game.roles]
        if legal != [{str(move) for move in two.legal(role)} for role in other.roles]:
            return None
        named = [{str(move): move for move in two.legal(role)} for role in other.roles]
        for joint in product(*(sorted(words) for words in legal)):
            steps += 1
            after = (
                one.step([by_word[n][word] for n, word in enumerate(joint)]),
                two.step([named[n][word] for n, word in enumerate(joint)]),
            )
            key = after[0].key, after[1].key
            if key not in seen:
                seen.add(key)
                waiting.append(after)
    return states, True
