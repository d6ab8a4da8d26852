"""Exports beside the servers that read them: BIND, unbound, PowerDNS Recursor and Knot Resolver answer as the gateway's own check does,
soon after a change too; squid and nginx take the other formats; serial numbers, crashes, a full disk, and readers over HTTP."""
import gzip
import hashlib
import http.client
import ipaddress
import json
import os
import random
import re
import signal
import socket
import statistics
import subprocess
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from damages import SmallDisk
from packages import program
from processes import Processes, free_port, wait_for_port, wait_until
from product import Gateway, Home
from resolvers import DROP, NODATA, NXDOMAIN, OPEN, Bind, Knot, PowerDns, Resolver, Secondary, Unbound, Upstream, answers, answers_at_once, transferred
from webserver import Handler, served

ZONE = "rpz.example"
TOKEN, READER = "an-admin-of-exports", "a-reader-of-exports"
WARNING = "cname:warning.other.example"
ACTIONS = {"phishing": NXDOMAIN, "malware": NODATA, "tracking": WARNING, "botnet": DROP, "local": NXDOMAIN}
STRENGTH = (OPEN, WARNING, NODATA, NXDOMAIN, DROP)
ELSEWHERE = {"advertising"}  # Categories that reject no mail and have no action.
HTTP = f"http: {{ adminToken: {TOKEN}, operators: {{ reader: {{ role: reader, token: {READER} }} }}, checksPerSecond: 0 }}"
MB = 1 << 20


@pytest.fixture
def home(launcher, open_folder, processes) -> Home:
    """Where sockets have short names, and daemons may read."""
    return Home(launcher, open_folder, processes)


def export_file(home: Home, name: str = "rpz") -> Path:
    folder = home.path("export")
    folder.mkdir(exist_ok=True)
    return folder / name


def zone_of(home: Home, more: str = "") -> str:
    return f"{ZONE}: {{ format: rpz, file: {export_file(home)}{more} }}"


def configure(home: Home, *exports: str, more: tuple[str, ...] = ()) -> None:
    home.configure(HTTP, *more, "exports:", *(f"  {export}" for export in exports))


def add(gateway: Gateway, what: str, **fields: str) -> None:
    """An entry of operators, over HTTP."""
    call(gateway, f"/v1/{what}?force=true" if what == "listings" else f"/v1/{what}", fields)


def call(gateway: Gateway, path: str, body: Any = None, token: str = TOKEN, headers: dict[str, str] | None = None) -> tuple[int, Any, bytes]:
    """Status, headers and content."""
    blob = None if body is None else json.dumps(body).encode()
    own = {"Authorization": f"Bearer {token}"} if token else {}
    request = urllib.request.Request(gateway.url + path, blob, {"Content-Type": "application/json", **own, **(headers or {})})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as refused:
        assert body is None or refused.code == 304, f"{path} {body}: {refused.read()}"
        return refused.code, refused.headers, refused.read()


# --- The four resolvers beside the gateway's own answer.

def tree(count: int, rng: random.Random) -> list[str]:
    """Names of depth 1 to 6 below `example`, many of them below each other."""
    names: set[str] = set()
    while len(names) < count:
        name = f"b{rng.randrange(count // 4)}.example"
        for _ in range(rng.choice((0, 0, 1, 1, 2, 3, 4, 5))):
            name = f"{rng.choice('abc')}.{name}"
        names.add(name)
    return sorted(names, key=lambda name: hashlib.sha256(name.encode()).digest())


def expected(result: dict) -> str:
    """What a resolver has to do, by the gateway's answer about a name."""
    assert result["verdict"] in ("listed", "clean"), result
    actions = [ACTIONS[one["category"]] for one in result["listings"]
               if one["category"] not in ELSEWHERE and one["feed"] != "senders"]
    return max(actions, key=STRENGTH.index, default=OPEN)


def at_knot(action: str) -> str:
    """It answers with SERVFAIL where others are silent."""
    return "servfail" if action == DROP else action


FEEDS = {"phish": ("phishing", "suffix", 4), "bad": ("malware", "exact", 4), "track": ("tracking", "suffix", 2), "adverts": ("advertising", "suffix", 1),
         "senders": ("phishing", "suffix", 1), "exactly": ("phishing", "exact", 2), "net": ("malware", "suffix", 2)}


class Lists:
    """Many names in feeds that agree and disagree, entries of operators, and exceptions between."""

    def __init__(self, home: Home, count: int, rng: random.Random):
        self.home, names = home, tree(count, rng)
        self.names = names
        feeds = list(FEEDS)
        weights = [weight for _, _, weight in FEEDS.values()]
        self.of: dict[str, list[str]] = {feed: [] for feed in feeds}
        for name in names:
            for feed in set(rng.choices(feeds, weights, k=rng.choice((1, 1, 1, 2)))):
                self.of[feed].append(name)
        self.dropped = [f"d{i}.drop.example" for i in range(8)]
        for feed, entries in self.of.items():
            home.write(f"{feed}.txt", *entries)
        home.write("drop.txt", *self.dropped)
        home.write("ghost.txt", "ghost.example")
        home.feeds(*(f"name: {feed}, kind: domain, format: lines, source: {feed}.txt, category: {category}, match: {match}"
                     + (", use: [sender]" if feed == "senders" else "") + (", cadence: hourly" if feed == "net" else "")
                     for feed, (category, match, _) in FEEDS.items()),
                   "name: drop, kind: domain, format: lines, source: drop.txt, category: botnet",
                   "name: ghost, kind: domain, format: lines, source: ghost.txt, category: phishing, shadow: true")
        home.rebuild()

    def entries(self, gateway: Gateway, count: int, rng: random.Random) -> None:
        """Listings of operators and exceptions, at names of the lists and below them."""
        for name in rng.sample(self.names, count):
            below = rng.choice(("", "", "x.", "y.x."))
            match = rng.choice(("suffix", "suffix", "exact"))
            kind = rng.choice(("listing", "site-wide", "site-wide", "of a feed", "of a feed", "of a category"))
            if kind == "listing":
                add(gateway, "listings", kind="domain", value=below + name, match=match)
            else:
                scope = {"of a feed": {"feed": rng.choice([*FEEDS, "local"])}, "of a category": {"category": rng.choice(list(ACTIONS))}}.get(kind, {})
                add(gateway, "exceptions", kind="domain", value=below + name, match=match, **scope)
        add(gateway, "listings", kind="domain", value="the-last.example", match="suffix")

    def asked(self, count: int, rng: random.Random) -> list[str]:
        """All of them, and names beside, below and above."""
        names = set(self.names)
        while len(names) < len(self.names) + count:
            name = rng.choice(self.names)
            names.add(rng.choice((f"www.{name}", f"x.{name}", f"y.x.{name}", f"z.y.x.{name}", name.partition(".")[2], f"b.{name}", f"x{name}")))
        return sorted(names - {"example"})


