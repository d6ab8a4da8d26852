"""Real mail servers that ask the milter: Postfix, and Sendmail where its package can be fetched."""
import base64
import re
import socket
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from mailservers import Postfix, Sendmail, libraries, unpacked
from processes import Processes, free_port, wait_until
from product import Home, mail_with_link
from smtp import SmtpClient

REFUSED = r"550 5\.7\.1 (<\S+>\.\.\. )?Message refused by policy, token [0-9A-HJKMNP-TV-Z]{12}"
DEFERRED = r"451 4\.7\.1 Message deferred by policy, token [0-9A-HJKMNP-TV-Z]{12}"
REFUSED_AT_RCPT, REFUSED_AT_CONNECT, UNLISTED = "203.0.113.9", "198.51.100.9", "203.0.113.10"
LISTS = {"refused": "reject", "held": "quarantine", "thrown": "discard", "later": "defer", "marked": "tag"}

pytestmark = [pytest.mark.needs("postfix"), pytest.mark.needs_root]  # Postfix starts as root only


def milter_home(launcher: Path, folder: Path, processes: Processes) -> Home:
    """One listed domain; what is done about it hangs on the domain of the recipient. Clients of one network are refused at RCPT,
    those of another at their greeting."""
    home = Home(launcher, folder, processes)
    home.hop = free_port()  # Where a mail server listens without the milter.
    home.write("config/bloomgate.yaml", "milter: { listen: \"127.0.0.1:0\" }", f"nextHop: \"smtp://127.0.0.1:{home.hop}\"", "policy:",
               "  recipients: { " + ", ".join(f"{name}.dest.example: {{ listed: {action} }}" for name, action in LISTS.items()) + " }")
    home.write("domains.txt", "listed.example")
    home.write("clients.txt", REFUSED_AT_RCPT + "/32")
    home.write("drop.txt", REFUSED_AT_CONNECT + "/32")
    networks = "kind: network, format: cidr, category: botnet, trusted: true"
    home.feeds("name: test, kind: domain, format: lines, source: domains.txt, category: phishing", f"name: clients, source: clients.txt, {networks}",
               f"name: drop, source: drop.txt, atConnect: true, {networks}")
    home.rebuild()
    return home


KILLS = 2


class Session(SmtpClient):
    """Says what each recipient and the message was answered."""

    def mail(self, sender: str, recipients: list[str], message: bytes) -> list[str]:
        replies = [self.command(b"MAIL FROM:<%s>" % sender.encode())]
        if not replies[0].startswith("2"):
            return replies
        for recipient in recipients:
            replies.append(self.command(b"RCPT TO:<%s>" % recipient.encode()))
        if any(reply.startswith("2") for reply in replies[1:]):
            self.command(b"DATA")
            self.socket.sendall(message + b".\r\n")
            replies.append(self.reply())
        else:
            self.command(b"RSET")
        return replies


LINK = b"From: <a@from.example>\r\nX-Bloomgate-Verdict: clean\r\nSubject: hello\r\nx-bloomgate-verdict: clean\r\n\r\nsee http://www.listed.example/\r\n"
CLEAN = LINK.replace(b"listed.", b"good.")


def stages(port: int, matches) -> None:
    """Each verdict at each stage where a milter of ours answers, over one session and over several."""
    with Session(port) as client:
        matches("clean", client.mail("a@from.example", ["b@dest.example"], CLEAN), ["250.*", "250.*", "250.*"])
        matches("refused at the end", client.mail("a@from.example", ["b@refused.dest.example"], LINK), ["250.*", "250.*", REFUSED])
        matches("deferred at the end", client.mail("a@from.example", ["b@later.dest.example"], LINK), ["250.*", "250.*", DEFERRED])
        matches("discarded", client.mail("a@from.example", ["b@thrown.dest.example"], LINK), ["250.*", "250.*", "250.*"])
        matches("quarantined", client.mail("a@from.example", ["b@held.dest.example"], LINK), ["250.*", "250.*", "250.*"])
        matches("tagged", client.mail("a@from.example", ["b@marked.dest.example"], LINK), ["250.*", "250.*", "250.*"])
        matches("sender refused at RCPT", client.mail("a@listed.example", ["b@refused.dest.example"], LINK), ["250.*", REFUSED])
        matches("two recipients, one refused", client.mail("a@listed.example", ["b@refused.dest.example", "postmaster@refused.dest.example"], CLEAN),
                ["250.*", REFUSED, "250.*", "250.*"])
        matches("a recipient with other rules, clean mail", client.mail("a@from.example", ["b@refused.dest.example", "c@marked.dest.example"], CLEAN),
                ["250.*", "250.*", "250.*", "250.*"])
        matches("kept for one recipient, tagged for another", client.mail("d@from.example", ["b@refused.dest.example", "c@marked.dest.example"], LINK),
                ["250.*", "250.*", "250.*", "250.*"])
        matches("clean again", client.mail("a@from.example", ["b@dest.example"], CLEAN), ["250.*", "250.*", "250.*"])


