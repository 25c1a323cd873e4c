"""What all tests share.

Hypothesis draws the same examples each time, and more of them in the slow lane;
HYPOTHESIS_PROFILE=explore looks for new ones.
"""

import os
import signal

# Tests run side by side already. Threads that wait for one another would only be in the way.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import pytest
from hypothesis import HealthCheck, settings

import torture.postgres

# Shells tell what they start in the background to ignore Ctrl-C, and so would all that tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)

CALM = {"deadline": None, "suppress_health_check": list(HealthCheck)}
settings.register_profile("same", derandomize=True, max_examples=10, **CALM)
settings.register_profile("slow", derandomize=True, max_examples=100, **CALM)
settings.register_profile("explore", max_examples=300, **CALM)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))


@pytest.fixture(scope="session")
def postgres():
    """A PostgreSQL server for the tests of this process; tests may stop and kill it."""
    if torture.postgres.missing():
        pytest.skip(torture.postgres.missing())
    with torture.postgres.PostgresServer() as server:
        yield server


@pytest.fixture
def postgres_url(postgres):
    """The URL of an empty schema in a PostgreSQL database."""
    return postgres.make_url()
