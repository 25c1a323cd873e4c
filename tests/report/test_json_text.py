"""JSON text is that of the standard library, to the letter."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from twofold.report.json_text import write_json

LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
VALUES = st.recursive(LEAVES, lambda v: st.lists(v) | st.dictionaries(st.text(), v), max_leaves=20)


@settings(max_examples=100)
@given(value=VALUES)
def test_the_same_text_as_the_standard_library(value):
    assert write_json(value) == json.dumps(value, ensure_ascii=False, indent=2)
