"""Days of real lists as nightly rebuilds, then everything that can be wrong with a feed, one by one: a gate holds it back
and names it, and no mail is judged differently because of it."""
import http.server
import json
import os
import shutil
import threading
from pathlib import Path

import pytest

from product import Gateway, Home
from realdata import lines_of

PARTLY = "published-with-failed-feeds"
DAY = 86_400


class Web(http.server.SimpleHTTPRequestHandler):
    """Serves the folder; answers If-Modified-Since."""

    def log_request(self, code="-", size="-"):
        self.server.answered.append(int(code))

    def log_message(self, *_):
        pass


@pytest.fixture
def web(folder):
    """A web server of the check's folder."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), lambda *request: Web(*request, directory=folder))
    server.answered = []
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


class Nights:
    """Three feeds: a window from the web server, a window from a file, and one that is well and small."""

    def __init__(self, home: Home, web, data: Path, expect):
        self.home, self.web, self.expect = home, web, expect
        self.days, self.phishing = (sorted((data / name).glob("*.txt")) for name in ("urlhaus-online-daily", "openphish-daily"))
        self.window, self.phish, self.extra = home.path("urlhaus-online"), home.path("openphish"), home.path("extra")
        self.list_extra(200)
        self.configure()

    def configure(self, extra_options: str = "") -> None:
        self.home.feeds("name: urlhaus-online, kind: domain, format: lines, category: malware, retention: 7d, "
                        f'source: "http://127.0.0.1:{self.web.server_port}/urlhaus-online"',
                        "name: openphish, kind: url, format: lines, category: phishing, retention: 14d, source: openphish",
                        f"name: extra, kind: domain, format: lines, source: extra{extra_options}")

    def list_extra(self, count: int) -> None:
        self.home.write("extra", *(f"extra-{i}.example" for i in range(count)))

    def rebuild(self, *options: str) -> tuple[int, dict]:
        done = self.home.run("rebuild", "--all", "--json", "--set", "rebuild.examples=1000", *options)
        assert done.stdout.count("\n") == 1, f"status {done.returncode}: {done.stderr}"
        return done.returncode, json.loads(done.stdout)

    def pass_by(self) -> None:
        """Each day's lists in a rebuild of their own."""
        for night, day in enumerate(self.days):
            shutil.copyfile(day, self.window)
            os.utime(self.window, (1e9 + night * DAY,) * 2)
            shutil.copyfile(self.phishing[night], self.phish)
            status, report = self.rebuild()
            changes = {change["feed"]: change for change in report["changes"]}
            for feed in report["feeds"][:2]:
                print(f"{day.name[:10]} {feed['name']}: {feed['counts']['lines']} lines, {changes[feed['name']]}, {feed['failure']}")
            self.expect(f"night {night}: exit {status}", status == 0 and report["outcome"] == "published")
            self.expect(f"night {night}: what is retained stays", all(changes[f]["removed"] == 0 for f in ("urlhaus-online", "openphish")))

    def restore(self, content: bytes) -> None:
        self.window.write_bytes(content)
        os.utime(self.window, (1e9 + 20 * DAY,) * 2)
        self.configure()

    def questions(self) -> list[tuple[str, str]]:
        """Names and links of all days, and of nobody."""
        def listed(path):
            return [line.strip() for line in lines_of(path) if line.strip() and not line.startswith("#")]
        names = sorted({name for day in self.days for name in listed(day)})[::9] + [f"absent-{i}.example" for i in range(500)]
        links = [link for day in self.phishing[:len(self.days)] for link in listed(day)][::5]
        return [("domain", name) for name in names] + [("url", link) for link in links]


