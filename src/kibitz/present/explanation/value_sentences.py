"""Say who should win and how, or what is known of games that are not solved."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from kibitz.board import svg_board, text_board
from kibitz.budget import Budget, run_within
from kibitz.engine import CompiledGame, Move, Role, UngroundedGame, overview, simulate
from kibitz.english import PlainRule, Scene, names_of, say, say_move, scene_of
from kibitz.errors import BudgetExceededError, KibitzError
from kibitz.gdl import RuleSheet
from kibitz.present.explanation.explanation import Explanation
from kibitz.prove import Proof, Spending, prove
from kibitz.solve import (
    MaxnSolution,
    Mix,
    Solution,
    Stage,
    endless_goal,
    first_stage,
    goals_held,
    round_stage,
)
from kibitz.space import StateSpace
from kibitz.wording import either_text, join_words, result_text, value_text

_LONG = 160
"""Letters of first moves that are still read."""


def value_sentences(game: CompiledGame, solution: Solution) -> tuple[str, ...]:
    """Describe who should win, how fast, and with which first moves."""
    lines = [f"With best play {value_text(solution.as_json(), names_of(game))}."]
    turn = int(solution.space.turn[0])
    if turn >= 0 and solution.value()[game.roles[turn]] > least_goal(solution, turn):
        # Where play can go round, a move may keep the value for ever and get no nearer to it.
        is_layered = solution.space.is_layered
        best = solution.keeping_moves() if is_layered else solution.best_moves()
        lines.append(first_moves(game, game.roles[turn], best, len(solution.space.moves(0))))
    return tuple(lines)


def least_goal(solution: Solution, index: int) -> int:
    """Return the least that a role can get: at an end, or by play that need not end."""
    ends = solution.space.goals[solution.space.terminal][:, index].tolist()
    if not solution.space.is_layered:
        ends.append(endless_goal(solution.total, index))
    return min(ends, default=0)


def first_moves(
    game: CompiledGame, role: Role, best: Sequence[Move], total: int, is_all: bool = True
) -> str:
    """Describe which of a role's first moves keep the value of the game, or some that do."""
    scene = scene_of(game, role)
    if len(best) == total:
        return "Any first move keeps that." if total > 1 else ""
    listed = list(dict.fromkeys(_in_words(scene, move) for move in best))
    if len(listed) > 5:
        return f"{len(best)} of the {total} first moves keep that."
    if sum(map(len, listed)) > _LONG:
        return f"{len(best)} of the {total} first moves keep that, such as: {listed[0]}."
    if not is_all:
        return f"A first move that keeps it: {listed[0]}."
    return f"The first move that keeps it: {either_text(listed)}."


def _in_words(scene: Scene, move: Move) -> str:
    """Say a first move as a rule would, "take a corner"; one of several cells by their names."""
    text = say(scene, PlainRule(frozenset(), frozenset(), frozenset({move}))).actions[0].text
    is_plain = len(scene.layout.gesture(move).cells) == 1 and not text.startswith(
        ("play (", "play “")
    )
    return text if is_plain else say_move(scene, move)


def what_can_be_held(name: str, solution: Solution, index: int) -> str:
    """Describe what a role, given by its number, is guaranteed from the start.

    50 is a draw only where the other role gets 50 as well, and play ends.
    """
    value = list(solution.value().values())[index]
    least = least_goal(solution, index)
    if len(solution.value()) == 1:
        return f"{name} can reach {value}."
    if value == 100:
        is_certain = least == 100 and solution.space.is_layered
        return f"{name} wins, come what may." if is_certain else f"{name} can force a win."
    if solution.plies() is None:
        return f"{name} never has to lose: play need never end."
    if value == least == 0:
        return f"Against best play {name} loses, come what may."
    if value <= least:
        return f"Against best play {name} gets {value}."
    if value == 50 and solution.total == 100:
        return f"{name} can always hold a draw."
    return f"{name} can always get at least {value}."


def no_rules(game: CompiledGame) -> str:
    """Describe why no rules are searched for."""
    if len(game.roles) > 2:
        return "Rules are proved for games of one or two players, and this one has more."
    return "Rules are proved for games in which the players move in turn and have opposed goals."


_MOST_CELLS = 16
_MOST_EDGES = 2_000_000


