#!/usr/bin/env python3
"""A gateway without a store and its lookup service, in processes of their own, with a proxy between them that counts calls
and breaks them: slow (2 s), wrong JSON, 500, refused; and the service killed by SIGKILL and started again under load.

Clean mail: asks nobody, and its p50 beside that of the healthy rounds in between (median of five alternating rounds; suspects
are under way in all of them). Suspects: refused while it works; otherwise tagged, deferred where malware may be meant, never
refused. How long until the breaker opens, and after the fault until a suspect is refused again. 1,000 simultaneous messages
with one suspect cause one call.
usage: remote.py LAUNCHER [--full]   (rounds of 2 s and the breaker's default rest; for figures)"""
import asyncio, atexit, collections, json, os, re, resource, signal, statistics, subprocess, sys, tempfile, time, urllib.request
from gatewaylib import Gateway, SmtpClient, free_port, wait_for_port

BODY = b"From: a@sender.example\r\nSubject: t\r\n\r\n" + b"The quick brown fox jumps over the lazy dog.\r\n" * 80
LISTED_EACH = 60_000


def message(link):
    return BODY + b"http://%s/\r\n" % link


def proxy(port, upstream, folder):
    """Reads what to do from a file before each call and writes one line a call."""
    mode_file, calls = os.path.join(folder, "mode"), open(os.path.join(folder, "calls"), "a", buffering=1)
    connections = set()

    def mode():
        with open(mode_file) as f:
            return f.read()

    async def http(reader):
        head = await reader.readuntil(b"\r\n\r\n")
        length = re.search(rb"(?i)content-length: *(\d+)", head)
        return head, await reader.readexactly(int(length.group(1)) if length else 0)

    async def serve(reader, writer):
        connections.add(writer)
        up = None
        try:
            while True:
                head, body = await http(reader)
                now = mode()
                calls.write("%d\n" % len(json.loads(body)["items"]))
                if now in ("slow", "held"):
                    await asyncio.sleep(2 if now == "slow" else 0.1)
                if now == "wrong":
                    answer = b'{"answers":[{"answer":"listed"'
                    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(answer) + answer)
                elif now == "500":
                    writer.write(b"HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n")
                else:
                    up = up or await asyncio.open_connection("127.0.0.1", int(upstream))
                    up[1].write(head + body)
                    writer.write(b"".join(await http(up[0])))
                await writer.drain()
        except (OSError, EOFError):
            pass
        finally:
            connections.discard(writer)
            writer.close()
            if up:
                up[1].close()

    async def run():
        server = None
        while True:
            if mode() == "refused" and server:
                server.close()
                for writer in list(connections):
                    writer.transport.abort()
                server = None
            elif mode() != "refused" and not server:
                server = await asyncio.start_server(serve, "127.0.0.1", int(port), backlog=256)
            await asyncio.sleep(0.01)
    asyncio.run(run())


def suspects(port, folder, kind):
    """One suspect after the other, each listed and never met before: its time, how long it took, and the reply."""
    client = SmtpClient(int(port))
    with open(os.path.join(folder, "suspects-" + kind), "a", buffering=1) as out:
        for i in range(LISTED_EACH):
            begun = time.time()
            reply = client.send(b"a@sender.example", b"b@to.example", message(b"%s%d.listed.example" % (kind.encode(), i)))
            out.write("%f %f %s\n" % (begun, time.time(), reply[:3]))
            time.sleep(0.03)


if sys.argv[1] in ("proxy", "suspects"):
    sys.exit({"proxy": proxy, "suspects": suspects}[sys.argv[1]](*sys.argv[2:]))

launcher, full = sys.argv[1], "--full" in sys.argv
# A lookup that is waited for costs 500 times as much: the short rounds need not tell 1.1 from a neighbour's load.
ROUND, ROUNDS, REST, GOAL = (2.0, 5, "2s", 1.1) if full else (0.5, 5, "300ms", 2)
folder = tempfile.mkdtemp(prefix="bloomgate-remote-")
config = os.path.join(folder, "bloomgate.yaml")
processes, failures = [], []
atexit.register(lambda: [process.kill() for process in processes])
signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))


def start(*command, **options):
    processes.append(subprocess.Popen(command, **options))
    return processes[-1]


def me(*arguments):
    return start(sys.executable, os.path.abspath(__file__), *map(str, arguments))


