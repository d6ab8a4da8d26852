#!/usr/bin/env python3
"""A rebuild from real feeds: every line accounted for, entries as counted by somebody else, the proof complete.
usage: feeds.py LAUNCHER SHARED SNAPSHOTS"""
import glob, json, os, re, subprocess, sys, tempfile

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
print("\n".join(bad) or "feeds: every line accounted for, entries as in the manifest, proof complete")
sys.exit(1 if bad else 0)
