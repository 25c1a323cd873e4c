"""Measure all tests that compare two learners on one data set, and write a card for each.

python docs/reference/cards.py --datasets 1000     runs the studies, writes the numbers and the pages
python docs/reference/cards.py --pages             writes the pages anew from the numbers
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import twofold
from twofold.cli.show_card import describe_standing
from twofold.comparison.defaults import CORRECTED_FOLDS
from twofold.stats import cards as shipped
from twofold.stats.catalog import entry
from twofold.studies.plan import study_tests

HERE = Path(__file__).parent
FOLDER = HERE / "cards"
NUMBERS = Path(shipped.__file__).with_suffix(".json")
LEARNERS = ["nb", "c45"]
ROWS, REPETITIONS, LEVELS = 300, 10, (0.05, 0.01)
SOURCES = {
    # Ten binary attributes and a class that is a coin: neither learner can win.
    "none": "binary:p=0.5",
    # A network on which C4.5 beats naive Bayes by about three points of accuracy.
    "some": "bayesnet:structure=ban:seed=1940845172:strength=4.468554834783054",
    # Exchangeable attributes: the same learner on either half, so that neither can win.
    "halves": "halves:signal=0.5:attributes=10",
}
ON_HALVES = {
    "1-NN": "nn",
    "5-NN": "knn-gauss(k=5, weights='equal')",
    "tree": "c45",
    "naive Bayes": "nb",
}
PICTURES = {
    "none": ("rates", "qq"),
    "some": ("rates", "replicability", "predicted"),
    "halves": ("rates",),
}
SHARES = (
    *("difference", "rejected", "for_a", "for_b", "consistent", "replicability"),
    *("replicability_p", "agreement", "predicted"),
)


def measure(datasets: int, store: str | None, workers: int | None) -> None:
    """Run the studies, and write what a card needs of them."""
    rows: list[dict[str, Any]] = []
    made: dict[str, Any] = {}
    levels, on_halves = measure_on_halves(datasets, store, workers)
    one_run = measure_one_run(datasets, store, workers)
    for key in ("none", "some"):
        found = twofold.study(
            SOURCES[key],
            LEARNERS,
            rows=ROWS,
            datasets=datasets,
            repetitions=REPETITIONS,
            tests="all",
            alpha=LEVELS,
            null=key == "none",
            store=store,
            workers=workers,
        )
        made = {
            "learners": list(found.learners),
            "estimators": found.made["estimators"],
            "rows": ROWS,
            "datasets": datasets,
            "repetitions": REPETITIONS,
            "confidence": found.confidence,
            "seed": found.seed,
            "versions": found.made["versions"],
            "halves": on_halves,
        }
        rows += [_kept(row, key) for row in found.rows]
        draw(found, key)
    head = json.dumps(made, ensure_ascii=False)
    text = f'{{"made": {head},\n"sources": {json.dumps(SOURCES)},\n'
    text += f'"one_run": {json.dumps(one_run)},\n'
    text += f'"levels": [\n{_lines(levels)}\n],\n"rows": [\n{_lines(rows)}\n]}}\n'
    NUMBERS.write_text(text, "utf-8")
    shipped.cards.cache_clear()


def measure_on_halves(
    datasets: int, store: str | None, workers: int | None
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Measure Type I errors of every learner where there is something to learn, and say how."""
    levels, estimators = [], {}
    for label, learner in ON_HALVES.items():
        findings = twofold.study(
            SOURCES["halves"],
            {label: learner},
            rows=ROWS,
            datasets=datasets,
            repetitions=1,
            tests="all",
            alpha=LEVELS,
            predictions=False,
            store=store,
            workers=workers,
        )
        estimators[label] = learner
        levels += [
            {
                "test": row.test,
                "learner": label,
                "alpha": row.alpha,
                "rejected": _rounded(row.rejected),
            }
            for row in findings.rows
        ]
        if label == "1-NN":
            draw(findings, "halves")
    levels.sort(key=lambda level: list(study_tests()).index(level["test"]))
    return levels, {"learners": estimators, "rows": ROWS, "datasets": datasets}


def measure_one_run(datasets: int, store: str | None, workers: int | None) -> dict[str, Any]:
    """Measure the Type I error at .05 of the test of a single run, on each null."""
    test, design = CORRECTED_FOLDS, "1x10"
    nulls: dict[str, tuple[str, Any]] = {shipped.NOTHING: (SOURCES["none"], LEARNERS)}
    nulls |= {label: (SOURCES["halves"], {label: name}) for label, name in ON_HALVES.items()}
    rates = {}
    for label, (source, learners) in nulls.items():
        (row,) = twofold.study(
            source,
            learners,
            rows=ROWS,
            datasets=datasets,
            repetitions=1,
            tests=f"{test}@{design}",
            alpha=LEVELS[0],
            null=True,
            predictions=False,
            store=store,
            workers=workers,
        ).rows
        rates[label] = round(row.rejected.value, 4)
    return {"test": test, "design": design, "datasets": datasets, "rates": rates}


