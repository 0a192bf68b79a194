"""How conditions, moves, effects and results are put into words."""

from __future__ import annotations

from kibitz.ludii.english.templates import Phrase

__all__ = ["RULES"]

P = Phrase

_CONDITIONS = (
    P("condition", "(is Empty $s)", "{s:region1} is empty"),
    P("condition", "(not (is Empty $s))", "{s:region1} is not empty"),
    P("condition", "(is Occupied $s)", "{s:region1} is occupied"),
    P("condition", "(is Enemy (who at:$s))", "an enemy stands on {s:region1}"),
    P("condition", "(not (is Enemy (who at:$s)))", "no enemy stands on {s:region1}"),
    P("condition", "(is Friend (who at:$s))", "a piece of yours stands on {s:region1}"),
    P("condition", "(not (is Friend (who at:$s)))", "no piece of yours stands on {s:region1}"),
    P("condition", "(is Mover (who at:$s))", "what stands on {s:region1} is yours"),
    P("condition", "(is Next (who at:$s))", "what stands on {s:region1} is the next player's"),
    P("condition", "(is In $s $r)", "{s:region1} is in {r:region1}"),
    P("condition", "(not (is In $s $r))", "{s:region1} is not in {r:region1}"),
    P("condition", "(is Prev Mover)", "you also made the move before"),
    P("condition", "(not (is Prev Mover))", "you did not make the move before"),
    P("condition", "(is Next $p)", "{p:player} is next"),
    P("condition", "(is Mover $p)", "{p:player} is to move"),
    P("condition", "(is Line $n)", "the last move makes a line of {n:number}"),
    P("condition", "(is Line $n $d)", "the last move makes a line of {n:number} {d:direction1}"),
    P(
        "condition",
        "(is Line $n [$d] Any)",
        "the last move makes a line of {n:number} [{d:direction1}] of any owner",
    ),
    P(
        "condition",
        "(is Line $n [$d] through:$s)",
        "there is a line of {n:number} [{d:direction1}] through {s:region1}",
    ),
    P(
        "condition",
        "(not (is Line $n [$d] through:$s))",
        "there is no line of {n:number} [{d:direction1}] through {s:region1}",
    ),
    P(
        "condition",
        "(is Line $n [$d] if:$c)",
        "the last move makes a line of {n:number} [{d:direction1}] of places of which it is true "
        "that {c:condition1}",
    ),
    P(
        "condition",
        "(is Line $n [$d] exact:True)",
        "the last move makes a line of exactly {n:number} [{d:direction1}]",
    ),
    P(
        "condition",
        "(is Line $n [$d] contiguous:False)",
        "{n:number} pieces like that of the last move are on one line with it [{d:direction1}]",
    ),
    P("condition", "(is Within (id $n) in:$r)", "a {n:name} is within {r:region1}"),
    P(
        "condition",
        "(is Within (id $n $p) in:$r)",
        "a {n:name} of {p:player} is within {r:region1}",
    ),
    P("condition", "(is Blocked $p)", "{p:player} can no longer connect anything"),
    P("condition", "(is Related Adjacent $a $b)", "{a:region1} is next to {b:region1}"),
    P(
        "condition",
        "(all Different $r if:$c)",
        "the pieces on {r:region1} are all different, where {c:condition1}",
    ),
    P("condition", "(is Connected Mover)", "your pieces connect your sides"),
    P("condition", "(is Connected $p)", "the pieces of {p:player} connect their sides"),
    P("condition", "(is Connected $r Mover)", "your pieces connect {r:region1}"),
    P("condition", "(is Connected $d Mover)", "your pieces connect your sides {d:direction1}"),
    P("condition", "(is Connected $n Corners)", "your pieces connect {n:number} corners"),
    P("condition", "(is Connected $n Sides)", "your pieces connect {n:number} sides"),
    P(
        "condition",
        "(is Connected $n SidesNoCorners)",
        "your pieces connect {n:number} sides, corners not counted",
    ),
    P("condition", "(is Loop)", "the last move closes a loop"),
    P("condition", "(is Full)", "the board is full"),
    P("condition", "(is Even $n)", "{n:number1} is even"),
    P("condition", "(is Odd $n)", "{n:number1} is odd"),
    P("condition", "(is Pending)", "the last move asks for something"),
    P("condition", "(is Visited $s)", "{s:region1} was visited in this turn"),
    P("condition", "(not (is Visited $s))", "{s:region1} was not visited in this turn"),
    P("condition", "(not (is Threatened (id $n Mover)))", "your {n:name} is not threatened"),
    P(
        "condition",
        "(not (is Threatened (id $n $p)))",
        "the {n:name} of {p:player} is not threatened",
    ),
    P("condition", "(is Threatened (id $n Mover))", "your {n:name} is threatened"),
    P("condition", "(is Threatened (id $n $p))", "the {n:name} of {p:player} is threatened"),
    P("condition", "(is Triggered $n $p)", "“{n:name}” has happened to {p:player}"),
    P("condition", "(no Moves Mover)", "you have no move"),
    P("condition", "(no Moves $p)", "{p:player} has no move"),
    P("condition", "(no Pieces Mover)", "you have no piece left"),
    P("condition", "(no Pieces $p)", "{p:player} has no piece left"),
    P("condition", "(no Pieces Mover $n)", "you have no piece “{n:name}” left"),
    P("condition", "(no Pieces $p $n)", "{p:player} has no piece “{n:name}” left"),
    P("condition", "(can Move $m)", "it is possible to {m:move1}"),
    P("condition", "(not (can Move $m))", "it is impossible to {m:move1}"),
    P("condition", "(can Move (forEach Piece Next))", "the next player can move a piece"),
    P("condition", "(not (can Move (forEach Piece Next)))", "the next player can move no piece"),
    P("condition", "(all Passed)", "all players passed"),
    P("condition", "(= 0 (count Cell at:(handSite Mover)))", "no piece is left in your hand"),
    P(
        "condition",
        "(all Sites (sites Hand Mover) if:(= 0 (count Cell at:(site))))",
        "nothing is left in your hand",
    ),
    P(
        "condition",
        "(all Sites (sites Hand $p) if:(= 0 (count Cell at:(site))))",
        "nothing is left in the hand of {p:player}",
    ),
    P(
        "condition",
        "(all Sites $r if:$c)",
        "it is true of all places of {r:region1} that {c:condition1}",
    ),
    P("condition", "(= $a $b)", "{a:number1} is {b:number1}"),
    P("condition", "(!= $a $b)", "{a:number1} is not {b:number1}"),
    P("condition", "(< $a $b)", "{a:number1} is less than {b:number1}"),
    P("condition", "(> $a $b)", "{a:number1} is more than {b:number1}"),
    P("condition", "(<= $a $b)", "{a:number1} is at most {b:number1}"),
    P("condition", "(>= $a $b)", "{a:number1} is at least {b:number1}"),
    P("condition", "(not $c)", "it is not true that {c:condition1}"),
    P("condition", "(and $*c)", "{c:condition1| and }", compound=True),
    P("condition", "(or $*c)", "{c:condition1| or }", compound=True),
    P("condition", "(if $a $b)", "{b:condition1} where {a:condition1}", compound=True),
)

