"""Learners that misbehave, one way each. ``says`` is what must be said of it, None for nothing.

A learner without ``says`` does its mischief and answers all the same: then it has scores, and
those of others must not differ. ``flags`` are options of the command that are needed to end it.
"""

# ruff: noqa: D102  what each method does stands with its class

from __future__ import annotations

import atexit
import builtins
import contextlib
import ctypes
import gc
import locale
import os
import random
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import scipy.sparse
from sklearn.naive_bayes import GaussianNB

SLEEP = [sys.executable, "-c", "import time; time.sleep(600)"]
DIED = r"its process (died|was killed|ended by itself) "
LATE = r"it did not finish in 1 seconds \(--task-timeout\)"
TIMEOUT = ("--task-timeout", "1")
MEMORY = ("--memory", "1GB")


class Bad(GaussianNB):
    """Behaves; the others do not."""

    says: ClassVar[str | None] = None
    flags: ClassVar[tuple[str, ...]] = ()
    metric: ClassVar[str] = "accuracy"

    def fit(self, X: Any, y: Any) -> Any:
        """Fit, with mischief before it."""
        self.act(X, y)
        return super().fit(X, y)

    def act(self, X: Any, y: Any) -> None:
        """Do mischief; nothing here."""


class BadAnswer(Bad):
    """Predicts something odd."""

    says = "it (predicted|gave)|inhomogeneous"

    def predict(self, X: Any) -> Any:
        """Return what is no prediction."""
        return self.twist(super().predict(X))

    def twist(self, codes: Any) -> Any:
        """Return something odd in place of the codes."""
        return codes


class BadProbabilities(Bad):
    """Gives odd probabilities."""

    says = "probabilities|finite|predicted"
    metric = "logloss"

    def predict_proba(self, X: Any) -> Any:
        """Return what are no probabilities."""
        return self.twist(super().predict_proba(X))

    def twist(self, values: Any) -> Any:
        """Return something odd in place of probabilities."""
        return values


class NoWords(Exception):
    """An error without a text."""

    def __str__(self) -> str:
        raise RuntimeError("no words")

    __repr__ = __str__


class Bomb(Exception):
    """An error that cannot be sent."""

    def __reduce__(self) -> Any:
        raise RuntimeError("it stays")


class Rude(BaseException):
    """An error that is no Exception."""


class MuteWarning(UserWarning):
    """A warning without a text."""

    def __str__(self) -> str:
        raise RuntimeError("no words")


def _raise(name: str, error: Any, says: str) -> type[Bad]:
    def act(self: Bad, X: Any, y: Any) -> None:
        raise error() if isinstance(error, type) else error

    return type(name, (Bad,), {"act": act, "says": says, "__module__": __name__})


Raises = _raise("Raises", RuntimeError("on purpose"), "RuntimeError: on purpose")
RaisesMute = _raise("RaisesMute", NoWords, "NoWords: no message")
RaisesBomb = _raise("RaisesBomb", Bomb("tick"), "Bomb: tick")
RaisesHuge = _raise("RaisesHuge", ValueError("x" * 30_000_000), "ValueError: xxx")
RaisesLines = _raise("RaisesLines", ValueError("\n\x1b[31mred\x07\r\nsecond"), "ValueError: red")
RaisesRude = _raise("RaisesRude", Rude("rude"), "Rude: rude")
RaisesInterrupt = _raise("RaisesInterrupt", KeyboardInterrupt, "KeyboardInterrupt: no message")
RaisesGenerator = _raise("RaisesGenerator", GeneratorExit, "GeneratorExit: no message")
RaisesStop = _raise("RaisesStop", StopIteration("stop"), "StopIteration: stop")
RaisesExit = _raise("RaisesExit", SystemExit(0), "SystemExit: 0")
RaisesMemory = _raise("RaisesMemory", MemoryError, "MemoryError")
RaisesPipe = _raise("RaisesPipe", BrokenPipeError("gone"), "BrokenPipeError: gone")
RaisesEnd = _raise("RaisesEnd", EOFError("over"), "EOFError: over")


class Exits(Bad):
    """Ends its process at once."""

    says = r"ended by itself \(exit code 3\); it last wrote: farewell"

    def act(self, X: Any, y: Any) -> None:
        print("farewell")
        os._exit(3)


