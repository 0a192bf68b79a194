"""The tests depend neither on how busy the machine is nor on how they were started."""

import signal

import pytest
from hypothesis import HealthCheck, settings

# No deadline: the machine may be busy.
for name, examples in (("kibitz", 100), ("quick", 40)):
    settings.register_profile(
        name, max_examples=examples, deadline=None, suppress_health_check=[HealthCheck.too_slow]
    )
settings.load_profile("kibitz")


def pytest_configure(config: pytest.Config) -> None:
    """Try fewer examples where the slow tests are left out."""
    if config.option.markexpr == "not slow":
        settings.load_profile("quick")


# Shells start background jobs with Ctrl-C ignored, and children inherit that.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
