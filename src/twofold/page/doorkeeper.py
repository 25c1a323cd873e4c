"""Who may come in: the Host header, the token and its cookie, the origin of writes.

A page on one's own machine can be reached by any page that one's browser opens, by names that lead
to 127.0.0.1 (DNS rebinding), and by other users of the machine. Each of them stops at one of these.
"""

from __future__ import annotations

import hmac
import ipaddress
from collections.abc import Callable, Iterable
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs, urlencode

from twofold.page import page_limits

LOOPBACK = ("127.0.0.1", "localhost", "::1")
SAFE_METHODS = ("GET", "HEAD")
TOKEN = "token"

HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
"""Of every response; pages add what they may load."""

DENY_ALL = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

Refuse = Callable[[int, str, str], Any]


class Doorkeeper:
    """An ASGI application around another one, which sees only requests that may come in.

    Parameters
    ----------
    app : ASGI application
    token : str
        Known to whoever read it in the terminal; the first address holds it.
    hosts : names under which the page may be asked for
    any_address : bool
        Whether the address of this machine at which the request came in may be named, too.
    refuse : function of status, rule and remedy
        Makes the response to a request that stays outside.
    """

    def __init__(
        self, app: Any, token: str, hosts: Iterable[str], any_address: bool, refuse: Refuse
    ) -> None:
        self._app = app
        self._token = token
        self._hosts = {host.lower() for host in hosts}
        self._any_address = any_address
        self._refuse = refuse

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request, or hand it on."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return  # there are no web sockets here
        response = self._judge(scope)
        await (response or self._app)(scope, receive, _add_headers(send))

    def _judge(self, scope: Any) -> Any:
        """Return why a request stays outside, or None where it may come in."""
        headers: dict[str, str] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name.decode("latin-1").lower(), value.decode("latin-1"))
        host, port = split_host(headers.get("host", ""))
        if not self._knows(host, scope):
            return self._refuse(
                421, "This page answers to its own address only.",
                "Open the address that `twofold serve` printed.",
            )  # fmt: skip
        if len(scope.get("query_string", b"")) > page_limits.LONGEST_QUERY:
            return self._refuse(414, "The address is too long.", "Choose fewer names.")
        cookie = name_cookie(port)
        if scope["method"] in SAFE_METHODS:
            entering = self._enter(scope, cookie)
            if entering is not None:
                return entering
        if not self._is_known(_read_cookie(headers.get("cookie", ""), cookie)):
            return self._refuse(
                403, "This browser was not let in yet.",
                "Open the address that `twofold serve` printed, with its token. If you came by a "
                "link from elsewhere, reload this page.",
            )  # fmt: skip
        if scope["method"] not in SAFE_METHODS and not _is_same_origin(headers):
            return self._refuse(
                403, "This came from another page.", "Use the forms of this page itself."
            )
        return None

    def _knows(self, host: str, scope: Any) -> bool:
        if host in self._hosts:
            return True
        # An address in digits is never somebody else's name for this machine.
        return self._any_address and host == (scope.get("server") or ("",))[0] and _is_digits(host)

    def _is_known(self, token: str) -> bool:
        return hmac.compare_digest(token.encode(), self._token.encode())

    def _enter(self, scope: Any, cookie: str) -> Any:
        """Return the way in for an address with the token, which becomes a cookie."""
        query = parse_qs(scope.get("query_string", b"").decode("latin-1"), keep_blank_values=True)
        given = query.pop(TOKEN, None)
        if given is None:
            return None
        if not self._is_known(given[-1]):
            return self._refuse(
                403, "The token in this address is not the one of this process.",
                "`twofold serve` makes a new one each time; open the address that it printed last.",
            )  # fmt: skip
        from starlette.responses import RedirectResponse

        rest = urlencode(query, doseq=True)
        response = RedirectResponse(scope["path"] + (f"?{rest}" if rest else ""), 303)
        response.set_cookie(cookie, self._token, httponly=True, samesite="strict", path="/")
        return response


def split_host(text: str) -> tuple[str, str]:
    """Return the name and the port of a Host header.

    >>> split_host("[::1]:8723"), split_host("LOCALHOST:80"), split_host("a:b@c")
    (('::1', '8723'), ('localhost', '80'), ('a:b@c', ''))
    """
    name, colon, port = text.strip().lower().rpartition(":")
    if not colon or not port.isdecimal():
        name, port = text.strip().lower(), ""
    if name.startswith("[") and name.endswith("]"):
        name = name[1:-1]
    return name, port


def name_cookie(port: str) -> str:
    """Return the name of the cookie: cookies do not tell ports of one host apart."""
    return f"twofold-{port or '80'}"


def _read_cookie(text: str, name: str) -> str:
    try:
        morsel = SimpleCookie(text).get(name)
    except CookieError:
        return ""
    return "" if morsel is None else morsel.value


def _is_same_origin(headers: dict[str, str]) -> bool:
    """Tell whether a write comes from a page of this very address."""
    site = headers.get("sec-fetch-site")
    if site is not None and site != "same-origin":
        return False
    origin = headers.get("origin")
    if origin is None:
        return site == "same-origin"
    return origin.lower() == f"http://{headers.get('host', '').lower()}"


def _is_digits(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _add_headers(send: Any) -> Any:
    async def send_with_headers(message: Any) -> None:
        if message["type"] == "http.response.start":
            present = {name.lower() for name, _ in message["headers"]}
            more = {"content-security-policy": DENY_ALL, **HEADERS}
            message["headers"] = [
                *message["headers"],
                *((k.encode(), v.encode()) for k, v in more.items() if k.encode() not in present),
            ]
        await send(message)

    return send_with_headers
