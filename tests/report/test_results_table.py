"""The results table of a paper: what it says, and that every format of it can be used."""

import csv
import io
import re
import shutil
import subprocess

import numpy as np
import pytest
from answers import MANY, RUDE_TABLE, answer, crowd
from scipy import stats

from twofold import compare
from twofold.errors import InputError
from twofold.report import save_report, save_table
from twofold.report.results_latex import LAYOUTS, write_results_latex
from twofold.report.results_table import tabulate_results
from twofold.report.results_writers import write_results_csv, write_results_markdown

FORMATS = (".tex", ".md", ".html", ".csv", ".xlsx")


def fold_rows(seed=0, learners=("nb", "c45", "svm"), datasets=4, runs=2, gap=0.03):
    draw = np.random.default_rng(seed)
    return [
        {"dataset": f"d{d}", "learner": name, "run": r, "fold": f,
         "accuracy": 0.8 + 0.02 * d + gap * j + draw.normal(0, 0.02)}
        for d in range(datasets) for j, name in enumerate(learners)
        for r in range(runs) for f in range(5)
    ]  # fmt: skip


def values_of(rows, dataset, learner):
    key = (dataset, learner)
    return np.array([r["accuracy"] for r in rows if (r["dataset"], r["learner"]) == key])


def two_level_t(x, y, runs=2, ratio=1 / 4):
    """The p value of the t test with the variance between runs, by hand."""
    gaps = x - y
    between = gaps.reshape(runs, -1).mean(axis=1).var(ddof=1)
    t = gaps.mean() / np.sqrt((1 / len(gaps) + ratio) * gaps.var(ddof=1) + between / 3 / ratio)
    return 2 * stats.t.sf(abs(t), len(gaps) - 1), np.sign(t)


@pytest.mark.parametrize("control", [None, "nb"])
def test_marks_are_those_of_the_default_test_on_each_data_set(control):
    rows = fold_rows()
    table = tabulate_results(compare(rows, control=control))
    seen = set()
    for dataset, cells in table.rows[: -table.summary_rows]:
        means = {name: values_of(rows, dataset, name).mean() for name in table.heads}
        best = max(means, key=means.get)
        reference = control or best
        for name, cell in zip(table.heads, cells, strict=True):
            x = values_of(rows, dataset, name)
            assert cell.value == pytest.approx(x.mean())
            assert cell.sd == pytest.approx(x.std(ddof=1))
            assert cell.best == (name == best)
            expected = ""
            if name != reference:
                p, sign = two_level_t(x, values_of(rows, dataset, reference))
                outcome = {1: "better", -1: "worse"}[sign] if p <= 0.05 else "alike"
                expected = outcome if (outcome == "alike") != bool(control) else ""
            assert cell.mark == expected
            seen.add(cell.mark)
    assert len(seen) > 1
    assert any("without adjustment" in note for note in table.footnotes)


def test_marks_beside_two_best_do_not_depend_on_the_order_of_columns():
    """a and b have the same mean on each data set; c differs from a, whose folds agree with it."""
    c = np.array([0.70, 0.72, 0.69, 0.71, 0.73])
    folds = {"a": c + 0.05 + np.array([0.01, -0.01, 0, 0, 0]), "c": c}
    folds["b"] = 0.76 + np.array([-0.2, 0.2, -0.1, 0.1, 0.0])
    rows = [
        {"dataset": d, "learner": name, "run": 0, "fold": f, "accuracy": value}
        for d in ("d0", "d1") for name, values in folds.items() for f, value in enumerate(values)
    ]  # fmt: skip
    marks = []
    for order in ("abc", "bac"):
        mixed = sorted(rows, key=lambda row: order.index(row["learner"]))
        table = tabulate_results(compare(mixed))
        cells = dict(zip(table.heads, table.rows[0][1], strict=True))
        assert cells["a"].best
        assert cells["b"].best
        marks.append({name: cell.mark for name, cell in cells.items()})
    assert marks[0] == marks[1] == {"a": "alike", "b": "alike", "c": "alike"}


