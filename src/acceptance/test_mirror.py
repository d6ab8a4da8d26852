"""A gateway that follows a publisher: signed snapshots fetched and adopted, tampering refused, downloads resumed."""
import hashlib
import http.client
import json
import os
import re
import signal
import subprocess
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from certificates import self_signed, signing_key
from packages import program
from processes import free_port, wait_until
from product import CHECKOUT, Gateway, Home, jdk

pytestmark = pytest.mark.needs("openssl")
BLOCK = 1 << 16


class Tamperer(ThreadingHTTPServer):
    """Between gateway and publisher: flips a byte, or slows down and counts."""
    daemon_threads = True

    def __init__(self, upstream: int):
        super().__init__(("127.0.0.1", 0), Passing)
        self.upstream, self.tamper, self.rate = upstream, "", 0
        self.forget()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def forget(self) -> None:
        self.blob, self.ranges = 0, []

    def handle_error(self, *_) -> None:
        pass  # A client that was killed.

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Passing(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        upstream = http.client.HTTPConnection("127.0.0.1", self.server.upstream, timeout=60)
        fields = {name: value for name, value in self.headers.items() if name in ("Range", "If-Range", "If-None-Match")}
        upstream.request("GET", self.path, headers=fields)
        answer = upstream.getresponse()
        body = bytearray(answer.read())
        upstream.close()
        if "Range" in fields:
            self.server.ranges.append((self.path, fields["Range"], answer.status))
        if self.server.tamper and self.path.endswith(self.server.tamper) and body:
            body[len(body) // 2] ^= 1
        self.send_response(answer.status)
        for name in ("ETag", "Content-Range", "Content-Type"):
            if answer.getheader(name):
                self.send_header(name, answer.getheader(name))
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.pass_on(body)

    def pass_on(self, body: bytearray) -> None:
        slow = self.server.rate and len(body) > 1 << 20
        try:
            for at in range(0, len(body), BLOCK):
                block = body[at:at + BLOCK]
                self.wfile.write(block)
                self.server.blob += len(block)
                if slow:
                    time.sleep(BLOCK / self.server.rate)
        except OSError:
            self.close_connection = True

    def log_message(self, *_):
        pass


class Publisher:
    """bloomgate lookup, over snapshots that it signs."""

    def __init__(self, home: Home):
        self.home = home
        self.key, self.public = signing_key(home.folder, "own")
        self.other, _ = signing_key(home.folder, "other")

    def publish(self, mark: str, lines: int = 1000, key: Path | None = None) -> str:
        """A generation that lists bad.example and the mark."""
        self.home.list_domains("bad.example", f"{mark}.example", *(f"host{i}.generated-{i % 5000}.example" for i in range(lines)))
        return self.home.rebuild("--force", "--set", f"rebuild.signingKey={key or self.key}")

    def files_of(self, generation: str) -> list[Path]:
        return [file for file in (self.home.layer / generation).rglob("*") if file.is_file()]


class Follower:
    """A home whose gateway follows a URL."""

    def __init__(self, home: Home, public: Path):
        self.home, self.public = home, public

    def start(self, url: str, *settings: str) -> Gateway:
        self.gateway = self.home.gateway(f"mirror.url={url}", "mirror.interval=1s", f"snapshotKey={self.public}", *settings)
        return self.gateway

    def judges(self, **verdicts: str) -> bool:
        """Whether mail with a link to each host is answered so."""
        return all(self.gateway.mail(f"{host}.example".encode())[:3] == reply for host, reply in verdicts.items())

    def wait_for_refusal(self, reason: str) -> None:
        wait_until(f"{reason} in /health/ready", lambda: any(reason in r["reason"] for r in self.gateway.ready().get("refused", [])))

    def standing_faults(self) -> float:
        return self.gateway.metric("bloomgate_mirror_faults_standing")

    def incoming(self) -> list[Path]:
        return list(self.home.layer.glob(".incoming-*"))


@pytest.fixture
def publisher(home) -> Publisher:
    return Publisher(home.beside("publisher"))


@pytest.fixture
def follower(home, publisher) -> Follower:
    return Follower(home.beside("follower"), publisher.public)


@pytest.fixture
def tamperer(publisher):
    publisher.publish("first")
    tamperer = Tamperer(publisher.home.lookup_service().http)
    yield tamperer
    tamperer.shutdown()
    tamperer.server_close()


def test_what_is_published_is_followed_and_tampering_refused(publisher, follower, tamperer, expect):
    first = publisher.home.current()
    gateway = follower.start(tamperer.url)
    gateway.wait_for_snapshot(first)
    expect("a gateway without a snapshot fetches and adopts", follower.judges(bad="550", good="250"))
    inspected = json.loads(follower.home.run("inspect", "--json", "--set", f"snapshotKey={publisher.public}", status=0).stdout)
    expect("inspect says whose signature verified", inspected["signature"] == "verified")

    second = publisher.publish("second")
    began = time.monotonic()
    gateway.wait_for_snapshot(second)
    took = time.monotonic() - began
    expect(f"a new generation is in force here after {took:.1f} s (interval 1 s)", took < 30 and follower.judges(second="550"))

    tamperer.tamper = ".delta"
    third = publisher.publish("third")
    follower.wait_for_refusal(".delta: SHA-256 is not what the manifest says")
    expect("a changed byte is refused, and the old snapshot stays", follower.judges(bad="550", third="250"))
    wait_until("the fault is counted", lambda: follower.standing_faults() == 1)
    tamperer.tamper = "manifest.json"
    follower.wait_for_refusal("manifest.json: does not match the digest in the publisher's statement")
    tamperer.tamper = ""
    gateway.wait_for_snapshot(third)
    wait_until("it is adopted when nobody changes it any more, and no fault stands", lambda: follower.standing_faults() == 0)
    publisher.publish("fourth", key=publisher.other)
    follower.wait_for_refusal("announced: no Ed25519 signature by a key in snapshotKey")
    expect("a snapshot signed by somebody else is refused", gateway.ready()["snapshot"] == third)
    expect("each fault is logged once", gateway.log().count("WARN") <= 4)

    gateway.wait_for_snapshot(publisher.publish("fifth"))
    publisher.home.run("rollback", third, "--set", f"rebuild.signingKey={publisher.key}", status=0)
    gateway.wait_for_snapshot(third)
    expect("the publisher's rollback is followed", follower.judges(third="550", fifth="250"))
    gateway.stop()


@pytest.mark.needs("nginx-light")
def test_a_static_web_server_is_publisher_enough(publisher, follower, expect):
    home = publisher.home
    web, port = home.folder / "www", free_port()
    settings = ("--set", f"publisher.directory={web}", "--set", f"rebuild.signingKey={publisher.key}")
    home.list_domains("bad.example", "first.example")
    first = home.rebuild(*settings)
    home.run("listing", "add", "domain", "typed.example", *settings, status=0)
    temporary = (f"{what}_temp_path {home.path('nginx-' + what)};" for what in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    config = home.write("nginx.conf", "daemon off; error_log stderr; events {}", f"pid {home.path('nginx.pid')};", "http {",
                        "access_log off;", *temporary, f"server {{ listen 127.0.0.1:{port}; root {web}; }}", "}")
    home.processes.start(program("nginx"), "-c", config)
    gateway = follower.start(f"http://127.0.0.1:{port}")
    gateway.wait_for_snapshot(first)
    wait_until("the typed listing is in force", lambda: follower.judges(typed="550"))
    expect("a gateway follows files, and no process of the publisher runs", follower.judges(bad="550", first="550", good="250"))
    statement = web / "v1/snapshots/announced"
    old = statement.read_bytes()
    home.list_domains("bad.example", "second.example")
    second = home.rebuild("--force", *settings)
    gateway.wait_for_snapshot(second)
    home.run("rollback", first, *settings, status=0)
    gateway.wait_for_snapshot(first)
    expect("a rebuild and a rollback are followed", follower.judges(first="550", second="250"))
    statement.write_bytes(old)
    os.utime(statement, (time.time() + 10,) * 2)  # nginx would give two files of one second one tag
    follower.wait_for_refusal("rolled back: the publisher is at counter")
    expect("an old statement is refused, and what was in force stays", gateway.ready()["snapshot"] == first)
    gateway.stop()


S3PROXY = """<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>example</groupId><artifactId>storage</artifactId><version>1</version><dependencies><dependency>
<groupId>org.gaul</groupId><artifactId>s3proxy</artifactId><version>2.9.0</version></dependency></dependencies></project>"""


@pytest.mark.long  # 43 MB of libraries
@pytest.mark.needs("rclone")
def test_object_storage_is_publisher_enough(publisher, follower, expect):
    home, port = publisher.home, free_port()
    web, bucket = home.folder / "www", home.folder / "storage/bucket"
    bucket.mkdir(parents=True)
    pom = home.write("storage-pom.xml", S3PROXY)
    subprocess.run(["mvn", "-B", "-q", "-f", pom, "dependency:build-classpath", f"-Dmdep.outputFile={home.path('classpath')}"], check=True)
    options = home.write("s3proxy.conf", "s3proxy.authorization=none", f"s3proxy.endpoint=http://127.0.0.1:{port}",
                         "jclouds.provider=filesystem-nio2", "jclouds.identity=x", "jclouds.credential=x",
                         f"jclouds.filesystem.basedir={bucket.parent}")
    home.processes.start_silent(jdk() / "bin/java", "-cp", home.path("classpath").read_text(), "org.gaul.s3proxy.Main", "--properties", options)
    settings = ("--set", f"publisher.directory={web}", "--set", f"rebuild.signingKey={publisher.key}")
    fleet = (CHECKOUT / "docs/fleet.md").read_text(encoding="utf-8")
    copying = re.search(r"```sh no-run\n(rclone copy.*?)```", fleet, re.S).group(1).replace("/srv/bloomgate", str(web))
    remote = {"TYPE": "s3", "PROVIDER": "Other", "ENDPOINT": f"http://127.0.0.1:{port}", "ACCESS_KEY_ID": "x", "SECRET_ACCESS_KEY": "x"}
    environment = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    environment.update({f"RCLONE_CONFIG_LISTS_{name}": value for name, value in remote.items()})

    def upload() -> None:
        subprocess.run(["bash", "-ec", copying], env=environment, check=True, capture_output=True)

    home.list_domains("bad.example", "first.example")
    first = home.rebuild(*settings)
    wait_until("the storage answers", lambda: http_status(port) is not None)
    upload()
    gateway = follower.start(f"http://127.0.0.1:{port}/bucket")
    gateway.wait_for_snapshot(first)
    home.list_domains("bad.example", "second.example")
    second = home.rebuild("--force", *settings)
    upload()
    gateway.wait_for_snapshot(second)
    home.run("rollback", first, *settings, status=0)
    upload()
    gateway.wait_for_snapshot(first)
    expect("a rebuild and a rollback are followed", follower.judges(bad="550", first="550", second="250"))
    wait_until("no fault stands", lambda: follower.standing_faults() == 0)
    gateway.stop()


def http_status(port: int) -> int | None:
    try:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
        connection.request("GET", "/bucket/none")
        return connection.getresponse().status
    except OSError:
        return None


@pytest.mark.parametrize("kills", [10, pytest.param(200, marks=pytest.mark.long)])
def test_a_killed_writer_leaves_no_statement_without_its_files(publisher, expect, kills):
    home, broken, named = publisher.home, [], set()
    tree = home.folder / "www/v1/snapshots"
    settings = ("--set", f"publisher.directory={home.folder / 'www'}", "--set", f"rebuild.signingKey={publisher.key}")
    home.list_domains("bad.example")
    home.rebuild(*settings)
    began = time.monotonic()
    home.list_domains("bad.example", "killed0.example")
    home.rebuild("--force", *settings)
    whole = time.monotonic() - began
    for kill in range(kills):
        home.list_domains("bad.example", f"killed{kill}.example")
        rebuild = subprocess.Popen([home.launcher, "rebuild", "--all", "--force", *settings], cwd=home.folder,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        time.sleep(whole * (0.5 + 0.5 * kill / kills))
        os.killpg(rebuild.pid, signal.SIGKILL)
        rebuild.wait()
        for layer in re.findall(r"^layer \S+ (\S+) (\S+)", (tree / "announced").read_text(), re.M):
            named.add(layer[0])
            broken += faults_of(tree / layer[0], layer[1])
    expect(f"{kills} kills, {len(named)} generations named, wrong: {broken[:3]}", not broken)
    last = home.rebuild("--force", *settings)
    expect("the next rebuild is published", last in (tree / "announced").read_text())
    expect("nothing is left behind", not list(tree.glob(".unfinished-*")))


def faults_of(generation: Path, digest: str) -> list[str]:
    manifest = (generation / "manifest.json").read_bytes()
    faults = [] if hashlib.sha256(manifest).hexdigest() == digest else [f"{generation}: manifest"]
    return faults + [f"{generation}: {file['path']}" for file in json.loads(manifest)["files"]
                     if hashlib.sha256((generation / file["path"]).read_bytes()).hexdigest() != file["sha256"]]


def test_a_download_goes_on_after_kill_9(publisher, follower, tamperer, expect):
    first = publisher.home.current()
    gateway = follower.start(tamperer.url)
    gateway.wait_for_snapshot(first)
    tamperer.rate = 2 << 20
    large = publisher.publish("large", lines=300_000)
    files = [file for file in publisher.files_of(large) if file.suffix != ".delta"]
    most, total = max(files, key=lambda file: file.stat().st_size), sum(file.stat().st_size for file in files)
    partly = follower.home.layer / f".incoming-{large}" / most.relative_to(publisher.home.layer / large)
    wait_until(f"a third of {partly}", lambda: partly.exists() and partly.stat().st_size > most.stat().st_size // 3)
    gateway.kill()
    had = partly.stat().st_size
    here = sum(file.stat().st_size for file in (follower.home.layer / f".incoming-{large}").rglob("*") if file.is_file())
    tamperer.rate = 0
    tamperer.forget()
    gateway = follower.start(tamperer.url)
    expect("the snapshot before is in force at once", re.search(rf"ready .*{first}", gateway.log()))
    gateway.wait_for_snapshot(large)
    resumed = [asked for path, *asked in tamperer.ranges if path.endswith(most.name)]
    twice = max(0, tamperer.blob - (total - here))
    expect(f"killed at byte {had}, it went on with {resumed}: {twice} of {total} bytes came a second time",
           had < most.stat().st_size and resumed[0] == [f"bytes={had}-", 206] and twice < 1 << 20)
    wait_until("nothing is left behind", lambda: not follower.incoming())
    expect("it is in force", follower.judges(large="550"))
    gateway.stop()


def test_over_https_the_exact_store_stays_with_the_publisher(publisher, follower, expect):
    generation = publisher.publish("first")
    certificate, key = self_signed(publisher.home.folder, "IP:127.0.0.1")
    service = publisher.home.lookup_service(f"http.tls.certificate={certificate}", f"http.tls.key={key}")
    url = f"https://127.0.0.1:{service.http}"
    gateway = follower.start(url, f"mirror.caFile={certificate}", "exact.store=http", f"exact.http.urls={url}",
                             f"exact.http.caFile={certificate}", "exact.deadline=5s")
    gateway.wait_for_snapshot(generation)
    expect("listed mail is refused by the publisher's word", follower.judges(bad="550", good="250"))
    expect("the exact store is not here", not (follower.home.layer / generation / "exact").exists())
    gateway.stop()

    once = ["mirror", "--set", "snapshots=var/once", "--set", f"snapshotKey={publisher.public}", "--set", f"mirror.url={url}"]
    follower.home.run(*once, status=3)
    expect("without the certificate to trust nothing is fetched", not follower.home.path("var", "once", "nightly").exists())
    done = follower.home.run(*once, "--set", f"mirror.caFile={certificate}", status=0)
    expect("'bloomgate mirror' fetches once", done.stdout.strip() == f"nightly {generation}")
