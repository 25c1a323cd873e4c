"""Read scores from files, standard input, frames, dicts, records, arrays and search results."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from twofold.errors import InputError, describe_error
from twofold.options import ALL_METRICS, Reading, collect
from twofold.provenance_record import STANDARD_INPUT, record_input
from twofold.readers import find_converter, find_reader
from twofold.result import Note
from twofold.scores import nested, score_frames
from twofold.scores import sklearn_results as sk
from twofold.scores.columns import recognise
from twofold.scores.crossed_metrics import find_titled_metric, select_metric, take_named_metric
from twofold.scores.items import Items
from twofold.scores.labels import select_predictions
from twofold.scores.named_columns import from_text
from twofold.scores.optuna_studies import (
    from_studies,
    from_trials,
    holds_trials,
    is_studies,
    is_studies_by_problem,
    is_study,
    single_study_error,
)
from twofold.scores.prediction_table import Content, PredictionTable, select_test_set
from twofold.scores.read_options import check_reading, resolve
from twofold.scores.recognised import recognise_table
from twofold.scores.scores import Scores
from twofold.scores.several_files import name_files, read_as, read_files, refuse_unused
from twofold.scores.skore_reports import are_reports, from_reports, is_report
from twofold.scores.stated_directions import take_directions
from twofold.tables import RawTable, refuse_duplicates
from twofold.tables.decode import decode, read_bytes, unzip, without_gz
from twofold.tables.delimited import DELIMITERS
from twofold.tables.frames import FRAME_FILES, SHEET, read_frame
from twofold.tables.json_values import parse_json
from twofold.tables.raw_table import Columns
from twofold.tables.table_limits import read_up_to, refuse_cells, refuse_text

_Read = TypeVar("_Read", Scores, Items)


def read_scores(
    table: Any,
    *,
    metric: str | None = None,
    drop: str | Iterable[str] = (),
    higher_is_better: bool | None = None,
    ranks: bool = False,
    partial: bool = False,
    impute: str | None = None,
    only: str | Iterable[str] | None = None,
    rows: str | None = None,
    transpose: bool = False,
    n_train: float | None = None,
    n_test: float | None = None,
    test_share: float | None = None,
) -> Scores:
    """Read scores from files, standard input ("-"), a frame, a dict, records or an array.

    The form of the table is recognised: wide (a row per data set, a column per learner) or long
    (columns dataset, learner, value, and where there are any run, fold, n_train, n_test, metric);
    results of scikit-learn's `cross_validate` and of its searches, reports of skore and studies of
    Optuna are known too. Files and folders of other tools are known by what they hold (``twofold
    read --formats`` lists them), several at once: ``read_scores(["a_accuracy.csv", …])``. What was
    recognised, assumed and left out is in the notes of the scores.

    Parameters
    ----------
    metric : str, optional
        Which metric to read where there are several, or what the scores measure.
    higher_is_better : bool, optional
        Direction of the metric; known metrics are recognised.
    ranks : bool
        The table holds ranks.
    partial : bool
        Take logs of evaluations that were not finished, too.
    impute : str, optional
        A learner whose scores stand in for jobs that failed, in results of the AutoML benchmark.
    drop, only : name or names, optional
        Columns, learners or data sets to leave out; the learners to compare, and no others.
    rows : {"datasets", "folds", "splits"}, optional
        What each row of a wide table, or each score in a list, stands for.
    transpose : bool
        Learners stand in rows and data sets in columns.
    n_train, n_test, test_share : number, optional
        Sizes of the parts of random splits, or the share tested on, where the table lacks them.

    Examples
    --------
    >>> table = {"dataset": ["a", "b"], "nb": [0.8, 0.7], "c45": [0.9, 0.7]}
    >>> scores = read_scores(table, metric="accuracy")
    >>> scores.learners, scores.datasets
    (('nb', 'c45'), ('a', 'b'))
    """
    scores = read_scores_as(table, collect(Reading, locals()))
    if metric == ALL_METRICS != scores.metric:
        raise InputError(
            "A table of scores is by one metric, and all were asked for.",
            "Name one of them; `compare(table, metric='all')` answers by each.",
        )
    return scores


def read_scores_as(table: Any, options: Reading) -> Scores:
    """Read scores as the options say."""
    check_reading(options)
    if isinstance(table, Scores):
        return _select_learners(table, options)
    raw = read_table(table, options)
    refuse_cells(raw.size, len(raw.columns), "the table")
    return recognise(*take_named_metric(select_metric(raw, options), options))


def read_scores_or_items(table: Any, options: Reading) -> Scores | Items:
    """Read what learners scored on data sets, or on the items of a test set."""
    if isinstance(table, Items):
        return _select_learners(table, options)
    if isinstance(table, Scores):
        return read_scores_as(table, options)
    check_reading(options)
    raw = read_table(table, options)
    refuse_cells(raw.size, len(raw.columns), "the table")
    return recognise_table(select_metric(raw, options), options)


def read_predictions(table: Any, options: Reading) -> tuple[Columns, list[Note]]:
    """Return the columns of true and predicted labels, and what was left out of the table."""
    check_reading(options)
    raw = read_table(table, options)
    refuse_cells(raw.size, len(raw.columns), "the table")
    columns, notes = select_predictions(raw, options)
    return columns, [*raw.notes, *notes]


def read_test_set(table: Any, options: Reading, content: Content) -> PredictionTable:
    """Return true values and predictions, for a metric that takes labels, scores or numbers."""
    check_reading(options)
    raw = read_table(table, options)
    refuse_cells(raw.size, len(raw.columns), "the table")
    if not raw.size:
        raise InputError("There are no examples.", "Add a row for each example.")
    test_set = select_test_set(raw, options, content)
    return replace(test_set, notes=(*raw.notes, *test_set.notes))


def _select_learners(scores: _Read, options: Reading) -> _Read:
    """Select among the learners of scores that were read before."""
    names = list(scores.learners)
    if options.only is not None:
        names = resolve(options.only, names, "learner")
    if options.drop:
        gone = resolve(options.drop, scores.learners, "learner")
        names = [name for name in names if name not in gone]
    if tuple(names) == scores.learners:
        return scores
    if not names:
        raise InputError("No learner is left.", "Drop fewer of them.")
    return scores.select(names)


def read_table(table: Any, options: Reading) -> RawTable:
    """Return the table as it came, its form not yet recognised."""
    if isinstance(table, RawTable):
        return table
    if isinstance(table, str | Path):
        return _from_path(str(table), options)
    files = name_files(table)
    if files is not None:
        return read_files(files, options, _from_path)
    refuse_unused(None, options)
    if hasattr(table, "get_params"):
        return _from_estimator(table, options)
    if is_study(table):
        raise single_study_error()
    if is_report(table):
        return from_reports(table, options.rows)
    if isinstance(table, Mapping):
        return _from_mapping(table, options)
    if score_frames.is_series(table):
        return _from_frame(table, options)
    if isinstance(table, np.ndarray):
        return score_frames.from_array(table)
    if score_frames.is_frame(table):
        return _convert_search(_from_frame(table, options), options)
    if isinstance(table, Sequence) and not isinstance(table, str | bytes) and table:
        if are_reports(table):
            return from_reports(table, options.rows)
        if all(isinstance(row, Mapping) for row in table):
            return _from_list(table, options)
        if all(isinstance(row, Sequence) and not isinstance(row, str) for row in table):
            return nested.from_rows(table)
        if all(isinstance(row, np.ndarray) for row in table):
            return nested.from_rows([row.tolist() for row in table])
        if any(isinstance(row, Mapping) for row in table):
            raise InputError("Records must all be dicts.", "Write one dict for each row.")
    if isinstance(table, Sequence) and not isinstance(table, str | bytes):
        raise InputError(
            "A list of single values is no table." if table else "The table is empty.",
            "Pass a list of records (a dict for each row), or a dict of columns.",
        )
    raise InputError(
        f"A table of scores cannot be read from {type(table).__name__}.",
        "Pass a file, a pandas or polars frame, a dict of columns, or an array.",
    )


def _from_frame(table: Any, options: Reading) -> RawTable:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # pandas' advice on speed
            if score_frames.is_series(table):
                return score_frames.from_series(table)
            return score_frames.from_frame(table, metric=options.metric)
    except InputError:
        raise
    except Exception as error:  # of the library, as for text that it cannot encode
        raise InputError(
            f"The {type(table).__name__} cannot be read: {describe_error(error)}.",
            "Pass a frame with plain columns and no index.",
        ) from None


def _from_estimator(estimator: Any, options: Reading) -> RawTable:
    if hasattr(estimator, "cv_results_"):
        cv = getattr(estimator, "cv", None)  # scikit-learn's default is five folds
        cv = 5 if cv is None else cv
        metric = sk.name_scoring(estimator)
        return sk.from_grid_search(estimator.cv_results_, options.rows, cv=cv, metric=metric)
    name = type(estimator).__name__
    if hasattr(estimator, "param_grid") or hasattr(estimator, "param_distributions"):
        raise InputError(f"The search {name} is not fitted yet.", "Call its fit(X, y) first.")
    raise InputError(
        f"{name} is a learner, not a table of scores.",
        "Pass {'name': cross_validate(learner, X, y), …} for two learners or more.",
    )


def _from_list(table: Sequence[Mapping[Any, Any]], options: Reading) -> RawTable:
    if all(sk.is_one_result(row) for row in table):
        if len(table) == 1:
            raise sk.single_result_error()
        if not all("estimator" in row for row in table):
            raise InputError(
                "Results of cross_validate in a list do not tell which learner is which.",
                "Pass them by name: {'tree': cross_validate(...), 'forest': cross_validate(...)}.",
            )
        named = {row["estimator"][0]: row for row in table}
        return sk.from_cross_validate({None: named}, options.rows)
    return _convert_search(nested.from_records(table), options)


def _convert_search(raw: RawTable, options: Reading) -> RawTable:
    """Convert a plain table that holds results of a scikit-learn search."""
    if sk.is_one_result(raw.columns):
        raise sk.single_result_error()
    if sk.is_grid_search(raw.columns):
        return sk.from_grid_search(raw.columns, options.rows)
    if holds_trials(raw.columns):
        return from_trials(raw, options)
    converter = find_converter(raw.columns)
    refuse_unused(converter, options)
    return take_directions(raw) if converter is None else converter.convert(raw, options)


def _from_mapping(table: Mapping[Any, Any], options: Reading) -> RawTable:
    """Convert a dict of columns, of data sets with scores by learner, or scikit-learn's results."""
    if not table:
        raise InputError("The table is empty.", "It needs scores of at least two learners.")
    values = list(table.values())
    if sk.is_grid_search(table):
        return sk.from_grid_search(table, options.rows)
    if sk.is_one_result(table):
        raise sk.single_result_error()
    if are_reports(table):
        return from_reports(table, options.rows)
    if is_studies(table):
        return from_studies({None: table}, options)
    if is_studies_by_problem(table):
        return from_studies(table, options)
    if any(hasattr(value, "get_params") for value in values):
        raise InputError(
            "The dict holds learners, not scores.",
            "Pass {name: cross_validate(learner, X, y), …}; of a search too, as a whole.",
        )
    if sk.is_cross_validate(table):
        if len(table) == 1:
            raise sk.single_result_error()
        return sk.from_cross_validate({None: table}, options.rows)
    if sk.is_cross_validate_by_data_set(table):
        return sk.from_cross_validate(table, options.rows)
    if nested.is_split(table):
        return _convert_search(nested.from_split(table), options)
    if nested.is_described(table):
        return _convert_search(nested.from_described(table), options)
    if sk.is_score_lists(table):
        return sk.from_score_lists(table, options.rows)
    if all(isinstance(value, Mapping) for value in values):
        return _convert_search(nested.from_dicts(table), options)
    return _convert_search(_convert_columns(table), options)


