"""How conditions, moves, effects and results are put into words."""

from __future__ import annotations

from kibitz.ludii.english.templates import phrases

_CONDITIONS = (
    *phrases(
        "condition",
        {
            "(is Empty $s)": "{s:region1} is empty",
            "(not (is Empty $s))": "{s:region1} is not empty",
            "(is Occupied $s)": "{s:region1} is occupied",
            "(is Enemy (who at:$s))": "an enemy stands on {s:region1}",
            "(not (is Enemy (who at:$s)))": "no enemy stands on {s:region1}",
            "(is Friend (who at:$s))": "a piece of yours stands on {s:region1}",
            "(not (is Friend (who at:$s)))": "no piece of yours stands on {s:region1}",
            "(is Mover (who at:$s))": "what stands on {s:region1} is yours",
            "(is Next (who at:$s))": "what stands on {s:region1} is the next player's",
            "(is In $s $r)": "{s:region1} is in {r:region1}",
            "(not (is In $s $r))": "{s:region1} is not in {r:region1}",
            "(is Prev Mover)": "you also made the move before",
            "(not (is Prev Mover))": "you did not make the move before",
            "(is Next $p)": "{p:player} is next",
            "(is Mover $p)": "{p:player} is to move",
            "(is Line $n)": "the last move makes a line of {n:number}",
            "(is Line $n $d)": "the last move makes a line of {n:number} {d:direction1}",
            "(is Line $n [$d] Any)": (
                "the last move makes a line of {n:number} [{d:direction1}] of any owner"
            ),
            "(is Line $n [$d] through:$s)": (
                "there is a line of {n:number} [{d:direction1}] through {s:region1}"
            ),
            "(not (is Line $n [$d] through:$s))": (
                "there is no line of {n:number} [{d:direction1}] through {s:region1}"
            ),
            "(is Line $n [$d] if:$c)": (
                "the last move makes a line of {n:number} [{d:direction1}] of places of "
                "which it is true that {c:condition1}"
            ),
            "(is Line $n [$d] exact:True)": (
                "the last move makes a line of exactly {n:number} [{d:direction1}]"
            ),
            "(is Line $n [$d] contiguous:False)": (
                "{n:number} pieces like that of the last move are on one line with it "
                "[{d:direction1}]"
            ),
            "(is Within (id $n) in:$r)": "a {n:name} is within {r:region1}",
            "(is Within (id $n $p) in:$r)": "a {n:name} of {p:player} is within {r:region1}",
            "(is Blocked $p)": "{p:player} can no longer connect anything",
            "(is Related Adjacent $a $b)": "{a:region1} is next to {b:region1}",
            "(all Different $r if:$c)": (
                "the pieces on {r:region1} are all different, where {c:condition1}"
            ),
            "(is Connected Mover)": "your pieces connect your sides",
            "(is Connected $p)": "the pieces of {p:player} connect their sides",
            "(is Connected $r Mover)": "your pieces connect {r:region1}",
            "(is Connected $d Mover)": "your pieces connect your sides {d:direction1}",
            "(is Connected $n Corners)": "your pieces connect {n:number} corners",
            "(is Connected $n Sides)": "your pieces connect {n:number} sides",
            "(is Connected $n SidesNoCorners)": (
                "your pieces connect {n:number} sides, corners not counted"
            ),
            "(is Loop)": "the last move closes a loop",
            "(is Full)": "the board is full",
            "(is Even $n)": "{n:number1} is even",
            "(is Odd $n)": "{n:number1} is odd",
            "(is Pending)": "the last move asks for something",
            "(is Visited $s)": "{s:region1} was visited in this turn",
            "(not (is Visited $s))": "{s:region1} was not visited in this turn",
            "(not (is Threatened (id $n Mover)))": "your {n:name} is not threatened",
            "(not (is Threatened (id $n $p)))": "the {n:name} of {p:player} is not threatened",
            "(is Threatened (id $n Mover))": "your {n:name} is threatened",
            "(is Threatened (id $n $p))": "the {n:name} of {p:player} is threatened",
            "(is Triggered $n $p)": "“{n:name}” has happened to {p:player}",
            "(no Moves Mover)": "you have no move",
            "(no Moves $p)": "{p:player} has no move",
            "(no Pieces Mover)": "you have no piece left",
            "(no Pieces $p)": "{p:player} has no piece left",
            "(no Pieces Mover $n)": "you have no piece “{n:name}” left",
            "(no Pieces $p $n)": "{p:player} has no piece “{n:name}” left",
            "(can Move $m)": "it is possible to {m:move1}",
            "(not (can Move $m))": "it is impossible to {m:move1}",
            "(can Move (forEach Piece Next))": "the next player can move a piece",
            "(not (can Move (forEach Piece Next)))": "the next player can move no piece",
            "(all Passed)": "all players passed",
            "(= 0 (count Cell at:(handSite Mover)))": "no piece is left in your hand",
            "(all Sites (sites Hand Mover) if:(= 0 (count Cell at:(site))))": (
                "nothing is left in your hand"
            ),
            "(all Sites (sites Hand $p) if:(= 0 (count Cell at:(site))))": (
                "nothing is left in the hand of {p:player}"
            ),
            "(all Sites $r if:$c)": "it is true of all places of {r:region1} that {c:condition1}",
            "(= $a $b)": "{a:number1} is {b:number1}",
            "(!= $a $b)": "{a:number1} is not {b:number1}",
            "(< $a $b)": "{a:number1} is less than {b:number1}",
            "(> $a $b)": "{a:number1} is more than {b:number1}",
            "(<= $a $b)": "{a:number1} is at most {b:number1}",
            "(>= $a $b)": "{a:number1} is at least {b:number1}",
            "(not $c)": "it is not true that {c:condition1}",
        },
    ),
    *phrases(
        "condition",
        {
            "(and $*c)": "{c:condition1| and }",
            "(or $*c)": "{c:condition1| or }",
            "(if $a $b)": "{b:condition1} where {a:condition1}",
        },
        compound=True,
    ),
)

