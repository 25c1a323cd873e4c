"""Several metrics, answered together: from tables, adjusted over metrics, and where they differ."""

import io
import json
import re
from dataclasses import replace
from html import unescape

import numpy as np
import pytest
from scipy.special import ndtr

import twofold
from twofold.comparison import defaults
from twofold.comparison.across_metrics import adjust_across_metrics, share_level
from twofold.report import html, latex, markdown, terminal
from twofold.report.json_text import json_parts
from twofold.report.metric_lines import tabulate_learners_by_metric, tabulate_metrics
from twofold.report.metric_paragraphs import describe_methods_of_metrics


def make_rows(metrics, learners=("A", "B"), n=14, seed=1):
    """Scores by each metric; ``metrics`` maps a name to how much each learner is ahead."""
    rng = np.random.default_rng(seed)
    rows = []
    for metric, gains in metrics.items():
        for d in range(n):
            base = rng.uniform(0.6, 0.8)
            for learner, gain in zip(learners, gains, strict=True):
                value = base + gain + rng.normal(0, 0.01)
                rows.append(
                    {"dataset": f"d{d}", "learner": learner, "metric": metric, "value": value}
                )
    return rows


DISAGREE = make_rows({"accuracy": (0.05, 0), "auc": (0.05, 0), "logloss": (0.05, 0)})


def test_each_metric_is_answered_as_it_is_alone():
    answers = twofold.compare(DISAGREE, metric=["auc", "logloss"])
    assert list(answers) == ["auc", "logloss"]
    for metric, answer in answers.items():
        alone = twofold.compare(DISAGREE, metric=metric)
        assert answer.verdict == alone.verdict
        assert answer.pairs == alone.pairs
    assert answers["auc"].pairs[0].better == "A"
    assert answers["logloss"].pairs[0].better == "B"  # lower is better
    assert answers.verdicts["logloss"] == answers["logloss"].verdict


def test_metrics_that_disagree_are_told_first():
    answers = twofold.compare(DISAGREE, metric="all")
    assert answers.metrics == ("accuracy", "auc", "logloss")
    assert answers.verdict == "The metrics disagree: accuracy and auc say A, logloss says B."
    assert str(answers).startswith(answers.verdict)
    assert "accuracy, auc and logloss" in answers.notes[0].detail
    assert answers.notes[0].code == "several-metrics"


@pytest.mark.parametrize(
    ("gains", "verdict"),
    [
        ((0.05, 0.05), "By both metrics A is better than B."),
        ((0.0, 0.0), "By neither of the 2 metrics was a difference between A and B found."),
        ((0.05, 0.0), "accuracy says A; auc finds no difference."),
    ],
)
def test_verdicts_on_two_learners(gains, verdict):
    rows = make_rows({m: (g, 0) for m, g in zip(("accuracy", "auc"), gains, strict=True)})
    assert twofold.compare(rows, metric="all").verdict == verdict


def test_verdict_on_many_learners():
    learners = ("A", "B", "C")
    rows = make_rows({"accuracy": (0.1, 0, 0.05), "auc": (0.1, 0.2, 0)}, learners)
    verdict = twofold.compare(rows, metric="all").verdict
    assert "different learners first: A by accuracy, B by auc" in verdict
    assert "disagree: " in verdict
    rows = make_rows({"accuracy": (0.1, 0, 0.05), "auc": (0.1, 0, 0.05)}, learners)
    verdict = twofold.compare(rows, metric="all").verdict
    assert verdict.startswith("A comes first by both metrics. No pair is decided one way")


def test_names_of_metrics():
    answers = twofold.compare(DISAGREE, metric=["AUC", "auc", "accuracy"])
    assert list(answers) == ["AUC", "accuracy"]
    assert len(twofold.compare(DISAGREE, metric=["auc"])) == 1
    assert isinstance(twofold.compare(DISAGREE, metric="auc"), twofold.Comparison)
    with pytest.raises(twofold.InputError, match=r"no metric 'logless'.*\n.*'logloss'"):
        twofold.compare(DISAGREE, metric=["auc", "logless"])
    with pytest.raises(KeyError, match="Did you mean 'accuracy'"):
        answers["acuracy"]


def test_the_table_says_what_else_it_holds():
    codes = {note.code for note in twofold.compare(DISAGREE, metric="all")["auc"].notes}
    assert "many-metrics" not in codes
    answers = twofold.compare(DISAGREE, metric=["auc", "logloss"])
    notes = {note.code: note.detail for note in answers["auc"].notes}
    assert notes["many-metrics"].startswith("The table also has accuracy.")
    chosen = next(n for n in twofold.compare(DISAGREE).notes if n.code == "metric-chosen")
    assert "`metric='all'`" in chosen.detail


