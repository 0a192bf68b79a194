"""Rules of board games in plain English in, typed Rules and GDL out, and back.

>>> from kibitz.rulebook import read_sentences, write_rulebook
>>> print(write_rulebook(read_sentences("Size: 3 by 3. Anna and Bert take turns.").rules))
The board is a grid of 3 columns and 3 rows.
Players: Anna and Bert.
"""

from typing import TYPE_CHECKING

from kibitz.lazy import lazy_exports

if TYPE_CHECKING:
    from kibitz.rulebook.grammar import RESERVED as RESERVED
    from kibitz.rulebook.model import (
        ANYONE as ANYONE,
        BOARDS as BOARDS,
        OPPONENT as OPPONENT,
        YOU as YOU,
        Beats as Beats,
        Begins as Begins,
        Belongs as Belongs,
        Bite as Bite,
        BoardEmpty as BoardEmpty,
        BoardFull as BoardFull,
        CannotMove as CannotMove,
        Cells as Cells,
        Choice as Choice,
        Choose as Choose,
        Clash as Clash,
        Columns as Columns,
        Condition as Condition,
        Connected as Connected,
        Corners as Corners,
        Count as Count,
        Domino as Domino,
        DoubleStep as DoubleStep,
        Drop as Drop,
        Edge as Edge,
        Empty as Empty,
        Enclose as Enclose,
        End as End,
        Every as Every,
        FarRow as FarRow,
        Flip as Flip,
        Gain as Gain,
        Gets as Gets,
        Grid as Grid,
        Hand as Hand,
        HomeRow as HomeRow,
        HomeRows as HomeRows,
        Join as Join,
        Jump as Jump,
        LayDomino as LayDomino,
        Leave as Leave,
        Line as Line,
        LineThere as LineThere,
        Missing as Missing,
        Most as Most,
        Move as Move,
        MovedLast as MovedLast,
        MoveRule as MoveRule,
        MovesPerTurn as MovesPerTurn,
        MustCapture as MustCapture,
        MustTurnOver as MustTurnOver,
        Name as Name,
        Near as Near,
        Neighbours as Neighbours,
        NobodyCanMove as NobodyCanMove,
        NoneInHand as NoneInHand,
        NoPiece as NoPiece,
        Pass as Pass,
        PassIfStuck as PassIfStuck,
        Payoff as Payoff,
        Picks as Picks,
        Piles as Piles,
        Pits as Pits,
        Players as Players,
        Points as Points,
        Promotion as Promotion,
        Push as Push,
        Put as Put,
        PutLow as PutLow,
        Region as Region,
        Remove as Remove,
        RemovePair as RemovePair,
        Repeated as Repeated,
        Ring as Ring,
        Rounds as Rounds,
        Row as Row,
        Rows as Rows,
        Rules as Rules,
        SamePayoff as SamePayoff,
        Score as Score,
        Sentence as Sentence,
        Simultaneous as Simultaneous,
        Slide as Slide,
        Sow as Sow,
        Stands as Stands,
        Start as Start,
        Statement as Statement,
        Step as Step,
        Stock as Stock,
        Store as Store,
        Sum as Sum,
        Swap as Swap,
        Switch as Switch,
        Take as Take,
        TakeEach as TakeEach,
        Title as Title,
        TurnOver as TurnOver,
        TurnsPlayed as TurnsPlayed,
        Whose as Whose,
    )
    from kibitz.rulebook.parts import (
        PARTS as PARTS,
        Part as Part,
        SentencePart as SentencePart,
        parts_of as parts_of,
        sentences_to_add as sentences_to_add,
    )
    from kibitz.rulebook.reader import Reading as Reading, read_sentences as read_sentences
    from kibitz.rulebook.reference import write_reference as write_reference
    from kibitz.rulebook.rulebook import (
        as_gdl as as_gdl,
        gdl_of as gdl_of,
        is_english as is_english,
        rulebook_gdl as rulebook_gdl,
        write_rulebook as write_rulebook,
    )
    from kibitz.rulebook.statements.forms import (
        Form as Form,
        letter_of as letter_of,
        write_term as write_term,
    )
    from kibitz.rulebook.templates import (
        TEMPLATES as TEMPLATES,
        Template as Template,
        write_template as write_template,
    )
    from kibitz.rulebook.translation.geometry import (
        Geometry as Geometry,
        geometry_of as geometry_of,
    )

__getattr__ = lazy_exports(__name__)
