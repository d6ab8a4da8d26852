"""Every listener at its worst at the same time, from many addresses, with a heap of 256 and 512 MB: the gateway stays alive,
takes mail from another address all along, and needs nobody when the clients are gone."""
import base64
import contextlib
import multiprocessing
import re
import resource
import socket
import ssl
import struct
import threading
import time
from collections.abc import Callable
from typing import NamedTuple

import pytest

from certificates import self_signed
from processes import free_port, seconds_until, wait_until
from product import Gateway, Home
from smtp import SmtpClient, discarding_sink

THREADS, MB = 16, 1 << 20
# Seconds that a mail may take, by heap. A gateway that starves others needs 30 s. The short form also runs on two busy
# processors: 1 to 3 s there, while the kernel takes one of them for the memory that closed sockets and deleted files free.
WITHIN = {256: 15.0, 512: 1.0}
LINKS = b"".join(b'<p><a href="http://h%d.example/p?q=%d">text &amp; more</a> <b>x</b>\r\n' % (i, i) for i in range(12_000))
HTML = b"Subject: x\r\nMIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n" + LINKS
PDF = b"%PDF-1.4\n" + b"".join(b"%d 0 obj <</URI (http://p%d.example/)>> endobj\r\n" % (i, i) for i in range(20_000))
WITH_PDF = (b"Subject: x\r\nMIME-Version: 1.0\r\nContent-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n"
            + base64.encodebytes(PDF).replace(b"\n", b"\r\n"))


class Ports(NamedTuple):
    smtp: int
    http: int
    milter: int
    dns: int


