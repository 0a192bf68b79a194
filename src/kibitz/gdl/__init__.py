"""GDL text in, RuleSheet out: both notations read, checked and printed.

>>> from kibitz.gdl import read, to_ruleform
>>> sheet = read('''
...     (role me) (init (step 1))
...     (legal me wait)
...     (<= (next (step 2)) (does me wait))
...     (<= terminal (true (step 2)))
...     (goal me 100)
... ''')
>>> print(to_ruleform(sheet).splitlines()[0])
role(me).
"""

from kibitz.gdl.checks import check
from kibitz.gdl.clauses import Clause, clauses_of
from kibitz.gdl.demand import on_demand
from kibitz.gdl.printing import TermWriter, rule_to_kif, rule_to_ruleform, to_kif, to_ruleform
from kibitz.gdl.reading import Form, diagnose, parse, parse_terms, read
from kibitz.gdl.terms import (
    KEYWORD_ARITY,
    NOWHERE,
    RESERVED,
    Atom,
    Distinct,
    Formula,
    Function,
    Not,
    Or,
    Rule,
    RuleSheet,
    Term,
    Variable,
    atoms_of,
    subterms,
    variables_of,
)

__all__ = [
    "KEYWORD_ARITY",
    "NOWHERE",
    "RESERVED",
    "Atom",
    "Clause",
    "Distinct",
    "Form",
    "Formula",
    "Function",
    "Not",
    "Or",
    "Rule",
    "RuleSheet",
    "Term",
    "TermWriter",
    "Variable",
    "atoms_of",
    "check",
    "clauses_of",
    "diagnose",
    "on_demand",
    "parse",
    "parse_terms",
    "read",
    "rule_to_kif",
    "rule_to_ruleform",
    "subterms",
    "to_kif",
    "to_ruleform",
    "variables_of",
]
