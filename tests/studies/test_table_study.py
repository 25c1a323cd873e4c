"""`twofold.study_table`: what goes in, what is refused, and that it comes out the same."""

import json

import numpy as np
import pytest

import twofold
from table_examples import QUIET, as_columns, make_table, study_five, study_two
from twofold import InputError
from twofold.studies.table_blocks import TableWork

TABLE = as_columns(make_table())


def rates(findings):
    return [
        (row.label, row.bias, row.rejected.value, row.type_one.value, row.mean_p.value)
        for row in findings.rows
    ]


def test_two_learners():
    found = study_two()
    assert {row.kind for row in found.rows} == {"pair"}
    assert [row.bias for row in found.rows if row.test == "sign"] == [0, 5, 10, 15, 20]
    assert {row.datasets for row in found.rows} == {10}
    weak, strong = (found.find("wilcoxon", bias=k).rejected.value for k in (0, 20))
    assert weak < strong
    assert (found.favoured, found.over) == ("L1", "L0")
    assert "drawn-from-table" in {note.code for note in found.notes}


def test_several_learners():
    found = study_five()
    kinds = {row.label: row.kind for row in found.rows}
    assert kinds["friedman"] == kinds["rm-anova"] == "omnibus"
    assert kinds["tukey"] == kinds["mean-rank-z, shaffer"] == kinds["wilcoxon, holm"] == "pairs"
    assert "dunnett" not in kinds
    assert "skillings-mack" not in kinds  # Friedman's test where nothing is missing
    assert found.over is None
    against = study_five(control="L2")
    labels = {row.label for row in against.rows}
    assert {"dunnett", "bonferroni-dunn", "mean-rank-z, li"} <= labels
    assert not {"tukey", "nemenyi", "mean-rank-z, shaffer"} & labels


def test_a_control_is_found_among_drawn_learners():
    found = study_five(control="L4", subsets=3, tests="dunnett")
    assert {row.learners for row in found.rows} == {3, 5}
    # Pairs are other ones in each draw, and so have no replicability.
    assert {row.replicability is None for row in found.rows if row.learners == 3} == {True}
    assert {row.replicability is None for row in found.rows if row.learners == 5} == {False}


def test_the_one_pair_is_counted_in_subsets_too():
    found = study_five(towards=("L4", "L0"), subsets=3, tests=("tukey", "wilcoxon"))
    assert found.pair == ("L4", "L0")
    assert all(row.replicability is not None for row in found.rows)
    three, five = (found.find("wilcoxon", learners=m, bias=20).rejected.value for m in (3, 5))
    assert three >= five  # fewer pairs to adjust for


def test_curves_over_data_sets():
    found = study_two(sizes=(6, 12))
    assert [row.datasets for row in found.rows if row.test == "sign" and row.bias == 0] == [6, 12]
    few, many = (found.find("paired-t", bias=20, datasets=n).rejected.value for n in (6, 12))
    assert few < many


@pytest.mark.parametrize(
    ("datasets", "size"), [(40, 10), (20, 10), (14, 7), (12, 6), (7, 6), (6, 5), (3, 2)]
)
def test_how_many_are_drawn(datasets, size):
    table = as_columns(make_table(datasets=datasets))
    found = twofold.study_table(table, draws=20, bias=0, **QUIET)
    assert {row.datasets for row in found.rows} == {size}
    (note,) = [note for note in found.notes if note.code == "drawn-from-table"]
    assert note.severity == ("warning" if size > datasets / 2 else "info")
    never = [note for note in found.notes if note.code == "never-rejects"]
    assert bool(never) == (size < 6)


def test_the_order_of_learners_does_not_matter():
    turned = {"L1": TABLE["L1"], "L0": TABLE["L0"]}
    assert rates(study_two()) == rates(twofold.study_table(turned, draws=200, **QUIET))


