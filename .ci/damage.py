#!/usr/bin/env python3
"""Full disks and flipped bits: never a wrong answer, never an unusable state.

A bit is flipped in every file of a snapshot (begin, middle, end; the manifest all over), files are cut short, emptied and
taken away: a running gateway refuses each by name and keeps the snapshot before, one that starts is not ready. The same in
last good copies, the keys of recent mail and local entries. Then every folder of the product on a full disk.
usage: damage.py LAUNCHER"""
import atexit, glob, hashlib, json, os, random, re, shutil, subprocess, sys, tempfile, time, urllib.error, urllib.request
from gatewaylib import Gateway, SmtpClient

launcher = sys.argv[1]
rnd = random.Random(9)
folder = tempfile.mkdtemp(prefix="bloomgate-damage-")
bad = []


def path(*names):
    return os.path.join(folder, *names)


def expect(what, holds):
    if not holds:
        bad.append(what)
        print("NOT SO: " + what, flush=True)


def configure(name, **folders):
    """A configuration whose folders are below the test's own, but for those that are given."""
    at = {k: folders.get(k, path(name + "-" + k)) for k in ("snapshots", "decisions", "keys", "local", "tmp", "quarantine")}
    with open(path(name + ".yaml"), "w") as out:
        out.write("snapshots: %(snapshots)s\njournal: { directory: %(decisions)s, keys: { directory: %(keys)s } }\n"
                  "local: { directory: %(local)s }\n"
                  "smtp: { temporary: %(tmp)s, quarantine: %(quarantine)s, memoryBytesPerMessage: 16k }\n"
                  "policy: { recipients: { quarantine.example: { listed: quarantine } } }\n"
                  "rebuild: { sortMemoryBytes: 16M, maxChangeShare: 1000 }\n" % at)
        out.write("feeds: %s\n" % path("feeds.yaml"))
    return path(name + ".yaml")


def lists(*entries, generated=0):
    with open(path("domains.txt"), "w") as out:
        out.writelines(e + "\n" for e in entries)
        out.writelines("h%d.generated-%d.example\n" % (i, i % 997) for i in range(generated))


def bloomgate(config, *command):
    return subprocess.run([launcher, command[0], "-c", config, *command[1:]] if command[0] not in ("listing", "exception")
                          else [launcher, *command[:2], "-c", config, *command[2:]], capture_output=True, text=True)


def http(gateway, where, body=None):
    request = urllib.request.Request("http://127.0.0.1:%d%s" % (gateway.http, where), body, {"Content-Type": "application/json"})
    try:
        return urllib.request.urlopen(request, timeout=10).read().decode()
    except urllib.error.HTTPError as e:
        return e.read().decode()


def verdicts(gateway, *domains):
    body = json.dumps({"items": [{"kind": "domain", "value": d} for d in domains]}).encode()
    return [r["verdict"] for r in json.loads(http(gateway, "/v1/check", body))["results"]]


def metric(gateway, name):
    found = re.search(r"^%s(?:\{[^}]*\})? ([\d.eE+]+)" % name, http(gateway, "/metrics"), re.M)
    return float(found.group(1)) if found else 0.0


