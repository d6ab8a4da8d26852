"""/v1/passwords and /range under wrk, beside a Helidon handler that answers as many bytes and asks nobody, in turn:
requests a second, latency, CPU. No password that was sent stands in anything that was written or shown."""
import http.client
import json
import os
import re
import statistics
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from product import CHECKOUT, jdk
from realdata import unpack

pytestmark = [pytest.mark.needs_shared, pytest.mark.needs("wrk")]
FLOOR = 0.4  # of the empty handler's rate; on a quiet machine it is above 0.7
SECRET = f"hunter-{os.urandom(8).hex()}"
POST = """wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
local n = 0
request = function()
  n = n + 1
  local password = n %% 10 == 0 and "iloveyou" or "%s-" .. n
  return wrk.format(nil, "/v1/passwords", nil, '{"password":"' .. password .. '"}')
end
""" % SECRET
GET = """local prefixes = { "%s" }
local n = 0
request = function()
  n = (n + 37) %% #prefixes
  return wrk.format("GET", "/range/" .. prefixes[n + 1])
end
"""
# Whatever else may be sent, well-formed or not.
ODD_REQUESTS = (
    ("/v1/passwords", {"passwords": [SECRET, SECRET + "1"]}), ("/v1/passwords", {SECRET: 1}),
    ("/v1/passwords", {"password": [SECRET]}), ("/v1/passwords", {"sha1": SECRET}), ("/v1/passwords", SECRET),
    ("/v1/check", {"items": [{"kind": "password", "value": SECRET}]}), ("/v1/check", {"items": [{"kind": SECRET, "value": ""}]}),
    ("/range/" + SECRET, {}), ("/v1/" + SECRET, {}))


class Server(NamedTuple):
    pid: int
    port: int

    def cpu_seconds(self) -> float:
        fields = Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Run(NamedTuple):
    rate: float
    p50: str
    p99: str
    cpu: float  # seconds for a million requests
    faults: str


def wrk(script: Path, server: Server, connections: int, seconds: int) -> Run:
    before = server.cpu_seconds()
    out = subprocess.run(["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", "-s", script, f"http://127.0.0.1:{server.port}"],
                         capture_output=True, text=True, check=True).stdout
    total = int(re.search(r"(\d+) requests in", out).group(1))
    quantile = {share: re.search(rf"^ +{share}% +(\S+)", out, re.M).group(1) for share in (50, 99)}
    return Run(float(re.search(r"Requests/sec:\s+([\d.]+)", out).group(1)), quantile[50], quantile[99],
               (server.cpu_seconds() - before) / total * 1e6, " ".join(re.findall(r"Non-2xx.*|Socket errors.*", out)))


def empty_handler(processes, blob: int) -> Server:
    """The handler with the options of a gateway's JVM, straight from its source."""
    source = next(CHECKOUT.joinpath("src", "jmh").rglob("EmptyHandler.java"))
    process = processes.start(jdk() / "bin" / "java", "-Xms96m", "-Xmn64m", "-Xmx336m", "-XX:+UseSerialGC", "-XX:+UseCompactObjectHeaders",
                              "-cp", CHECKOUT / "target" / "lib" / "*", source, blob,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return Server(process.pid, int(process.stdout.readline()))


@pytest.mark.parametrize("seconds, rounds", [(1, 2), pytest.param(5, 5, marks=pytest.mark.long)])
def test_password_endpoints_keep_up_with_an_empty_handler_and_keep_no_password(home, shared, processes, expect, seconds, rounds):
    ranges = unpack(shared / "data" / "passwords" / "hibp-range-sha1-dev.tar.gz", home.path("ranges"))
    home.feeds("name: pwned, kind: password, format: sha1-count, category: weak, source: ranges",
               "name: plain, kind: password, format: lines, category: weak, cadence: hourly, "
               f'source: "{shared}/data/passwords/nord_vpn.txt"')
    home.run("rebuild", "--all", status=0)
    post = home.write("post.lua", POST)
    get = home.write("get.lua", GET % '", "'.join(file.name for file in ranges))
    gateway = home.gateway()
    ours = Server(gateway.process.pid, gateway.http)
    blob = sum(file.stat().st_size for file in ranges) // len(ranges)
    cases = (("/v1/passwords", post, empty_handler(processes, 70)), ("/range", get, empty_handler(processes, blob)))
    for _, script, empty in cases:
        wrk(script, ours, 32, 3 * seconds)  # warm
        wrk(script, empty, 32, 2 * seconds)
    for name, script, empty in cases:
        for connections in (32, 200):
            runs = [(wrk(script, ours, connections, seconds), wrk(script, empty, connections, seconds)) for _ in range(rounds)]
            compare(f"{name} at {connections} connections", runs, expect)

    shown(gateway.http, expect)
    gateway.stop()
    written = [path for path in home.folder.rglob("*") if path.is_file() and path.suffix != ".lua" and path not in ranges]
    kept = [str(path) for path in written if SECRET.encode() in path.read_bytes()]
    expect(f"the password stands in none of {len(written)} files: {kept}", written and not kept)


def compare(what: str, runs: list[tuple[Run, Run]], expect) -> None:
    for who, own in zip(("ours", "empty"), zip(*runs)):
        one = sorted(own, key=lambda run: run.rate)[len(own) // 2]
        print(f"{what:32} {who:6} {one.rate:10.0f} requests/s, p50 {one.p50}, p99 {one.p99}, "
              f"{statistics.median(run.cpu for run in own):.1f} CPU seconds a million")
        expect(f"{what}, {who}: all answered {''.join(run.faults for run in own)}", not any(run.faults for run in own))
    rate = statistics.median(ours.rate / empty.rate for ours, empty in runs)
    cpu = statistics.median(empty.cpu / ours.cpu for ours, empty in runs)
    expect(f"{what}: {rate:.2f} of the empty handler's rate, {cpu:.2f} by CPU", max(rate, cpu) >= FLOOR)


def shown(port: int, expect) -> None:
    """No answer, no metric and no status holds the password."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)

    def holds_it(method: str, path: str, body: object = None) -> bool:
        connection.request(method, path, json.dumps(body), {"Content-Type": "application/json"})
        return SECRET.encode() in connection.getresponse().read()
    for path, body in ODD_REQUESTS:
        expect(f"not echoed by {path.replace(SECRET, '***')}", not holds_it("GET" if path.startswith("/range") else "POST", path, body))
    for path in ("/metrics", "/v1/status", "/"):
        expect(f"not shown by {path}", not holds_it("GET", path))
