"""The operator's page in headless Chromium over a real gateway: each view empty, full and without its gateway, wide and narrow,
in both colour schemes, with axe-core; every action by keyboard alone; what each role finds. Pictures are in
target/acceptance/page."""
import contextlib
import os
import re
import time
import urllib.request

import pytest

from browser import DOWN, ENTER, ESCAPE, UP, Browser
from operatorpage import Page
from processes import wait_until
from product import Gateway, Home
from smtp import SmtpClient

pytestmark = pytest.mark.needs("chromium", "chromium-driver", "npm")
ROLES = ("admin", "quarantine", "reader")
TOKENS = {role: f"the-token-of-{role}-{os.urandom(6).hex()}" for role in ROLES}
PASSWORD = f"correct-horse-{os.urandom(4).hex()}"
KEPT = 12
HOSTILE = '"<script>hacked=1</script>\u202egpj"@sender.test'
HOSTILE_MAIL = ("Subject: =?utf-8?q?=3Cimg_src=3Dx_onerror=3Dhacked=3D1=3E=E2=80=AEgpj?=\r\nContent-Type: text/html\r\n\r\n"
                '<a href="http://evil.example/&lt;script&gt;hacked=1&lt;/script&gt;">x</a>\r\n').encode()
# View, what it shows when there is nothing, and when there is.
VIEWS = (("overview", "", "No messages in the last 24 hours", "rejected in the last 24 hours"),
         ("messages", "messages", "No message was decided", "victim@dest.test"),
         ("quarantine", "quarantine", "Nothing is kept back", "kept back"),
         ("feeds", "lists", "hosts", "hosts"),
         ("listings", "lists/listings", "Operators list nothing", "listed.example"),
         ("exceptions", "lists/exceptions", "There are no exceptions", "excepted.example"),
         ("shadow", "lists/shadow", "shadow", "tried"),
         ("test", "test", "Nothing that is tested here is recorded", "A password"),
         ("audit", "audit", "Nobody changed anything", "listed.example"),
         ("rebuilds", "audit/rebuilds", "ebuild", "nightly"),
         ("settings", "settings", "differ", "nextHop"))
LOOKS = ((1280, "light"), (1280, "dark"), (400, "light"), (400, "dark"))
TESTED = (("domain", "www.evil.example", "listed"), ("", "good.example", "not listed"), ("", "http://shared.example/bad/x", "listed"),
          ("", "a@evil.example", "listed"), ("url", "http://ok.test/<img src=x onerror=hacked=1>", "not listed"))
NOTE_VIOLATIONS = """window.violations = [];
document.addEventListener('securitypolicyviolation', e => violations.push(e.violatedDirective + ' ' + e.blockedURI))"""
ROWS = "return document.querySelectorAll('.rows a[data-row]').length"
DIALOG = "return document.querySelector('dialog[open]')?.textContent ?? ''"
FOCUSED_ROW = "return [...document.querySelectorAll('a[data-row]')].indexOf(document.activeElement)"


@pytest.fixture
def gateway(home: Home) -> Gateway:
    home.configure("http: { operators: { %s } }" % ", ".join(f"{role}-ada: {{ role: {role}, token: {token} }}" for role, token in TOKENS.items()),
                   "policy: { listed: { text: tag }, recipients: { held.test: { listed: quarantine } } }")
    home.feeds("name: hosts, kind: domain, format: lines, source: hosts, category: phishing",
               "name: links, kind: url, format: lines, source: links, category: malware",
               "name: leaked, kind: password, format: lines, source: leaked, category: leaked",
               "name: tried, kind: domain, format: lines, source: tried, category: malware, shadow: true")
    home.write("hosts", "evil.example", "worse.example")
    home.write("links", "http://shared.example/bad/")
    home.write("leaked", PASSWORD, "123456")
    home.write("tried", "tried.example")
    home.run("rebuild", "--all", status=0)
    return home.gateway()


