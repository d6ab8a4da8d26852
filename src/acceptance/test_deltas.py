"""What a mirror with an embedded exact store fetches of the filters when a share of the keys has changed, counted on the wire,
and what that costs it; every file comes out as the publisher's, byte for byte."""
import filecmp
import math
import random
import re
import time
from collections import defaultdict

import pytest

from certificates import signing_key
from processes import cpu_seconds, wait_until
from test_mirror import Passing, Tamperer

ROWS = (("5 % + 5 %", 0.05), ("1 % + 1 %", 0.01), ("0.05 % + 0.05 %", 0.0005))
# Of a million keys, the changes of the filter's hashes.
MOST_BYTES = {0.05: 350_000, 0.01: 80_000, 0.0005: 5_000}


def kind_of(path: str) -> str:
    name = path.rpartition("/")[2]
    kinds = ((r"domain\..*\.delta", "delta"), (r".*\.hashes", "hashes"), (r".*\.bloom", "filter"), (r".*\.pages", "store"))
    return next((kind for pattern, kind in kinds if re.fullmatch(pattern, name)), "others")


class Counting(Tamperer):
    """Between mirror and publisher: bytes of bodies by what the file is."""

    def __init__(self, upstream: int):
        super().__init__(upstream)
        self.RequestHandlerClass = Counted

    def forget(self) -> None:
        super().forget()
        self.by = defaultdict(int)


class Counted(Passing):
    def pass_on(self, body: bytearray) -> None:
        self.server.by[kind_of(self.path)] += len(body)
        super().pass_on(body)


@pytest.mark.long
@pytest.mark.parametrize("keys", [100_000, 1_000_000])
def test_of_a_filter_only_changes_are_sent(home, expect, keys):
    theirs, ours, drawn = home.beside("theirs"), home.beside("ours"), random.Random(16)
    theirs.configure(f"rebuild: {{ signingKey: {signing_key(home.folder, 'own')[0]} }}")
    listed = [f"{drawn.getrandbits(48):x}.host{drawn.randrange(9999)}.example" for _ in range(keys)]
    theirs.list_domains(*listed)
    first = theirs.rebuild("--force")
    between = Counting(theirs.lookup_service().http)
    mirror = ours.lookup_service(f"mirror.url={between.url}", "mirror.interval=1s")
    mirror.wait_for_snapshot(first)
    print(f"{keys} keys, the first time: {dict(between.by)} bytes")
    for row, share in ROWS:
        changed = int(keys * share)
        gone = set(drawn.sample(range(keys), changed))
        listed = [domain for at, domain in enumerate(listed) if at not in gone]
        listed += [f"{drawn.getrandbits(48):x}.host{drawn.randrange(9999)}.example" for _ in range(changed)]
        theirs.list_domains(*listed)
        between.forget()
        before = cpu_seconds(mirror.process.pid)
        generation = theirs.rebuild("--force")
        mirror.wait_for_snapshot(generation)
        print(f"{keys} keys, {row}: {dict(between.by)} bytes; CPU of the mirror {cpu_seconds(mirror.process.pid) - before:.2f} s")
        expect(f"{row}: neither hashes nor filter are sent whole", not {"hashes", "filter"} & set(between.by))
        most = MOST_BYTES[share] if keys == 1_000_000 else MOST_BYTES[share] * keys / 800_000 + 100  # The fewer, the further apart.
        sent = between.by["delta"]
        expect(f"{row}: changes of hashes are {sent} bytes, of at most {most:.0f}", sent <= most)
        same = [file for file in (theirs.layer / generation).rglob("*") if file.is_file() and not file.name.endswith(".delta")]
        differ = [file.name for file in same
                  if not filecmp.cmp(file, ours.layer / generation / file.relative_to(theirs.layer / generation), shallow=False)]
        expect(f"{row}: {len(same)} files are the publisher's: {differ}", len(same) > 4 and not differ)
    wait_until("nothing is left behind", lambda: not list(ours.layer.glob(".incoming-*")), 10)
    mirror.stop()
    between.shutdown()
    between.server_close()


@pytest.mark.long
def test_a_small_heap_follows_20_million_keys(home, expect, monkeypatch):
    keys, changed = 20_000_000, 200_000
    theirs, ours = home.beside("theirs"), home.beside("ours")
    theirs.configure(f"rebuild: {{ signingKey: {signing_key(home.folder, 'own')[0]} }}")
    ours.configure("exact: { store: http, http: { urls: [ http://127.0.0.1:9 ] } }")  # So that only filters are fetched.
    theirs.list_domains()

    def rebuild(begin: int) -> str:
        with theirs.path("domains.txt").open("w", encoding="ascii") as file:
            file.writelines(f"{number * 2654435761 % 2**32:x}.host.example\n" for number in range(begin, begin + keys))
        return theirs.rebuild("--force")

    first = rebuild(0)
    between = Counting(theirs.lookup_service().http)
    monkeypatch.setenv("BLOOMGATE_JAVA_OPTS", "-Xmx256m")
    mirror = ours.lookup_service(f"mirror.url={between.url}", "mirror.interval=1s")
    monkeypatch.delenv("BLOOMGATE_JAVA_OPTS")
    wait_until("the first generation", lambda: mirror.ready().get("snapshot") == first, 300)
    print(f"the first time: {dict(between.by)} bytes")
    between.forget()
    generation = rebuild(changed)
    before, begun = cpu_seconds(mirror.process.pid), time.monotonic()
    wait_until("the next generation", lambda: mirror.ready().get("snapshot") == generation, 300)
    seconds, cpu = time.monotonic() - begun, cpu_seconds(mirror.process.pid) - before
    share = changed / keys
    gone = keys * -(share * math.log2(share) + (1 - share) * math.log2(1 - share))
    come = changed * (64 - math.log2(changed / math.e))
    bound = (gone + come) / 8
    print(f"1 % of {keys} keys: {seconds:.1f} s, CPU {cpu:.1f} s; {dict(between.by)} bytes, at least {bound:.0f} by entropy")
    expect("neither hashes nor filter are sent whole", not {"hashes", "filter"} & set(between.by))
    expect("the change has at most a tenth more bytes than it must", between.by["delta"] <= 1.1 * bound)
    for name in ("domain.bloom", "domain.hashes"):
        same = filecmp.cmp(theirs.layer / generation / name, ours.layer / generation / name, shallow=False)
        expect(f"{name} is the publisher's", same)
    mirror.stop()
    between.shutdown()
    between.server_close()