def mail(gateway, link, size=0, recipient=b"to@dest.example"):
    client = SmtpClient(gateway.smtp)
    reply = client.send(b"from@sender.test", recipient, b"Subject: x\r\n\r\nhttp://%s/\r\n" % link + b"0123456789\r\n" * (size // 12))
    client.close()
    return reply


def right(gateway, when, mails=True):
    expect("%s: the old snapshot answers: %s" % (when, verdicts(gateway, "old.example", "www.old.example", "new.example", "clean.example")),
           verdicts(gateway, "old.example", "www.old.example", "new.example", "clean.example") == ["listed", "listed", "clean", "clean"])
    if mails:
        refused, taken = mail(gateway, b"www.old.example"), mail(gateway, b"clean.example")
        expect("%s: mail is judged by it: %s, %s" % (when, refused, taken), refused.startswith("550 5.7.1") and taken.startswith("250"))


def damages(whole, places):
    """(name, octets after it; None for a file that is gone)"""
    for at in places:
        octets = bytearray(whole)
        octets[at] ^= 1 << rnd.randrange(8)
        yield "bit in octet %d" % at, bytes(octets)
    for name, octets in (("cut to a half", whole[:len(whole) // 2]), ("one octet less", whole[:-1]), ("one octet more", whole + b"\n"),
                         ("emptied", b""), ("taken away", None)):
        if octets != whole:
            yield name, octets


def write(file, octets):
    if octets is None:
        os.remove(file)
    else:
        with open(file, "wb") as out:
            out.write(octets)


def read(file):
    with open(file, "rb") as f:
        return f.read()


def as_other(snapshot, layer, generation, to):
    """A copy of the snapshot as if it had been published as another one: the manifest's last field seals it."""
    shutil.copytree(snapshot, to)
    text = read(os.path.join(to, "manifest.json")).decode()
    own = json.loads(text)
    text = text.replace('"layer" : "%s"' % own["layer"], '"layer" : "%s"' % layer).replace(own["generation"], generation)
    unsealed = text.replace(own["sha256"], "0" * 64)
    write(os.path.join(to, "manifest.json"), unsealed.replace("0" * 64, hashlib.sha256(unsealed.encode()).hexdigest()).encode())


def point(root, layer, generation):
    beside = os.path.join(root, layer, "current.tmp")
    write(beside, (generation + "\n").encode())
    os.rename(beside, os.path.join(root, layer, "current"))


def files_of(directory):
    return sorted(os.path.relpath(f, directory) for f in glob.glob(directory + "/**", recursive=True) if os.path.isfile(f))


def refused(gateway, cases, generation):
    """The reason by case, once all are in the log."""
    end = time.time() + 60
    while True:
        with open(gateway.stderr_path, encoding="utf-8") as log:
            found = dict(re.findall(r"snapshot case-(\d+)/%s refused, the one before stays: (.*)" % generation, log.read()))
        if len(found) == cases or time.time() > end:
            return found
        time.sleep(0.2)


def flipped_snapshots():
    """Each damage in a layer of its own, so that one look of the gateway meets them all."""
    config, root = configure("bits"), path("bits-snapshots")
    for entry, to in (("old.example", path("old")), ("new.example", path("new"))):
        lists(entry)
        result = bloomgate(config, "rebuild")
        expect("rebuild: " + result.stderr, result.returncode == 0)
        os.rename(os.path.join(root, "nightly", read(os.path.join(root, "nightly", "current")).decode().strip()), to)
    names, cases = files_of(path("new")), []
    for name in names:
        whole = read(path("new", name))
        last = len(whole) - 1
        places = range(0, last + 1, last // 24) if name == "manifest.json" else sorted({0, last // 2, last})
        cases += [(name, *damage) for damage in damages(whole, places)]
    before, after = "20260101T000000Z-0001", "20260102T000000Z-0002"
    layers = ["case-%d" % i for i in range(len(cases))] + ["whole"]
    for layer in layers:
        as_other(path("old"), layer, before, os.path.join(root, layer, before))
        as_other(path("new"), layer, after, os.path.join(root, layer, after))
        point(root, layer, before)
    for layer, (name, _, octets) in zip(layers, cases):
        write(os.path.join(root, layer, after, name), octets)
    shutil.rmtree(os.path.join(root, "nightly"))

    gateway = Gateway(launcher, folder, "maildir:" + path("mail"), config=config)
    right(gateway, "before the damage")
    for layer in layers[:-1]:
        point(root, layer, after)
    reasons = refused(gateway, len(cases), after)
    for i, (name, what, _) in enumerate(cases):
        expect("%s, %s: refused by name, not %r" % (name, what, reasons.get(str(i))), name in reasons.get(str(i), ""))
    right(gateway, "after %d damaged snapshots" % len(cases))
    point(root, "whole", after)
    gateway.wait_for_line("snapshot whole/%s adopted" % after)
    expect("one that is whole is adopted", verdicts(gateway, "old.example", "new.example") == ["listed", "listed"])
    gateway.stop()

    point(root, "whole", before)
    gateway = Gateway(launcher, folder, "maildir:" + path("mail"), config=config)
    right(gateway, "started with one whole layer among the damaged")
    gateway.stop()
    shutil.rmtree(os.path.join(root, "whole"))
    gateway = Gateway(launcher, folder, "maildir:" + path("mail"), config=config)
    expect("started with nothing whole: the ready line says none", "snapshot=none" in open(gateway.stderr_path).read())
    ready = json.loads(http(gateway, "/health/ready"))
    expect("it is not ready: %s" % str(ready)[:200], ready.get("status") == 503)
    told = verdicts(gateway, "old.example", "clean.example")
    expect("it cannot say: %s" % told, told == ["unresolved", "unresolved"])
    reply = mail(gateway, b"old.example")
    expect("mail is not refused for good: " + reply, reply[:1] in "24")
    gateway.stop()
    print("snapshots: %d damages in %d files (%d of them bits, %d in the manifest), each refused by the file's name"
          % (len(cases), len(names), sum(w.startswith("bit") for _, w, _ in cases),
             sum(n == "manifest.json" and w.startswith("bit") for n, w, _ in cases)), flush=True)

    nightly = os.path.join(root, "nightly")
    for generation, source in ((before, "old"), (after, "new"), ("20260103T000000Z-0003", "new")):
        as_other(path(source), "nightly", generation, os.path.join(nightly, generation))
    point(root, "nightly", "20260103T000000Z-0003")
    damaged = os.path.join(nightly, after, "domain.bloom")
    write(damaged, next(damages(read(damaged), [4096]))[1])
    result = bloomgate(config, "rollback")
    expect("rollback to a damaged one is refused by name: %d %s" % (result.returncode, result.stderr),
           result.returncode == 2 and "domain.bloom" in result.stderr
           and read(os.path.join(nightly, "current")) == b"20260103T000000Z-0003\n")
    result = bloomgate(config, "rollback", before)
    expect("rollback to a whole one: " + result.stderr, result.returncode == 0 and read(os.path.join(nightly, "current")) == before.encode() + b"\n")


def flipped_copies():
    """A feed for each damage, all of whose sources are gone: what cannot be trusted is left out and named."""
    config, copies = configure("copies"), path("copies-snapshots", ".feeds")
    sample = b"one.example\ntwo.example\nthree.example\n"
    ways = [way for way, _ in damages(sample, [0, 19, len(sample) - 1]) if way != "one octet more"]
    names = ["f%d-%s" % (i, part) for i in range(len(ways)) for part in ("copy", "note")] + ["whole"]
    with open(path("feeds.yaml"), "w") as out:
        out.write("feeds:\n" + "".join("  - { name: %s, kind: domain, format: lines, source: %s, category: phishing }\n" % (n, path(n)) for n in names))
    for n in names:
        write(path(n), sample.replace(b".example", b".%s.example" % n.encode()))
    expect("rebuild of copies", bloomgate(config, "rebuild").returncode == 0)
    harmless = []
    for n in names:
        os.remove(path(n))
        if n != "whole":
            file = glob.glob(os.path.join(copies, n + "@*"))[0] if n.endswith("copy") else os.path.join(copies, n)
            whole = read(file)
            at = 0 if n.endswith("copy") else whole.index(b"fetchedAt")
            changed = list(damages(whole, [at, at + 12, len(whole) - 2]))
            what, octets = changed[int(re.search(r"\d+", n).group()) % len(changed)]
            write(file, octets)
            if n.endswith("note") and what.startswith("one octet"):
                harmless.append(n)  # A line end of a note more or less.
    result = bloomgate(config, "rebuild", "--json")
    report = json.loads(result.stdout)
    failed = {f["name"]: f for f in report["feeds"]}
    expect("status 1: %d %s" % (result.returncode, result.stderr), result.returncode == 1)
    for n in names[:-1]:
        expect("%s is left out and named, or says what it said: %s" % (n, failed[n]), n in harmless
               or failed[n]["from"] == "nothing" and "damaged" in str(failed[n]["failure"]))
    expect("the whole copy is used: %s" % failed["whole"], failed["whole"]["from"] == "last-good-copy")
    expect("nothing is listed that was not: %s" % report["changes"], all(c["added"] == 0 for c in report["changes"]))
    print("last good copies: %d damages, each left out and named" % (len(names) - 1), flush=True)


def flipped_records():
    """Keys of recent mail: what is found is true, and what cannot be read is told."""
    config, keys = configure("records"), path("records-keys")
    one_feed()
    lists("other.example")
    bloomgate(config, "rebuild")
    gateway = Gateway(launcher, folder, "maildir:" + path("mail"), config=config)
    for i in range(12):
        mail(gateway, b"late.example" if i % 2 else b"clean.example")
        time.sleep(0.08)  # a block of its own for each
    time.sleep(0.3)
    gateway.stop()
    lists("other.example", "late.example")
    bloomgate(config, "rebuild")
    result = bloomgate(config, "retro", "--json")
    expect("retro finds 6: %s" % result.stderr, result.returncode == 1 and len(result.stdout.splitlines()) == 6)
    truth = {json.loads(line)["token"] for line in result.stdout.splitlines()}
    told = 0
    for file in sorted(glob.glob(keys + "/*.keys")) + [os.path.join(keys, "installation.key")]:
        whole = read(file)
        for what, octets in damages(whole, [0, len(whole) // 2]):
            if what.startswith("one octet") or octets == b"":
                continue
            write(file, octets)
            result = bloomgate(config, "retro", "--json")
            found = {json.loads(line)["token"] for line in result.stdout.splitlines()}
            when = "%s, %s" % (os.path.basename(file), what)
            expect("%s: only what is true" % when, found <= truth)
            expect("%s: one line, no trace: %s" % (when, result.stderr), "\tat " not in result.stderr and result.returncode in (0, 1, 2, 3))
            cut = what in ("cut to a half", "taken away")
            expect("%s: what is missing is told: %d %s" % (when, result.returncode, result.stderr),
                   found == truth or (cut and file.endswith(".keys")) or result.returncode in (2, 3) or "there may be more" in result.stderr)
            told += 1
            write(file, whole)
    print("keys of recent mail: %d damages, nothing invented" % told, flush=True)


def named(gateway, wanted):
    """Whether the status comes to name the file, or to name it no more."""
    end = time.time() + 5
    while ("entries.jsonl" in http(gateway, "/health/ready")) != wanted:
        if time.time() > end:
            return False
        time.sleep(0.05)
    return True


def flipped_entries():
    config, file = configure("local"), path("local-local", "entries.jsonl")
    os.rename(path("bits-snapshots"), path("local-snapshots"))
    for command in (("listing", "add", "domain", "mine.example"), ("exception", "add", "domain", "old.example")):
        result = bloomgate(config, *command)
        expect("%s: %s" % (command, result.stderr), result.returncode == 0)
    gateway = Gateway(launcher, folder, "maildir:" + path("mail"), config=config)
    whole, tried = read(file), 0
    expect("in force", verdicts(gateway, "mine.example", "old.example") == ["listed", "clean"])
    for what, octets in damages(whole, [20, len(whole) - 1]):
        write(file, octets)
        expect("local entries, %s: the status names them" % what, named(gateway, True))
        told = verdicts(gateway, "mine.example", "old.example")
        expect("local entries, %s: in force as before: %s" % (what, told), told == ["listed", "clean"])
        tried += 1
        if what.startswith("bit in octet 20") or octets in (b"", None):
            result = bloomgate(config, "listing", "add", "domain", "more.example")
            expect("local entries, %s: no command writes another: %d %s" % (what, result.returncode, result.stderr),
                   result.returncode == 2 and "entries.jsonl" in result.stderr and (read(file) if os.path.exists(file) else None) == octets)
        write(file, whole)
        expect("local entries: whole again", named(gateway, False))
    gateway.stop()
    print("local entries: %d damages, in force as before" % tried, flush=True)


class Disk:
    """A small file system of its own; without the right to mount, a bound on the size of any file stands for it."""
    BYTES = 16 << 20

    def __init__(self):
        self.at = path("disk")
        os.mkdir(self.at)
        self.mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=%d" % self.BYTES, "none", self.at], capture_output=True).returncode == 0
        if self.mounted:
            atexit.register(subprocess.run, ["umount", "-l", self.at])
        print("full disk: " + ("a tmpfs of %d MiB" % (self.BYTES >> 20) if self.mounted else "no right to mount, RLIMIT_FSIZE instead"), flush=True)

    def fill(self, left=0):
        self.free()
        with open(os.path.join(self.at, "filler"), "wb", buffering=0) as out:
            room = os.statvfs(self.at)
            out.write(b"x" * max(0, room.f_bavail * room.f_frsize - left))

    def free(self):
        if os.path.exists(os.path.join(self.at, "filler")):
            os.remove(os.path.join(self.at, "filler"))


def full_disk():
    disk = Disk()
    if not disk.mounted:
        return bounded_files()
    full_rebuild(disk)
    full_gateway(disk)


def one_feed():
    with open(path("feeds.yaml"), "w") as out:
        out.write("feeds:\n  - { name: test, kind: domain, format: lines, source: %s, category: phishing }\n" % path("domains.txt"))


def full_rebuild(disk):
    root = os.path.join(disk.at, "snapshots")
    config = configure("full", snapshots=root)
    one_feed()
    lists("old.example", generated=20_000)
    expect("rebuild on the small disk", bloomgate(config, "rebuild").returncode == 0)
    gateway = Gateway(launcher, folder, "maildir:" + path("mail"), config=config)
    old, ended = read(os.path.join(root, "nightly", "current")), []
    lists("new.example", generated=20_000)
    elsewhere = ("--set", "rebuild.tempDirectory=" + path("temp"))  # or else the sort is what meets the end
    for left, options in [(k << 10, ()) for k in (0, 1000)] + [(k << 10, elsewhere) for k in (100, 600, 2000, 5000)]:
        disk.fill(left)
        result = bloomgate(config, "rebuild", *options)
        stage = re.findall(r"^rebuild nightly: (\w+)", result.stderr, re.M)[-1:]
        ended.append((left >> 10, result.returncode, *stage, result.stderr.strip().splitlines()[-1][:100]))
        if result.returncode == 0:
            break
        expect("full disk, %d KiB left: status 3 and a reason: %d %s" % (left >> 10, result.returncode, result.stderr[-600:]),
               result.returncode == 3 and re.search(r"No space left|are free", result.stderr) is not None and "\tat " not in result.stderr)
        expect("full disk, %d KiB left: the pointer stays" % (left >> 10), read(os.path.join(root, "nightly", "current")) == old)
        right(gateway, "full disk, %d KiB left" % (left >> 10), mails=left == 0)
        expect("full disk, %d KiB left: nothing half made stays: %s" % (left >> 10, leftovers(root)), not leftovers(root))
    disk.free()
    for kib, code, stage, said in ended:
        print("  rebuild with %4d KiB left: status %d in stage %-7s  %s" % (kib, code, stage, said))
    result = bloomgate(config, "rebuild")
    expect("with room the rebuild works: " + result.stderr, result.returncode == 0)
    gateway.wait_for_line("snapshot nightly/%s adopted" % read(os.path.join(root, "nightly", "current")).decode().strip())
    expect("and is adopted", verdicts(gateway, "old.example", "new.example") == ["clean", "listed"])
    expect("nothing is left behind: %s" % leftovers(root), not leftovers(root))
    gateway.stop()
    expect("several stages met the full disk", len(ended) >= 4)

    shutil.rmtree(root)
    config = configure("fulltemp")
    lists("old.example")
    bloomgate(config, "rebuild")
    lists("new.example", generated=20_000)
    disk.fill()
    result = bloomgate(config, "rebuild", "--set", "rebuild.tempDirectory=" + os.path.join(disk.at, "temp"))
    expect("full temporary folder: status 3 and a reason: %d %s" % (result.returncode, result.stderr),
           result.returncode == 3 and "No space left" in result.stderr)
    disk.free()


def leftovers(root):
    return [f for f in glob.glob(root + "/*/.[br]*") + glob.glob(root + "/.work/**", recursive=True) if os.path.isfile(f) and not f.endswith("/lock")
            or "/.building" in f or "/.retired" in f]


def full_gateway(disk):
    below = lambda name: os.path.join(disk.at, name)
    config = configure("gateway", **{n: below(n) for n in ("decisions", "keys", "local", "tmp", "quarantine")})
    one_feed()
    lists("old.example")
    bloomgate(config, "rebuild")
    expect("listing", bloomgate(config, "listing", "add", "domain", "mine.example").returncode == 0)
    gateway = Gateway(launcher, folder, "maildir:" + path("mail"), config=config)
    large = lambda: mail(gateway, b"clean.example", 200_000)
    kept = lambda: mail(gateway, b"old.example", recipient=b"to@quarantine.example")
    expect("before: " + large(), large().startswith("250") and kept().startswith("250"))
    entries = read(below("local/entries.jsonl"))
    disk.fill()
    full = replies = [large(), kept()]
    expect("full spool: 452, full quarantine: 4yz: %s" % replies, replies[0].startswith("452") and replies[1].startswith("4"))
    for i in range(400):
        right(gateway, "full journal", mails=i == 0)
        reply = mail(gateway, b"clean.example")
        expect("full journal: mail goes on: " + reply, reply.startswith("250"))
        dropped = [metric(gateway, "bloomgate_journal_%sdropped_total" % n) for n in ("", "keys_")]
        if all(dropped):
            break
    expect("what the journals could not keep is counted: %s after %d mails" % (dropped, i), all(dropped))
    result = bloomgate(config, "listing", "add", "domain", "more.example", "--reason", "x" * 400)
    expect("listing on a full disk: %d %s" % (result.returncode, result.stderr), result.returncode == 3 and "No space left" in result.stderr)
    expect("the file is as it was", read(below("local/entries.jsonl")) == entries)
    expect("and in force", verdicts(gateway, "mine.example", "more.example", "old.example") == ["listed", "clean", "listed"])
    disk.free()
    replies = [large(), kept()]
    expect("with room: %s" % replies, replies[0].startswith("250") and replies[1].startswith("250"))
    expect("listing with room", bloomgate(config, "listing", "add", "domain", "more.example").returncode == 0)
    dropped = [metric(gateway, "bloomgate_journal_%sdropped_total" % n) for n in ("", "keys_")]
    for _ in range(3):
        mail(gateway, b"clean.example")
    time.sleep(1)
    now = [metric(gateway, "bloomgate_journal_%sdropped_total" % n) for n in ("", "keys_")]
    expect("with room nothing is dropped: %s, %s" % (dropped, now), now == dropped)
    expect("in force", verdicts(gateway, "mine.example", "more.example") == ["listed", "listed"])
    gateway.stop()
    expect("no temporary file is left: %s" % os.listdir(below("tmp")), not os.listdir(below("tmp")))
    print("  gateway: spool 452, quarantine %s, %d mails with a full journal, %d decisions and %d mails' keys dropped and counted, listing refused"
          % (full[1][:3], i + 1, *dropped), flush=True)


def bounded_files():
    """No file may grow beyond a bound, which a rebuild meets at its copy, its filter and its store."""
    import resource
    config, root = configure("bounded"), path("bounded-snapshots")
    one_feed()
    lists("old.example", generated=20_000)
    bloomgate(config, "rebuild")
    gateway = Gateway(launcher, folder, "maildir:" + path("mail"), config=config)
    old = read(os.path.join(root, "nightly", "current"))
    lists("new.example", generated=20_000)
    for bound in (4 << 10, 64 << 10, 200 << 10, 400 << 10):
        result = subprocess.run([launcher, "rebuild", "-c", config], capture_output=True, text=True,
                                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (bound, bound)))
        expect("bound of %d: %d %s" % (bound, result.returncode, result.stderr[-400:]), result.returncode == 3 and "File too large" in result.stderr)
        expect("the pointer stays", read(os.path.join(root, "nightly", "current")) == old)
        expect("nothing half made stays: %s" % leftovers(root), not leftovers(root))
        right(gateway, "bound of %d" % bound, mails=False)
    gateway.stop()


began = time.time()
one_feed()
for part in (flipped_snapshots, flipped_entries, flipped_copies, flipped_records, full_disk):
    part()
    print("  (%.0f s)" % (time.time() - began), flush=True)
if bad:
    sys.exit("%d things are not as they must be; files in %s" % (len(bad), folder))
print("damage: never a wrong answer, never an unusable state")
atexit.register(shutil.rmtree, folder, True)
