"""Names that a stranger can guess: few vague ones, functions as verbs, no name twice."""

from collections import Counter

import twofold.stats
from words import SOURCE, bindings, is_no_verb, is_vague

NAMES = list(bindings(SOURCE))


def test_few_names_are_vague():
    vague = [str(name) for name in NAMES if is_vague(name)]
    assert 1000 * len(vague) / len(NAMES) < 62, "\n".join(vague)


def test_functions_are_verbs():
    functions = [name for name in NAMES if name.kind == "function"]
    terms = frozenset(twofold.stats.__all__)
    no_verbs = [str(name) for name in functions if is_no_verb(name, terms)]
    assert 1000 * len(no_verbs) / len(functions) < 150, "\n".join(no_verbs)


def test_no_file_name_occurs_twice():
    # Each paper's folder has its items.py.
    files = (file.name for file in SOURCE.rglob("*.py") if file.name != "items.py")
    count = Counter(name for name in files if not name.startswith("__"))
    assert sum(times > 1 for times in count.values()) <= 9, count.most_common(9)


def test_no_public_class_name_occurs_twice():
    count = Counter(
        name.name for name in NAMES if name.kind == "class" and not name.name.startswith("_")
    )
    assert sum(times > 1 for times in count.values()) <= 16, count.most_common(16)
