"""The rules that were found for a role in, its RoleAdvice out: pictures, examples and proof."""

from __future__ import annotations

from kibitz.engine import CompiledGame, Role
from kibitz.present.explanation.examples import example_lines, positions_decided
from kibitz.present.explanation.explanation import RoleAdvice
from kibitz.present.explanation.rule_causes import rule_causes
from kibitz.present.explanation.rule_pictures import SynthesisedRules, show_example, show_rule
from kibitz.present.explanation.rule_search import FoundRules, explained_language
from kibitz.solve import endless_goal
from kibitz.space import StateSpace
from kibitz.synth import Insight, sizes_sentence

__all__ = ["advise"]


def advise(game: CompiledGame, role: Role, held: str, synthesised: SynthesisedRules) -> RoleAdvice:
    """Show a list: each rule with its picture, matches that follow it, and how it is proved.

    `held` is what the role can hold.
    """
    found, decisions = synthesised.found, synthesised.decisions
    counts = positions_decided(decisions, len(found.rules))
    causes = rule_causes(synthesised, len(counts))
    rules = tuple(
        show_rule(synthesised, number, count, cause)
        for number, (count, cause) in enumerate(zip(counts, causes, strict=True))
    )
    lines = example_lines(decisions, len(rules))
    fired = frozenset().union(*(line.fired for line in lines))
    judging = synthesised.judging
    index = game.roles.index(role)
    must_end = judging.value()[role] > endless_goal(judging.total, index)
    return RoleAdvice(
        role,
        held,
        rules=rules,
        bound=_bound(found, explained_language(judging.space)),
        lower_bound=found.lower_bound,
        proved_minimal=found.proved_minimal,
        was_interrupted=found.was_interrupted,
        time_ended=found.time_ended,
        strategy=found.strategy.text,
        sure=_proof(found, judging.space, must_end=must_end),
        command=_command(game.sheet.name, role),
        verdict=found.verdict.as_json(),
        examples=tuple(show_example(game, role, line) for line in lines),
        unseen=tuple(n for n in range(1, len(rules) + 1) if n not in fired),
        holds_for=found.holds_for.as_json() if isinstance(found, Insight) else None,
    )


def _bound(found: FoundRules, language: str) -> str:
    if isinstance(found, Insight):
        return sizes_sentence(found.holds_for)
    if found.proved_minimal:
        return f"Fewer {language} are not enough; that is proved as well."
    more = " Time ended the search; more --time may find fewer." if found.time_ended else ""
    if found.lower_bound > 1:
        return f"At least {found.lower_bound} {language} are needed; that is proved.{more}"
    return f"It is not known whether fewer rules are enough.{more}"


def _proof(found: FoundRules, space: StateSpace, *, must_end: bool) -> str:
    checked = found.verdict.states_checked
    alike = ", one of those that are symmetric," if space.is_reduced else ""
    against = ", whatever the opponent plays" if len(space.game.roles) > 1 else ""
    ends = ""
    if must_end and not space.is_layered and found.verdict.makes_progress:
        ends = ", nor do they let play go on for ever"
    return (
        f"Proved: the checker followed these rules through all {checked:,} positions{alike} that "
        f"they can lead to{against}, and no move ever gives up value{ends}."
    )


def _command(name: str, role: Role) -> str:
    file = f"{role}.strategy"
    show = ""
    if " --position " in name:
        show, name = f"kibitz show {name} > start.kif && ", "start.kif"
    return (
        f"{show}kibitz explain {name} --role {role} -o {file} && "
        f"kibitz verify {name} {file} --role {role} --engine reference"
    )
