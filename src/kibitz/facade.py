"""The pipeline as verbs: a name, a path or a game in; out its solution, verdicts, pictures.

`import kibitz` offers all of this, imported on first use. A game as an argument may be one
from `load`, the name of one in the library, the path of a rule sheet, or the text of one.
"""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import isinf
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from kibitz.budget import Budget
from kibitz.engine import (
    CompiledGame,
    Game,
    Move,
    Role,
    State,
    UngroundedGame,
    compile_or,
    fastest_ungrounded,
    require_compiled,
    simulate as play_randomly,
)
from kibitz.errors import (
    BudgetExceededError,
    Diagnostic,
    IncompleteError,
    InputError,
    KibitzError,
    Severity,
    StuckError,
    rendered,
)
from kibitz.gdl import RuleSheet, diagnose, read
from kibitz.reading import read_bytes, read_text
from kibitz.space import Limits, StateSpace, explore as explore_game, turns_at

if TYPE_CHECKING:
    from kibitz.engine import Simulation
    from kibitz.play import Agent, Clocks, Match
    from kibitz.present import Explanation, Lesson, Report
    from kibitz.prove import Proof
    from kibitz.puzzles import PuzzleSet
    from kibitz.solve import Listed, Method, Solution, Values
    from kibitz.strategy import Difference, Minimised, Strategy, Verdict
    from kibitz.synth import Repair, Synthesis

__all__ = [
    "AnyGame",
    "Drawing",
    "LoadedGame",
    "RuleCheck",
    "check",
    "compare",
    "draw",
    "explain",
    "explore",
    "load",
    "minimise",
    "play",
    "puzzles",
    "repair",
    "report",
    "simulate",
    "solve",
    "synthesise",
    "teach",
    "verify",
]

AnyGame = Game | str | Path
"""A game; or its name, the path of its rule sheet, or its rules."""

_SUFFIXES = (".kif", ".gdl", ".rules", ".lp", ".lud", ".txt")
_PLAY_HINT = (
    "solve it before, game.solve(); give it longer, clocks=kibitz.play.Clocks(start_s=…); or let "
    "'auto' play"
)
_FEW_STATES = 2_000_000
"""How many states are listed below one position before it is searched instead."""
_ARGUMENTS = {
    "--max-states": "limits=Limits(states=…)",
    "--timeout": "limits=Limits(seconds=…)",
    "--memory": "limits=Limits(bytes=…)",
    "--compact": 'method="compact"',
    "--symbolic": 'method="symbolic"',
    "--search": 'method="search"',
}
"""What options of the command line are in Python."""


@contextmanager
def _hints_in_python() -> Iterator[None]:
    """Let hints name arguments where they name options."""
    try:
        yield
    except KibitzError as error:
        for option, argument in _ARGUMENTS.items():
            error.hint = error.hint.replace(option, argument)
        raise


