"""An hour of mixed mail with a snapshot swapped every 30 seconds and a SIGHUP every minute: what a gateway holds at the end
is what it held after ten minutes, no mail fails, and no verdict is wrong."""
import multiprocessing
import os
import random
import re
import signal
import time
from pathlib import Path

import pytest

from product import LISTED_REPLY, Gateway, mail_with_link
from realdata import open_mails
from smtp import SmtpClient, discarding_sink
from test_memory import letters, lists

MINUTES = int(os.environ.get("BLOOMGATE_HOUR_MINUTES", "60"))
SETTLED = MINUTES * 60 // 6
SWAP_SECONDS, RELOAD_SECONDS, SAMPLE_SECONDS = 30, 60, 10
SESSIONS, A_SESSION = 8, 5
LARGE, LARGE_EVERY = 3 << 20, 500
MORE = 1.05  # what memory may grow by from the first reading to the last


def mixed_mail(data: Path) -> list[bytes]:
    """Newsletters, and real mail of all kinds."""
    mails = letters() + [re.sub(rb"\r\n|\r|\n", b"\r\n", blob) for _, blob in open_mails(data)]
    random.Random(15).shuffle(mails)
    return mails


def send(port: int, mails: list[bytes], number: int, until: float, results: multiprocessing.Queue) -> None:
    """Sessions of some messages each; one in ten is listed, and now and then one goes to a file. Counts what was sent, and what was answered otherwise than it should."""
    sent, wrong, large = 0, [], mail_with_link(b"large.test") + b"0123456789 large\r\n" * (LARGE // 18)
    while time.time() < until and not wrong:
        with SmtpClient(port) as client:
            for _ in range(A_SESSION):
                sent += 1
                if sent % 10 == 0:
                    reply = client.send(b"a@sender.test", b"b@dest.example", mail_with_link(b"list%d-%d.example" % (7919 * number, number % 13)))
                    right = reply.startswith(LISTED_REPLY)
                else:
                    message = large if sent % LARGE_EVERY == 1 else mails[(number * 997 + sent) % len(mails)]
                    reply = client.send(b"a@sender.test", b"b@dest.example", message)
                    right = reply[:1] in ("2", "5")
                if not right:
                    wrong.append(f"message {sent} of session {number}: {reply}")
    results.put((sent, wrong))


def held(gateway: Gateway) -> dict[str, float]:
    """What the process holds: memory in MB, threads, descriptors, files in its temporary folder."""
    process = Path(f"/proc/{gateway.process.pid}")
    status = (process / "status").read_text()
    temporary = [file for file in (gateway.home.path("var", "tmp")).rglob("*") if file.is_file()]
    return {"resident MB": int(re.search(r"VmRSS:\s+(\d+)", status).group(1)) / 1024,
            "threads": int(re.search(r"Threads:\s+(\d+)", status).group(1)),
            "descriptors": len(list((process / "fd").iterdir())),
            "temporary files": len(temporary)}


def swap(gateway: Gateway, number: int) -> None:
    """A changed line of the million, in force."""
    home = gateway.home
    with home.path("senders.txt").open("a", encoding="utf-8") as feed:
        feed.write(f"new{number}@list.example\n")
    gateway.wait_for_snapshot(home.rebuild())


def watch(gateway: Gateway, began: float) -> list[tuple[float, dict[str, float]]]:
    """Swaps and reloads to the end, and what the gateway holds every ten seconds. Readings are taken between swaps."""
    readings, swaps, reloads = [], 0, 0
    while (passed := time.time() - began) < MINUTES * 60:
        if passed >= swaps * SWAP_SECONDS:
            swaps += 1
            swap(gateway, swaps)
        if passed >= reloads * RELOAD_SECONDS:
            reloads += 1
            gateway.process.send_signal(signal.SIGHUP)
        if passed >= len(readings) * SAMPLE_SECONDS:
            readings.append((passed, held(gateway)))
            print(f"  {passed:6.0f} s  " + "  ".join(f"{name} {value:.0f}" for name, value in readings[-1][1].items()), flush=True)
        time.sleep(0.5)
    print(f"  {swaps} swaps, {reloads} reloads")
    return readings


def middle(readings: list[dict[str, float]], name: str) -> float:
    values = sorted(reading[name] for reading in readings)
    return values[len(values) // 2]


@pytest.mark.long
@pytest.mark.needs("postfix")
@pytest.mark.needs_shared
def test_an_hour_leaves_nothing_behind(home, processes, expect, shared):
    lists(home)
    gateway = home.gateway(next_hop=discarding_sink(processes, 1000))
    mails, results = mixed_mail(shared / "data"), multiprocessing.get_context("fork").Queue()
    began = time.time()
    sessions = [multiprocessing.get_context("fork").Process(target=send, args=(gateway.smtp, mails, n + 1, began + MINUTES * 60, results))
                for n in range(SESSIONS)]
    for session in sessions:
        session.start()
    readings = watch(gateway, began)
    sent, wrong = 0, []
    for _ in sessions:
        count, amiss = results.get(timeout=60)
        sent += count
        wrong += amiss
    for session in sessions:
        session.join()
    print(f"  {sent} messages, {sent / (MINUTES * 60):.0f} a second")
    gateway.stop()

    early = [held for passed, held in readings if SETTLED <= passed < SETTLED + 300]
    late = [held for passed, held in readings if passed >= MINUTES * 60 - 300]
    for name in early[0]:
        before, after = middle(early, name), middle(late, name)
        expect(f"{name}: {before:.0f} after {SETTLED // 60} minutes, {after:.0f} at the end", after <= before * MORE)
    expect(f"no mail answered otherwise than it should: {wrong}", not wrong)