_TO_ENEMY = "(is Enemy (who at:(to)))"
_TO_FRIEND = "(is Friend (who at:(to)))"
_TAKE = "(apply (remove (to)))"
_TAKE_ENEMY = f"(apply (if {_TO_ENEMY} (remove (to))))"
_BETWEEN = "(is Enemy (who at:(between)))"
_CAUGHT = f"if:{_BETWEEN} (apply (remove (between)))) (to if:{_TO_FRIEND}))"

_TARGETS = (
    *phrases(
        "target",
        {
            "(to if:(is Empty (to)))": "to an empty place",
            "(to if:(is In (to) (sites Empty)))": "to one of the empty places",
            f"(to if:{_TO_ENEMY} {_TAKE})": "onto an enemy, which is removed",
            f"(to if:{_TO_ENEMY})": "onto an enemy",
            f"(to if:(not {_TO_FRIEND}) {_TAKE_ENEMY})": (
                "to an empty place or onto an enemy, which is removed"
            ),
            f"(to if:(not {_TO_FRIEND}) {_TAKE})": (
                "to an empty place or onto an enemy, removing what is there"
            ),
            f"(to if:(or (is Empty (to)) {_TO_ENEMY}) {_TAKE_ENEMY})": (
                "onto an empty place or an enemy, which is removed"
            ),
            f"(to if:(or (is Empty (to)) {_TO_ENEMY}) {_TAKE})": (
                "onto an empty place or an enemy, removing what is there"
            ),
            "(to (sites Empty))": "to any empty place",
            "(to [$r] (apply if:$c))": "to a place [of {r:region1}] where {c:condition1}",
            "(to [$r] [if:$c] [(apply $e)])": (
                "to a place [of {r:region1}] [if {c:condition1}] [, where then {e:effect1},]"
            ),
            "(to [$r] [if:$c] (apply if:$d $e))": (
                "to a place [of {r:region1}] [if {c:condition1}] , where then, if "
                "{d:condition1}, {e:effect1},"
            ),
        },
    ),
)