class LoadedGame(Game):
    """A game as `load` returns it: its states, whose turn it is, and its solution."""

    path: Path | None = None
    """The file of its rules, if they come from one."""

    def __repr__(self) -> str:
        return f"<game {self.sheet.name}>"

    def turn(self, key: Hashable) -> tuple[Role, ...]:
        """Return the roles whose turn it is; one that only ever waits does not have it."""
        return turns_at(State(self, key))

    def position(self, text: str) -> State:
        """Return the state of a text as Kibitz prints positions: a board in letters, or fluents.

        >>> import kibitz
        >>> game = kibitz.load("nim:1,2,3")
        >>> state = game.initial().play("(reduce c 1)")
        >>> game.position(str(kibitz.draw(state))) == game.position(str(state)) == state
        True
        """
        from kibitz.board import read_position

        return read_position(self, text)

    def read_move(self, state: State, text: str) -> Move:
        """Read a move of whoever is to move: in KIF, or as people name it and boards show it.

        >>> import kibitz
        >>> state = kibitz.load("tictactoe").initial()
        >>> state.play("centre") == state.play("2,2") == state.play("(mark 2 2)")
        True
        """
        if text.lstrip().startswith("(") or text.strip().isdecimal():
            return super().read_move(state, text)
        from kibitz.play import describe_moves, moves_meant

        meant = {
            move: str(move)
            for role in state.turn
            for move in moves_meant(text, describe_moves(self, role, state.legal(role)))
        }
        if len(meant) > 1:
            raise InputError(f"{text!r} can be {len(meant)} moves", hint=" ".join(meant.values()))
        return next(iter(meant)) if meant else super().read_move(state, text)

    def _repr_svg_(self) -> str:
        """Draw the first state in a notebook."""
        from kibitz.board import svg_board

        return svg_board(self.initial())

    def _repr_html_(self) -> str:
        """Show the game in a notebook: its name, its roles, and the first state."""
        from kibitz.board import escape

        roles = escape(", ".join(self.roles))
        name = escape(self.sheet.name)
        return f"<p><b>{name}</b>, played by {roles}</p>{self._repr_svg_()}"

    @_hints_in_python()
    def solve(self, *, limits: Limits | None = None) -> Listed:
        """Solve the game, once: later calls return the same solution, and players use it."""
        from kibitz.solve import hold_solution, solve_game

        found = solve_game(self, limits=limits)
        hold_solution(self, found)
        return found

    def prove(self, state: State | None = None, *, seconds: float = 2.0) -> Proof:
        """Search a position for its value, of a game too large to solve as well.

        >>> import kibitz
        >>> kibitz.load("connect:4,4x5").prove(seconds=60).value
        {'xplayer': 50, 'oplayer': 50}
        """
        from kibitz.prove import Spending, prove as prove_position

        spending = Spending(seconds=seconds)
        return prove_position(require_compiled(self), state, spending=spending, listing=False)


class _CompiledGame(LoadedGame, CompiledGame):
    """One that was grounded."""


class _UngroundedGame(LoadedGame, UngroundedGame):
    """One that was not."""


def _ungrounded(sheet: RuleSheet) -> _UngroundedGame:
    fastest = fastest_ungrounded(sheet)
    return _UngroundedGame(sheet, rules=fastest.rules, keeps=fastest.keeps)


@dataclass(frozen=True, slots=True)
class RuleCheck:
    """Diagnostics of a rule sheet: none, remarks, warnings, or errors that must be fixed."""

    sheet: RuleSheet
    diagnostics: tuple[Diagnostic, ...]
    played: str = "not played"
    """How many matches and states were seen, in words."""

    @property
    def is_valid(self) -> bool:
        """Whether there are no errors."""
        return all(found.severity is not Severity.ERROR for found in self.diagnostics)

    def __str__(self) -> str:
        if not self.diagnostics:
            return f"{self.sheet.name}: no errors, no warnings; {self.played}"
        seen = [f"{self.sheet.name}: {self.played}"] * self.is_valid
        return "\n".join([*rendered([(d, self.sheet.source) for d in self.diagnostics]), *seen])


@dataclass(frozen=True, slots=True)
class Drawing:
    """A drawing of a state: `print` writes letters, notebooks get a picture."""

    state: State

    @property
    def svg(self) -> str:
        """The board as SVG."""
        from kibitz.board import svg_board

        return svg_board(self.state)

    def save(self, path: str | Path) -> None:
        """Write a file in the format that its suffix names: svg, png, tex, html, md, txt, json."""
        from kibitz.board import MatchMoment, export

        made = export([MatchMoment(self.state)], Path(path).suffix.removeprefix("."))
        Path(path).write_bytes(made if isinstance(made, bytes) else made.encode())

    def __str__(self) -> str:
        from kibitz.board import text_board

        return text_board(self.state)

    def _repr_svg_(self) -> str:
        return self.svg


def load(game: str | Path, *, budget: Budget | None = None, as_gdl1: bool = False) -> LoadedGame:
    """Load a game by its name in the library, by the path of its rule sheet, or from its text.

    With `as_gdl1`, every role sees all and one called random is a player, whatever GDL-II says.

    >>> import kibitz
    >>> game = kibitz.load("tictactoe")
    >>> state = game.initial().play("(mark 2 2)")
    >>> state.turn, state.legal_moves[:2]
    (('oplayer',), ((mark 1 1), (mark 1 2)))
    >>> game.solve().value(state)
    {'xplayer': 50, 'oplayer': 50}
    """
    from kibitz.board import draw_in_notebooks
    from kibitz.english import use_files_beside

    text, name = _rules(game)
    sheet = read(text, name=name, as_gdl1=as_gdl1)
    made: LoadedGame = compile_or(
        lambda share: _CompiledGame(sheet, budget=share),
        lambda: _ungrounded(sheet),
        name=name,
        budget=budget,
    )
    draw_in_notebooks()
    if _is_path(game):
        made.path = Path(game)
        use_files_beside(made, made.path)
    return made


