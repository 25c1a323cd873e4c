"""What tests of the store share."""

import pytest

from twofold.execution import open_store


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request, tmp_path):
    """A store in a file, and one on a server."""
    where = tmp_path / "s.sqlite"
    if request.param == "postgresql":
        where = request.getfixturevalue("postgres_url")
    with open_store(where) as opened:
        yield opened
