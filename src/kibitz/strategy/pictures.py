"""Render a Strategy to pictures and files: its rules as small boards, or as a decision tree."""

from __future__ import annotations

import json

from kibitz.board import (
    Figure,
    Layout,
    Picture,
    dot_text,
    escape,
    in_a_column,
    layout_of,
    picture_of_stencil,
    svg_stencil,
    text_stencil,
    write_picture,
)
from kibitz.engine import Move, Role
from kibitz.errors import InputError
from kibitz.gdl import Function
from kibitz.pages import fenced_markdown, plain_markdown, write_page
from kibitz.strategy.strategy import Strategy, StrategyRule
from kibitz.strategy.syntax.printer import write_formula, write_preference, write_rule, write_term
from kibitz.strategy.tree import And, Const, Formula, Holds, Not

FORMATS = ("svg", "png", "tex", "html", "md", "txt", "json", "dot")

Literals = list[tuple[Function, bool]]


def literals_of(condition: Formula) -> Literals | None:
    """Return the literals of a condition, None where it is not a conjunction of literals.

    >>> from kibitz.gdl import parse_terms
    >>> literals_of(Not(Holds(parse_terms("(cell 1 1 x)")[0])))[0][1]
    False
    """
    if isinstance(condition, Const):
        return [] if condition.value else None
    found: Literals = []
    for part in condition.parts if isinstance(condition, And) else (condition,):
        match part:
            case Holds(fluent):
                found.append((fluent, True))
            case Not(Holds(fluent)):
                found.append((fluent, False))
            case _:
                return None
    return found


def drawn(rule: StrategyRule) -> tuple[Literals, tuple[Move, ...]] | None:
    """Return the literals and moves of a rule to draw on a board; None where there is nothing.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.strategy import read_strategy
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> (rule,) = read_strategy("cell(1,1,x) => any", game).rules
    >>> drawn(rule)[1]
    ()
    """
    literals = _literals(rule)
    if literals is None:
        return None
    moves = () if rule.is_for_any_move else rule.moves
    return (literals, moves) if literals or moves else None


def rule_text(rule: StrategyRule) -> str:
    """Return a rule as one line of text."""
    return rule.text or write_rule(rule.choices, rule.preferences)


def draw_rules(
    strategy: Strategy, role: Role | None = None, *, layout: Layout | None = None
) -> Picture:
    """Draw a rule list: each rule as a small board beside its text; other strategies as text.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.strategy import read_strategy
    >>> strategy = read_strategy("true => (mark 2 2)", CompiledGame(load_sheet("tictactoe")))
    >>> draw_rules(strategy).title
    'tictactoe: strategy for xplayer'
    """
    role = _player(strategy, role)
    layout = layout or layout_of(strategy.game)
    figures = []
    for rule in _rules(strategy, role):
        shown = drawn(rule)
        stencil = None if shown is None else picture_of_stencil(strategy.game, *shown, layout)
        figures.append(Figure(stencil, rule_text(rule)))
    return in_a_column(figures or [Figure(None, strategy.text)], title=_title(strategy, role))


def export_strategy(
    strategy: Strategy, form: str, role: Role | None = None, *, layout: Layout | None = None
) -> str | bytes:
    """Write a strategy in one of the formats; as DOT a rule list is a tree of yes and no.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.strategy import read_strategy
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> strategy = read_strategy("(cell 1 1 x) => (mark 2 2)", game)
    >>> print(export_strategy(strategy, "txt"))
    tictactoe: strategy for xplayer
    <BLANKLINE>
    1. (cell 1 1 x) => (mark 2 2)
      1 2 3
    1 x · ·
    2 ·[·]·
    3 · · ·
    <BLANKLINE>
    """
    role = _player(strategy, role)
    layout = layout or layout_of(strategy.game)
    match form:
        case "svg" | "png" | "tex":
            return write_picture(draw_rules(strategy, role, layout=layout), form)
        case "html":
            rules = _rows(strategy, role, layout)
            return write_page("strategy", strategy=strategy, role=role, rules=rules)
        case "md":
            return _markdown(strategy, role, layout)
        case "txt":
            return _text(strategy, role, layout)
        case "json":
            return _json(strategy, role)
        case "dot":
            return _dot(strategy, role)
    raise InputError(f"there is no format {form!r}", hint=f"formats: {', '.join(FORMATS)}")


