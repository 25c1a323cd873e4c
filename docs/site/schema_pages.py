"""Pages of the JSON schemas: what programs can rely on, field by field."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

ABOUT = {
    "comparison": ("`twofold compare --format json`, `answer.to_dict()`", "comparison.md"),
    "comparisons": (
        "`twofold compare --metric A,B --format json`, `answers.to_dict()`",
        "comparison.md",
    ),
    "gate": ("`twofold gate --format json`, `answer.to_dict()`", "../how-to/gate.md"),
    "plan": ("`twofold plan --format json`, `plan.to_dict()`", "plan.md"),
    "findings": ("`twofold study --format json`, `found.to_dict()`", "findings.md"),
    "data-findings": ("`twofold study --data … --format json`", "findings.md"),
    "table-study": ("`twofold study --table … --format json`", "table-study.md"),
    "calibration": ("`twofold calibrate --format json`", "findings.md"),
}
"""For each schema what writes such JSON, and the page that explains it."""

ABOUT_IN_WORDS = {"/properties/notes/items": "note of a comparison"}
"""Parts of schemas that others refer to."""

HEAD = """\
# JSON schemas

What programs can rely on (JSON Schema, draft 2020-12). Every key that a table calls always is there in every answer; new versions add keys, and do not take any away.

| schema | written by | explained | file |
|---|---|---|---|
"""


def write_schemas(reference: Path) -> None:
    """Write a page for each schema of the reference, and a list of them."""
    folder = reference / "schemas"
    folder.mkdir()
    files = {
        path.name.removesuffix(".schema.json"): path for path in reference.glob("*.schema.json")
    }
    unknown = set(files) ^ set(ABOUT)
    if unknown:
        raise SystemExit(f"Schemas without a description in schema_pages.py: {sorted(unknown)}")
    rows = []
    for name, (writer, page) in ABOUT.items():
        schema = json.loads(files[name].read_text("utf-8"))
        meanings = read_meanings((reference / page).read_text("utf-8"))
        text = describe_schema(name, schema, writer, page, meanings)
        (folder / f"{name}.md").write_text(text, "utf-8")
        # As HTML, so that the address is that of the file and not one that Sphinx makes up.
        link = f'<a href="../{files[name].name}">{files[name].name}</a>'
        rows.append(f"| [{schema['title']}]({name}.md) | {writer} | [page](../{page}) | {link} |\n")
    pages = "".join(f"{name}\n" for name in ABOUT)
    (folder / "index.md").write_text(
        HEAD + "".join(rows) + f"\n```{{toctree}}\n:hidden:\n\n{pages}```\n", "utf-8"
    )


def read_meanings(page: str) -> dict[str, str]:
    """Return what the page of a schema says of keys, for those that the schema says nothing of."""
    meanings: dict[str, str] = {}
    for keys, meaning in re.findall(r"^\| (`[^|]*`) \| ((?:[^|]|\\\|)*?) \|$", page, re.M):
        for key in re.findall(r"`(\w+)`", keys):
            meanings.setdefault(key, re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", meaning))
    return meanings


def describe_schema(
    name: str, schema: dict[str, Any], writer: str, page: str, meanings: dict[str, str]
) -> str:
    """Return the page of a schema: a table of its fields, and one for each object within."""
    lines = [f"# {schema['title']}", "", schema.get("description", f"What {writer} gives."), ""]
    file = f'<a href="../{name}.schema.json">{name}.schema.json</a>'
    lines += [f"Explained on [a page of its own](../{page}); the file is {file}.", ""]
    lines += _tabulate(schema, meanings)
    for definition, inner in schema.get("$defs", {}).items():
        lines += [
            f"## {definition}",
            "",
            *([inner["description"], ""] if "description" in inner else []),
        ]
        lines += (
            _tabulate(inner, meanings) if "properties" in inner else [f"{_name_type(inner)}.", ""]
        )
    return "\n".join(lines)


def _tabulate(node: dict[str, Any], meanings: dict[str, str]) -> list[str]:
    rows = [
        (path, kind, always, meaning or meanings.get(path, ""))
        for path, kind, always, meaning in _list_fields(node, "")
    ]
    described = any(meaning for *_, meaning in rows)
    lines = [
        "| key | type | always |" + " meaning |" * described,
        "|---|---|---|" + "---|" * described,
    ]
    for path, kind, always, meaning in rows:
        cells = [f"`{path}`", kind, "yes" if always else ""] + [meaning] * described
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return [*lines, ""]


def _list_fields(node: dict[str, Any], prefix: str) -> Any:
    """Yield path, type, whether it is always there, and meaning of all fields, those within too."""
    required = node.get("required", ())
    for key, value in node.get("properties", {}).items():
        path = f"{prefix}{key}"
        yield path, _name_type(value), key in required, value.get("description", "")
        for suffix, inner in _find_objects(value):
            yield from _list_fields(inner, f"{path}{suffix}.")


def _find_objects(value: dict[str, Any], suffix: str = "") -> Any:
    """Yield the objects that stand within a field, with how one gets there."""
    if "properties" in value:
        yield suffix, value
    for option in (*value.get("anyOf", ()), *value.get("oneOf", ())):
        yield from _find_objects(option, suffix)
    for key, ending in (("items", "[]"), ("additionalProperties", ".*")):
        if isinstance(value.get(key), dict):
            yield from _find_objects(value[key], suffix + ending)


def _name_type(value: Any) -> str:
    """Return a type in words."""
    if not isinstance(value, dict) or not value:
        return "anything"
    if "$ref" in value:
        file, _, inner = value["$ref"].partition("#")
        name = inner.split("/")[-1]
        if not file:
            return f"[{name}](#{name})"
        other = file.removesuffix(".schema.json")
        return f"[{ABOUT_IN_WORDS.get(inner, other)}]({other}.md)"
    if "enum" in value:
        return " or ".join(f"`{json.dumps(each, ensure_ascii=False)}`" for each in value["enum"])
    options = value.get("anyOf") or value.get("oneOf")
    if options:
        return " or ".join(dict.fromkeys(map(_name_type, options)))
    kinds = value.get("type", "anything")
    words = [_name_kind(kind, value) for kind in ([kinds] if isinstance(kinds, str) else kinds)]
    return " or ".join(words)


def _name_kind(kind: str, value: dict[str, Any]) -> str:
    if kind == "array":
        count = value.get("minItems") if value.get("minItems") == value.get("maxItems") else None
        inner = _name_type(value.get("items"))
        return f"list of {count if count else ''} {inner}".replace("of  ", "of ")
    if kind == "object" and isinstance(value.get("additionalProperties"), dict):
        return f"object of {_name_type(value['additionalProperties'])} by name"
    low, high = value.get("minimum"), value.get("maximum")
    if kind in ("number", "integer") and (low is not None or high is not None):
        ends = (
            f" {low} to {high}"
            if high is not None and low is not None
            else f" ≥ {low}"
            if high is None
            else f" ≤ {high}"
        )
        return kind + ends
    return kind