class ExitsWell(Bad):
    """Ends its process as if all were well."""

    says = r"ended by itself \(exit code 0\)"

    def act(self, X: Any, y: Any) -> None:
        os._exit(0)


def _signal(name: str, number: int) -> type[Bad]:
    def act(self: Bad, X: Any, y: Any) -> None:
        signal.signal(number, signal.SIG_DFL) if number != signal.SIGKILL else None
        os.kill(os.getpid(), number)

    says = rf"its process (died|was killed) \(signal {int(number)}"
    return type(name, (Bad,), {"act": act, "says": says, "__module__": __name__})


KillsItself = _signal("KillsItself", signal.SIGKILL)
TerminatesItself = _signal("TerminatesItself", signal.SIGTERM)
Aborts = _signal("Aborts", signal.SIGABRT)
HangsUp = _signal("HangsUp", signal.SIGHUP)
DividesByZero = _signal("DividesByZero", signal.SIGFPE)


class Segfaults(Bad):
    """Reads memory that is not there."""

    says = r"its process died \(signal 11, segmentation fault\)"

    def act(self, X: Any, y: Any) -> None:
        ctypes.string_at(0)


class SegfaultsInPredict(Segfaults):
    """Crashes later."""

    def act(self, X: Any, y: Any) -> None:
        """Wait for it."""

    def predict(self, X: Any) -> Any:
        return ctypes.string_at(0)


class Overflows(Bad):
    """Calls itself without end."""

    says = "RecursionError"

    def act(self, X: Any, y: Any) -> None:
        self.act(X, y)


class OverflowsStack(Bad):
    """Calls itself through C code, with the limit lifted."""

    says = DIED

    def act(self, X: Any, y: Any) -> None:
        sys.setrecursionlimit(10**9)
        deep: Any = []
        for _ in range(200_000):
            deep = [deep]
        repr(deep)


class EatsMemory(Bad):
    """Fills memory as far as it may."""

    says = "it needed more memory than"
    flags = MEMORY

    def act(self, X: Any, y: Any) -> None:
        self.food = [np.ones(10**7) for _ in range(1000)]


class EatsInPieces(EatsMemory):
    """Fills memory in small pieces."""

    def act(self, X: Any, y: Any) -> None:
        self.food = [[i] * 10_000 for i in range(10**8)]


class Sleeps(Bad):
    """Never ends."""

    says = LATE
    flags = TIMEOUT

    def act(self, X: Any, y: Any) -> None:
        time.sleep(600)


class Spins(Sleeps):
    """Never ends, and never lets go."""

    def act(self, X: Any, y: Any) -> None:
        sum(range(10**15))


class StopsItself(Sleeps):
    """Is stopped, and cannot go on."""

    def act(self, X: Any, y: Any) -> None:
        os.kill(os.getpid(), signal.SIGSTOP)


class IgnoresSignals(Sleeps):
    """Wants to hear nothing of an end."""

    def act(self, X: Any, y: Any) -> None:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        time.sleep(600)


class WaitsForChild(Sleeps):
    """Waits for a process that never ends."""

    def act(self, X: Any, y: Any) -> None:
        subprocess.run(SLEEP, check=False)


class DeadLocks(Sleeps):
    """Waits for itself."""

    def act(self, X: Any, y: Any) -> None:
        lock = threading.Lock()
        lock.acquire()
        lock.acquire()


class LeavesChild(Bad):
    """Starts a process and forgets it."""

    def act(self, X: Any, y: Any) -> None:
        subprocess.Popen(SLEEP)


class LeavesDaemon(Bad):
    """Starts a process in a session of its own."""

    def act(self, X: Any, y: Any) -> None:
        subprocess.Popen(SLEEP, start_new_session=True)


class LeavesOrphan(Bad):
    """Forks twice, and dies with an orphan left."""

    says = r"exit code 5"

    def act(self, X: Any, y: Any) -> None:
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                time.sleep(600)
            os._exit(0)
        os.wait()
        os._exit(5)


class Forks(Bad):
    """Goes on in two processes."""

    def act(self, X: Any, y: Any) -> None:
        if os.fork() == 0:
            time.sleep(600)


