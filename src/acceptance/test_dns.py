"""A feed that a real rbldnsd confirms: listed, delisted in the zone alone, an odd answer, the zone gone and back."""
import signal
import socket
import statistics
import time
from collections.abc import Callable
from typing import Any

import pytest

from packages import program
from processes import free_port, seconds_until, wait_until
from product import Home

HEAD = ("$SOA 60 ns.dbl.example admin.dbl.example 0 600 300 86400 60", "$NS 60 ns.dbl.example", "$TTL 60", ":127.0.0.2:listed", "test")
SELF_TEST_SECONDS = 10  # not the minute that it is otherwise
NUMBERED = [f"n{n:03d}.example" for n in range(100)]
ODD = "odd.example :192.0.2.1:"  # outside 127.0.0.0/8
ENTRIES = (*HEAD, ".bad.example", "delisted.example", "malware.example :127.0.0.4:", ODD, "late.example", "shared.example", *NUMBERED)
CONFIGURATION = """
exact:
  onUnknown: {{ default: tag, malware: tag, phishing: defer }}
  dns: {{ resolvers: ["127.0.0.1:{port}"] }}
"""


class Zone:
    """rbldnsd, which serves dbl.example from a file that it reads again when told to."""

    def __init__(self, home: Home):
        self.home, self.port = home, free_port()
        self.write(*ENTRIES)
        self.start()

    def write(self, *lines: str) -> None:
        self.home.write("dbl.dnset", *lines)

    def start(self) -> None:
        self.daemon = self.home.processes.start_silent(program("rbldnsd"), "-n", "-u", "nobody", "-b", f"127.0.0.1/{self.port}", "-c", "0",
                                                       "-w", self.home.folder, "dbl.example:dnset:dbl.dnset")
        wait_until("rbldnsd serves the zone", lambda: self.lists("test"))

    def delist(self, host: str) -> None:
        self.write(*(line for line in ENTRIES if line != host))
        self.daemon.send_signal(signal.SIGHUP)
        wait_until("rbldnsd has read its file again", lambda: not self.lists(host))

    def kill(self) -> None:
        self.daemon.kill()
        self.daemon.wait()

    def lists(self, host: str) -> bool:
        """Asked past the gateway."""
        name = b"".join(bytes([len(label)]) + label for label in (host + ".dbl.example").encode().split(b"."))
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
            s.settimeout(0.2)
            try:
                s.connect(("127.0.0.1", self.port))
                s.send(b"\x12\x34\1\0\0\1\0\0\0\0\0\0" + name + b"\0\0\1\0\1")
                return s.recv(1024)[7] > 0
            except OSError:
                return False


def timed(call: Callable[[], Any]) -> tuple[Any, float]:
    """What it gave, and the milliseconds it took."""
    began = time.perf_counter()
    return call(), 1000 * (time.perf_counter() - began)


@pytest.fixture
def home(launcher, open_folder, processes) -> Home:
    home = Home(launcher, open_folder, processes)
    home.write("feed.dnset", *(line.replace(ODD, "odd.example") for line in ENTRIES))
    home.write("other.txt", "shared.example")
    home.feeds("name: dbl, kind: domain, format: rbldnsd, category: spam, source: feed.dnset, confirm: dns, zone: dbl.example, "
               "answers: { 127.0.0.2: phishing, 127.0.0.4: malware }",
               "name: other, kind: domain, format: lines, category: tracking, source: other.txt")
    return home


@pytest.fixture
def zone(home) -> Zone:
    zone = Zone(home)
    home.configure(CONFIGURATION.format(port=zone.port))
    home.run("rebuild", "--all", status=0)
    return zone


@pytest.mark.needs("rbldnsd")
@pytest.mark.needs_root  # rbldnsd gives up root's rights for nobody's
def test_the_commands_ask_the_zone(home, zone, expect):
    listed = home.run("check", "domain", "www.bad.example", "malware.example", "good.example", status=1).stdout
    for line in ("dbl (phishing) bad.example", "dbl (malware) malware.example", "clean\tgood.example"):
        expect(f"check says {line!r}", line in listed)
    explained = home.run("explain", "www.bad.example").stdout
    expect("explain shows question and answer", "bad.example.dbl.example: 127.0.0.2 (TTL 60 s)" in explained)


