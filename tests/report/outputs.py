"""Reading outputs back: each becomes the facts that a reader would take from it."""

import json
import re
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from html.parser import HTMLParser
from itertools import combinations

from twofold.plots import pictures_for, rank_facts
from twofold.plots.matrix_facts import matrix_facts
from twofold.plots.row_facts import pair_facts
from twofold.report.formatting import format_p
from twofold.stats import entry


@dataclass
class Facts:
    """What an output says. ``pairs`` holds, for each pair, cells by the name of their column."""

    verdict: str = ""
    standing: dict = field(default_factory=dict)
    scores: dict = field(default_factory=dict)
    joined: set = field(default_factory=set)
    pairs: dict = field(default_factory=dict)
    results: dict = field(default_factory=dict)
    omnibus: dict = field(default_factory=dict)


def join_by_letters(letters):
    """Return pairs that share a letter; "a–c" stands for three."""

    def number(text):
        value = 0
        for sign in text:
            value = 26 * value + ord(sign) - 96
        return value

    sets = {}
    for name, text in letters.items():
        ends = [list(map(number, part.split("–"))) for part in text.split()]
        sets[name] = {n for run in ends for n in range(run[0], run[-1] + 1)}
    return {frozenset(two) for two in combinations(sets, 2) if sets[two[0]] & sets[two[1]]}


def read_tables(tables):
    """Return the facts of tables with a header each, as HTML, LaTeX and Markdown have them."""
    facts = Facts()
    for header, *rows in tables:
        cells = [dict(zip(header, row, strict=True)) for row in rows]
        if header[0] == "data set":
            facts.results = {row.pop("data set"): row for row in cells}
        elif "learner" in header:
            rows_by_name = {row["learner"].removesuffix(" (control)"): row for row in cells}
            read_scores(facts, rows_by_name)
            if "group" in header:
                facts.joined = join_by_letters({row["learner"]: row["group"] for row in cells})
        elif header[0] == "class":
            continue  # recall and precision of one classifier
        elif "a" in header:
            facts.pairs = {(row["a"], row["b"]): _name_cells(row) for row in cells}
        else:
            facts.omnibus = {row[header[0]]: row["p"] for row in cells}
    return facts


def read_scores(facts, rows):
    """Read the table of scores: the first column of figures is what learners are ranked by."""
    heads = [head for head in next(iter(rows.values())) if head not in ("place", "learner")]
    facts.standing = {name: row[heads[0]] for name, row in rows.items()}
    plain = {head: head for head in ("median", "sd", "rank set", "tier")}
    plain |= {head: "mean" for head in heads if head.startswith("mean") and head != "mean rank"}
    plain |= {head: "interval" for head in heads if head.endswith("interval")}
    for name, row in rows.items():
        facts.scores[name] = {plain[head]: row[head] for head in heads if head in plain}


def _name_cells(row):
    """Return cells by common names: outputs head their columns with more words or fewer."""
    cells = {}
    for name, text in row.items():
        if name.startswith(("p", "adj. p")):
            cells["p"] = text
        elif name in ("a − b", "better", "repeats"):
            cells[name] = text
        elif name.endswith("interval"):
            cells["interval"] = text
        elif name in ("w/t/l", "wins/ties/losses"):
            cells["record"] = text
    return cells


def read_json(text):
    """Return the facts of the JSON, formatted: what the other outputs should say."""
    plain = json.loads(text)
    facts = Facts(verdict=plain["verdict"])
    facts.joined = {frozenset(two) for group in plain["groups"] for two in combinations(group, 2)}
    method = plain["pairs"][0]["method"] if plain["pairs"] else "wilcoxon"
    by_means = plain["metric"] != "rank" and "mean" in entry(method).estimate
    measure = "mean_rank" if plain["mean_ranks"] and not by_means else "mean"
    facts.standing = {score["learner"]: score[measure] for score in plain["scores"]}
    facts.scores = {score["learner"]: score for score in plain["scores"]}
    for pair in plain["pairs"]:
        p = pair["pvalue"]
        if plain["adjustment"] is not None and pair["defined"]:
            assert p == pair["adjusted"][plain["adjustment"]]
        facts.pairs[pair["a"], pair["b"]] = {
            "value": p,
            "p": format_p(p),
            "better": pair["outcome"].replace("none", "—"),
            "record": "{wins}/{ties}/{losses}".format(**pair),
            "estimate": pair["estimate"],
            "interval": pair["interval"],
        }
    facts.omnibus = {name_test(test): format_short(test["pvalue"]) for test in plain["omnibus"]}
    return facts


def name_test(test):
    """Return the title of a test for any difference, and where its p value comes from."""
    title, count = entry(test["method"]).title, test["permutations"]
    if count is None:
        return title
    return f"{title} ({count:,} permutations)" if count else f"{title} (exact)"


def format_short(p):
    """Return ".012", "< .001" or, so close to .05 that three digits hide the side, ".0498"."""
    digits = 4 if 0.0495 < p < 0.0505 and p != 0.05 else 3
    rounded = Decimal(f"{p:.11e}").quantize(Decimal(10) ** -digits, ROUND_HALF_UP)
    return "< .001" if p < 0.001 else str(rounded).replace("0.", ".", 1)


