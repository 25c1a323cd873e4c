"""However a command ends, a person reads two lines at most, and the exit code says how it went."""

import os

import pytest

import twofold.cli
from twofold import signals
from twofold.cli import main

RUN = ["compare", "nb", "c45", "--data", "iris"]
KEPT = "What was finished is kept; the same command goes on from there."


@pytest.mark.parametrize(
    ("error", "command", "code", "lines"),
    [
        (KeyboardInterrupt(), RUN, 130, ["twofold: stopped.", KEPT]),
        (KeyboardInterrupt(), ["tests"], 130, ["twofold: stopped.", "Run it again for an answer."]),
        (signals.Stopped(15), RUN, 143, ["twofold: stopped.", KEPT]),
        (
            ModuleNotFoundError("no numba", name="numba.core"),
            RUN,
            2,
            [
                "twofold: `twofold compare` needs numba, which is not installed.",
                "Run `pip install 'twofold[run]'`.",
            ],
        ),
        (BrokenPipeError(), ["tests"], 141, []),
        (
            OSError(28, "No space left on device"),
            ["tests"],
            2,
            [
                "twofold: The disk refuses: No space left on device.",
                "Make space, or write to another place.",
            ],
        ),
    ],
)
def test_a_command_that_is_cut_short(error, command, code, lines, monkeypatch, capsys):
    def fail(name):
        raise error

    monkeypatch.delenv("TWOFOLD_STORE", raising=False)
    monkeypatch.setattr(twofold.cli, "import_module", fail)
    monkeypatch.setattr(twofold.cli, "let_go", lambda stream: None)
    assert main(command) == code
    assert capsys.readouterr().err.splitlines() == lines


def test_nothing_is_kept_where_the_store_is_in_memory(monkeypatch, capsys):
    def stop(name):
        raise KeyboardInterrupt

    monkeypatch.setenv("TWOFOLD_STORE", ":memory:")
    monkeypatch.setattr(twofold.cli, "import_module", stop)
    assert main(RUN) == 130
    assert capsys.readouterr().err.splitlines()[1] == "Run it again for an answer."


def test_no_command_shows_the_commands(capsys):
    assert main([]) == 0
    assert "reproduce" in capsys.readouterr().out


def test_an_unknown_option_has_two_lines(capsys):
    with pytest.raises(SystemExit) as caught:
        main(["compare", "--no-such-option"])
    assert caught.value.code == 2
    assert len(capsys.readouterr().err.splitlines()) == 2


@pytest.mark.skipif(os.name != "posix", reason="a folder in use cannot be removed there")
def test_a_current_folder_that_was_removed_is_named(tmp_path, monkeypatch, capsys):
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path / "folder")
    (tmp_path / "folder").rmdir()
    assert main(["run", "nb", "--data", "iris"]) == 2
    assert capsys.readouterr().err.startswith("twofold: The current folder is not there any more.")
