"""The page in a real browser, by mouse and by keys; skipped where there is no Chromium.

Debian's is enough: apt-get install chromium; pip install playwright. With TWOFOLD_AXE naming the
axe.min.js of axe-core, every page is also checked for screen readers.
"""

import os
import re
import subprocess
import sys
import venv
from pathlib import Path

import pytest
from browser_tabs import DROP, drop, follow, needs_chromium, open_tab, playwright, show_answer
from page_visitors import SCORES

pytestmark = needs_chromium
ROOT = Path(__file__).parents[2]


def test_from_a_dropped_file_to_an_answer_and_back(tab):
    assert "token" not in tab.url
    drop(tab)
    assert tab.inner_text("h1") == "How scores.csv was read"
    show_answer(tab)
    plain = tab.inner_text(".verdict")
    assert "C4.5+m is better than C4.5" in plain
    first = tab.url
    tab.focus("#field-control")
    with tab.expect_response("**/answer?*control=*"):
        tab.select_option("#field-control", "C4.5")
    tab.wait_for_url("**control=C4.5")
    tab.wait_for_selector("text=C4.5+m is better than C4.5")
    controlled = tab.inner_text(".verdict")
    assert tab.evaluate("document.activeElement.name") == "control"  # the form keeps its focus
    assert "--control C4.5" in tab.inner_text(".lines")
    tab.reload()
    assert tab.inner_text(".verdict") == controlled
    tab.go_back()
    playwright.expect(tab.locator(".verdict")).to_have_text(plain)
    assert tab.url == first


def test_files_are_downloaded_and_lines_copied(tab):
    drop(tab)
    show_answer(tab)
    with tab.expect_download() as download:
        tab.click(".downloads >> text=LaTeX >> nth=0")
    assert download.value.suggested_filename == "scores.tex"
    assert Path(download.value.path()).read_text("utf-8").startswith("% Made by twofold")
    tab.click(".lines button >> nth=0")
    tab.wait_for_selector(".lines >> text=Copied")
    tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
    tab.click(".downloads >> text=Copy Markdown >> nth=1")  # of the results table
    tab.wait_for_selector(".downloads >> text=Copied")
    assert tab.evaluate("navigator.clipboard.readText()").startswith("Results by score")
    tab.click("th button >> text=mean rank")  # the report's own script is at work, too
    assert tab.get_attribute("th:has-text('mean rank')", "aria-sort") == "ascending"


FOLDER = {"runs/a_accuracy.csv": 1, "runs/deep/b_accuracy.csv": 3, "runs/.DS_Store": 0}
DROP_FOLDER = """(files) => {
  const leaf = (name, text) => ({name, isFile: true, isDirectory: false,
    file: (give) => give(new File([text], name))});
  const folder = (name, inside) => ({name, isFile: false, isDirectory: true, createReader: () => {
    const left = inside.slice();  // browsers give some entries at a time
    return {readEntries: (give) => give(left.splice(0, 1))};
  }});
  const build = (prefix) => {
    const names = [...new Set(Object.keys(files).filter((path) => path.startsWith(prefix))
      .map((path) => path.slice(prefix.length).split("/")[0]))];
    return names.map((name) => files[prefix + name] === undefined
      ? folder(name, build(prefix + name + "/")) : leaf(name, files[prefix + name]));
  };
  const event = new DragEvent("drop", {bubbles: true});
  const items = build("").map((entry) => ({webkitGetAsEntry: () => entry}));
  Object.defineProperty(event, "dataTransfer", {value: {items, files: []}});
  document.body.dispatchEvent(event);
}"""


def make_folder(name, seed):
    rows = "".join(f"d{i},0.{(i * 7 + seed) % 80 + 10}\n" for i in range(20))
    return f"Dataset,0\n{rows}" if seed else "x"


def test_whole_folders_are_dropped_and_chosen(tab, tmp_path):
    start = tab.url
    files = {name: make_folder(name, seed) for name, seed in FOLDER.items()}
    with tab.expect_navigation(url="**/read?*"):
        tab.evaluate(DROP_FOLDER, files)
    assert tab.inner_text("h1") == "How runs was read"
    assert "2: a_accuracy, b_accuracy" in tab.inner_text(".facts")
    dropped = tab.url
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    tab.goto(start)
    with tab.expect_navigation(url="**/read?*"):
        tab.set_input_files("#folder", tmp_path / "runs")
    assert tab.url == dropped


def test_what_is_too_much_is_said_before_it_is_sent(tab):
    tab.evaluate("document.getElementById('upload').dataset.bytes = 100")
    tab.evaluate(DROP, ["scores.csv", SCORES.decode()])
    playwright.expect(tab.locator("#refused")).to_contain_text("the page takes 0.0001 MB at once")
    tab.evaluate("document.getElementById('upload').dataset.bytes = 1e9")
    tab.evaluate("document.getElementById('upload').dataset.files = 1")
    tab.evaluate(DROP_FOLDER, {name: make_folder(name, seed) for name, seed in FOLDER.items()})
    playwright.expect(tab.locator("#refused")).to_contain_text("These are 2 files")


