"""The command play: a person against agents, in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli.common.inputs import budget_of, find_sheet, make_game, note
from kibitz.cli.common.options import Engine, GameArgument, PositionOption
from kibitz.cli.programs.matches import PlayClockOption, SeedOption, agent_maker
from kibitz.errors import RuleSheetError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kibitz.engine import Move
    from kibitz.play import CasualMatch, MadeMove, Option


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command()(play)


def play(
    game: GameArgument,
    role: Annotated[
        str | None, typer.Option("--role", help="The role you play; the first if not given.")
    ] = None,
    against: Annotated[
        str, typer.Option(metavar="AGENT", help="Who plays the other roles.")
    ] = "auto",
    level: Annotated[
        int | None,
        typer.Option(
            min=1, max=9, help="How well the others play: 1 at random, 9 as well as they can."
        ),
    ] = None,
    position: PositionOption = None,
    rating: Annotated[
        int | None,
        typer.Option(
            metavar="R",
            min=0,
            max=10_000,
            help="The level or uct:N nearest to this rating; random play has 0.",
        ),
    ] = None,
    play_clock: PlayClockOption = 2,
    review: Annotated[
        bool, typer.Option("--review/--no-review", help="Say which of your moves gave ground.")
    ] = True,
    seed: SeedOption = 1,
) -> None:
    """Play in the terminal: type a move's number, its words or its cells, or ? for help."""
    from kibitz.play import CasualMatch, Clocks, agent_rated, rating_text

    made = make_game(find_sheet(game, position), Engine.COMPILED, budget_of(60, 4))
    mine = role or made.roles[0]
    made.check_role(mine)
    name = against if level is None else f"level:{level}"
    if rating is not None:
        name = agent_rated(rating, made.sheet.name)
    if len(made.roles) > 1 and (rated := rating_text(name)):
        note(f"{name} was rated {rated}; random play has 0")
    agents = {other: agent_maker(name, play_clock)(seed) for other in made.roles if other != mine}
    casual = CasualMatch(made, mine, agents, clocks=Clocks(min(10.0, 2 * play_clock), play_clock))
    try:
        _Table(casual).play()
        if review:
            _print_review(casual)
    except EOFError:
        note("left")
        raise typer.Exit(1) from None
    finally:
        casual.close()


_HELP = """\
  type a move's number, its words or some of them, or its cells
  h  hint: the move that a search of two seconds prefers, or the next one of a plan
  v  values: what that search thinks of each move
  u  undo: take your last move back
  l  list your moves again
  r  resign
  q  quit"""


_COMMANDS = {
    "?": "help",
    "h": "hint",
    "v": "values",
    "l": "list",
    "u": "undo",
    "r": "resign",
    "q": "quit",
    "exit": "quit",
}


_LONG_LIST = 12
"""More moves than this are listed at the first turn and when asked for."""