class Crowd:
    """Clients that each have an address of their own and do not go away by themselves."""

    def __init__(self, ports: Ports):
        self.ports, self.held, self.addresses, self.lock = ports, [], 0, threading.Lock()

    def connect(self, port: int) -> socket.socket:
        with self.lock:
            self.addresses += 1
            number = self.addresses
        client = socket.socket()
        client.settimeout(2)
        client.bind((f"127.{1 + number // 250}.{number % 250 + 1}.7", 0))
        client.connect(("127.0.0.1", port))
        self.held.append(client)
        return client

    def ask(self, client: socket.socket, *lines: bytes) -> bytes:
        """The last of the replies."""
        reply = b""
        for line in lines:
            client.sendall(line + b"\r\n")
            reply = client.recv(4096)
            if reply[:1] not in (b"2", b"3"):
                break
        return reply

    def idle_session(self) -> None:
        self.connect(self.ports.smtp).recv(4096)

    def session_with_tls(self) -> None:
        client = self.connect(self.ports.smtp)
        client.recv(4096)
        if self.ask(client, b"EHLO x", b"STARTTLS")[:3] == b"220":
            context = ssl.create_default_context()
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
            self.held.append(context.wrap_socket(client))

    def in_data(self, message: bytes = HTML) -> socket.socket:
        client = self.connect(self.ports.smtp)
        client.recv(4096)
        if self.ask(client, b"EHLO x", b"MAIL FROM:<a@x.test>", b"RCPT TO:<b@dest.example>", b"DATA")[:3] == b"354":
            client.sendall(message)
        return client

    def chunk_that_does_not_end(self) -> None:
        client = self.connect(self.ports.smtp)
        client.recv(4096)
        self.ask(client, b"EHLO x", b"MAIL FROM:<a@x.test>", b"RCPT TO:<b@dest.example>")
        client.sendall(b"BDAT 250000\r\nSubject: x\r\n\r\n" + LINKS[:240_000])

    def milter_message(self) -> None:
        def frame(code: bytes, body: bytes) -> bytes:
            return struct.pack(">I", 1 + len(body)) + code + body
        client = self.connect(self.ports.milter)
        client.sendall(frame(b"O", struct.pack(">III", 6, 0x1FF, 0)))
        client.recv(4096)
        client.sendall(frame(b"C", b"h\x004\x00\x00192.0.2.9\x00") + frame(b"H", b"x\x00") + frame(b"M", b"<a@x.test>\x00")
                       + frame(b"R", b"<b@dest.example>\x00") + frame(b"N", b""))
        for start in range(0, 240_000, 60_000):
            client.sendall(frame(b"B", LINKS[start:start + 60_000]))

    def half_a_question(self) -> None:
        self.connect(self.ports.dns).sendall(struct.pack(">H", 500) + b"a" * 200)

    def half_a_head(self) -> None:
        self.connect(self.ports.http).sendall(b"GET / HTTP/1.1\r\nHost: a\r\nX-A: " + b"a" * 15_000)

    def body(self, path: bytes, kind: bytes, content: bytes) -> None:
        self.connect(self.ports.http).sendall(b"POST %s HTTP/1.1\r\nHost: a\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n"
                                              % (path, kind, len(content) + 1) + content)

    def check_body(self, size: int) -> None:
        item = b'{"kind":"domain","value":"aaa.example"},'
        self.body(b"/v1/check", b"application/json", (b'{"items":[' + item * (size // len(item)))[:size])

    def message_body(self) -> None:
        self.body(b"/v1/messages", b"message/rfc822", (HTML * 20)[:20 * MB])

    def come(self, count: int, what: Callable[[], object]) -> None:
        """So many of them, whether they are let in or not."""
        def some():
            for _ in range(count // THREADS):
                with contextlib.suppress(OSError, ssl.SSLError):
                    what()
        threads = [threading.Thread(target=some, daemon=True) for _ in range(THREADS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def go(self) -> None:
        for client in self.held:
            client.close()
        self.held = []


class Bystander:
    """Sends small mail from an address of its own, one after the other, in a process that shares nothing with the crowd's."""

    def __init__(self, port: int):
        context = multiprocessing.get_context("fork")
        self.told, child = context.Pipe(duplex=False)
        self.ended = context.Event()
        self.seconds, self.refused = [], []
        self.process = context.Process(target=self.run, args=(port, child), daemon=True)
        self.process.start()

    def run(self, port: int, told) -> None:
        while not self.ended.wait(0.1):
            began = time.monotonic()
            try:
                with SmtpClient(port) as client:
                    reply = client.send(b"a@good.test", b"b@dest.example", b"Subject: x\r\n\r\nhello\r\n")
            except (OSError, EOFError) as fault:
                reply = repr(fault)
            told.send((time.monotonic() - began, reply))

    def latest(self) -> str:
        """What it met since it was last asked."""
        new = []
        with contextlib.suppress(EOFError):  # It has ended.
            while self.told.poll():
                seconds, reply = self.told.recv()
                new.append(seconds)
                if not reply.startswith("250"):
                    self.refused.append(reply)
        self.seconds += new
        return f"{len(new)} mails of another, the slowest in {max(new, default=0):.2f} s, {len(self.refused)} refused so far"

    def stop(self) -> str:
        self.ended.set()
        self.process.join(60)
        return self.latest()


@pytest.fixture
def many_descriptors():
    before = _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 20_000), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


def open_gateway(home: Home, heap: int, monkeypatch) -> tuple[Gateway, Ports]:
    certificate, key = self_signed(home.folder, "DNS:gate.example")
    dns = free_port()
    monkeypatch.setenv("BLOOMGATE_JAVA_OPTS", f"-Xmx{heap}m")
    home.configure("smtp:", "  relayDomains: [dest.example]", f"  tls: {{ certificate: {certificate}, key: {key} }}",
                   'milter: { listen: "127.0.0.1:0" }',
                   f'dns: {{ listen: "127.0.0.1:{dns}", zones: {{ "dbl.test": {{ kinds: [domain] }} }} }}')
    home.rebuild()
    gateway = home.gateway(next_hop=discarding_sink(home.processes, 1024, "-m", "2000"))
    return gateway, Ports(gateway.smtp, gateway.http, gateway.milter(), dns)


@pytest.mark.needs("postfix")
@pytest.mark.parametrize("heap", [256, pytest.param(512, marks=pytest.mark.long)])
def test_every_listener_at_its_worst_stops_nobody_else(home, monkeypatch, many_descriptors, expect, heap):
    gateway, ports = open_gateway(home, heap, monkeypatch)
    crowd, bystander = Crowd(ports), Bystander(gateway.smtp)
    worst = (("idle sessions", 2000, crowd.idle_session), ("sessions with TLS", 500, crowd.session_with_tls),
             ("messages in DATA", 300, crowd.in_data), ("chunks that do not end", 200, crowd.chunk_that_does_not_end),
             ("messages of the milter", 300, crowd.milter_message), ("questions over TCP", 500, crowd.half_a_question),
             ("heads of HTTP", 500, crowd.half_a_head), ("small bodies", 300, lambda: crowd.check_body(60_000)),
             ("large bodies", 100, lambda: crowd.check_body(MB)), ("messages over HTTP", 32, crowd.message_body))
    for name, count, what in worst:
        began = time.monotonic()
        crowd.come(count, what)
        print(f"{count:5} {name:25} {time.monotonic() - began:5.1f} s, alive: {gateway.process.poll() is None}, {bystander.latest()}")
    crowd.come(64, lambda: crowd.in_data(WITH_PDF).sendall(b"\r\n.\r\n"))
    print(f"   64 large messages to their end, {bystander.stop()}")
    slowest = max(bystander.seconds)
    expect(f"{heap} MB: it lives", gateway.process.poll() is None)
    expect(f"{len(bystander.seconds)} mails from another address, refused: {bystander.refused[:3]}", not bystander.refused)
    expect(f"the slowest took {slowest:.2f} s", slowest <= WITHIN[heap])
    crowd.go()
    wait_until("the sessions of those who went are over", lambda: gateway.metric("bloomgate_smtp_sessions") == 0)
    gateway.stop()


def test_listeners_come_back_when_there_are_descriptors_again(home, many_descriptors, expect):
    home.configure("smtp: { relayDomains: [dest.example], maxSessions: 2000 }")
    home.rebuild()
    limited = home.write("limited", "#!/bin/sh", f'exec prlimit --nofile=260:260 {home.launcher} "$@"')
    limited.chmod(0o755)
    home.launcher = limited
    gateway = home.gateway()
    crowd = Crowd(Ports(gateway.smtp, gateway.http, 0, 0))
    crowd.come(320, crowd.idle_session)
    crowd.come(THREADS, crowd.half_a_head)
    crowd.go()
    alive = seconds_until("HTTP answers", lambda: answers(gateway))
    reply = gateway.mail(b"www.unlisted.example")
    ended = len(re.findall("listener accepts connections again", gateway.log()))
    expect(f"HTTP, which ended {ended} times, answers after {alive:.1f} s, mail is answered {reply}", reply.startswith("250"))
    gateway.stop()


def answers(gateway: Gateway) -> bool:
    with contextlib.suppress(OSError):
        return gateway.get("/health/live") != ""
    return False
