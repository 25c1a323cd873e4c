"""Writes every output of three real examples into build/gallery: `make gallery`.

- Demšar's Table 6, four versions of C4.5 on 14 data sets, which comes with the project.
- Published results of time series classifiers, 40 on 142 data sets with missing cells: the file
  tsc/all-40-classifiers.csv.gz in the folder that TWOFOLD_RESULTS names.
- Five learners of scikit-learn on twelve data sets with three metrics: the folder TWOFOLD_DATA.

Examples whose files are not there are left out, and that is said. LaTeX is compiled where pdflatex
is installed.
"""

import html
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
TARGET = HERE.parent / "build" / "gallery"

REPORTS = ("html", "tex", "md", "txt", "json", "xlsx")
TABLES = ("tex", "md", "html", "csv", "xlsx")
LEARNERS = (
    "logistic=sklearn.linear_model.LogisticRegression(max_iter=2000)",
    "forest=sklearn.ensemble.RandomForestClassifier(n_estimators=50)",
    "boosting=sklearn.ensemble.HistGradientBoostingClassifier(max_iter=50)",
    "k-NN=sklearn.neighbors.KNeighborsClassifier()",
    "naive Bayes=sklearn.naive_bayes.GaussianNB()",
)
DATA = (
    "sonar.arff ionosphere.arff vote.arff heart-statlog.arff hepatitis.arff breast-w.arff "
    "diabetes.arff credit-g.arff haberman.arff balance-scale.arff vehicle.arff tae.arff"
).split()

EXAMPLES = {
    "demsar": (
        "Demšar's Table 6: four versions of C4.5 on 14 data sets",
        "twofold compare scores.csv --metric AUC --report answer.html",
    ),
    "series": (
        "Time series classifiers: 40 on 142 data sets, with missing cells",
        "twofold compare all-40-classifiers.csv.gz --report answer.html",
    ),
    "learners": (
        "Five learners of scikit-learn on twelve data sets, three metrics",
        "twofold compare 'forest=sklearn.ensemble.RandomForestClassifier(n_estimators=50)' … "
        "--data *.arff --design 1x10 --metric accuracy,auc,logloss --report answer.html",
    ),
}
"""Titles, and commands as a user would type them."""


def find(variable: str, *names: str) -> list[str] | None:
    """Return files in the folder that a variable names; None where one is not there."""
    files = [Path(os.environ.get(variable, "")) / name for name in names]
    return [str(file) for file in files] if all(file.is_file() for file in files) else None


def list_examples() -> dict[str, tuple[list[str], tuple[str, ...]]]:
    """Return the words of each example's command, and its pictures."""
    kinds = ("ranks", "matrix", "heatmap")
    examples = {"demsar": ([str(HERE / "tutorial" / "scores.csv"), "--metric", "AUC"], kinds)}
    if series := find("TWOFOLD_RESULTS", "tsc/all-40-classifiers.csv.gz"):
        examples["series"] = (series, kinds)
    if files := find("TWOFOLD_DATA", *DATA):
        options = "--design 1x10 --metric accuracy,auc,logloss".split()
        store = ["--store", str(TARGET / "runs.sqlite")]
        examples["learners"] = ([*LEARNERS, "--data", *files, *options, *store], ("ranks",))
    return examples


def write_outputs(folder: Path, words: list[str], pictures: tuple[str, ...]) -> None:
    """Answer once for the reports and tables, and once for each picture."""
    folder.mkdir(parents=True, exist_ok=True)
    call = [sys.executable, "-m", "twofold", "compare", *words, "--quiet"]
    outputs = [f"--report=answer.{suffix}" for suffix in REPORTS]
    outputs += [f"--table=results.{suffix}" for suffix in TABLES]
    subprocess.run([*call, *outputs], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    for kind in pictures:
        plots = [f"--plot={kind}.{suffix}" for suffix in ("svg", "pdf")]
        picture = [*call, "--picture", kind, *plots, "--caption"]
        subprocess.run(picture, cwd=folder, check=True, stdout=subprocess.DEVNULL)


def compile_latex(folder: Path) -> None:
    """Compile the paper's paragraphs and the table of results, each within an article."""
    if shutil.which("pdflatex") is None:
        return
    for name in ("answer", "results"):
        text = (folder / f"{name}.tex").read_text("utf-8")
        preamble = re.findall(r"^%\s+(\\usepackage.*)$", text, flags=re.M)
        references = re.findall(r"(\\bibliographystyle\{.*?\} \\bibliography\{.*?\})", text)
        lines = [
            "\\documentclass{article}",
            *preamble,
            "\\usepackage[margin=2cm]{geometry}",
            "\\begin{document}",
            f"\\input{{{name}}}",
            *references,
            "\\end{document}",
        ]
        (folder / f"{name}-article.tex").write_text("\n".join(lines) + "\n", "utf-8")
        call = ["latexmk", "-pdf", "-interaction=nonstopmode", "-quiet", f"{name}-article"]
        subprocess.run(call, cwd=folder, check=False, stdout=subprocess.DEVNULL)


def photograph(folder: Path, picture: Path) -> None:
    """Take the first screen of the page, wide and narrow, for docs/gallery.md."""
    browser = shutil.which("chromium")
    if browser is None:
        return
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
    for width, height in ((1280, 1000), (420, 1000)):
        file = folder / f"page-{width}.png"
        call = [browser, *options, f"--window-size={width},{height}", f"--screenshot={file}"]
        page = (folder / "answer.html").as_uri()
        subprocess.run([*call, page], check=True, stderr=subprocess.DEVNULL)
    from PIL import Image

    pages = [Image.open(folder / f"page-{width}.png").convert("RGB") for width in (1280, 420)]
    both = Image.new("RGB", (sum(page.width for page in pages) + 40, pages[0].height), "#888888")
    both.paste(pages[0], (0, 0))
    both.paste(pages[1], (pages[0].width + 40, 0))
    both.resize((both.width * 3 // 5, both.height * 3 // 5)).quantize(96).save(
        picture, optimize=True
    )


def write_index() -> None:
    """Write the page that shows them all."""
    parts = [
        "<!doctype html><meta charset=utf-8><title>Every output</title>",
        "<h1>Every output</h1>",
    ]
    for name in (name for name in EXAMPLES if (TARGET / name).is_dir()):
        title = EXAMPLES[name][0]
        files = sorted((TARGET / name).iterdir())
        shown = [file for file in files if file.suffix in (".html", ".pdf", ".md", ".txt", ".json",
                                                           ".xlsx", ".csv", ".tex", ".svg")]  # fmt: skip
        links = " · ".join(
            f'<a href="{name}/{file.name}">{html.escape(file.name)}</a>' for file in shown
        )
        pictures = "".join(
            f'<p><img src="{name}/{file.name}" alt="{file.stem}">'
            for file in files
            if file.suffix == ".svg"
        )
        parts.append(f"<h2>{html.escape(title)}</h2><p>{links}</p>{pictures}")
    (TARGET / "index.html").write_text("\n".join(parts), "utf-8")


def main() -> None:
    """Write the outputs of the examples named on the command line, or of all."""
    examples = list_examples()
    for name in EXAMPLES.keys() - examples.keys():
        print(f"{name} is left out: TWOFOLD_RESULTS or TWOFOLD_DATA does not name its files.")
    for name in sys.argv[1:] or examples:
        print(EXAMPLES[name][0])
        write_outputs(TARGET / name, *examples[name])
        compile_latex(TARGET / name)
        photograph(TARGET / name, HERE / "gallery" / f"{name}.png")
    write_index()
    print(TARGET / "index.html")


if __name__ == "__main__":
    main()
