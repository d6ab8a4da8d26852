"""What the checks are given: the launcher, a folder to work in, processes that end with the check, and the shared data.

A check drives ./bloomgate from outside, in a folder below target/acceptance/work, which stays when it fails. What it
prints stands in target/acceptance/report.xml. What is left out is named at the end, with the reason."""
import inspect
import os
import re
import shutil
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

import packages
from processes import Processes
from product import CHECKOUT, OUTPUT, Home
from realdata import RealFeeds

SHARED = Path(os.environ.get("BLOOMGATE_SHARED") or CHECKOUT.parent / "shared")
OPERATORS = ("var", "config")  # What belongs to whoever runs a gateway in this checkout.
left_out: dict[str, list[str]] = defaultdict(list)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all", action="store_true", help="the long forms of the checks too")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if reasons := list(reasons_to_leave_out(item, config)):
            item.add_marker(pytest.mark.skip(reason="; ".join(reasons)))


def reasons_to_leave_out(item: pytest.Item, config: pytest.Config) -> Iterator[str]:
    if item.get_closest_marker("long") and not config.getoption("--all"):
        yield "a long form, only with --all"
    if item.get_closest_marker("needs_shared") and not (SHARED / "data").is_dir():
        yield f"no {SHARED} with real feeds, mail and tools (BLOOMGATE_SHARED may name another place)"
    if item.get_closest_marker("needs_root") and os.geteuid() != 0:
        yield "only root may do it"
    absent = sorted({p for mark in item.iter_markers("needs") for p in mark.args if packages.missing(p)})
    if absent:
        yield "missing packages: " + ", ".join(absent)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.skipped:
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        left_out[reason.removeprefix("Skipped: ")].append(report.nodeid)


def pytest_terminal_summary(terminalreporter) -> None:
    for reason, names in sorted(left_out.items()):
        terminalreporter.section(f"left out: {reason}", sep="-")
        for name in names:
            terminalreporter.line(name)


class Expectations:
    """Statements of which each is judged, also after one that does not hold."""

    def __init__(self):
        self.unmet: list[str] = []

    def __call__(self, what: str, holds: object) -> None:
        print(f"{'ok' if holds else 'NOT SO':6} {what}", flush=True)
        if not holds:
            self.unmet.append(what)


@pytest.fixture
def expect() -> Expectations:
    return Expectations()


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool:
    """Calls the check; it fails when one of its expectations is not met."""
    pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in inspect.signature(pyfuncitem.obj).parameters})
    expectations = pyfuncitem.funcargs.get("expect")
    if expectations and expectations.unmet:
        pytest.fail("\n".join(["not so:", *expectations.unmet]), pytrace=False)
    return True


@pytest.fixture(scope="session", autouse=True)
def the_operators_files_stay_as_they_are() -> Iterator[None]:
    """A gateway may run in this checkout meanwhile, on its usual ports: nothing of it is touched."""
    before = operators_files()
    yield
    after = operators_files()
    gone = sorted(before.keys() - after.keys())
    changed = sorted(name for name in after if after[name] != before.get(name))
    if changed and not gone and gateway_runs_here():
        return  # It wrote them.
    assert not gone and not changed, f"files of the operator: gone {gone}, new or changed {changed}"


def operators_files() -> dict[str, tuple[int, int]]:
    """Size and time of change by path."""
    files = (file for name in OPERATORS for file in (CHECKOUT / name).rglob("*") if file.is_file())
    return {str(file): (status.st_size, status.st_mtime_ns) for file in files for status in [file.stat()]}


def gateway_runs_here() -> bool:
    """Whether a process of the product has this checkout as its working folder."""
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if b"bloomgate.jar" in (process / "cmdline").read_bytes() and (process / "cwd").resolve() == CHECKOUT:
                return True
        except OSError:
            continue  # It ended, or is somebody else's.
    return False


@pytest.fixture(scope="session")
def launcher() -> Path:
    """./bloomgate, built, and trained: or each of the gateways that start first does that before it is ready."""
    path = CHECKOUT / "bloomgate"
    built = subprocess.run([path, "--version"], capture_output=True, text=True)
    assert built.returncode == 0, built.stdout + built.stderr
    if not (CHECKOUT / "target" / "bloomgate.aot").exists():
        subprocess.run([path, "train"], capture_output=True)
    return path


@pytest.fixture(scope="session")
def shared() -> Path:
    return SHARED


def working_folder(request: pytest.FixtureRequest) -> Path:
    folder = OUTPUT / "work" / re.sub(r"\W+", "-", request.node.nodeid.removesuffix("]"))
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def lives_for(request: pytest.FixtureRequest, folder: Path) -> Iterator[Path]:
    """The folder, which goes when nothing failed meanwhile."""
    failed = request.session.testsfailed
    yield folder
    if request.session.testsfailed == failed:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def folder(request: pytest.FixtureRequest) -> Iterator[Path]:
    """The check's own."""
    yield from lives_for(request, working_folder(request))


@pytest.fixture
def open_folder(request: pytest.FixtureRequest) -> Iterator[Path]:
    """One that daemons get into which give up root's rights: nobody may have to pass a home folder."""
    folder = Path(tempfile.mkdtemp(prefix="bloomgate-acceptance-"))
    folder.chmod(0o755)
    yield from lives_for(request, folder)


@pytest.fixture(scope="session")
def session_folder(request: pytest.FixtureRequest) -> Iterator[Path]:
    folder = OUTPUT / "work" / "session"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    yield from lives_for(request, folder)


@pytest.fixture
def processes() -> Iterator[Processes]:
    processes = Processes()
    yield processes
    processes.end()


@pytest.fixture
def home(launcher: Path, folder: Path, processes: Processes) -> Home:
    return Home(launcher, folder, processes)


@pytest.fixture(scope="session")
def real_feeds(launcher: Path, shared: Path, session_folder: Path) -> RealFeeds:
    """A snapshot of the usual real feeds, made once."""
    return RealFeeds(Home(launcher, session_folder / "real-feeds", Processes()), shared / "data")
