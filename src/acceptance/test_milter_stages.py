"""Which verdict a milter of ours gives at which stage of a mail: the eight stages and five verdicts that mail servers know.
Everything is sent at once and the answers are counted, so that one too many is found wherever it is given."""
import re
from collections import Counter
from itertools import product

from milterclient import ALL_STEPS, MilterClient, client
from product import Gateway
from processes import wait_until
from test_milter import LINK, REFUSED_AT_CONNECT, REFUSED_AT_RCPT, UNLISTED, milter_home

STAGES = ("CONNECT", "HELO", "MAIL", "RCPT", "DATA", "HEADER", "BODY", "END")
VERDICTS = ("accept", "reject", "tempfail", "discard", "quarantine")
# Stages without any answer: end of header and unknown commands are not even asked for.
SILENT = ("HELO", "DATA", "HEADER", "BODY")
WHOLE = "it is for a whole mail"
NEVER = {
    ("CONNECT", "tempfail"): "how often a client may come is for the mail server, and the judge puts off whole mails",
    ("MAIL", "reject"): "a sender is refused at RCPT, so that postmaster is exempt and the log has the recipient",
    **{(stage, verdict): WHOLE for stage in ("CONNECT", "MAIL", "RCPT") for verdict in ("discard", "quarantine")},
}
TOKEN = rb"[0-9A-HJKMNP-TV-Z]{12}"
REPLIES = {"accept": rb"c", "tempfail": rb"y45[12] [^\n]*\0|t", "discard": rb"d", "quarantine": rb"d"}
SAID = {("CONNECT", "reject"): rb"y554 5\.7\.1 Refused by policy\0"}
REFUSED = rb"y550 5\.7\.1 Message refused by policy, token " + TOKEN + rb"\0"


def path(verb: bytes, mailbox: str) -> bytes:
    return verb + b"<" + mailbox.encode() + b">\0"


CONNECT = b"C" + client(UNLISTED)
MAIL = path(b"M", "a@from.example")
FIELD, LISTED_LINK = b"LSubject\0 hello\0", b"Bsee http://www.listed.example/\r\n"


def talk(port: int, *frames: bytes, steps: int = ALL_STEPS) -> list[bytes]:
    """All answers up to the end of the connection."""
    with MilterClient(port, steps=steps) as mail_server:
        for frame in frames:
            mail_server.send(frame[:1], frame[1:])
        mail_server.send(b"Q")
        return mail_server.rest()


def mail_for(domain: str) -> tuple[bytes, ...]:
    return CONNECT, MAIL, path(b"R", f"b@{domain}dest.example"), LISTED_LINK, b"E"


def given(port: int) -> dict[tuple[str, str], list[bytes]]:
    """The answers of conversations that end with the stage."""
    many = [path(b"R", f"b{number}@dest.example") for number in range(4)]
    return {
        ("CONNECT", "accept"): talk(port, CONNECT),
        ("CONNECT", "reject"): talk(port, b"C" + client(REFUSED_AT_CONNECT)),
        ("MAIL", "accept"): talk(port, CONNECT, MAIL),
        ("RCPT", "accept"): talk(port, CONNECT, MAIL, many[0]),
        ("RCPT", "reject"): talk(port, b"C" + client(REFUSED_AT_RCPT), MAIL, many[0]),
        ("RCPT", "tempfail"): talk(port, CONNECT, MAIL, *many),
        ("END", "accept"): talk(port, CONNECT, MAIL, many[0], FIELD, b"Bnothing\r\n", b"E"),
        ("END", "reject"): talk(port, *mail_for("refused.")),
        ("END", "tempfail"): talk(port, *mail_for("later.")),
        ("END", "discard"): talk(port, *mail_for("thrown.")),
        ("END", "quarantine"): talk(port, *mail_for("held.")),
    }


def test_each_verdict_at_each_stage(launcher, folder, processes, expect):
    gateway = milter_home(launcher, folder, processes).gateway("smtp.maxRecipients=3")
    found = given(gateway.milter())
    added = added_answers(gateway.milter())
    silence(gateway.milter(), expect)
    authenticated(gateway.milter(), expect)
    found["MAIL", "tempfail"] = while_it_drains(gateway)

    for cell in product(STAGES, VERDICTS):
        stage, verdict = cell
        if stage in SILENT:
            expect(f"{stage} {verdict}: silent", added[stage] == 0)
        elif cell in NEVER:
            expect(f"{stage} {verdict}: never, {NEVER[cell]}", cell not in found)
        else:
            answers = found[cell]
            decisive = answers[-1]
            wanted = SAID.get(cell, REPLIES.get(verdict, REFUSED))
            expect(f"{stage} {verdict}: {decisive}", re.fullmatch(wanted, decisive))


