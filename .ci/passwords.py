#!/usr/bin/env python3
"""/v1/passwords and /range under wrk, beside a Helidon handler that answers as many octets and asks nobody, in turn:
requests a second, latency, CPU. No password that was sent stands in anything that was written or shown.
usage: passwords.py LAUNCHER SHARED [SECONDS [ROUNDS]]   (1 s and 2 rounds of each: figures want a quiet machine)"""
import glob, http.client, json, os, re, statistics, subprocess, sys, tarfile, tempfile
from gatewaylib import Gateway

launcher, shared = sys.argv[1:3]
seconds = int(sys.argv[3]) if len(sys.argv) > 3 else 1
rounds = int(sys.argv[4]) if len(sys.argv) > 4 else 2
FLOOR = 0.4  # of the empty handler's rate; on a quiet machine it is above 0.7
folder = tempfile.mkdtemp(prefix="bloomgate-passwords-")
failures = []
with tarfile.open(os.path.join(shared, "data", "passwords", "hibp-range-sha1-dev.tar.gz")) as archive:
    archive.extractall(folder, filter="data")
ranges = os.path.join(folder, "range-sha1")
prefixes = sorted(os.listdir(ranges))
octets = sum(os.path.getsize(os.path.join(ranges, p)) for p in prefixes) // len(prefixes)
config = os.path.join(folder, "bloomgate.yaml")
with open(os.path.join(folder, "feeds.yaml"), "w", encoding="utf-8") as out:
    out.write("feeds:\n"
              '  - { name: pwned, kind: password, format: sha1-count, category: weak, source: "%s" }\n'
              '  - { name: plain, kind: password, format: lines, category: weak, cadence: hourly, source: "%s" }\n'
              % (ranges, os.path.join(shared, "data", "passwords", "nord_vpn.txt")))
with open(config, "w", encoding="utf-8") as out:
    out.write("feeds: {0}/feeds.yaml\nsnapshots: {0}/snapshots\nsmtp: {{ temporary: {0}/tmp, quarantine: {0}/quarantine }}\n"
              "journal: {{ directory: {0}/decisions, keys: {{ directory: {0}/keys }} }}\nlocal: {{ directory: {0}/local }}\n"
              .format(folder))
built = subprocess.run([launcher, "rebuild", "-c", config], capture_output=True, text=True)
if built.returncode != 0:
    sys.exit("rebuild ended with %d:\n%s%s" % (built.returncode, built.stdout, built.stderr))

SECRET = "hunter-%s" % os.urandom(8).hex()
POST, GET = os.path.join(folder, "post.lua"), os.path.join(folder, "get.lua")
with open(POST, "w", encoding="ascii") as out:
    out.write("""wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
local n = 0
request = function()
  n = n + 1
  local password = n %% 10 == 0 and "iloveyou" or "%s-" .. n
  return wrk.format(nil, "/v1/passwords", nil, '{"password":"' .. password .. '"}')
end
""" % SECRET)
with open(GET, "w", encoding="ascii") as out:
    out.write("""local prefixes = { "%s" }
local n = 0
request = function()
  n = (n + 37) %% #prefixes
  return wrk.format("GET", "/range/" .. prefixes[n + 1])
end
""" % '", "'.join(prefixes))


def cpu(pid):
    with open("/proc/%d/stat" % pid, encoding="ascii") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wrk(script, server, connections, duration):
    pid, port = server
    before = cpu(pid)
    out = subprocess.run(["wrk", "-t1", "-c%d" % connections, "-d%ds" % duration, "--latency",
                          "-s", script, "http://127.0.0.1:%d" % port], capture_output=True, text=True)
    total = re.search(r"(\d+) requests in", out.stdout)
    if out.returncode != 0 or not total:
        sys.exit("wrk ended with %d:\n%s%s" % (out.returncode, out.stdout, out.stderr))
    # Counted by wrk only when there were any.
    if "Non-2xx" in out.stdout or "Socket errors" in out.stdout:
        failures.append("%s, %d connections: %s" % (script, connections, out.stdout))
    return {"rate": float(re.search(r"Requests/sec:\s+([\d.]+)", out.stdout).group(1)),
            "p50": re.search(r"^ +50% +(\S+)", out.stdout, re.M).group(1), "p99": re.search(r"^ +99% +(\S+)", out.stdout, re.M).group(1),
            "cpu": (cpu(pid) - before) / int(total.group(1)) * 1e6}


