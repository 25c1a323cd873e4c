"""The compiled learners alone: processor seconds of 10x10 on data sets of the papers, one thread.

python benchmarks/kernel_times.py anneal vote …
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from learners import ours, seconds, stratified


def main() -> None:
    import twofold
    from twofold.learners import read_learners

    datasets = twofold.read_datasets(sys.argv[1:])
    total = 0.0
    for learner in read_learners(["nb", "c45", "nn"]):
        for dataset in datasets:
            learner.estimator.predict_folds(dataset, stratified(dataset.y, 1))  # loads kernels
            total += seconds(ours(learner.estimator, dataset))
    print(total)


if __name__ == "__main__":
    main()
