"""What messages made to be slow cost: CPU time of the reading of each on a warm machine, by the table in the tests."""
import re
import subprocess

import pytest

from product import CHECKOUT, Home, jdk

BYTES = 4_000_000  # All of it is inspected: a part of text may have so many.
MOST_MS, MOST_MS_PER_MB = 20, 8
MOST_MS_OF_BOMB = 250  # Archives and pictures that hold more than the message.
WORST = 12


@pytest.mark.long
def test_messages_made_to_be_slow_are_not(home: Home, folder, expect):
    jar = CHECKOUT / "target" / "bloomgate.jar"
    tests = CHECKOUT / "src/test/java"
    source = tests / "org/bloomgate/content/mime/HostileMessagesTable.java"
    subprocess.run(
        [jdk() / "bin" / "javac", "-proc:none", "-implicit:class", "-d", folder, "-cp", jar, "-sourcepath", tests, source],
        check=True)  # fmt: skip
    table = subprocess.run(
        [jdk() / "bin" / "java", "-Xmx700m", "-XX:+UseSerialGC", "-cp", f"{folder}:{jar}", "org.bloomgate.content.mime.HostileMessagesTable", str(BYTES)],
        capture_output=True, encoding="utf-8", check=True).stdout  # fmt: skip
    rows = []
    for name, blob, ms, mb, found, limits in re.findall(r"^(.*)\t(\d+)\t([\d.]+)\t([\d.]+)\t(\d+)\t(.*)$", table, re.M):
        most = max(MOST_MS_OF_BOMB if "bomb" in name else 0, MOST_MS + MOST_MS_PER_MB * int(blob) / 1e6)
        rows.append((float(ms) / most, name, int(blob) / 1e6, float(ms), float(mb), found, limits))
    print(f"{'message':36} {'MB':>5} {'ms':>8} {'of most':>8} {'MB made':>8} {'found':>6}  limits")
    for share, name, size, ms, made, found, limits in sorted(rows, reverse=True)[:WORST]:
        print(f"{name:36} {size:5.1f} {ms:8.1f} {share:8.2f} {made:8.1f} {found:>6}  {limits}")
    expect("87 kinds and more", len(rows) >= 87)
    for share, name, *_ in rows:
        if share > 1:
            expect(f"{name} costs at most {MOST_MS} ms and {MOST_MS_PER_MB} ms a MB, {MOST_MS_OF_BOMB} ms if it is a bomb", False)
