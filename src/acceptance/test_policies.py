"""Password policies of other programs ask Bloomgate as docs/passwords.md says: the npm package hibp, Spring Security, the provider
for Keycloak, the script of the document alone and under PAM. Each accepts or rejects what could not be looked up, as configured."""
import json
import os
import re
import shutil
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from processes import Processes, free_port, wait_until
from product import CHECKOUT, Home, jdk
from webserver import Passing, served

POLICIES = Path(__file__).parent / "policies"
LISTED, UNLISTED = "Gateway-2026-Summer!", "Unlisted-2026-Meadow!"
HIBP = """
import { pwnedPassword } from 'hibp';
for (const password of process.argv.slice(4)) {
  try {
    console.log(await pwnedPassword(password, { baseUrl: process.argv[2], addPadding: true }));
  } catch (error) {
    console.log('failed');
  }
}
"""


class Services(NamedTuple):
    """URLs of three Bloomgates: with a list of passwords, without one (it answers 503), and of one that does not run."""
    url: str
    without_list: str
    nowhere: str

    @property
    def away(self) -> tuple[str, str]:
        return self.without_list, self.nowhere


@pytest.fixture(scope="module")
def services(launcher: Path, session_folder: Path) -> Iterator[Services]:
    processes = Processes()
    home = Home(launcher, session_folder / "policies", processes)
    home.write("words.txt", LISTED)
    home.feeds("name: words, kind: password, format: lines, source: words.txt, category: weak")
    home.rebuild()
    other = home.beside("without-list")
    other.list_domains("bad.example")
    other.rebuild()
    yield Services(home.lookup_service().url, other.lookup_service().url, f"http://127.0.0.1:{free_port()}")
    processes.end()


