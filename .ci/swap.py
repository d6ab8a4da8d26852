#!/usr/bin/env python3
"""A layer of a million keys is rebuilt and swapped under load: how long a swap takes, what mail feels of it, and that no
message fails and no verdict is wrong, in a table.
usage: swap.py LAUNCHER [--keys N]"""
import datetime, os, re, shutil, statistics, subprocess, sys, tempfile, threading, time
from gatewaylib import Gateway, SmtpClient, free_port, wait_for_port

launcher = sys.argv[1]
keys = int(sys.argv[sys.argv.index("--keys") + 1]) if "--keys" in sys.argv else 1_000_000
REBUILDS, SWAPS, SESSIONS, QUIET_SECONDS = 2, 8, 4, 4
PAUSE = 0.01  # of a session between messages: a paced load leaves room for the rebuild, as a server at night has
folder = tempfile.mkdtemp(prefix="bloomgate-swap-")
path = lambda name: os.path.join(folder, name)
layer = os.path.join(path("snapshots"), "nightly")
with open(path("bloomgate.yaml"), "w") as out:
    out.write("snapshots: %s\nfeeds: %s\njournal: { directory: %s, keys: { directory: %s } }\nsmtp: { temporary: %s }\n"
              "rebuild: { sortMemoryBytes: 64M, maxChangeShare: 1000, keepGenerations: 10 }\n"
              % tuple(map(path, ("snapshots", "feeds.yaml", "decisions", "keys", "tmp"))))
with open(path("feeds.yaml"), "w") as out:
    out.write("feeds:\n  - { name: generated, kind: domain, format: lines, source: %s, category: phishing }\n" % path("domains.txt"))


def write_source(number):
    """Every generation lists other names but for one."""
    with open(path("domains.txt"), "w") as out:
        out.write("listed-always.example\n")
        out.writelines("host%d.generation-%d.example\n" % (i, number) for i in range(keys))


def current():
    with open(os.path.join(layer, "current")) as f:
        return f.read().strip()


def point(generation):
    with open(os.path.join(layer, "current.tmp"), "w") as out:
        out.write(generation + "\n")
    os.rename(os.path.join(layer, "current.tmp"), os.path.join(layer, "current"))
    return time.time()


def adoption(generation, nth):
    """(time of the log line, milliseconds to open, microseconds to swap) of the nth adoption of the generation"""
    end = time.time() + 60
    pattern = re.compile(r"^(\S+) .*snapshot nightly/%s adopted, .* opened in (\d+) ms, swapped in (\d+) us" % generation, re.M)
    while time.time() < end:
        with open(gateway.stderr_path, encoding="utf-8") as log:
            found = pattern.findall(log.read())
        if len(found) >= nth:
            at, opened, swapped = found[nth - 1]
            return datetime.datetime.fromisoformat(at.replace("Z", "+00:00")).timestamp(), int(opened), int(swapped)
        time.sleep(0.05)
    sys.exit("%s was not adopted" % generation)


class Load:
    """Sessions that send listed and clean mail in turn and compare what they hear."""

    def __init__(self, port):
        self.port, self.stop, self.sent, self.wrong = port, False, [], []
        self.threads = [threading.Thread(target=self.session, args=(n,), daemon=True) for n in range(SESSIONS)]
        for t in self.threads:
            t.start()

    def session(self, n):
        client, number = SmtpClient(self.port), n
        filler = b"0123456789 abcdefghijklmnopqrstuvwxyz\r\n" * 100
        try:
            while not self.stop:
                number += 1
                listed = number % 2 == 0
                link = b"listed-always.example" if listed else b"clean-%d.example" % number
                began = time.time()
                reply = client.send(b"a@sender.test", b"b@dest.example", b"Subject: x\r\n\r\nhttp://www.%s/\r\n" % link + filler)
                self.sent.append((began, time.time() - began))
                if not reply.startswith("550 5.7.1" if listed else "250"):
                    self.wrong.append("%s: %s" % (link.decode(), reply))
                time.sleep(PAUSE)
            client.close()
        except (EOFError, OSError) as lost:
            self.wrong.append("session %d was lost: %r" % (n, lost))

    def end(self):
        self.stop = True
        for t in self.threads:
            t.join(30)