def checked(gateway: Gateway, kind: str, values: list[str]) -> list[dict]:
    """In as many questions as it takes."""
    found = []
    for at in range(0, len(values), 1000):
        found += gateway.checked(*((kind, value) for value in values[at:at + 1000]))
    return found


def holds(file: Path, text: str) -> bool:
    return file.exists() and text in file.read_text()


def named_checkzone(file: Path) -> str:
    """Empty if the zone is fine."""
    done = subprocess.run([program("named-checkzone"), "-q", ZONE, file], capture_output=True, text=True)
    return done.stdout + done.stderr + f" status {done.returncode}" if done.returncode else ""


@pytest.mark.needs("bind9", "bind9-utils", "unbound", "pdns-recursor", "knot-resolver", "lua-cqueues")
@pytest.mark.parametrize("names, others, entries", [
    pytest.param(10_000, 10_000, 250, id="some"),
    pytest.param(40_000, 200_000, 4_000, id="many", marks=pytest.mark.long)])
def test_four_resolvers_agree_with_check(home, processes, expect, names, others, entries):
    rng = random.Random(20260301)
    configure(home, zone_of(home, f', actions: {{ malware: nodata, tracking: "{WARNING}", botnet: drop }}'))
    lists = Lists(home, names, rng)
    gateway, file = home.gateway("exact.deadline=5s"), export_file(home)
    lists.entries(gateway, entries, rng)
    wait_until("the file has all entries", lambda: holds(file, "the-last.example"))
    expect(f"named-checkzone accepts it: {named_checkzone(file)}", not named_checkzone(file))
    expect("no list in shadow mode", not holds(file, "ghost.example"))
    asked = lists.asked(others, rng)
    wanted = [expected(result) for result in checked(gateway, "domain", asked)]
    size, records = file.stat().st_size, file.read_text().count("\n") - 4
    print(f"{len(asked)} names of {names} listed ones: {dict(Counter(wanted))}; {size} bytes, {records} records")
    expect("all actions are there", len(set(wanted) - {DROP}) == 4)

    upstream = Upstream(home.folder, processes, {})
    for kind in (Bind, Unbound, PowerDns, Knot):
        resolver = kind(home.folder, processes, upstream.port, ZONE, file)
        began = time.monotonic()
        pairs = [pair for pair in zip(asked, wanted, answers(resolver.port, asked)) if kind is not Knot or pair[1] != WARNING]
        wrong = [pair for pair in pairs if pair[1] != pair[2]]
        print(f"{resolver.name}: {len(pairs)} names, {len(wrong)} other answers, {time.monotonic() - began:.1f} s")
        for name, right, answer in wrong[:20]:
            print(f"  {name}: {answer} beside {right}; in the file: {lines_about(file, name)}")
        expect(f"{resolver.name} says what the gateway says: {len(wrong)} other answers", not wrong)
        silent = answers(resolver.port, lists.dropped)
        expect(f"{resolver.name} drops: {set(silent)}", set(silent) == {at_knot(DROP) if kind is Knot else DROP})
        resolver.stop()
    gateway.stop()


def lines_about(file: Path, name: str) -> list[str]:
    above = {name[i:] for i in range(len(name)) if i == 0 or name[i - 1] == "."}
    owners = above | {f"*.{one}" for one in above}
    return [line for line in file.read_text().splitlines() if line.partition(" ")[0] in owners]


