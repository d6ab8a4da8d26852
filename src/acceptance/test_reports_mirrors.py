"""Reports at a publisher of five mirrors, each a gateway: how long until the next copy is in quarantine on each after the third report,
and until it is rejected after an operator's List."""
import json
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import pytest

from certificates import signing_key
from product import LISTED_REPLY, Gateway, Home
from smtp import SmtpClient
from test_reports import SETTINGS, host_of, phish, read, stored
from test_reports_auto import USERS, deliver, report

pytestmark = pytest.mark.needs("openssl")
MIRRORS, ROUNDS, MOST_SECONDS, ADMIN = 5, 10, 10, "the-token-of-the-admin"


def kept(gateway: Gateway) -> int:
    return len(list(gateway.home.path("var", "quarantine", "new").glob("*")))


def reply(gateway: Gateway, original: bytes) -> str:
    """To the next copy."""
    with SmtpClient(gateway.smtp) as client:
        assert client.command(b"XCLIENT ADDR=198.51.100.7 NAME=[UNAVAILABLE]").startswith("220")
        client.command(b"EHLO client.example")
        return client.send(b"billing@sender.example", f"{USERS[3]}@corp.example".encode(), original)


def seconds_until(start: float, gateways: list[Gateway], has_changed) -> list[float]:
    """Of each gateway, until the next copy fares differently; one copy in a tenth of a second."""
    def wait(gateway: Gateway) -> float:
        while not has_changed(gateway):
            assert time.monotonic() < start + 60, f"not within 60 s: {gateway.url}"
            time.sleep(0.1)
        return time.monotonic() - start
    with ThreadPoolExecutor(len(gateways)) as pool:
        return list(pool.map(wait, gateways))


def list_by_operator(publisher: Gateway, number: int) -> None:
    (one,) = (one for one in stored(publisher.home) if one["message"]["subject"] == f"Invoice {number}")
    body = {"state": "listed", "kind": "domain", "value": host_of(number), "expires": "7d"}
    request = urllib.request.Request(f"{publisher.url}/v1/reports/{one['id']}", json.dumps(body).encode(),
                                     {"Content-Type": "application/json", "Authorization": f"Bearer {ADMIN}"})
    urllib.request.urlopen(request, timeout=20).close()


@pytest.mark.long
def test_reports_protect_five_mirrors(home: Home, expect, monkeypatch) -> None:
    monkeypatch.setenv("BLOOMGATE_JAVA_OPTS", "-Xmx128m -XX:TieredStopAtLevel=1")
    theirs = home.beside("theirs")
    key, public = signing_key(home.folder, "own")
    theirs.configure(f"rebuild: {{ signingKey: {key} }}")
    theirs.list_domains("listed.example")
    generation = theirs.rebuild("--force")
    publisher = theirs.gateway(*SETTINGS, "reports.auto.reporters=3", f"http.adminToken={ADMIN}")
    mirrors = [home.beside(f"mirror{number}").gateway(*SETTINGS, f"mirror.url={publisher.url}", f"snapshotKey={public}")
               for number in range(MIRRORS)]
    for mirror in mirrors:
        mirror.wait_for_snapshot(generation)
    quarantined, rejected = [], []
    for number in range(ROUNDS):
        original = phish(number).as_bytes()
        for user in USERS:
            deliver(publisher, original, user)
        for user in USERS[:2]:
            report(publisher, number, original, user)
        before = {gateway.url: kept(gateway) for gateway in mirrors}

        def is_quarantined(gateway: Gateway) -> bool:
            assert reply(gateway, original).startswith("250")
            return kept(gateway) > before[gateway.url]
        start = time.monotonic()
        report(publisher, number, original, USERS[2])
        quarantined += seconds_until(start, mirrors, is_quarantined)

        number += ROUNDS
        original = phish(number).as_bytes()
        deliver(publisher, original, USERS[0])
        report(publisher, number, original, USERS[0])
        read(publisher, 4 * (number - ROUNDS + 1))
        start = time.monotonic()
        list_by_operator(publisher, number)
        rejected += seconds_until(start, mirrors, lambda gateway: reply(gateway, original).startswith(LISTED_REPLY))
    for what, took in (("the third report to quarantine", sorted(quarantined)), ("an operator's List to 550", sorted(rejected))):
        p50, p99 = took[len(took) // 2], took[round(len(took) * 0.99) - 1]
        expect(f"from {what} on {MIRRORS} mirrors: p50 {p50:.2f} s, p99 {p99:.2f} s, most {took[-1]:.2f} s; p99 at most {MOST_SECONDS} s",
               p99 <= MOST_SECONDS)
    for gateway in [*mirrors, publisher]:
        gateway.stop()
