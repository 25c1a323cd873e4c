"""Every reference value of R is compared with the library by one of the test_r_*.py files."""

import re
from pathlib import Path

from r_cases import CASES

TESTS = "\n".join(
    path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_r_*.py")
)


def test_every_group_is_used():
    used = set(re.findall(r'^@cases\("(\w+)"\)$', TESTS, flags=re.MULTILINE))
    assert used == {case.group for case in CASES}


def test_names_are_unique():
    names = [(case.group, case.variant) for case in CASES]
    assert len(names) == len(set(names))
