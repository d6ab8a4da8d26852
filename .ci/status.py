#!/usr/bin/env python3
"""The status page in headless Chromium over a gateway that gets hostile mail: no console error and no violation of its policy,
layers and decisions, check boxes, keyboard alone, the token and what it opens, 360 pixels, both colour schemes, axe-core.
usage: status.py LAUNCHER [FOLDER for screenshots]"""
import json, os, re, shutil, subprocess, sys, tempfile, threading, time, urllib.request
from gatewaylib import Gateway, SmtpClient
from browser import Browser, TAB

launcher = sys.argv[1]
pictures = sys.argv[2] if len(sys.argv) > 2 else ""
TOKEN = "a-token-of-the-check-" + os.urandom(6).hex()
PASSWORD = "correct-horse-" + os.urandom(4).hex()
HOSTILE = '"<script>hacked=1</script>\u202egpj"@sender.test'
BEGAN = time.time()
folder = tempfile.mkdtemp(prefix="bloomgate-status-")
path = lambda name: os.path.join(folder, name)
bad = []


def phase(name):
    print("%5.1f s %s" % (time.time() - BEGAN, name), flush=True)


def expect(what, holds):
    if not holds:
        bad.append(what)
        print("NOT SO: " + what)


def write(name, *lines):
    with open(path(name), "w", encoding="utf-8") as out:
        out.writelines(line + "\n" for line in lines)


write("bloomgate.yaml", "snapshots: " + path("snapshots"), "feeds: " + path("feeds.yaml"), "http: { adminToken: %s }" % TOKEN,
      "journal: { directory: %s, keys: { directory: %s } }" % (path("decisions"), path("keys")), "local: { directory: %s }" % path("local"),
      "smtp: { temporary: %s, quarantine: %s }" % (path("tmp"), path("quarantine")),
      "policy: { listed: { text: tag }, recipients: { defer.test: { listed: defer } } }")
write("feeds.yaml", "feeds:",
      "  - { name: hosts, kind: domain, format: lines, source: %s, category: phishing }" % path("hosts"),
      "  - { name: links, kind: url, format: lines, source: %s, category: malware }" % path("links"),
      "  - { name: leaked, kind: password, format: lines, source: %s, category: leaked }" % path("leaked"),
      "  - { name: fresh, kind: domain, format: lines, source: %s, category: phishing, cadence: hourly }" % path("fresh"))
write("hosts", "evil.example", "worse.example", *("host-%d.example" % i for i in range(4000)))
write("links", "http://shared.example/bad/", *("http://shared.example/%d/" % i for i in range(900)))
write("leaked", PASSWORD, "123456", *("password%d" % i for i in range(2000)))
write("fresh", "minutes-old.example", *("fresh-%d.example" % i for i in range(300)))
for layer in ("nightly", "hourly"):
    built = subprocess.run([launcher, "rebuild", "-c", path("bloomgate.yaml"), "--layer", layer], capture_output=True, text=True)
    if built.returncode:
        sys.exit("no snapshot:\n" + built.stderr)
phase("snapshots")
gateway = Gateway(launcher, folder, "maildir:" + path("mail"), config=path("bloomgate.yaml"))
base = "http://127.0.0.1:%d" % gateway.http
sending = True


def mail():
    client = SmtpClient(gateway.smtp)
    number = 0
    while sending:
        number += 1
        text = b"Subject: %d\r\n\r\nSee http://clean-%d.test/ " % (number, number)
        to = b"someone@dest.test"
        if number % 9 == 0:
            text += b"and http://www.evil.example/login?who=someone@dest.test"
        elif number % 14 == 0:
            to, text = b"b@defer.test", text + b"and http://shared.example/bad/invoice.exe"
        elif number % 5 == 0:
            text = text.replace(b"\r\n\r\n", b"\r\nContent-Type: text/html\r\n\r\n") + b"<!-- http://worse.example/ -->"
        client.send(b"from%d@sender.test" % number, to, text)
        time.sleep(0.04)
    client.close()


client = SmtpClient(gateway.smtp)
for line in ("MAIL FROM:<%s> SMTPUTF8 BODY=8BITMIME" % HOSTILE, "RCPT TO:<victim@dest.test>", "DATA"):
    reply = client.command(line.encode())
    expect("%r: %s" % (line, reply), reply[0] in "23")
client.socket.sendall(b'Subject: x\r\nContent-Type: text/html\r\n\r\n<a href="http://evil.example/&lt;script&gt;hacked=1&lt;/script&gt;">x</a>\r\n.\r\n')
reply = client.reply()
expect("hostile mail is refused: " + reply, reply.startswith("550"))
client.close()
sender = threading.Thread(target=mail, daemon=True)
sender.start()


