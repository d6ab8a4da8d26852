"""That ordinary mail does not grow a gateway. What one with 1.1 million names keeps in memory: when it is ready, warm, after
100,000 messages, with 5,000 idle sessions, and a minute after large mails; and what it allocates for a message."""
import email.policy
import itertools
import multiprocessing
import os
import random
import re
import resource
import socket
import statistics
import threading
import time
from email.message import EmailMessage
from pathlib import Path

import pytest

from processes import wait_until
from product import Gateway, Home
from smtp import SmtpClient, discarding_sink

DOMAINS, ADDRESSES = 1_000_000, 100_000
MESSAGES, SESSIONS, IDLE, LARGE, LARGE_BYTES = 100_000, 8, 5_000, 32, 10 << 20
LETTERS = 200
WARM_SECONDS, AFTER_PEAK_SECONDS, BUSINESS_SECONDS, SHORT_BUSINESS_SECONDS = 30, 60, 90, 60
MB = 1 << 20
SAMPLES = 12


def letters() -> list[bytes]:
    """Mail as firms send it, of 18 KB: text, and HTML in quoted-printable with a dozen links."""
    made, rnd = [], random.Random(15)
    for number in range(LETTERS):
        words = [f"{rnd.choice(('order', 'häuser', 'invoice', 'ticket', 'newsletter'))}{rnd.randrange(999)}" for _ in range(1200)]
        message = EmailMessage(policy=email.policy.SMTP)
        message["From"], message["To"] = f"Shop <news{number}@sender{number}.test>", "b@dest.example"
        message["Subject"], message["Message-ID"] = f"Your order {number}", f"<{number}.memory@sender{number}.test>"
        message.set_content(" ".join(words[:200]) + f"\nhttp://www.sender{number}.test/orders?id={number}\n", cte="quoted-printable")
        cells = "".join(f'<td style="padding:4px"><a href="https://click.sender{number}.test/{word}?u={number}">{word}</a></td>\n'
                        for word in words[::100])
        message.add_alternative(f"<html><body><p>{' '.join(words)}</p><table>{cells}</table></body></html>", subtype="html",
                                cte="quoted-printable")
        made.append(message.as_bytes())
    return made


