"""`plan`: how many are enough, before the experiment."""

# Annotations are evaluated here: help() shows them as they are written, without quotes.
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from twofold.errors import InputError
from twofold.options import Question, Reading, collect
from twofold.planning.advice import advise
from twofold.planning.check_plan import check_difference, count_learners, find_target, read_n
from twofold.planning.cost import UnitCost, time_fits
from twofold.planning.families import Family, find_family
from twofold.planning.plan_options import Planning, check_situation, refuse_misplaced
from twofold.planning.plan_result import Plan, PlanPoint
from twofold.planning.plan_words import describe_plan, write_sentence
from twofold.planning.power_models import PowerModel, RunModel
from twofold.planning.settings import Setting, set_from_numbers
from twofold.planning.solve import MOST_RUNS, Solution, solve_plan
from twofold.provenance_record import format_call
from twofold.result import Note
from twofold.seeds import check_seed
from twofold.stats.arguments import probability as check_probability

PILOT_RUNS = 3
"""Runs of a pilot that is run for the plan."""


def plan(
    situation: str,
    *,
    difference: float | None = None,
    probability: float | None = None,
    n: int | None = None,
    power: float | None = None,
    replicability: float | None = None,
    pilot: Any = None,
    sd: float | None = None,
    discordant: float | None = None,
    cluster_size: float = 1.0,
    icc: float = 0.0,
    samples: int = 1,
    sample_sd: float = 0.0,
    folds: int | None = None,
    test_share: float | None = None,
    design: str = "10x10",
    learners: Any = None,
    data: Any = None,
    budget: float | str | None = None,
    store: Any = None,
    control: str | None = None,
    alpha: float = 0.05,
    adjust: str | None = None,
    seed: int = 0,
    metric: Any = None,
    drop: str | Iterable[str] = (),
    higher_is_better: bool | None = None,
    items: bool = False,
    correct: bool = False,
    item: str | None = None,
    cluster: str | None = None,
    sample: str | None = None,
    rows: str | None = None,
    transpose: bool = False,
    n_train: float | None = None,
    n_test: float | None = None,
    target: str | None = None,
    positive: Any = None,
    task: str | None = None,
) -> Plan:
    """Plan an experiment: how many are enough, or what so many can find.

    Of ``n``, ``power`` (or ``replicability``) and ``difference`` one is left open, and is the
    answer. Power is that of the test which `compare` would choose.

    Parameters
    ----------
    situation : {"items", "datasets", "runs", "seeds"}
        What there are to be enough of: items of a test set, data sets, runs of a cross-validation
        on one data set, or seeds.
    difference : float, optional
        The smallest difference that matters, in the metric's units.
    probability : float, optional
        For seeds: how often a run of the better learner scores above one of the other.
    n : int, optional
        As many as there are. Without it, and without a difference, those of the pilot.
    power : float, optional
        How often the difference is to be found: 0.8 by default, of seeds 0.95.
    replicability : float, optional
        Instead of power: how often two such experiments are to come to the same verdict.
    pilot : table, optional
        What `compare` reads. Spread (of right and wrong: how often just one of two is right) is
        estimated from it, and the answer has an interval that says how sure that is.
    sd : float, optional
        Without a pilot: the standard deviation of the differences of items, data sets or folds.
    discordant : float, optional
        For items, without a pilot: the share that just one of two learners gets right.
    cluster_size, icc : float
        For items, without a pilot: how many stand in a cluster, and how alike their differences
        are, from 0 to 1.
    samples, sample_sd : int and float
        For items: how often each learner answers one, and how much its answers vary; ``sd`` is
        then that of items alone.
    folds, test_share : int and float, optional
        For runs: the folds of a run, 10 by default; or the share that random splits test on.
    design : str
        For data sets: what is run on each, for the cost.
    learners : int, or names, optional
        How many learners are compared; two, or those of the pilot, by default. With ``data``:
        learners, as `run` takes them.
    data : file, name or frame, optional
        For runs: the learners are run on it, three times, for a pilot.
    budget : number of fits, or time as "5h", optional
        What may be spent: the answer says what that buys.
    store : file or URL, optional
        Whose timings say how long fits take; and where a pilot is kept.
    control, alpha, adjust, seed
        The question, as `compare` takes it.
    metric, drop, higher_is_better, items, correct, item, cluster, sample, rows, transpose
    n_train, n_test, target, positive, task
        How the pilot is read, or run, as `compare` takes it.

    Returns
    -------
    Plan

    Examples
    --------
    >>> plan("items", difference=0.05, discordant=0.2).n
    626
    >>> plan("seeds", probability=0.75).n
    29
    """
    keywords = dict(locals())
    del keywords["situation"]
    kind = check_situation(situation)
    refuse_misplaced(kind, keywords)
    options, question = collect_plan(keywords)
    check_probability("alpha", question.alpha, 0.05)
    check_seed(question.seed)
    aim = find_target(kind, options, question.alpha)
    reading = collect(Reading, keywords)
    setting, family = _find_setting(kind, options, question, reading)
    given = read_n(kind, options, setting)
    gap = check_difference(kind, options, setting)
    call = format_call("twofold.plan", [kind], _cite(keywords))
    unit = _price(kind, options, family, setting)
    solution = solve_plan(setting, aim, given, gap)
    answer = _build_plan(kind, options, question, setting, family, solution, unit)
    return replace(answer, call=call or "")


