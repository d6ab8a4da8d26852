#!/usr/bin/env python3
"""Faults under load: 5,000 idle sessions and a live message, 200 clients dropped in DATA, and a next hop that is killed
in MAIL, in DATA, after the dot, and with the message recorded but not answered.

The next hop writes a message's name down before it answers 250, and each message is sent until it is accepted. So what a
client heard is compared with what was written down, by name. Before and after: descriptors, threads (virtual ones too),
temporary files, sessions, connections to the next hop.
usage: faults.py LAUNCHER [--full]"""
import asyncio, collections, glob, os, random, re, resource, shutil, signal, socket, struct, subprocess, sys, tempfile, threading, time, urllib.request
from gatewaylib import Gateway, SmtpClient, free_port, wait_for_port

PHASES = ("mail", "data", "dot", "recorded")


def sink(port, log, phase, count):
    """A next hop that dies by SIGKILL when it is in the phase for the count-th time; 0 for never."""
    left = int(count)
    record = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)

    def passing(here):
        nonlocal left
        if here == phase:
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    async def serve(reader, writer):
        try:
            writer.write(b"220 sink.test ESMTP\r\n")
            while line := await reader.readline():
                verb = line[:4].upper()
                if verb == b"EHLO":
                    writer.write(b"250-sink.test\r\n250-PIPELINING\r\n250-8BITMIME\r\n250 ENHANCEDSTATUSCODES\r\n")
                elif verb == b"DATA":
                    writer.write(b"354 go\r\n")
                    body = await reader.read(1000)
                    passing("data")
                    while not body.endswith(b"\r\n.\r\n"):
                        body += await reader.read(65536)
                    passing("dot")
                    name = re.search(rb"^X-Name: (\S+)\r$", body, re.M).group(1)
                    os.write(record, name + b"\n")
                    passing("recorded")
                    writer.write(b"250 2.0.0 stored %s\r\n" % name)
                elif verb == b"QUIT":
                    writer.write(b"221 2.0.0 bye\r\n")
                    break
                else:
                    if verb == b"MAIL":
                        passing("mail")
                    writer.write(b"250 2.0.0 ok\r\n")
                await writer.drain()
        except ConnectionError:
            pass
        finally:
            writer.close()

    async def run():
        server = await asyncio.start_server(serve, "127.0.0.1", int(port), backlog=1024, limit=1 << 20)
        async with server:
            await server.serve_forever()
    asyncio.run(run())


class Watched:
    """A gateway and what it holds of the system."""

    def __init__(self, launcher, folder, sink_port):
        self.tmp, self.folder, self.sink_port = os.path.join(folder, "tmp"), folder, sink_port
        self.gateway = Gateway(launcher, folder, "smtp://127.0.0.1:%d" % sink_port, "snapshots=" + os.path.join(folder, "snapshots"),
                               "journal.directory=" + os.path.join(folder, "decisions"), "smtp.temporary=" + self.tmp,
                               "smtp.memoryBytesPerMessage=16k", "nextHopOptions.poolIdle=2s")
        self.pid = self.gateway.process.pid

    def virtual_threads(self):
        jcmd = os.path.join(os.path.dirname(os.path.realpath("/proc/%d/exe" % self.pid)), "jcmd")
        dump = os.path.join(self.folder, "threads.txt")
        subprocess.run([jcmd, str(self.pid), "Thread.dump_to_file", "-overwrite", dump], check=True, capture_output=True)
        with open(dump, encoding="utf-8", errors="replace") as f:
            return len(re.findall(r'^#\d+ .*virtual', f.read(), re.M))

    def to_next_hop(self):
        port = "%04X" % self.sink_port
        with open("/proc/net/tcp") as f, open("/proc/net/tcp6") as g:
            rows = [line.split() for line in f.readlines()[1:] + g.readlines()[1:]]
        return sum(r[2].endswith(":" + port) and r[3] in ("01", "08") for r in rows)

    def sessions(self):
        metrics = urllib.request.urlopen("http://127.0.0.1:%d/metrics" % self.gateway.http, timeout=10).read().decode()
        return int(float(re.search(r"^bloomgate_smtp_sessions ([\d.]+)", metrics, re.M).group(1)))

    def numbers(self):
        with open("/proc/%d/status" % self.pid) as f:
            rss = int(re.search(r"VmRSS:\s+(\d+)", f.read()).group(1)) // 1024
        return {"descriptors": len(os.listdir("/proc/%d/fd" % self.pid)), "threads": len(os.listdir("/proc/%d/task" % self.pid)),
                "virtual": self.virtual_threads(), "files": len(os.listdir(self.tmp)), "sessions": self.sessions(),
                "to next hop": self.to_next_hop(), "RSS MB": rss}

    def settled(self, before, seconds=15):
        """The numbers once nothing is above what it was before, or when the time is over."""
        end = time.time() + seconds
        while True:
            now = self.numbers()
            if not leaks(before, now) or time.time() > end:
                return now
            time.sleep(0.5)


