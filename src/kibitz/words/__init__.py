"""Rules and games in, plain English out, made of phrases that can be read back.

=========== ====================================================================
module      holds
=========== ====================================================================
places      words for cells: what they are called, their kinds, how they lie
scene       words for all fluents and moves of a game, as one role sees them
verbs       words for moves; owners: whose pieces are
formulas    words for what a move leads to
turning     what a symmetry does to the boards
phrases     the tree of a sentence, and its text
saying      a rule as a Sentence
meaning     a Sentence as the rules it can mean
reading     a text as a Sentence
spots       rules with variables, and what they stand for
naming      words for places with variables in them: *another heap*, *the cell above it*
speech      words for any formula; hearing: the inverse
lifting     the ways to put variables into an instance of a rule
lifted      a rule with variables as a few sentences, and back
story       the rules of a game in a few sentences
effects     what moves leave behind
results     who wins and when play ends
endings     what the gates of an end or a goal say; expanding: gates multiplied out
patterns    what wins: lines, triangles, sets of cells
beside      the files beside a rule sheet, used in one place
lexicon     a file beside a rule sheet that changes words
=========== ====================================================================
"""

from kibitz.words.lexicon import Lexicon, lexicon_file, read_lexicon
from kibitz.words.lifted import instances_of, pictured, read_instances, say_rule, sentences
from kibitz.words.meaning import meaning
from kibitz.words.phrases import PlainRule, Sentence, join_words
from kibitz.words.reading import read_back
from kibitz.words.saying import plain_rule, say, say_move
from kibitz.words.scene import Scene, scene_of, use_lexicon

__all__ = [
    "Lexicon",
    "PlainRule",
    "Scene",
    "Sentence",
    "instances_of",
    "join_words",
    "lexicon_file",
    "meaning",
    "pictured",
    "plain_rule",
    "read_back",
    "read_instances",
    "read_lexicon",
    "say",
    "say_move",
    "say_rule",
    "scene_of",
    "sentences",
    "use_lexicon",
]