def collect_plan(keywords: Any) -> tuple[Planning, Question]:
    """Return the options of planning, and of the question."""
    options: Any = collect(Planning, keywords)  # type: ignore[type-var]
    return options, collect(Question, keywords)


def _cite(keywords: Any) -> dict[str, Any]:
    """Return what was given, as it is written in a call."""
    defaults = plan.__kwdefaults__ or {}
    local = ("store",)
    return {k: v for k, v in keywords.items() if v != defaults[k] and k not in local}


def _find_setting(
    kind: str, options: Planning, question: Question, reading: Reading
) -> tuple[Setting, Family]:
    over_data_sets = kind == "datasets"
    n = options.n if isinstance(options.n, int) else None

    def share_level(count: int) -> Family:
        control, adjust = question.control, question.adjust
        return find_family(
            count, control, question.alpha, adjust, over_data_sets=over_data_sets, n=n
        )

    if options.pilot is None and options.data is None:
        family = share_level(count_learners(options.learners))
        return set_from_numbers(kind, options, family, question.seed), family
    if options.sd is not None or options.discordant is not None:
        name = "sd" if options.sd is not None else "discordant"
        raise InputError(f"The pilot tells `{name}`, and it is given too.", "Give one of them.")
    if options.data is not None and options.pilot is not None:
        raise InputError("`data` is run for a pilot, and there is a `pilot`.", "Give one of them.")
    if kind == "items":
        from twofold.planning.item_pilots import read_pilot_items, set_from_items

        pilot = read_pilot_items(options.pilot, reading)
        family = share_level(count_learners(options.learners, len(pilot.learners)))
        return set_from_items(pilot, family), family
    from twofold.planning import pilots

    if options.data is not None:
        scores = _run_pilot(options, question, reading)
        family = share_level(len(scores.learners))
        return pilots.set_from_runs(scores, options, family), family
    scores = pilots.read_pilot_scores(options.pilot, reading)
    family = share_level(count_learners(options.learners, len(scores.learners)))
    if kind == "runs":
        return pilots.set_from_runs(scores, options, family), family
    return pilots.set_from_data_sets(scores, family, question.seed), family


def _run_pilot(options: Planning, question: Question, reading: Reading) -> Any:
    """Run the learners a few times on the data."""
    from twofold.api import run
    from twofold.planning.settings import read_splits

    if options.learners is None or isinstance(options.learners, int):
        raise InputError(
            "`data` is for running learners on it, and none is named.",
            "Name them: `learners=['nb', 'c45']`.",
        )
    folds, _ = read_splits(options)
    share = options.test_share
    design = f"{PILOT_RUNS}x{folds}" if share is None else f"resample:{10 * PILOT_RUNS}:{share:g}"
    scores = run(
        options.learners,
        options.data,
        seed=question.seed,
        metric=reading.metric,
        drop=reading.drop,
        target=reading.target,
        positive=reading.positive,
        task=reading.task,
        design=design,
        store=options.store,
    )
    if len(scores.learners) < 2:
        raise InputError(
            "One learner cannot be compared, and spread is that of differences.",
            "Name two learners at least.",
        )
    return scores


