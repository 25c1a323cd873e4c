"""Who may come in, and what a browser is told about what it gets."""

import re

import pytest
from page_visitors import HOST, TOKEN, open_client

from twofold.page.page_rendering import load_script, load_style

PAGES = ["/", "/read?table=0", "/answer?table=0", "/download?table=0&as=html", "/questions"]


@pytest.mark.parametrize("page", PAGES)
def test_nothing_is_shown_without_the_token(stranger, page):
    response = stranger.get(page, follow_redirects=False)
    assert response.status_code == 403
    assert "printed" in response.text


def test_a_wrong_token_is_refused_and_sets_no_cookie(stranger):
    response = stranger.get("/?token=guess", follow_redirects=False)
    assert response.status_code == 403
    assert "set-cookie" not in response.headers


def test_the_token_becomes_a_cookie_that_scripts_and_other_sites_cannot_use(stranger):
    response = stranger.get(f"/?token={TOKEN}&table=a", follow_redirects=False)
    assert response.status_code == 303
    assert response.headers["location"] == "/?table=a"  # the token leaves the address
    cookie = response.headers["set-cookie"].lower()
    assert cookie.startswith("twofold-8723=")  # pages on other ports have cookies of their own
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert "domain" not in cookie
    assert stranger.get("/").status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8723", "127.0.0.1.evil.example:8723", "", "169.254.1.1"]
)
def test_names_that_only_lead_here_are_refused(visitor, host):
    response = visitor.get("/", headers={"host": host}, follow_redirects=False)
    assert response.status_code == 421


@pytest.mark.parametrize("host", ["127.0.0.1:8723", "localhost:8723", "[::1]:8723", "LOCALHOST"])
def test_names_of_this_machine_pass_the_first_door(stranger, host):
    response = stranger.get("/", headers={"host": host}, follow_redirects=False)
    assert response.status_code == 403  # the second door: no token


def test_with_another_host_its_own_name_and_address_are_known():
    with open_client(host="0.0.0.0", base_url="http://192.0.2.7:8723", count=1) as client:
        assert client.get(f"/?token={TOKEN}").status_code == 200  # the address it came in at
        assert client.get("/", headers={"host": "192.0.2.8"}).status_code == 421
        assert client.get("/", headers={"host": "evil.example"}).status_code == 421


@pytest.mark.parametrize(
    ("origin", "site"),
    [
        ("http://evil.example", None),
        ("null", None),
        ("http://127.0.0.1:9999", None),
        ("https://127.0.0.1:8723", None),
        (HOST, "cross-site"),
        (HOST, "same-site"),  # another port of this machine
        (None, None),
        (None, "cross-site"),
    ],
)
def test_writes_come_from_the_page_itself(visitor, origin, site):
    headers = {"origin": origin, "sec-fetch-site": site}
    given = {name: value for name, value in headers.items() if value is not None}
    files = {"files": ("a.csv", b"d,a,b\nx,1,2\n")}
    response = visitor.client.post("/tables", files=files, headers=given)
    assert response.status_code == 403
    assert "another page" in response.text


def test_a_write_without_the_cookie_is_refused(stranger):
    headers = {"origin": HOST, "sec-fetch-site": "same-origin"}
    response = stranger.post("/tables", files={"files": ("a.csv", b"d,a\n")}, headers=headers)
    assert response.status_code == 403


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_other_methods_do_nothing(visitor, method):
    response = visitor.client.request(method, "/tables", headers={"origin": HOST})
    assert response.status_code in (404, 405)
    assert visitor.client.request(method, "/").status_code == 403


def test_a_page_may_load_its_own_style_and_script_and_nothing_else(visitor):
    response = visitor.get("/")
    policy = dict(
        part.split(" ", 1) for part in response.headers["content-security-policy"].split("; ")
    )
    assert policy["default-src"] == "'none'"
    assert re.fullmatch(r"'sha256-[\w+/=]{44}'", policy["script-src"])
    assert re.fullmatch(r"'sha256-[\w+/=]{44}'", policy["style-src-elem"])
    assert policy["form-action"] == policy["connect-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["base-uri"] == "'none'"
    # What the digests stand for is what is on the page, and there is nothing beside it.
    assert re.findall(r"<style>(.*?)</style>", response.text, re.S) == [load_style()]
    assert re.findall(r"<script.*?>(.*?)</script>", response.text, re.S) == [load_script()]
    assert not re.findall(r'(?:src|href)="(?:https?:)?//', response.text)


def test_every_response_says_how_it_may_be_used(visitor):
    for page in ("/", "/nowhere", "/download?as=html"):
        headers = visitor.get(page).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert headers["cache-control"] == "no-store"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert "access-control-allow-origin" not in headers


def test_an_address_may_not_be_of_any_length(visitor):
    assert visitor.get("/read?table=" + "a" * 30_000).status_code == 414