def callers(port: int, matches) -> None:
    """Who hands a mail over, as XCLIENT says: one of a listed network, and one of a user who has logged in there."""
    def replies(attributes: str) -> list[str]:
        with Session(port) as client:
            greeting = client.command(b"XCLIENT " + attributes.encode())
            if not greeting.startswith("2"):
                return [greeting]
            client.command(b"EHLO client.test")
            return client.mail("a@from.example", ["b@dest.example", "postmaster@dest.example"], CLEAN)
    matches("a client of nobody's list", replies(f"ADDR={UNLISTED}"), ["250.*", "250.*", "250.*", "250.*"])
    matches("a listed client", replies(f"ADDR={REFUSED_AT_RCPT}"), ["250.*", REFUSED, "250.*", "250.*"])
    matches("a listed client that has logged in", replies(f"ADDR={REFUSED_AT_RCPT} LOGIN=ann"), ["250.*", "250.*", "250.*", "250.*"])
    matches("a client refused at its greeting", replies(f"ADDR={REFUSED_AT_CONNECT}"), ["554.*"])


def matching(expect):
    def matches(what: str, found: list[str], wanted: list[str]) -> None:
        holds = len(found) == len(wanted) and all(map(re.fullmatch, wanted, found))
        expect(f"{what}: {found}", holds)
    return matches


def test_postfix_asks(launcher, open_folder, processes, expect):
    home = milter_home(launcher, open_folder / "gateway", processes)
    gateway = home.gateway()
    postfix = Postfix(open_folder / "postfix", f"inet:127.0.0.1:{gateway.milter()}")
    try:
        stages(postfix.port, matching(expect))
        callers(postfix.port, matching(expect))

        def with_tags() -> list[bytes]:
            return [mail for mail in postfix.mails() if b"X-Bloomgate-Reason: listed at text" in mail]
        wait_until("delivered", lambda: len(postfix.mails()) >= 11 and len(with_tags()) >= 2)
        tagged = with_tags()
        expect(f"two mails are tagged, one of them for one of its recipients: {len(tagged)}",
               len(tagged) == 2 and sum(b"recipients differ" in mail for mail in tagged) == 1)
        top = tagged[0].split(b"\n\n")[0] if tagged else b""
        expect(f"tags stand on top, forged ones are gone: {top}",
               re.search(rb"X-Bloomgate-Verdict: listed\nX-Bloomgate-Token: \w{12}\nX-Bloomgate-Reason: listed at text[^\n]*\nX-Bloomgate-Category: phishing\nReceived: ", top)
               and all(len(re.findall(rb"(?i)x-bloomgate-verdict", mail)) == 1 for mail in tagged))
        expect("of the others none is", not any(b"bloomgate" in mail.lower() for mail in postfix.mails() if mail not in tagged
                                                and b"excepted" not in mail))
        kept = [message["recipients"] for message in home.quarantined()]
        expect(f"two are in quarantine, each for whom it is kept: {kept}", kept == [["b@held.dest.example"], ["b@refused.dest.example"]])
        wait_until("Postfix tells that it dropped its copy of one, and one to be thrown away",
                   lambda: postfix.log().count("milter triggers DISCARD action") == 2)
        before = len(postfix.mails())
        postfix.submit("a@from.example", "b@dest.example", CLEAN)
        wait_until("mail of the machine itself arrives", lambda: len(postfix.mails()) > before)
        postfix.submit("a@listed.example", "b@refused.dest.example", CLEAN)
        wait_until("a refused one is refused at its end", lambda: "milter-reject: END-OF-MESSAGE from localhost" in postfix.log())
        drains(gateway, postfix.port, matching(expect))
    finally:
        postfix.stop()