def _lines(rows: list[dict[str, Any]]) -> str:
    return ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows)


def _rounded(share: Any) -> list[float]:
    return [round(part, 4) for part in (share.value, share.low, share.high)]


def draw(found: Any, key: str) -> None:
    """Draw what the index shows, at the usual level."""
    FOLDER.mkdir(exist_ok=True)
    usual = replace(found, rows=tuple(row for row in found.rows if row.alpha == LEVELS[0]))
    for kind in PICTURES[key]:
        usual.plot(FOLDER / f"{key}-{kind}.svg", kind=kind)


def _kept(row: Any, key: str) -> dict[str, Any]:
    shares = {name: getattr(row, name) for name in SHARES}
    curve = row.came_true
    return {
        "test": row.test,
        "design": row.design,
        "df": row.df if row.chosen_df else None,
        "fits": row.fits,
        "source": key,
        "alpha": row.alpha,
        **{name: None if share is None else _rounded(share) for name, share in shares.items()},
        "came_true": []
        if curve is None
        else [
            [round(x, 3), round(y, 3), count]
            for x, y, count in zip(curve.x, curve.value, curve.datasets, strict=True)
        ],
    }


def pages() -> dict[str, str]:
    """Return the text of every page, by name."""
    table = shipped.cards()
    found = {"index.md": index(table)}
    for test in table.tests():
        found[f"{test}.md"] = page(table, test)
    return found


def page(table: shipped.Cards, test: str) -> str:
    one = entry(test)
    null, some = (table.find(test, key, 0.05) for key in ("none", "some"))
    strict = [table.find(test, key, 0.01) for key in ("none", "some")]
    df = "" if null.df is None else f", with {null.df:g} calibrated degrees of freedom at .05"
    words = f"**{describe_standing(table, test)}**"
    lines = [
        f"# {test}, measured",
        "",
        f"{one.title}: see [its entry](../tests.md#{test}). Design {null.design}, "
        f"{null.fits} fits in one experiment{df}. {words}",
        "",
        "| | no difference | a difference |",
        "|---|---|---|",
        f"| accuracy of A − accuracy of B | {_signed(null.difference)} | {_signed(some.difference)} |",
        f"| rejects at α = .05 | {_cell(null.rejected)} | {_cell(some.rejected)} |",
        f"| rejects at α = .01 | {_cell(strict[0].rejected)} | {_cell(strict[1].rejected)} |",
        f"| finds A better (.05) | {_cell(null.for_a)} | {_cell(some.for_a)} |",
        f"| finds B better (.05) | {_cell(null.for_b)} | {_cell(some.for_b)} |",
        f"| replicability R | {_cell(null.replicability)} | {_cell(some.replicability)} |",
        f"| R(p) | {_cell(null.replicability_p)} | {_cell(some.replicability_p)} |",
        f"| data sets on which all repetitions agree | {_cell(null.consistent)} | {_cell(some.consistent)} |",
        f"| two repetitions agree, direction included | {_cell(null.agreement)} | {_cell(some.agreement)} |",
        f"| the same, predicted by single experiments | {_cell(null.predicted)} | {_cell(some.predicted)} |",
        "",
    ]
    lines += on_halves(table, test)
    if some.came_true:
        lines += ["Predictions in bins, where there is a difference, and what came of them:", ""]
        lines += ["| predicted | came true | data sets |", "|---|---|---|"]
        lines += [f"| {_short(x)} | {_short(y)} | {count} |" for x, y, count in some.came_true]
        lines.append("")
    lines += ["## Beside the others", "", *side_by_side(table, test), "", *how(table)]
    return "\n".join(lines) + "\n"


def index(table: shipped.Cards) -> str:
    lines = [
        "# Measured cards",
        "",
        "What every test that compares two learners on one data set does in practice: how often it errs, how often it finds a",
        "difference that is there, whether it says the same on other splits of the same data, and what it costs. Each has a page.",
        "`twofold tests NAME` shows its card too. An arrow: Type I error above ↑ or below ↓ its level, its whole interval.",
        "",
        "## Type I error at α = .05, on two null hypotheses",
        "",
        "*Nothing to learn*: the class depends on nothing, and naive Bayes is compared with C4.5. *Something to learn*: attributes are",
        "exchangeable, and a learner that sees one half of them is compared with itself on the other half. On the first null alone most",
        "tests look safe; [what is behind that](../../levels.md).",
        "",
        *both_nulls(table),
        "",
        "## Side by side",
        "",
        *side_by_side(table),
        "",
        "## Type I error, where there is no difference and nothing to learn",
        "",
        "![Type I error of each test](none-rates.svg)",
        "",
        "![Distribution of p values](none-qq.svg)",
        "",
        "## Type I error, where there is something to learn: 1-NN on halves",
        "",
        "![Type I error of each test](halves-rates.svg)",
        "",
        "## Where there is a difference",
        "",
        "![Power of each test](some-rates.svg)",
        "",
        "![Replicability of each test](some-replicability.svg)",
        "",
        "![Predicted and actual replicability](some-predicted.svg)",
        "",
        *how(table),
    ]
    return "\n".join(lines) + "\n"


