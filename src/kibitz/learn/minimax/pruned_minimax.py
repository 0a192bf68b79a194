"""Search game trees by clingo: the whole tree, or best matches validated from their end.

A match that is best for one role assumes that the others help. It is validated backwards: at each
step clingo looks for a match with another move that would be better for the role that chose there.
If there is none, the move stands and the branch is left unexplored; otherwise the other match is
validated in turn, and used if it is still better then.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kibitz.engine import Game, Move, Role, State
from kibitz.errors import BudgetExceededError, KibitzError
from kibitz.gdl import Names
from kibitz.learn.minimax.clingo_queries import BestMatches, Matched, Successors, has_fixed_size
from kibitz.learn.minimax.trees import Node
from kibitz.learn.rules import BestRule, Mask, learn_rule


def minimax_tree(
    game: Game,
    state: State,
    *,
    root: Node | None = None,
    max_nodes: int = 2_000_000,
    progress: Callable[[int], None] | None = None,
) -> Node:
    """Expand every node by one call of clingo for each state, and score the tree.

    A caller that passes the root has the partial tree when this is interrupted.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("nim:1,2"))
    >>> tree = minimax_tree(game, game.initial())
    >>> tree.count(), tree.score
    (11, 100)
    """
    successors = Successors(game)
    root = root or Node(state)
    order = [root]
    try:
        _expand(order, successors, max_nodes, progress)
    finally:
        for node in reversed(order):
            node.score = _score(node)
    return root


def _expand(
    order: list[Node],
    successors: Successors,
    max_nodes: int,
    progress: Callable[[int], None] | None,
) -> None:
    game = successors.game
    for node in order:  # grows while it is walked
        if node.state.is_terminal:
            continue
        for choice in successors.of(node.state):
            after = game.state(choice.fluents)
            node.children.append(Node(after, choice.joint))
        order += node.children
        if len(order) > max_nodes:
            raise BudgetExceededError(
                f"the tree of {game.sheet.name} has more than {max_nodes:,} nodes",
                hint="prune it with --method pruned, or take a smaller --instance",
                options=["--method", "--instance"],
            )
        if progress and len(order) % 1000 < len(node.children):
            progress(len(order))


def _score(node: Node) -> int | None:
    """Score a node by its children; None where some of them were not expanded."""
    if not node.children:
        return first_goal(node.state) if node.state.is_terminal else None
    scores = [child.score for child in node.children if child.score is not None]
    if len(scores) < len(node.children):
        return None
    return max(scores) if mover(node.state) == 0 else min(scores)


def mover(state: State) -> int:
    """Return the role that chooses, by number; the first where no role has a choice."""
    choosers = [i for i, role in enumerate(state.game.roles) if len(state.legal(role)) > 1]
    if len(choosers) > 1:
        raise KibitzError(f"in {state.game.sheet.name} roles choose at the same time")
    return choosers[0] if choosers else 0


def first_goal(state: State) -> int:
    """Return the first role's goal in a terminal state."""
    goal = state.goals[state.game.roles[0]]
    if goal is None:
        raise KibitzError(f"a terminal state of {state.game.sheet.name} has no single goal")
    return goal


_Joints = tuple[tuple[Move, ...], ...]
_Barred = tuple[int, Role, Move]


