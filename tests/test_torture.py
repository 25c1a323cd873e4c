"""A short form of every attack; `make torture` tries them thousands of times."""

import pytest

from torture.attack import Attack, try_once
from torture.attacks import list_attacks

# Most of these is waiting; tests/contracts and tests/execution have a short form of each.
WAITING = ("PostgreSQL lost and back", "a full disk", "kill one of two Dask workers")
TRIALS = [
    pytest.param(
        attack,
        number,
        id=f"{attack.name}-{number}",
        marks=pytest.mark.slow if attack.name in WAITING else (),
    )
    for attack in list_attacks()
    for number in range(attack.short)
]


@pytest.mark.parametrize(("attack", "number"), TRIALS)
def test_an_attack_does_no_harm(attack: Attack, number: int) -> None:
    if attack.missing():
        pytest.skip(attack.missing())
    assert try_once(attack, 1, number) == []


def test_names_of_attacks_differ() -> None:
    names = [attack.name for attack in list_attacks()]
    assert len(set(names)) == len(names)
    assert set(WAITING) < set(names)
