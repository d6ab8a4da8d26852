"""The status page in headless Chromium over a gateway that gets hostile mail: no console error and no violation of its policy,
layers and decisions, check boxes, keyboard alone, the token and what it opens, 360 pixels, both colour schemes, axe-core.
Pictures of it stand in target/acceptance/status."""
import os
import re
import subprocess
import threading
import time
import urllib.request

import pytest

from browser import TAB, Browser
from processes import wait_until
from product import OUTPUT, Gateway, Home
from smtp import SmtpClient

pytestmark = pytest.mark.needs("chromium", "chromium-driver", "npm")
TOKEN = f"a-token-of-the-check-{os.urandom(6).hex()}"
PASSWORD = f"correct-horse-{os.urandom(4).hex()}"
HOSTILE = '"<script>hacked=1</script>\u202egpj"@sender.test'
HOSTILE_LINK = (b'Subject: x\r\nContent-Type: text/html\r\n\r\n'
                b'<a href="http://evil.example/&lt;script&gt;hacked=1&lt;/script&gt;">x</a>\r\n')
CHECKS = (("domain", "www.evil.example", "listed"), ("domain", "good.example", "not listed"),
          ("url", "http://shared.example/bad/x", "listed"), ("address", "a@evil.example", "listed"),
          ("url", "http://ok.test/<img src=x onerror=hacked=1>", "not listed"))
AXE = """const done = arguments[0];
axe.run(document, {resultTypes: ['violations']}).then(
  r => done(r.violations.map(v => [v.impact, v.id, v.nodes.map(n => n.target + ': ' + n.failureSummary).slice(0, 3)])),
  e => done([['serious', String(e), []]]))"""
NOTE_VIOLATIONS = """window.violations = [];
document.addEventListener('securitypolicyviolation', e => violations.push(e.violatedDirective + ' ' + e.blockedURI))"""
BOTH_LAYERS = "return document.querySelectorAll('#layers .layer').length === 2 && document.body.innerText.includes('leaked')"
STAYS_OPEN = "return document.querySelector('#decision-list details').open && document.activeElement.tagName === 'SUMMARY'"
# Counts what the keyboard can reach, and notes where the focus goes from now on, and whether it is seen there.
NOTE_FOCUS = """document.activeElement.blur();
window.seen = [];
document.addEventListener('focusin', window.noting = e => {
  const s = getComputedStyle(e.target);
  seen.push([e.target.id || e.target.name || e.target.textContent.slice(0, 30),
    s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 2]);
});
window.getSelection().removeAllRanges();
return [...document.querySelectorAll('a[href],button,input,select,summary')]
  .filter(e => e.getClientRects().length && !e.disabled && !e.closest('[hidden]')).length"""
HOSTILE_TOKEN = """const d = [...document.querySelectorAll('#decision-list li')]
  .find(li => li.textContent.includes('***@sender.test') && li.textContent.includes('evil.example'));
return d && d.querySelector('.token').textContent"""
MARKUP_IS_TEXT = r"""const li = [...document.querySelectorAll('#decision-list li')].find(l => l.textContent.includes('victim@dest.test'));
return li.textContent.includes('<script>hacked=1</script>') && !li.querySelector('script')
  && li.textContent.includes('\\u202e') && !li.textContent.includes('\u202e') && typeof hacked === 'undefined'"""
ANSWER = "return document.querySelector('#check-answer .badge, #check-answer .fault')?.textContent"
LOOKS = (("light", 1280, "light"), ("dark", 1280, "dark"), ("360-light", 360, "light", 800), ("360-dark", 360, "dark", 800))
HIDDEN = "return document.getElementById('operator').hidden"
SHOWN = "return !document.getElementById('operator').hidden"


