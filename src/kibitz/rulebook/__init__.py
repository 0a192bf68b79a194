"""Rules of board games in plain English in, typed Rules and GDL out, and back.

>>> from kibitz.rulebook import read_sentences, write_rulebook
>>> print(write_rulebook(read_sentences("Size: 3 by 3. Anna and Bert take turns.").rules))
The board is a grid of 3 columns and 3 rows.
Players: Anna and Bert.
"""

from typing import TYPE_CHECKING

from kibitz.lazy import lazy_exports

if TYPE_CHECKING:
    from kibitz.rulebook.model import Rules as Rules
    from kibitz.rulebook.reader import Reading as Reading, read_sentences as read_sentences
    from kibitz.rulebook.rulebook import (
        as_gdl as as_gdl,
        gdl_of as gdl_of,
        is_english as is_english,
        rulebook_gdl as rulebook_gdl,
        write_rulebook as write_rulebook,
    )

__getattr__ = lazy_exports(__name__)