@pytest.mark.needs("bind9", "bind9-utils", "unbound", "pdns-recursor")
def test_resolvers_agree_with_check_about_addresses(home, processes, expect):
    rng = random.Random(20260302)
    blocks = sorted({ipaddress.ip_network((rng.randrange(11 << 24, 13 << 24), rng.choice((16, 20, 24, 24, 28, 31, 32))), strict=False)
                     for _ in range(600)}
                    | {ipaddress.ip_network(((0x2a << 120) + rng.randrange(1 << 120), rng.choice((32, 48, 56, 64, 127, 128))), strict=False)
                       for _ in range(200)}
                    | {ipaddress.ip_network(text) for text in ("2a00:1::/32", "2a00:1:0:0:1::/80", "2a01::1/128", "2a01:0:0:1::/64", "2a01:0:1::1:0/112")},
                    key=lambda block: (block.version, block))
    half = {block: rng.random() < 0.5 for block in blocks}
    home.write("one.txt", *(str(block) for block in blocks if half[block]))
    home.write("two.txt", *(str(block) for block in blocks if not half[block] or rng.random() < 0.1))
    home.feeds("name: one, kind: network, format: cidr, source: one.txt, category: phishing, trusted: true",
               "name: two, kind: network, format: cidr, source: two.txt, category: malware, trusted: true")
    configure(home, zone_of(home, ", actions: { malware: nodata }"))
    home.rebuild()
    # Nobody waits for one answer of so many.
    gateway, file = home.gateway("exact.deadline=5s"), export_file(home)
    for block in rng.sample(blocks, 60):
        inner = next(block.subnets(new_prefix=min(block.prefixlen + rng.choice((0, 1, 4)), block.max_prefixlen)))
        scope = rng.choice(({}, {}, {"feed": "one"}, {"category": "malware"}))
        add(gateway, rng.choice(("exceptions", "exceptions", "listings")) if not scope else "exceptions", kind="network", value=str(inner), **scope)
    add(gateway, "listings", kind="domain", value="the-last.example")
    wait_until("the file has all entries", lambda: holds(file, "the-last.example"))
    expect(f"named-checkzone accepts it: {named_checkzone(file)}", not named_checkzone(file))

    edges = [address for block in blocks for address in (block[0], block[-1], block[-1] + 1, block[0] - 1, block[rng.randrange(block.num_addresses)])]
    addresses = sorted(set(map(str, edges)))
    wanted = [expected(result) for result in checked(gateway, "network", addresses)]
    print(f"{len(addresses)} addresses of {len(blocks)} networks: {dict(Counter(wanted))}; {file.read_text().count('.rpz-ip ')} records")
    names = [f"n{i}.at.example" for i in range(len(addresses))]
    upstream = Upstream(home.folder, processes, dict(zip(names, addresses)))
    kinds = [28 if ":" in address else 1 for address in addresses]
    for kind in (Bind, Unbound, PowerDns):
        resolver = kind(home.folder, processes, upstream.port, ZONE, file)
        wrong = [(address, right, answer) for address, right, answer in zip(addresses, wanted, answers(resolver.port, names, kinds)) if right != answer]
        print(f"{resolver.name}: {len(wrong)} other answers: {wrong[:12]}")
        expect(f"{resolver.name} says what the gateway says: {len(wrong)} other answers", not wrong)
        resolver.stop()
    gateway.stop()


# --- Changes.

class Watch:
    """Every state of the file, read whole every few milliseconds."""

    def __init__(self, file: Path):
        self.file, self.states, self.faults, self.ended = file, [], [], False
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self) -> None:
        before = None
        while not self.ended:
            try:
                with self.file.open("rb") as opened:  # One file from here on, whatever takes its place.
                    status = os.fstat(opened.fileno())
                    mark = (status.st_ino, status.st_mtime_ns, status.st_size)
                    if mark != before:
                        before = mark
                        blob = opened.read()
                        self.states.append((time.monotonic(), serial(blob), blob))
            except FileNotFoundError:
                if self.states:
                    self.faults.append("the file was gone")
            time.sleep(0.005)

    def end(self) -> None:
        self.ended = True
        self.thread.join()


def serial(blob: bytes) -> int:
    header = re.match(rb"\$ORIGIN \S+\.\n\$TTL 300\n@ SOA localhost\. nobody\.invalid\. (\d{10}) 3600 600 604800 60\n@ NS localhost\.\n", blob)
    return int(header[1]) if header else -1


def is_later(one: int, other: int) -> bool:
    """RFC 1982."""
    return 0 < (one - other) % (1 << 32) < 1 << 31


class Peers:
    """The four of them, and what an operator's path unit does: it reloads them when the file changes."""

    def __init__(self, home: Home, processes: Processes, file: Path):
        self.upstream = Upstream(home.folder, processes, {})
        port = free_port()
        self.file = file
        self.bind = Bind(home.folder, processes, self.upstream.port, ZONE, file, notified=port)
        self.unbound = Unbound(home.folder, processes, self.upstream.port, ZONE, file, primary=self.bind.port, port=port)
        self.powerdns = PowerDns(home.folder, processes, self.upstream.port, ZONE, file)
        self.knot = Knot(home.folder, processes, self.upstream.port, ZONE, file)
        self.all: list[Resolver] = [self.bind, self.unbound, self.powerdns, self.knot]

    def seconds_until(self, began: float, file_has: Callable[[str], bool], name: str, answer: str) -> dict[str, float]:
        """From then until the file has the change, and until each says so of the name and one below; reloaded when the file changes."""
        wait_until("the file has the change", lambda: file_has(self.file.read_text()), pause=0.005)
        seconds = {"file": time.monotonic() - began}
        for peer in self.all:
            peer.reload()
        while len(seconds) <= len(self.all) and time.monotonic() < began + 60:
            for peer in self.all:
                if peer.name not in seconds and answers_at_once(peer.port, [name, f"www.{name}"], None) == [answer, answer]:
                    seconds[peer.name] = time.monotonic() - began
            time.sleep(0.02)
        return seconds


