"""An Explanation in, text for a terminal or Markdown out."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator

from kibitz.pages import fenced_markdown, plain_markdown
from kibitz.present.explanation.explanation import Example, Explanation, RoleAdvice
from kibitz.present.explanation.measured_text import AGAIN, NOT_PROVED, measured_lines
from kibitz.wording import number_word, side_name

__all__ = [
    "contents_of",
    "heading_of",
    "match_title",
    "terms_in",
    "terms_of",
    "to_markdown",
    "to_text",
    "unseen_of",
]

_WIDTH = 88
_TOO_MANY = 30
_MANY = 12
"""From more rules than these on, a terminal shows no boards; a page does."""


def heading_of(advice: RoleAdvice) -> str:
    """Describe how many rules there are for whom."""
    count = len(advice.rules)
    whom = side_name(advice.role)
    if not count:
        return f"A plan for {whom}" if advice.examples else f"For {whom}"
    heading = f"{number_word(count).capitalize()} rule{'s' * (count != 1)} for {whom}"
    return f"{heading}, {NOT_PROVED}" if advice.measured else heading


def contents_of(explanation: Explanation) -> str:
    """Describe in brief what an explanation has."""
    found = [heading_of(part) for part in explanation.parts if part.rules or part.examples]
    return ", ".join([explanation.title, *(text[0].lower() + text[1:] for text in found)])


def terms_of(advice: RoleAdvice) -> str:
    """Explain the terms that the rules use."""
    return " ".join(terms_in(rule.sentence for rule in advice.rules))


def terms_in(sentences: Iterable[str]) -> list[str]:
    """Explain the terms that sentences use, each in one of its own.

    >>> terms_in(["Make a double threat if you can."])
    ['A double threat wins with the next move, whatever the reply.']
    """
    said = " ".join(sentences)
    return [explained for term, explained in _TERMS.items() if term in said]


_TERMS = {
    "double threat": "A double threat wins with the next move, whatever the reply.",
    "force a win within three moves": (
        "A win is forced within three moves of one's own if no replies avert it."
    ),
    "open lines": "A line is open for a side while nothing stands where it still needs pieces.",
    "open ways to win": (
        "A way to win is open for a side while nothing stands where it still needs something."
    ),
    "on the way to their goal": (
        "How far a piece is on its way is how many moves nearer it is to the goal than the "
        "farthest place from which it can arrive, with nothing else on the board."
    ),
    "nearer to the goal": (
        "A move goes nearer to the goal if what it moves needs fewer moves afterwards to where the "
        "goal asks for it, with nothing else on the board."
    ),
    "foremost": "With nothing in its way, the foremost piece needs the fewest moves to its goal.",
    "nim-sum": "A nim-sum adds binary digits without carrying: that of 3 and 5 is 6.",
}
"""Terms in rules, and what they mean."""


def unseen_of(advice: RoleAdvice) -> str:
    """Describe which rules are met in no example."""
    if len(advice.unseen) > _MANY:
        return f"{len(advice.unseen)} rules are met in no example here."
    numbers = ", ".join(map(str, advice.unseen))
    many = len(advice.unseen) > 1
    return f"Rule{'s' * many} {numbers} {'are' if many else 'is'} met in no example here."


def match_title(example: Example) -> str:
    """Describe against whom a list played; nothing for an example without an opponent."""
    return f"A match against {example.against}" if example.against else ""


def to_text(explanation: Explanation, *, is_growing: bool = False) -> str:
    """Write an explanation for a terminal; while it grows, without what comes at its end."""
    end = [] if is_growing else _appendix(explanation)
    return "\n".join([*_text(explanation), *end]) + "\n"


def _text(explanation: Explanation) -> Iterator[str]:
    yield explanation.title
    yield "=" * len(explanation.title)
    yield from _wrapped(" ".join(explanation.story))
    yield ""
    yield from _indented(explanation.board)
    if explanation.faults:
        yield ""
        yield from _wrapped(explanation.faults)
    if explanation.worth or explanation.random or explanation.limits:
        yield ""
    yield from _wrapped(" ".join(explanation.worth))
    for lines in (explanation.random, explanation.limits):
        for line in lines:
            yield from _wrapped(line)
    yield from _wrapped(explanation.known_from)
    for advice in explanation.parts:
        yield ""
        heading = heading_of(advice)
        yield heading
        yield "-" * len(heading)
        yield from _advice(advice)
    if explanation.ended:
        yield ""
        yield from _wrapped(explanation.ended)


_SENTENCES = 80
"""Sentences with letters that a terminal shows."""


def _appendix(explanation: Explanation) -> Iterator[str]:
    described = explanation.description
    if described is None or not described.appendix:
        return
    sentences = described.appendix
    yield ""
    yield described.appendix_title
    yield "-" * len(described.appendix_title)
    if len(sentences) > _SENTENCES:
        yield from _wrapped(
            f"These are {len(sentences)} sentences: kibitz show {explanation.game} --form english "
            "prints them."
        )
        return
    yield from _wrapped(described.about_letters)
    for heading, group in described.appendix_sections:
        yield ""
        yield f"{heading}:"
        for sentence in group:
            yield from textwrap.wrap(
                sentence, _WIDTH, subsequent_indent="  ", break_on_hyphens=False
            )


def _advice(advice: RoleAdvice) -> Iterator[str]:
    text = " ".join([advice.worth, advice.note] if advice.note else [advice.worth])
    if advice.rules:
        text += " Follow the first of these rules that applies:"
    yield from _wrapped(text)
    shown = advice.rules if len(advice.rules) <= _TOO_MANY else advice.rules[:_MANY]
    for number, rule in enumerate(shown, start=1):
        yield ""
        yield from textwrap.wrap(
            f"{number}. {rule.sentence}",
            _WIDTH,
            subsequent_indent=" " * len(f"{number}. "),
            break_on_hyphens=False,
        )
        if rule.why:
            yield from textwrap.wrap(
                rule.why, _WIDTH, initial_indent="   ", subsequent_indent="   "
            )
        if len(shown) <= _MANY:
            yield from ["   For example:"] if rule.is_position else []
            yield from _indented(rule.stencil, "     ")
            yield from textwrap.wrap(
                rule.note, _WIDTH, initial_indent="   ", subsequent_indent="   "
            )
    if not advice.rules:
        for example in advice.examples:
            yield from _example(example)
        return
    if len(shown) < len(advice.rules):
        left = len(advice.rules) - len(shown)
        yield ""
        yield from _wrapped(
            f"… and {left} more, which a file shows (-o FILE.html): more than anyone will "
            "remember. This game has no short list of such rules that was found."
        )
    yield ""
    yield from _wrapped(_after_rules(advice))
    for number, example in enumerate(advice.examples, start=1):
        yield ""
        which = f" {number}" if len(advice.examples) > 1 else ""
        yield from _wrapped(f"{match_title(example) or f'Example{which}'}:")
        yield from _example(example)
    if advice.unseen:
        yield from _wrapped(unseen_of(advice))
    yield ""
    if advice.measured:
        for line in measured_lines(advice.measured):
            yield from _wrapped(line) if not line.startswith(" ") else [line]
        yield AGAIN
        yield f"  {advice.command}"
        return
    yield from _wrapped(advice.sure)
    yield "Check it with the reference engine, which shares no code with the search:"
    yield f"  {advice.command}"


def _after_rules(advice: RoleAdvice) -> str:
    lines = ["Where none applies, any move will do.", terms_of(advice), advice.bound]
    return " ".join(line for line in lines if line)


def _example(example: Example) -> Iterator[str]:
    width = max((len(f"{m.side}: {m.text}") for m in example.moves), default=0)
    side = len(str(len(example.moves)))
    for number, move in enumerate(example.moves, start=1):
        line = f"{move.side}: {move.text}"
        rule = f"  (rule {move.rule})" if move.rule else ""
        yield f"  {number:>{side}}. {line:<{width}}{rule}".rstrip()
    if example.moves:
        yield from _indented(example.moves[-1].board, "     ")
    yield f"  {example.result}"


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH, break_on_hyphens=False, break_long_words=False)


def _indented(text: str, by: str = "  ") -> list[str]:
    return [f"{by}{line}".rstrip() for line in text.splitlines()]


def to_markdown(explanation: Explanation) -> str:
    """Write an explanation as Markdown."""
    return "\n".join(_markdown(explanation)) + "\n"


def _markdown(explanation: Explanation) -> Iterator[str]:
    yield f"# {plain_markdown(explanation.title)}"
    yield ""
    if explanation.faults:
        yield f"**{plain_markdown(explanation.faults)}**"
        yield ""
    yield plain_markdown(" ".join(explanation.story))
    yield from _fenced(explanation.board)
    lines = [*explanation.worth, *explanation.random, *explanation.limits]
    yield plain_markdown(" ".join([*lines, explanation.known_from]).strip())
    for advice in explanation.parts:
        yield ""
        yield f"## {plain_markdown(heading_of(advice))}"
        yield ""
        more = " Follow the first of these rules that applies:" if advice.rules else ""
        yield plain_markdown(
            " ".join([advice.worth, advice.note] if advice.note else [advice.worth]) + more
        )
        for number, rule in enumerate(advice.rules, start=1):
            yield ""
            yield f"{number}. **{plain_markdown(rule.sentence)}**"
            yield from ["", f"   {plain_markdown(rule.why)}"] if rule.why else []
            if rule.stencil:
                yield from ["", "   For example:"] if rule.is_position else []
                yield from (f"   {line}".rstrip() for line in _fenced(rule.stencil))
            yield from [f"   {plain_markdown(rule.note)}"] if rule.note else []
        if not advice.rules:
            for example in advice.examples:
                yield from _markdown_example(example)
            continue
        yield ""
        yield plain_markdown(_after_rules(advice))
        for number, example in enumerate(advice.examples, start=1):
            yield ""
            yield f"### {plain_markdown(match_title(example)) or f'Example {number}'}"
            yield from _markdown_example(example)
        if advice.measured:
            yield from _measured(advice)
            continue
        yield ""
        yield "### How it is proved"
        yield ""
        yield plain_markdown(advice.sure)
        yield "Check it with the reference engine, which shares no code with the search:"
        yield from _fenced(advice.command)
    if explanation.ended:
        yield ""
        yield plain_markdown(explanation.ended)
    described = explanation.description
    if described is not None and described.appendix:
        yield ""
        yield f"## {plain_markdown(described.appendix_title)}"
        yield ""
        yield plain_markdown(described.about_letters)
        for heading, group in described.appendix_sections:
            yield ""
            yield f"### {plain_markdown(heading)}"
            yield ""
            yield from (f"- {plain_markdown(sentence)}" for sentence in group)


def _markdown_example(example: Example) -> Iterator[str]:
    yield ""
    for place, move in enumerate(example.moves, start=1):
        rule = f" (rule {move.rule})" if move.rule else ""
        yield f"{place}. {plain_markdown(f'{move.side}: {move.text}')}{rule}"
    if example.moves:
        yield from _fenced(example.moves[-1].board)
    yield plain_markdown(example.result)


def _measured(advice: RoleAdvice) -> Iterator[str]:
    yield ""
    yield "### What was measured"
    yield from _fenced("\n".join(measured_lines(advice.measured or {})))
    yield AGAIN
    yield from _fenced(advice.command)


def _fenced(text: str) -> Iterator[str]:
    yield from ["", *fenced_markdown(text).split("\n"), ""]
