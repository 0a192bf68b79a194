"""Points for choices in, rules for what players get out, once or over several rounds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kibitz.rulebook import model as m
from kibitz.rulebook.sentences import GRAMMAR
from kibitz.rulebook.translation.problems import RulesProblem, closest

if TYPE_CHECKING:
    from kibitz.rulebook.translation.translator import Translation


def write_payoffs(t: Translation, payoffs: list[m.Payoff]) -> None:
    """Write what players get for what they chose."""
    sheet = t.sheet
    if not t.is_simultaneous:
        hint = 'add "All players move at the same time."'
        raise RulesProblem("ENG005", "points for choices need simultaneous moves", payoffs[0], hint)
    chosen = [(rule, move) for rule, move in t.moves if isinstance(move, m.Choose)]
    of = {
        role: [c for rule, move in chosen if role in t.each(rule.player) for c in move.choices]
        for role in t.roles
    }
    rounds = t.rules.one(m.Rounds)
    totals = None if rounds is None else _totals(t, rounds, payoffs)
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
        sheet.section(GRAMMAR.sentence(payoff))
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


def _totals(t: Translation, rounds: m.Rounds, payoffs: list[m.Payoff]) -> range:
    """Let what players get in each round add up; return the sums that there may be."""
    sheet = t.sheet
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


def payoff_for_each(t: Translation, same: m.SamePayoff) -> m.Payoff:
    """Return what all players get for the same choice as what each gets."""
    names = [name for one in t.rules.all(m.Players) for name in one.names]
    return m.Payoff(
        tuple(m.Picks(name, same.choice) for name in names),
        tuple(m.Gets(name, same.points) for name in names),
    )
