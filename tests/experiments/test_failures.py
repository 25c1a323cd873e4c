"""Learners that fail: their own message in two lines, and nothing lost for the others."""

from pathlib import Path

import numpy as np
import pytest

from twofold import InputError, LearnerError, compare, run
from twofold.cli import main
from twofold.errors import describe_error
from twofold.execution.store import MemoryStore
from waits import HangingClock

FILE = Path(__file__).parents[1] / "execution" / "learners_for_tests.py"
MESSAGES = {
    "plain": "RuntimeError: I cannot learn this.",
    "lines": "ValueError: the first line.",
    "mute": "Nasty: no message.",
    "exit": "SystemExit: I leave.",
    "ours": "a rule.",
    "interrupt": "KeyboardInterrupt: no message.",
    "generator": "GeneratorExit: no message.",
    "base": "Rude: not even an Exception.",
}
QUICK = {"design": "2x5", "store": ":memory:", "workers": 1}


def name_failing(kind="plain", label="bad", columns=0):
    return f"{label}={FILE}:Raising(kind={kind!r}, from_columns={columns})"


def call(capsys, command, *words):
    code = main([command, *words, "--store", ":memory:", "--workers", "1"])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def note_of(answer, code):
    return next(note for note in answer.notes if note.code == code)


@pytest.mark.parametrize("kind", MESSAGES)
def test_whatever_it_raises_is_told(capsys, kind):
    check_two_learners(capsys, kind, ["--design", "2x5"])


@pytest.mark.parametrize(
    "options",
    [
        ["--until", "0.9"],
        ["--design", "3x5", "--budget", "1h"],
        ["--design", "holdout:1/3"],
        ["--design", "disjoint:4:1/3"],
        ["--design", "2x5", "--data", "wine"],
        ["--design", "2x5", "--metric", "auc"],
    ],
    ids=lambda options: " ".join(options),
)
def test_two_learners_one_of_which_raises(capsys, options):
    check_two_learners(capsys, "plain", options)


def check_two_learners(capsys, kind, options):
    code, out, err = call(capsys, "compare", "tree", name_failing(kind), "--data", "iris", *options)
    assert (code, out) == (2, "")
    lines = err.splitlines()
    assert len(lines) == 2
    assert "bad on iris, run 1, fold 1: " + MESSAGES[kind].removesuffix(".") in lines[0]
    assert all(letter.isprintable() for line in lines for letter in line)


def test_tracebacks_are_shown_to_those_who_ask(capsys):
    words = ("compare", "tree", name_failing(), "--data", "iris", "--design", "2x5")
    code, out, err = call(capsys, *words, "--verbose")
    assert (code, out) == (2, "")
    assert "Traceback" in err
    assert 'raise RuntimeError("I cannot learn this")' in err
    lines = err.splitlines()
    assert lines[-2].startswith("twofold: A learner failed: bad on iris")


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ({"control": "tree"}, "--control tree"),
        ({"adjust": "holm"}, "--adjust holm"),
        ({"test": "corrected-cv-t"}, "--test corrected-cv-t"),
        ({"test": "wilson"}, "--test wilson"),
        ({"rope": 0.01}, "--rope 0.01"),
        ({"df": 10}, "--df 10"),
        ({"until": 0.95}, "--until 0.95"),
        ({"until": 0.95, "max_runs": 20}, "--until 0.95 --max-runs 20"),
        ({"calibrate": True}, "--calibrate"),
        ({"metric": ["accuracy", "auc"], "across_metrics": "holm"}, "--metric accuracy,auc "
         "--across-metrics holm"),
    ],
    ids=str,
)  # fmt: skip
def test_one_learner_refuses_options_of_comparisons_before_it_is_run(option, words, capsys):
    store = MemoryStore()
    with pytest.raises(InputError, match=r"there is one, 'tree'|does not tell how well"):
        compare("tree", "iris", **{**QUICK, "store": store, **option})
    assert store.tasks() == []
    code, out, err = call(capsys, "compare", "tree", "--data", "iris", *words.split())
    assert (code, out, len(err.splitlines())) == (2, "", 2)


def test_one_learner_has_an_answer(capsys):
    answer = compare("tree", "iris", **QUICK)
    scores = run(["tree"], "iris", **QUICK)
    assert answer.learner_scores == compare(scores).learner_scores
    code, out, err = call(capsys, "compare", "tree", "--data", "iris", "--exit-code")
    assert (code, out, len(err.splitlines())) == (2, "", 2)


def test_one_learner_that_fails_is_told():
    with pytest.raises(LearnerError, match="A learner failed"):
        compare(name_failing(), "iris", **QUICK)


