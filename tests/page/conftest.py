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


@pytest.fixture(scope="module")
def browser():
    """A real browser; of a module, since its loop of events would be in the way of others."""
    from browser_tabs import launch, playwright

    with playwright.sync_playwright() as driver:
        chromium = launch(driver)
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def served():
    """A process that serves the page."""
    from test_real_server import serving

    with serving() as process:
        yield process


@pytest.fixture
def tab(browser, served):
    """A tab that was let in; whatever it complains about fails the test."""
    from browser_tabs import open_tab, watch

    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = open_tab(context)
    complaints = watch(page, served)
    page.goto(served.address)
    yield page
    context.close()
    assert not complaints
