"""What the build of the site writes by itself: links that are checked, schemas as tables, tabs."""

import json
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"
sys.path.append(str(DOCS / "site"))
import check_links  # noqa: E402
import schema_pages  # noqa: E402

# By its path: a package is called build, too.
spec = spec_from_file_location("site_build", DOCS / "site" / "build.py")
build = module_from_spec(spec)
sys.modules[spec.name] = build
spec.loader.exec_module(build)

SCHEMAS = sorted(path.name.removesuffix(".schema.json") for path in DOCS.rglob("*.schema.json"))


@pytest.fixture
def site(tmp_path):
    """A site of two pages whose links all lead somewhere."""
    (tmp_path / "sub").mkdir()
    (tmp_path / "picture.svg").write_text("<svg/>")
    (tmp_path / "index.html").write_text(
        '<a href="sub/page.html#here">x</a><img src="picture.svg"><a href="https://x.org">y</a>'
    )
    (tmp_path / "sub" / "page.html").write_text(
        '<h1 id="here">x</h1><a href="../index.html">y</a><a href="#here">z</a>'
    )
    return tmp_path


def test_links_that_lead_somewhere_are_no_problem(site):
    assert list(check_links.find_broken(site)) == []


@pytest.mark.parametrize(
    ("html", "problem"),
    [
        ('<a href="gone.html">', "gone.html is not there"),
        ('<a href="sub/page.html#gone">', "names no anchor"),
        ('<a href="#gone">', "names no anchor"),
        ('<img src="gone.png">', "gone.png is not there"),
        ('<script src="gone.js"></script>', "gone.js is not there"),
        ('<a href="../outside.html">', "leads out of the site"),
        ('<p id="a"><p id="a">', "a stands there twice"),
    ],
)
def test_what_is_broken_is_found(site, html, problem):
    (site / "more.html").write_text(html)
    (found,) = check_links.find_broken(site)
    assert found.startswith("more.html: ")
    assert problem in found


def test_no_pages_are_a_problem(tmp_path):
    assert list(check_links.find_broken(tmp_path))


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_page_of_a_schema_has_every_key(name):
    schema = json.loads((DOCS / "reference" / f"{name}.schema.json").read_text("utf-8"))
    writer, page = schema_pages.ABOUT[name]
    meanings = schema_pages.read_meanings((DOCS / "reference" / page).read_text("utf-8"))
    text = schema_pages.describe_schema(name, schema, writer, page, meanings)
    for node in (schema, *schema.get("$defs", {}).values()):
        for key in node.get("properties", ()):
            assert f"| `{key}` | " in text
    for definition in schema.get("$defs", ()):
        assert f"\n## {definition}\n" in text
    described = [
        row for row in text.split("\n") if row.startswith("| `") and len(row.split(" | ")) > 3
    ]
    top = [row for row in described if "." not in row.split("`")[1]]
    empty = [row for row in top if row.rstrip("| ").endswith(("yes", "| "))]
    assert len(empty) < 0.4 * len(top), empty


def test_types_of_a_schema_in_words():
    kinds = {
        "a string": {"type": ["string", "null"]},
        "a share": {"type": "number", "minimum": 0, "maximum": 1},
        "ends": {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2},
        "choice": {"enum": ["x", 1]},
        "inner": {"anyOf": [{"$ref": "#/$defs/pair"}, {"type": "null"}]},
        "other": {"$ref": "comparison.schema.json"},
        "map": {"type": "object", "additionalProperties": {"type": "integer", "minimum": 0}},
    }
    schema = {"title": "T", "properties": {**kinds}, "required": ["ends"]}
    text = schema_pages.describe_schema("plan", schema, "w", "plan.md", {"a string": "said"})
    for row in (
        "| `a string` | string or null |  | said |",
        "| `a share` | number 0 to 1 |  |  |",
        "| `ends` | list of 2 number | yes |  |",
        '| `choice` | `"x"` or `1` |  |  |',
        "| `inner` | [pair](#pair) or null |  |  |",
        "| `other` | [comparison](comparison.md) |  |  |",
        "| `map` | object of integer ≥ 0 by name |  |  |",
    ):
        assert row in text


SHELL, PYTHON = "```{}\ntwofold compare a.csv\n```\n", "```python\n>>> x\n```\n"


@pytest.mark.parametrize("language", ["console", "sh", "bash", ""])
def test_a_command_and_python_become_tabs(language):
    text = f"before\n\n{SHELL.format(language)}\n{PYTHON}\nafter\n"
    made = build.make_tabs(text)
    assert made.count("{tab-item}") == 2
    assert made.startswith("before\n\n::::{tab-set}")
    assert made.endswith("::::\n\nafter\n")


@pytest.mark.parametrize(
    "text",
    [
        f"{SHELL.format('console')}\nwords\n\n{PYTHON}",
        f"```csv\na,b\n```\n\n{PYTHON}",
        f"```\nmake test\n```\n\n{PYTHON}",
        f"{PYTHON}\n{SHELL.format('sh')}",
    ],
)
def test_nothing_else_becomes_tabs(text):
    assert build.make_tabs(text) == text


def test_every_page_is_in_the_list_of_pages():
    """`docs/index.md` leads to every page, by itself or by the index of its folder."""
    home = (DOCS / "index.md").read_text("utf-8")
    sections = build.read_sections(home)
    listed = {
        build.find_page(e) for parts in sections.values() for part in parts for e in part.entries
    }
    folders = {Path(page).parent for page in listed if page.endswith("index.md")}
    pages = {path.relative_to(DOCS) for path in DOCS.rglob("*.md")} - {Path("index.md")}
    missing = [
        page
        for page in sorted(pages)
        if f"({page})" not in home and not folders & {page.parent, *page.parents}
    ]
    assert missing == []
