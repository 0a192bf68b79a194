"""Rules in KIF, one after the other, in sections with a comment: what the translation fills."""

from __future__ import annotations

from collections.abc import Iterable


class Sheet:
    """Sections of KIF text; a rule that is there already is not added again."""

    def __init__(self) -> None:
        self._sections: list[tuple[str, list[str]]] = []
        self._known: set[str] = set()

    def section(self, *comments: str) -> None:
        """Begin a section with comments."""
        self._sections.append(("\n".join(f"; {line}" for line in comments), []))

    def fact(self, *facts: str) -> None:
        """Add facts, one line for as many as fit."""
        rules = self._sections[-1][1]
        for fact in facts:
            if fact in self._known:
                continue
            self._known.add(fact)
            if rules and not rules[-1].startswith("(<=") and len(rules[-1]) + len(fact) < 96:
                rules[-1] += f" {fact}"
            else:
                rules.append(fact)

    def rule(self, head: str, *body: str | Iterable[str]) -> None:
        """Add a rule; a body literal may be a list of literals."""
        literals: list[str] = []
        for one in body:
            for literal in [one] if isinstance(one, str) else list(one):
                if literal and literal not in literals:
                    literals.append(literal)
        if not literals:
            self.fact(head)
            return
        text = f"(<= {head}\n" + "\n".join(f"    {literal}" for literal in literals) + ")"
        if text not in self._known:
            self._known.add(text)
            self._sections[-1][1].append(text)

    def __str__(self) -> str:
        texts = [
            "\n".join(part for part in (comment, *rules) if part)
            for comment, rules in self._sections
            if comment or rules
        ]
        return "\n\n".join(texts) + "\n"