class Verdicts:
    """What a gateway says of many values, and how that differs from what it said first."""

    def __init__(self, gateway: Gateway, questions: list[tuple[str, str]]):
        self.gateway, self.questions = gateway, questions
        self.first = self.now()

    def now(self) -> list[tuple[str, str]]:
        self.gateway.wait_for_snapshot(self.gateway.home.current())
        batches = (self.questions[i:i + 1000] for i in range(0, len(self.questions), 1000))
        return [(answer["value"], answer["verdict"]) for batch in batches for answer in self.gateway.checked(*batch)]

    def differing(self) -> int:
        now = self.now()
        assert len(now) == len(self.first)
        return sum(was != is_now for was, is_now in zip(self.first, now))


@pytest.mark.long
@pytest.mark.needs_shared
def test_nothing_wrong_with_a_feed_changes_a_verdict(home, web, shared, expect):
    nights = Nights(home, web, shared / "data" / "feeds", expect)
    nights.pass_by()
    gateway = home.gateway()
    verdicts = Verdicts(gateway, nights.questions())
    listed = sum(verdict == "listed" for _, verdict in verdicts.first)
    expect(f"{listed} of {len(verdicts.first)} names and links are listed", listed > 1000)
    _, report = nights.rebuild()
    expect("a night without news: the web server is asked for changes",
           web.answered[-1] == 304 and report["feeds"][0]["from"] == "not-modified")
    whole = nights.window.read_bytes()

    def inject(what: str, content: bytes | None, status: int, outcome: str, words: str, options: str = "") -> None:
        before = home.current()
        nights.restore(content or b"")
        if content is None:
            nights.window.unlink()
        nights.configure(options)
        ended, report = nights.rebuild()
        failures = " ".join(feed["failure"] or "" for feed in report["feeds"])
        held = " ".join(h["reason"] + " " + h["excerpt"] for f in report["feeds"] for h in f["held"])
        said = f"{failures} {report['closedGate'] or ''} {held}"
        expect(f"{what}: exit {ended}, {report['outcome']}, {said[:150]}",
               ended == status and report["outcome"] == outcome and words in said)
        expect(f"{what}: {verdicts.differing()} verdicts differ", verdicts.differing() == 0)
        expect(f"{what}: the pointer moves when it is published", (home.current() == before) == (outcome == "gate-closed"))

    inject("truncated", whole[:len(whole) // 4], 1, PARTLY, "shrank from")
    inject("empty", b"", 1, PARTLY, "is empty")
    inject("HTML error page", b"<!DOCTYPE html>\n<html><body>503 Service Unavailable</body></html>\n", 1, PARTLY, "HTML")
    inject("gone from its server", None, 1, PARTLY, "status 404")
    inject("JSON instead of lines", json.dumps([{"host": "x.example"}]).encode(), 1, PARTLY, "JSON")
    inject("half of it garbage", whole + b"/[a-z]+/\n" * 9000, 1, PARTLY, "lines rejected")
    inject("google.com in it", whole + b"google.com\ncom\nmail.google.com\n", 0, "published", "google.com")
    with nights.extra.open("a") as out:
        out.write("google.com\n")
    inject("a canary, trusted", whole, 1, "gate-closed", "canary google.com is listed by feed extra", ", trusted: true")
    nights.list_extra(30_000)
    inject("total change", whole, 1, PARTLY, "maxGrowthShare")

    nights.restore(whole)
    status, report = nights.rebuild("--dry-run")
    expect("a dry run tells what would be held", status == 1 and any("maxGrowthShare" in (feed["failure"] or "") for feed in report["feeds"]))
    status, report = nights.rebuild("--force")
    expect(f"forced, and it says so: {report['outcome']}, {report['forced']}", status == 0 and report["forced"])
    nights.list_extra(29_990)
    status, report = nights.rebuild("--dry-run")
    change = next(change for change in report["changes"] if change["feed"] == "extra")
    expect(f"a dry run shows what changes: {change}", status == 0 and change["removed"] == 10 and change["removedKeys"])
    before = home.current()
    home.run("rollback", status=0)
    expect(f"rolled back to {home.current()}", home.current() < before)
    expect(f"generations kept: {sorted(home.generations())}", len(home.generations()) == 3)
    gateway.stop()
