"""Kernels that only kernels call, as intermediate code.

numba optimises every function, makes machine code of it and a way to call it from Python, and does
so again for every function around it. What is taken into another function as a whole needs none of
that: the outermost one is optimised once, with all that it calls.
"""

from __future__ import annotations

from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder


class InnerCode(JITCodeLibrary):
    """The code of a kernel as it was written down, to be linked into others."""

    def _optimize_final_module(self) -> None:
        """Leave it to the function around this one."""

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


INNER_OPTIONS: dict[str, Any] = {
    "pipeline_class": InnerCompiler,
    "no_cpython_wrapper": True,
}


def hide_from_python(compiled: Any) -> None:
    """Keep what numba calls without a look out of its reach: there is no machine code to call."""

    def add_overload(result: Any) -> None:
        compiled.overloads[tuple(result.signature.args)] = result

    compiled.add_overload = add_overload
