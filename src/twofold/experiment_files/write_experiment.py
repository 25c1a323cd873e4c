"""Writing an experiment file, from which the same answer can be made again."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from twofold.experiment_files.experiment_plan import GROUPS
from twofold.experiment_files.file_names import (
    convert_learner,
    convert_option,
    leave_existing,
    leave_folder,
)
from twofold.experiment_files.toml_text import format_key, format_value
from twofold.options import options_of


def format_experiment(
    path: str | os.PathLike[str],
    *,
    sources: tuple[Any, Any],
    options: Mapping[str, Any],
    output: Mapping[str, Any],
    expected: Mapping[str, Any],
) -> str:
    """Return the text of an experiment file that is written to ``path``.

    ``sources`` are the table and None, or learners and data, as `compare` takes them; names of
    files are written relative to the folder of ``path``. ``output`` is written as it is.
    """
    folder = os.path.dirname(os.fspath(path))
    leave = partial(leave_existing, folder)
    table, data = sources
    if data is None:
        files = [leave_folder(folder, f) for f in (table if isinstance(table, list) else [table])]
        lines = [f"scores = {format_value(files if len(files) > 1 else files[0])}"]
    else:
        learners = [convert_learner(text, leave) for text in table]
        names = [leave(name) for name in ([data] if isinstance(data, str) else data)]
        lines = [f"learners = {format_value(learners)}", f"data = {format_value(names)}"]
    for name, group in GROUPS.items():
        values = {
            option.name: convert_option(option.name, options[option.name], leave)
            for option in options_of(group)
            if option.name in options
        }
        lines += _format_table(name, values)
    lines += _format_table("output", output)
    plain = {key: value for key, value in expected.items() if not isinstance(value, Mapping)}
    lines += _format_table("expected", plain)
    for key, value in expected.items():
        if isinstance(value, Mapping):
            lines += _format_table(f"expected.{key}", value)
    return "\n".join(lines) + "\n"


def _format_table(name: str, values: Mapping[str, Any]) -> Sequence[str]:
    if not values:
        return []
    entries = [f"{format_key(key)} = {format_value(value)}" for key, value in values.items()]
    return ["", f"[{name}]", *entries]