def row(name, load, spans):
    within = sorted(took for began, took in load.sent if any(a <= began + took and began <= b for a, b in spans))
    at = lambda share: 1000 * within[min(len(within) - 1, int(share * len(within)))]
    print("  %-34s %7d %9.1f %9.1f %9.1f" % (name, len(within), at(0.5), at(0.99), 1000 * within[-1]))
    return at(0.99)


def rss(pid):
    with open("/proc/%d/status" % pid) as f:
        return int(re.search(r"VmRSS:\s+(\d+)", f.read()).group(1)) // 1024


def rebuild(number):
    write_source(number)
    began = time.time()
    result = subprocess.run([launcher, "rebuild", "-c", path("bloomgate.yaml")], capture_output=True, text=True)
    if result.returncode:
        sys.exit("rebuild: " + result.stdout + result.stderr)
    return began, time.time()


first = rebuild(0)
generations, adoptions = [current()], {current(): 1}
sink_port = free_port()
sink = subprocess.Popen(["smtp-sink", "127.0.0.1:%d" % sink_port, "1000"] if os.geteuid() else
                        ["smtp-sink", "-u", "nobody", "127.0.0.1:%d" % sink_port, "1000"], stderr=subprocess.DEVNULL)
wait_for_port(sink_port)
gateway = Gateway(launcher, folder, "smtp://127.0.0.1:%d" % sink_port, config=path("bloomgate.yaml"))
warm = Load(gateway.smtp)
time.sleep(QUIET_SECONDS)
warm.end()
load, began = Load(gateway.smtp), time.time()
time.sleep(QUIET_SECONDS)
before, building, swapping, opened, swapped, seen = [(began, time.time())], [], [], [], [], []


def swap(generation, at):
    adoptions[generation] = adoptions.get(generation, 0) + 1
    when, open_ms, swap_us = adoption(generation, adoptions[generation])
    # The log has milliseconds; what a swap costs is felt a moment later too, when the old mapping goes.
    swapping.append((max(at, when - open_ms / 1000), when + 0.2))
    opened.append(open_ms)
    swapped.append(swap_us)
    seen.append(when - at)


try:
    for number in range(1, REBUILDS + 1):
        building.append(rebuild(number))
        generations.append(current())
        swap(current(), os.stat(os.path.join(layer, "current")).st_mtime)
    for i in range(SWAPS):
        to = generations[i % 2]
        swap(to, point(to))
        time.sleep(0.3)
    time.sleep(0.5)
    calm = time.time()
    time.sleep(QUIET_SECONDS)
    after = [(calm, time.time())]
    load.end()
    used = rss(gateway.process.pid)
finally:
    gateway.stop()
    sink.kill()
print("%d keys, rebuilt %d times in %s s, %d swaps under %d sessions, %d messages a second; RSS of the gateway %d MB"
      % (keys, REBUILDS, ", ".join("%.0f" % (b - a) for a, b in building), len(swapped), SESSIONS,
         len(load.sent) / (load.sent[-1][0] - began), used))
print("  pointer to adoption: median %.2f s, most %.2f s (the pointer is looked at once a second); opening and verifying: median"
      " %d ms, most %d ms; the swap itself: median %d us, most %d us"
      % (statistics.median(seen), max(seen), statistics.median(opened), max(opened), statistics.median(swapped), max(swapped)))
print("  %-34s %7s %9s %9s %9s" % ("a message, MAIL to the dot's reply", "number", "p50 ms", "p99 ms", "most ms"))
quiet = row("before", load, before)
row("while the next one is rebuilt", load, building)
busy = row("while one is opened and swapped", load, swapping)
row("after", load, after)
problems = load.wrong[:5]
if len(swapped) != REBUILDS + SWAPS or max(seen) > 15:
    problems.append("%d swaps, the slowest after %.1f s" % (len(swapped), max(seen)))
if statistics.median(swapped) > 5_000:
    problems.append("a swap took %d us" % statistics.median(swapped))
if busy > max(500, 20 * quiet):
    problems.append("p99 of %.0f ms in a swap where %.0f ms are usual" % (busy, quiet))
if problems:
    sys.exit("\n".join(problems) + "\nfiles in " + folder)
print("swap: %d messages, none failed, none judged wrongly" % len(load.sent))
shutil.rmtree(folder, True)
