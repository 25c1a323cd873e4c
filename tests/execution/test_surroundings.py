"""Where twofold is run: without a folder to write to, or in a folder of somebody else."""

import pwd
import subprocess
import sys
from pathlib import Path

import pytest

from twofold import InputError
from twofold.cli import main
from twofold.execution.store import open_store


@pytest.fixture(autouse=True)
def no_variables(monkeypatch):
    for name in ("TWOFOLD_STORE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)


def check_words(capsys):
    command = ["run", "majority", "--data", "iris", "-o", "-"]
    assert main(command) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    assert "TWOFOLD_STORE=FILE" in lines[1]
    return lines[0]


def test_a_home_that_is_not_there(monkeypatch, capsys):
    monkeypatch.setenv("HOME", "/dev/null/home")
    assert "cannot be made" in check_words(capsys)


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="needs a folder nobody can write to")
def test_a_home_that_can_only_be_read(monkeypatch, capsys):
    monkeypatch.setattr("pathlib.Path.mkdir", lambda *_, **__: None)
    monkeypatch.setenv("HOME", "/proc/self")
    assert "cannot be opened" in check_words(capsys)


def test_nobody_says_where_home_is(monkeypatch, capsys):
    def forget(user):
        raise KeyError(user)

    monkeypatch.delenv("HOME")
    monkeypatch.setattr(pwd, "getpwuid", forget)
    assert "where home is" in check_words(capsys)


def test_a_file_in_the_home_of_nobody():
    with pytest.raises(InputError, match="no store at"):
        open_store("~nosuchuser/runs.sqlite", create=False)


def test_modules_in_the_current_folder_are_not_run(tmp_path):
    for name in ("json", "numpy", "pickle", "sklearn", "twofold"):
        (tmp_path / f"{name}.py").write_text(f"open('{name} ran', 'w').close()")
    code = f"import sys; sys.path[:] = {[p for p in sys.path if p]}; from twofold.cli import main; "
    command = ["run", "sklearn.dummy.DummyClassifier", "--data", "iris", "--design", "1x2"]
    command += ["--workers", "1", "--store", ":memory:", "-o", "scores.csv"]
    process = subprocess.run(
        [sys.executable, "-P", "-c", f"{code}sys.exit(main({command}))"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert process.returncode == 0, process.stderr
    assert not list(tmp_path.glob("* ran"))
