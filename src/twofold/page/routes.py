"""The pages: what an address shows. No address names a file; learners run in `run_routes.py`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from twofold.errors import InputError, TwofoldError
from twofold.options import Question
from twofold.page import page_limits
from twofold.page.address import PageState, read_state, write_command, write_python
from twofold.page.answer_workers import AnswerFailed, AnswerWorkers, TakesTooLong
from twofold.page.example_tables import EXAMPLES
from twofold.page.form_fields import (
    list_fields,
    list_hidden,
    list_read_fields,
    make_highlight,
)
from twofold.page.kept_tables import KeptTable, KeptTables, TableGone, name_apart
from twofold.page.offered_files import FILES, OfferedFile, find_file
from twofold.page.page_jobs import Choices, MadeFile, PageJob
from twofold.page.page_rendering import render_site_page, write_policy
from twofold.page.question_forms import join_steps, view_leaf
from twofold.page.remedy_links import link_remedies
from twofold.page.run_address import RunState
from twofold.page.run_queue import PageRun
from twofold.page.uploads import TooLarge, receive_files

STATUSES: tuple[tuple[type[TwofoldError], int], ...] = (
    (TableGone, 410),
    (TooLarge, 413),
    (TakesTooLong, 503),
    (AnswerFailed, 500),
    (TwofoldError, 422),
)


@dataclass
class Site:
    """The pages over the tables at hand and the workers that answer about them."""

    tables: KeptTables
    workers: AnswerWorkers
    store: str = ""
    list_started: Callable[[], list[PageRun]] | None = None  # where the page may run learners

    async def show_start(self, request: Any) -> Any:
        """Show where tables are dropped, chosen or pasted."""
        return respond(
            "start.html",
            given=self.tables.list_tables("given"),
            uploaded=self.tables.list_tables("uploaded"),
            examples=self._list_examples(),
            limits=page_limits,
        )

    def _list_examples(self) -> list[tuple[KeptTable, str, str]]:
        """Return the examples, what they hold, and how their addresses go on."""
        tables = {table.name: table for table in self.tables.list_tables("example")}
        return [
            (tables[name], about, "&predictions=yes" * name.startswith("classifier"))
            for name, about in EXAMPLES.items()
        ]

    async def take_tables(self, request: Any) -> Any:
        """Keep what was uploaded, and go to how it is read."""
        from starlette.responses import RedirectResponse

        try:
            uploads = await receive_files(request)
        except TwofoldError as error:
            response = respond_error(error, PageState())
            response.headers["connection"] = "close"  # the rest of the upload is not read
            return response
        try:
            kept = self._keep_uploads(uploads)
        except TwofoldError as error:
            return respond_error(error, PageState())
        state = PageState(tuple(dict.fromkeys(table.key for table in kept)))
        situation = request.query_params.get("plan", "")  # where it was dropped on a plan
        if situation.isalpha():
            return RedirectResponse(f"/plan?what={situation}&table={state.tables[0]}", 303)
        return RedirectResponse(f"/read?{state.write()}", 303)

    def _keep_uploads(self, uploads: list[tuple[str, bytes]]) -> list[KeptTable]:
        """Keep files, and folders whose files have their names before their own."""
        folders: dict[str, list[tuple[str, bytes]]] = {}
        kept = []
        for name, content in uploads:
            folder, slash, rest = name.replace("\\", "/").lstrip("/").partition("/")
            if slash:
                folders.setdefault(folder, []).append((rest, content))
            else:
                kept.append(self.tables.add(name, content))
        return kept + [self.tables.add_folder(name, files) for name, files in folders.items()]

    async def walk_questions(self, request: Any) -> Any:
        """Show a step of the walk to the right test."""
        tree = await self.workers.ask(PageJob("questions"))
        step, path = tree, []
        for text in request.query_params.getlist("step"):
            step = next((each for each in step.steps if each.text == text), None)
            if step is None:
                error = InputError("There is no such step.", "Begin anew: `/questions`.")
                return respond_error(error, PageState())
            path.append(text)
        examples = {table.name: table.key for table in self.tables.list_tables("example")}
        return respond(
            "questions.html",
            step=step,
            path=path,
            leaf=view_leaf(step, examples),
            join=join_steps,
            can_run=self.list_started is not None,
        )

    async def show_runs(self, request: Any) -> Any:
        """Show what the store holds."""
        started = None if self.list_started is None else self.list_started()
        overview = None
        try:
            running = await self.workers.ask(PageJob("running", target=self.store))
            if running.has_store or started is None:
                overview = await self.workers.ask(PageJob("runs", target=self.store))
        except TwofoldError as error:
            return respond_error(error, PageState())
        return respond("runs.html", overview=overview, works=running.works, started=started)

    async def show_reading(self, request: Any) -> Any:
        """Show how a table was read, and let it be corrected."""
        from starlette.responses import RedirectResponse

        state, response = self._find_state(request)
        if response is not None:
            return response
        try:
            tables = self.tables.find(state.tables)
            reading = await self.workers.ask(make_job("read", tables, state))
        except TwofoldError as error:
            return respond_error(error, state)
        if reading.is_answer:
            return RedirectResponse(f"/studies?table={tables[0].key}", 303)
        fields = list_read_fields(state, reading.choices)
        return respond(
            "read.html",
            422 if reading.problem else 200,
            reading=reading,
            fields=fields,
            hidden=list_hidden(state, fields),
            problem=[link_remedies(text, state) for text in reading.problem or ()],
            notes=[(note, link_remedies(note.detail, state)) for note in reading.notes],
            can_run=self.list_started is not None,
            **describe_state(tables, state),
        )

    async def show_answer(self, request: Any) -> Any:
        """Show the answer, with the question as a form beside it."""
        state, response = self._find_state(request)
        if response is not None:
            return response
        part, problem, tables, status = None, None, [], 200
        choices = Choices()
        try:
            tables = self.tables.find(state.tables)
            part = await self.workers.ask(make_job("answer", tables, state))
            choices = part.choices
        except TableGone as error:
            return respond_error(error, state)
        except TwofoldError as error:
            problem, status = error, find_status(error)
            choices = await self._find_choices(tables, state, error)
        fields = [*list_fields(Question, state, choices), make_highlight(state, choices)]
        return respond(
            "answer_page.html",
            status,
            part=part,
            fields=fields,
            hidden=list_hidden(state, fields),
            problem=write_problem(problem, state),
            downloads=[] if part is None else list_downloads(part, state),
            **describe_state(tables, state),
        )

    async def _find_choices(
        self, tables: list[KeptTable], state: PageState, error: TwofoldError
    ) -> Choices:
        """Return what the form offers although there is no answer."""
        if not isinstance(error, InputError):
            return Choices()
        try:
            reading = await self.workers.ask(make_job("read", tables, state))
        except TwofoldError:
            return Choices()
        return reading.choices

    async def send_file(self, request: Any) -> Any:
        """Send the answer as a file."""
        try:
            query = dict(request.query_params)
            offered, picture = find_file(query.get("as", ""), query.get("picture", ""))
            rest = request.query_params.multi_items()
            state = read_state([pair for pair in rest if pair[0] not in ("as", "picture")])
            tables = self.tables.find(state.tables)
            stem = tables[0].name.partition(".")[0] or "answer"
            target = f"{stem}{f'-{picture}' if picture else ''}{offered.suffix}"
            job = make_job("file", tables, state, offered, target, picture)
            made = await self.workers.ask(job)
        except TwofoldError as error:
            return respond_error(error, PageState())
        return respond_file(made, offered, target)

    def _find_state(self, request: Any) -> tuple[PageState, Any]:
        """Return the state of an address, or a redirection to the one address that it has."""
        from starlette.responses import RedirectResponse

        try:
            state = read_state(request.query_params.multi_items())
        except InputError as error:
            return PageState(), respond_error(error, PageState())
        if not state.tables:
            return state, RedirectResponse("/", 303)
        query = state.write()
        if query != request.url.query:
            return state, RedirectResponse(f"{request.url.path}?{query}", 303)
        return state, None


def make_job(
    kind: Any,
    tables: list[KeptTable],
    state: PageState,
    offered: OfferedFile | None = None,
    target: str = "",
    picture: str = "",
) -> PageJob:
    """Return the job that an address asks for."""
    names = name_apart(tables)
    more = offered.write_flags(target, picture, state.highlight) if offered else []
    return PageJob(
        kind,
        list_job_files(tables, names),
        dict(state.options),
        state.highlight,
        "" if kind == "read" else write_command(names, state, more),
        target,
        picture,
        sources=tuple(names),
    )


def list_job_files(tables: list[KeptTable], names: list[str]) -> tuple[tuple[str, bytes], ...]:
    """Return the files to write where tables are called by these names."""
    pairs = zip(tables, names, strict=True)
    return tuple(file for table, name in pairs for file in table.list_files(name))


def write_problem(error: TwofoldError | None, state: PageState) -> list[Any]:
    """Return rule and remedy with links, nothing where all is well."""
    if error is None:
        return []
    return [link_remedies(text, state) for text in (error.rule, error.remedy)]


def describe_state(tables: list[KeptTable], state: PageState) -> dict[str, Any]:
    """Return what every page about a table shows: its name, and the lines that ask the same."""
    paths = [table.path for table in tables]
    return {
        "tables": tables,
        "state": state,
        "query": state.write(),
        "command": write_command(paths, state),
        "python": write_python(paths, state),
    }


def list_downloads(
    part: Any, state: PageState | RunState, path: str = "/download"
) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the files that can be made of an answer: what they hold, and their addresses."""
    pictures = [("", "The answer")] + [("table", "Results table")] * part.has_table
    rows = []
    for picture, title in [*pictures, *part.pictures]:
        names = [name for name, each in FILES.items() if each.fits(picture)]
        more = {"picture": picture} if picture else {}
        links = [
            (FILES[name].title, f"{path}?{state.write(**{'as': name}, **more)}") for name in names
        ]
        rows.append((title, links))
    return rows


