# %% [markdown]
# # Four versions of C4.5 on 14 data sets
#
# The example of Demšar (2006), Table 6: the AUC of the decision tree C4.5 as it is, with the smallest size of a leaf tuned (m), with the
# pruning tuned (cf), and with both. Does tuning help? `scores.csv` lies beside this notebook; it is a row for each data set and a column for each learner.

# %%
from pathlib import Path

import twofold

scores = twofold.read("scores.csv", metric="AUC")
scores

# %% [markdown]
# ## The answer
#
# `compare` sees that these are several learners on several data sets, takes the test for that, and says why. In a notebook the answer shows itself as the page of
# `--report answer.html` does: verdict first, then scores, pairs, notes, and the words for the paper.

# %%
answer = twofold.compare("scores.csv", metric="AUC")
answer

# %% [markdown]
# ## The question you really had
#
# The question was whether tuning beats the untuned tree. Three comparisons need less correction than six:

# %%
tuned = twofold.compare("scores.csv", metric="AUC", control="C4.5")
print(tuned.verdict)

# %%
for pair in tuned.pairs:
    low, high = pair.interval
    least, most = pair.repeats_between
    print(
        f"{pair.a} − {pair.b}: {pair.estimate:+.4f} ({low:+.4f} to {high:+.4f}), adjusted p = {pair.pvalue:.3f}, repeats {least:.0%} to {most:.0%}"
    )

# %% [markdown]
# The last numbers are the chance that 14 new data sets like these would lead to the same verdict: the lower end is for learners that usually are close, the upper end for learners that usually differ much. For both differences that were found it is about one half at best: a reason to say so, or to add data sets.

# %%
tuned.plot()

# %% [markdown]
# ## For the paper
#
# `tuned.save("answer.tex")` writes paragraphs, tables and the figure with a `.bib`; `tuned.save_table("results.tex")` the table of results alone. Here is the table as text:

# %%
tuned.save_table("results.md")
print(Path("results.md").read_text("utf-8"))
