#!/usr/bin/env python3
"""A feed that a real rbldnsd confirms: listed, delisted in the zone alone, an odd answer, the zone gone and back.
usage: dns.py LAUNCHER"""
import atexit, json, os, shutil, signal, socket, statistics, subprocess, sys, tempfile, time, urllib.request
from gatewaylib import Gateway, Sink, SmtpClient, free_port

launcher = sys.argv[1]
folder = tempfile.mkdtemp(prefix="bloomgate-dns-")
atexit.register(shutil.rmtree, folder, True)
os.chmod(folder, 0o755)
zone_file, feed_file = os.path.join(folder, "dbl.dnset"), os.path.join(folder, "feed.dnset")
port, failures = free_port(), []
HEAD = "$SOA 60 ns.dbl.example admin.dbl.example 0 600 300 86400 60\n$NS 60 ns.dbl.example\n$TTL 60\n:127.0.0.2:listed\ntest\n"
ENTRIES = "".join("n%03d.example\n" % n for n in range(100))
FEED = HEAD + ".bad.example\ndelisted.example\nmalware.example :127.0.0.4:\nodd.example :192.0.2.1:\nlate.example\nshared.example\n" + ENTRIES


def expect(what, good):
    print("%-4s %s" % ("ok" if good else "FAIL", what), flush=True)
    if not good:
        failures.append(what)


def write(path, text):
    with open(path + ".new", "w", encoding="utf-8") as f:
        f.write(text)
    os.rename(path + ".new", path)


def zone_lists(host):
    """Asked past the gateway."""
    name = b"".join(bytes([len(label)]) + label for label in (host + ".dbl.example").encode().split(b"."))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        s.settimeout(0.2)
        try:
            s.connect(("127.0.0.1", port))
            s.send(b"\x12\x34\1\0\0\1\0\0\0\0\0\0" + name + b"\0\0\1\0\1")
            return s.recv(1024)[7] > 0
        except OSError:
            return False


