"""Libraries that the core does without, and the extra that installs each.

Comparing a table of scores needs numpy, scipy, rich and Jinja2. Functions that need more ask for
it here before they begin, so that a missing library is two lines and not a traceback.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec

from twofold.errors import InputError

EXTRAS: dict[str, tuple[str, ...]] = {
    "run": ("sklearn", "joblib", "numba", "sqlalchemy"),
    "plots": ("matplotlib",),
    "tables": ("pandas", "pyarrow", "openpyxl"),
    "dask": ("distributed",),
    "page": ("starlette", "uvicorn", "python_multipart"),
    "inspect": ("backports.zstd",),
}
"""The modules that each extra of pyproject.toml brings."""

PACKAGES = {
    "sklearn": "scikit-learn",
    "sqlalchemy": "SQLAlchemy",
    "distributed": "Dask",
    "backports": "backports.zstd",
    "python_multipart": "python-multipart",
}
"""What a module's library is called, where the names differ."""

PAPERS = "twofold.papers"
"""The group of entry points by which the package of reproduced papers is found."""

_INSTALLED: set[str] = set()
"""Modules that were found; looking for one reads folders."""


def require(extra: str, purpose: str, *modules: str, remark: str = "") -> None:
    """Refuse to go on without the libraries of an extra, or without some modules of it.

    >>> require("run", "Parsing a line", "json")
    >>> require("plots", "Drawing", "no_such_module")
    Traceback (most recent call last):
    twofold.errors.InputError: Drawing needs no_such_module, which is not installed.
    Run `pip install 'twofold[plots]'`.
    """
    for module in modules or EXTRAS[extra]:
        if module in _INSTALLED or sys.modules.get(module) is not None:
            continue
        if not _is_installed(module):
            raise library_error(module, purpose, extra, remark)
        _INSTALLED.add(module)


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # the package around it is not there
        return False


def library_error(
    module: str, purpose: str, extra: str | None = None, remark: str = ""
) -> InputError:
    """Return the error for a library that is not installed."""
    top = module.partition(".")[0]
    extra = extra or next((name for name, tops in EXTRAS.items() if top in tops), None)
    package = PACKAGES.get(top, top)
    install = f"twofold[{extra}]" if extra else package
    return InputError(
        f"{purpose} needs {package}, which is not installed.",
        f"Run `pip install '{install}'`{remark}.",
    )
