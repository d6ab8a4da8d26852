"""The relay in front of a recording next hop: nothing smuggled, every byte identical."""
import re
import subprocess
import sys
from pathlib import Path

import pytest

from smtp import WireSink

pytestmark = pytest.mark.needs_shared


def run_tool(shared: Path, script: str, *arguments: object) -> str:
    command = [sys.executable, shared / "tools" / "smtp" / script, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=500)
    print(done.stdout + done.stderr)
    return done.stdout


@pytest.mark.parametrize("bare", ["normalize", "reject"])
# What a next hop takes that reads line ends strictly, a lenient one takes too.
@pytest.mark.parametrize("options", [pytest.param([], id="strict", marks=pytest.mark.long), pytest.param(["--lenient"], id="lenient")])
def test_nothing_is_smuggled_and_no_byte_changed(home, shared, processes, real_feeds, expect, options, bare):
    sink = WireSink(processes, shared, home.folder, *options)
    gateway = home.gateway(f"snapshots={real_feeds.snapshots}", f"smtp.bareLineEnds={bare}", next_hop=sink.port)
    address = f"127.0.0.1:{gateway.smtp}"
    lines = run_tool(shared, "smuggle.py", address, sink.log).strip().splitlines()
    answered = sum(re.search(r"first=b'[245]\d\d", line) is not None for line in lines)
    expect(f"{answered} of 19 sequences answered", len(lines) == answered == 19)
    expect("nothing smuggled", not any("SMUGGLED" in line for line in lines))
    result = run_tool(shared, "transparency.py", address, sink.log, "--below-trace")
    expect("1,000 messages identical", "sent 1000 accepted 1000 identical 1000 different 0 rejected 0" in result)
    gateway.stop()
    sink.stop()
