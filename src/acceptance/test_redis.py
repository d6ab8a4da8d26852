"""A real Redis cluster as exact tier: real rebuilds publish to it, a real gateway asks it, and its servers are killed, come
back empty, are all gone and all back, while every answer is counted as right, unknown or wrong. Half the strangers are
suspects, and nothing is cached. A rebuild is killed while it publishes. The long form has replicas and more entries."""
import collections
import http.client
import json
import random
import re
import signal
import threading
import time

import pytest

from processes import seconds_until, wait_until
from product import Gateway, Home
from rediscluster import Cluster
from smtp import SmtpClient

THREADS, HOLD_SECONDS = 3, 1.5  # of a phase: a thousand answers
REASON = re.compile(r'bloomgate_lookup_unknown_reasons_total\{reason="([^"]*)"\}')


class Load:
    """Asks the gateway about one value after the other and counts what it says, by phase."""

    def __init__(self, gateway: Gateway, entries: int):
        self.gateway, self.entries, self.ended, self.quiet = gateway, entries, False, ""
        self.counts = collections.defaultdict(collections.Counter)
        self.milliseconds = collections.defaultdict(list)  # of suspects
        self.wrong, self.last = [], collections.deque(maxlen=60)
        self.reasons: collections.Counter = collections.Counter()
        self.phase = "healthy"
        self.threads = [threading.Thread(target=self.run, args=(i,), daemon=True) for i in range(THREADS)]
        for thread in self.threads:
            thread.start()

    def run(self, number: int) -> None:
        rnd, connection = random.Random(number), http.client.HTTPConnection("127.0.0.1", self.gateway.http, timeout=30)
        while not self.ended:
            phase, listed = self.phase, rnd.random() < 0.5
            value = f"listed-{rnd.randrange(self.entries)}.example" if listed else f"stranger-{rnd.randrange(10**9)}.example"
            began = time.perf_counter()
            body = json.dumps({"items": [{"kind": "domain", "value": value}]})
            connection.request("POST", "/v1/check", body, {"Content-Type": "application/json"})
            reply = connection.getresponse()
            answer = json.loads(reply.read())
            took = 1000 * (time.perf_counter() - began)
            result = answer["results"][0] if reply.status == 200 else {"verdict": f"status {reply.status}"}
            kind = {"unresolved": "unknown", "listed" if listed else "clean": "right"}.get(result["verdict"], "WRONG")
            self.counts[phase][kind] += 1
            self.last.append(kind)
            if kind == "WRONG":
                self.wrong.append((phase, value, answer))
            if result.get("suspect"):
                self.milliseconds[phase].append(took)
            elif kind == "right" and not listed:
                self.quiet = value  # clean without a question to the cluster
            time.sleep(0.002)

    def all_right(self) -> bool:
        """The last answers, and enough of them."""
        return list(self.last) == ["right"] * self.last.maxlen

    def begin(self, phase: str) -> None:
        self.last.clear()
        self.phase = phase

    def hold(self, seconds: float) -> None:
        time.sleep(seconds)

    def report(self, more: str = "") -> dict[str, int]:
        """A row of the table; why values were unknown in this phase."""
        counts, took = self.counts[self.phase], sorted(self.milliseconds[self.phase]) or [0]
        now = collections.Counter({found.group(1): int(n) for name, n in self.gateway.metrics().items() if (found := REASON.match(name))})
        why, self.reasons = dict(now - self.reasons), now
        print(f"{self.phase:34} right {counts['right']:6}  unknown {counts['unknown']:6}  suspects p50 {took[len(took) // 2]:.2f} ms "
              f"p99 {took[int(0.99 * (len(took) - 1))]:.2f} ms  {why or ''} {more}")
        assert not self.wrong, f"wrong answers: {self.wrong[:3]}"
        return why

    def require_unfelt(self, more: str = "") -> None:
        """A busy machine makes one in fifty late; nothing else may be felt."""
        why, counts = self.report(more), self.counts[self.phase]
        assert not set(why) - {"timeout"} and counts["unknown"] * 50 <= counts["right"], f"{self.phase} was felt: {why}"

    def end(self) -> None:
        self.ended = True
        for thread in self.threads:
            thread.join()