_TO_ENEMY = "(is Enemy (who at:(to)))"
_TO_FRIEND = "(is Friend (who at:(to)))"
_TAKE = "(apply (remove (to)))"
_TAKE_ENEMY = f"(apply (if {_TO_ENEMY} (remove (to))))"
_BETWEEN = "(is Enemy (who at:(between)))"

_TARGETS = (
    P("target", "(to if:(is Empty (to)))", "to an empty place"),
    P("target", "(to if:(is In (to) (sites Empty)))", "to one of the empty places"),
    P("target", f"(to if:{_TO_ENEMY} {_TAKE})", "onto an enemy, which is removed"),
    P("target", f"(to if:{_TO_ENEMY})", "onto an enemy"),
    P(
        "target",
        f"(to if:(not {_TO_FRIEND}) {_TAKE_ENEMY})",
        "to an empty place or onto an enemy, which is removed",
    ),
    P(
        "target",
        f"(to if:(not {_TO_FRIEND}) {_TAKE})",
        "to an empty place or onto an enemy, removing what is there",
    ),
    P(
        "target",
        f"(to if:(or (is Empty (to)) {_TO_ENEMY}) {_TAKE_ENEMY})",
        "onto an empty place or an enemy, which is removed",
    ),
    P(
        "target",
        f"(to if:(or (is Empty (to)) {_TO_ENEMY}) {_TAKE})",
        "onto an empty place or an enemy, removing what is there",
    ),
    P("target", "(to (sites Empty))", "to any empty place"),
    P("target", "(to [$r] (apply if:$c))", "to a place [of {r:region1}] where {c:condition1}"),
    P(
        "target",
        "(to [$r] [if:$c] [(apply $e)])",
        "to a place [of {r:region1}] [if {c:condition1}] [, where then {e:effect1},]",
    ),
    P(
        "target",
        "(to [$r] [if:$c] (apply if:$d $e))",
        "to a place [of {r:region1}] [if {c:condition1}] , where then, if {d:condition1}, "
        "{e:effect1},",
    ),
)

