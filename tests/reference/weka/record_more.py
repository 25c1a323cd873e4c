"""Write predictions_more.npz: what further learners of Weka 3.6.14 say, for the same folds.

    PYTHONPATH=src:tests/reference/weka python tests/reference/weka/record_more.py [--jar weka.jar]

Keys are ``name/learner``, (runs, rows) class codes; the folds of the 27 data sets are those of
predictions.npz, those of the made ones are kept here as ``name/folds``. For the made ones
``name/learner/chances`` has Weka's chances of the last class.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from pathlib import Path

import binary
import numpy as np
import record
import uci

HERE = Path(__file__).parent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jar", default="/usr/share/java/weka.jar")
    jar = parser.parse_args().jar
    place = uci.folder()
    assert place is not None, "no data sets found; set TWOFOLD_DATA"
    folds_of = np.load(HERE / "predictions.npz")
    kept: dict[str, np.ndarray] = {}
    with tempfile.TemporaryDirectory() as temporary:
        work = Path(temporary)
        subprocess.run(["javac", "-cp", jar, "-d", work, HERE / "RecordMore.java"], check=True)

        def ask(*more: str) -> list[list[str]]:
            files = (work / "data.arff", work / "folds.txt")
            said = subprocess.run(
                ["java", "-cp", f"{work}:{jar}", "RecordMore", *files, *more],
                check=True,
                stdout=subprocess.PIPE,
                text=True,
            ).stdout
            return [line.split() for line in said.splitlines()]

        for name in (*uci.NAMES, *binary.NAMES):
            if name in uci.NAMES:
                dataset = uci.read(place / f"{name}.arff")
                folds = folds_of[f"{name}/folds"]
            else:
                dataset = binary.make(name)
                folds = np.stack([record.stratified(dataset.y, name, run) for run in range(3)])
                kept[f"{name}/folds"] = folds
            uci.write(dataset, work / "data.arff")
            np.savetxt(work / "folds.txt", folds, fmt="%d")
            lines = ask()
            for learner in dict.fromkeys(line[0] for line in lines):
                codes = np.array([line[1:] for line in lines if line[0] == learner], dtype=int)
                kept[f"{name}/{learner}"] = codes.astype(np.uint8)
                print(name, learner, round(float((codes == dataset.y).mean()), 4), flush=True)
            if name in binary.NAMES:
                lines = ask("chances")
                for learner in dict.fromkeys(line[0] for line in lines):
                    chances = [line[1:] for line in lines if line[0] == learner]
                    kept[f"{name}/{learner}/chances"] = np.array(chances, dtype=np.float64)
    np.savez_compressed(HERE / "predictions_more.npz", **kept)


if __name__ == "__main__":
    main()
