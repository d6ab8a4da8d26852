#!/usr/bin/env python3
"""Replays the dialogue files of other mail servers: chasquid's .cmy and James's .test.

A reply counts as the same when its code is; where another code is as right by the RFC, or a file is about something a
relay does not have, the table below says why. A file's names and limits are mapped onto a gateway set up for them.
usage: dialogs.py LAUNCHER DIALOGS"""
import ast, os, re, shutil, socket, ssl, subprocess, sys, tempfile
from gatewaylib import Gateway

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
    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), 20)
        self.buffer = b""

    def reply(self):
        lines = []
        while not lines or lines[-1][3:4] == "-":
            while b"\r\n" not in self.buffer:
                data = self.socket.recv(65536)
                if not data:
                    raise EOFError("closed after %s" % lines)
                self.buffer += data
            line, self.buffer = self.buffer.split(b"\r\n", 1)
            lines.append(line.decode("latin1"))
        return lines


class Replay:
    def __init__(self, name, gateway):
        self.name = name
        self.port = gateway.smtp
        self.wire = None
        self.sent = ""
        self.message = False
        self.notes = []

    def connect(self):
        self.wire = Wire(self.port)
        self.sent, self.message = "", False

    def send(self, line, octets):
        self.sent = "MESSAGE" if self.message else line
        self.wire.socket.sendall(octets)

    def expect(self, code):
        lines = self.wire.reply()
        wanted, why = next((v for (name, sent), v in OTHER_CODE.items() if name in self.name and sent == self.sent), (code, ""))
        if lines[-1][:3] != wanted:
            raise AssertionError("to %r expected %s, got %s" % (self.sent, wanted, lines[-1]))
        if wanted != code:
            self.notes.append("%s for %s to %s: %s" % (wanted, code, self.sent, why))
        self.message = lines[-1].startswith("354")
        if self.sent.startswith("RCPT TO: ") and wanted != code:
            line = re.sub("RCPT TO: (.*)", r"RCPT TO:<\1>", self.sent)
            self.send(line, line.encode() + b"\r\n")
            self.expect(code)

    def chasquid(self, text):
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

    def james(self, text):
        """Commands in succession go out together; a run of S: lines is as many replies as it has last lines."""
        self.connect()
        for line in text.splitlines():
            if line.startswith("C:"):
                self.send(line[3:], line[3:].encode() + b"\r\n")
            elif line.startswith("S:") and not re.match(r"S: \d{3}-|S: 250\.\*", line):
                self.expect(line[3:6])
        if self.sent == "starttls":
            self.tls()

    def tls(self):
        context = ssl._create_unverified_context()
        with context.wrap_socket(self.wire.socket) as s:
            s.sendall(b"NOOP\r\n")
            if s.recv(100)[:3] != b"250":
                raise AssertionError("nothing works inside TLS")


def literal(expression):
    """The value of 'text', or of ('text' * n + 'text') * n, and nothing else."""
    def value(node):
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Mult, ast.Add)):
            left, right = value(node.left), value(node.right)
            return left * right if isinstance(node.op, ast.Mult) else left + right
        raise AssertionError("cannot read " + expression)
    return value(ast.parse(expression, mode="eval").body)


def main(launcher, dialogs):
    folder = tempfile.mkdtemp(prefix="bloomgate-dialogs-")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                    "-out", folder + "/tls.pem", "-keyout", folder + "/tls.key"], check=True, capture_output=True)
    gateway = Gateway(launcher, folder, "maildir:" + os.path.join(folder, "mail"), "snapshots=" + os.path.join(folder, "snapshots"),
                      "journal.directory=" + os.path.join(folder, "decisions"), "smtp.bareLineEnds=reject", "smtp.maxMessageBytes=1M",
                      "smtp.tls.certificate=%s/tls.pem" % folder, "smtp.tls.key=%s/tls.key" % folder)
    counts = {"passed": 0, "not applicable": 0, "failed": 0}
    for directory, _, names in sorted(os.walk(dialogs)):
        for name in sorted(names):
            path = os.path.join(directory, name)
            short = os.path.relpath(path, dialogs)
            if short in NOT_APPLICABLE:
                verdict, notes = "not applicable", [NOT_APPLICABLE[short]]
            else:
                replay = Replay(short, gateway)
                with open(path, encoding="utf-8") as f:
                    text = f.read()
                try:
                    (replay.chasquid if short.endswith(".cmy") else replay.james)(text)
                    verdict, notes = "passed", replay.notes
                except (AssertionError, EOFError, OSError) as failed:
                    verdict, notes = "failed", [str(failed)]
            counts[verdict] += 1
            print("%-14s %s" % (verdict, short))
            for note in dict.fromkeys(notes):
                print("%15s%s" % ("", note))
    gateway.stop()
    shutil.rmtree(folder)
    print("dialogs: " + ", ".join("%d %s" % (n, verdict) for verdict, n in counts.items()))
    sys.exit(1 if counts["failed"] or not counts["passed"] else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