_OVERS = (
    *phrases(
        "over",
        {
            f"(between if:{_BETWEEN} (apply (remove (between))))": (
                "over an enemy, which is removed,"
            ),
            f"(between if:{_BETWEEN} (apply (remove (between) at:EndOfTurn)))": (
                "over an enemy, which is removed when the turn is over,"
            ),
            f"(between if:{_BETWEEN})": "over an enemy",
            "(between if:(is Friend (who at:(between))))": "over a piece of your own",
            "(between if:(is Occupied (between)))": "over a piece",
            "(between if:(not (is Empty (between))))": "over something",
            "(between [before:$a] [after:$b] [$r] [if:$c] [(apply $e)])": (
                "over a place [after at most {a:number1} others] [before at most "
                "{b:number1} others] [at a distance of {r:range}] [if {c:condition1}] "
                "[, where then {e:effect1},]"
            ),
        },
    ),
    *phrases(
        "range",
        {
            "(exact $n)": "exactly {n:number1}",
            "(max $n)": "at most {n:number1}",
            "(min $n)": "at least {n:number1}",
        },
    ),
)

_SOURCES = (
    *phrases(
        "source",
        {
            "(from $r if:$c)": "from one of {r:region1} if {c:condition1}",
            "(from $r)": "from one of {r:region1}",
            "(from)": "from its place",
            "(from if:$c)": "from its place if {c:condition1}",
        },
    ),
)

