"""A game too large to solve in, advice out: rules found by matches, with what was measured."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from kibitz.board import Mark, layout_of, mark_fluent, mark_move, svg_board, text_board
from kibitz.engine import CompiledGame, Role, State
from kibitz.measured import MeasuredRules, SearchOptions, find_measured_rules
from kibitz.policy import Policy, RandomPolicy, UctPolicy
from kibitz.present.explanation.examples import ExampleLine
from kibitz.present.explanation.explanation import RoleAdvice, RuleText
from kibitz.present.explanation.known_lists import known_measured_rules
from kibitz.present.explanation.measured_text import opponent_words
from kibitz.present.explanation.played_matches import Decision, PlayedMatch, play_by_rules
from kibitz.present.explanation.rule_pictures import show_example
from kibitz.strategy import rule_text
from kibitz.wording import join_words, side_name

__all__ = ["MeasuredAdvice", "measured_advice"]

_MATCHES = 32
"""Matches in each seat from which examples are taken."""
_FEW_MATCHES = 8
"""The same for a list that is shown while better ones are looked for."""
_STRONG, _WEAK = 1000, 100
"""Playouts of the tree search they are against; fewer where a match takes much work."""
_MUCH = 2_000_000
"""Gates of a game times the moves of a match, from which on it is much work."""

Report = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class MeasuredAdvice:
    """Advice by measured rules, and the matches that its examples are from."""

    advice: RoleAdvice
    matches: tuple[PlayedMatch, ...]


def measured_advice(
    game: CompiledGame,
    role: Role | None,
    options: SearchOptions,
    *,
    before: RoleAdvice | None = None,
    matches: int = _MATCHES,
    report: Report = lambda _: None,
    seen: Callable[[MeasuredAdvice], None] | None = None,
) -> MeasuredAdvice:
    """Find rules for a role, or one list for all, measure them, and show each in a match.

    `seen` gets advice by each better list that is found on the way.
    Those of an advice from `before` are shown as they were measured then, with the command of then.
    """

    def advice(found: MeasuredRules, matches: int) -> MeasuredAdvice:
        played = _play(game, found, matches)
        asked = replace(options, seconds=found.given_s)
        command = before.command if before is not None else _command(game.sheet.name, role, asked)
        return MeasuredAdvice(_advice(game, found, played, command), tuple(played))

    if before is not None and before.measured is not None:
        found = known_measured_rules(game, before.measured)
    else:

        def show(found: MeasuredRules) -> None:
            if seen is not None:
                seen(advice(found, _FEW_MATCHES))

        found = find_measured_rules(
            game, role, options, report=report, seen=None if seen is None else show
        )
    report("playing matches for examples")
    return advice(found, matches)


def _play(game: CompiledGame, found: MeasuredRules, matches: int) -> list[PlayedMatch]:
    """Play by the rules in each seat, against tree search where it was measured, then at random.

    Random play comes to positions that rules such as winning at once are for.
    """
    seed = found.seed + 1

    def against(opponent: Policy) -> list[PlayedMatch]:
        return [
            match
            for role in found.roles
            for match in play_by_rules(found.strategies[role], role, opponent, matches, seed=seed)
        ]

    played = against(RandomPolicy())
    if not any(name.startswith("uct:") for name in found.strength):
        return played  # where tree search does not play, or takes too long
    mean = sum(len(match.joints) for match in played) / max(1, len(played))
    strong = _STRONG if len(game.network.gates) * mean < _MUCH else _WEAK
    return [*against(UctPolicy(strong, seed=seed)), *played]


def _advice(
    game: CompiledGame, found: MeasuredRules, played: Sequence[PlayedMatch], command: str
) -> RoleAdvice:
    count = len(found.per_rule)
    decided = Counter(one.rule for match in played for one in match.decisions)
    sample = _sample([match for match in played if match.against == played[0].against])
    shown = show_example(game, sample.role, ExampleLine(sample.joints, sample.rules))
    rules = tuple(_rule(game, found, played, n, decided[n + 1]) for n in range(count))
    return RoleAdvice(
        join_words(found.roles),
        "These rules were found by playing matches; nothing about them is proved.",
        rules=rules,
        strategy=found.text,
        command=command,
        was_interrupted=found.was_interrupted,
        examples=(replace(shown, against=_against(game, sample)),),
        unseen=tuple(n for n, rule in enumerate(rules, start=1) if not rule.decides),
        measured=found.as_json(),
    )


def _rule(
    game: CompiledGame,
    found: MeasuredRules,
    played: Sequence[PlayedMatch],
    number: int,
    decides: int,
) -> RuleText:
    """Put a rule into words, with a position of a match in which it decided."""
    first, sentence = found.roles[0], found.sentences[number]
    text = rule_text(found.strategies[first].rules_for(first)[number])
    shown = _shown(
        (match, one) for match in played for one in match.decisions if one.rule == number + 1
    )
    if shown is None:
        return RuleText(sentence, text, decides=decides)
    match, one = shown
    layout = layout_of(game)
    state = State(game, one.key)
    marks = _marks(state, one, game.successor(one.key, match.joints[one.ply]))
    return RuleText(
        sentence,
        text,
        text_board(state, layout, marks=marks),
        svg_board(state, layout, marks=marks),
        decides,
        is_position=True,
    )


def _marks(state: State, decision: Decision, after: State) -> list[Mark]:
    """Mark a move: an arrow or its cell; of several cells, such as a column, those that change."""
    layout = layout_of(state.game)
    mark = mark_move(layout, decision.made, "move")
    if mark.arrow or len(mark.cells) < 2:
        return [mark]
    new = set(after.fluents) - set(state.fluents)
    cells = {cell for fluent in new for cell in mark_fluent(layout, fluent).cells}
    return [replace(mark, cells=tuple(c for c in mark.cells if c in cells) or mark.cells)]


def _shown(
    decisions: Iterable[tuple[PlayedMatch, Decision]],
) -> tuple[PlayedMatch, Decision] | None:
    """Choose the position that shows a rule best.

    Without the rule another move would be made, few moves are allowed, and the match goes well.
    """

    def rank(pair: tuple[PlayedMatch, Decision]) -> tuple[bool, bool, int, float, int]:
        match, one = pair
        is_random = match.against == RandomPolicy().name
        return (not one.is_needed, is_random, len(one.allowed), -match.goal, one.ply)

    return min(decisions, key=rank, default=None)


def _sample(played: Sequence[PlayedMatch]) -> PlayedMatch:
    """Choose the match in which most rules decide; of these a good one, then a short one."""
    return max(played, key=lambda m: (len(set(m.rules) - {0}), m.goal, -len(m.joints)))


def _against(game: CompiledGame, match: PlayedMatch) -> str:
    """Say who the opponent was, and whom the rules played; nothing of a puzzle."""
    if len(game.roles) == 1:
        return ""
    return f"{opponent_words(match.against)}, the rules playing {side_name(match.role)}"


def _command(name: str, role: Role | None, options: SearchOptions) -> str:
    whom = f" --role {role}" if role is not None else ""
    much = (
        f"--rounds {options.rounds}" if options.seconds is None else f"--time {options.seconds:g}"
    )
    return (
        f"kibitz synth {name}{whom} --measured --max-rules {options.most_rules} {much} "
        f"--seed {options.seed}"
    )
