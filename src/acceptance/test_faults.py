"""Faults under load: 5,000 idle sessions and a live message, clients dropped in DATA, and a next hop that is killed in MAIL, in
DATA, after the dot, and with the message recorded but not answered.

The next hop writes a message's name down before it answers 250, and each message is sent until it is accepted. So what a
client heard is compared with what was written down, by name. Before and after: descriptors, threads (virtual ones too),
temporary files, sessions, connections to the next hop."""
import collections
import random
import re
import resource
import signal
import socket
import struct
import subprocess
import threading
import time
from pathlib import Path

import pytest

from product import Gateway, Home
from smtp import MortalSink, SmtpClient

IDLE_SESSIONS, SESSIONS = 5000, 8
# Compiler and collector threads come and go; of the rest nothing may be more than before.
SLACK = {"threads": 12, "RSS MB": 10_000, "descriptors": 3}


class Watched:
    """A gateway before a mortal next hop, and what it holds of the system."""

    def __init__(self, home: Home):
        self.home, self.sink = home, MortalSink(home.processes, home.folder)
        self.gateway = home.gateway("smtp.maxSessionsPerAddress=8192",
                                    next_hop=self.sink.port)
        self.process = Path("/proc", str(self.gateway.process.pid))
        self.warm()

    def warm(self) -> None:
        load = Load(self.gateway, "warm")
        time.sleep(3)
        load.end()
        assert not load.faults
        before = self.numbers()
        # Idle connections close after 20 s: what follows is set against the numbers without them.
        self.before = before | {"descriptors": before["descriptors"] - before["to next hop"], "to next hop": 0}

    def virtual_threads(self) -> int:
        jcmd = (self.process / "exe").resolve().with_name("jcmd")
        dump = self.home.path("threads.txt")
        subprocess.run([jcmd, self.process.name, "Thread.dump_to_file", "-overwrite", dump], check=True, capture_output=True)
        return len(re.findall(r"^#\d+ .*virtual", dump.read_text(encoding="utf-8", errors="replace"), re.M))

    def to_next_hop(self) -> int:
        """Connections that are established or wait for us to close."""
        port = f":{self.sink.port:04X}"
        rows = [line.split() for name in ("tcp", "tcp6") for line in Path("/proc/net", name).read_text().splitlines()[1:]]
        return sum(row[2].endswith(port) and row[3] in ("01", "08") for row in rows)

    def rest(self) -> None:
        """Until the process has hardly used the processor for half a second. A dump of its threads while thousands of them
        end has crashed the JVM (25.0.3, SIGSEGV in ThreadSnapshot)."""
        def ticks() -> int:
            return sum(map(int, (self.process / "stat").read_text().rpartition(")")[2].split()[11:13]))

        end = time.monotonic() + 30
        while time.monotonic() < end:
            before = ticks()
            time.sleep(0.5)
            if ticks() - before <= 2:
                return

    def numbers(self) -> dict[str, int]:
        self.rest()
        rss = int(re.search(r"VmRSS:\s+(\d+)", (self.process / "status").read_text()).group(1)) // 1024
        return {"descriptors": len(list((self.process / "fd").iterdir())), "threads": len(list((self.process / "task").iterdir())),
                "virtual": self.virtual_threads(), "files": len(list(self.home.path("var", "tmp").iterdir())),
                "sessions": int(self.gateway.metric("bloomgate_smtp_sessions")), "to next hop": self.to_next_hop(), "RSS MB": rss}

    def settled(self, before: dict[str, int], seconds: float = 60) -> dict[str, int]:
        """The numbers once nothing is above what it was before, or when the time is over. Idle connections close after 20 s."""
        end = time.monotonic() + seconds
        while True:
            now = self.numbers()
            if not leaks(before, now) or time.monotonic() > end:
                return now
            time.sleep(0.5)

    def nothing_is_left_behind(self, expect) -> None:
        after = self.settled(self.before)
        print(f"before {self.before}\nafter  {after}")
        left = leaks(self.before, after)
        expect(f"nothing is left behind: {left}", not left)
        self.gateway.stop()


def leaks(before: dict[str, int], now: dict[str, int]) -> list[str]:
    slack = SLACK | {"to next hop": max(0, 1 - before["to next hop"])}
    return [what for what in now if now[what] > before[what] + slack.get(what, 0)]


