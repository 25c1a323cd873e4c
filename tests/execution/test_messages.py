"""Messages between processes come whole, in order, with their files, or not at all."""

import os
import socket
import threading

import pytest

from twofold.execution.messages import Inbox, receive, send


@pytest.fixture
def ends():
    here, there = socket.socketpair()
    with here, there:
        yield here, there


def test_messages_come_in_order_with_their_files(ends, tmp_path):
    here, there = ends
    path = tmp_path / "file"
    path.write_text("content")
    with open(path) as stream:
        send(here, ("first", 1), [stream.fileno()])
    send(here, ("second", 2))
    message, (file,) = receive(there)
    assert message == ("first", 1)
    with os.fdopen(file) as stream:
        assert stream.read() == "content"
    assert receive(there) == (("second", 2), [])


def test_a_large_message_comes_in_parts(ends):
    here, there = ends
    large = os.urandom(3_000_000)
    thread = threading.Thread(target=send, args=(here, large))
    thread.start()
    assert receive(there) == (large, [])
    thread.join()


def test_the_end_is_told_also_in_the_middle_of_a_message(ends):
    here, there = ends
    send(here, "whole")
    here.sendall(b"2fold" + (100).to_bytes(8, "little") + b"not all of it")
    here.close()
    assert receive(there) == ("whole", [])
    with pytest.raises(EOFError):
        receive(there)
    with pytest.raises(EOFError):
        receive(there)


def test_nonsense_is_no_message(ends):
    here, there = ends
    here.sendall(b"something else altogether")
    with pytest.raises(ValueError, match="no message"):
        receive(there)


def test_an_inbox_gives_what_is_complete(ends):
    here, there = ends
    inbox = Inbox(there)
    assert inbox.read()  # nothing has come, but it may
    send(here, 1)
    send(here, 2)
    here.sendall(b"2fold" + (100).to_bytes(8, "little"))
    assert inbox.read()
    assert list(inbox.messages()) == [1, 2]
    here.close()
    assert not inbox.read()


def test_an_inbox_whose_socket_is_broken_has_ended(ends):
    _, there = ends
    inbox = Inbox(there)
    there.close()
    assert not inbox.read()