def test_the_last_rows_count_and_average():
    rows = fold_rows()
    c = compare(rows, control="nb")
    table = tabulate_results(c)
    last = {name: dict(zip(table.heads, cells, strict=True)) for name, cells in table.rows}
    assert table.heads[0] == "nb"
    assert last["wins/ties/losses"]["svm"].text == "4/0/0"
    marks = [dict(zip(table.heads, cells, strict=True))["svm"].mark for _, cells in table.rows[:4]]
    better = marks.count("better")
    assert last["better/alike/worse"]["svm"].text == f"{better}/{4 - better}/0"
    for score in c.learner_scores:
        assert last["mean"][score.learner].value == score.mean
        assert last["mean rank"][score.learner].text == f"{score.mean_rank:.2f}"


def test_without_folds_only_the_mean_ranks_are_marked():
    table = tabulate_results(answer("many"))
    marked = {name for name, cells in table.rows for cell in cells if cell.mark}
    assert marked == {"mean rank"}
    assert not any(cell.spread for _, cells in table.rows for cell in cells)


def test_missing_cells_are_dashes():
    table = tabulate_results(answer("missing cells"))
    texts = [cell.text for _, cells in table.rows[: -table.summary_rows] for cell in cells]
    assert texts.count("–") == 5
    assert "–: no score." in table.footnotes


def test_on_one_data_set_learners_are_the_rows_and_pairs_mark_them():
    table = tabulate_results(answer("several on one data set"))
    assert [name for name, _ in table.rows] == ["small", "middle", "large"]
    assert table.rows[0][1][0].best
    assert not any(cells[0].mark for _, cells in table.rows)  # all of them differ
    predicted = tabulate_results(answer("several predictions"))
    assert [cells[0].text for _, cells in predicted.rows] == ["1.000", "0.750", "0.500"]


def test_data_sets_on_a_small_scale_keep_their_digits():
    table = tabulate_results(compare({"A": [1234.0, 0.0123, 500, 600], "B": [1300, 0.02, 400, 700],
                                      "C": [1100, 0.015, 500, 650]}, rows="datasets"))  # fmt: skip
    assert [cell.value for cell in table.rows[1][1]] == pytest.approx([0.02, 0.015, 0.0123])
    assert {cell.text for cell in table.rows[1][1]} == {"0.0200", "0.0123", "0.0150"}


def test_csv_has_numbers_in_full_and_no_formulas():
    rows = fold_rows(learners=("=1+1", "b", "c"))
    text = write_results_csv(tabulate_results(compare(rows)))
    first, *rest = csv.reader(io.StringIO(text))
    assert {"'=1+1", "'=1+1 sd", "'=1+1 mark"} < set(first)
    column = first.index("b")
    assert float(rest[0][column]) == pytest.approx(values_of(rows, "d0", "b").mean(), rel=1e-15)
    assert [row[0] for row in rest[-3:]] == ["wins", "ties", "losses"]


def test_markdown_goes_into_parts():
    text = write_results_markdown(tabulate_results(crowd(12, 20)))
    heads = [line for line in text.splitlines() if line.startswith("| data set | ")]
    assert [line.count("|") - 2 for line in heads] == [10, 2]


@pytest.mark.parametrize("suffix", FORMATS)
def test_the_same_answer_gives_the_same_bytes(suffix, tmp_path, monkeypatch):
    save_table(answer("many"), tmp_path / f"a{suffix}")
    monkeypatch.setattr("time.time", lambda: 2e9)
    monkeypatch.setattr("time.localtime", lambda *_: (2031, 5, 6, 7, 8, 9, 0, 1, 0))
    save_table(answer("many"), tmp_path / f"b{suffix}")
    assert (tmp_path / f"a{suffix}").read_bytes() == (tmp_path / f"b{suffix}").read_bytes()


def test_other_suffixes_are_refused(tmp_path):
    with pytest.raises(InputError) as caught:
        save_table(answer("many"), tmp_path / "table.pdf")
    assert ".tex, .md, .html, .csv or .xlsx" in caught.value.remedy