def _convert_columns(table: Mapping[Any, Any]) -> RawTable:
    try:
        lengths = {str(name): len(value) for name, value in table.items()}
    except TypeError:
        lengths = {}
    if not lengths or any(isinstance(value, str | Mapping) for value in table.values()):
        keys = ", ".join(repr(str(name)) for name in list(table)[:3])
        raise InputError(
            f"A dict of scores must hold columns; {keys} … are none.",
            "Pass {learner: [score, score, …], …}, or records with dataset, learner and value.",
        )
    if len(set(lengths.values())) > 1:
        sizes = list(lengths.items())
        raise InputError(
            "Columns must have the same length, got "
            + ", ".join(f"{name} {size}" for name, size in sizes[:6])
            + (", …." if len(sizes) > 6 else "."),
            "Give every data set a score for each learner, None where it is missing.",
        )
    refuse_duplicates([sk.learner_name(name) for name in table])
    plain = {sk.learner_name(name): np.asarray(v).tolist() if isinstance(v, np.ndarray) else list(v)
             for name, v in table.items()}  # fmt: skip
    counted = list(table) == list(range(len(table)))
    return RawTable(dict(plain), counted=counted)


def _from_path(path: str, options: Reading) -> RawTable:
    if path == "-":
        source = getattr(sys.stdin, "buffer", None)
        data = sys.stdin.read().encode() if source is None else read_up_to(source, path)
        record_input(STANDARD_INPUT, data)
        return _from_bytes(data, STANDARD_INPUT, "", options)
    if not path.strip():
        raise InputError("The name of the file is empty.", "Name a table of scores.")
    file = Path(path)
    reader = None if file.is_dir() else find_reader(file)
    if reader is not None:
        return read_as(reader, [file], options)
    if file.is_dir():
        return read_files([file], options, _from_path)
    refuse_unused(None, options)
    suffix, sheet = file.suffix.lower(), ""
    if suffix in FRAME_FILES:
        frame = read_frame(file, refuse_large=True)
        sheet = str(frame.attrs.get(SHEET, ""))
        raw = read_table(frame, options)
    else:
        raw = _from_bytes(read_bytes(file), path, without_gz(file).suffix.lower(), options)
    for title, kind in ((sheet, "the sheet's name"), (without_gz(file).stem, "the file's name")):
        if not raw.metric and (metric := find_titled_metric(title)):
            raw = replace(raw, metric=metric, metric_from=kind)
    return raw


def _from_bytes(data: bytes, name: str, suffix: str, options: Reading) -> RawTable:
    text, notes = decode(unzip(data, name), name, code="encoding")
    raw = _from_text(text, name, suffix, options)
    return replace(raw, notes=notes + raw.notes)


def _from_text(text: str, where: str, suffix: str, options: Reading) -> RawTable:
    start = text.lstrip()
    if start[:9].lower() == "@relation":
        raise InputError(
            f"{where} is an ARFF file, which holds data, or Weka's own results.",
            "Save the results as CSV, with columns dataset, learner, run, fold and value.",
        )
    # A header may begin with a bracket too; what follows it tells.
    if start[0] == "{" or (start[0] == "[" and start[1:].lstrip()[:1] in tuple('[{]"-0123456789')):
        return read_table(parse_json(text, where), options)
    refuse_text(text, where, DELIMITERS)
    return _convert_search(from_text(text, where, suffix), options)
