"""An Explanation in, a page out: to be read on a screen, light or dark, or printed."""

from __future__ import annotations

from kibitz.board import escape
from kibitz.present.explanation.explanation import Example, Explanation, RoleAdvice, RuleText
from kibitz.present.explanation.text import heading_of, terms_of, unseen_of
from kibitz.present.style import html_page_frame

__all__ = ["explanation_page", "rule_figure", "rule_items"]


def explanation_page(told: Explanation) -> str:
    """Write an explanation as a page that needs nothing from elsewhere."""
    kind = "How to play perfectly" if any(part.rules for part in told.parts) else "How to play"
    parts = [
        f'<p class="kind">{kind}</p>',
        f"<h1>{escape(told.title)}</h1>",
        f'<div class="intro"><div>{_paragraphs(told.story)}</div>{told.svg}</div>',
    ]
    if told.worth:
        parts.append(f'<p class="worth">{escape(" ".join(told.worth))}</p>')
    parts += [f"<p>{escape(line)}</p>" for line in (*told.random, *told.limits)]
    if told.known_from:
        parts.append(f'<p class="small">{escape(told.known_from)}</p>')
    parts += map(_part, told.parts)
    parts.append(
        "<footer>Made by Kibitz from the rules of the game alone. On the small boards, a hatched "
        "cell may hold anything, a crossed-out piece must not be there, and a dot or an arrow "
        "shows the move.</footer>"
    )
    return html_page_frame(told.title, "\n".join(parts))


def _paragraphs(lines: tuple[str, ...]) -> str:
    return f"<p>{escape(' '.join(lines))}</p>"


def rule_items(rules: tuple[RuleText, ...]) -> str:
    """Write rules as a list with their boards."""
    items = "\n".join(
        f'<li><span class="number">{number}</span>'
        f'<span class="says">{escape(rule.sentence)}</span>{rule_figure(rule)}</li>'
        for number, rule in enumerate(rules, start=1)
    )
    return f'<ol class="rules">\n{items}\n</ol>'


def rule_figure(rule: RuleText) -> str:
    """Show the board of a rule, and say so if it is a position and no stencil."""
    if not rule.is_position:
        return rule.svg
    return f'<span class="figure">{rule.svg}<small>for example</small></span>'


def _part(part: RoleAdvice) -> str:
    parts = [f"<section><h2>{escape(heading_of(part))}</h2>"]
    told = " ".join([part.worth, part.note] if part.note else [part.worth])
    if not part.rules:
        return f"{parts[0]}<p>{escape(told)}</p></section>"
    parts.append(f"<p>{escape(told)} Follow the first of these rules that applies:</p>")
    parts.append(rule_items(part.rules))
    parts.append(
        f"<p>Where none applies, any move will do. {escape(terms_of(part))}</p>"
        f'<p class="bound">{escape(part.bound)}</p>'
    )
    for number, example in enumerate(part.examples, start=1):
        which = f" {number}" if len(part.examples) > 1 else ""
        parts.append(f"<h3>An example{which}</h3>{_example(example)}")
    if part.unseen:
        parts.append(f'<p class="small">{escape(unseen_of(part))}</p>')
    parts.append(
        f"<h3>How sure this is</h3><p>{escape(part.sure)} Check it with the reference engine, "
        f"which shares no code with the search:</p><pre>{escape(part.command)}</pre>"
        f'<p class="small">The rules in the strategy language:</p>'
        f"<pre>{escape(part.strategy.strip())}</pre></section>"
    )
    return "\n".join(parts)


def _example(example: Example) -> str:
    items = []
    for number, move in enumerate(example.moves, start=1):
        badge = f' <span class="rule">rule {move.rule}</span>' if move.rule else ""
        items.append(
            f'<li>{move.svg}<b>{number}.</b> <span class="role">{escape(move.role)}</span> '
            f"{escape(move.text)}{badge}</li>"
        )
    return f'<ol class="moves">{"".join(items)}</ol><p>{escape(example.result)}</p>'
