"""Reports: 200 forwards of 50 messages in the forms of mail programs, and what survives a kill."""
import email.message
import email.policy
import io
import json
import random
import zipfile
from collections import Counter
from collections.abc import Iterator
from email.message import EmailMessage
from email.mime.message import MIMEMessage
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from pathlib import Path

import pytest

from milterclient import MilterClient
from processes import wait_until
from product import Gateway, Home
from smtp import SmtpClient

REPORTS = "phish@corp.example"
SETTINGS = ("smtp.relayDomains=[corp.example]", 'smtp.trusted=["127.0.0.0/8"]', f'reports.addresses=["{REPORTS}"]')
ENOUGH = 0.98
SIGNATURE = "-- \nAnn\nhttps://social.example/ann\n"
FOOTER = "https://footer.example/unsubscribe"
LABELS = {"en": ("From", "Sent", "To", "Subject"), "de": ("Von", "Gesendet", "An", "Betreff"), "fr": ("De", "Envoyé", "À", "Objet"),
          "es": ("De", "Enviado", "Para", "Asunto"), "pl": ("Od", "Wysłano", "Do", "Temat"), "ru": ("От", "Дата", "Кому", "Тема")}


def phish(number: int) -> EmailMessage:
    message = EmailMessage(policy=email.policy.SMTP)
    message["From"] = f"Billing {number} <billing@sender{number}.example>"
    message["To"] = user(number)
    message["Subject"] = f"Invoice {number}"
    message["Date"] = email.utils.formatdate()
    message["Message-ID"] = f"<{number}.{random.randrange(10**9)}@sender{number}.example>"
    link = link_of(number)
    message.set_content(f"Dear customer,\n\nplease pay at {link}\n")
    message.add_alternative(f'<p>Dear customer,</p><p>please <a href="{link}">pay</a></p>', subtype="html")
    return message


def user(number: int) -> str:
    return f"user{number}@corp.example"


def host_of(number: int) -> str:
    return f"login{number}.evil{number}.example"


def link_of(number: int) -> str:
    return f"https://{host_of(number)}/pay/{number}"


def container(number: int, *parts: email.message.Message, subtype: str = "mixed") -> email.message.Message:
    message = MIMEMultipart(subtype, policy=email.policy.SMTP)
    message.attach(MIMEText(f"Is this phishing?\n\n{SIGNATURE}"))
    for part in parts:
        message.attach(part)
    return message


def attached(number: int, original: bytes) -> email.message.Message:
    return container(number, MIMEMessage(email.message_from_bytes(original)))


def as_file(number: int, original: bytes) -> email.message.Message:
    message = EmailMessage(policy=email.policy.SMTP)
    message.set_content(f"Look\n\n{SIGNATURE}")
    message.add_attachment(original, maintype="application", subtype="octet-stream", filename="Invoice.eml")
    return message


def feedback(number: int, original: bytes) -> email.message.Message:
    part = email.message_from_string("Content-Type: message/feedback-report\n\nFeedback-Type: abuse\nVersion: 1\n")
    return container(number, part, MIMEMessage(email.message_from_bytes(original)), subtype="report")


def inline(form: str, language: str):
    def forward(number: int, original: bytes) -> email.message.Message:
        fields = dict(zip(LABELS[language], (f"Billing {number} <billing@sender{number}.example>", "Friday, 29 May 2026 9:31", f"<{user(number)}>", f"Invoice {number}")))
        block = [f"{label}: {value}" for label, value in fields.items()]
        body = ["", "Dear customer,", "", f"please pay at <{link_of(number)}>"]
        top = ["Please check.", "", *SIGNATURE.splitlines(), FOOTER, ""]
        match form:
            case "gmail":
                lines = [*top, "---------- Forwarded message ---------", *block, *body]
            case "apple":
                lines = [*top, "Begin forwarded message:", "", *(f"> {line}" for line in [*block, *body])]
            case "thunderbird":
                lines = ["Look", "", "-------- Forwarded Message --------", *(line.replace(": ", ": \t", 1) for line in block), "", *body, *SIGNATURE.splitlines()]
            case _:
                lines = [*top, "_" * 32, *block, *body]
        return MIMEText("\n".join(lines), policy=email.policy.SMTP)
    return forward


