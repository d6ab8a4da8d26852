"""The same open mails through the relay and, by a mail server's side of the protocol, through the milter: one ruling, one
reply, the same fields on top."""
import collections
import itertools
import json
import re
import zlib
from pathlib import Path

import pytest

from milterclient import HeldMessage, MilterClient, Outcome
from processes import free_port
from product import Home
from realdata import open_mails
from smtp import FIELD, SmtpClient, terminated

CLIENT = "192.0.2.7"
TOKEN = re.compile(r"\b[0-9A-HJKMNP-TV-Z]{12}\b")
RULES = {"": "", "refused.": "reject", "held.": "quarantine", "thrown.": "discard", "later.": "defer", "marked.": "tag"}
LISTED_SENDER, LISTED_HELO = "listed-sender.example", "listed-helo.example"
# Of a decision, what tells which mail it was, when it came, and what the next hop or the mail server said.
OTHERWISE = {"time", "token", "reply", "nextHopReply", "nextHopId", "millis"}
HOST = re.compile(rb"https?://([a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,})\b", re.I)
# Open lists, for the long form.
LISTS = (("feeds/urlhaus-filter/urlhaus-filter-hosts.txt", "domain", "hosts"), ("feeds/openphish-daily/*.txt", "url", "lines"))


class Mail:
    """One mail with an envelope that no other has, and whom the client says it is. Both listeners get the bytes that a mail server
    has of it: one ends the header at the first line that is no field, and some open mails have such lines."""

    def __init__(self, number: int, name: str, blob: bytes):
        self.name, self.blob = name, HeldMessage(terminated(blob)).blob()
        self.mended = self.blob != terminated(blob)
        self.sender = f"m{number}@{LISTED_SENDER if number % 29 == 0 else 'from.example'}"
        self.helo = LISTED_HELO if number % 31 == 0 else "client.example"
        rules = list(RULES)
        self.recipients = [f"b@{rules[number % len(rules)]}dest.example"]
        if number % 11 == 0:
            self.recipients.append(f"c@{rules[(number // 11) % len(rules)]}dest.example")


def configured(home: Home, mails: list[Mail], lists: list[str]) -> None:
    """Of the hosts that the mails name a third is listed as phishing and a third as tracking, besides the lists given."""
    rules = ", ".join(f"{name}dest.example: {{ listed: {action} }}" for name, action in RULES.items() if action)
    home.configure('smtp: { trusted: ["127.0.0.0/8"] }',
                   f'policy: {{ categories: {{ tracking: tag }}, recipients: {{ {rules} }}, subjectPrefix: "[SUSPECT]" }}')
    hosts = {host.decode().lower() for mail in mails for host in HOST.findall(mail.blob)}
    own = {"phishing": [LISTED_SENDER, LISTED_HELO], "tracking": []}
    for host in sorted(hosts):
        own.get(("phishing", "tracking", "")[zlib.crc32(host.encode()) % 3], []).append(host)
    for category, listed in own.items():
        home.write(f"{category}.txt", *listed)
    home.feeds(*(f"name: {category}, kind: domain, format: lines, source: {category}.txt, category: {category}, use: [sender, helo, header, link]" for category in own),
               *lists)
    home.rebuild()


def by_relay(port: int, mail: Mail) -> str:
    """The reply that decided."""
    with SmtpClient(port) as client:
        client.command(b"XCLIENT ADDR=%s NAME=client.example" % CLIENT.encode())
        client.command(b"EHLO %s" % mail.helo.encode())
        client.command(b"MAIL FROM:<%s> BODY=8BITMIME" % mail.sender.encode())
        replies = [client.command(b"RCPT TO:<%s>" % to.encode()) for to in mail.recipients]
        if not any(reply.startswith("250") for reply in replies):
            return replies[-1]
        client.command(b"DATA")
        client.socket.sendall(re.sub(rb"(^|\r\n)\.", rb"\1..", mail.blob) + b".\r\n")
        return client.reply()


def by_milter(port: int, mail: Mail) -> Outcome:
    with MilterClient(port) as client:
        client.connect(CLIENT)
        client.helo(mail.helo)
        return client.mail(mail.sender, mail.recipients, mail.blob)


def decisions(folder: Path) -> dict[str, dict]:
    """By the sender."""
    lines = (line for file in sorted(folder.glob("*.jsonl")) for line in file.read_text(encoding="utf-8").splitlines())
    return {decision["mailFrom"]: decision for decision in map(json.loads, lines)}