def java():
    for home in [os.environ.get("JAVA_HOME", "")] + sorted(glob.glob("/usr/lib/jvm/*")):
        try:
            with open(os.path.join(home, "release"), encoding="utf-8") as release:
                if int(re.search(r'JAVA_VERSION="(\d+)', release.read()).group(1)) >= 25:
                    return os.path.join(home, "bin", "java")
        except (OSError, AttributeError):
            pass
    sys.exit("no JDK 25")


def empty(answer):
    """The handler with the options of a gateway's JVM, straight from its source."""
    home = os.path.dirname(os.path.realpath(launcher))
    process = subprocess.Popen([java(), "-Xms64m", "-Xmn24m", "-XX:+UseSerialGC", "-XX:+UseCompactObjectHeaders", "-cp",
                                os.path.join(home, "target", "lib", "*"),
                                os.path.join(home, "src/jmh/java/org/bloomgate/http/EmptyHandler.java"), str(answer)],
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return process, int(process.stdout.readline())


gateway = Gateway(launcher, folder, "maildir:" + os.path.join(folder, "mail"), config=config)
handlers = [empty(70), empty(octets)]
ours = (gateway.process.pid, gateway.http)
CASES = [("/v1/passwords", POST, (handlers[0][0].pid, handlers[0][1])), ("/range", GET, (handlers[1][0].pid, handlers[1][1]))]
try:
    for _, script, other in CASES:
        wrk(script, ours, 32, 5)
        wrk(script, other, 32, 3)
    print("%-14s %5s  %-6s %10s %9s %9s %14s" % ("", "conn.", "", "requests/s", "p50", "p99", "CPU s/million"))
    for name, script, other in CASES:
        for connections in (32, 200):
            runs = [(wrk(script, ours, connections, seconds), wrk(script, other, connections, seconds)) for _ in range(rounds)]
            for i, who in enumerate(("ours", "empty")):
                one = sorted((r[i] for r in runs), key=lambda r: r["rate"])[rounds // 2]
                print("%-14s %5d  %-6s %10.0f %9s %9s %14.1f" % (
                    name, connections, who, one["rate"], one["p50"], one["p99"], statistics.median(r[i]["cpu"] for r in runs)))
            ratio = statistics.median(r[0]["rate"] / r[1]["rate"] for r in runs)
            less = statistics.median(r[1]["cpu"] / r[0]["cpu"] for r in runs)
            print("%-14s %5d  ratio  %10.2f of the rate, %.2f by CPU" % (name, connections, ratio, less))
            if max(ratio, less) < FLOOR:
                failures.append("%s at %d connections: %.2f of an empty handler" % (name, connections, ratio))
finally:
    for process, _ in handlers:
        process.kill()

# Whatever else may be sent, well-formed or not; then everything that the gateway wrote or shows.
connection = http.client.HTTPConnection("127.0.0.1", gateway.http, timeout=30)
for path, body in (("/v1/passwords", {"passwords": [SECRET, SECRET + "1"], "variants": True}), ("/v1/passwords", {SECRET: 1}),
                   ("/v1/passwords", {"password": [SECRET]}), ("/v1/passwords", {"sha1": SECRET}), ("/v1/passwords", SECRET),
                   ("/v1/check", {"items": [{"kind": "password", "value": SECRET}]}), ("/v1/check", {"items": [{"kind": SECRET, "value": ""}]}),
                   ("/range/" + SECRET, {}), ("/v1/" + SECRET, {})):
    connection.request("GET" if path.startswith("/range") else "POST", path, json.dumps(body), {"Content-Type": "application/json"})
    if SECRET.encode() in connection.getresponse().read():
        failures.append("echoed by %s: %s" % (path, body))
for path in ("/metrics", "/v1/status", "/"):
    connection.request("GET", path)
    if SECRET.encode() in connection.getresponse().read():
        failures.append("shown by " + path)
gateway.stop()
files = searched = 0
for name in (os.path.join(d, x) for d, _, names in os.walk(folder) for x in names):
    if name not in (POST, GET) and not name.startswith(ranges):
        with open(name, "rb") as f:
            content = f.read()
        files, searched = files + 1, searched + len(content)
        if SECRET.encode() in content:
            failures.append("the password stands in " + name)
print("passwords in %d files of %d octets, in answers, metrics and status: %d" % (files, searched, sum("stands" in f or "shown" in f or "echoed" in f for f in failures)))
print("\n".join(failures) or "passwords: all answered, none kept")
sys.exit(1 if failures else 0)
