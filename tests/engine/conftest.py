from __future__ import annotations

import pytest


@pytest.fixture(scope="session")
def cache_aside(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Keep the code of random games out of the user's cache."""
    return str(tmp_path_factory.mktemp("cache"))