def held_sentences(game: CompiledGame, space: StateSpace) -> tuple[str, ...]:
    """Say what each role can hold against all others; nothing where that is too much work."""
    if not space.edges or space.edges > _MOST_EDGES or space.is_reduced or not space.is_complete:
        return ()
    names = names_of(game)
    held = [f"{names[role]} {goal}" for role, goal in goals_held(space).items()]
    whatever = "the other does" if len(game.roles) == 2 else "the others do"
    return (
        f"Whatever {whatever}, each can hold at least this without leaving moves to chance: "
        f"{join_words(held)}.",
    )


def line_sentence(game: CompiledGame, solution: MaxnSolution) -> str:
    """Show one line of play in which each role maximises its own goal."""
    shown = []
    for joint in solution.line(0):
        made = [game.write(move) for move in joint if move.args] or [game.write(joint[0])]
        shown.append(" and ".join(made))
    return f"One line of such play: {'; '.join(shown)}." if shown else ""


def choice_sentences(game: CompiledGame, space: StateSpace) -> tuple[str, ...]:
    """Describe the first choice of two roles, or a round: payoffs, dominated moves, equilibria.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore
    >>> game = CompiledGame(load_sheet("roshambo"))
    >>> choice_sentences(game, explore(game))[-1].partition(":")[0]
    'Equilibria with chance, found by making the moves that are mixed equally good'
    """
    stage = first_stage(space)
    if stage is not None and any(len(moves) > 1 for moves in stage.moves):
        later = "" if stage.is_last else ", if later choices are the equilibria that were found"
        pays = f"The first choice pays {_roles(game, stage)}{later}"
        return tuple(_lines(game, stage, pays, "first moves", "as the first choice"))
    found = round_stage(space)
    if found is None or all(len(moves) < 2 for moves in found[0].moves):
        return ()
    stage, rounds = found
    pays = f"Each of {rounds} rounds pays {_roles(game, stage)} by the same table, and they add up"
    lines = _lines(game, stage, pays, "moves of a round", "in a round by itself")
    if stage.pure_equilibria() or stage.mixed_equilibria():
        lines.append(
            "To play one of these in every round, whatever happened before, is an equilibrium of "
            "the whole game; there may be others."
        )
    return tuple(lines)


def _roles(game: CompiledGame, stage: Stage) -> str:
    names = names_of(game)
    return " and ".join(names[role] for role in stage.roles)


def _lines(game: CompiledGame, stage: Stage, pays: str, moves: str, when: str) -> list[str]:
    names = names_of(game)
    lines = []
    if len(stage.payoffs) * len(stage.payoffs[0]) <= _MOST_CELLS:
        cells = [
            f"{game.write(mine)} against {game.write(other)} {_pays(stage.payoffs[r][c])}"
            for r, mine in enumerate(stage.moves[0])
            for c, other in enumerate(stage.moves[1])
        ]
        lines.append(f"{pays}: {'; '.join(cells)}.")
    for role, worse, better in stage.dominated():
        lines.append(
            f"{names[role]} never gains by {game.write(worse)} {when}: "
            f"{game.write(better)} pays more whatever the other chooses."
        )
    pure = [_said(game, stage, mix) for mix in stage.pure_equilibria()]
    mixed = [_said(game, stage, mix) for mix in stage.mixed_equilibria()]
    lines.append(
        f"Equilibria without chance, found by trying all pairs of {moves}: {'; '.join(pure)}."
        if pure
        else f"No pair of {moves} is an equilibrium; all were tried."
    )
    if mixed:
        how = "Equilibria with chance, found by making the moves that are mixed equally good"
        lines.append(f"{how}: {'; '.join(mixed)}.")
    return lines


def _said(game: CompiledGame, stage: Stage, mix: Mix) -> str:
    names = names_of(game)
    plays = []
    for role, moves, chances in zip(stage.roles, stage.moves, mix.chances, strict=True):
        shares = [
            game.write(move) if chance == 1 else f"{game.write(move)} {chance}"
            for move, chance in zip(moves, chances, strict=True)
            if chance
        ]
        plays.append(f"{names[role]} {join_words(shares)}")
    return f"{', '.join(plays)}, which pays {_pays(mix.payoff)}"


def _pays(payoff: tuple[Fraction, ...]) -> str:
    return " and ".join(map(str, payoff))


_PLAYOUTS = 2000
_SEARCHED = 1_000_000
_TABLE_BYTES = 200_000_000
"""Positions that a search of the first one looks at, and what its table takes."""


