#!/usr/bin/env python3
"""Every range of Pwned Passwords in the data answered as the original, octet for octet, and a client of that API that
knows nothing of us: the npm package hibp.
usage: ranges.py LAUNCHER SHARED"""
import hashlib, http.client, json, os, re, subprocess, sys, tarfile, tempfile
from gatewaylib import Gateway

launcher, shared = sys.argv[1:3]
folder = tempfile.mkdtemp(prefix="bloomgate-ranges-")
passwords = os.path.join(shared, "data", "passwords")
failures = []
with tarfile.open(os.path.join(passwords, "hibp-range-sha1-dev.tar.gz")) as archive:
    archive.extractall(folder, filter="data")
ranges = os.path.join(folder, "range-sha1")
# The NTLM digests of "password" and "123456", as Windows makes them, and a password list that does not count.
ntlm = os.path.join(folder, "ntlm.txt")
with open(ntlm, "w", encoding="ascii") as out:
    out.write("32ED87BDB5FDC5E9CBA88547376818D4:37359195\r\n8846F7EAEE8FB117AD06BDD830B7586C:9545824\r\n")
feeds = os.path.join(folder, "feeds.yaml")
with open(feeds, "w", encoding="utf-8") as out:
    out.write("feeds:\n"
              '  - { name: pwned, kind: password, format: sha1-count, category: weak, source: "%s" }\n'
              '  - { name: ntlm, kind: password, format: ntlm-count, category: weak, source: "%s" }\n'
              '  - { name: plain, kind: password, format: lines, category: weak, cadence: hourly, source: "%s" }\n'
              % (ranges, ntlm, os.path.join(passwords, "nord_vpn.txt")))
config = os.path.join(folder, "bloomgate.yaml")
with open(config, "w", encoding="utf-8") as out:
    out.write("feeds: %s\nsnapshots: %s\njournal: { directory: %s }\n"
              % (feeds, os.path.join(folder, "snapshots"), os.path.join(folder, "decisions")))
built = subprocess.run([launcher, "rebuild", "-c", config], capture_output=True, text=True)
if built.returncode != 0:
    sys.exit("rebuild ended with %d:\n%s%s" % (built.returncode, built.stdout, built.stderr))
gateway = Gateway(launcher, folder, "maildir:" + os.path.join(folder, "mail"), config=config)
connection = http.client.HTTPConnection("127.0.0.1", gateway.http, timeout=60)


def get(path, **headers):
    connection.request("GET", path, headers={k.replace("_", "-"): v for k, v in headers.items()})
    answer = connection.getresponse()
    return answer, answer.read()


def expect(what, holds):
    if not holds:
        failures.append(what)


# What the plain list adds to the ranges in the data.
added = {}
with open(os.path.join(passwords, "nord_vpn.txt"), "rb") as lines:
    for line in lines.read().splitlines():
        digest = hashlib.sha1(line).hexdigest().upper()
        added.setdefault(digest[:5], set()).add(digest[5:])
octets = same = 0
for prefix in sorted(os.listdir(ranges)):
    with open(os.path.join(ranges, prefix), "rb") as f:
        original = f.read()
    more = {s.encode() for s in added.get(prefix, ())} - set(re.findall(rb"^[0-9A-F]{35}", original, re.M))
    expected = b"\r\n".join(sorted(original.split(b"\r\n") + [s + b":1" for s in more])) if more else original
    answer, body = get("/range/" + prefix.lower())
    octets += len(body)
    same += body == expected == original
    expect("range %s differs" % prefix, answer.status == 200 and body == expected)
    _, padded = get("/range/" + prefix, Add_Padding="true")
    lines = padded.split(b"\r\n")
    real = [line for line in lines if not line.endswith(b":0")]
    expect("range %s differs when padded" % prefix, b"\r\n".join(real) == expected and len(lines) >= 800)
print("%d ranges, %d octets; octet for octet the original: %d" % (len(os.listdir(ranges)), octets, same))

known, _ = get("/range/00000")
again, body = get("/range/00000", If_None_Match=known.headers["ETag"])
expect("no 304", again.status == 304 and body == b"")
for path, status in (("/range/0000", 400), ("/range/0000G", 400), ("/range/32ED8?mode=ntlm", 200)):
    answer, body = get(path)
    expect("%s: %d %s" % (path, answer.status, body), answer.status == status)
    if status == 400:
        expect("%s: %s" % (path, body), body == b"The hash prefix was not in a valid format")

client = os.path.join(folder, "client")
os.mkdir(client)
npm = subprocess.run(["npm", "install", "--silent", "--no-fund", "--no-audit", "--prefix", client, "hibp@15.2.1"],
                     capture_output=True, text=True)
if npm.returncode != 0:
    sys.exit("npm ended with %d:\n%s%s" % (npm.returncode, npm.stdout, npm.stderr))
UNLISTED = "correct-horse-%s" % os.urandom(8).hex()
with open(os.path.join(passwords, "nord_vpn.txt"), encoding="utf-8") as lines:
    LISTED = next(line.strip() for line in lines if re.fullmatch(r"[a-z]{6,}\n", line))
script = os.path.join(client, "ask.mjs")
with open(script, "w", encoding="utf-8") as out:
    out.write("""
import { pwnedPassword, pwnedPasswordRange } from 'hibp';
const baseUrl = process.argv[2];
const [listed, unlisted, suffix] = process.argv.slice(3);
const answers = {
  listed: await pwnedPassword(listed, { baseUrl }),
  padded: await pwnedPassword(listed, { baseUrl, addPadding: true }),
  unlisted: await pwnedPassword(unlisted, { baseUrl }),
  range: (await pwnedPasswordRange('00000', { baseUrl }))[suffix],
  ntlm: (await pwnedPasswordRange('8846f', { baseUrl, mode: 'ntlm' }))['7EAEE8FB117AD06BDD830B7586C'],
};
try { await pwnedPasswordRange('zzzzz', { baseUrl }); } catch (e) { answers.bad = e.message; }
console.log(JSON.stringify(answers));
""")
suffix, count = open(os.path.join(ranges, "00000"), encoding="ascii").readline().strip().split(":")
asked = subprocess.run(["node", script, "http://127.0.0.1:%d" % gateway.http, LISTED, UNLISTED, suffix],
                       capture_output=True, text=True, cwd=client)
print("hibp 15.2.1:", asked.stdout.strip(), asked.stderr.strip())
answers = json.loads(asked.stdout)
expect("hibp: %s" % answers, answers["listed"] >= 1 and answers["padded"] == answers["listed"] and answers["unlisted"] == 0
       and answers["range"] == int(count) and answers["ntlm"] == 9545824 and "valid format" in answers["bad"])

body = json.dumps({"passwords": [LISTED, UNLISTED, LISTED.title() + "2026"], "variants": True})
connection.request("POST", "/v1/passwords", body, {"Content-Type": "application/json"})
batch = connection.getresponse().read().decode()
print("batch:", batch)
results = json.loads(batch)["results"]
expect("batch: " + batch, [r["weak"] for r in results]== [True, False, False]
       and results[2].get("variants") and UNLISTED not in batch)
expect("metrics hold the password", UNLISTED.encode() not in get("/metrics")[1])
gateway.stop()
for name in (os.path.join(d, x) for d, _, names in os.walk(folder) for x in names):
    with open(name, "rb") as f:
        expect("the password stands in " + name, UNLISTED.encode() not in f.read())
print("\n".join(failures) or "ranges: all as the original")
sys.exit(1 if failures else 0)
