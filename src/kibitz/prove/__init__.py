"""Prove the value of one position of a game too large to list: a Proof for a Game and a State."""

from typing import TYPE_CHECKING

from kibitz.lazy import lazy_exports

if TYPE_CHECKING:
    from kibitz.prove.analysis import (
        Analyser as Analyser,
        Analysis as Analysis,
        MoveAnalysis as MoveAnalysis,
        best_within as best_within,
        known_moves as known_moves,
        value_of as value_of,
    )
    from kibitz.prove.book import Book as Book, book_of as book_of, write_book as write_book
    from kibitz.prove.certificate import (
        CheckedCertificate as CheckedCertificate,
        Regenerated as Regenerated,
        certificate_of as certificate_of,
        check_certificate as check_certificate,
        read_certificate as read_certificate,
        regenerate as regenerate,
    )
    from kibitz.prove.endings import (
        Endings as Endings,
        Material as Material,
        endings_below as endings_below,
        endings_of as endings_of,
        endings_with_men as endings_with_men,
        material_of as material_of,
    )
    from kibitz.prove.forced_wins import (
        ForcedWins as ForcedWins,
        Plies as Plies,
        plies_to_win as plies_to_win,
        with_plies as with_plies,
    )
    from kibitz.prove.proof import Proof as Proof, mover_of as mover_of
    from kibitz.prove.reference import reference_value as reference_value
    from kibitz.prove.search import (
        ProofProgress as ProofProgress,
        Prover as Prover,
        Spending as Spending,
        prove as prove,
        takes_turns as takes_turns,
        warm_up as warm_up,
    )
    from kibitz.prove.searched import SearchedValues as SearchedValues
    from kibitz.prove.table import PositionTable as PositionTable

__getattr__ = lazy_exports(__name__)