@pytest.mark.needs("bind9", "bind9-utils", "unbound", "pdns-recursor", "knot-resolver", "lua-cqueues")
def test_a_change_is_at_every_resolver_within_five_seconds(home, processes, expect):
    configure(home, zone_of(home))
    home.list_domains(*tree(10_000, random.Random(3)), "listed.other.example")
    home.rebuild()
    gateway, file = home.gateway(), export_file(home)
    wait_until("the file is there", lambda: holds(file, "listed.other.example"))
    peers = Peers(home, processes, file)
    wait_until("unbound has the zone", lambda: peers.unbound.ask("listed.other.example") == NXDOMAIN)
    changes = (("listing", "add", "new.other.example", NXDOMAIN), ("listing", "remove", "new.other.example", OPEN),
               ("exception", "add", "listed.other.example", OPEN), ("exception", "remove", "listed.other.example", NXDOMAIN),
               ("exception", "add", "b1.example", OPEN))
    wait_until("BIND tells of that transfer", peers.bind.transfers)
    all_seconds = []
    for command, verb, name, answer in changes:
        for peer in peers.all:  # so that it has an answer in its cache
            answers(peer.port, [name, f"www.{name}"])
        before, sent = file.read_text(), len(peers.bind.transfers())
        home.run(command, verb, "domain", name, status=0)
        seconds = peers.seconds_until(time.monotonic(), lambda now, old=before: now != old, name, answer)
        all_seconds.append(seconds)
        what = f"{command} {verb} {name}"
        wait_until(f"BIND tells of the transfer of {what}", lambda: len(peers.bind.transfers()) > sent)
        increments = peers.bind.transfers()[sent:]
        print(f"{what}: " + ", ".join(f"{who} {after:.2f} s" for who, after in seconds.items()) + f", {increments}")
        expect(f"{what} is at every resolver", len(seconds) == 1 + len(peers.all))
        expect(f"{what}: one increment of at most 2 KB: {increments}", [kind for kind, _, _ in increments] == ["IXFR"] and increments[0][2] <= 2048)
    # Of five changes the middle one: a busy machine makes one late.
    for who, most in (("file", 1), *((peer.name, 5) for peer in peers.all)):
        middle = statistics.median(seconds.get(who, 99) for seconds in all_seconds)
        expect(f"{who} has a change within {most} s: {middle:.2f}", middle <= most)
    gateway.stop()


def test_what_rewrites_a_file(home, expect):
    """An entry that expires, and a configuration that is read again: policy decides which categories are in a zone."""
    configure(home, zone_of(home), f"names: {{ format: txt, file: {export_file(home, 'names')} }}")
    home.list_domains("listed.other.example")
    home.rebuild()
    gateway, file = home.gateway(), export_file(home)
    wait_until("the file is there", lambda: holds(file, "listed.other.example"))
    end = time.time() + 6
    add(gateway, "listings", kind="domain", value="soon.other.example", expires=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(end)))
    wait_until("the listing is in the file", lambda: holds(file, "soon.other.example"))
    wait_until("it has expired", lambda: gateway.verdict("soon.other.example") == "clean")
    wait_until("it is out of the file a second later", lambda: not holds(file, "soon.other.example"))
    kept = file.stat().st_mtime_ns
    gateway.process.send_signal(signal.SIGHUP)
    gateway.wait_for_line("read again and in force")
    time.sleep(1)
    expect("the same configuration leaves the file alone", file.stat().st_mtime_ns == kept)
    configure(home, zone_of(home), more=("policy: { categories: { phishing: tag } }",))
    gateway.process.send_signal(signal.SIGHUP)
    wait_until("a category that rejects no mail leaves the zone", lambda: not holds(file, "listed.other.example"))
    configure(home, zone_of(home, ", actions: { phishing: nodata }"))
    gateway.process.send_signal(signal.SIGHUP)
    wait_until("an action puts it in", lambda: holds(file, "*.listed.other.example CNAME *."))
    (home.path("export") / "rpz").unlink()
    home.run("listing", "add", "domain", "more.other.example", status=0)
    wait_until("a file that is gone is written again at the next change", lambda: holds(file, "more.other.example"))
    gateway.stop()


class Steps:
    """What operators and accidents do to a gateway, in a random order."""

    def __init__(self, home: Home, rng: random.Random):
        self.home, self.rng, self.listings = home, rng, 0
        self.rebuilds = 0
        self.rebuild()
        self.rebuild()
        self.gateway = home.gateway()

    def rebuild(self) -> str:
        self.rebuilds += 1
        kept = [f"kept{i}.other.example" for i in range(500)]
        self.home.list_domains(*kept, *(f"of{self.rebuilds}-{i}.other.example" for i in range(self.rng.randrange(1, 400))))
        return "rebuild " + self.home.rebuild()

    def rollback(self) -> str:
        others = sorted(self.home.generations() - {self.home.current()})
        chosen = self.rng.choice(others)
        self.home.run("rollback", chosen, status=0)
        return f"rollback {chosen}"

    def restart(self) -> str:
        """After a kill at any moment of a rewrite."""
        self.home.point(self.rng.choice(sorted(self.home.generations())))
        time.sleep(self.rng.random() * 0.5)
        self.gateway.kill()
        self.gateway = self.home.gateway()
        return "kill and restart"

    def reload(self) -> str:
        configure(self.home, zone_of(self.home, self.rng.choice((", actions: { phishing: nodata }", "", ", actions: { default: drop }"))))
        self.gateway.process.send_signal(signal.SIGHUP)
        return "reload"

    def listing(self) -> str:
        self.listings += 1
        add(self.gateway, "listings", kind="domain", value=f"mine{self.listings}.other.example")
        return "listing"

    def step(self) -> str:
        return self.rng.choices((self.rebuild, self.rollback, self.restart, self.reload, self.listing), (2, 2, 3, 4, 4))[0]()


def current_content(home: Home) -> bytes:
    """What the command writes now, without the serial number."""
    blob = subprocess.run([home.launcher, "feeds", "export", ZONE], cwd=home.folder, capture_output=True, check=True).stdout
    return without_serial(blob)


def without_serial(blob: bytes) -> bytes:
    return blob.replace(b"%010d" % serial(blob), b"SERIAL", 1)


