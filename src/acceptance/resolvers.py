"""BIND, unbound, PowerDNS Recursor and Knot Resolver with a response policy zone from a file. What a zone does not concern, they
ask an unbound on this machine that answers for every name: no question leaves the loopback interface."""
import os
import re
import select
import signal
import socket
import struct
import subprocess
import time
from pathlib import Path

from packages import program
from processes import Processes, free_port, wait_until
from test_dnsbl import A, RCODES, wire

ADDRESS = "198.51.100.1"  # of every name
OPEN, NXDOMAIN, NODATA, DROP = "open", "nxdomain", "nodata", "drop"
WINDOW = 64  # questions under way
SILENT_SECONDS, TRIES = 1.5, 3
RNDC_KEY = 'key "rndc" { algorithm hmac-sha256; secret "Ymxvb21nYXRlIGFjY2VwdGFuY2U="; };'


def read(answer: bytes) -> str:
    """What was done to the question: cname and the target, nodata, nxdomain, or nothing."""
    _, flags, _, answers, _, _ = struct.unpack(">6H", answer[:12])
    if flags & 15:
        return {"SERVFAIL": "servfail", "NXDOMAIN": NXDOMAIN}.get(RCODES.get(flags & 15, ""), f"code {flags & 15}")
    if not answers:
        return NODATA
    at = after_name(answer, after_name(answer, 12) + 4)
    return OPEN if struct.unpack(">H", answer[at:at + 2])[0] != 5 else "cname:" + name_at(answer, at + 10)


def name_at(message: bytes, at: int) -> str:
    labels = []
    while message[at]:
        if message[at] >= 0xC0:
            at = struct.unpack(">H", message[at:at + 2])[0] & 0x3FFF
            continue
        labels.append(message[at + 1:at + 1 + message[at]].decode())
        at += 1 + message[at]
    return ".".join(labels)


def answers(port: int, names: list[str], kinds: list[int] | None = None) -> list[str]:
    """What is done to questions for each name, for its IPv4 address if no kinds are given; `drop` for one without an answer.
    Who is silent or fails is asked again: a busy machine makes a resolver wait for its upstream."""
    found = answers_at_once(port, names, kinds)
    for _ in range(TRIES - 1):
        again = [index for index, answer in enumerate(found) if answer in (DROP, "servfail")]
        more = answers_at_once(port, [names[index] for index in again], [kinds[index] for index in again] if kinds else None)
        for index, answer in zip(again, more):
            found[index] = answer
    return found


def answers_at_once(port: int, names: list[str], kinds: list[int] | None) -> list[str]:
    found = [""] * len(names)
    waiting: dict[int, float] = {}
    at = 0
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
        s.connect(("127.0.0.1", port))
        while at < len(names) or waiting:
            while at < len(names) and len(waiting) < WINDOW:
                waiting[at] = time.monotonic()
                s.send(wire(names[at], kinds[at] if kinds else A, at & 0xFFFF))
                at += 1
            if select.select([s], [], [], 0.1)[0]:
                answer = s.recv(4096)
                number = struct.unpack(">H", answer[:2])[0]
                for index in [index for index in waiting if index & 0xFFFF == number]:
                    found[index] = read(answer)
                    del waiting[index]
            for index in [index for index, since in waiting.items() if time.monotonic() - since > SILENT_SECONDS]:
                found[index] = DROP
                del waiting[index]
    return found


