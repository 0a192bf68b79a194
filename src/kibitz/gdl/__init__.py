"""Parse GDL text in either notation into a checked RuleSheet, and print RuleSheets in both.

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

from typing import TYPE_CHECKING

from kibitz.lazy import lazy_exports

if TYPE_CHECKING:
    from kibitz.gdl.checks import check as check
    from kibitz.gdl.clauses import (
        Clause as Clause,
        clauses_of as clauses_of,
        count_literals as count_literals,
        on_demand as on_demand,
        substitute as substitute,
        substitute_all as substitute_all,
        unify as unify,
    )
    from kibitz.gdl.clingo import (
        Names as Names,
        explicit_time_program as explicit_time_program,
        one_step_program as one_step_program,
        timed_relations as timed_relations,
        write_clause as write_clause,
    )
    from kibitz.gdl.dependencies import Dependencies as Dependencies, components as components
    from kibitz.gdl.reader import (
        Form as Form,
        diagnose as diagnose,
        parse as parse,
        parse_terms as parse_terms,
        read as read,
        source_of as source_of,
    )
    from kibitz.gdl.ruleform import (
        TermWriter as TermWriter,
        rule_to_kif as rule_to_kif,
        rule_to_ruleform as rule_to_ruleform,
        to_kif as to_kif,
        to_ruleform as to_ruleform,
    )
    from kibitz.gdl.sheet_checks import (
        beyond_gdl1 as beyond_gdl1,
        require_gdl1 as require_gdl1,
        stratification as stratification,
        unset_terms as unset_terms,
    )
    from kibitz.gdl.start_position import starting_at as starting_at
    from kibitz.gdl.terms import (
        KEYWORD_ARITY as KEYWORD_ARITY,
        NOWHERE as NOWHERE,
        RESERVED as RESERVED,
        Atom as Atom,
        Distinct as Distinct,
        Formula as Formula,
        Function as Function,
        Not as Not,
        Or as Or,
        Rule as Rule,
        RuleSheet as RuleSheet,
        Term as Term,
        Variable as Variable,
        atoms_of as atoms_of,
        subterms as subterms,
        variables_of as variables_of,
    )

__getattr__ = lazy_exports(__name__)
