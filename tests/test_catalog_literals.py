"""What a test can do stands in the catalog: no other code asks for tests by their names."""

import ast
from pathlib import Path

from twofold.comparison import defaults
from twofold.stats import catalog, entry

PACKAGE = Path(__file__).parents[1] / "src" / "twofold"
# Intervals of a learner's score are named in the answer, and nobody asks for them by name.
# A design is called bootstrap, too.
NAMES = {test.name for test in catalog() if test.group != "interval"} - {"bootstrap"}
# Papers are about single tests and name them; they stand beside the package, not in it.
ALLOWED = PACKAGE / "comparison" / "defaults.py"
FILES = [
    path
    for path in sorted(PACKAGE.rglob("*.py"))
    if path != ALLOWED and "stats" not in path.relative_to(PACKAGE).parts
]


def test_no_name_of_a_test_is_asked_for():
    """Tests and adjustments alike; sentences in messages may name them."""
    named = []
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            match node:
                case ast.Constant(value=str(name)) if name in NAMES:
                    named.append(f"{path.name}:{node.lineno}: {name!r}")
                case ast.Call(
                    func=ast.Attribute(attr="startswith" | "endswith"),
                    args=[ast.Constant(value=str(beginning))],
                ):
                    if beginning in ("bayes", "bayes-", "corrected", "mcnemar", "mean-"):
                        named.append(f"{path.name}:{node.lineno}: {beginning!r}")
    assert not named


def test_defaults_are_in_the_catalog():
    named = [
        node.value
        for node in ast.walk(ast.parse(ALLOWED.read_text("utf-8")))
        if isinstance(node, ast.Constant) and node.value in NAMES
    ]
    assert len(named) > 20
    for default in (defaults.FOLDS, defaults.TWO_LEARNERS, *defaults.OMNIBUS, *defaults.STUDIED):
        assert entry(default).standing != "unsafe"


def test_what_entries_declare_fits_together():
    for test in catalog():
        assert bool(test.posterior_of) <= test.bayesian
        assert bool(test.draws) <= test.bayesian
        assert test.bayesian == test.takes("rope")
        assert not (test.bayesian and test.one_sided)
        assert bool(test.role) <= (test.data in ("table", "correct"))
        assert not test.moderated or test.predicted_from
        assert not test.limit or test.predicted_from
        assert not test.calibrated or test.takes("df")
        assert not test.needs_sizes or test.takes("n_train")
        assert not test.stand_in or entry(test.stand_in).group == "adjustment"
        assert not test.model or test.on_pairs
        for option in (*test.options, *test.quick):
            assert test.takes(option)
