"""Every example of the page about tables, pasted or dropped: read, or refused in its words."""

import shlex
from urllib.parse import urlencode

import page_visitors  # noqa: F401 (skips where the extra is missing)
import pytest
from test_pages import strip_tags

from how_to_tables import EXAMPLES
from twofold.page.address import list_options


def write_query(options):
    """Return flags of a shell as the address has them."""
    by_flag = {
        flag: (each, meaning) for each in list_options() for flag, meaning in each.flags.items()
    }
    words, pairs = iter(shlex.split(options)), []
    for word in words:
        option, meaning = by_flag[word]
        switch = {True: "yes", False: "no"}.get(meaning)
        pairs.append((option.name, switch if option.kind == "switch" else next(words)))
    return urlencode(pairs)


@pytest.mark.parametrize(
    ("kind", "text", "options", "said", "codes"),
    EXAMPLES,
    ids=[f"{i}-{example[3][:30]}" for i, example in enumerate(EXAMPLES)],
)
def test_an_example_is_read_as_it_says(visitor, kind, text, options, said, codes):
    if kind == "json":
        response = visitor.upload(("table.json", text.encode()))
    else:
        response = visitor.upload(text=text)
    key = dict(response.url.params)["table"]
    page = visitor.get(f"/read?table={key}&{write_query(options)}")
    shown = strip_tags(page.text)
    if said.startswith("refused: "):
        assert page.status_code == 422
        assert said.removeprefix("refused: ") in shown
    else:
        assert page.status_code == 200
        assert f"Read as {said}." in shown
