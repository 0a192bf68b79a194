"""How sites, regions, numbers, players and directions are put into words."""

from __future__ import annotations

from kibitz.ludii.english.templates import phrases

_COMPASS = {
    "N": "north",
    "S": "south",
    "E": "east",
    "W": "west",
    "NE": "north-east",
    "NW": "north-west",
    "SE": "south-east",
    "SW": "south-west",
}
WORDS = {
    "player": {
        "Mover": "you",
        "Next": "the next player",
        "Prev": "the player before you",
        "P1": "P1",
        "P2": "P2",
        "P3": "P3",
        "P4": "P4",
        "All": "any player",
        "Each": "each player",
        "Player": "that player",
        "Neutral": "nobody",
        "Shared": "everybody",
        "NonMover": "an opponent",
    },
    "direction": {
        "Orthogonal": "orthogonally",
        "Diagonal": "diagonally",
        "Adjacent": "to a neighbour",
        "All": "in any direction",
        "Forward": "forward",
        "Forwards": "forward or diagonally forward",
        "Backward": "backward",
        "Backwards": "backward or diagonally backward",
        "Rightward": "to the right",
        "Leftward": "to the left",
        "FR": "forward to the right",
        "FL": "forward to the left",
        "BR": "backward to the right",
        "BL": "backward to the left",
        **_COMPASS,
    },
    "row": {str(number): str(number + 1) for number in range(20)},
    "column": {str(number): chr(ord("a") + number) for number in range(20)},
    "truth": {"True": "yes", "False": "no"},
    "side": _COMPASS,
}

_PLAYERS = (
    *phrases(
        "player",
        {
            "(mover)": "the player to move",
            "(next)": "the one who is next",
            "(who at:$s)": "the owner of what stands on {s:region1}",
        },
    ),
)

_DIRECTIONS = (
    *phrases(
        "direction",
        {
            "(directions $d of:All)": "in all ways {d:direction1}",
        },
    ),
    *phrases(
        "direction",
        {
            "(directions $*d)": "{d:direction1| or }",
        },
        compound=True,
    ),
)

_SITES = (
    *phrases(
        "region",
        {
            "(from)": "the place it leaves",
            "(to)": "the place it goes to",
            "(between)": "the place between",
            "(site)": "that place",
            "(last To)": "the place of the last move",
            "(last From)": "the place that the last move left",
            "(last To afterConsequence:True)": "the last place of the last move",
            "(handSite Mover)": "your hand",
            "(handSite $p)": "the hand of {p:player}",
            "(centrePoint)": "the centre",
            "(where $n Mover)": "the place of your {n:name}",
            "(where $n $p)": "the place of the {n:name} of {p:player}",
            "(where (id $n Mover))": "the place of your piece {n:name}",
            "(ahead $s $d)": "the place {d:side} of {s:region1}",
        },
    ),
    *phrases(
        "region",
        {
            "(ahead $s $d)": "the place ahead of {s:region1} {d:direction1}",
            "(ahead $s steps:$n $d)": "the place {n:number} steps from {s:region1} {d:direction1}",
            "(coord $n)": "{n:label}",
            "(mapEntry $p)": "the place that belongs to {p:player}",
            "(mapEntry $n $p)": "the place that the map “{n:name}” gives {p:player}",
        },
    ),
)

