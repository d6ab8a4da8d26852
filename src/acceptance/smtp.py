"""An SMTP client that sends exact bytes, and next hops: one that writes down what it takes, Postfix's for load."""
import json
import os
import re
import socket
import subprocess
import sys
from pathlib import Path

from packages import program
from processes import Processes, free_port, wait_for_port


class SmtpClient:
    """Exact bytes out, whole replies in. Greeted and ready for MAIL."""

    def __init__(self, port: int, host: str = "127.0.0.1", source: str = ""):
        self.socket = socket.create_connection((host, port), 60, (source, 0))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer = b""
        greeting = self.reply()
        if not greeting.startswith("220"):
            raise EOFError(f"greeted with {greeting}")
        self.command(b"EHLO client.test")

    def __enter__(self) -> "SmtpClient":
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def reply(self) -> str:
        """The last line of the next reply."""
        while True:
            lines = self.buffer.split(b"\r\n")
            for i, line in enumerate(lines[:-1]):
                if line[3:4] != b"-":
                    self.buffer = b"\r\n".join(lines[i + 1:])
                    return line.decode("latin1")
            data = self.socket.recv(65536)
            if not data:
                raise EOFError(f"closed by the gateway, pending {self.buffer!r}")
            self.buffer += data

    def command(self, line: bytes) -> str:
        self.socket.sendall(line + b"\r\n")
        return self.reply()

    def send(self, sender: bytes, recipient: bytes, message: bytes) -> str:
        """The reply that decided, to MAIL, RCPT, DATA or the dot."""
        for line, wanted in ((b"MAIL FROM:<%s>" % sender, "2"), (b"RCPT TO:<%s>" % recipient, "2"), (b"DATA", "3")):
            reply = self.command(line)
            if reply[:1] != wanted:
                self.command(b"RSET")
                return reply
        self.socket.sendall(re.sub(rb"(^|\r\n)\.", rb"\1..", terminated(message)) + b".\r\n")
        return self.reply()

    def close(self) -> None:
        try:
            self.command(b"QUIT")
        except (EOFError, OSError):
            pass
        self.socket.close()


def terminated(message: bytes) -> bytes:
    """As it goes over the wire: a line end at its end, unless it is empty."""
    return message if message.endswith(b"\r\n") or not message else message + b"\r\n"


def unstuffed(wire: str) -> bytes:
    """The message in the bytes that a recording next hop took."""
    blob = wire.encode("latin1")
    blob = blob[:-3] if blob.endswith(b".\r\n") else blob
    return re.sub(rb"(^|\r\n)\.\.", rb"\1.", blob)


FIELD = re.compile(rb"\A([^:\r\n]+):[^\r\n]*\r\n(?:[ \t][^\r\n]*\r\n)*")


def below_trace(message: bytes) -> tuple[list[str], bytes]:
    """The names of the fields the gateway put on top, and the message below them."""
    names = []
    while True:
        field = FIELD.match(message)
        name = field.group(1).decode("latin1") if field else ""
        if not (name == "Received" and not names) and not name.startswith("X-Bloomgate-"):
            return names, message
        names.append(name)
        message = message[field.end():]


class WireSink:
    """A next hop that writes down every byte: raw_sink.py of the shared tools."""

    def __init__(self, processes: Processes, shared: Path, folder: Path, *options: str):
        self.port = free_port()
        self.log = folder / f"sink-{self.port}.jsonl"
        script = shared / "tools" / "smtp" / "raw_sink.py"
        self.process = processes.start(sys.executable, script, "--port", self.port, "--log", self.log, "--hex", *options)
        wait_for_port(self.port)

    def events(self, kind: str) -> list[dict]:
        with self.log.open(encoding="utf-8") as lines:
            return [event for event in map(json.loads, lines) if event["e"] == kind]

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(60)


class MortalSink:
    """A next hop that writes down the names of messages before it answers 250, and dies when told to: mortal_sink.py."""
    PHASES = ("mail", "data", "dot", "recorded")

    def __init__(self, processes: Processes, folder: Path):
        self.processes, self.port, self.log = processes, free_port(), folder / "recorded"
        self.process = self.start()
        wait_for_port(self.port)

    def start(self, phase: str = "never", count: int = 0) -> subprocess.Popen:
        """A process that dies when it is in the phase for the count-th time."""
        script = Path(__file__).with_name("mortal_sink.py")
        self.process = self.processes.start(sys.executable, script, self.port, self.log, phase, count)
        return self.process

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def recorded(self) -> list[str]:
        return self.log.read_text().split()


def discarding_sink(processes: Processes, sessions: int, *options: str) -> int:
    """The port of Postfix's smtp-sink, which takes what it is sent and forgets it."""
    port = free_port()
    user = ["-u", "nobody"] if os.geteuid() == 0 else []
    processes.start_silent(program("smtp-sink"), *user, *options, f"127.0.0.1:{port}", sessions)
    wait_for_port(port)
    return port
