"""Compiling is said once, and only where nothing is kept on disk."""

import importlib.util
import io
import os
import pickle
import sys

import numpy as np
import pytest
from numba.core.caching import CompileResultCacheImpl, IndexDataCacheFile
from numba.core.config import reload_config

from twofold.dataset import Attribute, Dataset
from twofold.errors import InputError
from twofold.learners.c45 import C45
from twofold.learners.kernels import compile as compiled
from twofold.learners.kernels import compile_ahead, compile_all, inner_code, kernel_lock
from twofold.learners.kernels.compiling_line import CompilingLine
from twofold.learners.kernels.estimator import CodedClassifier
from twofold.learners.kernels.kernel_cache import digest_sources
from twofold.learners.kernels.kernel_lock import KernelLock
from twofold.learners.majority import Majority
from twofold.learners.naive_bayes import NaiveBayes
from twofold.learners.registry import BUILTIN, read_learner


def test_a_cold_kernel_is_announced_once(capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))

    @compiled.entry("something slow", seconds=7)
    def double(x):
        return 2 * x

    assert compiled.is_cold("something slow")
    for _ in range(2):
        with compiled.announce("something slow"):
            pass
    said = capsys.readouterr().err
    assert said == "Compiling something slow for this machine, once: about 7 s …\n"
    assert double(4) == 8
    assert not compiled.is_cold("something slow")


KERNEL = """
from twofold.learners.kernels.compile import entry
@entry("NAME", seconds=1)
def change(x):
    return FACTOR * x
"""


