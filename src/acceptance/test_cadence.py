"""What is due, from outside: nothing is asked or published twice, and the rebuild that a gateway starts ends with it."""
import datetime
import fcntl
import json
import os
from pathlib import Path

import pytest

from processes import wait_until
from product import Home
from webserver import Handler, served


@pytest.fixture
def web():
    """A web server that counts what it is asked."""
    class Counting(Handler):
        def do_GET(self):
            self.server.asked += 1
            self.answer(self.server.status, "text/plain", b"web-listed.example\n")

    server = served(Counting)
    server.asked, server.status = 0, 200
    yield server
    server.shutdown()
    server.server_close()


def rebuilt(home: Home, *options: str, status: int = 0) -> list[str]:
    """The outcome of each layer."""
    done = home.run("rebuild", "--json", *options, status=status)
    return [json.loads(line)["outcome"] for line in done.stdout.splitlines()]


def test_only_what_is_due_is_asked_and_published(home, web, expect):
    home.write("local.txt", "local-listed.example")
    source = f"http://127.0.0.1:{web.server_port}/list"
    home.feeds("name: local, kind: domain, format: lines, source: local.txt, cadence: hourly",
               f'name: web, kind: domain, format: lines, trusted: true, source: "{source}"')
    expect("the first run builds both layers", rebuilt(home) == ["published", "published"])
    first = home.current()
    expect("the second none", rebuilt(home) == ["not-due", "not-due"] and web.asked == 1 and home.current() == first)
    home.write("local.txt", "local-listed.example", "later.example")
    expect("another file, its layer alone", rebuilt(home) == ["not-due", "published"] and web.asked == 1)
    expect("--layer does not ask what is due", rebuilt(home, "--layer", "nightly") == ["published"] and web.asked == 2)
    expect("--due of a layer does", rebuilt(home, "--due", "--layer", "nightly") == ["not-due"] and web.asked == 2)
    web.status = 404
    expect("--all neither", rebuilt(home, "--all", status=1) == ["published-with-failed-feeds", "published"])
    expect("what failed is asked again", rebuilt(home, status=1) == ["unchanged-with-failed-feeds", "not-due"])
    web.status = 200
    expect("until it does not", rebuilt(home) == ["published", "not-due"])
    expect("and then it is not", rebuilt(home) == ["not-due", "not-due"])


def test_what_is_stale_is_visible_until_its_source_answers(home, web, expect):
    """A snapshot of four hours ago, as it is where no timer runs; then a timer, with the source away and back."""
    home.feeds(f'name: hourly, kind: domain, format: lines, cadence: hourly, source: "http://127.0.0.1:{web.server_port}/list", trusted: true')
    before = datetime.datetime.now(datetime.UTC) - datetime.timedelta(hours=4)
    rebuilt(home, "--layer", "hourly", "--created-at", f"{before:%Y-%m-%dT%H:%M:%SZ}")
    gateway = home.gateway()

    def stale() -> list[bool]:
        return [any("layer hourly" in one["text"] for one in gateway.ready().get("refused", ())),
                'bloomgate_layer_stale{layer="hourly"} 1' in gateway.get("/metrics")]

    def printed() -> list[bool]:
        return ["layer hourly: stale: " in home.run("status", "--set", f"http.listen=127.0.0.1:{gateway.http}").stdout,
                '"state":"stale"' in home.run("feeds", "list", "--json").stdout,
                "layer hourly is stale: older than 3 cadences" in home.run("config", "check").stderr]

    wait_until("an old layer is stale", lambda: all(stale()))
    expect(f"and commands say so: {(told := printed())}", all(told))
    web.status = 404
    rebuilt(home, "--due", "--layer", "hourly", status=1)
    expect("a rebuild without the source renews nothing", '"state":"stale"' in home.run("feeds", "list", "--json").stdout)
    web.status = 200
    rebuilt(home, "--due", "--layer", "hourly")
    wait_until("the gateway has nothing stale any more", lambda: not any(stale()))
    expect("nor has the command", '"state":"stale"' not in home.run("feeds", "list", "--json").stdout)
    gateway.stop()


def children_of(pid: int) -> list[int]:
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if int((entry / "stat").read_text().rpartition(")")[2].split()[1]) == pid:
                found.append(int(entry.name))
        except OSError:
            continue  # It ended.
    return found


def test_the_rebuild_of_a_gateway_ends_when_that_is_killed(home):
    home.list_domains("listed.example")
    home.rebuild()
    lock = home.path("var", "snapshots", ".work", "nightly", "lock")
    with lock.open("w") as held:
        fcntl.lockf(held, fcntl.LOCK_EX)  # As another rebuild of the layer: the child waits.
        gateway = home.gateway("gateway.rebuild=true")
        child = wait_until("the gateway starts a rebuild", lambda: children_of(gateway.process.pid), 60)[0]
        wait_until("it leaves the processors to others", lambda: os.getpriority(os.PRIO_PROCESS, child) == 10)
        gateway.kill()
        wait_until("it ends", lambda: not Path(f"/proc/{child}").exists())
    home.list_domains("listed.example", "second.example")
    gateway = home.gateway("gateway.rebuild=true")
    ended = wait_until("the next run ends", lambda: home.run("history", "--json").stdout.splitlines()[:-1], 120, 1)
    assert [json.loads(line)["status"] for line in ended] == [0], ended
    gateway.stop()
