"""Full disks and flipped bits: never a wrong answer, never an unusable state.

A bit is flipped in every file of a snapshot (begin, middle, end; the manifest all over), files are cut short, emptied and
taken away: a running gateway refuses each by name and keeps the snapshot before, one that starts is not ready. The same in
last good copies, the keys of recent mail and local entries. Then every folder of the product on a full disk."""
import hashlib
import json
import random
import re
import resource
import shutil
import time
from pathlib import Path

import pytest

from damages import SmallDisk, damages, write
from processes import wait_until
from product import LISTED_REPLY, Gateway, Home, point

SETTINGS = ("policy: { recipients: { quarantine.example: { listed: quarantine } } }", "rebuild: { sortMemoryBytes: 16M }")
BEFORE, AFTER, LAST = "20260101T000000Z-0001", "20260102T000000Z-0002", "20260103T000000Z-0003"
GENERATED = 20_000
ROOM_LEFT_KIB = ((0, False), (1000, False), (100, True), (600, True), (2000, True), (5000, True))  # and whether the sort is elsewhere


@pytest.fixture
def rnd() -> random.Random:
    return random.Random(9)


@pytest.fixture
def home(home) -> Home:
    home.configure(*SETTINGS)
    return home


@pytest.fixture
def disk(folder):
    disk = SmallDisk(folder / "disk")
    yield disk
    disk.unmount()


def list_many(home: Home, host: str) -> None:
    home.list_domains(host, *(f"h{i}.generated-{i % 997}.example" for i in range(GENERATED)))


def still_right(gateway: Gateway, when: str, expect, mails: bool = True) -> None:
    told = gateway.verdicts("old.example", "www.old.example", "new.example", "clean.example")
    expect(f"{when}: the old snapshot answers: {told}", told == ["listed", "listed", "clean", "clean"])
    if mails:
        refused, taken = gateway.mail(b"www.old.example"), gateway.mail(b"clean.example")
        expect(f"{when}: mail is judged by it: {refused}, {taken}", refused.startswith(LISTED_REPLY) and taken.startswith("250"))


