"""The page about tables is run, so that it stays true."""

import doctest
import json
import re
import shlex

import pytest

from how_to_tables import EXAMPLES, PAGE
from twofold.cli import main

READING = """left-out-columns left-out-rows decimal-comma percent-signs spread-ignored
markup-ignored transposed nested-names metric-chosen assumed-folds no-scores
encoding
time-series-splits""".split()


@pytest.mark.parametrize(
    ("kind", "text", "options", "said", "codes"),
    EXAMPLES,
    ids=[f"{i}-{example[3][:30]}" for i, example in enumerate(EXAMPLES)],
)
def test_example(kind, text, options, said, codes, tmp_path, capsys):
    file = tmp_path / f"table.{kind}"
    file.write_text(text, "utf-8")
    code = main(["compare", str(file), *shlex.split(options), "--format", "json"])
    out, err = capsys.readouterr()
    if said.startswith("refused: "):
        assert code == 2
        assert err.splitlines()[0] == "twofold: " + said.removeprefix("refused: ")
        assert len(err.splitlines()) == 2
        return
    assert code == 0, err
    notes = {note["code"]: note["detail"] for note in json.loads(out)["notes"]}
    assert notes["read-as"] == f"Read as {said}."
    assert set(notes) & set(READING) == set(re.findall("`(.*?)`", codes))


def test_there_are_examples_of_every_kind():
    assert len(EXAMPLES) >= 20
    assert {kind for kind, *_ in EXAMPLES} == {"csv", "json", "markdown"}


PYTHON = re.findall(r"```python\n(.*?)```", PAGE, re.S)


def run(code, names):
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    parsed = doctest.DocTestParser().get_doctest(code, names, "tables.md", None, 0)
    runner.run(parsed, clear_globs=False)
    assert runner.failures == 0
    return parsed.globs


def test_python_examples():
    names = {}
    for code in PYTHON:
        if "sklearn" not in code and "GridSearchCV" not in code:
            names = run(code, names)


def test_scikit_learn_examples():
    pytest.importorskip("sklearn")
    names = run(PYTHON[0], {})
    for code in PYTHON:
        if "sklearn" in code or "GridSearchCV" in code:
            names = run(code, names)
