"""Tabs of a real browser: what is dropped there, and what they complain about."""

import shutil

import pytest
from page_visitors import SCORES

playwright = pytest.importorskip("playwright.sync_api", reason="no Playwright")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium")
playwright.expect.set_options(timeout=0)  # whoever runs the tests says how long they may take
DROP = """([name, text]) => {
  const data = new DataTransfer();
  data.items.add(new File([text], name, {type: 'text/csv'}));
  document.dispatchEvent(new DragEvent('dragover', {dataTransfer: data, bubbles: true}));
  document.body.dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true}));
}"""


def launch(driver):
    return driver.chromium.launch(executable_path=CHROMIUM)


def open_tab(context):
    """Return a tab that waits for what is to come as long as it takes."""
    tab = context.new_page()
    tab.set_default_timeout(0)
    return tab


def follow(tab, link, url):
    """Click a link and wait until its page has loaded, scripts and all: a click alone does not."""
    with tab.expect_navigation(url=url):
        tab.click(link)


def show_answer(tab):
    follow(tab, "text=show the answer", "**/answer?*")


def watch(page, served):
    """Return a list that fills with what a tab complains about: errors, and requests elsewhere."""
    complaints = []
    page.on("console", lambda message: _collect_error(message, complaints))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: _expect_own(request.url, complaints, served))
    return complaints


def _collect_error(message, complaints):
    """Note what the console says in red, but for pages that tell what is wrong with a table."""
    if message.type == "error" and "status of 422" not in message.text:
        complaints.append(message.text)


def _expect_own(url, complaints, served):
    if not url.startswith((f"http://127.0.0.1:{served.port}/", "data:", "blob:")):
        complaints.append(f"asked for {url}")


def drop(tab, name="scores.csv", content=SCORES):
    with tab.expect_navigation(url="**/read?*"):
        tab.evaluate(DROP, [name, content.decode()])
