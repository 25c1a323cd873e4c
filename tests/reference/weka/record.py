"""Write predictions.npz: what Weka 3.6.14 says on the 27 data sets, for folds we prescribe.

Needs Java and weka.jar (Debian: apt-get install weka default-jdk-headless):

    PYTHONPATH=src:tests/reference/weka python tests/reference/weka/record.py [--jar weka.jar]

The tests only read predictions.npz. Its keys are ``name/folds``, (runs, rows), and
``name/learner``, (runs, rows) class codes.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import uci

from twofold.seeds import rng

HERE = Path(__file__).parent
RUNS, FOLDS = 3, 10


def stratified(y: np.ndarray, name: str, run: int) -> np.ndarray:
    """Deal the rows of each class in turn, in random order, into ten folds."""
    order = rng(2004, "weka", name, run).permutation(len(y))
    order = order[np.argsort(y[order], kind="stable")]
    fold = np.empty(len(y), dtype=np.uint8)
    fold[order] = np.arange(len(y)) % FOLDS
    return fold


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jar", default="/usr/share/java/weka.jar")
    jar = parser.parse_args().jar
    place = uci.folder()
    assert place is not None, "no data sets found; set TWOFOLD_DATA"
    kept: dict[str, np.ndarray] = {}
    with tempfile.TemporaryDirectory() as temporary:
        work = Path(temporary)
        subprocess.run(["javac", "-cp", jar, "-d", work, HERE / "Record.java"], check=True)
        for name in uci.NAMES:
            dataset = uci.read(place / f"{name}.arff")
            folds = np.stack([stratified(dataset.y, name, run) for run in range(RUNS)])
            uci.write(dataset, work / "data.arff")
            np.savetxt(work / "folds.txt", folds, fmt="%d")
            command = ["java", "-cp", f"{work}:{jar}", "Record"]
            said = subprocess.run(
                [*command, work / "data.arff", work / "folds.txt"],
                check=True,
                stdout=subprocess.PIPE,
                text=True,
            ).stdout
            kept[f"{name}/folds"] = folds
            lines = [line.split() for line in said.splitlines()]
            for learner in dict.fromkeys(line[0] for line in lines):
                codes = [line[1:] for line in lines if line[0] == learner]
                kept[f"{name}/{learner}"] = np.array(codes, dtype=int).astype(np.uint8)
            right = {
                key.split("/")[1]: round(float((codes == dataset.y).mean()), 4)
                for key, codes in kept.items()
                if key.startswith(f"{name}/") and not key.endswith("/folds")
            }
            print(name, dataset.X.shape, len(dataset.classes or ()), right, flush=True)
    np.savez_compressed(HERE / "predictions.npz", **kept)


if __name__ == "__main__":
    main()
