"""The tests depend neither on how busy the machine is nor on how they were started."""

import signal

from hypothesis import HealthCheck, settings

# No deadline: the machine may be busy.
settings.register_profile("kibitz", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("kibitz")

# Shells start background jobs with Ctrl-C ignored, and children inherit that.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