class _Page(HTMLParser):
    """Collects tables and the verdict."""

    def __init__(self, text):
        super().__init__()
        self.tables, self.verdict, self.cell = [], "", None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")
            self.cell = "table"
        elif tag == "b":
            self.handle_data("**")
        elif tag == "p":
            is_verdict = dict(attributes).get("class", "").startswith("verdict")
            self.cell = "verdict" if is_verdict else None

    def handle_endtag(self, tag):
        if tag in ("td", "th", "p"):
            self.cell = None
        elif tag == "b":
            self.handle_data("**")

    def handle_data(self, data):
        if self.cell == "table":
            self.tables[-1][-1][-1] += data
        elif self.cell == "verdict":
            self.verdict += data


def read_html(text):
    page = _Page(text)
    facts = read_tables(page.tables)
    facts.verdict = page.verdict
    return facts


def read_latex(text):
    """Return the facts of the tables; LaTeX has its verdict in the paragraph of results."""
    tables = []
    for body in re.findall(r"\\toprule\n(.*?)\\bottomrule", text, re.S):
        lines = body.replace("\\midrule\n", "").splitlines()
        rows = [_plain_latex(line.removesuffix(r" \\")).split(" & ") for line in lines]
        tables.append(rows)
    return read_tables(tables)


def _plain_latex(text):
    for code, sign in {
        "$a$": "a", "$b$": "b", "$a-b$": "a − b", "$p$": "p", "$<$": "<", "$>$": ">", "$-$": "−",
        "---": "—", "--": "–", r"\%": "%", r"$\pm$": "±", r"\,$\circ$": " v",
        r"\,$\bullet$": " *", r"\,$\approx$": " ≈",
    }.items():  # fmt: skip
        text = text.replace(code, sign)
    text = re.sub(r"\\rlap\{([^}]*)\}", r"\1", text)
    return re.sub(r"\\textbf\{([^}]*)\}", r"**\1**", text)


def read_markdown(text):
    tables, table = [], []
    for line in [*text.splitlines(), ""]:
        if line.startswith("| "):
            table.append([_plain_markdown(cell) for cell in line[2:-2].split(" | ")])
        elif table:
            tables.append([table[0], *table[2:]])
            table = []
    facts = read_tables(tables)
    facts.verdict = _plain_markdown(text.split("\n\n")[1])
    return facts


def _plain_markdown(text):
    return re.sub(r"\\(.)", r"\1", text)


def read_terminal(text):
    facts = Facts(verdict=" ".join(text.split("\n\n")[0].split()))
    marks = {}
    for block in text.split("\n\n"):
        lines = block.splitlines()
        if re.match(r"(Mean|Estimated mean) ", lines[0]):
            start = next(i for i, line in enumerate(lines) if re.match(r"\s{4,}(mean|est)", line))
            rows = list(_read_rows(lines[start:], r"  (L\d+)(?: \(control\))?"))
            read_scores(facts, {names[0]: cells for names, cells, _ in rows})
            marks = {names[0]: mark for names, _, mark in rows}
        elif lines[0] == "Any difference at all?":
            whole = re.sub(r"\n    ", " ", block)  # wrapped lines
            name = r"\S[^(]*?(?: \([\d,]*[ a-z]+\))?"
            rows = re.findall(rf"^  ({name}), \S.* = \S+, p (?:= )?(\S.*)$", whole, re.M)
            facts.omnibus = {name: p for name, p in rows if "Without" not in name}
        elif re.match(r"(Pairs:|The pair)", lines[0]):
            facts.pairs = _read_columns(lines)
    if any("┃" in mark for mark in marks.values()):
        bars = {
            name: {i for i, sign in enumerate(mark) if sign == "┃"} for name, mark in marks.items()
        }
        facts.joined = {
            frozenset(two) for two in combinations(bars, 2) if bars[two[0]] & bars[two[1]]
        }
    else:
        facts.joined = join_by_letters(marks)
    return facts


def _read_columns(lines):
    """Return the pairs of a table."""
    start = next(i for i, line in enumerate(lines) if re.match(r"\s{8,}a − b", line))
    rows = _read_rows(lines[start:], r"  (L\d+) − (L\d+)(?= )")
    return {names: _name_cells(cells) for names, cells, _ in rows}


def _read_rows(lines, pattern):
    """Yield names, cells and the rest of each row; columns end where their heads end."""
    heads = [(match[0], match.end()) for match in re.finditer(r"\S+(?: \S+)*", lines[0])]
    for line in lines[1:]:
        if " may be the best" in line:
            return  # a sentence may begin with a learner's name
        match = re.match(pattern, line)
        if match is None:
            continue
        cells, begin = {}, match.end()
        for name, end in heads:
            cells[name], begin = line[begin:end].strip(), end
        yield match.groups(), cells, line[begin:]


def read_pictures(c):
    """Return, for each picture of pairs that fits, its facts: p, and who was found better."""
    read = {}
    fitting = pictures_for(c)
    if "matrix" in fitting:
        matrix = matrix_facts(c)
        read["matrix"] = {
            (a, b): (matrix.cells[i][j].p, {1: a, -1: b, 0: None}[matrix.cells[i][j].winner])
            for i, a in enumerate(matrix.learners)
            for j, b in enumerate(matrix.learners)
            if matrix.cells[i][j] is not None
        }
    if "pairs" in fitting:
        read["pairs"] = {row.parts: (row.words[0], row.differs) for row in pair_facts(c).rows}
    if "ranks" in fitting:
        facts = rank_facts(c)
        names = facts.learners
        read["ranks"] = {
            "joined": {
                frozenset((names[i], names[j]))
                for bar in facts.bars
                for i, j in combinations(bar, 2)
            },
            "marked": {names[i] for i in facts.marked},
            "standing": dict(zip(names, facts.mean_ranks, strict=True)),
            "cd": facts.critical_difference,
        }
    return read