def transferred(port: int, zone: str) -> tuple[int, set[tuple[str, str]]]:
    """Serial number, and owner and target of every CNAME record, of a zone that a server sends whole; -1 if it does not."""
    found, serials = set(), []
    with socket.create_connection(("127.0.0.1", port), 10) as s, s.makefile("rb") as stream:
        question = wire(zone, 252, 1)
        s.sendall(struct.pack(">H", len(question)) + question)
        while len(serials) < 2:
            message = stream.read(struct.unpack(">H", stream.read(2))[0])
            _, flags, questions, count, _, _ = struct.unpack(">6H", message[:12])
            if flags & 15:
                return -1, set()
            at = 12
            for _ in range(questions):
                at = after_name(message, at) + 4
            for _ in range(count):
                owner, at = name_at(message, at), after_name(message, at)
                kind, _, _, length = struct.unpack(">HHIH", message[at:at + 10])
                at += 10
                if kind == 5:
                    found.add((owner.removesuffix("." + zone), name_at(message, at) + "."))
                elif kind == 6:
                    serials.append(struct.unpack(">I", message[at + length - 20:at + length - 16])[0])
                at += length
    return serials[0], found


def after_name(message: bytes, at: int) -> int:
    while message[at] and message[at] < 0xC0:
        at += 1 + message[at]
    return at + (1 if message[at] == 0 else 2)


class Resolver:
    """A process with its configuration in a folder of its own."""
    name = ""

    def __init__(self, folder: Path, processes: Processes, upstream: int, zone: str, file: Path):
        self.folder, self.processes = folder / self.name, processes
        self.upstream, self.zone, self.file, self.port = upstream, zone, file, free_port()
        self.folder.mkdir(parents=True)
        self.log = self.folder / "log"
        self.process = self.start()
        wait_until(f"{self.name} answers", self.answers_at_all, pause=0.1)

    def start(self) -> subprocess.Popen:
        raise NotImplementedError

    def reload(self) -> None:
        """Reads the file again."""
        raise NotImplementedError

    def run(self, *command: object, **options: object) -> subprocess.Popen:
        with self.log.open("ab") as log:
            return self.processes.start(*command, cwd=self.folder, stdout=log, stderr=log, stdin=subprocess.DEVNULL, **options)

    def control(self, *command: object) -> str:
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=90)
        assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}\n{self.text()[-2000:]}"
        return done.stdout

    def text(self) -> str:
        return self.log.read_text(errors="replace")

    def answers_at_all(self) -> bool:
        assert self.process.poll() is None, self.text()[-3000:]
        try:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
                s.settimeout(0.3)
                s.connect(("127.0.0.1", self.port))
                s.send(wire("started.other.example", A, 1))
                return read(s.recv(4096)) == OPEN
        except OSError:
            return False

    def ask(self, name: str) -> str:
        return answers(self.port, [name])[0]

    def stop(self) -> None:
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


class Upstream(Resolver):
    """An unbound that has an address for every name: the usual one, or another."""
    name = "upstream"

    def __init__(self, folder: Path, processes: Processes, addresses: dict[str, str]):
        self.addresses = addresses
        super().__init__(folder, processes, 0, "", Path())

    def start(self) -> subprocess.Popen:
        own = "\n".join(f'  local-data: "{name}. 60 IN {"AAAA" if ":" in a else "A"} {a}"' for name, a in self.addresses.items())
        (self.folder / "unbound.conf").write_text(unbound_server(self) + f"""
  local-zone: "." redirect
  local-data: ". 60 IN A {ADDRESS}"
  local-zone: "at.example." static
{own}
remote-control:
  control-enable: no
""")
        return self.run(program("unbound"), "-d", "-c", self.folder / "unbound.conf")


def unbound_server(of: Resolver) -> str:
    return f"""
server:
  interface: 127.0.0.1@{of.port}
  do-ip6: no
  outgoing-interface: 127.0.0.1
  username: ""
  chroot: ""
  directory: "{of.folder}"
  pidfile: ""
  use-syslog: no
  do-daemonize: no
  do-not-query-localhost: no
  root-hints: ""
  module-config: "respip iterator"
  local-zone: "test." nodefault
  local-zone: "invalid." nodefault
"""


