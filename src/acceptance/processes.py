"""Processes that end with the check that started them, free ports, and waiting for what is to happen."""
import os
import random
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any


given_ports: set[int] = set()


def free_port() -> int:
    """One below those that the system gives connections, which may take any of theirs before a server listens there; no port twice."""
    first = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    while True:
        port = random.randrange(first - 2500, first)
        try:
            with socket.socket() as s, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
                s.bind(("127.0.0.1", port))
                udp.bind(("127.0.0.1", port))
        except OSError:
            continue
        if port not in given_ports:
            given_ports.add(port)
            return port


def wait_until(what: str, condition: Callable[[], Any], seconds: float = 60, pause: float = 0.02) -> Any:
    """The first true value of the condition; it fails the check when there is none in time."""
    end = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < end, f"not within {seconds:g} s: {what}"
        time.sleep(pause)
    return value


def seconds_until(what: str, condition: Callable[[], Any], seconds: float = 60) -> float:
    began = time.monotonic()
    wait_until(what, condition, seconds)
    return time.monotonic() - began


def listens(port: int, host: str = "127.0.0.1") -> bool:
    try:
        socket.create_connection((host, port), 1).close()
        return True
    except OSError:
        return False


def wait_for_port(port: int, seconds: float = 60) -> None:
    wait_until(f"something listens on port {port}", lambda: listens(port), seconds)


def cpu_seconds(*pids: int) -> float:
    """User and system time of processes and of all below them, ended ones included."""
    stats = {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = file.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue  # It ended meanwhile, and counts in its parent's.
        stats[int(file.parent.name)] = int(fields[1]), sum(map(int, fields[11:15]))
    below = set(pids)
    while more := {pid for pid, (parent, _) in stats.items() if parent in below} - below:
        below |= more
    return sum(stats[pid][1] for pid in below) / os.sysconf("SC_CLK_TCK")


class Processes:
    """Starts processes and kills what is left of them and of those they started at the end, the newest first."""

    def __init__(self):
        self.started: list[subprocess.Popen] = []

    def start(self, *command: Any, **options: Any) -> subprocess.Popen:
        self.started.append(subprocess.Popen(list(map(str, command)), start_new_session=True, **options))
        return self.started[-1]

    def start_silent(self, *command: Any, **options: Any) -> subprocess.Popen:
        return self.start(*command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)

    def end(self) -> None:
        for process in reversed(self.started):
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
