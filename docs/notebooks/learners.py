# %% [markdown]
# # Five learners of scikit-learn, three metrics
#
# From learners and data to an answer, by accuracy, AUC and log loss at once. If the variable `TWOFOLD_DATA` names a folder with twelve data sets of the UCI repository (`sonar.arff`, `vote.arff`, …), they are
# taken, with ten folds; else three that come with scikit-learn and the customers of the tutorial, with five folds, which takes seconds.

# %%
import os
from pathlib import Path

from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import twofold

learners = {
    "logistic": LogisticRegression(max_iter=2000),
    "forest": RandomForestClassifier(n_estimators=20),
    "boosting": HistGradientBoostingClassifier(max_iter=20),
    "k-NN": KNeighborsClassifier(),
    "naive Bayes": GaussianNB(),
}

# %%
names = "sonar ionosphere vote heart-statlog hepatitis breast-w diabetes credit-g haberman balance-scale vehicle tae"
files = [Path(os.environ.get("TWOFOLD_DATA", "")) / f"{name}.arff" for name in names.split()]
there = all(file.is_file() for file in files)
data = (
    [str(file) for file in files] if there else ["iris", "wine", "breast_cancer", "customers.csv"]
)
design = "1x10" if there else "1x5"
print(len(data), "data sets,", design)

# %% [markdown]
# ## Run and compare
#
# Columns of words, gaps and scales are taken care of inside the training folds. What is trained once is kept: another metric later needs no new fit.

# %%
answers = twofold.compare(
    learners, data, design=design, metric=["accuracy", "auc", "log_loss"], store="runs.sqlite"
)
print(answers.verdict)

# %% [markdown]
# ## Several metrics
#
# Each metric has an answer of its own, with its own direction: a smaller log loss is better.

# %%
for metric in answers:
    print(f"{metric}: {answers[metric].verdict}")

# %%
answers["accuracy"].plot()

# %% [markdown]
# Few data sets tell little. That is no reason to count folds as if they were data sets. It is a reason to add data sets, or to ask about one of them:

# %%
one = twofold.compare(
    {name: learners[name] for name in ("logistic", "boosting")},
    data[-1],
    design=design,
    store="runs.sqlite",
)
print(one.verdict)
