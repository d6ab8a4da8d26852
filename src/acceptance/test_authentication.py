"""A sender exception and who can use it: messages signed by dkimpy, zones in unbound, and forgeries by every listener."""
import json
import random
import re
import socket
import subprocess
import threading
import time
import urllib.parse
import urllib.request
from collections import Counter
from collections.abc import Callable

import pytest

from milterclient import MilterClient
from packages import program
from processes import free_port, wait_for_port, wait_until
from product import Gateway, Home
from smtp import SmtpClient

LISTED, LISTED_NETWORK = "evil.example", "203.0.113.0/24"
OURS, STRANGER, BAD = "198.51.100.7", "192.0.2.99", "203.0.113.9"
RECIPIENT = "bob@dest.example"
CODES = {"pass": "250", "tag": "250", "reject": "550", "defer": "451"}
PARTNERS = ("partner.example", "strict.example", "wide.example")
Mail = tuple[str, str, bytes]  # client, reverse-path, message


SIGNER = """
import dkim, json, sys
key = open(sys.argv[1], "rb").read()
for line in sys.stdin:
    ask = json.loads(line)
    message = ask["message"].encode("latin1")
    ways = tuple(way.encode() for way in ask["ways"])
    field = dkim.sign(message, b"x", ask["domain"].encode(), key, canonicalize=ways, length=ask["counted"])
    print(json.dumps(field.decode("latin1")), flush=True)
"""


