from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.groundings import ground_as_users_do


@pytest.fixture(scope="module")
def grounded_anew() -> Iterator[None]:
    """Ground what other tests have grounded before, and in processes: these test the grounder."""
    with pytest.MonkeyPatch.context() as patch:
        ground_as_users_do(patch)
        yield
