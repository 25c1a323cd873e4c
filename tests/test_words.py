"""Names that a stranger can guess: few vague ones, functions as verbs, no class twice."""

from collections import Counter
from functools import cache

import twofold.stats
from words import SOURCE, bindings, is_no_verb, is_vague


@cache
def list_names():
    return list(bindings(SOURCE))


def test_few_names_are_vague():
    vague = [str(name) for name in list_names() if is_vague(name)]
    assert 1000 * len(vague) / len(list_names()) < 5, "\n".join(vague)


def test_functions_are_verbs():
    functions = [name for name in list_names() if name.kind == "function"]
    terms = frozenset(twofold.stats.__all__)
    no_verbs = [str(name) for name in functions if is_no_verb(name, terms)]
    assert 1000 * len(no_verbs) / len(functions) < 5, "\n".join(no_verbs)


def test_no_public_class_name_occurs_twice():
    count = Counter(
        name.name for name in list_names() if name.kind == "class" and not name.name.startswith("_")
    )
    assert not [name for name, times in count.items() if times > 1]
