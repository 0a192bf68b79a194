"""The source in, its sentences with words that claim much out; `python -m tests.sentences` writes.

Each has a line in `sentences.txt` behind what makes it true. A sentence that is new there has "?"
until somebody has decided, by reading the code, when it is said.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

__all__ = ["LIST", "decided", "sentences"]

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "kibitz"
LIST = Path(__file__).with_name("sentences.txt")
PACKAGES = (
    "cli", "english", "measured", "pages", "play", "present", "puzzles", "solve", "space",
    "strategy", "synth", "web", "wording.py",
)  # fmt: skip
WORDS = re.compile(
    r"\b(perfect\w*|proved|proven|solved|draws?|drawn|optimal\w*|best play|fewest|shortest|every"
    r"|always|never|longest)\b",
    re.IGNORECASE,
)
_COMMENT = re.compile(r"\{#.*?#\}", re.DOTALL)
_EXPRESSION = re.compile(r"\{[{%].*?[}%]\}")
_SCRIPT_TEXT = re.compile(r'"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`')


def sentences() -> set[str]:
    """Give every sentence, as FILE: TEXT, with … where something is put in."""
    found = set()
    for package in PACKAGES:
        for path in sorted([SOURCE / package, *(SOURCE / package).rglob("*")]):
            read = {".py": _in_python, ".js": _in_script, ".j2": _in_template}.get(path.suffix)
            for text in read(path.read_text("utf-8")) if read else ():
                is_grammar = "%ignore" in text
                if " " in text.strip() and WORDS.search(text) and not is_grammar:
                    found.add(f"{path.relative_to(SOURCE)}: {' '.join(text.split())}")
    return found


def decided() -> dict[str, str]:
    """Give the sentences of the list, each with what makes it true."""
    found = {}
    for line in LIST.read_text("utf-8").splitlines():
        sentence, _, condition = line.rpartition(" <= ")
        found[sentence] = condition
    return found


def _in_python(source: str) -> Iterator[str]:
    tree = ast.parse(source)
    left_out: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr):
            left_out.add(node.value)  # a docstring
        if isinstance(node, ast.JoinedStr):
            left_out |= set(node.values)
    for node in ast.walk(tree):
        if node in left_out:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.JoinedStr):
            parts = [p.value if isinstance(p, ast.Constant) else "…" for p in node.values]
            yield "".join(map(str, parts))


def _in_script(source: str) -> Iterator[str]:
    plain = "\n".join(line for line in source.splitlines() if not line.lstrip().startswith("//"))
    for found in _SCRIPT_TEXT.findall(plain):
        yield re.sub(r"\$\{[^{}]*\}", "…", found[1:-1])


def _in_template(source: str) -> Iterator[str]:
    """Give what stands between the tags of blocks, and texts inside of expressions."""
    plain = _COMMENT.sub("", source)
    for expression in _EXPRESSION.findall(plain):
        yield from (text[1:-1] for text in _SCRIPT_TEXT.findall(expression))
    plain = re.sub(r"\{\{.*?\}\}", "…", re.sub(r"\{%.*?%\}", "", plain))
    yield from re.split(r"</?(?!(?:a|b|br|code|em|i|small|span|sub)\b)\w[^>]*>", plain)


if __name__ == "__main__":
    known = decided() if LIST.exists() else {}
    LIST.write_text("".join(f"{one} <= {known.get(one, '?')}\n" for one in sorted(sentences())))
