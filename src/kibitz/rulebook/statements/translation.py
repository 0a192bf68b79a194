"""Rules with letters in, a rule sheet in GDL out, with the sentences as comments.

Sentences without letters may stand beside them: those about board, players, start and moves. What
they say of the board can then be asked with letters, as "square (A, B) holds C".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from kibitz.errors import Diagnostic
from kibitz.gdl import (
    Atom,
    Distinct,
    Formula,
    Function,
    Not,
    Rule,
    Term,
    Variable,
    parse,
    rule_to_kif,
)
from kibitz.rulebook.model import BOARDS, Players, Rules, Sentence, Statement, Title
from kibitz.rulebook.statements.reader import OPENINGS, StatementProblem, StatementReader
from kibitz.rulebook.translation.problems import RulesProblem
from kibitz.rulebook.translation.translator import translate

NOTHING = "nothing"
"""What an empty square holds in a sentence with letters, where others say what the board is."""


def has_letters(texts: Iterable[str]) -> bool:
    """Return whether sentences declare forms, as those with letters do.

    >>> has_letters(["Players: White and Black", "What can change: the score is A"])
    True
    """
    return any(text.lower().startswith(OPENINGS) for text in texts)


def plain_sentence(text: str) -> Sentence | None:
    """Return what a sentence says that needs no letters; None if it is no such sentence."""
    from kibitz.rulebook.reader import split_sentences  # which reads texts with letters, too

    found = [sentence for sentence, _ in split_sentences(text)]
    return found[0] if len(found) == 1 else None


def statement_problems(
    texts: Iterable[tuple[str, int]], players: Iterable[str]
) -> list[Diagnostic]:
    """Return what is wrong in sentences, each with the place where it begins."""
    reader = StatementReader(players)
    found: list[Diagnostic] = []
    rest: list[tuple[str, int]] = []
    for text, start in texts:
        try:
            if not reader.declare(text, start):
                rest.append((text, start))
        except StatementProblem as problem:
            found.append(problem.diagnostic)
    plain: list[tuple[Sentence, Diagnostic]] = []
    for text, start in rest:
        try:
            reader.rules(text, start)
        except StatementProblem as problem:
            said = plain_sentence(text)
            if said is None:
                found.append(problem.diagnostic)
            else:
                plain.append((said, problem.diagnostic))
    if any(isinstance(said, BOARDS) for said, _ in plain):
        return found
    return [*found, *(diagnostic for _, diagnostic in plain)]  # without a board all have letters


def translate_statements(rules: Rules) -> str:
    """Write rules with letters as GDL; raise RulesProblem for what does not go with them."""
    players = rules.one(Players)
    if players is None:
        hint = 'write such as "Players: White and Black."'
        raise RulesProblem("ENG002", "it is not said who plays", None, hint)
    reader = StatementReader(players.names)
    declared: list[str] = []
    waiting: list[Statement] = []
    for sentence in rules.sentences:
        if isinstance(sentence, Statement):
            if reader.declare(sentence.text.rstrip(".")):
                declared.append(f"; {sentence.text}")
            else:
                waiting.append(sentence)
        elif not isinstance(sentence, Players | Title):
            message = "a text that names its own forms has sentences with letters only"
            raise RulesProblem("ENG005", message, sentence)
    lettered: list[tuple[Statement, list[Rule]]] = []
    plain: list[Sentence] = []
    for one in waiting:
        try:
            lettered.append((one, reader.rules(one.text.rstrip("."))))
        except StatementProblem:
            found = plain_sentence(one.text)
            if found is None:
                raise
            plain.append(found)
    if plain:
        head = _board_sheet(Rules.of([players, *plain]), lettered)
        lettered = _beside(head, lettered)
        lines = [head, *declared]
    else:
        roles = [Atom("role", (Function(name.lower()),)) for name in players.names]
        lines = [*declared, *(rule_to_kif(Rule(role)) for role in roles)]
    for sentence, found_rules in lettered:
        lines += ["", f"; {sentence.text}", *map(rule_to_kif, found_rules)]
    return "\n".join(lines) + "\n"


def _board_sheet(rules: Rules, lettered: Sequence[tuple[Statement, list[Rule]]]) -> str:
    """Write what sentences without letters say; those with letters may say how the game ends."""
    ends = any(rule.head.relation == "terminal" for _, found in lettered for rule in found)
    return translate(rules, has_ends=not ends)


def _beside(
    sheet: str, lettered: Sequence[tuple[Statement, list[Rule]]]
) -> list[tuple[Statement, list[Rule]]]:
    """Give rules with letters the names of a board, and others than it has to all else."""
    given = parse(sheet).rules
    taken = {rule.head.relation for rule in given} - {"next", "init", "legal"}
    contents = {
        term.args[-1].name
        for rule in given
        for atom in (rule.head, *rule.body)
        if isinstance(atom, Atom)
        for term in atom.args
        if isinstance(term, Function) and term.name == "cell" and term.args
        and isinstance(term.args[-1], Function)
    }  # fmt: skip
    contents |= {str(rule.head.args[-1]) for rule in given if rule.head.relation == "owns"}
    own = {rule.head.relation for _, found in lettered for rule in found} & taken
    changed = {
        rule.head.args[0].name
        for rule in given
        if rule.head.relation in ("init", "next") and isinstance(rule.head.args[0], Function)
    }
    for sentence, found in lettered:
        for rule in found:
            told = rule.head.args[0] if rule.head.relation in ("init", "next") else None
            if isinstance(told, Function) and told.name in changed:
                message = "this is said of the board without letters already"
                raise RulesProblem("ENG005", message, sentence)

    def term(one: Term) -> Term:
        if isinstance(one, Variable):
            return one
        if not one.args:
            name = "b" if one.name == NOTHING else one.name.replace("-", "_")
            return Function(name) if name == "b" or name in contents else one
        return Function(one.name, tuple(map(term, one.args)))

    def atom(one: Atom) -> Atom:
        relation = f"{one.relation}_said" if one.relation in own else one.relation
        return Atom(relation, tuple(map(term, one.args)))

    def formula(one: Formula) -> Formula:
        match one:
            case Atom():
                return atom(one)
            case Not():
                return Not(formula(one.formula))
            case Distinct():
                return Distinct(term(one.left), term(one.right))
        return one

    return [
        (
            sentence,
            [replace(r, head=atom(r.head), body=tuple(map(formula, r.body))) for r in found],
        )
        for sentence, found in lettered
    ]