@pytest.fixture
def page(home: Home, processes, gateway: Gateway, expect):
    browser = Browser(processes, home.folder)
    try:
        page = Page(browser, home, gateway, expect)
        browser.devtools("Emulation.setTimezoneOverride", timezoneId="Europe/Berlin")
        browser.devtools("Page.addScriptToEvaluateOnNewDocument", source=NOTE_VIOLATIONS)
        browser.look(1280, "light")
        browser.open(gateway.url + "/")
        page.settle("overview")
        yield page
    finally:
        browser.close()


def send_mail(gateway: Gateway) -> None:
    """Of each kind; what is kept in quarantine comes last."""
    with SmtpClient(gateway.smtp) as client:
        for line in (f"MAIL FROM:<{HOSTILE}> SMTPUTF8 BODY=8BITMIME", "RCPT TO:<victim@dest.test>", "DATA"):
            client.command(line.encode())
        client.socket.sendall(HOSTILE_MAIL + b".\r\n")
        client.reply()
        for text in (b"http://worse.example/", b"http://clean.example/", b"http://tried.example/", b"http://shared.example/bad/x"):
            client.send(b"a@sender.test", b"b@dest.test", b"Subject: x\r\n\r\n" + text + b"\r\n")
        for number in range(KEPT):
            client.send(b"from%d@sender.test" % number, b"kept@held.test", b"Subject: kept back %d\r\n\r\nSee http://worse.example/login\r\n" % number)


def nothing_went_wrong(page: Page, *statuses: str) -> None:
    """The browser notes answers with these statuses in its console."""
    page.expect("no violation of the policy", page.browser.run("return violations") == [])
    errors = [entry for entry in page.browser.console() if not any(f"status of {status}" in entry["message"] for status in statuses)]
    page.expect(f"no error in the console: {errors}", not errors)


def test_each_view_in_each_state(page: Page, home: Home) -> None:
    browser, gateway = page.browser, page.gateway
    the_first_load_is_small(gateway, page.expect)
    page.sign_in(TOKENS["admin"])
    page.wait_for_text("#who", "admin")
    for name, view, empty, _ in VIEWS:
        # A report is kept for minutes, by its time span.
        page.open(view + ("?since=30d" if name in ("feeds", "shadow") else ""))
        page.wait_for_text("main", empty)
        page.picture(f"{name}-empty", *LOOKS[0])
        page.picture(f"{name}-empty", *LOOKS[3])
        browser.look(*LOOKS[0])
    send_mail(gateway)
    for command in (("listing", "add", "domain", "listed.example"), ("exception", "add", "domain", "excepted.example")):
        home.run(*command, status=0)
    for name, view, _, full in VIEWS:
        open_full(page, view, full)
        for look in LOOKS:
            page.picture(f"{name}-full", *look)
        browser.look(*LOOKS[0])
        page.walk()
    page.expect("markup of a sender stays text", browser.run("return typeof hacked === 'undefined'"))
    nothing_went_wrong(page)
    for name, view, _, full in VIEWS:
        if name != "test":
            open_full(page, view, full)
            it_keeps_what_it_has(page, name, full)
    gateway.stop()
    page.wait_for_text("#state-text", "no answer since")


def open_full(page: Page, view: str, text: str) -> None:
    """Loaded once more if the text is not in it: on a busy machine an answer may have the latest messages alone."""
    page.open(view)
    with contextlib.suppress(AssertionError):
        page.browser.wait(f"{view} with {text!r}", f"return document.querySelector('main').textContent.includes({text!r})", 10)
        return
    page.open(view)
    page.wait_for_text("main", text)


def the_first_load_is_small(gateway: Gateway, expect) -> None:
    sent = 0
    with urllib.request.urlopen(gateway.url + "/") as answer:
        document = answer.read().decode()
    for path in ["/", *re.findall(r'(?:href|src)="(/page/.*?)"', document)]:
        with urllib.request.urlopen(urllib.request.Request(gateway.url + path, headers={"Accept-Encoding": "gzip"})) as answer:
            sent += len(answer.read())
    expect(f"{sent} bytes of at most 150,000", sent <= 150_000)


