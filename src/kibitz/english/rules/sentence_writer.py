"""A rule in, a Sentence out: the nicest one whose meaning is exactly the rule with its images."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice, product

from kibitz.engine import Move
from kibitz.english.places import BoardWords, CellPhrase, Target
from kibitz.english.rules.formula_phrases import parts_of
from kibitz.english.rules.formula_reader import hear_formula
from kibitz.english.rules.formula_writer import UnspeakableError, say_condition
from kibitz.english.rules.meaning import meaning
from kibitz.english.rules.phrases import (
    ANY_MOVE,
    Action,
    Asked,
    Clause,
    Content,
    Fact,
    Occupies,
    PlainRule,
    Sentence,
    which_of,
)
from kibitz.english.rules.spot_names import Naming
from kibitz.english.rules.spots import symbolic
from kibitz.english.scene import Scene
from kibitz.gdl import Function
from kibitz.strategy import Formula, Holds, Not, StrategyRule, write_formula

__all__ = ["plain_parts", "plain_rule", "say", "say_move"]

_MOST_TRIES = 40
_LETTERS = "ABCDEFGHIJ"

Mention = tuple[Target, Content, bool]


def say_move(scene: Scene, move: Move) -> str:
    """Say one move, by the names of its places."""
    rule = PlainRule(frozenset(), frozenset(), frozenset({move}))
    (deed,) = _named_deeds(scene, rule) or _literal_deeds(scene, rule)
    return deed.text


def plain_rule(rule: StrategyRule) -> PlainRule | None:
    """Take a rule apart into literals, other formulas, and moves; None if it has variables."""
    if len(rule.choices) != 1:
        return None
    ((condition, moves),) = rule.choices
    return PlainRule(*plain_parts(parts_of(condition)), frozenset(moves))


def plain_parts(
    parts: Iterable[Formula],
) -> tuple[frozenset[tuple[Function, bool]], frozenset[Formula]]:
    """Part literals from other formulas."""
    literals: set[tuple[Function, bool]] = set()
    asked: set[Formula] = set()
    for part in parts:
        match part:
            case Holds(fluent):
                literals.add((fluent, True))
            case Not(Holds(fluent)):
                literals.add((fluent, False))
            case _:
                asked.add(part)
    return frozenset(literals), frozenset(asked)


def say(scene: Scene, rule: PlainRule, *, symmetric: bool = True) -> Sentence:
    """Say a rule, in the terms of the rule sheet where no words mean exactly this."""
    wanted = scene.images(rule) if symmetric else frozenset({rule})
    for sentence in _candidates(scene, rule):
        if meaning(scene, sentence) == wanted:
            return sentence
    return _literal(scene, rule, scene.likewise if len(wanted) > 1 else "")


def _candidates(scene: Scene, rule: PlainRule) -> Iterator[Sentence]:
    mentions, others = _split(scene, rule)
    deeds = _named_deeds(scene, rule)
    if scene.likewise and deeds:
        yield from _with_letters(scene, mentions, others, deeds)
        yield from islice(_relative(scene, mentions, others, deeds), _MOST_TRIES)
    named = [
        (scene.boards[target[0].board].named[target], content, sign)
        for target, content, sign in mentions
    ]
    told = deeds or _literal_deeds(scene, rule)
    plain = Sentence(told, (*_grouped(named), *others))
    yield plain
    if scene.likewise:
        yield Sentence(told, plain.clauses, scene.likewise)


def _split(scene: Scene, rule: PlainRule) -> tuple[list[Mention], list[Clause]]:
    """Part what is said of cells from the rest, both in an order that does not change."""
    mentions: list[Mention] = []
    others: list[Clause] = []
    for fluent, sign in sorted(rule.literals, key=lambda pair: (not pair[1], str(pair[0]))):
        if fluent in scene.on_board:
            ref, content = scene.on_board[fluent]
            mentions.append(((ref,), content, sign))
        elif fluent in scene.facts:
            others.append(Fact(fluent, sign, scene.facts[fluent][0 if sign else 1]))
        else:
            others.append(_literal_fact(scene, fluent, sign))
    mentions.sort(key=lambda m: (not m[2], _rank(m[1]), m[0][0].board, m[0][0].cell))
    others += _asked(scene, rule)
    return mentions, others


def _rank(content: Content) -> int:
    order = ("is yours", "is the opponent's", "is empty")
    return order.index(content.one) if content.one in order else len(order)


def _asked(scene: Scene, rule: PlainRule) -> list[Clause]:
    told: list[Clause] = []
    left = set(rule.asked)
    for formulas, (text, which) in scene.formulas.items() if left else ():
        if formulas <= left:
            left -= formulas
            told.append(Asked(formulas, text, which))
    for formula in sorted(left, key=write_formula):
        text = _in_words(scene, formula)
        told.append(Asked(frozenset({formula}), text, which_of(text)))
    return told


def _in_words(scene: Scene, formula: Formula) -> str:
    """Say a formula; one that there are no words for is told as it is written."""
    try:
        told = say_condition(Naming(scene, 0), symbolic(scene, formula))
        if hear_formula(scene, told) == formula:
            return told
    except UnspeakableError:
        pass
    return f"«{write_formula(formula)}» holds"


def _literal_fact(scene: Scene, fluent: Function, sign: bool) -> Fact:
    return Fact(fluent, sign, f"{scene.game.write(fluent)} {'holds' if sign else 'does not hold'}")


def _named_deeds(scene: Scene, rule: PlainRule) -> tuple[Action, ...]:
    """Say the moves by the names of their places; nothing if some have no words."""
    if rule.moves == scene.every_move and len(rule.moves) > 1:
        return (Action(ANY_MOVE, moves=rule.moves),)
    deeds = []
    for move in sorted(rule.moves, key=str):
        key = (move.name, len(move.args))
        verb = scene.verbs.get(key)
        if verb is None:
            return ()
        (targets, value) = next(k for k, made in verb.moves.items() if made == move)
        deeds.append(_deed(scene, key, [_named(scene, target) for target in targets], value))
    return tuple(deeds)


def _named(scene: Scene, target: Target) -> CellPhrase:
    words = scene.boards[target[0].board]
    return words.named.get(target) or words.lines[target]


def _deed(scene: Scene, key: tuple[str, int], places: list[CellPhrase], value: str) -> Action:
    text = scene.verbs[key].template
    for number, place in enumerate(places, start=1):
        text = text.replace(f"{{{number}}}", place.text)
    return Action(text.replace("{v}", value), key, tuple(places), value)


def _literal_deeds(scene: Scene, rule: PlainRule) -> tuple[Action, ...]:
    return tuple(
        Action(f"play {scene.game.write(move)}", moves=frozenset({move}))
        for move in sorted(rule.moves, key=str)
    )


def _literal(scene: Scene, rule: PlainRule, likewise: str) -> Sentence:
    ordered = sorted(rule.literals, key=lambda pair: (not pair[1], str(pair[0])))
    clauses = [_literal_fact(scene, fluent, sign) for fluent, sign in ordered]
    return Sentence(_literal_deeds(scene, rule), (*clauses, *_asked(scene, rule)), likewise)


def _grouped(mentions: Iterable[tuple[CellPhrase, Content, bool]]) -> list[Clause]:
    """Say together what is said alike of several places."""
    groups: dict[tuple[Content, bool], list[CellPhrase]] = {}
    for place, content, sign in mentions:
        groups.setdefault((content, sign), []).append(place)
    return [Occupies(tuple(places), content, sign) for (content, sign), places in groups.items()]


def _relative(
    scene: Scene, mentions: list[Mention], others: list[Clause], deeds: tuple[Action, ...]
) -> Iterator[Sentence]:
    """Say of what kind the cell of the move is, and how the others lie to it."""
    if len(deeds) != 1 or not deeds[0].places:
        return
    (deed,) = deeds
    targets = [place.targets(None)[0] for place in deed.places]
    words = scene.boards[targets[0][0].board]
    kinds = [words.kinds.get(target) for target in targets]
    if not all(kinds):
        return
    assert deed.pattern is not None
    told = _deed(scene, deed.pattern, [kind for kind in kinds if kind], deed.value)
    anchor = targets[0] if len(targets) == 1 and len(targets[0]) == 1 else None
    if any(target[0].board != words.number for target, _, _ in mentions):
        return
    choices = [_lying(words, target, anchor) for target, _, _ in mentions]
    if not all(choices):
        return
    for chosen in product(*choices):
        made = _numbered(words, mentions, list(chosen), anchor)
        if made is not None:
            yield Sentence((told,), (*_grouped(made), *others))


def _lying(words: BoardWords, target: Target, anchor: Target | None) -> list[str]:
    """Give the phrases that say how a cell lies to the anchor, by what they are about."""
    named = words.kinds.get(target)
    if named and len(named.targets(None)) == 1:
        return [named.text]
    if anchor is None:
        return []
    if target == anchor:
        return ["it"]
    groups = [p.group for p in words.related if p.group and target in p.targets(anchor)]
    kind = [named.text] if named else []
    is_middle = words.kind_of[anchor[0]] == "centre"
    return list(dict.fromkeys([*kind, *groups] if is_middle else [*groups, *kind]))


def _numbered(
    words: BoardWords, mentions: list[Mention], groups: list[str], anchor: Target | None
) -> list[tuple[CellPhrase, Content, bool]] | None:
    """Say *a corner*, *the other corner* or *both corners* where a phrase is met again."""
    made: list[tuple[CellPhrase, Content, bool]] = []
    done: set[int] = set()
    used: set[str] = set()
    for number, ((_, content, sign), group) in enumerate(zip(mentions, groups, strict=True)):
        if number in done:
            continue
        places = [p for p in words.related if p.group == group and p.targets(anchor)]
        if not places:
            made.append((words.by_text[group], content, sign))
            continue
        again = [
            n
            for n in range(number + 1, len(mentions))
            if groups[n] == group and mentions[n][1:] == (content, sign)
        ]
        both = next((p for p in places if p.is_both), None)
        if again and both and group not in used:
            done.update(again)
            made.append((both, content, sign))
        else:
            place = next((p for p in places if p.is_other == (group in used)), None)
            if place is None or place.is_both:
                return None
            made.append((place, content, sign))
        used.add(group)
    return made


def _with_letters(
    scene: Scene, mentions: list[Mention], others: list[Clause], deeds: tuple[Action, ...]
) -> Iterator[Sentence]:
    """Call the points of a graph by letters, in the order in which they are met."""
    if len(scene.boards) != 1 or scene.layout.boards[0].kind != "graph":
        return
    (words,) = scene.boards
    letters: dict[str, str] = {}

    def place(target: Target) -> CellPhrase | None:
        ends = words.board.cells[target[0].cell].key
        for end in ends:
            if end not in letters and len(letters) == len(_LETTERS):
                return None
            letters.setdefault(end, _LETTERS[len(letters)])
        return line_place(words, tuple(sorted(letters[end] for end in ends)))

    told = []
    for deed in deeds:
        if deed.pattern is None:
            told.append(deed)
            continue
        found = [place(p.targets(None)[0]) for p in deed.places]
        if not all(found):
            return
        told.append(_deed(scene, deed.pattern, [p for p in found if p], deed.value))
    made = [(place(target), content, sign) for target, content, sign in mentions]
    named = [(p, content, sign) for p, content, sign in made if p is not None]
    if len(named) == len(made) and letters:
        yield Sentence(tuple(told), (*_grouped(named), *others), letters=tuple(letters.values()))


def line_place(words: BoardWords, letters: tuple[str, ...]) -> CellPhrase:
    """Give the phrase for the line between two points that go by letters."""
    return CellPhrase(f"line {''.join(letters)}", lambda anchor: (), letters=letters)
