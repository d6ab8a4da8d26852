"""Honest mail with every list there is in force, each in the category a user gives it: who is refused, and by which list."""
import collections
import json
import re
import tarfile
from pathlib import Path

import pytest

from product import Home
from realdata import archived, feed_name
from test_feeds import DAILY, LISTS

HONEST = ("spamassassin-easy-ham-1", "spamassassin-t-nice")
CATEGORIES = [("disposable", "disposable"), ("stevenblack", "advertising"), ("scam", "scam"), ("fake", "scam"), ("spam", "spam"),
              ("phish", "phishing"), ("discord", "phishing"), ("polkadot", "phishing"), ("red.flag", "phishing"), ("ut1", "phishing")]
NETWORKS = ("ip/spamhaus-drop.txt", "ip/spamhaus-drop_ipv6.txt", "ip/cps-threatfox.txt", "ip/romainmarcoux-full-ab.txt.gz")
MOST_REFUSED = 2 / 1000


def category(path: str) -> str:
    return next((category for part, category in CATEGORIES if part in path.lower()), "malware")


def lists(data: Path, folder: Path) -> list[str]:
    """A line of feeds.yaml for each; an archive of lists is a folder of them."""
    everything = [(path, kind, form, more) for path, kind, form, more, _ in LISTS]
    everything += [(f"{name}/{day.name}", kind, "lines", "") for name, kind in DAILY.items() for day in sorted((data / name).glob("*.txt"))]
    lines = []
    for path, kind, form, more in everything:
        source = data / path
        if path.endswith(".tar.gz"):
            source = unpacked(source, folder / feed_name(path))
        if path in NETWORKS:
            kind, form = "network", "cidr"
        lines.append(f'name: {feed_name(path)}, kind: {kind}, format: {form}, source: "{source}", category: {category(path)}'
                     + (", " + more if more else ""))
    return lines


def unpacked(archive: Path, folder: Path) -> str:
    folder.mkdir()
    with tarfile.open(archive) as members:
        for number, member in enumerate(members):
            if member.isfile():
                (folder / f"{number}.txt").write_bytes(members.extractfile(member).read())
    return f"{folder}/*.txt"


@pytest.mark.needs_shared
def test_honest_mail_passes_with_every_list_in_force(home: Home, shared: Path, expect):
    home.feeds(*lists(shared / "data/feeds", home.folder))
    home.run("rebuild", "--all", "--json")
    mails = home.path("honest")
    mails.mkdir()
    for archive in HONEST:
        for number, (_, blob) in enumerate(archived(shared / "data/mail" / f"{archive}.tar.gz")):
            (mails / f"{archive}-{number}.eml").write_bytes(re.sub(rb"\AFrom [^\n]*\n", b"", blob))
    rulings = [json.loads(line) for line in home.run("scan", "--json", *sorted(map(str, mails.iterdir()))).stdout.splitlines()]
    refused = [ruling for ruling in rulings if ruling["action"] not in ("pass", "tag")]
    for ruling in refused:
        print(Path(ruling["file"]).name, sorted({(i["value"], i["where"], *(x["feed"] for x in i["listings"]))
                                                 for i in ruling["identifiers"] if i.get("listings")}))
    print(f"{len(rulings)} honest mails: {collections.Counter(ruling['action'] for ruling in rulings)}")
    expect("all were read", len(rulings) == len(list(mails.iterdir())) >= 2500)
    expect(f"{len(refused)} of {len(rulings)} refused", len(refused) <= MOST_REFUSED * len(rulings))