_REGIONS = (
    *phrases(
        "region",
        {
            "(sites Empty)": "the empty places",
            '(sites Occupied by:Enemy container:"Board")': "the places of enemies on the board",
            "(sites Occupied by:Enemy)": "the places of enemies",
            '(sites Occupied by:Mover container:"Board")': "the places of your pieces on the board",
            "(sites Occupied by:Mover container:(mover))": "the pieces in your hand",
            "(sites Player)": "the region of that player",
            "(sites Player $n)": "the region “{n:name}” of that player",
            "(sites Track $n)": "the track “{n:name}”",
            "(sites Group at:$s [$d])": "the group at {s:region1} [joined {d:direction1}]",
            "(sites LineOfSight Empty at:$s)": "the empty places seen from {s:region1}",
            "(sites Start (piece (what at:$s)))": "where pieces like that on {s:region1} start",
        },
    ),
    *phrases(
        "region",
        {
            "(expand origin:$s $d)": "{s:region1} and what is next to it {d:direction1}",
        },
        compound=True,
    ),
    *phrases(
        "region",
        {
            "(expand $r steps:$n $d)": (
                "what is within {n:number1} steps {d:direction1} of {r:region1}"
            ),
            "(expand origin:$s steps:$n)": "what is at most {n:number1} steps from {s:region1}",
            "(var)": "the remembered place",
            "(sites Board)": "the board",
            "(sites Top)": "the top row",
            "(sites Bottom)": "the bottom row",
            "(sites Left)": "the left side",
            "(sites Right)": "the right side",
            "(sites Centre)": "the central places",
            "(sites Corners)": "the corners",
            "(sites Inner)": "the inner places",
            "(sites Outer)": "the outer places",
            "(sites Perimeter)": "the edge of the board",
            "(sites Mover)": "your region",
            "(sites Mover $n)": "your region “{n:name}”",
            "(sites Next)": "the region of the next player",
            "(sites P1)": "the region of P1",
            "(sites P2)": "the region of P2",
            "(sites P1 $n)": "the region “{n:name}” of P1",
            "(sites P2 $n)": "the region “{n:name}” of P2",
            "(sites $n)": "the region “{n:name}”",
            "(sites Side $d)": "the {d:side} side",
            "(sites Row $n)": "row {n:row}",
            "(sites Column $n)": "column {n:column}",
            "(sites Phase $n)": "the places of colour {n:number}",
            "(sites Occupied by:Mover)": "the places of your pieces",
            "(sites Occupied by:All)": "the places of all pieces",
            "(sites Occupied by:$p)": "the places of the pieces of {p:player}",
            "(sites Occupied by:Mover component:$n)": (
                "the places of your pieces of the kind {n:name}"
            ),
            "(sites Occupied by:$p component:$n)": (
                "the places of the pieces of {p:player} of the kind {n:name}"
            ),
            "(sites Around $s)": "the places around {s:region1}",
            "(sites Around $s $d)": "the places around {s:region1} {d:direction1}",
            "(sites Around $s if:$c)": (
                "the places around {s:region1} of which it is true that {c:condition1}"
            ),
            "(sites Around $s $d if:$c)": (
                "the places around {s:region1} {d:direction1} of which it is true that "
                "{c:condition1}"
            ),
            "(sites Hand Mover)": "all of your hand",
            "(sites Hand $p)": "all of the hand of {p:player}",
        },
    ),
    *phrases(
        "region",
        {
            "(sites {$*x})": "{x:label|, }",
        },
        compound=True,
    ),
    *phrases(
        "region",
        {
            "(sites {$x})": "the one place {x:label}",
            "(sites Around $s Own [$d])": (
                "the places of your pieces around {s:region1} [{d:direction1}]"
            ),
            "(sites Around $s Enemy [$d])": (
                "the places of enemies around {s:region1} [{d:direction1}]"
            ),
            "(sites Around $s Empty [$d])": "the empty places around {s:region1} [{d:direction1}]",
            "(sites Around $s NotEmpty [$d])": (
                "the occupied places around {s:region1} [{d:direction1}]"
            ),
            "(sites Around $s includeSelf:True)": "the places around {s:region1}, itself included,",
            "(sites Direction from:$s $d)": "the places {d:direction1} of {s:region1}",
            "(sites LineOfSight at:$s $d)": "the places seen {d:direction1} from {s:region1}",
            "(sites LineOfSight at:$s)": "the places seen from {s:region1}",
            "(sites LineOfSight Farthest at:$s)": "the farthest empty places seen from {s:region1}",
            "(sites Track)": "the track",
            "(sites Pending)": "the places that the last move asks for",
            "(sites ToClear)": "the places of pieces that are to be removed",
            "(sites To $m)": "the places to which one can {m:move1}",
            "(sites From $m)": "the places from which one can {m:move1}",
        },
    ),
    *phrases(
        "region",
        {
            "(expand $r)": "{r:region1} and what is next to it",
            "(expand origin:$s)": "{s:region1} and the places next to it",
        },
        compound=True,
    ),
    *phrases(
        "region",
        {
            "(expand $r steps:$n)": "what is within {n:number} steps of {r:region1}",
        },
    ),
    *phrases(
        "region",
        {
            "(union $*r)": "{r:region1| or }",
            "(intersection $*r)": "what {r:region1| and } have in common",
            "(difference $a $b)": "{a:region1} except {b:region1}",
        },
        compound=True,
    ),
    *phrases(
        "region",
        {
            "(forEach $r if:$c)": "those of {r:region1} where {c:condition1}",
        },
    ),
)

