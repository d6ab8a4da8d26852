"""What the checks share: a gateway on free ports, a recording next hop, and a plain SMTP client that sends exact octets."""
import atexit, json, os, re, signal, socket, subprocess, sys, time


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Sink:
    """raw_sink.py on a free port; events() gives what it recorded."""

    def __init__(self, tools, folder, *options):
        self.port = free_port()
        self.log = os.path.join(folder, "sink-%d.jsonl" % self.port)
        script = os.path.join(tools, "smtp", "raw_sink.py")
        self.process = subprocess.Popen([sys.executable, script, "--port", str(self.port), "--log", self.log, "--hex", *options])
        atexit.register(self.process.kill)
        wait_for_port(self.port)

    def events(self, kind):
        with open(self.log, encoding="utf-8") as lines:
            return [e for e in map(json.loads, lines) if e["e"] == kind]

    def stop(self):
        self.process.terminate()
        self.process.wait(10)


class Gateway:
    """bloomgate gateway with its own folder for everything it writes."""

    def __init__(self, launcher, folder, next_hop, *sets, config=None):
        self.folder = folder
        self.stderr_path = os.path.join(folder, "gateway.log")
        command = [launcher, "gateway"] + (["-c", config] if config else [])
        for s in ["smtp.listen=127.0.0.1:0", "http.listen=127.0.0.1:0", "nextHop=" + next_hop, *sets]:
            command += ["--set", s]
        self.stderr = open(self.stderr_path, "wb")
        self.process = subprocess.Popen(command, stderr=self.stderr, stdout=subprocess.DEVNULL)
        atexit.register(self.process.kill)
        ready = self.wait_for_line(r"ready smtp=\S+:(\d+) http=\S+:(\d+)")
        self.smtp, self.http = int(ready.group(1)), int(ready.group(2))

    def wait_for_line(self, pattern, seconds=60):
        end = time.time() + seconds
        while time.time() < end:
            with open(self.stderr_path, encoding="utf-8", errors="replace") as f:
                found = re.search(pattern, f.read())
            if found:
                return found
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        sys.exit("no line %r from the gateway:\n%s" % (pattern, open(self.stderr_path).read()))

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            sys.exit("the gateway did not stop within 30 s of SIGTERM")
        return self.process.returncode


def wait_for_port(port, seconds=20):
    end = time.time() + seconds
    while time.time() < end:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.05)
    sys.exit("nothing listens on port %d" % port)


class SmtpClient:
    """Exact octets out, whole replies in."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), 60)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer = b""
        self.reply()
        self.command(b"EHLO client.test")

    def reply(self):
        while True:
            lines = self.buffer.split(b"\r\n")
            for i, line in enumerate(lines[:-1]):
                if line[3:4] != b"-":
                    self.buffer = b"\r\n".join(lines[i + 1:])
                    return line.decode("latin1")
            data = self.socket.recv(65536)
            if not data:
                raise EOFError("closed by the gateway, pending %r" % self.buffer)
            self.buffer += data

    def command(self, line):
        self.socket.sendall(line + b"\r\n")
        return self.reply()

    def send(self, sender, recipient, message):
        """The reply that decided, to MAIL, RCPT, DATA or the dot."""
        for line, wanted in ((b"MAIL FROM:<%s>" % sender, "2"), (b"RCPT TO:<%s>" % recipient, "2"), (b"DATA", "3")):
            reply = self.command(line)
            if reply[:1] != wanted:
                self.command(b"RSET")
                return reply
        full = message if message.endswith(b"\r\n") or not message else message + b"\r\n"
        self.socket.sendall(re.sub(rb"(^|\r\n)\.", rb"\1..", full) + b".\r\n")
        return self.reply()

    def close(self):
        try:
            self.command(b"QUIT")
        except (EOFError, OSError):
            pass
        self.socket.close()


def unstuffed(wire):
    """The message in the octets a sink recorded."""
    octets = wire.encode("latin1")
    octets = octets[:-3] if octets.endswith(b".\r\n") else octets
    return re.sub(rb"(^|\r\n)\.\.", rb"\1.", octets)


FIELD = re.compile(rb"\A([^:\r\n]+):[^\r\n]*\r\n(?:[ \t][^\r\n]*\r\n)*")


def below_trace(message):
    """(names of our fields on top, the message below them)."""
    names = []
    while True:
        field = FIELD.match(message)
        name = field.group(1).decode("latin1") if field else ""
        if not (name == "Received" and not names) and not name.startswith("X-Bloomgate-"):
            return names, message
        names.append(name)
        message = message[field.end():]