def overflow(browser):
    return browser.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth")


def picture(browser, name, *look):
    browser.look(*look)
    time.sleep(0.4)
    if pictures:
        browser.screenshot(os.path.join(pictures, name))


def axe(browser, when):
    with open(os.path.join(folder, "node_modules", "axe-core", "axe.min.js"), encoding="utf-8") as source:
        browser.run(source.read() + ";return 1")
    found = browser.run_async("const done = arguments[0]; axe.run(document, {resultTypes: ['violations']}).then(r => done(r.violations.map("
                              "v => [v.impact, v.id, v.nodes.map(n => n.target + ': ' + n.failureSummary).slice(0, 3)])), e => done([['serious', String(e), []]]))")
    for impact, rule, where in found:
        print("axe %s: %s %s %s" % (when, impact, rule, where))
        expect("axe finds %s (%s)" % (rule, when), impact not in ("serious", "critical"))
    return len(found)


packages = threading.Thread(target=lambda: subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", folder, "axe-core@4"],
                                                          capture_output=True, check=True))
packages.start()
with urllib.request.urlopen(base + "/") as answer:
    policy, page = answer.headers["Content-Security-Policy"], answer.read().decode()
expect("a strict policy: " + policy, "default-src 'none'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy)
expect("nothing is loaded from elsewhere", not re.search(r"(src|href)=[\"']?(https?:)?//", page))
phase("gateway")
browser = Browser(folder)
try:
    browser.look(1280, "light")
    browser.open(base + "/")
    browser.run("window.violations = []; document.addEventListener('securitypolicyviolation', e => violations.push(e.violatedDirective + ' ' + e.blockedURI))")
    browser.wait("ready", "return document.getElementById('state-text').textContent === 'Ready'")
    browser.wait("both layers", "return document.querySelectorAll('#layers .layer').length === 2 && document.body.innerText.includes('leaked')")
    token = browser.wait("the hostile decision", "const d = [...document.querySelectorAll('#decision-list li')].find(li => li.textContent.includes('***@sender.test') && "
                         "li.textContent.includes('evil.example')); return d && d.querySelector('.token').textContent")
    expect("a reply holds the token of a decision", re.fullmatch("[0-9A-Za-z]{8,20}", token))
    text = browser.run("return document.body.innerText")
    expect("addresses are masked without the token", "victim" not in text and "someone@" not in text and "from1@" not in text)

    phase("page")
    # Check boxes
    for kind, value, verdict in (("domain", "www.evil.example", "listed"), ("domain", "good.example", "not listed"), ("url", "http://shared.example/bad/x", "listed"),
                                 ("address", "a@evil.example", "listed"), ("url", "http://ok.test/<img src=x onerror=hacked=1>", "not listed")):
        browser.run("document.getElementById('check-value').value = ''; document.getElementById('check-kind').value = arguments[0]; "
                    "document.getElementById('check-answer').replaceChildren()", kind)
        browser.type("#check-value", value + "\n")
        got = browser.wait("an answer about " + value, "return document.querySelector('#check-answer .badge, #check-answer .fault')?.textContent")
        expect("%s %s is %s: %s" % (kind, value, verdict, got), got == verdict)
    for password, verdict in ((PASSWORD, "weak"), ("not-" + PASSWORD, "not listed")):
        browser.run("document.getElementById('password-answer').replaceChildren()")
        browser.type("#password-value", password + "\n")
        got = browser.wait("an answer about a password", "return document.querySelector('#password-answer .badge')?.textContent")
        expect("a password is %s: %s" % (verdict, got), got == verdict)
        expect("a password is not left in the page", PASSWORD not in browser.run("return document.documentElement.outerHTML + "
               "[...document.querySelectorAll('input')].map(i => i.value).join()"))

    phase("checks")
    # The keyboard alone
    def walk():
        stops = browser.run("document.activeElement.blur(); window.seen = []; document.addEventListener('focusin', window.noting = e => { const s = getComputedStyle(e.target);"
                            "seen.push([e.target.id || e.target.name || e.target.textContent.slice(0, 30), s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 2]); }); window.getSelection().removeAllRanges();"
                            "return [...document.querySelectorAll('a[href],button,input,select,summary')].filter(e => e.getClientRects().length && !e.disabled && !e.closest('[hidden]')).length")
        browser.keys(*[TAB] * (stops + 8))
        seen = browser.run("document.removeEventListener('focusin', noting); return seen")
        expect("Tab reaches all %d, reached %d" % (stops, len({name for name, _ in seen})), len(seen) >= stops)
        expect("the focus is seen everywhere: %s" % [name for name, visible in seen if not visible], all(visible for _, visible in seen))
        return stops

    sending = False
    sender.join()
    time.sleep(2.2)
    stops = walk()
    browser.run("document.querySelector('#decision-list summary').focus()")
    browser.keys(" ")
    expect("a decision opens by key", browser.run("return document.querySelector('#decision-list details').open"))
    time.sleep(2.5)
    expect("and stays open and focused over a poll", browser.run("return document.querySelector('#decision-list details').open && document.activeElement.tagName === 'SUMMARY'"))
    expect("no violation of the policy", browser.run("return violations") == [])
    expect("no error in the console: %s" % browser.console(), not browser.console())
    phase("keyboard")
    packages.join()
    findings = axe(browser, "closed")
    picture(browser, "status-light.png", 1280, "light")
    picture(browser, "status-dark.png", 1280, "dark")
    axe(browser, "dark")
    picture(browser, "status-360-light.png", 360, "light", 800)
    expect("no horizontal scroll at 360 pixels: %d" % overflow(browser), overflow(browser) <= 0)
    axe(browser, "360 pixels")
    picture(browser, "status-360-dark.png", 360, "dark", 800)
    browser.look(1280, "light")

    phase("pictures")
    # The token and what it opens
    browser.type("#token-value", "wrong\n")
    browser.wait("a refusal", "return document.querySelector('#token-answer .fault')?.textContent.includes('not the token')")
    browser.console()
    browser.type("#token-value", TOKEN + "\n")
    browser.wait("lists", "return !document.getElementById('operator').hidden && document.querySelector('#listing-list li')")
    browser.click("#decision-more")
    browser.wait("whole addresses", "return document.getElementById('decision-list').textContent.includes('victim@dest.test')")
    expect("markup of a sender stays text", browser.run("const li = [...document.querySelectorAll('#decision-list li')].find(l => l.textContent.includes('victim@dest.test'));"
           "return li.textContent.includes('<script>hacked=1</script>') && !li.querySelector('script') && li.textContent.includes('\\\\u202e') && !li.textContent.includes('\\u202e') && typeof hacked === 'undefined'"))
    browser.type("#listing [name=value]", "NEW-listing.example")
    browser.type("#listing [name=reason]", "<b>checked</b>\n")
    browser.wait("the listing", "return document.getElementById('listing-list').textContent.includes('new-listing.example')")
    check = lambda: json.load(urllib.request.urlopen(urllib.request.Request(base + "/v1/check", headers={"Content-Type": "application/json"},
            data=b'{"items":[{"kind":"domain","value":"new-listing.example"}]}')))["results"][0]["verdict"]
    expect("it is in force", check() == "listed")
    browser.type("#exception [name=value]", "evil.example")
    browser.type("#exception [name=recipientDomain]", "lists.example\n")
    browser.wait("the exception", "return document.getElementById('exception-list').textContent.includes('to lists.example')")
    walk()
    axe(browser, "open")
    picture(browser, "status-open-light.png", 1280, "light")
    picture(browser, "status-open-360-dark.png", 360, "dark", 800)
    expect("no horizontal scroll at 360 pixels, open: %d" % overflow(browser), overflow(browser) <= 0)
    browser.look(1280, "light")
    for kind in ("listing", "exception"):
        browser.run("document.querySelector('#%s-list button').focus()" % kind)
        browser.keys(" ", " ")
        browser.wait("its removal", "return document.getElementById('%s-list').textContent.includes('None')" % kind)
    expect("what is removed is out of force", check() == "clean")
    browser.open(base + "/")
    browser.wait("the token is kept in the tab", "return !document.getElementById('operator').hidden")
    browser.click("#token-close")
    browser.wait("masked again", "return document.getElementById('operator').hidden && !document.getElementById('decision-list').textContent.includes('victim')")
    expect("the token is nowhere", browser.run("return sessionStorage.length + localStorage.length + document.cookie.length") == 0)
    gateway.stop()
    browser.wait("a page without its gateway says so", "return document.getElementById('state-text').textContent === 'No answer'", 10)
    phase("token")
finally:
    browser.close()
log = open(gateway.stderr_path, encoding="utf-8").read()
expect("log without password and token", PASSWORD not in log and TOKEN not in log)
shutil.rmtree(folder, ignore_errors=True)
if bad:
    sys.exit("%d expectations failed" % len(bad))
print("status page: %d stops of the keyboard, both schemes, 360 pixels, token flow; axe-core: nothing serious, %d lesser findings" % (stops, findings))
