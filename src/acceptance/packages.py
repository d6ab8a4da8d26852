"""The foreign programs that checks drive, by the Debian package that brings them.

As a script it prints the packages that are missing here, one a line, so that a build machine can install them."""
import shutil
import subprocess
import sys

# Of each row in a package one program has to be there.
PROGRAMS: dict[str, list[tuple[str, ...]]] = {
    "chromium": [("chromium", "google-chrome", "chromium-browser")],
    "chromium-driver": [("chromedriver",)],
    "curl": [("curl",)],
    "docker-compose": [("docker-compose",)],
    "git": [("git",)],
    "man-db": [("man",)],
    "npm": [("npm",), ("node",)],
    "openssl": [("openssl",)],
    "postfix": [("postfix",), ("smtp-source",), ("smtp-sink",)],
    "rbldnsd": [("rbldnsd",)],
    "redis-server": [("redis-server",), ("redis-cli",)],
    "rspamd": [("rspamadm",)],
    "shellcheck": [("shellcheck",)],
    "swaks": [("swaks",)],
    "unbound": [("unbound",)],
    "wrk": [("wrk",)],
    "zsh": [("zsh",)],
}
PERL_MODULES = {"libnet-ssleay-perl": "Net::SSLeay"}  # STARTTLS for swaks


def program(name: str) -> str | None:
    """Where it is; daemons lie in folders that are not on everybody's path."""
    return shutil.which(name) or shutil.which(name, path="/usr/sbin:/sbin")


def missing(package: str) -> bool:
    if package in PERL_MODULES:
        command = ["perl", f"-M{PERL_MODULES[package]}", "-e1"]
        return shutil.which("perl") is None or subprocess.run(command, capture_output=True).returncode != 0
    return not all(any(map(program, names)) for names in PROGRAMS[package])


if __name__ == "__main__":
    sys.stdout.writelines(f"{package}\n" for package in (*PROGRAMS, *PERL_MODULES) if missing(package))
