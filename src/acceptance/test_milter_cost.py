"""What a milter adds to Postfix: ours beside rspamd beside none, the same honest mails through all three by turns, in one run.
For figures, on a machine that does nothing else."""
import statistics
import time
from dataclasses import dataclass, field

import pytest

from mailservers import Postfix, Rspamd
from processes import cpu_seconds, wait_until
from product import Home
from realdata import open_mails
from smtp import SmtpClient

LARGEST = 100_000  # bytes; Postfix's own time for larger ones is all that would be seen
MOST_OF_RSPAMD, MOST_MILLIS = 0.15, 1.0

pytestmark = [pytest.mark.long, pytest.mark.needs_shared, pytest.mark.needs("postfix", "rspamd"), pytest.mark.needs_root]


@dataclass
class Way:
    """A Postfix and what it asks: CPU seconds of both for each round, and seconds for each mail, from its client's connecting to
    its last reply."""
    name: str
    postfix: Postfix
    pids: list[int]
    sent: int = 0
    cpu: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    def carry(self, mails: list[bytes]) -> None:
        before, seconds = cpu_seconds(self.postfix.pid(), *self.pids), []
        for blob in mails:
            began = time.perf_counter()
            with SmtpClient(self.postfix.port) as client:
                reply = client.send(b"a@from.example", b"b@dest.example", blob)
                seconds.append(time.perf_counter() - began)
            self.sent += reply.startswith("250")
        wait_until(f"{self.name}: {self.sent} delivered", lambda: len(self.postfix.inbox()) >= self.sent, 120)
        self.cpu.append((cpu_seconds(self.postfix.pid(), *self.pids) - before) / len(mails) * 1000)
        self.seconds += seconds

    def forget(self) -> None:
        """What was measured so far, as programs were still being warmed up."""
        self.cpu.clear()
        self.seconds.clear()

    def p50(self) -> float:
        """Milliseconds."""
        return statistics.median(self.seconds) * 1000


# The compiler of the Java runtime is done after some 10,000 messages.
@pytest.mark.parametrize("count, rounds, warm", [pytest.param(50, 2, 1, id="tried"), pytest.param(1000, 5, 15, id="measured")])
def test_a_milter_beside_another(launcher, open_folder, processes, shared, real_feeds, expect, count, rounds, warm):
    honest = [blob for name, blob in open_mails(shared / "data") if "easy-ham" in name and len(blob) <= LARGEST][:count]
    home = Home(launcher, open_folder / "gateway", processes)
    home.configure(f"snapshots: {real_feeds.snapshots}", 'milter: { listen: "127.0.0.1:0" }')
    gateway, rspamd = home.gateway(), Rspamd(processes, open_folder / "rspamd")
    ways = [Way(name, Postfix(open_folder / name, milter), pids) for name, milter, pids in (
        ("alone", "", []), ("ours", f"inet:127.0.0.1:{gateway.milter()}", [gateway.process.pid]),
        ("rspamd", f"inet:127.0.0.1:{rspamd.port}", [rspamd.process.pid]))]
    try:
        for way, times in zip(ways, (1, warm, 1)):
            for _ in range(times):
                way.carry(honest)
            way.forget()
        for _ in range(rounds):
            for way in ways:
                way.carry(honest)
        figures(ways, expect, count >= 1000)
        expect("almost all mails passed all three", all(way.sent >= len(honest) * (1 + rounds) * 0.99 for way in ways))
        expect("both milters were asked", gateway.metric("bloomgate_milter_messages_total") >= len(honest)
               and all(cpu_seconds(way.pids[0]) > 0 for way in ways[1:]))
    finally:
        for way in ways:
            way.postfix.stop()
        rspamd.stop()
    gateway.stop()


def figures(ways: list[Way], expect, goals: bool) -> None:
    for way in ways:
        print(f"Postfix, {way.name}: {statistics.median(way.cpu):.2f} CPU seconds for 1,000 messages ({min(way.cpu):.2f} to {max(way.cpu):.2f}), "
              f"p50 {way.p50():.2f} ms, p99 {statistics.quantiles(way.seconds, n=100)[98] * 1000:.2f} ms")
    alone, ours, rspamd = ways
    added, other = (statistics.median(way.cpu) - statistics.median(alone.cpu) for way in (ours, rspamd))
    print(f"added: ours {added:.2f}, rspamd {other:.2f} CPU seconds, {added / other:.2f} of it; {ours.p50() - alone.p50():.2f} and {rspamd.p50() - alone.p50():.2f} ms")
    if goals:
        expect(f"at most {MOST_OF_RSPAMD} of what rspamd adds", added <= MOST_OF_RSPAMD * other)
        expect(f"at most {MOST_MILLIS} ms", ours.p50() - alone.p50() <= MOST_MILLIS)
