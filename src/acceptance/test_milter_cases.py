"""The cases of go-milter that speak of decisions, through a real Postfix and a real Sendmail that ask our milter, whose rules
say for the addresses of the cases what their names say. What the rest asks for a milter of ours never does."""
import itertools
import re
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from mailservers import Arrived, Postfix, Sendmail
from processes import Processes, free_port, wait_until
from product import Home
from smtp import SmtpClient

# Who wants what done about a listed sender: example.com is listed, and what nobody wants otherwise passes.
SENDERS = {"reject": "reject", "reject-me": "reject", "custom": "reject", "temp-fail": "defer", "discard": "discard", "quarantine": "quarantine", "add-first": "tag"}
RECIPIENTS = {"reject": "reject", "reject-one": "reject", "other-spammer": "reject", "custom": "reject", "temp-fail": "defer", "discard": "discard",
              "discard-one": "discard", "quarantine": "quarantine"}
TEXT = "We do not like you"  # of refusals

LOGIN = "whether a client logs in, or is in TLS, is for the mail server to demand"
EDIT = "no text of a mail is changed: fields of our own go on top, forged ones go"
ENVELOPE = "sender and recipients stay"
SHARED = "what one recipient wants thrown away is not lost to another, as is shown below"
NEVER = {
    **dict.fromkeys(("auth-no-auth", "auth-no-tls", "auth-ok"), LOGIN),
    **dict.fromkeys(("body-add", "header-add", "header-add-middle", "header-change-to", "header-del", "header-multi", "header-multiline", "header-subject"), EDIT),
    **dict.fromkeys(("mail-from-change", "rcpt-to-add", "rcpt-to-change", "rcpt-to-multi 2", "rcpt-to-multi 3"), ENVELOPE),
    "rcpt-to-discard-one": SHARED,
}
PLAYED = 24  # cases, those of several mails counted by mail

pytestmark = [pytest.mark.needs_shared, pytest.mark.needs("postfix"), pytest.mark.needs_root]


@dataclass
class Case:
    """One mail of a file, and what is to become of it."""
    name: str
    steps: list[tuple[str, str]] = field(default_factory=list)  # FROM, TO, RESET and others, with their argument
    header: str = ""
    decision: str = ""
    stage: str = ""
    wanted: list[tuple[str, str]] = field(default_factory=list)  # FROM, TO, HEADER and BODY as they are to arrive

    def arguments(self, verb: str) -> list[str]:
        return [argument for step, argument in self.steps if step == verb]

    def why_never(self) -> str:
        """By what it asks for, not by its name."""
        asked = dict(self.wanted)
        if self.arguments("STARTTLS") or self.arguments("AUTH"):
            return LOGIN
        if "BODY" in asked or ("HEADER" in asked and not asked["HEADER"].endswith("\nX-First2: Test\n" + self.header)):
            return EDIT
        given = {"FROM": self.arguments("FROM") or [asked.get("FROM")], "TO": self.arguments("TO") or [asked.get("TO")]}
        if any(argument not in given[verb] for verb, argument in self.wanted if verb in given):
            return ENVELOPE
        wishes = {RECIPIENTS.get(local_part(recipient), "pass") for recipient in self.arguments("TO")}
        return SHARED if len(wishes - {"reject"}) > 1 else ""


def local_part(path: str) -> str:
    return path.strip("<>").partition("@")[0]