def side_by_side(table: shipped.Cards, mine: str = "") -> list[str]:
    lines = [
        "| test | design | fits | Type I .05 | Type I .01 | power .05 | R, none | R, some | consistent, some | predicted / agreed, some |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for test in table.tests():
        null, some = (table.find(test, key, 0.05) for key in ("none", "some"))
        strict = table.find(test, "none", 0.01)
        name = f"**{test}**" if test == mine else f"[{test}]({test}.md)"
        told = "—" if some.predicted is None else _short(some.predicted[0])
        cells = [
            name,
            null.design,
            str(null.fits),
            _short(null.rejected[0]) + _arrow(null),
            _short(strict.rejected[0]) + _arrow(strict),
            _short(some.rejected[0]),
            _short(null.replicability[0]),
            _short(some.replicability[0]),
            _short(some.consistent[0]),
            f"{told} / {_short(some.agreement[0])}",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def both_nulls(table: shipped.Cards) -> list[str]:
    labels = list(table.made["halves"]["learners"])
    lines = [
        f"| test | nothing to learn | {' | '.join(labels)} |",
        f"|---|---|{'---|' * len(labels)}",
    ]
    for test in table.tests():
        measured = [table.find(test, "none", 0.05), *table.levels_of(test, 0.05)]
        cells = [_short(level.rejected[0]) + _arrow(level) for level in measured]
        lines.append(f"| [{test}]({test}.md) | {' | '.join(cells)} |")
    return lines


def on_halves(table: shipped.Cards, test: str) -> list[str]:
    """Return the errors where there is something to learn."""
    lines = [
        "Type I error where there is something to learn, the same learner on either half of exchangeable attributes:",
        "",
        "| learner | α = .05 | α = .01 |",
        "|---|---|---|",
    ]
    pairs = zip(table.levels_of(test, 0.05), table.levels_of(test, 0.01), strict=True)
    for usual, strict in pairs:
        cells = (f"{_cell(level.rejected)}{_arrow(level)}" for level in (usual, strict))
        lines.append(f"| {usual.learner} | {' | '.join(cells)} |")
    return [*lines, ""]


def how(table: shipped.Cards) -> list[str]:
    made = table.made
    a, b = made["learners"]
    return [
        "## How it was made",
        "",
        f"A is {a}, B is {b}; {made['datasets']} data sets of {made['rows']} rows, every experiment {made['repetitions']} times on each; "
        f"stratified folds; seed {made['seed']};",
        f"{made['confidence']:.0%} intervals in brackets; twofold {made['versions']['twofold']}. No difference: `{table.sources['none']}`.",
        f"A difference: `{table.sources['some']}`. Something to learn and no difference: `{table.sources['halves']}`,",
        f"{made['halves']['datasets']} data sets of {made['halves']['rows']} rows for each learner: "
        + ", ".join(f"{name} (`{spec}`)" for name, spec in made["halves"]["learners"].items())
        + ".",
        "",
        "Made by `make cards` (`python docs/reference/cards.py --datasets 1000`), which takes the numbers from `twofold study`. Learners and",
        "data of another kind give other numbers: `twofold study --source … --learners …` measures them.",
    ]


def _arrow(row: shipped.Measured | shipped.Level) -> str:
    return {"above": " ↑", "below": " ↓", "holds": ""}[row.standing]


def _cell(one: Any) -> str:
    return "—" if one is None else f"{_short(one[0])} ({_short(one[1])}–{_short(one[2])})"


def _signed(one: Any) -> str:
    return f"{one[0]:+.4f} ({one[1]:+.4f} to {one[2]:+.4f})".replace("-", "−")


def _short(value: float) -> str:
    text = f"{value:.3f}"
    return "1.00" if text == "1.000" else text.removeprefix("0")


def write_pages() -> None:
    """Write every page, and remove those of tests that are gone."""
    FOLDER.mkdir(exist_ok=True)
    texts = pages()
    for old in FOLDER.glob("*.md"):
        if old.name not in texts:
            old.unlink()
    for name, text in texts.items():
        (FOLDER / name).write_text(text, "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--datasets", type=int, default=1000)
    parser.add_argument("--store", help="where finished work is kept")
    parser.add_argument("--workers", type=int, help="processes (all processors)")
    parser.add_argument("--pages", action="store_true", help="only write the pages anew")
    chosen = parser.parse_args()
    if not chosen.pages:
        measure(chosen.datasets, chosen.store, chosen.workers)
    assert shipped.cards().tests() == study_tests()
    write_pages()


if __name__ == "__main__":
    main()
