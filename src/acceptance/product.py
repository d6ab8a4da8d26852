"""Bloomgate as its operators meet it: a folder with its configuration, the commands, the services and their answers."""
import glob
import json
import os
import re
import shutil
import signal
import subprocess
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from processes import Processes, wait_until
from smtp import SmtpClient

CHECKOUT = Path(__file__).resolve().parents[2]
OUTPUT = CHECKOUT / "target" / "acceptance"
LISTED_REPLY = "550 5.7.1"


class Service:
    """A running gateway or lookup service, asked over HTTP."""

    def __init__(self, home: "Home", process: subprocess.Popen, log: Path):
        self.home, self.process, self.log_file = home, process, log
        ready = self.wait_for_line(r"ready .*?http=\S+:(\d+)")
        self.http = int(ready.group(1))
        self.url = f"http://127.0.0.1:{self.http}"

    def log(self) -> str:
        return self.log_file.read_text(encoding="utf-8", errors="replace")

    def wait_for_line(self, pattern: str, seconds: float = 120) -> re.Match:
        def found():
            line = re.search(pattern, self.log().rpartition("\n")[0])  # Of whole lines: the last may still be being written.
            assert line or self.process.poll() is None, f"it ended before {pattern!r}:\n{self.log()}"
            return line
        try:
            return wait_until(f"the line {pattern!r}", found, seconds, pause=0.05)
        except AssertionError as none:
            raise AssertionError(f"{none}\n{self.log()[-3000:]}") from None

    def get(self, path: str) -> str:
        with urllib.request.urlopen(self.url + path, timeout=60) as answer:
            return answer.read().decode()

    def post(self, path: str, body: Any) -> Any:
        request = urllib.request.Request(self.url + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    def checked(self, *items: tuple[str, str]) -> list[dict]:
        """What /v1/check says of each (kind, value)."""
        return self.post("/v1/check", {"items": [{"kind": kind, "value": value} for kind, value in items]})["results"]

    def verdicts(self, *domains: str) -> list[str]:
        return [result["verdict"] for result in self.checked(*(("domain", d) for d in domains))]

    def verdict(self, domain: str) -> str:
        return self.verdicts(domain)[0]

    def metrics(self) -> dict[str, float]:
        """Values by name and labels, as they stand in the line."""
        lines = (line.rpartition(" ") for line in self.get("/metrics").splitlines() if not line.startswith("#"))
        return {name: float(value) for name, _, value in lines}

    def metric(self, name: str) -> float:
        """The sum over all its labels; 0 when there is none yet."""
        return sum(value for full, value in self.metrics().items() if full.partition("{")[0] == name)

    def ready(self) -> dict:
        """What /health/ready says, ready or not."""
        try:
            return json.loads(self.get("/health/ready"))
        except urllib.error.HTTPError as not_ready:
            return json.load(not_ready)

    def wait_for_snapshot(self, generation: str) -> None:
        wait_until(f"{generation} adopted", lambda: self.ready().get("snapshot") == generation)

    def stop(self) -> None:
        """By SIGTERM, which it has to follow and end with status 0."""
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(90) == 0, self.log()[-3000:]

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


class Gateway(Service):
    def __init__(self, home: "Home", process: subprocess.Popen, log: Path):
        super().__init__(home, process, log)
        self.smtp = int(self.wait_for_line(r"ready smtp=\S+?:(\d+)").group(1))

    def milter(self) -> int:
        """The port of its milter, which its configuration has to ask for."""
        return int(self.wait_for_line(r"ready .*?milter=127\.0\.0\.1:(\d+)").group(1))

    def mail(self, host: bytes, sender: bytes = b"a@sender.test", recipient: bytes = b"b@dest.example", size: int = 0) -> str:
        """The reply to a message with a link to the host, in a session of its own, with so many bytes more."""
        with SmtpClient(self.smtp) as client:
            return client.send(sender, recipient, mail_with_link(host) + b"0123456789\r\n" * (size // 12))


def mail_with_link(host: bytes) -> bytes:
    return b"Subject: x\r\n\r\nhttp://%s/\r\n" % host


class Home:
    """A folder that Bloomgate works in: its configuration, the sample lists, and all that it writes."""
    hop: str | int = "maildir:var/mail"  # Where its gateway relays to: a folder, or a port on this machine.

    def __init__(self, launcher: Path, folder: Path, processes: Processes):
        self.launcher, self.folder, self.processes = launcher, folder, processes
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("config", "blacklists"):
            shutil.copytree(CHECKOUT / name, folder / name, dirs_exist_ok=True)
        self.layer = folder / "var" / "snapshots" / "nightly"

    def beside(self, name: str) -> "Home":
        """Another one for another machine of the same check."""
        return Home(self.launcher, self.folder / name, self.processes)

    def path(self, *names: str) -> Path:
        return self.folder.joinpath(*names)

    def write(self, name: str, *lines: str) -> Path:
        """The whole file or none of it for whoever reads it meanwhile."""
        file, beside = self.path(name), self.path(name + ".new")
        beside.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
        return beside.rename(file)

    def configure(self, *settings: str) -> None:
        """Sections or keys of bloomgate.yaml, in place of the sample configuration."""
        self.write("config/bloomgate.yaml", *settings)

    def feeds(self, *feeds: str) -> None:
        """Feeds in flow style, without the braces."""
        self.write("config/feeds.yaml", "feeds:", *(f"  - {{ {feed} }}" for feed in feeds))

    def list_domains(self, *domains: str, category: str = "phishing") -> None:
        """One feed of domains, which may change as much as it likes."""
        self.write("domains.txt", *domains)
        self.feeds(f"name: test, kind: domain, format: lines, source: domains.txt, category: {category}, maxGrowthShare: 1000")

    def run(self, *command: str, status: int | None = None, stdin: str | None = None, **options: Any) -> subprocess.CompletedProcess:
        """One command to its end, which has to have the status, if one is given."""
        done = subprocess.run([self.launcher, *map(str, command)], cwd=self.folder, capture_output=True, text=True, input=stdin, **options)
        assert status is None or done.returncode == status, f"{command}: status {done.returncode}\n{done.stdout}{done.stderr}"
        return done

    def rebuild(self, *options: str) -> str:
        """The generation that it published."""
        self.run("rebuild", "--all", *options, status=0)
        return self.current()

    def start(self, *command: str) -> subprocess.Popen:
        """One command, whose stderr is to be read."""
        return self.processes.start(self.launcher, *command, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def gateway(self, *settings: str, next_hop: str | int | None = None) -> Gateway:
        """One that relays to another next hop, if one is given."""
        hop = self.hop if next_hop is None else next_hop
        hop = f"smtp://127.0.0.1:{hop}" if isinstance(hop, int) else hop
        return Gateway(self, *self._serve("gateway", "smtp.listen=127.0.0.1:0", "http.listen=127.0.0.1:0", f"nextHop={hop}", *settings))

    def lookup_service(self, *settings: str, port: int = 0) -> Service:
        return Service(self, *self._serve("lookup", f"http.listen=127.0.0.1:{port}", *settings))

    def _serve(self, command: str, *settings: str) -> tuple[subprocess.Popen, Path]:
        log = self.path(f"{command}.log")
        options = [word for setting in settings for word in ("--set", setting)]
        with log.open("wb") as out:
            return self.processes.start(self.launcher, command, *options, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=out), log

    def quarantined(self) -> list[dict]:
        """What 'quarantine list' says of each message, the oldest first."""
        return [json.loads(line) for line in self.run("quarantine", "list", "--json", status=0).stdout.splitlines()]

    def current(self) -> str:
        """The generation that is in force."""
        return (self.layer / "current").read_text().strip()

    def generations(self) -> set[str]:
        return {name for name in os.listdir(self.layer) if re.match(r"\d{8}T", name)}

    def point(self, generation: str) -> None:
        """Puts a generation in force, as publishing does."""
        point(self.layer, generation)


def point(layer: Path, generation: str) -> None:
    beside = layer / "current.tmp"
    beside.write_text(generation + "\n")
    beside.rename(layer / "current")


def jdk() -> Path:
    """The first JDK of this machine that the product runs on."""
    for home in filter(None, [os.environ.get("JAVA_HOME"), *sorted(glob.glob("/usr/lib/jvm/*"))]):
        release = Path(home, "release")
        version = re.search(r'^JAVA_VERSION="(\d+)', release.read_text(), re.M) if release.is_file() else None
        if version and int(version.group(1)) >= 25:
            return Path(home)
    raise AssertionError("no JDK of at least 25: set JAVA_HOME")


def files_that_hold(secret: str, folder: Path) -> list[str]:
    """Names of files below the folder in which the secret stands."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return [str(path) for path in files if secret.encode() in path.read_bytes()]
