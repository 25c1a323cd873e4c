# %% [markdown]
# # Forty classifiers on 142 data sets, with missing cells
#
# A benchmark as they are published: many learners, many data sets, and some cells that nobody could fill. If the variable `TWOFOLD_RESULTS` names a folder with the published
# results of time series classifiers (`tsc/all-40-classifiers.csv.gz`), they are taken; else a made-up table of the same shape.

# %%
import os
from pathlib import Path

import numpy as np

import twofold

published = Path(os.environ.get("TWOFOLD_RESULTS", "")) / "tsc" / "all-40-classifiers.csv.gz"


def make_up(learners=40, datasets=142):
    """Return accuracies: data sets differ much, learners little, and one cell in a hundred is missing."""
    draw = twofold.rng(1, "notebook", "series")
    accuracy = 0.8 + draw.normal(0, 0.09, (datasets, 1)) - np.sort(draw.gamma(2, 0.015, learners))
    accuracy = (accuracy + draw.normal(0, 0.02, (datasets, learners))).clip(0, 1).round(4)
    accuracy[draw.random((datasets, learners)) < 0.01] = np.nan
    columns = {f"classifier {j + 1:02}": accuracy[:, j] for j in range(learners)}
    return {"dataset": [f"data {i + 1}" for i in range(datasets)], **columns}


table = published if published.is_file() else make_up()
print("the published results" if published.is_file() else "a made-up table of the same shape")

# %% [markdown]
# ## The answer
#
# Missing cells are named, not filled in and not a reason to throw away data sets. 40 learners make 780 pairs; p values are adjusted for all of them.

# %%
answer = twofold.compare(table, metric="accuracy")
print(answer.verdict)

# %%
for note in answer.notes:
    print(f"{'!' if note.severity == 'warning' else '·'} {note.title}: {note.detail}")

# %% [markdown]
# ## Who may be the best?
#
# A list of mean ranks invites to read off a winner. The *rank set* of a learner holds the ranks that it may truly have, and the sets of all learners hold together. Whoever has rank 1 in its set may be the best.

# %%
best = answer.rank_sets[0].may_be_best
print(len(best), "of", len(answer.learners), "may be the best:", ", ".join(best))

# %%
answer.plot(kind="rank-sets")

# %% [markdown]
# ## The pairs, as a picture
#
# `answer.plot(kind="matrix")` has every pair; with forty learners it is for a poster. A few chosen learners make a comparison of their own, whose p values are adjusted for fewer pairs. Choose them *before* you look at the results.

# %%
chosen = answer.learners[::8]
few = twofold.compare(table, metric="accuracy", only=chosen)
few.plot(kind="matrix")
