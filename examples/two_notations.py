"""Read a rule in one notation and print it in the other.

Prints::

    legal(P,mark(X)) :-
        true(control(P)),
        true(cell(X,b)),
        not over.
    (<= over
        (or (wins ?p) draw))

    (<= (wins ?p)
        (role ?p)
        (goal ?p ?v)
        (not (distinct ?v 100)))
"""

from kibitz.gdl import parse, to_kif, to_ruleform

sheet = parse("(<= (legal ?p (mark ?x)) (true (control ?p)) (true (cell ?x b)) (not over))")
print(to_ruleform(sheet), end="")
assert parse(to_ruleform(sheet)) == sheet

sheet = parse("over :- wins(P) or draw. wins(P) :- role(P), goal(P,V), V = 100.")
print(to_kif(sheet), end="")
