"""Examples of pages, run. `make examples` writes what they print into the pages.

A page shows the lines that a command prints; `[…]` stands for any lines.
"""

import difflib
import doctest
import os
import re
import textwrap
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
SOURCES = sorted((ROOT / "src" / "twofold").rglob("*.py"))
LEFT_OUT = "[…]"
REFRESH = bool(os.environ.get("TWOFOLD_REFRESH_EXAMPLES"))


def agrees(shown, printed):
    """Tell whether the lines are those printed; with `make examples`, write them into the pages."""
    if match(shown, printed):
        return True
    if REFRESH:
        new = _realign(shown, printed)
        _replace(PAGES, "\n".join([*shown, "```"]), "\n".join([*new, "```"]))
    return REFRESH


def run_examples(text, name, names=None):
    """Run the examples of a page, one after the other; return how many there are, and fail.

    They know the names that are given, which grow.
    """
    blocks = [code for code in re.findall(r"```python\n(.*?)```", text, re.S) if ">>>" in code]
    failures = 0
    names = {} if names is None else names
    for code in blocks:
        failures += run_code(code, name, names, doctest.NORMALIZE_WHITESPACE)
    return len(blocks), failures


def run_code(code, name, names, flags=0):
    """Run one block; return how many of its examples fail. The names grow."""
    example = doctest.DocTestParser().get_doctest(code, names, name, None, 0)
    runner = Runner(verbose=False, optionflags=flags)
    runner.run(example, clear_globs=False)
    names.update(example.globs)
    return 0 if REFRESH else runner.failures


class Runner(doctest.DocTestRunner):
    """Runs examples; with `make examples`, it writes what they print instead of failing."""

    def report_failure(self, out, test, example, got):
        """Report it, or write what was printed into the page or the docstring."""
        if not REFRESH:
            return super().report_failure(out, test, example, got)
        page = re.split("[:. ]", test.name)[0].replace("question", "questions")
        pages = [file for file in PAGES if file.stem == page] or PAGES
        files = pages if test.filename is None else SOURCES
        lines = example.source.rstrip("\n").split("\n")
        source = "\n".join([f">>> {lines[0]}", *(f"... {line}" for line in lines[1:])]) + "\n"
        got = re.sub(" +$", "", got, flags=re.M)
        for indent in ("", "    ", "        "):
            old, new = (textwrap.indent(source + text, indent) for text in (example.want, got))
            _replace(files, old, new)
        return None


def match(shown, printed):
    """Tell whether the lines are those printed."""
    if not shown:
        return not printed
    if shown[0] == LEFT_OUT:
        return any(match(shown[1:], printed[i:]) for i in range(len(printed) + 1))
    return bool(printed) and shown[0] == printed[0] and match(shown[1:], printed[1:])


def _realign(shown, printed):
    """Return what is printed, without the parts that the page leaves out."""
    if LEFT_OUT not in shown:
        return printed
    parts, kept = [[]], []
    for line in shown:
        if line == LEFT_OUT:
            parts.append([])
        else:
            parts[-1].append(len(kept))
            kept.append(line)

    def blur(lines):
        return [re.sub(r"[\d.−%-]+", "0", line) for line in lines]

    place = {}
    matcher = difflib.SequenceMatcher(a=blur(kept), b=blur(printed), autojunk=False)
    for _, a, b, c, d in matcher.get_opcodes():
        place.update(zip(range(a, b), range(c, d), strict=False))
    new, last = [], 0
    for number, part in enumerate(parts):
        at = [place[n] for n in part if kept[n] and place.get(n, -1) >= last]
        if number:
            new.append(LEFT_OUT)
        if at:
            start = min(at) if number else 0
            last = max(at) + 1
            sentence = [kept[n] for n in part if kept[n]][-1].endswith(".")
            while (
                sentence and last < len(printed) and printed[last] and printed[last - 1][-1] != "."
            ):
                last += 1  # to the end of the sentence
            new += printed[start:last]
            if not kept[part[-1]]:
                new.append("")
    return new


def _replace(files, old, new):
    """Replace text wherever it is."""
    for file in files:
        text = file.read_text("utf-8")
        if old in text:
            file.write_text(text.replace(old, new), "utf-8")
