"""lm-evaluation-harness and Inspect: a score for each item, models paired by items."""

import json
import zipfile

import pytest
from made_files import make_log, make_results, make_samples
from read_attempts import codes, refused

import twofold
from twofold import InputError, read_scores
from twofold.options import Reading
from twofold.readers.zip_members import ZipMembers
from twofold.scores.files import read_table


def rows_of(raw, *names):
    return list(zip(*(raw.columns[name] for name in names), strict=True))


def test_samples_are_items_of_models(tmp_path):
    a = make_samples(tmp_path, "A", [1.0, 0.0, 1.0, 1.0], model_name="org/A")
    b = make_samples(tmp_path, "B", [0.0, 0.0, 1.0, 0.0], results=False)
    raw = read_table([a, str(b)], Reading())
    assert rows_of(raw, "learner", "item", "value") == [
        ("org/A", 0, 1.0), ("org/A", 1, 0.0), ("org/A", 2, 1.0), ("org/A", 3, 1.0),
        ("B", 0, 0.0), ("B", 1, 0.0), ("B", 2, 1.0), ("B", 3, 0.0),
    ]  # fmt: skip
    assert set(raw.columns["dataset"]) == {"quiz"}
    assert raw.directions == {"acc": True}
    assert codes(raw) == []


def test_a_folder_of_samples_and_results_gives_the_items(tmp_path):
    for model in "AB":
        make_samples(tmp_path, model, [1.0, 0.0])
    (tmp_path / "README.md").write_text("notes")
    assert read_table(tmp_path, Reading()).size == 4


def test_keys_of_the_doc_are_items_and_clusters(tmp_path):
    path = make_samples(tmp_path, "A", [1.0, 0.0, 1.0])
    raw = read_table(path, Reading(cluster="passage", item="question"))
    assert rows_of(raw, "question", "passage") == [("0+1?", "p0"), ("1+1?", "p0"), ("2+1?", "p1")]
    assert "'passage'" in refused(path, cluster="passages")


def test_keys_that_are_called_as_clusters_are_come_along(tmp_path):
    a, b = (make_samples(tmp_path, model, [1.0, 0.0, 1.0]) for model in "AB")
    assert read_table([a, b], Reading()).columns["passage"] == ["p0", "p0", "p1"] * 2

    def forget(line):
        return line | {"doc": {}} if line["doc_id"] == 1 else line

    c = make_samples(tmp_path, "C", [1.0, 0.0, 1.0], edit=forget)
    assert "passage" not in read_table([a, c], Reading()).columns
    log = make_log(tmp_path / "a.eval", "m/a", ["C", "I", "C"])
    answer = twofold.compare([log, make_log(tmp_path / "b.eval", "m/b", ["I", "I", "C"])])
    assert (answer.items, answer.clusters) == (3, 2)
    assert "clusters-assumed" in {note.code for note in answer.notes}


def test_the_latest_of_several_runs_is_taken_unless_options_differ(tmp_path):
    old = make_samples(tmp_path, "A", [0.0, 0.0], time="2026-01-01T00-00-00.5")
    new = make_samples(tmp_path, "A", [1.0, 1.0])
    raw = read_table([new, old], Reading())
    assert raw.columns["value"] == [1.0, 1.0]
    assert codes(raw) == ["latest-run"]
    assert str(old) in raw.notes[0].detail
    five = make_samples(tmp_path, "A", [0.0, 1.0], time="2026-01-03T00-00-00.5", shots=5)
    raw = read_table([new, five], Reading())
    assert set(raw.columns["learner"]) == {"A (shots=0)", "A (shots=5)"}
    assert "prompts-differ" in codes(raw)


