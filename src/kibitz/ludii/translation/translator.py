"""Translate the tree of a sheet into a RuleSheet in GDL."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module

from kibitz.errors import RuleSheetError, Source
from kibitz.gdl import Atom, Formula, Function, Not, Rule, RuleSheet, Term
from kibitz.ludii.tokens import Ludeme
from kibitz.ludii.translation import sowing, variables
from kibitz.ludii.translation.core import Bodies, Compiler, Context, constant, joined
from kibitz.ludii.translation.effects import emit_effects
from kibitz.ludii.translation.endings import End, emit_endings, ends_of
from kibitz.ludii.translation.equipment import Equipment, player_number, read_equipment
from kibitz.ludii.translation.expressions import condition
from kibitz.ludii.translation.finishing import polished, reachable, relations_of, resolved
from kibitz.ludii.translation.frame import emit_frame
from kibitz.ludii.translation.moves import Move, moves_of
from kibitz.ludii.translation.problems import (
    NotStatic,
    Problems,
    Unsupported,
    passed_over,
    reading,
    watched,
)

for _module in (
    *("captures", "conditions", "groups", "patterns"),
    *("placing", "regions", "travel"),
):  # imported for the ludemes that they register
    import_module(f"kibitz.ludii.translation.{_module}")

_STAGES = 4
"""How many stages of a move there can be: the move itself, and its consequences."""


@dataclass(frozen=True)
class _Phase:
    name: str
    role: int
    play: Ludeme | None
    ends: tuple[Ludeme, ...]
    following: tuple[Ludeme, ...]


def translate(source: Source, game: Ludeme) -> RuleSheet:
    """Translate an expanded sheet; raise RuleSheetError with everything that is not supported."""
    problems = Problems(source)
    game = watched(game)
    try:
        with reading(game):
            equipment = read_equipment(game)
            variables.add_variants(equipment, game)
            translator = _Translator(equipment, problems, game)
            translator.run()
            rules = () if problems.diagnostics else tuple(translator.finished())
            for one in () if problems.diagnostics else translator.passed_over():
                problems.add(Unsupported(one, "passed over"))
    except Unsupported as problem:
        problems.add(problem)
    if problems.diagnostics:
        raise RuleSheetError(source, problems.diagnostics)
    return RuleSheet(rules, source)


class _Translator(Compiler):
    """Puts a whole sheet together."""

    def __init__(self, equipment: Equipment, problems: Problems, game: Ludeme) -> None:
        super().__init__(equipment, problems, game)
        self.uses = {one.kind for one in game.walk() if one.shape == "call"}
        self.uses |= {one.name for one in game.walk() if one.shape == "call"}
        if "set NextPlayer" in self.uses:  # whose turn comes next is not known beforehand
            self.uses.add("moveAgain")
        self.last_stage = _STAGES
        self.rules_of_game = next(iter(game.calls("rules")), Ludeme("call", "rules"))
        self.phases = self._phases()
        self._verbs: dict[str, list[str]] = {}

    def _phases(self) -> list[_Phase]:
        rules = self.rules_of_game
        listed = rules.get("phases")
        if listed is None:
            play = next(iter(rules.calls("play")), None)
            return [_Phase("only", 0, play.items[0] if play and play.items else None, (), ())]
        found: list[_Phase] = []
        for item in listed.items:
            name = next((i.name for i in item.items if i.shape == "text"), f"phase{len(found) + 1}")
            role = next((n for i in item.items if (n := player_number(i)) is not None), 0)
            play = next(iter(item.calls("play")), None)
            found.append(
                _Phase(
                    "".join(ch if ch.isalnum() else "_" for ch in name).lower(),
                    role,
                    play.items[0] if play and play.items else None,
                    tuple(item.calls("end")),
                    tuple(item.calls("nextPhase")),
                )
            )
        return found

    def move_count(self, ludeme: Ludeme, context: Context, when: Bodies) -> None:
        """Move counted pieces from one site to another."""
        sowing.move_count(self, ludeme, context, when)

    def in_phase(self, name: str | None, player: int) -> Bodies:
        """Return what says that a player is in a phase."""
        if name is None or len(self.phases) == 1:
            return [()]
        return [(self.fluent("phase", self.role(player), constant(name)),)]

    def run(self) -> None:
        """Translate all parts; what is not supported is kept as a problem."""
        self._start()
        self._meta()
        moves: list[Move] = []
        players = range(1, self.equipment.players + 1)
        for phase in self.phases:
            for player in players:
                if self._may_enter(phase, player) and phase.play is not None:
                    moves += self._play(phase, player)
        self._pass(moves)
        for move in moves:
            try:
                does = self.makes(move.context.mover, self._term(move))
                emit_effects(self, move, does, move.context)
            except Unsupported as problem:
                self.problems.add(problem)
        ends: list[End] = []
        for phase in self.phases:
            ends += self._ends(phase.ends, phase.name)
        ends += self._ends(tuple(self.rules_of_game.calls("end")), None)
        emit_endings(self, ends)
        for phase in self.phases:
            self._next_phases(phase)
        emit_frame(self, has_phases=len(self.phases) > 1)

    def _ends(self, ludemes: tuple[Ludeme, ...], phase: str | None) -> list[End]:
        found: list[End] = []
        for ludeme in ludemes:
            try:
                found += ends_of(ludeme, phase, self.equipment.players)
            except Unsupported as problem:
                self.problems.add(problem)
        return found

    def _meta(self) -> None:
        for item in self.rules_of_game.calls("meta"):
            for one in item.items:
                if one.kind == "swap" and self.equipment.players == 2:
                    self.has_swap = True
                    self.counted["moves"] = max(self.counted.get("moves", 0), 2)
                else:
                    self.problems.add(Unsupported(one))

    def passed_over(self) -> Iterator[Ludeme]:
        """Yield the parts of rules and pieces that the translation made no use of."""
        yield from passed_over(self.rules_of_game)
        for moves in self.moves_of_pieces:
            yield from passed_over(moves)

    # The start

    def _start(self) -> None:
        for start in self.rules_of_game.calls("start"):
            for item in start.items:
                for one in item.items if item.shape == "list" else (item,):
                    try:
                        with reading(one):
                            self._place(one)
                    except (Unsupported, NotStatic) as problem:
                        self.problems.add(
                            problem if isinstance(problem, Unsupported) else Unsupported(one)
                        )

    def _place(self, ludeme: Ludeme) -> None:
        if ludeme.name == "set" and len(ludeme.items) > 2:
            if ludeme.items[0].name == "Count" and self.equipment.has_counts:
                where = ludeme.get("to")
                if where is None:
                    raise Unsupported(ludeme)
                for site in self.statics.region(where):
                    number = self.statics.integer(ludeme.items[1])
                    self.board_at_start[self.equipment.sites[site]] = str(number)
                return
            if ludeme.items[0].name != "Score":
                raise Unsupported(ludeme)
            who, value = ludeme.unlabelled()[-2:]
            players = range(1, self.equipment.players + 1)
            number = self.statics.integer(value)
            for player in players if who.name == "Each" else [self.statics.player(who)]:
                self.scores[player] = number
            return
        known = ("", "count", "coord", "state", "value")
        if ludeme.kind != "place" or any(item.label not in known for item in ludeme.items):
            raise Unsupported(ludeme)
        name, *rest = ludeme.unlabelled()
        count = ludeme.get("count")
        pieces = self.equipment.named(name.name)
        if rest and rest[0].shape == "text" and rest[0].name.startswith("Hand"):
            number = self.statics.integer(count) if count else 1
            for piece in pieces:
                if piece.owner in self.equipment.hands:
                    self.in_hand[piece.owner, piece.term] = number
            return
        if rest and rest[0].name == "handSite" and rest[0].items and pieces:
            number = self.statics.integer(count) if count else 1
            owner = self.statics.player(rest[0].items[0])
            if owner not in self.equipment.hands:
                raise Unsupported(ludeme)
            held = self.in_hand.get((owner, pieces[0].term), 0)
            self.in_hand[owner, pieces[0].term] = held + number
            place = self.statics.integer(rest[0].items[1]) if len(rest[0].items) > 1 else 0
            self.hand_places[owner, place] = pieces[0].term
            return
        if pieces and count is not None and self.equipment.has_counts and rest:
            for site in self.statics.region(rest[0]):
                self.board_at_start[self.equipment.sites[site]] = str(self.statics.integer(count))
            return
        if not pieces or count is not None:
            raise Unsupported(ludeme)
        where = ludeme.get("coord") or (rest[0] if rest else None)
        if where is None:
            raise Unsupported(ludeme)
        piece = pieces[0]
        for label in ("state", "value"):
            if (item := ludeme.get(label)) is not None:
                piece = variables.variant(self, piece, **{label: self.statics.integer(item)})
        for number in sorted(self.statics.region(where)):
            self.board_at_start[self.equipment.sites[number]] = piece.term

    # Moves

    def _play(self, phase: _Phase, player: int) -> list[Move]:
        assert phase.play is not None
        try:
            moves = moves_of(self, phase.play, Context(player))
        except Unsupported as problem:
            self.problems.add(problem)
            return []
        here = self.in_phase(phase.name, player)
        moves = [move.when(here) for move in moves]
        for move in moves:
            head = Atom("can", (self.role(player), self._term(move)))
            self.rule(head, joined([(self.control(player),)], move.bodies))
        return moves

    def _term(self, move: Move) -> Function:
        """Return the move as a term; moves that do different things have different names."""
        acts = str([str(effect) for effect, _, _ in move.applied])
        action = "drop" if move.action == f"drop {move.context.mover}" else move.action
        signature = f"{action} {acts} {[str(one) for one in move.then]}"
        known = self._verbs.setdefault(move.verb, [])
        if signature not in known:
            known.append(signature)
        number = known.index(signature) + 1
        args = move.args
        if move.verb in ("place", "drop") and self._kinds(move.verb, move.context.mover) == 1:
            args = args[1:]
        return Function(move.verb if number == 1 else f"{move.verb}_{number}", args)

    def _kinds(self, verb: str, player: int) -> int:
        """Return how many kinds of pieces a player can place or drop."""
        if verb == "drop":
            if 0 in self.equipment.hands:
                return 2
            owners = [owner for owner, _ in self.in_hand]
            return max((owners.count(owner) for owner in owners), default=0)
        return 2 if "piece" in self._add_arguments() else 1

    def _add_arguments(self) -> set[str]:
        return {
            item.name for one in self.game.walk() if one.kind == "move Add" for item in one.items
        }

    def _pass(self, moves: list[Move]) -> None:
        """Let players pass who can do nothing else, and count how many passed in turn."""
        roles = [self.role(p) for p in range(1, self.equipment.players + 1)]
        move = self.fresh("m")
        for player, role in enumerate(roles, start=1):
            can = Atom("can", (role, move))
            self.rule(Atom("has_move", (role,)), [(can,)])
            for who, turn in self._seats(player):
                self.rule(Atom("legal", (who, move)), [(*turn, can)])
                stuck = (*turn, Not(Atom("has_move", (role,))))
                self.rule(Atom("legal", (who, constant("pass"))), [stuck])
                for idle in roles:
                    if idle != who:
                        self.rule(Atom("legal", (idle, constant("noop"))), [turn])
        if self.has_swap:
            self._swap()
        passes = [self.makes(p, constant("pass")) for p in range(1, len(roles) + 1)]
        count = len(roles)
        if count == 1:
            self.rule(Atom("all_passed"), [(passes[0],)])
            return
        n, m = self.fresh("n"), self.fresh("m")
        for one in passes:
            first = Not(self.relation("passed", [(self.fluent("passes", n),)], Context(1)))
            self.rule(
                Atom("next", (Function("passes", (constant(1),)),)),
                [(one, first)],
            )
            if count > 2:
                more = self.fact_relation(
                    "one_more_pass", [(k, k + 1) for k in range(1, count - 1)]
                )
                self.rule(
                    Atom("next", (Function("passes", (m,)),)),
                    [(one, self.fluent("passes", n), Atom(more, (n, m)))],
                )
            self.rule(Atom("all_passed"), [(one, self.fluent("passes", constant(count - 1)))])

    def _seats(self, player: int) -> list[tuple[Function, tuple[Formula, ...]]]:
        """Return who may have the pieces of a player, with what says that it is their turn."""
        control = self.control(player)
        if not self.has_swap:
            return [(self.role(player), (control,))]
        return [
            (self.role(who), (control, self.fluent("seat", self.role(who), self.role(player))))
            for who in (1, 2)
        ]

    def _swap(self) -> None:
        """Let the second player take the place of the first instead of the first move."""
        first = (self.control(2), self.fluent("moves", constant(1)))
        self.rule(Atom("can", (self.role(2), constant("swap"))), [first])
        w, m, p, q = (self.fresh(hint) for hint in ("w", "m", "p", "q"))
        does = Atom("does", (w, m))
        seat = self.fluent("seat", w, p)
        self.rule(Atom("makes", (p, m)), [(does, seat)])
        self.rule(Atom("swaps"), [(Atom("makes", (self.role(2), constant("swap"))),)])
        head = Atom("next", (Function("seat", (w, p)),))
        self.rule(head, [(seat, Not(Atom("swaps")))])
        other = self.fact_relation("other_player", [("p1", "p2"), ("p2", "p1")])
        taken = (self.fluent("seat", w, q), Atom(other, (q, p)), Atom("swaps"))
        self.rule(head, [taken])
        self.rule(Atom("again"), [(Atom("swaps"),)])
        self.uses.add("moveAgain")

    # Phases

    def _may_enter(self, phase: _Phase, player: int) -> bool:
        """Return whether a player begins in a phase, or comes to it from another one."""
        return phase.role in (0, player) or any(
            self._target(one, item) == phase.name for one in self.phases for item in one.following
        )

    def _target(self, phase: _Phase, following: Ludeme) -> str:
        order = [one.name for one in self.phases]
        named = next((i.name for i in following.items if i.shape == "text"), None)
        if named is None:
            return order[(order.index(phase.name) + 1) % len(order)]
        return "".join(ch if ch.isalnum() else "_" for ch in named).lower()

    def _next_phases(self, phase: _Phase) -> None:
        if len(self.phases) == 1:
            return
        players = range(1, self.equipment.players + 1)
        for item in phase.following:
            target = self._target(phase, item)
            test = next((i for i in item.items if i.shape == "call"), None)
            role = next(
                (i for i in item.items if i.shape == "word" and i.name not in ("True",)), None
            )
            for mover in players:
                context = Context(mover, self.last_stage, ending=True)
                try:
                    bodies: Bodies = [()]
                    if test is not None:
                        bodies = condition(self, test, context)
                except Unsupported as problem:
                    self.problems.add(problem)
                    continue
                for player in players:
                    if not self._concerns(role, player, mover):
                        continue
                    self.rule(
                        Atom("enters", (self.role(player), constant(target))),
                        joined([(self.control(mover),)], self.in_phase(phase.name, player), bodies),
                    )

    def _concerns(self, role: Ludeme | None, player: int, mover: int) -> bool:
        if role is None or role.name in ("Shared", "All"):
            return True
        if role.name == "Mover":
            return player == mover
        if role.name == "Next":
            return player == mover % self.equipment.players + 1
        return player_number(role) == player

    # Finishing

    def finished(self) -> list[Rule]:
        """Return all rules in an order that reads well."""
        players = range(1, self.equipment.players + 1)
        rules = [Rule(Atom("role", (self.role(player),))) for player in players]
        rules += [_init("control", self.role(1))]
        for site, piece in sorted(self.board_at_start.items()):
            rules.append(_init("cell", constant(site), constant(piece)))
        for (player, piece), number in sorted(self.in_hand.items()):
            rules.append(_init("hand", self.role(player), constant(piece), constant(number)))
        counts = {"turns": 1, "counter": -1}
        rules += [_init(name, constant(counts.get(name, 0))) for name in self.counted]
        for name, divisor in sorted(self.cycles):
            remainder = constant(counts.get(name, 0) % divisor)
            rules.append(_init(f"{name}_modulo_{divisor}", remainder))
        if "score" in self.needed:
            rules += [
                _init("score", self.role(p), constant(self.scores.get(p, 0))) for p in players
            ]
        if self.has_swap:
            rules += [_init("seat", self.role(p), self.role(p)) for p in players]
        if len(self.phases) > 1:
            for player in players:
                first = next((ph for ph in self.phases if ph.role in (0, player)), self.phases[0])
                rules.append(_init("phase", self.role(player), constant(first.name)))
        for relation in sorted({name for rule in self.rules for name in relations_of(rule)}):
            if relation.startswith("@at_least "):
                least = int(relation.removeprefix("@at_least "))
                top = max(self.counted.values())
                rows = [(n,) for n in range(least, top + 1)]
                self._names[relation] = self.fact_relation(f"at_least_{least}", rows)
        body = [
            self._resolved(rule)
            for rule in [*self._stage_rules(), *variables.variable_rules(self), *self.rules]
        ]
        body = list(dict.fromkeys(body))
        pairs = tuple((site, site) for site in sorted(self.equipment.sites))
        same = self._names.get(("facts", pairs))
        return reachable(polished([*rules, *body], self.facts, same), self.facts)

    def _resolved(self, rule: Rule) -> Rule:
        known = (self.stages, self._names, self.worlds, self.variable_stages)
        head = resolved(rule.head, *known)
        assert isinstance(head, Atom)
        return Rule(head, tuple(resolved(formula, *known) for formula in rule.body))

    def _stage_rules(self) -> list[Rule]:
        found: list[Rule] = []
        heads = {rule.head.relation for rule in self.rules}
        s, p = self.fresh("s"), self.fresh("p")
        for stage in sorted(self.stages):
            head = Atom(f"@cell {stage}", (s, p))
            if f"@put {stage}" in heads:
                found.append(Rule(head, (Atom(f"@put {stage}", (s, p)),)))
            stays: tuple[Formula, ...] = (Atom(f"@cell {stage - 1}", (s, p)),)
            if f"@clear {stage}" in heads:
                stays = (*stays, Not(Atom(f"@clear {stage}", (s,))))
            found.append(Rule(head, stays))
        for name, world in self.worlds.items():
            places = world.ready.args
            for stage in sorted(world.stages):
                first = stage == min(world.stages)
                cell: Atom = self.cell(world.before, s, p)
                if not first:
                    cell = Atom(f"@cell {stage - 1} {name}", (*places, s, p))
                head = Atom(f"@cell {stage} {name}", (*places, s, p))
                found.append(Rule(head, (Atom(f"@put {stage} {name}", (*places, s, p)),)))
                gone = Not(Atom(f"@clear {stage} {name}", (*places, s)))
                found.append(Rule(head, (*((world.ready,) if first else ()), cell, gone)))
        return found


def _init(name: str, *args: Term) -> Rule:
    return Rule(Atom("init", (Function(name, args),)))
