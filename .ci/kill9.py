#!/usr/bin/env python3
"""kill -9 inside every stage of a rebuild, between the rename of a snapshot and its pointer, of a gateway that adopts, of
'listing add' and of 'rollback': what was in force stays whole and answers right, and the next of each kind works.
usage: kill9.py LAUNCHER [--times N]"""
import glob, hashlib, json, os, random, subprocess, sys, tempfile, time, urllib.request
from gatewaylib import Gateway, SmtpClient

launcher = sys.argv[1]
times = int(sys.argv[sys.argv.index("--times") + 1]) if "--times" in sys.argv else 20
STAGES = ["read", "merge", "build", "prove", "publish"]
KINDS = STAGES + ["before the pointer", "adoption", "listing add", "rollback"]
rnd = random.Random(5)
folder = tempfile.mkdtemp(prefix="bloomgate-kill9-")
snapshots = os.path.join(folder, "snapshots")
layer = os.path.join(snapshots, "nightly")
entries = os.path.join(folder, "local", "entries.jsonl")
temporary = os.path.join(folder, "tmp")
os.mkdir(temporary)
# What a killed process leaves in the folder for temporary files is to be told from what others have there.
os.environ["BLOOMGATE_JAVA_OPTS"] = os.environ.get("BLOOMGATE_JAVA_OPTS", "") + " -Djava.io.tmpdir=" + temporary
config, feeds, source = (os.path.join(folder, n) for n in ("bloomgate.yaml", "feeds.yaml", "domains.txt"))
with open(config, "w") as out:
    out.write("snapshots: %s\nfeeds: %s\nlocal: { directory: %s }\nrebuild: { sortMemoryBytes: 16M, keepGenerations: 1000 }\n"
              "journal: { directory: %s, keys: { directory: %s } }\n"
              % (snapshots, feeds, *(os.path.join(folder, n) for n in ("local", "decisions", "keys"))))
with open(feeds, "w") as out:
    out.write("feeds:\n  - { name: generated, kind: domain, format: lines, source: %s, category: phishing }\n" % source)


def write_source(mark):
    with open(source, "w") as out:
        out.write("listed-always.example\nmark-%s.example\n" % mark)
        out.writelines("host%d.generated-%d.example\n" % (i, i % 5000) for i in range(120_000))


def command(name, *arguments):
    # 'listing add' is a command below a command.
    return [launcher, *name.split(), "-c", config, *arguments]


def run(name, *arguments):
    return subprocess.run(command(name, *arguments), capture_output=True, text=True)


