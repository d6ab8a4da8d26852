"""A gateway whose exact tier is the published files on nginx, read by range requests: it answers like the store on a disk for
keys of every kind, requests are counted, a page that is altered is unknown and named, and so is every suspect while nginx is away."""
import hashlib
import random
import re
from functools import partial
from pathlib import Path

import pytest

from certificates import signing_key
from packages import program
from processes import free_port, wait_for_port, wait_until
from product import Home

pytestmark = [pytest.mark.needs("openssl"), pytest.mark.needs("nginx-light")]
BATCH = 100


def value_of(kind: str, number: int) -> str:
    match kind:
        case "address":
            return f"user{number}@address{number % 97}.example"
        case "domain":
            return f"domain{number}.example"
        case "url":
            return f"http://url{number % 89}.example/{number}"
        case "password":
            return f"password {number}"
        case "hash":
            return hashlib.sha256(str(number).encode()).hexdigest()
        case "network":
            return f"198.{18 + number // 65536}.{number // 256 % 256}.{number % 256}"
        case _:
            return f"+4420{number:08d}"


KINDS = ("address", "domain", "url", "password", "hash", "network", "phone")


class Storage:
    """A publisher's directory behind nginx, which notes the requests for pages."""

    def __init__(self, home: Home, count: int):
        self.home, self.port, self.web = home, free_port(), home.folder / "www"
        key, self.public = signing_key(home.folder, "own")
        home.configure(f"rebuild: {{ signingKey: {key} }}", f"publisher: {{ directory: {self.web} }}")
        self.listed = {kind: [value_of(kind, number) for number in range(0, count, 2)] for kind in KINDS}
        for kind, values in self.listed.items():
            home.write(f"{kind}.txt", *values)
        home.feeds(*(f"name: {kind}s, kind: {kind}, format: lines, source: {kind}.txt, category: spam, maxRejectShare: 1.0, trusted: true"
                     for kind in KINDS))
        self.generation = home.rebuild()
        temporary = (f"{what}_temp_path {home.path('nginx-' + what)};" for what in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        self.config = home.write(
            "nginx.conf", f"daemon off; error_log {home.path('errors')}; events {{}}", f"pid {home.path('nginx.pid')};", "http {",
            "log_format range '$uri $status $http_range cache=$http_cache_control';",
            f"access_log {home.path('requests')} range; keepalive_requests 1000000;", *temporary,
            f"server {{ listen 127.0.0.1:{self.port}; root {self.web}; }}", "}")
        self.start()

    def start(self) -> None:
        self.nginx = self.home.processes.start(program("nginx"), "-c", self.config)
        wait_for_port(self.port)

    def stop(self) -> None:
        self.nginx.terminate()
        self.nginx.wait(60)

    def pages(self) -> list[str]:
        """The requests for pages so far."""
        return [line for line in self.home.path("requests").read_text().splitlines() if ".pages" in line]

    def store(self) -> Path:
        return self.web / "v1/snapshots" / self.generation / "exact/exact.00.pages"


def answers(service, items: list[tuple[str, str]]) -> list[tuple]:
    """What the service says of each, without its order of listings."""
    found = []
    for begin in range(0, len(items), BATCH):
        batch = items[begin:begin + BATCH]
        for item, result in zip(batch, service.checked(*batch), strict=True):
            found.append((*item, result["verdict"], str(sorted(map(str, result["listings"])))))
    return found


@pytest.mark.parametrize("count", [1_430, pytest.param(10_000, marks=pytest.mark.long), pytest.param(143_000, marks=pytest.mark.long)])
def test_published_files_answer_like_a_store_on_a_disk(home, expect, count):
    storage = Storage(home.beside("publisher"), count)
    embedded = storage.home.lookup_service()
    reader = home.beside("reader")
    gateway = reader.gateway(f"mirror.url=http://127.0.0.1:{storage.port}", "mirror.interval=1s", "exact.store=storage",
                             f"snapshotKey={storage.public}", "exact.deadline=10s")
    gateway.wait_for_snapshot(storage.generation)
    fetched = {path.relative_to(reader.layer / storage.generation).parts[0] for path in (reader.layer / storage.generation).rglob("*")}
    expect(f"the mirror has no exact store: {sorted(fetched)}", "exact" not in fetched)

    before = len(storage.pages())
    for number in range(20):
        assert gateway.mail(b"clean%d.unlisted.example" % number)[:3] == "250"
    expect(f"{before} requests before mail; clean mail asks for nothing", len(storage.pages()) == before)

    store, victim = storage.store(), storage.listed["domain"][0]
    whole = store.read_bytes()
    root = int(re.search(r'"offset" ?: ?(\d+)', (store.parent.parent / "manifest.json").read_text()).group(1))
    store.write_bytes(bytes(byte ^ 1 for byte in whole[:root]) + whole[root:])
    expect("a value of an altered page is unknown", gateway.verdict(victim) == "unresolved")
    gateway.wait_for_line(r"exact/exact\.00\.pages at \d+: not the published bytes")
    gateway.verdict(victim)
    wait_until("and asked of no cache again", lambda: storage.pages()[-1].endswith("cache=no-cache"))  # nginx writes the line after its answer
    store.write_bytes(whole)
    expect("it is listed when it is right again", gateway.verdict(victim) == "listed")

    later = set(storage.listed["domain"][-40:])  # Not asked before, so that no answer is remembered.
    items = [(kind, value) for kind in KINDS for value in map(partial(value_of, kind), range(count)) if value not in later]
    random.Random(7).shuffle(items)
    before = len(storage.pages())
    ours, theirs = answers(gateway, items), answers(embedded, items)
    differ = [(one, other) for one, other in zip(ours, theirs) if one != other]
    expect(f"{len(items)} values have equal answers: {differ[:3]}", not differ)
    suspects = sum(verdict != "clean" for _, _, verdict, _ in theirs)
    asked = len(storage.pages()) - before
    expect(f"{asked} requests for {suspects} listed values", suspects > count * len(KINDS) * 0.4 and asked <= 1.1 * suspects + 20)

    storage.stop()
    others = sorted(later)
    expect("while nginx is away, suspects are unknown", set(gateway.verdicts(*others[:10])) == {"unresolved"})
    for other in others[:25]:
        gateway.verdict(other)
    wait_until("the breaker is open", lambda: gateway.metrics()['bloomgate_exact_breaker{state="open"}'] == 1)
    expect("mail with one is tagged, and clean mail passes",
           {gateway.mail(other.encode())[:3] for other in (others[0], "clean.unlisted.example")} == {"250"})
    storage.start()
    wait_until("suspects are listed when nginx is back", lambda: gateway.verdict(others[0]) == "listed")

    store.parent.parent.rename(home.folder / "pruned")
    expect("of a generation that was deleted there, a suspect is unknown", gateway.verdict(others[30]) == "unresolved")
    expect("which is no fault of the server", gateway.metrics()['bloomgate_exact_breaker{state="open"}'] == 0)
    gateway.wait_for_snapshot(storage.home.rebuild("--force"))
    expect("the next generation is followed", gateway.verdict(others[30]) == "listed")
    gateway.stop()
    embedded.stop()
