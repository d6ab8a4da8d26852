"""The README, command by command, in a copy of the checkout and on ports of its own: every ```sh block in order, and what it
prints beside the ```text block behind it. Tokens, generations, times and sizes are compared by shape."""
import os
import re
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from processes import free_port, wait_until
from product import CHECKOUT

SHAPES = [(r"\b[0-9A-HJKMNP-TV-Z]{12}\b", "TOKEN"), (r"\b\d{8}T\d{6}Z-[0-9a-f]{4}\b", "GENERATION"),
          (r"\baot=\w+", "aot=CACHE"), (r"\b\d{4}-\d\d-\d\dT[\d:.]+Z\b", "TIME"),
          (r"\b[A-Z][a-z]{2}, \d+ [A-Z][a-z]{2} \d{4} [\d:]+ [+-]\d{4}\b", "DATE")]
TESTS = {"mvn verify", "src/acceptance/run"}  # whoever runs this runs them
GATEWAY = "./bloomgate gateway"  # in the background, from its ready line to the end
BUILT = ("bloomgate.jar", "bloomgate.aot")


def shaped(line: str) -> str:
    for pattern, name in SHAPES:
        line = re.sub(pattern, name, line)
    return line.strip()


def copy_of_the_checkout(folder: Path) -> Path:
    """What git knows, and what is built; times are kept, or the launcher would build again."""
    names = subprocess.run(["git", "ls-files", "-z"], cwd=CHECKOUT, capture_output=True, text=True, check=True).stdout.split("\0")
    built = [f"target/{name}" for name in BUILT]
    for name in filter(lambda name: name and (CHECKOUT / name).is_file(), names + built):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(CHECKOUT / name, folder / name)
    for name in ("lib", "native"):
        (folder / "target" / name).symlink_to(CHECKOUT / "target" / name)
    return folder


def on_ports_of_its_own(checkout: Path) -> str:
    """The README, its and the configuration's usual ports replaced by free ones."""
    ports = {f"127.0.0.1:{usual}": f"127.0.0.1:{free_port()}" for usual in (2525, 8080)}

    def replaced(text: str) -> str:
        return re.sub("|".join(map(re.escape, ports)), lambda found: ports[found.group()], text)
    config = checkout / "config" / "bloomgate.yaml"
    config.write_text(replaced(config.read_text(encoding="utf-8")), encoding="utf-8")
    return replaced((checkout / "README.md").read_text(encoding="utf-8"))


@pytest.mark.needs("curl", "git")
def test_every_command_of_the_readme_prints_what_it_says(launcher, folder, processes, expect):
    checkout = copy_of_the_checkout(folder / "checkout")
    blocks = re.findall(r"^```(sh|text)\n(.*?)^```", on_ports_of_its_own(checkout), re.M | re.S)
    gateway, ran = None, 0
    for (kind, text), (next_kind, promised) in zip(blocks, blocks[1:] + [("", "")]):
        if kind == "text" or TESTS.issuperset(text.strip().split(" && ")):
            continue
        ran += 1
        if text.strip() == GATEWAY:
            log = folder / "gateway.log"
            with log.open("wb") as out:
                gateway = processes.start(*GATEWAY.split(), cwd=checkout, stdout=out, stderr=out)
            wait_until("the gateway's ready line", lambda: "ready smtp=" in log.read_text() or gateway.poll() is not None, 240)
            output = log.read_text()
        else:
            done = subprocess.run(["bash", "-c", text], cwd=checkout, capture_output=True, text=True, timeout=240)
            output = done.stdout + done.stderr
        print(f"$ {text.strip()}\n{output.strip()}")
        printed = [shaped(line) for line in output.splitlines()]
        for line in promised.splitlines() if next_kind == "text" else ():
            if line.strip() not in ("", "..."):
                expect(f"{text.strip().splitlines()[0]} prints {line!r}", shaped(line) in printed)
    expect(f"{ran} blocks ran, the gateway among them", gateway)
    gateway.send_signal(signal.SIGTERM)
    assert gateway.wait(60) == 0
    expect("the copy was worked in", (checkout / "var" / "snapshots").is_dir() and os.listdir(checkout / "var" / "mail" / "new"))
