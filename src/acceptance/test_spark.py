"""A rebuild from runs that Spark made, beside one that reads the feeds: filters, hashes and digest byte by byte, for 1, 2 and
7 partitions, and after the first task of each stage was killed."""
import filecmp
import hashlib
import os
import random
import subprocess
import time
from pathlib import Path

import pytest

from certificates import signing_key
from product import CHECKOUT, jdk

AT = "2026-11-21T02:00:00Z"
FIXED = ("--created-at", AT, "--seed", "5")


def feeds(home, keys: int) -> None:
    drawn = random.Random(7)
    for name, count in (("first", keys * 3 // 4), ("second", keys // 4)):
        with home.path(f"{name}.txt").open("w") as out:
            out.writelines(f"{drawn.getrandbits(40):x}.example\n" for _ in range(count))
    home.configure(f"rebuild: {{ signingKey: {signing_key(home.folder, 'own')[0]} }}")  # Otherwise no hashes are written.
    home.feeds(*(f"name: {name}, kind: domain, format: lines, source: {name}.txt, category: phishing" for name in ("first", "second")))


def generation(home, snapshots: str) -> Path:
    layer = home.path(snapshots, "nightly")
    return layer / (layer / "current").read_text().strip()


VARIANTS = {"one": (1, ""), "two": (2, ""), "seven": (7, ""), "killed": (7, "-Dspark.extraListeners=KillFirstTasks")}


@pytest.mark.parametrize("keys, variants", [
    pytest.param(200_000, ["two"], id="some"),
    pytest.param(2_000_000, [*VARIANTS], id="many", marks=pytest.mark.long),
    pytest.param(20_000_000, [*VARIANTS], id="most", marks=pytest.mark.long)])
def test_runs_of_spark_make_the_same_snapshot(home, expect, keys, variants):
    feeds(home, keys)
    began = time.monotonic()
    home.run("rebuild", "--all", *FIXED, "--set", "snapshots=plain", status=0, env={**os.environ, "BLOOMGATE_JAVA_OPTS": "-Xmx1500m"})
    plain_took, plain = time.monotonic() - began, generation(home, "plain")
    files = sorted(file.name for file in plain.glob("domain.*"))
    expect(f"{files}: hashes of more than 8 million keys are not kept", files == ["domain.bloom", "domain.hashes"][:1 if keys > 8_000_000 else 2])
    digest = home.run("inspect", "--digest", "--set", "snapshots=plain", status=0).stdout
    launcher, libraries = CHECKOUT / "bloomgate", CHECKOUT / "target" / "spark" / "spark-lib"
    blob = set()
    for name in variants:
        partitions, options = VARIANTS[name]
        killer = libraries / "KillFirstTasks.jar"
        if options:
            subprocess.run([jdk() / "bin" / "javac", "-proc:none", "-nowarn", "-d", home.folder, "-cp", f"{libraries}/*",
                            Path(__file__).with_name("KillFirstTasks.java")], check=True)
            subprocess.run([jdk() / "bin" / "jar", "cf", killer, "KillFirstTasks.class"], cwd=home.folder, check=True)
        began = time.monotonic()
        try:
            done = subprocess.run([launcher, "spark", "--runs", name, "--partitions", str(partitions), "--master", "local[2,4]", *FIXED, "-c",
                                   "config/bloomgate.yaml"], cwd=home.folder, capture_output=True, text=True,
                                  env={**os.environ, "BLOOMGATE_JAVA_OPTS": f"-Xmx1500m {options}"})
        finally:
            killer.unlink(missing_ok=True)
        assert done.returncode == 0, done.stderr[-3000:]
        spark_took = time.monotonic() - began
        killed = done.stderr.count("spark: a task of stage")
        expect(f"{name}: {killed} tasks killed", (killed >= 2) == bool(options))
        began = time.monotonic()
        home.run("rebuild", "--from-runs", name, "--set", f"snapshots=from-{name}", status=0)
        print(f"{keys} keys, {partitions} partitions: spark {spark_took:.1f} s, from runs {time.monotonic() - began:.1f} s; plain {plain_took:.1f} s")
        made = generation(home, f"from-{name}")
        for file in files:
            expect(f"{name}: {file} is that of the plain rebuild", filecmp.cmp(plain / file, made / file, shallow=False))
        expect(f"{name}: digest", home.run("inspect", "--digest", "--set", f"snapshots=from-{name}", status=0).stdout == digest)
        together = hashlib.sha256()
        for run in sorted(home.path(name).glob("*.run")):
            together.update(run.read_bytes())
        blob.add(together.hexdigest())
    expect("runs one after the other are the same bytes, however many there are", len(blob) == 1)