class AnswersTwice(Bad):
    """Goes on in two processes, and both come to the end."""

    def act(self, X: Any, y: Any) -> None:
        os.fork()


class Prints(Bad):
    """Prints much, in every way."""

    def act(self, X: Any, y: Any) -> None:
        print("learner prints" * 1000)
        print("learner complains", file=sys.stderr)
        os.write(1, b"learner writes\n" * 1000)
        os.write(2, b"learner writes\n")
        subprocess.run(["echo", "learner's child prints"], check=False)


class ReadsInput(Bad):
    """Asks the person at the keyboard."""

    says = "EOFError"

    def act(self, X: Any, y: Any) -> None:
        input("password? ")


class ClosesStreams(Bad):
    """Closes what everyone has open."""

    def act(self, X: Any, y: Any) -> None:
        for number in (0, 1, 2):
            with contextlib.suppress(OSError):
                os.close(number)


class ClosesAll(Bad):
    """Closes everything."""

    says = DIED

    def act(self, X: Any, y: Any) -> None:
        os.closerange(3, 1000)


class WritesEverywhere(Bad):
    """Writes nonsense to everything that is open."""

    says = f"cannot be read|{DIED}"

    def act(self, X: Any, y: Any) -> None:
        for number in range(3, 100):
            with contextlib.suppress(OSError):
                os.write(number, b"nonsense" * 100)


class ChangesRows(Bad):
    """Changes the rows it is given."""

    def act(self, X: Any, y: Any) -> None:
        X[:] = 0
        y[:] = 0
        y[:2] = [0, 1]


class ChangesAllArrays(Bad):
    """Changes every array in its process."""

    def act(self, X: Any, y: Any) -> None:
        for thing in gc.get_objects():
            if isinstance(thing, np.ndarray) and thing.dtype == float and thing.flags.writeable:
                thing[...] = 0.5


class ChangesEnvironment(Bad):
    """Changes environment, folder, umask and priorities."""

    def act(self, X: Any, y: Any) -> None:
        os.environ.clear()
        os.environ["PYTHONHASHSEED"] = "1"
        os.chdir("/")
        os.umask(0o777)
        os.nice(1)
        with contextlib.suppress(locale.Error):
            locale.setlocale(locale.LC_ALL, "C")


class ChangesNumpy(Bad):
    """Changes numpy for everyone."""

    says = ""

    def act(self, X: Any, y: Any) -> None:
        np.seterr(all="raise")
        np.mean = np.sum = np.concatenate = np.asarray = lambda *_, **__: np.zeros(3)


class ChangesRandom(Bad):
    """Sets and draws from everyone's generators."""

    def act(self, X: Any, y: Any) -> None:
        random.seed(1)
        np.random.seed(1)  # noqa: NPY002
        np.random.rand(100)  # noqa: NPY002


class ChangesPython(Bad):
    """Changes Python itself."""

    says = ""

    def act(self, X: Any, y: Any) -> None:
        sys.path.clear()
        sys.setrecursionlimit(60)
        sys.modules.pop("numpy")
        warnings.simplefilter("error")
        gc.disable()
        builtins.print = builtins.len = None  # type: ignore[assignment]


class ChangesStreams(Bad):
    """Takes Python's streams away."""

    def act(self, X: Any, y: Any) -> None:
        sys.stdin = sys.stdout = sys.stderr = None  # type: ignore[assignment]


class ChangesLimits(Bad):
    """Allows itself nothing."""

    says = ""

    def act(self, X: Any, y: Any) -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


class RemovesFolder(Bad):
    """Removes the folder for temporary files."""

    def act(self, X: Any, y: Any) -> None:
        shutil.rmtree(tempfile.gettempdir(), ignore_errors=True)


class RemovesAllFolders(Bad):
    """Removes everyone's temporary files."""

    def act(self, X: Any, y: Any) -> None:
        shutil.rmtree(Path(tempfile.gettempdir()).parent, ignore_errors=True)


class LeavesFiles(Bad):
    """Leaves temporary files, and dies."""

    says = r"exit code 7"

    def act(self, X: Any, y: Any) -> None:
        Path(tempfile.mkdtemp(), "large").write_bytes(b"x" * 10**6)
        os._exit(7)