def start(name, *arguments):
    return subprocess.Popen(command(name, *arguments), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def current():
    with open(os.path.join(layer, "current")) as f:
        return f.read().strip()


def generations():
    return {d for d in os.listdir(layer) if d[0].isdigit()}


def point(generation):
    with open(os.path.join(layer, "current.tmp"), "w") as out:
        out.write(generation + "\n")
    os.rename(os.path.join(layer, "current.tmp"), os.path.join(layer, "current"))


def check(domain):
    body = json.dumps({"items": [{"kind": "domain", "value": domain}]}).encode()
    request = urllib.request.Request("http://127.0.0.1:%d/v1/check" % gateway.http, body, {"Content-Type": "application/json"})
    return json.loads(urllib.request.urlopen(request, timeout=10).read())["results"][0]["verdict"]


def adopted(mark):
    end = time.time() + 30
    while check("mark-%s.example" % mark) != "listed":
        if time.time() > end:
            sys.exit("the gateway did not adopt the snapshot with mark %s" % mark)
        time.sleep(0.1)


def kill(process):
    """Whether it was still alive."""
    process.kill()
    return process.wait() == -9


def killed_in_stage(stage, number):
    write_source("lost-%d" % number)
    process = start("rebuild")
    for line in process.stderr:
        if line.strip().endswith(": " + stage):
            time.sleep(rnd.random() * 0.8 * seconds.get(stage, 0))
            break
    alive = kill(process)
    rest = process.stderr.read()
    # Otherwise it was faster, and the kill came outside the stage.
    return alive and not any((": " + s) in rest for s in STAGES[STAGES.index(stage) + 1:])


def killed_before_the_pointer(number):
    """Between the rename of the finished snapshot and that of the pointer."""
    write_source("lost-%d" % number)
    there, before = generations(), current()
    process = start("rebuild")
    while process.poll() is None and generations() == there:
        pass
    return kill(process) and generations() != there and current() == before


def killed_in_adoption(number):
    """The gateway, from the moment the pointer moved until after the swap."""
    global gateway
    mark = rnd.choice(sorted(set(good) - {next((m for m in good if good[m] == current()), "")}))
    point(good[mark])
    time.sleep(rnd.random() * 1.5)
    kill(gateway.process)
    gateway = serve()
    if "snapshot=" + good[mark] not in open(gateway.stderr_path).read() or check("mark-%s.example" % mark) != "listed":
        sys.exit("killed in adoption: it does not start on the snapshot that is current, %s" % good[mark])
    return True


def when_seen(file, process):
    """Waits for the temporary file of a change, every other time; otherwise for any moment of the command."""
    if rnd.random() < 0.5:
        time.sleep(rnd.random() * 0.7)
    else:
        while process.poll() is None and not os.path.exists(file):
            pass


def killed_in_listing(number):
    process = start("listing add", "domain", "added-%d.example" % number)
    when_seen(entries + ".tmp", process)
    alive = kill(process)
    with open(entries, "rb") as f:
        first, body = f.read().split(b"\n", 1)
    if first.split()[-1].decode() != hashlib.sha256(body).hexdigest() or b"mine.example" not in body:
        sys.exit("killed in 'listing add': the file is not whole")
    return alive


def killed_in_rollback(number):
    before = current()
    to = rnd.choice(sorted(set(good.values()) - {before}))
    process = start("rollback", to)
    when_seen(os.path.join(layer, "current.tmp"), process)
    alive = kill(process)
    if current() not in (before, to):
        sys.exit("killed in rollback: the pointer is at %s" % current())
    return alive


def serve():
    return Gateway(launcher, folder, "maildir:" + os.path.join(folder, "mail"), config=config)


def right(kind):
    inspect = run("inspect")
    if inspect.returncode:
        sys.exit("killed in %s: the current snapshot does not verify: %s" % (kind, inspect.stderr))
    told = [check(d) for d in ("www.listed-always.example", "mine.example", "not-listed.example")]
    if told != ["listed", "listed", "clean"]:
        sys.exit("killed in %s: the gateway answers %s" % (kind, told))
    client = SmtpClient(gateway.smtp)
    replies = [client.send(b"a@sender.test", b"b@dest.example", b"Subject: x\r\n\r\nhttp://%s/\r\n" % host)
               for host in (b"listed-always.example", b"not-listed.example")]
    client.close()
    if not (replies[0].startswith("550 5.7.1") and replies[1].startswith("250")):
        sys.exit("killed in %s: the gateway answered %s" % (kind, replies))


good = {}
for mark in ("first", "second"):
    write_source(mark)
    done = run("rebuild", "--json")
    if done.returncode:
        sys.exit("the %s rebuild failed:\n%s%s" % (mark, done.stdout, done.stderr))
    good[mark] = current()
seconds = {s["stage"]: s["seconds"] for s in json.loads(done.stdout)["stages"]}
print("stage seconds of an undisturbed run: %s" % seconds)
if run("listing add", "domain", "mine.example").returncode:
    sys.exit("listing add failed")
gateway = serve()
killed, moved, attempts = dict.fromkeys(KINDS, 0), 0, 0
began = time.time()
while min(killed.values()) < min(2, times // len(KINDS)) or sum(killed.values()) < times:
    attempts += 1
    if attempts > times * 4:
        sys.exit("could not hit everything: %s" % killed)
    kind = min(KINDS, key=lambda k: killed[k])
    before = current()
    hit = {"before the pointer": killed_before_the_pointer, "adoption": killed_in_adoption, "listing add": killed_in_listing,
           "rollback": killed_in_rollback}.get(kind, lambda number: killed_in_stage(kind, number))(attempts)
    if hit:
        killed[kind] += 1
        moved += kind == "publish" and current() != before
        right(kind)
        print("%3d in %4.0f s: %s" % (sum(killed.values()), time.time() - began, kind), flush=True)
for kind, count in killed.items():
    print("  %-20s %3d kills" % (kind, count))
write_source("last")
last = run("rebuild")
if last.returncode:
    sys.exit("the rebuild after the kills failed:\n" + last.stdout + last.stderr)
adopted("last")
for done in (run("listing add", "domain", "last.example"), run("rollback", good["first"])):
    if done.returncode:
        sys.exit("after the kills: " + done.stderr)
adopted("first")
left = [f for f in os.listdir(layer) if f.startswith((".building", ".retired"))]
work = [os.path.join(d, f) for d, _, fs in os.walk(os.path.join(snapshots, ".work")) for f in fs if f != "lock"]
gateway.stop()
work += glob.glob(os.path.join(temporary, "librocksdbjni*"))
if left or work:
    sys.exit("left behind: %s %s" % (left, work))
print("kill -9: %d kills in %d runs, %.0f s; in publish %d came after the pointer had moved; what was in force stayed whole and"
      " answered right every time, the next of each kind worked, nothing left behind" % (sum(killed.values()), attempts, time.time() - began, moved))