def test_a_pilot_is_dropped_on_a_plan_and_the_difference_filled_in(tab):
    follow(tab, "nav >> text=Plan", "**/plan")
    follow(tab, ".kinds >> text=data sets", "**/plan?what=datasets")
    with tab.expect_navigation(url="**/plan?what=datasets&table=*"):
        tab.evaluate(DROP, ["pilot.csv", SCORES.decode()])
    tab.fill("#field-difference", "0.02")
    tab.press("#field-difference", "Tab")
    playwright.expect(tab.locator(".verdict")).to_contain_text("A difference of 0.02 is found")
    with tab.expect_download() as download:
        tab.click(".downloads >> text=JSON")
    assert download.value.suggested_filename == "plan-datasets.json"


def test_everything_can_be_done_by_keys(tab):
    tab.focus("#pasted")
    tab.keyboard.insert_text(SCORES.decode())
    tab.keyboard.press("Tab")
    with tab.expect_navigation(url="**/read?*"):
        tab.keyboard.press("Enter")
    for _ in range(20):
        tab.keyboard.press("Tab")
        if tab.evaluate("document.activeElement.textContent.includes('show the answer')"):
            break
    with tab.expect_navigation(url="**/answer?*"):
        tab.keyboard.press("Enter")
    tab.keyboard.press("Tab")
    assert tab.evaluate("document.activeElement.textContent") == "Skip to the page"


def test_a_misread_table_is_corrected_before_the_verdict(tab):
    table = b"model,iris,accuracy\nnb,0.9,0.8\nc45,0.8,0.7\nnn,0.7,0.9\n"
    drop(tab, "turned.csv", table)
    assert "Is 'accuracy' a data set" in tab.inner_text(".problem")
    tab.click(".problem a >> text=transpose")
    tab.wait_for_selector("text=2: iris, accuracy")


def test_pages_have_no_faults_for_screen_readers(browser, served):
    script = os.environ.get("TWOFOLD_AXE")
    if not script:
        pytest.skip("TWOFOLD_AXE names no axe.min.js")
    query = served.upload()
    pages = ["/", f"/read?{query}", f"/answer?{query}", "/questions", "/plan", "/read?table=none"]
    pages += ["/studies", "/studies?paper=demsar2006"]
    pages.append("/plan?what=items&difference=0.05&discordant=0.2")
    for scheme, width in (("light", 1280), ("dark", 400)):
        size = {"width": width, "height": 900}
        context = browser.new_context(viewport=size, color_scheme=scheme, bypass_csp=True)
        page = open_tab(context)
        page.goto(served.address)
        for path in pages:
            page.goto(f"http://127.0.0.1:{served.port}{path}")
            page.add_script_tag(path=script)
            found = page.evaluate("axe.run()")["violations"]
            assert not [(each["id"], each["nodes"][0]["html"]) for each in found], path
        context.close()


def play_readme(browser, tmp_path, command):
    """Do what the README says: serve opens the browser, a table is dropped there."""
    readme = (ROOT / "README.md").read_text("utf-8")
    assert "pip install '.[page]'" in readme
    assert "twofold serve" in readme
    opened = tmp_path / "opened"
    script = tmp_path / "browser.sh"
    script.write_text(f'#!/bin/sh\nprintf %s "$1" > {opened}.part && mv {opened}.part {opened}\n')
    script.chmod(0o755)
    environment = {**os.environ, "BROWSER": f"{script} %s"}
    process = subprocess.Popen(
        [*command, "serve", "--port", "0"], env=environment, stdout=subprocess.PIPE, cwd=tmp_path
    )
    try:
        printed = re.search(rb"http://\S+", process.stdout.readline())[0].decode()
        from waits import wait_until

        wait_until(opened.exists, process)
        address = opened.read_text()
        assert address == printed
        page = open_tab(browser)
        page.goto(address)
        drop(page)
        show_answer(page)
        assert page.inner_text(".verdict").startswith("C4.5+m is better than C4.5")
        page.close()
    finally:
        process.terminate()
        process.communicate()


def test_a_new_user_gets_an_answer_without_a_shell_after_serve(browser, tmp_path):
    play_readme(browser, tmp_path, [sys.executable, "-m", "twofold"])


@pytest.mark.slow
def test_a_new_user_installs_the_page_and_gets_an_answer(browser, tmp_path):
    venv.create(tmp_path / "env", with_pip=True)
    python = tmp_path / "env" / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "-q", f"{ROOT}[page]"], check=True)
    environment = tmp_path / "env" / "bin" / "twofold"
    play_readme(browser, tmp_path, [str(environment)])