_OVERS = (
    P(
        "over",
        f"(between if:{_BETWEEN} (apply (remove (between))))",
        "over an enemy, which is removed,",
    ),
    P(
        "over",
        f"(between if:{_BETWEEN} (apply (remove (between) at:EndOfTurn)))",
        "over an enemy, which is removed when the turn is over,",
    ),
    P("over", f"(between if:{_BETWEEN})", "over an enemy"),
    P("over", "(between if:(is Friend (who at:(between))))", "over a piece of your own"),
    P("over", "(between if:(is Occupied (between)))", "over a piece"),
    P("over", "(between if:(not (is Empty (between))))", "over something"),
    P(
        "over",
        "(between [before:$a] [after:$b] [$r] [if:$c] [(apply $e)])",
        "over a place [after at most {a:number1} others] [before at most {b:number1} others] "
        "[at a distance of {r:range}] [if {c:condition1}] [, where then {e:effect1},]",
    ),
    P("range", "(exact $n)", "exactly {n:number1}"),
    P("range", "(max $n)", "at most {n:number1}"),
    P("range", "(min $n)", "at least {n:number1}"),
)

_SOURCES = (
    P("source", "(from $r if:$c)", "from one of {r:region1} if {c:condition1}"),
    P("source", "(from $r)", "from one of {r:region1}"),
    P("source", "(from)", "from its place"),
    P("source", "(from if:$c)", "from its place if {c:condition1}"),
)