def wait_for(what, seconds, condition):
    begun = time.time()
    while not condition():
        if time.time() - begun > seconds:
            sys.exit("not within %g s: %s" % (seconds, what))
        time.sleep(0.005)
    return time.time() - begun


def mode(now):
    with open(os.path.join(folder, "mode.new"), "w") as out:
        out.write(now)
    os.rename(os.path.join(folder, "mode.new"), os.path.join(folder, "mode"))


def calls():
    with open(os.path.join(folder, "calls")) as f:
        return len(f.readlines())


def replies(kind, since, until=None):
    """Of the messages that were sent and answered within this time."""
    with open(os.path.join(folder, "suspects-" + kind)) as f:
        rows = [line.split() for line in f if line.endswith("\n")]
    return [code for begun, ended, code in rows if float(begun) >= since and (until is None or float(ended) <= until)]


def metrics():
    with urllib.request.urlopen("http://127.0.0.1:%d/metrics" % gateway.http, timeout=10) as answer:
        lines = answer.read().decode().splitlines()
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines if line[:1] != "#")}


def breaker(state):
    return metrics()['bloomgate_exact_breaker{state="%s"}' % state] == 1


def service():
    log = open(os.path.join(folder, "service.log"), "wb")
    process = start(launcher, "lookup", "-c", config, "--set", "http.listen=127.0.0.1:%d" % service_port, stderr=log, stdout=log)
    wait_for_port(service_port)
    return process


def clean(seconds):
    """Times of clean messages, one after the other, in seconds."""
    times, end = [], time.time() + seconds
    while time.time() < end:
        begun = time.perf_counter()
        reply = cleaner.send(b"a@sender.example", b"b@to.example", message(b"clean%d.example" % (len(times) % 50)))
        times.append(time.perf_counter() - begun)
        if not reply.startswith("250"):
            failures.append("clean mail was answered " + reply)
    return times


with open(config, "w") as out:
    out.write("snapshots: %s/snapshots\nfeeds: %s/feeds.yaml\nlocal: { directory: %s/local }\nsmtp: { temporary: %s/tmp }\n"
              "journal: { directory: %s/decisions, keys: { directory: %s/keys } }\n" % ((folder,) * 6))
with open(os.path.join(folder, "feeds.yaml"), "w") as out:
    out.write("feeds:\n")
    # A layer each: a suspect of one cannot be meant by the other.
    for kind, category, cadence in (("phish", "phishing", "nightly"), ("mal", "malware", "hourly")):
        out.write("  - { name: %s, kind: domain, format: lines, source: %s/%s.txt, category: %s, cadence: %s }\n"
                  % (kind, folder, kind, category, cadence))
        with open(os.path.join(folder, kind + ".txt"), "w") as source:
            source.writelines("%s%d.listed.example\n" % (kind, i) for i in range(LISTED_EACH))
            source.write("hot-%s.listed.example\n" % kind)
subprocess.run([launcher, "rebuild", "-c", config], check=True, capture_output=True)

soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 16384), hard))
service_port, proxy_port, sink_port = free_port(), free_port(), free_port()
lookup = service()
mode("pass")
open(os.path.join(folder, "calls"), "w").close()
me("proxy", proxy_port, service_port, folder)
smtp_sink = "/usr/sbin/smtp-sink"
start(smtp_sink, *(["-u", "nobody"] if os.geteuid() == 0 else []), "-m", "4000", "127.0.0.1:%d" % sink_port, "1024", stderr=subprocess.DEVNULL)
wait_for_port(sink_port)
wait_for_port(proxy_port)
gateway = Gateway(launcher, folder, "smtp://127.0.0.1:%d" % sink_port, "exact.store=http",
                  "exact.http.urls=http://127.0.0.1:%d" % proxy_port, "exact.breaker.openFor=" + REST,
                  "nextHopOptions.poolSize=2000", config=config)
cleaner = SmtpClient(gateway.smtp)
clean(4 if full else 2)
asked = calls()
print("%d messages of clean mail: %d calls" % (len(clean(2 if full else 1)), calls() - asked))
if calls() > 1:  # one without a key, which makes the first connection
    failures.append("clean mail asked the lookup service")

begun = time.time()
senders = [me("suspects", gateway.smtp, folder, kind) for kind in ("phish", "mal")]
wait_for("suspects on the way", 10, lambda: os.path.exists(os.path.join(folder, "suspects-mal")))
clean(2)
print("healthy, from the first on: suspects answered %s" % collections.Counter(replies("phish", begun) + replies("mal", begun)))