def _price(kind: str, options: Planning, family: Family, setting: Setting) -> UnitCost | None:
    """Return what one more run, seed or data set costs."""
    if kind == "items":
        return None
    fits = family.learners * setting.folds
    if kind == "datasets":
        from twofold.designs import parse_design

        parsed = parse_design(options.design)
        fits = family.learners * parsed.runs * parsed.parts
    each = None
    names = setting.learners
    if names and (options.store is not None or options.data is not None):
        each = time_fits(options.store, names)
    seconds = None if each is None else each * fits / family.learners
    return UnitCost(fits, seconds)


def _build_plan(
    kind: str,
    options: Planning,
    question: Question,
    setting: Setting,
    family: Family,
    solution: Solution,
    unit: UnitCost | None,
) -> Plan:
    model, aim = setting.model, solution.target
    n, difference, solved = solution.n, solution.difference, solution.solved_for
    formula = model.apply_formula(difference, aim.as_power) if solved == "n" else None
    cost = {} if unit is None else unit.multiply(n)
    if unit is not None and options.budget is not None:
        cost |= _spend(unit, options.budget, model, difference)
    pilot_n = setting.pilot_n
    now = None
    if pilot_n is not None and pilot_n >= model.fewest:
        now = _measure(model, pilot_n, difference)
    at_n = _measure(model, n if n is not None else MOST_RUNS, difference)
    seeds = kind == "seeds"
    answer = Plan(
        situation=kind,
        solved_for=solved,
        n=n,
        interval=solution.interval,
        power=at_n.power,
        replicability=at_n.replicability,
        difference=None if seeds else difference,
        probability=difference if seeds else None,
        smallest_difference=solution.smallest_difference,
        target={aim.kind: aim.value},
        alpha=question.alpha,
        level=family.level,
        learners=family.learners,
        comparisons=family.comparisons,
        control=family.control,
        adjustment=family.adjustment,
        test=setting.test,
        metric=setting.metric,
        assumptions=setting.assumptions,
        formula=None if formula is None else {"source": formula.source, "n": formula.n},
        now=now,
        curve=_draw_curve(model, n, difference),
        cost=cost,
        verdict="",
        sentence="",
        comparisons_in_words=family.words,
        advice=tuple(advise(setting.model, family, n, difference, aim, question.alpha)),
        notes=(*setting.notes, *_note_unreachable(n)),
        seed=question.seed,
    )
    return replace(answer, verdict=describe_plan(answer), sentence=write_sentence(answer))


def _measure(model: PowerModel, n: int, difference: float) -> PlanPoint:
    return PlanPoint(n, model.find(n, difference).right, model.agree(n, difference))


def _spend(unit: UnitCost, budget: Any, model: PowerModel, difference: float) -> dict[str, Any]:
    """Return how many a budget buys, and what they find."""
    count = unit.afford(budget)
    if count < model.fewest:
        return {"affordable": count, "affordable_power": 0.0}
    return {"affordable": count, "affordable_power": model.find(count, difference).right}


def _draw_curve(model: PowerModel, n: int | None, difference: float) -> tuple[PlanPoint, ...]:
    """Return power and replicability from few to more than enough."""
    if isinstance(model, RunModel):
        counts = {2, 3, 5, 10, 20, 50, 100} if model.folds > 1 else {10, 20, 50, 100, 200, 500}
        counts |= {n} if n is not None else set()
    else:
        assert n is not None
        shares = (0.1, 0.2, 0.35, 0.5, 0.7, 0.85, 1.0, 1.2, 1.5, 2.0, 2.5)
        counts = {max(model.fewest, round(share * n)) for share in shares}
    return tuple(_measure(model, count, difference) for count in sorted(counts))


def _note_unreachable(n: int | None) -> list[Note]:
    if n is not None:
        return []
    detail = "No number of runs is enough: what all runs share, the data set, limits power."
    return [Note("power-limit", "Not to be reached", detail, "warning")]
