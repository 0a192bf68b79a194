"""An Explanation in, text for a terminal or Markdown out."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from kibitz.present.explanation.explanation import Example, Explanation, RoleAdvice
from kibitz.wording import number_word

__all__ = ["heading_of", "terms_of", "to_markdown", "to_text", "unseen_of"]

_WIDTH = 88
_TOO_MANY = 30
_MANY = 12
"""From more rules than these on, a terminal shows no boards; a page does."""


def heading_of(part: RoleAdvice) -> str:
    """Say how many rules there are for whom."""
    count = len(part.rules)
    if not count:
        return f"For {part.role}"
    return f"{number_word(count).capitalize()} rule{'s' * (count != 1)} for {part.role}"


def terms_of(part: RoleAdvice) -> str:
    """Say what words of art mean that the rules use."""
    said = " ".join(rule.sentence for rule in part.rules)
    if "double threat" in said:
        return "A double threat wins with the next move, whatever the reply."
    return ""


def unseen_of(part: RoleAdvice) -> str:
    """Say which rules are met in no example."""
    if len(part.unseen) > _MANY:
        return f"{len(part.unseen)} rules are met in no example here."
    numbers = ", ".join(map(str, part.unseen))
    many = len(part.unseen) > 1
    return f"Rule{'s' * many} {numbers} {'are' if many else 'is'} met in no example here."


def to_text(told: Explanation) -> str:
    """Tell an explanation in a terminal."""
    return "\n".join(_text(told)) + "\n"


def _text(told: Explanation) -> Iterator[str]:
    yield told.title
    yield "=" * len(told.title)
    yield from _wrapped(" ".join(told.story))
    yield ""
    yield from _indented(told.board)
    if told.worth or told.random or told.limits:
        yield ""
    yield from _wrapped(" ".join(told.worth))
    for lines in (told.random, told.limits):
        for line in lines:
            yield from _wrapped(line)
    yield from _wrapped(told.known_from)
    for part in told.parts:
        yield ""
        heading = heading_of(part)
        yield heading
        yield "-" * len(heading)
        yield from _part(part)


def _part(part: RoleAdvice) -> Iterator[str]:
    text = " ".join([part.worth, part.note] if part.note else [part.worth])
    if part.rules:
        text += " Follow the first of these rules that applies:"
    yield from _wrapped(text)
    shown = part.rules if len(part.rules) <= _TOO_MANY else part.rules[:_MANY]
    for number, rule in enumerate(shown, start=1):
        yield ""
        yield from textwrap.wrap(
            f"{number}. {rule.sentence}",
            _WIDTH,
            subsequent_indent=" " * len(f"{number}. "),
            break_on_hyphens=False,
        )
        if len(shown) <= _MANY:
            yield from ["   For example:"] if rule.is_position else []
            yield from _indented(rule.stencil, "     ")
    if not part.rules:
        return
    if len(shown) < len(part.rules):
        left = len(part.rules) - len(shown)
        yield ""
        yield from _wrapped(
            f"… and {left} more, which a file shows (-o FILE.html): more than anybody will "
            "remember. This game has no short list of such rules that was found."
        )
    yield ""
    yield from _wrapped(_after_rules(part))
    for number, example in enumerate(part.examples, start=1):
        yield ""
        which = f" {number}" if len(part.examples) > 1 else ""
        yield f"Example{which}:"
        yield from _example(example)
    if part.unseen:
        yield from _wrapped(unseen_of(part))
    yield ""
    yield from _wrapped(part.sure)
    yield "Check it with the reference engine, which shares no code with the search:"
    yield f"  {part.command}"


def _after_rules(part: RoleAdvice) -> str:
    lines = ["Where none applies, any move will do.", terms_of(part), part.bound]
    return " ".join(line for line in lines if line)


def _example(example: Example) -> Iterator[str]:
    width = max((len(f"{m.role}: {m.text}") for m in example.moves), default=0)
    side = len(str(len(example.moves)))
    for number, move in enumerate(example.moves, start=1):
        line = f"{move.role}: {move.text}"
        rule = f"  (rule {move.rule})" if move.rule else ""
        yield f"  {number:>{side}}. {line:<{width}}{rule}".rstrip()
    if example.moves:
        yield from _indented(example.moves[-1].board, "     ")
    yield f"  {example.result}"


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH, break_on_hyphens=False, break_long_words=False)


def _indented(text: str, by: str = "  ") -> list[str]:
    return [f"{by}{line}".rstrip() for line in text.splitlines()]


def to_markdown(told: Explanation) -> str:
    """Write an explanation as Markdown."""
    return "\n".join(_markdown(told)) + "\n"


def _markdown(told: Explanation) -> Iterator[str]:
    yield f"# {_plain(told.title)}"
    yield ""
    yield _plain(" ".join(told.story))
    yield from _fenced(told.board)
    lines = [*told.worth, *told.random, *told.limits]
    yield _plain(" ".join([*lines, told.known_from]).strip())
    for part in told.parts:
        yield ""
        yield f"## {_plain(heading_of(part))}"
        yield ""
        more = " Follow the first of these rules that applies:" if part.rules else ""
        yield _plain(" ".join([part.worth, part.note] if part.note else [part.worth]) + more)
        for number, rule in enumerate(part.rules, start=1):
            yield ""
            yield f"{number}. **{_plain(rule.sentence)}**"
            if rule.stencil:
                yield from ["", "   For example:"] if rule.is_position else []
                yield from (f"   {line}".rstrip() for line in _fenced(rule.stencil))
        if not part.rules:
            continue
        yield ""
        yield _plain(_after_rules(part))
        for number, example in enumerate(part.examples, start=1):
            yield ""
            yield f"### Example {number}"
            yield ""
            for place, move in enumerate(example.moves, start=1):
                rule_ = f" (rule {move.rule})" if move.rule else ""
                yield f"{place}. {_plain(f'{move.role}: {move.text}')}{rule_}"
            if example.moves:
                yield from _fenced(example.moves[-1].board)
            yield _plain(example.result)
        yield ""
        yield "### How sure this is"
        yield ""
        yield _plain(part.sure)
        yield "Check it with the reference engine, which shares no code with the search:"
        yield from _fenced(part.command)


def _fenced(text: str) -> Iterator[str]:
    fence = "```"
    while fence in text:
        fence += "`"
    yield ""
    yield f"{fence}text"
    yield from text.splitlines()
    yield fence
    yield ""


def _plain(text: str) -> str:
    """Keep Markdown from reading signs of its own in a text."""
    return "".join("\\" + c if c in "\\`*_[]<>#|&" else c for c in text)
