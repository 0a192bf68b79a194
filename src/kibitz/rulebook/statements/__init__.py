"""Sentences with letters in, the clauses of a rule sheet out.

For rules that no fixed pattern says, a text declares what can be said of its game ("square (A, B)
holds C", "B comes right after A") and then says each rule with letters for what may be anything.
"""
