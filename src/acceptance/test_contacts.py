"""First contacts through a relay: told once, and known across a kill."""
import json
import time
from pathlib import Path

from processes import wait_until
from product import Gateway, Home
from smtp import SmtpClient

DAY = 86_400
HEAD, RECORD = 16, 16
# An address and a domain a pair; one domain is met twice.
HASHES = 5
BEGUN = time.gmtime(time.time() - 15 * DAY)
FIRST_CONTACT = "memory.senders=true"


def begin(home: Home) -> None:
    """An installation that has learned for 15 days."""
    folder = home.path("var", "memory")
    folder.mkdir(parents=True)
    key = folder / "memory.key"
    key.touch(0o600)
    key.write_bytes(bytes(range(32)))
    learning = {"began": time.strftime("%Y-%m-%dT%H:%M:%SZ", BEGUN), "reason": ""}
    (folder / "senders.json").write_text(json.dumps(learning), encoding="utf-8")


def told(home: Home, gateway: Gateway, sender: str, recipient: str = "b@dest.example") -> str:
    """What the mail that was delivered says of it."""
    before = delivered(home)
    mail = f"From: <{sender}>\r\nSubject: x\r\n\r\nHello\r\n".encode()
    with SmtpClient(gateway.smtp) as client:
        reply = client.send(sender.encode(), recipient.encode(), mail)
    assert reply[:1] == "2", reply
    (new,) = delivered(home) - before
    fields = new.read_text().partition("\n\n")[0].splitlines()
    return "".join(field.partition(": ")[2] for field in fields if field.lower().startswith("x-bloomgate-first-contact:"))


def delivered(home: Home) -> set[Path]:
    return set(home.path("var", "mail", "new").glob("*"))


def bytes_of_pairs(home: Home) -> int:
    """Without the heads of the files, of which there are two across midnight."""
    return sum(file.stat().st_size - HEAD for file in home.path("var", "memory", "pairs").glob("*.keys"))


def test_a_first_contact_is_told_once_and_known_after_a_kill(home: Home, expect):
    home.list_domains("listed.example")
    home.rebuild()
    begin(home)
    gateway = home.gateway(FIRST_CONTACT)
    expect("nobody of the domain wrote before", told(home, gateway, "ann@new.example") == "domain")
    expect("the same again is known", told(home, gateway, "ann@new.example") == "")
    expect("another of the domain is new", told(home, gateway, "joe@new.example") == "recipient")
    expect("to another recipient all are new", told(home, gateway, "ann@new.example", "c@dest.example") == "domain")
    wait_until("all hashes are written", lambda: bytes_of_pairs(home) >= HASHES * RECORD)
    gateway.kill()
    with next(home.path("var", "memory", "pairs").glob("*.keys")).open("ab") as torn:
        torn.write(b"\1\2\3")
    again = home.gateway(FIRST_CONTACT)
    expect("known after the kill", told(home, again, "ann@new.example") == told(home, again, "joe@new.example") == "")
    expect("others are new as before", told(home, again, "eve@other.example") == "domain")
    again.stop()
