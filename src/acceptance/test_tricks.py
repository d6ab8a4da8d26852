"""Links that somebody took pains to hide, each in a mail that a client shows as a link: every one is refused or tagged."""
import collections
import csv
import json
from pathlib import Path

import pytest

from product import Home

LISTED = {
    "domain": ("evilattack.com", "192.0.2.66", "2001:db8::66"),
    "url": ("http://badpath.com/login/x",),
    "address": ("spammer@freemail.com",),
}
LEAST_REFUSED = 0.9
# Live ones that pass, each with the reason.
SILENT: dict[str, str] = {}


@pytest.mark.needs_shared
def test_no_hidden_link_passes_in_silence(home: Home, shared: Path, expect):
    for kind, values in LISTED.items():
        home.write(f"{kind}.txt", *values)
    home.feeds(*(f"name: {kind}, kind: {kind}, format: lines, source: {kind}.txt, category: phishing" for kind in LISTED))
    home.rebuild()
    folder = shared / "data" / "tricks"
    with (folder / "tricks.tsv").open(encoding="utf-8") as table:
        tricks = {row["file"]: row for row in csv.DictReader(table, delimiter="\t")}
    files = [str(folder / f"{name}.eml") for name in tricks]
    answers = map(json.loads, home.run("scan", "--json", *files, encoding="utf-8").stdout.splitlines())
    actions = {Path(answer["file"]).stem: answer["action"] for answer in answers}
    expect("each is answered", actions.keys() == tricks.keys())

    counts = collections.defaultdict(collections.Counter)
    for name, row in tricks.items():
        counts[row["label"], row["group"]][actions[name]] += 1
        if row["label"] == "live" and actions[name] == "pass" and name not in SILENT:
            expect(f"{name} ({row['trick']}) is not silent", False)
    for (label, group), count in sorted(counts.items()):
        print(f"{label:9} {group:10} refused {count['reject']:3}  tagged {count['tag']:3}  silent {count['pass']:3}")
    live = sum((count for (label, _), count in counts.items() if label == "live"), collections.Counter())
    print(f"live: refused {live['reject']}, tagged {live['tag']}, silent {live['pass']} of {live.total()}")
    expect("most are refused", live["reject"] >= LEAST_REFUSED * live.total())
    expect("what passes is named because it does", all(actions[name] == "pass" for name in SILENT))


# Of 2026: QR codes drawn by markup, scripts in drawings, text of PDF pages, containers.
MOST_SILENT, LEAST_REFUSED_OF_2026 = 0.02, 0.88


@pytest.mark.needs_shared
def test_lures_of_this_year_do_not_pass_in_silence(home: Home, shared: Path, expect):
    for kind, values in LISTED.items():
        home.write(f"{kind}.txt", *values)
    home.write("phone.txt", "+12025550143")
    home.feeds(*(f"name: {kind}, kind: {kind}, format: lines, source: {kind}.txt, category: phishing" for kind in (*LISTED, "phone")))
    home.rebuild()
    files = sorted((shared / "data" / "tricks3").glob("*.eml"))
    answers = map(json.loads, home.run("scan", "--json", *map(str, files), encoding="utf-8").stdout.splitlines())
    actions = {Path(answer["file"]).stem: answer["action"] for answer in answers}
    counts = collections.defaultdict(collections.Counter)
    for file in files:
        label = json.loads(file.with_name(f"{file.stem}.expected.json").read_text())["label"]
        action = actions[file.stem]
        counts[label][action] += 1
        if (label, action) in (("live", "pass"), ("limit", "pass")) or (label == "decoy" and action != "pass"):
            print(f"{label}: {file.stem} {action}")
    live = counts["live"]
    print(", ".join(f"{label} {dict(count)}" for label, count in counts.items()))
    expect(f"silent {live['pass']} of {live.total()}", live["pass"] <= MOST_SILENT * live.total())
    expect(f"refused {live['reject']} of {live.total()}", live["reject"] >= LEAST_REFUSED_OF_2026 * live.total())
    expect("every limit is named", counts["limit"]["pass"] == 0)
    expect("every decoy passes", set(counts["decoy"]) == {"pass"})
