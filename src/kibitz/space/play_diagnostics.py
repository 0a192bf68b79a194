"""Diagnose a rule sheet by playing its game: faults that its text alone does not show.

What is said of a game all of whose states were listed is true of every match; of other games it is
said in how many random matches something was seen, or never was.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kibitz.budget import Budget, run_within
from kibitz.engine import CompiledGame, Role, goal_error, make_game, unmade_fluents
from kibitz.errors import BudgetExceededError, Diagnostic, KibitzError, Note, Place, Severity
from kibitz.gdl import Atom, Function, RuleSheet, Variable, unset_terms
from kibitz.space.play_record import (
    LONGEST,
    PROBE,
    PlayRecord,
    Witness,
    list_states,
    probed_game,
    record_matches,
    record_slowly,
    record_space,
    unfired_in,
    unfired_on,
)
from kibitz.space.space import StateSpace

_GROUNDING_S = 10.0
_PLAYING_S = 5.0
_SHOWN = 6
_MOST_UNFIRED = 10
_FEW = 2
_MOST_EDGES = 4_000_000
_MANY_EDGES = 400_000
"""How many edges are searched for faults of a value, and for rules that never apply."""
_FATAL = ("GDL036", "GDL038")
"""Warnings about games whose values mean little."""


@dataclass(frozen=True, slots=True)
class PlayCheck:
    """Diagnostics and counts from playing a game: all its states, or so many random matches.

    `states` is None where it was not played; of matches it counts the states in which they moved.
    """

    diagnostics: tuple[Diagnostic, ...] = ()
    is_complete: bool = False
    states: int | None = None
    matches: int | None = 0
    ends: int = 0

    @property
    def text(self) -> str:
        """How the game was played, in words."""
        if self.states is None:
            return "not played"
        if self.is_complete:
            return f"all {_states(self.states)} listed"
        matches = "1 random match" if self.matches == 1 else f"{self.matches:,} random matches"
        return f"{matches} played, {_states(self.states)} on the way"

    def as_json(self) -> dict[str, Any]:
        """Return how the game was played, as JSON."""
        return {
            "complete": self.is_complete,
            "states": self.states,
            "matches": self.matches,
            "ends": self.ends,
        }


def diagnose_play(sheet: RuleSheet, budget: Budget, *, is_translated: bool = False) -> PlayCheck:
    """Play a game whose rules have no errors, and report what is wrong; GDL031, GDL033 to GDL041.

    Rules that are translated from another language are not reported where they never apply.

    >>> from kibitz.gdl import read
    >>> sheet = read("(role a) (init p) (<= (legal a go) (true p)) (<= terminal (true q))"
    ...     " (goal a 100)", name="short")
    >>> [d.message for d in diagnose_play(sheet, Budget()).diagnostics]
    ['a has no legal move in 1 state that is no end: after go']
    """
    try:
        return run_within(
            budget, lambda: _diagnose(sheet, budget, is_translated), doing="playing the game"
        )
    except BudgetExceededError as error:
        return PlayCheck((_unended(sheet, f"{error.message}: {error.hint}"),), states=0)


def _diagnose(sheet: RuleSheet, budget: Budget, is_translated: bool) -> PlayCheck:
    share = replace(budget, seconds=min(_GROUNDING_S, budget.seconds / 3))
    game = make_game(sheet, budget=share)
    unfired: list[int] = []
    if isinstance(game, CompiledGame):
        space = list_states(game)
        probed = None
        if not is_translated:
            with contextlib.suppress(KibitzError):
                probed = probed_game(sheet, share)
        if space is not None:
            record = record_space(space)
            unfired = unfired_on(space, probed) if probed and space.edges <= _MANY_EDGES else []
        else:
            record = record_matches(probed or game, seconds=_PLAYING_S, ignored=PROBE)
            unfired = unfired_in(record) if probed and record.matches else []
    else:
        record = record_slowly(game, seconds=_PLAYING_S)
    return PlayCheck(
        _look_at(sheet, record, unfired),
        record.is_complete,
        record.states,
        None if record.is_complete else record.matches,
        record.ends,
    )


def _look_at(
    sheet: RuleSheet, record: PlayRecord, unfired: Sequence[int] = ()
) -> tuple[Diagnostic, ...]:
    """Report what is wrong in recorded play, the gravest first.

    Where play breaks off, nothing is said of what it would have come to.
    """
    if not record.is_complete and not record.matches:
        return (_unended(sheet, "none did within the time: allow more with --timeout"),)
    game = record.game
    unmade = list(unmade_fluents(game)) if isinstance(game, CompiledGame) else []
    found = [
        *unmade,
        *_vanished(sheet, record),
        *_stuck(sheet, record),
        *_goals(sheet, record),
        *_frozen(sheet, record),
    ]
    if record.stuck is None and (record.frozen is None or record.ends):
        found += [
            *_endless(sheet, record),
            *_results(sheet, record),
            *_idle(sheet, record),
            *_unfired(sheet, record, unfired, unmade),
        ]
    return tuple(found)


def faults_of(space: StateSpace) -> tuple[Diagnostic, ...]:
    """Return what is so wrong with a game that its value means little; nothing of a large game.

    >>> from kibitz.gdl import read
    >>> from kibitz.space import explore
    >>> sheet = read("(role a) (role b) (init p) (legal a go) (legal b go) (<= (next q) (true p))"
    ...     "(<= terminal (true q)) (goal a 100) (goal b 100)")
    >>> [found.message for found in faults_of(explore(CompiledGame(sheet)))]
    ['both roles win at every end']
    """
    if not space.is_complete or space.edges > _MOST_EDGES:
        return ()
    found = _look_at(space.game.sheet, record_space(space))
    return tuple(d for d in found if d.severity is Severity.ERROR or d.code in _FATAL)


def fault_text(faults: Sequence[Diagnostic]) -> str:
    """Name the first of some faults in a headline; nothing if there are none.

    >>> fault_text([Diagnostic.warning("GDL038", "both roles win at every end", Place(0, 1))])
    'These rules look broken: both roles win at every end. kibitz check shows where.'
    """
    if not faults:
        return ""
    more = f". And {len(faults) - 1} more" if len(faults) > 1 else ""
    is_error = any(d.severity is Severity.ERROR for d in faults)
    return broken_text(f"{faults[0].message}{more}", are="are" if is_error else "look")


def broken_text(why: str, *, are: str = "look") -> str:
    """Say in a headline that rules are broken, or look so."""
    return f"These rules {are} broken: {why}. kibitz check shows where."


def _stuck(sheet: RuleSheet, record: PlayRecord) -> Iterator[Diagnostic]:
    """GDL033: a role without a move, after some moves."""
    found = record.stuck
    if found is None or found.path == ():
        return  # GDL025 says so of the initial state
    yield Diagnostic.error(
        "GDL033",
        f"{found.role} has no legal move in {_where(record, record.stuck_states)}: {_line(found)}",
        _place(sheet, "role", found.role),
        _lost_turn(found) or f"give {found.role} a move there, such as noop, or let play end there",
    )


def _goals(sheet: RuleSheet, record: PlayRecord) -> Iterator[Diagnostic]:
    """GDL035: no goal at an end, or several."""
    found = record.bad_goal
    has_goals = any(rule.head.relation == "goal" for rule in sheet.rules)  # else GDL019 says so
    if found is not None and has_goals:
        error = goal_error(found.state, found.role)
        yield Diagnostic.error(
            "GDL035",
            f"{error.message}: {_line(found)}",
            _place(sheet, "goal", found.role),
            "give every role exactly one goal in every end",
        )


def _frozen(sheet: RuleSheet, record: PlayRecord) -> Iterator[Diagnostic]:
    """GDL034: a state that is no end, and that no move leaves."""
    found = record.frozen
    if found is not None:
        lost = _lost_turn(found)
        yield (Diagnostic.error if lost or not record.ends else Diagnostic.warning)(
            "GDL034",
            f"nothing can change any more in {_where(record, record.frozen_states)}: "
            f"{_line(found)}",
            _place(sheet, "terminal"),
            lost or "let play end there, or let a move change something",
        )


def _vanished(sheet: RuleSheet, record: PlayRecord) -> Iterator[Diagnostic]:
    """GDL036: fluents that no move keeps, and that nothing follows: a frame rule is missing."""
    changes = record.changes
    initial = set(record.game.initial().fluents)
    groups: dict[tuple[str, int, int, object], list[int]] = {}
    for i, fluent in enumerate(changes.fluents):
        for place, value in enumerate(fluent.args):
            if fluent.name != PROBE and changes.held[i]:
                groups.setdefault((fluent.name, len(fluent.args), place, value), []).append(i)
    reported: set[tuple[str, int]] = set()
    for (name, arity, place, _), members in groups.items():
        if (name, arity) in reported or arity < _FEW:
            continue
        keys = {f.args[:place] + f.args[place + 1 :] for f in initial if f.name == name}
        here = [i for i in members if _key(changes.fluents[i], place) in keys]
        values = {f.args[place] for f in initial if f.name == name and len(f.args) > place}
        if len(here) < _FEW or len(here) < len(members) or len(values) > len(keys) // 2:
            continue
        held, kept = changes.held[here].sum(), changes.kept[here].sum()
        gone = held - kept - changes.replaced[place][here].sum()
        if kept == 0 and gone * 2 > held:
            reported.add((name, arity))
            example = changes.fluents[here[0]]
            names = iter("xyzuvw" * arity)
            pattern = Function(
                name,
                tuple(
                    v if p == place else Variable(next(names)) for p, v in enumerate(example.args)
                ),
            )
            yield Diagnostic.warning(
                "GDL036",
                f"no move keeps any {pattern}: {example} holds before a move and never right after "
                f"it{_looked_at(record)}",
                _place_of_fluent(sheet, example),
                f"is the frame rule missing, (<= (next {pattern}) (true {pattern}) …), for what a "
                "move does not change?",
            )


def _endless(sheet: RuleSheet, record: PlayRecord) -> Iterator[Diagnostic]:
    """GDL037: play that never ends, or need not end."""
    place = _place(sheet, "terminal")
    hint = "if that is not meant, let play end, for example after a number of moves"
    if record.is_complete and not record.ends:
        yield Diagnostic.error(
            "GDL037",
            f"play never ends: no end among {_states(record.states)}",
            place,
            "let play end: what terminal asks for never holds",
        )
    elif record.can_cycle:
        text = "play can go on forever: a state can come back"
        if record.trapped:
            text += f", and from {_states(record.trapped)} no end can be reached"
        yield Diagnostic.remark("GDL037", text, place, hint)
    elif record.unended and not record.ends:
        yield _unended(sheet, hint)
    elif record.unended:
        text = (
            f"{record.unended:,} of {record.matches:,} random matches did not end within "
            f"{LONGEST:,} moves"
        )
        yield Diagnostic.remark("GDL037", text, place, hint)


def _unended(sheet: RuleSheet, hint: str) -> Diagnostic:
    """GDL045: no end was seen, so nothing is known of how play ends."""
    message = "no match came to an end, so little of the game was checked"
    return Diagnostic.warning("GDL045", message, _place(sheet, "terminal"), hint)


def _results(sheet: RuleSheet, record: PlayRecord) -> Iterator[Diagnostic]:
    """GDL038, GDL039: everybody always wins, or a role never does."""
    results, roles = record.results, record.game.roles
    if not results or any(goal is None for row in results for goal in row):
        return
    if len(roles) > 1 and results == {(100,) * len(roles)}:
        who = "both roles win" if len(roles) == 2 else "all roles win"
        yield Diagnostic.warning(
            "GDL038",
            f"{who} at {_every_end(record)}",
            _place(sheet, "goal", roles[0]),
            "give a goal below 100 to a role that does not win",
        )
        return
    for number, role in enumerate(roles):
        goals = {row[number] or 0 for row in results}
        if max(goals) == 100 or not (record.is_complete or (len(goals) == 1 < len(roles))):
            continue
        most = f"{max(goals)}" if len(goals) == 1 else f"{max(goals)} or less"
        if record.is_complete:
            text = f"{role} can never win: every end gives it {most}"
        else:
            text = f"{role} wins none of {record.matches:,} random matches: it gets {most}"
        is_fixed = record.is_complete and len(goals) == 1 and role in record.choosers
        yield (Diagnostic.warning if is_fixed else Diagnostic.remark)(
            "GDL039",
            text,
            _place(sheet, "goal", role),
            f"a win is a goal of 100: is a rule (goal {role} 100) missing, or does it never hold?",
        )


def _idle(sheet: RuleSheet, record: PlayRecord) -> Iterator[Diagnostic]:
    """GDL040: a role that never has a choice, among others that have."""
    for role in record.game.roles:
        if role not in record.choosers and record.choosers:
            yield Diagnostic.remark(
                "GDL040",
                f"{role} never has a choice: it has one legal move in every state"
                if record.is_complete
                else f"{role} has no choice in any of {record.matches:,} random matches",
                _place(sheet, "role", role),
                f"if that is not meant: is the rule missing that gives {role} the turn?",
            )


def _unfired(
    sheet: RuleSheet, record: PlayRecord, unfired: Sequence[int], unmade: Sequence[Diagnostic]
) -> Iterator[Diagnostic]:
    """GDL041: rules that never apply, but for those that only ask for what others never gave."""
    dead = set(unfired)
    # of which GDL031 and GDL032 speak
    known = [found.place for found in (*unset_terms(sheet), *unmade)]
    alive = {rule.head.relation for i, rule in enumerate(sheet.rules) if i not in dead}
    roots = [
        sheet.rules[number]
        for number in unfired
        if not any(_is_within(place, sheet.rules[number].place) for place in known)
        and all(
            atom.relation in alive or atom.relation in ("true", "does")
            for formula in sheet.rules[number].body
            if isinstance(formula, Atom)
            for atom in [formula]
        )
    ]
    hint = "what it asks for never holds at once: look for a wrong name or a missing rule"
    if record.is_complete:
        for rule in roots[:_MOST_UNFIRED]:
            yield Diagnostic.warning("GDL041", "this rule never applies", rule.place, hint)
    elif roots:
        yield Diagnostic.remark(
            "GDL041",
            f"this rule applies in none of {record.matches:,} random matches",
            roots[0].place,
            "it may be rare; or " + hint,
            [Note("nor does this one", rule.place) for rule in roots[1:_MOST_UNFIRED]],
        )


def _is_within(inner: Place, outer: Place) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def _where(record: PlayRecord, states: int) -> str:
    if record.is_complete:
        return "1 state that is no end" if states == 1 else f"{states:,} states that are no ends"
    return f"a state that is no end ({states:,} of {record.matches:,} random matches got there)"


def _every_end(record: PlayRecord) -> str:
    if record.is_complete:
        return "every end"
    return f"every end of {record.matches:,} random matches"


def _looked_at(record: PlayRecord) -> str:
    if record.is_complete and int(record.changes.moves) == record.changes.all_moves:
        return ""
    return f", in {record.changes.moves:,} moves that were looked at"


def _states(count: int) -> str:
    return "1 state" if count == 1 else f"{count:,} states"


def _line(found: Witness) -> str:
    write = found.state.game.write
    if found.path is None:
        return "in " + " ".join(map(write, found.state.fluents))
    if not found.path:
        return "at the start"
    joints = ["/".join(map(write, joint)) for joint in found.path]
    more = f" and {len(joints) - _SHOWN} more" if len(joints) > _SHOWN else ""
    return "after " + ", ".join(joints[:_SHOWN]) + more


def _lost_turn(found: Witness) -> str:
    """Name a fluent that held once for a role at the start and holds for none there."""
    game = found.state.game
    held = [f for f in game.initial().fluents if any(str(a) in game.roles for a in f.args)]
    names = [f.name for f in held]
    left = {f.name for f in found.state.fluents}
    lost = [f for f in held if names.count(f.name) == 1 and f.name not in left]
    if not lost:
        return ""
    pattern = Function(
        lost[0].name,
        tuple(Variable("p") if str(a) in game.roles else a for a in lost[0].args),
    )
    return f"{pattern} holds for nobody there: is a rule for (next {pattern}) missing?"


def _key(fluent: Function, place: int) -> tuple[object, ...]:
    return fluent.args[:place] + fluent.args[place + 1 :]


def _place(sheet: RuleSheet, relation: str, role: Role = "") -> Place:
    """Find the first rule of a relation, one for the role if there is such a one."""
    rules = [rule for rule in sheet.rules if rule.head.relation == relation]
    mine = [r for r in rules if role and r.head.args and str(r.head.args[0]) == role]
    chosen = mine or rules
    return chosen[0].place if chosen else Place(0, 1)


def _place_of_fluent(sheet: RuleSheet, fluent: Function) -> Place:
    for relation in ("next", "init"):
        for rule in sheet.rules:
            if rule.head.relation == relation and len(rule.head.args) == 1:
                term = rule.head.args[0]
                if isinstance(term, Function) and _matches(term, fluent):
                    return rule.place
    return Place(0, 1)


def _matches(term: Function, fluent: Function) -> bool:
    return (
        term.name == fluent.name
        and len(term.args) == len(fluent.args)
        and all(
            isinstance(a, Variable) or a == b for a, b in zip(term.args, fluent.args, strict=True)
        )
    )
