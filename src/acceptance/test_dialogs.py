"""Replays the dialogue files of other mail servers: chasquid's .cmy and James's .test.

A reply counts as the same when its code is; where another code is as right by the RFC, or a file is about something a
relay does not have, a table below says why. A file's names and limits are mapped onto a gateway set up for them."""
import ast
import re
import socket
import ssl

import pytest

from certificates import self_signed

pytestmark = [pytest.mark.needs_shared, pytest.mark.needs("openssl")]
NOT_APPLICABLE = {
    "chasquid/t-04-aliases_test_chasquid_util.cmy": "drives chasquid's command line for aliases; a relay has none",
    "chasquid/t-12-minor_dialogs_auth_not_tls.cmy": "AUTH: a before-queue relay has no accounts; the command is answered 500 5.5.1",
    "james-mpt/authplain.test": "AUTH: a before-queue relay has no accounts; the command is answered 500 5.5.1",
}
# (file, what is sent) -> (code we answer, why it is as right)
OTHER_CODE = {
    ("bad_data_dot", "MESSAGE"): ("550", "RFC 5321 has no 521 for it; the session ends as theirs"),
    ("bad_data_dot", "RCPT TO: user@testserver"): ("501", "a path without angle brackets is malformed (4.1.2); sent again with them"),
    ("message_too_big", "RCPT TO: user@testserver"): ("501", "a path without angle brackets is malformed (4.1.2); sent again with them"),
    ("bad_mail_from", "MAIL LALA: <>"): ("501", "the verb is known, its argument is not (4.2.4)"),
    ("bad_mail_from", "MAIL FROM:"): ("501", "the verb is known, its argument is not (4.2.4)"),
    ("wrong_proto", "GET /evil HTTP/1.1"): ("500", "a command that is not recognized (4.2.4)"),
    ("wrong_proto", "POST /evil HTTP/1.1"): ("500", "a command that is not recognized (4.2.4)"),
    ("wrong_proto", "CONNECT www.evil.com:80 HTTP/1.1"): ("500", "a command that is not recognized (4.2.4)"),
}


class Wire:
    """A connection without a greeting read: dialogues begin with it."""

    def __init__(self, port: int):
        self.socket = socket.create_connection(("127.0.0.1", port), 60)
        self.buffer = b""

    def reply(self) -> list[str]:
        lines = []
        while not lines or lines[-1][3:4] == "-":
            while b"\r\n" not in self.buffer:
                data = self.socket.recv(65536)
                if not data:
                    raise EOFError(f"closed after {lines}")
                self.buffer += data
            line, self.buffer = self.buffer.split(b"\r\n", 1)
            lines.append(line.decode("latin1"))
        return lines


class Replay:
    """One file, line by line."""

    def __init__(self, name: str, port: int):
        self.name = name
        self.port = port
        self.wire = None
        self.sent = ""
        self.message = False
        self.notes = []

    def connect(self) -> None:
        self.wire = Wire(self.port)
        self.sent, self.message = "", False

    def send(self, line: str, blob: bytes) -> None:
        self.sent = "MESSAGE" if self.message else line
        self.wire.socket.sendall(blob)

    def expect(self, code: str) -> None:
        lines = self.wire.reply()
        wanted, why = next((v for (name, sent), v in OTHER_CODE.items() if name in self.name and sent == self.sent), (code, ""))
        if lines[-1][:3] != wanted:
            raise AssertionError(f"to {self.sent!r} expected {wanted}, got {lines[-1]}")
        if wanted != code:
            self.notes.append(f"{wanted} for {code} to {self.sent}: {why}")
        self.message = lines[-1].startswith("354")
        if self.sent.startswith("RCPT TO: ") and wanted != code:
            line = re.sub("RCPT TO: (.*)", r"RCPT TO:<\1>", self.sent)
            self.send(line, line.encode() + b"\r\n")
            self.expect(code)

    def chasquid(self, text: str) -> None:
        for line in text.splitlines():
            found = re.match(r"c (tcp_connect|close|->|~>|<-|<~|<\.\.\.)(?: (.*))?$", line)
            if not found:
                if line.strip() and not line.startswith("#"):
                    raise AssertionError("cannot read " + line)
                continue
            verb, rest = found.group(1), found.group(2) or ""
            if verb == "tcp_connect":
                self.connect()
            elif verb == "close":
                self.wire.socket.close()
            elif verb == "->":
                self.send(rest, rest.encode() + b"\r\n")
            elif verb == "~>":
                self.send(rest, literal(rest).encode())
            else:
                self.expect(rest[:3])

    def james(self, text: str) -> None:
        """Commands in succession go out together; a run of S: lines is as many replies as it has last lines."""
        self.connect()
        for line in text.splitlines():
            if line.startswith("C:"):
                self.send(line[3:], line[3:].encode() + b"\r\n")
            elif line.startswith("S:") and not re.match(r"S: \d{3}-|S: 250\.\*", line):
                self.expect(line[3:6])
        if self.sent == "starttls":
            self.tls()

    def tls(self) -> None:
        context = ssl._create_unverified_context()
        with context.wrap_socket(self.wire.socket) as s:
            s.sendall(b"NOOP\r\n")
            if s.recv(100)[:3] != b"250":
                raise AssertionError("nothing works inside TLS")


def literal(expression: str) -> str:
    """The value of 'text', or of ('text' * n + 'text') * n, and nothing else."""
    def value(node):
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Mult, ast.Add)):
            left, right = value(node.left), value(node.right)
            return left * right if isinstance(node.op, ast.Mult) else left + right
        raise AssertionError("cannot read " + expression)
    return value(ast.parse(expression, mode="eval").body)


def test_other_servers_dialogues_are_answered_as_there(home, shared, expect):
    certificate, key = self_signed(home.folder, "DNS:localhost")
    gateway = home.gateway("smtp.bareLineEnds=reject", "smtp.maxMessageBytes=1M",
                           f"smtp.tls.certificate={certificate}", f"smtp.tls.key={key}")
    dialogues = shared / "data" / "smtp-dialogs"
    passed = 0
    for path in sorted(file for file in dialogues.rglob("*") if file.is_file()):
        name = str(path.relative_to(dialogues))
        if name in NOT_APPLICABLE:
            print(f"not applicable: {name}: {NOT_APPLICABLE[name]}")
            continue
        replay = Replay(name, gateway.smtp)
        try:
            (replay.chasquid if path.suffix == ".cmy" else replay.james)(path.read_text(encoding="utf-8"))
        except (AssertionError, EOFError, OSError) as failed:
            expect(f"{name}: {failed}", False)
            continue
        passed += 1
        print(f"passed: {name}", *dict.fromkeys(replay.notes), sep="\n    ")
    expect(f"{passed} dialogues passed", passed)
    gateway.stop()
