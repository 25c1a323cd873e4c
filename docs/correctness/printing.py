"""Rows and tables in Markdown: call, what it prints, the right value, how that was established."""

import contextlib
import importlib.metadata
import io
import math
import traceback
from pathlib import Path

import numpy as np


def show(x):
    if isinstance(x, str):
        return x
    if isinstance(x, (tuple, list, np.ndarray)):
        return "(" + ", ".join(show(v) for v in x) + ")"
    if isinstance(x, (bool, np.bool_)):
        return str(bool(x))
    if isinstance(x, (float, np.floating, int, np.integer)):
        x = float(x)
        if math.isnan(x):
            return "nan"
        if math.isinf(x):
            return "inf" if x > 0 else "-inf"
        if x == int(x) and abs(x) < 1e4:
            return f"{int(x)}"
        return f"{x:.2g}" if abs(x) < 1e-3 else f"{x:.4f}"
    return str(x)


def quiet(f, *args, **kwargs):
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            return f(*args, **kwargs)
    except Exception as e:  # what the user would see
        if Path(traceback.extract_tb(e.__traceback__)[-1].filename).parent == Path(__file__).parent:
            raise  # our own mistake must not be told of others
        return type(e).__name__


def row(call, got, right, how):
    if callable(got):
        got = quiet(got)
    print(f"| {call} | {show(got)} | {show(right)} | {how} |")


def table(title, package=None, head="call | prints | right | established by"):
    version = ""
    if package:
        try:
            version = " " + importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            print(f"\n### {title}: not installed, skipped")
            return False
    print(f"\n### {title}{version}\n\n| {head} |\n|---|---|---|---|")
    return True
