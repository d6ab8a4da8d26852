"""The readers of src/readers in Python, Go and JavaScript: what the vectors say, and a filter of more than a million keys that
`rebuild` made. Signatures are checked by those in Go and JavaScript."""
import re
import shutil
import subprocess
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from product import CHECKOUT, Home

PROGRAMS = Path(__file__).parent / "readers"
VECTORS = CHECKOUT / "src" / "readers" / "vectors"
GENERATION = "20261121T020305Z-09af"
SNAPSHOT = VECTORS / "snapshots" / GENERATION
KEYS = 1_100_000  # Two shards of a fuse filter.
ASKED = 100_000
WITHIN = "2026-11-22T00:00:00Z"  # The statement is valid at this time.


class Reader:
    """A reader as a program that answers each line of its input."""

    def __init__(self, *command: object):
        self.command = command

    def run(self, *arguments: object, lines: list[str] | bytes = b"") -> subprocess.CompletedProcess:
        stdin = lines if isinstance(lines, bytes) else "".join(line + "\n" for line in lines).encode()
        return subprocess.run([str(word) for word in (*self.command, *arguments)], input=stdin, capture_output=True, timeout=300)

    def answers(self, *arguments: object, lines: list[str] | bytes) -> list[str]:
        done = self.run(*arguments, lines=lines)
        assert done.returncode == 0, done.stderr.decode()
        print(self.command[0], arguments[0], done.stderr.decode().strip().replace("\n", "; "))
        return done.stdout.decode().splitlines()

    def rejects(self, *arguments: object) -> bool:
        done = self.run(*arguments)
        return done.returncode == 1 and done.stderr.startswith(b"rejected: ")


@pytest.fixture(scope="module")
def readers(session_folder: Path) -> dict[str, Reader]:
    binary = session_folder / "reader-in-go"
    subprocess.run(["go", "build", "-o", binary, "."], cwd=PROGRAMS, check=True)
    return {"python": Reader("python3", PROGRAMS / "cli.py"), "go": Reader(binary),
            "js": Reader("node", PROGRAMS / "cli.mjs")}


LANGUAGES = pytest.mark.parametrize("language", ["python", "go", "js"])
pytestmark = pytest.mark.needs("golang-go", "npm")


def table(name: str) -> dict[str, list[list[str]]]:
    """Rows of a file of vectors by their first column."""
    rows = defaultdict(list)
    for line in (VECTORS / name).read_text(encoding="utf-8").splitlines():
        first, *rest = line.split("\t")
        rows[first].append(rest)
    return rows


@LANGUAGES
def test_a_reader_answers_what_the_vectors_say(readers: dict[str, Reader], language: str, expect):
    reader = readers[language]
    for seed, rows in table("hashes.tsv").items():
        expect(f"hashes of seed {seed}", reader.answers("hash", seed, lines=[row[0] for row in rows]) == [row[1] for row in rows])
    for kind in ("domain", "url"):
        for name, answer in (("present", "maybe"), ("absent", "absent")):
            said = reader.answers("ask-keys", SNAPSHOT / f"{kind}.bloom", kind, lines=(VECTORS / f"{kind}-{name}.txt").read_bytes())
            expect(f"{name} keys of {kind}.bloom", Counter(said) == {answer: 1000})
    for kind, rows in table("values.tsv").items():
        expect(f"keys of {kind}", reader.answers("keys", kind, lines=[row[0] for row in rows]) == ["\t".join(row[1:]) for row in rows])
    for kind, rows in table("rejected.tsv").items():
        for value, said in zip(rows, reader.answers("keys", kind, lines=[row[0] for row in rows]), strict=True):
            expect(f"{kind} {value} is rejected", said.startswith("rejected: "))
    damaged = sorted((VECTORS / "damaged").iterdir())
    expect("damaged files are there", len(damaged) > 30)
    for file, said in zip(damaged, reader.answers("open", "domain", *damaged, lines=[]), strict=True):
        expect(f"{file.name}: {said}", said.startswith("rejected: "))