_MOVES = (
    *phrases(
        "move",
        {
            "(move Add (to (sites Empty)))": "place a piece on an empty place",
            "(move Add (to $r))": "place a piece on one of {r:region1}",
            "(move Add (to $r if:$c))": "place a piece on one of {r:region1} if {c:condition1}",
            "(move Add (piece $n) (to $r [if:$c]))": (
                "place one “{n:name}” on one of {r:region1} [if {c:condition1}]"
            ),
            "(move Add (piece (id $n)) (to $r [if:$c]))": (
                "place a piece “{n:name}” on one of {r:region1} [if {c:condition1}]"
            ),
            "(move Add (piece (mover)) (to $r [if:$c]))": (
                "place a piece of your own on one of {r:region1} [if {c:condition1}]"
            ),
            "(move Add (piece (next)) (to $r [if:$c]))": (
                "place a piece of the next player on one of {r:region1} [if {c:condition1}]"
            ),
            "(move Shoot (piece $n) [$d])": "shoot a {n:name} [{d:direction1}]",
            "(move $f $t copy:True)": "copy a piece {f:source} {t:target}",
            "(move Leap $w forward:True $t)": "leap forward along {w:walk} {t:target}",
            "(move Remove (from))": "remove the piece itself",
            "(move Step (from $f) [$d] $t)": "step from {f:region1} [{d:direction1}] {t:target}",
            "(move Step [$d] $t)": "step [{d:direction1}] {t:target}",
            "(move Hop (from $f) [$d] $b $t)": (
                "hop from {f:region1} [{d:direction1}] {b:over} {t:target}"
            ),
            "(move Hop [$d] $b $t)": "hop [{d:direction1}] {b:over} {t:target}",
            "(move Slide [$d])": "slide [{d:direction1}] over empty places and end on one of them",
            "(move Slide (from $f) [$d] $t)": (
                "slide from {f:region1} [{d:direction1}] over empty places and end on one "
                "of them or go on {t:target}"
            ),
            "(move Slide [$d] $b $t)": (
                "slide [{d:direction1}] {b:over} and end where it got or go on {t:target}"
            ),
            "(move Slide [$d] $t)": (
                "slide [{d:direction1}] over empty places and end on one of them or go on "
                "{t:target}"
            ),
            "(move Slide [$d] $b)": "slide [{d:direction1}] {b:over} and end where it got",
            "(move Leap $w $t)": "leap along {w:walk} {t:target}",
            "(move (from (handSite Mover)) (to (sites Empty)))": (
                "place a piece from your hand on an empty place"
            ),
            "(move (from (handSite Mover)) (to $r))": (
                "place a piece from your hand on one of {r:region1}"
            ),
            "(move (from (handSite Mover)) (to $r if:$c))": (
                "place a piece from your hand on one of {r:region1} if {c:condition1}"
            ),
            "(move $f $t)": "move a piece {f:source} {t:target}",
            "(move Remove $r)": "remove a piece from one of {r:region1}",
            "(move Remove $r if:$c)": "remove a piece from one of {r:region1} if {c:condition1}",
            "(move Select (from $r if:(> (count at:(from)) 0)))": (
                "choose a hole of {r:region1} that is not empty"
            ),
            "(move Select $f)": "choose a place {f:source}",
            "(move Select $f $t)": "choose a way {f:source} {t:target}",
            "(move Pass)": "pass",
            "(forEach Piece)": "move one of your pieces as its kind moves",
            "(forEach Piece Next)": "move a piece of the next player as its kind moves",
            "(forEach Piece $n)": "move one of your {n:name} pieces as they move",
            "(forEach Piece $m)": "take one of your pieces and {m:move1}",
            "(forEach Piece $n $m)": "take a {n:name} of yours and {m:move1}",
            "(forEach Site $r $m)": "take a place of {r:region1} and {m:move1}",
        },
    ),
    *phrases(
        "move",
        {
            "(or $*m)": "{m:move1|; or }",
            "(and $*m)": "{m:move1|; and }",
            "(if $c $m)": "if {c:condition1}, {m:move1}",
            "(if $c $m $n)": "if {c:condition1}, {m:move1}; otherwise {n:move1}",
            "(priority $*m)": "{m:move1|; or, if nothing of this is possible, }",
            "(do $m ifAfterwards:$c)": "{m:move1} so that afterwards {c:condition1}",
        },
        compound=True,
    ),
    *phrases(
        "walk",
        {
            "{{F F R F} {F F L F}}": "the way of a knight",
        },
    ),
)

_SOWING = "[skipIf:$s] [origin:$o] [includeSelf:$i] [backtracking:$b] [count:$n]"
_SOWN = (
    "the seeds are sown [except where {s:condition1}] [(from its own place: {o:truth})] "
    "[(into its own place: {i:truth})] [(further back too: {b:truth})] [({n:number1} of them)]"
)

