"""Addresses beside Python's ipaddress: every edge of every range, one off on either side, and random ones, by the command that
people check addresses with."""
import bisect
import ipaddress
import random
import re
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from product import Home

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
# Where ranges lie: beside everything that may not be listed. First address, bytes of an address, prefixes.
SPACES = {4: (11 << 24, 88 << 24, range(24, 33)), 6: (0x2a << 120, 1 << 116, (36, 48, 56, 64, 96, 128))}
INDEX_BYTES = 2 * 4 * ((1 << 16) + 1)  # in memory, beside the file
MOST_BYTES = 12_000_000


def disjoint(version: int, count: int, rng: random.Random) -> Iterator[Network]:
    """Ranges that neither overlap nor touch, one in each of equal parts of the space."""
    start, size, prefixes = SPACES[version]
    family, bits = (ipaddress.IPv4Network, 32) if version == 4 else (ipaddress.IPv6Network, 128)
    part = size // count
    for number in range(count):
        prefix = rng.choice(prefixes)
        block = 1 << (bits - prefix)
        first = (start + number * part) // block + 1
        last = (start + (number + 1) * part) // block - 2
        yield family((rng.randint(first, max(first, last)) * block, prefix))


def edges(network: Network) -> Iterator[int]:
    """First and last address, and one off on either side."""
    first, last = int(network.network_address), int(network.broadcast_address)
    yield from (first - 1, first, last, last + 1)


class Oracle:
    """Which addresses are in a list, by what ipaddress made of its lines."""

    def __init__(self, lines: list[str]):
        self.ranges: dict[int, list[tuple[int, int]]] = {4: [], 6: []}
        for line in lines:
            network = ipaddress.ip_network(line)
            self.ranges[network.version].append((int(network.network_address), int(network.broadcast_address)))
        for ranges in self.ranges.values():
            ranges.sort()

    def lists(self, version: int, address: int) -> bool:
        at = bisect.bisect_right(self.ranges[version], (address, 1 << 128)) - 1
        return at >= 0 and self.ranges[version][at][1] >= address


def text(version: int, address: int) -> str:
    return str((ipaddress.IPv4Address if version == 4 else ipaddress.IPv6Address)(address))


def asked(networks: list[Network], count: int) -> Iterator[tuple[int, int]]:
    """The edges of all, then random addresses of the same spaces, as many as there are more; the same ones each time."""
    rng = random.Random(20261123)
    for network in networks:
        for address in edges(network):
            yield network.version, address
    for number in range(count - 4 * len(networks)):
        version = 4 if number % 8 else 6
        start, size, _ = SPACES[version]
        yield version, start + rng.randrange(size)


def compare(home: Home, ipv4: int, ipv6: int, count: int, expect) -> None:
    rng = random.Random(20261122)
    networks = [*disjoint(4, ipv4, rng), *disjoint(6, ipv6, rng)]
    home.write("networks.txt", *map(str, networks))
    home.feeds("name: nets, kind: network, format: cidr, source: networks.txt, category: botnet")
    home.configure("exact: { deadline: 30s }")  # nobody waits for one answer of so many
    home.run("rebuild", "--all", status=0)
    file, = home.layer.rglob("network.ranges")
    bytes_in_all = file.stat().st_size + INDEX_BYTES
    oracle = Oracle(home.path("networks.txt").read_text().split())
    question = write_questions(home.path("asked.txt"), asked(networks, count))
    began = time.monotonic()
    with question.open("rb") as stdin, home.path("answers.txt").open("wb") as stdout:
        done = subprocess.run([home.launcher, "check", "network", "-"], cwd=home.folder, stdin=stdin, stdout=stdout)
    took = time.monotonic() - began
    different, listed, answered = 0, 0, 0
    with home.path("answers.txt").open() as answers:
        for (version, address), answer in zip(asked(networks, count), answers):
            said = re.match(r"(listed|clean)\t(\S+)", answer)
            expected = oracle.lists(version, address)
            answered += 1
            listed += expected
            if not said or said[2] != text(version, address) or (said[1] == "listed") != expected:
                different += 1
                print(f"{text(version, address)}: {answer.strip()}, expected {'listed' if expected else 'clean'}")
    print(f"{answered:,} addresses of {len(networks):,} ranges in {took:.0f} s, {1e6 * took / count:.1f} us each with the exact tier: "
          f"{listed:,} listed, {different} differences; ranges in the snapshot and their index: {bytes_in_all:,} bytes")
    expect("every address is answered, some of them as listed", done.returncode == 1 and answered == count and 0 < listed < count)
    expect("no difference", different == 0)
    expect("the ranges are small", bytes_in_all <= MOST_BYTES)


def write_questions(file: Path, addresses: Iterator[tuple[int, int]]) -> Path:
    with file.open("w") as out:
        out.writelines(text(version, address) + "\n" for version, address in addresses)
    return file


def test_addresses_are_in_the_ranges_that_ipaddress_has_them_in(home, expect):
    compare(home, 10_000, 1_000, 60_000, expect)


@pytest.mark.long
def test_ten_million_addresses_are_in_the_ranges_that_ipaddress_has_them_in(home, expect):
    compare(home, 1_000_000, 100_000, 10_000_000, expect)