def test_the_unit_does_not_matter():
    table = make_table()
    share, cent = (
        twofold.study_table(as_columns(t), metric="accuracy", draws=60, **QUIET)
        for t in (table, 100 * table)
    )
    assert [r[:4] for r in rates(share)] == [r[:4] for r in rates(cent)]
    assert share.unit == "differences of shares"
    assert cent.unit == "differences of per cent, over 100"
    # The sizes of errors depend on their data set, and a unit may be another on each.
    units = 10.0 ** np.arange(len(table))[:, None]
    metres, feet, each = (
        twofold.study_table(as_columns(t), metric="rmse", draws=60, tests="sign", **QUIET)
        for t in (table, table / 0.3048, table * units)
    )
    assert metres.unit == "differences over the mean score on their data set"
    assert rates(metres) == rates(feet) == rates(each)
    # Scores of both signs have no size of their own.
    signed = table - table.mean()
    one, other = (
        twofold.study_table(as_columns(t), draws=60, tests="sign", **QUIET)
        for t in (signed, 7 * signed)
    )
    assert one.unit == "differences over 10 times their root mean square"
    assert rates(one) == rates(other)
    named = twofold.study_table(TABLE, unit=0.5, draws=60, bias=5, **QUIET)
    double = twofold.study_table(TABLE, draws=60, bias=10, **QUIET)
    assert [r[2] for r in rates(named)] != [r[2] for r in rates(double)]  # other draws
    assert named.unit == "differences of 0.5"


def test_lower_is_better():
    losses = {name: [1 - x for x in column] for name, column in TABLE.items()}
    found = twofold.study_table(losses, metric="error", draws=60, **QUIET)
    assert (found.favoured, found.over) == (study_two().favoured, study_two().over)
    assert not found.higher_is_better


def test_the_direction():
    turned = study_two(towards="L0,L1")
    assert (turned.favoured, turned.over) == ("L0", "L1")
    leaning = study_two()
    p = [found.find("paired-t", bias=20).mean_p.value for found in (leaning, turned)]
    assert p[0] < p[1]
    # A control that does worse than the others: the table leans the other way.
    found = study_five(control="L0", tests="friedman")
    assert (found.favoured, found.over) == ("the mean of the others", "L0")


def test_repetitions_and_gaps_are_told():
    rows = [
        {"dataset": f"d{i}", "learner": name, "run": run, "value": column[i] + 0.001 * run}
        for name, column in TABLE.items()
        for i in range(20)
        for run in range(3)
        if not (name == "L1" and i in (4, 7))
    ]
    found = twofold.study_table(rows, draws=20, bias=0, **{**QUIET, "rows": None})
    notes = {note.code: note for note in found.notes}
    assert "averaged" in notes
    assert "d4, d7" in notes["gaps-left-out"].detail
    assert "missing-cells" not in notes
    assert len(found.datasets) == 18
    assert "d4" not in found.datasets


def test_same_bytes_on_workers_and_from_the_store(tmp_path, monkeypatch):
    store = tmp_path / "store.sqlite"
    options = {"draws": 60, "bias": (0, 10), "progress": False, "rows": "datasets"}
    table = as_columns(make_table(learners=4))
    here = twofold.study_table(table, workers=0, store=":memory:", **options)
    there = twofold.study_table(table, workers=2, store=str(store), **options)
    assert str(here) == str(there)
    assert json.dumps(here.to_dict()) == json.dumps(there.to_dict())
    monkeypatch.setattr(TableWork, "do", lambda work, block: pytest.fail("done twice"))
    again = twofold.study_table(table, workers=0, store=str(store), **options)
    assert again.to_csv() == here.to_csv()


