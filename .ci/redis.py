#!/usr/bin/env python3
"""A real Redis cluster as exact tier: real rebuilds publish to it, a real gateway asks it, and its servers are killed,
come back empty, are all gone and all back, while every answer is counted as right, unknown or wrong. Half the strangers
are suspects, and nothing is cached. A rebuild is killed while it publishes. --full: with replicas, larger, longer.
usage: redis.py LAUNCHER [--full]"""
import atexit, collections, http.client, json, os, random, re, socket, subprocess, sys, tempfile, threading, time, urllib.request
from gatewaylib import Gateway, SmtpClient, wait_for_port

launcher = sys.argv[1]
full = "--full" in sys.argv
ENTRIES = 1_000_000 if full else 60_000
THREADS = 3
folder = tempfile.mkdtemp(prefix="bloomgate-redis-")
rnd = random.Random(7)


class Server:
    """redis-server of a cluster, which keeps nothing on disk but who has which slots."""

    def __init__(self, number):
        self.port = free_pair()
        self.home = os.path.join(folder, "redis-%d" % number)
        os.mkdir(self.home)
        self.start()
        atexit.register(self.kill)

    def start(self):
        log = open(os.path.join(self.home, "log"), "ab")
        self.process = subprocess.Popen(
            ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--dir", self.home, "--save", "",
             "--cluster-enabled", "yes", "--cluster-node-timeout", "2000", "--cluster-require-full-coverage", "no"],
            stdout=log, stderr=log)
        wait_for_port(self.port)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def cli(self, *words):
        return subprocess.run(["redis-cli", "-p", str(self.port), *words], capture_output=True, text=True, check=True).stdout


def free_pair():
    """A port whose bus, 10,000 above, is free too; both below those that connections get."""
    while True:
        port = random.randrange(10_000, 20_000)
        try:
            with socket.socket() as a, socket.socket() as b:
                a.bind(("127.0.0.1", port))
                b.bind(("127.0.0.1", port + 10_000))
                return port
        except OSError:
            pass


def wait_for(what, condition, seconds=60):
    """The seconds it took."""
    begun = time.time()
    while not condition():
        if time.time() - begun > seconds:
            sys.exit("waited %d s in vain for %s" % (seconds, what))
        time.sleep(0.02)
    return time.time() - begun


def whole():
    infos = [s.cli("cluster", "info") for s in servers]
    return all("cluster_slots_ok:16384" in i and "cluster_state:ok" in i for i in infos)


def used_bytes():
    return sum(int(re.search(r"used_memory:(\d+)", s.cli("info", "memory")).group(1)) for s in masters)


def write_feeds(mark):
    with open(os.path.join(folder, "phish.txt"), "w") as out:
        out.write("mark-%s.example\n" % mark)
        out.writelines("listed-%d.example\n" % i for i in range(ENTRIES))
    with open(os.path.join(folder, "malware.txt"), "w") as out:
        out.write("http://url.example/malware\n")


def rebuild(check=True):
    done = subprocess.run([launcher, "rebuild", "-c", config, "--json"], capture_output=True, text=True)
    if check and done.returncode:
        sys.exit("rebuild: status %d\n%s%s" % (done.returncode, done.stdout, done.stderr))
    return done


class Load:
    """Asks the gateway about one value after the other and counts what it says, by phase."""

    def __init__(self, port):
        self.port, self.phase, self.ended, self.quiet = port, "healthy", False, ""
        self.counts = collections.defaultdict(collections.Counter)
        self.micros = collections.defaultdict(list)
        self.wrong, self.last = [], collections.deque(maxlen=60)
        self.threads = [threading.Thread(target=self.run, args=(i,), daemon=True) for i in range(THREADS)]
        [t.start() for t in self.threads]

    def run(self, number):
        mine = random.Random(number)
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        while not self.ended:
            phase, listed = self.phase, mine.random() < 0.5
            value = "%s-%d.example" % ("listed" if listed else "stranger", mine.randrange(ENTRIES))
            body = json.dumps({"items": [{"kind": "domain", "value": value}]})
            begun = time.perf_counter()
            connection.request("POST", "/v1/check", body, {"Content-Type": "application/json"})
            reply = connection.getresponse()
            answer = json.loads(reply.read())
            took = (time.perf_counter() - begun) * 1e6
            result = answer["results"][0] if reply.status == 200 else {"verdict": "status %d" % reply.status}
            verdict = result["verdict"]
            kind = {"unresolved": "unknown", "listed" if listed else "clean": "right"}.get(verdict, "WRONG")
            self.counts[phase][kind] += 1
            if kind == "WRONG":
                self.wrong.append((phase, value, answer))
            if result.get("suspect"):
                self.micros[phase].append(took)
            self.last.append(kind)
            time.sleep(0.002)
            if verdict == "clean" and not result.get("suspect"):
                self.quiet = value

    def all_last(self, *kinds):
        last = list(self.last)
        return len(last) == self.last.maxlen and all(k in kinds for k in last)

    def begin(self, phase):
        self.last.clear()
        self.phase = phase

    def hold(self, seconds):
        time.sleep(seconds)

    def stop(self):
        self.ended = True
        [t.join() for t in self.threads]


