#!/usr/bin/env python3
"""Requests a second, latency and CPU of /v1/passwords and /range under wrk, beside a Helidon handler that answers as
many octets and asks nobody, in turn. Not part of the gate: the machine must be quiet, and it takes three minutes.
usage: load.py LAUNCHER CONFIG CLASSPATH [SECONDS]   (a published snapshot with the ranges of ranges.py; the class path
of the bench profile)"""
import os, re, statistics, subprocess, sys, tempfile
from gatewaylib import Gateway

launcher, config, classpath = sys.argv[1:4]
seconds = int(sys.argv[4]) if len(sys.argv) > 4 else 6
folder = tempfile.mkdtemp(prefix="bloomgate-load-")
POST = os.path.join(folder, "post.lua")
with open(POST, "w") as out:
    out.write("""wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
local n = 0
request = function()
  n = n + 1
  local password = n % 10 == 0 and "iloveyou" or "correct-horse-" .. n
  return wrk.format(nil, "/v1/passwords", nil, '{"password":"' .. password .. '"}')
end
""")
GET = os.path.join(folder, "get.lua")
with open(GET, "w") as out:
    out.write("""local n = 0
request = function()
  n = (n + 37) % 128
  return wrk.format("GET", string.format("/range/%05X", n))
end
""")


def cpu(pid):
    with open("/proc/%d/stat" % pid) as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wrk(script, port, pid, connections, duration):
    before = cpu(pid)
    out = subprocess.run(["wrk", "-t1", "-c%d" % connections, "-d%ds" % duration, "--latency", "-s", script,
                          "http://127.0.0.1:%d" % port], capture_output=True, text=True).stdout
    used = cpu(pid) - before
    total = int(re.search(r"(\d+) requests in", out).group(1))
    # Counted by wrk only when there were any.
    bad = re.search(r"Non-2xx or 3xx responses: (\d+)", out)
    return {"rate": float(re.search(r"Requests/sec:\s+([\d.]+)", out).group(1)),
            "p50": re.search(r"50%\s+(\S+)", out).group(1), "p99": re.search(r"99%\s+(\S+)", out).group(1),
            "cpu": used / total * 1e6, "bad": int(bad.group(1)) if bad else 0}


java = os.path.join(os.environ["JAVA_HOME"], "bin", "java") if "JAVA_HOME" in os.environ else "java"


def empty(octets):
    process = subprocess.Popen([java, "-cp", classpath, "org.bloomgate.http.EmptyHandler", str(octets)],
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return process, int(process.stdout.readline())


gateway = Gateway(launcher, folder, "maildir:" + os.path.join(folder, "mail"), config=config)
small, small_port = empty(64)
large, large_port = empty(35507)
CASES = [("/v1/passwords", POST, gateway.process.pid, gateway.http, small.pid, small_port),
         ("/range", GET, gateway.process.pid, gateway.http, large.pid, large_port)]
try:
    for _, script, pid, port, other_pid, other_port in CASES:
        wrk(script, port, pid, 32, 5)
        wrk(script, other_port, other_pid, 32, 3)
    print("%-14s %5s  %-8s %10s %9s %9s %8s" % ("", "conn.", "", "requests/s", "p50", "p99", "CPU us"))
    for name, script, pid, port, other_pid, other_port in CASES:
        for connections in (32, 200):
            rounds = [(wrk(script, port, pid, connections, seconds), wrk(script, other_port, other_pid, connections, seconds))
                      for _ in range(2)]
            for i, who in enumerate(("ours", "empty")):
                for result in (r[i] for r in rounds):
                    print("%-14s %5d  %-8s %10.0f %9s %9s %8.1f %s" % (
                        name, connections, who, result["rate"], result["p50"], result["p99"], result["cpu"],
                        "%d REFUSED" % result["bad"] if result["bad"] else ""))
            print("%-14s %5d  %-8s %10.2f" % (name, connections, "ratio", statistics.mean(r[0]["rate"] / r[1]["rate"] for r in rounds)))
finally:
    small.kill()
    large.kill()
    gateway.stop()
