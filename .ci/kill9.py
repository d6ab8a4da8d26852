#!/usr/bin/env python3
"""kill -9 of a rebuild inside every stage: the gateway keeps serving the snapshot before, and the next rebuild works.
usage: kill9.py LAUNCHER [--times N]"""
import glob, json, os, random, subprocess, sys, tempfile, time, urllib.request
from gatewaylib import Gateway, SmtpClient

launcher = sys.argv[1]
times = int(sys.argv[sys.argv.index("--times") + 1]) if "--times" in sys.argv else 20
STAGES = ["read", "merge", "build", "prove", "publish"]
rnd = random.Random(5)
folder = tempfile.mkdtemp(prefix="bloomgate-kill9-")
snapshots = os.path.join(folder, "snapshots")
config, feeds, source = (os.path.join(folder, n) for n in ("bloomgate.yaml", "feeds.yaml", "domains.txt"))
with open(config, "w") as out:
    out.write("snapshots: %s\nfeeds: %s\nrebuild: { sortMemoryBytes: 16M }\n" % (snapshots, feeds))
with open(feeds, "w") as out:
    out.write("feeds:\n  - { name: generated, kind: domain, format: lines, source: %s, category: phishing }\n" % source)


def write_source(mark):
    with open(source, "w") as out:
        out.write("listed-always.example\nmark-%s.example\n" % mark)
        out.writelines("host%d.generated-%d.example\n" % (i, i % 5000) for i in range(400_000))


def rebuild():
    return subprocess.run([launcher, "rebuild", "-c", config, "--json"], capture_output=True, text=True)


def current():
    with open(os.path.join(snapshots, "nightly", "current")) as f:
        return f.read().strip()


def check(gateway, domain):
    body = json.dumps({"items": [{"kind": "domain", "value": domain}]}).encode()
    request = urllib.request.Request("http://127.0.0.1:%d/v1/check" % gateway.http, body, {"Content-Type": "application/json"})
    return json.loads(urllib.request.urlopen(request, timeout=10).read())["results"][0]["verdict"]


def unpacked_libraries():
    return set(glob.glob(os.path.join(tempfile.gettempdir(), "librocksdbjni*")))


libraries = unpacked_libraries()
write_source("first")
first = rebuild()
if first.returncode:
    sys.exit("the first rebuild failed:\n" + first.stdout + first.stderr)
seconds = {s["stage"]: s["seconds"] for s in json.loads(first.stdout)["stages"]}
print("stage seconds of an undisturbed run: %s" % seconds)
gateway = Gateway(launcher, folder, "maildir:" + os.path.join(folder, "mail"), config=config)
killed = dict.fromkeys(STAGES, 0)
attempts = 0
while min(killed.values()) < 2 or sum(killed.values()) < times:
    attempts += 1
    if attempts > times * 4:
        sys.exit("could not hit every stage twice: %s" % killed)
    stage = min(STAGES, key=lambda s: killed[s])
    before = current()
    write_source("lost-%d" % attempts)
    p = subprocess.Popen([launcher, "rebuild", "-c", config], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    for line in p.stderr:
        if line.strip().endswith(": " + stage):
            time.sleep(rnd.random() * 0.8 * seconds.get(stage, 0))
            break
    p.kill()
    rest = p.stderr.read()
    if p.wait() != -9 or any((": " + s) in rest for s in STAGES[STAGES.index(stage) + 1:]):
        continue  # It was faster: the kill came outside the stage.
    killed[stage] += 1
    print("killed in %s" % stage, flush=True)
    if current() != before:
        # Killed between the pointer and the end: the new snapshot must be whole.
        print("killed in %s after the pointer moved" % stage)
    inspect = subprocess.run([launcher, "inspect", "-c", config], capture_output=True, text=True)
    if inspect.returncode:
        sys.exit("killed in %s: the current snapshot does not verify: %s" % (stage, inspect.stderr))
    if (check(gateway, "www.listed-always.example"), check(gateway, "not-listed.example")) != ("listed", "clean"):
        sys.exit("killed in %s: the gateway answers wrongly" % stage)
    client = SmtpClient(gateway.smtp)
    reply = client.send(b"a@sender.test", b"b@dest.example", b"Subject: x\r\n\r\nhttp://listed-always.example/\r\n")
    client.close()
    if not reply.startswith("550 5.7.1"):
        sys.exit("killed in %s: the gateway answered %s" % (stage, reply))
write_source("last")
last = rebuild()
if last.returncode:
    sys.exit("the rebuild after the kills failed:\n" + last.stdout + last.stderr)
end = time.time() + 30
while check(gateway, "mark-last.example") != "listed":
    if time.time() > end:
        sys.exit("the gateway did not adopt the snapshot after the kills")
    time.sleep(0.2)
left = [f for f in os.listdir(os.path.join(snapshots, "nightly")) if f.startswith(".building")]
work = [os.path.join(d, f) for d, _, fs in os.walk(os.path.join(snapshots, ".work")) for f in fs if f != "lock"]
gateway.stop()
work += sorted(unpacked_libraries() - libraries)
if left or work:
    sys.exit("left behind: %s %s" % (left, work))
print("kill -9: %d kills in %d runs, by stage %s; the old snapshot served every time, the next rebuild worked, nothing left behind"
      % (sum(killed.values()), attempts, killed))
