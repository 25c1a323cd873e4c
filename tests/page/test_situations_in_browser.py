"""Every situation of the how-to pages, clicked through in a real browser.

A table is dropped, its reading corrected, the answer looked at, one option changed, a file taken
along. With TWOFOLD_SHOTS naming a folder, pictures of the pages are left there to be looked at.
"""

import json
import os
import shlex
from pathlib import Path

import pytest
from browser_tabs import drop, follow, needs_chromium, playwright, show_answer
from page_situations import SITUATIONS

from twofold.cli import main

pytestmark = needs_chromium
SHOTS = os.environ.get("TWOFOLD_SHOTS", "")
SIZES = (("light", 1280), ("dark", 1280), ("light", 400), ("dark", 400))


QUICK = ("many learners, many data sets", "items of a test set", "several metrics")


def set_field(tab, name, value):
    """Choose, tick or fill a field, wherever it is; it may be folded away."""
    box = tab.locator(f"form.options [name='{name}']").first
    for fold in tab.locator("form.options details:not([open])").all():
        if fold.locator(f"[name='{name}']").count():
            fold.locator("summary").click()
    kind = box.evaluate("box => box.type")
    if kind == "checkbox" and value != "yes":
        for each in value.split(","):
            tab.check(f"form.options [name='{name}'][value='{each}']")
    elif kind == "checkbox":
        box.check()
    elif kind.startswith("select"):
        box.select_option(value)
    else:
        box.fill(value)
        box.press("Tab")


def wait_for_option(tab, flags):
    playwright.expect(tab.locator(".lines code").first).to_contain_text(flags)
    playwright.expect(tab.locator("main.busy")).to_have_count(0)


def take_shots(tab, name):
    """Leave pictures of a page in every size and scheme."""
    if not SHOTS:
        return
    for scheme, width in SIZES:
        tab.emulate_media(color_scheme=scheme)
        tab.set_viewport_size({"width": width, "height": 900})
        target = f"{name.replace(' ', '-').replace(',', '')}-{scheme}-{width}.png"
        tab.screenshot(path=Path(SHOTS) / target, full_page=True)
        assert tab.evaluate("document.documentElement.scrollWidth") <= width
    tab.emulate_media(color_scheme="light")
    tab.set_viewport_size({"width": 1280, "height": 900})


def click_through(tab, situation, title, tmp_path, capsys, monkeypatch):
    drop(tab, situation.name, situation.text.encode())
    for name, value in situation.reading.items():
        set_field(tab, name, value)
        tab.wait_for_url(f"**{name}=*")
        playwright.expect(tab.locator("main.busy")).to_have_count(0)
    take_shots(tab, f"{title}-read")
    show_answer(tab)
    take_shots(tab, title)
    name, value = situation.change
    before = tab.inner_text(".lines code >> nth=0")
    if tab.locator(f"form.options [name='{name}']").count():
        set_field(tab, name, value)
    else:  # it belongs to how the table is read
        follow(tab, "text=how it was read", "**/read?*")
        set_field(tab, name, value)
        wait_for_option(tab, situation.flags)
        show_answer(tab)
    wait_for_option(tab, situation.flags)
    command = tab.inner_text(".lines code >> nth=0")
    assert command != before
    take_shots(tab, f"{title}-changed")
    verdict = tab.inner_text(".verdict >> nth=0")
    (tmp_path / situation.name).write_text(situation.text, "utf-8")
    monkeypatch.chdir(tmp_path)
    assert main([*shlex.split(command)[1:], "--format", "json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert " ".join(verdict.split()) == " ".join(answer["verdict"].split())
    with tab.expect_download() as download:
        tab.click(f".downloads >> text={situation.takes} >> nth=0")
    assert Path(download.value.path()).stat().st_size > 100
    if situation.takes == "JSON":
        assert (
            json.loads(Path(download.value.path()).read_text("utf-8"))["verdict"]
            == answer["verdict"]
        )
    tab.set_viewport_size({"width": 400, "height": 800})
    tab.reload()
    assert tab.inner_text(".verdict >> nth=0") == verdict
    assert tab.evaluate("document.documentElement.scrollWidth") <= 400
    assert not tab.evaluate("document.getElementById('side').open")  # the answer comes first
    tab.click(".jump a")
    assert tab.is_visible("form.options button")


@pytest.mark.parametrize(
    "title", [pytest.param(t, marks=() if t in QUICK else pytest.mark.slow) for t in SITUATIONS]
)
def test_a_situation_is_clicked_through(tab, title, tmp_path, capsys, monkeypatch):
    click_through(tab, SITUATIONS[title], title, tmp_path, capsys, monkeypatch)
