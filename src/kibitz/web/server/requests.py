"""Schemas of request bodies, each with its bounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import Body, Query
from pydantic import BaseModel, Field

from kibitz.web.server.request_guard import ErrorView
from kibitz.web.session.sessions import MOST_RULES
from kibitz.web.session.strategies import MOST_STRATEGY

LineQuery = Annotated[
    str, Query(max_length=8000, description="Numbers of joint moves, such as 4.0.7.")
]
RoleName = Annotated[str, Field(max_length=200)]
StrategyText = Annotated[str, Field(max_length=MOST_STRATEGY)]
LineText = Annotated[str, Field(max_length=8000)]


@dataclass(frozen=True, slots=True)
class ErrorAnswer:
    """The one shape of all errors."""

    error: ErrorView


class Rules(BaseModel):
    """A rule sheet."""

    text: str = Field(max_length=MOST_RULES)
    name: str = Field("pasted", max_length=60, pattern=r"^[\w .:,+-]{1,60}$")


class CheckedRules(Rules):
    """A rule sheet to check; with `play` its game is played as well, which takes a few seconds."""

    play: bool = False


class ReplyRequest(BaseModel):
    """The player of a role in a position."""

    line: LineText = ""
    role: RoleName
    opponent: Literal["perfect", "trap", "random", "depth", "strategy", "level"] = "perfect"
    depth: int = Field(1, ge=1, le=12)
    level: int = Field(5, ge=1, le=8)
    strategy: StrategyText = ""
    rules: int | None = Field(None, ge=1, le=150)
    seed: int = Field(0, ge=0, le=2**31)


class Beside(BaseModel):
    """A strategy beside a position."""

    text: StrategyText = ""
    role: RoleName | None = None
    line: LineText = ""


class LiteralPart(BaseModel):
    """A fluent in KIF, and whether it must hold."""

    fluent: str = Field(max_length=500)
    holds: bool = True


class NewRule(BaseModel):
    """A rule by its parts; with a role it is also put into words."""

    role: RoleName | None = None
    literals: list[LiteralPart] = Field(default_factory=list, max_length=100)
    moves: list[Annotated[str, Field(max_length=500)]] = Field(max_length=50)


class StrategyFile(BaseModel):
    """A strategy to write as a file."""

    text: StrategyText
    role: RoleName | None = None
    form: Literal["svg", "png", "tex", "html", "md", "txt", "json", "dot"] = "svg"


class LinesFile(BaseModel):
    """Lines that were tried, to write as a file."""

    lines: list[LineText] = Field(max_length=200)
    form: Literal["dot", "json", "txt"] = "dot"


class Pair(BaseModel):
    """Two strategies to compare."""

    text: StrategyText
    other: StrategyText
    role: RoleName | None = None


class SolveWork(BaseModel):
    """Solve the game."""

    kind: Literal["solve"]


class AnalyseWork(BaseModel):
    """Prove the moves of a position of a game that is not solved, one after another."""

    kind: Literal["analyse"]
    line: LineText = ""


class ListWork(BaseModel):
    """Complete a rule list with few edits or by synthesis, or simplify it."""

    kind: Literal["complete", "simplify"]
    text: StrategyText = ""
    role: RoleName
    seconds: float = Field(10, ge=0.5, le=60)


class MeasureWork(BaseModel):
    """Find rules by matches, for all roles, and measure them."""

    kind: Literal["measure"]
    role: RoleName
    rules: int = Field(5, ge=1, le=8)
    seed: int = Field(0, ge=0, le=2**31)


class ReportWork(BaseModel):
    """Make the report of `kibitz report`; a brief one has neither rules nor hard positions."""

    kind: Literal["report"]
    brief: bool = False


class LessonWork(BaseModel):
    """Make the lesson of a role, or of the first role that has rules."""

    kind: Literal["lesson"]
    role: RoleName | None = None


class PuzzleWork(BaseModel):
    """Find puzzles."""

    kind: Literal["puzzles"]
    role: RoleName
    win_in: int = Field(1, ge=0, le=200)
    level: Literal["easy", "medium", "hard"] | None = None
    k1: str = Field("1", max_length=60)
    k2: str = Field("3", max_length=60)
    count: int = Field(10, ge=1, le=100)
    unique: bool = True
    balanced: bool = False
    seed: int = Field(1, ge=0, le=2**31)
    theme: str | None = Field(None, max_length=20)
    rules: str = Field("", max_length=MOST_STRATEGY)


Work = Annotated[
    SolveWork | AnalyseWork | ListWork | MeasureWork | LessonWork | PuzzleWork | ReportWork,
    Body(discriminator="kind"),
]
