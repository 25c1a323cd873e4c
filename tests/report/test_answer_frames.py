"""Answers and scores as frames, files and short texts, as Python users expect them."""

import inspect

import numpy as np
import pytest

import twofold
from twofold import Comparison, InputError, Scores, compare, read_scores
from twofold.plots.comparison_plots import PICTURES

pd = pytest.importorskip("pandas")

TABLE = {
    "dataset": ["v", "w", "x", "y", "z", "s & t"],
    "A": [0.81, 0.72, 0.93, 0.64, 0.85, 0.7],
    "B": [0.7, 0.65, 0.8, 0.6, 0.7, 0.6],
    "C": [0.6, 0.66, 0.7, 0.5, 0.71, 0.5],
}
FOLDS = [
    {
        "learner": name,
        "run": run,
        "fold": fold,
        "value": base + 0.01 * (hash((base, run, fold)) % 5),
    }
    for name, base in (("A", 0.8), ("B", 0.7))
    for run in range(2)
    for fold in range(5)
]


@pytest.fixture(scope="module")
def several():
    return compare(TABLE)


def test_a_row_for_each_pair(several):
    frame = several.to_frame()
    assert len(frame) == len(several.pairs) == 3
    first = several.pairs[0]
    row = frame.iloc[0]
    assert (row["a"], row["b"], row["wins"]) == (first.a, first.b, first.wins)
    assert row["pvalue"] == first.pvalue == first.adjusted[first.adjustment]
    assert row["pvalue_unadjusted"] == first.pvalue_unadjusted
    assert (row["low"], row["high"]) == first.interval
    assert {pair.better for pair in several.pairs} - {None} == set(frame["better"].dropna())


def test_a_row_for_each_learner(several):
    frame = several.to_frame("scores")
    assert tuple(frame.index) == several.ranking
    assert frame.loc["A", "mean"] == pytest.approx(np.mean(TABLE["A"]))
    assert "examples" not in frame  # nothing would stand there
    assert "groups" in frame


def test_ranks_average_to_mean_ranks(several):
    frame = several.to_frame("ranks")
    assert tuple(frame.columns) == several.ranking
    assert tuple(frame.index) == several.datasets
    assert frame.mean().to_dict() == pytest.approx(dict(several.mean_ranks))


def test_bayesian_answers_have_their_probabilities():
    frame = compare(FOLDS, rope=0.01).to_frame()
    three = frame[["a_better", "equivalent", "b_better"]].iloc[0]
    assert three.sum() == pytest.approx(1)


def test_what_there_is_no_frame_of(several):
    with pytest.raises(InputError, match="Did you mean 'ranks'"):
        several.to_frame("rank")
    labels = {"truth": list("xyxyxyxy"), "A": list("xyxyxyxx"), "B": list("xxxyyyxy")}
    predictions = compare(labels, predictions=True)
    assert len(predictions.to_frame("scores")) == 2
    with pytest.raises(InputError, match="no ranks on data sets"):
        predictions.to_frame("ranks")


def test_styles_put_the_best_in_bold(several):
    pytest.importorskip("jinja2")
    for kind in ("pairs", "scores", "ranks"):
        html = several.style(kind).to_html()
        assert "font-weight: bold" in html
        assert "nan" not in html
    assert ".016791" not in several.style("pairs").to_html()


def test_save_writes_what_the_ending_says(several, tmp_path):
    several.save(tmp_path / "answer.json")
    assert several.verdict in (tmp_path / "answer.json").read_text("utf-8")
    with pytest.raises(InputError, match=r"\.html"):
        several.save(tmp_path / "answer")


def test_scores_as_frames_and_text_come_back(tmp_path):
    for table in (TABLE, FOLDS):
        scores = read_scores(table)
        scores.to_csv(tmp_path / "scores.csv")
        text = (tmp_path / "scores.csv").read_text("utf-8")
        assert text == scores.to_csv()
        for again in (read_scores(tmp_path / "scores.csv"), read_scores(scores.to_frame())):
            assert again.learners == scores.learners
            np.testing.assert_array_equal(again.means(), scores.means())
            np.testing.assert_array_equal(again.fold, scores.fold)
        wide = scores.to_frame(wide=True)
        np.testing.assert_array_equal(wide.to_numpy(), scores.means())
        assert tuple(wide.columns) == scores.learners


def test_shares_of_the_rows_stay_shares():
    scores = read_scores({"A": [0.8, 0.9], "B": [0.7, 0.8]}, rows="splits", test_share=0.1)
    assert set(scores.to_frame()["n_train"]) == {0.9}


def test_short_texts_say_how_to_go_on(several):
    assert repr(several).startswith("<Comparison of 3 learners × 6 data sets: ")
    assert "answer.save('report.html')" in repr(several)
    scores = read_scores(FOLDS, metric="accuracy")
    first, second = repr(scores).splitlines()
    assert first == (
        "<Scores: accuracy (higher is better) of A, B on the data set, 2 runs × 5 folds, 20 values>"
    )
    assert "compare(scores)" in second


def test_notebooks_show_mean_scores():
    html = read_scores(TABLE)._repr_html_()
    assert "<b>0.810</b>" in html
    assert "s &amp; t" in html
    many = {f"learner {j}": list(np.arange(15) / 20 + j / 100) for j in range(12)}
    assert (
        "… 3 more data sets and 2 more learners."
        in read_scores(many, rows="datasets")._repr_html_()
    )
    gaps = read_scores(TABLE | {"C": [None, 0.66, 0.7, 0.5, 0.71, 0.5]}, metric="rmse")
    assert "—" in gaps._repr_html_()
    assert "<b>0.700</b>" in gaps._repr_html_()


def test_next_calls_are_those_of_python_in_python(several):
    tail = str(several)[str(several).index("\nNext") :]
    assert "--" not in tail
    assert "answer.to_frame()" in tail
    assert max(map(len, tail.splitlines())) <= 80


@pytest.mark.parametrize(
    "function",
    [Comparison.plot, Comparison.to_frame, Scores.to_frame, twofold.compare, twofold.run],
)
def test_help_shows_types_without_quotes(function):
    for name, parameter in inspect.signature(function).parameters.items():
        quoted = isinstance(parameter.annotation, str)
        assert not quoted or "matplotlib" in parameter.annotation, name


def test_every_picture_is_named_in_the_help():
    assert all(f'"{kind}"' in Comparison.plot.__doc__ for kind in PICTURES)