_MOVES = (
    P("move", "(move Add (to (sites Empty)))", "place a piece on an empty place"),
    P("move", "(move Add (to $r))", "place a piece on one of {r:region1}"),
    P("move", "(move Add (to $r if:$c))", "place a piece on one of {r:region1} if {c:condition1}"),
    P(
        "move",
        "(move Add (piece $n) (to $r [if:$c]))",
        "place one “{n:name}” on one of {r:region1} [if {c:condition1}]",
    ),
    P(
        "move",
        "(move Add (piece (id $n)) (to $r [if:$c]))",
        "place a piece “{n:name}” on one of {r:region1} [if {c:condition1}]",
    ),
    P(
        "move",
        "(move Add (piece (mover)) (to $r [if:$c]))",
        "place a piece of your own on one of {r:region1} [if {c:condition1}]",
    ),
    P(
        "move",
        "(move Add (piece (next)) (to $r [if:$c]))",
        "place a piece of the next player on one of {r:region1} [if {c:condition1}]",
    ),
    P("move", "(move Shoot (piece $n) [$d])", "shoot a {n:name} [{d:direction1}]"),
    P("move", "(move $f $t copy:True)", "copy a piece {f:source} {t:target}"),
    P("move", "(move Leap $w forward:True $t)", "leap forward along {w:walk} {t:target}"),
    P("move", "(move Remove (from))", "remove the piece itself"),
    P("move", "(move Step (from $f) [$d] $t)", "step from {f:region1} [{d:direction1}] {t:target}"),
    P("move", "(move Step [$d] $t)", "step [{d:direction1}] {t:target}"),
    P(
        "move",
        "(move Hop (from $f) [$d] $b $t)",
        "hop from {f:region1} [{d:direction1}] {b:over} {t:target}",
    ),
    P("move", "(move Hop [$d] $b $t)", "hop [{d:direction1}] {b:over} {t:target}"),
    P(
        "move",
        "(move Slide [$d])",
        "slide [{d:direction1}] over empty places and end on one of them",
    ),
    P(
        "move",
        "(move Slide (from $f) [$d] $t)",
        "slide from {f:region1} [{d:direction1}] over empty places and end on one of them or go on "
        "{t:target}",
    ),
    P(
        "move",
        "(move Slide [$d] $b $t)",
        "slide [{d:direction1}] {b:over} and end where it got or go on {t:target}",
    ),
    P(
        "move",
        "(move Slide [$d] $t)",
        "slide [{d:direction1}] over empty places and end on one of them or go on {t:target}",
    ),
    P("move", "(move Slide [$d] $b)", "slide [{d:direction1}] {b:over} and end where it got"),
    P("move", "(move Leap $w $t)", "leap along {w:walk} {t:target}"),
    P(
        "move",
        "(move (from (handSite Mover)) (to (sites Empty)))",
        "place a piece from your hand on an empty place",
    ),
    P(
        "move",
        "(move (from (handSite Mover)) (to $r))",
        "place a piece from your hand on one of {r:region1}",
    ),
    P(
        "move",
        "(move (from (handSite Mover)) (to $r if:$c))",
        "place a piece from your hand on one of {r:region1} if {c:condition1}",
    ),
    P("move", "(move $f $t)", "move a piece {f:source} {t:target}"),
    P("move", "(move Remove $r)", "remove a piece from one of {r:region1}"),
    P("move", "(move Remove $r if:$c)", "remove a piece from one of {r:region1} if {c:condition1}"),
    P(
        "move",
        "(move Select (from $r if:(> (count at:(from)) 0)))",
        "choose a hole of {r:region1} that is not empty",
    ),
    P("move", "(move Select $f)", "choose a place {f:source}"),
    P("move", "(move Select $f $t)", "choose a way {f:source} {t:target}"),
    P("move", "(move Pass)", "pass"),
    P("move", "(forEach Piece)", "move one of your pieces as its kind moves"),
    P("move", "(forEach Piece Next)", "move a piece of the next player as its kind moves"),
    P("move", "(forEach Piece $n)", "move one of your {n:name} pieces as they move"),
    P("move", "(forEach Piece $m)", "take one of your pieces and {m:move1}"),
    P("move", "(forEach Piece $n $m)", "take a {n:name} of yours and {m:move1}"),
    P("move", "(forEach Site $r $m)", "take a place of {r:region1} and {m:move1}"),
    P("move", "(or $*m)", "{m:move1|; or }", compound=True),
    P("move", "(and $*m)", "{m:move1|; and }", compound=True),
    P("move", "(if $c $m)", "if {c:condition1}, {m:move1}", compound=True),
    P("move", "(if $c $m $n)", "if {c:condition1}, {m:move1}; otherwise {n:move1}", compound=True),
    P("move", "(priority $*m)", "{m:move1|; or, if nothing of this is possible, }", compound=True),
    P(
        "move",
        "(do $m ifAfterwards:$c)",
        "{m:move1} so that afterwards {c:condition1}",
        compound=True,
    ),
    P("walk", "{{F F R F} {F F L F}}", "the way of a knight"),
)

