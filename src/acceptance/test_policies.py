"""Password policies of other programs ask Bloomgate as docs/passwords.md says: the npm package hibp, Spring Security, the provider
for Keycloak, the script of the document alone and under PAM. Each accepts or rejects what could not be looked up, as configured."""
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from processes import Processes, free_port
from product import CHECKOUT, Home, jdk

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