@pytest.mark.needs("rbldnsd")
@pytest.mark.needs_root
def test_the_zone_has_the_last_word_while_it_can_be_asked(home, zone, monkeypatch, expect):
    monkeypatch.setenv("BLOOMGATE_JAVA_OPTS", f"-Dbloomgate.zoneSelfTestSeconds={SELF_TEST_SECONDS}")
    gateway = home.gateway()

    def said(domain: str) -> tuple[str, list[str]]:
        result, = gateway.checked(("domain", domain))
        return result["verdict"], [listing["category"] for listing in result["listings"]]

    wait_until("the self-test passes", lambda: gateway.metric("bloomgate_zone_trusted") == 1)
    expect("listed as the zone says", said("www.bad.example") == ("listed", ["phishing"]))
    expect("an answer outside 127.0.0.0/8 is unresolved", gateway.verdict("odd.example") == "unresolved")
    questions = gateway.metric("bloomgate_zone_questions_total")
    for _ in range(20):
        gateway.verdicts("www.bad.example", "good.example", "also-good.example")
    expect("an answer is kept, clean values ask nobody", gateway.metric("bloomgate_zone_questions_total") == questions)
    asked, kept = ([timed(lambda: gateway.verdict(name)) for name in NUMBERED] for _ in range(2))
    expect("all numbered ones are listed", all(verdict == "listed" for verdict, _ in asked))
    mean = 1000 * gateway.metric("bloomgate_zone_latency_seconds_sum") / gateway.metric("bloomgate_zone_latency_seconds_count")
    print(f"a check over HTTP: median {statistics.median(ms for _, ms in asked):.2f} ms with a question to the zone, "
          f"{statistics.median(ms for _, ms in kept):.2f} ms from the kept answer; the question alone {mean:.2f} ms")
    batch, took = timed(lambda: gateway.verdicts(*NUMBERED))
    expect(f"100 at once: {took:.1f} ms", set(batch) == {"listed"})
    reply = gateway.mail(b"bad.example")
    expect(f"mail with a listed link: {reply}", reply.startswith("550"))

    zone.delist("delisted.example")
    expect("delisted in the zone alone: not listed", gateway.verdict("delisted.example") == "clean")
    reply = gateway.mail(b"delisted.example")
    expect(f"mail with a link that was delisted: {reply}", reply.startswith("250"))

    zone.daemon.send_signal(signal.SIGSTOP)
    verdict, took = timed(lambda: gateway.verdict("late.example"))
    expect(f"the zone is silent: {verdict} after {took:.0f} ms", verdict == "unresolved")
    zone.kill()
    verdict, took = timed(lambda: gateway.verdict("late.example"))
    expect(f"the zone is gone: {verdict} after {took:.0f} ms", verdict == "unresolved")
    expect("what was asked before is kept for its TTL or unresolved, never clean", gateway.verdict("bad.example") != "clean")
    reply = gateway.mail(b"late.example")
    expect(f"mail as onUnknown says: {reply}", reply.startswith("451"))
    expect("another feed lists it still", said("shared.example") == ("listed", ["tracking"]))
    took = seconds_until("the self-test fails", lambda: gateway.metric("bloomgate_zone_trusted") == 0)
    ready = gateway.get("/health/ready")
    expect(f"after {took:.1f} s readiness names the zone: {ready[:200]}", "zone dbl.example" in ready and "zone-self-test" in ready)
    waited = statistics.median(timed(lambda: gateway.verdict("late.example"))[1] for _ in range(30))
    expect(f"while it fails nobody waits: median {waited:.2f} ms", waited < 200)

    zone.start()
    took = seconds_until("what the zone lists is listed again", lambda: said("late.example") == ("listed", ["phishing"]))
    expect(f"the zone is back, believed after {took:.1f} s, and readiness names nothing", "zone" not in gateway.get("/health/ready"))
    zone.kill()
    gateway.stop()
    told = [line for line in gateway.log().splitlines() if "self-test" in line]
    print("\n".join(told))
    expect(f"the log names each change once: {len(told)} lines", len(told) == 3)


@pytest.mark.needs("rbldnsd")
@pytest.mark.needs_root
def test_a_list_that_is_a_zone_and_nothing_else_is_asked_and_never_holds_mail_up(home, zone, expect):
    home.feeds("name: asked, kind: domain, category: phishing, source: 'dns:dbl.example', budget: 200ms, "
               "answers: { 127.0.0.2: phishing, 127.0.0.4: malware }",
               "name: other, kind: domain, format: lines, category: tracking, source: other.txt")
    home.run("rebuild", "--all", status=0)
    gateway = home.gateway()
    wait_until("the self-test passes", lambda: gateway.metric("bloomgate_zone_trusted") == 1)

    def listed_by() -> set[tuple[str, str]]:
        result, = gateway.checked(("domain", "www.bad.example"))
        return {(listing["feed"], listing["category"]) for listing in result["listings"]}
    # A busy machine may take longer than the budget.
    wait_until("listed as the zone says", lambda: listed_by() == {("asked", "phishing")})
    expect("the rest is clean", gateway.verdict("good.example") == "clean")
    wait_until("explain names it", lambda: "asked" in home.run("explain", "malware.example").stdout)
    wait_until("mail with a listed link is rejected", lambda: gateway.mail(b"bad.example").startswith("550"))
    zone.daemon.send_signal(signal.SIGSTOP)
    reply, took = timed(lambda: gateway.mail(b"late.example"))
    expect(f"the zone is silent: {reply} after {took:.0f} ms", reply.startswith("250") and took < 5000)
    zone.kill()
    reply, took = timed(lambda: gateway.mail(b"n001.example"))
    expect(f"the zone is gone: {reply} after {took:.0f} ms", reply.startswith("250") and took < 5000)
