"""Sentences about words that players choose in, rules for what they give and cost out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kibitz.rulebook import model as m
from kibitz.rulebook.translation.piles import subtraction
from kibitz.rulebook.translation.problems import RulesProblem, closest

if TYPE_CHECKING:
    from kibitz.rulebook.translation.moves import Moves


def choose(moves: Moves, rule: m.MoveRule, move: m.Choose) -> None:
    """Write the choice between words, and what they give."""
    t, who = moves.t, moves.t.who(rule.player)
    for choice in move.choices:
        if choice in ("noop", "pass"):
            raise RulesProblem("ENG005", f"{choice} cannot be a choice", choice)
        costs = [g for g in t.rules.all(m.Gain) if g.choice == choice and g.verb == "costs"]
        body = [
            literal
            for gain in costs
            for literal in (
                f"(true ({gain.noun} {who} ?{gain.noun}))",
                f"(minus ?{gain.noun} {gain.count} ?{gain.noun}_left)",
            )
        ]
        moves.allow(rule, choice, body)
    moves.effect("choose", lambda: _chosen(moves))


def pass_turn(moves: Moves, rule: m.MoveRule, move: m.Pass) -> None:
    """Write the move that changes nothing."""
    moves.allow(rule, "pass")


def _chosen(moves: Moves) -> None:
    t, sheet = moves.t, moves.sheet
    choices = {c for _, move in t.moves if isinstance(move, m.Choose) for c in move.choices}
    stocks = {stock.noun: stock for stock in t.rules.all(m.Stock)}
    words = [gain.choice for gain in t.rules.all(m.Gain)]
    for beats in t.rules.all(m.Beats):
        words += [beats.choice, *beats.others]
    for word in words:
        if word not in choices:
            raise RulesProblem("ENG003", f"{word} is no choice", word, closest(word, choices))
    gained = [gain.noun for gain in t.rules.all(m.Gain)]
    scored = [score.noun for score in t.rules.all(m.Score)]
    for noun in (*gained, *scored):
        if noun not in stocks:
            hint = f'write such as "Each player starts with 0 {noun}s and can hold 3."'
            raise RulesProblem("ENG003", f"it is not said who has {noun}s", noun, hint)
    for beats in t.rules.all(m.Beats):
        t.later(*(f"(beats {beats.choice} {other})" for other in beats.others))
    if t.rules.all(m.Beats):
        if not t.is_simultaneous:
            raise RulesProblem(
                "ENG005",
                "a choice beats another where players choose at the same time",
                t.rules.all(m.Beats)[0],
                'add "All players move at the same time."',
            )
        sheet.rule(
            "(beaten_by ?other ?player)",
            "(does ?player ?mine)",
            "(does ?other ?theirs)",
            "(distinct ?player ?other)",
            "(beats ?mine ?theirs)",
        )
    for noun, stock in stocks.items():
        if not 0 <= stock.count <= stock.most <= 60:
            raise RulesProblem("ENG004", f"players hold 0 to 60 {noun}s", stock)
        sheet.fact(*(f"(init ({noun} {role} {stock.count}))" for role in t.roles))
        subtraction(moves, stock.most)
        before = f"(true ({noun} ?player ?before))"
        for gain in [g for g in t.rules.all(m.Gain) if g.noun == noun]:
            does = f"(does ?player {gain.choice})"
            sheet.rule(f"(changes_{noun} ?player)", does)
            change = (
                f"(minus ?before {gain.count} ?after)"
                if gain.verb == "costs"
                else f"(up_{noun} ?before {gain.count} ?after)"
            )
            sheet.rule(f"(next ({noun} ?player ?after))", does, before, change)
            _up(moves, stock, gain.count)
        for score in [one for one in t.rules.all(m.Score) if one.noun == noun]:
            if noun in gained:
                raise RulesProblem("ENG005", f"two sentences change {noun}s", score)
            sheet.rule(f"(changes_{noun} ?player)", "(beaten_by ?other ?player)")
            sheet.rule(
                f"(next ({noun} ?player ?after))",
                f"(changes_{noun} ?player)",
                before,
                f"(up_{noun} ?before {score.count} ?after)",
            )
            _up(moves, stock, score.count)
        kept = f"(not (changes_{noun} ?player))" if noun in (*gained, *scored) else ""
        sheet.rule(f"(next ({noun} ?player ?before))", before, kept)


def _up(moves: Moves, stock: m.Stock, count: int) -> None:
    moves.t.later(
        *(
            f"(up_{stock.noun} {n} {count} {min(n + count, stock.most)})"
            for n in range(stock.most + 1)
        )
    )
