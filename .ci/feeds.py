#!/usr/bin/env python3
"""A rebuild from real feeds: every line accounted for, entries as counted by somebody else, the proof complete. Then one
from every list there is, and the formats of one list asked about the same 9,000 names.
usage: feeds.py LAUNCHER SHARED SNAPSHOTS"""
import glob, gzip, json, os, random, re, subprocess, sys, tarfile, tempfile

launcher, shared, snapshots = sys.argv[1:4]
data = os.path.join(shared, "data")
FEEDS = [  # file, kind, format, more
    *[("feeds/openphish-daily/" + os.path.basename(f), "url", "lines", "") for f in sorted(glob.glob(data + "/feeds/openphish-daily/*.txt"))],
    ("feeds/urlhaus-filter/urlhaus-filter-hosts.txt", "domain", "hosts", ""),
    ("feeds/urlhaus-filter/urlhaus-filter-agh.txt", "domain", "adblock", ""),
    ("feeds/urlhaus-csv-2025-04-older-half.csv.gz", "url", "csv", "column: url, category: malware"),
    ("feeds/disposable-blocklist.conf", "domain", "lines", "category: disposable, use: [sender, header]"),
    ("feeds/blocklistproject/adguard_scam-ags.txt", "domain", "adblock", ""),
    ("feeds/blocklistproject/scam.txt", "domain", "hosts", ""),
    ("passwords/ncsc-top100k.txt.gz", "password", "lines", "category: weak"),
    ("passwords/hibp-sha1-ordered-by-hash-dev.txt.gz", "password", "sha1-count", "category: breached"),
]
# Where our count of entries is not the manifest's, and why.
CAUSES = {
    "feeds/urlhaus-csv-2025-04-older-half.csv.gz": "the header line is not an entry",
}


def manifest_entries():
    entries = {}
    with open(os.path.join(data, "MANIFEST.md"), encoding="utf-8") as lines:
        for line in lines:
            cells = [c.strip() for c in line.strip("|\n ").split("|")] if line.startswith("|") else []
            numbers = [c for c in cells[2:] if re.fullmatch(r"\d+", c)]
            if cells and numbers:
                entries[cells[0]] = int(numbers[0])
    return entries


def name_of(path):
    return re.sub(r"[^a-z0-9-]+", "-", os.path.basename(path).lower()).strip("-")[:60]


folder = tempfile.mkdtemp(prefix="bloomgate-feeds-")
feeds_file = os.path.join(folder, "feeds.yaml")
with open(feeds_file, "w", encoding="utf-8") as out:
    out.write("feeds:\n")
    for path, kind, form, more in FEEDS:
        category = "" if "category" in more else ", category: phishing"
        out.write('  - { name: %s, kind: %s, format: %s, source: "%s"%s%s }\n' % (
            name_of(path), kind, form, os.path.join(data, path), category, ", " + more if more else ""))
config = os.path.join(folder, "bloomgate.yaml")
with open(config, "w", encoding="utf-8") as out:
    out.write("feeds: %s\nsnapshots: %s\n" % (feeds_file, snapshots))
result = subprocess.run(["/usr/bin/time", "-v", launcher, "rebuild", "-c", config, "--json"], capture_output=True, text=True)
if result.returncode != 0:
    sys.exit("rebuild ended with %d:\n%s%s" % (result.returncode, result.stdout, result.stderr))
report = json.loads(result.stdout)
expected, bad = manifest_entries(), []
print("%-60s %8s %8s %8s %7s %6s %9s %s" % ("feed", "lines", "entries", "comments", "rejects", "held", "manifest", "difference"))
by_name = {f["name"]: f for f in report["feeds"]}
for path, *_ in FEEDS:
    f = by_name[name_of(path)]
    c = f["counts"]
    if c["lines"] != c["entries"] + c["comments"] + c["rejects"] + c["held"]:
        bad.append(path + ": lines do not add up")
    wanted = expected[path]
    difference = c["entries"] + c["held"] - wanted
    if abs(c["entries"] - wanted) > 0.01 * wanted and path not in CAUSES:
        bad.append("%s: %d entries, %d in the manifest" % (path, c["entries"], wanted))
    print("%-60s %8d %8d %8d %7d %6d %9d %+d %s" % (path[-60:], c["lines"], c["entries"], c["comments"], c["rejects"],
                                                  c["held"], wanted, difference, CAUSES.get(path, "")))
