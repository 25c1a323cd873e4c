"""The paragraphs people put into papers: how it was compared, and what was found."""

from __future__ import annotations

from twofold.comparison import Comparison
from twofold.comparison.sentences import number, p_value
from twofold.stats import entry


def chosen_adjustment(c: Comparison) -> str | None:
    """Return the adjustment that decided, if there was one."""
    return c.adjustment


def cited(c: Comparison) -> list[str]:
    """Return the keys of the papers behind the tests that were used."""
    names = [test.method for test in c.omnibus]
    names += [part for part in c.method.split(", ") if part != "none"]
    keys: list[str] = []
    for name in names:
        for key in entry(name).papers:
            if key not in keys:
                keys.append(key)
    return keys


def methods(c: Comparison) -> str:
    """Say how the learners were compared."""
    n, k = len(c.datasets), len(c.learners)
    better = "higher" if c.higher_is_better else "lower"
    sets = f"{n} data sets" if n > 1 else "one data set"
    text = f"We compared {k} learners on {sets} by {c.metric} ({better} is better). "
    if c.omnibus:
        tests = " and ".join(entry(test.method).title for test in c.omnibus)
        text += f"Whether they differ at all was tested by the {tests}. "
    parts = [part for part in c.method.split(", ") if part != "none"]
    title = entry(parts[0]).title
    which = f"Each learner was compared with {c.control}" if c.control else "Pairs were compared"
    text += f"{which} by the {title}"
    if len(parts) > 1:
        text += f", with p values adjusted by the method of {entry(parts[1]).title}"
    return text + f". The significance level was {c.alpha:g}."


def results(c: Comparison) -> str:
    """Say what was found, with direction and size beside p."""
    text = ""
    for test in c.omnibus:
        df = ", ".join(f"{part:g}" for part in test.df)
        text += f"{entry(test.method).title}: {number(test.statistic, 4)} (df {df}), "
        text += f"{p_value(test.pvalue)}. "
    if c.critical_difference is not None:
        cd = c.critical_difference
        text += f"The critical difference of mean ranks is {cd.value:.3f} ({cd.method}). "
    chosen = chosen_adjustment(c)
    for pair in [pair for pair in c.pairs if pair.outcome != "none"][:6]:
        better, worse = (pair.a, pair.b) if pair.outcome == "a" else (pair.b, pair.a)
        p = pair.adjusted[chosen] if chosen else pair.pvalue
        text += f"{better} is better than {worse} ({pair.a} − {pair.b} = {number(pair.estimate)}"
        text += f", {p_value(p)}). " if p is not None else "). "
    if all(pair.outcome == "none" for pair in c.pairs):
        text += "No difference between two learners was found. "
    return text.strip()
