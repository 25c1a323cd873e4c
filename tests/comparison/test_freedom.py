"""Chosen degrees of freedom: the shipped table, one's own, a number; or a clear refusal."""

import json
import re
import shlex

import numpy as np
import pytest
from scipy import stats as reference

import twofold
from twofold import InputError, compare
from twofold.cli import main
from twofold.comparison.degrees_of_freedom import tests_with_df as with_df
from twofold.stats import catalog
from twofold.studies.plan import TAKES_DF

SHIPPED = {  # as the table says; read off by eye
    ("use-all-data", 10, 10, 0.05): 10,
    ("mean-sorted-runs", 10, 10, 0.05): 9,
    ("mean-folds-averaged-var", 5, 5, 0.05): 7,
    ("cv-t", 1, 10, 0.05): 6,
}


def scores(runs=10, folds=10, gap=0.012, names=("nb", "c45")):
    rng = np.random.default_rng(3)
    return [
        {"learner": name, "run": r, "fold": f, "accuracy": 0.8 + gap * i + rng.normal(0, 0.02)}
        for i, name in enumerate(names)
        for r in range(runs)
        for f in range(folds)
    ]


def array(table, name, runs, folds):
    values = [row["accuracy"] for row in table if row["learner"] == name]
    return np.array(values).reshape(runs, folds)


def by_hand(x, df, sample):
    """Bouckaert's m / √(s²/(df+1)) on t with df, two-sided, from scipy."""
    t = sample.mean() / np.sqrt(sample.var(ddof=1) / (df + 1))
    return t, 2 * reference.t.sf(abs(t), df)


def test_use_all_data_by_hand():
    table = scores()
    x = array(table, "nb", 10, 10) - array(table, "c45", 10, 10)
    answer = compare(table, test="use-all-data", df="calibrated")
    pair = answer.pairs[0]
    t, p = by_hand(x, 10, x.ravel())
    assert pair.df == (10.0,)
    assert pair.statistic == pytest.approx(t, rel=1e-9)
    assert pair.pvalue == pytest.approx(p, rel=1e-9)
    reach = reference.t.ppf(0.975, 10) * x.std(ddof=1) / np.sqrt(11)
    assert pair.interval == pytest.approx((x.mean() - reach, x.mean() + reach), rel=1e-9)
    note = next(one for one in answer.notes if one.code == "calibrated-df")
    assert "df = 10" in note.detail
    assert "nb against c45 on 4000 data sets of 300 rows" in note.detail
    assert "shipped table" in answer.reason
    assert "uncalibrated" not in {one.code for one in answer.notes}
    # The prediction uses the same degrees of freedom.
    told = twofold.stats.predict_replicability(x, test="use-all-data", df=10)
    assert pair.replicability.predicted == pytest.approx(float(told.agreement))


def test_mean_sorted_runs_by_hand():
    table = scores()
    x = array(table, "nb", 10, 10) - array(table, "c45", 10, 10)
    pair = compare(table, test="mean-sorted-runs", df="calibrated").pairs[0]
    t, p = by_hand(x, 9, np.sort(x, axis=1).mean(axis=0))
    assert (pair.statistic, pair.pvalue) == (pytest.approx(t), pytest.approx(p))


@pytest.mark.parametrize(("design", "df"), SHIPPED.items())
def test_the_shipped_table_is_used(design, df):
    test, runs, folds, alpha = design
    answer = compare(scores(runs, folds), test=test, df="calibrated", alpha=alpha)
    assert answer.pairs[0].df == (df,)


def test_one_side_is_two_sides_at_twice_the_level():
    table = scores()
    x = array(table, "nb", 10, 10) - array(table, "c45", 10, 10)
    answer = compare(table, test="use-all-data", df="calibrated", control="nb", alternative="less")
    entries = twofold.stats.calibration_table.load_shipped_table()["entries"]
    (wanted,) = [
        e["df"]
        for e in entries
        if (e["test"], e["runs"], e["folds"], e["alpha"]) == ("use-all-data", 10, 10, 0.1)
    ]
    t, _ = by_hand(x, wanted, x.ravel())
    assert answer.pairs[0].df == (wanted,)
    assert answer.pairs[0].pvalue == pytest.approx(reference.t.cdf(t, wanted))
    asked = {"control": "nb", "alternative": "less", "alpha": 0.01}
    with pytest.raises(InputError, match=r"level of 0\.02"):
        compare(table, test="use-all-data", df="calibrated", **asked)


