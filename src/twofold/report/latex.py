"""A comparison as LaTeX: paragraphs, booktabs tables and the references behind the tests."""

from __future__ import annotations

import re

from twofold.comparison import Comparison
from twofold.comparison.sentences import number
from twofold.report.paragraphs import chosen_adjustment, cited, methods, results
from twofold.stats import papers

ESCAPES = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "−": r"$-$",
    "∞": r"$\infty$",
    "χ²": r"$\chi^2$",
    "α": r"$\alpha$",
    "–": "--",
    "…": r"\ldots{}",
    "<": r"$<$",
    ">": r"$>$",
}
_PATTERN = re.compile("|".join(map(re.escape, ESCAPES)))


def latex(c: Comparison) -> str:
    """Return the comparison as LaTeX to paste into a paper (needs the package booktabs)."""
    parts = [
        "% made by twofold; needs \\usepackage{booktabs}",
        r"\paragraph{Statistical comparison.} " + escaped(methods(c)),
        escaped(results(c)),
    ]
    if c.mean_ranks:
        rows = sorted(c.mean_ranks.items(), key=lambda item: item[1])
        parts.append(
            _table("lr", ["learner", "mean rank"], [[name, f"{r:.3f}"] for name, r in rows])
        )
    chosen = chosen_adjustment(c)
    body = []
    for pair in c.pairs:
        p = pair.adjusted[chosen] if chosen else pair.pvalue
        better = {"a": pair.a, "b": pair.b, "none": "–"}[pair.outcome]
        record = f"{pair.wins}/{pair.ties}/{pair.losses}"
        shown = "–" if p is None else f"{p:.4f}"
        body.append([pair.a, pair.b, number(pair.estimate), shown, record, better])
    label = f"p ({chosen})" if chosen else "p"
    if body:
        parts.append(_table("llrrcl", ["a", "b", "a − b", label, "w/t/l", "better"], body))
    parts.append("\n".join(_bibtex(key) for key in cited(c)))
    return "\n\n".join(parts)


def escaped(text: str) -> str:
    """Return text in which LaTeX sees no commands."""
    return _PATTERN.sub(lambda match: ESCAPES[match.group()], text)


def _table(columns: str, header: list[str], rows: list[list[str]]) -> str:
    lines = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule"]
    lines.append(" & ".join(map(escaped, header)) + r" \\")
    lines.append(r"\midrule")
    lines += [" & ".join(map(escaped, row)) + r" \\" for row in rows]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])


def _bibtex(key: str) -> str:
    """Return a BibTeX entry as a comment, so that the fragment can be pasted as it is."""
    text = papers()[key]
    found = re.match(r"(?P<author>.*?) \((?P<year>\d{4})\)\. (?P<rest>.*)", text)
    assert found is not None
    title, where = re.split(r"(?<=[.?]) ", found["rest"], maxsplit=1)
    fields = {
        "author": re.sub(r"\., (?=\w)", ". and ", found["author"].replace(" & ", " and ")),
        "title": f"{{{title.rstrip('.')}}}",
        "howpublished": where.rstrip("."),
        "year": found["year"],
    }
    lines = [f"% @misc{{{key},"]
    lines += [f"%   {name} = {{{escaped_bibtex(value)}}}," for name, value in fields.items()]
    return "\n".join([*lines, "% }"])


def escaped_bibtex(text: str) -> str:
    """Return text for a BibTeX field, where braces are meant."""
    return text.replace("&", r"\&").replace("–", "--").replace("×", r"$\times$")
