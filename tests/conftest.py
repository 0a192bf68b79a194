"""Hypothesis does not judge by time: the machine may be busy."""

from hypothesis import HealthCheck, settings

settings.register_profile("kibitz", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("kibitz")
