"""Names that dnstwist makes of a hundred popular ones of six letters and more, all protected here: how many of each of its
classes look like what they are made of, and how many of ten thousand other popular names do. Nobody is asked about a name."""
import collections
import json
import re
import subprocess
import sys

import pytest

from product import CHECKOUT, jdk

PROTECTED = 100
WHOLE = {"addition", "bitsquatting", "homoglyph", "hyphenation", "insertion", "omission", "repetition", "replacement", "transposition"}
LEAST = 0.95
MADE = """
import json, sys, dnstwist
for name in sys.stdin.read().split():
    made = dnstwist.Fuzzer(name)
    made.generate()
    print(json.dumps([[one["fuzzer"], one["domain"]] for one in made.domains]))
"""


def popular(shared, name: str) -> list[str]:
    return json.loads((shared / f"data/allow/misp-warninglists/{name}.json").read_text())["list"]


@pytest.mark.long
@pytest.mark.needs("dnstwist")
@pytest.mark.needs_shared
def test_what_dnstwist_makes_of_a_name_looks_like_it(folder, shared, expect):
    protected = [name for name in popular(shared, "tranco10k") if re.fullmatch(r"[a-z]{6,}[.](com|org|net|de)", name)][:PROTECTED]
    (folder / "protected").write_text("\n".join(protected))
    made = [json.loads(line) for line in subprocess.run(
        [sys.executable, "-c", MADE], input="\n".join(protected), capture_output=True, text=True, check=True).stdout.splitlines()]
    asked = [(kind, name) for all_of_it in made for kind, name in all_of_it if name not in protected and "original" not in kind]
    others = [name for name in dict.fromkeys(popular(shared, "majestic_million")) if name not in protected]
    found = looks_like(folder, [name for _, name in asked] + others)
    counts = collections.defaultdict(collections.Counter)
    for (kind, name), like in zip(asked, found):
        counts[kind].update(("all", "seen") if like else ("all",))
        if not like:
            print(f"{name} looks like none")
    for kind, count in sorted(counts.items()):
        print(f"{kind:16} {count['seen']:7} of {count['all']:7}")
    total = sum(counts.values(), collections.Counter())
    expect(f"{total['seen']} of {total['all']} names", total["seen"] >= LEAST * total["all"] > 0)
    for kind in sorted(WHOLE):
        expect(f"every name of the class {kind}", counts[kind]["seen"] == counts[kind]["all"] > 0)
    flagged = [(name, like) for name, like in zip(others, found[len(asked):]) if like]
    expect(f"of {len(others)} popular names at most one looks like another: {flagged}", len(flagged) <= 1)


def looks_like(folder, names: list[str]) -> list[str]:
    jar = CHECKOUT / "target" / "bloomgate.jar"
    source = CHECKOUT / "src/test/java/org/bloomgate/core/lookalike/LookAlikesTable.java"
    subprocess.run([jdk() / "bin" / "javac", "-proc:none", "-d", folder, "-cp", jar, source], check=True)
    return subprocess.run(
        [jdk() / "bin" / "java", "-cp", f"{folder}:{jar}", "org.bloomgate.core.lookalike.LookAlikesTable", folder / "protected"],
        input="\n".join(names), capture_output=True, encoding="utf-8", check=True).stdout.split("\n")[:len(names)]  # fmt: skip