def respond(template: str, status: int = 200, **facts: Any) -> Any:
    """Return a page as a response that says what it may load."""
    from starlette.responses import HTMLResponse

    headers = {"content-security-policy": write_policy()}
    return HTMLResponse(render_site_page(template, **facts), status, headers=headers)


def respond_file(made: MadeFile, offered: OfferedFile, target: str) -> Any:
    """Return a file to be saved; several are sent as one, packed."""
    from starlette.responses import Response

    media, name = offered.media, target
    if made.content[:4] == b"PK\x03\x04" and offered.suffix != ".xlsx":
        media, name = "application/zip", f"{target}.zip"
    return Response(made.content, media_type=media, headers=name_download(name))


def respond_error(error: TwofoldError, state: PageState) -> Any:
    """Return a page that says what is wrong and what to do."""
    return respond("error.html", find_status(error), problem=write_problem(error, state))


def find_status(error: TwofoldError) -> int:
    """Return the status of a response to a request that was refused."""
    return next(status for kind, status in STATUSES if isinstance(error, kind))


def refuse(status: int, rule: str, remedy: str) -> Any:
    """Return the response to a request that stays outside."""
    texts = [link_remedies(text, PageState()) for text in (rule, remedy)]
    return respond("error.html", status, problem=texts)


def name_download(name: str) -> dict[str, str]:
    """Return the header that names a file, in letters that all browsers read."""
    from urllib.parse import quote

    plain = "".join(letter if letter.isascii() and letter not in '"\\' else "_" for letter in name)
    return {
        "content-disposition": f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name)}"
    }
