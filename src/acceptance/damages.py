"""What can become of a file on a disk, and a file system that is full."""
import os
import random
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path


def damages(whole: bytes, places: Iterable[int], rnd: random.Random) -> Iterator[tuple[str, bytes | None]]:
    """What was done, and the bytes after it; None for a file that is gone."""
    for at in places:
        blob = bytearray(whole)
        blob[at] ^= 1 << rnd.randrange(8)
        yield f"bit in byte {at}", bytes(blob)
    for what, blob in (("cut to a half", whole[:len(whole) // 2]), ("one byte less", whole[:-1]), ("one byte more", whole + b"\n"),
                         ("emptied", b""), ("taken away", None)):
        if blob != whole:
            yield what, blob


def write(file: Path, blob: bytes | None) -> None:
    if blob is None:
        file.unlink()
    else:
        file.write_bytes(blob)


class SmallDisk:
    """A file system of its own that can be filled."""
    BYTES = 16 << 20

    def __init__(self, at: Path):
        self.at, self.filler = at, at / "filler"
        at.mkdir()
        command = ["mount", "-t", "tmpfs", "-o", f"size={self.BYTES}", "none", at]
        self.mounted = subprocess.run(command, capture_output=True).returncode == 0

    def fill(self, left: int = 0) -> None:
        """But for so many bytes."""
        self.free()
        with self.filler.open("wb", buffering=0) as out:
            room = os.statvfs(self.at)
            out.write(b"x" * max(0, room.f_bavail * room.f_frsize - left))

    def free(self) -> None:
        self.filler.unlink(missing_ok=True)

    def unmount(self) -> None:
        if self.mounted:
            subprocess.run(["umount", "-l", self.at], check=True)
