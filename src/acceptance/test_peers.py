"""Real peers: Postfix's smtp-source and smtp-sink, and swaks, through a gateway."""
import re
import subprocess
import time

import pytest

from packages import program
from processes import free_port, wait_for_port, wait_until

pytestmark = [pytest.mark.needs_shared, pytest.mark.needs("postfix", "swaks")]
LOADS = ((1, 200), (8, 800), (50, 1000))  # sessions, messages


@pytest.mark.needs_root  # smtp-sink writes its files as the user that it is told
def test_real_clients_and_a_real_next_hop_lose_nothing(home, processes, real_feeds, expect):
    port, dump = free_port(), home.path("sink")
    dump.mkdir()
    processes.start_silent(program("smtp-sink"), "-c", "-u", "root", "-d", f"{dump}/%s.", f"127.0.0.1:{port}", 128)
    wait_for_port(port)
    gateway = home.gateway(f"snapshots={real_feeds.snapshots}", next_hop=port)
    for sessions, count in LOADS:
        began = time.monotonic()
        done = subprocess.run([program("smtp-source"), "-s", str(sessions), "-m", str(count), "-l", "10000", "-f", "a@sender.test",
                               "-t", "b@dest.example", f"127.0.0.1:{gateway.smtp}"], capture_output=True, text=True, timeout=120)
        expect(f"{count} messages in {sessions} sessions, {time.monotonic() - began:.1f} s {done.stderr[:200]}", done.returncode == 0)
    sent = sum(count for _, count in LOADS)

    def arrived():
        return sum(re.search(rb"^X-(Mail|Rcpt)-Args:", file.read_bytes(), re.M) is not None for file in dump.iterdir())
    wait_until(f"{sent} messages arrived", lambda: arrived() >= sent)
    done = subprocess.run(["swaks", "--server", "127.0.0.1", "--port", str(gateway.smtp), "--from", "a@sender.test", "--to",
                           "b@dest.example", "--pipeline", "--body", "see http://good.test/"], capture_output=True, text=True, timeout=60)
    expect(f"swaks with PIPELINING: {done.stdout[-500:]}", done.returncode == 0)
    wait_until("that one arrived", lambda: arrived() > sent)
    expect(f"{sent} and one arrived, {arrived()}", arrived() == sent + 1)
    gateway.stop()