def test_without_a_test_it_is_use_all_data():
    assert compare(scores(), df="calibrated").pairs[0].method == "use-all-data"
    assert compare(scores(), df=7).pairs[0].df == (7.0,)
    assert compare(scores(), df="7").pairs[0].df == (7.0,)
    given = compare(scores(), df=7)
    assert "given-df" in {note.code for note in given.notes}


def test_a_table_of_ones_own(tmp_path):
    made = {"source": "mine", "rows": 50, "learners": ["x", "y"], "datasets": 99, "seed": 0}
    entry = {"test": "use-all-data", "runs": 2, "folds": 3, "alpha": 0.05, "df": 4.0}
    file = tmp_path / "own.json"
    file.write_text(json.dumps({"made": made, "entries": [entry]}), "utf-8")
    answer = compare(scores(2, 3), df=file)
    assert answer.pairs[0].df == (4.0,)
    (note,) = [note for note in answer.notes if note.code == "calibrated-df"]
    assert "x against y on 99 data sets of 50 rows of mine" in note.detail
    with pytest.raises(InputError) as caught:
        compare(scores(2, 4), df=str(file))
    assert "--design 2x4 --runs 2" in caught.value.remedy
    for text in ("[]", "{", '{"made": {}, "entries": [{}]}', '{"made": 1, "entries": []}'):
        file.write_text(text, "utf-8")
        with pytest.raises(InputError):
            compare(scores(2, 3), df=str(file))


def test_calibrate_writes_what_compare_reads(tmp_path):
    file = tmp_path / "table.json"
    words = ["calibrate", "--learners", "majority,knn(n_neighbors=3)", "--rows", "40"]
    words += ["--datasets", "40", "--design", "2x3", "--workers", "0", "--store", ":memory:"]
    assert main([*words, "--alpha", "0.2", "-o", str(file)]) == 0
    entries = json.loads(file.read_text("utf-8"))["entries"]
    known = [e for e in entries if e["runs"] == 2 and e["df"]]
    assert known
    answer = compare(scores(2, 3), test=known[0]["test"], df=str(file), alpha=0.2)
    assert answer.pairs[0].df == (known[0]["df"],)


@pytest.mark.parametrize(
    ("table", "options", "says"),
    [
        (scores(7), {"test": "use-all-data"}, "in the shipped table for `use-all-data` on 7x10"),
        (scores(), {"test": "mean-folds"}, "errs too often"),
        (scores(7), {}, "in the shipped table for `use-all-data` on 7x10"),
        (scores(), {"test": "sorted-cv-t"}, "takes no `df`"),
        (scores(), {"alpha": 0.03}, "two-sided level of 0.03"),
        ({"a": [1, 2, 3.0], "b": [2, 3, 5.0]}, {"rows": "datasets"}, "not for several data sets"),
    ],
)
def test_refusals(table, options, says):
    with pytest.raises(InputError) as caught:
        compare(table, df="calibrated", **options)
    assert says in caught.value.rule
    assert caught.value.remedy


CALIBRATED = [test.name for test in catalog() if test.calibrated]


def test_the_calibrated_tests():
    """The ten of Bouckaert (2003), Table 3: one on all data, three means by three variances."""
    means = ("mean-folds", "mean-runs", "mean-sorted-runs")
    variants = ("", "-averaged-var", "-averaged-t")
    assert set(CALIBRATED) == {"use-all-data", *(f"{m}{v}" for m in means for v in variants)}


@pytest.mark.parametrize("test", CALIBRATED)
@pytest.mark.parametrize("design", [(10, 10), (5, 5), (7, 10)])
def test_calibrated_by_default(test, design):
    """Without df these tests say what they say with df="calibrated", or refuse as it does."""
    table = scores(*design)
    df = twofold.stats.calibration_table.calibrated_df(test, *design, 0.05)
    if df is None:
        refusals = set()
        for choice in ({}, {"df": "calibrated"}):
            with pytest.raises(InputError) as caught:
                compare(table, test=test, **choice)
            refusals.add(str(caught.value))
        assert len(refusals) == 1
        return
    chosen = compare(table, test=test, df="calibrated")
    answer = compare(table, test=test)
    assert answer.pairs == chosen.pairs
    assert answer.pairs[0].df == (df,)
    assert "from the shipped table" in answer.reason
    assert "calibrated-df" in {note.code for note in answer.notes}


