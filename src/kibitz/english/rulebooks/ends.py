"""Positions in, sentences about the end out: those that hold at every position and miss none."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations

import kibitz.rulebook as m
from kibitz.english.rulebooks.changes import Actors
from kibitz.english.rulebooks.positions import Cell, Position, View
from kibitz.rulebook import Geometry

Test = Callable[[Position, int], bool]


@dataclass(frozen=True)
class _Candidate:
    conditions: tuple[m.Condition, ...]
    test: Test


def propose_ends(
    positions: list[Position], view: View, geometry: Geometry | None, actors: Actors
) -> list[m.Sentence] | None:
    """Return sentences about the end that fit all positions; None if there are none."""
    count = len(actors.players)
    ended = [position for position in positions if position.goals is not None]
    outcomes = {id(one): _outcome(one.goals, count) for one in ended}
    if any(outcome is None for outcome in outcomes.values()):
        return None
    candidates = list(_candidates(positions, view, geometry, actors))
    found: list[m.Sentence] = []
    open_ends = [one for one in ended if outcomes[id(one)] != "draw"]
    if count == 1:  # a puzzle is lost where nothing can be done any more
        open_ends = [one for one in open_ends if outcomes[id(one)] != "0 loses" or not one.stuck]
    chosen_tests: list[Callable[[Position], bool]] = []
    options = list(_decisive(candidates, positions, outcomes, actors))
    while open_ends:
        best, covered = None, 0
        for option in options:
            hits = sum(any(option.applies(one, p) for p in option.players) for one in open_ends)
            if hits > covered:
                best, covered = option, hits
        if best is None:
            break
        found.append(best.sentence)
        chosen_tests.append(best.holds)
        open_ends = [one for one in open_ends if not best.holds(one)]
    draws = [one for one in ended if outcomes[id(one)] == "draw"]
    decided = [one for one in ended if outcomes[id(one)] != "draw"]
    if any(isinstance(one, m.End) and one.player != m.YOU for one in found) and _most(
        candidates, positions, outcomes, view, actors, decided
    ):
        # What one player alone wins by is rather chance than a rule where counting says it all.
        found, chosen_tests, open_ends = [], [], decided
    if open_ends:
        most = _most(candidates, positions, outcomes, view, actors, open_ends)
        if most is None:
            return None
        sentence, holds = most
        found.append(sentence)
        if len(found) > 1 and (led := _leader(sentence, candidates, positions, outcomes, actors)):
            return led
        draws = [one for one in draws if not holds(one)]
    for candidate in candidates:
        if not draws:
            break

        def is_drawn(one: Position, test: Test = candidate.test) -> bool:
            return any(test(one, player) for player in range(count))

        if not any(is_drawn(one) for one in draws):
            continue
        wrong = [
            one
            for one in positions
            if is_drawn(one)
            and (
                one.goals is None
                or (outcomes[id(one)] != "draw" and not any(t(one) for t in chosen_tests))
            )
        ]
        if not wrong and count > 1:
            found.append(m.End(m.YOU, "draws", candidate.conditions))
            draws = [one for one in draws if not is_drawn(one)]
    if draws and not all(one.stuck for one in draws):
        return None
    if not found:
        return None
    if _fills_up(positions, view) and all(map(_is_line, found)):
        found.append(m.End(m.YOU, "draws", (m.BoardFull(),)))
    order = {"wins": 0, "loses": 1, "draws": 3}
    return sorted(found, key=lambda s: order[s.result] if isinstance(s, m.End) else 2)


def _fills_up(positions: list[Position], view: View) -> bool:
    """Return whether every move puts one thing on an empty cell, and no full board was seen.

    Random matches seldom fill a large board. Where nothing is said of it, nobody can move there,
    and the game is drawn as well; but readers want to be told, unless every position was seen.
    """
    if view.kind == "piles" or any(all(one.contents) for one in positions):
        return False
    seen = {one.contents for one in positions}
    if all(after in seen for one in positions if one.goals is None for _, after in one.moves):
        return False
    first = sum(map(bool, positions[0].contents)) - positions[0].depth
    return all(sum(map(bool, one.contents)) == one.depth + first for one in positions)


def _is_line(sentence: m.Sentence) -> bool:
    """Return whether a sentence says that a line wins or loses."""
    return isinstance(sentence, m.End) and all(isinstance(c, m.Line) for c in sentence.conditions)


def _outcome(goals: tuple[int | None, ...] | None, count: int) -> str | None:
    """Name a result: the number of the player who wins or loses alone, or draw."""
    if goals is None or None in goals:
        return None
    if count == 1:
        return {100: "0 wins", 0: "0 loses"}.get(goals[0] or 0)
    if set(goals) == {50}:
        return "draw"
    if sorted(goals) == [0] * (count - 1) + [100]:  # type: ignore[type-var]
        return f"{goals.index(100)} wins"
    if count > 2 and sorted(goals) == [0] + [100] * (count - 1):  # type: ignore[type-var]
        return f"{goals.index(0)} loses"
    return None


@dataclass(frozen=True)
class _Option:
    sentence: m.End
    test: Test
    players: tuple[int, ...]

    def applies(self, one: Position, player: int) -> bool:
        return self.test(one, player)

    def holds(self, one: Position) -> bool:
        return any(self.test(one, player) for player in self.players)


def _decisive(
    candidates: list[_Candidate],
    positions: list[Position],
    outcomes: dict[int, str | None],
    actors: Actors,
) -> Iterator[_Option]:
    count = len(actors.players)
    everyone = tuple(range(count))
    for candidate in candidates:
        for result in ("wins", "loses"):
            fits = {
                p: _fits(candidate.test, result, p, positions, outcomes, count) for p in everyone
            }
            if all(fits.values()):
                yield _Option(m.End(m.YOU, result, candidate.conditions), candidate.test, everyone)
                continue
            for player, is_right in fits.items():
                if is_right:
                    name = actors.players[player]
                    named = tuple(_named(one, name) for one in candidate.conditions)
                    yield _Option(m.End(name, result, named), candidate.test, (player,))


def _named(condition: m.Condition, name: str) -> m.Condition:
    """Speak of a player by name."""
    if getattr(condition, "owner", None) == m.YOU:
        return replace(condition, owner=name)  # type: ignore[arg-type]
    return condition


def _fits(
    test: Test,
    result: str,
    player: int,
    positions: list[Position],
    outcomes: dict[int, str | None],
    count: int,
) -> bool:
    for one in positions:
        if not test(one, player):
            continue
        outcome = outcomes.get(id(one))
        if outcome is None:
            return False
        if result == "wins" and outcome != f"{player} wins":
            return False
        lost = outcome == f"{player} loses" or (count == 2 and outcome == f"{1 - player} wins")
        if result == "loses" and not lost:
            return False
    return True


def _most(
    candidates: list[_Candidate],
    positions: list[Position],
    outcomes: dict[int, str | None],
    view: View,
    actors: Actors,
    wanted: list[Position],
) -> tuple[m.Most, Callable[[Position], bool]] | None:
    count = len(actors.players)
    if len(view.cells) > 100:
        return None
    for candidate in candidates:

        def holds(one: Position, test: Test = candidate.test) -> bool:
            return any(test(one, player) for player in range(count))

        if not all(holds(one) for one in wanted):
            continue
        for how in ("more", "fewer"):
            if all(_is_led(one, how, outcomes, actors) for one in positions if holds(one)):
                return m.Most(candidate.conditions, how, "piece"), holds
    return None


def _is_led(one: Position, how: str, outcomes: dict[int, str | None], actors: Actors) -> bool:
    """Return whether whoever has more pieces, or fewer, has won; with as many it is a draw."""
    counts = [sum(actors.is_own(c, p) for c in one.contents) for p in range(len(actors.players))]
    best = max(counts) if how == "more" else min(counts)
    top = [p for p, number in enumerate(counts) if number == best]
    return outcomes.get(id(one)) == (f"{top[0]} wins" if len(top) == 1 else "draw")


def _leader(
    most: m.Most,
    candidates: list[_Candidate],
    positions: list[Position],
    outcomes: dict[int, str | None],
    actors: Actors,
) -> list[m.Sentence] | None:
    """Return ends after all of which the same count decides; None if it does not always."""
    open_ends = [one for one in positions if one.goals is not None]
    if not all(_is_led(one, most.how, outcomes, actors) for one in open_ends):
        return None
    players = range(len(actors.players))
    options: list[tuple[_Candidate, set[int]]] = []
    for candidate in candidates:
        met = [one for one in positions if any(candidate.test(one, p) for p in players)]
        if all(one.goals is not None for one in met):
            options.append((candidate, {id(one) for one in met}))
    still = {id(one) for one in open_ends}
    found: list[m.Sentence] = []
    while still:
        candidate, ends = max(options, key=lambda option: len(option[1] & still))
        if not ends & still:
            return None
        still -= ends
        found.append(m.GameEnds(candidate.conditions))
    return [*found, m.Leader(most.how, most.noun)]


def _candidates(
    positions: list[Position], view: View, geometry: Geometry | None, actors: Actors
) -> Iterator[_Candidate]:
    count = len(actors.players)
    numbers = {cell: n for n, cell in enumerate(view.cells)}
    last = _Candidate((m.MovedLast(m.YOU),), lambda one, p: (one.mover - 1) % count == p)

    def both(candidate: _Candidate, test: Test) -> Iterator[_Candidate]:
        yield candidate
        if count > 1:
            conditions = (*candidate.conditions, *last.conditions)
            yield _Candidate(conditions, lambda one, p: test(one, p) and last.test(one, p))

    if view.kind != "piles":
        if geometry is not None:
            for length in (3, 4, 5, 6, 2, 7, 8):
                for ways in ("line", "straight", "diagonal", "horizontal", "vertical"):
                    if view.kind != "grid" and ways != "line":
                        continue
                    lines = _lines(geometry, numbers, length, ways)
                    if lines:
                        yield from _line_candidates(lines, length, ways, actors, both)
        if view.kind == "grid":
            yield from _far_rows(view, actors)
            yield from _stands(view, actors, positions)
        if view.kind in ("grid", "hexagons") and geometry is not None:
            yield from _connections(view, geometry, actors)

        def has(one: Position, p: int) -> bool:
            return any(actors.is_own(c, p) for c in one.contents)

        if not actors.is_plain:
            yield from _kinds_gone(actors)
        if actors.owner:
            yield _Candidate((m.NoPiece(m.YOU, "piece"),), lambda one, p: not has(one, p))
            yield _Candidate(
                (m.NoPiece(m.OPPONENT, "piece"),),
                lambda one, p: any(not has(one, q) for q in range(count) if q != p),
            )
    if count == 1 and view.kind != "piles":
        yield from _counts(positions, actors)
    if any(one.stuck and one.goals is None for one in positions):
        # Whether the others can move is not seen here; the comparison of both games decides. It
        # comes before a full board, which is one of the ways not to be able to move.
        nobody: Test = lambda one, p: one.stuck and one.goals is not None  # noqa: E731
        yield _Candidate((m.NobodyCanMove(),), nobody)
    if view.kind != "piles":
        full: Test = lambda one, p: all(one.contents)  # noqa: E731
        yield from both(_Candidate((m.BoardFull(),), full), full)
    stuck: Test = lambda one, p: one.mover == p and one.stuck  # noqa: E731
    yield _Candidate((m.CannotMove(m.YOU),), stuck)
    empty: Test = lambda one, p: all(c in ("", "0") for c in one.contents)  # noqa: E731
    yield from both(_Candidate((m.BoardEmpty(),), empty), empty)
    depths = {one.depth for one in positions if one.goals is not None}
    deepest = max((one.depth for one in positions), default=0)
    if deepest in depths and 1 <= deepest <= 500:
        yield _Candidate((m.TurnsPlayed(deepest),), lambda one, p: one.depth == deepest)
    if view.kind == "row" and actors.owner and len(view.cells) <= 20:
        yield from _sums(len(view.cells), actors)  # Last: some sum often fits by chance.


def _kinds_gone(actors: Actors) -> Iterator[_Candidate]:
    """Yield that a player has no piece of a kind left, such as no king."""
    for kind in sorted({actors.kind[content] for content in actors.owner}):

        def has(one: Position, player: int, kind: str = kind) -> bool:
            return any(
                actors.is_own(content, player) and actors.kind[content] == kind
                for content in one.contents
            )

        def other_has_none(one: Position, p: int, has: Test = has) -> bool:
            return any(not has(one, q) for q in range(len(actors.players)) if q != p)

        yield _Candidate((m.NoPiece(m.OPPONENT, kind),), other_has_none)
        yield _Candidate((m.NoPiece(m.YOU, kind),), lambda one, p, has=has: not has(one, p))  # type: ignore[misc]


def _lines(
    geometry: Geometry, numbers: dict[Cell, int], length: int, ways: str
) -> list[tuple[int, ...]]:
    found = []
    for way in geometry.line_ways(ways, m.Simultaneous()):
        step = geometry.steps[way]
        for cell in geometry.cells:
            line = [cell]
            while len(line) < length and line[-1] in step:
                line.append(step[line[-1]])
            if len(line) == length:
                found.append(tuple(numbers[one] for one in line))
    return found


def _line_candidates(
    lines: list[tuple[int, ...]],
    length: int,
    ways: str,
    actors: Actors,
    both: Callable[[_Candidate, Test], Iterator[_Candidate]],
) -> Iterator[_Candidate]:
    @cache
    def of_player(contents: tuple[str, ...], player: int) -> bool:
        own = {n for n, content in enumerate(contents) if actors.is_own(content, player)}
        return any(own.issuperset(line) for line in lines)

    if actors.owner:
        test: Test = lambda one, p: of_player(one.contents, p)  # noqa: E731
        yield _Candidate((m.Line(m.YOU, length, ways),), test)
    neutral = {
        content: kind for content, kind in actors.kind.items() if content not in actors.owner
    }
    for content, kind in sorted(neutral.items()):

        @cache
        def of_kind(contents: tuple[str, ...], content: str = content) -> bool:
            held = {n for n, one in enumerate(contents) if one == content}
            return any(held.issuperset(line) for line in lines)

        there: Test = lambda one, p, of=of_kind: of(one.contents)  # type: ignore[misc] # noqa: E731
        yield from both(_Candidate((m.LineThere(length, kind, ways),), there), there)


def _sums(count: int, actors: Actors) -> Iterator[_Candidate]:
    """Yield sums of numbered cells."""
    for size in (3, 2, 4):
        for total in range(size * (size + 1) // 2, size * count - size * (size - 1) // 2 + 1):
            sets = [set(c) for c in combinations(range(1, count + 1), size) if sum(c) == total]

            def test(one: Position, player: int, sets: list[set[int]] = sets) -> bool:
                own = {
                    n + 1 for n, content in enumerate(one.contents)
                    if actors.is_own(content, player)
                }  # fmt: skip
                return any(each <= own for each in sets)

            yield _Candidate((m.Sum(m.YOU, size, total),), test)


def _counts(positions: list[Position], actors: Actors) -> Iterator[_Candidate]:
    """Yield how many pieces of a kind are left where a puzzle is solved."""
    solved = [one for one in positions if one.goals == (100,)]
    for content, kind in sorted(actors.kind.items()):
        numbers = {one.contents.count(content) for one in solved}
        if len(numbers) == 1 and numbers != {0}:
            (wanted,) = numbers

            def test(
                one: Position, player: int, content: str = content, wanted: int = wanted
            ) -> bool:
                return one.contents.count(content) == wanted

            yield _Candidate((m.Count(m.YOU, "exactly", wanted, kind),), test)


def _far_rows(view: View, actors: Actors) -> Iterator[_Candidate]:
    if len(actors.players) > 2:
        return
    rows = [int(cell[1]) for cell in view.cells]

    def test(one: Position, player: int) -> bool:
        far = max(rows) if player == 0 else min(rows)
        return any(
            row == far and actors.is_own(content, player)
            for row, content in zip(rows, one.contents, strict=True)
        )

    yield _Candidate((m.Stands(m.YOU, "piece", m.FarRow()),), test)


def _stands(view: View, actors: Actors, positions: list[Position]) -> Iterator[_Candidate]:
    """Yield the rows, columns and cells where a player is only when play has ended."""
    rows = sorted({int(cell[1]) for cell in view.cells})
    letters = sorted({cell[0] for cell in view.cells})
    regions: list[tuple[m.Region, set[int]]] = []
    for row in (rows[0], rows[-1]):
        cells = {n for n, cell in enumerate(view.cells) if cell[1] == str(row)}
        regions.append((m.Rows((row,)), cells))
    for letter in (letters[0], letters[-1]):
        cells = {n for n, cell in enumerate(view.cells) if cell[0] == letter}
        regions.append((m.Columns((letter,)), cells))
    for number, cell in enumerate(view.cells):
        regions.append((m.Cells(("".join(cell),)), {number}))
    for region, cells in regions:

        def test(one: Position, player: int, cells: set[int] = cells) -> bool:
            return any(actors.is_own(one.contents[n], player) for n in cells)

        yield _Candidate((m.Stands(m.YOU, "piece", region),), test)


def _connections(view: View, geometry: Geometry, actors: Actors) -> Iterator[_Candidate]:
    numbers = {cell: n for n, cell in enumerate(view.cells)}
    ways = geometry.heads(("straight",), 0, m.Simultaneous())
    near: dict[int, list[int]] = {
        numbers[cell]: [numbers[geometry.steps[w][cell]] for w in ways if cell in geometry.steps[w]]
        for cell in view.cells
    }
    letters = sorted({cell[0] for cell in view.cells})
    rows = sorted({int(cell[1]) for cell in view.cells})
    ends = {
        "sideways": (
            {numbers[c] for c in view.cells if c[0] == letters[0]},
            {numbers[c] for c in view.cells if c[0] == letters[-1]},
        ),
        "upright": (
            {numbers[c] for c in view.cells if int(c[1]) == rows[0]},
            {numbers[c] for c in view.cells if int(c[1]) == rows[-1]},
        ),
    }
    for sides, (start, end) in ends.items():

        @cache
        def joined(
            contents: tuple[str, ...],
            player: int,
            start: frozenset[int] = frozenset(start),
            end: frozenset[int] = frozenset(end),
        ) -> bool:
            own = {n for n, content in enumerate(contents) if actors.is_own(content, player)}
            reached = set(start & own)
            waiting = list(reached)
            while waiting:
                for other in near[waiting.pop()]:
                    if other in own and other not in reached:
                        reached.add(other)
                        waiting.append(other)
            return bool(reached & end)

        test: Test = lambda one, p, of=joined: of(one.contents, p)  # type: ignore[misc] # noqa: E731
        yield _Candidate((m.Connected(m.YOU, sides),), test)