class StartsThreads(Bad):
    """Starts threads that never end."""

    def act(self, X: Any, y: Any) -> None:
        for _ in range(20):
            threading.Thread(target=time.sleep, args=(600,)).start()


class HangsAtExit(Bad):
    """Does not want to go."""

    def act(self, X: Any, y: Any) -> None:
        atexit.register(time.sleep, 600)


class ListensOnPort(Bad):
    """Opens a port and keeps it."""

    def act(self, X: Any, y: Any) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))


class SetsAlarm(Bad):
    """Has itself killed a moment later."""

    says = r"signal 14"

    def act(self, X: Any, y: Any) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0.001)
        time.sleep(600)


class WarnsMute(Bad):
    """Warns without a text."""

    def act(self, X: Any, y: Any) -> None:
        warnings.warn(MuteWarning(), stacklevel=1)


class WarnsOften(Bad):
    """Warns a hundred thousand times."""

    def act(self, X: Any, y: Any) -> None:
        for number in range(20_000):
            warnings.warn(f"warning {number}", stacklevel=1)


class ReturnsNothing(Bad):
    """Forgets to return itself."""

    says = "AttributeError"

    def fit(self, X: Any, y: Any) -> Any:
        super().fit(X, y)


class KillsGroup(Bad):
    """Kills its whole group."""

    says = DIED

    def act(self, X: Any, y: Any) -> None:
        os.killpg(0, signal.SIGKILL)


class CannotBeSent(Bad):
    """Cannot be pickled."""

    says = "cannot be sent to a worker"

    def __reduce__(self) -> Any:
        raise TypeError("no")


class CrashesWhenLoaded(Bad):
    """Is pickled well, and ends the process that unpickles it."""

    says = r"exit code 9"

    def __setstate__(self, state: Any) -> None:
        os._exit(9)


def _twist(name: str, twist: Any, base: type[Any] = BadAnswer) -> type[Bad]:
    return type(name, (base,), {"twist": lambda self, v: twist(v), "__module__": __name__})


PredictsNone = _twist("PredictsNone", lambda codes: None)
PredictsOne = _twist("PredictsOne", lambda codes: 1)
PredictsFewer = _twist("PredictsFewer", lambda codes: codes[:-1])
PredictsTable = _twist("PredictsTable", lambda codes: np.stack([codes, codes], axis=1))
PredictsWords = _twist("PredictsWords", lambda codes: codes.astype(str))
PredictsUnknown = _twist("PredictsUnknown", lambda codes: codes + 7)
PredictsHalves = _twist("PredictsHalves", lambda codes: codes + 0.5)
PredictsNaN = _twist("PredictsNaN", lambda codes: np.full(len(codes), np.nan))
PredictsComplex = _twist("PredictsComplex", lambda codes: codes + 0j)
PredictsObjects = _twist("PredictsObjects", lambda codes: np.array([object()] * len(codes)))
PredictsSparse = _twist("PredictsSparse", lambda codes: scipy.sparse.csr_matrix(codes))
PredictsMasked = _twist("PredictsMasked", lambda codes: np.ma.masked_equal(codes, codes[0]))
PredictsGenerator = _twist("PredictsGenerator", lambda codes: (code for code in codes))
PredictsDict = _twist("PredictsDict", lambda codes: dict(enumerate(codes)))
PredictsRagged = _twist("PredictsRagged", lambda codes: [[1]] + [[1, 2]] * (len(codes) - 1))
SumsToTwo = _twist("SumsToTwo", lambda values: values * 2, BadProbabilities)
IsNegative = _twist("IsNegative", lambda values: -values, BadProbabilities)
HasFewColumns = _twist("HasFewColumns", lambda values: values[:, :1], BadProbabilities)
HasNaN = _twist("HasNaN", lambda values: values * np.nan, BadProbabilities)
HasNoProbabilities = _twist("HasNoProbabilities", lambda values: None, BadProbabilities)

CLASSES = sorted(
    name
    for name, kind in globals().items()
    if isinstance(kind, type) and issubclass(kind, Bad) and not name.startswith("Bad")
)
