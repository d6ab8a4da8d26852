"""A Redis cluster of real servers that can be killed and come back, empty."""
import random
import re
import socket
import subprocess
from pathlib import Path

from packages import program
from processes import Processes, wait_for_port, wait_until

KEYS_AND_IMMORTALS = """local all = redis.call('keys', ARGV[1])
local n = 0
for _, k in ipairs(all) do if redis.call('ttl', k) < 0 then n = n + 1 end end
return {#all, n}"""


def free_pair() -> int:
    """A port whose bus, 10,000 above, is free too; both below those that connections get."""
    while True:
        port = random.randrange(10_000, 20_000)
        try:
            with socket.socket() as a, socket.socket() as b:
                a.bind(("127.0.0.1", port))
                b.bind(("127.0.0.1", port + 10_000))
                return port
        except OSError:
            continue


class Server:
    """redis-server of a cluster, which keeps nothing on disk but who has which slots."""

    def __init__(self, processes: Processes, home: Path):
        self.processes, self.home, self.port = processes, home, free_pair()
        home.mkdir()
        self.start()

    def start(self) -> None:
        self.process = self.processes.start_silent(
            program("redis-server"), "--port", self.port, "--bind", "127.0.0.1", "--dir", self.home, "--save", "",
            "--cluster-enabled", "yes", "--cluster-node-timeout", 2000, "--cluster-require-full-coverage", "no",
            "--logfile", self.home / "log")
        wait_for_port(self.port)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def cli(self, *words: str) -> str:
        return subprocess.run(["redis-cli", "-p", str(self.port), *words], capture_output=True, text=True, check=True).stdout


class Cluster:
    def __init__(self, processes: Processes, folder: Path, replicas: bool):
        servers = [Server(processes, folder / f"redis-{i}") for i in range(6 if replicas else 3)]
        self.servers, self.masters = servers, servers[:3]
        subprocess.run(["redis-cli", "--cluster", "create", *(f"127.0.0.1:{s.port}" for s in servers), "--cluster-replicas",
                        "1" if replicas else "0", "--cluster-yes"], check=True, stdout=subprocess.DEVNULL)
        self.wait_until_whole()

    def wait_until_whole(self) -> None:
        def whole() -> bool:
            infos = [server.cli("cluster", "info") for server in self.servers]
            return all("cluster_slots_ok:16384" in info and "cluster_state:ok" in info for info in infos)
        wait_until("the cluster is whole", whole)

    def nodes(self) -> list[str]:
        return [f"127.0.0.1:{server.port}" for server in self.servers[:2]]

    def used_bytes(self) -> int:
        return sum(int(re.search(r"used_memory:(\d+)", master.cli("info", "memory")).group(1)) for master in self.masters)

    def generations(self) -> set[str]:
        return set(self.masters[0].cli("-c", "hkeys", "bloomgate:nightly:generations").split())

    def keys_of(self, generation: str) -> tuple[int, int]:
        """How many there are, and how many of them never expire."""
        counts = [master.cli("eval", KEYS_AND_IMMORTALS, "0", f"bloomgate:nightly:{generation}:*").split() for master in self.masters]
        return sum(int(count) for count, _ in counts), sum(int(immortal) for _, immortal in counts)
