"""Show a game as a BoardWidget: a notebook board on which a person plays against agents.

Moves are made by clicks on cells, or by buttons where a move names no cell. It needs the extra
`notebook`, and works wherever anywidget does: Jupyter, VS Code, Colab, marimo.
"""

from __future__ import annotations

from typing import Any

from kibitz.board import Gesture, layout_of, mark_move, svg_board
from kibitz.engine import Game, Move, Role
from kibitz.facade import AnyGame, load
from kibitz.optional import optional
from kibitz.play import CasualMatch, Clocks, describe_moves, make_agent, moves_meant
from kibitz.wording import end_text, side_name

with optional("notebook", "anywidget", "traitlets"):
    import anywidget
    import traitlets


_SCRIPT = """
function render({ model, el }) {
  let chosen = null;
  const draw = () => {
    el.innerHTML = "";
    const picture = document.createElement("div");
    picture.innerHTML = model.get("svg");
    const moves = model.get("moves");
    for (const cell of picture.querySelectorAll("[data-cell]")) {
      const key = cell.getAttribute("data-cell");
      const starts = moves.filter((move) => move.starts.includes(key));
      const ends = moves.filter((move) => move.starts.includes(chosen) && move.end === key);
      if (key === chosen) cell.style.opacity = "0.6";
      const choose = () => {
        const made = ends.length ? ends : starts.filter((move) => move.is_click);
        if (made.length === 1) { chosen = null; return send({ move: made[0].number }); }
        chosen = key === chosen || !starts.length ? null : key;
        draw();
      };
      cell.addEventListener("click", choose);
      if (!starts.length && !ends.length) continue;
      cell.style.cursor = "pointer";
      cell.setAttribute("tabindex", "0");
      cell.setAttribute("role", "button");
      const texts = (ends.length ? ends : starts).map((move) => move.text);
      cell.setAttribute("aria-label", texts.join(", or "));
      cell.addEventListener("keydown", (event) => event.key === "Enter" && choose());
    }
    el.append(picture);
    const message = document.createElement("p");
    message.setAttribute("aria-live", "polite");
    message.textContent = model.get("message");
    el.append(message);
    const row = document.createElement("div");
    row.style.cssText = "display: flex; flex-wrap: wrap; gap: 0.4em";
    const near = moves.filter((move) => move.starts.includes(chosen));
    const beside = moves.filter((move) => !move.starts.length);
    for (const move of near.length ? near : beside)
      row.append(button(move.text, { move: move.number }));
    row.append(button("Take back", { undo: true }), button("New match", { restart: true }));
    el.append(row);
  };
  const send = (content) => model.send(content);
  const button = (text, content) => {
    const made = document.createElement("button");
    made.textContent = text;
    made.addEventListener("click", () => { chosen = null; send(content); });
    return made;
  };
  model.on("change:version", draw);
  draw();
}
export default { render };
"""


def board(
    game: AnyGame, *, role: Role | None = None, opponent: str = "auto", seconds: float = 0.5
) -> BoardWidget:
    """Return a board to play on; the person has a role, the first if not given.

    >>> widget = board("nim:1,2", opponent="random")
    >>> widget.message, [move["text"] for move in widget.moves][:2]
    ('Your move, Player 1.', ['reduce heap a to 0', 'reduce heap b to 0'])
    """
    made = game if isinstance(game, Game) else load(game)
    person = made.roles[0] if role is None else role
    made.check_role(person)
    return BoardWidget(made, person, opponent, seconds)


class BoardWidget(anywidget.AnyWidget):
    """A board on which a person plays; `match` has the moves so far."""

    _esm = _SCRIPT
    svg = traitlets.Unicode("").tag(sync=True)
    moves: Any = traitlets.List().tag(sync=True)
    message = traitlets.Unicode("").tag(sync=True)
    version = traitlets.Int(0).tag(sync=True)

    def __init__(self, game: Game, role: Role, opponent: str, seconds: float) -> None:
        super().__init__()
        self._settings = (game, role, opponent, seconds)
        self.on_msg(self._receive)
        self.restart()

    def restart(self) -> None:
        """Begin a new match."""
        game, role, opponent, seconds = self._settings
        make = make_agent(opponent)
        agents = {other: make(1 + i) for i, other in enumerate(game.roles) if other != role}
        self.match = CasualMatch(game, role, agents, clocks=Clocks(seconds, seconds))
        self.match.advance()
        self._show()

    def play(self, move: Move | str) -> None:
        """Make a move of the person, by its term or in words, and let the others answer."""
        meant = moves_meant(str(move), self._described())
        if len(meant) != 1:
            self._show(f"{move} can mean several moves." if meant else f"{move} is not legal.")
            return
        self.match.play(meant[0])
        self.match.advance()
        self._show()

    def undo(self) -> None:
        """Take the person's last move back."""
        self.match.undo()
        self._show()

    def _receive(self, _widget: Any, content: Any, _buffers: Any) -> None:
        """Do what a click in the browser asks for; anything else is ignored."""
        if not isinstance(content, dict):
            return
        number = content.get("move")
        if isinstance(number, int) and 0 <= number < len(self.match.legal):
            self.play(self.match.legal[number])
        elif content.get("undo"):
            self.undo()
        elif content.get("restart"):
            self.restart()

    def _described(self) -> dict[Move, str]:
        return describe_moves(self.match.game, self.match.role, tuple(self.match.legal))

    def _show(self, problem: str = "") -> None:
        state = self.match.line.state
        names = {role: side_name(role) for role in state.game.roles}
        layout = layout_of(state.game)
        last = [mark_move(layout, move) for move in self.match.last_moves()]
        self.svg = svg_board(state, layout, marks=last)
        self.moves = [
            {"number": number, "text": text, **_clicks(layout.gesture(move))}
            for number, (move, text) in enumerate(self._described().items())
        ]
        if state.is_terminal:
            said = end_text(state.goals, names)
        elif self.match.is_over:
            said = "A role has no legal move, so play cannot go on."
        else:
            said = f"Your move, {names[self.match.role]}."
        self.message = f"{problem} {said}".strip()
        self.version += 1


def _clicks(gesture: Gesture) -> dict[str, Any]:
    """Return where a move starts and ends on the board, and whether one click makes it."""
    keys = [f"{ref.board}.{ref.cell}" for ref in gesture.cells]
    if gesture.kind == "drag":
        return {"starts": keys[:1], "end": keys[-1], "is_click": False}
    return {"starts": keys, "end": None, "is_click": bool(keys) and not gesture.value}
