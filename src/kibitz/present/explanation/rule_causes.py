"""Find what each rule of a list threatens or parries, wherever play comes to that it decides.

=========================== ========================================================================
cause                       holds if, in all of these positions
=========================== ========================================================================
wins at once                each move of the rule ends play, and the role wins
threat                      after it every reply lets the role win at once
parried win                 each move that gives up value lets the opponent win at once
parried threat              each of these lets it win at once, or make such a threat itself
distance                    the role can force a win within a few of its own moves
=========================== ========================================================================
"""

from __future__ import annotations

import numpy as np

from kibitz.present.explanation.examples import allowed_edges
from kibitz.present.explanation.rule_pictures import SynthesisedRules
from kibitz.space import NOBODY, own_moves, reachable_under
from kibitz.strategy import Bools, columns_of
from kibitz.wording import counted, side_name

__all__ = ["rule_causes"]

_WON = 100
_NEAR = 4
"""Own moves up to which the distance to a win is a reason."""


def rule_causes(synthesised: SynthesisedRules, rules: int) -> list[str]:
    """Return one sentence for each rule, empty where none of the causes is there."""
    judging, decisions = synthesised.judging, synthesised.decisions
    space = judging.space
    if len(space.game.roles) != 2:
        return [""] * rules
    role = synthesised.found.role
    mine = space.game.roles.index(role)
    opponent = side_name(space.game.roles[1 - mine])
    source, target = columns_of(space).source, space.target

    def some(states: Bools) -> Bools:
        found = np.zeros(len(space), dtype=bool)
        found[source[states[target]]] = True
        return found

    won, lost = (space.terminal & (space.goals[:, who] == _WON) for who in (mine, 1 - mine))
    # Where nobody has a choice, the one move is both roles'.
    forced = ~space.terminal & (space.turn == NOBODY)
    my_turn, their_turn = (forced | (space.turn == who) for who in (mine, 1 - mine))
    i_win = my_turn & some(won)
    they_win = lost | their_turn & some(lost)
    threat = their_turn & ~some(~i_win)
    they_threaten = their_turn & some(my_turn & ~some(~they_win))
    seen = reachable_under(space, allowed_edges(decisions)).seen
    gives_up = judging.values[target] != judging.values[source]

    def cause(number: int) -> str:
        here = seen & my_turn & (decisions.decider == number)
        told = target[decisions.moves.chosen & here[source]]
        wrong = target[gives_up & here[source]]
        if not told.size:
            return ""
        if won[told].all():
            return "It wins at once."
        if threat[told].all():
            return "It makes a threat that no reply parries."
        if wrong.size and they_win[wrong].all():
            return f"Any mistake there lets {opponent} win at once."
        if wrong.size and (they_win | they_threaten)[wrong].all():
            return (
                f"Any mistake there lets {opponent} win at once, or make a threat that nothing "
                "parries."
            )
        gets = judging.values[here] if mine == 0 else judging.total - judging.values[here]
        last = int(np.flatnonzero(here)[judging.distance[here].argmax()])
        own = own_moves(space.state(last), role, int(judging.distance[last]))
        if (gets == _WON).all() and own is not None and own <= _NEAR:
            return f"From there you can win in {counted(own, 'move')}{' or fewer' * (own > 1)}."
        return ""

    return [cause(number) for number in range(rules)]
