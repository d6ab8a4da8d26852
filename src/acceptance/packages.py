"""The foreign programs that checks drive, by the Debian package that brings them.

As a script it prints the packages that are missing here, one a line, so that a build machine can install them."""
import shutil
import subprocess
import sys

# Of each row in a package one program has to be there.
PROGRAMS: dict[str, list[tuple[str, ...]]] = {
    "bind9": [("named",)],
    "bind9-utils": [("named-checkzone",), ("rndc",)],
    "buildah": [("buildah",)],
    "chromium": [("chromium", "google-chrome", "chromium-browser")],
    "chromium-driver": [("chromedriver",)],
    "curl": [("curl",)],
    "dnsperf": [("dnsperf",)],
    "dnstwist": [("dnstwist",)],
    "docker-compose": [("docker-compose",)],
    "git": [("git",)],
    "golang-go": [("go",)],
    "imagemagick": [("convert-im6.q16",)],
    "knot-resolver": [("kresd",)],
    "lintian": [("lintian",)],
    "man-db": [("man",)],
    "nginx-light": [("nginx",)],
    "npm": [("npm",), ("node",)],
    "openssl": [("openssl",)],
    "pdns-recursor": [("pdns_recursor",), ("rec_control",)],
    "postfix": [("postfix",), ("smtp-source",), ("smtp-sink",)],
    "prometheus": [("promtool",)],
    "qrencode": [("qrencode",)],
    "rbldnsd": [("rbldnsd",)],
    "rclone": [("rclone",)],
    "redis-server": [("redis-server",), ("redis-cli",)],
    "rspamd": [("rspamadm",)],
    "shellcheck": [("shellcheck",)],
    "spamassassin": [("spamassassin",)],
    "squid": [("squid",)],
    "swaks": [("swaks",)],
    "systemd": [("systemd-analyze",), ("systemd-notify",)],
    "unbound": [("unbound",), ("unbound-control",)],
    "wrk": [("wrk",)],
    "zbar-tools": [("zbarimg",)],
    "zint": [("zint",)],
    "zsh": [("zsh",)],
    "zxing-cpp-tools": [("ZXingReader",)],
}
# How a module that a package brings is asked for.
MODULES: dict[str, tuple[str, ...]] = {
    "libnet-ssleay-perl": ("perl", "-MNet::SSLeay", "-e1"),  # STARTTLS for swaks
    "lua-cqueues": ("dpkg-query", "--status", "lua-cqueues"),  # for Knot Resolver, to watch files
    "python3-dkim": ("/usr/bin/python3", "-c", "import dkim"),  # whichever Python runs the checks
    "python3-yaml": (sys.executable, "-c", "import yaml"),
}


def program(name: str) -> str | None:
    """Where it is; daemons lie in folders that are not on everybody's path."""
    return shutil.which(name) or shutil.which(name, path="/usr/sbin:/sbin")


def missing(package: str) -> bool:
    if package in MODULES:
        command = MODULES[package]
        return shutil.which(command[0]) is None or subprocess.run(command, capture_output=True).returncode != 0
    return not all(any(map(program, names)) for names in PROGRAMS[package])


if __name__ == "__main__":
    sys.stdout.writelines(f"{package}\n" for package in (*PROGRAMS, *MODULES) if missing(package))
