"""Games of chase, which end only when somebody is caught, get rules as others do."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.conftest import Run, run  # noqa: F401

from kibitz.gdl import read
from kibitz.present import Study, StudyOptions
from kibitz.present.explanation.value_sentences import least_goal

CHASE = """
(role cop) (role robber)
(init (at cop c1)) (init (at robber c4)) (init (control cop))
(road c1 c2) (road c1 c3) (road c2 c4) (road c2 c5) (road c3 c6) (road c3 c7)
(<= (joined ?a ?b) (road ?a ?b)) (<= (joined ?a ?b) (road ?b ?a))
(<= (legal ?r (go ?d)) (true (control ?r)) (true (at ?r ?c)) (joined ?c ?d))
(<= (legal ?r stay) (true (control ?r)))
(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(<= (next (at ?r ?c)) (does ?r (go ?c)))
(<= (next (at ?r ?c)) (true (at ?r ?c)) (not (moves ?r)))
(<= (moves ?r) (does ?r (go ?c)))
(<= (next (control robber)) (true (control cop)))
(<= (next (control cop)) (true (control robber)))
(<= terminal (true (at cop ?c)) (true (at robber ?c)))
(goal cop 100) (goal robber 0)
"""


def test_the_least_that_a_role_can_get_counts_play_without_end() -> None:
    study = Study(read(CHASE, name="chase"), StudyOptions(measured=False))
    study.run()
    cop, robber = study.known.parts
    (found,) = (one.judging for one in study.synthesised.values())
    assert [least_goal(found, index) for index in (0, 1)] == [50, 0]
    assert cop.worth == "Cop can force a win."
    assert cop.rules
    assert cop.verdict["perfect"], "the rules reach the win, and do not wait for ever"
    assert cop.sure.endswith("gives up value, nor do they let play go on for ever.")
    assert " ".join(study.known.worth) == (
        "With best play Cop wins in 2 moves. The first move that keeps it: go c2."
    )
    assert robber.worth == "Against best play Robber loses, come what may."


@pytest.mark.slow
def test_a_chase_is_taught(run: Run, tmp_path: Path) -> None:  # noqa: F811
    (tmp_path / "chase.kif").write_text(CHASE)
    lesson = run("teach", tmp_path / "chase.kif", "--json", "--no-cache").json
    assert lesson["role"] == "cop"
    assert lesson["steps"]
