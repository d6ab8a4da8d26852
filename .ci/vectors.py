#!/usr/bin/env python3
"""Runs `LAUNCHER canonicalize --json` over public test vectors and prints a table.

    .ci/vectors.py ./bloomgate FOLDER

FOLDER holds the vector files; a missing one is an error. Exit status 1 when a file has more failures than allowed.
"""
import csv
import json
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote_to_bytes

ALLOWED_FAILURES = 0

GSB_LABELS = "the Go client takes seven last labels, the Safe Browsing documentation five"
DOTS = "leading, trailing and repeated dots of a host are folded"
OVERFLOW = "a part of an IPv4 address beyond its range wraps, as in Safe Browsing"
NOT_IP = "a name whose last label is numeric stays a name"
ESCAPES = "escapes are undone to the fix-point, and written for few octets only"
PARAMETERS = "parameters are neither sorted nor dropped"
PORT = "the port is dropped"
EMPTY_QUERY = "an empty query keeps its ? in the canonical URL"
NO_HOST = "a URL that names no host has no canonical form"
HOST_ESCAPES = "what no host name may hold is escaped"
LEADING_DOT = "a leading dot is dropped rather than refused"


class Launcher:
    """Answers for many inputs, one process for all that hold no line feed."""

    def __init__(self, path):
        self.command = [path, "canonicalize", "--json"]

    def answers(self, inputs):
        by_line = [octets for octets in inputs if b"\n" not in octets]
        lines = self.run(self.command, b"".join(octets + b"\n" for octets in by_line))
        if len(lines) != len(by_line):
            sys.exit(f"{len(by_line)} lines went in, {len(lines)} answers came out")
        found = iter(lines)
        return [next(found) if b"\n" not in octets else self.argument(octets) for octets in inputs]

    def argument(self, octets):
        return self.run([*self.command, octets.decode("utf-8", "replace")], b"")[0]

    @staticmethod
    def run(command, stdin):
        done = subprocess.run(command, input=stdin, stdout=subprocess.PIPE, check=False)
        if done.returncode != 0:
            sys.exit(f"{' '.join(command[:3])} ended with {done.returncode}")
        return [json.loads(line) for line in done.stdout.decode("utf-8").split("\n") if line]


def octets(case):
    if "input_hex" in case:
        return bytes.fromhex(case["input_hex"])
    return case["input"].encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode("utf-8")


def host_of(answer):
    found = re.match(r"[^:]+://([^/]*)/", answer["canonical"])
    return found.group(1) if found else ""


def fold_dots(host):
    return re.sub(r"\.+", ".", host).strip(".")


# Each of these yields (octets of the input, judge); a judge says None (passed), a reason (on purpose) or False (failed).

def gsb_canonical(folder):
    for case in cases(folder, "gsb-url-canonicalization.json"):
        expected = "" if case.get("fail") else case["expected"]
        yield octets(case), lambda answer, expected=expected: verdict(answer["canonical"].split("?")[0] == expected)


def gsb_expressions(folder):
    def judge(answer, case):
        expected = set(case.get("expected", []))
        missing, more = expected - set(answer["keys"]), set(answer["keys"]) - expected
        if missing and not more and all(key.split("/")[0].count(".") in (5, 6) for key in missing):
            return GSB_LABELS
        return verdict(not missing and not more)
    for case in cases(folder, "gsb-suffix-prefix-expressions.json"):
        yield octets(case), lambda answer, case=case: judge(answer, case)


def rspamd_hosts(folder):
    for case in cases(folder, "rspamd-url-host.json"):
        if case["input"].lower().startswith("mailto:"):
            continue
        first_word = re.sub(r"\.? text$", "", case["input"])
        host = case["host"].encode("idna").decode() if not case["host"].isascii() else case["host"]
        yield first_word.encode(), lambda answer, host=host: verdict(host_of(answer).strip("[]") == host)


def wpt_urls(folder):
    def judge(answer, hostname):
        return judge_host(host_of(answer), hostname)
    for case in cases(folder, "wpt-urltestdata-odd.json"):
        text = re.sub(r"[\t\r\n]", "", case.get("input", "")).lstrip("\x00 ")
        absolute = re.match(r"https?:[/\\]{2}" if case.get("base") else r"https?:", text, re.I)
        if absolute and not case.get("failure") and case["protocol"] in ("http:", "https:"):
            yield octets(case), lambda answer, name=case["hostname"]: judge(answer, name)


