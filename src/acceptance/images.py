"""Container images without a registry: buildah, in folders of its own, and stand-ins for the images that a Dockerfile
begins with, made of this Debian."""
import os
import re
import subprocess
from pathlib import Path
from typing import Any

# What a RUN of ours may ask for, besides what is essential.
PACKAGES = {"apt", "curl", "passwd"}


class Images:
    def __init__(self, folder: Path):
        self.folder = folder

    def command(self, *command: Any) -> list[str]:
        places = ("--root", self.folder / "images", "--runroot", self.folder / "run", "--storage-driver", "vfs")
        return ["buildah", *map(str, (*places, *command))]

    def run(self, *command: Any) -> str:
        done = subprocess.run(self.command(*command), capture_output=True, text=True, env={**os.environ, "BUILDAH_ISOLATION": "chroot"})
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        return done.stdout.strip()

    def of(self, name: str, *added: tuple[Path, str], environment: tuple[str, ...] = ()) -> None:
        """An image of these files and folders, each at a path."""
        container = self.run("from", "scratch")
        for source, path in added:
            self.run("add", "--quiet", container, source, path)
        self.run("config", *(word for variable in environment for word in ("--env", variable)), container)
        self.run("commit", "--quiet", container, name)
        self.run("rm", container)

    def small_debian(self) -> Path:
        """A tar of the essential packages, those above and what they depend on, as they are installed here."""
        listed = subprocess.run(["dpkg-query", "-L", *packages_with_what_they_need()], capture_output=True, text=True, check=True)
        paths = {real(line) for line in listed.stdout.splitlines() if line.startswith("/")}
        links = {f"/{name}" for name in os.listdir("/") if os.path.islink(f"/{name}")}
        kept = {"/var/lib/dpkg/status", "/tmp"}
        names = self.folder / "names"
        names.write_text("".join(f"{path[1:]}\n" for path in sorted(paths | links | kept) if len(path) > 1 and os.path.lexists(path)))
        made = self.folder / "debian.tar"
        subprocess.run(["tar", "-C", "/", "--no-recursion", "-cf", made, "-T", names], check=True)
        accounts = self.folder / "etc"
        accounts.mkdir()
        for name in ("passwd", "group", "shadow"):
            lines = Path("/etc", name).read_text().splitlines(keepends=True)
            (accounts / name).write_text("".join(line for line in lines if not line.startswith("bloomgate:")))
        subprocess.run(["tar", "-C", self.folder, "-rf", made, "etc/passwd", "etc/group", "etc/shadow"], check=True)
        return made


def real(path: str) -> str:
    """Where a file is that a package names below /bin or /lib."""
    return os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))


def packages_with_what_they_need() -> set[str]:
    form = "${binary:Package}\t${Package}\t${Essential}\t${Pre-Depends}, ${Depends}\t${Provides}\n"
    rows = [line.split("\t") for line in subprocess.run(["dpkg-query", "-W", "-f", form], capture_output=True, text=True, check=True).stdout.splitlines()]
    by_name = {name: (package, wanted) for package, name, _, wanted, _ in rows}
    for package, _, _, wanted, provided in rows:
        for name in re.findall(r"[a-z0-9][a-z0-9+.-]+", provided):
            by_name.setdefault(name, (package, wanted))
    todo, needed = PACKAGES | {name for _, name, essential, _, _ in rows if essential == "yes"}, set()
    while todo:
        package, wanted = by_name.get(todo.pop(), ("", ""))
        if package and package not in needed:
            needed.add(package)
            todo |= {re.split(r"[ (:]", name.strip())[0] for name in re.split(r"[,|]", wanted)}
    return needed
