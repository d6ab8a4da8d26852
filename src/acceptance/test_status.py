"""The status page in headless Chromium over a gateway that gets hostile mail: no console error and no violation of its policy,
layers and decisions, check boxes, the token and what it opens, all of it by keyboard alone; 1400 and 360 pixels, both colour
schemes, axe-core; under load, and after an hour. Pictures of it stand in target/acceptance/status."""
import os
import re
import time
import urllib.request

import pytest

from browser import ENTER, Browser
from processes import wait_until
from product import Gateway, Home
from smtp import SmtpClient
from statuspage import Mail, Page

pytestmark = pytest.mark.needs("chromium", "chromium-driver", "npm")
TOKEN = f"a-token-of-the-check-{os.urandom(6).hex()}"
PASSWORD = f"correct-horse-{os.urandom(4).hex()}"
HOSTILE = '"<script>hacked=1</script>\u202egpj"@sender.test'
HOSTILE_LINK = (b'Subject: x\r\nContent-Type: text/html\r\n\r\n'
                b'<a href="http://evil.example/&lt;script&gt;hacked=1&lt;/script&gt;">x</a>\r\n')
CHECKS = (("domain", "www.evil.example", "listed"), ("domain", "good.example", "not listed"),
          ("url", "http://shared.example/bad/x", "listed"), ("address", "a@evil.example", "listed"),
          ("url", "http://ok.test/<img src=x onerror=hacked=1>", "not listed"))
NOTE_VIOLATIONS = """window.violations = [];
document.addEventListener('securitypolicyviolation', e => violations.push(e.violatedDirective + ' ' + e.blockedURI))"""
BOTH_LAYERS = "return document.querySelectorAll('#layers .layer').length === 2 && document.body.innerText.includes('leaked')"
STAYS_OPEN = "return document.querySelector('#decision-list details').open && document.activeElement.tagName === 'SUMMARY'"
HOSTILE_TOKEN = """const d = [...document.querySelectorAll('#decision-list li')]
  .find(li => li.textContent.includes('***@sender.test') && li.textContent.includes('evil.example'));
return d && d.querySelector('.token').textContent"""
MARKUP_IS_TEXT = r"""const li = [...document.querySelectorAll('#decision-list li')].find(l => l.textContent.includes('victim@dest.test'));
return li.textContent.includes('<script>hacked=1</script>') && !li.querySelector('script')
  && li.textContent.includes('\\u202e') && !li.textContent.includes('\u202e') && typeof hacked === 'undefined'"""
ANSWER = "return document.querySelector('#check-answer .badge, #check-answer .fault')?.textContent"
LOOKS = (("1400-light", 1400, "light"), ("1400-dark", 1400, "dark"), ("360-light", 360, "light", 800), ("360-dark", 360, "dark", 800))
HIDDEN = "return document.getElementById('operator').hidden"
SHOWN = "return !document.getElementById('operator').hidden"


@pytest.fixture
def gateway(home) -> Gateway:
    home.configure(f"http: {{ adminToken: {TOKEN} }}", "policy: { listed: { text: tag }, recipients: { defer.test: { listed: defer }, "
                   "held.test: { listed: quarantine } } }")
    home.feeds("name: hosts, kind: domain, format: lines, source: hosts, category: phishing",
               "name: links, kind: url, format: lines, source: links, category: malware",
               "name: leaked, kind: password, format: lines, source: leaked, category: leaked",
               "name: tried, kind: domain, format: lines, source: tried, category: malware, shadow: true",
               "name: fresh, kind: domain, format: lines, source: fresh, category: phishing, cadence: hourly")
    home.write("tried", "tried.example")
    home.write("hosts", "evil.example", "worse.example", *(f"host-{i}.example" for i in range(4000)))
    home.write("links", "http://shared.example/bad/", *(f"http://shared.example/{i}/" for i in range(900)))
    home.write("leaked", PASSWORD, "123456", *(f"password{i}" for i in range(2000)))
    home.write("fresh", "minutes-old.example", *(f"fresh-{i}.example" for i in range(300)))
    home.run("rebuild", "--all", status=0)
    return home.gateway()


def send_hostile_mail(gateway: Gateway, expect) -> None:
    with SmtpClient(gateway.smtp) as client:
        for line in (f"MAIL FROM:<{HOSTILE}> SMTPUTF8 BODY=8BITMIME", "RCPT TO:<victim@dest.test>", "DATA"):
            reply = client.command(line.encode())
            expect(f"{line!r}: {reply}", reply[0] in "23")
        client.socket.sendall(HOSTILE_LINK + b".\r\n")
        reply = client.reply()
        expect(f"hostile mail is refused: {reply}", reply.startswith("550"))


