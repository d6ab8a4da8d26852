#!/usr/bin/env python3
"""Mail is delivered, one of its links listed afterwards: the rebuild tells how much mail that would have stopped and its gate
closes on too much, retro names exactly those mails; kill -9 of the gateway leaves the records readable.
usage: retro.py LAUNCHER"""
import json, os, stat, subprocess, sys, tempfile, time
from gatewaylib import Gateway, SmtpClient

launcher = sys.argv[1]
folder = tempfile.mkdtemp(prefix="bloomgate-retro-")
path = lambda name: os.path.join(folder, name)
bad = []
with open(path("bloomgate.yaml"), "w") as out:
    out.write("snapshots: %s\nfeeds: %s\njournal: { directory: %s, keys: { directory: %s } }\nsmtp: { temporary: %s }\n"
              % tuple(map(path, ("snapshots", "feeds.yaml", "decisions", "keys", "tmp"))))
with open(path("feeds.yaml"), "w") as out:
    out.write("feeds:\n")
    for name, kind in (("hosts", "domain"), ("links", "url")):
        out.write("  - { name: %s, kind: %s, format: lines, source: %s, category: phishing }\n" % (name, kind, path(name)))


def expect(what, holds):
    if not holds:
        bad.append(what)
        print("NOT SO: " + what)


def lists(**feeds):
    for name, entries in feeds.items():
        with open(path(name), "w") as out:
            out.writelines(e + "\n" for e in entries)


def run(command, *options):
    result = subprocess.run([launcher, command, "-c", path("bloomgate.yaml"), "--json", *options], capture_output=True, text=True)
    if result.returncode not in (0, 1):
        sys.exit("%s ended with %d:\n%s" % (command, result.returncode, result.stderr))
    return result.returncode, [json.loads(line) for line in result.stdout.splitlines()]


def gateway():
    return Gateway(launcher, folder, "maildir:" + path("mail"), config=path("bloomgate.yaml"))


def send(serving, numbers, link):
    client = SmtpClient(serving.smtp)
    for i in numbers:
        reply = client.send(b"from%d@sender.test" % i, b"to%d@dest.example" % i, b"Subject: x\r\n\r\nSee %s\r\n" % (link % i).encode())
        expect("mail %d is taken: %s" % (i, reply), reply.startswith("250"))
    client.close()


def senders(mails):
    return sorted(m["mailFrom"] for m in mails)


lists(hosts=["already.example"], links=["http://already.example/a"])
code, _ = run("rebuild")
expect("the first rebuild publishes", code == 0)
serving = gateway()
send(serving, range(60), "http://www.clean-%d.example/")
send(serving, range(60, 70), "http://www.late.example/%d")
send(serving, range(70, 73), "http://shared.example/bad/%d/x")
send(serving, range(73, 80), "http://shared.example/good/%d/x")
time.sleep(1)
serving.process.kill()
serving.process.wait()
expect("nothing is found before anything is listed", run("retro") == (0, []))
with open(max((os.path.join(folder, "keys", f) for f in os.listdir(path("keys")) if f.endswith(".keys")), key=os.path.getmtime), "ab") as torn:
    torn.write(b"\x01\x00\x00\x00\xff\x00\x00\x00torn")
serving = gateway()
send(serving, range(80, 100), "http://www.late.example/again/%d")
time.sleep(1)
names = os.listdir(path("keys"))
octets = b"".join(open(os.path.join(folder, "keys", n), "rb").read() for n in names)
expect("no name is in the files", b"example" not in octets and b"test" not in octets)
expect("files are their owner's", all(stat.S_IMODE(os.stat(os.path.join(folder, "keys", n)).st_mode) == 0o600 for n in names))

lists(hosts=["already.example", "late.example"])
code, (report,) = run("rebuild")
blast = report["blast"]
expect("the gate closes on 30 of 100 mails, %s" % report["closedGate"], code == 1 and report["outcome"] == "gate-closed"
       and "30 of 100 mails" in report["closedGate"] and "maxBlastShare" in report["closedGate"])
expect("the report counts them: %s" % blast, blast["mails"] == 100 and blast["listed"] == 30
       and [(f["feed"], f["mails"]) for f in blast["feeds"]] == [("hosts", 30)] and blast["feeds"][0]["examples"][0]["key"] == "late.example")
expect("nothing was published, so retro finds nothing", run("retro") == (0, []))
code, (report,) = run("rebuild", "--force")
expect("forced, and named", code == 0 and "maxBlastShare" in report["forced"][0])
code, mails = run("retro")
expect("retro names exactly the mails with the late host", code == 1 and senders(mails) == sorted("from%d@sender.test" % i for i in (*range(60, 70), *range(80, 100))))
expect("each with its envelope and listing", all(m["recipients"] == [m["mailFrom"].replace("from", "to").replace("sender.test", "dest.example")]
       and [(l["feed"], l["key"]) for l in m["listings"]] == [("hosts", "late.example")] for m in mails))

lists(links=["http://already.example/a", "http://shared.example/bad/"])
code, (report,) = run("rebuild")
expect("3 mails are below the gate and told: %s" % report["blast"], code == 0 and report["blast"]["listed"] == 3
       and report["blast"]["feeds"][0]["feed"] == "links")
code, mails = run("retro", "--since", "1h")
expect("retro names those too", code == 1 and len(mails) == 33 and senders(m for m in mails if m["listings"][0]["feed"] == "links")
       == ["from%d@sender.test" % i for i in range(70, 73)])
token = mails[0]["token"]
explained = subprocess.run([launcher, "explain", "-c", path("bloomgate.yaml"), token], capture_output=True, text=True)
expect("explain knows the token", mails[0]["mailFrom"] in explained.stdout + explained.stderr)
serving.stop()
if bad:
    sys.exit("%d expectations failed" % len(bad))
print("retro: 100 mails, kill -9 after 80 and a torn tail; the gate closed on 30, retro named these 30 and then 33, no other; "
      "%d octets recorded" % len(octets))
