"""The view of reports in headless Chromium: what each role finds and may do; a report leads to a listing that refuses the next
copy, and one click takes it back."""
import json
import os
import time

import pytest

from browser import ENTER, Browser
from operatorpage import Page
from processes import wait_until
from product import Gateway, Home

pytestmark = pytest.mark.needs("chromium", "chromium-driver", "npm")
TOKENS = {role: f"the-token-of-{role}-{os.urandom(6).hex()}" for role in ("admin", "quarantine", "reader")}
SUBJECT, BODY = "Your <b>invoice</b> is overdue", "the text of the message"
IDS = ("ABCDEFGHJKMN", "0123456789AB")
BUTTONS = "return [...document.querySelectorAll('.more button')].map(b => b.textContent)"
PRESS = """[...document.querySelectorAll(arguments[0] + ' button')].find(b => b.textContent.startsWith(arguments[1])).focus()"""


def stored(home: Home, number: int, host: str) -> str:
    """A report of two people, as the gateway stores it."""
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    key = {"key": {"kind": "DOMAIN", "text": host}, "where": "link", "objection": None}
    own = {"key": {"kind": "DOMAIN", "text": "corp.example"}, "where": "link", "objection": "of a domain of the site"}
    voices = [{"time": now, "reporter": {"mailbox": f"{name}@corp.example", "clientNetwork": ""}, "identifiers": [0, 1]}
              for name in ("ann", "ben")]
    folder = home.path("var", "reports")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{IDS[number]}.json").write_text(json.dumps({
        "id": IDS[number], "message": {"subject": SUBJECT, "from": "a@sender.test", "messageId": "", "token": None, "date": now,
                                       "recipients": ["victim@corp.example"], "identifiers": [key, own]},
        "voices": voices, "outcome": {"state": "open", "by": "", "time": now}}), encoding="utf-8")
    return IDS[number]


@pytest.fixture
def gateway(home: Home) -> Gateway:
    home.configure("http: { operators: { %s } }" % ", ".join(f"{role}-ada: {{ role: {role}, token: {token} }}" for role, token in TOKENS.items()))
    home.list_domains("evil.example")
    home.rebuild()
    return home.gateway()


def press(page: Page, words: str, where: str = ".more") -> None:
    page.browser.run(PRESS, where, words)
    page.browser.keys(ENTER)


def become(page: Page, role: str) -> None:
    if page.browser.run("return sessionStorage.length"):
        page.browser.run("document.getElementById('who').click()")
    page.sign_in(TOKENS[role])
    page.wait_for_text("#who", role)


def test_report_becomes_a_listing_and_back(home: Home, processes, gateway: Gateway, expect) -> None:
    first, second = stored(home, 0, "phish.example"), stored(home, 1, "other.example")
    expect("the first copy is delivered", gateway.mail(b"phish.example").startswith("250"))
    browser = Browser(processes, home.folder)
    try:
        page = Page(browser, home, gateway, expect)
        browser.look(1280, "light")
        browser.open(gateway.url + "/#/reports")
        page.settle("reports")
        become(page, "reader")
        page.wait_for_text("#problem", "needs the role quarantine")

        become(page, "quarantine")
        page.wait_for_text("main", "2 reports")
        page.picture("reports", 1280, "light")
        page.open(f"reports/{second}")
        page.wait_for_text(".more", "other.example")
        expect("who reported and received it", all(f"{name}@corp.example" in browser.run("return document.querySelector('.more').innerText")
                                                   for name in ("ann", "ben", "victim")))
        expect("no listing for this role", browser.run(BUTTONS) == ["Harmless", "Ask again later"])
        expect("the subject is text", browser.run("return document.querySelector('main b b') === null"))
        press(page, "Ask again later")
        page.wait_for_text(".answer", "ask again later")

        become(page, "admin")
        page.open(f"reports/{first}")
        page.wait_for_text(".more", "List …")
        page.wait_for_text(".more", "Of a domain of the site")
        page.picture("report", 400, "dark")
        browser.look(1280, "light")
        press(page, "List …")
        browser.wait("the question", "return document.querySelector('dialog[open]')?.textContent.includes('phish.example')")
        press(page, "List it", "dialog[open]")
        page.wait_for_text(".answer", "listed")
        wait_until("the next copy is refused", lambda: gateway.mail(b"phish.example").startswith("550"))

        page.wait_for_text(".more", "Take back")
        press(page, "Take back")
        browser.wait("the question", "return document.querySelector('dialog[open]')?.textContent.includes('24 hours')")
        press(page, "Take back", "dialog[open]")
        page.wait_for_text(".answer", "taken back")
        wait_until("the next copy is delivered", lambda: gateway.mail(b"phish.example").startswith("250"))
        errors = [entry for entry in browser.console() if "status of 404" not in entry["message"]]
        expect(f"no error in the console: {errors}", not errors)
    finally:
        browser.close()