def it_keeps_what_it_has(page: Page, name: str, full: str) -> None:
    """While the gateway does not answer the view is dimmed, and says since when; it tries again by itself."""
    browser = page.browser
    browser.devtools("Network.enable")
    browser.devtools("Network.setBlockedURLs", urls=["*/v1/*"])
    browser.run("(document.querySelector('main [role=search] button') ?? { click: () => dispatchEvent(new Event('hashchange')) }).click()")
    page.wait_for_text("#problem", "The gateway does not answer. The data below is from")
    page.expect(f"{name}: what was loaded stays", full in browser.run("return document.querySelector('.view.stale').textContent"))
    for look in (LOOKS[0], LOOKS[3]):
        page.picture(f"{name}-failing", *look)
    browser.look(*LOOKS[0])
    browser.devtools("Network.setBlockedURLs", urls=[])
    if name == "overview":
        browser.wait("it has tried again", "return !document.querySelector('.view.stale') && !document.querySelector('#problem').textContent")


def test_every_action_by_keyboard(page: Page, home: Home) -> None:
    browser, gateway = page.browser, page.gateway
    send_mail(gateway)
    it_signs_in(page)
    messages_are_found_and_opened(page)
    an_exception_is_made_of_a_message(page)
    one_is_previewed_and_released(page, home)
    many_are_deleted(page)
    listings_come_and_go(page)
    a_rebuild_is_started(page)
    values_and_passwords_are_tested(page)
    the_audit_log_has_it(page)
    times_are_in_one_zone(page)
    it_logs_out_without_input(page)
    nothing_went_wrong(page, "401", "409")
    log = gateway.log()
    page.expect("the log is without password and token", PASSWORD not in log and not any(token in log for token in TOKENS.values()))


def it_signs_in(page: Page) -> None:
    browser = page.browser
    page.open("messages")
    page.wait_for_text("#problem", "Sign in with the role reader")
    page.press("#problem button", ENTER)
    browser.keys(*"wrong-token-of-nobody", ENTER)
    page.wait_for_text("#sign-in", "No operator has this token")
    browser.keys(*TOKENS["admin"], ENTER)
    page.wait_for_text("#who", "admin")
    browser.wait("messages", ROWS)


def messages_are_found_and_opened(page: Page) -> None:
    browser = page.browser

    def markup_stays_text() -> bool:
        """On a busy machine the first answers have the latest messages alone; the view is loaded again."""
        if browser.run(r"const text = document.querySelector('.messages')?.textContent ?? '';"
                       r"return text.includes('<script>hacked=1</script>') && text.includes('\\u202e') && !document.querySelector('main script')"):
            return True
        page.open("messages")
        return False
    wait_until("markup of a sender stays text", markup_stays_text, pause=0.5)
    told = browser.run("return document.querySelector('.messages time').textContent")
    page.expect(f"a time has its day: {told}", re.fullmatch(r"[A-Z][a-z]{2} \d{1,2} [A-Z][a-z]{2} \d\d:\d\d:\d\d", told))
    browser.run("document.activeElement.blur()")
    browser.keys("/", *"from3@sender.test", ENTER)
    browser.wait("one message", ROWS + " === 1")
    page.expect("the hash has the filter", "mailFrom=from3" in browser.run("return location.hash"))
    browser.keys(ESCAPE)
    browser.run("document.activeElement.blur()")
    browser.keys(DOWN, ENTER)
    page.wait_for_text(".more", "Reply to the client")
    browser.keys(ESCAPE)
    browser.wait("it is closed and the focus is on its row", "return !document.querySelector('.more') && document.activeElement.matches('a[data-row]')")
    browser.run("history.back()")
    page.wait_for_text(".more", "Reply to the client")
    browser.run("location.reload()")
    page.wait_for_text(".more", "Reply to the client")
    browser.run("document.activeElement.blur()")
    browser.keys("?")
    browser.wait("keys are listed", DIALOG + ".includes('Escape')")
    browser.keys(ESCAPE)
    page.open("messages")
    browser.wait("all messages", ROWS + " > 3")
    browser.run("document.activeElement.blur()")
    browser.keys(DOWN, DOWN, UP, DOWN)
    page.expect("arrows move between rows", browser.run(FOCUSED_ROW) == 1)