@pytest.fixture
def gateway(home) -> Gateway:
    home.configure(f"http: {{ adminToken: {TOKEN} }}", "policy: { listed: { text: tag }, recipients: { defer.test: { listed: defer } } }")
    home.feeds("name: hosts, kind: domain, format: lines, source: hosts, category: phishing",
               "name: links, kind: url, format: lines, source: links, category: malware",
               "name: leaked, kind: password, format: lines, source: leaked, category: leaked",
               "name: fresh, kind: domain, format: lines, source: fresh, category: phishing, cadence: hourly")
    home.write("hosts", "evil.example", "worse.example", *(f"host-{i}.example" for i in range(4000)))
    home.write("links", "http://shared.example/bad/", *(f"http://shared.example/{i}/" for i in range(900)))
    home.write("leaked", PASSWORD, "123456", *(f"password{i}" for i in range(2000)))
    home.write("fresh", "minutes-old.example", *(f"fresh-{i}.example" for i in range(300)))
    home.run("rebuild", "--all", status=0)
    return home.gateway()


class Mail(threading.Thread):
    """A client that sends mail of all kinds until it is told to stop."""

    def __init__(self, gateway: Gateway):
        super().__init__(daemon=True)
        self.port, self.sending = gateway.smtp, True
        self.start()

    def run(self) -> None:
        number = 0
        with SmtpClient(self.port) as client:
            while self.sending:
                number += 1
                to, text = b"someone@dest.test", b"Subject: %d\r\n\r\nSee http://clean-%d.test/ " % (number, number)
                if number % 9 == 0:
                    text += b"and http://www.evil.example/login?who=someone@dest.test"
                elif number % 14 == 0:
                    to, text = b"b@defer.test", text + b"and http://shared.example/bad/invoice.exe"
                elif number % 5 == 0:
                    text = text.replace(b"\r\n\r\n", b"\r\nContent-Type: text/html\r\n\r\n") + b"<!-- http://worse.example/ -->"
                client.send(b"from%d@sender.test" % number, to, text)
                time.sleep(0.04)

    def stop(self) -> None:
        self.sending = False
        self.join()


def send_hostile_mail(gateway: Gateway, expect) -> None:
    with SmtpClient(gateway.smtp) as client:
        for line in (f"MAIL FROM:<{HOSTILE}> SMTPUTF8 BODY=8BITMIME", "RCPT TO:<victim@dest.test>", "DATA"):
            reply = client.command(line.encode())
            expect(f"{line!r}: {reply}", reply[0] in "23")
        client.socket.sendall(HOSTILE_LINK + b".\r\n")
        reply = client.reply()
        expect(f"hostile mail is refused: {reply}", reply.startswith("550"))


class Page:
    """The status page in a window, and what the check asks of it again and again."""

    def __init__(self, browser: Browser, home: Home, expect):
        self.browser, self.expect = browser, expect
        self.pictures = OUTPUT / "status"
        self.pictures.mkdir(parents=True, exist_ok=True)
        # Accessibility rules that somebody else wrote; from npm's registry.
        subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", home.folder, "axe-core@4"],
                       capture_output=True, check=True)
        self.axe_core = home.path("node_modules", "axe-core", "axe.min.js").read_text(encoding="utf-8")

    def wait_for_text(self, what: str, element: str, text: str, absent: bool = False) -> None:
        self.browser.wait(what, f"return {'!' if absent else ''}document.getElementById('{element}').textContent.includes('{text}')")

    def picture(self, name: str, width: int, scheme: str, height: int = 900) -> None:
        """What axe-core finds in this look; without a horizontal scroll bar."""
        self.browser.look(width, scheme, height)
        self.browser.wait("colours have changed", "return document.getAnimations().every(a => a.playState !== 'running')")
        self.browser.screenshot(self.pictures / f"{name}.png")
        too_wide = self.browser.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
        self.expect(f"{name}: no horizontal scroll: {too_wide}", too_wide <= 0)
        self.browser.run(self.axe_core + ";return 1")
        for impact, rule, where in self.browser.run_async(AXE):
            self.expect(f"{name}: axe-core finds {impact} {rule} at {where}", impact not in ("serious", "critical"))

    def walk(self) -> None:
        """By Tab through all there is."""
        stops = self.browser.run(NOTE_FOCUS)
        self.browser.keys(*[TAB] * (stops + 8))
        seen = self.browser.run("document.removeEventListener('focusin', noting); return seen")
        self.expect(f"Tab reaches all {stops}: {len({name for name, _ in seen})}", len(seen) >= stops)
        unseen = [name for name, visible in seen if not visible]
        self.expect(f"the focus is seen everywhere: {unseen}", not unseen)


