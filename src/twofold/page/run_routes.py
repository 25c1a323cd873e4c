"""Pages that run experiments, where `twofold serve --run` allows it: the form, progress, answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import parse_qsl

from twofold.errors import InputError, TwofoldError
from twofold.page import page_limits
from twofold.page.address import PageState
from twofold.page.answer_workers import AnswerWorkers
from twofold.page.form_fields import FIRST, RUN_FIRST, list_run_fields
from twofold.page.kept_tables import KeptTable, KeptTables, Origin, name_apart
from twofold.page.offered_files import find_file
from twofold.page.page_jobs import Choices, PageJob, RunningWork, RunOffer
from twofold.page.routes import (
    list_downloads,
    list_job_files,
    refuse,
    respond,
    respond_error,
    respond_file,
    write_problem,
)
from twofold.page.run_address import (
    RunState,
    read_run_state,
    write_run_command,
    write_run_python,
    write_title,
)
from twofold.page.run_process import RunJob
from twofold.page.run_queue import PageRun, RunQueue
from twofold.page.uploads import TooLarge

AT_HAND: tuple[Origin, ...] = ("given", "uploaded")
"""Tables that may be data; the examples are scores."""

FORM = "application/x-www-form-urlencoded"


@dataclass
class RunSite:
    """The pages over experiments; without a queue there are none.

    ``learners`` are those named at the start besides the built-in ones; ``store`` is where runs
    are kept, and ``named_store`` what was said of it, for the command lines.
    """

    tables: KeptTables
    workers: AnswerWorkers
    queue: RunQueue | None
    learners: tuple[str, ...] = ()
    store: str = ""
    named_store: str = ""

    async def show_experiment(self, request: Any) -> Any:
        """Show the form, or how an experiment stands, or its answer."""
        from starlette.responses import RedirectResponse

        if self.queue is None:
            return refuse_runs()
        try:
            offer = await self._find_offer()
            state = read_run_state(request.query_params.multi_items(), offer)
            tables = self._find_tables(state)
        except TwofoldError as error:
            return respond_error(error, PageState())
        if state.write() != request.url.query:
            return RedirectResponse(f"/experiment?{state.write()}", 303)
        run = self.queue.find(state.key) if state.is_complete else None
        if run is not None and run.status == "done":
            return await self._show_answer(run, state, tables, offer)
        work = await self._find_work(run)
        choices = _offer_choices(offer, state)
        return respond(
            "experiment.html",
            422 if run is not None and run.problem else 200,
            run=run,
            work=work,
            before=0 if run is None else self.queue.count_before(run),
            offer=offer,
            given=self.learners,
            at_hand=[table for kind in AT_HAND for table in self.tables.list_tables(kind)],
            fields=list_run_fields(state, choices, RUN_FIRST),
            problem=[] if run is None else _list_problem(run),
            hidden=parse_qsl(state.write()),
            **self._describe(state, tables),
        )

    async def _show_answer(
        self, run: PageRun, state: RunState, tables: list[KeptTable], offer: RunOffer
    ) -> Any:
        """Show the answer as every answer is shown."""
        try:
            part = await self.workers.ask(PageJob("answer", answer=run.answer))
        except TwofoldError as error:
            return respond_error(error, PageState())
        choices = replace(_offer_choices(offer, state), learners=part.choices.learners)
        fields = list_run_fields(state, choices, FIRST)
        shown = {field.name for field in fields}
        return respond(
            "experiment_answer.html",
            part=part,
            fields=fields,
            hidden=[pair for pair in parse_qsl(state.write()) if pair[0] not in shown],
            problem=[],
            downloads=list_downloads(part, state, "/experiment/file"),
            **self._describe(state, tables),
        )

    async def start(self, request: Any) -> Any:
        """Have an experiment run, once, and go to its page."""
        from starlette.responses import RedirectResponse

        if self.queue is None:
            return refuse_runs()
        try:
            state = read_run_state(await read_form(request), await self._find_offer())
            if not state.is_complete:
                raise InputError(
                    "Nothing to run yet.", "Choose a learner or several, and data to run them on."
                )
            tables = self._find_tables(state)
            self.queue.start(self._make_run(state, tables))
        except TwofoldError as error:
            return respond_error(error, PageState())
        return RedirectResponse(f"/experiment?{state.write()}", 303)

    async def stop(self, request: Any) -> Any:
        """Stop an experiment; one that has ended already stays as it is."""
        from starlette.responses import RedirectResponse

        if self.queue is None:
            return refuse_runs()
        try:
            state = read_run_state(await read_form(request), await self._find_offer())
        except TwofoldError as error:
            return respond_error(error, PageState())
        self.queue.stop(state.key)
        return RedirectResponse(f"/experiment?{state.write()}", 303)

    async def send_file(self, request: Any) -> Any:
        """Send the answer of an experiment as a file."""
        if self.queue is None:
            return refuse_runs()
        query = dict(request.query_params)
        try:
            offered, picture = find_file(query.get("as", ""), query.get("picture", ""))
            pairs = request.query_params.multi_items()
            rest = [pair for pair in pairs if pair[0] not in ("as", "picture")]
            state = read_run_state(rest, await self._find_offer())
            run = self.queue.find(state.key)
            if run is None or not run.answer:
                raise InputError("This experiment has no answer yet.", "Start it first.")
            target = f"experiment{f'-{picture}' if picture else ''}{offered.suffix}"
            job = PageJob("file", target=target, picture=picture, answer=run.answer)
            made = await self.workers.ask(job)
        except TwofoldError as error:
            return respond_error(error, PageState())
        return respond_file(made, offered, target)

    async def _find_offer(self) -> RunOffer:
        offer: RunOffer = await self.workers.ask(PageJob("offer"))
        given = tuple((text, "named at the start") for text in self.learners)
        return replace(offer, learners=(*offer.learners, *given))

    def _find_tables(self, state: RunState) -> list[KeptTable]:
        return self.tables.find(state.tables) if state.tables else []

    async def _find_work(self, run: PageRun | None) -> RunningWork | None:
        """Return what the process of an experiment says of itself in the store, if it does yet."""
        if run is None or not run.process or not run.is_going:
            return None
        try:
            running = await self.workers.ask(PageJob("running", target=self.store))
        except TwofoldError:  # as while the store is locked; the next look tells
            return None
        return next((work for work in running.works if work.process == run.process), None)

    def _make_run(self, state: RunState, tables: list[KeptTable]) -> PageRun:
        names = name_apart(tables)
        paths = [table.path for table in tables]
        job = RunJob(
            learners=state.learners,
            data=(*state.datasets, *names),
            files=list_job_files(tables, names),
            options=dict(state.options),
            command=write_run_command(state, paths, self.named_store),
            store=self.store,
        )
        return PageRun(state.key, write_title(state, paths), state.write(), job)

    def _describe(self, state: RunState, tables: Sequence[KeptTable]) -> dict[str, Any]:
        """Return what every page about an experiment shows."""
        paths = [table.path for table in tables]
        complete = state.is_complete
        return {
            "state": state,
            "tables": tables,
            "query": state.write(),
            "title": write_title(state, paths) if complete else "",
            "command": write_run_command(state, paths, self.named_store) if complete else "",
            "python": write_run_python(state, paths, self.named_store) if complete else "",
        }


def refuse_runs() -> Any:
    """Return the response where the page does not run learners."""
    return refuse(
        403, "This page runs no learners.", "Start it with `twofold serve --run` to allow that."
    )


async def read_form(request: Any) -> list[tuple[str, str]]:
    """Return the fields of a short form."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != FORM:
        raise InputError("This is no form of this page.", "Use the form itself.")
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > page_limits.LONGEST_QUERY:
            raise TooLarge("The form is too long.", "Choose fewer names.")
    try:
        return parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=1000)
    except ValueError:
        raise InputError("This is no form of this page.", "Use the form itself.") from None


def _offer_choices(offer: RunOffer, state: RunState) -> Choices:
    """Return what the form offers: tests for as many data sets, and the learners by their names."""
    choices = offer.tests[len(state.datasets) + len(state.tables) > 1]
    plain = all("." not in text for text in state.learners)  # others are called otherwise
    return replace(choices, learners=state.learners if plain else ())


def _list_problem(run: PageRun) -> list[Any]:
    return write_problem(InputError(*run.problem), PageState()) if run.problem else []
