"""What is installed without Maven: the archive, the Debian package on this machine, and the container image."""
import gzip
import itertools
import json
import os
import re
import shutil
import socket
import subprocess
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from images import Images
from machine import Machine
from packages import program
from processes import Processes
from product import CHECKOUT, LISTED_REPLY, Gateway, Home, jdk
from smtp import SmtpClient

DIST = CHECKOUT / "target" / "dist"
JAR = CHECKOUT / "target" / "bloomgate.jar"
SOURCES = ("pom.xml", "bloomgate", "src/main", "src/dist", "src/training", "config", "blacklists")
PORTS = ("--set", "smtp.listen=127.0.0.1:0", "--set", "http.listen=127.0.0.1:0")
CONFIGURATION = "/etc/bloomgate/bloomgate.yaml"
OWN = "/etc/bloomgate/conf.d/site.yaml"
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
    command = [installed / "bloomgate", "gateway", *PORTS]
    refuses_its_first_mail(started(home, command, folder, cwd=installed, env=environment))


@pytest.mark.needs_root
@pytest.mark.needs("systemd")
def test_the_package_installs_upgrades_goes_and_leaves_nothing(package: Path, machine: Machine, home: Home, expect):
    deb = machine.put(package, "/tmp/bloomgate.deb")
    machine.run("sh", "-c", WITHOUT)
    said = machine.run("dpkg", "-i", deb)
    installed_as_it_should_be(machine, expect)
    named = re.findall(r"/(?:etc|usr/share/doc)/bloomgate(?:/[\w.]+)*", said[said.index("bloomgate: "):])
    expect(f"it says what is next, and where: {said}", len(named) > 1 and machine.run("ls", "-d", *named))
    machine.run("bloomgate", "listing", "add", "domain", "by-root.example")
    expect("root's command leaves nothing of root's", machine.run("find", "/var/lib/bloomgate", "-user", "root") == "")
    machine.run("bloomgate", "operator", "add", "ada", "--role", "admin")
    expect("the service reads the operators that root adds", machine.run("cat", "/etc/bloomgate/conf.d/operators.yaml", user="bloomgate"))
    gateway = started(home, on_the_machine(machine), machine.folder)
    refuses_its_first_mail(gateway)
    expect("it starts from the cache that it brings", "aot=used" in gateway.log())

    higher = machine.put(of_higher_version(package, machine.folder / "higher"), "/tmp/higher.deb")
    machine.run("sh", "-c", f"echo '# mine' >> {CONFIGURATION}; echo 'nextHop: \"maildir:/var/lib/bloomgate/other\"' > {OWN}")
    said = machine.run("dpkg", "-i", higher)  # without a terminal: a question would end it
    expect(f"an upgrade says whether the gateway is the new one: {said}", "restarted" in said)
    expect("an upgrade keeps what was changed", machine.run("tail", "-n", "1", CONFIGURATION) == "# mine\n")
    expect("and takes the version", "99.0" in machine.run("dpkg-query", "-W", "bloomgate"))
    before = machine.run("ls", "/var/lib/bloomgate/snapshots/nightly")
    refuses_its_first_mail(started(home, on_the_machine(machine), machine.folder))
    expect("and asks the snapshot of before", machine.run("ls", "/var/lib/bloomgate/snapshots/nightly") == before)
    expect("with the next hop of conf.d", machine.run("ls", "/var/lib/bloomgate/other/new"))
    machine.run("dpkg", "-i", deb)
    refuses_its_first_mail(started(home, on_the_machine(machine), machine.folder))

    machine.run("dpkg", "-r", "bloomgate")
    expect("removed, the configuration stays", machine.run("tail", "-n", "1", CONFIGURATION) == "# mine\n")
    expect("and the snapshots", machine.run("ls", "/var/lib/bloomgate/snapshots/nightly") == before)
    expect("and no program", "bloomgate" not in machine.run("ls", "/usr/bin", "/usr/lib"))
    machine.run("dpkg", "--purge", "bloomgate")
    left = machine.run("find", "/etc", "/usr/lib", "/usr/bin", "/usr/share", "/var/lib", "-xdev", "-name", "*bloomgate*")
    expect(f"purged, nothing stays: {left}", left == "")


