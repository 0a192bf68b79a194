"""Write an explanation for a terminal or as Markdown."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from kibitz.pages import fenced_markdown, plain_markdown
from kibitz.present.explanation.explanation import Example, Explanation, RoleAdvice
from kibitz.wording import counted, join_words, number_word, side_name

Measured = Mapping[str, Any]

NOT_PROVED = "measured, not proved"
_EVEN = 50
"""Points of moves at random where nobody is better off."""
TIME_ENDED = "Time ended the search: with more of it, or on another machine, others may be found."
AGAIN = "To look for such rules again, perhaps for more of them, or in more rounds:"


def opponent_words(name: str) -> str:
    """Put the name of an opponent into words.

    >>> opponent_words("uct:1000")
    'tree search with 1,000 playouts a move (uct:1000)'
    """
    if name.startswith("uct:"):
        return f"tree search with {int(name[4:]):,} playouts a move ({name})"
    return {"random": "random play", "alone": "played alone"}.get(name, name)


def measured_heading(measured: Measured) -> str:
    """Say how many rules there are for whom, and that they were measured."""
    rules = counted(measured["rules"], "rule")
    return f"{rules} for {join_words([*map(side_name, measured['roles'])])}, {NOT_PROVED}"


def points_line(measured: Measured) -> str:
    """Say what points are."""
    drawn = ", a draw being half" if measured.get("players", 2) == 2 else ""
    drawn = "" if "alone" in measured["strength"] else drawn
    return f"Points of 100{drawn}, with 95 % intervals:"


def rules_line(measured: Measured) -> str:
    """Say what is counted for each rule, and in matches against whom, if that was noted."""
    is_alone = "alone" in measured["strength"]
    watched = measured.get("watched")
    whom = "" if is_alone or watched is None else f" against {opponent_words(watched)}"
    return f"How many of the moves each rule decides{whom}, and the points of the list without it:"


def strength_rows(measured: Measured) -> list[tuple[str, str, str, str]]:
    """Return opponent, points, interval and number of matches, in words and figures."""
    return [
        (
            opponent_words(name),
            f"{found['score']:.1f}",
            _interval(found, 1),
            f"{found['matches']:,}",
        )
        for name, found in measured["strength"].items()
    ]


def rule_rows(measured: Measured) -> tuple[list[str], list[tuple[str, list[str]]]]:
    """Return against whom, and for each rule its share and the points of the list without it."""
    rules = measured["per_rule"]
    names = list(dict.fromkeys(name for rule in rules for name in rule["without"]))
    rows = []
    for rule in rules:
        points = []
        for name in names:
            found = rule["without"].get(name)
            points.append("" if found is None else f"{found['score']:.0f} ({_interval(found, 0)})")
        rows.append((f"{rule['share']:.1f} %", points))
    return ["" if name == "alone" else f"against {name}" for name in names], rows


def yardstick_sentences(measured: Measured) -> str:
    """Say what moves at random get, where that is not half, and the rating, if there is one."""
    return " ".join(filter(None, [_by_chance(measured), _rating(measured)]))


def _by_chance(measured: Measured) -> str:
    chance = measured.get("by_chance")
    if chance is None or chance["low"] <= _EVEN <= chance["high"]:
        return ""
    is_alone = "alone" in measured["strength"]
    whom = "" if is_alone else f" against {opponent_words('random')}"
    return f"Moves at random get {chance['score']:.1f} ({_interval(chance, 1)}){whom}."


def _rating(measured: Measured) -> str:
    """Describe the rating, if there is one.

    >>> searches = [{"agent": "uct:1000", "rating": 1449.2}, {"agent": "uct:100", "rating": 1092.4}]
    >>> _rating({"elo": 1441.3, "ratings": searches}).partition(", where ")[2]
    'random play has 0 and tree search with 100 and 1,000 playouts a move 1092 and 1449.'
    """
    if measured["elo"] is None or measured["elo"] == 0:
        return ""
    searches = sorted(
        (int(one["agent"][4:]), one["rating"])
        for one in measured["ratings"]
        if one["agent"].startswith("uct:")
    )
    zero = "random play has 0"
    if searches:
        playouts = join_words([f"{count:,}" for count, _ in searches])
        ratings = join_words([f"{rating:.0f}" for _, rating in searches])
        zero += f" and tree search with {playouts} playouts a move {ratings}"
    return f"Rating {measured['elo']:.0f} (Elo), where {zero}."


def accuracy_sentence(measured: Measured) -> str:
    """Describe how often the rules keep what a search proves of a position."""
    one = measured["accuracy"]
    if one is None or "random" not in one:  # which answers from before lack
        return ""
    rest = f" It did not decide {one['open']:,} more." if one["open"] else ""
    after = f" after {counted(one['after'], 'move')} or more" if one["after"] else ""
    return (
        f"Accuracy {one['share']:.0f} % ({_interval(one, 0)}), moves at random "
        f"{one['random']:.0f} %: how often a move keeps the value where a choice matters, as a "
        f"search proves of {one['positions']:,} of {one['judged']:,} random positions{after}.{rest}"
    )


def measured_lines(measured: Measured) -> Iterator[str]:
    """Write all of it for a terminal, without wrapping."""
    yield points_line(measured)
    rows = strength_rows(measured)
    width = max((len(row[0]) for row in rows), default=0)
    for name, score, interval, matches in rows:
        yield f"  {name:{width}}  {score:>5} ({interval}) in {matches} matches"
    for sentence in (yardstick_sentences(measured), accuracy_sentence(measured)):
        yield from [sentence] if sentence else []
    if measured.get("time_ended"):
        yield TIME_ENDED
    names, rule_lines = rule_rows(measured)
    if rule_lines:
        yield rules_line(measured)
    for number, (share, points) in enumerate(rule_lines, start=1):
        without = ", ".join(
            f"{found} {whom}".rstrip() for whom, found in zip(names, points, strict=True) if found
        )
        yield f"  {number}. {share:>7}" + (f"  without it {without}" if without else "")


def _interval(found: Mapping[str, float], digits: int) -> str:
    return f"{found['low']:.{digits}f} to {found['high']:.{digits}f}"


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
