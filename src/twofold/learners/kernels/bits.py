"""Counting and squeezing the bits of words, by one instruction where the machine has it."""

from __future__ import annotations

import platform
from typing import Any

import numpy as np
from llvmlite import binding, ir
from numba import config, types
from numba.extending import intrinsic

from twofold.learners.kernels.compile import kernel


def _ones_in(typing: Any, word: Any) -> Any:
    """How many bits of a word are set."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.trunc(builder.ctpop(arguments[0]), ir.IntType(32))

    return types.uint32(types.uint64), generate


ones_in: Any = intrinsic(_ones_in)


@kernel
def extract_bits_slowly(word: Any, mask: Any) -> Any:
    """As `extract_bits`, in steps that every machine has."""
    result = np.uint64(0)
    at = np.uint64(0)
    while mask != np.uint64(0):
        lowest = mask & (~mask + np.uint64(1))
        if word & lowest != np.uint64(0):
            result |= np.uint64(1) << at
        at += np.uint64(1)
        mask ^= lowest
    return result


def _pext(typing: Any, word: Any, mask: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word_type = ir.IntType(64)
        result = builder.module.declare_intrinsic(
            "llvm.x86.bmi.pext.64", fnty=ir.FunctionType(word_type, [word_type, word_type])
        )
        return builder.call(result, arguments)

    return types.uint64(types.uint64, types.uint64), generate


_extract_at_once: Any = intrinsic(_pext)


def _has_instruction() -> bool:
    """Whether the code is made for a processor that extracts bits by one instruction."""
    settings: Any = config
    if settings.CPU_NAME or settings.CPU_FEATURES or platform.machine() not in ("x86_64", "AMD64"):
        return False
    return bool(binding.get_host_cpu_features().get("bmi2", False))


EXTRACTS_AT_ONCE = _has_instruction()

if EXTRACTS_AT_ONCE:

    @kernel
    def extract_bits(word: Any, mask: Any) -> Any:
        """The bits of a word that are in a mask, moved together at its lower end."""
        return _extract_at_once(word, mask)

else:
    extract_bits = extract_bits_slowly
