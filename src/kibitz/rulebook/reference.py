"""The table of sentences in, its reference for the documentation out."""

from __future__ import annotations

from kibitz.rulebook.sentences import GRAMMAR, SECTIONS

_SHOWN = 10
"""Other spellings of a pattern that are shown."""


def write_reference() -> str:
    """Write all sentences and phrases as Markdown, with their other spellings.

    >>> write_reference().splitlines()[0]
    '### Boards'
    """
    lines: list[str] = []
    for title, patterns in SECTIONS.items():
        lines += [f"### {title}", ""]
        for pattern in patterns:
            first, *others = dict.fromkeys(GRAMMAR.spellings(pattern))
            others[_SHOWN:] = others[_SHOWN:] and ["…"]
            text = first if pattern.symbol != "sentence" else f"{first[:1].upper()}{first[1:]}."
            also = (
                f" (also: {'; '.join(one if one == '…' else f'*{one}*' for one in others)})"
                if others
                else ""
            )
            lines.append(f"- **{text}**{also}")
        lines.append("")
    return "\n".join(lines)
