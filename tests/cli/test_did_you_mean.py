"""A word that is almost right gets the right one back, wherever it was typed."""

import pytest

import twofold
from twofold import InputError, compare
from twofold.cli import main

TABLE = {
    "dataset": list("wxyz"),
    "tree": [0.8, 0.7, 0.9, 0.6],
    "forest": [0.7, 0.6, 0.8, 0.5],
    "svm": [0.6, 0.8, 0.7, 0.5],
}
LONG = [
    {"dataset": d, "learner": name, "accuracy": 0.5 + i / 10 + j / 100, "logloss": 0.3}
    for i, d in enumerate("xyz")
    for j, name in enumerate(("tree", "forest"))
]
LABELS = {"label_of": list("xyxyxyxy"), "A": list("xyxyxyxx"), "B": list("xxxyyyxy")}


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["comapre", "scores.csv"], "compare"),
        (["compare", "scores.csv", "--adjsut", "holm"], "--adjust"),
        (["compare", "scores.csv", "--lower_is_better"], "--lower-is-better"),
        (["run", "nb", "--worker=2"], None),  # argparse takes the start of a flag
        (["compare", "scores.csv", "--format", "jsn"], "json"),
        (["store", "chekc"], "check"),
        (["study", "--source", "x", "--leraners", "nb"], "--learners"),
        (["compare", "scores.csv", "--zzz"], None),
    ],
)
def test_commands_and_flags(words, meant, capsys):
    try:
        code = main(words)
    except SystemExit as end:  # argparse ends the process
        code = end.code
    assert code == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    assert meant is None or lines[1] == f"Did you mean {meant!r}?"


@pytest.mark.parametrize(
    ("table", "options", "meant"),
    [
        (TABLE, {"control": "Tree"}, "tree"),
        (TABLE, {"only": ["tree", "forrest"]}, "forest"),
        (TABLE, {"drop": "smv"}, "svm"),
        (TABLE, {"adjust": "Holm"}, "holm"),
        (TABLE, {"test": "wilcoxn"}, "wilcoxon"),
        (TABLE, {"alternative": "Less", "control": "tree"}, "less"),
        (TABLE, {"rows": "fold"}, "folds"),
        (LONG, {"metric": "acuracy"}, "accuracy"),
        (LABELS, {"predictions": True, "truth": "label"}, "label_of"),
        (LABELS, {"predictions": True, "truth": "label_of", "control": "a"}, "A"),
        (["nb", "c54"], {"data": "iris"}, "c45"),
        (["nb", "c45"], {"data": "irsi"}, "iris"),
        (["nb", "c45"], {"data": "iris", "metric": "acuracy"}, "accuracy"),
        (["nb", "c45"], {"data": "iris", "target": "tagret"}, "target"),
        (["nb", "c45"], {"data": "iris", "design": "10y10"}, "10x10"),
        (["nb", "c45"], {"data": "iris", "design": "holdot:1/3"}, "holdout:1/3"),
        (["nb", "c45"], {"data": "iris", "control": "nbb"}, "nb"),
        (["nb", "c45"], {"data": "iris", "task": "clasification"}, "classification"),
    ],
)
def test_names_and_values(table, options, meant):
    with pytest.raises(InputError) as caught:
        compare(table, **options)
    assert caught.value.remedy == f"Did you mean {meant!r}?"


def test_pictures_and_reports(tmp_path):
    answer = compare(TABLE)
    with pytest.raises(InputError, match="Did you mean 'ranks'"):
        answer.plot(kind="rank")
    with pytest.raises(InputError, match=r"Did you mean '\.html'"):
        answer.save(tmp_path / "answer.htlm")
    with pytest.raises(InputError, match="Did you mean 'corrected-cv-t'"):
        twofold.stats.entry("corrected-cvt")
