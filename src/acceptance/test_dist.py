"""What is installed without Maven: the archive, the Debian package on this machine, and the container image."""
import gzip
import json
import re
import shutil
import subprocess
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from images import Images
from machine import Machine
from processes import Processes
from product import CHECKOUT, LISTED_REPLY, Gateway, Home, jdk

DIST = CHECKOUT / "target" / "dist"
JAR = CHECKOUT / "target" / "bloomgate.jar"
SOURCES = ("pom.xml", "bloomgate", "src/main", "src/dist", "src/training", "config", "blacklists")
PORTS = ("--set", "smtp.listen=127.0.0.1:0", "--set", "http.listen=127.0.0.1:0")
CONFIGURATION = "/etc/bloomgate/bloomgate.yaml"
# Somebody may have installed it on this machine.
WITHOUT = "dpkg --purge bloomgate; rm -rf /etc/bloomgate /var/lib/bloomgate; deluser --quiet bloomgate; true"
NATIVE = re.compile(r"\.(so|dll|dylib|jnilib)$")


def newest(*names: str) -> float:
    files = (file for name in names for file in [CHECKOUT / name, *(CHECKOUT / name).rglob("*")] if file.is_file())
    return max(file.stat().st_mtime for file in files)


@pytest.fixture(scope="session")
def archive(launcher: Path) -> Path:
    """The tar.gz; made, with the package, where it is missing or older than what it is made of."""
    made = sorted(DIST.glob("bloomgate-*.tar.gz"))
    if not made or made[0].stat().st_mtime < newest(*SOURCES):
        kept = JAR.with_suffix(".kept")
        shutil.copy2(JAR, kept)
        subprocess.run(
            ["mvn", "-B", "-q", "-ntp", "-Pdist", "-Dmaven.test.skip=true", "-Dspotless.check.skip=true", "package"],
            cwd=CHECKOUT, check=True)
        kept.replace(JAR)  # The AOT cache beside it knows it by its time.
    return next(DIST.glob("bloomgate-*.tar.gz"))


@pytest.fixture(scope="session")
def package(archive: Path) -> Path:
    return next(DIST.glob("bloomgate_*.deb"))


@pytest.fixture
def machine(folder: Path, processes: Processes) -> Iterator[Machine]:
    yield Machine(folder, processes)
    processes.end()  # Before the folder goes.


def started(home: Home, command: list[str], folder: Path, **options) -> Gateway:
    log = folder / "gateway.log"
    with log.open("wb") as out:
        return Gateway(home, home.processes.start(*command, stdout=subprocess.DEVNULL, stderr=out, **options), log)


def refuses_its_first_mail(gateway: Gateway) -> None:
    assert gateway.mail(b"login.phish.example").startswith(LISTED_REPLY)
    assert gateway.mail(b"login.friendly.example").startswith("250")
    gateway.stop()


def native_files(lib: Path) -> list[str]:
    return [f"{jar.name}: {name}" for jar in lib.glob("*.jar") for name in zipfile.ZipFile(jar).namelist() if NATIVE.search(name)]


def test_the_archive_needs_a_jdk_and_no_maven(archive: Path, folder: Path, home: Home):
    subprocess.run(["tar", "-xzf", archive, "-C", folder], check=True)
    installed = next(folder.glob("bloomgate-*/"))
    environment = {"PATH": "/usr/bin:/bin", "JAVA_HOME": str(jdk()), "HOME": str(folder)}
    assert not (installed / "pom.xml").exists()
    assert len(native_files(installed / "lib")) == 2, native_files(installed / "lib")  # zstd and the terminal
    assert len(list((installed / "native").iterdir())) == 1
    command = [installed / "bloomgate", "gateway", *PORTS]
    refuses_its_first_mail(started(home, command, folder, cwd=installed, env=environment))


