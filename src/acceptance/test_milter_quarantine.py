"""What Postfix's milter keeps: shown, released past the milter, delivered once; and kept or put off when the gateway is killed."""
import json
import re

import pytest

from mailservers import Postfix
from processes import free_port, wait_until
from product import mail_with_link
from test_milter import KILLS, Senders, Session, milter_home

pytestmark = [pytest.mark.needs("postfix"), pytest.mark.needs_root]  # Postfix starts as root only

LINK = b"From: <a@from.example>\r\nSubject: look\r\n\r\nsee http://www.listed.example/\r\n"
HELD, TAGGED = "b@held.dest.example", "c@marked.dest.example"


def recipients(postfix: Postfix) -> list[str]:
    return sorted(recipient for mail in postfix.arrived() for recipient in mail.recipients)


def test_kept_mail_is_shown_released_and_delivered_once(launcher, open_folder, processes, expect):
    home = milter_home(launcher, open_folder / "gateway", processes)
    gateway = home.gateway()
    postfix = Postfix(open_folder / "postfix", f"inet:127.0.0.1:{gateway.milter()}", home.hop)
    try:
        with Session(postfix.port) as client:
            taken = [client.mail("a@from.example", to, LINK)[-1] for to in ([HELD], [HELD, TAGGED, "d@refused.dest.example"])]
        expect(f"Postfix takes both: {taken}", all(reply.startswith("250") for reply in taken))
        wait_until("the tagged one is delivered", lambda: recipients(postfix) == [TAGGED])
        whole, split = home.quarantined()
        expect(f"kept for {whole['recipients']} and {split['recipients']}",
               (whole["recipients"], split["recipients"]) == ([HELD], [HELD, "d@refused.dest.example"]))

        shown = home.run("quarantine", "show", whole["token"], status=0).stdout
        expect(f"its preview: {shown}", re.search(r"from client\.test", shown) and "Subject: look" in shown and "X-Bloomgate-Verdict: listed" in shown)
        discarded = wait_until("Postfix tells of it", lambda: re.search(r"cleanup\[\d+\]: (\w+): milter-discard: END-OF-MESSAGE", postfix.log()))
        queue_id = discarded.group(1)
        gateway.wait_for_line(rf"{whole['token']} quarantine .*next-hop-id={queue_id}\b")
        decision = json.loads(home.run("decisions", "--json").stdout.splitlines()[-1])
        expect(f"the last decision: {decision}", decision["enforced"] == "quarantine" and decision["nextHopId"])

        for message in (whole, split):
            home.run("quarantine", "release", message["token"], status=0)
        wanted = sorted([TAGGED, HELD, HELD, "d@refused.dest.example"])
        wait_until("what is released is delivered", lambda: recipients(postfix) == wanted)
        released = [mail for mail in postfix.arrived() if b"X-Bloomgate-Token: " + whole["token"].encode() in mail.header]
        expect("it is as it came, below the fields of the gateway",
               [mail.header.endswith(b"\nFrom: <a@from.example>\nSubject: look") and mail.body == b"see http://www.listed.example/\n" for mail in released] == [True])
        again = home.run("quarantine", "release", whole["token"])
        expect(f"a second release has nothing to send: {again.stderr}", again.returncode == 2 and not home.quarantined())
        expect("nothing is sent twice", recipients(postfix) == wanted)
    finally:
        postfix.stop()
        gateway.stop()


def test_mail_is_kept_or_deferred_when_the_gateway_is_killed(launcher, open_folder, processes, expect):
    home = milter_home(launcher, open_folder / "gateway", processes)
    port = free_port()
    gateway = home.gateway(f"milter.listen=127.0.0.1:{port}")
    postfix = Postfix(open_folder / "postfix", f"inet:127.0.0.1:{port}", home.hop)
    senders = Senders(postfix.port, HELD, mail_with_link(b"www.listed.example"))
    try:
        for _ in range(KILLS):
            enough = len(senders.answered("250")) + 30
            wait_until("mail is kept", lambda: len(senders.answered("250")) > enough)
            gateway.kill()
            deferred = len(senders.answered("4"))
            wait_until("mail is deferred", lambda: len(senders.answered("4")) > deferred)
            gateway = home.gateway(f"milter.listen=127.0.0.1:{port}")
        senders.stop()
        accepted = senders.answered("250")
        other = [reply for reply in senders.replies.values() if not reply.startswith(("250", "451"))]
        expect(f"{len(accepted)} accepted, {len(senders.answered('451'))} deferred, nothing else: {other[:5]}", not other)
        tokens = [message["token"] for message in home.quarantined()]
        home.run("quarantine", "release", *tokens, status=0)
        wait_until("all that was kept is delivered", lambda: len(postfix.mails()) >= len(tokens))
        names = [re.search(rb"X-Name: (\S+)", mail).group(1).decode() for mail in postfix.mails()]
        lost = set(accepted) - set(names)
        expect(f"none is lost: {sorted(lost)[:5]}", not lost)
        twice = len(names) - len(set(names))
        expect(f"none is delivered twice, {len(set(names) - set(accepted))} that were deferred are kept as well", twice == 0)
    finally:
        senders.over.set()
        postfix.stop()
        gateway.kill()
