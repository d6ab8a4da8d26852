"""A layer of a million keys is rebuilt and swapped under load: how long a swap takes, what mail feels of it, and that no
message fails and no verdict is wrong, in a table."""
import datetime
import re
import statistics
import threading
import time
from pathlib import Path

import pytest

from processes import wait_until
from product import LISTED_REPLY, Gateway, Home, mail_with_link
from smtp import SmtpClient, discarding_sink

REBUILDS, SWAPS, SESSIONS, QUIET_SECONDS = 2, 8, 4, 4
PAUSE = 0.01  # of a session between messages: a paced load leaves room for the rebuild, as a server at night has
FILLER = b"0123456789 abcdefghijklmnopqrstuvwxyz\r\n" * 100
Span = tuple[float, float]


class Load:
    """Sessions that send listed and clean mail in turn and compare what they hear."""

    def __init__(self, port: int):
        self.port, self.stop = port, False
        self.sent: list[Span] = []  # when it began, how long it took
        self.wrong: list[str] = []
        self.threads = [threading.Thread(target=self.session, args=(n,), daemon=True) for n in range(SESSIONS)]
        for thread in self.threads:
            thread.start()

    def session(self, number: int) -> None:
        try:
            with SmtpClient(self.port) as client:
                while not self.stop:
                    number += 1
                    listed = number % 2 == 0
                    host = b"www.listed-always.example" if listed else b"www.clean-%d.example" % number
                    began = time.time()
                    reply = client.send(b"a@sender.test", b"b@dest.example", mail_with_link(host) + FILLER)
                    self.sent.append((began, time.time() - began))
                    if not reply.startswith(LISTED_REPLY if listed else "250"):
                        self.wrong.append(f"{host.decode()}: {reply}")
                    time.sleep(PAUSE)
        except (EOFError, OSError) as lost:
            self.wrong.append(f"a session was lost: {lost!r}")

    def for_seconds(self, seconds: float) -> Span:
        began = time.time()
        time.sleep(seconds)
        return began, time.time()

    def end(self) -> None:
        self.stop = True
        for thread in self.threads:
            thread.join(30)

    def p99(self, name: str, spans: list[Span]) -> float:
        """In milliseconds, of the messages under way within the spans; the row of the table is printed."""
        within = sorted(took for began, took in self.sent if any(a <= began + took and began <= b for a, b in spans))
        quantile = {share: 1000 * within[min(len(within) - 1, int(share * len(within)))] for share in (0.5, 0.99, 1)}
        print(f"  {name:34} {len(within):7} " + " ".join(f"{ms:9.1f}" for ms in quantile.values()))
        return quantile[0.99]


class Swaps:
    """Adoptions of generations, as the gateway's log tells of them."""

    def __init__(self, gateway: Gateway):
        self.gateway, self.adopted = gateway, {gateway.home.current(): 1}
        self.spans: list[Span] = []
        self.opened_ms: list[int] = []
        self.swapped_us: list[int] = []
        self.seen_after: list[float] = []

    def wait_for(self, generation: str, pointed: float) -> None:
        """Until the generation that was pointed at then is adopted once more."""
        nth = self.adopted[generation] = self.adopted.get(generation, 0) + 1
        pattern = re.compile(rf"^(\S+) .*snapshot nightly/{generation} adopted, .* opened in (\d+) ms, swapped in (\d+) us", re.M)
        found = wait_until(f"{generation} adopted", lambda: pattern.findall(self.gateway.log())[nth - 1:], pause=0.05)
        at, opened, swapped = found[0]
        when = datetime.datetime.fromisoformat(at.replace("Z", "+00:00")).timestamp()
        # The log has milliseconds; what a swap costs is felt a moment later too, when the old mapping goes.
        self.spans.append((max(pointed, when - int(opened) / 1000), when + 0.2))
        self.opened_ms.append(int(opened))
        self.swapped_us.append(int(swapped))
        self.seen_after.append(when - pointed)


def rebuild(home: Home, number: int, keys: int) -> Span:
    """Every generation lists other names but for one."""
    home.list_domains("listed-always.example", *(f"host{i}.generation-{number}.example" for i in range(keys)))
    began = time.time()
    home.rebuild()
    return began, time.time()


def resident_mb(pid: int) -> int:
    return int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text()).group(1)) // 1024


@pytest.mark.needs("postfix")
@pytest.mark.parametrize("keys", [1_000_000, pytest.param(10_000_000, marks=pytest.mark.long)])
def test_mail_does_not_feel_a_swap(home, processes, expect, keys):
    home.configure("rebuild: { sortMemoryBytes: 64M, keepGenerations: 10 }")
    rebuild(home, 0, keys)
    generations = [home.current()]
    gateway = home.gateway(next_hop=discarding_sink(processes, 1000))
    warm = Load(gateway.smtp)
    warm.for_seconds(QUIET_SECONDS)
    warm.end()
    load, swaps, building = Load(gateway.smtp), Swaps(gateway), []
    before = load.for_seconds(QUIET_SECONDS)
    for number in range(1, REBUILDS + 1):
        building.append(rebuild(home, number, keys))
        generations.append(home.current())
        swaps.wait_for(home.current(), (home.layer / "current").stat().st_mtime)
    for i in range(SWAPS):
        pointed = time.time()
        home.point(generations[i % 2])
        swaps.wait_for(generations[i % 2], pointed)
        load.for_seconds(0.3)
    load.for_seconds(0.5)
    after = load.for_seconds(QUIET_SECONDS)
    load.end()
    print(f"{keys} keys, rebuilt in {', '.join(f'{b - a:.0f}' for a, b in building)} s; resident: {resident_mb(gateway.process.pid)} MB")
    gateway.stop()

    for what, values in (("pointer to adoption, s", swaps.seen_after), ("opening and verifying, ms", swaps.opened_ms),
                         ("the swap itself, us", swaps.swapped_us)):
        print(f"  {what}: median {statistics.median(values):.2f}, most {max(values):.2f}")
    print(f"  {'a message, MAIL to the reply':34} {'number':>7} {'p50 ms':>9} {'p99 ms':>9} {'most ms':>9}")
    quiet = load.p99("before", [before])
    load.p99("while the next one is rebuilt", building)
    busy = load.p99("while one is opened and swapped", swaps.spans)
    load.p99("after", [after])
    expect(f"of {len(load.sent)} messages none failed, none was judged wrongly: {load.wrong[:5]}", load.sent and not load.wrong)
    expect(f"{len(swaps.swapped_us)} swaps, the slowest after {max(swaps.seen_after):.1f} s", max(swaps.seen_after) <= 30)
    expect("a swap takes 5 ms at most", statistics.median(swaps.swapped_us) <= 5_000)
    expect(f"p99 of {busy:.0f} ms in a swap where {quiet:.0f} ms are usual", busy <= max(500, 20 * quiet))
