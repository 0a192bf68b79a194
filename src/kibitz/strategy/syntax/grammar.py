"""The grammar of the strategy language, and its parser; made when the first text is read."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from kibitz.errors import Diagnostic, Place, Source, StrategyError
from kibitz.lazy import PARSING
from kibitz.reading import bounded

if TYPE_CHECKING:
    from lark import Lark, Token, Tree


MOST_CHARACTERS = 200_000
MOST_NESTED = 100

WORDS = frozenset(
    [
        "all",
        "also",
        "and",
        "any",
        "block",
        "can",
        "define",
        "each",
        "else",
        "false",
        "first",
        "iff",
        "implies",
        "in",
        "let",
        "next",
        "none",
        "not",
        "or",
        "previous",
        "symmetric",
        "true",
    ]
)
"""Words of the language; a game's names that equal them must be quoted."""

_GRAMMAR = r"""
start: (setting _NL)* strategy (_NL strategy)*
    | (setting _NL)* setting
    |

setting: "symmetric" SYMMETRY               -> symmetric
    | "let" NAME "=" number                 -> let
    | "define" head "=" strategy            -> define
    | "block" NAME "{" strategy (_NL strategy)* "}" -> block
head: NAME | CALL NAME ("," NAME)* ")"

?strategy: else_list
?else_list: also_list (_ELSE also_list)*
    | _ELSE also_list (_ELSE also_list)*    -> else_list
?also_list: element (_ALSO element)*
    | _ALSO element (_ALSO element)*        -> also_list
?element: rule
    | rule (_BAR rule)+                     -> else_list
    | iff
    | "each" binders ":" element            -> each
    | _MOST argument                        -> most_value
    | _LEAST argument                       -> least_value
    | _MIDDLE argument ("," argument)*      -> middle_value
    | _MOST binders ":" iff                 -> most_count
    | _FEWEST binders ":" iff               -> fewest_count
    | _MOST_OF formulas                     -> most_count
    | _FEWEST_OF formulas                   -> fewest_count
    | _MOST_WAYS number "," number ")"      -> most_ways
    | _FEWEST_WAYS number "," number ")"    -> fewest_ways
    | _HIGHEST number                       -> highest_number
    | _LOWEST number                        -> lowest_number
?rule: iff _THEN moves                      -> rule
    | _ANY binders ":" rule                 -> any_rule
moves: term | "{" term ("," term)* "}"
    | _ANY                                  -> any_move

?iff: implies | implies (_IFF implies)+
?implies: disjunct | disjunct _IMPLIES implies
?disjunct: conjunct | conjunct ((_OR | _BAR) conjunct)+ -> or_
?conjunct: unary | unary (_AND unary)+      -> and_
?unary: _NOT unary                          -> not_
    | _NEXT unary                           -> next
    | _PREVIOUS unary                       -> previous
    | _ANY binders ":" iff                  -> any_
    | _ALL binders ":" iff                  -> all_
    | _AT_LEAST number binders ":" iff      -> at_least
    | _AT_LEAST number _OF formulas         -> at_least
    | primary
?primary: _TRUE                             -> true
    | _FALSE                                -> false
    | number
    | number COMPARISON number              -> compare
    | "(" strategy ")"
    | _CAN iff ")"                          -> can
    | _CAN number "," iff ")"               -> can

formulas: "(" iff ("," iff)* ")"
binders: binder ("," binder)*
binder: names _IN domain
names: NAME | "(" NAME ("," NAME)+ ")"
?domain: number ".." number                 -> range
    | NAME                                  -> relation
    | argument
    | _MOVES number ")"                     -> moves_of
    | "{" term ("," term)* "}"              -> listed

argument: NAME "." INT

?term: number
?number: product | number "+" product -> plus | number "-" product -> minus
?product: factor
    | product "*" factor                    -> times
    | product "%" factor                    -> remainder
?factor: plain
    | "(" number ")"
    | "-" factor                            -> opposite
    | CALL term ("," term)* ")"             -> call
    | "(" _TRUE plain ")"                   -> holds
?plain: INT                                 -> integer
    | NAME                                  -> word
    | argument
    | "(" NAME plain* ")"                   -> kif
"""