def check(game: AnyGame | RuleSheet, *, budget: Budget | None = None) -> RuleCheck:
    """Look for everything that is wrong with a rule sheet, in its text and in play.

    >>> import kibitz
    >>> kibitz.check("tictactoe").is_valid
    True
    >>> print(kibitz.check("(role x) (legal x stay) (goal x 100) (<= terminal (distinct ?a x))"))
    rules:1:61: GDL009: ?a in 'distinct' is bound by no positive body literal
       1 | (role x) (legal x stay) (goal x 100) (<= terminal (distinct ?a x))
         |                                                             ^^
      hint: add a literal that binds ?a, such as (some_relation ?a)
    """
    from kibitz.engine import diagnose_start
    from kibitz.space import diagnose_play

    as_gdl1 = False
    if isinstance(game, Game | RuleSheet):
        given = game.sheet if isinstance(game, Game) else game
        text: str | bytes = given.source.text
        name, as_gdl1 = given.name, given.as_gdl1
    else:
        text, name = _rules(game)
    sheet, found = diagnose(text, name=name, as_gdl1=as_gdl1)
    checked = RuleCheck(sheet, found)
    if checked.is_valid:
        budget = budget or Budget()
        checked = RuleCheck(sheet, (*found, *diagnose_start(sheet, budget)))
    if checked.is_valid:
        played = diagnose_play(sheet, budget or Budget())
        checked = RuleCheck(sheet, (*checked.diagnostics, *played.diagnostics), played.text)
    return checked


def explore(game: AnyGame, *, limits: Limits | None = None) -> StateSpace:
    """Find every state that play can reach, and every move, or some of them within limits.

    >>> import kibitz
    >>> space = kibitz.explore("tictactoe")
    >>> len(space), int(space.terminal.sum()), space.is_complete
    (5478, 958, True)
    >>> print(kibitz.explore("nim:1,2").state(7))
    (control player2) (heap a 0) (heap b 0)
    """
    return explore_game(_game(game), limits=limits)


@_hints_in_python()
def solve(
    game: AnyGame | StateSpace,
    *,
    state: State | None = None,
    method: Literal["auto", "search"] | Method = "auto",
    limits: Limits | None = None,
) -> Values:
    """Find what best play gives: from every state of a game or a space, or below a given state.

    `listing` keeps all states and moves, `compact` a few bytes a state (for layered games),
    `symbolic` decision diagrams; `search` values one position at a time, when asked, each within
    the limits or a minute, and may leave bounds. `auto` lists, and searches where a state is given
    and what is below it is too much to list. Raise IncompleteError where a limit is met, and
    StuckError where play can get stuck.

    >>> import kibitz
    >>> solved = kibitz.solve(kibitz.load("nim:1,2"))
    >>> solved.value(), solved.plies(), solved.best_moves()
    ({'player1': 100, 'player2': 0}, 3, ((reduce b 1),))
    >>> solved.value(kibitz.load("nim:1,2").initial().play("(reduce a 0)"))
    {'player1': 0, 'player2': 100}
    >>> state = kibitz.load("tictactoe").initial().play("(mark 2 2)").play("(mark 1 2)")
    >>> for method in ("listing", "compact", "symbolic", "search"):
    ...     print(method, kibitz.solve("tictactoe", state=state, method=method).value())
    listing {'xplayer': 100, 'oplayer': 0}
    compact {'xplayer': 100, 'oplayer': 0}
    symbolic {'xplayer': 100, 'oplayer': 0}
    search {'xplayer': 100, 'oplayer': 0}
    """
    from kibitz.solve import solve_any, solve_by

    if isinstance(game, StateSpace):
        if state is not None or method not in ("auto", "listing"):
            raise InputError(
                "a space is a listing of its states", hint="give the game of the space"
            )
        return solve_any(game)
    made, given = _game(game), limits or Limits()
    if state is not None and state.game is not made:
        state = made.state(state.fluents)
    starts = [] if state is None else [state]
    if method == "auto" and state is not None:
        few = replace(given, states=min(given.states, _FEW_STATES), seconds=given.seconds / 2)
        try:
            return solve_by("listing", made, starts=starts, limits=few)
        except IncompleteError:
            return _searched(made, state, replace(given, seconds=given.seconds / 2))
    if method == "search":
        return _searched(made, state, given)
    return solve_by("listing" if method == "auto" else method, made, starts=starts, limits=given)


