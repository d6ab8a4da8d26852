#!/usr/bin/env python3
"""Postfix on both sides: its smtpd_proxy_filter sends to a gateway, and its re-injection port is the gateway's next hop.
Swaks and Python's smtplib talk to the gateway itself, in the clear and inside TLS.
usage: neighbours.py LAUNCHER"""
import os, pwd, re, shutil, smtplib, ssl, subprocess, sys, tempfile, time
from gatewaylib import Gateway, SmtpClient, free_port, wait_for_port

CLIENT = ("real-client.example", "192.0.2.77")
DIRECT = 5


class Postfix:
    """Its own instance from src/test/resources/postfix, with everything it writes below one folder."""

    def __init__(self, folder, outer, gate, inner):
        self.folder, self.config = folder, os.path.join(folder, "etc")
        user = pwd.getpwnam("postfix")
        for name in ("etc", "queue", "data", "mail"):
            os.mkdir(os.path.join(folder, name))
        for name in ("data", "mail"):
            os.chown(os.path.join(folder, name), user.pw_uid, user.pw_gid)
        values = {"WORK": folder, "OUTER": outer, "GATE": gate, "INNER": inner, "UID": user.pw_uid}
        for name in ("main.cf", "master.cf"):
            with open(os.path.join("src/test/resources/postfix", name), encoding="utf-8") as template:
                text = re.sub("@([A-Z]+)@", lambda m: str(values[m.group(1)]), template.read())
            with open(os.path.join(self.config, name), "w", encoding="utf-8") as out:
                out.write(text)
        self.run("start")
        wait_for_port(outer)
        wait_for_port(inner)

    def run(self, verb):
        command = [shutil.which("postfix") or "/usr/sbin/postfix", "-c", self.config, verb]
        result = subprocess.run(command, capture_output=True, text=True, timeout=60)
        if result.returncode:
            sys.exit("postfix %s: %s%s%s" % (verb, result.stdout, result.stderr, self.log()))

    def log(self):
        try:
            with open(os.path.join(self.folder, "maillog"), encoding="utf-8", errors="replace") as f:
                return f.read()
        except FileNotFoundError:
            return ""

    def delivered(self, count, seconds=30):
        """The octets of what lies in the Maildir, once there are so many."""
        inbox = os.path.join(self.folder, "mail", "inbox", "new")
        end = time.time() + seconds
        while time.time() < end and (not os.path.isdir(inbox) or len(os.listdir(inbox)) < count):
            time.sleep(0.1)
        names = sorted(os.listdir(inbox)) if os.path.isdir(inbox) else []
        return [open(os.path.join(inbox, name), "rb").read() for name in names]


def sample_messages():
    """Bodies that a relay could spoil, each below one field that names it."""
    bodies = [b"plain\r\n", b"", b".\r\n..\r\n...x\r\n", b"8-bit \xe9\xff\xc3\xbc\r\n", b"x" * 60000 + b"\r\n", b"\r\n" * 30,
              b"tab\t trailing blanks  \r\nFrom here\r\n", b"".join(b"line %d of many\r\n" % i for i in range(20000))]
    return {b"%d" % i: b"X-Message: %d\r\nSubject: sample\r\nFrom: a@sender.test\r\n\r\n" % i + body for i, body in enumerate(bodies)}


def certificate(folder):
    """A certificate for localhost, signed by itself, and its key."""
    files = [os.path.join(folder, name) for name in ("tls.pem", "tls.key")]
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                    "-addext", "subjectAltName=DNS:localhost", "-out", files[0], "-keyout", files[1]], check=True, capture_output=True)
    return files


def swaks(port, *options):
    """Its exit status and the transcript."""
    command = ["swaks", "--server", "localhost", "--port", str(port), "--from", "a@sender.test", "--to", "b@dest.example", "--header", "X-Message: swaks"]
    result = subprocess.run(command + list(options), capture_output=True, text=True, timeout=60)
    return "status %d, %s" % (result.returncode, " ".join(re.findall(r"^=== TLS.*|^[<~*-]+ +(?:[45]\d\d .*|250 2\.0\.0.*)", result.stdout, re.M)))


def utf8_mail(port, ca):
    """One message with UTF-8 in its envelope and 8-bit text, by smtplib inside TLS; the reply."""
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
        return "%d %s" % (code, reply.decode())


def direct_clients(gateway, ca, expect):
    for options in (["--pipeline"], ["--tls"], ["--tls", "--pipeline"], ["--tls", "--tls-verify", "--tls-ca-path", ca]):
        tls = r".*=== TLS started.*" if "--tls" in options else " "
        expect("swaks " + " ".join(options[:2]), swaks(gateway.smtp, *options), r"status 0," + tls + r".*250 2\.0\.0 Ok: queued as .*")
    expect("smtplib with STARTTLS, SMTPUTF8 and 8BITMIME", utf8_mail(gateway.smtp, ca), r"250 2\.0\.0 Ok: queued as .*")