def test_the_status_page_is_safe_and_usable(home, processes, gateway, expect):
    its_policy_is_strict(gateway, expect)
    browser = Browser(processes, home.folder)
    try:
        page = Page(browser, home, expect)
        send_hostile_mail(gateway, expect)
        with SmtpClient(gateway.smtp) as client:
            client.send(b"a@sender.test", b"kept@held.test", b"Subject: kept back\r\n\r\nhttp://worse.example/\r\n")
        mail = Mail(gateway)
        it_shows_layers_and_masked_decisions(page, gateway)
        it_opens_with_the_day(page)
        its_check_boxes_answer(page)
        mail.stop()
        send_hostile_mail(gateway, expect)  # once more: only the newest decisions are kept at hand
        its_decisions_stand_still(page)
        for look in LOOKS:
            page.picture(*look)
        browser.look(1400, "light")
        the_token_opens_it(page)
        readers_find_mail_and_what_it_would_have_been(page)
        what_is_kept_back_is_shown_and_released(page, home)
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
    browser.look(1400, "light")
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
    browser.wait("the day in a sentence", r"return /^\d+ of \d+ messages refused in the last 24 hours, most by feed hosts/.test("
                 "document.getElementById('headline').textContent)")
    page.expect("the day is drawn", browser.run("return document.querySelectorAll('#day-plot path.c-reject').length") == 1)
    browser.wait("feeds with what they refused", "return [...document.querySelectorAll('#layers tbody')].map(b => b.rows[0])"
                 ".some(r => r && r.cells[0].textContent === 'hosts' && Number(r.cells[2].textContent) > 0)")
    heads = browser.run("return [...document.querySelector('#layers table').tHead.rows[0].cells].map(c => c.textContent)")
    page.expect(f"a column for each action: {heads}", heads[2:7] == ["rejected", "quarantined", "deferred", "discarded", "tagged"])
    page.expect("messages that a feed had quarantined", browser.run(
        "return [...document.querySelectorAll('#layers tbody tr')].some(r => r.cells[0].textContent === 'hosts' && Number(r.cells[3].textContent) > 0)"))
    told = browser.run("return document.querySelector('#decision-list time').textContent")
    page.expect(f"a time has its day: {told}", re.fullmatch(r"[A-Z][a-z]{2} \d{1,2} [A-Z][a-z]{2} \d\d:\d\d:\d\d", told))
    zone = browser.run("return Intl.DateTimeFormat().resolvedOptions().timeZone")
    page.expect("the zone of the times is named", f"times in {zone}" in browser.run("return document.getElementById('facts').textContent"))
    page.expect("filters are folded", browser.run("return document.querySelector('#layers details').open") is False)


def its_check_boxes_answer(page: Page) -> None:
    browser = page.browser
    for kind, value, verdict in CHECKS:
        browser.run("document.getElementById('check-answer').replaceChildren()")
        page.press("#check-kind", *kind)
        page.press("#check-value", *value, ENTER)
        told = browser.wait(f"an answer about {value}", ANSWER)
        page.expect(f"{kind} {value} is {verdict}: {told}", told == verdict)
    for password, verdict in ((PASSWORD, "weak"), (f"not-{PASSWORD}", "not listed")):
        browser.run("document.getElementById('password-answer').replaceChildren()")
        page.press("#password-value", *password, ENTER)
        told = browser.wait("an answer about a password", "return document.querySelector('#password-answer .badge')?.textContent")
        page.expect(f"a password is {verdict}: {told}", told == verdict)
        left = browser.run("return document.documentElement.outerHTML + [...document.querySelectorAll('input')].map(i => i.value).join()")
        page.expect("a password is not left in the page", PASSWORD not in left)


def its_decisions_stand_still(page: Page) -> None:
    browser = page.browser
    time.sleep(2.2)  # a poll after the last mail, so that the list stands still
    page.press("#decision-list button.token", ENTER)
    browser.wait("a token is copied by key", "return document.querySelector('#decision-list button.token').textContent === 'copied'")
    page.walk()
    page.press("#decision-list summary", " ")
    page.expect("a decision opens by key", browser.run("return document.querySelector('#decision-list details').open"))
    time.sleep(2.5)  # over a poll
    page.expect("and stays open and focused", browser.run(STAYS_OPEN))
    page.press(".skip", ENTER)
    page.expect("a link skips what stands before decisions", browser.run("return document.activeElement.id") == "decisions")
    nothing_went_wrong(page)


def nothing_went_wrong(page: Page) -> None:
    page.expect("no violation of the policy", page.browser.run("return violations") == [])
    errors = page.browser.console()
    page.expect(f"no error in the console: {errors}", not errors)