MOUNTED = ("/var/lib/bloomgate", "/var/lib/bloomgate/quarantine", "/etc/bloomgate")


@pytest.mark.needs_root
@pytest.mark.parametrize("mounted", [names for n in range(4) for names in itertools.combinations(MOUNTED, n)], ids="+".join)
def test_purge_deletes_what_is_in_folders_that_are_mounted(mounted: tuple[str, ...]):
    tmpfs = [f"mount -t tmpfs none {folder}" for folder in ("/var/lib", "/etc", "/run")]  # of a namespace of its own
    folders = [f"mkdir -p {folder}; {f'mount -t tmpfs none {folder}' if folder in mounted else ':'}; echo x >{folder}/file" for folder in MOUNTED]
    steps = ["mount --make-rprivate /", *tmpfs, *folders, f"sh {CHECKOUT}/src/dist/deb/postrm purge", "find /var/lib/bloomgate /etc/bloomgate || true"]
    done = subprocess.run(["unshare", "-m", "sh", "-ec", "\n".join(steps)], stdout=subprocess.PIPE, text=True,
                          env={**os.environ, "DPKG_MAINTSCRIPT_PACKAGE": "bloomgate"})
    above = {folder for folder in MOUNTED for name in mounted if name.startswith(folder)}
    assert (done.returncode, set(done.stdout.split())) == (0, above)


def on_the_machine(machine: Machine) -> list[str]:
    return machine.command("/usr/bin/bloomgate", "gateway", "-c", CONFIGURATION, *PORTS, user="bloomgate")


def of_higher_version(package: Path, folder: Path) -> Path:
    """The same, as version 99.0, with more defaults."""
    subprocess.run(["dpkg-deb", "--raw-extract", package, folder], check=True)
    control, shipped = folder / "DEBIAN" / "control", folder / "usr/share/bloomgate/bloomgate.yaml"
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
    expect(f"gateway, nightly and hourly rebuilds are enabled: {enabled}", {"bloomgate.service", "bloomgate-rebuild@nightly.timer",
           "bloomgate-rebuild@hourly.timer"} <= set(enabled.split()))
    due = re.search("(?m)^ExecStart=(.*)", machine.run("cat", "/usr/lib/systemd/system/bloomgate-rebuild@.service"))[1]
    expect("the hourly timer does nothing without hourly lists", machine.run(*due.replace("%i", "hourly").split(), user="bloomgate") == "")
    expect("lists are stale until they are built", "layer nightly is stale: never built: sample-"
           in machine.run("bloomgate", "config", "check", "-c", CONFIGURATION, user="bloomgate"))
    units = machine.run("sh", "-c", "systemd-analyze verify /usr/lib/systemd/system/bloomgate*.timer /usr/lib/systemd/system/bloomgate.service")
    expect(f"the units are right: {units}", "bloomgate" not in units)
    expect("own settings belong to the group", machine.run("stat", "-c", "%a %U %G", "/etc/bloomgate/conf.d", "/etc/bloomgate/feeds.d")
           == "2750 root bloomgate\n" * 2)
    for page, words in (("bloomgate.yaml.5", "relayDomains"), ("feeds.yaml.5", "maxGrowthShare"), ("bloomgate.1", "Exit Status"), ("bloomgate.1", "/etc/bloomgate/feeds.yaml"), ("bloomgate.1", "See also"), ("bloomgate-check.1", "KIND"), ("bloomgate-quarantine-release.1", "Synopsis")):
        text = gzip.decompress((machine.folder / f"upper/usr/share/man/man{page[-1]}/{page}.gz").read_bytes()).decode()
        expect(f"{page} speaks of {words}", words.lower() in text.lower())