_TERMINALS = r"""
_ELSE.2: /else\b|∇|▽/
_ALSO.2: /also\b|[∆Δ△]/
_THEN.4: /=>|⇒/
_IFF.4: /iff\b|<->|≡|↔/
_IMPLIES.3: /implies\b|->|⊃|→/
_OR.2: /or\b|∨|\|\|/
_BAR: "|"
_AND.2: /and\b|∧|&&?/
_NOT.2: /not\b|¬|!(?!=)|~/
_PREVIOUS.4: /previous\b|[○◯]⁻¹/
_NEXT.3: /next\b|○|◯/
_ANY.2: /any\b/
_ALL.2: /all\b/
_IN.2: /in\b|∈/
_CAN.4: /can\(/
_MOVES.4: /moves\(/
_MOST.5: /most(?=PICKED|BOUND)/
_FEWEST.5: /fewest(?=BOUND)/
_MOST_OF.6: /most[ \t]+of(?=\s*\()/
_FEWEST_OF.6: /fewest[ \t]+of(?=\s*\()/
_MOST_WAYS.6: /most[ \t]+ways\(/
_FEWEST_WAYS.6: /fewest[ \t]+ways\(/
_HIGHEST.5: /highest(?=NUMBERED)/
_LOWEST.5: /lowest(?=NUMBERED)/
_AT_LEAST.6: /at[ \t]+least(?=\s)/
_OF.5: /of(?=\s*\()/
_LEAST.5: /least(?=PICKED)/
_MIDDLE.5: /middle(?=PICKED)/
_TRUE.2: /true\b(?!\()|⊤/
_FALSE.2: /false\b|⊥/
COMPARISON.1: />=|<=|!=|=|<|>|≥|≤|≠/
SYMMETRY: /any\b|first\b|none\b/
CALL.3: /(?!(?:WORDS)\()(?:[^\W\d]\w*|'(?:[^'\n]|'')+')\(/
NAME: /[^\W\d]\w*|'(?:[^'\n]|'')+'/
INT: /\d+/
_NL.5: /\n(?!(?:\s|#[^\n]*\n)*(?:#[^\n]*$|JOINING))/
END_OF_NOTHING: "\n"
%ignore END_OF_NOTHING
%ignore /[ \t\r\f]+|#[^\n]*/
"""


_NAME = r"(?:[^\W\d]\w*|'(?:[^'\n]|'')+')"
_PICKED = rf"\s+{_NAME}\s*\.\s*\d"
_NUMBERED = rf"\s+{_NAME}\s*[.(]"
_BOUND = rf"\s+(?:{_NAME}|\([^()\n]*\))\s*(?:in\b|∈)"
"""What follows a word that compares moves, so that it is not a name of the game."""

_JOINING = r"(?:else|also|iff|implies|or|and|in)\b|[∇▽∆Δ△⇒≡↔⊃→∨∧∈|&)},]|=|<->|->|$"
"""Tokens at the start of a line that continue the line before, and at its end the next one."""


class _Lines:
    """Removes line ends that end nothing: inside brackets, and after a connective."""

    always_accept = ("_NL",)
    _OPENING = frozenset({"LPAR", "LBRACE", "CALL", "_CAN", "_MOVES", "_MOST_WAYS", "_FEWEST_WAYS"})
    _CLOSING = frozenset({"RPAR", "RBRACE"})
    _GOING_ON = frozenset(
        [
            "_NL",
            "_ELSE",
            "_ALSO",
            "_THEN",
            "_IFF",
            "_IMPLIES",
            "_OR",
            "_BAR",
            "_AND",
            "_IN",
            "COMPARISON",
            "COLON",
            "EQUAL",
            "COMMA",
            "PLUS",
            "MINUS",
            "STAR",
            "PERCENT",
            "LBRACE",
            "_NOT",
            "_NEXT",
            "_PREVIOUS",
            "_ANY",
            "_ALL",
            "EACH",
        ]
    )

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        """Yield all tokens except such line ends."""
        brackets: list[str] = []
        before, ends_rule = "_NL", False
        for token in stream:
            goes_on = before in self._GOING_ON and not ends_rule
            if token.type == "_NL" and (goes_on or (brackets and brackets[-1] != "LBRACE")):
                continue
            if token.type in self._OPENING:
                brackets.append(token.type)
            elif token.type in self._CLOSING and brackets:
                brackets.pop()
            ends_rule = before == "_THEN" and token.type == "_ANY"
            before = token.type
            yield token


