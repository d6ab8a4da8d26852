#!/usr/bin/env python3
"""Public test vectors of URL parsers (urlsets.py) and linkifiers (textsets.py): a table of how we answer them.

    .ci/vectors.py LAUNCHER FOLDER

FOLDER holds the vector files; a missing one is an error. deviations.tsv names the vectors we answer otherwise on
purpose and those we are not asked (set, first 12 digits of the SHA-256 of the input, which of both, why). Exit status
1 when any other vector fails, or when a line of deviations.tsv no longer holds.
"""
import collections, csv, hashlib, json, re, subprocess, sys, tempfile
from pathlib import Path

import textsets, urlsets

HEAD = b"Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n"
OUTCOMES = ("passed", "deviates", "not asked", "failed")


class Launcher:
    """Answers for many inputs, one process for all."""

    def __init__(self, path):
        self.path = path

    def canonical(self, inputs):
        """One line an input; those that hold a line feed go as arguments."""
        by_line = [octets for octets in inputs if b"\n" not in octets]
        lines = self.run(["canonicalize", "--json"], b"".join(octets + b"\n" for octets in by_line))
        if len(lines) != len(by_line):
            sys.exit(f"{len(by_line)} lines went in, {len(lines)} answers came out")
        found = iter(lines)
        return [next(found) if b"\n" not in octets else self.argument(octets) for octets in inputs]

    def argument(self, octets):
        return self.run(["canonicalize", "--json", octets.decode("utf-8", "replace")], b"")[0]

    def scan(self, texts):
        with tempfile.TemporaryDirectory(prefix="bloomgate-vectors-") as folder:
            files = [Path(folder, "%05d.eml" % number) for number in range(len(texts))]
            for file, text in zip(files, texts):
                file.write_bytes(HEAD + text)
            answers = {answer["file"]: answer for answer in self.run(["scan", "--json", *map(str, files)], b"")}
        return [answers[str(file)]["identifiers"] for file in files]

    def run(self, arguments, stdin):
        done = subprocess.run([self.path, *arguments], input=stdin, stdout=subprocess.PIPE, check=False)
        if done.returncode not in (0, 3):
            sys.exit(f"{' '.join(arguments[:2])} ended with {done.returncode}")
        return [json.loads(line) for line in done.stdout.decode("utf-8").split("\n") if line]


def judge_urls(launcher, read, folder):
    """Yields the input, True, False or why it is not asked, and what we answered."""
    vectors = list(read(folder))
    asked = [vector for vector in vectors if vector.judge]
    spellings = [vector.like for vector in asked if vector.like]
    theirs = dict(zip(spellings, launcher.canonical(spellings))) if spellings else {}
    for vector, ours in zip(asked, launcher.canonical([vector.given for vector in asked])):
        yield vector.given, vector.judge(ours, theirs.get(vector.like)), ours["canonical"]
    for vector in vectors:
        if not vector.judge:
            yield vector.given, vector.like, ""


def judge_texts(launcher, read, folder):
    vectors = [(urlsets.octets({"input": text}), expected) for text, expected in read(folder)]
    links = sorted({link for _, expected in vectors for link in expected.links})
    canonical = dict(zip(links, launcher.canonical([link.encode("utf-8", "replace") for link in links])))
    for (text, expected), found in zip(vectors, launcher.scan([text for text, _ in vectors])):
        passed = textsets.judge(found, expected, lambda link: address(link) or canonical[link]["canonical"])
        yield text, passed, [(one["value"], one["where"]) for one in found]


def address(link):
    local, at, domain = re.sub(r"^mailto:/*", "", link, flags=re.I).rpartition("@")
    return local.lower() + at + domain.lower().encode("idna").decode() if at and "://" not in local else ""


def deviations():
    with open(Path(__file__).with_name("deviations.tsv"), encoding="utf-8") as lines:
        rows = csv.reader((line for line in lines if not line.startswith("#")), delimiter="\t", quoting=csv.QUOTE_NONE)
        return {(name, digest): (outcome, why) for name, digest, outcome, why in rows}


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    launcher, folder = Launcher(sys.argv[1]), Path(sys.argv[2])
    known, faults, seen = deviations(), [], set()
    print(f"{'vectors':22}" + "".join(f"{outcome:>11}" for outcome in OUTCOMES))
    for judge_set, sets in ((judge_urls, urlsets.SETS), (judge_texts, textsets.SETS)):
        for name, read in sets.items():
            counts, reasons = collections.Counter(), collections.Counter()
            for given, passed, answer in judge_set(launcher, read, folder):
                key = name, hashlib.sha256(given).hexdigest()[:12]
                outcome, why = "passed", ""
                if isinstance(passed, str):
                    outcome, why = "not asked", passed
                elif not passed:
                    outcome, why = known.get(key, ("failed", ""))
                    seen.add(key)
                counts[outcome] += 1
                reasons[outcome, why] += bool(why)
                if outcome == "failed":
                    faults.append(f"failed: {name} {key[1]} {given!r} -> {answer!r}")
            print(f"{name:22}" + "".join(f"{counts[outcome]:11}" for outcome in OUTCOMES))
            for (outcome, why), count in sorted(reasons.items()):
                print(f"    {count:4} {outcome}: {why}" if why else "", end="\n" if why else "")
    faults += [f"deviations.tsv: passes now, or is gone: {' '.join(key)}" for key in known.keys() - seen]
    print("\n".join(faults))
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