@pytest.fixture
def load(tmp_path, monkeypatch):
    """Return a function that imports a kernel as another process would."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # Python takes it for current too
    reload_config()

    def load(factor=2):
        source = tmp_path / "small_kernel.py"
        text = KERNEL.replace("FACTOR", str(factor)).replace("NAME", str(tmp_path))
        if not source.exists() or source.read_text() != text:
            source.write_text(text)
            os.utime(source, (1e9, 1e9))  # a change that leaves time and size as they were
        spec = importlib.util.spec_from_file_location("small_kernel", source)
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, "small_kernel", module)
        spec.loader.exec_module(module)
        compiled._SAID.clear()
        digest_sources.cache_clear()
        return module.change

    return load


def misses(kernel):
    return sum(kernel.stats.cache_misses.values())


def flip(file):
    content = bytearray(file.read_bytes() or b"nothing")
    content[len(content) // 2] ^= 1
    file.write_bytes(content)


DAMAGE = {
    "empty": lambda file: file.write_bytes(b""),
    "half": lambda file: file.write_bytes(file.read_bytes()[: file.stat().st_size // 2]),
    "flipped": flip,
    "noise": lambda file: file.write_bytes(bytes(range(256))),
    "another pickle": lambda file: file.write_bytes(pickle.dumps({"a": 1})),
    "gone": lambda file: file.unlink(),
}


def test_what_is_damaged_is_compiled_again(load, tmp_path, capsys):
    assert load()(4) == 8
    capsys.readouterr()
    kernel = load()
    assert (kernel(4), misses(kernel)) == (8, 0)
    assert capsys.readouterr().err == ""
    for pattern in ("*.nbi", "*.nbc"):
        for name, damage in DAMAGE.items():
            files = list((tmp_path / "cache").rglob(pattern))
            for file in files:
                damage(file)
            kernel = load()
            assert kernel(4) == 8, name
            # A flipped bit of the index may be one that nobody reads.
            if (pattern, name) != ("*.nbi", "flipped"):
                assert misses(kernel) == 1, name
                assert "Compiling" in capsys.readouterr().err
            kernel = load()
            assert (kernel(4), misses(kernel)) == (8, 0), name


def test_code_of_another_source_is_not_used(load, tmp_path):
    assert load()(4) == 8
    [code] = (tmp_path / "cache").rglob("*.nbc")
    old = code.read_bytes()
    assert load(3)(4) == 12
    # As after a kill between the index and the code.
    code.write_bytes(old)
    assert load(3)(4) == 12


def test_code_for_other_types_is_not_used(load, tmp_path):
    kernel = load()
    assert (kernel(4), kernel(0.5)) == (8, 1.0)
    first, second = sorted((tmp_path / "cache").rglob("*.nbc"))
    second.write_bytes(first.read_bytes())
    kernel = load()
    assert (kernel(4), kernel(0.5)) == (8, 1.0)


def test_code_that_cannot_be_kept_is_used(load, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(IndexDataCacheFile, "_open_for_write", _refuse)
    assert load()(4) == 8
    monkeypatch.setattr(CompileResultCacheImpl, "_locator_classes", [])
    kernel = load()
    with compiled.announce(str(tmp_path)):
        assert kernel(4) == 8
    assert "NUMBA_CACHE_DIR" in capsys.readouterr().err


def test_one_process_at_a_time_compiles_a_kernel(load, tmp_path, monkeypatch):
    kernel = load()
    lock, other = KernelLock(kernel._cache.lock._file), KernelLock(tmp_path / "nowhere" / "a.lock")
    other.acquire(_refuse)  # no file can be written: nobody waits
    other.release()
    lock.acquire(_refuse)
    kernel._cache.when_waiting = lock.release
    assert kernel(4) == 8
    lock.acquire(_refuse)  # free again

    def finish():
        load()._cache.lock.release()
        copy = load()
        copy._cache.lock = None  # as the process that has it
        assert copy(0.5) == 1.0
        lock.release()

    second = load()
    second._cache.when_waiting = finish
    assert (second(0.5), misses(second)) == (1.0, 0)
    lock.acquire(_refuse)
    monkeypatch.setattr(kernel_lock, "PATIENCE", 0.0)
    waited = []
    KernelLock(lock._file).acquire(lambda: waited.append(1))
    assert waited == [1]
    lock.release()


def test_a_line_on_a_terminal_counts_down(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(sys, "__stderr__", terminal)
    line = CompilingLine("Compiling C4.5", 9)
    line.end()
    assert terminal.getvalue() == "\r\x1b[KCompiling C4.5: about 9 s left …\r\x1b[K"
    assert line.format(6.2) == "Compiling C4.5: about 3 s left …"
    assert line.format(20) == "Compiling C4.5: a moment more …"
    terminal.close()
    CompilingLine("Compiling C4.5", 9).end()


def test_a_kernel_for_kernels_is_compiled_into_them_and_not_called_by_python():
    @compiled.kernel
    def double(x):
        return 2 * x

    @compiled.shared_kernel
    def quadruple(x):
        return double(double(x))

    assert quadruple(4) == 16
    for _ in range(2):
        with pytest.raises(TypeError, match="shared_kernel"):
            double(4)


def test_kernels_are_compiled_by_themselves_where_numba_is_built_otherwise(monkeypatch):
    monkeypatch.setattr(compiled, "compile_inner", None)
    assert compiled.kernel(lambda x: 2 * x)(4) == 8
    monkeypatch.setitem(inner_code._USED, str, ("no_such_method",))
    with pytest.raises(ImportError, match="no_such_method"):
        inner_code.check_numba()


def test_several_learners_are_compiled_side_by_side(monkeypatch, capsys):
    names, started = {"naive Bayes", "C4.5"}, []
    monkeypatch.setattr(compile_ahead, "_CHECKED", set())
    monkeypatch.setattr(compile_ahead, "is_cold", names.__contains__)
    monkeypatch.setattr(compile_ahead, "check_threads", lambda _: 2)
    monkeypatch.setattr(compiled, "_SAID", set())
    monkeypatch.setattr(compiled, "_ANNOUNCED", set())
    start = compile_ahead._start
    monkeypatch.setattr(
        compile_ahead, "_start", lambda *work: started.append(start(*work)) or started[-1]
    )
    X = np.random.default_rng(1).random((30, 2))
    y = np.arange(30) % 3
    data = Dataset("small", (Attribute("a"), Attribute("b")), X, y, ("a", "b", "c"))
    for _ in range(2):
        compile_ahead.compile_ahead([NaiveBayes(), Majority(), C45()], data)
    said = capsys.readouterr().err
    assert said == "Compiling naive Bayes and C4.5 for this machine, once: about 10 s …\n"
    [process] = started
    with compiled.announce("C4.5"):
        assert process.returncode == 0
    compile_ahead.run_once([C45()], data)


def _refuse(*_):
    raise PermissionError


def test_runs_are_shared_out_completely():
    for threads in (1, 2, 3, 7):
        done = np.zeros(5, dtype=int)

        def job(first, last, done=done):
            done[first:last] += 1

        compiled.spread_runs(job, 5, threads=threads)
        assert (done == 1).all()


def test_rows_by_fold():
    fold = np.array([1, 0, -1, 1, 2, 0], dtype=np.int32)
    starts, order = np.zeros(8, dtype=np.int64), np.zeros(6, dtype=np.uint32)
    order_by_fold = compiled.shared_kernel(compiled.order_by_fold.py_func)
    assert order_by_fold(fold, starts, order) == 3
    assert starts[:4].tolist() == [0, 2, 4, 5]
    assert order[:5].tolist() == [1, 5, 0, 3, 4]


@pytest.mark.parametrize("threads", [0, -1, 1.5, True, "two"])
def test_threads_are_checked(threads):
    with pytest.raises(InputError, match="threads"):
        compiled.check_threads(threads)


def test_all_processors():
    assert compiled.check_threads(None) >= 1


def test_every_learner_is_compiled_ahead():
    offered = [read_learner(n).estimator for n, each in BUILTIN.items() if each.classifier]
    coded = {type(each) for each in offered if isinstance(each, CodedClassifier)}
    assert {type(each) for each in compile_all.LEARNERS} == coded - {Majority}  # has no kernel
    for learner in compile_all.LEARNERS:
        compile_all.use(learner)
    own = [n for n, each in compiled._ENTRIES.items() if each.__module__.startswith("twofold.")]
    assert not [name for name in own if compiled.is_cold(name)]