_NUMBERS = (
    *phrases(
        "number",
        {
            "(count Pieces Mover)": "the number of your pieces",
            "(count Pieces $p)": "the number of pieces of {p:player}",
            "(count Pieces $p $n)": "the number of pieces “{n:name}” of {p:player}",
            "(count Pieces Mover $n)": "the number of your pieces “{n:name}”",
            "(count Pieces Mover in:$r)": "the number of your pieces in {r:region1}",
            "(count Pieces $p in:$r)": "the number of pieces of {p:player} in {r:region1}",
            "(count Sites in:$r)": "the number of places among {r:region1}",
            "(count Groups [$d] if:(= (who at:(to)) Mover))": (
                "the number of your groups [{d:direction1}]"
            ),
            "(count Groups [$d] if:(= (who at:(to)) $p))": (
                "the number of groups [{d:direction1}] of {p:player}"
            ),
            "(size Territory $p)": "the size of the territory of {p:player}",
            "(count Moves)": "the number of moves made",
            "(count Turns)": "the number of turns",
            "(count MovesThisTurn)": "the number of moves of this turn",
            "(count in:$r)": "the number of pieces on all of {r:region1}",
            "(count at:$s)": "the number of pieces on {s:region1}",
            "(count Cell at:$s)": "the count on {s:region1}",
            "(count Groups $d)": "the number of groups {d:direction}",
            "(count Liberties $d)": "the number of liberties {d:direction}",
            "(size Group at:$s)": "the size of the group at {s:region1}",
            "(size Group at:$s $d)": "the size of the group at {s:region1} joined {d:direction1}",
            "(score $p)": "the score of {p:player}",
            "(score Mover)": "your score",
            "(counter)": "the counter",
            "(var $n)": "the variable “{n:name}”",
            "(state at:$s)": "the state of the piece on {s:region1}",
            "(value Piece at:$s)": "the value of the piece on {s:region1}",
            "(what at:$s)": "what stands on {s:region1}",
            "(id $n)": "the piece {n:name}",
            "(id $n Mover)": "your piece {n:name}",
            "(id $n $p)": "the piece {n:name} of {p:player}",
            "(mover)": "the number of the player to move",
            "(next)": "the number of the next player",
            "(who at:$s)": "the owner of what stands on {s:region1}",
        },
    ),
    *phrases(
        "number",
        {
            "(+ $*n)": "{n:number1| plus }",
            "(- $a $b)": "{a:number1} minus {b:number1}",
            "(* $a $b)": "{a:number1} times {b:number1}",
            "(/ $a $b)": "{a:number1} divided by {b:number1}",
            "(% $a $b)": "the remainder of {a:number1} by {b:number1}",
        },
        compound=True,
    ),
)

PLACES = (*_PLAYERS, *_DIRECTIONS, *_SITES, *_REGIONS, *_NUMBERS)
