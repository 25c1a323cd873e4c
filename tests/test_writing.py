"""Files are written whole or not at all, also when the disk is full."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from twofold import InputError
from twofold.execution.store import open_store
from twofold.execution.store_errors import explain_error
from twofold.writing import write_whole

resource = pytest.importorskip("resource")
TABLE = Path(__file__).parents[1] / "docs" / "tutorial" / "scores.csv"


def limited(command, size):
    """Run a command that may not write files larger than so many bytes."""
    return subprocess.run(
        [sys.executable, "-m", "twofold", *map(str, command)],
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)),
    )


def said(process, *, code=2):
    assert process.returncode == code
    lines = process.stderr.splitlines()
    assert len(lines) == 2, process.stderr
    assert lines[0].startswith("twofold: ")
    return lines


def test_text_and_bytes(tmp_path):
    file = tmp_path / "a.txt"
    assert write_whole(file, "größer\n") == file
    assert file.read_bytes() == "größer\n".encode()
    file.chmod(0o640)
    write_whole(str(file), b"\x00\x01")
    assert file.read_bytes() == b"\x00\x01"
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert os.listdir(tmp_path) == ["a.txt"]


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "there.txt").write_text("old")
    (tmp_path / "link.txt").symlink_to("there.txt")
    write_whole(tmp_path / "link.txt", "new")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "there.txt").read_text() == "new"


def test_devices_are_not_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE)
    write_whole(pipe, "through")
    assert reader.communicate()[0] == b"through"
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_impossible_places(tmp_path):
    with pytest.raises(InputError, match="folder"):
        write_whole(tmp_path, "text")
    with pytest.raises(InputError, match="cannot be written: No such file"):
        write_whole(tmp_path / "no" / "a.txt", "text")


@pytest.mark.parametrize("name", ["scores.csv", "scores.json"])
def test_scores_on_a_full_disk(tmp_path, name):
    file = tmp_path / name
    file.write_text("before")
    command = ["run", "tree", "majority", "--data", "iris", "--store", ":memory:", "--workers", 1]
    lines = said(limited([*command, "-o", file], 500))
    assert str(file) in lines[0]
    assert file.read_text() == "before"
    assert os.listdir(tmp_path) == [name]


@pytest.mark.parametrize("name", ["r.html", "r.tex", "r.json"])
def test_reports_on_a_full_disk(tmp_path, name):
    said(limited(["compare", TABLE, "--report", tmp_path / name], 100))
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("name", ["p.svg", "p.png", "p.pdf", "p.tex"])
def test_pictures_on_a_full_disk(tmp_path, name):
    pytest.importorskip("matplotlib")
    (tmp_path / name).write_text("before")
    said(limited(["compare", TABLE, "--plot", tmp_path / name], 100))
    assert os.listdir(tmp_path) == [name]
    assert (tmp_path / name).read_text() == "before"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_standard_output_on_a_full_disk():
    with open("/dev/full", "w") as full:
        process = subprocess.run(
            [sys.executable, "-m", "twofold", "compare", str(TABLE)],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert "No space left" in said(process)[0]


def test_a_store_that_cannot_grow_keeps_what_it_has(tmp_path):
    store = tmp_path / "runs.sqlite"
    command = ["run", "tree", "majority", "--data", "breast_cancer", "--workers", 1]
    command += ["--store", store, "-o", tmp_path / "scores.csv", "--design"]
    assert limited([*command, "2x5"], 10**9).returncode == 0
    said(limited([*command, "60x5"], store.stat().st_size + 20_000))
    with open_store(store) as kept:
        assert kept.check() == []
        assert len(kept.tasks()) >= 4


def test_an_error_of_the_disk_on_a_full_disk_is_called_by_its_name(tmp_path, monkeypatch):
    where = str(tmp_path / "runs.sqlite")
    assert "reports an error" in explain_error(OSError("disk I/O error"), where).rule
    monkeypatch.setattr("shutil.disk_usage", lambda _: type("", (), {"free": 10}))
    assert "no space left" in explain_error(OSError("disk I/O error"), where).rule
