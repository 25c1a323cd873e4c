"""What the page can run: built-in learners and bundled data sets."""

from __future__ import annotations

from twofold.datasets import BUNDLED
from twofold.learners.registry import BUILTIN
from twofold.page.offer_choices import offer_choices
from twofold.page.page_jobs import RunOffer


def offer_runs() -> RunOffer:
    """Return names to choose from."""
    one, several = (offer_choices((), (), (), names) for names in (("one",), ("one", "two")))
    learners = tuple((name, entry.words) for name, entry in BUILTIN.items())
    return RunOffer(learners, BUNDLED, (one, several))