@pytest.mark.needs_root
def test_the_package_installs_upgrades_goes_and_leaves_nothing(package: Path, machine: Machine, home: Home, expect):
    deb = machine.put(package, "/tmp/bloomgate.deb")
    machine.run("sh", "-c", WITHOUT)
    said = machine.run("dpkg", "-i", deb)
    installed_as_it_should_be(machine, expect)
    named = re.findall(r"/(?:etc|usr/share/doc)/bloomgate(?:/[\w.]+)*", said[said.index("bloomgate: "):])
    expect(f"it says what is next, and where: {said}", len(named) > 2 and machine.run("ls", "-d", *named))
    machine.run("bloomgate", "listing", "add", "domain", "by-root.example")
    expect("root's command leaves nothing of root's", machine.run("find", "/var/lib/bloomgate", "-user", "root") == "")
    gateway = started(home, on_the_machine(machine), machine.folder)
    refuses_its_first_mail(gateway)
    expect("it starts from the cache that it brings", "aot=used" in gateway.log())

    higher = machine.put(of_higher_version(package, machine.folder / "higher"), "/tmp/higher.deb")
    machine.run("sh", "-c", f"echo '# mine' >> {CONFIGURATION}")
    said = machine.run("dpkg", "--force-confold", "-i", higher)
    expect(f"an upgrade says whether the gateway is the new one: {said}", "restarted" in said)
    expect("an upgrade keeps what was changed", machine.run("tail", "-n", "1", CONFIGURATION) == "# mine\n")
    expect("and takes the version", "99.0" in machine.run("dpkg-query", "-W", "bloomgate"))
    before = machine.run("ls", "/var/lib/bloomgate/snapshots/nightly")
    refuses_its_first_mail(started(home, on_the_machine(machine), machine.folder))
    expect("and asks the snapshot of before", machine.run("ls", "/var/lib/bloomgate/snapshots/nightly") == before)
    machine.run("dpkg", "--force-confold", "-i", deb)
    refuses_its_first_mail(started(home, on_the_machine(machine), machine.folder))

    machine.run("dpkg", "-r", "bloomgate")
    expect("removed, the configuration stays", machine.run("tail", "-n", "1", CONFIGURATION) == "# mine\n")
    expect("and the snapshots", machine.run("ls", "/var/lib/bloomgate/snapshots/nightly") == before)
    expect("and no program", "bloomgate" not in machine.run("ls", "/usr/bin", "/usr/lib"))
    machine.run("dpkg", "--purge", "bloomgate")
    left = machine.run("find", "/etc", "/usr/lib", "/usr/bin", "/usr/share", "/var/lib", "-xdev", "-name", "*bloomgate*")
    expect(f"purged, nothing stays: {left}", left == "")


def on_the_machine(machine: Machine) -> list[str]:
    return machine.command("/usr/bin/bloomgate", "gateway", "-c", CONFIGURATION, *PORTS, user="bloomgate")


def of_higher_version(package: Path, folder: Path) -> Path:
    """The same, as version 99.0, with a configuration that says more."""
    subprocess.run(["dpkg-deb", "--raw-extract", package, folder], check=True)
    control, shipped = folder / "DEBIAN" / "control", folder / CONFIGURATION[1:]
    control.write_text(re.sub("(?m)^Version: .*", "Version: 99.0", control.read_text()))
    shipped.write_text("# A newer remark.\n" + shipped.read_text())
    made = folder.with_suffix(".deb")
    subprocess.run(["dpkg-deb", "-Znone", "--root-owner-group", "--build", folder, made], check=True, capture_output=True)
    return made


def installed_as_it_should_be(machine: Machine, expect) -> None:
    conffiles = machine.run("dpkg-query", "-W", "-f", "${Conffiles}", "bloomgate")
    expect("both files are conffiles", CONFIGURATION in conffiles and "/etc/bloomgate/feeds.yaml" in conffiles)
    expect("who may read what", machine.run("stat", "-c", "%a %U %G", "/etc/bloomgate", "/var/lib/bloomgate")
           == "750 root bloomgate\n750 bloomgate bloomgate\n")
    expect("there is a runtime inside", machine.run("bloomgate", "--version").startswith("bloomgate "))
    expect("the configuration is whole", machine.run("bloomgate", "config", "check", "-c", CONFIGURATION, user="bloomgate"))
    expect("mail in any character set is read", "jdk.charsets" in machine.run("/usr/lib/bloomgate/runtime/bin/java", "--list-modules"))
    enabled = machine.run("ls", "/etc/systemd/system/multi-user.target.wants", "/etc/systemd/system/timers.target.wants")
    expect("gateway and nightly rebuild are enabled", "bloomgate.service" in enabled and "bloomgate-rebuild@nightly.timer" in enabled)
    units = machine.run("sh", "-c", "systemd-analyze verify /usr/lib/systemd/system/bloomgate*.timer /usr/lib/systemd/system/bloomgate.service")
    expect(f"the units are right: {units}", "bloomgate" not in units)
    for page, words in (("bloomgate.1", "Exit Status"), ("bloomgate.1", "/etc/bloomgate/feeds.yaml"), ("bloomgate.1", "See also"), ("bloomgate-check.1", "KIND"), ("bloomgate-quarantine-release.1", "Synopsis")):
        text = gzip.decompress((machine.folder / "upper/usr/share/man/man1" / f"{page}.gz").read_bytes()).decode()
        expect(f"{page} speaks of {words}", words.lower() in text.lower())


COMPLETED = """
. /usr/share/bash-completion/completions/bloomgate
COMP_WORDS=(bloomgate quarantine re) COMP_CWORD=2 COMP_LINE='bloomgate quarantine re' COMP_POINT=23
$(complete -p bloomgate | sed 's/.*-F \\([^ ]*\\).*/\\1/')
printf '%s\\n' "${COMPREPLY[@]}"
"""
# As where zsh completes: without aliases.
ZSH = """
setopt noaliases
autoload -Uz compinit && compinit -u -D
_complete() { }
autoload -Uz _bloomgate && _bloomgate
COMP_WORDS=(bloomgate listing add dom) COMP_CWORD=3 COMP_LINE='bloomgate listing add dom' COMP_POINT=25
setopt ksharrays shwordsplit
_complete_bloomgate
print -rl -- "${COMPREPLY[@]}"
"""


