"""Public test vectors of URL parsers (urlsets.py) and linkifiers (textsets.py) are answered as they say, but for those that
deviations.tsv names: the ones we answer otherwise on purpose, and the ones we are not asked (set, first 12 digits of the
SHA-256 of the input, which of both, why). A line of deviations.tsv that no longer holds fails as well."""
import collections
import csv
import hashlib
import json
import re
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

import textsets
import urlsets

pytestmark = pytest.mark.needs_shared
HEAD = b"Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n"


class Answers:
    """What the launcher says of many inputs, in one process for all."""

    def __init__(self, launcher: Path, folder: Path):
        self.launcher, self.folder = launcher, folder

    def canonical(self, inputs: list[bytes]) -> list[dict]:
        """One line an input; those that hold a line feed go as arguments."""
        by_line = [blob for blob in inputs if b"\n" not in blob]
        lines = self.run(["canonicalize", "--json"], b"".join(blob + b"\n" for blob in by_line))
        assert len(lines) == len(by_line)
        found = iter(lines)
        return [next(found) if b"\n" not in blob else self.argument(blob) for blob in inputs]

    def argument(self, blob: bytes) -> dict:
        return self.run(["canonicalize", "--json", blob.decode("utf-8", "replace")], b"")[0]

    def scan(self, texts: list[bytes]) -> list[list[dict]]:
        files = [self.folder / f"{number:05d}.eml" for number in range(len(texts))]
        for file, text in zip(files, texts):
            file.write_bytes(HEAD + text)
        answers = {answer["file"]: answer for answer in self.run(["scan", "--json", *map(str, files)], b"")}
        return [answers[str(file)]["identifiers"] for file in files]

    def run(self, arguments: list[str], stdin: bytes) -> list[dict]:
        done = subprocess.run([self.launcher, *arguments], input=stdin, stdout=subprocess.PIPE, cwd=self.folder)
        assert done.returncode in (0, 3), f"{arguments[:2]} ended with {done.returncode}"
        return [json.loads(line) for line in done.stdout.decode("utf-8").split("\n") if line]


@pytest.fixture
def answers(home) -> Answers:
    return Answers(home.launcher, home.folder)


@pytest.fixture
def vectors(shared) -> Path:
    return shared / "data" / "vectors"


@pytest.mark.parametrize("name", urlsets.SETS)
def test_urls_are_read_as_their_vectors_say(name, answers, vectors):
    judge(name, judged_urls(answers, urlsets.SETS[name], vectors))


@pytest.mark.parametrize("name", textsets.SETS)
def test_links_in_texts_are_found_as_their_vectors_say(name, answers, vectors):
    judge(name, judged_texts(answers, textsets.SETS[name], vectors))


def test_every_deviation_is_of_a_set():
    assert {name for name, _ in deviations()} <= {*urlsets.SETS, *textsets.SETS}


def judged_urls(answers: Answers, read, folder: Path) -> Iterator[tuple]:
    """The input, True, False or why it is not asked, and what we answered."""
    vectors = list(read(folder))
    asked = [vector for vector in vectors if vector.judge]
    spellings = [vector.like for vector in asked if vector.like]
    theirs = dict(zip(spellings, answers.canonical(spellings))) if spellings else {}
    for vector, ours in zip(asked, answers.canonical([vector.given for vector in asked])):
        yield vector.given, vector.judge(ours, theirs.get(vector.like)), ours["canonical"]
    for vector in vectors:
        if not vector.judge:
            yield vector.given, vector.like, ""


def judged_texts(answers: Answers, read, folder: Path) -> Iterator[tuple]:
    vectors = [(urlsets.blob({"input": text}), expected) for text, expected in read(folder)]
    links = sorted({link for _, expected in vectors for link in expected.links})
    canonical = dict(zip(links, answers.canonical([link.encode("utf-8", "replace") for link in links])))
    for (text, expected), found in zip(vectors, answers.scan([text for text, _ in vectors])):
        passed = textsets.judge(found, expected, lambda link: address(link) or canonical[link]["canonical"])
        yield text, passed, [(one["value"], one["where"]) for one in found]


def address(link: str) -> str:
    local, at, domain = re.sub(r"^mailto:/*", "", link, flags=re.I).rpartition("@")
    return local.lower() + at + domain.lower().encode("idna").decode() if at and "://" not in local else ""


def deviations() -> dict[tuple[str, str], tuple[str, str]]:
    with Path(__file__).with_name("deviations.tsv").open(encoding="utf-8") as lines:
        rows = csv.reader((line for line in lines if not line.startswith("#")), delimiter="\t", quoting=csv.QUOTE_NONE)
        return {(name, digest): (outcome, why) for name, digest, outcome, why in rows}


def judge(name: str, judged: Iterable[tuple]) -> None:
    known = {digest: said for (own, digest), said in deviations().items() if own == name}
    counts, faults, needed = collections.Counter(), [], set()
    for given, passed, answer in judged:
        digest = hashlib.sha256(given).hexdigest()[:12]
        outcome, why = "passed", ""
        if isinstance(passed, str):
            outcome, why = "not asked", passed
        elif not passed:
            outcome, why = known.get(digest, ("failed", ""))
            needed.add(digest)
        counts[outcome, why] += 1
        if outcome == "failed":
            faults.append(f"{digest} {given!r} -> {answer!r}")
    for (outcome, why), count in sorted(counts.items()):
        print(f"{count:6} {outcome}{why and ': '}{why}")
    assert counts["passed", ""]
    assert not faults
    assert needed >= known.keys(), "lines of deviations.tsv that pass now, or are gone"