def leaks(before, now):
    """Compiler and collector threads come and go; of the rest nothing may be more than before."""
    slack = {"threads": 12, "RSS MB": 10_000, "to next hop": max(0, 1 - before["to next hop"]), "descriptors": 3}
    return [k for k in now if now[k] > before[k] + slack.get(k, 0)]


def message(name, size):
    return b"X-Name: %s\r\nSubject: load\r\n\r\n" % name.encode() + b"0123456789 abcdefghijklmnopqrstuvwxyz\r\n" * (size // 39)


def idle_sessions(watched, count):
    opened, began = [], time.time()
    for _ in range(count):
        s = socket.create_connection(("127.0.0.1", watched.gateway.smtp), 20)
        s.sendall(b"EHLO idle.test\r\n")
        opened.append(s)
    greeted = 0
    for s in opened:
        s.settimeout(20)
        greeted += s.recv(1000)[:3] == b"220"
    took = time.time() - began
    during = watched.numbers()
    start = time.time()
    client = SmtpClient(watched.gateway.smtp)
    reply = client.send(b"a@sender.test", b"b@dest.example", message("live", 20_000))
    live = 1000 * (time.time() - start)
    client.close()
    for s in opened:
        s.close()
    print("%d idle sessions opened in %.1f s, %d greeted; during: %s; a whole session with a message among them: %.0f ms, %s"
          % (count, took, greeted, during, live, reply))
    return [] if greeted == count and reply.startswith("250") else ["idle sessions: %d of %d greeted, live message: %s" % (greeted, count, reply)]


def drops_in_data(watched, count):
    for i in range(count):
        client = SmtpClient(watched.gateway.smtp)
        for line in (b"MAIL FROM:<a@sender.test>", b"RCPT TO:<b@dest.example>", b"DATA"):
            client.command(line)
        client.socket.sendall(message("dropped%d" % i, 60_000)[:-i - 1])
        if i % 2:
            client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # RST, not FIN
        client.socket.close()
    print("%d clients dropped in DATA, half of them by RST" % count)
    return []


class Load:
    """Sessions that send each message until it is accepted."""

    def __init__(self, port, sessions, prefix):
        self.port, self.prefix, self.stop = port, prefix, False
        self.attempts, self.accepted, self.replies, self.faults = 0, {}, collections.Counter(), []
        self.lock = threading.Lock()
        self.threads = [threading.Thread(target=self.session, args=(n,)) for n in range(sessions)]
        for t in self.threads:
            t.start()

    def session(self, n):
        rnd, client, number = random.Random(n), SmtpClient(self.port), 0
        try:
            while not self.stop:
                name = "%s%d-%d" % (self.prefix, n, number)
                octets = message(name, rnd.choice((500, 5_000, 100_000)))
                reply = ""
                while not reply.startswith("250"):
                    reply = client.send(b"a@sender.test", b"b@dest.example", octets)
                    with self.lock:
                        self.attempts += 1
                        self.replies[reply[:9]] += 1
                    if not reply.startswith("250"):
                        time.sleep(0.02)
                with self.lock:
                    self.accepted[name] = reply
                number += 1
            client.close()
        except (EOFError, OSError) as lost:
            self.faults.append("session %d was lost: %r" % (n, lost))

    def end(self):
        self.stop = True
        for t in self.threads:
            t.join(60)
        self.faults += ["a session hangs" for t in self.threads if t.is_alive()]


def kills(watched, log, first, times):
    rnd, killed, load = random.Random(7), collections.Counter(), Load(watched.gateway.smtp, 8, "kills")
    current = first
    for i in range(times):
        current.kill()
        current.wait()
        phase = PHASES[i % len(PHASES)]
        current = start_sink(watched.sink_port, log, phase, rnd.randint(3, 25))
        try:
            killed[phase] += current.wait(30) == -signal.SIGKILL
        except subprocess.TimeoutExpired:
            load.faults.append("the next hop got nothing to do in phase " + phase)
            break
    last = start_sink(watched.sink_port, log, "never", 0)
    load.end()
    with open(log) as f:
        recorded = collections.Counter(f.read().split())
    missing = [name for name in load.accepted if not recorded[name]]
    foreign = [name for name, reply in load.accepted.items() if reply != "250 2.0.0 stored " + name]
    hard = {reply: n for reply, n in load.replies.items() if reply[:1] not in "24"}
    twice = sum(n - 1 for name, n in recorded.items() if name in load.accepted)
    print("next hop killed %d times under 8 sessions, by phase %s: %d messages accepted in %d attempts, replies %s; "
          "%d of them not recorded, %d with a 250 of somebody else, %d duplicates"
          % (sum(killed.values()), dict(killed), len(load.accepted), load.attempts, dict(load.replies), len(missing), len(foreign), twice))
    problems = load.faults + ["accepted but lost: " + name for name in missing[:5]] + ["not the next hop's 250: " + name for name in foreign[:5]]
    return last, problems + (["refused for good: %s" % hard] if hard else []) + ([] if sum(killed.values()) == times else ["fewer kills than asked for"])


def start_sink(port, log, phase, count):
    return subprocess.Popen([sys.executable, __file__, "--sink", str(port), log, phase, str(count)])


def main(launcher, *options):
    full = "--full" in options
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    folder = tempfile.mkdtemp(prefix="bloomgate-faults-")
    port, log = free_port(), os.path.join(folder, "recorded")
    next_hop = start_sink(port, log, "never", 0)
    wait_for_port(port)
    watched = Watched(launcher, folder, port)
    failures = []

    def part(name, faults):
        before = watched.settled(watched.numbers(), 0)
        began = time.time()
        failures.extend(faults())
        after = watched.settled(before)
        left = leaks(before, after)
        print("  before %s\n  after  %s  (%.0f s)" % (before, after, time.time() - began), flush=True)
        failures.extend("%s: %s left behind" % (name, left) for _ in left[:1])

    def killing():
        nonlocal next_hop
        next_hop, problems = kills(watched, log, next_hop, 500 if full else 100)
        return problems

    try:
        warm = Load(watched.gateway.smtp, 8, "warm")
        time.sleep(3)
        warm.end()
        failures += warm.faults
        time.sleep(3)  # the pool's connections go after 2 s
        part("idle sessions", lambda: idle_sessions(watched, min(5000, hard - 200)))
        part("drops in DATA", lambda: drops_in_data(watched, 2000 if full else 200))
        part("kills", killing)
    finally:
        watched.gateway.stop()
        next_hop.kill()
        next_hop.wait()
    print("\n".join(failures) or "faults: nothing lost, nothing accepted without the next hop's 250, nothing left behind")
    if not failures:
        shutil.rmtree(folder)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    sink(*sys.argv[2:]) if sys.argv[1] == "--sink" else main(*sys.argv[1:])