def fault(name, on):
    global lookup
    if name == "killed":
        if on:
            lookup.send_signal(signal.SIGKILL)
            lookup.wait()
        else:
            lookup = service()
    else:
        mode(name if on else "pass")

def recovered(since):
    return all("550" in replies(kind, since) for kind in ("phish", "mal"))

print("%-8s %9s %9s %7s %9s %9s %8s %9s  %s" % ("fault", "p50 ms", "healthy", "ratio", "p99 ms", "healthy", "opens s", "heals s",
                                               "replies: may be phishing, malware"))
for name in ("slow", "wrong", "500", "refused", "killed"):
    ratios, p50, p99, said = [], ([], []), ([], []), {"phish": set(), "mal": set()}
    opens = heals = 0.0
    for i in range(ROUNDS if full or name != "killed" else 3):
        for broken in (False, True):
            if broken:
                fault(name, True)
                began = time.time() + 0.1
                if i == 0:
                    opens = wait_for("breaker open", 20, lambda: breaker("open"))
            times = sorted(clean(ROUND))
            p50[broken].append(statistics.median(times) * 1e3)
            p99[broken].append(times[int(len(times) * 0.99)] * 1e3)
        for kind in said:
            said[kind].update(replies(kind, began, time.time()))
        ratios.append(p50[True][-1] / p50[False][-1])
        fault(name, False)
        since = time.time()
        heals = max(heals, wait_for("recovery from " + name, 20, lambda: recovered(since)))
    ratio = statistics.median(ratios)
    print("%-8s %9.3f %9.3f %7.3f %9.3f %9.3f %8.2f %9.2f  %s %s" % (
        name, statistics.median(p50[True]), statistics.median(p50[False]), ratio, statistics.median(p99[True]),
        statistics.median(p99[False]), opens, heals, *(",".join(sorted(said[kind])) for kind in said)))
    if ratio > GOAL:
        failures.append("%s: p50 of clean mail is %.2f times that of the healthy rounds" % (name, ratio))
    if said != {"phish": {"250"}, "mal": {"451"}}:
        failures.append("%s: suspects were answered %s" % (name, said))

for process in senders:
    process.kill()
unknown = {k: int(v) for k, v in metrics().items() if k.startswith("bloomgate_lookup_unknown_reasons_total")}
print("unknown: " + ", ".join("%s %d" % (re.search('reason="(.*?)"', k).group(1), v) for k, v in sorted(unknown.items())))
acted = {k: int(v) for k, v in metrics().items() if k.startswith("bloomgate_messages_total") and v}
print("messages: " + ", ".join("%s %s %d" % (*re.findall('"(.*?)"', k), v) for k, v in sorted(acted.items())))


async def crowd(count):
    """Every message is there but for its last line, then all last lines go out at once."""
    async def upto_the_dot():
        reader, writer = await asyncio.open_connection("127.0.0.1", gateway.smtp)
        await reader.readline()
        for line in (b"HELO client.test", b"MAIL FROM:<a@sender.example>", b"RCPT TO:<b@to.example>", b"DATA"):
            writer.write(line + b"\r\n")
            await reader.readline()
        writer.write(message(b"hot-phish.listed.example"))
        await writer.drain()
        return reader, writer
    sessions = [await upto_the_dot() for _ in range(count)]
    begun = time.time()
    for _, writer in sessions:
        writer.write(b".\r\n")
    answers = [(await reader.readline())[:3].decode() for reader, _ in sessions]
    took = time.time() - begun
    for _, writer in sessions:
        writer.close()
    return answers, took

mode("held")
wait_for("quiet", 10, lambda: metrics()["bloomgate_exact_calls_active"] == 0)
asked = calls()
answers, took = asyncio.run(crowd(1000))
print("1,000 simultaneous messages with one suspect: %d call, answered %s within %.2f s" % (calls() - asked, sorted(set(answers)), took))
if calls() - asked != 1 or set(answers) != {"550"}:
    failures.append("a hot suspect made %d calls and was answered %s" % (calls() - asked, set(answers)))
gateway.stop()
lookup.send_signal(signal.SIGTERM)
if lookup.wait(30) != 0:
    failures.append("the lookup service ended with %d" % lookup.returncode)
sys.exit("\n".join(failures) or 0)
