"""kill -9 inside every stage of a rebuild, between the rename of a snapshot and its pointer, of a rebuild that confirms, of a gateway that adopts, of
'listing add' and of 'rollback': what was in force stays whole and answers right, and the next of each kind works."""
import hashlib
import json
import random
import subprocess
import time
from pathlib import Path

import pytest

from processes import wait_until
from product import LISTED_REPLY, Home

STAGES = ["read", "merge", "build", "prove", "publish"]
KINDS = [*STAGES, "before the pointer", "confirmation", "adoption", "listing add", "rollback"]
LISTED = 120_000


class Victims:
    """Processes that are killed, and what has to hold afterwards. Each kill is a method that says whether it hit."""

    def __init__(self, home: Home):
        self.home, self.random = home, random.Random(5)
        self.entries = home.path("var", "local", "entries.jsonl")
        home.configure("rebuild: { sortMemoryBytes: 16M, keepGenerations: 1000 }")
        self.good = {mark: self.published(mark) for mark in ("first", "second")}  # generation by its mark
        home.run("listing", "add", "domain", "mine.example", status=0)
        self.gateway = home.gateway()
        self.kills = {"before the pointer": self.before_the_pointer, "confirmation": self.in_confirmation, "adoption": self.in_adoption, "listing add": self.in_listing,
                      "rollback": self.in_rollback}

    def published(self, mark: str) -> str:
        self.write_source(mark)
        report = json.loads(self.home.run("rebuild", "--json", status=0).stdout)
        self.seconds = {stage["stage"]: stage["seconds"] for stage in report["stages"]}  # of an undisturbed run
        return self.home.current()

    def write_source(self, mark: str) -> None:
        self.home.list_domains("listed-always.example", f"mark-{mark}.example",
                               *(f"host{i}.generated-{i % 5000}.example" for i in range(LISTED)))

    def kill(self, kind: str, number: int) -> bool:
        kill = self.kills.get(kind)
        return kill(number) if kill else self.in_stage(kind, number)

    def in_stage(self, stage: str, number: int) -> bool:
        self.write_source(f"lost-{number}")
        process = self.home.start("rebuild")
        for line in process.stderr:
            if line.strip().endswith(": " + stage):
                time.sleep(self.random.random() * 0.8 * self.seconds.get(stage, 0))
                break
        alive, rest = killed(process), process.stderr.read()
        # Otherwise it was faster, and the kill came outside the stage.
        return alive and not any(f": {later}" in rest for later in STAGES[STAGES.index(stage) + 1:])

    def before_the_pointer(self, number: int) -> bool:
        """Between the rename of the finished snapshot and that of the pointer."""
        self.write_source(f"lost-{number}")
        there, before = self.home.generations(), self.home.current()
        process = self.home.start("rebuild")
        while process.poll() is None and self.home.generations() == there:
            pass
        return killed(process) and self.home.generations() != there and self.home.current() == before

    def in_confirmation(self, number: int) -> bool:
        """A rebuild that finds nothing new, long after the last one: what it notes first, what it confirms, and in between."""
        self.home.run("rebuild", "--all", status=0)
        current, inputs = self.home.current(), self.home.path("var", "snapshots", ".inputs", "nightly")
        noted = json.loads(inputs.read_text())
        for feed in noted["feeds"]:
            feed["requestedAt"] = "2020-01-01T00:00:00Z"
        inputs.write_text(json.dumps(noted))
        confirmed = self.home.layer / "confirmed"
        confirmed.unlink(missing_ok=True)
        process = self.home.start("rebuild")
        beside = self.random.choice([inputs.with_name("nightly.tmp"), confirmed.with_name("confirmed.tmp"), confirmed])
        while process.poll() is None and not beside.exists():
            pass
        alive = killed(process)
        assert self.home.current() == current, "nothing is published"
        assert not confirmed.exists() or f"generation {current}\n" in confirmed.read_text(), "it is whole, or not there"
        self.home.run("rebuild", status=0)
        assert self.home.current() == current, "the next one goes on with it"
        return alive

    def in_adoption(self, number: int) -> bool:
        """The gateway, from the moment the pointer moved until after the swap."""
        mark = self.random.choice([mark for mark in sorted(self.good) if self.good[mark] != self.home.current()])
        self.home.point(self.good[mark])
        time.sleep(self.random.random() * 1.5)
        self.gateway.kill()
        self.gateway = self.home.gateway()
        assert "snapshot=" + self.good[mark] in self.gateway.log(), "it starts on the snapshot that is current"
        assert self.gateway.verdict(f"mark-{mark}.example") == "listed"
        return True

    def in_listing(self, number: int) -> bool:
        process = self.home.start("listing", "add", "domain", f"added-{number}.example")
        self.when_seen(self.entries.with_name(self.entries.name + ".tmp"), process)
        alive = killed(process)
        first, body = self.entries.read_bytes().split(b"\n", 1)
        assert first.split()[-1].decode() == hashlib.sha256(body).hexdigest() and b"mine.example" in body, "the file is whole"
        return alive

    def in_rollback(self, number: int) -> bool:
        before = self.home.current()
        to = self.random.choice(sorted(set(self.good.values()) - {before}))
        process = self.home.start("rollback", to)
        self.when_seen(self.home.layer / "current.tmp", process)
        alive = killed(process)
        assert self.home.current() in (before, to)
        return alive

    def when_seen(self, file: Path, process: subprocess.Popen) -> None:
        """Waits for the temporary file of a change, every other time; otherwise for any moment of the command."""
        if self.random.random() < 0.5:
            time.sleep(self.random.random() * 0.7)
        else:
            while process.poll() is None and not file.exists():
                pass

    def all_is_right(self) -> None:
        self.home.run("inspect", status=0)
        assert self.gateway.verdicts("www.listed-always.example", "mine.example", "not-listed.example") == ["listed", "listed", "clean"]
        assert self.gateway.mail(b"listed-always.example").startswith(LISTED_REPLY)
        assert self.gateway.mail(b"not-listed.example").startswith("250")

    def the_next_of_each_kind_works(self) -> None:
        self.published("last")
        self.wait_for_mark("last")
        self.home.run("listing", "add", "domain", "last.example", status=0)
        self.home.run("rollback", self.good["first"], status=0)
        self.wait_for_mark("first")

    def wait_for_mark(self, mark: str) -> None:
        wait_until(f"the snapshot with mark {mark} adopted", lambda: self.gateway.verdict(f"mark-{mark}.example") == "listed")


def killed(process: subprocess.Popen) -> bool:
    """Whether it was still alive."""
    process.kill()
    return process.wait() == -9


@pytest.mark.parametrize("times", [6, pytest.param(100, marks=pytest.mark.long)])
def test_what_is_in_force_stays_whole_whatever_is_killed(home, times):
    victims = Victims(home)
    print(f"stage seconds of an undisturbed run: {victims.seconds}")
    hits, attempts = dict.fromkeys(KINDS, 0), 0
    while sum(hits.values()) < times or min(hits.values()) < min(2, times // len(KINDS)):
        attempts += 1
        assert attempts <= times * 4, f"could not hit everything: {hits}"
        kind = min(KINDS, key=hits.get)
        if victims.kill(kind, attempts):
            hits[kind] += 1
            print(f"killed in {kind}")
            victims.all_is_right()
    victims.the_next_of_each_kind_works()
    victims.gateway.stop()
    left = [str(path) for pattern in (".building*", ".retired*") for path in home.layer.glob(pattern)]
    left += [str(path) for path in home.path("var", "snapshots", ".work").rglob("*") if path.is_file() and path.name != "lock"]
    print(f"{sum(hits.values())} kills in {attempts} runs: {hits}")
    assert not left