def test_items_that_are_not_the_same_are_named_or_refused(tmp_path):
    def change(items):
        return lambda line: line | {"target_hash": "other"} if line["doc_id"] in items else line

    a = make_samples(tmp_path, "A", [1.0] * 6)
    b = make_samples(tmp_path, "B", [0.0] * 6, edit=change({1, 4}))
    items = twofold.read([a, b])
    assert items.names == ("0", "2", "3", "5")
    assert ["'1', '4'" in note.detail for note in items.notes if note.code == "items-differ"] == [
        True
    ]
    c = make_samples(tmp_path, "C", [0.0] * 6, edit=change({0, 1, 2, 3}))
    with pytest.raises(InputError, match="not about the same items"):
        twofold.read([a, c])


def test_gates_pair_items_of_one_task_that_are_the_same(tmp_path):
    def change(line):
        return line | {"doc_hash": "other"} if line["doc_id"] < 2 else line

    a = make_samples(tmp_path, "A", [1.0, 0.0] * 8)
    b = make_samples(tmp_path, "B", [1.0, 1.0] * 8, edit=change)
    answer = twofold.gate(a, b, margin=0.1)
    assert answer.n == 14
    assert "items-differ" in {note.code for note in answer.notes}
    other = make_samples(tmp_path, "C", [1.0, 1.0] * 8, task="riddles")
    with pytest.raises(InputError, match="the baseline has 'quiz', the candidate 'riddles'"):
        twofold.gate(a, other, margin=0.1)
    with pytest.raises(InputError, match="no task in common: 'quiz' and 'riddles'"):
        twofold.compare([a, other])
    log = make_log(tmp_path / "a.eval", "m/a", ["C", "I"] * 8)
    path = tmp_path / "b.eval"
    changed = make_log(path, "m/b", ["C", "I"] * 8, edit=lambda each: each | {"input": "really?"})
    with pytest.raises(InputError, match="not about the same items"):
        twofold.gate(log, changed, margin=0.1)


def test_one_filter_is_taken_and_others_can_be_named(tmp_path):
    def score(line):
        return line | {"exact_match": 1.0 if line["filter"] == "flexible" else 0.0}

    options = {"filters": ("strict", "flexible"), "metrics": ("exact_match",), "edit": score}
    path = make_samples(tmp_path, "A", [0.0, 0.0], **options)
    raw = read_table(path, Reading())
    assert set(raw.columns["metric"]) == {"exact_match"}
    assert set(raw.columns["value"]) == {0.0}
    assert "filter-chosen" in codes(raw)
    raw = read_table(path, Reading(metric="exact_match (flexible)"))
    assert set(raw.columns["value"]) == {1.0}
    assert raw.directions == {"exact_match (flexible)": True}


def test_metrics_without_a_number_for_each_item_are_left_out(tmp_path):
    def pair(line):
        return line | {"bleu": [1, 2]}

    path = make_samples(tmp_path, "A", [1.0, 0.0], metrics=("bleu", "acc"), edit=pair)
    raw = read_table(path, Reading())
    assert set(raw.columns["metric"]) == {"acc"}
    assert "bleu" in raw.notes[0].detail
    lost = make_samples(tmp_path, "B", [1.0], metrics=("bleu",), edit=pair)
    assert "no score for each item" in refused(lost)


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (lambda line: line | {"doc_id": 0}, "stands there twice"),
        (lambda line: {k: v for k, v in line.items() if k != "doc_id"}, "'doc_id' should be"),
        (lambda line: line | {"acc": float("inf")}, "is not a score"),
        (lambda line: line | {"metrics": "acc"}, "should be a list"),
        (lambda line: line | {"metrics": ["doc"]}, "are no metrics"),
        (lambda line: [line], "a record is expected"),
    ],
)
def test_lines_that_are_no_samples_are_refused(tmp_path, edit, words):
    path = make_samples(tmp_path, "A", [1.0, 0.0])
    first, second = path.read_text().splitlines()
    path.write_text(f"{first}\n{json.dumps(edit(json.loads(second)))}\n")
    assert words in refused(path)
    path.write_text(f"{first}\n{second[:-9]}")
    assert "damaged" in refused(path)


