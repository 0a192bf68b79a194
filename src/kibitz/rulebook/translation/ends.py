"""Sentences about ends in, rules for terminal states and goals out.

The order of the sentences decides: what a later sentence says of winning and losing counts only
where no earlier one of another result applies. A player who cannot move where nothing is said of
that ends the game as a draw. Where sentences give points, a player gets those of the first one
that applies, and none if none does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kibitz.rulebook import model as m
from kibitz.rulebook.model import YOU
from kibitz.rulebook.sentences import GRAMMAR
from kibitz.rulebook.translation.conditions import condition_literals
from kibitz.rulebook.translation.payoffs import payoff_for_each, write_payoffs
from kibitz.rulebook.translation.problems import RulesProblem
from kibitz.rulebook.translation.scoring import amounts

if TYPE_CHECKING:
    from kibitz.rulebook.translation.translator import Translation


_POINTS = {"wins": 100, "draws": 50, "loses": 0}


class Ends:
    """Writes who has won or lost, when play has ended, and the goals."""

    def __init__(self, translation: Translation) -> None:
        self.t = translation
        self.sheet = translation.sheet

    def write(self) -> None:
        """Write all ends."""
        t = self.t
        payoffs = [payoff_for_each(t, one) for one in t.rules.all(m.SamePayoff)]
        payoffs += t.rules.all(m.Payoff)
        ends = self._ends()
        if payoffs:
            if ends:
                message = "with points for choices there is no other end"
                raise RulesProblem("ENG005", message, ends[0])
            write_payoffs(t, payoffs)
        elif not ends:
            hint = 'write such as "You lose if you cannot move."'
            raise RulesProblem("ENG002", "it is not said how the game ends", None, hint)
        elif self._is_graded:
            self._graded(ends)
        else:
            self._decisions([end for end in ends if isinstance(end, m.End | m.Most)])

    def _ends(self) -> list[m.End | m.Most | m.GameEnds]:
        """Return the ends; where who has most wins, the end of the game is joined with that."""
        t = self.t
        ends = [one for one in t.rules.sentences if isinstance(one, m.End | m.Most)]
        stops = t.rules.all(m.GameEnds)
        leader = t.single(m.Leader)
        if self._is_graded:
            return [*stops, *ends] or [m.GameEnds((m.NobodyCanMove(),))]
        if leader is not None:
            stops = stops or [m.GameEnds((m.CannotMove(YOU),))]
            return [*ends, *(m.Most(one.conditions, leader.how, leader.noun) for one in stops)]
        if stops and not any(isinstance(end, m.Most) or end.result != "draws" for end in ends):
            hint = 'write such as "Whoever has more pieces wins."'
            raise RulesProblem("ENG002", "it is not said who wins then", stops[0], hint)
        return [*ends, *(m.End(YOU, "draws", one.conditions) for one in stops)]

    @property
    def _is_graded(self) -> bool:
        return bool(self.t.rules.one(m.Graded) or self.t.rules.one(m.Result))

    def _all(self, end: m.End | m.Most | m.Graded | m.GameEnds, who: str) -> list[str]:
        return [one for c in end.conditions for one in condition_literals(self.t, end, c, who)]

    def _decisions(self, ends: list[m.End | m.Most]) -> None:
        """Write who wins and who loses."""
        t, sheet = self.t, self.sheet
        level, last = "", ""
        for number, end in enumerate(ends):
            sheet.section(GRAMMAR.sentence(end))
            result = end.result if isinstance(end, m.End) else "most"
            if result != "draws" and result != last:
                level = "(not decided_before)" if last else ""
                if last:
                    before = "counted" if last == "most" else f"({last} ?player)"
                    sheet.rule("decided_before", before)
                last = result
            guard = [level] if level and result != "draws" else []
            if isinstance(end, m.Most):
                self._most(end, number, guard)
            elif result == "draws":
                sheet.rule("drawn", "(role ?player)", self._all(end, "?player"))
            else:
                who = t.who(end.player)
                role = [f"(role {who})"] if who.startswith("?") else []
                sheet.rule(f"({result} {who})", role, self._all(end, who), guard)
        results = {end.result if isinstance(end, m.End) else "most" for end in ends}
        self._terminal(results)
        self._goals(results)

    def _terminal(self, results: set[str]) -> None:
        sheet = self.sheet
        sheet.section("The end, and the goals.")
        for result in ("wins", "loses"):
            if result in results:
                sheet.rule("terminal", f"({result} ?player)")
        if "draws" in results:
            sheet.rule("terminal", "drawn")
        if "most" in results:
            sheet.rule("terminal", "counted")
        self._stuck()

    def _stuck(self) -> None:
        """End the game where somebody would have no move, or nobody has one but to pass."""
        t, sheet = self.t, self.sheet
        moves = [move for _, move in t.moves]
        if t.rules.one(m.PassIfStuck):
            sheet.rule("somebody_can_move", "(can_move ?player)")
            sheet.rule("terminal", "(not somebody_can_move)")
        elif not any(isinstance(x, m.Pass) for x in moves):
            if t.has_control:
                stuck = ["(true (control ?player))", "(not (can_move ?player))"]
                sheet.rule("terminal", *stuck)
            elif not any(isinstance(x, m.Choose | m.Switch) for x in moves):
                sheet.rule("terminal", "(role ?player)", "(not (can_move ?player))")

    def _goals(self, results: set[str]) -> None:
        t, sheet = self.t, self.sheet
        wins, loses = bool(results & {"wins", "most"}), "loses" in results
        if len(t.roles) == 1:
            role = t.roles[0]
            if "wins" in results:
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
            if kind in results:
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

    def _most(self, end: m.Most, number: int, guard: list[str]) -> None:
        t, sheet, noun = self.t, self.sheet, end.noun
        if noun in t.neutral:
            raise RulesProblem("ENG005", f"{noun}s belong to nobody", noun)
        most = amounts(t, noun, end)
        t.later(*(f"(less {a} {b})" for b in range(most + 1) for a in range(b)))
        mine, theirs = f"(amount_{noun} ?player ?n)", f"(amount_{noun} ?other ?m)"
        less = "(less ?n ?m)" if end.how == "more" else "(less ?m ?n)"
        matched = f"(matched_{noun}_{end.how} ?player)"
        sheet.rule(f"counted_{number}", "(role ?player)", self._all(end, "?player"), guard)
        sheet.rule("counted", f"counted_{number}")
        sheet.rule(matched, mine, theirs, "(distinct ?player ?other)", less)
        same = f"(amount_{noun} ?other ?n)"
        sheet.rule(matched, mine, same, "(distinct ?player ?other)")
        sheet.rule("(leads ?player)", f"counted_{number}", "(role ?player)", f"(not {matched})")

    def _graded(self, ends: list[m.End | m.Most | m.GameEnds]) -> None:
        """Write what players get at the end, which sentences of their own say."""
        t, sheet = self.t, self.sheet
        graded = [one for one in t.rules.sentences if isinstance(one, m.Graded | m.End)]
        result = t.single(m.Result)
        most = next((one for one in ends if isinstance(one, m.Most)), None)
        odd = most or next((one for one in ends if isinstance(one, m.End)), None)
        if odd is not None and (most or len(t.roles) > 1 or result):
            raise RulesProblem("ENG005", "players either win or get points", odd)
        if result is not None and t.rules.all(m.Graded):
            raise RulesProblem("ENG005", "players get points in one way", result)
        for end in ends:
            sheet.section(GRAMMAR.sentence(end))
            sheet.rule("terminal", "(role ?player)", self._all(end, "?player"))
        self._stuck()
        if result is not None:
            sheet.section(GRAMMAR.sentence(result))
            if amounts(t, result.noun, result) > 100:
                raise RulesProblem("ENG004", "a result is at most 100", result)
            sheet.rule("(goal ?player ?n)", f"(amount_{result.noun} ?player ?n)")
            return
        for number, one in enumerate(graded):
            sheet.section(GRAMMAR.sentence(one))
            points = one.points if isinstance(one, m.Graded) else _POINTS[one.result]
            if not 0 <= points <= 100:
                raise RulesProblem("ENG004", "points are from 0 to 100", one)
            who = t.who(one.player)
            earlier = [f"(not (grade_{n} {who}))" for n in range(number)]
            sheet.rule(f"(grade_{number} {who})", f"(role {who})", self._all(one, who))
            sheet.rule(f"(goal {who} {points})", f"(grade_{number} {who})", earlier)
        none = [f"(not (grade_{number} ?player))" for number in range(len(graded))]
        sheet.rule("(goal ?player 0)", "(role ?player)", none)
