"""The pages of plans: how much is enough, with a pilot that is dropped there, and as files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from twofold.errors import InputError, TwofoldError
from twofold.page import page_limits
from twofold.page.address import SITUATION, PageState, read_state
from twofold.page.answer_workers import AnswerWorkers
from twofold.page.form_fields import list_plan_fields
from twofold.page.kept_tables import ORIGINS, KeptTable, KeptTables
from twofold.page.offered_files import FILES
from twofold.page.page_jobs import AnswerPart, PageJob
from twofold.page.routes import (
    describe_state,
    find_status,
    list_job_files,
    respond,
    respond_error,
    respond_file,
    write_problem,
)

PLAN_FILES = {"The plan": ("html", "md", "json", "txt"), "Power": ("svg", "pdf", "png")}
"""What a plan can be downloaded as."""


@dataclass
class PlanPages:
    """Plans, with the tables at hand as pilots."""

    tables: KeptTables
    workers: AnswerWorkers

    async def show(self, request: Any) -> Any:
        """Show how many are enough, with the question as a form."""
        from twofold.planning.plan_options import SITUATIONS

        try:
            state, tables = self._read(request.query_params.multi_items())
        except TwofoldError as error:
            return respond_error(error, PageState())
        part, problem = None, None
        if state.tables or state.options:
            try:
                part = await self.workers.ask(make_plan_job("plan", tables, state))
            except TwofoldError as error:
                problem = error
        return respond(
            "plan.html",
            find_status(problem) if problem else 200,
            part=part,
            situations=SITUATIONS,
            fields=list_plan_fields(state),
            pilots=[table for kind in ORIGINS for table in self.tables.list_tables(kind)],
            problem=write_problem(problem, state),
            downloads=[] if part is None else list_plan_files(part, state),
            limits=page_limits,
            **describe_state(tables, state),
        )

    async def send_file(self, request: Any) -> Any:
        """Send a plan, or its picture, as a file."""
        pairs = request.query_params.multi_items()
        name = dict(pairs).get("as", "")
        try:
            if not any(name in names for names in PLAN_FILES.values()):
                raise InputError("There is no such file.", "Choose one of those beside a plan.")
            state, tables = self._read([pair for pair in pairs if pair[0] != "as"])
            target = f"plan-{state.situation}{FILES[name].suffix}"
            made = await self.workers.ask(make_plan_job("plan file", tables, state, target))
        except TwofoldError as error:
            return respond_error(error, PageState())
        return respond_file(made, FILES[name], target)

    def _read(self, pairs: list[tuple[str, str]]) -> tuple[PageState, list[KeptTable]]:
        """Return what an address asks for, and its pilot."""
        from twofold.planning.plan_options import SITUATIONS

        situation = dict(pairs).get(SITUATION, next(iter(SITUATIONS)))
        if situation not in SITUATIONS:
            raise InputError("There is no such plan.", f"Choose {', '.join(SITUATIONS)}.")
        state = read_state([pair for pair in pairs if pair[0] != SITUATION], situation)
        return state, self.tables.find(state.tables) if state.tables else []


def make_plan_job(
    kind: Any, tables: list[KeptTable], state: PageState, target: str = ""
) -> PageJob:
    """Return the job of a plan; its pilot is the first of the tables."""
    names = [table.name for table in tables[:1]]
    return PageJob(
        kind,
        list_job_files(tables[:1], names),
        dict(state.options),
        target=target,
        situation=state.situation,
        sources=tuple(names),
    )


def list_plan_files(part: AnswerPart, state: PageState) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the files that can be made of a plan: what they hold, and their addresses."""
    return [
        (
            title,
            [(FILES[name].title, f"/plan/file?{state.write(**{'as': name})}") for name in names],
        )
        for title, names in PLAN_FILES.items()
        if title != "Power" or part.pictures
    ]