def test_a_table_of_one_metric_has_no_second():
    wide = {"A": [0.8, 0.7, 0.9, 0.6, 0.8], "B": [0.7, 0.6, 0.7, 0.5, 0.65]}
    with pytest.raises(twofold.InputError, match="holds one metric, and 2 were asked for"):
        twofold.compare(wide, metric=["accuracy", "auc"], rows="datasets")
    assert list(twofold.compare(wide, metric="all", rows="datasets")) == ["score"]
    with pytest.raises(twofold.InputError, match="by one metric, and all"):
        twofold.read_scores(DISAGREE, metric="all")


def test_columns_of_metrics_and_wide_tables_with_a_column_metric():
    by_column = {}
    for row in DISAGREE:
        key = row["dataset"], row["learner"]
        by_column.setdefault(key, {"dataset": key[0], "learner": key[1]})[row["metric"]] = row[
            "value"
        ]
    by_learner = {}
    for row in DISAGREE:
        key = row["dataset"], row["metric"]
        by_learner.setdefault(key, {"dataset": key[0], "metric": key[1]})[row["learner"]] = row[
            "value"
        ]
    expected = twofold.compare(DISAGREE, metric="all")
    for table in (by_column, by_learner):
        answers = twofold.compare(list(table.values()), metric="all")
        assert answers.verdicts == expected.verdicts


def test_columns_that_are_learners_by_metrics():
    rng = np.random.default_rng(2)
    metrics = {"acc": "higher", "log_loss": "lower"}
    for form in ("{}_{}", "{1}: {0}"):
        table = {
            form.format(learner, metric): rng.uniform(0.6, 0.7, 8) + gain
            for learner, gain in (("Tree", 0.0), ("Forest 2", 0.2))
            for metric in metrics
        }
        answers = twofold.compare(table, metric="all", rows="datasets")
        assert {
            m: "higher" if a.higher_is_better else "lower" for m, a in answers.items()
        } == metrics
        assert answers.verdict == "The metrics disagree: acc says Forest 2, log_loss says Tree."
        assert (
            twofold.compare(table, metric="log loss", rows="datasets").pairs
            == answers["log_loss"].pairs
        )
        with pytest.raises(twofold.InputError, match="look like metrics"):
            twofold.compare(table)
        with pytest.raises(twofold.InputError, match=r"no metric 'auc'"):
            twofold.compare(table, metric=["acc", "auc"], rows="datasets")


def test_results_of_cross_validate_and_frames_with_levels():
    rng = np.random.default_rng(0)
    results = {
        name: {"fit_time": np.ones(10), "score_time": np.ones(10)}
        | {f"test_{metric}": rng.uniform(0.6, 0.7, 10) + gain for metric in ("accuracy", "f1")}
        for name, gain in (("tree", 0.0), ("forest", 0.2))
    }
    answers = twofold.compare(results, metric="all")
    assert answers.verdict == "By both metrics forest is better than tree."
    pandas = pytest.importorskip("pandas")
    columns = pandas.MultiIndex.from_product([["accuracy", "f1"], ["tree", "forest"]])
    frame = pandas.DataFrame(rng.uniform(0.5, 0.9, (8, 4)), columns=columns)
    assert list(twofold.compare(frame, metric="all", rows="datasets")) == ["accuracy", "f1"]
    assert list(twofold.compare(frame, metric=["f1", "accuracy"], rows="datasets")) == [
        "f1",
        "accuracy",
    ]


def test_standard_input_is_read_once(monkeypatch, capsys):
    from twofold.cli import main

    lines = ["dataset,learner,metric,value"]
    lines += [",".join(map(str, row.values())) for row in DISAGREE]
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO("\n".join(lines).encode())))
    assert main(["compare", "-", "--metric", "accuracy,logloss"]) == 0
    assert capsys.readouterr().out.startswith("The metrics disagree: accuracy says A, logloss says")


def test_scores_by_metric_are_compared_by_each():
    tables = {m: twofold.read_scores(DISAGREE, metric=m) for m in ("auc", "logloss")}
    assert twofold.compare(tables).metrics == ("auc", "logloss")
    assert twofold.compare(tables, metric=["logloss"]).metrics == ("logloss",)
    with pytest.raises(twofold.InputError, match="no scores by 'acc'"):
        twofold.compare(tables, metric=["acc"])
    with pytest.raises(twofold.InputError, match="are auc alone"):
        twofold.compare(tables["auc"], metric=["auc", "logloss"])


# Adjusting over metrics


def test_two_learners_are_adjusted_as_any_p_values():
    p = [0.01, 0.04, 0.02]
    for method in defaults.ACROSS_METRICS:
        adjusted = adjust_across_metrics([np.array([value]) for value in p], method)
        assert np.ravel(adjusted) == pytest.approx(twofold.stats.adjust(p, method))