def wpt_idna(name):
    def read(folder):
        for case in cases(folder, name):
            if case["output"] is None or re.search(r"[/?#@\\:%\t\r\n]", case["input"]) or not case["output"]:
                continue
            wrapped = {"input": f"http://{case['input']}/"}
            yield octets(wrapped), lambda answer, host=case["output"]: judge_host(host_of(answer), host)
    return read


def judge_host(host, expected):
    if host == expected:
        return None
    if host == fold_dots(expected):
        return DOTS
    if unquote_to_bytes(host) == unquote_to_bytes(expected):
        return HOST_ESCAPES
    return False


def public_suffixes(folder):
    def judge(answer, name, expected):
        names = {key.split("/")[0] for key in answer["keys"]}
        if expected == "null":
            ascii_name = host_of(answer)
            if name.startswith(".") and names != {ascii_name}:
                return LEADING_DOT
            return verdict(names <= {ascii_name})
        return verdict(min(names, key=len, default="") == expected.encode("idna").decode())
    lines = (folder / "psl" / "psl-tests-odd.txt").read_text(encoding="utf-8").split("\n")
    for line in lines:
        if line and not line.startswith(("//", "null")):
            name, expected = line.split()
            yield name.encode(), lambda answer, name=name, expected=expected: judge(answer, name, expected)


def crawler_commons(folder):
    path = folder / "crawler-commons-weirdToNormalizedUrls.csv"
    for line in path.read_text(encoding="utf-8").split("\n"):
        if line and not line.startswith("#"):
            url, expected = [cell.strip(" ") for cell in next(csv.reader([line], skipinitialspace=True))][:2]
            yield url.encode(), lambda answer, expected=expected: judge_normal(answer["canonical"], expected)


def judge_normal(ours, expected):
    if ours == expected:
        return None
    if not ours and not re.match(r"(https?|ftp):/+[^/]", expected):
        return NO_HOST
    if ours == expected + "?":
        return EMPTY_QUERY
    if unquote_to_bytes(ours) == unquote_to_bytes(expected):
        return ESCAPES
    if ours == re.sub(r":\d+/", "/", expected):
        return PORT
    return PARAMETERS if parameters(ours) == parameters(expected) else False


def parameters(url):
    base, _, query = url.partition("?")
    return base, sorted(part.rstrip("=") for part in query.split("&") if part.strip("=") and part[0] != "=")


def cases(folder, name):
    found = json.loads((folder / name).read_text(encoding="utf-8"))["cases"]
    return [case for case in found if isinstance(case, dict)]


def verdict(passed):
    return None if passed else False


VECTORS = {
    "gsb canonical form": gsb_canonical,
    "gsb expressions": gsb_expressions,
    "rspamd hosts": rspamd_hosts,
    "wpt urls": wpt_urls,
    "wpt toascii": wpt_idna("wpt-toascii-odd.json"),
    "wpt IdnaTestV2": wpt_idna("wpt-IdnaTestV2-odd.json"),
    "public suffix list": public_suffixes,
    "crawler-commons": crawler_commons,
}


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    launcher, folder = Launcher(sys.argv[1]), Path(sys.argv[2])
    closed = False
    print(f"{'vectors':22}{'passed':>8}{'on purpose':>12}{'failed':>8}")
    for name, read in VECTORS.items():
        vectors = list(read(folder))
        answers = launcher.answers([given for given, _ in vectors])
        judged = [(given, answer, judge(answer)) for (given, judge), answer in zip(vectors, answers)]
        failed = [row for row in judged if row[2] is False]
        reasons = [row[2] for row in judged if isinstance(row[2], str)]
        print(f"{name:22}{len(judged) - len(failed) - len(reasons):8}{len(reasons):12}{len(failed):8}")
        for reason in sorted(set(reasons)):
            print(f"    {reasons.count(reason):4} on purpose: {reason}")
        for given, answer, _ in failed:
            print(f"    failed: {given!r} -> {answer['canonical']!r} {answer['keys'][:3]}")
        closed |= len(failed) > ALLOWED_FAILURES
    sys.exit(1 if closed else 0)


if __name__ == "__main__":
    main()
