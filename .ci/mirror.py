#!/usr/bin/env python3
"""A gateway that follows a publisher: signed snapshots fetched and adopted, tampering refused, downloads resumed.
usage: mirror.py LAUNCHER"""
import atexit, glob, http.client, json, os, re, shutil, signal, subprocess, sys, tempfile, threading, time
import urllib.error, urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from gatewaylib import Gateway, SmtpClient

launcher = sys.argv[1]
folder = tempfile.mkdtemp(prefix="bloomgate-mirror-")
atexit.register(shutil.rmtree, folder, True)
theirs, source, feeds = (os.path.join(folder, n) for n in ("theirs", "domains.txt", "feeds.yaml"))
key, pub, other, cert, cert_key = (os.path.join(folder, n) for n in ("s.key", "s.pub", "o.key", "tls.pem", "tls.key"))
with open(feeds, "w") as out:
    out.write("feeds:\n  - { name: generated, kind: domain, format: lines, source: %s, category: phishing }\n" % source)


def run(*command, status=0):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != status:
        sys.exit("%s: status %d\n%s%s" % (command, done.returncode, done.stdout, done.stderr))
    return done.stdout


def expect(what, holds):
    if not holds:
        sys.exit("not so: " + what)
    print("ok: " + what, flush=True)


run("openssl", "genpkey", "-algorithm", "ed25519", "-out", key)
run("openssl", "genpkey", "-algorithm", "ed25519", "-out", other)
run("openssl", "pkey", "-in", key, "-pubout", "-out", pub)
run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
    "/CN=publisher", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", cert_key, "-out", cert)


def rebuild(mark, lines=1000, signing=key):
    """A generation that lists bad.example and the mark."""
    with open(source, "w") as out:
        out.write("bad.example\n%s.example\n" % mark)
        out.writelines("host%d.generated-%d.example\n" % (i, i % 5000) for i in range(lines))
    run(launcher, "rebuild", "--force", "--set", "snapshots=" + theirs, "--set", "feeds=" + feeds,
        "--set", "rebuild.signingKey=" + signing)
    with open(os.path.join(theirs, "nightly", "current")) as pointer:
        return pointer.read().strip()


class Publisher:
    """bloomgate lookup."""

    def __init__(self, name, *sets):
        self.log = os.path.join(folder, name + ".log")
        command = [launcher, "lookup"]
        for s in ["snapshots=" + theirs, "http.listen=127.0.0.1:0", "journal.directory=" + os.path.join(folder, name + "-journal"),
                  "local.directory=" + os.path.join(folder, name + "-local"), *sets]:
            command += ["--set", s]
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(command, stderr=log, stdout=subprocess.DEVNULL)
        atexit.register(self.process.kill)
        self.port = int(wait(lambda: re.search(r"ready http=\S+:(\d+)", read(self.log)), "ready line of " + name).group(1))


def read(path):
    with open(path, encoding="utf-8", errors="replace") as f:
        return f.read()


def wait(condition, what, seconds=20):
    end = time.time() + seconds
    while time.time() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.02)
    sys.exit("not within %d s: %s" % (seconds, what))


