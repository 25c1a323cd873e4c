"""Examples of the documentation that no test runs could be run: options and names exist."""

import ast
import inspect
import re
import shlex
from pathlib import Path

import pytest

import twofold
from twofold.cli import make_parser
from twofold.cli.parser import repeat_data
from twofold.errors import InputError

DOCS = Path(__file__).parents[1] / "docs"
FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.M | re.S)
PAGES = [*sorted(DOCS.rglob("*.md")), DOCS.parent / "README.md"]


def list_commands(text):
    """Return the commands of a page: lines of blocks that begin with twofold, without comments."""
    for language, block in FENCE.findall(text):
        if language in ("console", "sh", "bash", ""):
            for line in re.sub(r"\\\n", " ", block).split("\n"):
                if re.match(r"(\$ )?twofold [a-z]", line) and not re.search(
                    r"^twofold \w+ {2,}", line
                ):
                    yield re.split(r"\s{2,}| #| >>? | \| | &", line.removeprefix("$ "))[0]


def test_commands_are_found():
    text = (
        "```console\n$ twofold compare a.csv\nA is better.\n```\n\n```\ntwofold run nb # x\n```\n"
    )
    assert list(list_commands(text)) == ["twofold compare a.csv", "twofold run nb"]
    assert sum(len(list(list_commands(page.read_text("utf-8")))) for page in PAGES) > 150


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_options_of_commands_exist(page):
    parser = make_parser()
    for command in list_commands(page.read_text("utf-8")):
        words = [word for word in shlex.split(command)[1:] if word != "…"]
        try:
            parser.parse_args(repeat_data(words))
        except (SystemExit, InputError) as error:
            pytest.fail(f"{page.name}: {command}: {error}")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_names_and_arguments_in_python_exist(page):
    for language, block in FENCE.findall(page.read_text("utf-8")):
        if language == "python" and ">>>" not in block:
            for node in ast.walk(ast.parse(block)):
                check_call(node, f"{page.name}: {ast.unparse(node)}")


def check_call(node, place):
    """Look a call of something that twofold exports up, with its arguments."""
    if not isinstance(node, ast.Call) or not re.fullmatch(
        r"twofold(\.\w+)+", ast.unparse(node.func)
    ):
        return
    value = twofold
    for name in ast.unparse(node.func).split(".")[1:]:
        assert hasattr(value, name), place
        value = getattr(value, name)
    known = inspect.signature(value).parameters
    if not any(each.kind == each.VAR_KEYWORD for each in known.values()):
        for argument in node.keywords:
            assert argument.arg is None or argument.arg in known, f"{place}: {argument.arg}"