def test_a_study_that_was_stopped_goes_on(tmp_path, monkeypatch):
    store = str(tmp_path / "store.sqlite")
    options = {"draws": 60, "bias": (0, 10, 20), "progress": False, "workers": 0, "store": store}
    options["rows"] = "datasets"
    whole, done = TableWork.do, []

    def stop_after_two(work, block):
        if len(done) == 2:
            raise KeyboardInterrupt
        done.append(block)
        return whole(work, block)

    monkeypatch.setattr(TableWork, "do", stop_after_two)
    with pytest.raises(KeyboardInterrupt):
        twofold.study_table(TABLE, **options)
    rest = []

    def go_on(work, block):
        rest.append(block)
        return whole(work, block)

    monkeypatch.setattr(TableWork, "do", go_on)
    found = twofold.study_table(TABLE, **options)
    assert len(rest) == 2  # of four: three biases, and draws with exchanged learners
    monkeypatch.setattr(TableWork, "do", whole)
    assert found.to_csv() == twofold.study_table(TABLE, **{**options, "store": ":memory:"}).to_csv()


def test_damaged_blocks_are_not_taken(monkeypatch):
    works, whole = [], TableWork.do

    def remember(work, block):
        works.append(work)
        return whole(work, block)

    monkeypatch.setattr(TableWork, "do", remember)
    twofold.study_table(as_columns(make_table(learners=3)), draws=60, bias=0, **QUIET)
    work = works[0]
    for block in work.list_blocks(60):
        arrays = dict(whole(work, block))
        assert work.fits(block, arrays)
        assert not work.fits(block, {**arrays, "p0": arrays["p0"][:5]})
        assert not work.fits(block, {**arrays, "p0": arrays["p0"] + 2})
        assert not work.fits(block, {**arrays, "p0": arrays["p0"] * np.nan})
        assert not work.fits(block, {})


def test_identical_learners():
    same = {"A": TABLE["L0"], "B": TABLE["L0"]}
    found = twofold.study_table(same, draws=40, **QUIET)
    assert {row.rejected.value for row in found.rows} == {0.0}
    assert {row.type_one.value for row in found.rows} == {0.0}
    assert {row.mean_p.value for row in found.rows} == {1.0}
    assert "none rejects in any draw" in found.verdict
    assert "identical-learners" in {note.code for note in found.notes}
    assert found.best[0].most_replicable is None
    several = {**same, "C": TABLE["L0"]}
    assert "none rejects" in twofold.study_table(several, draws=40, **QUIET).verdict


def test_two_hundred_learners():
    table = np.random.default_rng(0).random((14, 200))
    options = {"draws": 20, "bias": 0, **QUIET}
    found = twofold.study_table(as_columns(table), **options)
    assert {row.kind for row in found.rows} == {"omnibus"}
    assert "pairs-left-out" in {note.code for note in found.notes}
    with pytest.raises(InputError, match="19,900 pairs"):
        twofold.study_table(as_columns(table), tests=["tukey"], **options)
    drawn = twofold.study_table(as_columns(table), tests=["friedman"], subsets=5, **options)
    assert {row.learners for row in drawn.rows} == {5, 200}


def test_scores_of_both_signs_leave_out_relative_differences():
    signed = as_columns(make_table() - 0.7)
    found = twofold.study_table(signed, draws=20, bias=0, **QUIET)
    assert "relative-t" not in {row.test for row in found.rows}
    (note,) = [note for note in found.notes if note.code == "unfit-tests"]
    assert note.detail.startswith("relative-t: ")
    with pytest.raises(InputError):
        twofold.study_table(signed, tests="relative-t", draws=20, bias=0, **QUIET)


