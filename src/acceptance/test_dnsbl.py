"""The DNS listener beside rbldnsd with the same list, behind an unbound that minimises names, and asked by Postfix and rspamd."""
import ipaddress
import itertools
import os
import pwd
import random
import re
import select
import socket
import statistics
import struct
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from packages import program
from processes import free_port, wait_for_port, wait_until
from product import Home
from smtp import SmtpClient

ZONE = "dbl.test"
HEAD = (f"$SOA 60 ns.{ZONE} admin.{ZONE} 0 600 300 86400 60", f"$NS 60 ns.{ZONE}", "$TTL 60", ":127.0.0.2:listed", "test")
TOPS = ("com", "net", "org", "co.uk", "info", "xyz", "top", "de")
A, TXT, SOA, MX = 1, 16, 6, 15
RCODES = {0: "NOERROR", 2: "SERVFAIL", 3: "NXDOMAIN", 5: "REFUSED"}
WINDOW = 48  # questions under way
BATCH = 50_000  # questions made at once
TRIES = 20


def wire(name: str, kind: int, number: int, flags: int = 0x0100) -> bytes:
    labels = b"".join(bytes([len(label)]) + label for label in name.encode().split(b".") if label)
    return struct.pack(">6H", number, flags, 1, 0, 0, 0) + labels + b"\0" + struct.pack(">2H", kind, 1)


def read(answer: bytes) -> tuple[str, frozenset[str]]:
    """Code, and the addresses or the number of other records in the answer."""
    _, flags, _, answers, _, _ = struct.unpack(">6H", answer[:12])
    at = 12
    while answer[at]:
        at += 1 + answer[at]
    at, data = at + 5, set()
    for _ in range(answers):
        while answer[at] and answer[at] < 0xC0:
            at += 1 + answer[at]
        at += 1 if answer[at] == 0 else 2
        kind, _, _, length = struct.unpack(">HHIH", answer[at:at + 10])
        at += 10
        data.add(socket.inet_ntoa(answer[at:at + 4]) if kind == A else f"record {kind}")
        at += length
    return RCODES.get(flags & 15, str(flags & 15)), frozenset(data)


def ask_all(port: int, questions: list[tuple[str, int]], host: str = "127.0.0.1") -> list[tuple[str, frozenset[str]]]:
    """The answers, in order; a question without one for a second is asked again."""
    found: list = [None] * len(questions)
    waiting: dict[int, tuple[int, float, int]] = {}
    todo = iter(range(len(questions)))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
        s.connect((host, port))

        def send(index: int, tries: int) -> None:
            assert tries < TRIES, f"no answer to {questions[index]}"
            number = index & 0xFFFF
            waiting[number] = (index, time.monotonic() + 1, tries)
            s.send(wire(questions[index][0], questions[index][1], number))
        more = True
        while more or waiting:
            while more and len(waiting) < WINDOW:
                index = next(todo, None)
                more = index is not None
                if more:
                    send(index, 0)
            if select.select([s], [], [], 0.2)[0]:
                answer = s.recv(4096)
                index, _, _ = waiting.pop(struct.unpack(">H", answer[:2])[0], (None, 0, 0))
                if index is not None:
                    found[index] = read(answer)
            else:
                for _, (index, until, tries) in list(waiting.items()):
                    if until < time.monotonic():
                        send(index, tries + 1)
    return found


def ask(port: int, name: str, kind: int = A, host: str = "127.0.0.1") -> tuple[str, frozenset[str]]:
    return ask_all(port, [(name, kind)], host)[0]


def listed_names(count: int, rng: random.Random) -> list[str]:
    names = set()
    while len(names) < count:
        name = f"d{rng.randrange(10**9):x}.{rng.choice(TOPS)}"
        names.add(f"h{rng.randrange(1000)}.s.{name}" if rng.random() < 0.3 else name)
    return sorted(names)


def asked_names(listed: list[str], count: int, rng: random.Random) -> Iterable[str]:
    """Listed ones, names below and above them, and others."""
    for _ in range(count):
        name = rng.choice(listed)
        yield rng.choice((
            name, name.upper(), f"www.{name}", f"a.b.{name}", name.partition(".")[2], name.rpartition(".")[2], f"x{name}",
            f"c{rng.randrange(10**9):x}.{rng.choice(TOPS)}", f"c{rng.randrange(10**9):x}.{rng.choice(TOPS)}", "test", "invalid"))


