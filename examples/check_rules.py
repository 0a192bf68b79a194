"""Check a rule sheet with two mistakes in it, and show what was found.

Prints::

    lights.kif:3:32: GDL017: warning: 'swich' is defined nowhere and so never holds
       3 | (<= (legal me (press ?switch)) (swich ?switch))
         |                                ^^^^^^^^^^^^^^^
      hint: do you mean 'switch'?
    lights.kif:6:53: GDL009: ?other in 'distinct' is bound by no positive body literal
       6 | (<= terminal (true (light ?state)) (distinct ?state ?other))
         |                                                     ^^^^^^
      hint: add a literal that binds ?other, such as (some_relation ?other)
"""

from kibitz.gdl import diagnose

RULES = """\
(role me)
(init (light off))
(<= (legal me (press ?switch)) (swich ?switch))
(switch left) (switch right)
(<= (next (light on)) (does me (press ?any)))
(<= terminal (true (light ?state)) (distinct ?state ?other))
(<= (goal me 100) (true (light on)))
"""

sheet, found = diagnose(RULES, name="lights.kif")
for diagnostic in found:
    print(diagnostic.render(sheet.source))