@pytest.mark.parametrize(
    ("table", "options", "rule"),
    [
        ({"A": [0.5], "B": [0.6]}, {}, "1 complete data set"),
        ({"A": [0.5, 0.6], "B": [0.6, 0.7]}, {}, "2 complete data sets"),
        ({"A": [0.5, 0.6, 0.7, 0.8]}, {}, "two learners|Only 'A'|one learner"),
        ({"A": [0.5, None, 0.7, 0.8], "B": [None, 0.6, None, 0.8]}, {}, "1 complete"),
        ({"A": ["good", "bad", "bad"], "B": ["bad", "good", "bad"]}, {}, "number|scores"),
        (TABLE, {"sizes": 24}, "smaller than the 24 data sets"),
        (TABLE, {"sizes": 100}, "smaller than the 24 data sets"),
        (TABLE, {"sizes": 1}, "`sizes`"),
        (TABLE, {"sizes": []}, "No number of data sets"),
        (TABLE, {"sizes": "ten"}, "`sizes`"),
        (TABLE, {"draws": 5}, "`draws`"),
        (TABLE, {"bias": -1}, "zero or more"),
        (TABLE, {"bias": float("nan")}, "zero or more"),
        (TABLE, {"bias": "much"}, "zero or more"),
        (TABLE, {"bias": []}, "No bias"),
        (TABLE, {"unit": 0}, "`unit`"),
        (TABLE, {"alpha": 0}, "`alpha`"),
        (TABLE, {"alpha": []}, "No level"),
        (TABLE, {"confidence": 2}, "`confidence`"),
        (TABLE, {"seed": -1}, "`seed`"),
        (TABLE, {"towards": "L7"}, "no learner 'L7'"),
        (TABLE, {"towards": ("L0", "L0")}, "different learners"),
        (TABLE, {"towards": ("L0", "L1", "L0")}, "different learners"),
        (TABLE, {"towards": 3}, "one or two learners"),
        (TABLE, {"control": "X"}, "no learner 'X'"),
        (TABLE, {"tests": "corrected-cv-t"}, "does not fit two learners"),
        (TABLE, {"tests": "friedman"}, "does not fit two learners"),
        (TABLE, {"tests": "bayes-signed-rank"}, "Bayesian"),
        (TABLE, {"tests": "wilcoxn"}, "no test named"),
        (TABLE, {"tests": []}, "names nothing"),
        (TABLE, {"adjust": "holm"}, "several pairs"),
        (TABLE, {"subsets": 3}, "2 learners"),
        (TABLE, {"ranks": True}, "ranks"),
        (TABLE, {"metric": ["accuracy", "auc"]}, "one metric"),
        (TABLE, {"metric": "all"}, "one metric"),
        (TABLE, {"transpose": "yes"}, "`transpose`"),
        (TABLE, {"workers": -1}, "`workers`"),
    ],
)
def test_refusals(table, options, rule):
    with pytest.raises(InputError, match=rule) as error:
        twofold.study_table(table, **{**QUIET, **options})
    assert error.value.remedy


@pytest.mark.parametrize(
    ("options", "rule"),
    [
        ({"tests": "tukey", "control": "L0"}, "several learners and a control"),
        ({"tests": "dunnett"}, "does not fit several learners"),
        ({"tests": "skillings-mack"}, "does not fit several learners"),
        ({"adjust": "li"}, "does not adjust these pairs"),
        ({"adjust": "holm", "tests": "friedman"}, "takes an adjustment"),
        ({"control": "L0", "towards": ("L1", "L2")}, "are not compared"),
        ({"subsets": 2}, "`subsets`"),
        ({"subsets": 6}, "larger than the 5 learners"),
    ],
)
def test_refusals_of_several(options, rule):
    with pytest.raises(InputError, match=rule) as error:
        study_five(**options)
    assert error.value.remedy


def test_asked_for_by_name():
    found = study_five(tests=("wilcoxon", "mean-rank-z"), adjust=("holm", "bergmann-hommel"))
    assert {row.label for row in found.rows} == {
        "wilcoxon, holm",
        "wilcoxon, bergmann-hommel",
        "mean-rank-z, holm",
        "mean-rank-z, bergmann-hommel",
    }
    with pytest.raises(InputError, match="rows are of"):
        found.find("wilcoxon")
    assert found.find("wilcoxon, holm", bias=0).adjustment == "holm"
