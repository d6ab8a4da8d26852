"""Three mirrors of a publisher, processes of their own, with what an operator types at the publisher: how long until it is in force
on each, while one is cut off, after it is restarted and killed, and after the publisher is."""
import pytest

from certificates import signing_key
from processes import seconds_until
from product import Home, Service
from test_mirror import Passing, Tamperer

pytestmark = pytest.mark.needs("openssl")
MOST_SECONDS = 10


class Line(Tamperer):
    """From one mirror to the publisher, until it is cut."""

    def __init__(self, upstream: int):
        super().__init__(upstream)
        self.cut, self.RequestHandlerClass = False, Cuttable


class Cuttable(Passing):
    def do_GET(self):
        if self.server.cut:
            self.close_connection = True
        else:
            super().do_GET()


class Fleet:
    """A publisher with the listings of its operators, and mirrors, each with a line of its own."""

    def __init__(self, home: Home, mirrors: int):
        self.theirs = home.beside("theirs")
        key, self.public = signing_key(home.folder, "own")
        self.theirs.configure(f"rebuild: {{ signingKey: {key} }}")
        self.theirs.list_domains("fed.example")
        self.generation = self.theirs.rebuild("--force")
        self.publisher = self.theirs.lookup_service()
        self.lines = [Line(self.publisher.http) for _ in range(mirrors)]
        self.homes = [home.beside(f"mirror-{number}") for number in range(mirrors)]
        self.mirrors = [self.start(number) for number in range(mirrors)]
        for mirror in self.mirrors:
            mirror.wait_for_snapshot(self.generation)

    def start(self, number: int) -> Service:
        return self.homes[number].lookup_service(f"mirror.url={self.lines[number].url}", f"snapshotKey={self.public}")

    def type(self, *command: str) -> None:
        self.theirs.run(*command, status=0)

    def restart_publisher(self) -> None:
        self.publisher.kill()
        self.publisher = self.theirs.lookup_service()
        for line in self.lines:
            line.upstream = self.publisher.http

    def seconds_until(self, verdict: str, domain: str, mirrors: list[Service]) -> list[float]:
        """Of each mirror, since now."""
        waited, all_seconds = 0.0, []
        for mirror in mirrors:
            waited += seconds_until(f"{domain} is {verdict}", lambda mirror=mirror: mirror.verdict(domain) == verdict, 30)
            all_seconds.append(round(waited, 1))
        return all_seconds

    def close(self) -> None:
        for mirror in [*self.mirrors, self.publisher]:
            mirror.stop()
        for line in self.lines:
            line.shutdown()
            line.server_close()


@pytest.mark.long
def test_what_is_typed_at_the_publisher_is_in_force_on_every_mirror(home, expect):
    fleet = Fleet(home, 3)

    def expect_soon(what: str, verdict: str, domain: str, mirrors: list[Service]) -> None:
        seconds = fleet.seconds_until(verdict, domain, mirrors)
        expect(f"{what}: {domain} is {verdict} after {seconds} s, at most {MOST_SECONDS}", max(seconds) <= MOST_SECONDS)

    fleet.type("listing", "add", "domain", "first.example")
    expect_soon("typed", "listed", "first.example", fleet.mirrors)
    connected, severed = fleet.mirrors[:1], fleet.lines[1:]
    for line in severed:
        line.cut = True
    fleet.type("listing", "add", "domain", "second.example")
    expect_soon("two are cut off", "listed", "second.example", connected)
    fleet.mirrors[1].stop()
    fleet.mirrors[2].kill()
    fleet.mirrors[1:] = [fleet.start(1), fleet.start(2)]
    for mirror in fleet.mirrors[1:]:
        expect("what was heard last is in force after a restart without the publisher",
               mirror.verdicts("first.example", "fed.example", "second.example") == ["listed", "listed", "clean"])
    for line in severed:
        line.cut = False
    expect_soon("they are back", "listed", "second.example", fleet.mirrors)
    fleet.type("listing", "remove", "domain", "first.example")
    expect_soon("taken back", "clean", "first.example", fleet.mirrors)
    fleet.restart_publisher()
    fleet.type("listing", "add", "domain", "third.example")
    expect_soon("the publisher was killed", "listed", "third.example", fleet.mirrors)
    expect("and nothing else changed", all(mirror.verdicts("first.example", "second.example", "fed.example")
                                           == ["clean", "listed", "listed"] for mirror in fleet.mirrors))
    fleet.close()
