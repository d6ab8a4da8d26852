"""What the signals of the memory would do: honest mail of one mailbox in its order, with phishing at random dates, through the
program's own evaluation and memory.

The honest mail is one mailbox of 2002, without its outbound half; the phishing is of 2022 to 2025. So that a link domain is new
across the two says nothing by itself; the control is phishing whose link domains are in both. Sites of more mailboxes, outbound
mail, and who is authenticated of 2002 are simulated here, as is said of each. The figures are printed."""
import datetime
import itertools
import json
import os
import random
import re
import statistics
import subprocess
import zlib
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

import pytest

from processes import cpu_seconds
from product import CHECKOUT, Home, jdk
from realdata import archived
from smtp import SmtpClient, discarding_sink
from test_memory import letters

DAY = 86_400
LEARNING_DAYS = 14
LATE_DAYS = 10
WARM_MESSAGES, MESSAGES = 20_000, 1_000  # with fewer, compilers are still busy
AUTHENTICATED = 0.9  # of the author domains of honest mail, whose signatures of 2002 do not exist
REPLIES = 0.3  # of honest messages that came through no list; within a day
SHARED = 0.5  # of names that fewer than three authors use: the others belong to the circle of one mailbox
COPIES = (1, 1, 2, 5)  # of a phishing message, to as many mailboxes of the site within two hours
NOT_FOR_READERS = {"schemeless", "raw", "unknownTarget", "script"}
RULES = ("newLink by sight", "newLink", "newLinkOfStranger by sight", "newLinkOfStranger")
MAIL_FROM = re.compile(rb"\AFrom \S+ +(\w{3} \w{3} +\d+ [\d:]+ 2002)")


class Message(NamedTuple):
    seconds: int
    author: str
    hosts: tuple[str, ...]
    is_listmail: bool
    is_authenticated: bool


class Event(NamedTuple):
    seconds: int
    kind: str
    line: str


def arrived(blob: bytes) -> int:
    """The time in the line of the mailbox; 0 without one."""
    line = MAIL_FROM.match(blob)
    return int(datetime.datetime.strptime(line.group(1).decode() + " +0000", "%a %b %d %H:%M:%S %Y %z").timestamp()) if line else 0


def within(name: str, share: float) -> bool:
    """A choice that is the same for a name each time."""
    return zlib.crc32(name.encode()) % 1000 < 1000 * share


def scanned(home: Home, archives: list[Path], one_of: int) -> list[list[tuple[bytes, dict]]]:
    """Of each archive some messages, with what `scan` finds in them."""
    blobs = [[blob for _, blob in archived(archive)][::one_of] for archive in archives]
    files = [home.path("scanned", f"{number:05d}") for number in range(sum(map(len, blobs)))]
    files[0].parent.mkdir()
    for file, blob in zip(files, itertools.chain(*blobs), strict=True):
        file.write_bytes(blob)
    lines = home.run("scan", "--json", "--no-dns", *files, encoding="utf-8").stdout.split("\n")
    answers = map(json.loads, filter(None, lines))
    return [[(blob, next(answers)) for blob in some] for some in blobs]


def message(blob: bytes, answer: dict) -> Message:
    found = answer["identifiers"]
    author = next((one["value"] for one in found if one["where"] == "header:From" and one["kind"] == "address"), "a@none.example")
    hosts = dict.fromkeys(re.sub(r"^\w+://(?:[^/]*@)?|[:/?#].*", "", one["value"]) for one in found
                          if one["kind"] == "url" and one["where"] not in NOT_FOR_READERS)
    return Message(arrived(blob), author, tuple(filter(None, hosts)), any(one["where"].startswith("header:List-") for one in found),
                   is_aligned(blob, author.rpartition("@")[2]))


def is_aligned(blob: bytes, domain: str) -> bool:
    """What the provider that received the phishing found: DMARC, or DKIM or SPF for a domain above or below that of From."""
    header = re.sub(rb"\r?\n[ \t]+", b" ", blob.partition(b"\n\n")[0].partition(b"\r\n\r\n")[0]).decode("latin-1")
    results = " ".join(re.findall(r"^Authentication-Results:(.*)$", header, re.I | re.M))
    proven = re.findall(r"dkim=pass[^;]*?header\.d=([\w.-]+)|spf=pass[^;]*?smtp\.mailfrom=(?:\S*@)?([\w.-]+)", results)
    return "dmarc=pass" in results or any(f".{domain}".endswith(f".{one}") or f".{one}".endswith(f".{domain}")
                                          for pair in proven for one in pair if one)


