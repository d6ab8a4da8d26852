"""Real mail servers that ask the milter: Postfix, and Sendmail where its package can be fetched."""
import re
import threading
from pathlib import Path

import pytest

from mailservers import Postfix, Sendmail, libraries, unpacked
from processes import Processes, free_port, wait_until
from product import Home, mail_with_link
from smtp import SmtpClient

REFUSED = r"550 5\.7\.1 (<\S+>\.\.\. )?Message refused by policy, token [0-9A-HJKMNP-TV-Z]{12}"
DEFERRED = r"451 4\.7\.1 Message deferred by policy, token [0-9A-HJKMNP-TV-Z]{12}"
LISTS = {"refused": "reject", "held": "quarantine", "thrown": "discard", "later": "defer", "marked": "tag"}

pytestmark = [pytest.mark.needs("postfix"), pytest.mark.needs_root]  # Postfix starts as root only


def milter_home(launcher: Path, folder: Path, processes: Processes) -> Home:
    """One listed domain; what is done about it hangs on the domain of the recipient."""
    home = Home(launcher, folder, processes)
    home.write("config/bloomgate.yaml", "milter: { listen: \"127.0.0.1:0\" }", "policy:",
               "  recipients: { " + ", ".join(f"{name}.dest.example: {{ listed: {action} }}" for name, action in LISTS.items()) + " }")
    home.list_domains("listed.example")
    home.rebuild()
    return home


def milter_port(gateway) -> int:
    return int(gateway.wait_for_line(r"ready .*?milter=127\.0\.0\.1:(\d+)").group(1))


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
        matches("recipients whose rulings differ", client.mail("d@from.example", ["b@refused.dest.example", "c@marked.dest.example"], LINK),
                ["250.*", "250.*", "250.*", ".*4.5.3.*"])
        matches("clean again", client.mail("a@from.example", ["b@dest.example"], CLEAN), ["250.*", "250.*", "250.*"])


def matching(expect):
    def matches(what: str, found: list[str], wanted: list[str]) -> None:
        holds = len(found) == len(wanted) and all(map(re.fullmatch, wanted, found))
        expect(f"{what}: {found}", holds)
    return matches


def test_postfix_asks(launcher, open_folder, processes, expect):
    home = milter_home(launcher, open_folder / "gateway", processes)
    gateway = home.gateway()
    postfix = Postfix(open_folder / "postfix", f"inet:127.0.0.1:{milter_port(gateway)}")
    try:
        stages(postfix.port, matching(expect))
        wait_until("delivered", lambda: len(postfix.mails()) >= 5, 30)
        tagged = [mail for mail in postfix.mails() if b"X-Bloomgate-Reason: listed at text" in mail]
        expect(f"one mail is tagged, {len(tagged)}", len(tagged) == 1)
        top = tagged[0].split(b"\n\n")[0] if tagged else b""
        expect(f"tags stand on top, forged ones are gone: {top}",
               re.search(rb"X-Bloomgate-Verdict: listed\nX-Bloomgate-Token: \w{12}\nX-Bloomgate-Reason: listed at text[^\n]*\nX-Bloomgate-Category: phishing\nReceived: ", top)
               and len(re.findall(rb"(?i)x-bloomgate-verdict", top)) == 1)
        expect("of the others none is", not any(b"bloomgate" in mail.lower() for mail in postfix.mails() if mail not in tagged
                                                and b"exempt" not in mail))
        expect(f"one is on hold: {postfix.held()}", postfix.held() == 1)
        expect("by order of the milter", postfix.log().count("milter triggers HOLD action") == 1)
        before = len(postfix.mails())
        postfix.submit("a@from.example", "b@dest.example", CLEAN)
        wait_until("mail of the machine itself arrives", lambda: len(postfix.mails()) > before, 20)
        postfix.submit("a@listed.example", "b@refused.dest.example", CLEAN)
        wait_until("a refused one is refused at its end", lambda: "milter-reject: END-OF-MESSAGE from localhost" in postfix.log(), 20)
        drains(gateway, postfix, matching(expect))
    finally:
        postfix.stop()


