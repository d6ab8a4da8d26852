"""kill -9 of a gateway at random instants while reports flow: each accepted report is there once, and what enough people reported is listed
once."""
import email.policy
import json
import random
import threading
import time

import pytest

from processes import wait_until
from product import Gateway, Home
from smtp import SmtpClient
from test_reports import REPORTS, SETTINGS, attached, host_of, phish, stored
from test_reports_auto import USERS, deliver

KILLS, SENDERS, LONGEST = 30, 3, 1.2  # Seconds of a round before the kill.


class Senders:
    """Reports that are sent in parallel, each by a reporter of its own, until the gateway is killed."""

    def __init__(self, gateway: Gateway, round_: int, campaign: bytes, voters: tuple[str, ...]):
        self.gateway, self.round, self.lock = gateway, round_, threading.Lock()
        self.accepted, self.unanswered = {}, {}
        first = [(f"{user}@corp.example", campaign) for user in voters]
        self.threads = [threading.Thread(target=self.run, args=(number, first if number == 0 else [])) for number in range(SENDERS)]
        for thread in self.threads:
            thread.start()

    def run(self, number: int, first: list[tuple[str, bytes]]) -> None:
        count = 0
        while True:
            reporter, original = first.pop(0) if first else (f"r{self.round}-{number}-{count}@corp.example", phish(1000 * (self.round + 1) + 300 * number + count).as_bytes())
            count += 1
            done = send(self.gateway, reporter, original)
            with self.lock:
                (self.accepted if done else self.unanswered)[reporter, original] = True
            if not done:
                self.unanswered |= dict.fromkeys(first, True)
                return

    def join(self) -> None:
        for thread in self.threads:
            thread.join(60)
            assert not thread.is_alive()


def send(gateway: Gateway, reporter: str, original: bytes) -> bool:
    """Whether the report was accepted; false if the gateway died before it said so."""
    message, user = attached(1, original), reporter.partition("@")[0]
    message["From"], message["To"], message["Subject"] = reporter, REPORTS, "Fwd"
    try:
        with SmtpClient(gateway.smtp) as client:
            client.command(f"XCLIENT LOGIN={user} ADDR=10.{USERS.index(user) if user in USERS else 99}.0.1 NAME=[UNAVAILABLE]".encode())
            client.command(b"EHLO client.corp.example")
            reply = client.send(reporter.encode(), REPORTS.encode(), message.as_bytes(policy=email.policy.SMTP))
    except (EOFError, OSError):
        return False
    assert reply.startswith("250"), reply
    return True


def voices(home: Home) -> list[tuple[str, str]]:
    """Of each report its message and one reporter."""
    return [(one["message"]["messageId"], voice["reporter"]["mailbox"]) for one in stored(home) for voice in one["voices"]]


def named(reports: dict[tuple[str, bytes], bool]) -> set[tuple[str, str]]:
    return {(email.message_from_bytes(original)["Message-ID"].strip("<>"), reporter) for reporter, original in reports}


@pytest.mark.long
def test_reports_and_listings_survive_kills_at_any_instant(home: Home, expect) -> None:
    """Two rounds of three have a third reporter: the listings stay below the most that there may be."""
    rnd = random.Random(11)
    home.list_domains("listed.example")
    home.rebuild()
    start = lambda: home.gateway(*SETTINGS, "reports.auto.reporters=3")
    gateway = start()
    campaigns = [phish(number).as_bytes() for number in range(KILLS)]
    for campaign in campaigns:
        for user in USERS:
            deliver(gateway, campaign, user)
    time.sleep(2)  # What was delivered a second ago is in the journals.
    listed, accepted, unanswered, waited, known = [], 0, 0, 0, set()
    for number, campaign in enumerate(campaigns):
        senders = Senders(gateway, number, campaign, USERS[:2 if number % 3 == 2 else 3])
        time.sleep(rnd.random() * LONGEST)
        gateway.kill()
        senders.join()
        waited += len(list(home.path("var", "reports", "queue").glob("*.eml")))
        gateway = start()
        wait_until("the reports are read", lambda: gateway.metric("bloomgate_reports_waiting") == 0)
        lost = named(senders.accepted) - set(voices(home))
        assert not lost, f"kill {number}: {lost}"
        for report in senders.unanswered:
            assert send(gateway, *report)
        wait_until("those sent again are read", lambda: gateway.metric("bloomgate_reports_waiting") == 0)
        accepted, unanswered = accepted + len(senders.accepted), unanswered + len(senders.unanswered)
        known |= named(senders.accepted) | named(senders.unanswered)
        if number % 3 != 2:
            listed.append(host_of(number))
            wait_until(f"kill {number}: {listed[-1]} is listed", lambda: gateway.verdict(listed[-1]) == "listed", 20)
    print(f"{KILLS} kills: {accepted} reports accepted, {unanswered} without a reply, {waited} not read yet")
    everything = voices(home)
    expect("each report is there once, and nothing else", len(everything) == len(set(everything)) and set(everything) == known)
    expect("each round has reports", accepted >= KILLS)
    listings = [json.loads(line) for line in home.run("listing", "list", "--json", status=0).stdout.splitlines()]
    hosts = sorted(one["value"] for one in listings if one["kind"] == "domain")
    expect("what three reported is listed once, what two reported is not", hosts == sorted(listed))
    expect("nothing is damaged", not list(home.path("var").rglob("*.damaged")))
    gateway.stop()