def test_the_status_page_is_safe_and_usable(home, processes, gateway, expect):
    its_policy_is_strict(gateway, expect)
    browser = Browser(processes, home.folder)
    try:
        page = Page(browser, home, expect)
        send_hostile_mail(gateway, expect)
        mail = Mail(gateway)
        it_shows_layers_and_masked_decisions(page, gateway)
        it_opens_with_the_day(page)
        its_check_boxes_answer(page)
        mail.stop()
        send_hostile_mail(gateway, expect)  # once more: only the newest decisions are kept at hand
        it_is_used_by_keyboard(page)
        for look in LOOKS:
            page.picture(*look)
        browser.look(1280, "light")
        the_token_opens_it(page)
        it_says_what_feeds_are_worth(page)
        operators_add_and_remove(page, gateway)
        the_token_stays_in_the_tab(page, gateway)
        gateway.stop()
        browser.wait("a page without its gateway says so", "return document.getElementById('state-text').textContent === 'No answer'")
    finally:
        browser.close()
    log = gateway.log()
    expect("the log is without password and token", PASSWORD not in log and TOKEN not in log)


def its_policy_is_strict(gateway: Gateway, expect) -> None:
    with urllib.request.urlopen(gateway.url + "/") as answer:
        policy, text = answer.headers["Content-Security-Policy"], answer.read().decode()
    expect(f"a strict policy: {policy}", "default-src 'none'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy)
    expect("nothing is loaded from elsewhere", not re.search(r"(src|href)=[\"']?(https?:)?//", text))


def it_shows_layers_and_masked_decisions(page: Page, gateway: Gateway) -> None:
    browser = page.browser
    browser.look(1280, "light")
    browser.open(gateway.url + "/")
    browser.run(NOTE_VIOLATIONS)
    browser.wait("ready", "return document.getElementById('state-text').textContent === 'Ready'")
    browser.wait("both layers", BOTH_LAYERS)
    token = browser.wait("the hostile decision", HOSTILE_TOKEN)
    page.expect("a reply holds the token of a decision", re.fullmatch("[0-9A-Za-z]{8,20}", token))
    text = browser.run("return document.body.innerText")
    page.expect("addresses are masked without the token", not any(secret in text for secret in ("victim", "someone@", "from1@")))


def it_opens_with_the_day(page: Page) -> None:
    browser = page.browser
    browser.wait("the day in a sentence", r"return /^\d+ of \d+ mails refused in the last 24 hours, most by feed hosts/.test("
                 "document.getElementById('headline').textContent)")
    page.expect("the day is drawn", browser.run("return document.querySelectorAll('#day-plot path.c-reject').length") == 1)
    browser.wait("feeds with what they refused", "return [...document.querySelectorAll('#layers tbody')].map(b => b.rows[0])"
                 ".some(r => r && r.cells[0].textContent === 'hosts' && Number(r.cells[2].textContent) > 0)")
    page.expect("filters are folded", browser.run("return document.querySelector('#layers details').open") is False)


def its_check_boxes_answer(page: Page) -> None:
    browser = page.browser
    for kind, value, verdict in CHECKS:
        browser.run("document.getElementById('check-value').value = ''; document.getElementById('check-kind').value = arguments[0]; "
                    "document.getElementById('check-answer').replaceChildren()", kind)
        browser.type("#check-value", value + "\n")
        told = browser.wait(f"an answer about {value}", ANSWER)
        page.expect(f"{kind} {value} is {verdict}: {told}", told == verdict)
    for password, verdict in ((PASSWORD, "weak"), (f"not-{PASSWORD}", "not listed")):
        browser.run("document.getElementById('password-answer').replaceChildren()")
        browser.type("#password-value", password + "\n")
        told = browser.wait("an answer about a password", "return document.querySelector('#password-answer .badge')?.textContent")
        page.expect(f"a password is {verdict}: {told}", told == verdict)
        left = browser.run("return document.documentElement.outerHTML + [...document.querySelectorAll('input')].map(i => i.value).join()")
        page.expect("a password is not left in the page", PASSWORD not in left)


def it_is_used_by_keyboard(page: Page) -> None:
    browser = page.browser
    time.sleep(2.2)  # a poll after the last mail, so that the list stands still
    browser.click("#decision-list button.token")
    browser.wait("a token is copied by a click", "return document.querySelector('#decision-list button.token').textContent === 'copied'")
    page.walk()
    browser.run("document.querySelector('#decision-list summary').focus()")
    browser.keys(" ")
    page.expect("a decision opens by key", browser.run("return document.querySelector('#decision-list details').open"))
    time.sleep(2.5)  # over a poll
    page.expect("and stays open and focused", browser.run(STAYS_OPEN))
    page.expect("no violation of the policy", browser.run("return violations") == [])
    errors = browser.console()
    page.expect(f"no error in the console: {errors}", not errors)


def the_token_opens_it(page: Page) -> None:
    browser = page.browser
    browser.type("#token-value", "wrong\n")
    browser.wait("a refusal", "return document.querySelector('#token-answer .fault')?.textContent.includes('not the token')")
    browser.type("#token-value", TOKEN + "\n")
    browser.wait("lists", SHOWN + " && document.querySelector('#listing-list li')")
    browser.click("#decision-more")
    page.wait_for_text("whole addresses", "decision-list", "victim@dest.test")
    page.expect("markup of a sender stays text", browser.run(MARKUP_IS_TEXT))


def it_says_what_feeds_are_worth(page: Page) -> None:
    page.browser.type("#worth [name=since]", "7d\n")
    page.browser.wait("a row a feed, with its hits", "return [...document.querySelectorAll('#worth-table tbody tr')]"
                      ".some(r => r.cells[0].textContent === 'hosts' && r.cells[2].textContent === '4,002' && Number(r.cells[4].textContent) > 0)")


def operators_add_and_remove(page: Page, gateway: Gateway) -> None:
    browser = page.browser
    browser.type("#listing [name=value]", "NEW-listing.example")
    browser.type("#listing [name=reason]", "<b>checked</b>\n")
    page.wait_for_text("the listing", "listing-list", "new-listing.example")
    page.expect("it is in force", gateway.verdict("new-listing.example") == "listed")
    browser.type("#exception [name=value]", "evil.example")
    browser.type("#exception [name=recipientDomain]", "lists.example\n")
    page.wait_for_text("the exception", "exception-list", "to lists.example")
    page.walk()
    page.picture("open-light", 1280, "light")
    page.picture("open-360-dark", 360, "dark", 800)
    browser.look(1280, "light")
    for kind in ("listing", "exception"):
        browser.run(f"document.querySelector('#{kind}-list button').focus()")
        browser.keys(" ", " ")
        page.wait_for_text("its removal", f"{kind}-list", "None")
    wait_until("what is removed is out of force", lambda: gateway.verdict("new-listing.example") == "clean", 5)


def the_token_stays_in_the_tab(page: Page, gateway: Gateway) -> None:
    browser = page.browser
    browser.open(gateway.url + "/")
    browser.wait("the token is kept in the tab", SHOWN)
    browser.click("#token-close")
    browser.wait("closed again", HIDDEN)
    page.wait_for_text("masked again", "decision-list", "victim", absent=True)
    page.expect("the token is nowhere", browser.run("return sessionStorage.length + localStorage.length + document.cookie.length") == 0)
