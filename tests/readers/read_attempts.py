"""What tests of readers look at: why files are refused, and which notes come with them."""

import pytest

from twofold import InputError
from twofold.options import Reading
from twofold.scores.files import read_scores_or_items


def refused(table, **options):
    """Return the two lines with which a table is refused."""
    with pytest.raises(InputError) as caught:
        read_scores_or_items(table, Reading(**options))
    assert len(str(caught.value).splitlines()) == 2
    return str(caught.value)


def codes(table):
    """Return the codes of the notes on a table."""
    return [note.code for note in table.notes]
