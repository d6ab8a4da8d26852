"""Snapshots of real feeds, and real mail, out of the shared data."""
import gzip
import json
import os
import re
import subprocess
import tarfile
from collections.abc import Iterator
from pathlib import Path

from product import Home

# Where our count of entries is not the manifest's, and why.
COUNTED_OTHERWISE = {"feeds/urlhaus-csv-2025-04-older-half.csv.gz": "the header line is not an entry"}


def usual_feeds(data: Path) -> list[tuple[str, str, str, str]]:
    """(file, kind, format, more)"""
    return [
        *((f"feeds/openphish-daily/{f.name}", "url", "lines", "") for f in sorted(data.glob("feeds/openphish-daily/*.txt"))),
        ("feeds/urlhaus-filter/urlhaus-filter-hosts.txt", "domain", "hosts", ""),
        ("feeds/urlhaus-filter/urlhaus-filter-agh.txt", "domain", "adblock", ""),
        ("feeds/urlhaus-csv-2025-04-older-half.csv.gz", "url", "csv", "column: url, category: malware"),
        ("feeds/disposable-blocklist.conf", "domain", "lines", "category: disposable, use: [sender, header]"),
        ("feeds/blocklistproject/adguard_scam-ags.txt", "domain", "adblock", ""),
        ("feeds/blocklistproject/scam.txt", "domain", "hosts", ""),
        ("passwords/ncsc-top100k.txt.gz", "password", "lines", "category: weak"),
        ("passwords/hibp-sha1-ordered-by-hash-dev.txt.gz", "password", "sha1-count", "category: breached"),
    ]


def feed_name(path: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", path.lower()).strip("-")[-60:].strip("-")


def manifest_entries(data: Path) -> dict[str, int]:
    """The number of entries of each file, as whoever gathered the data counted them."""
    entries = {}
    for line in (data / "MANIFEST.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|\n ").split("|")] if line.startswith("|") else []
        numbers = [cell for cell in cells[2:] if re.fullmatch(r"\d+", cell)]
        if cells and numbers:
            entries[cells[0]] = int(numbers[0])
    return entries


def lines_of(path: Path) -> list[str]:
    with (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="utf-8", errors="replace") as lines:
        return lines.read().splitlines()


def unpack(archive: Path, folder: Path) -> list[Path]:
    """The files of an archive, without the folders they lie in there."""
    folder.mkdir(parents=True)
    with tarfile.open(archive) as tar:
        for member in tar:
            if member.isfile():
                (folder / Path(member.name).name).write_bytes(tar.extractfile(member).read())
    return sorted(folder.iterdir())


def archived(archive: Path) -> Iterator[tuple[str, bytes]]:
    """Names and bytes of the files in an archive, by name."""
    with tarfile.open(archive) as tar:
        for member in sorted(tar.getmembers(), key=lambda m: m.name):
            if member.isfile():
                yield member.name, tar.extractfile(member).read()


# What lies beside mails in the archives: what parsers are to make of them.
NO_MAIL = (".xml", ".json", ".out", ".bin")


def open_mails(data: Path) -> Iterator[tuple[str, bytes]]:
    """All 4,040, with CRLF line ends and without the line of a mailbox; some are damaged, some are a single part."""
    for archive in sorted((data / "mail").glob("*.tar.gz")):
        for name, blob in archived(archive):
            if not name.endswith(NO_MAIL):
                yield f"{archive.name.removesuffix('.tar.gz')}/{name}", re.sub(rb"\r\n|\r|\n", b"\r\n", re.sub(rb"\AFrom [^\n]*\n", b"", blob))


class RealFeeds:
    """A snapshot made from the usual feeds: what the rebuild reported, and what it took."""

    def __init__(self, home: Home, data: Path):
        self.data, self.paths = data, [path for path, *_ in usual_feeds(data)]
        home.feeds(*(f'name: {feed_name(path)}, kind: {kind}, format: {form}, source: "{data / path}"'
                     + ("" if "category" in more else ", category: phishing") + (", " + more if more else "")
                     for path, kind, form, more in usual_feeds(data)))
        self.snapshots = home.path("var", "snapshots")
        with home.path("report.json").open("wb") as out, home.path("rebuild.log").open("wb") as log:
            process = subprocess.Popen([home.launcher, "rebuild", "--json"], cwd=home.folder, stdout=out, stderr=log)
            _, status, self.usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode == 0, home.path("rebuild.log").read_text()
        self.report = json.loads(home.path("report.json").read_text())