def business_mail(seed: int) -> list[bytes]:
    """Sixty messages, a third of them with an attachment of 40 to 700 KB as it is sent."""
    made, rnd = [], random.Random(seed)
    for number in range(60):
        message = EmailMessage(policy=email.policy.SMTP)
        message["From"], message["To"] = f"Desk <desk{number}@firm{number}.test>", "b@dest.example"
        message["Subject"], message["Message-ID"] = f"Offer {number}", f"<{number}.{seed}@firm{number}.test>"
        words = [f"{rnd.choice(('order', 'häuser', 'invoice', 'meeting'))}{rnd.randrange(999)}" for _ in range(rnd.randrange(100, 1500))]
        message.set_content(" ".join(words[:200]) + f"\nhttp://www.firm{number}.test/orders?id={number}\n", cte="quoted-printable")
        message.add_alternative(f"<html><body><p>{' '.join(words)}</p><a href='https://click.firm{number}.test/'>order</a></body></html>",
                                subtype="html", cte="quoted-printable")
        if number % 3 == 0:
            kind = (("application", "pdf"), ("image", "jpeg"), ("application", "octet-stream"))[number // 3 % 3]
            head = b"%PDF-1.7\n1 0 obj\n<< >>\nstream\n" if kind[1] == "pdf" else b""
            message.add_attachment(head + rnd.randbytes(rnd.randrange(30_000, 520_000)), *kind, filename=f"offer{number}.{kind[1]}")
        made.append(message.as_bytes())
    return made


def send_business_mail(port: int, seconds: int) -> None:
    """On one connection."""
    mails, end = itertools.cycle(business_mail(os.getpid())), time.monotonic() + seconds
    with SmtpClient(port) as client:
        while time.monotonic() < end:
            reply = client.send(b"a@sender.test", b"b@dest.example", next(mails))
            assert reply.startswith("250"), reply


def send_letters(port: int, messages: int) -> None:
    """Each on a connection of its own."""
    mails = letters()
    for number in range(messages):
        with SmtpClient(port) as client:
            reply = client.send(b"a@sender.test", b"b@dest.example", mails[number % len(mails)])
            assert reply.startswith("250"), reply


def send_large(port: int, _: int) -> None:
    with SmtpClient(port) as client:
        reply = client.send(b"a@sender.test", b"b@dest.example", b"Subject: large\r\n\r\n" + b"0123456789 large\r\n" * (LARGE_BYTES // 18))
        assert reply.startswith("250"), reply


def at_once(what, port: int, processes: int, each: int) -> None:
    """In processes of their own, whose memory is not the gateway's concern."""
    context = multiprocessing.get_context("fork")
    running = [context.Process(target=what, args=(port, each)) for _ in range(processes)]
    for process in running:
        process.start()
    for process in running:
        process.join()
        assert process.exitcode == 0


def idle_sessions(port: int) -> list[socket.socket]:
    """Greeted, and then silent."""
    sessions = []
    for _ in range(IDLE):
        session = socket.create_connection(("127.0.0.1", port), 30)
        assert session.recv(200).startswith(b"220")
        session.sendall(b"EHLO idle.test\r\n")
        assert session.recv(1000).startswith(b"250")
        sessions.append(session)
    return sessions


def resident(gateway: Gateway) -> float:
    """In MB; what of it is no file's is printed."""
    status = Path(f"/proc/{gateway.process.pid}/smaps_rollup").read_text()
    kb = {name: int(re.search(rf"^{name}:\s+(\d+)", status, re.M).group(1)) for name in ("Rss", "Anonymous")}
    print(f"  resident {kb['Rss'] / 1024:.0f} MB, of it no file {kb['Anonymous'] / 1024:.0f} MB")
    return kb["Rss"] / 1024


def lists(home: Home) -> None:
    home.write("domains.txt", *(f"list{i * 7919 % DOMAINS}-{i % 13}.example" for i in range(DOMAINS)))
    home.write("senders.txt", *(f"user{i}@list{i % 997}.example" for i in range(ADDRESSES)))
    home.feeds("name: domains, kind: domain, format: lines, source: domains.txt, category: phishing",
               "name: senders, kind: address, format: lines, source: senders.txt, category: spam")
    home.configure("rebuild: { sortMemoryBytes: 64M }")
    home.rebuild()


@pytest.mark.needs("postfix")
def test_ordinary_mail_does_not_grow_the_process(home, processes, expect, pytestconfig):
    seconds = BUSINESS_SECONDS if pytestconfig.getoption("--all") else SHORT_BUSINESS_SECONDS
    home.rebuild()
    gateway = home.gateway(next_hop=discarding_sink(processes, 100))
    load = threading.Thread(target=at_once, args=(send_business_mail, gateway.smtp, SESSIONS, seconds))
    load.start()
    time.sleep(WARM_SECONDS)
    samples = []
    while load.is_alive():
        samples.append(resident(gateway))
        load.join((seconds - WARM_SECONDS) / SAMPLES)
    # A sample alone is anywhere between two collections, and compilers that are still busy have memory of their own.
    levels = [statistics.median(samples[i:i + 3]) for i in range(len(samples) - 2)]
    early, later = max(levels[:3]), levels[3:]
    print(f"samples {min(samples):.0f} to {max(samples):.0f} MB")
    messages = gateway.metric("bloomgate_messages_total")
    expect(f"{messages:.0f} messages, of 1,000 at least", messages >= 1_000)
    expect(f"{early:.0f} MB after {WARM_SECONDS} s, at most {max(later):.0f} MB later: flat within 15 %", max(later) <= 1.15 * early)
    expect(f"{max(early, *later):.0f} MB of 260", max(early, *later) <= 260)
    gateway.stop()


@pytest.mark.long
@pytest.mark.needs("postfix")
def test_memory_stays_small(home, processes, expect):
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    lists(home)
    gateway = home.gateway("smtp.maxSessionsPerAddress=8192", next_hop=discarding_sink(processes, 1000))
    rows = [("at ready", resident(gateway), 170)]
    time.sleep(WARM_SECONDS)
    rows.append(("warm", resident(gateway), 210))

    allocated, began = gateway.metric("jvm_gc_memory_allocated_bytes_total"), time.monotonic()
    at_once(send_letters, gateway.smtp, SESSIONS, MESSAGES // SESSIONS)
    seconds = time.monotonic() - began
    allocated = (gateway.metric("jvm_gc_memory_allocated_bytes_total") - allocated) / MESSAGES
    before = resident(gateway)
    rows.append((f"after {MESSAGES} messages, {MESSAGES / seconds:.0f} a second", before, 210))

    idle = idle_sessions(gateway.smtp)
    rows.append((f"with {IDLE} idle sessions", resident(gateway), 300))
    for session in idle:
        session.close()
    at_once(send_large, gateway.smtp, LARGE, 1)
    peak = resident(gateway)
    wait_until("no session is open", lambda: gateway.metric("bloomgate_smtp_sessions") == 0)
    time.sleep(AFTER_PEAK_SECONDS)
    rows.append((f"a minute after {LARGE} mails of {LARGE_BYTES // MB} MB at once, {peak:.0f} MB", resident(gateway), 1.2 * before))
    gateway.stop()
    for name, mb, most in rows:
        expect(f"{name}: {mb:.0f} MB of {most:.0f}", mb <= most)
    expect(f"{allocated / 1000:.0f} KB of 130 allocated for a message", allocated <= 130_000)
