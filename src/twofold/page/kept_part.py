"""Findings of studies and results of papers that a store keeps, as parts of a page.

Studies are rendered by the templates of their reports, papers by the words of their gallery.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict
from datetime import datetime
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from twofold.errors import InputError, TwofoldError
from twofold.escapes import make_visible
from twofold.execution.kept_answers import KINDS, KeptAnswer, list_answers, read_answer
from twofold.extras import PAPERS
from twofold.page.answer_part import open_templates
from twofold.page.dropped_answers import find_answer_kind
from twofold.page.kept_overview import (
    KeptLine,
    KeptOverview,
    KeptPart,
    PaperOverview,
    ReproducedItem,
)
from twofold.page.page_jobs import PageJob
from twofold.page.store_to_read import open_to_read
from twofold.report import save_study_report
from twofold.report.save_study import summarize_answer, view_answer
from twofold.studies.findings_json import StudyAnswer, parse_findings

MOST_LINES = 300
"""Answers of a kind in the list; what was saved last comes first."""

STUDY_FILES = (".html", ".json", ".csv", ".txt")


def load_papers() -> Any:
    """Return the package of papers, None where there is none."""
    for entry in entry_points(group=PAPERS):
        with suppress(ImportError):
            return import_module(entry.module.partition(".")[0])
    return None


def list_kept(where: str) -> KeptOverview:
    """Return what a store keeps, and the papers that there are."""
    name, problem = where, None
    texts: list[tuple[KeptAnswer, dict[str, str]]] = []
    try:
        with open_to_read(where) as store:
            name = str(getattr(store, "where", where))
            answers = list_answers(store)
            for kind in KINDS:
                newest = [each for each in answers if each.kind == kind][:MOST_LINES]
                texts += [(each, read_answer(store, each.key)) for each in newest]
    except TwofoldError as error:
        problem = error.rule, error.remedy
    findings = [_list_findings(each, read) for each, read in texts if each.kind == "findings"]
    results = [(each, read) for each, read in texts if each.kind == "result"]
    papers = load_papers()
    return KeptOverview(
        make_visible(name),
        tuple(line for line in findings if line is not None),
        () if papers is None else tuple(_list_papers(papers, results)),
        problem,
    )


def _list_findings(kept: KeptAnswer, texts: Mapping[str, str]) -> KeptLine | None:
    try:
        verdict = summarize_answer(parse_findings(texts.get("answer", "")))
    except InputError:  # of another version, or damaged
        return None
    command = make_visible(texts.get("command", ""))
    return KeptLine(kept.key, make_visible(kept.name), verdict, command, _write_time(kept.saved))


def _write_time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds).isoformat(" ", "minutes")


def _list_papers(
    papers: Any, results: Iterable[tuple[KeptAnswer, Mapping[str, str]]]
) -> Iterable[PaperOverview]:
    lines: dict[tuple[str, str], list[KeptLine]] = {}
    for kept, texts in results:
        result = papers.parse_result(texts.get("answer", ""))
        if result is not None:
            with suppress(KeyError, TypeError, ValueError):  # damaged
                view = papers.view_result(result)
                saved = _write_time(kept.saved)
                line = KeptLine(kept.key, result["size"], view.verdict, view.command, saved)
                lines.setdefault((view.paper, view.item), []).append(line)
    for paper in papers.view_papers():
        items = tuple(
            ReproducedItem(**asdict(item), kept=tuple(lines.get((paper.key, item.name), ())))
            for item in paper.items
        )
        yield PaperOverview(paper.key, paper.title, paper.story, paper.advice, items, paper.missing)


def show_kept(job: PageJob) -> KeptPart:
    """Return an answer of the store, or of a file that was dropped, for the page."""
    kind, texts = _read(job)
    if kind == "findings":
        answer = parse_findings(texts["answer"])
        view = view_answer(answer)
        body = open_templates().get_template("answer.html").render(view=view, heading=1)
        command = make_visible(texts.get("command", ""))
        return KeptPart(view["verdict"], body, command, "", STUDY_FILES)
    papers, view = _view_result(texts)
    figures = _find_figures(papers, view, texts)
    pictures = [(write_data_address(svg), caption) for _, svg, caption in figures]
    body = open_templates().get_template("result.html").render(view=view, pictures=pictures)
    names = tuple(name for name, *_ in figures)
    title = f"{view.paper} {view.item}: {view.verdict}"
    return KeptPart(title, body, view.command, view.paper, (".json",), names)


def make_kept_file(job: PageJob) -> bytes:
    """Return an answer of the store as a file."""
    kind, texts = _read(job)
    if job.picture:
        papers, view = _view_result(texts)
        figures = {name: svg for name, svg, _ in _find_figures(papers, view, texts)}
        if job.picture not in figures:
            raise InputError("There is no such figure.", "Choose one of those below the result.")
        return figures[job.picture].encode()
    if kind == "result":
        return texts["answer"].encode()
    Path("made").mkdir(exist_ok=True)
    target = Path("made") / job.target
    answer: StudyAnswer = parse_findings(texts["answer"])
    save_study_report(answer, target)
    return target.read_bytes()


def _read(job: PageJob) -> tuple[str, dict[str, str]]:
    """Return what kind of answer a job is about, and its texts."""
    if job.files:
        text = job.files[0][1].decode("utf-8", "replace")
        return find_answer_kind(text) or "findings", {"answer": text}
    with open_to_read(job.store) as store:
        kept = next((each for each in list_answers(store) if each.key == job.key), None)
        texts = {} if kept is None else read_answer(store, job.key)
    if kept is None or "answer" not in texts:
        raise InputError("This answer is not kept any more.", "Run its command again.")
    return kept.kind, texts


def _view_result(texts: Mapping[str, str]) -> tuple[Any, Any]:
    papers = load_papers()
    result = None if papers is None else papers.parse_result(texts["answer"])
    if result is None:
        raise InputError(
            "This result was made by another version of twofold.", "Run its command again."
        )
    try:
        return papers, papers.view_result(result)
    except (KeyError, TypeError, ValueError):
        raise InputError("This result is damaged.", "Run its command again.") from None


def _find_figures(papers: Any, view: Any, texts: Mapping[str, str]) -> list[tuple[str, str, str]]:
    """Return name, SVG and caption of each figure that was drawn."""
    figures = []
    for name, caption in view.figures:
        for each, words in ((name, caption), (papers.name_apart(name), "As we would draw it.")):
            svg = texts.get(f"{papers.FIGURE}{each}")
            if svg is not None:
                figures.append((each, svg, words))
    return figures


def write_data_address(svg: str) -> str:
    """Return a picture as an address: an image can neither run scripts nor load anything."""
    return "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode()