@pytest.mark.parametrize(
    ("kind", "design"),
    [*((kind, "2x5") for kind in MESSAGES), ("mute", "holdout:1/3"), ("base", "disjoint:4:1/3")],
)
def test_the_others_are_compared_as_if_it_were_not_there(kind, design):
    options = {**QUICK, "design": design}
    answer = compare(["tree", name_failing(kind), "lda"], "iris", **options)
    alone = compare(["tree", "lda"], "iris", **options)
    assert answer.pairs == alone.pairs
    reason = MESSAGES[kind].removesuffix(".")
    assert answer.verdict == f"{alone.verdict} bad failed and was left out ({reason})."
    note = note_of(answer, "learner-failed")
    assert f"bad on iris, run 1, fold 1: {MESSAGES[kind]}" in note.detail
    assert note.severity == "warning"


@pytest.mark.parametrize("until", [None, 0.9])
def test_failing_on_one_data_set_leaves_a_missing_cell(until):
    data = ["iris", "wine", "breast_cancer"]
    options = {**QUICK, "design": "6x5", "until": until}
    answer = compare(["tree", name_failing(columns=20), "lda"], data, **options)
    assert answer.learners == ("tree", "bad", "lda")
    assert np.isnan(answer.scores.means()).tolist() == [
        [False, False, False],
        [False, False, False],
        [False, True, False],
    ]
    assert answer.scores.run.max() == 5
    assert "bad on breast_cancer, run 1, fold 1: RuntimeError" in (
        note_of(answer, "learner-failed").detail
    )
    assert "bad on breast_cancer" in note_of(answer, "missing-cells").detail
    sentence = "bad failed on breast_cancer (RuntimeError: I cannot learn this) and has no scores"
    assert sentence in answer.verdict
    if until is not None:
        assert "rests on 6 runs" in note_of(answer, "not-settled").detail


def test_too_little_is_left_over_data_sets():
    with pytest.raises(LearnerError) as error:
        compare(["tree", name_failing(columns=10)], ["iris", "wine"], **QUICK)
    assert "bad on wine, run 1, fold 1: RuntimeError: I cannot learn this" in error.value.rule
    assert "fewer than two data sets" in error.value.rule


def test_finished_work_stays_in_the_store():
    store = MemoryStore()
    options = {**QUICK, "store": store}
    with pytest.raises(LearnerError):
        compare(["tree", name_failing()], "iris", **options)
    assert {record.task.learner for record in store.tasks()} == {"tree"}
    before = len(store.tasks())
    compare(["tree", name_failing(), "lda"], "iris", **options)
    assert {record.task.learner for record in store.tasks()} == {"tree", "lda"}
    assert len(store.tasks()) == 4 > before


@pytest.mark.parametrize("verb", [compare, run])
def test_a_failure_ends_the_run_where_that_is_asked_for(verb):
    store = MemoryStore()
    options = {**QUICK, "store": store, "on_error": "raise"}
    with pytest.raises(LearnerError, match="bad on iris, run 1, fold 1: RuntimeError") as caught:
        verb(["tree", name_failing(), "lda"], "iris", **options)
    assert "on_error='leave-out'" in caught.value.remedy
    assert "tree" in {record.task.learner for record in store.tasks()}
    verb(["tree", "lda"], "iris", **options)


def test_half_samples_go_on_without_a_learner_that_fails():
    options = {**QUICK, "calibrate": True}
    answer = compare(["tree", name_failing(), "lda"], "iris", **options)
    alone = compare(["tree", "lda"], "iris", **options)
    assert answer.pairs == alone.pairs
    assert "bad failed and was left out" in answer.verdict


def test_a_control_that_fails_is_named():
    with pytest.raises(LearnerError, match="control failed: bad on iris"):
        compare(["tree", name_failing(), "lda"], "iris", control="bad", **QUICK)
    store = MemoryStore()
    with pytest.raises(InputError, match="no learner 'no'"):
        compare(["tree", "lda"], "iris", control="no", **{**QUICK, "store": store})
    assert store.tasks() == []


def test_run_writes_the_scores_of_the_others(capsys):
    code, out, err = call(capsys, "run", "tree", name_failing("lines"), "--data", "iris",
                          "--design", "2x5")  # fmt: skip
    assert code == 0
    assert len(out.splitlines()) == 11
    assert "bad on iris, run 1, fold 1: ValueError: the first line" in err
    code, out, err = call(capsys, "run", name_failing("mute"), "--data", "iris", "--design", "2x5")
    assert (code, out, len(err.splitlines())) == (2, "", 2)
    assert "bad on iris, run 1, fold 1: Nasty: no message" in err


def test_arrays_and_processes(monkeypatch):
    monkeypatch.setattr("twofold.execution.backends.FIRST_HERE", -1.0)
    stream = np.random.default_rng(0)
    X, y = stream.normal(size=(60, 3)), stream.integers(0, 2, 60)
    slow = f"slow={FILE}:Slow(delay=0.03)"
    options = {**QUICK, "design": "4x5", "workers": 2}
    with pytest.raises(LearnerError, match=r"bad on .*: Nasty: no message"):
        compare([slow, name_failing("mute")], X, y, **options)
    answer = compare([slow, name_failing("mute"), "tree"], X, y, **options)
    assert answer.learners == ("slow", "tree")