@cache
def _parser() -> Lark:
    from lark import Lark

    words = "|".join(sorted(WORDS - {"true"}))
    terminals = _TERMINALS.replace("WORDS", words).replace("JOINING", _JOINING)
    for mark, pattern in (("PICKED", _PICKED), ("BOUND", _BOUND), ("NUMBERED", _NUMBERED)):
        terminals = terminals.replace(mark, pattern)
    return Lark(
        _GRAMMAR + terminals,
        parser="lalr",
        propagate_positions=True,
        maybe_placeholders=False,
        postlex=_Lines(),
    )


@bounded("reading the strategy")
def parse(source: Source) -> Tree[Token]:
    """Parse a text; raise StrategyError at the first place that cannot be read."""
    from lark import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

    if len(source.text) > MOST_CHARACTERS:
        raise _error(source, 0, 1, f"the text has more than {MOST_CHARACTERS:,} characters")
    _check_nesting(source)
    with PARSING:  # Lark reads its grammar with the help of Python's parser
        parser = _parser()
    try:
        tree = parser.parse(source.text)
    except UnexpectedCharacters as error:
        at = error.pos_in_stream or 0
        raise _error(source, at, at + 1, f"{source.text[at]!r} means nothing here") from None
    except UnexpectedToken as error:
        raise _unexpected(source, error.token, error.accepts or error.expected) from None
    except UnexpectedInput:
        at = len(source.text)
        raise _error(source, max(0, at - 1), at, "the text ends too early") from None
    _check_depth(source, tree)
    return tree


def _check_nesting(source: Source) -> None:
    depth = 0
    for at, char in enumerate(source.text):
        depth += (char in "({") - (char in ")}")
        if depth > MOST_NESTED:
            raise _error(source, at, at + 1, f"more than {MOST_NESTED} brackets inside one another")


def _check_depth(source: Source, tree: Tree[Token]) -> None:
    level: list[Tree[Token]] = [tree]
    for _ in range(MOST_NESTED * 2):
        level = [child for node in level for child in node.children if not isinstance(child, str)]
        if not level:
            return
    at = level[0].meta.start_pos if not level[0].meta.empty else 0
    message = f"more than {MOST_NESTED * 2} formulas inside one another"
    raise _error(source, at, at + 1, message)


def _unexpected(source: Source, token: Token, wanted: set[str]) -> StrategyError:
    if token.type == "$END":
        end = len(source.text.rstrip())
        message = "the text ends too early" if end else "the text has no strategy"
        return _error(source, max(0, end - 1), max(1, end), message, _hint(wanted))
    start = token.start_pos or 0
    shown = "the end of the line" if token.type == "_NL" else repr(str(token))
    return _error(
        source, start, start + max(1, len(token)), f"{shown} is not allowed here", _hint(wanted)
    )


def _hint(wanted: set[str]) -> str:
    if "_THEN" in wanted:
        return "a rule is written CONDITION => MOVE, such as true => (mark 2 2)"
    if wanted & {"NAME", "_NOT"}:
        return "a formula or a name is missing here"
    if "RPAR" in wanted:
        return "close the bracket first"
    return ""


def _error(source: Source, start: int, end: int, message: str, hint: str = "") -> StrategyError:
    place = Place(start, max(end, start + 1))
    return StrategyError(source, Diagnostic.error("STR001", message, place, hint))
