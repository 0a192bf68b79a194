"""The rules of a board game as typed sentences: what the reader makes and the writer takes.

A Rules is a tuple of sentences in a fixed order. Each sentence is a frozen dataclass whose fields
are numbers, names and smaller phrases; `sentences.py` says how each of them is spelled. The empty
name stands for *you*: whoever is spoken of in a rule that holds for every player.
"""

from kibitz.rulebook.model.boards import *  # noqa: F403
from kibitz.rulebook.model.ends import *  # noqa: F403
from kibitz.rulebook.model.moves import *  # noqa: F403
from kibitz.rulebook.model.phrases import *  # noqa: F403
from kibitz.rulebook.model.rules import *  # noqa: F403