def cases(file: Path) -> list[Case]:
    """A file has one case or several, each up to its decision and what is wanted then."""
    found, lines = [Case(file.stem)], iter(file.read_text().splitlines())
    for line in lines:
        verb, _, argument = line.partition(" ")
        case = found[-1]
        block = "".join(f"{text}\n" for text in iter(lambda: next(lines), ".")) if line in ("HEADER", "BODY") else ""
        if line.startswith("#") or line[:1].isdigit():  # The words of a reply are not for a case to choose.
            continue
        if case.decision and (block or argument.endswith(" *")):
            case.wanted.append((verb, block or argument.removesuffix(" *")))
        else:
            if case.decision:
                case = Case("")
                found.append(case)
            if verb == "DECISION":
                case.decision, _, case.stage = argument.partition("@")
            elif verb == "HEADER":
                case.header = block
            else:
                case.steps.append((verb, argument or block))
    for number, case in enumerate(found, 1):
        case.name = file.stem + (f" {number}" if len(found) > 1 else "")
    return found


@dataclass
class Played:
    """The reply that decided, and to what; recipients that were taken."""
    stage: str
    reply: str
    taken: set[str]


def play(client: SmtpClient, case: Case) -> Played:
    sender, taken, refused = (case.arguments("FROM") or ["<from@example.com>"])[0], set(), []
    reply = client.command(f"MAIL FROM:{sender}".encode())
    if not reply.startswith("2"):
        return Played("FROM", reply, set())
    for verb, argument in case.steps if case.arguments("TO") else [*case.steps, ("TO", "<to@example.com>")]:
        if verb == "RESET":
            client.command(b"RSET")
            assert client.command(f"MAIL FROM:{sender}".encode()).startswith("2")
            taken.clear()
        elif verb == "TO":
            reply = client.command(f"RCPT TO:{argument}".encode())
            taken |= {argument.strip("<>")} if reply.startswith("2") else set()
            refused += [] if reply.startswith("2") else [reply]
    if not taken:
        client.command(b"RSET")
        return Played("TO", refused[-1], taken)
    client.command(b"DATA")
    header = (case.header or "From: <a@writer.example>\nSubject: test\n").replace("\n", "\r\n").encode()
    client.socket.sendall(header + b"\r\nof case %s\r\n.\r\n" % case.name.encode())
    return Played("END", client.reply(), taken)


def judge(case: Case, played: Played, arrived: list[Arrived]) -> str:
    """How it went otherwise than the case asks; empty when it did not. A listed sender is refused at RCPT, where a case has
    FROM, and deferred at the end, as postmaster is exempt from both."""
    own = [mail for mail in arrived if mail.body.rstrip() == b"of case " + case.name.encode()]
    recipients = set().union(*(mail.recipients for mail in own))
    if case.decision in ("REJECT", "CUSTOM"):
        good = re.match(r"550 5\.7\.1 .*" + TEXT, played.reply) and played.stage == "TO" and not own
    elif case.decision == "TEMPFAIL":
        good = re.match(r"451 4\.7\.1 ", played.reply) and played.stage == "END" and not own
    elif case.decision == "DISCARD-OR-QUARANTINE":
        good = played.reply.startswith("250") and not own
    else:
        assert case.decision == "ACCEPT"
        wanted = {path.strip("<>") for verb, path in case.wanted if verb == "TO"} or played.taken
        sender = dict(case.wanted).get("FROM", (case.arguments("FROM") or ["<from@example.com>"])[0]).strip("<>")
        good = played.reply.startswith("250") and recipients == wanted == played.taken and all(mail.sender == sender for mail in own)
        if good and case.header:
            marked = re.match(rb"X-Bloomgate-Verdict: listed\n(X-Bloomgate-.*\n)+Received: .*\n([ \t].*\n)*", own[0].header)
            good = marked and own[0].header[marked.end():] + b"\n" == case.header.encode()
    return "" if good else f"{case.decision}@{case.stage} asked, {played}, arrived for {recipients}: {own[:1] if case.header else ''}"


def mixed(port: int) -> list[str]:
    """Two recipients, of whom one wants the message dropped: the replies."""
    with SmtpClient(port) as client:
        client.command(b"MAIL FROM:<apart@example.com>")
        replies = [client.command(b"RCPT TO:<%s>" % one)[:3] for one in (b"discard-one@example.com", b"allowed@example.com")]
        client.command(b"DATA")
        client.socket.sendall(b"Subject: test\r\n\r\nmixed\r\n.\r\n")
        return replies + [client.reply()[:3]]


