"""Keys taken apart again, so that it can be said in which part two of them differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["rules", "class", "parameter", "library", "file", "code", "value", "preparation"]

DEEPEST = 20
"""Levels of estimators inside estimators that are compared; a key may be anybody's text."""

SECTIONS: dict[str, Kind] = {
    "libraries": "library",
    "files": "file",
    "code": "code",
    "values": "value",
}


@dataclass(frozen=True, slots=True)
class KeyParts:
    """A key, part by part.

    Attributes
    ----------
    estimator : str
        Class and parameters.
    sections : mapping
        By kind: what it consists of, by name.
    preparation : str
        What is done to the rows.
    """

    estimator: str
    sections: Mapping[Kind, Mapping[str, str]] = field(default_factory=dict)
    preparation: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """A part in which two keys differ; ``before`` or ``after`` is empty where there was none."""

    kind: Kind
    name: str
    before: str
    after: str

    def __str__(self) -> str:
        if self.kind in ("file", "code") and self.before and self.after:
            return self.name if self.kind == "file" else f"the code of {self.name}"
        if self.kind == "rules":
            return "the version of twofold"
        if self.kind == "preparation":
            return "what is done to the rows"
        if self.kind == "class":
            return f"{self.before} → {self.after}"
        return self._describe("" if self.kind == "library" else f"{self.kind} ")

    def _describe(self, word: str) -> str:
        if not self.before or not self.after:
            return f"{word}{self.name} {'added' if self.after else 'gone'}"
        values = (self.before, self.after)
        if max(map(len, values)) > 30:
            return f"{word}{self.name}"
        return f"{word}{self.name} {values[0]} → {values[1]}"


def parse_key(key: str) -> KeyParts:
    """Take a key apart; of one that another version wrote, all may be in the first part."""
    body, _, preparation = key.rpartition(" | ")
    if not body:
        body, preparation = key, ""
    starts = [i for i, depth in _scan(body) if depth == 1 and body[i] == "[" and body[i - 1] == " "]
    if not starts or not body.endswith("]"):
        return KeyParts(body, {}, preparation)
    estimator, inside = body[: starts[-1]].strip(), body[starts[-1] + 1 : -1]
    sections: dict[Kind, Mapping[str, str]] = {}
    for section in split_outside(inside, "; "):
        title, _, entries = section.partition(": ")
        if title not in SECTIONS:
            continue
        split = _split_version if title == "libraries" else _split_entry
        pairs = map(split, split_outside(entries, ", "))
        sections[SECTIONS[title]] = {name: value for name, _, value in pairs}
    return KeyParts(estimator, sections, preparation)


def compare_keys(before: str, after: str) -> list[Change]:
    """Return in which parts two keys differ.

    Of a file that changed, the functions in memory that came from it are left out.
    """
    old, new = parse_key(before), parse_key(after)
    if bool(old.sections) != bool(new.sections):
        return [Change("rules", "", before, after)]
    changes = list(_compare_calls(old.estimator, new.estimator, ""))
    for kind in SECTIONS.values():
        changes += _compare_entries(kind, old.sections.get(kind, {}), new.sections.get(kind, {}))
    if old.preparation != new.preparation:
        changes.append(Change("preparation", "", old.preparation, new.preparation))
    files = [_name_module(change.name) for change in changes if change.kind == "file"]
    prefixes = tuple(f"{module}." for module in [*files, *(["file"] if files else [])])
    return [c for c in changes if c.kind != "code" or not c.name.startswith(prefixes)]


def _name_module(label: str) -> str:
    return label.rpartition(".")[0].removesuffix("/__init__").replace("/", ".")


def _compare_entries(
    kind: Kind, old: Mapping[str, str], new: Mapping[str, str]
) -> Iterator[Change]:
    for name in sorted({*old, *new}):
        if old.get(name) != new.get(name):
            yield Change(kind, name, old.get(name, ""), new.get(name, ""))


def _compare_calls(old: str, new: str, above: str) -> Iterator[Change]:
    """Compare two estimators parameter by parameter, and those inside them."""
    if old == new:
        return
    (old_name, old_items), (new_name, new_items) = _split_call(old), _split_call(new)
    if old_name is None or new_name is None or above.count(".") >= DEEPEST:
        yield Change("parameter", above, old, new)
        return
    if old_name != new_name:
        yield Change("class", above, _last(old_name), _last(new_name))
        return
    for name in sorted({*old_items, *new_items}):
        path = f"{above}.{name}" if above else name
        before, after = old_items.get(name, ""), new_items.get(name, "")
        if before and after:
            yield from _compare_calls(before, after, path)
        elif before != after:
            yield Change("parameter", path, before, after)


def _split_call(text: str) -> tuple[str | None, dict[str, str]]:
    """Return what is called, and its parts by name or number; None for a plain value."""
    opening = text.find("(")
    listed = text[:1] in ("[", "(") and text[-1:] in ("]", ")")
    if listed:
        name, inside = text[0], text[1:-1]
    elif opening > 0 and text.endswith(")") and text[:opening].replace(".", "_").isidentifier():
        name, inside = text[:opening], text[opening + 1 : -1]
    else:
        return None, {}
    items = {}
    for number, entry in enumerate(split_outside(inside, ", ")):
        key, equals, value = _split_entry(entry)
        if listed and entry.startswith("('"):
            # A step of a pipeline: its name and what it is.
            step = split_outside(entry[1:-1], ", ")
            items[step[0].strip("'")] = ", ".join(step[1:])
        elif equals and key.isidentifier():
            items[key] = value
        else:
            items[str(number)] = entry
    return name, items


def _last(path: str) -> str:
    return path.rpartition(".")[2]


def _split_entry(entry: str) -> tuple[str, str, str]:
    """Split name=value at the first sign of equality outside of quotes and brackets."""
    for i, depth in _scan(entry):
        if depth == 0 and entry[i] == "=":
            return entry[:i], "=", entry[i + 1 :]
    return entry, "", ""


def _split_version(entry: str) -> tuple[str, str, str]:
    return entry.rpartition(" ")


def split_outside(text: str, separator: str) -> list[str]:
    """Split a text where the separator stands outside of quotes and brackets."""
    parts, start = [], 0
    for i, depth in _scan(text):
        if depth == 0 and i >= start and text.startswith(separator, i):
            parts.append(text[start:i])
            start = i + len(separator)
    return [part for part in (*parts, text[start:]) if part]


def _scan(text: str) -> Iterator[tuple[int, int]]:
    """Yield each position outside of quotes, and how many brackets are open there."""
    depth, quote, escaped = 0, "", False
    for i, sign in enumerate(text):
        if quote:
            if escaped:
                escaped = False
            elif sign == "\\":
                escaped = True
            elif sign == quote:
                quote = ""
            continue
        if sign in "'\"":
            quote = sign
            continue
        if sign in "([{":
            depth += 1
        elif sign in ")]}":
            depth -= 1
        yield i, depth
