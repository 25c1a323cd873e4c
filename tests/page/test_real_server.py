"""The page as a process with a port: many clients, slow ones, and its end."""

import http.client
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from page_visitors import SCORES, TOKEN

from twofold import InputError
from twofold.cli import main
from twofold.page import page_limits
from twofold.page.server import ServeOptions, _make_server, make_app, open_port
from waits import is_gone, wait_until


class Served:
    """A process that serves the page."""

    def __init__(self, *words, folder=None):
        command = [sys.executable, "-m", "twofold", "serve", "--port", "0", "--no-browser", *words]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder
        )
        self.address = re.search(r"http://\S+", self.process.stdout.readline())[0]
        self.port = urlsplit(self.address).port
        first = self.ask("GET", f"/?{urlsplit(self.address).query}")
        self.cookie = first.getheader("set-cookie").partition(";")[0]

    def ask(self, method, path, body=None, headers=None):
        """Send a request on a connection of its own, and return the response with its text."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        given = {"cookie": getattr(self, "cookie", ""), **(headers or {})}
        connection.request(method, path, body, given)
        response = connection.getresponse()
        response.text = response.read().decode()
        connection.close()
        return response

    def upload(self, content=SCORES, name="scores.csv"):
        """Send a table, and return the query of its address."""
        part = f'--x\r\nContent-Disposition: form-data; name="files"; filename="{name}"\r\n\r\n'
        headers = {
            "origin": f"http://127.0.0.1:{self.port}",
            "content-type": "multipart/form-data; boundary=x",
        }
        body = part.encode() + content + b"\r\n--x--\r\n"
        response = self.ask("POST", "/tables", body, headers)
        assert response.status == 303, response.text
        return response.getheader("location").partition("?")[2]

    def list_children(self):
        """The processes that it started, where the system tells."""
        listed = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return [int(number) for number in listed.read_text().split()]

    def stop(self, number=signal.SIGINT):
        """End it as Ctrl-C does, and return its exit code and what it said."""
        self.process.send_signal(number)
        out, err = self.process.communicate()
        return self.process.returncode, out, err


@contextmanager
def serving(*words, folder=None):
    served = Served(*words, folder=folder)
    try:
        yield served
    finally:
        served.process.terminate()
        served.process.communicate()


def test_a_hundred_clients_are_answered_at_once_while_others_say_nothing_and_ctrl_c_ends_it():
    with serving() as served:
        query = served.upload()
        silent = [socket.create_connection(("127.0.0.1", served.port)) for _ in range(100)]
        for connection in silent[:50]:
            connection.sendall(b"GET / HTT")  # and no more
        addresses = [f"/answer?{query}&alpha=0.0{i % 4 + 1}" for i in range(100)]
        with ThreadPoolExecutor(100) as pool:
            responses = list(pool.map(lambda address: served.ask("GET", address), addresses))
        assert [response.status for response in responses] == [200] * 100
        assert len({response.text for response in responses}) == 4
        with pytest.raises(ConnectionRefusedError):  # other addresses of this machine lead nowhere
            socket.create_connection(("127.0.0.2", served.port), timeout=5)
        children = served.list_children()
        assert children
        code, _, said = served.stop()
        assert code == 0
        assert said.splitlines() == ["Stopped. Uploaded tables are gone."]
        wait_until(lambda: all(map(is_gone, children)))
        for connection in silent:
            connection.close()


def test_it_ends_while_it_answers(tmp_path):
    rows = "".join(f"d{i}," + ",".join(f"0.{(i * j) % 97:02}" for j in range(300)) + "\n"
                   for i in range(400))  # fmt: skip
    large = ("d," + ",".join(f"m{j}" for j in range(300)) + "\n" + rows).encode()
    with serving(folder=tmp_path) as served:
        query = served.upload(large, "large.csv")
        thread = threading.Thread(target=_ask_quietly, args=(served, f"/answer?{query}"))
        thread.start()
        time.sleep(0.2)  # it may have begun; either way it must end
        code, _, said = served.stop(signal.SIGTERM)
        thread.join()
        assert code == 0
        assert "Traceback" not in said
        assert not list(tmp_path.iterdir())


def _ask_quietly(served, address):
    with suppress(OSError, http.client.HTTPException):
        served.ask("GET", address)


@contextmanager
def serving_in_thread():
    """The page in this process, for limits that a test changes."""
    with open_port("127.0.0.1", 0) as listener:
        server = _make_server(make_app(ServeOptions(token=TOKEN), count=1))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield listener.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join()


def test_a_client_that_goes_silent_is_cut_off(monkeypatch):
    monkeypatch.setattr(page_limits, "SILENT_SECONDS", 0.3)
    with serving_in_thread() as port:
        begun = socket.create_connection(("127.0.0.1", port))
        begun.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ")
        assert begun.recv(100) == b""  # closed, and not by us
        upload = socket.create_connection(("127.0.0.1", port))
        upload.sendall(
            f"POST /tables HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n"
            f"Cookie: twofold-{port}={TOKEN}\r\nContent-Length: 5000\r\n"
            "Content-Type: multipart/form-data; boundary=x\r\n\r\n--x\r\n".encode()
        )
        received = b""
        while piece := upload.recv(65536):
            received += piece
        assert received.startswith(b"HTTP/1.1 422")
        assert b"The upload broke off." in received
        begun.close()
        upload.close()


def test_it_listens_on_this_machine_alone():
    with open_port("127.0.0.1", 0) as listener:
        assert listener.getsockname()[0] == "127.0.0.1"
    assert ServeOptions().host == "127.0.0.1"


def test_ports_and_hosts_that_cannot_be_are_refused(capsys):
    with open_port("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        assert main(["serve", "--port", str(port), "--no-browser"]) == 2
        assert f"Port {port} of 127.0.0.1 cannot be used" in capsys.readouterr().err
    assert main(["serve", "--port", "many"]) == 2
    assert main(["serve", "--host", "no.such.host.invalid", "--no-browser"]) == 2
    assert "has no address" in capsys.readouterr().err
    with pytest.raises(InputError):
        open_port("127.0.0.1", 70_000)


def test_a_file_that_is_not_there_is_refused_before_anything_is_served(capsys, tmp_path):
    assert main(["serve", str(tmp_path / "none.csv"), "--no-browser"]) == 2
    assert "There is no file" in capsys.readouterr().err


def test_without_the_extra_it_is_named(monkeypatch, capsys):
    monkeypatch.setattr("twofold.extras.find_spec", lambda name: None)
    monkeypatch.setattr("twofold.extras._INSTALLED", set())
    monkeypatch.setitem(sys.modules, "starlette", None)
    assert main(["serve", "--no-browser"]) == 2
    said = capsys.readouterr().err
    assert "starlette, which is not installed" in said
    assert "pip install 'twofold[page]'" in said