@pytest.mark.parametrize(("shift", "words"), [(0, "'c0'"), (7, "predicted 7")])
def test_predictions_that_are_no_classes_are_a_failure(shift, words):
    answer = compare([f"odd={FILE}:Words(shift={shift})", "tree", "lda"], "iris", **QUICK)
    assert answer.learners == ("tree", "lda")
    assert words in note_of(answer, "learner-failed").detail


def test_a_metric_that_raises_is_named():
    def picky(truth, predicted):
        raise KeyError("no such thing")

    with pytest.raises(LearnerError, match="the metric picky: KeyError: 'no such thing'"):
        compare(["tree", "lda"], "iris", metric=picky, **QUICK)


def test_runs_made_ahead_do_not_change_who_is_left():
    from twofold.experiments.context import Context
    from twofold.options import Reading, Running

    running = Running(design="4x5", store=":memory:", workers=1)
    with Context(["tree", "lda"], "iris", None, Reading(), running, 0) as context:
        context.experiment.advance(4)
        context.experiment._fail((0, 1, 3), 0, "in a run that was made ahead")
        assert context.experiment.scores(runs=3).learners == ("tree", "lda")
        assert context.experiment.first_failures(3) == []
        assert context.experiment.scores(runs=4).learners == ("tree",)
        assert len(context.experiment.first_failures(4)) == 1


def test_messages_are_short_and_printable():
    long = describe_error(ValueError("x" * 10_000))
    assert len(long) < 400
    assert describe_error(ValueError("a\u202eb\udc80c")) == "ValueError: a b c"
    assert describe_error(InputError("The rule.", "The remedy.")) == "The rule"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("NoParameters", "RuntimeError: no parameters."),
        ("Leaving", "refuses its arguments: I leave."),
    ],
)
def test_learners_that_raise_while_they_are_read(capsys, name, words):
    code, out, err = call(capsys, "compare", "tree", f"{FILE}:{name}", "--data", "iris")
    assert (code, out, len(err.splitlines())) == (2, "", 2)
    assert words in err.splitlines()[0]


def test_an_estimator_without_a_text_is_refused_in_two_lines():
    from twofold.learners.registry import read_learner

    estimator = read_learner(f"{FILE}:NoText").estimator  # by its name it needs no text
    with pytest.raises(InputError, match="A NoText cannot be read as a learner"):
        compare(["tree", estimator], "iris", **QUICK)


@pytest.fixture
def hanging(tmp_path, monkeypatch):
    """A learner that never ends, and a clock by which nothing else takes any time."""
    marks = tmp_path / "marks"
    monkeypatch.setattr("time.monotonic", HangingClock(marks))
    monkeypatch.setattr("twofold.execution.backends.LONGEST_WAIT", 0.02)
    return f"hang={FILE}:Hanging(marks='{marks}')"


def test_a_learner_that_hangs_is_ended_by_its_limit_and_the_others_are_compared(hanging):
    options = {**QUICK, "task_timeout": 0.5}
    answer = compare(["lda", hanging, "majority"], "iris", **options)
    assert answer.learners == ("lda", "majority")
    detail = note_of(answer, "learner-failed").detail
    assert "hang on iris, run 1: it did not finish in 0.5 seconds (`task_timeout`)" in detail


def test_a_budget_ends_a_learner_that_hangs(capsys, hanging):
    answer = compare(["lda", hanging, "majority"], "iris", **{**QUICK, "budget": 3})
    assert answer.learners == ("lda", "majority")
    assert "hang on iris, run 1: not one of its runs" in note_of(answer, "learner-failed").detail
    words = ["majority", hanging, "--data", "iris", "--budget", "2"]
    code, out, err = call(capsys, "compare", *words)
    assert (code, out, len(err.splitlines())) == (2, "", 2)
    assert "hang on iris, run 1: not one of its runs was finished in time (`--budget`)" in err


def test_memory_that_a_learner_may_not_have_is_named():
    greedy = f"greedy={FILE}:Greedy"
    answer = compare(["lda", greedy, "majority"], "iris", memory="1GB", **QUICK)
    assert answer.learners == ("lda", "majority")
    detail = note_of(answer, "learner-failed").detail
    assert "greedy on iris, run 1, fold 1: it needed more memory than `memory` allows" in detail


def test_limits_need_workers():
    with pytest.raises(InputError, match="limits of worker processes"):
        compare(["lda", "majority"], "iris", memory="1GB", **{**QUICK, "workers": 0})


def test_prints_go_to_standard_error_without_workers(capfd):
    compare(["lda", f"{FILE}:Chatty"], "iris", **{**QUICK, "workers": 0})
    out, err = capfd.readouterr()
    assert out == ""
    assert "by Python" in err
    assert "by the system" in err


def test_a_learner_that_cannot_be_sent_fails_alone():
    answer = compare(["lda", f"stuck={FILE}:Stuck", "tree"], "iris", **QUICK)
    assert answer.learners == ("lda", "tree")
    assert "it cannot be sent to a worker" in note_of(answer, "learner-failed").detail
