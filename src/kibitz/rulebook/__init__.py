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
    from kibitz.rulebook.model.boards import (
        Begins as Begins,
        Belongs as Belongs,
        Grid as Grid,
        Hand as Hand,
        Join as Join,
        Missing as Missing,
        MovesPerTurn as MovesPerTurn,
        Neighbours as Neighbours,
        Piles as Piles,
        Pits as Pits,
        Players as Players,
        Points as Points,
        Ring as Ring,
        Rounds as Rounds,
        Row as Row,
        Simultaneous as Simultaneous,
        Start as Start,
        Stock as Stock,
        Store as Store,
        Title as Title,
    )
    from kibitz.rulebook.model.ends import (
        AllOn as AllOn,
        ArrivalWorth as ArrivalWorth,
        BoardEmpty as BoardEmpty,
        BoardFull as BoardFull,
        CannotMove as CannotMove,
        CaptureWorth as CaptureWorth,
        Choice as Choice,
        Condition as Condition,
        Connected as Connected,
        Count as Count,
        CountOn as CountOn,
        CountThere as CountThere,
        End as End,
        GameEnds as GameEnds,
        Gets as Gets,
        Graded as Graded,
        Leader as Leader,
        Line as Line,
        LineThere as LineThere,
        LineWorth as LineWorth,
        Most as Most,
        MovedLast as MovedLast,
        NobodyCanMove as NobodyCanMove,
        NoPiece as NoPiece,
        Payoff as Payoff,
        Picks as Picks,
        Repeated as Repeated,
        Result as Result,
        SamePayoff as SamePayoff,
        SeenBefore as SeenBefore,
        Stands as Stands,
        Sum as Sum,
        TurnsPlayed as TurnsPlayed,
        Worth as Worth,
    )
    from kibitz.rulebook.model.moves import (
        Beats as Beats,
        Bite as Bite,
        Choose as Choose,
        Clash as Clash,
        Domino as Domino,
        DoubleStep as DoubleStep,
        Drop as Drop,
        Enclose as Enclose,
        Flip as Flip,
        Gain as Gain,
        Jump as Jump,
        JumpAgain as JumpAgain,
        JumpsInMove as JumpsInMove,
        LayDomino as LayDomino,
        Leave as Leave,
        Move as Move,
        MoveCaptures as MoveCaptures,
        MoveRule as MoveRule,
        MustCapture as MustCapture,
        MustTurnOver as MustTurnOver,
        NoneInHand as NoneInHand,
        Pass as Pass,
        PassIfStuck as PassIfStuck,
        Promotion as Promotion,
        Push as Push,
        Put as Put,
        PutLow as PutLow,
        Remove as Remove,
        RemovePair as RemovePair,
        Score as Score,
        Slide as Slide,
        Sow as Sow,
        Step as Step,
        Swap as Swap,
        Switch as Switch,
        Take as Take,
        TakeEach as TakeEach,
        Trail as Trail,
        TurnOver as TurnOver,
    )
    from kibitz.rulebook.model.phrases import (
        ANYONE as ANYONE,
        EACH as EACH,
        OPPONENT as OPPONENT,
        YOU as YOU,
        Cells as Cells,
        Centre as Centre,
        Columns as Columns,
        Corners as Corners,
        Edge as Edge,
        Empty as Empty,
        Every as Every,
        FarRow as FarRow,
        HomeRow as HomeRow,
        HomeRows as HomeRows,
        Name as Name,
        Near as Near,
        NthRow as NthRow,
        Others as Others,
        Region as Region,
        Rows as Rows,
        Sentence as Sentence,
        Side as Side,
        Statement as Statement,
        TheirStart as TheirStart,
        Whose as Whose,
    )
    from kibitz.rulebook.model.rules import (
        BOARDS as BOARDS,
        Rules as Rules,
    )
    from kibitz.rulebook.parts import (
        PARTS as PARTS,
        Part as Part,
        SentencePart as SentencePart,
        parts_of as parts_of,
        sentences_to_add as sentences_to_add,
    )
    from kibitz.rulebook.reader import (
        Reading as Reading,
        looks_english as looks_english,
        read_sentences as read_sentences,
    )
    from kibitz.rulebook.reference import write_reference as write_reference
    from kibitz.rulebook.rulebook import (
        as_gdl as as_gdl,
        gdl_of as gdl_of,
        is_english as is_english,
        rulebook_gdl as rulebook_gdl,
        sentences_above as sentences_above,
        write_rulebook as write_rulebook,
    )
    from kibitz.rulebook.statements.forms import (
        Form as Form,
        letter_of as letter_of,
        write_term as write_term,
    )
    from kibitz.rulebook.statements.sections import (
        before_letters as before_letters,
        sections_of as sections_of,
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
    from kibitz.rulebook.translation.translator import Translation as Translation

__getattr__ = lazy_exports(__name__)