@pytest.mark.parametrize("test", CALIBRATED)
def test_the_textbook_is_a_choice_with_a_warning(test):
    table = scores()
    x = array(table, "nb", 10, 10) - array(table, "c45", 10, 10)
    answer = compare(table, test=test, df="textbook")
    plain = twofold.stats.entry(test).load()(x)
    assert answer.pairs[0].pvalue == pytest.approx(float(plain.pvalue))
    (note,) = [note for note in answer.notes if note.code == "uncalibrated"]
    assert note.severity == "warning"
    assert "Unsafe" in note.title


def test_the_textbook_for_tests_that_have_it_anyway():
    chosen, default = (compare(scores(), test="corrected-cv-t", df=df) for df in ("textbook", None))
    assert chosen.pairs == default.pairs
    for options in ({}, {"test": "5x2cv-f"}):
        with pytest.raises(InputError):
            compare(scores(5, 2), df="textbook", **options)


def test_other_tests_keep_their_degrees_of_freedom():
    assert compare(scores()).pairs[0].df == (99.0,)
    assert compare(scores(1), test="cv-t").pairs[0].df == (9.0,)


def test_the_refusal_names_the_designs():
    with pytest.raises(InputError) as caught:
        compare(scores(7), df="calibrated")
    assert "1, 2, 3, 4, 5, 6, 8, 10 runs of 10 folds" in caught.value.remedy
    assert "levels 0.01, 0.025, 0.05, 0.1" in caught.value.remedy


@pytest.mark.parametrize("test", ["use-all-data", "mean-runs-averaged-var"])
def test_the_refusal_names_the_command_to_run(test, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError) as caught:
        compare(scores(4, 6), test=test, alpha=0.04)
    command = re.search("`twofold (calibrate .*?)`", caught.value.remedy)[1]
    quick = ["--learners", "nb,nn", "--rows", "60", "--datasets", "40"]
    quick += ["--workers", "0", "--store", ":memory:"]
    assert main([*shlex.split(command), *quick]) == 0
    (entry,) = json.loads((tmp_path / "own.json").read_text("utf-8"))["entries"]
    assert (entry["test"], entry["runs"], entry["folds"], entry["alpha"]) == (test, 4, 6, 0.04)
    answer = compare(scores(4, 6), test=test, alpha=0.04, df="own.json")
    assert answer.pairs[0].df == (entry["df"],)


def test_random_splits_are_refused_for_what_they_are():
    table = [{"learner": name, "run": i, "accuracy": i / 9} for name in "ab" for i in range(9)]
    with pytest.raises(InputError, match="needs the folds of a cross-validation"):
        compare(table, test="use-all-data", test_share=0.1)


@pytest.mark.parametrize("df", [0, -1, float("nan"), True, "0", "no-such-file.json", [3]])
def test_odd_degrees_of_freedom(df):
    with pytest.raises(InputError):
        compare(scores(), df=df)


def test_refused_before_anything_is_run(monkeypatch):
    def advance(*_, **__):
        raise AssertionError("something was run")

    monkeypatch.setattr("twofold.execution.experiment.Experiment.advance", advance)
    for options in ({"until": 0.9}, {"design": "7x10"}, {"budget": "10m"}):
        for choice in ({"df": "calibrated"}, {"test": "use-all-data"}):
            with pytest.raises(InputError, match="degrees of freedom"):
                compare(["knn", "majority"], "iris", store=":memory:", **choice, **options)


def test_a_number_goes_with_a_growing_number_of_runs():
    options = {"test": "use-all-data", "df": 10, "until": 0.9, "max_runs": 5, "store": ":memory:"}
    answer = compare(["knn", "majority"], "iris", workers=0, **options)
    assert answer.pairs[0].df == (10.0,)


def test_the_same_tests_as_in_studies():
    assert set(with_df()) == TAKES_DF


def test_on_the_command_line(tmp_path, capsys):
    file = tmp_path / "folds.csv"
    rows = scores()
    lines = [",".join(rows[0]), *(",".join(map(str, row.values())) for row in rows)]
    file.write_text("\n".join(lines), "utf-8")
    assert main(["compare", str(file), "--df", "calibrated"]) == 0
    out = capsys.readouterr().out
    assert "df = 10, from the shipped table" in " ".join(out.split())
    assert max(map(len, out.splitlines())) <= 80
    assert main(["compare", str(file), "--df", "calibrated", "--test", "5x2cv-t"]) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 2
    assert main(["compare", str(file), "--df", "calibrated", "--format", "latex"]) == 0
    assert "with 10 degrees of freedom, calibrated on" in " ".join(capsys.readouterr().out.split())
