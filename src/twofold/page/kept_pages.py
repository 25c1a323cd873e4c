"""The pages of what is kept: studies, papers, one answer each, and its files."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from twofold.errors import InputError, TwofoldError
from twofold.page.address import PageState
from twofold.page.answer_workers import AnswerWorkers
from twofold.page.kept_overview import KeptPart
from twofold.page.kept_tables import KeptTables
from twofold.page.offered_files import FILES
from twofold.page.page_jobs import PageJob
from twofold.page.routes import name_download, respond, respond_error, write_problem
from twofold.provenance_record import format_call


@dataclass
class KeptPages:
    """Pages over the answers of a store, and files of findings that were dropped."""

    tables: KeptTables
    workers: AnswerWorkers
    store: str = ""

    async def show(self, request: Any) -> Any:
        """Show the list, a paper, or an answer."""
        query = dict(request.query_params)
        try:
            if "kept" in query or "table" in query:
                return await self._show_answer(query)
            overview = await self.workers.ask(PageJob("kept", store=self.store))
            if "paper" not in query:
                return respond("kept_list.html", overview=overview, **self._explain(overview))
            paper = next((each for each in overview.papers if each.key == query["paper"]), None)
            if paper is None:
                raise InputError("There is no such paper.", "Choose one of the list.")
        except TwofoldError as error:
            return respond_error(error, PageState())
        return respond("paper.html", paper=paper)

    def _explain(self, overview: Any) -> dict[str, Any]:
        problem = overview.problem and InputError(*overview.problem)
        return {"problem": write_problem(problem, PageState()), "store": shlex.quote(self.store)}

    async def _show_answer(self, query: dict[str, str]) -> Any:
        name, job = self._make_job("kept page", query)
        part = await self.workers.ask(job)
        where = {"table": query["table"]} if name else {"kept": query["kept"]}
        python = format_call("twofold.studies.read_findings", [name or "found.json"], {})
        return respond(
            "kept_page.html",
            part=part,
            python="" if part.paper else python,
            downloads=list_kept_files(part, where),
        )

    def _make_job(self, kind: Any, query: dict[str, str], **more: Any) -> tuple[str, PageJob]:
        """Return the name of the file that is asked about, nothing for the store, and the job."""
        if "table" not in query:
            return "", PageJob(kind, store=self.store, key=query.get("kept", ""), **more)
        table = self.tables.find([query["table"]])[0]
        files = ((table.name, table.content),)
        return table.name, PageJob(kind, files, **more)

    async def send_file(self, request: Any) -> Any:
        """Send an answer, or a figure of it, as a file."""
        from starlette.responses import Response

        query = dict(request.query_params)
        try:
            offered = FILES.get(query.get("as", ""))
            if offered is None or offered.suffix == ".xlsx":
                raise InputError("There is no such file.", "Choose one of those beside an answer.")
            picture = query.get("picture", "")
            name, _ = self._make_job("kept file", query)
            stem = name.partition(".")[0] or f"kept-{query.get('kept', '')[:8]}"
            target = f"{stem}{offered.suffix}"
            _, job = self._make_job("kept file", query, target=target, picture=picture)
            made = await self.workers.ask(job)
        except TwofoldError as error:
            return respond_error(error, PageState())
        return Response(made.content, media_type=offered.media, headers=name_download(target))


def list_kept_files(
    part: KeptPart, where: dict[str, str]
) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return what can be downloaded: what it holds, and the addresses of its files."""
    by_suffix = {each.suffix: name for name, each in FILES.items() if name != "tikz"}
    names = [by_suffix[suffix] for suffix in part.files]
    links = [(FILES[name].title, "/kept?" + urlencode({**where, "as": name})) for name in names]
    rows = [("The answer", links)]
    for figure in part.figures:
        rows.append((f"Figure {figure}", [
            ("SVG", "/kept?" + urlencode({**where, "as": "svg", "picture": figure}))
        ]))  # fmt: skip
    return rows