class Snapshots:
    """One that lists old.example, one that lists new.example; and copies of them as if they had been published elsewhere."""

    def __init__(self, home: Home):
        self.home, self.root = home, home.path("var", "snapshots")
        self.old, self.new = (self.made(name) for name in ("old", "new"))
        shutil.rmtree(home.layer)

    def made(self, name: str) -> Path:
        self.home.list_domains(f"{name}.example")
        return (self.home.layer / self.home.rebuild()).rename(self.home.path(name))

    def publish(self, snapshot: Path, layer: str, generation: str) -> Path:
        """The manifest's last field seals it."""
        to = self.root / layer / generation
        shutil.copytree(snapshot, to)
        text = (to / "manifest.json").read_text()
        own = json.loads(text)
        text = text.replace(f'"layer" : "{own["layer"]}"', f'"layer" : "{layer}"').replace(own["generation"], generation)
        unsealed = text.replace(own["sha256"], "0" * 64)
        (to / "manifest.json").write_text(unsealed.replace("0" * 64, hashlib.sha256(unsealed.encode()).hexdigest()))
        return to

    def cases(self, rnd: random.Random) -> list[tuple[str, str, bytes | None]]:
        """(file, what was done to it, bytes after it); deltas are read by mirrors alone, which check what they make of them"""
        cases = []
        for file in sorted(path for path in self.new.rglob("*") if path.is_file() and path.suffix != ".delta"):
            name, whole = str(file.relative_to(self.new)), file.read_bytes()
            last = len(whole) - 1
            places = range(0, last + 1, last // 24) if name == "manifest.json" else sorted({0, last // 2, last})
            cases += [(name, *damage) for damage in damages(whole, places, rnd)]
        return cases


def test_a_damaged_snapshot_is_refused_by_name_and_the_one_before_stays(home, rnd, expect):
    """Each damage in a layer of its own, so that one look of the gateway meets them all."""
    snapshots = Snapshots(home)
    cases = snapshots.cases(rnd)
    layers = [f"case-{i}" for i in range(len(cases))]
    for layer in (*layers, "whole"):
        snapshots.publish(snapshots.old, layer, BEFORE)
        snapshots.publish(snapshots.new, layer, AFTER)
        point(snapshots.root / layer, BEFORE)
    for layer, (name, _, blob) in zip(layers, cases):
        write(snapshots.root / layer / AFTER / name, blob)

    gateway = home.gateway()
    still_right(gateway, "before the damage", expect)
    for layer in layers:
        point(snapshots.root / layer, AFTER)
    refused = re.compile(rf"snapshot: case-(\d+)/{AFTER}: (.*) \(not adopted; case-\1/\S+ stays in force since \S+\)")
    reasons = dict(wait_until("all are refused", lambda: len(set(found := refused.findall(gateway.log()))) >= len(cases) and found))
    for i, (name, what, _) in enumerate(cases):
        expect(f"{name}, {what}: refused by name: {reasons.get(str(i))}", name in reasons.get(str(i), ""))
    still_right(gateway, f"after {len(cases)} damaged snapshots", expect)
    point(snapshots.root / "whole", AFTER)
    gateway.wait_for_line(f"snapshot whole/{AFTER} adopted")
    expect("one that is whole is adopted", gateway.verdicts("old.example", "new.example") == ["listed", "listed"])
    gateway.stop()

    point(snapshots.root / "whole", BEFORE)
    gateway = home.gateway()
    still_right(gateway, "started with one whole layer among the damaged", expect)
    gateway.stop()
    shutil.rmtree(snapshots.root / "whole")
    started_with_nothing_whole(home, expect)


def started_with_nothing_whole(home: Home, expect) -> None:
    gateway = home.gateway()
    expect("the ready line says none", "snapshot=none" in gateway.log())
    expect(f"it is not ready: {str(gateway.ready())[:200]}", gateway.ready().get("status") == 503)
    told = gateway.verdicts("old.example", "clean.example")
    expect(f"it cannot say: {told}", told == ["unresolved", "unresolved"])
    reply = gateway.mail(b"old.example")
    expect(f"mail is not refused for good: {reply}", reply[:1] in "24")
    gateway.stop()


def test_rollback_to_a_damaged_snapshot_is_refused_by_name(home, rnd, expect):
    snapshots = Snapshots(home)
    snapshots.publish(snapshots.old, "nightly", BEFORE)
    damaged = snapshots.publish(snapshots.new, "nightly", AFTER) / "domain.bloom"
    snapshots.publish(snapshots.new, "nightly", LAST)
    home.point(LAST)
    write(damaged, next(damages(damaged.read_bytes(), [4096], rnd))[1])
    done = home.run("rollback", status=2)
    expect(f"to a damaged one: {done.stderr}", "domain.bloom" in done.stderr and home.current() == LAST)
    home.run("rollback", BEFORE, status=0)
    expect("to a whole one", home.current() == BEFORE)


def test_damaged_copies_of_feeds_are_left_out_and_named(home, rnd, expect):
    """A feed for each damage, all of whose sources are gone: what cannot be trusted is left out and named."""
    sample = b"one.example\ntwo.example\nthree.example\n"
    ways = [way for way, _ in damages(sample, [0, 19, len(sample) - 1], rnd) if way != "one byte more"]
    names = [f"f{i}-{part}" for i in range(len(ways)) for part in ("copy", "note")]
    home.feeds(*(f"name: {name}, kind: domain, format: lines, source: {name}, category: phishing" for name in (*names, "whole")))
    for name in (*names, "whole"):
        home.path(name).write_bytes(sample.replace(b".example", b".%s.example" % name.encode()))
    home.run("rebuild", "--all", status=0)
    home.path("whole").unlink()
    harmless = [name for name in names if damage_feed(home, name, rnd)]

    done = home.run("rebuild", "--all", "--json", status=1)
    report = json.loads(done.stdout)
    feeds = {feed["name"]: feed for feed in report["feeds"]}
    for name in names:
        left_out = feeds[name]["from"] == "nothing" and "damaged" in str(feeds[name]["failure"])
        expect(f"{name} is left out and named, or says what it said: {feeds[name]['failure']}", left_out or name in harmless)
    expect(f"the whole copy is used: {feeds['whole']['failure']}", feeds["whole"]["from"] == "last-good-copy")
    expect("nothing is listed that was not", all(change["added"] == 0 for change in report["changes"]))


def damage_feed(home: Home, name: str, rnd: random.Random) -> bool:
    """Takes the source away, damages the copy or the note about it; whether that is harmless: a note's line end more or less."""
    home.path(name).unlink()
    copies, is_copy = home.path("var", "snapshots", ".feeds"), name.endswith("copy")
    file = next(copies.glob(f"{name}@[0-9]*")) if is_copy else copies / f"{name}@note"
    whole = file.read_bytes()
    at = 0 if is_copy else whole.index(b"fetchedAt")
    changed = list(damages(whole, [at, at + 12, len(whole) - 2], rnd))
    what, blob = changed[int(re.search(r"\d+", name).group()) % len(changed)]
    write(file, blob)
    return not is_copy and what.startswith("one byte")


def test_damaged_records_of_mail_invent_nothing(home, rnd, expect):
    """Keys of recent mail: what is found is true, and what cannot be read is told."""
    home.list_domains("other.example")
    home.rebuild()
    gateway, keys = home.gateway(), home.path("var", "keys")
    for i in range(12):
        size = sum(file.stat().st_size for file in keys.glob("*.keys"))
        gateway.mail(b"late.example" if i % 2 else b"clean.example")
        wait_until("a block of its own for each", lambda: sum(file.stat().st_size for file in keys.glob("*.keys")) > size)
    gateway.stop()
    home.list_domains("other.example", "late.example")
    home.run("rebuild", "--all")
    done = home.run("retro", "--json", status=1)
    truth = tokens(done.stdout)
    expect(f"retro finds {len(truth)} of 6", len(truth) == 6)
    for file in (*sorted(keys.glob("*.keys")), keys / "installation.key"):
        whole = file.read_bytes()
        for what, blob in damages(whole, [0, len(whole) // 2], rnd):
            if what.startswith("one byte") or blob == b"":
                continue
            write(file, blob)
            done, when = home.run("retro", "--json"), f"{file.name}, {what}"
            found, cut = tokens(done.stdout), what in ("cut to a half", "taken away") and file.suffix == ".keys"
            expect(f"{when}: only what is true", found <= truth)
            expect(f"{when}: one line, no trace: {done.stderr}", "\tat " not in done.stderr and done.returncode in (0, 1, 2, 3))
            expect(f"{when}: what is missing is told: {done.returncode} {done.stderr}",
                   found == truth or cut or done.returncode in (2, 3) or "there may be more" in done.stderr)
            write(file, whole)


def tokens(retro: str) -> set[str]:
    return {json.loads(line)["token"] for line in retro.splitlines()}


def test_damaged_local_entries_stay_in_force_and_are_named(home, rnd, expect):
    file = home.path("var", "local", "entries.jsonl")
    home.list_domains("old.example")
    home.rebuild()
    home.run("listing", "add", "domain", "mine.example", status=0)
    home.run("exception", "add", "domain", "old.example", status=0)
    gateway, whole = home.gateway(), file.read_bytes()

    def in_force() -> list[str]:
        return gateway.verdicts("mine.example", "old.example")

    def wait_until_named(wanted: bool) -> None:
        wait_until(f"the status names the file: {wanted}", lambda: ("entries.jsonl" in json.dumps(gateway.ready())) == wanted)
    expect("in force", in_force() == ["listed", "clean"])
    for what, blob in damages(whole, [20, len(whole) - 1], rnd):
        write(file, blob)
        wait_until_named(True)
        expect(f"{what}: in force as before: {in_force()}", in_force() == ["listed", "clean"])
        if what.startswith("bit in byte 20") or blob in (b"", None):
            done = home.run("listing", "add", "domain", "more.example", status=2)
            stays = (file.read_bytes() if file.exists() else None) == blob
            expect(f"{what}: no command writes another: {done.stderr}", stays and "entries.jsonl" in done.stderr)
        write(file, whole)
        wait_until_named(False)
    gateway.stop()


def leftovers(root: Path) -> list[str]:
    """What a rebuild may not leave: its building grounds, and files it worked in but for the lock."""
    grounds = [str(path) for layer in root.glob("[!.]*") for path in layer.glob(".[br]*")]
    return grounds + [str(path) for path in (root / ".work").rglob("*") if path.is_file() and path.name != "lock"]


def work_in(root: Path, folder: Path) -> None:
    """Links the folder of a rebuild's temporary files to one on another disk."""
    work = root / ".work"
    if not work.is_symlink():
        shutil.rmtree(work)
        folder.mkdir()
        work.symlink_to(folder)


def no_room(disk: SmallDisk) -> None:
    if not disk.mounted:
        pytest.skip("no right to mount a small disk; a bound on the size of files is tried instead")


def test_a_rebuild_on_a_full_disk_changes_nothing(home, disk, expect):
    no_room(disk)
    root = disk.at / "snapshots"
    home.configure(*SETTINGS, f"snapshots: {root}")
    home.layer = root / "nightly"
    list_many(home, "old.example")
    home.rebuild()
    gateway, old, ended = home.gateway(), home.current(), 0
    list_many(home, "new.example")
    for kib, elsewhere in ROOM_LEFT_KIB:  # or else the sort is what meets the end
        if elsewhere:
            work_in(root, home.path("temp"))
        disk.fill(kib << 10)
        done = home.run("rebuild", "--all")
        stage = re.findall(r"^rebuild nightly: (\w+)", done.stderr, re.M)[-1:]
        print(f"{kib} KiB left: status {done.returncode} in stage {stage}: {done.stderr.strip().splitlines()[-1][:100]}")
        ended += 1
        if done.returncode == 0:
            break
        when = f"{kib} KiB left"
        expect(f"{when}: status 3 and a reason: {done.stderr[-300:]}", done.returncode == 3
               and re.search(r"No space left|are free", done.stderr) and "\tat " not in done.stderr)
        expect(f"{when}: the pointer stays", home.current() == old)
        still_right(gateway, when, expect, mails=kib == 0)
        expect(f"{when}: nothing half made stays: {leftovers(root)}", not leftovers(root))
    expect(f"several stages met the full disk: {ended}", ended >= 4)
    disk.free()
    gateway.wait_for_line(f"snapshot nightly/{home.rebuild()} adopted")
    expect("with room it works and is adopted", gateway.verdicts("old.example", "new.example") == ["clean", "listed"])
    expect(f"nothing is left behind: {leftovers(root)}", not leftovers(root))
    gateway.stop()


def test_a_full_temporary_folder_ends_a_rebuild_with_a_reason(home, disk):
    no_room(disk)
    home.list_domains("old.example")
    home.rebuild()
    list_many(home, "new.example")
    work_in(home.path("var", "snapshots"), disk.at / "temp")
    disk.fill()
    done = home.run("rebuild", "--all", status=3)
    assert "No space left" in done.stderr


def test_a_gateway_on_a_full_disk_defers_mail_and_goes_on(home, disk, expect):
    no_room(disk)
    home.configure("state: disk", "snapshots: var/snapshots", "smtp: { maxMessageBytes: 1M }", *SETTINGS)
    entries = disk.at / "local" / "entries.jsonl"
    home.list_domains("old.example")
    home.rebuild()
    home.run("listing", "add", "domain", "mine.example", status=0)
    gateway = home.gateway()

    def large_and_kept() -> list[str]:
        """Replies to what needs the spool, and to what goes into the quarantine."""
        return [gateway.mail(b"clean.example", size=300_000), gateway.mail(b"old.example", recipient=b"to@quarantine.example")]

    def dropped() -> list[float]:
        return [gateway.metric(f"bloomgate_journal_{which}dropped_total") for which in ("", "keys_")]
    replies = large_and_kept()
    expect(f"before: {replies}", all(reply.startswith("250") for reply in replies))
    whole = entries.read_bytes()
    disk.fill()
    replies = large_and_kept()
    expect(f"full spool: 452, full quarantine: 4yz: {replies}", replies[0].startswith("452") and replies[1].startswith("4"))
    still_right(gateway, "full journal", expect)
    mails, end = 0, time.monotonic() + 60
    while not all(dropped()) and time.monotonic() < end:
        reply, mails = gateway.mail(b"clean.example"), mails + 1
        expect(f"full journal: mail goes on: {reply}", reply.startswith("250"))
    expect(f"what the journals could not keep is counted: {dropped()} after {mails} mails", all(dropped()))
    done = home.run("listing", "add", "domain", "more.example", "--reason", "x" * 400, status=3)
    expect(f"no listing is added: {done.stderr}", "No space left" in done.stderr and entries.read_bytes() == whole)
    told = gateway.verdicts("mine.example", "more.example", "old.example")
    expect(f"what was listed is in force: {told}", told == ["listed", "clean", "listed"])

    disk.free()
    replies = large_and_kept()
    expect(f"with room: {replies}", all(reply.startswith("250") for reply in replies))
    home.run("listing", "add", "domain", "more.example", status=0)
    before = dropped()
    size = sum(file.stat().st_size for file in disk.at.joinpath("keys").glob("*.keys"))
    for _ in range(3):
        gateway.mail(b"clean.example")
    wait_until("the journal is written again", lambda: sum(f.stat().st_size for f in disk.at.joinpath("keys").glob("*.keys")) > size)
    expect(f"with room nothing is dropped: {before}", dropped() == before)
    wait_until("the listing is in force", lambda: gateway.verdicts("mine.example", "more.example") == ["listed", "listed"])
    gateway.stop()
    left = list((disk.at / "tmp").iterdir())
    expect(f"no temporary file is left: {left}", not left)


def test_a_rebuild_whose_files_may_not_grow_changes_nothing(home, expect):
    """No file may grow beyond a bound, which a rebuild meets at its copy, its filter and its store."""
    list_many(home, "old.example")
    home.rebuild()
    gateway, old = home.gateway(), home.current()
    list_many(home, "new.example")
    for bound in (4 << 10, 64 << 10, 200 << 10, 400 << 10):
        done = home.run("rebuild", "--all", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (bound, bound)))
        expect(f"bound of {bound}: {done.returncode} {done.stderr[-300:]}", done.returncode == 3 and "File too large" in done.stderr)
        expect(f"bound of {bound}: the pointer stays", home.current() == old)
        expect(f"bound of {bound}: nothing half made stays: {leftovers(home.layer.parent)}", not leftovers(home.layer.parent))
        still_right(gateway, f"bound of {bound}", expect, mails=False)
    gateway.stop()
