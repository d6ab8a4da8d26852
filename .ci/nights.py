#!/usr/bin/env python3
"""Days of real lists as nightly rebuilds, then everything that can be wrong with a feed, injected one by one: what FEEDS.md
says happens, and no mail is judged differently because of it.
usage: nights.py LAUNCHER SHARED"""
import glob, http.server, json, os, re, shutil, subprocess, sys, tempfile, threading, time, urllib.request
from gatewaylib import Gateway

launcher, shared = sys.argv[1:3]
data = os.path.join(shared, "data", "feeds")
folder = tempfile.mkdtemp(prefix="bloomgate-nights-")
config, feeds = os.path.join(folder, "bloomgate.yaml"), os.path.join(folder, "feeds.yaml")
window, phish, extra = (os.path.join(folder, n) for n in ("urlhaus-online", "openphish", "extra"))
bad = []


class Web(http.server.SimpleHTTPRequestHandler):
    """Serves the folder; answers If-Modified-Since."""
    answered = []

    def __init__(self, *arguments):
        super().__init__(*arguments, directory=folder)

    def log_request(self, code="-", size="-"):
        Web.answered.append(int(code))

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Web)
threading.Thread(target=server.serve_forever, daemon=True).start()
with open(config, "w") as out:
    out.write("snapshots: %s/snapshots\nfeeds: %s\n" % (folder, feeds))


def configure(more="", extra_options=""):
    with open(feeds, "w") as out:
        out.write("feeds:\n")
        out.write('  - { name: urlhaus-online, kind: domain, format: lines, category: malware, retention: 7d, source: "http://127.0.0.1:%d/urlhaus-online" }\n' % server.server_address[1])
        out.write("  - { name: openphish, kind: url, format: lines, category: phishing, retention: 14d, source: %s }\n" % phish)
        out.write("  - { name: extra, kind: domain, format: lines, source: %s%s }\n%s" % (extra, extra_options, more))


def rebuild(*options):
    result = subprocess.run([launcher, "rebuild", "-c", config, "--json", *options], capture_output=True, text=True)
    reports = [json.loads(l) for l in result.stdout.splitlines()]
    if len(reports) != 1:
        sys.exit("rebuild ended with %d:\n%s" % (result.returncode, result.stderr))
    return result.returncode, reports[0]


def expect(what, holds):
    if not holds:
        bad.append(what)


def current():
    with open(os.path.join(folder, "snapshots", "nightly", "current")) as f:
        return f.read().strip()


