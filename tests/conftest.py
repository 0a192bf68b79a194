"""The tests depend neither on how busy the machine is nor on how they were started."""

import os
import shutil
import signal
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from tests.groundings import share_groundings

from kibitz.engine.compiled import native_machine

# No deadline: the machine may be busy. The quick run tries the same examples every time, so that
# it fails only for what was changed; the slow one tries new ones.
for name, examples in (("kibitz", 100), ("quick", 20)):
    settings.register_profile(
        name,
        max_examples=examples,
        deadline=None,
        derandomize=name == "quick",
        suppress_health_check=[HealthCheck.too_slow],
    )
settings.load_profile("kibitz")

_FOLDER = "KIBITZ_TEST_GROUNDINGS"
"""Names the folder to the workers of a run."""


_FEW_GATES = 200
"""Games with more run on the interpreter of gates: nobody plays on what a test compiles."""


def pytest_configure(config: pytest.Config) -> None:
    """Ground each sheet once; without the slow tests, try and compile less."""
    if config.option.markexpr == "not slow":
        settings.load_profile("quick")
        setattr(native_machine, "STRAIGHT_LIMIT", _FEW_GATES)  # noqa: B010 - for mypy
    if _FOLDER not in os.environ:
        os.environ[_FOLDER] = folder = tempfile.mkdtemp(prefix="kibitz-tests-")
        config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
    share_groundings(Path(os.environ[_FOLDER]))


# Shells start background jobs with Ctrl-C ignored, and children inherit that.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
