import pytest

from twofold import InputError, rng


def test_same_names_same_numbers():
    assert rng(1, "iris", 3).random(5).tolist() == rng(1, "iris", 3).random(5).tolist()


@pytest.mark.parametrize(
    "other", [(2, "iris", 3), (1, "iris", 4), (1, "iris", "3"), (1, "iris3"), (1, "iri", "s3")]
)
def test_other_names_other_numbers(other):
    assert rng(1, "iris", 3).random() != rng(*other).random()


def test_pinned_stream():
    # The numbers of a published seed must not change between versions.
    assert rng(0, "twofold").integers(0, 1000, 3).tolist() == [556, 332, 54]


def test_large_seeds():
    assert rng(2**40, "a").random() == rng(2**40, "a").random()
    assert rng(2**40, "a").random() != rng(2**32 - 1, "a").random()
    assert rng(2**40, "a").random() != rng(0, "a").random()


@pytest.mark.parametrize("seed", [-1, 1.5, "a", None, True])
def test_bad_seed(seed):
    with pytest.raises(InputError, match="seed"):
        rng(seed)