@pytest.mark.needs("bind9", "bind9-utils", "unbound")
@pytest.mark.parametrize("steps", [pytest.param(20, id="some"), pytest.param(200, id="many", marks=pytest.mark.long)])
def test_no_serial_goes_backward_and_no_file_is_torn(home, processes, expect, steps):
    rng = random.Random(20260303)
    configure(home, zone_of(home), more=("rebuild: { keepGenerations: 1000 }",))
    file = export_file(home)
    operator = Steps(home, rng)
    wait_until("the file is there", file.exists)
    upstream, watch = Upstream(home.folder, processes, {}), Watch(file)
    bind = Bind(home.folder, processes, upstream.port, ZONE, file, notified=(port := free_port()))
    other = Secondary(home.folder, processes, upstream.port, ZONE, file, bind.port, port)
    for number in range(steps):
        done = operator.step()
        wait_until_settled(file)
        read = b""

        def the_secondary_equals_the_file() -> bool:
            """BIND reads it again when it has changed after all."""
            nonlocal read
            if (blob := file.read_bytes()) != read:
                bind.reload()
                read = blob
            return transferred(other.port, ZONE) == (serial(blob), records(blob))
        wait_until(f"step {number}, {done}: the secondary after an increment equals the file", the_secondary_equals_the_file, pause=0.05)
    wanted = current_content(home)
    wait_until("the file is what the lists say now", lambda: without_serial(file.read_bytes()) == wanted)
    watch.end()
    increments = Counter(kind for kind, _, _ in bind.transfers())
    serials = [number for _, number, _ in watch.states]
    print(f"{steps} steps, {len(serials)} files of {min(len(b) for _, _, b in watch.states)} to {max(len(b) for _, _, b in watch.states)} bytes, "
          f"serials {serials[0]} to {serials[-1]}, transfers {dict(increments)}")
    expect("no serial backward", all(is_later(b, a) for a, b in zip(serials, serials[1:])))
    torn = [number for _, number, blob in watch.states if number < 0 or not blob.endswith(b"\n") or blob.count(b"kept499.other.example") != 2
            or not 1002 <= len(records(blob)) <= 2002 or not all(re.fullmatch(rb"\S+ CNAME \S+", line) for line in blob.splitlines()[4:])]
    expect(f"no torn file: {torn}, {watch.faults}", not torn and not watch.faults)
    left = sorted(path.name for path in file.parent.iterdir())
    expect(f"nothing else is left in the folder: {left}", left == [file.name])
    expect(f"most transfers are increments: {dict(increments)}", increments["IXFR"] > steps / 3)
    operator.gateway.stop()


def wait_until_settled(file: Path) -> bytes:
    """The file after it has not changed for longer than a gateway takes to look."""
    last, since = file.read_bytes(), time.monotonic()
    while time.monotonic() < since + 0.6:
        time.sleep(0.05)
        if (now := file.read_bytes()) != last:
            last, since = now, time.monotonic()
    return last


def records(blob: bytes) -> set[tuple[str, str]]:
    """Owner within the zone and target."""
    return {(owner, target) for owner, _, target in (line.split(" ") for line in blob.decode().splitlines()[4:])}


# --- Faults.

@pytest.fixture
def disk(open_folder):
    disk = SmallDisk(open_folder / "disk")
    yield disk
    disk.unmount()


@pytest.mark.parametrize("wait", [pytest.param(False, id="changed"), pytest.param(True, id="unchanged", marks=pytest.mark.long)])
def test_a_full_disk_is_named_and_mail_flows(home, disk, expect, wait):
    if not disk.mounted:
        pytest.skip("no right to mount a small disk")
    file = disk.at / "rpz"
    configure(home, f"{ZONE}: {{ format: rpz, file: {file} }}", "fine: { format: txt, file: %s }" % export_file(home, "fine"))
    home.list_domains("old.example", *(f"h{i}.other.example" for i in range(20_000)))
    home.rebuild()
    gateway = home.gateway()
    wait_until("the file is there", lambda: holds(file, "old.example"))
    whole = file.read_bytes()
    disk.fill()
    home.run("listing", "add", "domain", "new.example", status=0)
    named = wait_until("readiness names the export", lambda: [one for one in gateway.ready().get("refused", ()) if ZONE in json.dumps(one)])
    print(named)
    expect(f"with the reason: {named}", "No space left" in named[0]["reason"])
    expect(f"status names it as well", ZONE in gateway.get("/v1/status"))
    wait_until("the metric counts it", lambda: gateway.metric("bloomgate_export_faults") == 1)
    expect(f"it is ready: {gateway.ready()['status']}", gateway.ready()["status"] == "ready")
    expect("mail flows", gateway.mail(b"clean.example").startswith("250") and gateway.mail(b"new.example").startswith("550"))
    expect("the old file is whole", file.read_bytes() == whole)
    wait_until("nothing half made is left", lambda: {path.name for path in disk.at.iterdir()} == {"rpz", "filler"})
    wait_until("the other export is written", lambda: holds(export_file(home, "fine"), "new.example"))
    gateway.wait_for_line(f"service: export {ZONE}: ")
    logged = gateway.log().count(f"service: export {ZONE}: ")
    expect(f"one line of the log says so: {logged}", logged == 1)
    disk.free()
    if not wait:
        home.run("listing", "add", "domain", "newer.example", status=0)
    wait_until("the file is written again", lambda: holds(file, "new.example"), 90)
    wait_until("no fault is left", lambda: ZONE not in json.dumps(gateway.ready()) and gateway.metric("bloomgate_export_faults") == 0)
    gateway.stop()


# --- Proxies and web servers.

class Origin(Handler):
    """A web server of every name."""

    def do_GET(self) -> None:
        self.answer(200, "text/plain", b"ok")


@pytest.fixture
def origin() -> Iterator[int]:
    server = served(Origin)
    yield server.server_port
    server.shutdown()
    server.server_close()


