"""A real Postfix as next hop, which offers CHUNKING: the same mails by BDAT and by DATA, and a Postfix that goes away in between."""
import re

import pytest

from mailservers import Postfix
from processes import wait_until
from smtp import SmtpClient

pytestmark = [pytest.mark.needs("postfix"), pytest.mark.needs_root]

ENDS = "\r\n".join(["", ".", "..", ". ", ".a", "", ".", ""]).encode()
MAILS = [
    b"Subject: plain\r\n\r\nbody\r\n",
    b"Subject: dots\r\n\r\n." + ENDS,
    b"Subject: no body\r\n",
    b"Subject: empty body\r\n\r\n",
    b"Subject: bytes\r\n\r\n" + bytes(one_byte for one_byte in range(1, 256) if one_byte not in b"\r\n") + b"\r\n",
    b"Subject: a block and a byte\r\n\r\n" + b"0123456789abcd\r\n" * 2048 + b".\r\n",
    b"Subject: not all in memory\r\n\r\n" + (b".23456789abcdef" * 60 + b"\r\n") * 1000,
    b"\r\nbody alone\r\n",
    b"",
]


def by_chunk(client: SmtpClient, blob: bytes) -> str:
    client.command(b"MAIL FROM:<a@from.example>")
    client.command(b"RCPT TO:<b@dest.example>")
    client.socket.sendall(b"BDAT %d LAST\r\n" % len(blob) + blob)
    return client.reply()


def below_received(mail: bytes) -> bytes:
    """Without the fields on top that differ from mail to mail."""
    return re.sub(rb"\A(?:(?:Return-Path|X-Original-To|Delivered-To|Received): .*\n(?:[ \t].*\n)*)+", b"", mail)


def test_postfix_has_by_bdat_what_it_has_by_data(home, open_folder, expect):
    found = {}
    for chunking in ("true", "false"):
        postfix = Postfix(open_folder / chunking, "")
        gateway = home.gateway("policy.onNoSnapshot=pass", f"nextHopOptions.chunking={chunking}", next_hop=postfix.port)
        with SmtpClient(gateway.smtp) as client:
            replies = [client.send(b"a@from.example", b"b@dest.example", blob) for blob in MAILS]
            replies += [by_chunk(client, blob) for blob in (b"Subject: no line end\r\n\r\n.x", b"Subject: only that")]
        expect(f"all taken: {replies}", all(reply.startswith("250") for reply in replies))
        gateway.stop()
        wait_until("the mails", lambda: len(postfix.inbox()) >= len(replies))
        found[chunking] = sorted(below_received(mail) for mail in postfix.mails())
        wait_until("the session's end", lambda: re.search(r"disconnect from .* mail=", postfix.log()))
        expect(f"by BDAT {chunking}", (" bdat=" in postfix.log()) == (chunking == "true"))
        expect(f"by DATA {chunking}", (" data=" in postfix.log()) == (chunking == "false"))
        postfix.stop()
    expect(f"{len(found['true'])} mails alike", found["true"] == found["false"])


def test_a_postfix_that_restarts_before_a_message_gets_it_once(home, open_folder, expect):
    postfix = Postfix(open_folder / "mx", "")
    gateway = home.gateway("policy.onNoSnapshot=pass", next_hop=postfix.port)
    with SmtpClient(gateway.smtp) as client:
        first = client.send(b"a@from.example", b"b@dest.example", b"Subject: first\r\n\r\n")
        client.command(b"MAIL FROM:<a@from.example>")
        client.command(b"RCPT TO:<b@dest.example>")
        postfix.stop()
        postfix.run("start")
        client.command(b"DATA")
        client.socket.sendall(b"Subject: second\r\n\r\n.\r\n")
        reply = client.reply()
        expect(f"taken or put off: {reply}", reply[:3] in ("250", "451"))
        if not reply.startswith("250"):
            again = client.send(b"a@from.example", b"b@dest.example", b"Subject: second\r\n\r\n")
            expect(f"taken when it comes again: {again}", again.startswith("250"))
    expect(f"the first was taken: {first}", first.startswith("250"))
    gateway.stop()
    wait_until("both mails", lambda: len(postfix.inbox()) >= 2)
    subjects = sorted(re.findall(rb"^Subject: .*$", b"".join(postfix.mails()), re.M))
    expect(f"each once: {subjects}", subjects == [b"Subject: first", b"Subject: second"])
    postfix.stop()