class DnsServer:
    """A gateway that answers for a list on a port for DNS."""

    def __init__(self, home: Home, names: list[str], listen: str = "127.0.0.1:0", codes: str = "default: 127.0.0.2", nets: str = ""):
        home.write("names.dnset", *HEAD, *("." + name for name in names))
        home.write("names.txt", *names)
        networks = [f"name: nets, kind: network, format: cidr, source: {nets}, category: botnet"] if nets else []
        home.feeds("name: test, kind: domain, format: lines, source: names.txt, category: phishing", *networks)
        home.configure("exact: { deadline: 5s }", "dns:", f'  listen: "{listen}"', "  zones:", f'    "{ZONE}": {{ codes: {{ {codes} }} }}',
                       *([f'    "nets.{ZONE}": {{ kinds: [network] }}'] if nets else []))
        home.run("rebuild", status=0)
        self.gateway = home.gateway()
        self.port = int(self.gateway.wait_for_line(r"dns=\S+?:(\d+)").group(1))
        self.host = listen.rpartition(":")[0]
        wait_until("parents are known", lambda: ask(self.port, f"invalid.{ZONE}", host=self.host)[0] == "NXDOMAIN")


def rbldnsd(home: Home, *sets: str, known: str = "test") -> int:
    """Serves sets of data, "type:file", and answers for a known name of theirs."""
    port = free_port()
    home.processes.start_silent(program("rbldnsd"), "-n", "-u", "nobody", "-b", f"127.0.0.1/{port}", "-c", "0", "-w", home.folder,
                                *(f"{ZONE}:{one}" for one in sets))

    def serves() -> bool:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
            s.settimeout(0.2)
            try:
                s.connect(("127.0.0.1", port))
                s.send(wire(f"{known}.{ZONE}", A, 1))
                return s.recv(1024)[7] > 0
            except OSError:
                return False
    wait_until("rbldnsd serves the zone", serves)
    return port


@pytest.fixture
def open_home(launcher, open_folder, processes) -> Home:
    return Home(launcher, open_folder, processes)


def at_once(home: Home, port: int) -> int:
    """Without a resolver between."""
    return port