def report(load, phase, more=""):
    counts, micros = load.counts[phase], sorted(load.micros[phase])
    at = lambda q: micros[int(q * (len(micros) - 1))] / 1000 if micros else 0
    reasons = unknown_reasons()
    why = {r: n - report.reasons.get(r, 0) for r, n in reasons.items() if n > report.reasons.get(r, 0)}
    report.reasons = reasons
    print("%-34s right %6d  unknown %6d  wrong %d  suspects p50 %.2f ms p99 %.2f ms  %s"
          % (phase, counts["right"], counts["unknown"], counts["WRONG"], at(0.5), at(0.99), " ".join(filter(None, [str(why or ""), more]))), flush=True)
    if load.wrong:
        sys.exit("wrong answers: %s" % load.wrong[:3])
    return why


def require_unfelt(load, phase, why):
    """A busy machine makes one in a thousand late; nothing else may be felt."""
    if set(why) - {"timeout"} or load.counts[phase]["unknown"] * 1000 > load.counts[phase]["right"]:
        sys.exit("%s was felt: %s" % (phase, why))


report.reasons = {}


def unknown_reasons():
    body = urllib.request.urlopen("http://127.0.0.1:%d/metrics" % gateway.http, timeout=10).read().decode()
    return {m.group(1): int(float(m.group(2)))
            for m in re.finditer(r'^bloomgate_lookup_unknown_reasons_total\{reason="([^"]*)"\} (\S+)$', body, re.M)}


def keys_of(generation):
    """How many there are, and how many of them never expire."""
    script = ("local all=redis.call('keys',ARGV[1]) local n=0 for _,k in ipairs(all) do if redis.call('ttl',k)<0 then n=n+1 end end"
              " return {#all,n}")
    counts = [list(map(int, m.cli("eval", script, "0", "bloomgate:nightly:%s:*" % generation).split())) for m in masters]
    return sum(c[0] for c in counts), sum(c[1] for c in counts)


def generations():
    register = "bloomgate:nightly:generations"
    return set(masters[0].cli("-c", "hkeys", register).split())


begun = time.time()
masters = [Server(i) for i in range(3)]
replicas = [Server(3 + i) for i in range(3)] if full else []
servers = masters + replicas
subprocess.run(["redis-cli", "--cluster", "create", *("127.0.0.1:%d" % s.port for s in servers), "--cluster-replicas",
                "1" if full else "0", "--cluster-yes"], check=True, stdout=subprocess.DEVNULL)
wait_for("the cluster", whole)
config = os.path.join(folder, "bloomgate.yaml")
with open(config, "w") as out:
    json.dump({
        "snapshots": os.path.join(folder, "snapshots"), "feeds": os.path.join(folder, "feeds.yaml"),
        "journal": {"directory": os.path.join(folder, "decisions"), "keys": {"directory": os.path.join(folder, "keys")}},
        "local": {"directory": os.path.join(folder, "local")},
        "exact": {"store": "redis", "redis": {"nodes": ["127.0.0.1:%d" % s.port for s in servers[:2]]}, "cache": {"entries": 0}},
        "rebuild": {"rates": {"domain": 0.5, "url": 1e-6}, "headroom": 1.0}}, out)
with open(os.path.join(folder, "feeds.yaml"), "w") as out:
    json.dump({"feeds": [
        {"name": "phish", "kind": "domain", "format": "lines", "source": os.path.join(folder, "phish.txt"), "category": "phishing"},
        {"name": "malware", "kind": "url", "format": "lines", "source": os.path.join(folder, "malware.txt"), "category": "malware"}]}, out)