def an_exception_is_made_of_a_message(page: Page) -> None:
    browser = page.browser
    page.open("messages?action=reject")
    browser.wait("rejected messages", ROWS)
    browser.run("document.activeElement.blur()")
    browser.keys(DOWN, ENTER)
    page.wait_for_text(".more", "Except")
    page.press(".more button:nth-last-of-type(2)", ENTER)
    browser.wait("a question", DIALOG + ".includes('no longer count')")
    page.press("#confirm button[value=yes]", ENTER)
    page.wait_for_text(".view > .answer", "Excepted: ")


def one_is_previewed_and_released(page: Page, home: Home) -> None:
    browser = page.browser
    page.open("quarantine")
    browser.wait("messages in quarantine", f"{ROWS} === {KEPT}")
    page.wait_for_text("#kept", str(KEPT))
    browser.run("document.activeElement.blur()")
    browser.keys(DOWN, ENTER)
    page.wait_for_text(".more pre", "worse[.]example")
    page.expect("what is listed is marked", browser.run("return document.querySelectorAll('.more mark').length") > 0)
    page.picture("preview-full", *LOOKS[0])
    page.picture("preview-full", *LOOKS[3])
    browser.look(*LOOKS[0])
    token = browser.run("return location.hash.split('/')[2].split('?')[0]")
    page.press(".more .acts button:nth-of-type(1)", ENTER)
    browser.wait("a question", DIALOG + ".includes('Release 1 message?')")
    page.press("#confirm button[value=yes]", ENTER)
    page.wait_for_text(".view > .answer", "Released to kept@held.test")
    browser.wait("one less", f"{ROWS} === {KEPT - 1}")
    page.expect("it is delivered", any(b"kept back" in file.read_bytes() for file in home.path("var", "mail", "new").iterdir()))
    page.open("messages/" + token)
    page.wait_for_text(".more .acts", "List sender")
    acts = browser.run("return document.querySelector('.more .acts').textContent")
    page.expect(f"what has left is not offered for release: {acts}", "elease" not in acts)
    page.open("quarantine")
    browser.wait("the others", f"{ROWS} === {KEPT - 1}")


def many_are_deleted(page: Page) -> None:
    browser = page.browser
    browser.run("document.activeElement.blur()")
    browser.keys(DOWN, " ", DOWN, " ", DOWN, " ")
    page.wait_for_text(".tools", "3 selected")
    page.press(".tools .danger", ENTER)
    browser.wait("effect and number", DIALOG + ".includes('Delete 3 messages?')")
    browser.keys(ESCAPE)
    page.expect("Escape changes nothing", browser.run(ROWS) == KEPT - 1)
    page.press(".tools .danger", ENTER)
    page.press("#confirm button[value=yes]", ENTER)
    page.wait_for_text(".view > .answer", "Deleted: 3 messages")
    browser.wait("three less", f"{ROWS} === {KEPT - 4}")
    browser.wait("the focus is on the answer", "return document.activeElement.matches('.answer')")


