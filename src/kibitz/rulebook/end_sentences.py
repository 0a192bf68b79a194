"""How ends, their conditions and results are spelled."""

from __future__ import annotations

from kibitz.rulebook import model as m
from kibitz.rulebook.grammar import Pattern
from kibitz.rulebook.model import OPPONENT, YOU

P = Pattern

_AT_LEAST = {"how": "least"}
_SCORES = ("is worth", "scores", "gives")

CONDITIONS = (
    P(
        "condition",
        "{owner:owner} have^ {count:number} in {ways:ways}",
        m.Line,
        {"kind": "piece"},
        also=(
            "{owner:owner} get {count:number} in {ways:ways}",
            "{owner:owner} make {count:number} in {ways:ways}",
            "{owner:owner} complete {count:number} in {ways:ways}",
            ("{owner:owner} have a line of {count:number}", {"ways": "line"}),
            ("{owner:owner} get a line of {count:number}", {"ways": "line"}),
            ("{owner:owner} make a line of {count:number}", {"ways": "line"}),
            ("{owner:owner} complete a line of {count:number}", {"ways": "line"}),
        ),
    ),
    P(
        "condition",
        "{owner:owner} have^ {count:number} {kind:named} in {ways:ways}",
        m.Line,
        also=(
            "{owner:owner} get {count:number} {kind:named} in {ways:ways}",
            "{owner:owner} have {count:number} of your {kind:named} in {ways:ways}",
            ("{count:number} of your {kind:named} are in {ways:ways}", {"owner": YOU}),
            ("{owner:owner} have a line of {count:number} {kind:named}", {"ways": "line"}),
        ),
    ),
    P(
        "condition",
        "there are {count:number} {kind:kinds} in {ways:ways}",
        m.LineThere,
        also=(
            "{count:number} {kind:kinds} are in {ways:ways}",
            ("there is a line of {count:number} {kind:kinds}", {"ways": "line"}),
        ),
    ),
    P(
        "condition",
        "{owner:owner} have^ {count:number} cells that add up to {total:size}",
        m.Sum,
        also=(
            "{owner:owner} have {count:number} numbers that add up to {total:size}",
            ("{count:number} cells of yours add up to {total:size}", {"owner": YOU}),
        ),
    ),
    P(
        "condition",
        "{owner:owner} have^ a {kind:kind} on {region:region}",
        m.Stands,
        also=(
            "{owner:owner} have a {kind:kind} in {region:region}",
            ("a {kind:kind} of yours reaches {region:region}", {"owner": YOU}),
            ("one of your {kind:kinds} reaches {region:region}", {"owner": YOU}),
            ("your {kind:kind} reaches {region:region}", {"owner": YOU}),
            ("{owner:owner} reach {region:region}", {"kind": "piece"}),
        ),
    ),
    P(
        "condition",
        "{owner:owner} have^ all {kind:kinds} on {region:region}",
        m.AllOn,
        also=(
            "{owner:owner} have all your {kind:kinds} on {region:region}",
            "{owner:owner} have all {kind:kinds} in {region:region}",
            ("all your {kind:kinds} are on {region:region}", {"owner": YOU}),
            ("all your {kind:kinds} are in {region:region}", {"owner": YOU}),
            ("your {kind:kinds} are all on {region:region}", {"owner": YOU}),
            ("all your {kind:kinds} reach {region:region}", {"owner": YOU}),
            ("all your {kind:kinds} have reached {region:region}", {"owner": YOU}),
            ("{owner:owner} bring all your {kind:kinds} to {region:region}", {}),
            ("{owner:owner} get all your {kind:kinds} to {region:region}", {}),
        ),
    ),
    P(
        "condition",
        "{owner:owner} have^ {how:atmost} {count:number} {kind:kinds} on {region:region}",
        m.CountOn,
        also=(
            ("{owner:owner} have {count:number} {kind:kinds} on {region:region}", _AT_LEAST),
            (
                "{owner:owner} have {count:number} of your {kind:kinds} on {region:region}",
                _AT_LEAST,
            ),
            (
                "{count:number} of your {kind:kinds} are on {region:region}",
                {**_AT_LEAST, "owner": YOU},
            ),
            (
                "{count:number} of your {kind:kinds} reach {region:region}",
                {**_AT_LEAST, "owner": YOU},
            ),
        ),
    ),
    P(
        "condition",
        "{owner:owner} connect^ {sides:sides}",
        m.Connected,
        also=(("your pieces connect {sides:sides}", {"owner": YOU}),),
    ),
    P(
        "condition",
        "{owner:owner} have^ no {kind:kind} left",
        m.NoPiece,
        also=(
            "{owner:owner} have no {kind:kind}",
            "{owner:owner} have lost all {kind:kinds}",
            ("you capture all {kind:kinds} of your opponent", {"owner": OPPONENT}),
            ("you capture all your opponent 's {kind:kinds}", {"owner": OPPONENT}),
            ("you capture the {kind:kind} of your opponent", {"owner": OPPONENT}),
            ("your {kind:kind} is captured", {"owner": YOU}),
            ("your opponent 's {kind:kind} is captured", {"owner": OPPONENT}),
            ("you lose your {kind:kind}", {"owner": YOU}),
            ("you lose all your {kind:kinds}", {"owner": YOU}),
            ("you capture your opponent 's {kind:kind}", {"owner": OPPONENT}),
            ("{owner:owner} is captured", {"kind": "piece"}),
        ),
    ),
    P(
        "condition",
        "{owner:owner} have^ {how:atmost} {count:number} {kind:kinds}",
        m.Count,
        also=(
            ("{owner:owner} have only {count:number} {kind:kinds} left", {"how": "exactly"}),
            ("{owner:owner} have {count:number} {kind:kinds}", {"how": "least"}),
            ("{owner:owner} reach {count:number} {kind:kinds}", {"how": "least"}),
            ("{owner:owner} get {count:number} {kind:kinds}", {"how": "least"}),
            ("{owner:owner} score {count:number} {kind:kinds}", {"how": "least"}),
        ),
    ),
    P(
        "condition",
        "there are {how:atmost} {count:number} {kind:kinds} left",
        m.CountThere,
        also=(
            "there are {how:atmost} {count:number} {kind:kinds}",
            ("there are {count:number} {kind:kinds} left", {"how": "exactly"}),
            ("there are only {count:number} {kind:kinds} left", {"how": "exactly"}),
            ("only {count:number} {kind:kinds} are left", {"how": "exactly"}),
            ("{count:number} {kind:kinds} are left", {"how": "exactly"}),
        ),
    ),
    P(
        "condition",
        "the position is the same as {turns:number} turns ago",
        m.Repeated,
        also=(
            "the position of {turns:number} turns ago comes back",
            "the position of {turns:number} moves ago comes back",
            "the position is the same as {turns:number} moves ago",
        ),
    ),
    P(
        "condition",
        "the position was there in the last {turns:number} turns",
        m.SeenBefore,
        also=(
            "the position is one of the last {turns:number} turns",
            "a position of the last {turns:number} turns comes back",
            "a position of the last {turns:number} moves comes back",
            "a position of the last {turns:number} turns is repeated",
        ),
    ),
    P(
        "condition",
        "{owner:owner} cannot move",
        m.CannotMove,
        also=(
            "{owner:owner} have no move",
            "{owner:owner} can not move",
            "{owner:owner} have no legal move",
            "{owner:owner} are stuck",
            "{owner:owner} are blocked",
            "{owner:owner} have no moves left",
        ),
    ),
    P(
        "condition",
        "nobody can move",
        m.NobodyCanMove,
        also=(
            "no player can move",
            "neither player can move",
            "no one can move",
            "nobody has a move",
            "both players are stuck",
        ),
    ),
    P(
        "condition",
        "{owner:owner} made the last move",
        m.MovedLast,
        also=("{owner:owner} moved last", "{owner:owner} just moved"),
    ),
    P(
        "condition",
        "the board is full",
        m.BoardFull,
        also=(
            "no cell is empty",
            "the board fills up",
            "there is no empty cell",
            "there is no empty cell left",
            "no empty cell is left",
            "all cells are taken",
            "all cells are full",
        ),
    ),
    P(
        "condition",
        "nothing is left",
        m.BoardEmpty,
        also=(
            "the board is empty",
            "all piles are empty",
            "no counters are left",
            "nothing remains",
            "all lights are off",
            "every light is off",
            "no light is on",
        ),
    ),
    P(
        "condition",
        "{count:number} turns have been played",
        m.TurnsPlayed,
        also=(
            "{count:number} turns are over",
            "{count:number} rounds are over",
            "{count:number} turns have passed",
            "{count:number} moves have been played",
        ),
    ),
    P(
        "condition",
        "your choice beats your opponent 's choice",
        m.Choice,
        also=("you beat your opponent", "your choice beats your opponent 's"),
    ),
)

