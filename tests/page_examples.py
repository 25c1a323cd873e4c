"""Running the Python examples of a page of the documentation."""

import doctest
import re


def run_examples(text, name, names=None):
    """Run the examples of a page, one after the other; return how many there are, and fail.

    They know the names that are given, which grow.
    """
    blocks = [code for code in re.findall(r"```python\n(.*?)```", text, re.S) if ">>>" in code]
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    names = {} if names is None else names
    for code in blocks:
        example = doctest.DocTestParser().get_doctest(code, names, name, None, 0)
        runner.run(example, clear_globs=False)
        names.update(example.globs)
    return len(blocks), runner.failures
