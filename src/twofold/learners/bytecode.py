"""What can be seen of a compiled function without running it."""

from __future__ import annotations

import dis
import types
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

IMPORT_NAME = dis.opmap["IMPORT_NAME"]


def walk_code(code: types.CodeType) -> Iterator[types.CodeType]:
    """Yield the code of a function and of all functions inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from walk_code(constant)


def write_code(code: types.CodeType) -> str:
    """Write code down: instructions, names and constants, without lines and file names."""
    names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    shape = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)
    constants = [_write_constant(constant) for constant in code.co_consts]
    handlers = getattr(code, "co_exceptiontable", b"")
    return f"{code.co_code.hex()} {handlers.hex()} {shape} {names} {constants}"


def _write_constant(constant: Any) -> str:
    if isinstance(constant, types.CodeType):
        return write_code(constant)
    if isinstance(constant, frozenset):  # in any order
        return f"frozenset{sorted(map(_write_constant, constant))}"
    if isinstance(constant, tuple):
        return f"({', '.join(map(_write_constant, constant))})"
    return repr(constant)


@lru_cache(maxsize=4096)
def list_names(code: types.CodeType) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of globals that the code reads, and those of globals and attributes."""
    read, names = set(), set()
    for part in walk_code(code):
        names |= set(part.co_names)
        read |= {
            str(instruction.argval)
            for instruction in dis.get_instructions(part)
            if instruction.opname.startswith("LOAD_")
            and ("GLOBAL" in instruction.opname or "NAME" in instruction.opname)
        }
    return tuple(sorted(read)), tuple(sorted(names))


def list_code_imports(code: types.CodeType) -> list[str]:
    """Return the modules that the code imports by their full names."""
    modules: set[str] = set()
    for part in walk_code(code):
        if IMPORT_NAME not in part.co_code[::2]:
            continue
        constants: list[Any] = []
        for instruction in dis.get_instructions(part):
            if instruction.opcode == IMPORT_NAME:
                level, taken = constants[-2:]
                if level == 0:
                    name = str(instruction.argval)
                    modules |= {name, *(f"{name}.{item}" for item in taken or ())}
            elif instruction.opname.startswith("LOAD_"):
                constants.append(instruction.argval)
    return sorted(modules)
