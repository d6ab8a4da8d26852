"""A folder shaped as that of Pwned Passwords, a file for each of 2^20 prefixes: merged without a sort, in a heap that does not
grow with it, and answered as it is."""
import json
import os
import random
import resource
import time
from pathlib import Path

import pytest

PREFIXES = 1 << 20


def lines_of(prefix: int, count: int, drawn: random.Random) -> list[str]:
    digits = drawn.randbytes(18 * count).hex().upper()
    suffixes = sorted({digits[36 * at + 1:36 * at + 36] for at in range(count)})
    return [f"{suffix}:{1 + at % 97}" for at, suffix in enumerate(suffixes)]


def write_folder(folder: Path, keys: int) -> int:
    """The number of lines: the same for each prefix, but for what is left."""
    folder.mkdir()
    each, more = divmod(keys, PREFIXES)
    drawn, written = random.Random(5), 0
    for prefix in range(PREFIXES):
        lines = lines_of(prefix, each + (prefix < more), drawn)
        written += len(lines)
        (folder / f"{prefix:05X}").write_text("\r\n".join(lines))
    return written


# 200 million take 30 GB of disk.
@pytest.mark.long
@pytest.mark.parametrize("keys, heap", [(2_000_000, "512m"), (5_000_000, "512m"), (200_000_000, "1g")])
def test_a_folder_of_ranges_is_merged_in_a_bounded_heap(home, expect, keys, heap):
    folder = home.path("ranges")
    written = write_folder(folder, keys)
    size = 64 << 30
    home.feeds(f"name: pwned, kind: password, format: sha1-count, category: weak, source: ranges, maxBytes: {size}, maxUnpackedBytes: {size}")
    began, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    done = home.run("rebuild", "--all", "--json", status=0, env={**os.environ, "BLOOMGATE_JAVA_OPTS": f"-Xmx{heap}"})
    took, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    report = json.loads(done.stdout)
    print(f"{written} keys: {took:.1f} s, CPU {cpu:.1f} s, {written / took:.0f} keys a second, {written / cpu:.0f} a second of a core; "
          f"peak heap {report['peakHeapBytes'] / 2**20:.0f} MiB of {heap}; {report['stages']}")
    inspected = json.loads(home.run("inspect", "--json", status=0).stdout)
    expect("every line is an entry", sum(one["entries"] for one in inspected["filters"]) == written)

    gateway = home.gateway()
    for prefix in random.Random(6).sample(range(PREFIXES), 200):
        file = folder / f"{prefix:05X}"
        answered = gateway.get(f"/range/{file.name}")
        if answered.encode() != file.read_bytes():
            expect(f"range {file.name} is answered as it is in the folder", False)
    gateway.stop()