def html(number: int, original: bytes) -> email.message.Message:
    text = (f"<div>Look</div><div><a href='https://social.example/ann'>Ann</a></div><hr><div><b>From:</b> Billing {number} &lt;billing@sender{number}.example&gt;<br>"
            f"<b>Sent:</b> Friday<br><b>Subject:</b> Invoice {number}</div><p>please <a href=\"{link_of(number)}\">pay</a></p>")
    return MIMEText(text, "html", policy=email.policy.SMTP)


def plain(number: int, original: bytes) -> email.message.Message:
    return MIMEText(f"I got this link: {link_of(number)}\n\n{SIGNATURE}", policy=email.policy.SMTP)


FORMS = {"attached": attached, "file": as_file, "feedback": feedback, "html": html, "plain": plain,
         **{f"{form}-{language}": inline(form, language) for form in ("gmail", "apple", "thunderbird", "outlook") for language in LABELS}}


def send(gateway: Gateway, sender: str, recipient: str, message: bytes, login: str = "") -> str:
    with SmtpClient(gateway.smtp) as client:
        if login:
            assert client.command(f"XCLIENT LOGIN={login}".encode()).startswith("220")
            client.command(b"EHLO client.corp.example")
        return client.send(sender.encode(), recipient.encode(), message)


def report(gateway: Gateway, number: int, form: str, original: bytes) -> str:
    message = FORMS[form](number, original)
    message["From"], message["To"], message["Subject"] = user(number), REPORTS, f"Fwd: Invoice {number}"
    return send(gateway, user(number), REPORTS, message.as_bytes(policy=email.policy.SMTP), login=f"user{number}")


def stored(home: Home) -> Iterator[dict]:
    for file in home.path("var", "reports").glob("*.json"):
        yield json.loads(file.read_text())


def total(gateway: Gateway, outcome: str) -> float:
    return gateway.metrics()[f'bloomgate_reports_total{{outcome="{outcome}"}}']


def read(gateway: Gateway, count: int) -> None:
    wait_until(f"{count} reports are read", lambda: total(gateway, "read") >= count, seconds=60)


def offered(one: dict) -> set[str]:
    return {identifier["key"]["text"] for identifier in one["message"]["identifiers"] if not identifier.get("objection")}


def newest(home: Home, seen: set[Path]) -> Path:
    (one,) = set(home.path("var", "mail", "new").glob("*")) - seen
    return one


@pytest.mark.parametrize(("messages", "forwards"), [(12, 58), pytest.param(50, 200, marks=pytest.mark.long)])
def test_forwards_of_every_form_name_the_original(home: Home, expect, messages: int, forwards: int):
    home.list_domains("listed.example")
    home.rebuild()
    gateway = home.gateway(*SETTINGS)
    originals = {}
    for number in range(messages):
        seen = set(home.path("var", "mail", "new").glob("*"))
        assert send(gateway, f"billing@sender{number}.example", user(number), phish(number).as_bytes()).startswith("250")
        originals[number] = newest(home, seen).read_bytes()
    forms = list(FORMS)
    used, unread = Counter(), Counter()
    for turn in range(forwards):
        number, form = turn % messages, forms[turn % len(forms)]
        used[form] += 1
        if not report(gateway, number, form, originals[number]).startswith("250"):
            unread[form] += 1
    read(gateway, forwards)
    everything = list(stored(home))
    found = [one for one in everything if one["message"].get("token")]
    named = [one for one in found if any({host_of(number), f"{host_of(number)}/pay/{number}"} <= offered(one) for number in range(messages))]
    missed = len(everything) - len(found)  # a forward whose original is not found is a report of its own
    strange = {text for one in everything for text in offered(one) if "social.example" in text or "footer.example" in text}
    print(dict(used), f"{len(named)} of {messages} originals named, {missed} of {forwards} forwards without their original")
    expect("every forward is accepted", not unread)
    expect("every message has one report, with its link", len(named) == len(found) == messages)
    expect("originals are found", missed <= forwards * (1 - ENOUGH))
    expect("no footer and no signature is offered", not strange)
    gateway.stop()