def main(launcher):
    folder = tempfile.mkdtemp(prefix="bloomgate-neighbours-")
    os.chmod(folder, 0o755)
    outer, inner = free_port(), free_port()
    own = os.path.join(folder, "gateway")
    os.mkdir(own)
    pem, key = certificate(folder)
    gateway = Gateway(launcher, own, "smtp://127.0.0.1:%d" % inner, "snapshots=" + os.path.join(own, "snapshots"),
                      "journal.directory=" + os.path.join(own, "decisions"), "smtp.relayDomains=dest.example",
                      "smtp.hostname=gate.dest.example", "nextHopOptions.heloName=gate.dest.example",
                      "smtp.trusted=127.0.0.0/8", "smtp.tls.certificate=" + pem, "smtp.tls.key=" + key)
    postfix = Postfix(folder, outer, gateway.smtp, inner)
    failures = []

    def expect(what, found, wanted):
        good = re.fullmatch(wanted, found, re.S) is not None
        print("%-4s %s: %s" % ("ok" if good else "FAIL", what, found[:110]))
        if not good:
            failures.append("%s: %r" % (what, found))

    try:
        client = SmtpClient(outer)
        client.command(b"XCLIENT NAME=%s ADDR=%s" % tuple(v.encode() for v in CLIENT))
        client.command(b"EHLO helo.example")
        messages = sample_messages()
        for name, message in messages.items():
            expect("sample %s" % name.decode(), client.send(b"a@sender.test", b"b@dest.example", message), r"250 2\.0\.0 Ok: queued as .*")
        token = r"550 5\.7\.1 Message refused by policy, token [0-9A-Z]{12}"
        expect("listed sender", client.send(b"x@phish.example", b"b@dest.example", b"x"), token)
        link = b"Subject: x\r\n\r\nhttp://www.phish.example/login\r\n"
        expect("listed link", client.send(b"a@sender.test", b"b@dest.example", link), token)
        expect("recipient refused", client.send(b"a@sender.test", b"nobody@dest.example", b"x"),
               r"550 5\.1\.1 <nobody@dest\.example>: Recipient address rejected: no mailbox of that name here")
        expect("recipient deferred", client.send(b"a@sender.test", b"full@dest.example", b"x"),
               r"452 4\.2\.2 <full@dest\.example>: Recipient address rejected: mailbox full, come back tomorrow")
        expect("refused at the dot", client.send(b"odd@sender.test", b"b@dest.example", b"x"),
               r"554 5\.6\.0 <odd@sender\.test>: Sender address rejected: the content is odd")
        expect("deferred at the dot", client.send(b"busy@sender.test", b"b@dest.example", b"x"),
               r"451 4\.3\.1 <busy@sender\.test>: Sender address rejected: no room for it now")
        client.close()
        direct_clients(gateway, pem, expect)
        found = postfix.delivered(len(messages) + DIRECT)
        expect("all delivered", "%d" % len(found), "%d" % (len(messages) + DIRECT))
        by_utf8 = [octets for octets in found if b"X-Message: utf8" in octets]
        expect("UTF-8 envelope and text arrived", "%d %s" % (len(by_utf8), re.findall(rb"Delivered-To: .*|with \w*UTF8\w*|^Subject: .*", b"".join(by_utf8))),
               r"1 .*with UTF8SMTPS.*")
        through = [octets for octets in found if re.search(rb"^X-Message: \d", octets, re.M)]
        intact = 0
        for octets in through:
            at = octets.find(b"X-Message: ")
            original = messages[octets[at + 11:octets.find(b"\n", at)]]
            received = len(re.findall(rb"^Received: ", octets[:at], re.M))
            intact += octets[at:] == original.replace(b"\r\n", b"\n") and received == 3
        expect("octets the same below three Received", "%d of %d" % (intact, len(through)), "%d of %d" % (2 * (len(messages),)))
        seen = re.findall(r"inner/smtpd\[\d+\]: \w+: client=.*", postfix.log())
        told = [line for line in seen if "orig_client=%s[%s]" % CLIENT in line]
        expect("the real client in the log of the next hop", "%d of %d, %s" % (len(told), len(seen) - DIRECT, told[-1] if told else seen), r"(\d+) of \1, .*")
        address = [octets for octets in through if re.search(rb"^Received: from helo\.example \(.*192\.0\.2\.77", octets, re.M)]
        expect("and in its Received fields", "%d of %d" % (len(address), len(through)), r"([1-9]\d*) of \1")
    finally:
        postfix.run("stop")
        gateway.stop()
    print("\n".join(failures) or "neighbours: Postfix before and behind the gateway, all as it should be")
    failures or shutil.rmtree(folder)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
