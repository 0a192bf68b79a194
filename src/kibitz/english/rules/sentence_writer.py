"""Write a rule as the simplest sentence whose meaning is that rule."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice, permutations, product

from kibitz.board import CellRef
from kibitz.engine import Move
from kibitz.english.places import BoardWords, CellPhrase, Target
from kibitz.english.rules.formula_phrases import parts_of
from kibitz.english.rules.formulas import UnspeakableError, read_condition, say_condition
from kibitz.english.rules.phrases import (
    ALL_MOVES,
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
from kibitz.english.rules.spots import Naming, symbolic
from kibitz.english.scene import Scene, plain_term
from kibitz.gdl import Function
from kibitz.strategy import Formula, Holds, Not, StrategyRule, write_formula

_MOST = 20_000

Letters = dict[str, str]


def meaning(scene: Scene, sentence: Sentence) -> frozenset[PlainRule]:
    """Return all rules that a sentence can mean; none where it can mean too many."""
    found: set[PlainRule] = set()
    for letters in _lettered(scene, sentence.letters):
        for anchor, moves in _actions(scene, sentence.actions, letters):
            for literals, asked in _conditions(scene, sentence, anchor, letters):
                rule = PlainRule(literals, asked, moves)
                if sentence.likewise:
                    found |= scene.images(rule)
                else:
                    found.add(rule)
                if len(found) > _MOST:
                    return frozenset()
    return frozenset(found)


def _lettered(scene: Scene, letters: tuple[str, ...]) -> Iterator[Letters]:
    """Walk the ways to assign different points to letters."""
    if not letters:
        yield {}
        return
    points = [name for name, _, _ in scene.layout.boards[0].points]
    for chosen in permutations(points, len(letters)):
        yield dict(zip(letters, chosen, strict=True))


def _targets(
    scene: Scene, place: CellPhrase, anchor: Target | None, letters: Letters
) -> tuple[Target, ...]:
    if not place.letters:
        return place.targets(anchor)
    words = scene.boards[0]
    ends = tuple(letters[letter] for letter in place.letters)
    for key in (ends, ends[::-1]):
        if key in words.board.index:
            return ((CellRef(words.number, words.board.index[key]),),)
    return ()


def _actions(
    scene: Scene, actions: tuple[Action, ...], letters: Letters
) -> Iterator[tuple[Target | None, frozenset[Move]]]:
    """Walk the moves of a sentence, each with the cell that its conditions refer to."""
    if len(actions) == 1:
        yield from _one_action(scene, actions[0], letters)
        return
    moves: set[Move] = set()
    for action in actions:
        ways = list(_one_action(scene, action, letters))
        if len(ways) != 1:
            return
        moves |= ways[0][1]
    yield None, frozenset(moves)


def _one_action(
    scene: Scene, action: Action, letters: Letters
) -> Iterator[tuple[Target | None, frozenset[Move]]]:
    if action.pattern is None:
        yield None, action.moves
        return
    made = scene.verbs[action.pattern].moves
    ways: list[tuple[Target, ...]] = [()]
    for place in action.places:
        ways = [(*way, t) for way in ways for t in _targets(scene, place, None, letters)]
    for way in ways:
        move = made.get((way, action.value))
        if move is not None:
            yield (way[0] if len(way) == 1 else None), frozenset({move})


Said = tuple[frozenset[tuple[Function, bool]], frozenset[Formula]]


def _conditions(
    scene: Scene, sentence: Sentence, anchor: Target | None, letters: Letters
) -> Iterator[Said]:
    """Walk what the conditions can mean, once the move is known."""
    fixed = {(c.fluent, c.holds) for c in sentence.clauses if isinstance(c, Fact)}
    asked = frozenset(f for c in sentence.clauses if isinstance(c, Asked) for f in c.formulas)
    mentions = [
        (place, clause.content, clause.holds)
        for clause in sentence.clauses
        if isinstance(clause, Occupies)
        for place in clause.places
    ]
    for literals in _ways(scene, mentions, anchor, letters):
        yield frozenset({*fixed, *literals}), asked


def _ways(
    scene: Scene,
    mentions: list[tuple[CellPhrase, Content, bool]],
    anchor: Target | None,
    letters: Letters,
) -> Iterator[set[tuple[Function, bool]]]:
    def walk(
        number: int, taken: dict[str, list[Target]], literals: tuple[tuple[Function, bool], ...]
    ) -> Iterator[set[tuple[Function, bool]]]:
        if number == len(mentions):
            yield set(literals)
            return
        place, content, sign = mentions[number]
        targets = _targets(scene, place, anchor, letters)
        before = taken.get(place.group, []) if place.group else []
        if place.is_other:
            targets = tuple(target for target in targets if target not in before)
        chosen = [targets] if place.is_both else [(target,) for target in targets]
        for group in chosen:
            said = [scene.fluent_at.get((target[0], content)) for target in group]
            if not said or any(fluent is None for fluent in said):
                continue
            more = tuple((fluent, sign) for fluent in said if fluent is not None)
            now = {**taken, place.group: [*before, *group]} if place.group else taken
            yield from walk(number + 1, now, (*literals, *more))

    yield from walk(0, {}, ())


_MOST_TRIES = 40
_LETTERS = "ABCDEFGHIJ"

Mention = tuple[Target, Content, bool]


def say_move(scene: Scene, move: Move) -> str:
    """Write one move, by the names of its places, or else its parts one after another.

    >>> from kibitz.engine import CompiledGame
    >>> from kibitz.english import scene_of
    >>> from kibitz.gdl import parse
    >>> text = "(role ann) (<= (legal ann (take 1)) (true (heap 2))) (init (heap 2))"
    >>> game = CompiledGame(parse(text + " (<= terminal (true (heap 0))) (goal ann 100)"))
    >>> say_move(scene_of(game, "ann"), game.initial().legal("ann")[0])
    'take 1'
    """
    rule = PlainRule(frozenset(), frozenset(), frozenset({move}))
    named = _named_actions(scene, rule)
    if not named:
        words = plain_term(move)
        return re.sub(r"^noop(\d*)$", r"wait \1", words).strip()
    (action,) = named
    targets = [place.targets(None)[0] for place in action.places]
    if len(targets) > 1:
        places = scene.boards[targets[0][0].board].rows_and_columns(targets)
        apart = " and ".join(place.text for place in action.places)
        return action.text.replace(apart, places) if places else action.text
    return action.text


def plain_rule(rule: StrategyRule) -> PlainRule | None:
    """Split a rule into literals, other formulas, and moves; None if it has variables."""
    if len(rule.choices) != 1:
        return None
    ((condition, moves),) = rule.choices
    return PlainRule(*plain_parts(parts_of(condition)), frozenset(moves))


def plain_parts(
    parts: Iterable[Formula],
) -> tuple[frozenset[tuple[Function, bool]], frozenset[Formula]]:
    """Split literals from other formulas."""
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
    """Write a rule, in the terms of the rule sheet where no phrases mean exactly this."""
    wanted = scene.images(rule) if symmetric else frozenset({rule})
    for sentence in _candidates(scene, rule):
        if meaning(scene, sentence) == wanted:
            return sentence
    return _literal(scene, rule, scene.likewise if len(wanted) > 1 else "")


def _candidates(scene: Scene, rule: PlainRule) -> Iterator[Sentence]:
    mentions, others = _split(scene, rule)
    actions = _named_actions(scene, rule)
    if scene.likewise and actions:
        yield from _with_letters(scene, mentions, others, actions)
        yield from islice(_relative(scene, mentions, others, actions), _MOST_TRIES)
    named = [
        (scene.boards[target[0].board].named[target], content, sign)
        for target, content, sign in mentions
    ]
    chosen = actions or _literal_actions(scene, rule)
    plain = Sentence(chosen, (*_grouped(named), *others))
    yield plain
    if scene.likewise:
        yield Sentence(chosen, plain.clauses, scene.likewise)


def _split(scene: Scene, rule: PlainRule) -> tuple[list[Mention], list[Clause]]:
    """Split what is said about cells from the rest, both in a fixed order."""
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
    clauses: list[Clause] = []
    left = set(rule.asked)
    for formulas, (text, which) in scene.formulas.items() if left else ():
        if formulas <= left:
            left -= formulas
            clauses.append(Asked(formulas, text, which))
    for formula in sorted(left, key=write_formula):
        text = _in_words(scene, formula)
        clauses.append(Asked(frozenset({formula}), text, which_of(text)))
    return clauses


def _in_words(scene: Scene, formula: Formula) -> str:
    """Write a formula in English; as in the strategy language where that is impossible."""
    try:
        phrase = say_condition(Naming(scene, 0), symbolic(scene, formula))
        if read_condition(scene, phrase) == formula:
            return phrase
    except UnspeakableError:
        pass
    return f"«{write_formula(formula)}» holds"


def _literal_fact(scene: Scene, fluent: Function, sign: bool) -> Fact:
    return Fact(fluent, sign, f"{scene.write(fluent)} {'holds' if sign else 'does not hold'}")


def _named_actions(scene: Scene, rule: PlainRule) -> tuple[Action, ...]:
    """Write the moves by the names of their places; empty if some have no phrase."""
    if rule.moves == scene.every_move and len(rule.moves) > 1:
        return (Action(ANY_MOVE, moves=rule.moves),)
    if rule.moves == scene.all_moves and len(rule.moves) > 1:
        return (Action(ALL_MOVES, moves=rule.moves),)
    actions = []
    for move in sorted(rule.moves, key=str):
        key = (move.name, len(move.args))
        verb = scene.verbs.get(key)
        if verb is None:
            return ()
        (targets, value) = next(k for k, made in verb.moves.items() if made == move)
        actions.append(_action(scene, key, [_named(scene, target) for target in targets], value))
    return tuple(actions)


def _named(scene: Scene, target: Target) -> CellPhrase:
    words = scene.boards[target[0].board]
    return words.named.get(target) or words.lines[target]


def _action(scene: Scene, key: tuple[str, int], places: list[CellPhrase], value: str) -> Action:
    text = scene.verbs[key].template
    for number, place in enumerate(places, start=1):
        text = text.replace(f"{{{number}}}", place.text)
    return Action(text.replace("{v}", value), key, tuple(places), value)


def _literal_actions(scene: Scene, rule: PlainRule) -> tuple[Action, ...]:
    return tuple(
        Action(f"play {scene.write(move)}", moves=frozenset({move}))
        for move in sorted(rule.moves, key=str)
    )


def _literal(scene: Scene, rule: PlainRule, likewise: str) -> Sentence:
    ordered = sorted(rule.literals, key=lambda pair: (not pair[1], str(pair[0])))
    clauses = [_literal_fact(scene, fluent, sign) for fluent, sign in ordered]
    return Sentence(_literal_actions(scene, rule), (*clauses, *_asked(scene, rule)), likewise)


def _grouped(mentions: Iterable[tuple[CellPhrase, Content, bool]]) -> list[Clause]:
    """Combine what is said alike about several places."""
    groups: dict[tuple[Content, bool], list[CellPhrase]] = {}
    for place, content, sign in mentions:
        groups.setdefault((content, sign), []).append(place)
    return [Occupies(tuple(places), content, sign) for (content, sign), places in groups.items()]


def _relative(
    scene: Scene, mentions: list[Mention], others: list[Clause], actions: tuple[Action, ...]
) -> Iterator[Sentence]:
    """Describe the kind of the move's cell, and how the others lie to it."""
    if len(actions) != 1 or not actions[0].places:
        return
    (action,) = actions
    targets = [place.targets(None)[0] for place in action.places]
    words = scene.boards[targets[0][0].board]
    kinds = [words.kinds.get(target) for target in targets]
    if not all(kinds):
        return
    assert action.pattern is not None
    by_kind = _action(scene, action.pattern, [kind for kind in kinds if kind], action.value)
    anchor = targets[0] if len(targets) == 1 and len(targets[0]) == 1 else None
    if any(target[0].board != words.number for target, _, _ in mentions):
        return
    choices = [_lying(words, target, anchor) for target, _, _ in mentions]
    if not all(choices):
        return
    for chosen in product(*choices):
        made = _numbered(words, mentions, list(chosen), anchor)
        if made is not None:
            yield Sentence((by_kind,), (*_grouped(made), *others))


def _lying(words: BoardWords, target: Target, anchor: Target | None) -> list[str]:
    """Return the phrases for how a cell lies to the anchor, by their subject."""
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
    """Write *a corner*, *the other corner* or *both corners* where a phrase repeats."""
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
    scene: Scene, mentions: list[Mention], others: list[Clause], actions: tuple[Action, ...]
) -> Iterator[Sentence]:
    """Name the points of a graph by letters, in the order in which they occur."""
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

    lettered = []
    for action in actions:
        if action.pattern is None:
            lettered.append(action)
            continue
        found = [place(p.targets(None)[0]) for p in action.places]
        if not all(found):
            return
        lettered.append(_action(scene, action.pattern, [p for p in found if p], action.value))
    made = [(place(target), content, sign) for target, content, sign in mentions]
    named = [(p, content, sign) for p, content, sign in made if p is not None]
    if len(named) == len(made) and letters:
        yield Sentence(
            tuple(lettered), (*_grouped(named), *others), letters=tuple(letters.values())
        )


def line_place(words: BoardWords, letters: tuple[str, ...]) -> CellPhrase:
    """Return the phrase for the line between two points named by letters."""
    return CellPhrase(f"line {''.join(letters)}", lambda anchor: (), letters=letters)