def compare(home: Home, listed: int, questions: int, through: Callable[[Home, int], int], expect) -> None:
    """What is said of the names of one list, through a resolver or not, beside rbldnsd asked at once."""
    rng = random.Random(20260105)
    names = listed_names(listed, rng)
    listener, other = DnsServer(home, names), rbldnsd(home, "dnset:names.dnset")
    port = through(home, listener.port)
    parents = {name[i + 1:] for name in names for i, c in enumerate(name) if c == "."}
    counts: Counter = Counter()
    asked = [(f"{name}.{ZONE}", A) for name in asked_names(names, questions, rng)]
    for (name, _), ours, theirs in zip(asked, ask_all(port, asked), ask_all(other, asked)):
        host = name[:-len(ZONE) - 1]
        if ours == theirs:
            counts["same " + ours[0]] += 1
        elif ours == ("NOERROR", frozenset()) and theirs[0] == "NXDOMAIN":
            counts["above a listed name" if host in parents else "a false parent"] += 1
        else:
            counts["different"] += 1
            print(f"{host}: {ours} beside {theirs}")
    print(f"{questions} questions of {listed} names, {through.__name__}: {dict(counts)}")
    expect("no other difference than names above listed ones", counts["different"] == 0)
    expect("those are answered so", counts["above a listed name"] > 0 and counts["same NOERROR"] > 0 and counts["same NXDOMAIN"] > 0)
    expect("false parents stay below their rate", counts["a false parent"] <= max(5, questions // 500))
    expect("nothing met a limit or a fault", listener.gateway.metric("bloomgate_dns_limited_total") + listener.gateway.metric("bloomgate_dns_faults_total") == 0)


def reversed_name(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> str:
    return address.reverse_pointer.rsplit(".", 2)[0]


def random_blocks(count: int, prefixes: tuple[int, ...], rng: random.Random) -> list[ipaddress.IPv4Network | ipaddress.IPv6Network]:
    blocks = {ipaddress.ip_network((rng.randrange(11 << 24, 99 << 24), rng.choice(prefixes)), strict=False) for _ in range(count)}
    blocks |= {ipaddress.ip_network(((0x2a << 120) + rng.randrange(1 << 120), rng.choice((32, 48, 56, 64, 128))), strict=False)
               for _ in range(count // 10)}
    return sorted(blocks, key=lambda block: (block.version, block))


def asked_addresses(blocks: list, count: int, rng: random.Random) -> Iterator[ipaddress.IPv4Address | ipaddress.IPv6Address]:
    """First, last and next ones of blocks, and others."""
    for _ in range(count):
        block = rng.choice(blocks)
        yield rng.choice((block[0], block[-1], block[-1] + 1, block[0] - 1, block[rng.randrange(block.num_addresses)],
                          ipaddress.ip_address(rng.randrange(11 << 24, 99 << 24)), ipaddress.IPv6Address((0x2a << 120) + rng.randrange(1 << 120))))


# In the long form no prefix is so wide that all addresses would be listed.
@pytest.mark.needs("rbldnsd")
@pytest.mark.needs_root
@pytest.mark.parametrize("networks, prefixes, questions", [
    pytest.param(20_000, (16, 20, 24, 28, 32), 30_000, id="some"),
    pytest.param(1_000_000, (24, 28, 30, 32), 2_000_000, id="many", marks=pytest.mark.long)])
def test_rbldnsd_says_the_same_of_addresses(open_home, expect, networks, prefixes, questions):
    home, rng = open_home, random.Random(20260106)
    blocks = random_blocks(networks, prefixes, rng)
    for version in (4, 6):
        home.write(f"nets{version}", *HEAD[:3], *(line for line in HEAD[3:] if line.startswith(":")), *(str(b) for b in blocks if b.version == version))
    home.write("nets.txt", *map(str, blocks))
    home.feeds("name: nets, kind: network, format: cidr, source: nets.txt, category: botnet")
    home.configure("exact: { deadline: 5s }", "dns:", '  listen: "127.0.0.1:0"', "  zones:", f'    "{ZONE}": {{ kinds: [network] }}')
    home.run("rebuild", status=0)
    gateway = home.gateway()
    ours = int(gateway.wait_for_line(r"dns=\S+?:(\d+)").group(1))
    other = rbldnsd(home, "ip4trie:nets4", "ip6trie:nets6", known=reversed_name(blocks[0][0]))
    addresses, counts = asked_addresses(blocks, questions, rng), Counter()
    while batch := list(itertools.islice(addresses, BATCH)):
        asked = [(f"{reversed_name(address)}.{ZONE}", A) for address in batch]
        for address, mine, theirs in zip(batch, ask_all(ours, asked), ask_all(other, asked)):
            counts["same " + mine[0] if mine == theirs else "different"] += 1
            if mine != theirs:
                print(f"{address}: {mine} beside {theirs}")
    print(f"{questions} questions of {len(blocks)} networks: {dict(counts)}")
    expect("no difference", counts["different"] == 0 and counts["same NOERROR"] > 5000 and counts["same NXDOMAIN"] > 5000)


@pytest.mark.needs("rbldnsd")
@pytest.mark.needs_root  # rbldnsd gives up root's rights for nobody's
def test_rbldnsd_says_the_same(open_home, expect):
    compare(open_home, 20_000, 30_000, at_once, expect)


def unbound(home: Home, upstream: int) -> int:
    """One that minimises names strictly and believes "no such name" for all below."""
    port = free_port()
    home.path(f"unbound-{upstream}").mkdir()
    config = home.path(f"unbound-{upstream}", "unbound.conf")
    config.write_text(f"""
server:
  interface: 127.0.0.1@{port}
  do-ip6: no
  username: ""
  chroot: ""
  directory: "{config.parent}"
  pidfile: ""
  use-syslog: no
  do-daemonize: no
  do-not-query-localhost: no
  qname-minimisation: yes
  qname-minimisation-strict: yes
  harden-below-nxdomain: yes
  module-config: "iterator"
  local-zone: "test." nodefault
remote-control:
  control-enable: no
stub-zone:
  name: "{ZONE}"
  stub-addr: 127.0.0.1@{upstream}
""")
    home.processes.start_silent(program("unbound"), "-c", config)
    wait_for_port(port)
    return port


@pytest.mark.needs("unbound", "rbldnsd")
@pytest.mark.needs_root
def test_every_listed_name_is_found_through_a_resolver_that_minimises_names(open_home, expect):
    names = listed_names(2_000, random.Random(20260106))
    listener = DnsServer(open_home, names)
    asked = [(f"{prefix}{name}.{ZONE}", A) for name in names for prefix in ("", "www.")]
    for who, port in (("the gateway", listener.port), ("rbldnsd", rbldnsd(open_home, "dnset:names.dnset"))):
        answers = ask_all(unbound(open_home, port), asked)
        found = sum(answer == ("NOERROR", frozenset({"127.0.0.2"})) for answer in answers)
        print(f"{found} of {len(asked)} found through unbound in front of {who}")
        if who == "the gateway":
            expect("all of them through the gateway", found == len(asked))


@pytest.mark.long
@pytest.mark.needs("unbound", "rbldnsd")
@pytest.mark.needs_root
@pytest.mark.parametrize("through", [at_once, unbound])
def test_rbldnsd_says_the_same_to_a_million_questions(open_home, expect, through):
    compare(open_home, 1_000_000, 1_000_000, through, expect)


@contextmanager
def one_core() -> Iterator[None]:
    """What is started meanwhile knows of the first core alone."""
    all_cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {0})
    try:
        yield
    finally:
        os.sched_setaffinity(0, all_cores)


class Server:
    """One on the first core, which the machine's other work may share: answers are set against its own time on it."""

    def __init__(self, process: subprocess.Popen, port: int, questions: Path):
        self.process, self.port, self.questions = process, port, questions

    def seconds(self) -> float:
        """Of the processor."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(") ")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def answers_a_second(self) -> float:
        began = self.seconds()
        done = subprocess.run(["taskset", "-c", "1", program("dnsperf"), "-s", "127.0.0.1", "-p", str(self.port), "-d", self.questions,
                               "-l", "5", "-q", "64", "-c", "8"], capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stdout + done.stderr
        return int(re.search(r"Queries completed: +(\d+)", done.stdout)[1]) / (self.seconds() - began)


@pytest.mark.long
@pytest.mark.needs("dnsperf", "rbldnsd")
@pytest.mark.needs_root
def test_answers_a_second_of_one_core_beside_rbldnsd(open_home, expect):
    rng = random.Random(20260107)
    names = listed_names(1_000_000, rng)
    with one_core():
        listener, port = DnsServer(open_home, names), rbldnsd(open_home, "dnset:names.dnset")
    asked = (rng.choice(names) if number % 10 == 0 else f"c{rng.randrange(10**9):x}.{rng.choice(TOPS)}" for number in range(200_000))
    questions = open_home.write("questions.txt", *(f"{name}.{ZONE} A" for name in asked))
    ours, theirs = Server(listener.gateway.process, listener.port, questions), Server(open_home.processes.started[-1], port, questions)
    for _ in range(6):
        ours.answers_a_second()  # compiled by then
    rounds = [(ours.answers_a_second(), theirs.answers_a_second()) for _ in range(5)]
    ratios = sorted(one / two for one, two in rounds)
    print(f"answers a second of one core, one in ten listed: {statistics.median(one for one, _ in rounds):,.0f}, "
          f"rbldnsd {statistics.median(two for _, two in rounds):,.0f}; ratio {statistics.median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})")
    expect("at least 0.7 of rbldnsd's", statistics.median(ratios) >= 0.7)


POSTFIX_MAIN = """
compatibility_level = 3.6
queue_directory = {work}/queue
data_directory = {work}/data
maillog_file = {work}/maillog
maillog_file_prefixes = {work}
mail_owner = postfix
myhostname = mail.dest.example
mydestination = dest.example
local_recipient_maps =
local_transport = discard:
default_transport = discard:
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 192.0.2.255/32
smtpd_recipient_restrictions = reject_unauth_destination, reject_rhsbl_sender {zone}=127.0.0.[2..11], reject_rbl_client nets.{zone}=127.0.0.[2..11]
smtpd_authorized_xclient_hosts = 127.0.0.0/8
"""
POSTFIX_MASTER = """
{port} inet n - n - - smtpd
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
discard unix - - n - - discard
anvil unix - - n - 1 anvil
postlog unix-dgram n - n - 1 postlogd
"""
RESOLVER = f"127.53.{os.getpid() >> 8 & 255}.{os.getpid() & 255 or 1}"  # for those who run checks at the same time


@pytest.mark.needs("postfix")
@pytest.mark.needs_root  # a resolver on port 53, and a resolv.conf that Postfix alone sees
def test_postfix_refuses_a_sender_and_a_client_by_the_zones(open_home, expect):
    open_home.write("nets.txt", "11.22.33.0/24")
    listener = DnsServer(open_home, ["bad.example"], f"{RESOLVER}:53", nets="nets.txt")
    work, port = open_home.path("postfix"), free_port()
    user = pwd.getpwnam("postfix")
    for name in ("etc", "queue", "data"):
        (work / name).mkdir(parents=True)
    os.chown(work / "data", user.pw_uid, user.pw_gid)
    (work / "etc" / "main.cf").write_text(POSTFIX_MAIN.format(work=work, zone=ZONE))
    (work / "etc" / "master.cf").write_text(POSTFIX_MASTER.format(port=port))
    (work / "resolv.conf").write_text(f"nameserver {RESOLVER}\noptions timeout:20 attempts:1\n")
    alone = f"mount --bind {work}/resolv.conf /etc/resolv.conf && exec {program('postfix')} -c {work}/etc "
    started = subprocess.run(["unshare", "-m", "sh", "-c", alone + "start"], capture_output=True, text=True, timeout=60)
    assert started.returncode == 0, started.stdout + started.stderr
    try:
        wait_for_port(port)

        def reply(sender: bytes, address: bytes = b"192.0.2.7") -> str:
            with SmtpClient(port) as client:
                client.command(b"XCLIENT NAME=[UNAVAILABLE] ADDR=" + address)
                client.command(b"EHLO client.test")
                return client.send(sender, b"b@dest.example", b"Subject: x\r\n\r\nx\r\n")
        refused = reply(b"a@www.bad.example")
        expect(f"listed: {refused}", refused.startswith("554 5.7.1") and "listed www.bad.example phishing" in refused)
        taken = reply(b"a@good.example")
        expect(f"not listed: {taken}", taken.startswith("250"))
        client = reply(b"a@good.example", b"11.22.33.44")
        expect(f"a listed client: {client}", client.startswith("554 5.7.1") and "listed 11.22.33.44 botnet" in client)
        expect("it asked", listener.gateway.metric("bloomgate_dns_listed_total") >= 2)
    finally:
        subprocess.run([program("postfix"), "-c", work / "etc", "stop"], capture_output=True, timeout=60)


def test_a_gateway_without_a_snapshot_says_that_it_cannot_say(home, expect):
    home.write("names.txt", "bad.example")
    home.feeds("name: test, kind: domain, format: lines, source: names.txt, category: phishing")
    home.configure("dns:", '  listen: "127.0.0.1:0"', f'  zones: {{ "{ZONE}": {{ kinds: [domain] }} }}')
    gateway = home.gateway()
    port = int(gateway.wait_for_line(r"dns=\S+?:(\d+)").group(1))
    expect("SERVFAIL before", ask(port, f"bad.example.{ZONE}") == ("SERVFAIL", frozenset()))
    home.run("rebuild", status=0)
    wait_until("adopted", lambda: ask(port, f"bad.example.{ZONE}") == ("NOERROR", frozenset({"127.0.0.2"})))
    home.run("listing", "add", "domain", "mine.example", "--category", "spam", "--reason", "test", status=0)
    wait_until("what an operator lists is told", lambda: ask(port, f"www.mine.example.{ZONE}")[1] == {"127.0.0.2"})
    home.run("exception", "add", "domain", "bad.example", "--reason", "test", status=0)
    wait_until("an exception counts", lambda: ask(port, f"bad.example.{ZONE}")[1] == frozenset())
    expect("another zone is refused", ask(port, "bad.example.other.test")[0] == "REFUSED")
    expect("the apex has a SOA", ask(port, ZONE, SOA) == ("NOERROR", frozenset({"record 6"})))
    gateway.stop()