_EFFECTS = (
    *phrases(
        "effect",
        {
            "(moveAgain)": "you move again",
            "(remove $s)": "what stands on {s:region1} is removed",
            "(remove $s at:EndOfTurn)": (
                "what stands on {s:region1} is removed when the turn is over"
            ),
            "(promote $s (piece $n) Mover)": "the piece on {s:region1} becomes a {n:name} of yours",
            "(promote $s (piece $n) $p)": (
                "the piece on {s:region1} becomes a {n:name} of {p:player}"
            ),
            "(promote $s (piece $n))": "the piece on {s:region1} becomes a {n:name}",
            "(addScore Mover $n)": "you score {n:number1}",
            "(addScore $p $n)": "{p:player} scores {n:number1}",
            "(set Counter)": "the counter starts anew",
            "(set Score $p $n)": "the score of {p:player} becomes {n:number1}",
            "(set Pending)": "the next move is asked for something",
            "(set Pending $r)": "the next move is asked for {r:region1}",
            "(set Var $n $v)": "the variable “{n:name}” becomes {v:number1}",
            "(set State at:$s $n)": "the state of the piece on {s:region1} becomes {n:number1}",
            "(set NextPlayer (player $n))": "the next player is number {n:number1}",
            "(trigger $n $p)": "“{n:name}” happens to {p:player}",
            "(flip $s)": "the piece on {s:region1} is turned over",
            "(fromTo (from $a) (to $b))": "what stands on {a:region1} goes to {b:region1}",
            "(fromTo (from $a) (to $b) count:(count at:$a))": (
                "all that is on {a:region1} goes to {b:region1}"
            ),
            "(fromTo (from $a) (to $b) count:$n)": (
                "of what stands on {a:region1}, {n:number1} go to {b:region1}"
            ),
            f"(custodial (from $s) [$d] (between (max $n) {_CAUGHT}": (
                "up to {n:number1} enemies in a row between {s:region1} and another piece "
                "of yours [{d:direction1}] are removed"
            ),
            f"(custodial (from $s) [$d] (between {_CAUGHT}": (
                "all enemies in a row between {s:region1} and another piece of yours "
                "[{d:direction1}] are removed"
            ),
            "(custodial [(from $s)] [$d] $b $t)": (
                "a capture between two [from {s:region1}] [{d:direction1}] {b:over} "
                "{t:target} is made"
            ),
            "(surround [(from $s)] [$d] $b $t)": (
                "a capture by surrounding [from {s:region1}] [{d:direction1}] {b:over} "
                "{t:target} is made"
            ),
            f"(sow {_SOWING} [if:$c apply:$e])": (
                f"{_SOWN} [and in the end, if {{c:condition1}}, this happens: {{e:effect1}}]"
            ),
            f"(sow {_SOWING} apply:$e)": f"{_SOWN} and in the end this happens: {{e:effect1}}",
            "(add (piece $n) (to $s))": "one “{n:name}” is put on {s:region1}",
            "(add (piece (mover)) (to $s))": "a piece of yours is put on {s:region1}",
            "(add (piece (id $n Mover)) (to $s))": "one “{n:name}” of yours is put on {s:region1}",
            "(set Var $v)": "{v:region1} is remembered",
            "(enclose (from $s) [$d] $b)": (
                "what {s:region1} encloses [{d:direction1}] is taken {b:over}"
            ),
            "(intervene (from $s) [$d] $t)": (
                "a piece on {s:region1} comes between two [{d:direction1}] {t:target}"
            ),
        },
    ),
    *phrases(
        "effect",
        {
            "(or $*e)": "{e:effect1|; or }",
        },
        compound=True,
    ),
    *phrases(
        "effect",
        {
            "(forEach Site $r $e)": "for every place of {r:region1}, {e:effect1}",
        },
    ),
    *phrases(
        "effect",
        {
            "(if $c $e)": "if {c:condition1}, {e:effect1}",
            "(if $c $e $f)": "if {c:condition1}, {e:effect1}; otherwise {f:effect1}",
            "(and $*e)": "{e:effect1|; and }",
            "(seq $*e)": "{e:effect1|; then }",
        },
        compound=True,
    ),
)

_RESULTS = (
    *phrases(
        "result",
        {
            "(result Mover Win)": "you win",
            "(result Mover Loss)": "you lose",
            "(result All Draw)": "the game is a draw",
            "(result $p Win)": "{p:player} wins",
            "(result $p Loss)": "{p:player} loses",
            "(byScore)": "whoever has the higher score wins",
            "(byScore {(score P1 $a) (score P2 $b)})": (
                "P1 counts {a:number1}, P2 counts {b:number1}, and whoever has more wins"
            ),
        },
    ),
    *phrases(
        "result",
        {
            "{$*r}": "{r:result1|; else }",
            "(if $c $r)": "if {c:condition1}, {r:result1}",
            "(if $c $r $s)": "if {c:condition1}, {r:result1}; otherwise {s:result1}",
        },
        compound=True,
    ),
)

RULES = (
    *_CONDITIONS,
    *_TARGETS,
    *_OVERS,
    *_SOURCES,
    *_MOVES,
    *_EFFECTS,
    *_RESULTS,
)