def delivered(home: Home) -> dict[str, bytes]:
    """By token, below the relay's own Received field, with CRLF."""
    found = {}
    for file in home.path("var", "mail", "new").iterdir():
        blob = file.read_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
        trace = re.search(rb"\AReceived: (?:.*\r\n[ \t])*.* id (\w{12})", blob)
        found[trace.group(1).decode()] = blob[FIELD.match(blob).end():]
    return found


def kept(home: Home) -> dict[str, tuple[list[str], bytes]]:
    """By token, for whom, and the message below the gateway's own Received field."""
    found = {}
    for message in home.quarantined():
        blob = home.path("var", "quarantine", "new", message["token"]).read_bytes()
        found[message["token"]] = message["recipients"], blob[FIELD.match(blob).end():]
    return found


def masked(blob: bytes, token: str) -> bytes:
    return blob.replace(token.encode(), b"TOKEN")


def first_difference(one: bytes, other: bytes) -> str:
    if one == other:
        return ""
    at = next((i for i, (x, y) in enumerate(zip(one, other)) if x != y), min(len(one), len(other)))
    return f"{one[max(0, at - 40):at + 40]} and {other[max(0, at - 40):at + 40]}"


def told(reply: str) -> str:
    """All of a refusal, of anything else that it is none."""
    return "taken" if reply.startswith("250") else TOKEN.sub("TOKEN", reply)


@pytest.mark.needs_shared
@pytest.mark.parametrize("every", [20, pytest.param(1, marks=pytest.mark.long)])
def test_relay_and_milter_rule_alike(home, shared, expect, every):
    mails = [Mail(number, *one) for number, one in enumerate(itertools.islice(open_mails(shared / "data"), 0, None, every))]
    lists = [f'name: open-{number}, kind: {kind}, format: {form}, source: "{shared / "data" / source}", category: malware'
             for number, (source, kind, form) in enumerate(LISTS)]
    configured(home, mails, lists if every == 1 else [])
    gateway = home.gateway("journal.directory=var/by-relay")
    replies = [by_relay(gateway.smtp, mail) for mail in mails]
    gateway.stop()
    kept_here = kept(home)
    # One that has put off none of these mails, before a mail server that nothing is released to.
    gateway = home.gateway("journal.directory=var/by-milter", "milter.listen=127.0.0.1:0", next_hop=free_port())
    outcomes = [by_milter(gateway.milter(), mail) for mail in mails]
    gateway.stop()
    kept_there = kept(home)

    relayed, asked, arrived = decisions(home.path("var/by-relay")), decisions(home.path("var/by-milter")), delivered(home)
    counts = collections.Counter()
    for mail, reply, outcome in zip(mails, replies, outcomes):
        here, there = relayed[mail.sender], asked[mail.sender]
        counts.update(mails=1, mended=mail.mended, hit=bool(here["found"]), **{here["enforced"]: 1})
        # A line of the journal ends at 4 KB, of which fields that differ take their part: then one side has fewer findings.
        shortened = any(note.startswith("shortened to ") for side in (here, there) for note in side.get("notes", []))
        fewer, more = sorted((here["found"], there["found"]), key=len)
        if shortened and any(finding not in more for finding in fewer):
            expect(f"{mail.name}: found {here['found']} by the relay, {there['found']} by the milter", False)
        for key in (here.keys() | there.keys()) - OTHERWISE - ({"found", "notes"} if shortened else set()):
            if here.get(key) != there.get(key):
                expect(f"{mail.name}: {key} {here.get(key)} by the relay, {there.get(key)} by the milter", False)
        if told(reply) != told(outcome.reply):
            expect(f"{mail.name}: relay {reply}, milter {outcome.reply}", False)
        counts.update(split=bool(outcome.removed))
        if here["enforced"] == "quarantine":
            (to, blob), (others, other) = kept_here[here["token"]], kept_there[there["token"]]
            difference = first_difference(masked(blob, here["token"]), masked(other, there["token"]))
            if to != others or difference:
                expect(f"{mail.name} is kept otherwise: for {to} and {others}, {difference}", False)
        if here["enforced"] in ("pass", "tag") or outcome.removed:
            difference = first_difference(masked(arrived[here["token"]], here["token"]), masked(outcome.message, there["token"]))
            if difference:
                expect(f"{mail.name} arrives otherwise: {difference}", False)
    expect(f"each mail has a decision at both listeners, {counts}", len(relayed) == len(asked) == counts["mails"] == len(mails))
    expect("many mails name something listed, and there is each action",
           counts["hit"] > len(mails) / 4 and all(counts[action] for action in {"pass", *RULES.values()} - {""}))
    expect("some reach only some of their recipients", counts["split"])
    expect("few were mended", counts["mended"] < len(mails) / 20)
