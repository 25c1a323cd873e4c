"""Messages speak Python in Python, and the shell's flags in the shell."""

import ast
import re
from pathlib import Path

import pytest

import twofold
from twofold.cli import main, make_parser
from twofold.cli.shell_words import speak_shell
from twofold.options import Question, Reading, Running, options_of

SOURCES = Path(twofold.__file__).parent
OPTIONS = {o.name: o for group in (Question, Reading, Running) for o in options_of(group)}
FLAG = re.compile(r"(?<![\w-])--[a-z]")
BARE = re.compile(
    rf"(?<![\w`(,. ])(?:{'|'.join(OPTIONS)})=|(?<=[a-z] )(?:{'|'.join(OPTIONS)})=['X]"
)


@pytest.fixture(scope="module")
def compare():
    parser = make_parser()
    return parser.parse_args(["compare", "file.csv"]).parser


@pytest.mark.parametrize(
    ("python", "shell"),
    [
        ("`rows='folds'`", "`--rows folds`"),
        ("`rows='splits', test_share=X`", "`--rows splits --test-share X`"),
        ("`drop='n instances'`", "`--drop 'n instances'`"),
        ("`only=['a', 'b']`", "`--learners a,b`"),
        ("`only=['a', 'b', ...]`", "`--learners a,b,…`"),
        ("`only=['a, b', 'c']`", "`--learners 'a, b' --learners c`"),
        ("`only=[A, B]`", "`--learners A,B`"),
        ("`only`", "`--learners`"),
        ("`higher_is_better=False`", "`--lower-is-better`"),
        ("`stratify=False`", "`--no-stratify`"),
        ("`transpose=True`", "`--transpose`"),
        ("`df='own.json'`", "`--df own.json`"),
        ("`test_share=0.1`", "`--test-share 0.1`"),
        ("`compare(learners, data)`", "`twofold compare A B --data FILE`"),
        (
            "`compare(learners, data, test='5x2cv-f')`",
            "`twofold compare A B --data FILE --test 5x2cv-f`",
        ),
    ],
)
def test_python_becomes_shell(python, shell, compare):
    assert speak_shell(f"Say {python} or so.", compare) == f"Say {shell} or so."


@pytest.mark.parametrize(
    ("python", "shell"),
    [
        ("`differences=(0, 0.02, 0.05)`", "`--differences 0 0.02 0.05`"),
        ("`only=[A, B]`", "`--learners A B`"),  # called `only` elsewhere
        ("`only`", "`--learners`"),
    ],
)
def test_python_becomes_words_of_a_study(python, shell):
    study = make_parser().parse_args(["study"]).parser
    assert speak_shell(f"Say {python} or so.", study) == f"Say {shell} or so."


@pytest.mark.parametrize(
    "text",
    ["`corrected-cv-t`", "`higher_is_better`", "`progress`", "`y`", "`twofold store check`",
     "`stratify=True`", "`inputs`", "`nothing='known'`", "`('`", "a ` alone"],
)  # fmt: skip
def test_what_is_no_option_stays(text, compare):
    assert speak_shell(text, compare) == text


def test_an_error_and_a_note_in_both(tmp_path, capsys):
    table = tmp_path / "scores.csv"
    table.write_text("dataset,a,b,size\nx,94,95,92\ny,90,97,93\nz,68,78,71\n", "utf-8")
    with pytest.raises(twofold.InputError, match=r"`drop='size'`, .* `only=\['a', 'b', 'size'\]`"):
        twofold.compare(table)
    assert main(["compare", str(table)]) == 2
    assert "`--drop size`, or say which are learners: `--learners a,b,size`" in (
        capsys.readouterr().err
    )
    table.write_text("dataset,a,b\nx,.94,.95\ny,.90,.97\nz,.68,.78\n", "utf-8")
    details = [note.detail for note in twofold.compare(table).notes]
    assert any("`higher_is_better=False`" in text for text in details)
    assert main(["compare", str(table)]) == 0
    assert "`--lower-is-better`" in " ".join(capsys.readouterr().out.split())


def texts_in(node):
    """Every text but the docstrings, with X where values are put in."""
    if isinstance(node, ast.JoinedStr | ast.Constant):
        parts = getattr(node, "values", [node])
        yield "".join(str(part.value) if isinstance(part, ast.Constant) else "X" for part in parts)
    elif not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
        for child in ast.iter_child_nodes(node):
            yield from texts_in(child)


@pytest.fixture(scope="module")
def messages():
    """Texts outside of the command line, by file; those of reports are about answers."""
    folders = ("cli", "report", "options.py")
    files = [p for p in SOURCES.rglob("*.py") if p.relative_to(SOURCES).parts[0] not in folders]
    texts = [(p.name, text) for p in files for text in texts_in(ast.parse(p.read_text("utf-8")))]
    return [(name, text) for name, text in texts if " " in text]


def test_no_message_names_a_flag(messages):
    """Flags stand only in whole commands, such as `twofold data --download iris`."""
    for file, text in messages:
        rest = re.sub(r"`(twofold|dask) [^`]*`|^twofold calibrate .*", "", text)
        assert not FLAG.search(rest), f"{file}: {text}"


def test_keywords_stand_between_backquotes_and_are_translated(messages, compare):
    keyword = re.compile(rf"(?<![\w.(])({'|'.join(OPTIONS)})=(?=['X\[A-Z])")
    for file, text in messages:
        assert not keyword.search(re.sub(r"`[^`]*`", "", text)), f"{file}: {text}"
        for piece in re.findall(r"`([^`]*)`", text):
            if keyword.match(piece):
                assert speak_shell(f"`{piece}`", compare).startswith("`--"), f"{file}: {piece}"