class Proxy(BaseHTTPRequestHandler):
    """Between gateway and publisher: flips an octet, or slows down and counts."""
    protocol_version = "HTTP/1.1"
    tamper, rate, ranges, octets = "", 0, [], 0

    def do_GET(self):
        upstream = http.client.HTTPConnection("127.0.0.1", publisher.port, timeout=20)
        fields = {k: v for k, v in self.headers.items() if k in ("Range", "If-Range", "If-None-Match")}
        upstream.request("GET", self.path, headers=fields)
        answer = upstream.getresponse()
        body = bytearray(answer.read())
        if "Range" in fields:
            Proxy.ranges.append((self.path, fields["Range"], answer.status))
        if Proxy.tamper and self.path.endswith(Proxy.tamper) and body:
            body[len(body) // 2] ^= 1
        self.send_response(answer.status)
        for name in ("ETag", "Content-Range", "Content-Type"):
            if answer.getheader(name):
                self.send_header(name, answer.getheader(name))
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        try:
            slow = Proxy.rate and len(body) > 1 << 20
            for at in range(0, len(body), 1 << 16):
                self.wfile.write(body[at:at + (1 << 16)])
                Proxy.octets += len(body[at:at + (1 << 16)])
                if slow:
                    time.sleep((1 << 16) / Proxy.rate)
        except OSError:
            self.close_connection = True

    def log_message(self, *_):
        pass


def gateway(name, url, *sets):
    own = os.path.join(folder, name)
    os.makedirs(own, exist_ok=True)
    return Gateway(launcher, own, "maildir:" + os.path.join(own, "mail"), "snapshots=" + os.path.join(own, "snapshots"),
                   "mirror.url=" + url, "mirror.interval=1s", "snapshotKey=" + pub, "smtp.temporary=" + own,
                   "smtp.quarantine=" + os.path.join(own, "quarantine"), "journal.directory=" + os.path.join(own, "decisions"),
                   "journal.keys.directory=" + os.path.join(own, "keys"), "local.directory=" + os.path.join(own, "local"), *sets)


def ready(g):
    try:
        with urllib.request.urlopen("http://127.0.0.1:%d/health/ready" % g.http, timeout=10) as answer:
            return json.loads(answer.read())
    except urllib.error.HTTPError as not_ready:
        return json.loads(not_ready.read())


def adopted(g, generation):
    return wait(lambda: ready(g).get("snapshot") == generation, "%s adopted; %s" % (generation, read(g.stderr_path)[-2000:]))


def refused(g, reason):
    return wait(lambda: any(reason in r["reason"] for r in ready(g).get("refused", [])), reason + " in /health/ready")


def metric(g, name):
    text = urllib.request.urlopen("http://127.0.0.1:%d/metrics" % g.http, timeout=10).read().decode()
    return float(re.search(r"^%s (\S+)" % name, text, re.M).group(1))


def mail(g, domain):
    client = SmtpClient(g.smtp)
    reply = client.send(b"a@sender.test", b"b@dest.example", b"Subject: x\r\n\r\nhttp://%s/\r\n" % domain)
    client.close()
    return reply[:3]


first = rebuild("first")
publisher = Publisher("publisher")
server = ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
proxy = "http://127.0.0.1:%d" % server.server_port

# A gateway that has nothing fetches, adopts and refuses listed mail.
g = gateway("gateway", proxy)
adopted(g, first)
expect("a gateway without a snapshot fetches and adopts", (mail(g, b"bad.example"), mail(g, b"good.test")) == ("550", "250"))
inspected = json.loads(run(launcher, "inspect", "--json", "--set", "snapshots=" + os.path.join(g.folder, "snapshots"), "--set", "snapshotKey=" + pub))
expect("inspect says whose signature verified", inspected["signature"] == "verified")

# What is new is adopted within the interval and the second of the watch.
second = rebuild("second")
began = time.time()
adopted(g, second)
took = time.time() - began
expect("a new generation is in force here after %.1f s (interval 1 s)" % took, took < 6 and mail(g, b"second.example") == "550")

# An octet changed on the way.
Proxy.tamper = "domain.bloom"
third = rebuild("third")
refused(g, "domain.bloom: SHA-256 is not what the manifest says")
expect("a changed octet is refused, named in /health/ready and the metrics, and the old snapshot stays",
       (mail(g, b"bad.example"), mail(g, b"third.example")) == ("550", "250") and metric(g, "bloomgate_mirror_faults_standing") == 1)
Proxy.tamper = "manifest.json"
refused(g, "manifest.json.sig: not the signature of manifest.json")
Proxy.tamper = ""
adopted(g, third)
expect("it is adopted when nobody changes it any more", metric(g, "bloomgate_mirror_faults_standing") == 0)
fourth = rebuild("fourth", signing=other)
refused(g, "manifest.json.sig: not the signature of manifest.json")
expect("a snapshot signed by somebody else is refused", ready(g)["snapshot"] == third)
expect("each fault is logged once", read(g.stderr_path).count("WARN") <= 4)

# kill -9 in the middle of a download.
Proxy.rate = 2 << 20
fifth = rebuild("fifth", lines=300_000)
large = max((os.path.getsize(f), f) for f in glob.glob(os.path.join(theirs, "nightly", fifth, "**"), recursive=True) if os.path.isfile(f))
incoming = os.path.join(g.folder, "snapshots", "nightly", ".incoming-" + fifth, os.path.relpath(large[1], os.path.join(theirs, "nightly", fifth)))
wait(lambda: os.path.exists(incoming) and large[0] // 3 < os.path.getsize(incoming), "a third of " + incoming, 30)
g.process.kill()
g.process.wait()
partial = os.path.getsize(incoming)
Proxy.rate, Proxy.ranges, Proxy.octets = 0, [], 0
g = gateway("gateway", proxy)
expect("after kill -9 the snapshot before is in force at once", ready(g)["snapshot"] == third)
adopted(g, fifth)
resumed = [r for r in Proxy.ranges if r[0].endswith(os.path.basename(large[1]))]
total = sum(os.path.getsize(f) for f in glob.glob(os.path.join(theirs, "nightly", fifth, "**"), recursive=True) if os.path.isfile(f))
expect("killed at octet %d of %d, the download went on with %s: %d of %d octets came a second time"
       % (partial, large[0], resumed[0][1], max(0, Proxy.octets - (total - partial)), total),
       resumed[0][1:] == ("bytes=%d-" % partial, 206) and Proxy.octets < total - partial + (1 << 20))
expect("nothing is left behind", not glob.glob(os.path.join(g.folder, "snapshots", "nightly", ".incoming-*")))

# A rollback of the publisher is followed.
run(launcher, "rollback", third, "--set", "snapshots=" + theirs)
adopted(g, third)
expect("the publisher's rollback is followed", mail(g, b"fifth.example") == "250")
g.stop()

# Over HTTPS, with the exact tier left at the publisher.
publisher_tls = Publisher("publisher-tls", "http.tls.certificate=" + cert, "http.tls.key=" + cert_key)
https = "https://127.0.0.1:%d" % publisher_tls.port
g = gateway("gateway-tls", https, "mirror.caFile=" + cert, "exact.store=http", "exact.http.urls=" + https, "exact.http.caFile=" + cert,
            "exact.deadline=5s")
adopted(g, third)
expect("over HTTPS, without the exact store: listed mail is refused by the publisher's word",
       (mail(g, b"bad.example"), mail(g, b"good.test")) == ("550", "250")
       and not os.path.exists(os.path.join(g.folder, "snapshots", "nightly", third, "exact")))
g.stop()
once = [launcher, "mirror", "--set", "snapshots=" + os.path.join(folder, "once"), "--set", "snapshotKey=" + pub, "--set", "mirror.url=" + https]
run(*once, status=3)
expect("'bloomgate mirror' without the certificate to trust has status 3", not os.path.exists(os.path.join(folder, "once", "nightly")))
expect("'bloomgate mirror' fetches once", run(*once, "--set", "mirror.caFile=" + cert).strip() == "nightly " + third)
for p in (publisher, publisher_tls):
    p.process.send_signal(signal.SIGTERM)
    p.process.wait(20)