def drains(gateway, port: int, matches) -> None:
    """A mail under way at SIGTERM is finished, one that begins is put off."""
    with Session(port) as client, Session(port) as other:
        other.mail("a@from.example", ["b@dest.example"], CLEAN)
        for line in (b"MAIL FROM:<a@from.example>", b"RCPT TO:<b@refused.dest.example>", b"DATA"):
            client.command(line)
        client.socket.sendall(LINK)
        gateway.process.terminate()
        matches("a mail that begins then", [wait_until("mail is put off", lambda: put_off(other))], [r"451 4\.(7\.1|3\.2) .*"])
        client.socket.sendall(b".\r\n")
        matches("a mail under way at SIGTERM", [client.reply()], [REFUSED])
    assert gateway.process.wait(90) == 0


def put_off(client: Session) -> str | None:
    """The reply to MAIL, when it is no longer taken."""
    reply = client.command(b"MAIL FROM:<a@from.example>")
    if reply.startswith("2"):
        client.command(b"RSET")
        return None
    return reply


class Senders:
    """Mails, each with a name of its own, in three sessions at one time; by name what they were answered."""

    def __init__(self, port: int, recipient: str = "b@dest.example", message: bytes = mail_with_link(b"good.example")):
        self.port, self.recipient, self.message = port, recipient, message
        self.over, self.replies = threading.Event(), {}
        self.workers = [threading.Thread(target=self.send, args=(number,)) for number in range(3)]
        for worker in self.workers:
            worker.start()

    def send(self, worker: int) -> None:
        count = 0
        while not self.over.is_set():
            count += 1
            name = f"{self.port}-{worker}-{count}"
            message = b"X-Name: %s\r\n" % name.encode() + self.message
            try:
                with Session(self.port) as client:
                    self.replies[name] = client.mail("a@from.example", [self.recipient], message)[-1]
            except (EOFError, OSError) as lost:
                self.replies[name] = str(lost)
            self.over.wait(0.02 if self.replies[name].startswith("250") else 0.3)

    def answered(self, *begin: str) -> list[str]:
        return [name for name, reply in list(self.replies.items()) if reply.startswith(begin)]

    def stop(self) -> None:
        self.over.set()
        for worker in self.workers:
            worker.join()


def test_no_mail_is_lost_when_the_gateway_is_killed(launcher, open_folder, processes, expect):
    """Each fares as the mail server's default says: tempfail at one port, accept at the other."""
    home = milter_home(launcher, open_folder / "gateway", processes)
    port = free_port()
    gateway = home.gateway(f"milter.listen=127.0.0.1:{port}")
    postfix = Postfix(open_folder / "postfix", f"inet:127.0.0.1:{port}")
    strict, lenient = Senders(postfix.port), Senders(postfix.lenient_port)
    try:
        for _ in range(KILLS):
            both = [(one, len(one.answered("250")) + 40) for one in (strict, lenient)]
            wait_until("mail flows", lambda: all(len(one.answered("250")) > enough for one, enough in both))
            gateway.kill()
            deferred, unchecked = len(strict.answered("4")), len(lenient.answered("250")) + 20
            wait_until("mail is deferred, or taken unchecked", lambda: len(strict.answered("4")) > deferred and len(lenient.answered("250")) > unchecked)
            gateway = home.gateway(f"milter.listen=127.0.0.1:{port}")
        strict.stop()
        lenient.stop()
        accepted = strict.answered("250") + lenient.answered("250")

        def lost() -> set[str]:
            return set(accepted) - {re.search(rb"X-Name: (\S+)", mail).group(1).decode() for mail in postfix.mails()}
        wait_until("all that was accepted is delivered: none is lost", lambda: not lost())
        expect(f"tempfail: {len(strict.answered('250'))} accepted, {len(strict.answered('4'))} deferred", strict.answered("4"))
        expect(f"accept: {len(lenient.answered('250'))} accepted", lenient.answered("250"))
        for one, allowed in ((strict, ("250", "4")), (lenient, ("250",))):
            other = {name: reply for name, reply in one.replies.items() if not reply.startswith(allowed)}
            expect(f"nothing else: {len(other)} {list(other.items())[:5]}", not other)
    finally:
        strict.over.set()
        lenient.over.set()
        postfix.stop()
        gateway.kill()