def asked(command: list[object], url: str, mode: str, *passwords: str, cwd: Path) -> list[str]:
    done = subprocess.run([str(word) for word in (*command, url, mode, *passwords)], cwd=cwd, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout.split()


def maven(folder: Path, *goals: str) -> str:
    """The class path of a POM."""
    command = ["mvn", "-B", "-q", "-ntp", *goals, "dependency:build-classpath", f"-Dmdep.outputFile={folder}/class-path"]
    subprocess.run(command, cwd=folder, check=True)
    return (folder / "class-path").read_text()


def compiled(name: str, folder: Path, class_path: str) -> list[object]:
    """The command that runs a class of the folder `policies`."""
    path = f"{folder}:{class_path}"
    subprocess.run([jdk() / "bin" / "javac", "-d", folder, "-cp", path, POLICIES / f"{name}.java"], check=True)
    return [jdk() / "bin" / "java", "-XX:TieredStopAtLevel=1", "-cp", path, name]


@pytest.mark.needs("npm")
def test_hibp_throws_what_it_cannot_look_up(tmp_path: Path, services: Services, expect):
    folder = tmp_path
    subprocess.run(["npm", "install", "--silent", "--no-fund", "--no-audit", "--prefix", folder, "hibp@15.2.1"], check=True)
    (folder / "ask.mjs").write_text(HIBP, encoding="utf-8")
    command = ["node", "ask.mjs"]
    expect("listed and unlisted", asked(command, services.url, "", LISTED, UNLISTED, cwd=folder) == ["1", "0"])
    for url in services.away:
        expect(f"{url} fails", asked(command, url, "", LISTED, UNLISTED, cwd=folder) == ["failed", "failed"])


def test_spring_and_keycloak_follow_their_mode(tmp_path: Path, services: Services, expect):
    folder, provider = tmp_path / "spring", tmp_path / "keycloak"
    folder.mkdir()
    shutil.copy(POLICIES / "pom.xml", folder)
    shutil.copytree(CHECKOUT / "src" / "readers" / "keycloak", provider, ignore=shutil.ignore_patterns("target"))
    spring_path = maven(folder)
    keycloak_path = maven(provider, "package")
    jar = provider / "target" / "bloomgate-keycloak-1.0.0.jar"
    spring = compiled("SpringPolicy", folder, spring_path)
    keycloak = compiled("KeycloakPolicy", provider, f"{jar}:{keycloak_path}:{spring_path}")
    for mode in ("open", "closed"):
        said = asked(spring, services.url, mode, LISTED, UNLISTED, cwd=folder)
        expect(f"Spring Security, {mode}: {said}", said == ["compromised", "accepted"])
        said = asked(keycloak, services.url, mode, LISTED, UNLISTED, cwd=folder)
        expect(f"Keycloak, {mode}: {said}", said == ["invalidPasswordBlacklistedMessage", "accepted"])
    for url in services.away:
        for mode, by_spring, by_keycloak in (("open", "accepted", "accepted"), ("closed", "failed", "invalidPasswordGenericMessage")):
            said = asked(spring, url, mode, LISTED, cwd=folder)
            expect(f"Spring Security, {mode}, {url}: {said}", said == [by_spring])
            said = asked(keycloak, url, mode, LISTED, cwd=folder)
            expect(f"Keycloak, {mode}, {url}: {said}", said == [by_keycloak])


def script(folder: Path) -> Path:
    """The script of the document."""
    text = (CHECKOUT / "docs" / "passwords.md").read_text(encoding="utf-8")
    file = folder / "check-password"
    file.write_text(re.search(r"cat > check-password <<'END'\n(.*?)^END$", text, re.S | re.M).group(1), encoding="utf-8")
    file.chmod(0o755)
    return file


@pytest.mark.needs("curl", "shellcheck")
def test_the_script_follows_its_mode(tmp_path: Path, services: Services, expect):
    file = script(tmp_path)
    subprocess.run(["shellcheck", file], check=True)

    def status(url: str, mode: str, password: str) -> int:
        return subprocess.run([file, mode], input=password, text=True, env={**os.environ, "BLOOMGATE_URL": url}, stdout=subprocess.DEVNULL).returncode
    for mode in ("open", "closed"):
        expect(f"{mode}: listed", status(services.url, mode, LISTED) == 1)
        expect(f"{mode}: unlisted", status(services.url, mode, UNLISTED) == 0)
        for url in services.away:
            expect(f"{mode}, {url}", status(url, mode, UNLISTED) == (mode == "closed"))


@pytest.mark.needs("curl")
def test_pam_exec_follows_the_script(tmp_path: Path, services: Services, expect):
    """The line of the document; without pam_unix before it, pam_exec asks for the password itself."""
    file = script(tmp_path)
    line = re.search(r"^auth required pam_exec.*$", (CHECKOUT / "docs" / "passwords.md").read_text(encoding="utf-8"), re.M).group()

    def log_in(url: str, mode: str, password: str) -> tuple[int, str]:
        runner, service = tmp_path / "check", tmp_path / "login"
        runner.write_text(f"#!/bin/sh\nBLOOMGATE_URL={url} exec {file} {mode}\n")
        runner.chmod(0o755)
        service.write_text(line.replace("/usr/local/sbin/check-password open", str(runner)) + "\n")
        done = subprocess.run(["/usr/bin/python3", POLICIES / "log_in.py", tmp_path, "nobody"], input=password,
                              capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr
    for mode in ("open", "closed"):
        status, said = log_in(services.url, mode, LISTED)
        expect(f"{mode}: listed: {said}", status == 1 and "known from leaks" in said)
        status, said = log_in(services.url, mode, UNLISTED)
        expect(f"{mode}: unlisted: {said}", status == 0)
        status, said = log_in(services.without_list, mode, UNLISTED)
        expect(f"{mode}: away: {said}", status == (mode == "closed") and "could not be checked" in said)


def called(url: str, method: str, body: object, token: str = "") -> tuple[int, str]:
    """Status and text of a call with a form or with JSON."""
    form = isinstance(body, str)
    headers = {"Content-Type": "application/x-www-form-urlencoded" if form else "application/json"}
    headers |= {"Authorization": f"Bearer {token}"} if token else {}
    data = body.encode() if form else json.dumps(body).encode()
    try:
        with urllib.request.urlopen(urllib.request.Request(url, data, headers, method=method), timeout=60) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


@pytest.mark.long
def test_a_server_of_keycloak_follows_the_policy(tmp_path: Path, services: Services, processes: Processes, expect):
    provider = tmp_path / "provider"
    shutil.copytree(CHECKOUT / "src" / "readers" / "keycloak", provider, ignore=shutil.ignore_patterns("target"))
    maven(provider, "package")
    artifact = ["-Dartifact=org.keycloak:keycloak-quarkus-dist:26.4.0:tar.gz", f"-DoutputDirectory={tmp_path}"]
    subprocess.run(["mvn", "-B", "-q", "-ntp", "dependency:copy", *artifact], cwd=provider, check=True)
    subprocess.run(["tar", "xzf", "keycloak-quarkus-dist-26.4.0.tar.gz"], cwd=tmp_path, check=True)
    server = tmp_path / "keycloak-26.4.0"
    shutil.copy(provider / "target" / "bloomgate-keycloak-1.0.0.jar", server / "providers")
    passing = served(Passing)
    port = free_port()
    environment = {**os.environ, "JAVA_HOME": str(jdk()), "KC_BOOTSTRAP_ADMIN_USERNAME": "admin", "KC_BOOTSTRAP_ADMIN_PASSWORD": "admin"}
    with (tmp_path / "keycloak.log").open("wb") as log:
        processes.start(server / "bin" / "kc.sh", "start-dev", f"--http-port={port}", "--http-host=127.0.0.1", "--cache=local",
                        f"--spi-password-policy--bloomgate--url=http://127.0.0.1:{passing.server_port}", env=environment, stdout=log, stderr=log)
    wait_until("Keycloak", lambda: "started in" in (tmp_path / "keycloak.log").read_text(), 300)
    url = f"http://127.0.0.1:{port}"

    def token() -> str:
        form = "grant_type=password&client_id=admin-cli&username=admin&password=admin"
        return json.loads(called(f"{url}/realms/master/protocol/openid-connect/token", "POST", form)[1])["access_token"]
    called(f"{url}/admin/realms", "POST", {"realm": "shop", "enabled": True}, token())
    called(f"{url}/admin/realms/shop/users", "POST", {"username": "ada", "enabled": True}, token())
    with urllib.request.urlopen(urllib.request.Request(f"{url}/admin/realms/shop/users", headers={"Authorization": f"Bearer {token()}"})) as answer:
        user = json.load(answer)[0]["id"]

    def set_password(service: str, mode: str, password: str) -> tuple[int, str]:
        Passing.target = service
        expect(f"the realm takes {mode}", called(f"{url}/admin/realms/shop", "PUT", {"passwordPolicy": f"bloomgate({mode})"}, token())[0] == 204)
        return called(f"{url}/admin/realms/shop/users/{user}/reset-password", "PUT", {"type": "password", "value": password}, token())
    for mode in ("open", "closed"):
        status, said = set_password(services.url, mode, LISTED)
        expect(f"{mode}: listed: {status} {said}", status == 400 and "invalidPasswordBlacklisted" in said)
        status, said = set_password(services.url, mode, UNLISTED)
        expect(f"{mode}: unlisted: {status} {said}", status == 204)
        status, said = set_password(services.without_list, mode, UNLISTED)
        expect(f"{mode}: away: {status} {said}", status == (204 if mode == "open" else 400))
    expect("another mode is rejected", called(f"{url}/admin/realms/shop", "PUT", {"passwordPolicy": "bloomgate(ajar)"}, token())[0] == 400)
    passing.shutdown()
