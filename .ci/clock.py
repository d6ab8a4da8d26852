#!/usr/bin/env python3
"""What needs a clock: a packet with two messages is answered fast, and a slow or noisy client does not hold a session.
usage: clock.py LAUNCHER SHARED"""
import os, shutil, socket, statistics, sys, tempfile, threading, time
from gatewaylib import Gateway, Sink, SmtpClient

COMMAND_SECONDS, DATA_SECONDS, BAD_COMMANDS = 4, 3, 100
launcher, shared = sys.argv[1:3]
folder = tempfile.mkdtemp(prefix="bloomgate-clock-")
failures = []


def expect(what, good):
    print("%-4s %s" % ("ok" if good else "FAIL", what), flush=True)
    if not good:
        failures.append(what)


def gateway(name, sink, *sets):
    own = os.path.join(folder, name)
    os.mkdir(own)
    return Gateway(launcher, own, "smtp://127.0.0.1:%d" % sink.port, "snapshots=" + os.path.join(folder, "snapshots"),
                   "journal.directory=" + os.path.join(own, "decisions"), "smtp.temporary=" + os.path.join(own, "tmp"), *sets)


def connected(port):
    s = socket.create_connection(("127.0.0.1", port), 30)
    s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return s


def read_all(s):
    octets = b""
    try:
        while data := s.recv(65536):
            octets += data
    except ConnectionResetError:
        pass
    return octets


def two_messages_in_one_packet(port):
    mail = b"MAIL FROM:<a@sender.test>\r\nRCPT TO:<b@dest.example>\r\nDATA\r\nSubject: x\r\n\r\nbody\r\n.\r\n"
    took = []
    for _ in range(40):
        with connected(port) as s:
            s.recv(1000)
            start = time.perf_counter()
            s.sendall(b"EHLO client.test\r\n" + mail + mail + b"QUIT\r\n")
            codes = [line[:3] for line in read_all(s).split(b"\r\n") if line[3:4] == b" "]
            took.append(1000 * (time.perf_counter() - start))
        if codes != [b"250"] * 3 + [b"354"] + [b"250"] * 3 + [b"354", b"250", b"221"]:
            expect("two messages and QUIT in one packet: %s" % codes, False)
    warm = took[20:]
    expect("two messages and QUIT in one packet: median %.1f ms, worst of 20 %.1f ms, below 20"
           % (statistics.median(warm), max(warm)), statistics.median(warm) < 20)


def trickle(port, prologue, octet, expected, limit):
    """One octet a second until the gateway closes; how long that took."""
    with connected(port) as s:
        for line in prologue:
            s.sendall(line + b"\r\n")
            time.sleep(0.1)
        start = time.monotonic()
        closed = threading.Event()
        got = []
        threading.Thread(target=lambda: (got.append(read_all(s)), closed.set()), daemon=True).start()
        while not closed.is_set() and time.monotonic() - start < limit + 10:
            try:
                s.sendall(octet)
            except OSError:
                break
            closed.wait(1)
        took = time.monotonic() - start
        closed.wait(5)
        return took, bool(got) and expected in got[0].split(b"\r\n")[-2][:9]


def slow_clients(port, sink):
    to_data = [b"EHLO client.test", b"MAIL FROM:<a@sender.test>", b"RCPT TO:<b@dest.example>", b"DATA"]
    before = len(sink.events("msg"))
    cases = (("a command", [], COMMAND_SECONDS), ("a command after EHLO", to_data[:1], COMMAND_SECONDS), ("DATA", to_data, DATA_SECONDS))
    results = {}
    threads = [threading.Thread(target=lambda c=c: results.update({c[0]: trickle(port, c[1], b"x", b"421 4.4.2", c[2])})) for c in cases]
    for t in threads:
        t.start()
    for t in threads:
        t.join(60)
    for name, _, limit in cases:
        took, told = results.get(name, (999, False))
        expect("one octet a second in %s: 421 4.4.2 and closed after %.1f s, deadline %d s" % (name, took, limit),
               told and limit - 0.5 <= took <= limit + 2.5)
    expect("nothing of a slow message was relayed", len(sink.events("msg")) == before)


def bad_commands(port):
    with connected(port) as s:
        s.recv(1000)
        s.sendall(b"FOO\r\n" * (BAD_COMMANDS + 1) + b"NOOP\r\n")
        lines = read_all(s).split(b"\r\n")[:-1]
    expect("%d bad commands: %d x 500, then 421, then closed" % (BAD_COMMANDS + 1, BAD_COMMANDS),
           [line[:3] for line in lines] == [b"500"] * BAD_COMMANDS + [b"421"])


def long_lines(port):
    for length, expected in ((998, b"250"), (999, b"500"), (100_000, b"500")):
        with connected(port) as s:
            s.recv(1000)
            try:
                s.sendall(b"NOOP " + b"x" * (length - 5) + b"\r\nQUIT\r\n")
            except OSError:
                pass
            lines = read_all(s).split(b"\r\n")[:-1]
        expect("a line of %d octets: %s" % (length, lines),
               bool(lines) and lines[0][:3] == expected and len(lines) == (2 if expected == b"250" else 1))


def many_noops(port, count=20_000):
    with connected(port) as s:
        s.recv(1000)
        start = time.perf_counter()
        threading.Thread(target=s.sendall, args=(b"NOOP\r\n" * count + b"QUIT\r\n",), daemon=True).start()
        lines = read_all(s).split(b"\r\n")[:-1]
        took = time.perf_counter() - start
    expect("%d NOOPs in one write: %d replies in %.2f s" % (count, len(lines), took),
           [line[:3] for line in lines] == [b"250"] * count + [b"221"] and took < 10)
    other = SmtpClient(port)
    expect("the next session is served", other.command(b"NOOP").startswith("250"))
    other.close()


sink = Sink(os.path.join(shared, "tools"), folder)
usual = gateway("usual", sink)
two_messages_in_one_packet(usual.smtp)
bad_commands(usual.smtp)
long_lines(usual.smtp)
many_noops(usual.smtp)
usual.stop()
short = gateway("short", sink, "smtp.timeouts.command=%ds" % COMMAND_SECONDS, "smtp.timeouts.data=%ds" % DATA_SECONDS, "smtp.timeouts.minimumRate=1000000")
slow_clients(short.smtp, sink)
short.stop()
sink.stop()
shutil.rmtree(folder)
print("\n".join(failures) or "clock: every deadline and budget held")
sys.exit(1 if failures else 0)
