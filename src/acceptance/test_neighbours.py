"""Postfix on both sides: its smtpd_proxy_filter sends to a gateway, and its re-injection port is the gateway's next hop.
Swaks and Python's smtplib talk to the gateway itself, in the clear and inside TLS. A burst of rejected messages delays no other mail."""
import math
import os
import pwd
import re
import smtplib
import ssl
import subprocess
import threading
import time
from pathlib import Path

import pytest

from certificates import self_signed
from packages import program
from processes import free_port, wait_for_port, wait_until
from product import CHECKOUT, Home
from smtp import SmtpClient

CLIENT = ("real-client.example", "192.0.2.77")
DIRECT = 5  # messages that reach the gateway past the first Postfix
QUEUED = r"250 2\.0\.0 Ok: (?:\d+ bytes )?queued as .*"
REJECTED = 600
LATER = 0.7  # s; a quiet machine stays within 0.1. Each delay of Postfix is a second.
LISTED_LINK = b"Subject: x\r\n\r\nhttp://www.phish.example/login\r\n"
# The lines that the how-to gives, for the Postfix behind the gateway and for both.
DOCUMENTED = {"master.cf": r"^  -o smtpd_(?:junk_command_limit|error_sleep_time)=.*\n", "main.cf": r"^in_flow_delay = .*\n"}
REFUSED = r"550 5\.7\.1 Message refused by policy, token [0-9A-Z]{12}"


class Postfix:
    """Its own instance from src/test/resources/postfix, with everything it writes below one folder."""

    def __init__(self, folder: Path, outer: int, gate: int, inner: int):
        self.folder = folder
        user = pwd.getpwnam("postfix")
        for name in ("etc", "queue", "data", "mail"):
            (folder / name).mkdir()
        for name in ("data", "mail"):
            os.chown(folder / name, user.pw_uid, user.pw_gid)
        values = {"WORK": folder, "OUTER": outer, "GATE": gate, "INNER": inner, "UID": user.pw_uid}
        for name in ("main.cf", "master.cf"):
            template = (CHECKOUT / "src/test/resources/postfix" / name).read_text(encoding="utf-8")
            values["DOCUMENTED"] = "".join(re.findall(DOCUMENTED[name], (CHECKOUT / "config/postfix" / name).read_text(encoding="utf-8"), re.M)).rstrip()
            text = re.sub("@([A-Z]+)@", lambda found: str(values[found.group(1)]), template)
            (folder / "etc" / name).write_text(text, encoding="utf-8")
        self.run("start")
        wait_for_port(outer)
        wait_for_port(inner)

    def run(self, verb: str) -> None:
        command = [program("postfix"), "-c", self.folder / "etc", verb]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, f"postfix {verb}: {done.stdout}{done.stderr}{self.log()}"

    def log(self) -> str:
        file = self.folder / "maillog"
        return file.read_text(encoding="utf-8", errors="replace") if file.exists() else ""

    def delivered(self, count: int) -> list[bytes]:
        """The bytes of what lies in the Maildir, once there are so many."""
        inbox = self.folder / "mail" / "inbox" / "new"
        wait_until(f"{count} messages delivered", lambda: inbox.is_dir() and len(list(inbox.iterdir())) >= count)
        return [file.read_bytes() for file in sorted(inbox.iterdir())]


def sample_messages() -> dict[bytes, bytes]:
    """Bodies that a relay could spoil, each below one field that names it."""
    bodies = [b"plain\r\n", b"", b".\r\n..\r\n...x\r\n", b"8-bit \xe9\xff\xc3\xbc\r\n", b"x" * 60000 + b"\r\n", b"\r\n" * 30,
              b"tab\t trailing blanks  \r\nFrom here\r\n", b"".join(b"line %d of many\r\n" % i for i in range(20000))]
    return {b"%d" % i: b"X-Message: %d\r\nSubject: sample\r\nFrom: a@sender.test\r\n\r\n" % i + body for i, body in enumerate(bodies)}


