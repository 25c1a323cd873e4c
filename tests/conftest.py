"""Hypothesis draws the same examples each time; HYPOTHESIS_PROFILE=explore looks for new ones."""

import os

from hypothesis import HealthCheck, settings

CALM = {"deadline": None, "suppress_health_check": list(HealthCheck)}
settings.register_profile("same", derandomize=True, max_examples=25, **CALM)
settings.register_profile("explore", max_examples=300, **CALM)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))