def ask(path, body=None):
    request = urllib.request.Request("http://127.0.0.1:%d%s" % (gateway.http, path), body and json.dumps(body).encode(),
                                     {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def verdicts():
    """What a gateway judges mail by, once it has adopted what is current: names and links of all days, and of nobody."""
    end = time.time() + 60
    while ask("/health/ready")["snapshot"] != current():
        if time.time() > end:
            sys.exit("the gateway did not adopt %s" % current())
        time.sleep(0.1)
    items = [{"kind": "domain", "value": n} for n in names] + [{"kind": "url", "value": l} for l in links]
    answers = []
    for i in range(0, len(items), 1000):
        answers += [(a["value"], a["verdict"]) for a in ask("/v1/check", {"items": items[i:i + 1000]})["results"]]
    return answers


days = sorted(glob.glob(data + "/urlhaus-online-daily/*.txt"))
phishing = sorted(glob.glob(data + "/openphish-daily/*.txt"))
with open(extra, "w") as out:
    out.writelines("extra-%d.example\n" % i for i in range(200))
configure()
print("%-10s %-14s %6s %8s %8s %8s %8s %8s %s" % ("night", "feed", "exit", "lines", "before", "added", "removed", "retained", "gates"))
lines_of = lambda path: [l.strip() for l in open(path, encoding="utf-8", errors="replace") if l.strip() and not l.startswith("#")]
seen = {"urlhaus-online": {}, "openphish": {}}
for night, day in enumerate(days):
    shutil.copyfile(day, window)
    os.utime(window, (1e9 + night * 86400,) * 2)
    shutil.copyfile(phishing[night], phish)
    status, report = rebuild()
    changes = {c["feed"]: c for c in report["changes"]}
    for feed in report["feeds"][:2]:
        c = changes[feed["name"]]
        print("%-10s %-14s %6d %8d %8d %8d %8d %8d %s" % (os.path.basename(day)[:10], feed["name"], status, feed["counts"]["lines"],
              c["before"], c["added"], c["removed"], c["retained"], feed["failure"] or report["closedGate"] or "open"))
    expect("night %d: exit %d" % (night, status), status == 0 and report["outcome"] == "published")
    expect("night %d: a listing went although it is retained" % night, all(changes[f]["removed"] == 0 for f in seen))
names = sorted(set(n for d in days for n in lines_of(d)))[::9] + ["absent-%d.example" % i for i in range(500)]
links = [l for p in phishing[:len(days)] for l in lines_of(p)][::5]
gateway = Gateway(launcher, folder, "maildir:" + os.path.join(folder, "mail"), config=config)
good = verdicts()
print("%d names and links asked about, %d listed" % (len(good), sum(v == "listed" for _, v in good)))
expect("nothing of the nights is listed", sum(v == "listed" for _, v in good) > 1000)

status, report = rebuild()
expect("the web server was not asked for changes: %s" % Web.answered, Web.answered[-1] == 304 and report["feeds"][0]["from"] == "not-modified")
print("a ninth night without news: exit %d, urlhaus-online %s" % (status, report["feeds"][0]["from"]))
with open(window, "rb") as f:
    whole = f.read()


def restore():
    with open(window, "wb") as out:
        out.write(whole)
    os.utime(window, (1e9 + 20 * 86400,) * 2)
    configure()


def inject(what, content, exit_status, outcome, words, same=True, options=""):
    """Something wrong with a feed; then the verdicts of before."""
    before = current()
    restore()
    if content is not None:
        with open(window, "wb") as out:
            out.write(content)
    else:
        os.remove(window)
    if options:
        configure(extra_options=options)
    status, report = rebuild()
    feed = report["feeds"][0]
    said = "%s %s" % (feed["failure"] or "", report["closedGate"] or "")
    said += " ".join(h["reason"] + " " + h["excerpt"] for f in report["feeds"] for h in f["held"])
    after = verdicts()
    differing = sum(a != b for a, b in zip(good, after)) if len(good) == len(after) else len(good)
    print("%-22s exit %d, %s, urlhaus-online from %s, %d verdicts differ: %s" % (
        what, status, report["outcome"], feed["from"], differing, said.strip()[:150]))
    expect("%s: exit %d, %s, '%s', %d verdicts differ" % (what, status, report["outcome"], said, differing),
           status == exit_status and report["outcome"] == outcome and words in said and (not same or differing == 0))
    expect("%s: the pointer moved" % what, (current() == before) == (outcome == "gate-closed"))


partly = "published-with-failed-feeds"
inject("truncated", whole[:len(whole) // 4], 1, partly, "shrank from")
inject("empty", b"", 1, partly, "is empty")
inject("HTML error page", b"<!DOCTYPE html>\n<html><body>503 Service Unavailable</body></html>\n", 1, partly, "HTML")
inject("gone from its server", None, 1, partly, "status 404")
inject("JSON instead of lines", json.dumps([{"host": "x.example"}]).encode(), 1, partly, "JSON")
inject("half of it garbage", whole + b"/[a-z]+/\n" * 9000, 1, partly, "lines rejected")
inject("google.com in it", whole + b"google.com\ncom\nmail.google.com\n", 0, "published", "google.com")
with open(extra, "a") as out:
    out.write("google.com\n")
inject("a canary, trusted", whole, 1, "gate-closed", "canary google.com is listed by feed extra", options=", trusted: true")
with open(extra, "w") as out:
    out.writelines("extra-%d.example\n" % i for i in range(30_000))
inject("total change", whole, 1, "gate-closed", "maxChangeShare")

restore()
status, report = rebuild("--dry-run")
expect("a dry run does not tell what would close", status == 1 and "maxChangeShare" in (report["closedGate"] or ""))
status, report = rebuild("--force")
print("the same, forced: exit %d, %s: %s" % (status, report["outcome"], "; ".join(report["forced"])))
expect("force does not publish and say so: %s" % report["outcome"], status == 0 and report["forced"])
with open(extra, "w") as out:
    out.writelines("extra-%d.example\n" % i for i in range(29_990))
status, report = rebuild("--dry-run")
change = {c["feed"]: c for c in report["changes"]}["extra"]
expect("a dry run does not show what changes: %s" % change, status == 0 and change["removed"] == 10 and change["removedKeys"])
before = current()
rolled = subprocess.run([launcher, "rollback", "-c", config], capture_output=True, text=True)
expect("no rollback: " + rolled.stderr, rolled.returncode == 0 and current() < before)
kept = len([g for g in os.listdir(os.path.join(folder, "snapshots", "nightly")) if re.match(r"\d{8}T", g)])
expect("%d generations kept" % kept, kept == 3)
print("rolled back to %s, %d generations kept" % (current(), kept))
gateway.stop()
server.shutdown()
shutil.rmtree(folder)
print("\n".join(bad) or "nights: published night by night, every gate as FEEDS.md says, no verdict changed")
sys.exit(1 if bad else 0)