def message(name: str, size: int) -> bytes:
    return b"X-Name: %s\r\nSubject: load\r\n\r\n" % name.encode() + b"0123456789 abcdefghijklmnopqrstuvwxyz\r\n" * (size // 39)


class Load:
    """Sessions that send each message until it is accepted."""

    def __init__(self, gateway: Gateway, prefix: str):
        self.port, self.prefix, self.stop = gateway.smtp, prefix, False
        self.accepted: dict[str, str] = {}  # the reply by the message's name
        self.replies: collections.Counter = collections.Counter()
        self.faults: list[str] = []
        self.lock = threading.Lock()
        self.threads = [threading.Thread(target=self.session, args=(n,)) for n in range(SESSIONS)]
        for thread in self.threads:
            thread.start()

    def session(self, number: int) -> None:
        rnd, sent = random.Random(number), 0
        try:
            with SmtpClient(self.port) as client:
                while not self.stop:
                    name = f"{self.prefix}{number}-{sent}"
                    reply = self.until_accepted(client, message(name, rnd.choice((500, 500, 5_000, 5_000, 300_000))))
                    with self.lock:
                        self.accepted[name] = reply
                    sent += 1
        except (EOFError, OSError) as lost:
            self.faults.append(f"session {number} was lost: {lost!r}")

    def until_accepted(self, client: SmtpClient, blob: bytes) -> str:
        while True:
            reply = client.send(b"a@sender.test", b"b@dest.example", blob)
            with self.lock:
                self.replies[reply[:9]] += 1
            if reply.startswith("250"):
                return reply
            time.sleep(0.02)

    def end(self) -> None:
        self.stop = True
        for thread in self.threads:
            thread.join(60)
        self.faults += ["a session hangs" for thread in self.threads if thread.is_alive()]


@pytest.fixture
def descriptors() -> int:
    """As many as the system allows, for this process and those that it starts."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (before[1], before[1]))
    yield before[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


@pytest.fixture
def watched(home, descriptors) -> Watched:
    return Watched(home)


def test_idle_sessions_do_not_keep_a_live_one_waiting(watched, descriptors, expect):
    count, port = min(IDLE_SESSIONS, descriptors - 200), watched.gateway.smtp
    began, idle = time.monotonic(), []
    for _ in range(count):
        idle.append(socket.create_connection(("127.0.0.1", port), 60))
        idle[-1].sendall(b"EHLO idle.test\r\n")
    greeted = sum(s.recv(1000)[:3] == b"220" for s in idle)
    print(f"{count} idle sessions within {time.monotonic() - began:.1f} s; during: {watched.numbers()}")
    began = time.monotonic()
    with SmtpClient(port) as client:
        reply = client.send(b"a@sender.test", b"b@dest.example", message("live", 300_000))
    print(f"a whole session with a message among them: {1000 * (time.monotonic() - began):.0f} ms, {reply}")
    for s in idle:
        s.close()
    expect(f"{greeted} of {count} greeted, the live message: {reply}", greeted == count and reply.startswith("250"))
    watched.nothing_is_left_behind(expect)


@pytest.mark.parametrize("count", [100, pytest.param(2000, marks=pytest.mark.long)])
def test_clients_that_drop_in_data_leave_nothing_behind(watched, expect, count):
    for i in range(count):
        client = SmtpClient(watched.gateway.smtp)
        for line in (b"MAIL FROM:<a@sender.test>", b"RCPT TO:<b@dest.example>", b"DATA"):
            client.command(line)
        client.socket.sendall(message(f"dropped{i}", 300_000)[:-i - 1])
        if i % 2:
            client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # RST, not FIN
        client.socket.close()
    watched.nothing_is_left_behind(expect)
    expect("none of them was relayed", not any(name.startswith("dropped") for name in watched.sink.recorded()))


@pytest.mark.parametrize("times", [30, pytest.param(500, marks=pytest.mark.long)])
def test_no_message_is_lost_when_the_next_hop_is_killed(watched, expect, times):
    rnd, killed, sink = random.Random(7), collections.Counter(), watched.sink
    load = Load(watched.gateway, "kills")
    for i in range(times):
        sink.kill()
        phase = sink.PHASES[i % len(sink.PHASES)]
        try:
            killed[phase] += sink.start(phase, rnd.randint(3, 25)).wait(30) == -signal.SIGKILL
        except subprocess.TimeoutExpired:
            load.faults.append(f"the next hop got nothing to do in phase {phase}")
            break
    sink.start()
    load.end()
    recorded = collections.Counter(sink.recorded())
    missing = [name for name in load.accepted if not recorded[name]]
    foreign = [name for name, reply in load.accepted.items() if reply != f"250 2.0.0 stored {name}"]
    hard = {reply: n for reply, n in load.replies.items() if reply[:1] not in "24"}
    twice = sum(n - 1 for name, n in recorded.items() if name in load.accepted)
    print(f"killed {sum(killed.values())} times under {SESSIONS} sessions, by phase {dict(killed)}: {len(load.accepted)} messages "
          f"accepted, replies {dict(load.replies)}, {twice} duplicates")
    expect(f"no session was lost: {load.faults[:5]}", not load.faults)
    expect(f"what was accepted is recorded: {missing[:5]}", load.accepted and not missing)
    expect(f"each 250 is the next hop's own: {foreign[:5]}", not foreign)
    expect(f"nothing was refused for good: {hard}", not hard)
    expect("as many kills as asked for", sum(killed.values()) == times)
    watched.nothing_is_left_behind(expect)