def start_rbldnsd():
    daemon = subprocess.Popen(["rbldnsd", "-n", "-u", "nobody", "-b", "127.0.0.1/%d" % port, "-c", "0", "-w", folder,
                               "dbl.example:dnset:dbl.dnset"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    atexit.register(daemon.kill)
    until("rbldnsd serves the zone", lambda: zone_lists("test"), 20)
    return daemon


def run(*arguments):
    return subprocess.run([launcher, *arguments[:1], "-c", config, *arguments[1:]], capture_output=True, text=True)


def get(path, body=None):
    request = urllib.request.Request("http://127.0.0.1:%d%s" % (gateway.http, path), body,
                                     {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=20) as answer:
        return answer.read().decode()


def verdicts(*domains):
    body = json.dumps({"items": [{"kind": "domain", "value": d} for d in domains]}).encode()
    answer = json.loads(get("/v1/check", body))
    return {i["value"]: (i["verdict"], [l["category"] for l in i["listings"]]) for i in answer["results"]}


def verdict(domain):
    return verdicts(domain)[domain]


def metric(name):
    return sum(float(line.split()[-1]) for line in get("/metrics").splitlines() if line.startswith(name + "{"))


def until(what, holds, seconds):
    start = time.time()
    while time.time() - start < seconds:
        if holds():
            expect("%s: after %.1f s" % (what, time.time() - start), True)
            return
        time.sleep(0.05)
    expect("%s: not within %d s" % (what, seconds), False)


write(zone_file, FEED)
write(feed_file, FEED.replace("odd.example :192.0.2.1:", "odd.example"))
write(os.path.join(folder, "feeds.yaml"), """
feeds:
  - { name: dbl, kind: domain, format: rbldnsd, category: spam, source: "%s", confirm: dns, zone: dbl.example,
      answers: { 127.0.0.2: phishing, 127.0.0.4: malware } }
  - { name: other, kind: domain, format: lines, category: tracking, source: "%s" }
""" % (feed_file, os.path.join(folder, "other.txt")))
write(os.path.join(folder, "other.txt"), "shared.example\n")
config = os.path.join(folder, "bloomgate.yaml")
write(config, """
snapshots: {0}/snapshots
feeds: {0}/feeds.yaml
journal: {{ directory: {0}/decisions, keys: {{ directory: {0}/keys }} }}
local: {{ directory: {0}/local }}
smtp: {{ temporary: {0}/tmp, quarantine: {0}/quarantine }}
exact:
  onUnknown: {{ default: tag, malware: tag, phishing: defer }}
  dns: {{ resolvers: ["127.0.0.1:{1}"], timeout: 300ms, selfTest: 2s }}
""".format(folder, port))
rbldnsd = start_rbldnsd()
built = run("rebuild")
expect("the zone's file is a feed: rebuild ends with %d" % built.returncode, built.returncode == 0)

listed = run("check", "domain", "www.bad.example", "malware.example", "good.example")
expect("check: %r" % listed.stdout.split("\n")[:3], listed.returncode == 1 and "dbl (phishing) bad.example" in listed.stdout
       and "dbl (malware) malware.example" in listed.stdout and "clean\tgood.example" in listed.stdout)
text = run("explain", "www.bad.example").stdout
expect("explain shows question and answer", "bad.example.dbl.example: 127.0.0.2 (TTL 60 s)" in text)

gateway = Gateway(launcher, folder, "maildir:" + os.path.join(folder, "mail"), config=config)
expect("the self-test passes", metric("bloomgate_zone_trusted") == 1)
expect("listed as the zone says", verdict("www.bad.example") == ("listed", ["phishing"]))
expect("an answer outside 127.0.0.0/8 is unresolved", verdict("odd.example")[0] == "unresolved")
before = metric("bloomgate_zone_questions_total")
for _ in range(20):
    verdicts("www.bad.example", "good.example", "also-good.example")
expect("an answer is kept, clean values ask nobody", metric("bloomgate_zone_questions_total") == before)
took = []
for n in range(100):
    start = time.perf_counter()
    if verdict("n%03d.example" % n)[0] != "listed":
        expect("n%03d.example is listed" % n, False)
    took.append(1000 * (time.perf_counter() - start))
again = []
for n in range(100):
    start = time.perf_counter()
    verdict("n%03d.example" % n)
    again.append(1000 * (time.perf_counter() - start))
mean = 1000 * metric("bloomgate_zone_latency_seconds_sum") / metric("bloomgate_zone_latency_seconds_count")
print("     a check over HTTP: median %.2f ms with a question to the zone, %.2f ms from the kept answer; question alone %.2f ms"
      % (statistics.median(took), statistics.median(again), mean))
start = time.perf_counter()
batch = verdicts(*("n%03d.example" % n for n in range(100)))
expect("100 at once: %.1f ms" % (1000 * (time.perf_counter() - start)), all(v[0] == "listed" for v in batch.values()))


def reply(domain):
    client = SmtpClient(gateway.smtp)
    answer = client.send(b"a@sender.test", b"b@dest.example", b"Subject: x\r\n\r\nhttp://%s/\r\n" % domain.encode())
    client.close()
    return answer


expect("mail with a listed link: " + reply("bad.example"), reply("bad.example").startswith("550"))
write(zone_file, FEED.replace("delisted.example\n", ""))
rbldnsd.send_signal(signal.SIGHUP)
until("rbldnsd has read its file again", lambda: not zone_lists("delisted.example"), 20)
expect("delisted in the zone alone: not listed", verdict("delisted.example")[0] == "clean")
expect("mail with a link that was delisted: " + reply("delisted.example"), reply("delisted.example").startswith("250"))

rbldnsd.send_signal(signal.SIGSTOP)
start = time.perf_counter()
first = verdict("late.example")[0]
expect("the zone is silent: unresolved after %.0f ms" % (1000 * (time.perf_counter() - start)), first == "unresolved")
rbldnsd.kill()
rbldnsd.wait()
start = time.perf_counter()
first = verdict("late.example")[0]
expect("the zone is gone: unresolved after %.0f ms" % (1000 * (time.perf_counter() - start)), first == "unresolved")
expect("what was asked before is kept for its TTL or unresolved, never clean", verdict("bad.example")[0] != "clean")
answer = reply("late.example")
expect("mail as onUnknown says: " + answer, answer.startswith("451"))
expect("another feed lists it still", verdict("shared.example") == ("listed", ["tracking"]))
until("the self-test fails", lambda: metric("bloomgate_zone_trusted") == 0, 10)
ready = get("/health/ready")
expect("readiness names the zone: " + ready[:200], "zone dbl.example" in ready and "zone-self-test" in ready)
times = []
for _ in range(30):
    start = time.perf_counter()
    verdict("late.example")
    times.append(1000 * (time.perf_counter() - start))
expect("while it fails nobody waits: median %.2f ms" % statistics.median(times), statistics.median(times) < 200)
rbldnsd = start_rbldnsd()
until("the zone is back, what it lists is listed", lambda: verdict("late.example") == ("listed", ["phishing"]), 20)
expect("readiness names nothing", "zone" not in get("/health/ready"))
rbldnsd.kill()
gateway.stop()
with open(gateway.stderr_path, encoding="utf-8") as log:
    said = [line for line in log if "self-test" in line]
print("     " + "     ".join(said).rstrip())
expect("the log names each change once: %d lines" % len(said), len(said) == 3)
sys.exit("\n".join(failures) if failures else 0)