class Fleet:
    """A home whose rebuilds fill the cluster and whose gateway asks it."""

    def __init__(self, home: Home, entries: int, replicas: bool):
        self.home, self.entries = home, entries
        self.cluster = Cluster(home.processes, home.folder, replicas)
        home.configure(json.dumps({"exact": {"store": "redis", "redis": {"nodes": self.cluster.nodes()}},
                                   # Two bits for each key: many a stranger is a suspect. No answer about one is in the cache.
                                   "filters": {"memory": entries // 4}}))
        home.feeds("name: phish, kind: domain, format: lines, source: phish.txt, category: phishing",
                   "name: malware, kind: url, format: lines, source: malware.txt, category: malware")
        home.write("malware.txt", "http://url.example/malware/")
        self.publish("first")
        self.gateway = home.gateway()
        self.load = Load(self.gateway, entries)

    def write_feed(self, mark: str) -> None:
        self.home.write("phish.txt", f"mark-{mark}.example", *(f"listed-{i}.example" for i in range(self.entries)))

    def publish(self, mark: str) -> str:
        self.write_feed(mark)
        before = self.cluster.used_bytes()
        report = json.loads(self.home.run("rebuild", "--all", "--json", status=0).stdout)
        seconds = next(stage["seconds"] for stage in report["stages"] if stage["stage"] == "share")
        blob = (self.cluster.used_bytes() - before) / self.entries
        print(f"{self.entries} entries published in {seconds:.1f} s, {blob:.1f} bytes an entry")
        return report["generation"]

    def publish_and_adopt(self, mark: str) -> str:
        generation = self.publish(mark)
        self.gateway.wait_for_line(f"snapshot nightly/{generation} adopted")
        return generation


# By kind: a value that a feed lists, one that is not listed, and one that the operator listed.
MATRIX = {
    "address": ("eve@feed.example", "eve@unlisted.example", "eve@local.example"),
    "domain": ("feed-domain.example", "fine.feed-domain.example", "local-domain.example"),
    "url": ("http://url.example/feed", "http://url.example/unlisted", "http://url.example/local"),
    "password": ("feed password", "unlisted password", "local password"),
    "hash": ("a" * 64, "b" * 64, "c" * 64),
    "network": ("198.51.100.7", "192.0.2.9", "203.0.113.7"),
    "phone": ("+442079460001", "+442079460002", "+442079460003"),
}
LINES = {"domain": ("||feed-domain.example^", "@@||fine.feed-domain.example^"), "network": ("198.51.100.0/24",)}


@pytest.mark.needs("redis-server")
def test_every_kind_has_the_same_answer_from_a_real_cluster(home, expect):
    cluster = Cluster(home.processes, home.folder, False)
    home.configure("smtp:", "  relayDomains: [dest.example]", "  trusted: [127.0.0.1]", "local: { directory: var/local }",
                   "exact:", "  store: redis", "  redis:", f"    nodes: {json.dumps(cluster.nodes())}")
    home.feeds(*(f"name: {kind}s, kind: {kind}, format: {'adblock' if kind == 'domain' else 'lines'}, category: phishing, trusted: true, "
                 f"maxRejectShare: 1.0, source: {kind}.txt" for kind in MATRIX))
    for kind, (feed, _, local) in MATRIX.items():
        home.write(f"{kind}.txt", *LINES.get(kind, (feed,)))
        home.run("listing", "add", "--force", kind, local, status=0)
    home.rebuild()
    gateway = home.gateway()
    for kind, values in MATRIX.items():
        wanted = ["listed", "clean", "listed"]
        said = [result["verdict"] for result in gateway.checked(*((kind, value) for value in values))]
        expect(f"{kind} over HTTP: {said}", said == wanted)
        lines = home.run("check", kind, "-", stdin="".join(value + "\n" for value in values)).stdout.splitlines()
        expect(f"{kind} by command: {lines}", [line.split("\t")[0] for line in lines] == wanted)
    by_mail = {value: reply_to_client(gateway, value) for value in MATRIX["network"]}
    by_mail |= {value: gateway.mail(value.encode()) for value in MATRIX["domain"]}
    codes = [reply[:3] for reply in by_mail.values()]
    expect(f"by mail: {by_mail}", codes == ["550", "250", "550"] * 2)
    gateway.stop()


def reply_to_client(gateway: Gateway, address: str) -> str:
    with SmtpClient(gateway.smtp) as client:
        client.command(f"XFORWARD ADDR={address}".encode())
        return client.send(b"a@sender.example", b"b@dest.example", b"Subject: x\r\n\r\nhello\r\n")


@pytest.mark.needs("redis-server")
@pytest.mark.parametrize("entries, replicas", [(60_000, False), pytest.param(1_000_000, True, marks=pytest.mark.long)])
def test_no_answer_is_wrong_whatever_becomes_of_the_cluster(home, expect, entries, replicas):
    fleet = Fleet(home, entries, replicas)
    load = fleet.load
    wait_until("right answers", load.all_right)
    load.hold(HOLD_SECONDS)
    load.report()
    load.begin("a generation flips")
    second = fleet.publish_and_adopt("second")
    load.hold(1)
    load.require_unfelt()
    rebuild_is_killed(fleet, second)
    servers_are_killed(fleet, replicas)
    mail_while_all_are_gone(fleet, expect)

    load.begin("all are back, empty")
    for server in fleet.cluster.servers:
        server.start()
    fleet.cluster.wait_until_whole()
    load.hold(HOLD_SECONDS)
    load.report()
    load.begin("published again")
    third = fleet.publish_and_adopt("third")
    load.report(f"all right {seconds_until('right answers', load.all_right):.1f} s after it was adopted")
    expect("what was before is retired", fleet.cluster.generations() == {third})

    for server in fleet.cluster.servers[2:]:
        server.kill()
    done = home.run("rebuild", "--all")
    expect(f"a rebuild that cannot share ends with status 3 and changes nothing: {done.stderr[-200:]}",
           done.returncode == 3 and home.current() == third)
    load.end()
    fleet.gateway.stop()
    totals = sum(load.counts.values(), collections.Counter())
    expect(f"answers: {dict(totals)}", totals["right"] and not totals["WRONG"])


def rebuild_is_killed(fleet: Fleet, current: str) -> None:
    cluster, load = fleet.cluster, fleet.load
    load.begin("a rebuild is killed as it shares")
    fleet.write_feed("killed")
    process = fleet.home.start("rebuild")
    assert any(line.strip().endswith(": share") for line in process.stderr)

    def some_are_written() -> set[str] | None:
        """Looks while the rebuild stands still: it may be done before the cluster has answered."""
        process.send_signal(signal.SIGSTOP)
        left = cluster.generations() - {current}
        if left and all(cluster.keys_of(generation)[0] > 100 for generation in left):
            return left
        process.send_signal(signal.SIGCONT)
        return None
    left = wait_until("the first buckets", some_are_written)
    process.kill()
    process.wait()
    load.hold(1)
    keys, immortal = (sum(counts) for counts in zip(*map(cluster.keys_of, left)))
    load.require_unfelt(f"{keys} keys left, {immortal} without expiry")
    assert immortal == 0, "the killed rebuild left keys for ever"


def servers_are_killed(fleet: Fleet, replicas: bool) -> None:
    load, master = fleet.load, fleet.cluster.masters[1]
    load.begin("a master is killed")
    master.kill()
    if replicas:
        load.report(f"all right again after {seconds_until('the replica answers', load.all_right):.1f} s")
        load.begin("a master is killed, later")
    load.hold(HOLD_SECONDS)
    load.report()
    load.begin("it is back, empty")
    master.start()
    fleet.cluster.wait_until_whole()
    load.hold(HOLD_SECONDS)
    load.report()


def mail_while_all_are_gone(fleet: Fleet, expect) -> None:
    load, quiet = fleet.load, fleet.load.quiet.encode()
    load.begin("all are killed")
    for server in fleet.cluster.servers:
        server.kill()
    load.hold(HOLD_SECONDS)
    links = {"a listed domain": b"listed-0.example", "a listed URL": b"url.example/malware", "nothing": quiet}
    replies = {name: fleet.gateway.mail(link, sender=b"a@" + quiet)[:3] for name, link in links.items()}
    expect(f"mail as onUnknown says: {replies}", replies == {"a listed domain": "250", "a listed URL": "451", "nothing": "250"})
    mails = [file.read_bytes() for file in fleet.home.path("var", "mail").rglob("*") if file.is_file()]
    tagged = sum(b"X-Bloomgate-" in mail for mail in mails)
    expect(f"{tagged} of them tagged", tagged == 1)
    load.report()