def test_results_are_scores_of_tasks(tmp_path):
    tasks = {"t1": [1.0, 0.0], "t2": [1.0], "all": [1.0]}
    files = [make_results(tmp_path / m, m, tasks, groups={"all": ["t1", "t2"]}) for m in "AB"]
    scores = read_scores(files)
    assert scores.datasets == ("t1", "t2")
    assert scores.means().tolist() == [[0.5, 0.5], [1.0, 1.0]]
    assert "left-out-rows" in {note.code for note in scores.notes}


def test_tasks_with_metrics_of_their_own(tmp_path):
    acc = make_results(tmp_path / "1", "A", {"t1": [1.0]}, time="2026-01-01T00-00-00")
    em = make_results(tmp_path / "2", "A", {"t2": [0.5]}, metrics=("exact_match",))
    scores = read_scores([acc, em])
    assert (scores.metric, scores.datasets) == ("score", ("t1", "t2"))
    assert "metrics-by-data-set" in {note.code for note in scores.notes}
    worse = make_results(tmp_path / "3", "A", {"t3": [9.0]}, metrics=("perplexity",), higher=False)
    assert "higher is not always better" in refused([acc, worse])
    assert read_scores([acc, worse], metric="perplexity").higher_is_better is False


@pytest.mark.parametrize("suffix", [".eval", ".json"])
def test_logs_are_items_with_epochs(tmp_path, suffix):
    a = make_log(tmp_path / f"a{suffix}", "m/a", [["C", "I"], ["P", "N"], ["C", "C"]], epochs=2)
    b = make_log(tmp_path / f"b{suffix}", "m/b", [["I", "I"], ["I", "C"], ["C", "C"]], epochs=2)
    raw = read_table([a, b], Reading(cluster="passage"))
    assert rows_of(raw, "learner", "item", "sample", "value", "passage")[:6] == [
        ("m/a", "q0", 1, 1.0, "p0"), ("m/a", "q1", 1, 0.5, "p0"), ("m/a", "q2", 1, 1.0, "p1"),
        ("m/a", "q0", 2, 0.0, "p0"), ("m/a", "q1", 2, 0.0, "p0"), ("m/a", "q2", 2, 1.0, "p1"),
    ]  # fmt: skip
    assert set(raw.columns["dataset"]) == {"sums"}
    assert raw.directions == {"match": True}
    assert "passage" in refused([a, b], cluster="page")


def test_values_that_are_numbers_records_or_missing(tmp_path):
    path = make_log(tmp_path / "a.eval", "m/a", [0.25, True, "0.5", float("nan"), None])
    raw = read_table(path, Reading())
    assert raw.columns["value"] == [0.25, 1.0, 0.5, None, None]
    path = make_log(
        tmp_path / "b.eval", "m/a", [{"style": 3, "facts": 1}, {"style": 2, "facts": 0}]
    )
    raw = read_table(path, Reading(metric="match.facts"))
    assert raw.columns["value"] == [1.0, 0.0]
    assert "no metric" in refused(path, metric="taste")
    mixed = make_log(tmp_path / "d.eval", "m/a", [{"style": 3}, "C"])
    assert "gives a single value, and a record before" in refused(mixed)
    path = make_log(tmp_path / "c.eval", "m/a", ["A", "C"])
    assert "'A' is not a score" in refused(path)


def test_a_log_that_was_not_finished_is_refused_unless_told(tmp_path):
    error = make_log(tmp_path / "a.eval", "m/a", ["C", "I"], status="error")
    assert "`partial=True`" in refused(error)
    assert codes(read_table(error, Reading(partial=True))) == ["partial-log"]
    crashed = make_log(tmp_path / "b.eval", "m/b", ["C", "I", "C"], journal=True)
    assert "`partial=True`" in refused(crashed)
    raw = read_table(crashed, Reading(partial=True))
    assert raw.columns["value"] == [1.0, 0.0, 1.0]
    table = tmp_path / "scores.csv"
    table.write_text("dataset,a,b\nx,1,2\ny,2,3\n")
    assert "`partial` is not for a plain table" in refused(table, partial=True)


