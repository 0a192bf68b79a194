"""What the papers are called, and what in them is known to differ from what Kibitz finds."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["DIFFERENCES", "TITLES"]

TITLES: Mapping[str, str] = {
    "000": "Synthesizing human-friendly optimal strategies in board games",
    "001": "Representing and reasoning about game strategies",
    "002": "Solving the inferential frame problem in the general game description language",
    "003": "Automatic generation of alternative starting positions for simple traditional board "
    "games",
    "004": "Investigating the utility of answer set programming and inductive logic techniques in "
    "learning two-player game strategies",
}

DIFFERENCES: Mapping[str, tuple[str, ...]] = {
    "000": (
        "Table II counts states that are not terminal.",
        "Table II says 18 rules for nim, and Table IV lists 19, whose 24 literals are right.",
        "Kibitz leaves out literals that the legality of a rule's own move implies, and lets every "
        "image of a rule that fits be played, which is the stricter reading.",
        "For nim 1,3,5,7 the paper does not say for which side its 71 rules are.",
        "The paper's seconds are of other machines, for sim with 24 threads.",
    ),
    "001": (
        "The paper has no tables; each of its observations is checked here on all boards of up to "
        "eight boxes, the proofs of the paper being for all.",
        "The worked examples of section 4.2 differ from its Definition 4 in four counts of moves: "
        "14, 13, 9 and 12 where 6, 6, none and 9 are printed.",
    ),
    "002": (
        "The paper's seconds are those of FluxPlayer on its authors' machine, so that ratios "
        "compare, and seconds do not.",
        "Its count of states has the root and every joint-move successor each time it is met, and "
        "expands terminal states like others.",
        "A search here may be less deep than the paper's, to keep within the time.",
        "For minichess, racetrackcorridor, firefighter, numbertictactoe, amazons, battle, racer, "
        "skirmish and othello the paper had other versions of the rule sheets.",
    ),
    "003": (
        "The paper estimates chances from thirty plays, so that its counts of medium and hard "
        "(M/H) scatter around the exact ones; what thirty plays of ours show stands beside them.",
        "It cuts states off to two digits.",
        "|W_j| follows the paper's sets as printed, which are not those of all positions won in "
        "exactly j more rounds; for games with gravity its predecessors range over all positions "
        "consistent with the rules, reachable or not.",
        "In its column for connect-4 on 5x5 the values for RC and RD seem exchanged, and |W_2| for "
        "RCD, 1.2e6, is not found again.",
        "It goes on to a greater k1 only from positions that are hard for a smaller one, since "
        "those that are hard for the greater are a subset. They are not: see the claims.",
        "Its player that looks three rounds ahead in tic-tac-toe does not recognise corners: by "
        "the paper's own rewards it values every corner as every edge, below the centre.",
    ),
    "004": (
        "Pruned trees depend on which of several equally good matches a solver finds first.",
        "Of equal piles only the first may be chosen, and at most six removed, as in the paper's "
        "encoding; node counts depend on it.",
        "Wins are against random play and scatter: of 300 matches by some 9 to either side.",
        "Trees and rules of tic-tac-toe L won more for the paper. Where no rule speaks, its player "
        "takes the solver's first answer and ours a random move; for the trees no reason is known.",
        "Where no constraints order all examples, Kibitz takes those of least cost; the paper used "
        "ILASP, and has no figure for tic-tac-toe L.",
    ),
}
"""By paper; what is wrong in print stands with the claims as well."""