def size_sentences(space: StateSpace) -> tuple[str, str]:
    """Say how many positions were found, how fast they grow, and what a solution would take."""
    layers = [b - a for a, b in zip(space.layers, space.layers[1:], strict=False)]
    full = layers[:-1] if len(layers) > 1 else layers
    each = space.bytes / max(1, len(space))
    alike = ", turned, mirrored or otherwise alike ones counted once" if space.symmetries else ""
    growth = ""
    if len(full) > 2 and full[-2]:
        growth = (
            f" After {len(full) - 1} moves alone there are {full[-1]:,}, "
            f"{full[-1] / full[-2]:.1f} times as many as a move earlier{alike}."
        )
    found = (
        f"It is too large to be solved here: {len(space):,} positions were found, and there "
        f"are more{alike * (not growth)}.{growth}"
    )
    needed = (
        f"Each position takes about {each:.0f} bytes with its moves: a billion would need "
        f"{each:.0f} GB. Allow more with --max-states, --timeout and --memory, or solve it "
        "by decision diagrams: kibitz solve --symbolic."
    )
    return found, needed


def search_start(game: CompiledGame, budget: Budget) -> Proof | None:
    """Look for the value of the first position by search; None where search refuses the game."""
    spending = Spending(
        seconds=budget.seconds,
        memory=min(_TABLE_BYTES, budget.bytes // 4),
        positions=_SEARCHED,
        threads=1,
    )
    try:
        return prove(game, spending=spending, listing=False)
    except KibitzError:
        return None


def undecided(proof: Proof) -> str:
    """Say that a search did not find the value."""
    return (
        f"A search of {proof.positions:,} positions did not decide the first one; "
        "kibitz solve --search goes on for longer."
    )


def proved_sentences(game: CompiledGame, proof: Proof) -> tuple[str, ...]:
    """Say what a search proved, and with which first moves."""
    assert proof.value is not None
    result = result_text(proof.value, names_of(game))
    how = f" ({proof.book})" if proof.book else ""
    lines = [f"With best play {result}, as a search from the rules proves{how}."]
    if proof.best and proof.mover is not None:
        total = len(game.initial().legal(proof.mover))
        lines.append(first_moves(game, proof.mover, proof.best, total, proof.are_best_all))
    return tuple(filter(None, lines))


def random_sentence(game: CompiledGame, seconds: float, seed: int) -> str:
    """Play at random, and say what each role gets on average."""
    played = simulate(game, playouts=_PLAYOUTS, seconds=seconds, seed=seed + 1, threads=1)
    if not played.playouts:
        return "No random match came to an end."
    goals = [
        f"{scene_of(game, role).named(role)} gets {mean:.0f}"
        for role, mean in played.mean_goals.items()
        if mean is not None
    ]
    facts = [f"{join_words(goals)} on average"] if goals else []
    if played.mean_length and not played.stuck:
        facts.append(f"they last {played.mean_length:.0f} moves")
    matches = "match" if played.playouts == 1 else "matches"
    line = f"{played.playouts:,} random {matches} came to an end."
    if facts:
        line = f"In {played.playouts:,} random {matches} {', and '.join(facts)}."
    if played.stuck:
        line += f" {played.stuck:,} more got stuck, and are not counted."
    if played.unfinished:
        line += f" {played.unfinished:,} more did not end in time, and are not counted."
    if played.playouts < _PLAYOUTS:
        line += " There was no time for more."
    return line


def describe_ungrounded(
    sheet: RuleSheet,
    known: Explanation,
    error: BudgetExceededError,
    budget: Budget,
    report: Callable[[str], None],
) -> Iterator[Explanation]:
    """Walk what is known of a game as it grows: why it has no value, its board, its play."""
    name, share = sheet.name, replace(budget, seconds=budget.seconds / 6)

    def draw() -> tuple[tuple[str, ...], str, str]:
        game = UngroundedGame(sheet)
        return game.roles, text_board(game.initial()), svg_board(game.initial())

    def look() -> str:
        return overview(UngroundedGame(sheet)).as_text(known.title)

    limits = (
        f"Its value is not known: {error.message}.",
        "Rules are found by matches only where the game is compiled.",
    )
    report("drawing the board")
    try:
        roles, board, svg = run_within(share, draw, doing=f"drawing {name}")
        known = replace(known, limits=limits, roles=roles, board=board, svg=svg)
    except BudgetExceededError as reason:
        known = replace(known, limits=(*limits, f"Its board is not drawn: {reason.message}."))
    yield known
    report("looking at some matches")
    try:
        story = run_within(share, look, doing=f"looking at {name}")
        yield replace(known, story=tuple(story.splitlines()))
    except BudgetExceededError as reason:
        line = f"Its play is not described: {reason.message}."
        yield replace(known, limits=(*known.limits, line))