def test_a_killed_gateway_has_a_report_once(home: Home, expect):
    home.list_domains("evil1.example")
    home.rebuild()
    gateway = home.gateway(*SETTINGS)
    original = phish(1).as_bytes()
    expect("a stranger's report is filtered", send(gateway, "x@other.example", REPORTS, original).startswith("550"))
    for _ in range(2):
        expect("a report of what is listed is delivered", report(gateway, 1, "attached", original).startswith("250"))
    gateway.kill()
    gateway = home.gateway(*SETTINGS)
    wait_until("the report is read", lambda: list(stored(home)) and not list(home.path("var", "reports", "queue").glob("*.eml")))
    (one,) = stored(home)
    expect("one report of one reporter", len(one["voices"]) == 1 and host_of(1) in offered(one))
    expect("the stranger is counted as nobody", user(1) == one["voices"][0]["reporter"]["mailbox"])
    gateway.stop()


def by_milter(port: int, sender: str, message: bytes, login: str = "") -> str:
    with MilterClient(port) as milter:
        milter.connect("203.0.113.9")
        milter.helo("client.corp.example")
        if login:
            milter.macro(b"M", auth_type=login)
        return milter.mail(sender, [REPORTS], message).reply[:3]


@pytest.mark.long
def test_hostile_reports_are_read_within_bounds_by_both_listeners(home: Home, expect):
    home.list_domains("evil1.example")
    home.rebuild()
    gateway = home.gateway(*SETTINGS, "milter.listen=127.0.0.1:0")
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("zeros", bytes(60_000_000))
    large, zipped = phish(1), phish(2)
    large.add_attachment(random.randbytes(17_000_000), maintype="application", subtype="octet-stream", filename="a.bin")
    zipped.add_attachment(bomb.getvalue(), maintype="application", subtype="zip", filename="a.zip")
    broken = b"Content-Type: multipart/report; boundary=b\r\n\r\n--b\r\nContent-Type: message/feedback-report\r\n\r\n\0\r\n--b\r\nContent-Type: message/rfc822\r\n\r\n"
    nested = b"".join(b"Content-Type: multipart/mixed; boundary=%d\r\n\r\n--%d\r\n" % (level, level) for level in range(500))
    for number, content in ((1, attached(1, large.as_bytes())), (2, attached(2, zipped.as_bytes())), (3, broken), (4, nested), (5, b"\r\n")):
        content = content if isinstance(content, bytes) else content.as_bytes(policy=email.policy.SMTP)
        message = f"From: {user(number)}\r\nTo: {REPORTS}\r\nSubject: x\r\n".encode() + content
        reply = send(gateway, user(number), REPORTS, message, login="ann")
        expect(f"hostile report {number} is delivered", reply.startswith("250"))
    for number in range(6, 12):
        message = FORMS["attached"](number, phish(1).as_bytes())
        message["From"], message["To"] = user(number), REPORTS
        expect("the milter delivers a report", by_milter(gateway.milter(), user(number), message.as_bytes(policy=email.policy.SMTP), "PLAIN") == "250")
    expect("and rejects a stranger's", by_milter(gateway.milter(), "x@other.example", phish(1).as_bytes()) == "550")
    read(gateway, 11)
    names = {text for one in stored(home) for text in offered(one)}
    expect("links of large messages and bombs are read", {host_of(1), host_of(2)} <= names)
    expect("the stranger is counted", total(gateway, "unproven") == 1)
    expect("nothing waits", not list(home.path("var", "reports", "queue").iterdir()))
    gateway.stop()
