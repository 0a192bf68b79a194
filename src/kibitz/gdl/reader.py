"""Read text in either notation into a RuleSheet, or a move or state into terms."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import Literal

from kibitz.errors import Diagnostic, Place, RuleSheetError, Severity, Source
from kibitz.gdl.checks import check
from kibitz.gdl.kif import SyntaxProblem, read_kif, read_kif_terms
from kibitz.gdl.ruleform import read_ruleform
from kibitz.gdl.terms import NOWHERE, Function, Rule, RuleSheet, variables_of
from kibitz.reading import bounded

Form = Literal["kif", "rules"]

MAX_BYTES = 8_000_000
"""The largest text that is read. The largest published rule sheets have 70 KB."""

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f\ud800-\udfff]")
_SUFFIXES: dict[str, Form] = {".kif": "kif", ".gdl": "kif", ".rules": "rules", ".lp": "rules"}


def read(
    text: str | bytes, *, name: str = "rules", form: Form | None = None, as_gdl1: bool = False
) -> RuleSheet:
    """Read and check a rule sheet; raise RuleSheetError with all diagnostics if it has errors.

    The notation is `form`, else that of the start of the text, else by the suffix of `name`. With
    `as_gdl1`, every role sees all and one called random is a player.

    >>> sheet = read("(role me) (legal me wait) (<= terminal (true over)) (goal me 100)")
    >>> len(sheet.rules)
    4
    """
    sheet, diagnostics = diagnose(text, name=name, form=form, as_gdl1=as_gdl1)
    errors = [d for d in diagnostics if d.severity is Severity.ERROR]
    if errors:
        raise RuleSheetError(sheet.source, errors)
    return sheet


@bounded("reading the rules")
def diagnose(
    text: str | bytes, *, name: str = "rules", form: Form | None = None, as_gdl1: bool = False
) -> tuple[RuleSheet, tuple[Diagnostic, ...]]:
    """Read and check a rule sheet; return it with all findings, both errors and warnings.

    >>> sheet, found = diagnose("(role me) (<= (legal me ?x) (distinct ?x 1)) (goal me 100)")
    >>> [d.code for d in found]
    ['GDL019', 'GDL007', 'GDL009', 'GDL044']
    """
    source, rules, problems = _read_rules(text, name, form)
    sheet = RuleSheet(tuple(rules), source, as_gdl1)
    # An unbalanced text has no trustworthy rules; checking none would only add noise.
    checked = [] if problems and not rules else check(sheet, complete=not problems)
    return sheet, tuple(sorted([*problems, *checked], key=lambda d: d.place.start))


@bounded("reading the rules")
def parse(text: str | bytes, *, name: str = "rules", form: Form | None = None) -> RuleSheet:
    """Read rules and check only their syntax; they may be a fragment of a game.

    >>> [str(rule) for rule in parse("p(X) :- q(X).").rules]
    ['(<= (p ?x) (q ?x))']
    """
    source, rules, problems = _read_rules(text, name, form)
    if problems:
        raise RuleSheetError(source, problems)
    return RuleSheet(tuple(rules), source)


@bounded("reading terms")
def parse_terms(text: str, *, name: str = "text") -> tuple[Function, ...]:
    """Read ground terms in KIF, such as moves or the fluents of a state.

    >>> [str(term) for term in parse_terms("(mark 1 1) noop")]
    ['(mark 1 1)', 'noop']
    """
    source, problems = _source(text, name)
    if problems:
        raise RuleSheetError(source, problems)
    try:
        terms = read_kif_terms(source)
    except SyntaxProblem as problem:
        raise RuleSheetError(source, [problem.diagnostic]) from None
    variables = [
        Diagnostic.error("GDL004", f"{v} is a variable", v.place, "write a constant")
        for term in terms
        for v in variables_of(term)
    ]
    if variables:
        raise RuleSheetError(source, variables)
    return tuple(term for term in terms if isinstance(term, Function))


def source_of(text: str | bytes, *, name: str) -> Source:
    """Decode a text and unify its line ends; raise RuleSheetError for what cannot be text.

    >>> source_of(b"one\\r\\ntwo", name="lines").position(4)
    (2, 1)
    """
    source, problems = _source(text, name)
    if problems:
        raise RuleSheetError(source, problems)
    return source


def _read_rules(
    text: str | bytes, name: str, form: Form | None
) -> tuple[Source, list[Rule], list[Diagnostic]]:
    source, problems = _source(text, name)
    if problems:
        return source, [], problems
    form = form or _notation(source.text, PurePath(name).suffix)
    rules, problems = (read_kif if form == "kif" else read_ruleform)(source)
    return source, rules, problems


def _source(text: str | bytes, name: str) -> tuple[Source, list[Diagnostic]]:
    """Decode, unify line ends, and refuse what cannot be text."""
    if len(text) > MAX_BYTES:
        message = f"the text has {len(text):,} bytes; at most {MAX_BYTES:,} are read"
        hint = "is it a rule sheet?"
        return Source(name, ""), [Diagnostic.error("GDL001", message, NOWHERE, hint)]
    message = ""
    if isinstance(text, bytes):
        raw = text
        try:
            text = raw.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            message = f"byte {error.start} is not UTF-8 text"
            text = raw.decode("utf-8", errors="replace")
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    where = max(0, text.find("\ufffd"))
    if not message and (control := _CONTROL.search(text)):
        message, where = f"control character {ord(control.group()):#04x}", control.start()
    source = Source(name, _CONTROL.sub("\ufffd", text))
    if not message:
        return source, []
    hint = "save the file as UTF-8 text"
    place = Place(where, where + 1)
    return source, [Diagnostic.error("GDL001", message, place, hint)]


def _notation(text: str, suffix: str) -> Form:
    """Recognise the notation by the first words that are no comment; by the suffix if they are odd.

    >>> _notation("; one\\n(role x)", ".lp"), _notation("role(x).", ".kif"), _notation(")", ".lp")
    ('kif', 'rules', 'rules')
    """
    start = re.sub(r"\A(\s|;[^\n]*(\n|\Z)|%[^\n]*(\n|\Z))*", "", text)
    if start[:1] == "(":
        return "kif"
    if re.match(r"[a-z_]\w*\s*(\(|\.|:-|<-)", start):
        return "rules"
    if suffix in _SUFFIXES:
        return _SUFFIXES[suffix]
    return "rules" if start or text.lstrip()[:1] == "%" else "kif"
