"""The browser extension of src/readers/js in the real Chromium: a listed host is blocked with the reason, and shown after "go on"; a
false positive is shown after one question; a clean one without any; with the publisher away the option page decides. Publisher and
checks need no token: http.open has check and snapshots."""
import hashlib
import json
import subprocess
import urllib.error
from pathlib import Path

import pytest

from browser import Browser
from processes import wait_until
from product import CHECKOUT, Home
from webserver import Handler, Passing, served

pytestmark = pytest.mark.needs("chromium", "chromium-driver", "openssl")


class Site(Handler):
    """Every host of the web."""

    def do_GET(self) -> None:
        self.answer(200, "text/html", f"<!doctype html><title>site</title><p id=site>{self.headers['Host']}</p>".encode())


class Publisher(Passing):
    """Passes requests on to Bloomgate and counts them."""
    requests: list[str] = []

    def pass_on(self, body: bytes | None) -> None:
        self.requests.append(f"{self.command} {self.path}")
        super().pass_on(body)


def openssl(*arguments: str, stdin: bytes = b"") -> bytes:
    return subprocess.run(["openssl", *arguments], input=stdin, capture_output=True, check=True).stdout


def false_positive(home: Home) -> str:
    """A name that the filter may contain and no feed lists; its rate is high."""
    names = [f"clean{n}.test" for n in range(4000)]
    said = home.run("check", "--json", "domain", "-", stdin="".join(f"{name}\n" for name in names)).stdout
    return next(json.loads(line)["value"] for line in said.splitlines() if json.loads(line)["suspect"])


class Visitor:
    def __init__(self, browser: Browser, extension: Path):
        self.browser = browser
        digest = hashlib.sha256(str(extension).encode()).hexdigest()[:32]
        self.home = "chrome-extension://" + "".join(chr(ord("a") + int(digit, 16)) for digit in digest)

    def set_options(self, url: str, keys: str, on_failure: str) -> str:
        """What the option page says after saving."""
        self.browser.open(self.home + "/options.html")
        self.browser.wait("the option page", "return document.querySelector('output')?.value === 'ready'")
        self.browser.run("const e = document.getElementById('form').elements; [e.url.value, e.keys.value, e.onFailure.value] = arguments;"
                         "e.result.value = ''; document.getElementById('form').requestSubmit();", url, keys, on_failure)
        return self.browser.wait("the lists", "return document.querySelector('output').value")

    def visit(self, host: str) -> str:
        """The text of the page that is shown in the end: that of the site only when the extension had time to take its place."""
        self.browser.open(f"http://{host}/")
        return self.browser.wait(host, "return document.getElementById('why')?.textContent || document.getElementById('site')?.textContent")

    def is_blocked(self, host: str) -> str:
        self.browser.open(f"http://{host}/")
        return self.browser.wait(f"{host} blocked", "return document.getElementById('why')?.textContent")


def test_the_extension_warns_at_click_time(home: Home, processes, expect):
    extension = CHECKOUT / "src" / "readers" / "js" / "extension"
    (home.path("key.pem")).write_bytes(openssl("genpkey", "-algorithm", "ed25519"))
    public = openssl("pkey", "-in", str(home.path("key.pem")), "-pubout").decode()
    home.configure(f"rebuild: {{ signingKey: {home.path('key.pem')} }}", "filters: { memory: 1200 }")
    home.list_domains("bad.test", *(f"listed{n}.test" for n in range(1000)))
    home.rebuild("--seed", "7")  # With another one the clean names below may be false positives.
    service = home.lookup_service("http.open=[check, snapshots]")
    Publisher.target, Publisher.requests = service.url, []
    with pytest.raises(urllib.error.HTTPError, match="401"):
        service.get("/v1/status")
    maybe = false_positive(home)
    site, publisher = served(Site), served(Publisher)
    url = f"http://127.0.0.1:{publisher.server_port}"
    browser = Browser(processes, home.folder, (f"--load-extension={extension}", "--disable-features=DisableLoadExtensionCommandLineSwitch",
                                               f"--host-resolver-rules=MAP *.test 127.0.0.1:{site.server_port},"
                                               f"MAP 192.0.2.7 127.0.0.1:{site.server_port}"))
    visitor = Visitor(browser, extension)
    try:
        expect("the wrong key is rejected", "failed: " in visitor.set_options(url, openssl("pkey", "-pubout", stdin=openssl("genpkey", "-algorithm", "ed25519")).decode(), "open"))
        expect("lists are fetched", visitor.set_options(url, public, "open") == "lists fetched")
        fetched = len(Publisher.requests)
        expect("a clean page is shown", visitor.visit("surely-clean.test") == "surely-clean.test")
        why = visitor.is_blocked("www.bad.test")
        expect(f"a page of a listed host is blocked: {why}", why == "www.bad.test is listed as phishing by test (bad.test)")
        expect(f"one question: {Publisher.requests[fetched:]}", Publisher.requests[fetched:] == ["POST /v1/check"])
        browser.click("#on")
        shown = browser.wait("the page after all", "return document.getElementById('site')?.textContent")
        expect("go on shows it", shown == "www.bad.test" and len(Publisher.requests) == fetched + 1)
        expect("a false positive is shown", visitor.visit(maybe) == maybe)
        wait_until("the question", lambda: len(Publisher.requests) == fetched + 2)
        expect("after one question", browser.run("return document.getElementById('site')?.textContent") == maybe)
        expect("an address is shown", visitor.visit("192.0.2.7") == "192.0.2.7")
        wait_until("the question about its network", lambda: len(Publisher.requests) == fetched + 3)

        browser.open(visitor.home + "/options.html")
        browser.devtools("ServiceWorker.enable")
        browser.devtools("ServiceWorker.stopAllWorkers")
        publisher.shutdown()
        publisher.server_close()
        expect("the worker wakes without the publisher: clean", visitor.visit("also-clean.test") == "also-clean.test")
        expect("away, open: shown", visitor.visit("listed7.test") == "listed7.test")
        expect("away: the filters stay", "failed" in visitor.set_options(url, public, "closed"))
        expect("away, closed: blocked", "could not be checked" in visitor.is_blocked("listed7.test"))
        expect("away, closed: a clean page is shown", visitor.visit("still-clean.test") == "still-clean.test")
    finally:
        browser.close()
        site.shutdown()