empty = used_bytes()
write_feeds("first")
first = json.loads(rebuild().stdout)
seconds = {s["stage"]: s["seconds"] for s in first["stages"]}
print("%d entries published in %.1f s, %.1f octets an entry" % (ENTRIES, seconds["share"], (used_bytes() - empty) / ENTRIES))
gateway = Gateway(launcher, folder, "maildir:" + os.path.join(folder, "mail"), config=config)
load = Load(gateway.http)
wait_for("answers", lambda: load.all_last("right"))
load.begin("healthy")
load.hold(3)
report(load, "healthy")

load.begin("a generation flips")
write_feeds("second")
second = json.loads(rebuild().stdout)
gateway.wait_for_line("snapshot nightly/%s adopted" % second["generation"])
load.hold(1)
require_unfelt(load, "a generation flips", report(load, "a generation flips"))

load.begin("a rebuild is killed as it shares")
write_feeds("killed")
process = subprocess.Popen([launcher, "rebuild", "-c", config], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
for line in process.stderr:
    if line.strip().endswith(": share"):
        break
wait_for("the announcement", lambda: generations() - {second["generation"]})
left = generations() - {second["generation"]}
wait_for("the first buckets", lambda: all(keys_of(g)[0] > 100 for g in left))
process.kill()
process.wait()
load.hold(1)
keys, immortal = (sum(n) for n in zip(*(keys_of(g) for g in left)))
why = report(load, "a rebuild is killed as it shares", "%d keys left, %d without expiry" % (keys, immortal))
require_unfelt(load, "a rebuild is killed as it shares", why)
if immortal:
    sys.exit("the killed rebuild left keys for ever")

load.begin("a master is killed")
masters[1].kill()
if full:
    back = wait_for("the replica", lambda: load.all_last("right"))
    report(load, "a master is killed", "all right again after %.1f s" % back)
    load.begin("a master is killed, later")
load.hold(3)
report(load, load.phase)

load.begin("it is back, empty")
masters[1].start()
wait_for("the cluster", whole)
load.hold(3)
report(load, "it is back, empty")

load.begin("all are killed")
[s.kill() for s in servers]
load.hold(3)
client = SmtpClient(gateway.smtp)
sender = b"a@" + load.quiet.encode()
replies = {}
for name, link in (("a listed domain", "listed-0.example/"), ("a listed URL", "url.example/malware"), ("nothing", load.quiet + "/")):
    message = b"From: %s\r\nSubject: t\r\n\r\nhttp://%s\r\n" % (sender, link.encode())
    replies[name] = client.send(sender, b"b@receiver.test", message)[:3]
client.close()
tagged = sum(b"X-Bloomgate-" in open(os.path.join(at, f), "rb").read() for at, _, files in os.walk(os.path.join(folder, "mail")) for f in files)
report(load, "all are killed", "mail: %s, %d tagged" % (replies, tagged))
if replies != {"a listed domain": "250", "a listed URL": "451", "nothing": "250"} or tagged != 1:
    sys.exit("not as onUnknown says: %s, %d tagged" % (replies, tagged))

load.begin("all are back, empty")
[s.start() for s in servers]
wait_for("the cluster", whole)
load.hold(2)
report(load, "all are back, empty")

load.begin("published again")
write_feeds("third")
third = json.loads(rebuild().stdout)
gateway.wait_for_line("snapshot nightly/%s adopted" % third["generation"])
adopted = time.time()
after = wait_for("right answers", lambda: load.all_last("right"))
report(load, "published again", "all right %.1f s after it was adopted" % after)
if not generations() == {third["generation"]}:
    sys.exit("not retired: %s" % generations())

[s.kill() for s in masters[2:] + replicas]
refused = rebuild(check=False)
with open(os.path.join(folder, "snapshots", "nightly", "current")) as f:
    stays = f.read().strip() == third["generation"]
print("rebuild with a master down: status %d, %s; the generation before %s"
      % (refused.returncode, refused.stderr.strip().splitlines()[-1], "stays current" if stays else "IS GONE"))
if refused.returncode != 3 or not stays:
    sys.exit("a rebuild that cannot share must end with status 3 and change nothing")
load.stop()
gateway.stop()
totals = sum(load.counts.values(), collections.Counter())
print("answers: %s in %.0f s" % (dict(totals), time.time() - begun))
if totals["WRONG"] or not totals["right"]:
    sys.exit("wrong answers")
