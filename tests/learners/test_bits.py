"""Bits of words, against Python's own whole numbers."""

import numpy as np
import pytest

from twofold.learners.kernels.bits import extract_bits, extract_bits_slowly, ones_in
from twofold.learners.kernels.compile import shared_kernel

WORDS = [0, 1, 2**63, 2**64 - 1, 0xF0F0F0F0F0F0F0F0, 0x0123456789ABCDEF]
WORDS += [int(word) for word in np.random.default_rng(1).integers(0, 2**64, 20, dtype=np.uint64)]


@shared_kernel
def counted(word):
    return ones_in(word)


def by_hand(word, mask):
    places = [place for place in range(64) if mask >> place & 1]
    return sum((word >> place & 1) << at for at, place in enumerate(places))


@pytest.mark.parametrize("word", WORDS)
def test_counts_the_bits_that_are_set(word):
    assert counted(np.uint64(word)) == word.bit_count()


@pytest.mark.parametrize("kernel", [extract_bits, extract_bits_slowly])
def test_moves_the_bits_of_a_mask_together(kernel):
    extract_bits = shared_kernel(kernel.py_func)
    for word in WORDS:
        for mask in WORDS:
            assert int(extract_bits(np.uint64(word), np.uint64(mask))) == by_hand(word, mask)
