"""Write rules with variables as sentences, and read them back.

The meaning of a rule is the set of its instances. Letters replace the places of one instance, and a
sentence is used if all that it means is in the set, preferring the one that means most of it; a few
sentences may be needed. Each is read back before it is used.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import combinations, product

from kibitz.engine import CompiledGame, Move, Role
from kibitz.english.rules.formula_phrases import carry_fluents, parts_of
from kibitz.english.rules.formulas import ConditionReader, UnspeakableError, say_parts
from kibitz.english.rules.phrases import ANY_MOVE, PlainRule
from kibitz.english.rules.preference_phrases import (
    normal_preferences,
    read_preferences,
    say_preferences,
    shorten,
)
from kibitz.english.rules.sentence_reader import read_back as read_plain
from kibitz.english.rules.sentence_writer import plain_parts, plain_rule, say
from kibitz.english.rules.spots import (
    Coordinate,
    Doing,
    Instance,
    Letter,
    Naming,
    Spot,
    Template,
    at,
    instances,
    piece_letter,
    spot_of,
    spots_in,
    symbolic,
)
from kibitz.english.scene import Scene, scene_of
from kibitz.gdl import Function
from kibitz.strategy import (
    AllMoves,
    Derived,
    Formula,
    Holds,
    Not,
    Strategy,
    StrategyRule,
    leaves,
    rule_text,
    write_formula,
)
from kibitz.wording import join_words

_MOST_LIFTED = 7


def richness(scene: Scene, instance: Instance) -> tuple[bool, int, int]:
    """Count the different things that an instance mentions, and its conditions.

    Images of relations cannot be described, so instances with these are the poorest.
    """
    items = _items(scene, *_fixed(scene, *instance))
    every_leaf = (leaf for part in instance[0] for leaf in leaves(part))
    is_image = any(isinstance(leaf, Derived) and leaf.renaming for leaf in every_leaf)
    return not is_image, len(items), len(instance[0])


def templates(scene: Scene, parts: frozenset[Formula], move: Move) -> Iterator[Template]:
    """Walk the ways to put letters into an instance, the freest first."""
    doing, condition = _fixed(scene, parts, move)
    items = _items(scene, doing, condition)
    mentioned = mentioned_in(doing, condition)
    if not items or len({spot.board for spot, _ in mentioned}) != 1:
        return
    axes = list(dict.fromkeys(axis for axis, _ in items))
    subsets: Iterable[tuple[tuple[str, int | str], ...]]
    if len(items) <= _MOST_LIFTED:
        subsets = (s for n in range(len(items), 0, -1) for s in combinations(items, n))
    else:
        groups = (g for n in range(len(axes), 0, -1) for g in combinations(axes, n))
        subsets = (tuple(item for item in items if item[0] in group) for group in groups)
    for subset in subsets:
        letters: dict[tuple[str, int | str], int] = {}
        for axis, value in subset:
            letters[axis, value] = 1 + sum(a == axis for a, _ in letters)
        made = _lettered(doing, condition, letters)
        several = [axis for axis in axes if sum(a == axis for a, _ in subset) > 1]
        for chosen in product((False, True), repeat=len(several)):
            free = frozenset(axis for axis, is_free in zip(several, chosen, strict=True) if is_free)
            yield replace(made, free=free)
    if scene.boards[mentioned[0][0].board].board.kind != "heaps":
        yield from _shifted(doing, condition, mentioned)


def _fixed(scene: Scene, parts: frozenset[Formula], move: Move) -> tuple[Doing, frozenset[Formula]]:
    """Return an instance with spots for its cells, none of them with letters yet."""
    condition = frozenset(symbolic(scene, part) for part in parts)
    key = (move.name, len(move.args))
    verb = scene.verbs.get(key)
    if verb is not None:
        targets, value = next(k for k, made in verb.moves.items() if made == move)
        spots = [spot_of(scene, target) for target in targets]
        if all(spots):
            return Doing(key, tuple(spot for spot in spots if spot), value), condition
    return Doing(None, moves=frozenset({move})), condition


def mentioned_in(doing: Doing, parts: Iterable[Formula]) -> list[tuple[Spot, str]]:
    """List the spots of a rule, those of the move first."""
    ordered = sorted(parts, key=lambda part: (isinstance(part, Not), write_formula(part)))
    found = [(spot, "") for spot in doing.spots]
    return found + [each for part in ordered for each in spots_in(part)]


def _items(scene: Scene, doing: Doing, parts: frozenset[Formula]) -> list[tuple[str, int | str]]:
    """List what letters could mean: rows, columns and cells, and numbers on heaps."""
    found: dict[tuple[str, int | str], None] = {}
    mentioned = mentioned_in(doing, parts)
    for spot, _ in mentioned:
        for axis, c in spot.where:
            if scene.boards[spot.board].board.kind != "graph":
                found[axis, c.number] = None
    boards = {spot.board for spot, _ in mentioned}
    if boards and all(scene.boards[board].board.kind == "heaps" for board in boards):
        for piece in (doing.value, *(piece for _, piece in mentioned)):
            if piece:
                found["value", piece] = None
    return list(found)


def _lettered(
    doing: Doing, parts: frozenset[Formula], letters: dict[tuple[str, int | str], int]
) -> Template:
    def spot(given: Spot) -> Spot:
        where = tuple(
            (axis, Coordinate(n, 0) if (n := letters.get((axis, c.number), 0)) else c)
            for axis, c in given.where
        )
        return Spot(given.board, where)

    def piece(given: str) -> str:
        number = letters.get(("value", given), 0) if given else 0
        return f"?{number}" if number else given

    return _changed(doing, parts, spot, piece)


def _changed(
    doing: Doing,
    parts: frozenset[Formula],
    spot: Callable[[Spot], Spot],
    piece: Callable[[str], str],
) -> Template:
    def carry(fluent: Function) -> Function:
        held = spots_in(Holds(fluent))
        return at(spot(held[0][0]), piece(held[0][1])) if held else fluent

    spots = tuple(map(spot, doing.spots))
    condition = frozenset(carry_fluents(part, carry) for part in parts)
    return Template(replace(doing, spots=spots, value=piece(doing.value)), condition)


def _shifted(
    doing: Doing, parts: frozenset[Formula], mentioned: list[tuple[Spot, str]]
) -> Iterator[Template]:
    """Place all other cells relative to the first one, wherever that is."""
    anchor = dict(mentioned[0][0].where)
    if len({tuple(axis for axis, _ in spot.where) for spot, _ in mentioned}) != 1:
        return

    def spot(given: Spot) -> Spot:
        where = tuple(
            (axis, Coordinate(1, c.number - anchor[axis].number)) for axis, c in given.where
        )
        return Spot(given.board, where)

    yield _changed(doing, parts, spot, lambda piece: piece)
    numbers: dict[Spot, tuple[str, int]] = {}
    for given in dict.fromkeys(spot(each) for each, _ in mentioned):
        apart = [abs(c.number) for _, c in given.where]
        if any(apart):
            axis = {"0 1": "next", "1 0": "next", "1 1": "diagonal"}.get(
                " ".join(map(str, apart)), ""
            )
            numbers[given] = axis, 1 + sum(a == axis for a, _ in numbers.values())
    if not numbers or any(not axis for axis, _ in numbers.values()):
        return

    def near(given: Spot) -> Spot:
        shifted = spot(given)
        if shifted not in numbers:
            return shifted
        axis, number = numbers[shifted]
        here = tuple((axis, Coordinate(1, 0)) for axis, _ in shifted.where)
        return Spot(given.board, (*here, (axis, Coordinate(number, 0))))

    yield _changed(doing, parts, near, lambda piece: piece)


_MOST_INSTANCES = 20_000
_MOST_SENTENCES = 4
_OR = "; or "
_TAIL = re.compile(r", for ((?:any|different) .*)$")
_GROUP = re.compile(r"(any|different) ([\w ]+?) ([A-Z](?:, [A-Z])*(?: and [A-Z])?)(?= and |$)")


def sentences(strategy: Strategy, role: Role) -> list[str]:
    """Put the rules of a rule list into words, for one of the roles.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.strategy import read_strategy
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> text = "next wins(me) => {(mark 1 1)}" + chr(10) + "(cell 1 1 x) => (mark 3 3)"
    >>> for sentence in sentences(read_strategy(text, game), "xplayer"):
    ...     print(sentence)
    Take a corner if this wins at once.
    Take a corner if the opposite corner is yours.
    """
    assert isinstance(strategy.game, CompiledGame)
    scene = scene_of(strategy.game, role)
    symmetric = strategy.symmetry != "none"
    return [say_rule(scene, rule, symmetric=symmetric) for rule in strategy.rules_for(role)]


def say_rule(scene: Scene, rule: StrategyRule, *, symmetric: bool = True) -> str:
    """Describe a rule of a rule list; as written where no few sentences mean exactly this."""
    if rule.preferences:
        return _say_preferring(scene, rule, symmetric) or f"Follow «{rule_text(rule).strip()}»."
    plain = plain_rule(rule)
    if plain is not None:
        plain = replace(plain, moves=scene.named_moves(plain.moves))
        return say(scene, plain, symmetric=symmetric).text
    text = say_choices(scene, rule, symmetric=symmetric)
    return text or f"Follow «{rule_text(rule).strip()}»."


def _say_preferring(scene: Scene, rule: StrategyRule, symmetric: bool) -> str:
    """Describe a rule with preferences, empty where that is impossible.

    The images of such a rule each choose among their own moves, so the rule is described as it is
    written, and what follows says that its images are meant too.
    """
    first = say_rule(scene, replace(rule, preferences=()), symmetric=False)
    more = say_preferences(scene, rule.preferences)
    likewise = scene.likewise if symmetric and _has_images(scene, rule) else ""
    text = shorten(f"{first.removesuffix('.')}{more}{likewise}.")
    if "«" in first or (symmetric and _has_images(scene, rule) and not likewise):
        return ""
    again = read_preferences(scene, text)
    is_same = again.first == first and again.is_symmetric == bool(likewise)
    same = normal_preferences(again.preferences) == normal_preferences(rule.preferences)
    return text if is_same and same else ""


def _has_images(scene: Scene, rule: StrategyRule) -> bool:
    """Return whether a symmetry maps a rule to another one."""

    def key(rule: StrategyRule) -> tuple[object, object]:
        choices = frozenset((parts_of(c), frozenset(moves)) for c, moves in rule.choices)
        return choices, normal_preferences(rule.preferences)

    own = key(rule)
    return any(
        key(
            StrategyRule(
                carrier.choices(rule.choices, scene.role),
                preferences=carrier.preferences(rule.preferences),
            )
        )
        != own
        for carrier in scene.carriers[1:]
    )


def pictured(rule: StrategyRule) -> tuple[list[tuple[Function, bool]], list[Move]]:
    """Return literals and moves of a rule to draw: with variables, its fullest instance."""
    if not rule.choices:  # A rule whose condition never holds has no instance.
        return [], []
    condition, moves = max(rule.choices, key=lambda choice: len(parts_of(choice[0])))
    literals, _ = plain_parts(parts_of(condition))
    moves = () if isinstance(moves, AllMoves) else moves
    return sorted(literals, key=lambda pair: (not pair[1], str(pair[0]))), sorted(moves, key=str)


def instances_of(rules: Iterable[PlainRule]) -> frozenset[Instance]:
    """Return rules as conditions with one move each; none where there are too many."""
    found: set[Instance] = set()
    for rule in rules:
        literals: list[Formula] = [Holds(f) if sign else Not(Holds(f)) for f, sign in rule.literals]
        found |= {(frozenset({*literals, *rule.asked}), move) for move in rule.moves}
        if len(found) > _MOST_INSTANCES:
            return frozenset()
    return frozenset(found)


def say_choices(scene: Scene, rule: StrategyRule, *, symmetric: bool = True) -> str:
    """Describe a rule with variables; empty where no few sentences mean exactly this."""
    plain = [
        PlainRule(*plain_parts(parts_of(condition)), scene.named_moves(frozenset(moves)))
        for condition, moves in rule.choices
    ]
    if not plain or len(plain) > _MOST_INSTANCES:
        return ""
    images = (scene.images(each) if symmetric else {each} for each in plain)
    wanted = instances_of(image for group in images for image in group)
    written: list[str] = []
    left = set(wanted)
    while left and len(written) < _MOST_SENTENCES:
        found = _best(scene, wanted, left, symmetric=symmetric)
        if found is None:
            return ""
        text, covered = found
        written.append(text)
        left -= covered
    if left or not written:
        return ""
    first, *rest = (text.removesuffix(".") for text in written)
    text = _OR.join([first, *(text[0].lower() + text[1:] for text in rest)]) + "."
    return text if read_instances(scene, text) == wanted else ""


def _best(
    scene: Scene, wanted: frozenset[Instance], left: set[Instance], *, symmetric: bool
) -> tuple[str, frozenset[Instance]] | None:
    """Return the sentence that means most of what is left, and nothing else."""
    parts, move = max(left, key=lambda each: (richness(scene, each), str(each)))
    alike = frozenset(m for p, m in left if p == parts)
    every = next((m for m in (scene.all_moves, scene.every_move) if m <= alike), frozenset())
    moves = every or frozenset({move})
    one = say(scene, PlainRule(*plain_parts(parts), moves), symmetric=symmetric)
    plain = instances_of(read_plain(scene, one.text))
    if len(moves) > 1 and left <= plain <= wanted:
        return one.text, plain
    best: tuple[str, frozenset[Instance]] | None = None
    for template in templates(scene, parts, move):
        meant = _within(scene, template, wanted)
        if meant is None or (best is not None and len(meant & left) <= len(best[1] & left)):
            continue
        text = _text(scene, template)
        if text and _meaning_of(scene, text) == meant:
            best = text, meant
            if meant >= left:
                break
    if plain <= wanted and (best is None or len(plain & left) >= len(best[1] & left)):
        return one.text, plain
    return best


def _within(
    scene: Scene, template: Template, wanted: frozenset[Instance]
) -> frozenset[Instance] | None:
    """Return the meaning of a template, if all of it is wanted."""
    found = set()
    for instance in instances(scene, template):
        if instance not in wanted:
            return None
        found.add(instance)
    return frozenset(found) or None


def _text(scene: Scene, template: Template) -> str:
    """Write a template, by how places lie to one another, else with capitals."""
    letters = template.letters
    spots = {spot for spot, _ in mentioned_in(template.doing, template.parts)}
    board = min((spot.board for spot in spots), default=0)
    is_lettered = bool(template.free - {"value"}) or _is_tangled(spots)
    for style in [letters] if is_lettered else [None, letters]:
        naming = Naming(scene, board, style)
        try:
            doing = _doing(scene, naming, template.doing)
            conditions = join_words(say_parts(naming, template.parts))
        except (UnspeakableError, IndexError):
            continue
        if doing:
            text = f"{doing} if {conditions or 'you can'}{naming.tail(letters, template.free)}."
            return text[0].upper() + text[1:]
    return ""


def _is_tangled(spots: set[Spot]) -> bool:
    """Return whether cells share rows or columns in a way that needs capitals."""
    of: dict[Letter, set[Spot]] = {}
    for spot in spots:
        if len(spot.where) == 2 and all(c.letter for _, c in spot.where):
            for axis, c in spot.where:
                of.setdefault((axis, c.letter), set()).add(spot)
    return any(number > 1 and len(shared) > 1 for (_, number), shared in of.items())


def _doing(scene: Scene, naming: Naming, doing: Doing) -> str:
    if doing.key is None:
        (move,) = doing.moves if len(doing.moves) == 1 else (None,)
        return f"play {scene.write(move)}" if move is not None else ANY_MOVE
    text = scene.verbs[doing.key].template
    for number, spot in enumerate(doing.spots, start=1):
        name = naming.say(spot)
        if name is None:
            return ""
        text = text.replace(f"{{{number}}}", name)
    letter = piece_letter(doing.value)
    return text.replace("{v}", naming.capital("value", letter) if letter else doing.value)


def read_instances(scene: Scene, text: str) -> frozenset[Instance]:
    """Return all that a sentence, or several joined by *or*, can mean, from the text alone."""
    found: set[Instance] = set()
    for part in text.removesuffix(".").split(_OR):
        meaning = _meaning_of(scene, part)
        found |= instances_of(read_plain(scene, part)) if meaning is None else meaning
    return frozenset(found)


def _meaning_of(scene: Scene, text: str) -> frozenset[Instance] | None:
    """Return the meaning of a sentence with letters; None if it is not one."""
    rest, tail = text.removesuffix("."), ""
    if match := _TAIL.search(rest):
        rest, tail = rest[: match.start()], match[1]
    for board in range(len(scene.boards)):
        letters, free = _read_tail(Naming(scene, board), tail)
        styles = [letters] if any(axis != "value" for axis, _ in letters) else [None]
        for style in styles:
            naming = Naming(scene, board, style)
            for start in (rest[:1].lower() + rest[1:], rest):
                template = _template(scene, naming, start)
                if template is not None and template.letters:
                    found = frozenset(instances(scene, replace(template, free=free)))
                    if found:
                        return found
    return None


def _read_tail(naming: Naming, tail: str) -> tuple[list[Letter], frozenset[str]]:
    letters: list[Letter] = []
    free: set[str] = set()
    for word, noun, names in _GROUP.findall(tail):
        axis = naming.axis_of(noun)
        if axis is None:
            return [], frozenset()
        count = len(re.findall("[A-Z]", names))
        letters += [(axis, number) for number in range(1, count + 1)]
        free |= {axis} if word == "any" and count > 1 else set()
    return letters, frozenset(free)


def _template(scene: Scene, naming: Naming, text: str) -> Template | None:
    """Read a sentence without its tail."""
    reader = ConditionReader(naming)
    for cut in re.finditer(" if ", text):
        doing = _read_doing(scene, naming, text[: cut.start()])
        rest = text[cut.end() :]
        parts = [] if rest == "you can" else reader.parts(rest)
        if doing is not None and parts is not None:
            return Template(doing, frozenset(parts))
    return None


def _read_doing(scene: Scene, naming: Naming, text: str) -> Doing | None:
    if text == ANY_MOVE:
        return Doing(None, moves=scene.every_move)
    for move in scene.moves if text.startswith("play ") else ():
        if text.removeprefix("play ") in scene.writings(move):
            return Doing(None, moves=frozenset({move}))
    one = "|".join(re.escape(phrase) for phrase in sorted(naming.phrases, key=len, reverse=True))
    for key, verb in scene.verbs.items():
        pattern = re.escape(verb.template).replace(r"\{v\}", r"(?P<v>[\w -]+?)")
        count = 0
        while rf"\{{{count + 1}\}}" in pattern:
            count += 1
            pattern = pattern.replace(rf"\{{{count}\}}", f"(?P<p{count}>{one})")
        match = re.fullmatch(pattern, text)
        if match:
            value = match["v"] if "v" in match.groupdict() else ""
            capitals = [naming.capital("value", n) for n in range(1, 5)]
            if value in capitals:
                value = f"?{capitals.index(value) + 1}"
            spots = tuple(naming.phrases[match[f"p{n}"]] for n in range(1, count + 1))
            return Doing(key, spots, value)
    return None