@pytest.mark.needs_root
@pytest.mark.needs("man-db", "zsh")
def test_commands_are_completed_and_explained(package: Path, machine: Machine, expect):
    machine.run("dpkg", "-i", machine.put(package, "/tmp/bloomgate.deb"))
    expect("bash completes", machine.run("bash", "-c", COMPLETED) == "release\n")
    loaded = machine.run("zsh", "-c", "autoload -Uz compinit && compinit -u -d /tmp/dump && echo ${_comps[bloomgate]} "
                         "&& _main_complete() {} && compdef() {} && whence -w _bloomgate")
    expect(f"zsh knows where the completion is: {loaded}", loaded.startswith("_bloomgate\n"))
    asked = machine.run("zsh", "-f", "-c", ZSH)
    expect(f"and it does without what only bash has: {asked}", "domain\n" in asked and "not found" not in asked)
    page = machine.run("man", "-P", "cat", "bloomgate-listing-add")
    expect("man shows a page", "BLOOMGATE-LISTING-ADD(1)" in page and "--expires" in page)
    expect("of this version", machine.run("bloomgate", "--version").strip() in page)
    expect("without a complaint", machine.run("sh", "-c", "man --warnings -Z bloomgate-scan 2>&1 >/dev/null") == "")


@pytest.mark.needs_root
@pytest.mark.needs("buildah")
def test_the_image_runs_as_nobody_special(archive: Path, open_folder: Path, home: Home, expect):
    """Its second stage; the first one runs the Maven that made the archive."""
    images = Images(open_folder)
    images.of("build", (DIST / "bloomgate", "/build/target/dist/bloomgate"))
    java = ("/opt/java/openjdk", "JAVA_HOME=/opt/java/openjdk", "PATH=/opt/java/openjdk/bin:/usr/sbin:/usr/bin:/sbin:/bin")
    images.of("eclipse-temurin:25-jre", (images.small_debian(), "/"), (jdk(), java[0]), environment=java[1:])
    stage = open_folder / "Dockerfile"
    stage.write_text("FROM " + (CHECKOUT / "docker/Dockerfile").read_text().split("\nFROM ")[-1])
    images.run("build", "--pull-never", "--quiet", "--file", stage, "--tag", "bloomgate", CHECKOUT)
    container = images.run("from", "--pull-never", "bloomgate")
    expect("it is no root", images.run("run", container, "id", "-u") == "10001")
    expect("nothing but its state is its own", images.run("run", container, "sh", "-c", "find . -maxdepth 1 -user 10001") == "./var")
    command = images.command("run", "--env", "BLOOMGATE_SMTP_LISTEN=127.0.0.1:0", "--env", "BLOOMGATE_HTTP_LISTEN=127.0.0.1:0",
                             container, "./bloomgate", "gateway")
    gateway = started(home, command, open_folder)
    assert gateway.mail(b"login.phish.example").startswith(LISTED_REPLY)
    expect("its healthcheck is answered", gateway.get("/health/live"))
    expect("it starts from the cache", "aot=used" in gateway.log())
    gateway.process.terminate()  # killed, buildah would leave the gateway behind
    gateway.process.wait(30)


VALIDATED = """
for (const d of JSON.parse(require("fs").readFileSync(0, "utf8"))) {
    const { [d.kind]: Model } = require(`kubernetes-models/${d.apiVersion}/${d.kind}`);
    new Model(d).validate();
}
"""


@pytest.mark.needs("npm", "python3-yaml")
def test_the_kubernetes_example_is_valid(home: Home):
    import yaml
    documents = list(yaml.safe_load_all((CHECKOUT / "docker" / "kubernetes.yaml").read_text()))
    subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", home.folder, "kubernetes-models@4"], check=True)
    done = subprocess.run(["node", "-e", VALIDATED], cwd=home.folder, input=json.dumps(documents), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    by_kind = {document["kind"]: document for document in documents}
    for name, text in by_kind["ConfigMap"]["data"].items():
        home.write(f"config/{name}", text)
    home.run("config", "check", status=0)
    container = by_kind["StatefulSet"]["spec"]["template"]["spec"]["containers"][0]
    probes = {probe["httpGet"]["path"] for name, probe in container.items() if name.endswith("Probe")}
    paths = json.loads((CHECKOUT / "src/main/resources/org/bloomgate/server/api/openapi.json").read_text())["paths"]
    assert probes <= paths.keys()
    assert by_kind["Service"]["spec"]["selector"].items() <= by_kind["StatefulSet"]["spec"]["template"]["metadata"]["labels"].items()
    secret = container["env"][0]["valueFrom"]["secretKeyRef"]
    assert secret["key"] in by_kind["Secret"]["stringData"]
