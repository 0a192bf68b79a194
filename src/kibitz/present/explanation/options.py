"""How much to spend on an explanation."""

from __future__ import annotations

from dataclasses import dataclass, field

from kibitz.budget import Budget

__all__ = ["StudyOptions"]


@dataclass(frozen=True, slots=True)
class StudyOptions:
    """How much to spend on an explanation."""

    seconds: float | None = None
    """How long the answer may take; if None, rules take rounds of work, within the budget."""
    seed: int = 0
    max_states: int = 3_000_000
    budget: Budget = field(default_factory=Budget)
    measured: bool = True
    """Whether rules are found by matches where a game is too large to be solved."""

    @property
    def key(self) -> tuple[object, ...]:
        """What a result depends on."""
        return (
            self.seconds,
            self.seed,
            self.max_states,
            self.budget.seconds,
            self.budget.bytes,
            self.measured,
        )