class Bind(Resolver):
    """A primary server of the zone as well, which sends its changes to others."""
    name = "bind"

    def __init__(self, folder: Path, processes: Processes, upstream: int, zone: str, file: Path, notified: int = 0):
        self.notified, self.control_port = notified, free_port()
        super().__init__(folder, processes, upstream, zone, file)
        wait_until("it has the policy of the zone", lambda: f"rpz: {zone}: reload done" in self.text())

    def start(self) -> subprocess.Popen:
        (self.folder / "root.hints").write_text(". 60 NS ns.root.\nns.root. 60 A 127.0.0.1\n")
        (self.folder / "rndc.conf").write_text(f"{RNDC_KEY}\noptions {{ default-key rndc; default-server 127.0.0.1; default-port {self.control_port}; }};\n")
        notify = f"notify explicit; also-notify {{ 127.0.0.1 port {self.notified}; }};" if self.notified else "notify no;"
        (self.folder / "named.conf").write_text(f"""
{RNDC_KEY}
controls {{ inet 127.0.0.1 port {self.control_port} allow {{ 127.0.0.1; }} keys {{ rndc; }}; }};
options {{
  directory "{self.folder}";
  pid-file "{self.folder}/named.pid";
  session-keyfile "{self.folder}/session.key";
  listen-on port {self.port} {{ 127.0.0.1; }};
  listen-on-v6 {{ none; }};
  query-source address 127.0.0.1;
  notify-source 127.0.0.1;
  recursion yes;
  dnssec-validation no;
  forward only;
  forwarders {{ 127.0.0.1 port {self.upstream}; }};
  empty-zones-enable no;
  notify-delay 0;
  response-policy {{ zone "{self.zone}"; }} min-update-interval 0;
}};
logging {{ channel all {{ stderr; severity info; print-category yes; }}; category default {{ all; }}; category xfer-out {{ all; }}; category rpz {{ null; }}; }};
zone "." {{ type hint; file "root.hints"; }};
zone "{self.zone}" {{ type primary; file "{self.file}"; ixfr-from-differences yes; masterfile-format text;
  journal "{self.folder}/zone.jnl"; allow-query {{ 127.0.0.1; }}; allow-transfer {{ 127.0.0.1; }}; {notify} }};
""")
        return self.run(program("named"), "-f", "-n", "1", "-c", self.folder / "named.conf")

    def reload(self) -> None:
        self.control(program("rndc"), "-c", self.folder / "rndc.conf", "reload", self.zone)

    def transfers(self) -> list[tuple[str, int, int]]:
        """Type, records and bytes of each that it sent."""
        found = re.findall(r"transfer of '[^']+': (\w+) ended: \d+ messages, (\d+) records, (\d+) bytes", self.text())
        return [(kind, int(records), int(size)) for kind, records, size in found]


class Secondary(Resolver):
    """A BIND that gets the zone and its changes from the primary."""
    name = "secondary"

    def __init__(self, folder: Path, processes: Processes, upstream: int, zone: str, file: Path, primary: int, port: int):
        self.primary, self.given = primary, port
        super().__init__(folder, processes, upstream, zone, file)

    def start(self) -> subprocess.Popen:
        self.port = self.given
        (self.folder / "named.conf").write_text(f"""
controls {{ }};
options {{
  directory "{self.folder}";
  pid-file "{self.folder}/named.pid";
  session-keyfile "{self.folder}/session.key";
  listen-on port {self.port} {{ 127.0.0.1; }};
  listen-on-v6 {{ none; }};
  query-source address 127.0.0.1;
  recursion yes;
  dnssec-validation no;
  forward only;
  forwarders {{ 127.0.0.1 port {self.upstream}; }};
  empty-zones-enable no;
  notify no;
  transfer-source 127.0.0.1;
}};
logging {{ channel all {{ stderr; severity info; print-category yes; }}; category default {{ all; }}; }};
zone "{self.zone}" {{ type secondary; primaries {{ 127.0.0.1 port {self.primary}; }}; file "{self.folder}/zone"; max-refresh-time 5; min-refresh-time 1;
  allow-notify {{ 127.0.0.1; }}; allow-transfer {{ 127.0.0.1; }}; }};
""")
        return self.run(program("named"), "-f", "-n", "1", "-c", self.folder / "named.conf")