def listings_come_and_go(page: Page) -> None:
    browser, gateway = page.browser, page.gateway
    page.open("lists/listings")
    page.press("[name=value]", *"google.com", ENTER)
    told = browser.wait("what a popular name would stop", DIALOG)
    page.expect(f"scope, mail, threshold and why, in words: {told}", all(words in told for words in (
        "google.com and everything below it", "for all recipients", "messages delivered in the last 7 days", "must be confirmed",
        "List it anyway")) and "force" not in told)
    browser.keys(ESCAPE)
    page.wait_for_text(".pile .answer", "Not listed.")
    page.press("[name=value]", ENTER)
    browser.wait("the question again", DIALOG)
    page.press("#confirm button[value=yes]", ENTER)
    page.wait_for_text(".entries", "google.com")
    page.press("[name=value]", *"NEW-listing.example")
    page.press("[name=reason]", *"<b>checked</b>", ENTER)
    browser.wait("what it would do", DIALOG + ".includes('new-listing.example and everything below it')")
    page.press("#confirm button[value=yes]", ENTER)
    page.wait_for_text(".entries", "new-listing.example")
    wait_until("it is in force", lambda: gateway.verdict("new-listing.example") == "listed")
    for name in ("new-listing.example", "google.com"):
        page.press(f"[aria-label='Remove listing {name}']", ENTER)
        page.press("#confirm button[value=yes]", ENTER)
        page.wait_for_text(".entries", name, absent=True)
    wait_until("what is removed is out of force", lambda: gateway.verdict("new-listing.example") == "clean")
    page.open("lists/exceptions")
    page.press("[name=value]", *"worse.example")
    page.press("[name=recipientDomain]", *"lists.example", ENTER)
    page.wait_for_text(".entries", "for mail to lists.example")


def a_rebuild_is_started(page: Page) -> None:
    page.open("lists")
    page.wait_for_text(".scroll", "hosts")
    page.press("[aria-label='Rebuild now: nightly']", ENTER)
    page.press("#confirm button[value=yes]", ENTER)
    page.browser.wait("its result", "return document.querySelector('.view > .answer').textContent.startsWith('nightly: ')", 60)


def values_and_passwords_are_tested(page: Page) -> None:
    browser = page.browser
    page.open("test")
    for kind, value, verdict in TESTED:
        browser.run("document.querySelector('section .answer').replaceChildren(); document.querySelector('[name=value]').value = ''")
        page.press("[name=kind]", *(kind or "auto"))
        page.press("[name=value]", *value, ENTER)
        told = browser.wait(f"an answer about {value}", "return document.querySelector('section .answer .badge')?.textContent")
        page.expect(f"{kind} {value} is {verdict}: {told}", told == verdict)
    for password, verdict in ((PASSWORD, "weak"), (f"not-{PASSWORD}", "not listed")):
        browser.run("document.querySelector('[name=password]').form.parentNode.querySelector('.answer').replaceChildren()")
        page.press("[name=password]", *password, ENTER)
        told = browser.wait("an answer about a password", "return document.querySelector('[name=password]').form.parentNode.querySelector('.answer .badge')?.textContent")
        page.expect(f"a password is {verdict}: {told}", told == verdict)
        left = browser.run("return location.href + document.documentElement.outerHTML + [...document.querySelectorAll('input')].map(i => i.value).join()")
        page.expect("a password is not left in the page", PASSWORD not in left)
    browser.run("""const given = new DataTransfer();
given.items.add(new File(['Subject: x\\r\\n\\r\\nhttp://worse.example/\\r\\n'], 'one.eml'));
document.querySelector('.drop').dispatchEvent(new DragEvent('drop', { dataTransfer: given, bubbles: true, cancelable: true }))""")
    page.wait_for_text(".drop .answer", "The policy says")
    page.expect("a message is tested", "worse.example" in browser.run("return document.querySelector('.drop .answer').textContent"))


def the_audit_log_has_it(page: Page) -> None:
    page.open("audit?value=new-listing.example")
    page.wait_for_text(".entries", "admin-ada listed new-listing.example")
    page.expect("by the page", "by this page" in page.browser.run("return document.querySelector('.entries').textContent"))


def times_are_in_one_zone(page: Page) -> None:
    browser = page.browser
    hour = "return [...document.querySelectorAll('.entries time')].map(t => [t.dateTime, t.textContent])"
    stamp, told = browser.run(hour)[0]
    page.expect(f"the browser's zone: {stamp} {told}", (int(told[-8:-6]) - int(stamp[11:13])) % 24 in (1, 2))
    page.press("#zone", "U")
    browser.wait("UTC", "return document.querySelector('.entries time')?.textContent.slice(-8, -6) === document.querySelector('.entries time')?.dateTime.slice(11, 13)")


