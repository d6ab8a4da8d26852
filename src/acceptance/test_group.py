"""Five gateways of a site, which exchange what they have seen."""
import calendar
import json
import os
import random
import time
import urllib.request

import pytest

from processes import free_port, wait_until
from product import Gateway, Home
from smtp import SmtpClient

FLEET, ADMIN = "the-token-of-the-group", "the-token-of-the-admin"
GATEWAYS = 5
WRITTEN_SECONDS = 3  # after which all is in files that is written each second


class Member:
    """One of them, which is known by its name."""

    def __init__(self, home: Home, number: int, ports: list[int], peers: list[int]):
        self.home, self.name, self.port = home.beside(f"mx{number}"), f"mx{number}.example", ports[number]
        self.home.feeds("name: none, kind: domain, format: lines, source: none.txt, category: phishing")
        addresses = ", ".join(f'"http://127.0.0.1:{ports[peer]}"' for peer in peers)
        self.home.configure(f"snapshots: {home.path('var', 'snapshots')}",
                            f"smtp: {{ hostname: {self.name} }}",
                            f"http: {{ adminToken: {ADMIN}, operators: {{ group: {{ role: fleet, token: {FLEET} }} }} }}",
                            f"memory: {{ links: true, groups: [{{ name: fleet, own: true, key: {home.path('group.key')}, peers: [{addresses}], token: {FLEET} }}] }}")
        self.started = self.start()

    def start(self) -> tuple:
        return self.home._serve("gateway", "smtp.listen=127.0.0.1:0", f"http.listen=127.0.0.1:{self.port}")

    def wait(self) -> None:
        self.gateway = Gateway(self.home, *self.started)

    def kill(self) -> None:
        self.gateway.kill()
        self.started = self.start()
        self.wait()

    def ask(self, path: str) -> dict:
        request = urllib.request.Request(self.gateway.url + path, headers={"Authorization": f"Bearer {ADMIN}"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    def mail(self, *domains: str) -> None:
        links = "".join(f"http://www.{domain}/\r\n" for domain in domains)
        with SmtpClient(self.gateway.smtp) as client:
            reply = client.send(b"a@sender.test", b"b@dest.example", f"Subject: x\r\n\r\n{links}".encode())
        assert reply.startswith("250"), reply

    def knows(self, domain: str) -> bool:
        return "link" in self.ask(f"/v1/seen/{domain}")

    def files(self) -> set[tuple]:
        return {(file["origin"], file["set"], file["day"], file["sha256"]) for file in self.ask("/v1/memory")["files"]}


@pytest.fixture
def members(home, monkeypatch):
    """A ring, each of which asks the next one; the first asks all others."""
    monkeypatch.setenv("BLOOMGATE_JAVA_OPTS", "-Xmx128m -XX:TieredStopAtLevel=1 -Dbloomgate.memoryExchangeSeconds=1")
    home.list_domains("listed.example")
    home.rebuild()
    home.path("group.key").write_bytes(os.urandom(32))
    ports = [free_port() for _ in range(GATEWAYS)]
    members = [Member(home, n, ports, [(n + 1) % GATEWAYS] if n else list(range(1, GATEWAYS))) for n in range(GATEWAYS)]
    for member in members:
        member.wait()
    return members


def test_five_gateways_know_what_any_has_seen(members, expect, request):
    everything, rnd = request.config.getoption("--all"), random.Random(7)
    domains = [f"first{n}.example" for n in range(GATEWAYS)]
    began = time.time()
    for member, domain in zip(members, domains):
        member.mail(domain)
    wait_until("all know what any has seen", lambda: all(member.knows(domain) for member in members for domain in domains), 120)
    print(f"{time.time() - began:.1f} s for {GATEWAYS - 2} hops of a second")

    def all_answer() -> dict | None:
        """What the first says when each of the others has answered it in time."""
        seen = members[0].ask(f"/v1/seen/{domains[3]}")
        return seen if seen["unanswered"] == [] and seen["gateways"] else None
    seen = wait_until("all answer", all_answer)
    (owner,) = seen["gateways"]
    expect(f"the owner confirms it: {seen}", owner["gateway"] == members[3].name and owner["messages"] == 1)
    age = began - calendar.timegm(time.strptime(owner["firstSeen"], "%Y-%m-%dT%H:%M:%SZ"))
    expect(f"to the minute: {age:.0f} s before", -60 < age < 120)

    for step in range(1_000 if everything else 50):
        member = rnd.choice(members)
        if step % 50 == 24:
            time.sleep(WRITTEN_SECONDS)
            member.kill()
        else:
            new = [f"d{step}-{n}.example" for n in range(rnd.randrange(1, 5))]
            member.mail(*new)
            domains += new
    asked = domains[::1 if everything else 9]
    wait_until("nothing is lost by a kill after some seconds", lambda: all(member.knows(domain) for member in members for domain in asked))
    wait_until("all have the same files", lambda: len({frozenset(member.files()) for member in members}) == 1)
    origins = {file[0] for file in members[0].files()}
    expect(f"of all of them: {origins}", origins == {member.name for member in members})

    members[3].gateway.stop()

    def seen_by_command() -> dict | None:
        """Where only the stopped one has not answered in time."""
        done = members[0].home.run("seen", domains[3], "--json", "--set", f"http.listen=127.0.0.1:{members[0].port}", status=0)
        seen = json.loads(done.stdout)
        return seen if seen["unanswered"] == [f"http://127.0.0.1:{members[3].port}"] else None
    seen = wait_until("the stopped one is named", seen_by_command)
    expect(f"known without its owner: {seen}", "link" in seen)
    wait_until("and in the status", lambda: str(members[3].port) in str(members[0].ask("/v1/status")["refused"]))

    def command(*words: str) -> str:
        return members[0].home.run("memory", *words, "--set", f"http.listen=127.0.0.1:{members[0].port}", status=0).stdout
    listed = {json.loads(line)["origin"] for line in command("list", "--json").splitlines()}
    expect(f"files of all are listed: {listed}", listed == origins)
    command("forget", members[3].name)
    wait_until("what it has seen is forgotten, also in a ring", lambda: not members[0].knows(domains[3]))
    expect("a member can be joined", command("join", members[1].gateway.url).startswith("accepted "))
    for member in members[:3] + members[4:]:
        member.gateway.stop()