class Unbound(Resolver):
    """From the file, or from a primary server."""
    name = "unbound"

    def __init__(self, folder: Path, processes: Processes, upstream: int, zone: str, file: Path, primary: int = 0, port: int = 0):
        self.primary, self.control_port, self.given = primary, free_port(), port
        self.name = f"unbound-of-{primary}" if primary else self.name
        super().__init__(folder, processes, upstream, zone, file)

    def start(self) -> subprocess.Popen:
        self.port = self.given or self.port
        source = f"primary: 127.0.0.1@{self.primary}" if self.primary else f'zonefile: "{self.file}"'
        (self.folder / "unbound.conf").write_text(unbound_server(self) + f"""
  verbosity: 1
rpz:
  name: "{self.zone}."
  {source}
forward-zone:
  name: "."
  forward-addr: 127.0.0.1@{self.upstream}
remote-control:
  control-enable: yes
  control-interface: 127.0.0.1
  control-port: {self.control_port}
  control-use-cert: no
""")
        return self.run(program("unbound"), "-d", "-c", self.folder / "unbound.conf")

    def reload(self) -> None:
        if not self.primary:
            self.control(program("unbound-control"), "-c", self.folder / "unbound.conf", "auth_zone_reload", self.zone)


class PowerDns(Resolver):
    name = "powerdns"

    def start(self) -> subprocess.Popen:
        (self.folder / "policy.lua").write_text(f'rpzFile("{self.file}", {{ policyName = "bloomgate" }})\n')
        settings = {"local-address": f"127.0.0.1:{self.port}", "socket-dir": self.folder, "forward-zones-recurse": f".=127.0.0.1:{self.upstream}",
                    "dont-query": "", "lua-config-file": self.folder / "policy.lua", "dnssec": "off", "security-poll-suffix": "", "hint-file": "no",
                    "daemon": "no", "write-pid": "no", "disable-syslog": "yes", "threads": "1", "query-local-address": "127.0.0.1",
                    "serve-rfc1918": "no", "export-etc-hosts": "no", "loglevel": "4", "setuid": "", "setgid": "", "quiet": "yes",
                    "packetcache-ttl": "2"}  # Whole answers, which a new policy does not concern.
        (self.folder / "recursor.conf").write_text("".join(f"{key}={value}\n" for key, value in settings.items()))
        return self.run(program("pdns_recursor"), f"--config-dir={self.folder}")

    def reload(self) -> None:
        self.control(program("rec_control"), f"--config-dir={self.folder}", f"--socket-dir={self.folder}", "reload-lua-config")


class Knot(Resolver):
    """Names alone: it has no rules for addresses and no CNAME of one's own."""
    name = "knot"

    def start(self) -> subprocess.Popen:
        (self.folder / "kresd.conf").write_text(f"""
modules.unload('priming')
modules.unload('detect_time_skew')
modules.unload('ta_update')
modules.unload('ta_signal_query')
trust_anchors.remove('.')
net.ipv6 = false
net.outgoing_v4('127.0.0.1')
net.listen('127.0.0.1', {self.port}, {{ kind = 'dns' }})
cache.open(10 * MB, 'lmdb://{self.folder}/cache')
modules.load('policy')
local forward = policy.FORWARD('127.0.0.1@{self.upstream}')
policy.add(policy.all(function (state, request) forward(state, request) end))
policy.add(policy.rpz(policy.DENY, '{self.file}', true))
""")
        return self.run(program("kresd"), "-n", "-c", self.folder / "kresd.conf", self.folder)

    def reload(self) -> None:
        """It watches the file."""