@pytest.mark.needs_root
@pytest.mark.needs("systemd")
def test_the_unit_says_when_it_serves_and_refuses_a_bad_file(package: Path, machine: Machine, home: Home, expect):
    """The commands of the unit, with a socket in the place of systemd's."""
    machine.run("dpkg", "-i", machine.put(package, "/tmp/bloomgate.deb"))
    unit = machine.run("cat", "/usr/lib/systemd/system/bloomgate.service")
    check, hangup = re.findall("(?m)^ExecReload=(.*)", unit)
    expect("a reload is a check, then a signal", "config check" in check and hangup == "/bin/kill -HUP $MAINPID")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notified:
        notified.settimeout(60)
        name = f"bloomgate-{machine.folder.stat().st_ino}"
        notified.bind(f"\0{name}")
        command = ["env", f"NOTIFY_SOCKET=@{name}", *on_the_machine(machine)]
        log = machine.folder / "gateway.log"
        with log.open("wb") as out:
            process = home.processes.start(*command, stdout=subprocess.DEVNULL, stderr=out)
        expect("it tells systemd", {"READY=1", "STATUS=ready"} <= fields_of_notification(notified))
        gateway = Gateway(home, process, log)
        machine.run(*check.split(), user="bloomgate")
        machine.run("sh", "-c", f"echo 'nextHop: [1' > {OWN}")
        machine.run(*check.split(), user="bloomgate", status=2)
        refuses_its_first_mail(gateway)


def fields_of_notification(notified: socket.socket) -> set[str]:
    """The next notification. Closes the descriptor by which the sender waits for the receiver."""
    data, descriptors, _, _ = socket.recv_fds(notified, 4096, 8)
    for descriptor in descriptors:
        os.close(descriptor)
    return set(data.decode().splitlines())