class Zones:
    """Zones of partners at an unbound that logs what it is asked, and the key that signs for them."""

    def __init__(self, home: Home):
        self.port, self.log = free_port(), home.path("unbound.log")
        key = home.path("key.pem")
        subprocess.run([program("openssl"), "genrsa", "-traditional", "-out", key, "2048"], check=True, capture_output=True)
        public = subprocess.run([program("openssl"), "rsa", "-in", key, "-pubout"], check=True, capture_output=True, text=True).stdout
        self.signer = home.processes.start("/usr/bin/python3", "-c", SIGNER, key, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        record = "v=DKIM1; k=rsa; p=" + "".join(public.splitlines()[1:-1])
        data = {f"x._domainkey.{name}": record for name in (*PARTNERS, "sub.strict.example", "mail.partner.example", "stranger.example")}
        data |= {"partner.example": f"v=spf1 ip4:{OURS} -all", "strict.example": "v=spf1 -all", "wide.example": "v=spf1 +all",
                 "_dmarc.strict.example": "v=DMARC1; p=reject; adkim=s; aspf=s"}
        lines = "\n".join(f"  local-data: '{name}. 60 TXT {quoted(text)}'" for name, text in data.items())
        config = home.path("unbound.conf")
        config.write_text(f"""
server:
  interface: 127.0.0.1@{self.port}
  do-ip6: no
  username: ""
  chroot: ""
  directory: "{home.folder}"
  pidfile: ""
  use-syslog: no
  logfile: "{self.log}"
  log-queries: yes
  do-daemonize: no
  module-config: "iterator"
  local-zone: "example." static
{lines}
remote-control:
  control-enable: no
""")
        home.processes.start_silent(program("unbound"), "-c", config)
        wait_for_port(self.port)

    def queries(self) -> int:
        return len(re.findall(r" IN$", self.log.read_text(), re.M))

    def signed(self, message: bytes, domain: str = "partner.example", ways: tuple[str, str] = ("relaxed", "simple"), counted: bool = False) -> bytes:
        """With a signature of the domain above; `counted` signs the length of the body too."""
        ask = {"message": message.decode("latin1"), "domain": domain, "ways": ways, "counted": counted}
        self.signer.stdin.write(json.dumps(ask) + "\n")
        self.signer.stdin.flush()
        return json.loads(self.signer.stdout.readline()).encode("latin1") + message


def quoted(text: str) -> str:
    return " ".join(f'"{text[at:at + 200]}"' for at in range(0, len(text), 200))


class Site:
    """A gateway with a listed link, a listed network, exceptions for partners, and three listeners."""

    def __init__(self, home: Home, resolver: int, *settings: str):
        self.home = home
        home.write("domains.txt", LISTED, "reply.example")
        home.write("networks.txt", LISTED_NETWORK)
        home.feeds("name: test, kind: domain, format: lines, source: domains.txt, category: phishing",
                   "name: nets, kind: network, format: cidr, source: networks.txt, category: botnet, trusted: true")
        home.configure('smtp: { trusted: ["127.0.0.0/8"] }', 'milter: { listen: "127.0.0.1:0" }', "http: { checksPerSecond: 0 }",
                       f'exact: {{ dns: {{ resolvers: ["127.0.0.1:{resolver}"] }} }}', *settings)
        home.run("rebuild", status=0)
        for name in PARTNERS:
            home.run("exception", "add", "--sender", name, "--reason", "invoices", status=0)
        self.gateway: Gateway = home.gateway()
        self.listeners: tuple[Callable[[Mail], str], ...] = (self.by_smtp, self.by_milter, self.by_http)

    def by_smtp(self, mail: Mail) -> str:
        client, sender, message = mail
        with SmtpClient(self.gateway.smtp) as smtp:
            if client != "127.0.0.1":
                assert smtp.command(f"XCLIENT ADDR={client} NAME=[UNAVAILABLE]".encode()).startswith("220")
                smtp.command(b"EHLO mail.client.example")
            return smtp.send(sender.encode(), RECIPIENT.encode(), message)[:3]

    def by_milter(self, mail: Mail) -> str:
        client, sender, message = mail
        with MilterClient(self.gateway.milter()) as milter:
            milter.connect(client)
            milter.helo("mail.client.example")
            return milter.mail(sender, [RECIPIENT], message).reply[:3]

    def by_http(self, mail: Mail) -> str:
        return CODES[self.asked(mail)["enforced"]]

    def asked(self, mail: Mail, **more: str) -> dict:
        client, sender, message = mail
        query = urllib.parse.urlencode({"client": client, "mailFrom": sender, "rcptTo": RECIPIENT, "helo": "mail.client.example", **more})
        request = urllib.request.Request(f"{self.gateway.url}/v1/messages?{query}", message, {"Content-Type": "message/rfc822"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    def scanned(self, mail: Mail, *options: str) -> dict:
        client, sender, message = mail
        file = self.home.path("mail.eml")
        file.write_bytes(message)
        done = self.home.run("scan", "--json", "--client", client, "--mail-from", sender, "--rcpt-to", RECIPIENT, *options, file)
        return json.loads(done.stdout)


def text(sender: str, link: str = f"http://{LISTED}/", more: str = "") -> bytes:
    return f"From: {sender}\r\nTo: {RECIPIENT}\r\nSubject: invoice\r\n{more}\r\nSee {link} today.\r\n".encode()


@pytest.mark.needs("unbound", "openssl", "python3-dkim")
def test_the_example_has_one_answer_everywhere(home, expect):
    zones = Zones(home)
    site = Site(home, zones.port)
    claimed = "anyone@partner.example"
    signed = zones.signed(text("a@partner.example"))
    for name, mail, code, auth in (
            ("unsigned", (STRANGER, claimed, text(claimed)), "550", "fail dkim=none,spf=fail"),
            ("signed", (STRANGER, "x@stranger.example", signed), "250", "pass "),
            ("changed", (STRANGER, "x@list.example", signed.replace(b"invoice", b"[list] invoice")), "550",
             "fail dkim=invalid,spf=not-aligned"),
            ("by SPF", (OURS, claimed, text(claimed)), "250", "pass "),
            ("clean", (STRANGER, claimed, text(claimed, "http://good.example/")), "250", "")):
        replies = [deliver(mail) for deliver in site.listeners]
        expect(f"{name}: {replies} by SMTP, milter and HTTP", replies == [code] * 3)
        results = [site.asked(mail)] if name in ("by SPF", "clean") else [site.asked(mail), site.scanned(mail)]
        for result in results:
            said = result.get("authentication", {})
            seen = f"{said['result']} {said['reason']}" if said else ""
            expect(f"{name}: {result['enforced']}, {seen}", CODES[result["enforced"]] == code and seen == auth)
    site.gateway.wait_for_line("auth=dkim:partner.example")
    site.gateway.wait_for_line("auth=fail:dkim=none,spf=fail")
    without = site.scanned((STRANGER, claimed, signed), "--no-dns")
    expect(f"--no-dns: {without['authentication']}", without["authentication"]["reason"] == "no-dns" and without["enforced"] == "defer")
    before = zones.queries()
    site.asked((STRANGER, claimed, signed), dns="false")
    expect("dns=false queries nothing", zones.queries() == before)
    home.run("exception", "remove", "--sender", "partner.example", status=0)
    home.run("exception", "add", "--sender", "partner.example", "--unauthenticated", "--expires", "60d", "--reason", "4712", status=0)
    wait_until("unauthenticated: 250", lambda: site.by_smtp((STRANGER, claimed, text(claimed))) == "250")
    site.gateway.wait_for_line("auth=unauthenticated")
    lint = home.run("exception", "lint")
    expect(f"lint: {lint.stdout}", lint.returncode == 1 and "anybody can write this sender" in lint.stdout)


def forgeries(zones: Zones) -> dict[str, Callable[[random.Random], Mail]]:
    """Each makes a message that a stranger could send, with a listed link unless it says otherwise."""
    partner = "a@partner.example"
    own = zones.signed(text(partner))
    clean = zones.signed(text(partner, "http://good.example/"))
    counted = zones.signed(text(partner, "http://good.example/"), counted=True)
    stranger = zones.signed(text("x@stranger.example"), domain="stranger.example")

    def from_(field: str) -> Callable[[random.Random], Mail]:
        signed = zones.signed(text(field), domain="stranger.example")
        return lambda rng: (STRANGER, "x@stranger.example", signed)

    def results(name: str, domain: str) -> bytes:
        return f"Authentication-Results: {name}; dkim=pass header.d={domain}; spf=pass smtp.mailfrom=a@{domain}\r\n".encode()

    return {
        "unsigned, both names": lambda rng: (STRANGER, f"{rng.randrange(999)}@partner.example", text(partner)),
        "null reverse-path": lambda rng: (STRANGER, "", text(partner)),
        "body changed": lambda rng: (STRANGER, partner, flipped(own, own.index(b"\r\n\r\n") + 4, rng)),
        "signed field changed": lambda rng: (STRANGER, partner, own.replace(b"Subject: invoice", b"Subject: %d" % rng.randrange(999))),
        "signature changed": lambda rng: (STRANGER, partner, flipped(own, re.search(rb"[ ;]b=", own).end(), rng, 200)),
        "text behind the counted body": lambda rng: (STRANGER, partner, counted + b"http://%s/%d\r\n" % (LISTED.encode(), rng.randrange(999))),
        "Reply-To added": lambda rng: (STRANGER, partner, b"Reply-To: x@reply.example\r\n" + clean),
        "replayed by a listed client": lambda rng: (BAD, partner, clean),
        "From added above": lambda rng: (STRANGER, partner, b"From: b@stranger.example\r\n" + own),
        "From added below": lambda rng: (STRANGER, "x@stranger.example", stranger.replace(b"\r\nTo:", b"\r\nFrom: a@partner.example\r\nTo:", 1)),
        "two mailboxes": from_("a@partner.example, x@stranger.example"),
        "group": from_("Friends: a@partner.example;"),
        "comment": from_("x@stranger.example (a@partner.example)"),
        "display name": from_('"a@partner.example" <x@stranger.example>'),
        "quoted local part": from_('"a@partner.example"@stranger.example'),
        "route": from_("<@partner.example:x@stranger.example>"),
        "name that ends alike": from_("a@notpartner.example"),
        "name below another": from_("a@partner.example.stranger.example"),
        "key of a stranger": lambda rng: (STRANGER, partner, zones.signed(text(partner), domain="stranger.example")),
        "subdomain where equal names are wanted": lambda rng: (
            STRANGER, "a@strict.example", zones.signed(text("a@strict.example"), domain="sub.strict.example")),
        "record that passes anyone": lambda rng: (STRANGER, "a@wide.example", text("a@wide.example")),
        "SPF of the stranger": lambda rng: (OURS, "x@stranger.example", text(partner)),
        "results of a look-alike": lambda rng: (STRANGER, partner, results("mx.corp.example.stranger.example", "partner.example") + text(partner)),
        "results below an earlier hop": lambda rng: (
            STRANGER, partner, b"Received: by a.example\r\nReceived: by b.example\r\n" + results("mx.corp.example", "partner.example") + text(partner)),
    }


def flipped(message: bytes, start: int, rng: random.Random, span: int = 0) -> bytes:
    """With one letter changed from there on."""
    end = min(len(message), start + span) if span else len(message) - 2
    at = rng.choice([i for i in range(start, end) if message[i:i + 1].isalpha() and LISTED.encode() not in message[i - 20:i + 20]])
    return message[:at] + (b"Q" if message[at:at + 1] != b"Q" else b"W") + message[at + 1:]


@pytest.mark.needs("unbound", "openssl", "python3-dkim")
def test_no_forgery_profits(home, expect, pytestconfig):
    zones = Zones(home)
    site = Site(home, zones.port, "authentication: { authservIds: [mx.corp.example] }")
    rng = random.Random(40)
    kinds = forgeries(zones)
    replies: dict[str, Counter] = {name: Counter() for name in kinds}
    count = 10_000 if pytestconfig.getoption("--all") else 1_200
    for number in range(count):
        name = list(kinds)[number // 3 % len(kinds)]
        replies[name][site.listeners[number % 3](kinds[name](rng))] += 1
    for name, codes in replies.items():
        expect(f"{name}: {dict(codes)}", set(codes) == {"550"})
    print(f"{count} forgeries, {zones.queries()} queries")


@pytest.mark.needs("unbound", "openssl", "python3-dkim")
def test_genuine_mail_passes(home, expect, pytestconfig):
    zones = Zones(home)
    site = Site(home, zones.port, "authentication: { authservIds: [mx.corp.example] }")
    rng = random.Random(41)
    codes: Counter = Counter()
    for number in range(1_000 if pytestconfig.getoption("--all") else 300):
        domain = rng.choice(("partner.example", "mail.partner.example"))
        address = f"u{rng.randrange(999)}@{domain}"
        kind = rng.choice(("dkim", "spf", "results"))
        message = text(rng.choice((address, f"Ada <{address}>", f'"Lovelace, Ada" <{address}>', f"=?utf-8?q?Zo=C3=AB?= <{address}>")))
        if kind == "dkim":
            mail = (STRANGER, "bounce@esp.example", zones.signed(
                message, rng.choice((domain, "partner.example")), (rng.choice(("simple", "relaxed")), rng.choice(("simple", "relaxed")))))
        elif kind == "spf":
            mail = (OURS, "u@partner.example", message)
        else:
            field = b"Authentication-Results: mx.corp.example (postfix);\r\n dkim=pass (2048-bit key) header.d=partner.example\r\n"
            mail = ("127.0.0.1", "x@esp.example", field + b"Received: by mx.corp.example\r\n" + message)
        listener = site.listeners[number % 2] if kind == "results" else site.listeners[number % 3]
        codes[kind, listener(mail)] += 1
    expect(f"genuine: {dict(codes)}", {code for _, code in codes} == {"250"})


@pytest.mark.needs("unbound", "openssl", "python3-dkim")
def test_mail_that_does_not_depend_on_it_queries_nothing(home, expect, pytestconfig):
    zones = Zones(home)
    site = Site(home, zones.port)
    count = 10_000 if pytestconfig.getoption("--all") else 1_000
    clean = zones.signed(text("a@partner.example", "http://good.example/"))
    codes: Counter = Counter()
    with SmtpClient(site.gateway.smtp) as smtp:
        for number in range(count):
            codes["clean", smtp.send(b"a@partner.example", RECIPIENT.encode(), clean)[:3]] += 1
            codes["listed", smtp.send(b"a@other.example", RECIPIENT.encode(), text("a@other.example"))[:3]] += 1
    expect(f"{dict(codes)}, {zones.queries()} queries", codes == {("clean", "250"): count, ("listed", "550"): count} and zones.queries() == 0)


@pytest.mark.needs("openssl", "python3-dkim", "unbound")
@pytest.mark.parametrize("on_unknown, code", [("defer", "451"), ("count", "550")])
def test_a_silent_dns_holds_nobody_up(home, expect, on_unknown, code):
    zones = Zones(home)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as silent:
        silent.bind(("127.0.0.1", 0))
        site = Site(home, silent.getsockname()[1], f"authentication: {{ onUnknown: {on_unknown} }}")
        signed = zones.signed(text("a@partner.example"))
        answers: list[tuple[str, float]] = []

        def session() -> None:
            began = time.monotonic()
            answers.append((site.by_smtp((STRANGER, "a@partner.example", signed)), time.monotonic() - began))
        for _ in range(2):
            threads = [threading.Thread(target=session) for _ in range(64)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        slowest = max(seconds for _, seconds in answers)
        expect(f"{on_unknown}: {Counter(reply for reply, _ in answers)}, slowest {slowest:.1f} s",
               {reply for reply, _ in answers} == {code} and slowest < 15)  # of 64 at once; one after the other they take a minute
