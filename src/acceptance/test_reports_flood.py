"""Ten thousand reports as fast as the gateway takes them, among them hostile ones: bounds hold, ordinary mail flows, and each report is
in the store."""
import base64
import email.policy
import functools
import io
import random
import threading
import time
import zipfile
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from processes import wait_until
from product import Gateway, Home
from smtp import SmtpClient
from test_reports import FORMS, REPORTS, SETTINGS, phish, stored

REPORT_COUNT, SENDERS, SESSION, MB = 10_000, 8, 50, 1 << 20
HEAP_MB, MOST_REPORTS, MOST_STATE_MB, MOST_MAIL_SECONDS = 336, 10_000, 20, 5
SHARED = 100  # Messages that several people report.


@functools.cache
def archive() -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("zeros", bytes(60_000_000))
    return content.getvalue()


@functools.cache
def shared_message(number: int) -> bytes:
    return phish(REPORT_COUNT + number).as_bytes()


def reporter(number: int) -> str:
    return f"reporter{number}@corp.example"


def with_file(number: int, subtype: str, content: bytes) -> bytes:
    message = phish(number)
    message.add_attachment(content, maintype="application", subtype=subtype, filename=f"a.{subtype}")
    return FORMS["attached"](number, message.as_bytes()).as_bytes(policy=email.policy.SMTP)


def broken_feedback(number: int) -> bytes:
    parts = (b"Content-Type: message/feedback-report\r\n\r\n\0\r\n", b"Content-Type: message/rfc822\r\n\r\n", b"\r\n\r\n\xff\xfe",
             b"Content-Type: message/rfc822\r\nContent-Transfer-Encoding: base64\r\n\r\n" + base64.b64encode(phish(number).as_bytes())[:-7])
    return b"Content-Type: multipart/report; report-type=feedback-report; boundary=b\r\n\r\n" + b"".join(
        b"--b\r\n%s\r\n" % part for part in random.sample(parts, number % len(parts) + 1))


def nested(_: int) -> bytes:
    return b"".join(b"Content-Type: multipart/mixed; boundary=%d\r\n\r\n--%d\r\n" % (level, level) for level in range(500))


def ordinary(number: int) -> bytes:
    """One in ten is about one of a hundred messages, each reported by ten people."""
    form = list(FORMS)[number % len(FORMS)]
    original = shared_message(number // 10 % SHARED) if number % 10 == 0 else phish(number).as_bytes()
    return FORMS["attached" if number % 10 == 0 else form](number, original).as_bytes(policy=email.policy.SMTP)


HOSTILE: dict[int, Callable[[int], bytes]] = {101: lambda number: with_file(number, "zip", archive()), 202: broken_feedback, 303: nested}


def report(number: int) -> bytes:
    if number == REPORT_COUNT // 2:
        content = with_file(number, "bin", random.randbytes(18_000_000))  # 24.6 MB in Base64, below the 25M that a message may have
    else:
        content = HOSTILE.get(number % 500, ordinary)(number)
    return f"From: {reporter(number)}\r\nTo: {REPORTS}\r\nSubject: Fwd: {number}\r\n".encode() + content


def send_reports(gateway: Gateway, first: int) -> Counter:
    """Every reporter in one of the sessions, again when it is deferred."""
    replies = Counter()
    for start in range(first * SESSION, REPORT_COUNT, SENDERS * SESSION):
        with SmtpClient(gateway.smtp) as client:
            assert client.command(b"XCLIENT LOGIN=ann").startswith("220")
            client.command(b"EHLO client.corp.example")
            for number in range(start, min(start + SESSION, REPORT_COUNT)):
                message = report(number)
                while not (reply := client.send(reporter(number).encode(), REPORTS.encode(), message)).startswith("250"):
                    replies[reply] += 1
                    assert reply.startswith("4"), reply
                    time.sleep(0.5)
                replies["250"] += 1
    return replies


class Bystander(threading.Thread):
    """Sends a mail every half second, and looks at the heap."""

    def __init__(self, gateway: Gateway):
        super().__init__(daemon=True)
        self.gateway, self.seconds, self.refused, self.heap, self.ended = gateway, [], [], 0.0, threading.Event()

    def run(self) -> None:
        while not self.ended.wait(0.5):
            start = time.monotonic()
            reply = self.gateway.mail(b"partner.example", recipient=b"b@corp.example")
            self.refused += [] if reply.startswith("250") else [reply]
            self.seconds.append(time.monotonic() - start)
            self.heap = max(self.heap, sum(value for name, value in self.gateway.metrics().items()
                                           if name.startswith("jvm_memory_used_bytes") and 'area="heap"' in name) / MB)


@pytest.mark.long
def test_ten_thousand_reports_within_an_hour(home: Home, expect) -> None:
    home.list_domains("listed.example")
    home.rebuild()
    gateway = home.gateway(*SETTINGS)
    for number in range(SHARED):
        shared_message(number)  # Before the threads, which would each make one of their own.
    bystander = Bystander(gateway)
    bystander.start()
    start = time.monotonic()
    with ThreadPoolExecutor(SENDERS) as pool:
        replies = sum(pool.map(lambda first: send_reports(gateway, first), range(SENDERS)), Counter())
    accepted = time.monotonic() - start
    done = lambda: gateway.metric("bloomgate_reports_waiting") == 0
    wait_until("all are read", done, 3600, pause=1)
    seconds = time.monotonic() - start
    bystander.ended.set()
    bystander.join(60)
    slow = sorted(bystander.seconds)
    everything = list(stored(home))
    voices = Counter(voice["reporter"]["mailbox"] for one in everything for voice in one["voices"])
    lost = {reporter(number) for number in range(REPORT_COUNT)} - set(voices)
    ignored, counted = (gateway.metrics()[f'bloomgate_reports_total{{outcome="{name}"}}'] for name in ("ignored", "read"))
    state = sum(file.stat().st_size for file in home.path("var", "reports").rglob("*") if file.is_file()) / MB
    print(dict(replies), f"accepted in {accepted:.0f} s, read in {seconds:.0f} s: {REPORT_COUNT / seconds:.0f} a second",
          f"{len(everything)} reports of {len(voices)} reporters; read {counted:.0f}, ignored {ignored:.0f}")
    expect(f"within an hour: {seconds:.0f} s", seconds <= 3600)
    expect(f"heap: at most {bystander.heap:.0f} MB of {HEAP_MB}", bystander.heap <= HEAP_MB and "not enough memory" not in gateway.log())
    expect(f"{len(everything)} reports in {state:.1f} MB", len(everything) <= MOST_REPORTS and state <= MOST_STATE_MB)
    expect(f"ordinary mail flows: {len(slow)} mails, middle {slow[len(slow) // 2]:.3f} s, slowest {slow[-1]:.2f} s", slow[-1] <= MOST_MAIL_SECONDS and not bystander.refused)
    expect(f"each accepted report is counted: {counted + ignored:.0f}", counted + ignored == REPORT_COUNT == replies["250"])
    expect(f"what is not in the store is ignored by name: {sorted(lost)[:5]}",
           len(lost) == ignored == gateway.log().count("cannot be read; its message was delivered"))
    shared = [one for one in everything if len(one["voices"]) > 1]
    expect(f"later reporters joined: {len(shared)} reports with several", len(shared) >= SHARED)
    expect("nothing waits", not list(home.path("var", "reports", "queue").iterdir()))
    gateway.stop()
