"""Sentences about ends in, rules for terminal states and goals out.

The order of the sentences decides: what a later sentence says of winning and losing counts only
where no earlier one of another result applies. A player who cannot move where nothing is said of
that ends the game as a draw.
"""

from __future__ import annotations

import itertools
from itertools import combinations
from typing import TYPE_CHECKING

from kibitz.rulebook import model as m
from kibitz.rulebook.model import OPPONENT, YOU
from kibitz.rulebook.translation.problems import RulesProblem, closest

if TYPE_CHECKING:
    from kibitz.rulebook.translation.translator import Translation

__all__ = ["Ends"]


class Ends:
    """Writes who has won or lost, when play has ended, and the goals."""

    def __init__(self, translation: Translation) -> None:
        self.t = translation
        self.sheet = translation.sheet

    def write(self) -> None:
        """Write all ends."""
        t, sheet = self.t, self.sheet
        payoffs = [*map(self._for_each, t.rules.all(m.SamePayoff)), *t.rules.all(m.Payoff)]
        ends = [one for one in t.rules.sentences if isinstance(one, m.End | m.Most)]
        if payoffs:
            if ends:
                raise RulesProblem(
                    "ENG005", "with points for choices there is no other end", ends[0]
                )
            self._payoffs(payoffs)
            return
        if not ends:
            hint = 'write such as "You lose if you cannot move."'
            raise RulesProblem("ENG002", "it is not said how the game ends", None, hint)
        level, last = "", ""
        drawn = False
        for end in ends:
            sheet.section(_sentence(end))
            result = end.result if isinstance(end, m.End) else "most"
            if result != "draws" and result != last:
                level = "(not decided_before)" if last else ""
                if last:
                    self._decided(last)
                last = result
            guard = [level] if level and result != "draws" else []
            if isinstance(end, m.Most):
                self._most(end, guard)
            elif result == "draws":
                drawn = True
                sheet.rule("drawn", "(role ?player)", self._all(end, "?player"))
            else:
                who = t.who(end.player)
                role = [f"(role {who})"] if who.startswith("?") else []
                sheet.rule(f"({result} {who})", role, self._all(end, who), guard)
        self._terminal(ends, drawn)
        self._goals(ends)

    def _decided(self, result: str) -> None:
        if result == "most":
            self.sheet.rule("decided_before", "counted")
        else:
            self.sheet.rule("decided_before", f"({result} ?player)")

    def _terminal(self, ends: list[m.End | m.Most], drawn: bool) -> None:
        t, sheet = self.t, self.sheet
        sheet.section("The end, and the goals.")
        results = {end.result for end in ends if isinstance(end, m.End)}
        for result in ("wins", "loses"):
            if result in results:
                sheet.rule("terminal", f"({result} ?player)")
        if drawn:
            sheet.rule("terminal", "drawn")
        if any(isinstance(end, m.Most) for end in ends):
            sheet.rule("terminal", "counted")
        moves = [move for _, move in t.moves]
        if not t.rules.one(m.PassIfStuck) and not any(isinstance(x, m.Pass) for x in moves):
            if t.has_control:
                stuck = ["(true (control ?player))", "(not (can_move ?player))"]
                sheet.rule("terminal", *stuck)
            elif not any(isinstance(x, m.Choose | m.Switch) for x in moves):
                sheet.rule("terminal", "(role ?player)", "(not (can_move ?player))")

    def _goals(self, ends: list[m.End | m.Most]) -> None:
        t, sheet = self.t, self.sheet
        kinds = {end.result if isinstance(end, m.End) else "most" for end in ends}
        wins, loses = bool(kinds & {"wins", "most"}), "loses" in kinds
        if len(t.roles) == 1:
            role = t.roles[0]
            if "wins" in kinds:
                sheet.rule(f"(goal {role} 100)", f"(wins {role})")
                sheet.rule(f"(goal {role} 0)", f"(not (wins {role}))")
            elif loses:
                sheet.rule(f"(goal {role} 0)", f"(loses {role})")
                sheet.rule(f"(goal {role} 100)", f"(not (loses {role}))")
            else:
                sheet.fact(f"(goal {role} 50)")
            return
        if not wins and not loses:
            sheet.rule("(goal ?player 50)", "(role ?player)")
            return
        for kind, won in (("wins", "(wins ?player)"), ("most", "(leads ?player)")):
            if kind in kinds:
                sheet.rule("(ahead ?player)", won)
                sheet.rule("(behind ?other)", won, "(role ?other)", "(distinct ?player ?other)")
        if loses:
            sheet.rule("(behind ?player)", "(loses ?player)")
            sheet.rule("(ahead ?other)", "(loses ?player)", "(role ?other)",
                       "(distinct ?player ?other)")  # fmt: skip
        sheet.rule("(goal ?player 100)", "(ahead ?player)", "(not (behind ?player))")
        sheet.rule("(goal ?player 0)", "(behind ?player)", "(not (ahead ?player))")
        sheet.rule("(goal ?player 50)", "(ahead ?player)", "(behind ?player)")
        sheet.rule("(goal ?player 50)", "(role ?player)", "(not (ahead ?player))",
                   "(not (behind ?player))")  # fmt: skip

    def _all(self, end: m.End | m.Most, who: str) -> list[str]:
        return [one for c in end.conditions for one in self._condition(end, c, who)]

    def _holder(self, owner: str, who: str) -> tuple[str, list[str]]:
        """Return the term for an owner, and the literals that bind it."""
        if owner == YOU:
            return who, []
        if owner == OPPONENT:
            other = self.t.fresh("other")
            return other, [f"(role {other})", f"(distinct {other} {who})"]
        return self.t.role(owner), []

    def _condition(self, end: m.Sentence, condition: m.Condition, who: str) -> list[str]:
        t, sheet = self.t, self.sheet
        if isinstance(condition, m.BoardFull):
            t.board  # noqa: B018 - raises where there is none
            sheet.rule("open", t.empty(t.at()))
            return ["(not open)"]
        if isinstance(condition, m.BoardEmpty):
            if t.heaps():
                sheet.rule("left", "(true (heap ?heap ?size))", "(distinct ?size 0)")
            else:
                t.board  # noqa: B018
                sheet.rule("left", f"(true (cell {t.at()} ?content))", "(distinct ?content b)")
            return ["(not left)"]
        if isinstance(condition, m.TurnsPlayed):
            return [f"(true (turns {condition.count}))"]
        if isinstance(condition, m.Repeated):
            return self._repeated(end, condition)
        if isinstance(condition, m.LineThere):
            return [self._line_there(end, condition)]
        if isinstance(condition, m.Choice):
            if not t.rules.all(m.Beats):
                hint = 'write such as "Rock beats scissors."'
                raise RulesProblem("ENG002", "it is not said what beats what", end, hint)
            sheet.rule("(next (beat ?player))", "(beaten_by ?other ?player)")
            return [f"(true (beat {who}))"]
        if isinstance(condition, m.NobodyCanMove):
            sheet.rule("somebody_can_move", "(can_move ?player)")
            return ["(not somebody_can_move)"]
        holder, bound = self._holder(condition.owner, who)
        if isinstance(condition, m.CannotMove):
            turn = [f"(true (control {holder}))"] if t.has_control else []
            return [*bound, *turn, f"(not (can_move {holder}))"]
        if isinstance(condition, m.MovedLast):
            return [*bound, self._moved_last(end, holder)]
        if isinstance(condition, m.Line):
            return [*bound, self._line(end, condition, holder)]
        if isinstance(condition, m.Sum):
            return [*bound, self._sum(end, condition, holder)]
        if isinstance(condition, m.Connected):
            return [*bound, self._connected(end, condition, holder)]
        if isinstance(condition, m.NoPiece):
            t.known_kind(condition.kind)
            name = "has_piece" if condition.kind == "piece" else f"has_{condition.kind}"
            held = t.holds(t.at(), YOU, condition.kind, "?player")
            sheet.rule(f"({name} ?player)", "(role ?player)", held)
            return [*bound, f"(not ({name} {holder}))"]
        if isinstance(condition, m.Stands):
            at = t.at(t.fresh("at")[3:])
            region = condition.region
            name = f"goal_{_short(region)}"
            held = t.holds(at, YOU, condition.kind, holder)
            if isinstance(region, m.Cells) and len(region.names) == 1:
                cell = t.board.find(region.names[0])
                return [*bound, *t.holds(" ".join(cell), YOU, condition.kind, holder)]
            where = t.region(name, lambda n: t.board.region(region, n, end), at, holder)
            return [*bound, *held, where]
        assert isinstance(condition, m.Count)
        most = next((s.most for s in t.rules.all(m.Stock) if s.noun == condition.kind), None)
        if most is not None:
            stocked = f"(true ({condition.kind} ?player ?n))"
            sheet.rule(f"(amount_{condition.kind} ?player ?n)", stocked)
        else:
            self._tally(condition.kind)
            most = len(t.board.cells)
        number = t.fresh("n")
        counted = f"(amount_{condition.kind} {holder} {number})"
        if condition.how == "exactly":
            return [*bound, f"(amount_{condition.kind} {holder} {condition.count})"]
        if condition.how == "least":
            name = f"at_least_{condition.count}"
            t.later(*(f"({name} {n})" for n in range(condition.count, most + 1)))
            return [*bound, counted, f"({name} {number})"]
        t.later(*(f"(fewer_than_{condition.count} {n})" for n in range(condition.count)))
        return [*bound, counted, f"(fewer_than_{condition.count} {number})"]

    def _repeated(self, end: m.Sentence, condition: m.Repeated) -> list[str]:
        """Remember the board of so many turns, and compare the oldest with what is there."""
        t, sheet, turns = self.t, self.sheet, condition.turns
        if not 2 <= turns <= 12 or turns % len(t.roles):
            players = len(t.roles)
            message = f"a position is compared with one 2 to 12 turns ago, a multiple of {players}"
            raise RulesProblem("ENG005", message, end)
        if t.rules.all(m.Hand) or t.rules.one(m.MovesPerTurn):
            raise RulesProblem("ENG005", "positions are compared on the board alone", end)
        cell = f"{t.board and t.at()} ?content"
        sheet.rule(f"(next (was 1 {cell}))", f"(true (cell {cell}))")
        for ago in range(1, turns):
            sheet.rule(f"(next (was {ago + 1} {cell}))", f"(true (was {ago} {cell}))")
        was = f"(true (was {turns} {cell}))"
        sheet.rule(f"differs_from_{turns}_ago", was, f"(not (true (cell {cell})))")
        sheet.rule(f"remembers_{turns}_ago", was)
        return [f"remembers_{turns}_ago", f"(not differs_from_{turns}_ago)"]

    def _totals(self, rounds: m.Rounds, payoffs: list[m.Payoff]) -> range:
        """Let what players get in each round add up; return the sums that there may be."""
        t, sheet = self.t, self.sheet
        values = sorted({one.points for payoff in payoffs for one in payoff.points})
        largest = rounds.count * values[-1]
        if not 1 <= rounds.count <= 100 or largest > 100:
            message = f"{rounds.count} rounds may give {largest} points; at most 100 are counted"
            raise RulesProblem("ENG004", message, rounds)
        sheet.section("Points of all rounds add up.")
        sheet.fact("(init (round 0))", *(f"(init (total {role} 0))" for role in t.roles))
        sheet.rule("(next (round ?after))", "(true (round ?before))", "(succ ?before ?after)")
        sheet.rule(
            "(next (total ?player ?after))",
            "(true (total ?player ?before))",
            "(earns ?player ?points)",
            "(plus ?before ?points ?after)",
        )
        sheet.rule("terminal", f"(true (round {rounds.count}))")
        sheet.rule("(goal ?player ?points)", "(true (total ?player ?points))")
        t.later(*(f"(succ {n} {n + 1})" for n in range(rounds.count)))
        sums = range(largest + 1)
        t.later(*(f"(plus {a} {b} {a + b})" for a in sums for b in values if a + b in sums))
        return sums

    def _for_each(self, same: m.SamePayoff) -> m.Payoff:
        """Return what all players get for the same choice as what each gets."""
        names = [name for one in self.t.rules.all(m.Players) for name in one.names]
        return m.Payoff(
            tuple(m.Picks(name, same.choice) for name in names),
            tuple(m.Gets(name, same.points) for name in names),
        )

    def _moved_last(self, end: m.Sentence, holder: str) -> str:
        t = self.t
        if not t.has_control:
            raise RulesProblem("ENG005", "only players that take turns move last", end)
        per_turn = t.rules.one(m.MovesPerTurn)
        if per_turn and per_turn.count > 1:
            return f"(true (moved {holder}))"
        for role, after in zip(t.roles, (*t.roles[1:], t.roles[0]), strict=True):
            t.later(f"(followed_by {role} {after})")
        self.sheet.rule(
            "(moved_last ?player)", "(followed_by ?player ?next)", "(true (control ?next))"
        )
        return f"(moved_last {holder})"

    def _chain(self, end: m.Sentence, ways: str, count: int) -> list[tuple[list[str], list[str]]]:
        """Return for each way of a line its cells, and the literals that bind them."""
        t = self.t
        if not 2 <= count <= 20:
            raise RulesProblem("ENG004", "a line has 2 to 20 pieces", end)
        found = []
        for way in t.board.line_ways(ways, end):
            cells = [t.at(number) for number in range(1, count + 1)]
            pairs = itertools.pairwise(cells)
            found.append((cells, [t.step(way, a, b, [way]) for a, b in pairs]))
        return found

    def _line(self, end: m.Sentence, line: m.Line, holder: str) -> str:
        t = self.t
        name = f"line_of_{line.count}" + ("" if line.ways == "line" else f"_{line.ways}")
        for cells, steps in self._chain(end, line.ways, line.count):
            held = [one for cell in cells for one in t.holds(cell, YOU, "piece", "?player")]
            first = t.holds(cells[0], YOU, "piece", "?player")
            body = held if not t.is_plain else _woven(first, held[1:], steps)
            self.sheet.rule(f"({name} ?player)", "(role ?player)", body, steps)
        return f"({name} {holder})"

    def _sum(self, end: m.Sentence, condition: m.Sum, holder: str) -> str:
        t = self.t
        if not isinstance(t.board.board, m.Row | m.Ring):
            raise RulesProblem("ENG005", "only cells in a row or a ring have numbers", end)
        if not 2 <= condition.count <= 4 or len(t.board.cells) > 20:
            raise RulesProblem("ENG004", "2 to 4 numbers of at most 20 are added up", end)
        name = f"add_up_to_{condition.total}"
        numbers = range(1, len(t.board.cells) + 1)
        for chosen in combinations(numbers, condition.count):
            if sum(chosen) == condition.total:
                t.later(f"({name} {' '.join(map(str, chosen))})")
        cells = [t.at(number) for number in range(1, condition.count + 1)]
        held = [one for cell in cells for one in t.holds(cell, YOU, "piece", "?player")]
        has = f"has_sum_{condition.count}_{condition.total}"
        self.sheet.rule(f"({has} ?player)", "(role ?player)", f"({name} {' '.join(cells)})", held)
        return f"({has} {holder})"

    def _line_there(self, end: m.Sentence, line: m.LineThere) -> str:
        t = self.t
        t.known_kind(line.kind)
        name = f"{line.kind}s_in_line_{line.count}" + (
            "" if line.ways == "line" else f"_{line.ways}"
        )
        for cells, steps in self._chain(end, line.ways, line.count):
            if line.kind == "piece":
                held = [f"(true (cell {cell} ?content))" for cell in cells]
                held.append("(distinct ?content b)")
            else:
                held = [one for cell in cells for one in t.holds(cell, "any", line.kind, "?player")]
            self.sheet.rule(name, held, steps)
        return name

    def _connected(self, end: m.Sentence, condition: m.Connected, holder: str) -> str:
        t = self.t
        grid = t.board.board
        if not isinstance(grid, m.Grid):
            raise RulesProblem("ENG005", "only a grid has sides to connect", end)
        columns = sorted({cell[0] for cell in t.board.cells})
        sides = (
            (f"{columns[0]} ?y", f"{columns[-1]} ?y")
            if condition.sides == "sideways"
            else ("?x 1", f"?x {grid.rows}")
        )
        chain = f"chain_{condition.sides}"
        one, two = t.at(1), t.at(2)
        first = t.holds(sides[0], YOU, "piece", "?player")
        self.sheet.rule(f"({chain} ?player {sides[0]})", "(role ?player)", first)
        beside = t.adjacent(one, two, end)
        held = t.holds(two, YOU, "piece", "?player")
        self.sheet.rule(f"({chain} ?player {two})", f"({chain} ?player {one})", beside, held)
        self.sheet.rule(f"(connects_{condition.sides} ?player)", f"({chain} ?player {sides[1]})")
        return f"(connects_{condition.sides} {holder})"

    def _tally(self, kind: str) -> None:
        """Count pieces of a kind cell by cell."""
        t, sheet = self.t, self.sheet
        t.known_kind(kind)
        cells = t.board.cells
        if len(cells) > 100:
            raise RulesProblem("ENG004", "pieces are counted on boards of at most 100 cells", None)
        for number, cell in enumerate(cells):
            t.later(f"(nth {number} {number + 1} {' '.join(cell)})")
        t.later(*(f"(succ {n} {n + 1})" for n in range(len(cells))))
        held = t.holds(t.at(), YOU, kind, "?player")
        name = f"mine_{kind}"
        sheet.rule(f"({name} ?player {t.at()})", "(role ?player)", held)
        sheet.rule(f"(tally_{kind} ?player 0 0)", "(role ?player)")
        before = f"(tally_{kind} ?player ?i ?n)"
        nth = f"(nth ?i ?j {t.at()})"
        sheet.rule(
            f"(tally_{kind} ?player ?j ?more)", before, nth, f"({name} ?player {t.at()})",
            "(succ ?n ?more)",
        )  # fmt: skip
        sheet.rule(f"(tally_{kind} ?player ?j ?n)", before, nth, f"(not ({name} ?player {t.at()}))")
        sheet.rule(f"(amount_{kind} ?player ?n)", f"(tally_{kind} ?player {len(cells)} ?n)")

    def _most(self, end: m.Most, guard: list[str]) -> None:
        t, sheet = self.t, self.sheet
        noun = end.noun
        stocks = {stock.noun: stock.most for stock in t.rules.all(m.Stock)}
        stores = t.rules.all(m.Store)
        if noun in stocks:
            most = stocks[noun]
            sheet.rule(f"(amount_{noun} ?player ?n)", f"(true ({noun} ?player ?n))")
        elif noun == "seed" and stores:
            most = sum(len(pit.cells) * pit.seeds for pit in t.rules.all(m.Pits))
            for store in stores:
                role = t.role(store.player)
                sheet.rule(f"(amount_seed {role} ?n)", f"(true (pit {store.cell} ?n))")
        elif t.geometry is not None and not t.rules.all(m.Pits):
            t.known_kind(noun)
            if noun in t.neutral:
                raise RulesProblem("ENG005", f"{noun}s belong to nobody", noun)
            self._tally(noun)
            most = len(t.board.cells)
        else:
            raise RulesProblem("ENG003", f"nobody has {noun}s", noun, closest(noun, stocks))
        t.later(*(f"(less {a} {b})" for b in range(most + 1) for a in range(b)))
        mine, theirs = f"(amount_{noun} ?player ?n)", f"(amount_{noun} ?other ?m)"
        less = "(less ?n ?m)" if end.how == "more" else "(less ?m ?n)"
        sheet.rule("counted", "(role ?player)", self._all(end, "?player"), guard)
        sheet.rule(f"(matched_{noun} ?player)", mine, theirs, "(distinct ?player ?other)", less)
        sheet.rule(f"(matched_{noun} ?player)", mine, f"(amount_{noun} ?other ?n)",
                   "(distinct ?player ?other)")  # fmt: skip
        sheet.rule(
            "(leads ?player)", "counted", "(role ?player)", f"(not (matched_{noun} ?player))"
        )

    def _payoffs(self, payoffs: list[m.Payoff]) -> None:
        t, sheet = self.t, self.sheet
        if not t.is_simultaneous:
            hint = 'add "All players move at the same time."'
            raise RulesProblem(
                "ENG005", "points for choices need simultaneous moves", payoffs[0], hint
            )
        chosen = [(rule, move) for rule, move in t.moves if isinstance(move, m.Choose)]
        of = {
            role: [c for rule, move in chosen if role in t.each(rule.player) for c in move.choices]
            for role in t.roles
        }
        rounds = t.rules.one(m.Rounds)
        totals = None if rounds is None else self._totals(rounds, payoffs)
        if totals is None:
            sheet.section("What is chosen is remembered, ends the game, and gives the points.")
            sheet.rule("(next (chose ?player ?choice))", "(does ?player ?choice)")
            sheet.rule("terminal", "(true (chose ?player ?choice))")
        covered: set[tuple[str, ...]] = set()
        for payoff in payoffs:
            picked = {t.role(pick.player): pick.choice for pick in payoff.choices}
            for role, choice in picked.items():
                if choice not in of[role]:
                    raise RulesProblem(
                        "ENG003",
                        f"{role} cannot choose {choice}",
                        choice,
                        closest(choice, of[role]),
                    )
            gets = {t.role(one.player): one.points for one in payoff.points}
            if set(picked) != set(t.roles) or set(gets) != set(t.roles):
                raise RulesProblem("ENG002", "say it of every player", payoff)
            if any(points > 100 for points in gets.values()):
                raise RulesProblem("ENG004", "points are from 0 to 100", payoff)
            covered.add(tuple(picked[role] for role in t.roles))
            sheet.section(_sentence(payoff))
            for role in t.roles:
                if totals is None:
                    body = [f"(true (chose {one} {picked[one]}))" for one in t.roles]
                    sheet.rule(f"(goal {role} {gets[role]})", body)
                else:
                    body = [f"(does {one} {picked[one]})" for one in t.roles]
                    sheet.rule(f"(earns {role} {gets[role]})", body)
        wanted = 1
        for role in t.roles:
            wanted *= len(of[role])
        if len(covered) < wanted:
            count = wanted - len(covered)
            raise RulesProblem(
                "ENG002", f"points are missing for {count} pairs of choices", payoffs[-1]
            )


def _woven(first: list[str], held: list[str], steps: list[str]) -> list[str]:
    """Put each step before what it leads to."""
    found = list(first)
    for step, one in zip(steps, held, strict=False):
        found += [step, one]
    return found


def _short(region: m.Region) -> str:
    if isinstance(region, m.Rows):
        return "row_" + "_".join(map(str, region.numbers))
    if isinstance(region, m.Columns):
        return "column_" + "_".join(region.letters)
    if isinstance(region, m.Cells):
        return "_".join(region.names)
    return {m.FarRow: "far_row", m.HomeRow: "home_row", m.Edge: "edge", m.Corners: "corner"}.get(
        type(region), "cell"
    )


def _sentence(sentence: m.Sentence) -> str:
    from kibitz.rulebook.sentences import GRAMMAR

    return GRAMMAR.sentence(sentence)