@LANGUAGES
def test_a_reader_verifies_a_snapshot(readers: dict[str, Reader], language: str, tmp_path: Path, expect):
    reader = readers[language]
    statement, snapshot = tmp_path / "announced", tmp_path / GENERATION

    def verify(time: str = WITHIN, key: Path = VECTORS / "publisher.pem") -> tuple[object, ...]:
        return "verify", snapshot, key, time

    def is_rejected(what: str, file: Path, change, *arguments: object) -> None:
        before = file.read_bytes()
        after = change(before)
        assert after != before, what
        file.write_bytes(after)
        expect(f"{what} is rejected", reader.rejects(*(arguments or verify())))
        file.write_bytes(before)
    shutil.copytree(VECTORS / "snapshots", tmp_path, dirs_exist_ok=True)
    whole = reader.answers(*verify(), lines=[])
    expect("both filters are verified", whole == [f"nightly {GENERATION} {kind} 1000" for kind in ("domain", "url")])
    manifest = snapshot / "manifest.json"
    is_rejected("a flipped bit in a filter", snapshot / "url.bloom", lambda b: b[:5000] + bytes([b[5000] ^ 1]) + b[5001:])
    is_rejected("the filter of another kind", snapshot / "url.bloom", lambda _: (snapshot / "domain.bloom").read_bytes())
    is_rejected("a changed manifest", manifest, lambda b: b.replace(b'"inserted" : 1000', b'"inserted" : 1001'))
    is_rejected("half a manifest", manifest, lambda b: b[:len(b) // 2])
    is_rejected("a manifest and more", manifest, lambda b: b + b"}")
    if language == "python":
        return
    signature = snapshot / "manifest.json.sig"
    is_rejected("another signature", signature, lambda b: (b"A" if b[:1] != b"A" else b"B") + b[1:])
    is_rejected("no signature", signature, lambda _: b"")
    is_rejected("a statement changed by a digit", statement, lambda b: b.replace(b"counter 1", b"counter 2"))
    is_rejected("an unsigned statement", statement, lambda b: re.sub(rb"signature .*\n", b"", b))
    is_rejected("a statement and more", statement, lambda b: b + b"\n")
    is_rejected("a line twice", statement, lambda b: re.sub(rb"(layer .*\n)", rb"\1\1", b))
    expect("an expired statement is rejected", reader.rejects(*verify("2026-12-21T02:03:06Z")))
    expect("one that is valid for 367 days is rejected", reader.rejects(*verify("2025-12-19T00:00:00Z")))
    other = tmp_path / "other.pem"
    subprocess.run("openssl genpkey -algorithm ed25519 | openssl pkey -pubout -out " + str(other), shell=True, check=True)
    expect("another key's signature is rejected", reader.rejects(*verify(key=other)))
    for use in ("manifest", "current"):
        other.write_text(f"use: {use}\n" + (VECTORS / "publisher.pem").read_text())
        expect(f"a key for {use} alone is rejected", reader.rejects(*verify(key=other)))
    other.write_text("".join(f"use: {use}\n" + (VECTORS / "publisher.pem").read_text() for use in ("manifest", "current")))
    expect("a key for each use is accepted", reader.answers(*verify(key=other), lines=[]) == whole)


def test_readers_agree_on_a_filter_of_a_million_keys(readers: dict[str, Reader], home: Home, expect):
    home.list_domains(*(f"w{n:x}.{'example' if n % 3 else 'a.test'}" for n in range(KEYS)))
    home.rebuild()
    file = home.layer / home.current() / "domain.bloom"
    assert file.stat().st_size > 3_000_000
    present = [f"{'www.' if n % 5 == 0 else ''}w{n:x}.{'example' if n % 3 else 'a.test'}" for n in range(0, KEYS, KEYS // ASKED)]
    absent = [f"w{n:x}.{'test' if n % 3 else 'a.example'}" for n in range(ASKED)]
    with ThreadPoolExecutor() as threads:
        said = dict(zip(readers, threads.map(lambda reader: reader.answers("ask", file, "domain", lines=present + absent), readers.values())))
    for language in readers:
        expect(f"{language}: all {len(present)} present values are maybe", set(said[language][:len(present)]) == {"maybe"})
        maybe = said[language][len(present):].count("maybe")
        expect(f"{language}: of {ASKED} absent values {maybe} are maybe", maybe <= 3 and len(said[language]) == len(present) + ASKED)
    expect("all answer alike", said["python"] == said["go"] == said["js"])