def html_of(strategy: Strategy, role: Role | None = None, layout: Layout | None = None) -> str:
    """Write a rule list as a piece of HTML: a table of small boards, with everything escaped."""
    role = _player(strategy, role)
    layout = layout or layout_of(strategy.game)
    rows = "".join(
        f"<tr><td>{number}.</td><td>{svg}</td><td><code>{escape(rule)}</code></td></tr>"
        for number, (rule, svg) in enumerate(_rows(strategy, role, layout), start=1)
    )
    return f"<table>{rows}</table>" if rows else f"<pre>{escape(strategy.text)}</pre>"


def _rows(strategy: Strategy, role: Role, layout: Layout) -> list[tuple[str, str]]:
    """Return each rule of a list with its small board, which is empty where there is none."""
    rows = []
    for rule in _rules(strategy, role):
        shown = drawn(rule)
        svg = "" if shown is None else svg_stencil(strategy.game, *shown, layout)
        rows.append((rule_text(rule), svg))
    return rows


def _player(strategy: Strategy, role: Role | None) -> Role:
    if role is None:
        return strategy.plans[0][0]
    strategy.game.check_role(role)
    return role


def _rules(strategy: Strategy, role: Role) -> tuple[StrategyRule, ...]:
    return strategy.rules_for(role)


def _literals(rule: StrategyRule) -> Literals | None:
    return literals_of(rule.choices[0][0]) if len(rule.choices) == 1 else None


def _title(strategy: Strategy, role: Role) -> str:
    return f"{strategy.game.sheet.name}: strategy for {role}"


def _stencil_text(strategy: Strategy, rule: StrategyRule, layout: Layout) -> str:
    shown = drawn(rule)
    return "" if shown is None else text_stencil(strategy.game, *shown, layout)


def _text(strategy: Strategy, role: Role, layout: Layout) -> str:
    parts = [_title(strategy, role)]
    for number, rule in enumerate(_rules(strategy, role), start=1):
        board = _stencil_text(strategy, rule, layout)
        parts.append(f"{number}. {rule_text(rule)}" + (f"\n{board}" if board else ""))
    return "\n\n".join(parts if len(parts) > 1 else [*parts, strategy.text.strip()]) + "\n"


def _markdown(strategy: Strategy, role: Role, layout: Layout) -> str:
    parts = [f"# {plain_markdown(_title(strategy, role))}"]
    rules = _rules(strategy, role)
    for number, rule in enumerate(rules, start=1):
        board = _stencil_text(strategy, rule, layout)
        parts.append(f"{number}\\. {plain_markdown(rule_text(rule))}")
        parts += [fenced_markdown(board)] if board else []
    parts += [] if rules else [fenced_markdown(strategy.text.strip())]
    return "\n\n".join(parts) + "\n"


def _json(strategy: Strategy, role: Role) -> str:
    def described(number: int, rule: StrategyRule) -> dict[str, object]:
        literals = _literals(rule)
        write = strategy.game.write
        return {
            "number": number,
            "text": rule_text(rule),
            "literals": literals
            and [{"fluent": write(fluent), "holds": holds} for fluent, holds in literals],
            "moves": [write(move) for move in rule.moves],
            "preferences": [write_preference(preference) for preference in rule.preferences],
            "is_locked": rule.is_locked,
        }

    found = {
        "game": strategy.game.sheet.name,
        "role": role,
        "symmetry": strategy.symmetry,
        "rules": [described(n, rule) for n, rule in enumerate(_rules(strategy, role), start=1)],
        "text": strategy.text,
    }
    return json.dumps(found) + "\n"


def _dot(strategy: Strategy, role: Role) -> str:
    """Write a rule list as a tree: each rule asks whether it applies, and if not, the next one."""
    rules = _rules(strategy, role)
    if not rules:
        raise InputError(
            "only a rule list is a tree", hint=f"other formats: {', '.join(FORMATS[:-1])}"
        )
    lines = [f"digraph {dot_text(_title(strategy, role))} {{", '  node [fontname="monospace"];']
    for number, rule in enumerate(rules, start=1):
        asked = write_formula(rule.condition)
        moves = "any" if rule.is_for_any_move else " | ".join(map(write_term, rule.moves))
        moves += "".join(f" also {write_preference(p)}" for p in rule.preferences)
        further = f"rule{number + 1}" if number < len(rules) else "any"
        lines += [
            f"  rule{number} [shape=box, label={dot_text(f'{number}. {asked}, and legal?')}];",
            f"  move{number} [shape=ellipse, label={dot_text(moves)}];",
            f'  rule{number} -> move{number} [label="yes"];',
            f'  rule{number} -> {further} [label="no"];',
        ]
    return "\n".join([*lines, '  any [shape=ellipse, label="any move"];', "}", ""])