# A mail in which everything is listed, for postmaster, who is exempt.
EVERYTHING = (("CONNECT", b"C" + client(REFUSED_AT_RCPT, "host.listed.example")), ("HELO", b"Hmx.listed.example\0"), ("MAIL", path(b"M", "a@listed.example")),
              ("RCPT", path(b"R", "b@refused.dest.example")), ("RCPT", path(b"R", "postmaster@refused.dest.example")), ("DATA", b"T"),
              ("HEADER", b"LFrom\0 <a@listed.example>\0"), ("HEADER", b"N"), ("BODY", LISTED_LINK), ("BODY", LISTED_LINK), ("END", b"E"))


def added_answers(port: int) -> Counter[str]:
    """How many answers each stage of that mail has."""
    frames, added, before = [], Counter(), 0
    for stage, frame in EVERYTHING:
        frames.append(frame)
        answers = len(talk(port, *frames))
        added[stage] += answers - before
        before = answers
    return added


def silence(port: int, expect) -> None:
    """That mail, and one that is refused at its end."""
    answers = [answer[:1] for answer in talk(port, *(frame for _, frame in EVERYTHING))]
    edits = [answer for answer in answers if answer in (b"i", b"m")]
    rest = [answer for answer in answers if answer not in edits]
    expect(f"CONNECT, MAIL, two RCPT and the end are answered: {answers}", rest == [b"c", b"c", b"y", b"c", b"c"] and answers[-1] == b"c" and edits)
    refused = talk(port, CONNECT, b"Hclient.example\0", MAIL, path(b"R", "b@refused.dest.example"), b"T", FIELD, FIELD, b"N", LISTED_LINK, b"E")
    expect(f"so are those of a mail that is refused: {refused}", [answer[:1] for answer in refused] == [b"c", b"c", b"c", b"y"])
    # One that waits for each answer, and tells of unknown commands; one that waits for that to HELO.
    for steps, unknown, added in ((0, (b"UNONSENSE\0",), 7), (ALL_STEPS & ~0x2000, (), 1)):
        waits = talk(port, CONNECT, b"Hclient.example\0", MAIL, path(b"R", "b@refused.dest.example"), b"T", FIELD, FIELD, b"N", LISTED_LINK,
                     *unknown, b"E", steps=steps)
        more = [b"c"] * (len(refused) + added - 1)
        expect(f"a mail server that waits is told to go on, no more: {waits}", waits[:-1] == more and waits[-1].startswith(b"y550"))
    with MilterClient(port) as mail_server:
        protocol = mail_server.agreed[2]
    expect(f"agreed on: {protocol:#x}", protocol == 0x40 | 0x100 | 0x200 | 0x80 | 0x2000 | 0x10000 | 0x40000 | 0x80000 | 0x100000)


def authenticated(port: int, expect) -> None:
    """Of a client that has logged in, address, name and HELO say nothing; what it sends is judged."""
    login = b"DM{auth_type}\0PLAIN\0"
    listed = (b"C" + client(REFUSED_AT_RCPT, "host.listed.example"), b"Hmx.listed.example\0")
    rest = (MAIL, path(b"R", "b@dest.example"), FIELD, b"Bnothing\r\n", b"E")
    expect("a listed client that has logged in is not touched", talk(port, *listed, login, *rest) == [b"c"] * 4)
    expect("the same without a login is", talk(port, *listed, *rest[:2])[-1].startswith(b"y550"))
    expect("and the next mail of that connection", talk(port, *listed, login, *rest, *rest[:2])[-1].startswith(b"y550"))


def while_it_drains(gateway: Gateway) -> list[bytes]:
    """The answers to a mail that begins while another is under way at SIGTERM."""
    with MilterClient(gateway.milter()) as busy, MilterClient(gateway.milter()) as other:
        for mail_server in (busy, other):
            mail_server.connect(UNLISTED)
        busy.mail_from("a@from.example")
        gateway.process.terminate()

        def put_off() -> bytes | None:
            answer = other.mail_from("a@from.example")
            other.send(b"A")
            return None if answer == b"c" else answer
        answer = wait_until("mail is put off", put_off)
        assert busy.rcpt_to("b@refused.dest.example") == b"c"
        busy.send(b"B", LINK.partition(b"\r\n\r\n")[2])
        assert busy.ask(b"E").startswith(b"y550")
    assert gateway.process.wait(90) == 0
    return [answer]