def home_of_cases(launcher: Path, folder: Path, processes: Processes) -> Home:
    home = Home(launcher, folder, processes)
    home.hop = free_port()

    def rules(wishes: dict[str, str]) -> str:
        return "{ " + ", ".join(f'"{name}@example.com": {{ listed: {action} }}' for name, action in wishes.items()) + " }"
    home.configure('milter: { listen: "127.0.0.1:0" }', f'nextHop: "smtp://127.0.0.1:{home.hop}"', "policy:", "  listed: { envelope: pass, dkim: pass, messageId: pass }",
                   f'  replyText: "{TEXT}, token {{token}}"', f"  senders: {rules(SENDERS)}", f"  recipients: {rules(RECIPIENTS)}")
    home.write("domains.txt", "example.com")
    home.feeds("name: test, kind: domain, format: lines, source: domains.txt, trusted: true, category: phishing")
    home.rebuild()
    return home


def all_cases(shared: Path, expect) -> list[Case]:
    """Those to be played."""
    files = sorted((shared / "data" / "milter").glob("*.testcase"))
    found = [case for file in files for case in cases(file)]
    never = {case.name: case.why_never() for case in found if case.why_never()}
    for name, why in never.items():
        print(f"never: {name}: {why}")
    expect(f"{len(files)} files; no other case is left out than is known: {never.items() ^ NEVER.items()}", len(files) == 36 and never == NEVER)
    played = [case for case in found if case.name not in never]
    expect(f"{len(played)} cases are played", len(played) == PLAYED)
    return played


def decisions_hold(home: Home, server, port: int, played: list[Case], expect) -> None:
    outcomes = []
    for _, of_file in itertools.groupby(played, lambda case: case.name.split()[0]):
        with SmtpClient(port) as client:
            outcomes += [play(client, case) for case in of_file]
    replies = mixed(port)
    accepted = 1 + sum(len(outcome.taken) for case, outcome in zip(played, outcomes) if case.decision == "ACCEPT")

    def count() -> int:
        return sum(len(mail.recipients) for mail in server.arrived())
    wait_until(f"mail for {accepted} recipients arrives", lambda: count() >= accepted)
    for case, outcome in zip(played, outcomes):
        wrong = judge(case, outcome, server.arrived())
        expect(f"{case.name}: {wrong or case.decision}", not wrong)
    expect(f"nothing else arrives: {count()}", count() == accepted)
    expect("in quarantine are those to be kept", len(home.quarantined()) == 2)
    shared = [mail.recipients for mail in server.arrived() if mail.body.rstrip() == b"mixed"]
    expect(f"what one of two recipients wants dropped reaches the other: {replies} {shared}", replies == ["250"] * 3 and shared == [{"allowed@example.com"}])


def test_decisions_on_postfix(launcher, shared, open_folder, processes, expect):
    home = home_of_cases(launcher, open_folder / "gateway", processes)
    port = home.gateway().milter()
    postfix = Postfix(open_folder / "postfix", f"inet:127.0.0.1:{port}")
    try:
        decisions_hold(home, postfix, postfix.port, all_cases(shared, expect), expect)
    finally:
        postfix.stop()


def test_decisions_on_sendmail(launcher, shared, open_folder, processes, expect):
    root = Sendmail.unpack(open_folder / "packages")
    if root is None:
        pytest.skip("the package sendmail-bin cannot be fetched")
    home = home_of_cases(launcher, open_folder / "gateway", processes)
    port = home.gateway().milter()
    sendmail = Sendmail(processes, root, open_folder / "sendmail", f"inet:{port}@127.0.0.1")
    decisions_hold(home, sendmail, sendmail.port, all_cases(shared, expect), expect)
    sendmail.stop()