_IF = "{conditions:condition+}"
_STUCK = {"player": YOU, "conditions": (m.CannotMove(YOU),)}
_LAST = {"player": YOU, "conditions": (m.BoardEmpty(), m.MovedLast(YOU))}

ENDS = (
    P(
        "sentence",
        "{player:who} win^ if " + _IF,
        m.End,
        {"result": "wins"},
        also=(
            "if " + _IF + ", {player:who} win^",
            "{player:who} win^ when " + _IF,
            ("you win if you take the last counter", _LAST),
            ("you win if you take the last piece", _LAST),
        ),
    ),
    P(
        "sentence",
        "{player:who} lose^ if " + _IF,
        m.End,
        {"result": "loses"},
        also=(
            "if " + _IF + ", {player:who} lose^",
            "{player:who} lose^ when " + _IF,
            ("whoever cannot move loses", _STUCK),
            ("a player who cannot move loses", _STUCK),
            ("the player who cannot move loses", _STUCK),
            ("you lose if you take the last counter", _LAST),
            ("you lose if you take the last piece", _LAST),
        ),
    ),
    P(
        "sentence",
        "the game is a draw if " + _IF,
        m.End,
        {"result": "draws", "player": YOU},
        also=(
            "if " + _IF + ", the game is a draw",
            "if " + _IF + ", it is a draw",
            "it is a draw if " + _IF,
            "the game is drawn if " + _IF,
        ),
    ),
    P(
        "sentence",
        "if " + _IF + ", whoever has {how:how} {noun:kinds} wins",
        m.Most,
        also=(
            "if " + _IF + ", the player with {how:how} {noun:kinds} wins",
            "the game ends when " + _IF + ", and whoever has {how:how} {noun:kinds} wins",
            "the game ends when " + _IF + ", and the player with {how:how} {noun:kinds} wins",
            "the game ends if " + _IF + ", and the player with {how:how} {noun:kinds} wins",
            "if " + _IF + ", the game ends and whoever has {how:how} {noun:kinds} wins",
            "the game ends if " + _IF + ", and whoever has {how:how} {noun:kinds} wins",
        ),
    ),
    P(
        "sentence",
        "the game ends if " + _IF,
        m.GameEnds,
        also=("the game ends when " + _IF, "if " + _IF + ", the game ends"),
    ),
    P(
        "sentence",
        "whoever has {how:how} {noun:kinds} wins",
        m.Leader,
        also=(
            "whoever has {how:how} {noun:kinds} at the end wins",
            "whoever then has {how:how} {noun:kinds} wins",
            "the player with {how:how} {noun:kinds} wins",
            "the player with {how:how} {noun:kinds} at the end wins",
            "the player who has {how:how} {noun:kinds} wins",
            "you win if you have {how:how} {noun:kinds} at the end",
            "you win if you have {how:how} {noun:kinds} than your opponent",
        ),
    ),
    P(
        "sentence",
        "{player:who} get^ {points:size} points if " + _IF,
        m.Graded,
        also=("if " + _IF + ", {player:who} get^ {points:size} points",),
    ),
    P(
        "sentence",
        "your result is the number of your {noun:kinds}",
        m.Result,
        also=(
            "each player 's result is the number of {noun:kinds}",
            "each {noun:kind} at the end counts one",
            "your score is the number of your {noun:kinds}",
        ),
    ),
    P(
        "sentence",
        "every other {kind:kind} of yours is worth {points:number} points",
        m.Worth,
        {"region": m.Others()},
        also=tuple(
            f"{which} other {{kind:kind}} {verb} {{points:number}} points"
            for which in ("every", "each", "any")
            for verb in _SCORES
        ),
    ),
    P(
        "sentence",
        "each {kind:kind} of yours is worth {points:number} points",
        m.Worth,
        also=(
            "a {kind:kind} is worth {points:number} points",
            "each {kind:kind} is worth {points:number} points",
            "a {kind:kind} scores {points:number} points",
            "each {kind:kind} scores {points:number} points",
            "each of your {kind:kinds} is worth {points:number} points",
            "each {kind:kind} gives {points:number} points",
        ),
    ),
    P(
        "sentence",
        "each {kind:kind} of yours on {region:region} is worth {points:number} points",
        m.Worth,
        also=tuple(
            f"{which} {{kind:kind}} {where} {{region:region}} {verb} {{points:number}} points"
            for which in ("a", "each", "your")
            for where in ("on", "in")
            for verb in _SCORES
        ),
    ),
    P(
        "sentence",
        "a {kind:kind} that reaches {region:region} is worth {points:number} points",
        m.ArrivalWorth,
        also=(
            "a {kind:kind} that reaches {region:region} scores {points:number} points",
            "a {kind:kind} that reaches {region:region} gives {points:number} points",
            "reaching {region:region} with a {kind:kind} scores {points:number} points",
            "you get {points:number} points for each {kind:kind} that reaches {region:region}",
            ("reaching {region:region} scores {points:number} points", {"kind": "piece"}),
        ),
    ),
    P(
        "sentence",
        "{count:number} {kind:kinds} of yours in {ways:ways} are worth {points:number} points",
        m.LineWorth,
        also=(
            *(
                f"{{count:number}} {{kind:kinds}} in {{ways:ways}} {verb} {{points:number}} points"
                for verb in _SCORES
            ),
            *(
                (f"{which} line of {{count:number}} {own} {verb} {{points:number}} points", line)
                for which in ("a", "each", "every")
                for own, line in (
                    ("{kind:kinds}", {"ways": "line"}),
                    ("{kind:kinds} of yours", {"ways": "line"}),
                    ("[of] your {kind:kinds}", {"ways": "line"}),
                    ("", {"ways": "line", "kind": "piece"}),
                )
                for verb in _SCORES
            ),
        ),
    ),
    P(
        "sentence",
        "capturing a {kind:kind} is worth {points:number} points",
        m.CaptureWorth,
        also=(
            "a captured {kind:kind} is worth {points:number} points",
            "each captured {kind:kind} is worth {points:number} points",
            "capturing a {kind:kind} gives {points:number} points",
            "capturing a {kind:kind} scores {points:number} points",
            "you get {points:number} points for each {kind:kind} that you capture",
            "you get {points:number} points for each {kind:kind} you capture",
            "you score {points:number} points for each {kind:kind} you capture",
            "you get {points:number} points for capturing a {kind:kind}",
            "a captured {kind:kind} scores {points:number} points",
            "each captured {kind:kind} scores {points:number} points",
        ),
    ),
    P("sentence", "if {choices:picks+}, {points:gets+}", m.Payoff),
    P(
        "sentence",
        "if all players choose {choice:word}, each gets {points:size} points",
        m.SamePayoff,
        also=(
            "if both players choose {choice:word}, each gets {points:size} points",
            "if both choose {choice:word}, each gets {points:size} points",
            "if both {choice:word}, each gets {points:size} points",
            "if all players choose {choice:word}, everyone gets {points:size} points",
        ),
    ),
    P(
        "picks",
        "{player:player} chooses {choice:word}",
        m.Picks,
        also=("{player:player} {choice:verb}",),
    ),
    P(
        "gets",
        "{player:player} gets {points:size} points",
        m.Gets,
        also=("{player:player} gets {points:size}",),
    ),
)
