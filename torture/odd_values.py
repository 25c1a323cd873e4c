"""Odd numbers, words and names, and ways to damage bytes."""

from __future__ import annotations

import io
import zipfile
from random import Random

NUMBERS = """nan NaN inf -inf 1e999 -1e999 1e-999 1e308 -1e308 1e-320 0 -0 -0.0 0x1F 0b11 1_000 1,5
1.5.2 1,234 1,234.5 1.234,5 ١٢٣ ½ ² 1e 1e+ e5 .5 5. +.5 - + -- 1/3 50% 120% 0.9±0.1 0.9(1) 1E5 True
False true NULL NA n/a ? None TRUE 1+2j 12:30 2026-01-01 01/02/2026 1−1 −0.5 1 000 ∞ 1e15 1e16
99999999999999999999 0.1000000000000000055511151231257827 #DIV/0! =1+1 *0.9* **0.9** 0.9*
""".split()
HUGE = [
    "0.5" + " " * 3000 + "x",
    "1 [" + "1" * 2000 + "," + "1" * 2000,
    "9" * 400,
    "9" * 5000,
    "0." + "0" * 5000 + "1",
    "1e" + "9" * 400,
    "-" + "1" * 4301,
]

WORDS = ["", " ", "A", "a", "B", "dataset", "data set", "learner", "value", "score", "run", "fold"]
WORDS += ["n_train", "n_test", "metric", "split", "rank", "mean", "Average", "std", "accuracy"]
WORDS += ["rmse", "index", "Unnamed: 0", "class", "target", "truth", "y", "id", "time", "p"]
WORDS += ["p value"]
WORDS += ["é", "ß", "日本語", "🎉", "e\u0301", "a\u200bb", "\u202eabc", "\u00a0", "\ufeff", "a\tb"]
WORDS += ["a\nb", "a\r\nb", 'a"b', "'", '"', '""', "a,b", "a;b", "a|b", "#", "# a", "%", "@data"]
WORDS += ["=1"]
WORDS += ["\\", "\\textbf{a}", "$x$", "{", "}", "<b>", "&amp;", "</script>", "[link](x)", "`x`"]
WORDS += ["*a*"]
WORDS += ["\x1b[31mred\x1b[0m", "\x07", "\x00", "\x7f", "\x85", "\u2028", "--data", "-o", "~"]
WORDS += ["..", "/"]
WORDS += ["0", "1", "1.0", "0.5", "-1", "True", "nan", "None", "null", "test_score"]
WORDS += ["split0_test_score"]
WORDS += ["mean_test_score", "params", "x" * 3000, "fold 1", "run 2", "C=1", "NaN", "\U000e0041"]
WORDS += ["𝔄"]

ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "latin-1", "cp1252"]
ENCODINGS += ["utf-32"]
ENCODINGS += ["shift-jis", "cp037", "utf-7"]

PIECES = [b",", b";", b"\t", b"|", b"\n", b"\r", b"\r\n", b'"', b"'", b"\x00", b"\xff"]
PIECES += [b"\xfe\xff", b"#"]
PIECES += [b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\x1a", b"\x0c", b"\x85", b"\xc2\xa0"]
PIECES += [b"\xe2\x80\xa8", b"-"]
PIECES += [b"[", b"{", b"]", b"}", b":", b"null", b"NaN", b"1e999", b"\\u0000", b"\\ud800"]
PIECES += [b"|---|---|"]
PIECES += [b" ", b"%", b"@data\n", b"@relation x\n", b"\x80", b"\\", b"e", b".", b"9" * 30, b"()"]
PIECES += [b"="]


def choose_word(random: Random) -> str:
    """Return a name as nobody should give it."""
    if random.random() < 0.1:
        return "".join(chr(_choose_code(random)) for _ in range(random.randint(1, 6)))
    return random.choice(WORDS)


def _choose_code(random: Random) -> int:
    code = random.choice([random.randrange(0x250), random.randrange(0x110000)])
    return code if not 0xD800 <= code < 0xE000 else 0xFFFD


def choose_number(random: Random) -> str:
    """Return a text that is a number to some."""
    return random.choice(HUGE if random.random() < 0.05 else NUMBERS)


def damage(random: Random, content: bytes) -> bytes:
    """Change some bytes: drop, double, insert, overwrite, cut off, change line ends."""
    data = bytearray(content)
    for _ in range(random.choice([1, 1, 1, 2, 4, 20])):
        at = random.randrange(len(data) + 1)
        end = min(len(data), at + random.choice([1, 1, 2, 5, 30]))
        match random.randrange(8):
            case 0:
                del data[at:end]
            case 1:
                data[at:at] = data[at:end] * random.choice([1, 1, 3])
            case 2 | 3:
                data[at:at] = random.choice(PIECES)
            case 4:
                data[at:end] = random.choice(PIECES)
            case 5:
                data[at:end] = bytes(random.randrange(256) for _ in range(end - at))
            case 6 if random.random() < 0.3:
                del data[at:]
            case _:
                other = random.choice([choose_word(random), choose_number(random)])
                data[at:end] = other.encode("utf-8", "replace")
    if random.random() < 0.05:
        return bytes(data).replace(
            b"\n", random.choice([b"\r", b"\r\n", b"\n\n", b"\n \n", b"\x85"])
        )
    return bytes(data)


def damage_archive(random: Random, content: bytes) -> bytes:
    """Change a file inside of a zip archive, such as an Excel file, and pack it again."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            files = {name: archive.read(name) for name in archive.namelist()}
    except zipfile.BadZipFile:
        return damage(random, content)
    name = random.choice(sorted(files))
    files[name] = damage(random, files[name])
    if random.random() < 0.1:
        del files[name]
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()