@pytest.mark.parametrize("method", defaults.ACROSS_METRICS)
def test_levels_and_adjusted_p_values_decide_alike(method):
    rng = np.random.default_rng(3)
    for _ in range(40):
        families = [rng.uniform(0, 0.06, 3) ** rng.integers(1, 4) for _ in range(3)]
        levels = share_level(families, method, 0.05)
        for p, level, adjusted in zip(
            families, levels, adjust_across_metrics(families, method), strict=True
        ):
            assert ((p <= level) == (adjusted <= 0.05)).all()


@pytest.mark.parametrize("method", defaults.ACROSS_METRICS)
def test_wrong_pairs_are_called_different_no_more_often_than_the_level(method):
    """Four learners by three correlated metrics; by some metrics some pairs differ very much."""
    rng = np.random.default_rng(8)
    repetitions, learners, metrics = 20_000, 4, 3
    shared = rng.normal(size=(repetitions, 1, learners))
    x = 0.7 * shared + np.sqrt(1 - 0.7**2) * rng.normal(size=(repetitions, metrics, learners))
    ahead = np.array([[0, 0, 0, 50], [0, 0, 50, 0], [0, 50, 100, 150]])
    x += ahead
    i, j = np.triu_indices(learners, 1)
    z = np.abs(x[..., i] - x[..., j]) / np.sqrt(2)
    p = twofold.stats.adjust(2 * ndtr(-z), "holm")
    true_null = ahead[:, i] == ahead[:, j]
    adjusted = np.stack(adjust_across_metrics([p[:, m] for m in range(metrics)], method), axis=1)
    wrong = ((adjusted <= 0.05) & true_null).any(axis=(1, 2)).mean()
    assert wrong <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / repetitions)
    assert wrong > 0.01  # and it does something
    # Over metrics pair by pair, which the largest p values guard against, is not enough.
    pair_by_pair = np.moveaxis(twofold.stats.adjust(np.moveaxis(p, 1, -1), method), -1, 1)
    assert (((pair_by_pair <= 0.05) & true_null).any(axis=(1, 2)).mean() > wrong) or (
        method == "bonferroni"
    )


def test_decisions_follow_the_adjustment():
    rows = make_rows({"accuracy": (0.05, 0), "auc": (0.0045, 0), "f1": (0, 0)})
    apart = twofold.compare(rows, metric="all")
    together = twofold.compare(rows, metric="all", across_metrics="holm")
    assert apart["auc"].pairs[0].differs
    assert not together["auc"].pairs[0].differs
    assert together["accuracy"].pairs[0].differs
    assert [answer.alpha for answer in together.values()] == [0.05 / 3, 0.025, 0.025]
    assert together.adjusted["auc"][0] == pytest.approx(2 * together["auc"].pairs[0].pvalue)
    assert together.notes[0].code == "across-metrics"
    assert "Adjusted over metrics, p = .0" in together["auc"].verdict
    assert together["auc"].verdict.endswith("above 0.05.")
    assert together["accuracy"].verdict.endswith("p < .001, at most 0.05.")
    assert together["auc"].interval_level == "97.5%"


def test_adjustments_over_metrics_that_cannot_be():
    refused = [
        ({"metric": "auc", "across_metrics": "holm"}, "over several metrics, and one"),
        ({"metric": ["auc"], "across_metrics": "holm"}, "is for several metrics"),
        ({"metric": "all", "across_metrics": "nemenyi"}, "must be one of"),
        ({"metric": "all", "across_metrics": "holm", "test": "bayes-signed-rank"}, "no p values"),
        ({"metric": "all", "predictions": True}, "have no list of metrics"),
    ]
    for options, rule in refused:
        with pytest.raises(twofold.InputError, match=rule):
            twofold.compare(DISAGREE, **options)


@pytest.mark.parametrize("learners", [("A",), ("A", "B")])
def test_a_metric_without_an_answer_leaves_the_others(learners):
    rows = [{"dataset": "d1", "learner": name, "metric": "f1", "value": 0.5} for name in learners]
    answers = twofold.compare([*rows, *DISAGREE], metric="all")
    assert answers.metrics == ("accuracy", "auc", "logloss")
    assert list(answers.unanswered) == list(answers.to_dict()["unanswered"]) == ["f1"]
    assert answers.verdict.endswith("logloss says B. There is no answer by f1.")
    assert answers.notes[0].code == "metric-unanswered"
    with pytest.raises(twofold.InputError, match=r"One score of one|cannot carry"):
        twofold.compare(rows, metric=["f1"])


# Outputs


@pytest.fixture
def _no_drawing(monkeypatch):
    """Pictures take long, and are tried elsewhere."""
    monkeypatch.setattr(
        "twofold.plots.svg_with_caption", lambda c, kind, highlight: ("<svg></svg>", (kind, ""))
    )