def it_logs_out_without_input(page: Page) -> None:
    browser = page.browser
    browser.run("const now = Date.now; Date.now = () => now() + 61 * 60000; document.dispatchEvent(new Event('visibilitychange'))")
    browser.wait("logged out", DIALOG + ".includes('60 minutes without input')")
    page.expect("the token is gone", browser.run("return JSON.stringify([{ ...sessionStorage }, { ...localStorage }, document.cookie])").find("token-of") < 0)


def test_actions_that_the_role_lacks_are_absent(page: Page) -> None:
    browser = page.browser
    send_mail(page.gateway)
    present = {}
    for role in reversed(ROLES):
        browser.run("sessionStorage.clear(); location.reload()")
        page.settle("the page without a token")
        page.sign_in(TOKENS[role])
        page.wait_for_text("#who", role)
        for view, mark in (("messages?action=quarantine", ".rows a"), ("quarantine", ".rows li"), ("lists", "table"), ("lists/listings", ".note")):
            page.open(view)
            browser.wait(mark, f"return document.querySelector('main {mark}')")
        present[role] = set()
        for view in ("messages?action=quarantine", "quarantine", "lists", "lists/listings", "lists/exceptions"):
            page.open(view)
            if view.startswith("messages"):
                browser.run("document.querySelector('.rows a').click()")
                page.wait_for_text(".more", "Sender")
            if view == "quarantine" and role != "reader":
                browser.run("document.querySelector('.rows input').click()")
            words = browser.run("return [...document.querySelectorAll('main button, main .acts a')].filter(e => e.checkVisibility()).map(e => e.textContent)")
            present[role] |= set(words)
    seen = {"Find", "Copy link"}
    releases = {"Release", "Release to …", "Except and release", "Delete", "Open in the quarantine"}
    changes = {"Except", "List sender", "List it", "Except it", "Rebuild now", "Roll back …"}
    page.expect(f"reader: {present['reader']}", seen <= present["reader"] and not present["reader"] & (releases | changes))
    page.expect(f"quarantine: {present['quarantine']}", seen | releases <= present["quarantine"] and not present["quarantine"] & changes)
    page.expect(f"admin: {present['admin']}", seen | releases | changes <= present["admin"])
    nothing_went_wrong(page)


# Half an hour of the overview in seconds: its five seconds pass in five thousandths.
HURRY = """const later = window.setTimeout;
window.loads = 0;
window.setTimeout = (what, wait, ...more) => later(() => { if (wait === 5000) window.loads++; what(); }, wait === 5000 ? 5 : wait, ...more)"""
LOADS = 360


@pytest.mark.long
def test_half_an_hour_later_the_overview_is_no_larger(page: Page) -> None:
    browser = page.browser
    send_mail(page.gateway)
    browser.devtools("Page.addScriptToEvaluateOnNewDocument", source=HURRY)
    browser.devtools("Performance.enable")
    page.sign_in(TOKENS["admin"])
    page.wait_for_text("#who", "admin")
    browser.run("location.reload()")
    page.settle("overview")
    browser.wait("some loads", "return loads >= 10")
    before = memory(browser)
    began = time.monotonic()
    browser.wait("half an hour of loads", f"return loads >= {LOADS}", 300)
    after = memory(browser)
    page.expect(f"{LOADS} loads in {time.monotonic() - began:.0f} s: {after[0] >> 10} KiB and {after[1]} nodes, {before[0] >> 10} and {before[1]} before",
                after[0] <= before[0] + (4 << 20) and after[1] <= 2 * before[1])


def memory(browser: Browser) -> tuple[int, int]:
    """Bytes and nodes of the page."""
    browser.devtools("HeapProfiler.collectGarbage")
    values = {one["name"]: one["value"] for one in browser.devtools("Performance.getMetrics")["metrics"]}
    return int(values["JSHeapUsedSize"]), int(values["Nodes"])