print(json.dumps({k: v for k, v in report.items() if k != "feeds"}, indent=1))
print("\n".join(l.strip() for l in result.stderr.splitlines() if re.search(r"Maximum resident|Elapsed|User time|System time", l)))

# Every list there is, in its format; its group when the publisher gives it in several.
LISTS = [  # file, kind, format, more, group
    ("KADhosts.txt.gz", "domain", "hosts", "", ""),
    ("blocklistproject/adguard_scam-ags.txt", "domain", "adblock", "", "scam"),
    ("blocklistproject/alt-version_scam-nl.txt", "domain", "lines", "", "scam"),
    ("blocklistproject/dnsmasq-version_scam-dnsmasq.txt", "domain", "dnsmasq", "", "scam"),
    ("blocklistproject/scam.txt", "domain", "hosts", "", "scam"),
    ("blocklistproject/alt-version_phishing-nl.txt.gz", "domain", "lines", "", ""),
    ("blocklistproject/malware.ip", "domain", "lines", "", ""),
    ("dandelion/AntiMalwareDomains.txt", "domain", "lines", "", ""),
    ("dandelion/AntiMalwareHosts.txt", "domain", "hosts", "", ""),
    ("dandelion/adblocker-IPs.p2p", "domain", "lines", "", ""),
    ("disposable-blocklist.conf", "domain", "lines", "", ""),
    ("disposable-history/2023-04-26.conf", "domain", "lines", "", ""),
    ("disposable-history/2023-08-23.conf", "domain", "lines", "", ""),
    ("fademind/add.Risk.hosts", "domain", "hosts", "", ""),
    ("fademind/add.Spam.hosts", "domain", "hosts", "", ""),
    ("fademind/osint.digitalside.it.hosts", "domain", "hosts", "", ""),
    ("hagezi-2022/3p-stevenblack.dnsmasq.txt.gz", "domain", "dnsmasq", "", "stevenblack"),
    ("hagezi-2022/3p-stevenblack.domains.txt.gz", "domain", "lines", "", "stevenblack"),
    ("hagezi-2022/adblock-fake.txt", "domain", "adblock", "", "fake"),
    ("hagezi-2022/dnsmasq-fake.txt", "domain", "dnsmasq", "", "fake"),
    ("hagezi-2022/domains-fake.txt", "domain", "lines", "", "fake"),
    ("hagezi-2022/hosts-fake.txt", "domain", "hosts", "", "fake"),
    ("hagezi-2022/unbound-fake.blacklist.conf", "domain", "unbound", "", "fake"),
    ("hagezi-2022/wildcard-fake.txt", "domain", "wildcard", "", "fake"),
    ("ip/cps-abuse-ch-ipblocklist.txt", "domain", "lines", "", ""),
    ("ip/cps-threatfox.txt", "domain", "lines", "", ""),
    ("ip/romainmarcoux-full-ab.txt.gz", "domain", "lines", "", ""),
    ("ip/spamhaus-drop.txt", "domain", "lines", "", ""),
    ("ip/spamhaus-drop_ipv6.txt", "domain", "lines", "", ""),
    ("jpcert-phishurl-202402.csv", "url", "csv", "column: URL", ""),
    ("jpcert-phishurl-202404.csv", "url", "csv", "column: URL", ""),
    ("json/discord-antiscam-list.json.gz", "domain", "json", "", "discord"),
    ("json/discord-antiscam-list.txt.gz", "domain", "lines", "", "discord"),
    ("json/polkadot-phishing-all.json.gz", "domain", "json", "path: deny", ""),
    ("maltrail-static-dev.tar.gz", "domain", "lines", "", ""),
    ("matomo-spammers.txt", "domain", "lines", "", ""),
    ("openphish-union-2024-10..2025-09.txt.gz", "url", "lines", "", ""),
    ("phishtank-verified-online-2021-03-14.csv.gz", "url", "csv", "column: url", ""),
    ("phishtank-verified-online-4col-2024-03.csv", "url", "csv", "column: url", ""),
    ("romainmarcoux-domains/malwarebytes.com.txt", "domain", "lines", "", ""),
    ("romainmarcoux-domains/phishtank.com-online-valid", "domain", "lines", "", ""),
    ("romainmarcoux-domains/phishunt.io.txt", "domain", "lines", "", ""),
    ("romainmarcoux-domains/red.flag.domains.txt.gz", "domain", "lines", "", ""),
    ("romainmarcoux-domains/urlhaus.abuse.ch-csv", "domain", "lines", "", ""),
    ("romainmarcoux-domains/urlhaus.abuse.ch-hostfile", "domain", "lines", "", ""),
    ("romainmarcoux-domains/ut1-fr.gz", "domain", "lines", "", ""),
    ("scamblocklist-adguard.txt", "domain", "adblock", "", ""),
    ("scamblocklist-hosts.txt", "domain", "hosts", "", ""),
    ("shadowwhisperer-Malware-RAW.txt.gz", "domain", "lines", "", ""),
    ("shadowwhisperer-Malware.txt.gz", "domain", "lines", "", ""),
    ("urlhaus-csv-2025-04-older-half.csv.gz", "url", "csv", "column: url", ""),
    ("urlhaus-filter/urlhaus-filter-agh.txt", "domain", "adblock", "", "urlhaus"),
    ("urlhaus-filter/urlhaus-filter-dnscrypt-blocked-ips.txt", "domain", "lines", "", ""),
    ("urlhaus-filter/urlhaus-filter-dnsmasq.conf", "domain", "dnsmasq", "", "urlhaus"),
    ("urlhaus-filter/urlhaus-filter-domains.txt", "domain", "lines", "", "urlhaus"),
    ("urlhaus-filter/urlhaus-filter-hosts.txt", "domain", "hosts", "", "urlhaus"),
    ("urlhaus-filter/urlhaus-filter-rpz.conf", "domain", "rpz", "", "urlhaus"),
    ("urlhaus-filter/urlhaus-filter-unbound.conf", "domain", "unbound", "", "urlhaus"),
    *[(d + "/" + os.path.basename(f), kind, "lines", "", "") for d, kind in (("openphish-daily", "url"), ("urlhaus-online-daily", "domain"))
      for f in sorted(glob.glob(data + "/feeds/" + d + "/*.txt"))],
]
# The file of each group that its names are taken from, and what a name stands between in it.
NAMES = {"scam": ("blocklistproject/alt-version_scam-nl.txt", r"^([a-z0-9.-]+)$"),
         "stevenblack": ("hagezi-2022/3p-stevenblack.domains.txt.gz", r"^([a-z0-9.-]+)$"),
         "fake": ("hagezi-2022/domains-fake.txt", r"^([a-z0-9.-]+)$"),
         "discord": ("json/discord-antiscam-list.txt.gz", r"^([a-z0-9.-]+)$"),
         "urlhaus": ("urlhaus-filter/urlhaus-filter-hosts.txt", r"^0\.0\.0\.0 ([a-z0-9.-]+)$")}


