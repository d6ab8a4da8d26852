#!/usr/bin/env python3
"""Real mail through the gateway: nothing lost, nothing altered below the fields on top, every refusal with its reason.
usage: corpus.py LAUNCHER SHARED SNAPSHOTS [--report FILE]"""
import argparse, collections, json, os, re, sys, tarfile, tempfile
from gatewaylib import Gateway, Sink, SmtpClient, below_trace, unstuffed

ARCHIVES = {"phishing_pot-dev": "", "spamassassin-easy-ham-1": "", "mime4j-testmsgs": ".msg"}


def messages(shared):
    for archive, ending in ARCHIVES.items():
        with tarfile.open(os.path.join(shared, "data", "mail", archive + ".tar.gz")) as tar:
            for member in sorted(tar.getmembers(), key=lambda m: m.name):
                if member.isfile() and member.name.endswith(ending):
                    yield archive, member.name, tar.extractfile(member).read()


def on_the_wire(octets):
    """mbox line off, line ends CRLF."""
    octets = re.sub(rb"\AFrom [^\n]*\n", b"", octets)
    return re.sub(rb"\r?\n", b"\r\n", octets)


def has_bare(octets):
    return re.search(rb"\r(?!\n)|(?<!\r)\n", octets) is not None


def main():
    parser = argparse.ArgumentParser()
    for name in ("launcher", "shared", "snapshots"):
        parser.add_argument(name)
    parser.add_argument("--report")
    args = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="bloomgate-corpus-")
    sink = Sink(os.path.join(args.shared, "tools"), folder)
    gateway = Gateway(args.launcher, folder, "smtp://127.0.0.1:%d" % sink.port, "snapshots=" + args.snapshots,
                      "journal.directory=" + os.path.join(folder, "decisions"))
    sent, refused = {}, []
    counts = collections.defaultdict(collections.Counter)
    client = SmtpClient(gateway.smtp)
    for n, (archive, name, octets) in enumerate(messages(args.shared)):
        message = on_the_wire(octets)
        bare = has_bare(message)
        counts[archive]["sent"] += 1
        counts[archive]["bare"] += bare
        reply = client.send(b"m%d@sender.test" % n, b"reader@dest.example", message)
        if reply[:1] == "2":
            counts[archive]["accepted"] += 1
            sent[n] = (archive, name, message, bare)
        else:
            counts[archive]["refused " + reply[:9]] += 1
            token = re.search(r"\b([0-9A-HJKMNP-TV-Z]{12})\b", reply)
            refused.append({"archive": archive, "name": name, "reply": reply, "token": token and token.group(1)})
    client.close()
    arrived = {}
    for event in sink.events("msg"):
        n = int(re.search(r"<m(\d+)@", event["from"]).group(1))
        counts[sent[n][0]]["twice"] += n in arrived
        arrived[n] = event
    for n, (archive, name, message, bare) in sent.items():
        if n not in arrived:
            counts[archive]["lost"] += 1
            print("lost: %s %s" % (archive, name))
            continue
        got = unstuffed(arrived[n]["raw"])
        fields, rest = below_trace(got)
        full = message if message.endswith(b"\r\n") or not message else message + b"\r\n"
        full = re.sub(rb"\r\n|\r|\n", b"\r\n", full) if bare else full
        if fields.count("Received") != 1 or fields[0] != "Received":
            counts[archive]["no trace field"] += 1
            print("no Received on top: %s %s %s" % (archive, name, fields))
        if rest != full:
            counts[archive]["altered"] += 1
            print("altered: %s %s" % (archive, name))
        counts[archive]["tagged"] += len(fields) > 1
    gateway.stop()
    sink.stop()
    decisions = {}
    for name in os.listdir(os.path.join(folder, "decisions")):
        with open(os.path.join(folder, "decisions", name), encoding="utf-8") as lines:
            decisions.update((d["token"], d) for d in map(json.loads, lines))
    for r in refused:
        r["found"] = decisions.get(r["token"], {}).get("found")
    if args.report:
        with open(args.report, "w", encoding="utf-8") as out:
            out.writelines(json.dumps(r) + "\n" for r in refused)
    for archive, c in counts.items():
        print("%s: %s" % (archive, ", ".join("%s %d" % (k, v) for k, v in sorted(c.items()))))
    for archive in ARCHIVES:
        feeds = collections.Counter((f["feed"], f["where"]) for r in refused if r["archive"] == archive for f in r["found"] or [])
        print("  refused in %s by: %s" % (archive, dict(feeds)))
    unexplained = [r for r in refused if not r["found"]]
    for r in unexplained:
        print("refused without a listing: %s %s %s" % (r["archive"], r["name"], r["reply"]))
    bad = sum(c["lost"] + c["altered"] + c["no trace field"] + c["twice"] for c in counts.values()) + len(unexplained)
    sys.exit(1 if bad else 0)


main()
