"""Files are written whole or not at all, also when the disk is full."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from twofold import InputError
from twofold.cli import main
from twofold.execution.store import open_store
from twofold.execution.store_errors import explain_error
from twofold.processes import describe_process
from twofold.writing import check_target, write_whole

resource = pytest.importorskip("resource")
TABLE = Path(__file__).parents[1] / "docs" / "tutorial" / "scores.csv"


@pytest.fixture
def limited(capsys):
    """Return a function that runs a command which may not write more than so many bytes a file."""

    def run(command, size):
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
        try:
            code = main([str(word) for word in command])
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        return code, capsys.readouterr().err

    return run


def check_refusal(code, err):
    assert code == 2
    lines = err.splitlines()
    assert len(lines) == 2, err
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


def test_permissions_of_a_new_file_are_those_of_the_umask(tmp_path):
    for mask, mode in ((0o022, 0o644), (0o077, 0o600), (0o002, 0o664)):
        before = os.umask(mask)
        try:
            write_whole(tmp_path / f"{mask}.txt", "text")
            assert os.umask(mask) == mask
        finally:
            os.umask(before)
        assert stat.S_IMODE((tmp_path / f"{mask}.txt").stat().st_mode) == mode


def test_a_link_laid_out_for_the_draft_is_not_followed(tmp_path, monkeypatch):
    monkeypatch.setattr("secrets.token_hex", lambda size: "0" * 2 * size)
    seen = []
    monkeypatch.setattr("os.fsync", lambda handle: seen.extend(tmp_path.glob(".*.part")))
    write_whole(tmp_path / "a.txt", "text")
    (draft,) = seen
    (tmp_path / "precious").write_text("mine")
    draft.symlink_to("precious")
    with pytest.raises(InputError, match="File exists"):
        write_whole(tmp_path / "a.txt", "other text")
    assert (tmp_path / "precious").read_text() == "mine"
    assert (tmp_path / "a.txt").read_text() == "text"


def test_a_draft_is_nobody_elses_business(tmp_path, monkeypatch):
    modes = []

    def look(descriptor, mode):
        modes.append(stat.S_IMODE(os.fstat(descriptor).st_mode))

    monkeypatch.setattr("os.fchmod", look)
    write_whole(tmp_path / "a.txt", "text")
    assert modes == [0o600]


def test_only_the_remains_of_dead_writers_are_removed(tmp_path, monkeypatch):
    monkeypatch.setattr("os.replace", lambda *_: os._exit(0))
    if not (dead := os.fork()):
        write_whole(tmp_path / "a.txt", "text")
    os.waitpid(dead, 0)
    monkeypatch.undo()
    (remains,) = os.listdir(tmp_path)
    assert str(dead) in remains
    host, *process = remains.split("-")[1:4]
    alive = remains.replace("-".join(process), describe_process(os.getpid()))
    elsewhere = remains.replace(host, "00000000")
    for name in (alive, elsewhere, ".a.txt.1.part", "notes.part"):
        (tmp_path / name).write_text("text")
    write_whole(tmp_path / "a.txt", "text")
    left = {alive, elsewhere, ".a.txt.1.part", "notes.part", "a.txt"}
    assert set(os.listdir(tmp_path)) == left


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
    with pytest.raises(InputError, match="There is no folder"):
        write_whole(tmp_path / "no" / "a.txt", "text")


@pytest.mark.parametrize("name", ["scores.csv", "scores.json"])
def test_scores_on_a_full_disk(tmp_path, limited, name):
    file = tmp_path / name
    file.write_text("before")
    command = ["run", "tree", "majority", "--data", "iris", "--store", ":memory:", "--workers", 0]
    lines = check_refusal(*limited([*command, "-o", file], 500))
    assert str(file) in lines[0]
    assert file.read_text() == "before"
    assert os.listdir(tmp_path) == [name]


@pytest.mark.parametrize("name", ["r.html", "r.tex", "r.json"])
def test_reports_on_a_full_disk(tmp_path, limited, name):
    check_refusal(*limited(["compare", TABLE, "--report", tmp_path / name], 100))
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("name", ["p.svg", "p.png", "p.pdf", "p.tex"])
def test_pictures_on_a_full_disk(tmp_path, limited, name):
    pytest.importorskip("matplotlib")
    (tmp_path / name).write_text("before")
    check_refusal(*limited(["compare", TABLE, "--plot", tmp_path / name], 100))
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
    assert "No space left" in check_refusal(process.returncode, process.stderr)[0]


def test_a_store_that_cannot_grow_keeps_what_it_has(tmp_path, limited):
    store = tmp_path / "runs.sqlite"
    command = ["run", "tree", "majority", "--data", "breast_cancer", "--workers", 1]
    command += ["--store", store, "-o", tmp_path / "scores.csv", "--design"]
    assert limited([*command, "2x5"], 10**9)[0] == 0
    check_refusal(*limited([*command, "60x5"], store.stat().st_size + 20_000))
    with open_store(store) as kept:
        assert kept.check() == []
        assert len(kept.tasks()) >= 4


def test_an_error_of_the_disk_on_a_full_disk_is_called_by_its_name(tmp_path, monkeypatch):
    where = str(tmp_path / "runs.sqlite")
    assert "reports an error" in explain_error(OSError("disk I/O error"), where).rule
    monkeypatch.setattr("shutil.disk_usage", lambda _: type("", (), {"free": 10}))
    assert "no space left" in explain_error(OSError("disk I/O error"), where).rule


def test_a_folder_that_is_missing_is_named(tmp_path):
    for write in (lambda file: write_whole(file, "text"), check_target):
        with pytest.raises(InputError, match=r"There is no folder '.*nowhere'.\nMake it first."):
            write(tmp_path / "nowhere" / "file.txt")