def unpacked(path):
    full = os.path.join(data, "feeds", path)
    with (gzip.open if path.endswith(".gz") else open)(full, "rt", encoding="utf-8", errors="replace") as lines:
        return lines.read().splitlines()


def source_of(path):
    """The list itself; of an archive of lists, all of them in one file."""
    full = os.path.join(data, "feeds", path)
    if not path.endswith(".tar.gz"):
        return full
    joined = os.path.join(folder, name_of(path))
    with tarfile.open(full) as members, open(joined, "wb") as out:
        for member in members:
            if member.isfile():
                out.write(members.extractfile(member).read().rstrip(b"\n") + b"\n")
    return joined


def feed_name(path):
    return re.sub(r"[^a-z0-9]+", "-", path.lower()).strip("-")[-60:].strip("-")


def run(*arguments, stdin=None):
    return subprocess.run([launcher, *arguments], capture_output=True, text=True, input=stdin)


all_lists = os.path.join(folder, "all.yaml")
with open(os.path.join(folder, "all-feeds.yaml"), "w", encoding="utf-8") as out:
    out.write("feeds:\n")
    for path, kind, form, more, group in LISTS:
        # A parent that only some formats name, and that is held back, would be a difference of its own.
        out.write('  - { name: %s, kind: %s, format: %s, source: "%s", maxRejectShare: 1.0, trusted: %s%s }\n' % (
            feed_name(path), kind, form, source_of(path), "true" if group else "false", ", " + more if more else ""))
with open(all_lists, "w", encoding="utf-8") as out:
    out.write("feeds: %s/all-feeds.yaml\nsnapshots: %s/all\n" % (folder, folder))
result = run("rebuild", "-c", all_lists, "--json")
if not result.stdout:
    sys.exit("rebuild of all lists ended with %d:\n%s" % (result.returncode, result.stderr))
report = json.loads(result.stdout)
if report["outcome"] != "published-with-failed-feeds":
    bad.append("all lists: %s, %s" % (report["outcome"], report["closedGate"]))