def _searched(game: Game, state: State | None, limits: Limits) -> Values:
    """Search positions, each within the limits; without one of time, for a minute."""
    from kibitz.prove import SearchedValues, Spending

    spending = Spending()
    spending = Spending(
        seconds=spending.seconds if isinf(limits.seconds) else limits.seconds,
        memory=min(limits.bytes, spending.memory),
        positions=limits.states,
    )
    return SearchedValues(require_compiled(game), state, spending=spending)


@_hints_in_python()
def verify(game: AnyGame, strategy: Strategy | str | Path, *, role: Role) -> Verdict:
    """Check a strategy for a role: one from `synthesise`, a name, a path, or a text.

    >>> import kibitz
    >>> verdict = kibitz.verify("tictactoe", "tictactoe-five", role="xplayer")
    >>> verdict.perfect, verdict.guarantees
    (True, {'xplayer': 50, 'oplayer': 50})
    >>> kibitz.verify("tictactoe", "true => (mark 2 2)", role="xplayer").perfect
    False
    """
    from kibitz.strategy import verify as verify_strategy

    made = _game(game)
    chosen = _strategy(made, strategy)
    try:
        solved = _solved(chosen.game)
    except (BudgetExceededError, StuckError):
        raise
    except (
        KibitzError
    ):  # States have no value; then claims that depend on optimal moves are left out.
        return verify_strategy(chosen, explore(chosen.game), role)
    return verify_strategy(chosen, solved if solved.kind == "exact" else solved.space, role)


@_hints_in_python()
def compare(
    game: AnyGame, first: Strategy | str | Path, second: Strategy | str | Path, *, role: Role
) -> Difference:
    """Find the states in which two strategies of a role choose different moves.

    >>> import kibitz
    >>> texts = ("true => (reduce a 0)", "(heap b 0) => (reduce a 0)")
    >>> found = kibitz.compare("nim:1,2", *texts, role="player1")
    >>> found.different, found.states
    (1, 3)
    """
    from kibitz.strategy import compare as compare_strategies

    one = _strategy(_game(game), first)
    return compare_strategies(one, _strategy(one.game, second), explore(one.game), role)


@_hints_in_python()
def minimise(game: AnyGame, strategy: Strategy | str | Path, *, role: Role) -> Minimised:
    """Drop the rules and literals that a rule list can lose without becoming weaker.

    >>> import kibitz
    >>> found = kibitz.minimise("nim:1,2", "(heap b 2) => (reduce b 1)", role="player1")
    >>> print(found.strategy.text, end="")
    true => (reduce b 1)
    """
    from kibitz.strategy import minimise as minimise_rules

    chosen = _strategy(_game(game), strategy)
    return minimise_rules(chosen, _solution(chosen.game), role)


@_hints_in_python()
def repair(
    game: AnyGame, strategy: Strategy | str | Path, *, role: Role, seconds: float = 30
) -> Repair:
    """Make a rule list perfect with the fewest edits: rules dropped, moved, changed or added.

    >>> import kibitz
    >>> found = kibitz.repair("nim:1,2", "true => (reduce a 0)", role="player1")
    >>> found.edits[0].sentence
    'Change rule 1 to: Reduce heap b to 1 if you can.'
    """
    from kibitz.synth import repair as repair_rules

    chosen = _strategy(_game(game), strategy)
    return repair_rules(chosen, _solution(chosen.game), role, seconds=seconds)


