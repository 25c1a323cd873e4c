"""The command line as a user meets it."""

import json
import subprocess
import sys

import pytest

from twofold.cli import main
from twofold.stats import catalog

# The names that the command line promises, from the reading of the papers.
PROMISED = """mcnemar mcnemar-exact mcnemar-midp proportions resampled-t cv-t 5x2cv-t 5x2cv-f
corrected-resampled-t corrected-cv-t use-all-data mean-folds mean-runs mean-sorted-runs
mean-folds-averaged-var mean-folds-averaged-t mean-runs-averaged-var mean-runs-averaged-t
mean-sorted-runs-averaged-var mean-sorted-runs-averaged-t sorted-cv-t bayes-correlated-t
wilcoxon sign paired-t relative-t friedman iman-davenport rm-anova tukey dunnett nemenyi
bonferroni-dunn quade aligned-friedman skillings-mack bayes-sign bayes-signed-rank
bayes-hierarchical bonferroni holm hochberg hommel finner li shaffer bergmann-hommel""".split()


def run(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "twofold", *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def test_every_promised_name_is_listed(capsys):
    assert main(["tests", "--format", "json"]) == 0
    names = [test["name"] for test in json.loads(capsys.readouterr().out)]
    assert set(PROMISED) <= set(names)
    assert len(names) == len(set(names))


def test_unsafe_tests_say_why(capsys):
    main(["tests", "--standing", "unsafe", "--format", "json"])
    unsafe = {test["name"]: test["reason"] for test in json.loads(capsys.readouterr().out)}
    assert {"resampled-t", "proportions"} <= set(unsafe)
    assert all(len(reason) > 20 for reason in unsafe.values())


@pytest.mark.parametrize("name", [test.name for test in catalog()])
def test_every_test_has_a_page_within_80_columns(name, capsys):
    assert main(["tests", name]) == 0
    page = capsys.readouterr().out
    assert name in page
    assert "Papers" in page
    assert max(map(len, page.splitlines())) <= 80


def test_table_fits_80_columns():
    out = run("tests")
    assert out.returncode == 0
    assert max(map(len, out.stdout.splitlines())) <= 80
    assert "corrected-cv-t" in out.stdout


@pytest.mark.parametrize(
    "arguments",
    [["tests", "corrected-cv"], ["nonsense"], ["tests", "--format", "xml"], ["--what"]],
)
def test_bad_input_is_two_lines_and_exit_2(arguments):
    out = run(*arguments)
    assert out.returncode == 2
    assert out.stdout == ""
    assert len(out.stderr.strip().splitlines()) == 2
    assert "Traceback" not in out.stderr


def test_a_near_miss_is_guessed():
    assert "Did you mean 'corrected-cv-t'?" in run("tests", "corected-cv-t").stderr


def test_a_reader_that_leaves_is_no_error():
    code = f"{sys.executable} -m twofold tests --format json | head -n 1; echo ${{PIPESTATUS[0]}}"
    out = subprocess.run(["bash", "-c", code], capture_output=True, text=True, check=False)
    assert out.stderr == ""
    assert out.stdout.splitlines()[-1] == "141"


def test_version_and_help():
    assert run("--version").stdout.startswith("twofold ")
    assert "tests" in run("--help").stdout
    assert run().returncode == 0


def test_same_command_same_bytes():
    assert run("tests", "--format", "json").stdout == run("tests", "--format", "json").stdout


def test_reference_page_is_up_to_date(capsys):
    from pathlib import Path

    main(["tests", "--format", "markdown"])
    page = Path(__file__).parents[2] / "docs" / "reference" / "tests.md"
    assert page.read_text("utf-8") == capsys.readouterr().out, "run `make docs`"