def swaks(port: int, *options: str) -> str:
    """Its exit status and what of the transcript tells how it went."""
    command = ["swaks", "--server", "localhost", "--port", str(port), "--from", "a@sender.test", "--to", "b@dest.example",
               "--header", "X-Message: swaks", *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    told = re.findall(r"^=== TLS.*|^[<~*-]+ +(?:[45]\d\d .*|250 2\.0\.0.*)", done.stdout, re.M)
    return f"status {done.returncode}, {' '.join(told)}"


def utf8_mail(port: int, ca: Path) -> str:
    """The reply to one message with UTF-8 in its envelope and 8-bit text, by smtplib inside TLS."""
    with smtplib.SMTP("localhost", port, local_hostname="client.test") as client:
        client.starttls(context=ssl.create_default_context(cafile=ca))
        client.ehlo()
        if client.has_extn("starttls") or not (client.has_extn("smtputf8") and client.has_extn("8bitmime")):
            return "offers " + " ".join(client.esmtp_features)
        text = "X-Message: utf8\r\nSubject: Gr\u00fc\u00dfe\r\nFrom: <j\u00f6rg@sender.test>\r\n\r\n\u65e5\u672c\u8a9e\r\n".encode()
        client.command_encoding = "utf-8"
        client.mail("j\u00f6rg@sender.test", ["BODY=8BITMIME", "SMTPUTF8"])
        client.rcpt("j\u00fcrgen@dest.example")
        code, reply = client.data(text)
        return f"{code} {reply.decode()}"


@pytest.mark.needs("postfix", "swaks", "libnet-ssleay-perl", "openssl")
@pytest.mark.needs_root  # Postfix starts as root only
def test_postfix_before_and_behind_the_gateway(launcher, open_folder, processes, expect):
    home = Home(launcher, open_folder / "gateway", processes)
    outer, inner = free_port(), free_port()
    certificate, key = self_signed(home.folder, "DNS:localhost")
    gateway = home.gateway("smtp.relayDomains=dest.example", "smtp.hostname=gate.dest.example", "nextHopOptions.heloName=gate.dest.example",
                           "smtp.trusted=127.0.0.0/8", f"smtp.tls.certificate={certificate}", f"smtp.tls.key={key}", next_hop=inner)
    postfix = Postfix(open_folder, outer, gateway.smtp, inner)

    def matches(what: str, found: str, wanted: str) -> None:
        expect(f"{what}: {found[:110]}", re.fullmatch(wanted, found, re.S))
    try:
        through_postfix(outer, matches)
        past_it(gateway.smtp, certificate, matches)
        messages = sample_messages()
        found = postfix.delivered(len(messages) + DIRECT)
        expect(f"all delivered: {len(found)}", len(found) == len(messages) + DIRECT)
        matches("UTF-8 envelope and text arrived", trace_of_utf8(found), r"1 .*with UTF8SMTPS.*")
        through = [blob for blob in found if re.search(rb"^X-Message: \d", blob, re.M)]
        intact = sum(is_intact(blob, messages) for blob in through)
        expect(f"bytes the same below three Received: {intact} of {len(through)}", intact == len(through) == len(messages))
        seen = wait_until("the log of all", lambda: len(seen := re.findall(r"inner/smtpd\[\d+\]: \w+: client=.*", postfix.log())) >= len(found) and seen)
        told = [line for line in seen if "orig_client=%s[%s]" % CLIENT in line]
        expect(f"the real client in the log of the next hop: {len(told)} of {len(seen) - DIRECT}", told and len(told) == len(seen) - DIRECT)
        named = [blob for blob in through if re.search(rb"^Received: from helo\.example \(.*192\.0\.2\.77", blob, re.M)]
        expect(f"and in its Received fields: {len(named)} of {len(through)}", through and len(named) == len(through))
        rejects_beside_honest_mail(outer, gateway.smtp, expect)
    finally:
        postfix.run("stop")
    gateway.stop()


def through_postfix(outer: int, matches) -> None:
    with SmtpClient(outer) as client:
        client.command(b"XCLIENT NAME=%s ADDR=%s" % tuple(value.encode() for value in CLIENT))
        client.command(b"EHLO helo.example")
        for name, message in sample_messages().items():
            matches(f"sample {name.decode()}", client.send(b"a@sender.test", b"b@dest.example", message), QUEUED)
        matches("listed sender", client.send(b"x@phish.example", b"b@dest.example", b"x"), REFUSED)
        link = b"Subject: x\r\n\r\nhttp://www.phish.example/login\r\n"
        matches("listed link", client.send(b"a@sender.test", b"b@dest.example", link), REFUSED)
        matches("recipient refused", client.send(b"a@sender.test", b"nobody@dest.example", b"x"),
                r"550 5\.1\.1 <nobody@dest\.example>: Recipient address rejected: no mailbox of that name here")
        matches("recipient deferred", client.send(b"a@sender.test", b"full@dest.example", b"x"),
                r"452 4\.2\.2 <full@dest\.example>: Recipient address rejected: mailbox full, come back tomorrow")
        matches("refused at the dot", client.send(b"odd@sender.test", b"b@dest.example", b"x"),
                r"554 5\.6\.0 <odd@sender\.test>: Sender address rejected: the content is odd")
        matches("deferred at the dot", client.send(b"busy@sender.test", b"b@dest.example", b"x"),
                r"451 4\.3\.1 <busy@sender\.test>: Sender address rejected: no room for it now")


def rejects_beside_honest_mail(outer: int, gateway: int, expect) -> None:
    """Rejected for the sender at RCPT, or for a link at the dot: each is a transaction that the gateway may have to abort."""
    reject(REJECTED // 4, gateway)  # so that Postfix and the gateway have started what they need
    alone = honest_mail_during(lambda: time.sleep(3), outer)
    took = 0.0

    def burst() -> None:
        nonlocal took
        began = time.monotonic()
        reject(REJECTED, gateway)
        took = time.monotonic() - began
    beside = honest_mail_during(burst, outer)
    expect(f"{REJECTED} rejects in {took:.1f} s", took <= 30)
    expect(f"{len(beside)} honest messages beside them, p95 {p95(beside) * 1000:.0f} ms, alone {p95(alone) * 1000:.0f} ms", p95(beside) <= p95(alone) + LATER)


def reject(count: int, gateway: int) -> None:
    for _ in range(count // 10):
        with SmtpClient(gateway) as client:
            replies = [client.send(b"x@phish.example" if i % 2 else b"a@sender.test", b"b@dest.example", LISTED_LINK) for i in range(10)]
        assert all(re.fullmatch(REFUSED, reply) for reply in replies), replies


def honest_mail_during(act, port: int) -> list[float]:
    """Seconds of each message that another client sends, one after the other, until the act is over, and of 20 at least."""
    seconds, over = [], threading.Event()

    def send() -> None:
        with SmtpClient(port) as client:
            while not over.wait(0.01) or len(seconds) < 20:
                began = time.monotonic()
                reply = client.send(b"honest@sender.test", b"b@dest.example", b"Subject: honest\r\n\r\nx\r\n")
                seconds.append(time.monotonic() - began)
                assert re.fullmatch(QUEUED, reply), reply
    sender = threading.Thread(target=send)
    sender.start()
    try:
        act()
    finally:
        over.set()
        sender.join(60)
    assert len(seconds) >= 20, seconds  # or one was answered otherwise
    return seconds


def p95(seconds: list[float]) -> float:
    return sorted(seconds)[math.ceil(len(seconds) * 0.95) - 1]


def past_it(port: int, ca: Path, matches) -> None:
    for options in (["--pipeline"], ["--tls"], ["--tls", "--pipeline"], ["--tls", "--tls-verify", "--tls-ca-path", str(ca)]):
        tls = r".*=== TLS started.*" if "--tls" in options else " "
        matches("swaks " + " ".join(options[:2]), swaks(port, *options), "status 0," + tls + ".*" + QUEUED)
    matches("smtplib with STARTTLS, SMTPUTF8 and 8BITMIME", utf8_mail(port, ca), QUEUED)


def trace_of_utf8(found: list[bytes]) -> str:
    own = [blob for blob in found if b"X-Message: utf8" in blob]
    return f"{len(own)} {re.findall(rb'Delivered-To: .*|with [A-Z]*UTF8[A-Z]*|^Subject: .*', b''.join(own))}"


def is_intact(blob: bytes, messages: dict[bytes, bytes]) -> bool:
    """Below three Received fields, the message as it was sent."""
    at = blob.find(b"X-Message: ")
    original = messages[blob[at + 11:blob.find(b"\n", at)]]
    return blob[at:] == original.replace(b"\r\n", b"\n") and len(re.findall(rb"^Received: ", blob[:at], re.M)) == 3