by_name = {f["name"]: f for f in report["feeds"]}
REFUSED = {"dandelion/adblocker-IPs.p2p": "P2P address ranges", "ip/spamhaus-drop_ipv6.txt": "holds no key"}
OTHERWISE = {  # Where entries and rejects together are not the manifest's entries, and why.
    "json/polkadot-phishing-all.json.gz": "only the list deny, of allow, deny and denySub",
    "maltrail-static-dev.tar.gz": "1,546 files in one",
}
print("\n%-62s %8s %8s %8s %7s %6s %6s %9s %s" % ("list", "lines", "entries", "comments", "rejects", "share", "held", "manifest", "difference"))
for path, *_ in LISTS:
    f = by_name[feed_name(path)]
    c = f["counts"]
    if path in REFUSED:
        if REFUSED[path] not in (f["failure"] or ""):
            bad.append("%s: not refused as %s: %s" % (path, REFUSED[path], f["failure"]))
        print("%-62s refused: %s" % (path[-62:], f["failure"]))
        continue
    meant = c["entries"] + c["rejects"] + c["held"]
    if f["failure"] or c["lines"] != meant + c["comments"]:
        bad.append("%s: %s, %s" % (path, f["failure"], c))
    wanted = expected["feeds/" + path]
    cause = OTHERWISE.get(path, "")
    if abs(meant - wanted) > 0.01 * wanted and not cause:
        bad.append("%s: %d lines that are no comment, %d in the manifest" % (path, meant, wanted))
    print("%-62s %8d %8d %8d %7d %5.1f%% %6d %9d %+d %s" % (
        path[-62:], c["lines"], c["entries"], c["comments"], c["rejects"], 100 * c["rejects"] / max(1, meant), c["held"],
        wanted, meant - wanted, cause))
print("%d lists, %s keys, exit %d; %s" % (len(LISTS), "{:,}".format(sum(k["keys"] for k in report["kinds"])), result.returncode,
                                        ", ".join("%s %.1f s" % (s["stage"], s["seconds"]) for s in report["stages"])))

absent = [l.split(",")[0].split("//")[-1].strip("/") for l in gzip.open(data + "/negative/alexa2016-odd-ranks.txt.gz", "rt").read().splitlines()]
absent = [name for name in absent if name]
rnd = random.Random(5)
for group, (path, pattern) in sorted(NAMES.items()):
    listed = [m.group(1) for m in (re.match(pattern, l.strip()) for l in unpacked(path)) if m]
    listed = [n for n in listed if not re.fullmatch(r"[0-9.]+", n)]
    if group == "stevenblack":
        # The publisher's other file lacks some names and all their parents, by its own text.
        blocked = {m.group(1) for m in (re.match(r"address=/(.*)/", l) for l in unpacked("hagezi-2022/3p-stevenblack.dnsmasq.txt.gz")) if m}
        lacking = [n for n in listed if not any(n[i:] in blocked for i in [0] + [m.end() for m in re.finditer(r"\.", n)])]
        print("stevenblack  %d names of %d left out: the publisher's dnsmasq file lacks them" % (len(lacking), len(listed)))
        listed = sorted(set(listed) - set(lacking))
    some = [rnd.choice(listed) for _ in range(3000)]
    names = some + ["a.b-%d.%s" % (i, n) for i, n in enumerate(some)] + [rnd.choice(absent) for _ in range(3000)]
    members = {feed_name(p) for p, _, _, _, g in LISTS if g == group}
    answers = [json.loads(l) for l in run("check", "domain", "-", "--json", "-c", all_lists, stdin="\n".join(names) + "\n").stdout.splitlines()]
    by_all = differing = 0
    for name, answer in zip(names, answers):
        by = members & {l["feed"] for l in answer["listings"]}
        by_all += by == members
        if by and by != members:
            differing += 1
            if differing < 4:
                print("  %s: %s is listed by %s alone" % (group, name, ", ".join(sorted(by))))
    print("%-12s %d formats, %d names: %d listed by all, %d by none, %d differently" % (
        group, len(members), len(answers), by_all, len(answers) - by_all - differing, differing))
    if differing or len(answers) != 9000 or by_all < 5400:
        bad.append("%s: its formats do not judge alike" % group)
print("\n".join(bad) or "feeds: every line accounted for, entries as in the manifest, proof complete, formats alike")
sys.exit(1 if bad else 0)
