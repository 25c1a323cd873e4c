"""The command line: one verb per job. Errors are two lines on standard error, exit code 2."""

from __future__ import annotations

import argparse
import os
import re
import shlex
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn

from twofold.cli import parser as define
from twofold.cli.gate_arguments import add_gate
from twofold.cli.plan_arguments import add_plan
from twofold.cli.reproduce_arguments import add_reproduce
from twofold.cli.serve_arguments import add_serve
from twofold.cli.shell_words import speak_shell
from twofold.cli.store_arguments import add_arguments as add_store
from twofold.cli.streams import let_go, prepare_streams, tell
from twofold.cli.study_arguments import add_calibrate, add_study
from twofold.errors import InputError, TwofoldError, suggest
from twofold.escapes import make_visible
from twofold.extras import library_error
from twofold.provenance_record import is_experiment
from twofold.signals import Stopped, raise_on_signals

DESCRIPTION = "Which learning algorithm is better, and would the answer come out the same twice?"
EXIT_CODES = (
    "exit codes: 0 answered; 2 bad input, told in two lines; 3 with `compare --exit-code` where "
    "no difference was found; 0, 1 and 3 of `gate`: good enough, not good enough, undecided; "
    "130 stopped by Ctrl-C (143 and 129 by other signals); 141 the reader of the output went away"
)
READER_LEFT = 141
"""The code that shells have for a program that was ended by SIGPIPE."""
COMPLETE = "__complete"
"""The command that shells call while one types; it is not in the help."""
RUNNING = ("compare", "run")
STUDYING = ("study", "calibrate", "reproduce")


_WRONG_CHOICE = re.compile(r"invalid choice: '?(.*?)'? \(choose from (.*)\)")
_WRONG_FLAG = re.compile(r"unrecognized arguments:.*?(?<!\S)(--[^\s=]+)")


class _Parser(argparse.ArgumentParser):
    """A parser whose errors have two lines: the rule and the remedy."""

    def error(self, message: str) -> NoReturn:
        text = make_visible(message)
        self.exit(2, f"{self.prog}: {text}\n{self._find_remedy(message)}\n")

    def _find_remedy(self, message: str) -> str:
        """Return the word that was probably meant, where the message is about a wrong one."""
        remedy = f"Try: {self.prog} --help"
        if choice := _WRONG_CHOICE.search(message):
            words = [word.strip("'") for word in choice[2].split(", ")]
            return suggest(choice[1], words, remedy)
        if unknown := _WRONG_FLAG.search(message):
            flags = [flag for action in self._actions for flag in action.option_strings]
            return suggest(unknown[1], flags, remedy, 0.6)
        return remedy


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    prepare_streams()
    words = sys.argv[1:] if argv is None else argv
    if list(words[:1]) == [COMPLETE]:
        from twofold.cli.complete_words import answer_shell

        return answer_shell(words[1:], make_parser())
    arguments = argparse.Namespace(command=None)
    exit_code = 0
    try:
        with raise_on_signals(for_good=argv is None):
            arguments = _parse(argv)
            if arguments.command is None:
                make_parser().print_help()
            else:
                _check_folder()
                if arguments.command in RUNNING:
                    arguments = _apply_experiment(arguments, argv)
                # Each command lives in its own module, so that --help loads none of them.
                command = import_module(f"twofold.cli.{arguments.command}_command")
                exit_code = command.run(arguments) or 0
            sys.stdout.flush()
    except TwofoldError as error:
        rule, remedy = (speak_shell(text, arguments.parser) for text in (error.rule, error.remedy))
        tell(f"twofold: {rule}", remedy)
        return 2
    except KeyboardInterrupt as error:
        runs = getattr(arguments, "data", None) and arguments.command in RUNNING
        resumable = (runs or arguments.command in STUDYING) and _keeps(arguments.store)
        more = "What was finished is kept; the same command goes on from there."
        tell("twofold: stopped.", more if resumable else "Run it again for an answer.")
        return 128 + (error.number if isinstance(error, Stopped) else signal.SIGINT)
    except ModuleNotFoundError as error:
        missing = library_error(error.name or str(error), f"`twofold {arguments.command}`")
        tell(f"twofold: {missing.rule}", missing.remedy)
        return 2
    except BrokenPipeError:
        # The reader went away, as in `twofold tests | head`; there is nobody left to tell.
        let_go(sys.stdout)
        return READER_LEFT
    except OSError as error:
        # Files are looked after where they are used: what is left is a full disk under `> FILE`.
        let_go(sys.stdout)
        reason = error.strerror or type(error).__name__
        named = f" {error.filename!r}:" if error.filename else ""
        rule = f"twofold: The disk refuses:{named} {reason}."
        tell(rule, "Make space, or write to another place.")
        return 2
    return exit_code


def _parse(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = make_parser()
    try:
        words = sys.argv[1:] if argv is None else argv
        arguments, unknown = parser.parse_known_args(define.repeat_data(words))
        if unknown:  # the command knows its own flags
            command = getattr(arguments, "parser", parser)
            command.error(f"unrecognized arguments: {' '.join(unknown)}")
        for word in words:
            if word.startswith("--") and word.endswith("=--"):  # argparse makes a list of it
                parser.error(f"argument {word.removesuffix('=--')}: expected one argument")
        arguments.command_line = shlex.join(["twofold", *words])
        arguments.experiment = None
        return arguments
    finally:
        sys.stdout.flush()  # of --help, after which argparse ends the process


def _apply_experiment(
    arguments: argparse.Namespace, argv: Sequence[str] | None
) -> argparse.Namespace:
    """Return the arguments with those of an experiment file, if one is named."""
    if not any(map(is_experiment, arguments.inputs)):
        return arguments  # nothing is loaded
    from twofold.cli.experiment_arguments import apply_experiment

    return apply_experiment(arguments, sys.argv[1:] if argv is None else argv)


def _check_folder() -> None:
    try:
        os.getcwd()
    except OSError:
        raise InputError(
            "The current folder is not there any more.", "Change to another one: cd FOLDER"
        ) from None


def _keeps(store: str | None) -> bool:
    return (store or os.environ.get("TWOFOLD_STORE")) != ":memory:"


def find_parser(command: str) -> argparse.ArgumentParser:
    """Return the parser of a command, which knows its flags."""
    actions = make_parser()._actions
    commands = next(each for each in actions if isinstance(each, argparse._SubParsersAction))
    parser: argparse.ArgumentParser = commands.choices[command]
    return parser


def make_parser() -> argparse.ArgumentParser:
    """Return what reads the command line, with all commands."""
    from twofold import __version__

    parser = _Parser(prog="twofold", description=DESCRIPTION, epilog=EXIT_CODES)
    parser.add_argument("--version", action="version", version=f"twofold {__version__}")
    commands = parser.add_subparsers(dest="command", title="commands", metavar="COMMAND")
    define.add_compare(commands)
    define.add_read(commands)
    define.add_run(commands)
    add_plan(commands)
    add_gate(commands)
    define.add_tests(commands)
    define.add_data(commands)
    add_store(commands)
    add_study(commands)
    add_calibrate(commands)
    add_reproduce(commands)
    add_serve(commands)
    define.add_completion(commands)
    for command in commands.choices.values():
        command.set_defaults(parser=command)  # it knows the flags that messages name
    return parser
