"""The mail server's side of the milter protocol: sends frames, reads answers, and carries out the edits it is told."""
import re
import socket
import struct
from dataclasses import dataclass

ALL_ACTIONS, ALL_STEPS = 0x1FF, 0x1FFFFF  # All that Postfix 3.7 offers.
PIECE = 65_535  # Bytes of a body in one frame.
FIELD = re.compile(rb"([!-9;-~]+)([ \t]*:.*)", re.S)


class HeldMessage:
    """A message as a mail server takes it apart: the first line that is no field begins the body; the leading line of a
    mailbox becomes a field, as Postfix has it."""

    def __init__(self, blob: bytes):
        self.fields: list[tuple[bytes, bytes]] = []  # Names, and what stands behind the colon, lines parted by LF.
        header, at = [], 0
        while at < len(blob):
            end = blob.find(b"\r\n", at)
            end = len(blob) if end < 0 else end
            line = blob[at:end]
            line = b"Mailbox-Line: " + line if at == 0 and line.startswith(b"From ") else line
            if header and line[:1] in (b" ", b"\t"):
                header[-1] += b"\n" + line
            elif FIELD.match(line):
                header.append(line)
            else:
                break
            at = end + 2
        self.body = blob[at:].removeprefix(b"\r\n")
        self.fields = [(line[:line.index(b":")], line[line.index(b":") + 1:]) for line in header]

    def edit(self, answer: bytes) -> None:
        """Inserts or changes a field."""
        code, index = answer[:1], struct.unpack(">I", answer[1:5])[0]
        name, value, _ = answer[5:].split(b"\0")
        if code == b"i":
            self.fields.insert(index, (name, value))
            return
        same = [i for i, field in enumerate(self.fields) if field[0].lower() == name.lower()]
        assert len(same) >= index >= 1, f"no field {index} {name!r}"
        at = same[index - 1]
        self.fields[at:at + 1] = [(self.fields[at][0], value)] if value else []

    def blob(self) -> bytes:
        """With CRLF."""
        return b"".join(name + b":" + value.replace(b"\n", b"\r\n") + b"\r\n" for name, value in self.fields) + b"\r\n" + self.body


def client(address: str, name: str = "client.example") -> bytes:
    """What is told of one that connects."""
    return name.encode() + b"\0" + (b"6" if ":" in address else b"4") + struct.pack(">H", 49152) + address.encode() + b"\0"


@dataclass
class Outcome:
    """What became of a mail: the answers that decided it, to MAIL, each recipient and the message; the message after the
    edits, if a recipient was accepted; and the recipients that are removed."""
    answers: list[bytes]
    message: bytes = b""
    removed: tuple[str, ...] = ()

    @property
    def last(self) -> bytes:
        return self.answers[-1]

    @property
    def reply(self) -> str:
        """What the mail server's client is told."""
        return {b"c": "250", b"d": "250", b"t": "451 4.7.1"}.get(self.last) or self.last[1:].rstrip(b"\0").replace(b"%%", b"%").decode()


class MilterClient:
    def __init__(self, port: int, actions: int = ALL_ACTIONS, steps: int = ALL_STEPS, version: int = 6):
        self.socket = socket.create_connection(("127.0.0.1", port), 60)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.unsent, self.unread = b"", b""
        self.agreed = struct.unpack(">3I", self.ask(b"O", struct.pack(">3I", version, actions, steps))[1:13])

    def __enter__(self) -> "MilterClient":
        return self

    def __exit__(self, *_) -> None:
        self.socket.close()

    def send(self, command: bytes, data: bytes = b"") -> None:
        """Goes out with the next that has an answer, or flush."""
        self.unsent += struct.pack(">I", len(data) + 1) + command + data

    def flush(self) -> None:
        self.socket.sendall(self.unsent)
        self.unsent = b""

    def ask(self, command: bytes, data: bytes = b"") -> bytes:
        self.send(command, data)
        return self.answer()

    def answer(self) -> bytes:
        """The next one but for progress."""
        self.flush()
        while (frame := self._take(*struct.unpack(">I", self._take(4)))) == b"p":
            pass
        return frame

    def _take(self, count: int) -> bytes:
        while len(self.unread) < count:
            blob = self.socket.recv(65536)
            if not blob:
                raise EOFError("closed by the milter")
            self.unread += blob
        taken, self.unread = self.unread[:count], self.unread[count:]
        return taken

    def rest(self) -> list[bytes]:
        """All answers up to the end of the connection."""
        self.flush()
        answers = []
        try:
            while True:
                answers.append(self.answer())
        except EOFError:
            return answers

    def connect(self, address: str, name: str = "client.example") -> bytes:
        return self.ask(b"C", client(address, name))

    def helo(self, name: str) -> None:
        self.send(b"H", name.encode() + b"\0")

    def macro(self, stage: bytes, **values: str) -> None:
        self.send(b"D", stage + b"".join(b"{%s}\0%s\0" % (name.encode(), value.encode()) for name, value in values.items()))

    def mail_from(self, sender: str) -> bytes:
        return self.ask(b"M", b"<%s>\0" % sender.encode())

    def rcpt_to(self, recipient: str) -> bytes:
        return self.ask(b"R", b"<%s>\0" % recipient.encode())

    def mail(self, sender: str, recipients: list[str], blob: bytes) -> Outcome:
        """One mail, up to its end or to the refusal of its last recipient."""
        answers = [self.mail_from(sender), *map(self.rcpt_to, recipients)]
        if b"c" not in answers[1:]:
            self.send(b"A")
            return Outcome(answers)
        message = HeldMessage(blob)
        for name, value in message.fields:
            self.send(b"L", name + b"\0" + value + b"\0")
        for at in range(0, len(message.body), PIECE):
            self.send(b"B", message.body[at:at + PIECE])
        self.send(b"E")
        outcome = Outcome(answers)
        while (answer := self.answer())[:1] in (b"i", b"m", b"-"):
            if answer[:1] == b"-":
                outcome.removed += (answer[2:-2].decode(),)
            else:
                message.edit(answer)
        answers.append(answer)
        outcome.message = message.blob()
        return outcome
