"""Real mail by SMTP, by /v1/messages and by scan: one ruling, and a journal that says what was done."""
import itertools
import json
import urllib.parse
import urllib.request

import pytest

from smtp import SmtpClient, terminated
from test_corpus import messages

MAILS = 300
RECIPIENTS = ("b@dest.example", "c@lists.example")
RULES = "recipients: { lists.example: { listed: tag } }"
SITUATIONS = {
    "fresh": ("", ""),
    "stale with defer": (", maxSnapshotAge: 1ms", "onNoSnapshot: defer"),
    "shadow": ("", "shadow: true"),
    "two rules": ("", RULES),
}
CODES = {"pass": "250", "tag": "250", "quarantine": "250", "defer": "451", "reject": "550", "discard": "250"}


@pytest.mark.needs_shared
@pytest.mark.parametrize("situation", SITUATIONS)
def test_every_listener_rules_alike(home, shared, real_feeds, expect, situation):
    smtp, policy = SITUATIONS[situation]
    home.configure(f"snapshots: {real_feeds.snapshots}", f'smtp: {{ listen: "127.0.0.1:0"{smtp} }}', f"policy: {{ {policy} }}")
    files = write_mails(home, shared)
    gateway = home.gateway()
    replies, over_http = [], []
    with SmtpClient(gateway.smtp) as client:
        for number, file in enumerate(files):
            replies.append(by_smtp(client, b"m%d@sender.test" % number, file.read_bytes()))
            over_http.append(by_http(gateway, f"m{number}@sender.test", file.read_bytes()))
    gateway.stop()

    recorded = journal(home)
    expect("each mail has one line in the journal", len(recorded) == len(files))
    scanned = scan(home, files)
    for file, reply, line, http, alone in zip(files, replies, recorded, over_http, scanned):
        ruled = ruling(line)
        expect(f"{file.name}: journal {ruled}, /v1/messages {ruling(http)}, scan {ruling(alone)}", ruled == ruling(http) == ruling(alone))
        expect(f"{file.name}: {reply} is not {line['enforced']}", reply[:3] == CODES.get(line["enforced"]))
    print(f"{situation}: {len(files)} mails, refused {sum(reply[:3] == '550' for reply in replies)}")


def write_mails(home, shared):
    """Every tenth or so of the corpus, with no bare line end, which the relay would change."""
    found = [terminated(blob.replace(b"\r", b"").replace(b"\n", b"\r\n")) for _, _, blob in messages(shared)]
    chosen = itertools.islice(found[::max(1, len(found) // MAILS)], MAILS)
    files = []
    for number, blob in enumerate(chosen):
        file = home.path(f"mail-{number:03}.eml")
        file.write_bytes(blob)
        files.append(file)
    return files


def by_smtp(client: SmtpClient, sender: bytes, blob: bytes) -> str:
    client.command(b"MAIL FROM:<%s> BODY=8BITMIME" % sender)
    taken = [client.command(b"RCPT TO:<%s>" % to.encode())[:3] == "250" for to in RECIPIENTS]
    assert any(taken)
    client.command(b"DATA")
    stuffed = (b"." if blob.startswith(b".") else b"") + blob.replace(b"\r\n.", b"\r\n..")
    client.socket.sendall(stuffed + b".\r\n")
    return client.reply()


def by_http(gateway, sender: str, blob: bytes) -> dict:
    query = urllib.parse.urlencode([("mailFrom", sender), *(("rcptTo", to) for to in RECIPIENTS)])
    request = urllib.request.Request(f"{gateway.url}/v1/messages?{query}", blob, {"Content-Type": "message/rfc822"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def scan(home, files) -> list[dict]:
    to = [word for recipient in RECIPIENTS for word in ("--rcpt-to", recipient)]
    done = home.run("scan", "--json", "--mail-from", "m@sender.test", *to, *(file.name for file in files))
    return [json.loads(line) for line in done.stdout.splitlines()]


def journal(home) -> list[dict]:
    """What came by SMTP, in order."""
    lines = (line for file in sorted(home.path("var", "decisions").glob("*.jsonl")) for line in file.read_text(encoding="utf-8").splitlines())
    return [decision for decision in map(json.loads, lines) if decision["client"] != "http"]


def ruling(decision: dict) -> tuple:
    return decision["verdict"], decision["action"], decision["enforced"], tuple(sorted(decision["limits"]))
