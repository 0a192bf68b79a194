"""Rules with letters in, a rule sheet in GDL out, with the sentences as comments."""

from __future__ import annotations

from collections.abc import Iterable

from kibitz.errors import Diagnostic
from kibitz.gdl import Atom, Function, Rule, rule_to_kif
from kibitz.rulebook.model import Players, Rules, Statement, Title
from kibitz.rulebook.statements.reader import OPENINGS, StatementProblem, StatementReader
from kibitz.rulebook.translation.problems import RulesProblem

__all__ = ["has_letters", "statement_problems", "translate_statements"]


def has_letters(texts: Iterable[str]) -> bool:
    """Return whether sentences declare forms, as those with letters do.

    >>> has_letters(["Players: White and Black", "What can change: the score is A"])
    True
    """
    return any(text.lower().startswith(OPENINGS) for text in texts)


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
    for text, start in rest:
        try:
            reader.rules(text, start)
        except StatementProblem as problem:
            found.append(problem.diagnostic)
    return found


def translate_statements(rules: Rules) -> str:
    """Write rules with letters as GDL; raise RulesProblem for what does not go with them."""
    players = rules.one(Players)
    if players is None:
        hint = 'write such as "Players: White and Black."'
        raise RulesProblem("ENG002", "it is not said who plays", None, hint)
    reader = StatementReader(players.names)
    lines: list[str] = []
    waiting: list[Statement] = []
    for sentence in rules.sentences:
        if isinstance(sentence, Statement):
            if reader.declare(sentence.text.rstrip(".")):
                lines.append(f"; {sentence.text}")
            else:
                waiting.append(sentence)
        elif not isinstance(sentence, Players | Title):
            message = "a text that names its own forms has sentences with letters only"
            raise RulesProblem("ENG005", message, sentence)
    roles = [Atom("role", (Function(name.lower()),)) for name in players.names]
    lines += [rule_to_kif(Rule(role)) for role in roles]
    for sentence in waiting:
        lines += ["", f"; {sentence.text}"]
        lines += map(rule_to_kif, reader.rules(sentence.text.rstrip(".")))
    return "\n".join(lines) + "\n"
