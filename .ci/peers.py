#!/usr/bin/env python3
"""Real peers: Postfix's smtp-source and smtp-sink, and swaks, through a gateway.
usage: peers.py LAUNCHER SNAPSHOTS"""
import os, re, shutil, subprocess, sys, tempfile, time
from gatewaylib import Gateway, free_port, wait_for_port

launcher, snapshots = sys.argv[1:3]
folder = tempfile.mkdtemp(prefix="bloomgate-peers-")
failures = []


def tool(name):
    return shutil.which(name) or "/usr/sbin/" + name


sink_port = free_port()
dump = os.path.join(folder, "sink")
os.mkdir(dump)
sink = subprocess.Popen([tool("smtp-sink"), "-c", "-u", "root", "-d", os.path.join(dump, "%s."), "127.0.0.1:%d" % sink_port, "128"],
                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
wait_for_port(sink_port)
gateway = Gateway(launcher, folder, "smtp://127.0.0.1:%d" % sink_port, "snapshots=" + snapshots,
                  "journal.directory=" + os.path.join(folder, "decisions"))
for sessions, count in ((1, 200), (8, 800), (50, 1000)):
    start = time.time()
    result = subprocess.run([tool("smtp-source"), "-s", str(sessions), "-m", str(count), "-l", "10000", "-f", "a@sender.test",
                             "-t", "b@dest.example", "127.0.0.1:%d" % gateway.smtp], capture_output=True, text=True, timeout=120)
    print("smtp-source: %d messages in %d sessions, %.1f s, status %d %s"
          % (count, sessions, time.time() - start, result.returncode, result.stderr.strip()[:200]))
    if result.returncode:
        failures.append("smtp-source with %d sessions failed" % sessions)
time.sleep(0.2)
received = sum(len(re.findall(rb"^X-Mail-Args:|^X-Rcpt-Args:", open(os.path.join(dump, f), "rb").read(), re.M)) > 0 for f in os.listdir(dump))
print("smtp-sink holds %d messages" % received)
if received != 2000:
    failures.append("2000 messages sent, %d arrived" % received)
result = subprocess.run([tool("swaks"), "--server", "127.0.0.1", "--port", str(gateway.smtp), "--from", "a@sender.test",
                         "--to", "b@dest.example", "--pipeline", "--body", "see http://good.test/"],
                        capture_output=True, text=True, timeout=60)
if result.returncode:
    failures.append("swaks: " + result.stdout + result.stderr)
print("swaks with PIPELINING: status %d" % result.returncode)
gateway.stop()
sink.terminate()
print("\n".join(failures) or "peers: all delivered")
sys.exit(1 if failures else 0)