def test_json_is_that_of_to_dict():
    answers = twofold.compare(DISAGREE, metric="all", across_metrics="holm")
    text = "".join(json_parts(answers))
    assert json.loads(text) == json.loads(json.dumps(answers.to_dict()))
    assert text == json.dumps(answers.to_dict(), indent=2, ensure_ascii=False) + "\n"


@pytest.mark.usefixtures("_no_drawing")
def test_outputs_tell_of_every_metric(tmp_path):
    learners = ("A", "B", "C")
    rows = make_rows({"accuracy": (0.1, 0, 0.05), "logloss": (0.1, 0.2, 0)}, learners)
    for across in (None, "holm"):
        answers = twofold.compare(rows, metric="all", across_metrics=across)
        for suffix in (".html", ".tex", ".md", ".json", ".txt"):
            answers.save(tmp_path / f"report{suffix}")
            text = (tmp_path / f"report{suffix}").read_text("utf-8")
            assert "accuracy" in text
            assert "logloss" in text
            if suffix in (".txt", ".md", ".html"):
                assert answers.verdict.split(".")[0] in " ".join(text.split())
        assert "demsar" in (tmp_path / "report.bib").read_text("utf-8")
        assert max(map(len, str(answers).splitlines())) <= 80
        assert "accuracy" in repr(answers)
        assert "<table" in answers._repr_html_()


@pytest.mark.usefixtures("_no_drawing")
def test_the_table_of_verdicts_is_the_same_in_every_output():
    learners = ("A", "B", "C")
    many = make_rows({"accuracy": (0.1, 0, 0.05), "logloss": (0.1, 0.2, 0)}, learners)
    for rows in (DISAGREE, many):
        for across in (None, "holm"):
            answers = twofold.compare(rows, metric="all", across_metrics=across)
            table = tabulate_metrics(answers)
            page = unescape(re.sub("<[^>]*>", " ", html(answers)))
            document = re.sub(r"\\(?=[<>])", "", markdown(answers))
            texts = [terminal(answers), document, page, latex(answers)]
            for sign, command in (("−", "$-$"), ("<", "$<$"), (">", "$>$"), ("↑", r"$\uparrow$"),
                                  ("↓", r"$\downarrow$"), ("%", r"\%"), ("–", "--")):  # fmt: skip
                texts[3] = texts[3].replace(command, sign)
            for row in table.rows:
                words = [word for cell in row for word in cell.split()]
                pattern = r"[\s|&]+".join(map(re.escape, words))
                assert all(re.search(pattern, text) for text in texts), pattern
            for _, *texts_of_learner in tabulate_learners_by_metric(answers).rows:
                pattern = r"[\s|&]+".join(re.escape(text) for text in texts_of_learner)
                # Two learners need no such table in the terminal.
                shown = texts if len(answers["accuracy"].learners) > 2 else texts[1:]
                assert all(re.search(pattern, text) for text in shown), pattern
            for metric, row in zip(answers, table.rows, strict=True):
                answer = answers[metric]
                differ = [pair.better for pair in answer.pairs if pair.differs]
                if len(answer.pairs) == 1:
                    assert row[1] == (differ[0] if differ else "—")
                else:
                    assert row[1:3] == [answer.ranking[0], f"{len(differ)} of 3"]


def test_frames_stand_below_each_other():
    pytest.importorskip("pandas")
    frame = twofold.compare(DISAGREE, metric="all").to_frame()
    assert frame.loc["logloss", "better"].to_list() == ["B"]
    assert frame.index.names[0] == "metric"


def test_pictures_are_one_file_each(tmp_path):
    pytest.importorskip("matplotlib")
    answers = twofold.compare(DISAGREE, metric=["accuracy", "auc"])
    files = answers.plot(tmp_path / "pair.svg")
    assert [file.name for file in files] == ["pair-accuracy.svg", "pair-auc.svg"]
    assert all(file.exists() for file in files)
    with pytest.raises(twofold.InputError, match="2 pictures"):
        answers.plot()


def test_one_paragraph_on_methods_however_long_the_positive_classes():
    answers = twofold.compare(DISAGREE, metric=["auc", "logloss"])
    sets = answers["auc"].datasets
    positive = {name: f"class {i} of {len(sets)}" for i, name in enumerate(sets)}
    answers = replace(
        answers, answers={**answers.answers, "auc": replace(answers["auc"], positive=positive)}
    )
    methods, judged = describe_methods_of_metrics(answers)
    assert judged.startswith("Each of the 2 metrics was judged by itself")
    assert methods.count("We compared") == 1
    assert "auc with the positive classes class 0 of 14 on" in methods
    assert "(higher is better) and logloss (lower is better)" in methods