def the_token_opens_it(page: Page) -> None:
    browser = page.browser
    page.press("#token-value", *"wrong", ENTER)
    browser.wait("a refusal", "return document.querySelector('#token-answer .fault')?.textContent.includes('not the token')")
    # The console holds its 401, which the browser writes; it is looked at.
    page.expect("nothing else is in the console", all("401" in entry["message"] for entry in browser.console()))
    page.press("#token-value", *TOKEN, ENTER)
    browser.wait("lists, and the focus where one goes on", SHOWN + " && document.querySelector('#listing-list li') && document.activeElement.id === 'token-close'")
    page.press("#decision-more", ENTER)
    page.wait_for_text("whole addresses", "decision-list", "victim@dest.test")
    page.expect("markup of a sender stays text", browser.run(MARKUP_IS_TEXT))


def readers_find_mail_and_what_it_would_have_been(page: Page) -> None:
    browser = page.browser
    page.press("#search [name=feed]", *"hosts", ENTER)
    page.wait_for_text("mails", "search-list", "evil.example")
    page.press("#search-list summary", ENTER)
    page.press("#search-list .more button", ENTER, ENTER)
    page.wait_for_text("an exception made of a mail", "search-answer", "Excepted for 30 days")
    page.press("#worth [name=since]", *"7d", ENTER)
    browser.wait("a row a feed, with its hits", "return [...document.querySelectorAll('#worth-table tbody tr')]"
                 ".some(r => r.cells[0].textContent === 'hosts' && r.cells[2].textContent === '4,002' && Number(r.cells[4].textContent) > 0 && Number(r.cells[9].textContent) > 0)")
    page.press("#shadow [name=since]", *"1d", ENTER)
    page.wait_for_text("what would have been refused", "shadow-answer", "reject")
    told = browser.run("return [...document.querySelectorAll('#shadow-tables table')].map(t => t.caption.textContent + ' ' + t.tBodies[0].rows[0].cells[0].textContent)")
    page.expect(f"by feed, category, sender, and who looks honest: {told}",
                told == ["By feed tried", "By category malware", "By sender sender.test", "Senders that look honest sender.test"])
    page.wait_for_text("a mail of it", "shadow-list", "would reject")


def what_is_kept_back_is_shown_and_released(page: Page, home: Home) -> None:
    browser, row = page.browser, "#quarantine-list li button"
    page.wait_for_text("the mail that was kept back", "quarantine-list", "kept@held.test")
    page.press(f"{row}:nth-of-type(2)", ENTER)
    browser.wait("its text", "return document.querySelector('#quarantine-answer pre')?.textContent.includes('worse.example')")
    page.press(f"{row}:nth-of-type(3)", ENTER, ENTER)
    page.wait_for_text("its release", "quarantine-answer", "Released to kept@held.test")
    page.wait_for_text("an empty quarantine", "quarantine-none", "Nothing")
    browser.wait("the focus where one goes on", "return document.activeElement.id === 'quarantine-answer'")
    page.expect("it is delivered", any(b"kept back" in file.read_bytes() for file in home.path("var", "mail", "new").iterdir()))


def operators_add_and_remove(page: Page, gateway: Gateway) -> None:
    browser = page.browser
    page.press("#listing [name=value]", *"google.com", ENTER)
    told = browser.wait("why a popular name is not listed", "return document.querySelector('#listing-answer button') && document.getElementById('listing-answer').textContent")
    page.expect(f"with a button instead of words of the API: {told}", told.endswith("List it anyway") and "force" not in told)
    # The console holds its 409, which the browser writes; it is looked at.
    page.expect("nothing else is in the console", all("409" in entry["message"] for entry in browser.console()))
    page.press("#listing-answer button", ENTER, ENTER)
    page.wait_for_text("it is listed", "listing-list", "google.com")
    page.press("#listing-list button", " ", " ")
    page.wait_for_text("its removal", "listing-list", "None")
    page.press("#listing [name=value]", *"NEW-listing.example")
    page.press("#listing [name=reason]", *"<b>checked</b>", ENTER)
    page.wait_for_text("the listing", "listing-list", "new-listing.example")
    page.expect("it is in force", gateway.verdict("new-listing.example") == "listed")
    page.press("#exception [name=value]", *"worse.example")
    page.press("#exception [name=recipientDomain]", *"lists.example", ENTER)
    page.wait_for_text("the exception", "exception-list", "to lists.example")
    page.press("#trail [name=value]", *"listing", ENTER)
    page.wait_for_text("who did it", "trail-list", "new-listing.example")
    page.walk()
    for width, scheme in ((1400, "light"), (1400, "dark"), (360, "light"), (360, "dark")):
        page.picture(f"open-{width}-{scheme}", width, scheme)
    browser.look(1400, "light")
    page.press("#listing-list button", " ", " ")
    page.wait_for_text("its removal", "listing-list", "None")
    wait_until("what is removed is out of force", lambda: gateway.verdict("new-listing.example") == "clean", 5)
    nothing_went_wrong(page)