class Site:
    """So many mailboxes, each with the honest mail at its own hours; what few authors use belongs to one mailbox or to all."""

    def __init__(self, honest: list[Message], mailboxes: int, seed: int):
        self.mailboxes, self.random = mailboxes, random.Random(seed)
        authors = defaultdict(set)
        for one in honest:
            for name in (*one.hosts, one.author.rpartition("@")[2]):
                authors[name].add(one.author)
        self.of_all = {name for name, users in authors.items() if len(users) > 2 or within(name, SHARED)}
        self.start = min(one.seconds for one in honest)
        self.end = max(one.seconds for one in honest)
        self.events = [event for mailbox in range(mailboxes) for one in honest for event in self.honest(one, mailbox)]

    def honest(self, one: Message, mailbox: int):
        local, _, domain = one.author.rpartition("@")
        seconds, author = one.seconds, one.author
        if mailbox:
            seconds = max(self.start, seconds + self.random.randrange(-DAY // 2, DAY // 2))
            if domain not in self.of_all:
                author = f"{local}@{domain.replace('.', '-')}-m{mailbox}.example"
            elif not one.is_listmail:
                author = f"{local}-m{mailbox}@{domain}"
        hosts = [host if host in self.of_all or not mailbox else f"{mailbox}:{host}" for host in one.hosts]
        yield self.event(seconds, "honest", author, within(domain, AUTHENTICATED), hosts, mailbox)
        if not one.is_listmail and self.random.random() < REPLIES:
            yield Event(seconds + self.random.randrange(600, DAY), "reply",
                        "\t".join(("out", "1", f"m{mailbox}@corp.example", author, "")))

    @staticmethod
    def event(seconds: int, kind: str, author: str, is_authenticated: bool, hosts, mailbox: int) -> Event:
        return Event(seconds, kind, "\t".join(("in", str(int(is_authenticated)), author, f"m{mailbox}@corp.example", ",".join(hosts))))

    def insert(self, phishing: list[Message], honest: list[Message]) -> None:
        """After the days of learning. A fifth comes once more as control, with the links of an honest message."""
        for number, one in enumerate(phishing):
            first = self.random.randrange(self.start + LEARNING_DAYS * DAY, self.end)
            for mailbox in self.random.sample(range(self.mailboxes), min(self.mailboxes, self.random.choice(COPIES))):
                seconds = first + self.random.randrange(7_200)
                self.events.append(self.event(seconds, "phishing", one.author, one.is_authenticated, one.hosts, mailbox))
            if number % 5 == 0:
                hosts = self.random.choice(honest).hosts
                self.events.append(self.event(first, "control", one.author, one.is_authenticated, hosts, 0))


def java(classes: Path, name: str, *arguments) -> str:
    """What one of the classes beside this file prints."""
    return subprocess.run(
        [jdk() / "bin" / "java", "-Xmx1g", "-XX:+UseSerialGC", "-cp", f"{classes}:{CHECKOUT / 'target' / 'bloomgate.jar'}",
         f"org.bloomgate.decision.memory.{name}", *map(str, arguments)], check=True, stdout=subprocess.PIPE, text=True).stdout  # fmt: skip


def replay(home: Home, classes: Path, site: Site, name: str) -> list[tuple[Event, list[bool]]]:
    """Each inbound message after the days of learning, and which rules it meets."""
    events = sorted(site.events)
    messages, signals = home.path(f"{name}.messages"), home.path(f"{name}.signals")
    messages.write_text("".join(f"{event.seconds}\t{event.line}\n" for event in events))
    configuration = home.write(
        f"{name}.yaml", f"state: {home.path(name)}", f"snapshots: {home.path('var', 'snapshots')}", "smtp: { relayDomains: [corp.example] }",
        "memory: { links: true, senders: true }", "authentication: { authservIds: [mx.corp.example] }",
        # nothing of the phishing is looked up anywhere
        'exact: { dns: { resolvers: ["127.0.0.1:1"] } }', "policy: { signals: { newLinkOfStranger: tag } }")
    java(classes, "ReplayMemory", configuration, messages, signals)
    met = []
    for event, line in zip(events, signals.read_text().splitlines(), strict=True):
        count, never_seen = map(int, line.split("\t"))
        if event.kind != "reply" and event.seconds >= site.start + LEARNING_DAYS * DAY:
            met.append((event, [bool(never_seen), count > 0, bool(never_seen) and count > 1, count > 1]))
    return met


def curve(name: str, site: Site, met) -> dict[str, tuple[float, float]]:
    """Of each rule the share of phishing and the honest messages in 1,000."""
    by_kind = defaultdict(list)
    for event, rules in met:
        by_kind[event.kind].append(rules)
    late = [rules for event, rules in met if event.kind == "honest" and event.seconds > site.end - LATE_DAYS * DAY]

    def share(of, rule: int) -> float:
        return sum(rules[rule] for rules in of) / max(1, len(of))
    print(f"\n{name}: {len(by_kind['honest'])} honest, {len(by_kind['phishing'])} phishing, {len(by_kind['control'])} control")
    print("| rule | phishing | honest of 1,000 | in the last 10 days | control |")
    points = {}
    for number, rule in enumerate(RULES):
        points[rule] = share(by_kind["phishing"], number), 1000 * share(by_kind["honest"], number)
        print(f"| {rule} | {points[rule][0]:.0%} | {points[rule][1]:.1f} | {1000 * share(late, number):.1f} |"
              f" {share(by_kind['control'], number):.0%} |")
    points["control"] = share(by_kind["control"], RULES.index("newLinkOfStranger")), 0
    return points


@pytest.fixture
def classes(folder: Path) -> Path:
    sources = [Path(__file__).with_name(f"{name}.java") for name in ("ReplayMemory", "MemoryCost")]
    subprocess.run([jdk() / "bin" / "javac", "-proc:none", "-d", folder / "classes", "-cp", CHECKOUT / "target" / "bloomgate.jar", *sources],
                   check=True)
    return folder / "classes"


def replayed(home: Home, classes: Path, shared: Path, one_of: int, sites: tuple[int, ...], expect) -> None:
    home.list_domains("listed.example")  # a list, or nothing would be clean
    home.rebuild()
    archives = [shared / "data" / "mail" / f"{name}.tar.gz" for name in ("spamassassin-easy-ham-1", "phishing_pot-dev")]
    of_mailbox, of_phishing = scanned(home, archives, one_of)
    honest = sorted(message(*one) for one in of_mailbox if arrived(one[0]))
    phishing = [message(*one) for one in of_phishing]
    for mailboxes in sites:
        site = Site(honest, mailboxes, seed=mailboxes)
        site.insert(phishing, honest)
        points = curve(f"{mailboxes} mailboxes", site, replay(home, classes, site, f"site-{mailboxes}"))
        expect("newLink reaches phishing", points["newLink"][0] > 0.3)
        expect("the pair meets less honest mail than the new link alone", points["newLinkOfStranger"][1] < points["newLink"][1] / 2)
        expect("the control is met less than phishing", points["control"][0] < points["newLinkOfStranger"][0] / 2)
        expect("evidence meets no less than sight", all(points[rule][0] >= points[f"{rule} by sight"][0] for rule in (RULES[1], RULES[3])))


@pytest.mark.needs_shared
def test_short_replay(home, classes, shared, expect):
    replayed(home, classes, shared, 6, (4,), expect)


@pytest.mark.long
@pytest.mark.needs_shared
def test_replay_of_the_whole_mailbox(home, classes, shared, expect):
    replayed(home, classes, shared, 1, (1, 20, 200), expect)


@pytest.mark.long
def test_heap_of_ten_thousand_new_domains_a_day(folder, classes, launcher, expect):
    printed = java(classes, "MemoryCost", folder / "memory")
    print(printed)
    heap = float(re.search(r"^heap ([\d.]+)$", printed, re.M).group(1))
    expect(f"{heap} MB after 28 days", heap <= 16)


@pytest.mark.long
def test_processor_time_of_clean_mail(home, processes, expect):
    """Nine interleaved pairs at two gateways, one of which remembers and has learned."""
    home.rebuild()
    memory, began = home.path("with", "memory"), "2026-01-01T00:00:00Z"
    memory.mkdir(parents=True)
    (memory / "memory.key").write_bytes(os.urandom(32))
    (memory / "memory.key").chmod(0o600)
    for part in ("links", "senders"):
        (memory / f"{part}.json").write_text(json.dumps({"began": began, "reason": ""}))
    hop, snapshots = discarding_sink(processes, 100), f"snapshots={home.path('var', 'snapshots')}"
    gateways = [home.gateway(f"state={home.path(state)}", snapshots, f"memory.links={on}", f"memory.senders={on}", next_hop=hop)
                for state, on in (("without", "false"), ("with", "true"))]
    mails, ratios = letters(), []

    def microseconds(gateway, messages: int) -> float:
        before = cpu_seconds(gateway.process.pid)
        with SmtpClient(gateway.smtp) as client:
            for number in range(messages):
                sender = b"news%d@sender%d.test" % (number % len(mails), number % len(mails))
                assert client.send(sender, b"user%d@dest.example" % (number % 7), mails[number % len(mails)]).startswith("250")
        return (cpu_seconds(gateway.process.pid) - before) / messages * 1e6
    for gateway in gateways:
        microseconds(gateway, WARM_MESSAGES)
    for _ in range(9):
        without, remembering = (microseconds(gateway, MESSAGES) for gateway in gateways)
        print(f"{without:.0f} {remembering:.0f} us a message")
        ratios.append(remembering / without)
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors; ratios {min(ratios):.3f} to {max(ratios):.3f}")
    expect(f"{statistics.median(ratios):.3f} of the processor time without a memory", statistics.median(ratios) <= 1.03)
