"""What Dask loses: workers, results, and the scheduler itself, each told by a made-up cluster."""

import pickle

import pytest

from twofold.errors import TwofoldError
from twofold.execution import dask_backend
from twofold.execution.dask_backend import RETRIES, Dask, SchedulerLost, _refuse, _Stream
from twofold.execution.dask_worker import LONGEST_BATCH, Answer
from twofold.execution.parcel import pack_work
from twofold.execution.worker import UNLIMITED

distributed = pytest.importorskip("distributed")


class Doubles:
    """Doubles numbers."""

    def do(self, job):
        return 2 * job

    def describe(self, job):
        return f"twice {job}"


class Forgiving(Doubles):
    """Gives a result where there is none."""

    def fail(self, job, reason):
        return reason


class Future:
    """The result of a batch: the answer to its one job, or to each, or an error."""

    count = 0
    seconds = 1.0

    def __init__(self, outcome, status="finished"):
        Future.count += 1
        self.key, self.outcome, self.status = f"job-{Future.count}", outcome, status
        self.callbacks = []

    def result(self, timeout):
        if isinstance(self.outcome, Exception):
            raise self.outcome
        answers = self.outcome if isinstance(self.outcome, list) else [self.outcome]
        return pickle.dumps((answers, self.seconds))

    def add_done_callback(self, callback):
        self.callbacks.append(callback)

    def release(self):
        pass


class Cluster:
    """Sends every job to the next of a list of outcomes."""

    workers = 1

    def __init__(self, *futures, threads=1):
        self.futures, self.threads = list(futures), threads

    def send_work(self, work):
        return pack_work(work, UNLIMITED), None

    def submit(self, work, content, answers):
        future = self.futures.pop(0)
        answers.put(future)
        return future

    def look(self):
        return self.threads


def killed(task):
    return distributed.KilledWorker(task, None, 1)


def stream_of(*futures, work=None, jobs=(1,), threads=1):
    stream = _Stream(Cluster(*futures, threads=threads), work or Forgiving(), iter(jobs))
    assert stream.fill()
    return stream


def test_a_job_whose_workers_die_is_sent_again_and_then_fails():
    futures = [Future(None, "error") for _ in range(RETRIES + 1)]
    for future in futures:
        future.outcome = killed(future.key)
    stream = stream_of(*futures)
    for _ in range(RETRIES):
        assert list(stream.receive(None)) == []
        assert stream.fill()
    assert list(stream.receive(None)) == [(1, f"its Dask workers died, {RETRIES + 1} times")]
    assert not stream.fill()


def test_the_work_may_be_lost_as_often_as_it_is():
    losses = [Future(killed("the work"), "error") for _ in range(2 * RETRIES)]
    stream = stream_of(*losses, Future(Answer("done", 2, "here")))
    for _ in losses:
        assert list(stream.receive(None)) == []
        assert stream.fill()
    assert list(stream.receive(None)) == [(1, 2)]


def test_a_result_that_was_lost_with_its_worker_is_waited_for():
    future = Future(TimeoutError(), "pending")
    stream = stream_of(future)
    assert list(stream.receive(None)) == []
    future.outcome, future.status = Answer("done", 2, "here"), "finished"
    for callback in future.callbacks:
        callback(future)
    assert list(stream.receive(None)) == [(1, 2)]


@pytest.mark.parametrize("status", ["cancelled", "lost"])
def test_what_a_scheduler_forgot_is_sent_again(status):
    stream = stream_of(Future(None, status), Future(Answer("done", 2, "here")))
    with pytest.raises(SchedulerLost):
        list(stream.receive(None))
    stream.send_again()
    assert stream.fill()
    assert list(stream.receive(None)) == [(1, 2)]


def test_a_job_cancelled_while_its_result_comes_means_another_scheduler():
    future = Future(RuntimeError("cancelled"), "finished")

    def cancel(timeout):
        future.status = "cancelled"
        raise future.outcome

    future.result = cancel
    with pytest.raises(SchedulerLost):
        list(stream_of(future).receive(None))


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (TwofoldError("A rule.", "A remedy."), "A rule"),
        (KeyError("twofold"), "Dask cannot do this work: KeyError"),
    ],
)
def test_errors_of_dask_end_the_run_in_words(error, says):
    with pytest.raises(TwofoldError, match=says):
        list(stream_of(Future(error, "error")).receive(None))


def test_work_that_cannot_fail_ends_the_run():
    lost = Future(Answer("lost", "its process died", "here"))
    with pytest.raises(TwofoldError, match=r"twice 1.*its process died"):
        list(stream_of(lost, work=Doubles()).receive(None))
    lost = Future(Answer("lost", "its process died", "here"))
    assert list(stream_of(lost).receive(None)) == [(1, "its process died")]


