"""A learner that fits as often as a file allows, then waits: tests decide how far a run comes."""

import os

from waits import wait_until

CODE = """
import time
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent


class Held:
    def get_params(self, deep=True):
        return {}

    def predict(self, X):
        return np.full(len(X), self.classes_[0])

    def fit(self, X, y):
        with open(HERE / "begun", "a") as file:
            file.write("fit\\n")
        while len((HERE / "ended").read_text().split()) >= int((HERE / "allowed").read_text()):
            time.sleep(0.01)
        self.classes_ = np.unique(y)
        with open(HERE / "ended", "a") as file:
            file.write("fit\\n")
        return self
"""


class HeldLearner:
    """The learner in a folder; ``text`` is how it is named on a command line."""

    def __init__(self, folder):
        self.folder = folder
        self.text = f"held={folder / 'held_code.py'}:Held"
        (folder / "held_code.py").write_text(CODE)
        (folder / "begun").touch()
        (folder / "ended").touch()
        self.allow(0)

    def allow(self, fits):
        """Let so many more fits come to an end, about: those side by side may all be the last."""
        part = self.folder / "allowed.part"
        part.write_text(str(self.count("ended") + fits))
        os.replace(part, self.folder / "allowed")

    def count(self, name="begun"):
        """Tell how many fits have begun, or ended."""
        return len((self.folder / name).read_text().split())

    def wait(self, fits=1):
        """Wait until so many fits have begun."""
        wait_until(lambda: self.count() >= fits)