@pytest.mark.needs("lintian")
def test_lintian_finds_no_error(package: Path):
    done = subprocess.run(["lintian", "--allow-root", "--fail-on", "error", package], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.needs("git")
def test_an_upgrade_from_the_last_tag_changes_no_conffile():
    """Then dpkg asks nothing, whatever was edited; own settings are in conf.d."""
    tag = git("describe", "--tags", "--match", "v*", "--abbrev=0")
    for name in ("bloomgate.yaml", "feeds.yaml") if tag else ():
        path = f"src/dist/etc/{name}"
        assert git("show", f"{tag.strip()}:{path}") == (CHECKOUT / path).read_text(), f"{path} is not that of {tag}"


def git(*command: str) -> str:
    """What it printed; empty when it failed."""
    done = subprocess.run(["git", *command], cwd=CHECKOUT, capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else ""


@pytest.mark.needs("shellcheck")
def test_shellcheck_finds_no_error():
    scripts = ("bloomgate", ".ci/run", ".ci/release", "src/acceptance/run", *(f"src/dist/deb/{name}" for name in ("postinst", "prerm", "postrm")))
    done = subprocess.run(["shellcheck", *scripts], cwd=CHECKOUT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_a_release_of_another_version_is_refused():
    done = subprocess.run([CHECKOUT / ".ci" / "release", "v0.0.1"], capture_output=True, text=True)
    assert done.returncode == 2 and "the tag is v0.0.1" in done.stderr, done.stderr


@pytest.mark.needs("prometheus", "docker-compose")
def test_the_compose_example_is_valid():
    for command in ([program("promtool"), "check", "config", "prometheus.yaml"],
                    ["docker-compose", "-f", "compose.yaml", "--profile", "monitoring", "config", "--quiet"]):
        done = subprocess.run(command, cwd=CHECKOUT / "docker", capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr


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


# The image's files without write access, but for its state and /tmp, as a user without rights; then its command.
READ_ONLY = """
set -e
root=$1
shift
mount --bind "$root" "$root"
mount -o remount,bind,ro "$root"
mount -t tmpfs tmpfs "$root/srv/bloomgate/var" -o uid=10001
mount -t tmpfs tmpfs "$root/tmp"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
exec chroot --userspec=10001 "$root" env -i "$@" sh -c 'cd /srv/bloomgate && exec ./bloomgate gateway'
"""


@pytest.mark.needs_root
@pytest.mark.needs("buildah")
def test_the_image_runs_as_nobody_special(archive: Path, open_folder: Path, home: Home, expect):
    """With the program of the archive instead of its first stage."""
    images = Images(open_folder)
    java = ("/opt/java/openjdk", "JAVA_HOME=/opt/java/openjdk", "PATH=/opt/java/openjdk/bin:/usr/sbin:/usr/bin:/sbin:/bin")
    images.of("eclipse-temurin:25-jre", (images.small_debian(), "/"), (jdk(), java[0]), environment=java[1:])
    images.run("build", "--pull-never", "--quiet", "--format", "docker", "--file", CHECKOUT / "docker/Dockerfile",
               "--build-context", f"program={DIST / 'bloomgate'}", "--tag", "bloomgate", CHECKOUT)
    container = images.run("from", "--pull-never", "bloomgate")
    config = json.loads(images.run("inspect", "--type", "image", "bloomgate"))["Docker"]["config"]
    expect("it is no root", images.run("run", container, "id", "-u") == "10001")
    own = images.run("run", container, "sh", "-c", "find . -maxdepth 1 -user 10001")
    expect(f"nothing but its state is its own: {own}", own == "./var")
    expect("it has labels", config["Labels"]["org.opencontainers.image.licenses"] == "Apache-2.0")
    expect("it has a health check", "health/live" in config["Healthcheck"]["Test"][1])
    expect("no client may relay", not any("CLIENTNETWORKS" in variable for variable in config["Env"]))
    variables = (*config["Env"], "BLOOMGATE_SMTP_LISTEN=0.0.0.0:0", "BLOOMGATE_HTTP_LISTEN=127.0.0.1:0",
                 "BLOOMGATE_SMTP_TRUSTED=127.0.0.0/8", "BLOOMGATE_SMTP_RELAYDOMAINS=dest.example")
    command = ["unshare", "--mount", "--propagation", "private", "sh", "-c", READ_ONLY, "sh", images.run("mount", container), *variables]
    gateway = started(home, command, open_folder)
    assert gateway.mail(b"login.phish.example").startswith(LISTED_REPLY)
    with SmtpClient(gateway.smtp) as client:
        client.command(b"XCLIENT ADDR=10.1.2.3")  # a private address, as source NAT makes one
        client.command(b"EHLO client.test")
        client.command(b"MAIL FROM:<a@sender.test>")
        reply = client.command(b"RCPT TO:<b@foreign.example>")
        expect(f"a private address may not relay: {reply}", reply.startswith("554 5.7.1"))
        expect("but send to the domains of the site", client.command(b"RCPT TO:<b@dest.example>").startswith("250"))
    expect("its healthcheck is answered", gateway.get("/health/live"))
    expect("it starts from the cache", "aot=used" in gateway.log())
    gateway.stop()


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
    by_name = {(document["kind"], document["metadata"]["name"]): document for document in documents}
    for name, text in by_name["ConfigMap", "bloomgate"]["data"].items():
        home.write(f"config/{name}", text)
    home.path("config/conf.d").mkdir(exist_ok=True)
    pod = by_name["StatefulSet", "bloomgate"]["spec"]["template"]
    secret = by_name["Secret", "bloomgate"]["stringData"]
    for item in pod["spec"]["volumes"][0]["projected"]["sources"][1]["secret"]["items"]:
        home.write(f"config/{item['path']}", secret[item["key"]])
    home.run("config", "check", "--set", "smtp.listen=0.0.0.0:2525", "--set", "http.listen=0.0.0.0:8080", status=0)
    container = pod["spec"]["containers"][0]
    probes = {probe["httpGet"]["path"] for name, probe in container.items() if name.endswith("Probe")}
    paths = json.loads((CHECKOUT / "src/main/resources/org/bloomgate/server/api/openapi.json").read_text())["paths"]
    assert probes <= paths.keys()
    ports = {port["name"] for port in container["ports"]}
    for service in ("bloomgate", "bloomgate-http"):
        spec = by_name["Service", service]["spec"]
        assert spec["selector"].items() <= pod["metadata"]["labels"].items()
        assert {port["targetPort"] for port in spec["ports"]} <= ports
    assert by_name["Service", "bloomgate"]["spec"]["externalTrafficPolicy"] == "Local"
    assert "type" not in by_name["Service", "bloomgate-http"]["spec"]