def test_workbooks_hold_the_answer_as_numbers_and_text(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    rows = fold_rows(learners=("=SUM(A1)", "+b", "@c"))
    c = compare(rows)
    save_report(c, tmp_path / "answer.xlsx")
    book = openpyxl.load_workbook(tmp_path / "answer.xlsx")
    assert book.sheetnames == ["scores", "learners", "ranks", "pairs", "notes"]
    cells = [cell for sheet in book for row in sheet.iter_rows() for cell in row]
    assert not [cell for cell in cells if cell.data_type == "f"]
    assert any(cell.value == "=SUM(A1)" for cell in cells)
    scores = book["scores"]
    head = [cell.value for cell in scores[1]]
    at = head.index("+b")
    assert scores.cell(2, at + 1).value == pytest.approx(values_of(rows, "d0", "+b").mean())
    bold = [cell.value for cell in scores[2] if cell.font.bold]
    assert bold == [pytest.approx(max(values_of(rows, "d0", n).mean() for n in c.learners))]
    assert book["pairs"].max_row == 1 + len(c.pairs)
    assert {row[1].value for row in book["notes"].iter_rows()} >= {c.verdict, c.question}


def test_several_metrics_have_a_table_each(tmp_path):
    rows = [{**row, "auc": row["accuracy"] ** 2} for row in fold_rows()]
    c = compare(rows, metric=["accuracy", "auc"])
    for suffix in FORMATS:
        save_table(c, tmp_path / f"t{suffix}")
    assert (tmp_path / "t.tex").read_text("utf-8").count(r"\label{tab:results") == 2
    assert (tmp_path / "t.html").read_text("utf-8").count("<table") == 2
    head, *lines = (tmp_path / "t.csv").read_text("utf-8").splitlines()
    assert head.startswith("metric,data set,")
    assert {line.split(",")[0] for line in lines} == {"accuracy", "auc"}
    openpyxl = pytest.importorskip("openpyxl")
    names = openpyxl.load_workbook(tmp_path / "t.xlsx").sheetnames
    assert names == ["scores accuracy", "scores auc"]
    save_report(c, tmp_path / "r.xlsx")
    book = openpyxl.load_workbook(tmp_path / "r.xlsx")
    names = book.sheetnames
    assert names[0] == "verdicts"
    assert book["verdicts"]["A1"].value == c.verdict
    assert len(names) == 11


def test_wide_tables_turn_or_go_into_parts():
    short = {f"L{i}": column for i, column in enumerate(crowd(30, 6).scores.means().T)}
    text = write_results_latex([tabulate_results(compare(short, rows="datasets"))])
    assert text.count(r"\begin{tabular}") == 1
    assert "\nlearner &" in text
    many = write_results_latex([tabulate_results(crowd(30, 60))])
    parts = int(re.search(r"part 1 of (\d+)", many)[1])
    assert many.count(r"\begin{longtable}") == parts > 2
    assert many.count(r"\label{") == 1
    assert many.count("Wins, ties and losses") == 1
    widths = [len(m.replace("@{}", "")) for m in re.findall(r"\\begin\{longtable\}\{(.*)\}", many)]
    assert max(widths) - min(widths) <= 1 or sum(widths) == 30 + parts


def test_standard_deviations_go_before_the_table_is_split():
    names = [f"learner{i}" for i in range(14)]
    text = write_results_latex([tabulate_results(compare(fold_rows(learners=names)))])
    assert text.count(r"\begin{tabular}") == 1
    assert "Standard deviations are left out" in text
    assert r"$\pm$" not in text


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_every_layout_compiles_and_fits(tmp_path):
    tables = {
        "plain": tabulate_results(compare(MANY, rows="datasets")),
        "rude": tabulate_results(compare(RUDE_TABLE, rows="datasets")),
        "marked": tabulate_results(compare(fold_rows(), control="nb")),
        "wide": tabulate_results(compare(fold_rows(learners=[f"l_{i}" for i in range(7)]))),
        "parts": tabulate_results(crowd(30, 60)),
    }
    columns = zip(("日本", "β-VAE", "Žižek & 😀"), MANY.values(), strict=False)
    tables["letters"] = tabulate_results(compare(dict(columns), rows="datasets"))
    text = write_results_latex(list(tables.values()))
    assert "use LuaLaTeX" in text
    packages = "\n".join(re.findall(r"^%   (\\usepackage.*)$", text, flags=re.M))
    for name in ("longtable", "pdflscape", "graphicx"):
        assert f"{{{name}}}" in packages
    paper = (
        f"\\documentclass{{article}}\n{packages}\n\\begin{{document}}\n{text}\n\\end{{document}}"
    )
    (tmp_path / "paper.tex").write_text(paper, "utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    output = result.stdout.decode("utf-8", "replace")
    assert result.returncode == 0, output[-3000:]
    assert "Overfull \\hbox" not in output
    assert len(LAYOUTS) > 4
