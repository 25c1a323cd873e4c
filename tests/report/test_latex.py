"""LaTeX: names are text, braces balance, every citation has its entry in the .bib file."""

import re
import shutil
import subprocess

import pytest
from answers import MAKERS, answer, crowd

from twofold.escapes import escape_latex
from twofold.report import bibtex, latex, save_report
from twofold.report.bibtex import format_entry
from twofold.report.latex_text import write_latex
from twofold.report.paragraphs import list_citations
from twofold.stats import catalog, papers
from twofold.stats.bibliography import bibliography, paper


def code_of(text):
    return "\n".join(line for line in text.splitlines() if not line.startswith("%"))


@pytest.mark.parametrize("name", MAKERS)
def test_fragment_is_sound(name):
    c = answer(name)
    text = latex(c)
    code = code_of(text)
    plain = re.sub(r"\\[{}%]", "", code)
    assert plain.count("{") == plain.count("}")
    begun, ended = (re.findall(rf"\\{word}\{{(\w+)\}}", code) for word in ("begin", "end"))
    assert sorted(begun) == sorted(ended)
    assert "tabular" in begun
    for special in "%#":
        assert re.search(rf"(?<!\\){special}", re.sub(r"\{%$", "", code, flags=re.M)) is None
    for package in ("booktabs", "fontenc", *(["tikz"] if "tikzpicture" in begun else [])):
        assert f"{package}}}" in text.split("\\paragraph")[0]


@pytest.mark.parametrize("name", MAKERS)
def test_what_is_cited_is_in_the_bib_file_and_nothing_else(name):
    c = answer(name)
    keys = {key for part in re.findall(r"\\cite\{([^}]*)\}", latex(c)) for key in part.split(",")}
    entries = re.findall(r"^@\w+\{(\w+),$", bibtex(c), flags=re.M)
    assert len(entries) == len(set(entries))
    assert set(entries) == keys == set(list_citations(c))


def test_escapes():
    assert escape_latex("a_b & 5% − x") == r"a\_b \& 5\% $-$ x"
    assert escape_latex("{x}^2~$\\") == (
        r"\{x\}\textasciicircum{}2\textasciitilde{}\$\textbackslash{}"
    )
    assert escape_latex("a---b''c") == "a-{}-{}-b'{}'c"
    assert escape_latex("β-VAE\nlarge [3]*") == r"$\beta$-VAE large {[}3{]}{*}"


def test_diagram_is_there_where_ranks_are():
    assert "tikzpicture" in latex(answer("many"))
    assert "tikzpicture" not in latex(answer("two"))


def test_many_pairs_are_cut_and_said_so():
    text = latex(crowd(40))
    assert "Shown are 40 of 780 pairs" in text


def test_letters_that_pdflatex_lacks_are_told():
    from twofold import compare

    table = {"日本": [1, 2, 3, 4, 5.5], "b": [2, 3, 4, 5, 6.0], "c": [3, 3, 3, 3.5, 4]}
    assert "use LuaLaTeX" in latex(compare(table, rows="datasets"))
    assert "use LuaLaTeX" not in latex(answer("many"))


def test_every_paper_has_a_whole_entry():
    needed = {
        "article": {"journal", "volume", "pages"},
        "inproceedings": {"booktitle"},
        "incollection": {"booktitle", "publisher", "pages"},
        "book": {"publisher"},
        "phdthesis": {"school"},
        "misc": {"howpublished"},
    }
    for publication in bibliography().values():
        assert needed[publication.kind] <= set(publication.fields), publication.key
        text = format_entry(publication)
        assert text.isascii(), publication.key
        assert "  year" in text
        assert publication.reference == papers()[publication.key]
        assert str(publication.year) in publication.key
    for test in catalog():
        assert set(test.papers) <= set(bibliography())


def test_dois_are_dois_and_belong_to_their_papers():
    dois = {key: publication.doi for key, publication in bibliography().items() if publication.doi}
    assert len(dois) >= 20
    assert len(set(dois.values())) == len(dois)
    for publication in bibliography().values():
        doi = publication.doi
        assert not doi or re.fullmatch(r"10\.\d{4,5}/\S+", doi), publication.key
        year = re.search(r"01621459\.(\d{4})\.", publication.doi)  # JASA has the year in its DOIs
        assert not year or int(year[1]) == publication.year, publication.key
        volume = re.match(r"10\.1093/biomet/(\d+)\.([\d-]+)\.(\d+)$", publication.doi)
        if volume:  # Biometrika has volume, issue and first page in them
            issue, first = publication.number.replace("/", "-"), publication.pages.partition("–")[0]
            assert volume.groups() == (publication.volume, issue, first)
    # As the publishers print them.
    assert dois["dietterich1998"] == "10.1162/089976698300017197"
    assert dois["nadeaubengio2003"] == "10.1023/A:1024068626366"
    assert f"doi     = {{{dois['mcnemar1947']}}}," in format_entry(paper("mcnemar1947"))


def test_demsar_as_bibtex_prints_it():
    # As on the journal's own page: volume 7, pages 1 to 30.
    assert format_entry(paper("demsar2006")) == (
        "@article{demsar2006,\n"
        "  author  = {Dem{\\v{s}}ar, J.},\n"
        "  title   = {{Statistical comparisons of classifiers over multiple data sets}},\n"
        "  journal = {Journal of Machine Learning Research},\n"
        "  volume  = {7},\n"
        "  pages   = {1--30},\n"
        "  year    = {2006},\n"
        "}\n"
    )
    assert paper("corani2017").short == "Corani et al. 2017"


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
@pytest.mark.parametrize("name", ["many", "two", "rude names"])
def test_it_compiles(name, tmp_path):
    save_report(answer(name), tmp_path / "answer.tex")
    packages = re.findall(
        r"^%   (\\usepackage.*)$", (tmp_path / "answer.tex").read_text("utf-8"), flags=re.M
    )
    (tmp_path / "paper.tex").write_text(
        "\\documentclass{article}\n"
        + "\n".join(packages)
        + "\n\\begin{document}\n\\input{answer}\n\\bibliographystyle{plain}\n"
        "\\bibliography{answer}\n\\end{document}\n",
        "utf-8",
    )
    for command in (["pdflatex", "-halt-on-error"], ["bibtex"], ["pdflatex", "-halt-on-error"]):
        done = subprocess.run([*command, "paper"], cwd=tmp_path, capture_output=True, check=False)
        assert done.returncode == 0, done.stdout.decode(errors="replace")[-2000:]


def test_statistics_and_p_values_are_mathematics():
    assert write_latex("t(9) = −1.20, p < .001") == "$t(9) = -1.20$, $p < .001$"
    assert write_latex("χ²_F(3) = 9.86; χ²(2) = ∞") == r"$\chi^2_F(3) = 9.86$; $\chi^2(2) = \infty$"
    assert write_latex("best_F = 3") == r"best\_F = 3"
    source = latex(answer("many"))
    assert "$F(3, 39) = 4.59$, $p = .008$" in source
    assert r"$\chi^2_F(3) = 10.95$" in source