_EFFECTS = (
    P("effect", "(moveAgain)", "you move again"),
    P("effect", "(remove $s)", "what stands on {s:region1} is removed"),
    P(
        "effect",
        "(remove $s at:EndOfTurn)",
        "what stands on {s:region1} is removed when the turn is over",
    ),
    P(
        "effect",
        "(promote $s (piece $n) Mover)",
        "the piece on {s:region1} becomes a {n:name} of yours",
    ),
    P(
        "effect",
        "(promote $s (piece $n) $p)",
        "the piece on {s:region1} becomes a {n:name} of {p:player}",
    ),
    P("effect", "(promote $s (piece $n))", "the piece on {s:region1} becomes a {n:name}"),
    P("effect", "(addScore Mover $n)", "you score {n:number1}"),
    P("effect", "(addScore $p $n)", "{p:player} scores {n:number1}"),
    P("effect", "(set Counter)", "the counter starts anew"),
    P("effect", "(set Score $p $n)", "the score of {p:player} becomes {n:number1}"),
    P("effect", "(set Pending)", "the next move is asked for something"),
    P("effect", "(set Pending $r)", "the next move is asked for {r:region1}"),
    P("effect", "(set Var $n $v)", "the variable “{n:name}” becomes {v:number1}"),
    P(
        "effect",
        "(set State at:$s $n)",
        "the state of the piece on {s:region1} becomes {n:number1}",
    ),
    P("effect", "(set NextPlayer (player $n))", "the next player is number {n:number1}"),
    P("effect", "(trigger $n $p)", "“{n:name}” happens to {p:player}"),
    P("effect", "(flip $s)", "the piece on {s:region1} is turned over"),
    P("effect", "(fromTo (from $a) (to $b))", "what stands on {a:region1} goes to {b:region1}"),
    P(
        "effect",
        "(fromTo (from $a) (to $b) count:(count at:$a))",
        "all that is on {a:region1} goes to {b:region1}",
    ),
    P(
        "effect",
        "(fromTo (from $a) (to $b) count:$n)",
        "of what stands on {a:region1}, {n:number1} go to {b:region1}",
    ),
    P(
        "effect",
        "(custodial (from $s) [$d] (between (max $n) if:(is Enemy (who at:(between))) "
        "(apply (remove (between)))) (to if:(is Friend (who at:(to)))))",
        "up to {n:number1} enemies in a row between {s:region1} and another piece of yours "
        "[{d:direction1}] are removed",
    ),
    P(
        "effect",
        "(custodial (from $s) [$d] (between if:(is Enemy (who at:(between))) "
        "(apply (remove (between)))) (to if:(is Friend (who at:(to)))))",
        "all enemies in a row between {s:region1} and another piece of yours [{d:direction1}] are "
        "removed",
    ),
    P(
        "effect",
        "(custodial [(from $s)] [$d] $b $t)",
        "a capture between two [from {s:region1}] [{d:direction1}] {b:over} {t:target} is made",
    ),
    P(
        "effect",
        "(surround [(from $s)] [$d] $b $t)",
        "a capture by surrounding [from {s:region1}] [{d:direction1}] {b:over} {t:target} is made",
    ),
    P(
        "effect",
        "(sow [skipIf:$s] [origin:$o] [includeSelf:$i] [backtracking:$b] [count:$n] "
        "[if:$c apply:$e])",
        "the seeds are sown [except where {s:condition1}] [(from its own place: {o:truth})] "
        "[(into its own place: {i:truth})] [(further back too: {b:truth})] [({n:number1} of them)] "
        "[and in the end, if {c:condition1}, this happens: {e:effect1}]",
    ),
    P(
        "effect",
        "(sow [skipIf:$s] [origin:$o] [includeSelf:$i] [backtracking:$b] [count:$n] apply:$e)",
        "the seeds are sown [except where {s:condition1}] [(from its own place: {o:truth})] "
        "[(into its own place: {i:truth})] [(further back too: {b:truth})] [({n:number1} of them)] "
        "and in the end this happens: {e:effect1}",
    ),
    P("effect", "(add (piece $n) (to $s))", "one “{n:name}” is put on {s:region1}"),
    P("effect", "(add (piece (mover)) (to $s))", "a piece of yours is put on {s:region1}"),
    P(
        "effect",
        "(add (piece (id $n Mover)) (to $s))",
        "one “{n:name}” of yours is put on {s:region1}",
    ),
    P("effect", "(set Var $v)", "{v:region1} is remembered"),
    P(
        "effect",
        "(enclose (from $s) [$d] $b)",
        "what {s:region1} encloses [{d:direction1}] is taken {b:over}",
    ),
    P(
        "effect",
        "(intervene (from $s) [$d] $t)",
        "a piece on {s:region1} comes between two [{d:direction1}] {t:target}",
    ),
    P("effect", "(or $*e)", "{e:effect1|; or }", compound=True),
    P("effect", "(forEach Site $r $e)", "for every place of {r:region1}, {e:effect1}"),
    P("effect", "(if $c $e)", "if {c:condition1}, {e:effect1}", compound=True),
    P(
        "effect",
        "(if $c $e $f)",
        "if {c:condition1}, {e:effect1}; otherwise {f:effect1}",
        compound=True,
    ),
    P("effect", "(and $*e)", "{e:effect1|; and }", compound=True),
    P("effect", "(seq $*e)", "{e:effect1|; then }", compound=True),
)

_RESULTS = (
    P("result", "(result Mover Win)", "you win"),
    P("result", "(result Mover Loss)", "you lose"),
    P("result", "(result All Draw)", "the game is a draw"),
    P("result", "(result $p Win)", "{p:player} wins"),
    P("result", "(result $p Loss)", "{p:player} loses"),
    P("result", "(byScore)", "whoever has the higher score wins"),
    P(
        "result",
        "(byScore {(score P1 $a) (score P2 $b)})",
        "P1 counts {a:number1}, P2 counts {b:number1}, and whoever has more wins",
    ),
    P("result", "{$*r}", "{r:result1|; else }", compound=True),
    P("result", "(if $c $r)", "if {c:condition1}, {r:result1}", compound=True),
    P(
        "result",
        "(if $c $r $s)",
        "if {c:condition1}, {r:result1}; otherwise {s:result1}",
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
