from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.groundings import ground_anew

from kibitz.engine.grounding import grounder


@pytest.fixture(autouse=True, scope="module")
def grounded_anew() -> Iterator[None]:
    """Ground what other tests have grounded before: these tests change parts of the grounder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grounder, "_ground", ground_anew)
        yield
