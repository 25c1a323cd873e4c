"""`twofold read` shows what files hold, and writes what `compare` reads to the same answer."""

import pytest
from made_files import make_jobs, make_log, make_resamples, make_samples, make_weka

import twofold
from twofold import InputError
from twofold.cli import main


def write_weka(folder):
    return [make_weka(folder / "weka.csv")], {"metric": "Percent_incorrect"}


def write_resamples(folder):
    rows = {f"d{i}": [0.5 + i / 50, 0.6 + i / 40, None] for i in range(9)}
    more = {name: [0.9, 0.8, 0.7] for name in list(rows)[:7]}
    paths = [
        make_resamples(folder / "A_nll.csv", rows),
        make_resamples(folder / "B_nll.csv", more),
    ]
    return paths, {}


def write_samples(folder):
    scores = {"A": [1.0, 0.0] * 6, "B": [0.0, 0.0, 1.0] * 4}
    return [make_samples(folder, name, values) for name, values in scores.items()], {}


def write_logs(folder):
    grades = {"a": [["C", "I"]] * 5 + [["P", "C"]] * 5, "b": [["C", "C"]] * 9 + [["I", "I"]]}
    paths = [make_log(folder / f"{n}.eval", f"m/{n}", g, epochs=2) for n, g in grades.items()]
    return paths, {"higher_is_better": False}


def write_jobs(folder):
    jobs = [
        {"framework": name, "task": f"t{t}", "metric": "rmse", "result": 1.0 + t + k + fold / 9,
         "fold": fold}
        for k, name in enumerate(("tree", "forest"))
        for t in range(6)
        for fold in range(2)
    ]  # fmt: skip
    return [make_jobs(folder / "results.csv", jobs)], {}


@pytest.mark.parametrize(
    "write", [write_weka, write_resamples, write_samples, write_logs, write_jobs]
)
@pytest.mark.parametrize("suffix", [".csv", ".json"])
def test_what_is_written_gives_the_same_answer(tmp_path, capsys, write, suffix):
    paths, options = write(tmp_path)
    flags = {"metric": "--metric=Percent_incorrect", "higher_is_better": "--lower-is-better"}
    target = tmp_path / f"scores{suffix}"
    words = ["read", *map(str, paths), "-o", str(target), *(flags[name] for name in options)]
    assert main(words) == 0
    printed = capsys.readouterr().out
    assert max(map(len, printed.splitlines())) <= 80
    first, again = twofold.compare(paths, **options), twofold.compare(target)
    assert (again.metric, again.higher_is_better) == (first.metric, first.higher_is_better)
    assert again.ranking == first.ranking
    assert (again.items, again.clusters) == (first.items, first.clusters)
    assert again.method == first.method
    for pair, other in zip(first.pairs, again.pairs, strict=True):
        assert (other.a, other.b) == (pair.a, pair.b)
        assert other.estimate == pair.estimate
        assert other.pvalue == pair.pvalue


def test_all_metrics_and_standard_output(tmp_path, capsys):
    path = str(make_weka(tmp_path / "weka.csv"))
    assert main(["read", path, "--metric", "all", "-o", "-", "--quiet"]) == 0
    printed = capsys.readouterr()
    header, *rows = printed.out.splitlines()
    assert header == "dataset,learner,run,fold,n_train,n_test,metric,higher_is_better,value"
    names = {row.split(",")[6] for row in rows}  # one learner has no size of a tree
    assert names == {"Percent_correct", "Percent_incorrect", "Kappa_statistic"}
    assert printed.err == ""
    assert main(["read", path, "--metric", "all"]) == 0
    assert "No answer by measureTreeSize" in capsys.readouterr().out
    target = tmp_path / "scores.csv"
    target.write_text(printed.out)
    answers = twofold.compare(target, metric="all")
    assert [answers[metric].higher_is_better for metric in answers] == [True, False, True]


def test_formats_are_listed_and_mistakes_are_told(tmp_path, capsys):
    assert main(["read", "--formats"]) == 0
    assert "lm-evaluation-harness" in capsys.readouterr().out
    assert main(["read"]) == 2
    assert "nothing to read" in capsys.readouterr().err
    path = str(make_weka(tmp_path / "weka.csv"))
    assert main(["read", path, "-o", path]) == 2
    assert "which is read" in capsys.readouterr().err
    assert main(["read", path, "-o", "scores.xyz"]) == 2


def test_read_in_python(tmp_path):
    paths, _ = write_logs(tmp_path)
    items = twofold.read(paths)
    assert (items.learners, len(items.names)) == (("m/a", "m/b"), 10)
    assert twofold.compare(items).pairs[0].pvalue == twofold.compare(paths).pairs[0].pvalue
    assert set(twofold.read(make_weka(tmp_path / "w.csv"), metric="all")) > {"Kappa_statistic"}


def test_a_stated_direction_is_heeded_or_refused(tmp_path):
    table = tmp_path / "scores.csv"
    rows = "".join(f"d{i},{a},{0.1 * i + k},false\n" for i in range(6) for k, a in enumerate("ab"))
    table.write_text("dataset,learner,value,higher_is_better\n" + rows)
    assert twofold.read(table).higher_is_better is False
    assert twofold.compare(table).pairs[0].outcome == "a"
    table.write_text(table.read_text().replace("false", "perhaps", 1))
    with pytest.raises(InputError, match="neither true nor false"):
        twofold.read(table)
    table.write_text(table.read_text().replace("perhaps", "true", 1))
    with pytest.raises(InputError, match="both, true and false"):
        twofold.read(table)
