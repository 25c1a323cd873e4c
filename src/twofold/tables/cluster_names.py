"""What people call clusters: things that several items of a test set were made from."""

from __future__ import annotations

import re
from collections.abc import Iterable

CLUSTERS = (
    "cluster", "cluster id", "passage", "passage id", "document", "document id", "article",
    "article id", "story", "story id", "paragraph", "paragraph id", "context id", "conversation",
    "conversation id", "dialogue", "dialogue id", "patient", "patient id", "subject id", "scene",
    "scene id", "video", "video id", "user", "user id", "template", "template id", "group id",
)  # fmt: skip
"""Names of clusters, the surest first, in small letters with one space between words."""


def find_cluster_name(names: Iterable[str]) -> str | None:
    """Return the name that is one of clusters, None where there is none.

    >>> find_cluster_name(["question", "Passage_ID", "answer"])
    'Passage_ID'
    """
    by_word = {re.sub(r"[\W_]+", " ", name.lower()).strip(): name for name in names}
    return next((by_word[word] for word in CLUSTERS if word in by_word), None)