def done(*jobs):
    return [Answer("done", 2 * job, "here") for job in jobs]


def test_short_jobs_are_sent_together_and_long_ones_alone():
    sizes = []

    class Recorder(Cluster):
        """Takes a millisecond for jobs below 300, and ten seconds for the others."""

        def submit(self, work, content, answers):
            jobs = [order.job for order in pickle.loads(content)]
            sizes.append(len(jobs))
            future, future.seconds = Future([]), 0.0
            for job in jobs:
                in_time = future.seconds < LONGEST_BATCH
                future.outcome += done(job) if in_time else [Answer("dropped", None)]
                future.seconds += in_time * (0.001 if job < 300 else 10.0)
            answers.put(future)
            return future

    stream = _Stream(Recorder(), Forgiving(), iter(range(320)))
    results = []
    while stream.fill():
        results += stream.receive(None)
    assert sorted(results) == [(job, 2 * job) for job in range(320)]
    assert max(sizes) == 64  # in 50 ms, half of what a batch may take, at most doubled
    assert sizes[:4] == [1, 1, 2, 2]
    assert sizes[-5:] == [1] * 5


def test_a_batch_that_was_lost_is_sent_again_job_by_job():
    lost = Future(None, "error")
    lost.outcome = killed(lost.key)
    stream = _Stream(Cluster(lost, Future(done(1)), Future(done(2))), Forgiving(), iter((1, 2)))
    stream._size = 2
    assert stream.fill()
    assert list(stream.receive(None)) == []
    assert stream.fill()
    assert list(stream.receive(None)) == [(1, 2)]
    assert list(stream.receive(None)) == [(2, 4)]
    assert not stream.fill()


def test_what_was_done_before_an_error_comes_before_it():
    raised = [*done(1), Answer("raised", ValueError("no more"), "here"), Answer("dropped", None)]
    stream = _Stream(Cluster(Future(raised)), Forgiving(), iter((1, 2, 3)))
    stream._size = 3
    assert stream.fill()
    results = stream.receive(None)
    assert next(results) == (1, 2)
    with pytest.raises(ValueError, match="no more"):
        next(results)


def test_answers_nobody_waits_for_are_passed_over():
    stream = stream_of(Future(Answer("done", 2, "here")))
    stream._answers.get()
    stream._answers.put(Future(Answer("done", 9, "here")))
    assert list(stream.receive(None)) == []


def test_a_cluster_without_workers_is_waited_for_a_while(monkeypatch, capsys):
    clock = [100.0]
    monkeypatch.setattr(dask_backend.time, "monotonic", lambda: clock[0])
    stream = stream_of(Future(None), threads=0)
    stream._look()
    clock[0] += 60.0
    stream._look()
    assert "waiting for Dask workers, for" in capsys.readouterr().err
    clock[0] += dask_backend.WORKERS_WAIT
    with pytest.raises(TwofoldError, match="no workers for"):
        stream._look()


def test_a_worker_of_another_build_is_named():
    error = _refuse(Answer("unreadable", "numpy 1 for 2", "tcp://there"))
    assert "tcp://there cannot read the work: numpy 1 for 2" in str(error)


class Client:
    """A connection that is closed."""

    status = "closed"

    def close(self, timeout):
        raise OSError("it is gone")


def lost_dask(connect):
    backend = Dask.__new__(Dask)
    backend._client, backend._where, backend._connect = Client(), "tcp://there", connect
    return backend


def test_a_scheduler_that_comes_back_is_used_again(capsys):
    attempts = []

    def connect(seconds):
        attempts.append(seconds)
        if len(attempts) < 3:
            raise OSError("nobody there")
        return "a client"

    backend = lost_dask(connect)
    with pytest.raises(SchedulerLost):
        backend.look()
    backend._reconnect()
    assert backend._client == "a client"
    assert "waiting for the Dask scheduler at tcp://there" in capsys.readouterr().err


def test_a_scheduler_that_stays_away_ends_the_run(monkeypatch):
    monkeypatch.setattr(dask_backend, "SCHEDULER_WAIT", 0.0)

    def connect(seconds):
        raise TimeoutError

    with pytest.raises(TwofoldError, match="does not answer any more"):
        lost_dask(connect)._reconnect()


def test_a_run_goes_on_when_the_scheduler_comes_back():
    cluster = Cluster(Future(None, "cancelled"), Future(Answer("done", 2, "here")))
    cluster.reconnected = 0

    def reconnect():
        cluster.reconnected += 1

    cluster._reconnect = reconnect
    assert list(Dask.imap(cluster, Forgiving(), [1])) == [(1, 2)]
    assert cluster.reconnected == 1
