"""Real mail through the gateway: nothing lost, nothing altered below the fields on top, every refusal with its reason."""
import collections
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from product import OUTPUT
from realdata import archived
from smtp import SmtpClient, WireSink, below_trace, terminated, unstuffed

ARCHIVES = {"phishing_pot-dev": "", "spamassassin-easy-ham-1": "", "mime4j-testmsgs": ".msg"}  # with the ending of its messages


def messages(shared: Path) -> Iterator[tuple[str, str, bytes]]:
    for archive, ending in ARCHIVES.items():
        for name, blob in archived(shared / "data" / "mail" / f"{archive}.tar.gz"):
            if name.endswith(ending):
                yield archive, name, on_the_wire(blob)


def on_the_wire(blob: bytes) -> bytes:
    """mbox line off, line ends CRLF."""
    blob = re.sub(rb"\AFrom [^\n]*\n", b"", blob)
    return re.sub(rb"\r?\n", b"\r\n", blob)


def has_bare(blob: bytes) -> bool:
    return re.search(rb"\r(?!\n)|(?<!\r)\n", blob) is not None


def difference(message: bytes, wire: str) -> str:
    """How a message arrived otherwise than it was sent; empty when it did not."""
    fields, rest = below_trace(unstuffed(wire))
    full = terminated(message)
    full = re.sub(rb"\r\n|\r|\n", b"\r\n", full) if has_bare(message) else full
    if fields.count("Received") != 1 or fields[0] != "Received":
        return f"no Received on top, {fields}"
    return "" if rest == full else "altered"


@pytest.mark.needs_shared
def test_real_mail_arrives_as_it_was_sent_or_is_refused_for_a_listing(home, shared, processes, real_feeds, expect):
    sink = WireSink(processes, shared, home.folder)
    gateway = home.gateway(f"snapshots={real_feeds.snapshots}", next_hop=sink.port)
    sent, refused, counts = {}, [], collections.defaultdict(collections.Counter)
    with SmtpClient(gateway.smtp) as client:
        for number, (archive, name, message) in enumerate(messages(shared)):
            reply = client.send(b"m%d@sender.test" % number, b"reader@dest.example", message)
            counts[archive].update(sent=1, bare=has_bare(message))
            if reply[:1] == "2":
                sent[number] = archive, name, message
            else:
                counts[archive]["refused " + reply[:9]] += 1
                token = re.search(r"\b([0-9A-HJKMNP-TV-Z]{12})\b", reply)
                refused.append({"archive": archive, "name": name, "reply": reply, "token": token and token.group(1)})

    numbers = [int(re.search(r"<m(\d+)@", event["from"]).group(1)) for event in sink.events("msg")]
    arrived = dict(zip(numbers, sink.events("msg")))
    expect("nothing arrived twice, nothing unaccepted", len(numbers) == len(arrived) and arrived.keys() <= sent.keys())
    for number, (archive, name, message) in sent.items():
        fault = difference(message, arrived[number]["raw"]) if number in arrived else "lost"
        if fault:
            expect(f"{archive} {name}: {fault}", False)
        elif len(below_trace(unstuffed(arrived[number]["raw"]))[0]) > 1:
            counts[archive]["tagged"] += 1
        counts[archive]["accepted"] += 1
    gateway.stop()
    sink.stop()

    decisions = {}
    for file in home.path("var", "decisions").glob("*.jsonl"):
        if file.suffix == ".jsonl":
            decisions.update((d["token"], d) for d in map(json.loads, file.read_text(encoding="utf-8").splitlines()))
    for one in refused:
        one["found"] = decisions.get(one["token"], {}).get("found")
        if not one["found"]:
            expect(f"refused without a listing: {one}", False)
    (OUTPUT / "refused-mail.jsonl").write_text("".join(json.dumps(one) + "\n" for one in refused), encoding="utf-8")
    for archive, count in counts.items():
        by = collections.Counter((f["feed"], f["where"]) for one in refused if one["archive"] == archive for f in one["found"] or [])
        print(f"{archive}: " + ", ".join(f"{what} {n}" for what, n in sorted(count.items())) + f"; refused by {dict(by)}")
    expect("something was accepted and something refused", sent and refused)
