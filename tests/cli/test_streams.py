"""Standard streams that are closed or that nobody reads."""

import io
import os
import sys

from twofold.cli.streams import let_go, prepare_streams, tell


def test_closed_streams_are_opened_and_letters_replaced(monkeypatch):
    ascii_only = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdin", None)
    monkeypatch.setattr(sys, "stdout", ascii_only)
    monkeypatch.setattr(sys, "stderr", None)
    prepare_streams()
    print("naïve")
    ascii_only.flush()
    assert ascii_only.buffer.getvalue() == b"na?ve\n"
    for stream in (sys.stdin, sys.stderr):
        assert stream is not None
        stream.close()


def test_nobody_need_hear_what_is_told(monkeypatch, tmp_path):
    reader, writer = os.pipe()
    os.close(reader)
    with open(writer, "w") as stream:
        monkeypatch.setattr(sys, "stderr", stream)
        tell("A line.")
        print("and another", file=stream, flush=True)  # goes nowhere, without an error


def test_a_stream_without_a_number_is_left_alone():
    stream = io.StringIO()
    let_go(stream)
    assert stream.getvalue() == ""
