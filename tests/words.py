"""Names that say nothing: `python tests/words.py [FOLDER]` counts and lists them."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src"
VAGUE = frozenset(
    "one found said place places told wanted asked known made given shown kept some others thing "
    "things what who how".split()
)
PREPOSITIONS = frozenset(
    "of in on by at for between among before after over under beside against near apart without "
    "at".split()
)
# Words of the field that end like participles, and words that are none.
NO_PARTICIPLES = frozenset("embed exceed feed need proceed seed speed string".split())


@dataclass(frozen=True, slots=True)
class Binding:
    """A name that the code introduces."""

    name: str
    file: Path
    line: int
    kind: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.kind} {self.name}"


def bindings(folder: Path) -> Iterator[Binding]:
    """Yield every function, class, argument and variable that is bound below a folder."""
    for file in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            match node:
                case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                    kind = "property" if _is_property(node) else "function"
                    yield Binding(name, file, node.lineno, kind)
                case ast.ClassDef(name=name):
                    yield Binding(name, file, node.lineno, "class")
                case ast.arg(arg=name):
                    yield Binding(name, file, node.lineno, "argument")
                case ast.Name(id=name, ctx=ast.Store()):
                    yield Binding(name, file, node.lineno, "variable")


def _is_property(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any("property" in ast.unparse(decorator) for decorator in node.decorator_list)


def is_vague(binding: Binding) -> bool:
    """Tell whether a name could stand for anything."""
    return binding.name.strip("_").lower() in VAGUE


def is_no_verb(binding: Binding, terms: frozenset[str] = frozenset()) -> bool:
    """Tell whether a function is named by a participle or a preposition.

    ``terms`` are names of statistics, which keep the name that the field gave them.
    """
    if binding.kind != "function" or binding.name in terms:
        return False
    first = binding.name.strip("_").split("_")[0]
    participle = first.endswith(("ed", "ing")) and first not in NO_PARTICIPLES
    return participle or first in PREPOSITIONS or first in VAGUE


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else SOURCE
    names = list(bindings(folder))
    vague = [name for name in names if is_vague(name)]
    functions = [name for name in names if name.kind == "function"]
    no_verbs = [name for name in functions if is_no_verb(name)]
    print(*vague, *no_verbs, sep="\n")
    print(f"{1000 * len(vague) / len(names):.1f} of 1,000 names are vague ({len(vague)});")
    print(f"{1000 * len(no_verbs) / len(functions):.1f} of 1,000 functions are no verbs")