def squid(home: Home, blocked: Path, names: list[str]) -> int:
    """One that denies the names of the file and finds the others on this machine."""
    port, folder = free_port(), home.path("squid")
    folder.mkdir()
    folder.chmod(0o777)
    (folder / "hosts").write_text("".join(f"127.0.0.1 {name}\n" for name in names))
    (folder / "squid.conf").write_text(f"""
http_port 127.0.0.1:{port}
pid_filename none
hosts_file {folder}/hosts
dns_nameservers 127.0.0.1
cache_log {folder}/cache.log
access_log none
cache deny all
coredump_dir {folder}
pinger_enable off
netdb_filename none
acl blocked dstdomain "{blocked}"
http_access deny blocked
http_access allow all
shutdown_lifetime 1 seconds
""")
    checked = subprocess.run([program("squid"), "-k", "parse", "-f", folder / "squid.conf"], capture_output=True, text=True)
    assert checked.returncode == 0 and "ERROR" not in checked.stderr, checked.stderr
    with (folder / "log").open("wb") as log:
        home.processes.start(program("squid"), "-N", "-f", folder / "squid.conf", stdout=log, stderr=log)
    wait_for_port(port, 30)
    return port


def through(proxy: int, url: str) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", proxy, timeout=60)
    try:
        connection.request("GET", url)
        return connection.getresponse().status
    finally:
        connection.close()


@pytest.mark.needs("squid")
def test_squid_blocks_what_the_list_names(home, origin, expect):
    configure(home, f"squid-bad: {{ lists: [feed:test, feed:exactly, local], format: txt, file: {export_file(home, 'bad.txt')} }}")
    suffix = [f"s{i}.other.example" for i in range(50)]
    exact = [f"e{i}.other.example" for i in range(40)]
    own = [f"o{i}.other.example" for i in range(10)]
    home.write("suffix.txt", *suffix, "above.other.example")
    home.write("exact.txt", *exact, "x.s0.other.example", "s1.other.example")
    home.feeds("name: test, kind: domain, format: lines, source: suffix.txt, category: phishing",
               "name: exactly, kind: domain, format: lines, source: exact.txt, category: phishing, match: exact")
    home.rebuild()
    gateway, file = home.gateway(), export_file(home, "bad.txt")
    add(gateway, "exceptions", kind="domain", value="fine.above.other.example")
    for name in own:
        add(gateway, "listings", kind="domain", value=name)
    wait_until("the file has all of them", lambda: holds(file, own[-1]))
    free = ["other.example", "xs0.other.example", "fine.above.other.example", *(f"www.{name}" for name in exact)]
    below = [f"www.{name}" for name in suffix]
    port = squid(home, file, [*suffix, *exact, *own, *below, *free])

    def blocked(names: list[str]) -> int:
        return sum(through(port, f"http://{name}:{origin}/") == 403 for name in names)
    listed = blocked([*suffix, *exact, *own])
    print(f"squid: {listed} of 100 exported names, {blocked(below)} of {len(below)} below, {blocked(free)} of {len(free)} others")
    expect(f"squid blocks {listed} of 100", listed == 100)
    expect("and what is below those with a dot", blocked(below) == len(below))
    expect("and nothing else", blocked(free) == 0)
    unlike = [name for name, result in zip(free, checked(gateway, "domain", free)) if result["verdict"] != "clean"]
    expect(f"as the gateway says: {unlike}", not unlike)
    complaints = [line for line in (home.path("squid") / "cache.log").read_text().splitlines() if "ERROR" in line or "is a subdomain" in line]
    expect(f"squid has nothing to say of the file: {complaints[:3]}", not complaints)
    gateway.stop()


