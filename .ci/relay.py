#!/usr/bin/env python3
"""The relay in front of a recording next hop: nothing smuggled, every octet identical.
usage: relay.py LAUNCHER SHARED SNAPSHOTS"""
import os, re, subprocess, sys, tempfile
from gatewaylib import Gateway, Sink

launcher, shared, snapshots = sys.argv[1:4]
tools = os.path.join(shared, "tools")
failures = []


def run(script, *arguments):
    result = subprocess.run([sys.executable, os.path.join(tools, "smtp", script), *arguments],
                            capture_output=True, text=True, timeout=120)
    print(result.stdout + result.stderr, end="")
    return result.stdout


for options in ([], ["--lenient"]):
    for bare in ("normalize", "reject"):
        name = "%s next hop, bareLineEnds %s" % (options[0][2:] if options else "strict", bare)
        print("--- " + name)
        folder = tempfile.mkdtemp(prefix="bloomgate-relay-")
        sink = Sink(tools, folder, *options)
        gateway = Gateway(launcher, folder, "smtp://127.0.0.1:%d" % sink.port, "snapshots=" + snapshots,
                          "smtp.bareLineEnds=" + bare, "journal.directory=" + os.path.join(folder, "decisions"))
        address = "127.0.0.1:%d" % gateway.smtp
        lines = run("smuggle.py", address, sink.log).strip().splitlines()
        answered = sum(re.search(r"first=b'[245]\d\d", line) is not None for line in lines)
        if len(lines) != 19 or answered != 19:
            failures.append("%s: %d of 19 sequences answered" % (name, answered))
        if any("SMUGGLED" in line for line in lines):
            failures.append(name + ": smuggled")
        result = run("transparency.py", address, sink.log, "--below-trace")
        if not re.search(r"sent 1000 accepted 1000 identical 1000 different 0 rejected 0", result):
            failures.append(name + ": not transparent")
        gateway.stop()
        sink.stop()
print("\n".join(failures) or "relay: 19 of 19 sequences answered, nothing smuggled, 1,000 of 1,000 identical, four times")
sys.exit(1 if failures else 0)