def test_samples_that_failed_are_missing_and_named(tmp_path):
    def fail(sample):
        return sample | {"scores": {}, "error": "timeout"} if sample["id"] == "q1" else sample

    path = make_log(tmp_path / "a.eval", "m/a", ["C", "C", "I"], edit=fail)
    raw = read_table(path, Reading())
    assert raw.columns["item"] == ["q0", "q2"]
    assert "'q1'" in raw.notes[0].detail


def test_models_with_options_of_their_own(tmp_path):
    a = make_log(tmp_path / "a.eval", "m/a", ["C", "I"], arguments={"shots": 0})
    b = make_log(tmp_path / "b.eval", "m/a", ["C", "I"], arguments={"shots": 5})
    assert set(read_table([a, b], Reading()).columns["learner"]) == {
        "m/a (shots=0)",
        "m/a (shots=5)",
    }
    again = make_log(tmp_path / "c.eval", "m/a", ["I", "I"], arguments={"shots": 5})
    assert "of one learner on one data set" in refused([b, again])


def test_doubled_and_damaged_logs_are_refused(tmp_path):
    twice = make_log(tmp_path / "a.json", "m", ["C", "I"], edit=lambda s: s | {"id": "q0"})
    assert "stands there twice" in refused(twice)
    path = make_log(tmp_path / "b.eval", "m", ["C", "I"])
    content = path.read_bytes()
    path.write_bytes(content[:-40])
    assert "no complete zip file" in refused(path)
    path.write_bytes(b"no zip at all")
    assert "no complete zip file" in refused(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("../../outside.json", "{}")
    assert "no log of Inspect" in refused(path)
    assert not (tmp_path.parent.parent / "outside.json").exists()


def test_a_bomb_is_refused_by_what_it_declares_and_by_what_it_holds(tmp_path, monkeypatch):
    monkeypatch.setattr("twofold.readers.zip_members.MOST_MEMBER_BYTES", 10_000)
    path = tmp_path / "bomb.eval"
    with zipfile.ZipFile(path, "w", 8) as archive:
        archive.writestr("header.json", "0" * 20_000)
    assert "unpacks to more than" in refused(path)
    # The size in the directory at the end is forged to a small one.
    forged = path.read_bytes().replace((20_000).to_bytes(4, "little"), (9).to_bytes(4, "little"))
    path.write_bytes(forged)
    assert refused(path)


def test_zstandard_is_read_or_its_package_is_named(tmp_path, monkeypatch):
    path = make_log(tmp_path / "a.eval", "m/a", ["C", "I", "P"])
    packed = tmp_path / "packed.eval"
    try:
        from backports import zstd
    except ImportError:
        content = path.read_bytes().replace(b"\x08\x00", b"\x5d\x00")  # the method's number
        packed.write_bytes(content)
        assert "pip install 'twofold[inspect]'" in refused(packed)
        pytest.skip("backports.zstd is not installed")
    from backports.zstd import zipfile as zip_with_zstd

    with ZipMembers(path) as archive:
        members = {name: archive.read(name) for name in archive.names}
    with zip_with_zstd.ZipFile(packed, "w", zip_with_zstd.ZIP_ZSTANDARD) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    forged = tmp_path / "forged.eval"
    with zip_with_zstd.ZipFile(forged, "w", zip_with_zstd.ZIP_ZSTANDARD) as archive:
        archive.writestr("header.json", "0" * 20_000)
    size = (20_000).to_bytes(4, "little"), (9).to_bytes(4, "little")
    forged.write_bytes(forged.read_bytes().replace(*size))
    with monkeypatch.context() as patch:
        patch.setattr("twofold.readers.zip_members.MOST_MEMBER_BYTES", 10_000)
        assert "unpacks to more than" in refused(forged)
    assert zstd is not None
    assert read_table(packed, Reading()).columns["value"] == [1.0, 0.0, 0.5]
    assert read_table(path, Reading()).columns["value"] == [1.0, 0.0, 0.5]