@pytest.mark.needs("nginx-light")
def test_nginx_takes_the_networks(home, expect):
    configure(home, f"deny: {{ format: nginx, file: {export_file(home, 'deny.conf')} }}")
    home.write("nets.txt", "11.2.3.0/24", "11.2.4.7", "2a00:1::/32", "11.9.0.0/16")
    home.feeds("name: nets, kind: network, format: cidr, source: nets.txt, category: botnet")
    home.rebuild()
    gateway, file = home.gateway(), export_file(home, "deny.conf")
    add(gateway, "exceptions", kind="network", value="11.9.9.0/24")
    wait_until("the file has the networks", lambda: holds(file, "deny 2a00:1") and not holds(file, "11.9.0.0/16"))
    config = home.write("nginx.conf", f"pid {home.path('nginx.pid')};", "error_log stderr;", "events {}", "http {", "access_log off;",
                        *(f"{what}_temp_path {home.path('nginx-' + what)};" for what in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")),
                        f"server {{ listen 127.0.0.1:{free_port()}; include {file}; }} }}")
    done = subprocess.run([program("nginx"), "-t", "-c", config], capture_output=True, text=True)
    expect(f"nginx -t: {done.stderr}", done.returncode == 0)
    denied = [ipaddress.ip_network(line.split()[1].rstrip(";")) for line in file.read_text().splitlines() if line.startswith("deny")]
    addresses = ["11.2.3.1", "11.2.4.7", "11.2.4.8", "11.9.8.255", "11.9.9.0", "11.9.9.255", "11.9.10.0", "2a00:1::7", "2a00:2::1"]
    for address, result in zip(addresses, checked(gateway, "network", addresses)):
        named = any(ipaddress.ip_address(address) in block for block in denied)
        expect(f"{address}: {result['verdict']}", named == (result["verdict"] == "listed"))
    gateway.stop()


# --- HTTP.

SLOW = 20


class SlowReader:
    """Reads the head of the answer and then nothing."""

    def __init__(self, gateway: Gateway, path: str):
        self.socket = socket.socket()
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.socket.settimeout(20)
        self.socket.connect(("127.0.0.1", gateway.http))
        self.socket.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {READER}\r\n\r\n".encode())

    def status(self) -> int:
        return int(self.socket.recv(64).split()[1])

    def close(self) -> None:
        self.socket.close()


def heap(gateway: Gateway) -> float:
    """In MB after a full collection, by the JDK's own tool."""
    subprocess.run([jcmd(gateway), str(gateway.process.pid), "GC.run"], capture_output=True, check=True)
    return sum(value for name, value in gateway.metrics().items() if name.startswith("jvm_memory_used_bytes") and 'area="heap"' in name) / MB


def jcmd(gateway: Gateway) -> str:
    return str(Path(f"/proc/{gateway.process.pid}/exe").resolve().with_name("jcmd"))


@pytest.mark.parametrize("readers", [pytest.param(SLOW, id="some"), pytest.param(1000, id="many", marks=pytest.mark.long)])
def test_readers_over_http(home, expect, readers):
    configure(home, "all.example: { format: rpz }", "closed.example: { lists: [feed:closed], format: rpz }", "plain: { lists: [feed:open], format: txt }",
              "lines: { format: jsonl }", "hosts: { format: hosts }", "nets: { format: nginx }")
    home.write("open.txt", *(f"n{i}.open.example" for i in range(200_000)))
    home.write("closed.txt", *(f"n{i}.secret.example" for i in range(100)))
    home.write("nets.txt", "11.2.3.0/24")
    home.feeds("name: open, kind: domain, format: lines, source: open.txt, category: phishing, redistribute: true",
               "name: closed, kind: domain, format: lines, source: closed.txt, category: malware",
               "name: nets, kind: network, format: cidr, source: nets.txt, category: botnet")
    home.rebuild()
    gateway = home.gateway()
    path = "/v1/exports/all.example"
    for token, code in (("", 401), ("wrong", 401), (TOKEN, 200), (READER, 200)):
        told = call(gateway, path, token=token)[0]
        expect(f"with the token {token!r}: {told}", told == code)
    expect("unknown: 404", call(gateway, "/v1/exports/none", token=READER)[0] == 404)
    code, headers, plain = call(gateway, path, token=READER)
    tag = headers["ETag"]
    again = call(gateway, path, token=READER, headers={"If-None-Match": tag})
    expect(f"the second GET: {again[0]}, {len(again[2])} bytes", again[0] == 304 and not again[2])
    code, packed_headers, packed = call(gateway, path, token=READER, headers={"Accept-Encoding": "gzip"})
    expect(f"gzip: {packed_headers['Content-Encoding']}, {len(packed)} of {len(plain)} bytes",
           packed_headers["Content-Encoding"] == "gzip" and gzip.decompress(packed) == plain)
    expect("with a tag of its own", packed_headers["ETag"] != tag and "Accept-Encoding" in packed_headers["Vary"])
    told = call(gateway, path, token=READER, headers={"Accept-Encoding": "gzip", "If-None-Match": packed_headers["ETag"]})[0]
    expect(f"and its second GET: {told}", told == 304)
    for name in ("all.example", "plain", "lines", "hosts"):
        text = call(gateway, f"/v1/exports/{name}", token=READER)[2]
        expect(f"{name}: {len(text)} bytes, the open list and nothing else", b"n77.open.example" in text and b"secret" not in text)
    for name in ("closed.example", "nets"):
        code, _, told = call(gateway, f"/v1/exports/{name}", token=READER)
        expect(f"{name}: {code} {told.decode()}", code == 403 and b"redistribute" in told and b"secret" not in told)
    add(gateway, "listings", kind="domain", value="mine.other.example")
    code, changed, text = call(gateway, path, token=READER, headers={"If-None-Match": tag})
    expect(f"after a listing: {code}", code == 200 and b"mine.other.example" in text and changed["ETag"] != tag)
    before = heap(gateway)
    slow_readers(gateway, path, readers, expect)
    after = heap(gateway)
    print(f"{readers} slow readers of {len(plain)} bytes ({len(packed)} packed): heap {before:.1f} MB before, {after:.1f} after")
    expect(f"heap after: {after - before:.1f} MB more", after - before <= 8)
    gateway.stop()


def test_readers_meanwhile_get_whole_answers(home, expect):
    """Of a list that changes all the time: a tag always means the same content."""
    configure(home, "all.example: { format: rpz }")
    home.write("open.txt", *(f"n{i}.open.example" for i in range(5000)))
    home.feeds("name: open, kind: domain, format: lines, source: open.txt, category: phishing, redistribute: true")
    home.rebuild()
    gateway, contents, faults, answered, ended = home.gateway(), {}, [], Counter(), threading.Event()

    def read(coding: str) -> None:
        while not ended.is_set():
            try:
                code, headers, content = call(gateway, "/v1/exports/all.example", token=READER, headers={"Accept-Encoding": coding})
                answered[code] += 1
                if code == 200:
                    plain = gzip.decompress(content) if coding == "gzip" else content
                    before = contents.setdefault((headers["ETag"], coding), plain)
                    if before != plain or not plain.endswith(b"\n"):
                        faults.append(f"{coding} {headers['ETag']}: {len(plain)} bytes, and {len(before)}")
            except (OSError, http.client.HTTPException, EOFError) as fault:
                faults.append(f"{coding}: {fault!r}")
    threads = [threading.Thread(target=read, args=(coding,)) for coding in ("gzip", "identity", "identity")]
    for thread in threads:
        thread.start()
    for i in range(100):
        add(gateway, "listings", kind="domain", value=f"m{i}{'x' * (i % 40)}.other.example")
    ended.set()
    for thread in threads:
        thread.join()
    print(f"{dict(answered)}, {len(contents)} contents")
    expect(f"whole answers: {len(faults)} others: {faults[:5]}", not faults)
    expect(f"the last listing is in the next answer", b"m99" in call(gateway, "/v1/exports/all.example", token=READER)[2])
    gateway.stop()


def slow_readers(gateway: Gateway, path: str, count: int, expect) -> None:
    before = heap(gateway)  # and all earlier answers are over
    readers = [SlowReader(gateway, path) for _ in range(count)]
    codes = Counter(reader.status() for reader in readers)
    during = heap(gateway)
    expect(f"of {count} slow readers: {dict(codes)}", codes == {200: 4, 503: count - 4})
    expect(f"heap meanwhile: {during - before:.1f} MB more", during - before <= 8)
    code, headers, _ = call(gateway, path, token=READER)
    expect(f"another one: {code}, again in {headers['Retry-After']} s", code == 503 and headers["Retry-After"])
    expect("check answers meanwhile", gateway.verdict("n1.open.example") == "listed")
    for reader in readers:
        reader.close()
    began = time.monotonic()

    def four_are_served() -> bool:
        four = [SlowReader(gateway, path) for _ in range(4)]
        codes = Counter(reader.status() for reader in four)
        for reader in four:
            reader.close()
        return codes == {200: 4}
    wait_until("all four slots are free again", four_are_served, pause=1)  # in which the closed ones are noticed
    print(f"all four slots are free again after {time.monotonic() - began:.1f} s")


# --- The command.

@pytest.mark.needs("bind9-utils")
@pytest.mark.parametrize("names, bound", [pytest.param(200_000, 20, id="some"), pytest.param(1_000_000, 10, id="many", marks=pytest.mark.long)])
def test_time_of_the_command(home, expect, names, bound):
    configure(home, f"{ZONE}: {{ format: rpz }}")
    home.list_domains(*(f"h{i}.generated-{i % 99991}.example" for i in range(names)))
    home.rebuild()
    file = export_file(home)
    began = time.monotonic()
    done = home.run("feeds", "export", ZONE, "--output", file, status=0)
    seconds = time.monotonic() - began
    print(f"{names} names in {seconds:.1f} s, {file.stat().st_size / MB:.1f} MB: {done.stderr.strip()}")
    expect(f"{seconds:.1f} s of {bound}", seconds <= bound)
    expect(f"named-checkzone accepts it: {named_checkzone(file)}", not named_checkzone(file))
    expect("two records a name", file.read_text().count("\n") == 4 + 2 * names)
    before = file.read_bytes()
    done = home.run("feeds", "export", ZONE, "--output", file, status=0)
    expect(f"again: {done.stderr.strip()}", "unchanged" in done.stderr and file.read_bytes() == before)


def test_status_of_the_command(home, expect):
    configure(home, f"{ZONE}: {{ format: rpz }}")
    home.list_domains("old.example")
    home.rebuild()
    home.run("listing", "add", "domain", "mine.example", status=0)
    for name, wanted in (("none", 2), ("feed:none", 2), (ZONE, 0), ("category:phishing", 0), ("local", 0)):
        done = home.run("feeds", "export", name)
        expect(f"{name}: {done.returncode} {done.stderr.strip()}", done.returncode == wanted and "\tat " not in done.stderr)
        if wanted == 0:
            expect(f"{name}: local and feeds as named", ("mine.example" in done.stdout) == (name in (ZONE, "local"))
                   and ("old.example" in done.stdout) == (name != "local"))
    for form, line in (("txt", ".old.example"), ("hosts", "0.0.0.0 old.example"), ("jsonl", '"value":"old.example"')):
        done = home.run("feeds", "export", ZONE, "--format", form, status=0)
        expect(f"{form}: {line}", line in done.stdout)
    done = home.run("feeds", "export", ZONE, "--output", home.path("no", "such", "folder"))
    expect(f"no folder: {done.returncode} {done.stderr.strip()}", done.returncode == 3 and "\tat " not in done.stderr)
    file = export_file(home)
    home.run("feeds", "export", ZONE, "--output", file, status=0)
    whole = file.read_bytes()
    damage(home)
    done = home.run("feeds", "export", ZONE, "--output", file)
    expect(f"a damaged snapshot: {done.returncode} {done.stderr.strip()[-300:]}", done.returncode == 3 and "\tat " not in done.stderr)
    expect("the file is as before", file.read_bytes() == whole)
    expect("entries of operators need no snapshot", "mine.example" in home.run("feeds", "export", "local", status=0).stdout)


def damage(home: Home) -> None:
    """The store of the current generation."""
    for table in home.layer.joinpath(home.current()).rglob("*.pages"):
        table.write_bytes(b"")


def test_without_a_snapshot_the_file_stays(home, expect):
    """A gateway that starts with a damaged snapshot, or with none, does not lift what the file blocks."""
    configure(home, zone_of(home), f"local.rpz.example: {{ lists: [local], file: {export_file(home, 'local')} }}")
    home.list_domains("old.example")
    home.rebuild()
    gateway, file = home.gateway(), export_file(home)
    wait_until("the file is there", lambda: holds(file, "old.example"))
    gateway.stop()
    whole, shown = file.read_bytes(), ""
    damage(home)
    for what in ("damaged", "gone"):
        gateway = home.gateway()
        home.run("listing", "add", "domain", f"{what}.example", status=0)
        wait_until("the export of entries is written", lambda: holds(export_file(home, "local"), f"{what}.example"))
        expect(f"{what}: the file stays", file.read_bytes() == whole)
        wait_until(f"{what}: the status names the export", lambda: f"export {ZONE}" in gateway.get("/v1/status"))
        wait_until(f"{what}: the metric", lambda: gateway.metric("bloomgate_export_faults") == 1)
        code, _, told = call(gateway, f"/v1/exports/{ZONE}", token=READER)
        expect(f"{what}: over HTTP {code}: {told[:200]}", code == 503)
        gateway.stop()
        for generation in home.generations():
            (home.layer / generation).rename(home.path(f"was-{what}-{generation}"))
        (home.layer / "current").unlink(missing_ok=True)
    gateway = home.gateway()
    home.rebuild()
    wait_until("with a snapshot it is written", lambda: holds(file, "gone.example") and holds(file, "old.example"))
    gateway.stop()