def the_token_stays_in_the_tab(page: Page, gateway: Gateway) -> None:
    browser = page.browser
    browser.open(gateway.url + "/")
    browser.wait("the token is kept in the tab", SHOWN)
    browser.click("#token-close")
    browser.wait("closed again", HIDDEN)
    page.wait_for_text("masked again", "decision-list", "victim", absent=True)
    page.expect("the token is nowhere", browser.run("return sessionStorage.length + localStorage.length + document.cookie.length") == 0)


# Two seconds pass for the page with each poll, while five thousandths do: an hour in half a minute.
HURRY = """const later = window.setTimeout, fetched = window.fetch;
window.polls = 0;
window.setTimeout = (what, wait, ...more) => later(what, window.hurried && wait === 2000 ? 5 : wait, ...more);
window.fetch = async (path, ...more) => {
  const answer = await fetched(path, ...more);
  if (path !== '/v1/status') return answer;
  const status = await answer.json();
  window.polls += 1;
  if (window.hurried) window.ahead += 2000;
  status.time = new Date(Date.parse(status.time) + (window.ahead || 0)).toISOString();
  return new Response(JSON.stringify(status), { status: answer.status });
}"""
MOST_TASK = """window.longest = 0;
new PerformanceObserver(list => list.getEntries().forEach(e => window.longest = Math.max(window.longest, e.duration))).observe({ type: 'longtask' })"""
POLLS_OF_AN_HOUR = 1800


def memory(browser: Browser) -> tuple[int, int]:
    """Bytes and nodes of the page."""
    browser.devtools("HeapProfiler.collectGarbage")
    values = {one["name"]: one["value"] for one in browser.devtools("Performance.getMetrics")["metrics"]}
    return int(values["JSHeapUsedSize"]), int(values["Nodes"])


@pytest.mark.long
def test_the_status_page_holds_under_load_and_an_hour_later(home, processes, gateway, expect):
    browser = Browser(processes, home.folder)
    try:
        page = Page(browser, home, expect)
        browser.devtools("Page.addScriptToEvaluateOnNewDocument", source=HURRY)
        browser.devtools("Performance.enable")
        load = [Mail(gateway, pause=0) for _ in range(8)]
        browser.look(1400, "light")
        browser.open(gateway.url + "/")
        browser.run(NOTE_VIOLATIONS)
        it_answers_under_load(page)
        page.picture("load-1400-light", 1400, "light")
        page.picture("load-360-dark", 360, "dark", 800)
        browser.look(1400, "light")
        before = memory(browser)
        an_hour_passes(page, before)
        page.picture("hour-1400-light", 1400, "light")
        page.picture("hour-1400-dark", 1400, "dark")
        page.picture("hour-360-light", 360, "light", 800)
        for one in load:
            one.stop()
        nothing_went_wrong(page)
    finally:
        browser.close()


def it_answers_under_load(page: Page) -> None:
    browser = page.browser
    browser.wait("ready", "return document.getElementById('state-text').textContent === 'Ready'")
    browser.run(MOST_TASK)
    polls, began = browser.run("return polls"), time.monotonic()
    for _ in range(5):
        page.press("#check-kind", *"domain")
        page.press("#check-value", *"www.evil.example", ENTER)
        browser.wait("an answer", ANSWER)
        browser.run("document.getElementById('check-answer').replaceChildren()")
        time.sleep(2)
    seconds, polls, longest = time.monotonic() - began, browser.run("return polls") - polls, browser.run("return longest")
    rate = browser.run("return document.querySelector('#figures dd span').textContent")
    page.expect(f"{rate} mails a second: {polls} polls in {seconds:.0f} s, and no task of the page above {longest:.0f} ms (asked: 500)",
                polls >= seconds / 4 and longest <= 500)


def an_hour_passes(page: Page, before: tuple[int, int]) -> None:
    browser = page.browser
    browser.run("window.ahead = 0; window.hurried = true; window.polls = 0")
    browser.wait("an hour of polls", f"return polls >= {POLLS_OF_AN_HOUR}", 300)
    browser.run("window.hurried = false")
    blob, nodes = memory(browser)
    page.expect(f"an hour later {blob >> 10} KiB and {nodes} nodes, {before[0] >> 10} and {before[1]} before",
                blob <= before[0] + (8 << 20) and nodes <= 2 * before[1])
    page.expect("plots of the last five minutes", browser.run("return samples.length <= 170"))
    page.expect("it is still ready", browser.run("return document.getElementById('state-text').textContent") == "Ready")
