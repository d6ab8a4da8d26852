"""This machine with its changes kept aside: packages are installed in it for real, and nothing of it is touched."""
import subprocess
from pathlib import Path
from typing import Any

from processes import Processes

# The folders of the layer, then the user; the rest is run in it. The kernel's own file systems are no part of a layer.
ENTER = """
set -e
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root"
mount -t proc proc "$1/root/proc"
mount --rbind /dev "$1/root/dev"
folder=$1 user=$2
shift 2
exec chroot --userspec="$user" "$folder/root" "$@"
"""


class Machine:
    def __init__(self, folder: Path, processes: Processes):
        self.folder, self.processes = folder, processes
        for name in ("upper", "work", "root"):
            (folder / name).mkdir()

    def command(self, *command: Any, user: str = "root") -> list[str]:
        """Runs in a mount namespace of its own; what it writes stays in the layer."""
        return ["unshare", "--mount", "--propagation", "private", "sh", "-c", ENTER, "sh", str(self.folder), user, *map(str, command)]

    def run(self, *command: Any, user: str = "root", status: int | None = 0) -> str:
        """What it printed."""
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"}
        done = subprocess.run(self.command(*command, user=user), capture_output=True, text=True, env=environment, cwd="/")
        assert status is None or done.returncode == status, f"{command}: status {done.returncode}\n{done.stdout}{done.stderr}"
        return done.stdout + done.stderr

    def put(self, file: Path, path: str) -> str:
        """A file of ours, at this path."""
        target = self.folder / "upper" / path.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(file.read_bytes())
        return path