@_hints_in_python()
def synthesise(
    game: AnyGame, role: Role, *, seconds: float | None = None, seed: int = 0
) -> Synthesis:
    """Find a short list of rules by which a role plays perfectly, proved by the checker.

    The same seed gives the same list on any machine, unless `seconds` cut the search short.

    >>> import kibitz
    >>> found = kibitz.synthesise("nim:1,2", "player1")
    >>> print(found.strategy.text, end="")
    true => (reduce b 1)
    >>> found.verdict.perfect, found.proved_minimal
    (True, True)
    """
    from kibitz.synth import Options, synthesise as search

    return search(require_compiled(_game(game)), role, Options(seconds=seconds, seed=seed))


def explain(
    game: AnyGame, *, role: Role | None = None, seconds: float | None = None, seed: int = 0
) -> Explanation:
    """Explain a game: its rules, its value, and proven rules for a role, or for all.

    >>> import kibitz
    >>> explanation = kibitz.explain("nim:1,2", role="player1")
    >>> explanation.states, explanation.parts[0].rules[0].sentence
    (8, 'Leave heaps with nim-sum 0 if you can.')
    >>> print(str(explanation).splitlines()[2])
    There are piles of 1 and 2 counters. Players: Player 1 and Player 2. Player 1 begins. On
    """
    from kibitz.english import use_files_beside
    from kibitz.present import Study, StudyOptions

    made = _game(game)
    path = made.path if isinstance(made, LoadedGame) else None
    study = Study(made.sheet, StudyOptions(seconds=seconds, seed=seed))
    study.run(role, prepare=lambda compiled: use_files_beside(compiled, path) if path else None)
    return study.known


def teach(
    game: AnyGame, *, role: Role | None = None, seconds: float | None = None, seed: int = 0
) -> Lesson:
    """Make a lesson: one rule at a time, with exercises; by default of the first role with rules.

    >>> import kibitz
    >>> lesson = kibitz.teach("nim:1,2")
    >>> lesson.role, len(lesson.steps)
    ('player1', 1)
    """
    from kibitz.present import StudyOptions, teach_cached

    made = _game(game)
    path = made.path if isinstance(made, LoadedGame) else None
    options = StudyOptions(seconds=seconds, seed=seed)
    return teach_cached(str(path or made.sheet.name), made.sheet, options, role, cache=False)


def report(game: AnyGame, *, seconds: float = 120, seed: int = 1) -> Report:
    """Report on a game for designers: value, length, skill, decisions, dead rules and more.

    >>> import kibitz
    >>> found = kibitz.report("nim:1,2")
    >>> found.value["distance"], found.matches
    (3, 5.0)
    """
    from kibitz.present import Wish, make_report

    return make_report(_game(game).sheet, Wish(seconds=seconds, seed=seed))


def simulate(
    game: AnyGame, *, playouts: int | None = None, seconds: float | None = None, seed: int = 1
) -> Simulation:
    """Play random matches: a number of them, or as many as end within a time.

    >>> import kibitz
    >>> result = kibitz.simulate("nim:1,1", playouts=1000)
    >>> result.mean_goals
    {'player1': 0.0, 'player2': 100.0}
    >>> result.playouts >= 1000
    True
    """
    return play_randomly(_game(game), playouts=playouts, seconds=seconds, seed=seed)


def play(
    game: AnyGame | Values,
    agents: Sequence[Agent | str] = (),
    *,
    clocks: Clocks | None = None,
    seed: int = 1,
) -> Match:
    """Let agents play a match, in the order of the roles; a missing agent is random.

    A game that was solved is not solved again.

    >>> import kibitz
    >>> match = kibitz.play("nim:1,2", ["optimal", "random"])
    >>> match.goals
    {'player1': 100, 'player2': 0}
    >>> match.steps[0].joint
    ((reduce b 1), noop)
    """
    from kibitz.play import make_agent, play_match
    from kibitz.solve import Values, hold_solution

    made = game.game if isinstance(game, Values) else _game(game)
    if isinstance(game, Values) and game.listed is not None:
        hold_solution(made, game.listed)
    if len(agents) > len(made.roles):
        raise InputError(
            f"{made.sheet.name} has {len(made.roles)} roles, and here are {len(agents)} agents",
            hint=f"one for each of {' '.join(made.roles)}",
        )
    chosen = [*agents, *["random"] * (len(made.roles) - len(agents))]
    seats = {
        role: make_agent(agent)(seed + number) if isinstance(agent, str) else agent
        for number, (role, agent) in enumerate(zip(made.roles, chosen, strict=True))
    }
    try:
        return play_match(made, seats, clocks=clocks, seed=seed)
    except IncompleteError as error:
        error.hint = _PLAY_HINT
        raise