class Pruned:
    """A tree under construction, and the rules learned from the decisions in it."""

    def __init__(
        self,
        game: Game,
        state: State,
        *,
        mask: Mask | None = None,
        horizon: int | None = None,
        seed: int | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> None:
        self.game, self.mask = game, mask
        self.root = Node(state)
        self.matches = BestMatches(game, state, horizon=horizon, seed=seed)
        self.rules: list[BestRule] = []
        self.known: dict[object, Matched | None] = {}
        self.decisions: list[tuple[State, int, Move, Move]] = []
        self.report = progress or (lambda _calls: None)
        self.is_exact = mask is not None and not has_fixed_size(game, state)
        self._forced = _Forced(self.matches, self.names)

    @property
    def names(self) -> Names:
        """The names in clingo."""
        return self.matches.names

    def run(self) -> Node:
        """Find the first match and validate it all."""
        found = self.matches.find((), upwards=mover(self.root.state) == 0)
        if found is None:
            self.root.score = first_goal(self.root.state)
            return self.root
        self.root.score = first_goal(self.path(self.validate(found.joints, 0))[-1].state)
        return self.root

    def path(self, joints: Sequence[tuple[Move, ...]]) -> list[Node]:
        """Return the nodes along some joint moves from the root; make those that are missing."""
        nodes = [self.root]
        for joint in joints:
            nodes.append(nodes[-1].child(joint))
        return nodes

    def validate(self, joints: _Joints, first: int, barred: tuple[_Barred, ...] = ()) -> _Joints:
        """Validate a match from its end back to a step; return the match that all would play.

        `barred` are moves already tried instead of moves of the match; the result is the best match
        without them.
        """
        nodes = self.path(joints)
        score = first_goal(nodes[-1].state)
        valid = joints
        for step in range(len(joints) - 1, first - 1, -1):
            state = nodes[step].state
            role = mover(state)
            nodes[step + 1].score = score
            tried = (*barred, (step, self.game.roles[role], joints[step][role]))
            other = self.best(joints[:step], state, role, tried)
            if other is None:
                continue
            sign = 1 if role == 0 else -1
            rival, value = other.joints, other.goal
            self.path(rival)
            if sign * (value - score) > 0:
                rival = self.validate(rival, step, tried)
                value = first_goal(self.path(rival)[-1].state)
            if sign * (value - score) < 0:
                self.decide(state, role, joints[step][role], rival[step][role])
            elif value != score:
                self.decide(state, role, rival[step][role], joints[step][role])
                valid, score = rival, value
        return valid

    def best(
        self, prefix: _Joints, state: State, role: int, barred: tuple[_Barred, ...]
    ) -> Matched | None:
        """Find the best match for a role from a state on, without moves that were tried there.

        Without rules the past of the state does not matter, so clingo is asked once.
        """
        now = frozenset(move for time, _, move in barred if time == len(prefix))
        key = (state.key, now, role)
        if self.mask is None and key in self.known:
            found = self.known[key]
            return found and Matched((*prefix, *found.joints), found.goal)
        found = self.matches.find(prefix, barred=barred, upwards=role == 0)
        self.report(self.matches.calls)
        self.known[key] = found and Matched(found.joints[len(prefix) :], found.goal)
        return found

    def decide(self, state: State, role: int, best: Move, worse: Move) -> None:
        """Record that a move is better than another; learn the rule, and follow it from now on."""
        self.decisions.append((state, role, best, worse))
        if self.mask is None:
            return
        rule = learn_rule(state, self.game.roles[role], best, self.mask, is_exact=self.is_exact)
        if rule not in self.rules:
            self.rules.append(rule)
            self._forced.add(rule)


class _Forced:
    """Restricts clingo to the moves that rules recommend, wherever a rule applies.

    Rules with the same body apply to the same states, and any of their moves may be made. When such
    a group grows, its old constraint is withdrawn and a new one replaces it.
    """

    def __init__(self, matches: BestMatches, names: Names) -> None:
        self.matches, self.names = matches, names
        self.groups: dict[tuple[object, ...], list[BestRule]] = {}
        self.version: dict[tuple[object, ...], str] = {}
        self.count = 0

    def add(self, rule: BestRule) -> None:
        key = (rule.fluents, rule.role)
        group = self.groups.setdefault(key, [])
        group.append(rule)
        if key in self.version:
            self.matches.withdraw(self.version[key])
        self.count += 1
        name = f"best{self.count}"
        lines = []
        for one in group:
            text = one.text(self.names, timed=True).replace("best_do(", f"{name}(", 1)
            role, move = self.names.term(one.role), self.names.term(one.move)
            lines.append(f"{text.removesuffix('.')}, legal({role},{move},T).")
        lines.append(
            f":- {name}(R,_,T), on(T), not terminal(T), use_{name}, "
            f"not does(R,M,T) : {name}(R,M,T)."
        )
        self.version[key] = name
        self.matches.require(name, "\n".join(lines))


def pruned_tree(
    game: Game,
    state: State,
    *,
    mask: Mask | None = None,
    seed: int | None = None,
) -> Pruned:
    """Build the pruned tree below a state; with a mask, learn rules and prune with them.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("nim:1,2"))
    >>> pruned_tree(game, game.initial()).root.score
    100
    """
    pruned = Pruned(game, state, mask=mask, seed=seed)
    pruned.run()
    return pruned