def drains(gateway, postfix: Postfix, matches) -> None:
    """A mail under way at SIGTERM is finished."""
    with Session(postfix.port) as client:
        for line in (b"MAIL FROM:<a@from.example>", b"RCPT TO:<b@refused.dest.example>", b"DATA"):
            client.command(line)
        client.socket.sendall(LINK)
        gateway.process.terminate()
        client.socket.sendall(b".\r\n")
        matches("a mail under way at SIGTERM", [client.reply()], [REFUSED])
    assert gateway.process.wait(30) == 0


def test_no_mail_is_lost_when_the_gateway_is_killed(launcher, open_folder, processes, expect):
    home = milter_home(launcher, open_folder / "gateway", processes)
    port = free_port()
    gateway = home.gateway(f"milter.listen=127.0.0.1:{port}")
    postfix = Postfix(open_folder / "postfix", f"inet:127.0.0.1:{port}")
    accepted, deferred, other = [], [], []
    over = threading.Event()

    def send(worker: int) -> None:
        count = 0
        while not over.is_set():
            count += 1
            name = f"{worker}-{count}"
            try:
                with Session(postfix.port) as client:
                    reply = client.mail("a@from.example", ["b@dest.example"], b"X-Name: %s\r\n\r\n" % name.encode() + mail_with_link(b"good.example"))[-1]
            except (EOFError, OSError) as lost:
                reply = str(lost)
            (accepted if reply.startswith("250") else deferred if reply.startswith("4") else other).append(f"{name}: {reply}")
            over.wait(0 if reply.startswith("250") else 0.3)
    try:
        workers = [threading.Thread(target=send, args=(i,)) for i in range(4)]
        for worker in workers:
            worker.start()
        for _ in range(2):
            enough = len(accepted) + 40
            wait_until("mail flows", lambda: len(accepted) > enough, 60)
            gateway.kill()
            refused = len(deferred)
            wait_until("mail is deferred", lambda: len(deferred) > refused, 60)
            gateway = home.gateway(f"milter.listen=127.0.0.1:{port}")
        over.set()
        for worker in workers:
            worker.join()
        wait_until("all that was accepted is delivered", lambda: len(postfix.mails()) >= len(accepted), 60)
        names = {re.search(rb"X-Name: (\S+)", mail).group(1).decode() for mail in postfix.mails()}
        lost = [one for one in accepted if one.split(":")[0] not in names]
        expect(f"{len(accepted)} accepted, {len(deferred)} deferred, lost {lost}", not lost and deferred)
        expect(f"nothing else: {other[:5]}", not other)
    finally:
        over.set()
        postfix.stop()
        gateway.kill()


def test_sendmail_asks(launcher, open_folder, processes, expect):
    root = Sendmail.unpack(open_folder / "packages")
    if root is None:
        pytest.skip("the package sendmail-bin cannot be fetched")
    home = milter_home(launcher, open_folder / "gateway", processes)
    gateway = home.gateway()
    sendmail = Sendmail(processes, root, open_folder / "sendmail", f"inet:{milter_port(gateway)}@127.0.0.1")
    stages(sendmail.port, matching(expect))
    tagged = [mail for mail in sendmail.queued() if b"X-Bloomgate-Reason: listed at text" in mail]
    expect(f"tagged and quarantined mail has the fields: {len(tagged)}", len(tagged) == 2)
    forged = [mail for mail in sendmail.queued() if re.search(rb"(?i)x-bloomgate-verdict: clean", mail)]
    expect(f"no forged field is left: {forged[:1]}", not forged)
    expect(f"one is on hold: {sendmail.held()}", sendmail.held() == 1)
    sendmail.stop()
    gateway.stop()


def test_miltertest_asks(launcher, open_folder, processes, expect):
    root = unpacked(open_folder / "packages", "miltertest", "liblua5.3-0")
    if root is None:
        pytest.skip("the package miltertest cannot be fetched")
    home = milter_home(launcher, open_folder / "gateway", processes)
    gateway = home.gateway()
    script = Path(__file__).with_name("milter.lua")
    done = home.processes.start(root / "usr/bin/miltertest", "-D", f"port={milter_port(gateway)}", "-s", script, env=libraries(root),
                                stdout=(open_folder / "miltertest").open("wb"), stderr=-2)
    status = done.wait(60)
    expect(f"miltertest: status {status} {(open_folder / 'miltertest').read_text()[-800:]}", status == 0)
    gateway.stop()