@_hints_in_python()
def puzzles(
    game: AnyGame,
    role: Role | None = None,
    *,
    win_in: int = 2,
    count: int = 10,
    skills: tuple[str, str] = ("1", "3"),
    unique: bool = True,
    seed: int = 1,
    limits: Limits | None = None,
) -> PuzzleSet:
    """Choose positions that a role wins, with a number of own moves before the one that wins.

    `skills` are how the role and the others play, which decides how hard a position is. Each has
    one right first move; without `unique`, it may have several.

    >>> import kibitz
    >>> found = kibitz.puzzles("tictactoe", win_in=1, count=3)
    >>> len(found), found.role
    (3, 'xplayer')
    >>> [len(puzzle.first_moves) > 0 for puzzle in found]
    [True, True, True]
    """
    from kibitz.puzzles import ThreatReward, Wanted, choose_puzzles, find_positions, read_skill

    made = require_compiled(_game(game))
    reward = ThreatReward()
    own, other = (read_skill(name, made, reward=reward, read_text=read_text) for name in skills)
    who = made.roles[0] if role is None else role
    positions = find_positions(made, who, rounds=[win_in], limits=limits)
    wanted = Wanted(count, unique=unique, seed=seed)
    return choose_puzzles(positions, win_in, own=own, other=other, wanted=wanted)


def draw(game: State | AnyGame) -> Drawing:
    """Draw a state, or the first one of a game.

    >>> import kibitz
    >>> print(kibitz.draw(kibitz.load("nim:2,3").initial().play("(reduce b 1)")))
    a ●● 2
    b ● 1
    Player 2 to move
    >>> kibitz.draw("tictactoe").svg[:4]
    '<svg'
    """
    return Drawing(game if isinstance(game, State) else _game(game).initial())


def _game(game: AnyGame) -> Game:
    return game if isinstance(game, Game) else load(game)


def _solved(game: Game) -> Listed:
    from kibitz.solve import solve_game

    return game.solve() if isinstance(game, LoadedGame) else solve_game(game)


def _solution(game: Game) -> Solution:
    """Solve a game whose states have one value each; KibitzError says why others have none."""
    from kibitz.solve import solve as solve_exactly

    solved = _solved(game)
    return solved if solved.kind == "exact" else solve_exactly(solved.space)


def _is_path(game: str | Path) -> bool:
    """Return whether a text is a path, not rules or a name."""
    if isinstance(game, Path) or ("\n" not in game and Path(game).suffix in _SUFFIXES):
        return True
    return os.sep in game and "(" not in game


def _rules(game: str | Path) -> tuple[str | bytes, str]:
    """Return the rules of a game, and its name."""
    from kibitz.games import gdl_from, library_name, rule_text
    from kibitz.rulebook import is_english

    if _is_path(game):
        return gdl_from(read_bytes(game), name=str(game)), str(game)
    text = str(game)
    if "(" in text or (" " in text and is_english(text, name="rules")):
        return gdl_from(text, name="rules"), "rules"
    name = library_name(text)
    return rule_text(name), name


def _strategy(game: Game, strategy: Strategy | str | Path) -> Strategy:
    """Read a strategy for a game, unless it is one; its own game has the same rules then."""
    from kibitz.strategy import Strategy, read_strategy, shipped_names, shipped_text

    if isinstance(strategy, Strategy):
        if strategy.game.sheet != game.sheet:
            raise InputError(
                f"{strategy.name} is a strategy for {strategy.game.sheet.name}, not for "
                f"{game.sheet.name}",
                hint="give its text, to have it read for this game",
            )
        return strategy
    name = str(strategy)
    if name in shipped_names():
        return read_strategy(shipped_text(name), game, name=name)
    if isinstance(strategy, Path) or name.endswith(".strategy"):
        return read_strategy(read_text(name), game, name=name)
    return read_strategy(name, game)
