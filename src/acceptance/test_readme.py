"""README and docs/, command by command, in a copy of the checkout and on ports of its own. Every ```sh block runs, in order, with
the copy as working folder and its launcher on the path; it prints every line of the ```text block behind it, in which ... stands
for anything. A block that ends with a gateway or a lookup service runs beside the others. A ```sh no-run block is for what a check cannot do (packages, systemd,
DNS); there are few. Tokens, generations, times and sizes are compared by shape."""
import os
import re
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from processes import Processes, free_port, wait_until
from product import CHECKOUT

DOCUMENTS = [CHECKOUT / "README.md", *sorted((CHECKOUT / "docs").glob("*.md"))]
WITH_COMMANDS = [document for document in DOCUMENTS if "```sh\n" in document.read_text(encoding="utf-8")]
BLOCK = re.compile(r"^```(sh no-run|sh|text)\n(.*?)^```", re.M | re.S)
LEFT_OUT_AT_MOST = 0.15  # of all blocks with commands
SHAPES = [(r"\b[0-9A-HJKMNP-TV-Z]{12}\b", "TOKEN"), (r"\b\d{8}T\d{6}Z-[0-9a-f]{4}\b", "GENERATION"),
          (r"\baot=\w+", "aot=CACHE"), (r"\b\d{4}-\d\d-\d\d(T[\d:.]+Z| \d\d:\d\d(:\d\d)?)", "TIME"), (r"\b\d{4}-\d\d-\d\d\b", "DAY"),
          (r"\b[A-Z][a-z]{2}, \d+ [A-Z][a-z]{2} \d{4} [\d:]+ [+-]\d{4}\b", "DATE"), (r"\b[0-9a-f]{64}\b", "DIGEST"),
          (r"\b\d[\d.,]* (s|ms|[KMG]i?B|bytes|min|m|h|d)\b", "SIZE"), (r"\s+", " ")]
TESTS = {"mvn verify", "src/acceptance/run"}  # whoever runs this runs them
SERVICE = re.compile(r"^(\./)?bloomgate (gateway|lookup)\b[^\n]*\n\Z", re.M)  # in the background, from its ready line to the end
BUILT = ("bloomgate.jar", "bloomgate.aot")


def shaped(line: str) -> str:
    for pattern, name in SHAPES:
        line = re.sub(pattern, name, line)
    return line.strip()


def is_printed(promised: str, output: str) -> bool:
    """Whether a line of the output is the promised one; ... stands for anything."""
    pattern = re.compile(".*".join(re.escape(part) for part in re.split(r" ?\.\.\. ?", shaped(promised))))
    return any(pattern.fullmatch(shaped(line)) for line in output.splitlines())


@pytest.fixture(scope="module")
def copy(launcher: Path, session_folder: Path) -> Path:
    """What git knows, and what is built; times are kept, or the launcher would build again."""
    folder = session_folder / "documents"
    names = subprocess.run(["git", "ls-files", "-z"], cwd=CHECKOUT, capture_output=True, text=True, check=True).stdout.split("\0")
    built = [f"target/{name}" for name in BUILT]
    for name in filter(lambda name: name and (CHECKOUT / name).is_file(), names + built):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(CHECKOUT / name, folder / name)
    (folder / "target" / "lib").symlink_to(CHECKOUT / "target" / "lib")
    return folder


@pytest.fixture
def checkout(copy: Path) -> Path:
    """The copy as it was, without what the documents before wrote."""
    for name in ("config", "blacklists"):
        shutil.rmtree(copy / name)
        shutil.copytree(CHECKOUT / name, copy / name)
    shutil.rmtree(copy / "var", ignore_errors=True)
    return copy


def on_ports_of_its_own(document: Path, checkout: Path) -> str:
    """The document, its and the configuration's usual ports replaced by free ones."""
    ports = {f"127.0.0.1:{usual}": f"127.0.0.1:{free_port()}" for usual in (2525, 8080)}

    def replaced(text: str) -> str:
        return re.sub("|".join(map(re.escape, ports)), lambda found: ports[found.group()], text)
    config = checkout / "config" / "bloomgate.yaml"
    config.write_text(replaced(config.read_text(encoding="utf-8")), encoding="utf-8")
    return replaced(document.read_text(encoding="utf-8"))


class Reader:
    """One who types the commands of a document."""

    def __init__(self, checkout: Path, processes: Processes):
        self.checkout, self.processes, self.service = checkout, processes, None
        path = f"{checkout}{os.pathsep}{os.environ['PATH']}"
        self.environment = {"env": {**os.environ, "PATH": path, "LC_ALL": "C.UTF-8"}, "cwd": checkout}

    def types(self, commands: str) -> str:
        """What the commands print; of a service, until it is ready."""
        if SERVICE.search(commands):
            assert not self.service, "one service at most for each document"
            return self.start(SERVICE.sub(lambda service: f"exec {service.group()}", commands))
        done = subprocess.run(["bash", "-c", commands], capture_output=True, text=True, timeout=400, **self.environment)
        return done.stdout + done.stderr

    def start(self, commands: str) -> str:
        log = self.checkout / "target" / "service.log"
        with log.open("wb") as out:
            self.service = self.processes.start("bash", "-c", commands, stdout=out, stderr=out, **self.environment)
        wait_until("the ready line", lambda: re.search("^ready ", log.read_text(), re.M) or self.service.poll() is not None, 240)
        return log.read_text()

    def leaves(self) -> int:
        """The exit status of the service."""
        if not self.service:
            return 0
        self.service.send_signal(signal.SIGTERM)
        return self.service.wait(60)


@pytest.mark.needs("curl", "git", "openssl")
@pytest.mark.parametrize("document", WITH_COMMANDS, ids=lambda document: document.stem)
def test_every_command_of_a_document_prints_what_it_says(document, checkout, processes, expect):
    blocks = BLOCK.findall(on_ports_of_its_own(document, checkout))
    reader = Reader(checkout, processes)
    for (kind, text), (next_kind, promised) in zip(blocks, blocks[1:] + [("", "")]):
        if kind != "sh" or TESTS.issuperset(text.strip().split(" && ")):
            continue
        output = reader.types(text)
        print(f"$ {text.strip()}\n{output.strip()}")
        for line in filter(str.strip, promised.splitlines() if next_kind == "text" else ()):
            expect(f"{text.strip().splitlines()[0]} prints {line!r}", is_printed(line, output))
    assert reader.leaves() == 0
    if document.name == "README.md":
        expect("the gateway runs with its defaults", reader.service)


def test_few_commands_are_not_run():
    kinds = [kind for document in DOCUMENTS for kind, _ in BLOCK.findall(document.read_text(encoding="utf-8")) if kind != "text"]
    assert kinds.count("sh no-run") <= LEFT_OUT_AT_MOST * len(kinds), f"{kinds.count('sh no-run')} of {len(kinds)}"


def test_every_link_between_documents_leads_somewhere(expect):
    for document in [*DOCUMENTS, *(CHECKOUT / "config").glob("*/README.md")]:
        for target, anchor in re.findall(r"\]\((?!https?:)([^)#\s]*)#?([^)\s]*)\)", document.read_text(encoding="utf-8")):
            file = (document.parent / target).resolve() if target else document
            expect(f"{document.name} has the link {target}", file.exists())
            if anchor and file.suffix == ".md" and file.exists():
                headings = re.findall(r"^#+ (.*)$", file.read_text(encoding="utf-8"), re.M)
                expect(f"{document.name} has the anchor {target}#{anchor}", anchor in map(anchor_of, headings))


def anchor_of(heading: str) -> str:
    """As GitHub forms it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