class _Table:
    """Shows a match to a person at the terminal, and asks for moves."""

    def __init__(self, match: CasualMatch) -> None:
        self.match = match
        self.game, self.role = match.game, match.role
        self.has_listed = False

    def play(self) -> None:
        """Play until the match is over or the person resigns."""
        from kibitz.wording import end_text, stuck_text

        self.show_moves(self.match.advance())
        while not self.match.is_over:
            print(self.board())
            if len(self.match.legal) > _LONG_LIST and self.has_listed:
                print(f"  {len(self.match.legal)} moves; l lists them")
            else:
                self.list_moves()
            if not self.ask_move():
                self.show_resignation()
                return
        print(self.board())
        state = self.match.line.state
        if state.is_terminal:
            print(end_text(state.goals))
        else:
            print(stuck_text([role for role in state.game.roles if not state.legal(role)]))

    def show_resignation(self) -> None:
        from kibitz.wording import counted

        others = [role for role in self.game.roles if role != self.role]
        wins = f"; {others[0]} wins" if len(others) == 1 else ""
        print(f"{self.role} resigns after {counted(len(self.match.line.moves), 'move')}{wins}")

    def ask_move(self) -> bool:
        """Ask until a move is made or taken back; return whether the person goes on."""
        while True:
            answer = input(f"{self.role}, your move (? for help): ").strip()
            meant = self.understand(answer)
            if meant is not None:
                self.show_moves([*self.match.play(meant), *self.match.advance()])
                return True
            match _command(answer):
                case "help":
                    print(_HELP)
                case "hint" | "values" as asked:
                    try:
                        self.advise(asked)
                    except RuleSheetError as error:
                        note(error.message)
                case "list":
                    self.list_moves()
                case "undo":
                    if self.match.undo():
                        return True
                    print("  there is no move to take back")
                case "resign":
                    return False
                case "quit":
                    raise EOFError

    def understand(self, answer: str) -> Move | None:
        """Return the one move that an answer means; say so where there is none, or several."""
        from kibitz.play import moves_meant

        described = self.described()
        meant = moves_meant(answer, described)
        if _command(answer):
            return next((move for move in meant if str(move) == answer), None)
        if len(meant) == 1:
            return meant[0]
        if meant:
            print(f"  {answer} can mean: {'; '.join(described[move] for move in meant)}")
        else:
            print(f"  {answer} is not one of your moves; l lists them")
        return None

    def described(self) -> dict[Move, str]:
        """Return the person's moves with their words."""
        from kibitz.play import describe_moves

        return describe_moves(self.game, self.role, self.match.legal)

    def list_moves(self) -> None:
        self.has_listed = True
        for number, (move, words) in enumerate(self.described().items(), start=1):
            text = self.game.write(move)
            print(f"  {number}: {text}" + f", {words}" * (words != text))

    def show_moves(self, made: Sequence[MadeMove]) -> None:
        from kibitz.play import describe_moves

        for problem in self.match.problems:
            note(problem)
        self.match.problems.clear()
        for one in made:
            words = describe_moves(self.game, one.role, (one.move,))[one.move]
            print(f"  {one.role}: {words}")

    def show_options(self, options: Sequence[Option]) -> None:
        described = self.described()
        for option in options:
            value = f"{100 * option.value:.0f} of 100"
            if option.share is not None:
                value = f"play it {100 * option.share:.0f} times in 100, estimated at {value}"
            elif option.is_proven:
                value = f"{value}, proven"
            else:
                value = f"about {value} ({option.visits:,} visits)"
            print(f"  {described[option.move]}: {value}")

    def advise(self, asked: str) -> None:
        plan = self.match.plan() if asked == "hint" else None
        if plan is None:
            options = self.match.options()
            self.show_options(options[:1] if asked == "hint" else options)
            return
        move = plan.moves[self.match.line.state.key]
        print(f"  {self.described()[move]}: the next move of a plan that gets {plan.goal}")

    def board(self) -> str:
        """Draw the present state; cells that the last move changed are in brackets."""
        from kibitz.board import Mark, arrange, layout_of, mark_move, text_board

        layout, states = layout_of(self.game), self.match.line.states
        before, after = (arrange(layout, state.fluents) for state in (*states[-2:], states[-1])[:2])
        marks = [
            Mark((cell,))
            for move in self.match.last_moves()
            for cell in mark_move(layout, move).cells
            if before.at(cell) != after.at(cell)
        ]
        return f"\n{text_board(states[-1], layout, marks=marks, turns=not self.match.is_over)}"


def _command(answer: str) -> str | None:
    """Return the command that an answer is, if it is one."""
    word = answer.lower()
    return _COMMANDS.get(word, word if word in _COMMANDS.values() else None)


def _print_review(match: CasualMatch) -> None:
    """Say which of the person's moves gave something away."""
    from kibitz.play import describe_moves, review_match

    def words(move: Move) -> str:
        return describe_moves(match.game, match.role, (move,))[move]

    for sentence in review_match(match.line, match.role).lines(words):
        print(sentence)