def test_sendmail_asks(launcher, open_folder, processes, expect):
    root = Sendmail.unpack(open_folder / "packages")
    if root is None:
        pytest.skip("the package sendmail-bin cannot be fetched")
    home = milter_home(launcher, open_folder / "gateway", processes)
    gateway = home.gateway()
    sendmail = Sendmail(processes, root, open_folder / "sendmail", f"inet:{gateway.milter()}@127.0.0.1", released=home.hop)
    stages(sendmail.port, matching(expect))
    tagged = [mail for mail in sendmail.queued() if b"X-Bloomgate-Reason: listed at text" in mail]
    expect(f"tagged mail has the fields, also for one of its recipients: {len(tagged)}", len(tagged) == 2)
    split = [mail.recipients for mail in sendmail.arrived() if b"recipients differ" in mail.header]
    expect(f"the other is removed: {split}", split == [{"c@marked.dest.example"}])
    forged = [mail for mail in sendmail.queued() if re.search(rb"(?i)x-bloomgate-verdict: clean", mail)]
    expect(f"no forged field is left: {forged[:1]}", not forged)
    kept = home.quarantined()
    expect(f"two are in quarantine, each for whom it is kept: {kept}",
           [message["recipients"] for message in kept] == [["b@held.dest.example"], ["b@refused.dest.example"]])
    home.run("quarantine", "release", kept[0]["token"], status=0)
    released = [mail.recipients for mail in sendmail.arrived() if kept[0]["token"].encode() in mail.header]
    expect(f"one is released past the milter: {released}", released == [{"b@held.dest.example"}] and len(home.quarantined()) == 1)
    drains(gateway, sendmail.port, matching(expect))
    sendmail.stop()


class Logins:
    """Stands in for saslauthd: whoever asks may log in."""

    def __init__(self, path: Path):
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(path))
        self.listener.listen()
        self.names: list[bytes] = []
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self) -> None:
        while True:
            with self.listener.accept()[0] as asked, asked.makefile("rb") as fields:
                login, _, _, _ = (fields.read(int.from_bytes(fields.read(2), "big")) for _ in range(4))
                self.names.append(login)
                asked.sendall(b"\0\2OK")


@pytest.fixture
def root_folder() -> Iterator[Path]:
    """Sendmail trusts no socket below a folder that others may write to."""
    with tempfile.TemporaryDirectory(prefix="bloomgate-acceptance-", dir="/run") as folder:
        yield Path(folder)


@pytest.mark.long
def test_sendmail_asks_for_a_client_that_has_logged_in(launcher, open_folder, root_folder, processes, expect):
    root = Sendmail.unpack(open_folder / "packages")
    if root is None:
        pytest.skip("the package sendmail-bin cannot be fetched")
    home, milter = milter_home(launcher, open_folder / "gateway", processes), root_folder / "milter"
    gateway, logins = home.gateway(f"milter.listen=unix:{milter}"), Logins(open_folder / "logins")
    home.write("Sendmail.conf", "pwcheck_method: saslauthd", f"saslauthd_path: {open_folder / 'logins'}", "mech_list: PLAIN")
    sendmail = Sendmail(processes, root, open_folder / "sendmail", f"unix:{milter}", REFUSED_AT_RCPT, home.folder)

    def replies(link: bytes, *login: bytes) -> list[str]:
        with sendmail.within():
            client = Session(sendmail.port, REFUSED_AT_RCPT)
        with client:
            return [client.command(line) for line in login] + client.mail("a@from.example", ["b@dest.example"], mail_with_link(link))
    login = b"AUTH PLAIN " + base64.b64encode(b"\0ann\0secret")
    matches = matching(expect)
    matches("a listed client", replies(b"clean.example"), ["250.*", REFUSED])
    matches("a listed client that has logged in", replies(b"clean.example", login), ["235.*", "250.*", "250.*", "250.*"])
    matches("what it sends is judged", replies(b"listed.example", login), ["235.*", "250.*", "250.*", REFUSED])
    expect(f"who logged in: {logins.names}", logins.names == [b"ann", b"ann"])
    sendmail.stop()
    gateway.stop()


def test_miltertest_asks(launcher, open_folder, processes, expect):
    root = unpacked(open_folder / "packages", "miltertest", "liblua5.3-0")
    if root is None:
        pytest.skip("the package miltertest cannot be fetched")
    home = milter_home(launcher, open_folder / "gateway", processes)
    gateway = home.gateway()
    script = Path(__file__).with_name("milter.lua")
    done = home.processes.start(root / "usr/bin/miltertest", "-D", f"port={gateway.milter()}", "-s", script, env=libraries(root),
                                stdout=(open_folder / "miltertest").open("wb"), stderr=-2)
    status = done.wait(60)
    expect(f"miltertest: status {status} {(open_folder / 'miltertest').read_text()[-800:]}", status == 0)
    gateway.stop()
