"""The checkout itself: format, scripts, the compose file."""
import os
import subprocess

import pytest

from product import CHECKOUT, jdk

SCRIPTS = ("src/acceptance/run", ".ci/run")


def run(*command: str, **environment: str) -> None:
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, env={**os.environ, **environment})
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_code_is_formatted():
    run("mvn", "-B", "-q", "-ntp", "spotless:check", JAVA_HOME=str(jdk()))


@pytest.mark.needs("shellcheck")
def test_scripts_are_free_of_what_shellcheck_knows():
    run("shellcheck", "-s", "sh", "bloomgate", *(f"src/dist/deb/{name}" for name in ("postinst", "prerm", "postrm")))
    run("shellcheck", *SCRIPTS)


@pytest.mark.needs("docker-compose")
def test_the_compose_file_is_valid():
    run("docker-compose", "-f", "docker/compose.yaml", "config", "-q")


def test_the_readme_is_short():
    assert len((CHECKOUT / "README.md").read_text(encoding="utf-8").splitlines()) <= 120


@pytest.mark.long
def test_the_benchmarks_compile():
    run("mvn", "-B", "-q", "-ntp", "-Pbench", "test-compile", JAVA_HOME=str(jdk()))
