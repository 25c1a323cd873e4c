"""Visitors of the page; `page_visitors` skips where the extra is missing."""

import pytest


@pytest.fixture(scope="session")
def shared_client():
    from page_visitors import open_client

    with open_client(count=1) as client:
        yield client


@pytest.fixture
def stranger(shared_client):
    """Someone who does not know the token."""
    shared_client.cookies.clear()
    yield shared_client
    shared_client.cookies.clear()


@pytest.fixture
def visitor(stranger):
    """Someone who opened the address that was printed."""
    from page_visitors import TOKEN, Visitor

    assert stranger.get(f"/?token={TOKEN}").status_code == 200
    return Visitor(stranger)
