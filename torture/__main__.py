"""Try all attacks, print what was tried, survived and lost, and go on where it was stopped.

python -m torture                    # everything; hours
python -m torture --only kill        # attacks whose name has this in it
python -m torture --only kill --number 17    # one trial again, with its details
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

from torture.attack import KINDS, Attack, try_once
from torture.attacks import list_attacks

LIMIT = 600
"""Seconds after which a trial counts as hung."""

BEGIN, END = "<!-- table -->", "<!-- end of table -->"


def main() -> int:
    """Run the attacks that were asked for; the exit code is 1 where harm was done."""
    parser = argparse.ArgumentParser(prog="python -m torture", description=__doc__)
    parser.add_argument("--only", default="", help="attacks whose name has this in it")
    parser.add_argument("--scale", type=float, default=1.0, help="times as many trials")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--number", type=int, help="this trial alone, not recorded")
    parser.add_argument("--record", type=Path, default=Path("build/torture.jsonl"))
    parser.add_argument("--save", type=Path, help="a page whose table is to be renewed")
    parser.add_argument("--table", action="store_true", help="only show what was recorded")
    arguments = parser.parse_args()
    attacks = [attack for attack in list_attacks() if arguments.only in attack.name]
    signal.signal(signal.SIGALRM, _ring)
    if arguments.number is not None:
        for attack in attacks:
            for harm in _try(attack, arguments.seed, arguments.number):
                print(f"{attack.name}: {harm['kind']}: {harm['words']}")
        return 0
    records = _read(arguments.record, arguments.seed)
    print(f"seed {arguments.seed}, recorded in {arguments.record}", flush=True)
    for attack in () if arguments.table else attacks:
        _repeat(attack, arguments, records)
    table = _table(attacks, records)
    print(table)
    if arguments.save:
        text = arguments.save.read_text(encoding="utf-8")
        before, after = text.split(BEGIN)[0], text.split(END)[1]
        page = f"{before}{BEGIN}\n\n{table}\n{END}{after}"
        arguments.save.write_text(page, encoding="utf-8")
    return int(any(record["harm"] for record in records.values()))


def _repeat(attack: Attack, arguments: Any, records: dict[tuple[str, int], Any]) -> None:
    if attack.missing():
        print(f"{attack.name}: skipped, {attack.missing()}", flush=True)
        return
    shown = time.monotonic()
    count = max(1, round(attack.trials * arguments.scale))
    for number in range(count):
        if (attack.name, number) in records:
            continue
        harm = _try(attack, arguments.seed, number)
        record = {"seed": arguments.seed, "attack": attack.name, "number": number, "harm": harm}
        records[attack.name, number] = record
        arguments.record.parent.mkdir(parents=True, exist_ok=True)
        with arguments.record.open("a", encoding="utf-8") as file:
            file.write(json.dumps(record) + "\n")
        for item in harm:
            print(f"{attack.name} {number}: {item['kind']}: {item['words']}", flush=True)
        if time.monotonic() - shown > 15:
            shown = time.monotonic()
            print(f"{attack.name}: {number + 1} of {count}", file=sys.stderr, flush=True)


def _try(attack: Attack, seed: int, number: int) -> list[dict[str, str]]:
    signal.alarm(LIMIT)
    try:
        return [{"kind": h.kind, "words": h.words} for h in try_once(attack, seed, number)]
    finally:
        signal.alarm(0)


def _ring(*_: object) -> None:
    raise TimeoutError(f"not finished after {LIMIT} seconds")


def _read(file: Path, seed: int) -> dict[tuple[str, int], Any]:
    if not file.exists():
        return {}
    lines = file.read_text(encoding="utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    return {(r["attack"], r["number"]): r for r in records if r["seed"] == seed}


def _table(attacks: list[Attack], records: dict[tuple[str, int], Any]) -> str:
    """Return what was tried and what came of it, in Markdown."""
    lines = ["| attack | tried | survived | " + " | ".join(KINDS) + " |"]
    lines.append("|---|" + "---:|" * (len(KINDS) + 2))
    totals = [0] * (len(KINDS) + 2)
    for attack in attacks:
        tried = [record for record in records.values() if record["attack"] == attack.name]
        kinds = Counter(kind for r in tried for kind in {h["kind"] for h in r["harm"]})
        counts = [len(tried), sum(not r["harm"] for r in tried), *(kinds[kind] for kind in KINDS)]
        totals = [total + count for total, count in zip(totals, counts, strict=True)]
        lines.append(f"| {attack.name} | " + " | ".join(f"{count:,}" for count in counts) + " |")
    lines.append("| **all** | " + " | ".join(f"**{total:,}**" for total in totals) + " |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
