"""Hold what is said of a game as plain values, and the effort to spend on it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from kibitz.budget import Budget
from kibitz.rulebook import before_letters, sections_of

IN_SHORT = "This is the game in short; the rules in full come at the end."
IN_PART = "How the game ends comes at the end, in sentences with letters."
"""How a story ends that an explanation completes: of the whole rules, or of the end."""


@dataclass(frozen=True, slots=True)
class Description:
    """The rules of a game in sentences, and on how many states they were compared with it.

    Sentences with letters alone were compared with the rule sheet rule for rule, not on states.
    Where others come before them, which say all but the end, the whole was compared on states.
    """

    text: str
    complete: bool
    checked_states: int
    missing: tuple[str, ...] = ()
    has_letters: bool = False

    @property
    def appendix(self) -> list[str]:
        """The sentences with letters, which are shown after everything else."""
        lines = self.text.splitlines() if self.has_letters else []
        return lines[len(before_letters(lines)) :]

    @property
    def appendix_title(self) -> str:
        """The heading of the sentences with letters."""
        return "The end in full" if self.checked_states else "The rules in full"

    @property
    def appendix_sections(self) -> list[tuple[str, list[str]]]:
        """The sentences with letters under small headings."""
        return sections_of(self.appendix)

    @property
    def about_letters(self) -> str:
        """Meaning of the sentences with letters, and how they were checked."""
        meaning = (
            "A letter stands for anything; what is said after “if” is meant of the position before "
            "the move."
        )
        if self.checked_states:
            states = f"{self.checked_states:,} state{'s' * (self.checked_states != 1)}"
            checked = f"were read back and compared with the game on {states}."
            return f"{meaning} These sentences and those at the top {checked}"
        return f"{meaning} Each sentence was read back and is a rule of the rule sheet."


@dataclass(frozen=True, slots=True)
class RuleText:
    """A rule: its sentence, its text in the strategy language, and its small board.

    It decides in `decides` of the positions that play comes to with the list, or of those in the
    matches that were played for examples. A rule that names no place has a position to show it, and
    `is_position` says so.
    """

    sentence: str
    rule: str
    stencil: str = ""
    svg: str = ""
    decides: int = 0
    is_position: bool = False
    why: str = ""
    """The reason why the rule works, where one is known."""
    note: str = ""
    """What the position shows of the rule, with its figures."""


@dataclass(frozen=True, slots=True)
class MoveText:
    """A move of an example: who made it, its text, which rule asked for it, the board after.

    `roles` are those of the rule sheet, several where they choose at once, and `side` is what
    sentences call them. `rule` is 0 where none did.
    """

    roles: tuple[str, ...]
    side: str
    text: str
    rule: int
    board: str
    svg: str


@dataclass(frozen=True, slots=True)
class Example:
    """A match in which rules are followed, how it ends, and against whom, if that is known."""

    moves: tuple[MoveText, ...]
    result: str
    rules: tuple[int, ...]
    against: str = ""


@dataclass(frozen=True, slots=True)
class RoleAdvice:
    """Advice for one role: proven rules, or measured ones, or why there are none.

    `measured` is what was measured of a list about which nothing is proved; such a list may be for
    several roles, which `role` names.
    """

    role: str
    worth: str
    note: str = ""
    rules: tuple[RuleText, ...] = ()
    bound: str = ""
    lower_bound: int = 0
    proved_minimal: bool = False
    was_interrupted: bool = False
    time_ended: bool = False
    """Whether time ended the search or a proof, so that another run may find more."""
    strategy: str = ""
    sure: str = ""
    command: str = ""
    verdict: dict[str, Any] = field(default_factory=dict)
    examples: tuple[Example, ...] = ()
    unseen: tuple[int, ...] = ()
    """Rules that fire in no example."""
    measured: dict[str, Any] | None = None
    holds_for: dict[str, Any] | None = None
    """For which sizes of the game the list plays perfectly, where that was looked for."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """An explained game: its rules, its value, and for each role what to do."""

    game: str
    title: str
    roles: tuple[str, ...]
    story: tuple[str, ...] = ()
    faults: str = ""
    """What makes the rules broken, in a sentence; empty if nothing does."""
    description: Description | None = None
    board: str = ""
    svg: str = ""
    states: int | None = None
    known_from: str = ""
    value: dict[str, Any] = field(default_factory=dict)
    distance: int | None = None
    worth: tuple[str, ...] = ()
    random: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()
    parts: tuple[RoleAdvice, ...] = ()
    is_whole: bool = False
    """Whether nothing was cut short, so that it may be cached."""
    ended: str = ""
    """What ended the work, such as its time, in a sentence; empty if it came to its end."""

    def __str__(self) -> str:
        from kibitz.present.explanation.text import to_text

        return to_text(self)

    def _repr_html_(self) -> str:
        """Show the whole page in a notebook, in a frame of its own in which no script runs."""
        from kibitz.board import escape
        from kibitz.present.explanation.page import explanation_page

        page = escape(explanation_page(self))
        return f'<iframe sandbox srcdoc="{page}" width="100%" height="640"></iframe>'

    def as_json(self) -> dict[str, Any]:
        """Return it as plain values, without pictures."""
        import msgspec

        found: dict[str, Any] = msgspec.to_builtins(self)
        found.pop("svg")
        for part in found["parts"]:
            for rule in part["rules"]:
                rule.pop("svg")
            for example in part["examples"]:
                for move in example["moves"]:
                    move.pop("svg")
        return found


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
        """Key of the options that a result depends on."""
        return (
            self.seconds,
            self.seed,
            self.max_states,
            self.budget.seconds,
            self.budget.bytes,
            self.measured,
        )
