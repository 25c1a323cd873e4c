"""Kernels that only kernels call, as intermediate code.

numba optimises every function, makes machine code of it and a way to call it from Python, and does
so again for every function around it. What is taken into another function as a whole needs none of
that: the outermost one is optimised once, with all that it calls.

This uses parts of numba that it does not document (0.60 to 0.68 have them). Where one is missing,
importing this file fails, and kernels are compiled as numba does it: slower to compile, the same
otherwise.
"""

from __future__ import annotations

from typing import Any

import numba
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder

_USED = {
    JITCodeLibrary: (
        "_optimize_final_module",
        "_finalize_final_module",
        "_finalize_dynamic_globals",
    ),
    CompilerBase: ("define_pipelines", "_compile_core"),
}


def check_numba() -> None:
    """Raise where this numba does not have what is replaced or called here."""
    for owner, names in _USED.items():
        for name in names:
            if not hasattr(owner, name):
                raise ImportError(f"numba's {owner.__name__} has no {name}.")


check_numba()


OPTIMISED_LEVELS = 3
"""Levels of calls that are optimised by themselves: without, kernels take up to a tenth longer."""


class InnerCode(JITCodeLibrary):
    """The code of a kernel, to be linked into others."""

    levels = 1

    def _optimize_final_module(self) -> None:
        """Leave code of many levels to the function around this one."""
        inner = [code for code in self._linking_libraries if isinstance(code, InnerCode)]
        self.levels = 1 + max((code.levels for code in inner), default=0)
        if self.levels <= OPTIMISED_LEVELS:
            super()._optimize_final_module()

    def _finalize_final_module(self) -> None:
        """Make no machine code."""
        self._finalize_dynamic_globals()
        self._finalized = True


class InnerCompiler(CompilerBase):
    """numba's compiler, which stops at intermediate code."""

    def define_pipelines(self) -> list[Any]:
        """Have numba's passes fill `InnerCode`."""
        self.state.flags.no_compile = True
        self.state.library = InnerCode(
            self.state.targetctx.codegen(), self.state.func_id.func_qualname
        )
        return [DefaultPassBuilder.define_nopython_pipeline(self.state)]

    def _compile_core(self) -> Any:
        """Have the code found by the functions that call it."""
        result = super()._compile_core()
        name = result.fndesc.qualname

        def refuse(*arguments: Any) -> None:
            raise TypeError(f"{name} is called by kernels only; mark it @shared_kernel.")

        self.state.targetctx.insert_user_function(refuse, result.fndesc, [result.library])
        return result._replace(entry_point=refuse)


def compile_inner(function: Any, **options: Any) -> Any:
    """Compile a function for the kernels that call it; Python cannot."""
    options |= {"pipeline_class": InnerCompiler, "no_cpython_wrapper": True}
    compiled: Any = numba.njit(**options)(function)

    # numba would hand the address of machine code to whoever calls from Python, and there is none.
    def add_overload(result: Any) -> None:
        compiled.overloads[tuple(result.signature.args)] = result

    compiled.add_overload = add_overload
    return compiled
