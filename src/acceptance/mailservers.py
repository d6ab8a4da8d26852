"""Mail servers that ask a milter while they receive, each in a folder of its own: Postfix, and a Sendmail that is
unpacked beside it, as the two packages exclude each other."""
import ctypes
import os
import pwd
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from packages import program
from processes import Processes, cpu_seconds, free_port, listens, wait_for_port, wait_until
from product import OUTPUT

POSTFIX = """\
compatibility_level = 3.6
queue_directory = @WORK@/queue
data_directory = @WORK@/data
maillog_file = @WORK@/maillog
maillog_file_prefixes = @WORK@
daemon_directory = /usr/lib/postfix/sbin
command_directory = /usr/sbin
mail_owner = postfix
setgid_group = postdrop
inet_interfaces = loopback-only
inet_protocols = ipv4
smtp_dns_support_level = disabled
smtpd_peername_lookup = no
myhostname = mx.dest.example
mydestination =
mynetworks = 127.0.0.0/8
alias_maps =
local_header_rewrite_clients =
virtual_transport = virtual
virtual_mailbox_domains = static:every
virtual_mailbox_base = @WORK@/mail
virtual_mailbox_maps = static:inbox/
virtual_minimum_uid = 1
virtual_uid_maps = static:@UID@
virtual_gid_maps = static:@UID@
virtual_mailbox_limit = 0
milter_default_action = tempfail
milter_connect_timeout = 5s
smtpd_milters = @MILTER@
non_smtpd_milters = @MILTER@
"""
SERVICES = """\
127.0.0.1:@PORT@ inet n - n - 60 smtpd
  -o smtpd_authorized_xclient_hosts=127.0.0.0/8
  -o smtpd_client_connection_count_limit=0
127.0.0.1:@LENIENT@ inet n - n - 60 smtpd
  -o milter_default_action=accept
  -o smtpd_client_connection_count_limit=0
127.0.0.1:@RELEASED@ inet n - n - 60 smtpd
  -o smtpd_milters=
  -o smtpd_authorized_xforward_hosts=127.0.0.0/8
postlog   unix-dgram n - n -   1 postlogd
pickup    unix n - n 60 1 pickup
cleanup   unix n - n - 0 cleanup
qmgr      unix n - n 300 1 qmgr
rewrite   unix - - n - - trivial-rewrite
bounce    unix - - n - 0 bounce
defer     unix - - n - 0 bounce
trace     unix - - n - 0 bounce
proxymap  unix - - n - - proxymap
virtual   unix - n n - - virtual
error     unix - - n - - error
retry     unix - - n - - error
anvil     unix - - n - 1 anvil
showq     unix n - n - - showq
"""


@dataclass
class Arrived:
    """A mail that was taken and not held, LF line ends: for whom, and its header and body."""
    sender: str
    recipients: frozenset[str]
    header: bytes
    body: bytes


class Postfix:
    """Delivers the mail of all recipients into one Maildir. Its lenient port takes mail unasked while no milter is there, and the
    port for what is released asks none."""

    def __init__(self, folder: Path, milter: str, released: int | str = 0):
        self.folder, self.port, self.lenient_port, self.released_port = folder, free_port(), free_port(), released or free_port()
        user = pwd.getpwnam("postfix")
        for name in ("etc", "queue", "data", "mail"):
            (folder / name).mkdir(parents=True)
        for name in ("data", "mail"):
            os.chown(folder / name, user.pw_uid, user.pw_gid)
        values = {"WORK": folder, "PORT": self.port, "LENIENT": self.lenient_port, "RELEASED": self.released_port, "MILTER": milter, "UID": user.pw_uid}
        for name, template in (("main.cf", POSTFIX), ("master.cf", SERVICES)):
            (folder / "etc" / name).write_text(re.sub("@([A-Z]+)@", lambda found: str(values[found.group(1)]), template))
        self.run("start")
        wait_for_port(self.port)

    def run(self, verb: str) -> None:
        done = subprocess.run([program("postfix"), "-c", self.folder / "etc", verb], capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, f"postfix {verb}: {done.stdout}{done.stderr}{self.log()}"

    def pid(self) -> int:
        """Of the process above all others."""
        return int((self.folder / "queue" / "pid" / "master.pid").read_text())

    def log(self) -> str:
        file = self.folder / "maillog"
        return file.read_text(encoding="utf-8", errors="replace") if file.exists() else ""

    def inbox(self) -> list[Path]:
        folder = self.folder / "mail" / "inbox" / "new"
        return sorted(folder.iterdir()) if folder.is_dir() else []

    def mails(self) -> list[bytes]:
        """What was delivered, LF line ends, below the fields that delivery adds."""
        return [file.read_bytes() for file in self.inbox()]

    def arrived(self) -> list[Arrived]:
        """One for each recipient, without the fields that delivery adds."""
        found = []
        for mail in self.mails():
            trace = re.match(rb"Return-Path: <(.*)>\n(?:X-Original-To: .*\n)?Delivered-To: (.*)\n", mail)
            header, _, body = mail[trace.end():].partition(b"\n\n")
            found.append(Arrived(trace.group(1).decode(), frozenset({trace.group(2).decode()}), header, body))
        return found

    def submit(self, sender: str, recipient: str, text: bytes) -> None:
        """From this machine itself, not by SMTP."""
        command = ["/usr/sbin/sendmail", "-C", self.folder / "etc", "-f", sender, recipient]
        done = subprocess.run(command, input=text, capture_output=True, timeout=60)
        assert done.returncode == 0, done.stderr

    def stop(self) -> None:
        self.run("stop")


class Rspamd:
    """As its package configures it, in one process that mail servers ask as a milter; without the modules that ask others
    over the network or a database, and without an opinion that would keep mail from arriving."""
    ASKS_OTHERS = ("arc", "asn", "bayes_expiry", "dkim", "dkim_signing", "dmarc", "fuzzy_check", "greylist", "history_redis", "mx_check", "neural", "phishing",
                   "ratelimit", "rbl", "replies", "reputation", "rspamd_update", "spf", "surbl", "url_redirector")

    def __init__(self, processes: Processes, folder: Path):
        self.port, override = free_port(), folder / "override.d"
        override.mkdir(parents=True)
        nobody = free_port()  # is to be asked for names
        settings = {
            "options.inc": f'dns {{ nameserver = "127.0.0.1:{nobody}"; timeout = 0.1s; retransmits = 1; }} filters = "chartable,regexp"; '
                           f'control_socket = "{folder}/control mode=0600";',
            "logging.inc": 'level = "warning";', "worker-normal.inc": "enabled = false;", "worker-controller.inc": "enabled = false;",
            "worker-proxy.inc": f'bind_socket = "127.0.0.1:{self.port}"; milter = yes; count = 1; upstream "local" {{ default = yes; self_scan = yes; }}',
            "actions.conf": "reject = 100000; add_header = 90000; greylist = 80000;",
            **{f"{module}.conf": "enabled = false;" for module in self.ASKS_OTHERS},
        }
        for name, text in settings.items():
            (override / name).write_text(text + "\n")
        compiled = OUTPUT / "rspamd"  # What it compiles at its first start, for a minute and more, it finds there at the next.
        compiled.mkdir(parents=True, exist_ok=True)
        variables = [f"--var={name}={folder}" for name in ("LOCAL_CONFDIR", "RUNDIR", "LOGDIR")] + [f"--var=DBDIR={compiled}"]
        self.process = processes.start("rspamd", "-f", "-i", "-c", "/etc/rspamd/rspamd.conf", *variables,
                                       stdout=(folder / "stdout").open("wb"), stderr=subprocess.STDOUT)
        wait_until(f"rspamd listens on port {self.port}", lambda: self.listens(folder / "stdout"), 600)
        wait_until("rspamd has compiled its rules", self.idle, 600)

    def listens(self, log: Path) -> bool:
        assert self.process.poll() is None, log.read_text(errors="replace")[-3000:]
        return listens(self.port)

    def idle(self) -> bool:
        """A helper of its goes on compiling when it listens already."""
        before = cpu_seconds(self.process.pid)
        time.sleep(2)
        return cpu_seconds(self.process.pid) - before < 0.1

    def stop(self) -> None:
        """With its workers, which outlive it when it is killed."""
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(30)


class Sendmail:
    """The daemon of packages unpacked into a folder; it queues and delivers nothing."""
    PACKAGES = ("sendmail-bin", "sendmail-cf", "m4", "libsigsegv2", "libwrap0", "liblockfile1")

    @classmethod
    def unpack(cls, folder: Path) -> Path | None:
        """Where the packages lie; none when they cannot be had."""
        root = unpacked(folder, *cls.PACKAGES)
        return root if root and (root / "usr/libexec/sendmail/sendmail").exists() else None

    def __init__(self, processes: Processes, root: Path, folder: Path, milter: str, address: str = "", logins: Path | None = None,
                 released: int | str = 0):
        """:param released: a port that does not ask the milter.
        :param address: in a network of its own it and its clients have this one; they connect `within` it.
        :param logins: folder with what it is told of PLAIN logins, Sendmail.conf; none takes no logins."""
        self.folder, self.port = folder, free_port()
        for name in ("queue", "etc"):
            (folder / name).mkdir(parents=True)
        (folder / "queue").chmod(0o700)
        (folder / "etc" / "local-host-names").write_text("dest.example\n")
        macros = "\n".join([
            f"include(`{root}/usr/share/sendmail/cf/m4/cf.m4')dnl", "OSTYPE(`linux')dnl", "FEATURE(`nocanonify')dnl",
            "FEATURE(`accept_unresolvable_domains')dnl", "FEATURE(`accept_unqualified_senders')dnl", f"define(`QUEUE_DIR', `{folder}/queue')dnl",
            f"define(`confCW_FILE', `{folder}/etc/local-host-names')dnl", "define(`confDELIVERY_MODE', `q')dnl",
            "define(`confREFUSE_LA', `1000')dnl", "define(`confQUEUE_LA', `1000')dnl",  # However busy the machine is.
            f"define(`confPID_FILE', `{folder}/pid')dnl", "define(`confDONT_BLAME_SENDMAIL', `groupwritabledirpathsafe')dnl",
            "define(`ALIAS_FILE', `')dnl", "define(`STATUS_FILE', `')dnl", "define(`confHOSTS_FILE', `/etc/hosts')dnl", "define(`confDOMAIN_NAME', `mx.dest.example')dnl", "define(`confTO_IDENT', `0s')dnl",
            f"DAEMON_OPTIONS(`Port={self.port}, Addr={address or '127.0.0.1'}, Name=MTA')dnl", "FEATURE(`no_default_msa')dnl",
            *([f"DAEMON_OPTIONS(`Port={released}, Addr=127.0.0.1, Name=Released, InputMailFilters=')dnl"] if released else []),
            f"INPUT_MAIL_FILTER(`bloomgate', `S={milter}, F=T, T=S:30s;R:30s;E:5m')dnl",
            "FEATURE(`relay_entire_domain')dnl", "MAILER(`local')dnl", "MAILER(`smtp')dnl", *(["LOCAL_CONFIG", "O AuthMechanisms=PLAIN"] if logins else []), ""])
        (folder / "etc" / "sendmail.mc").write_text(macros)
        written = subprocess.run([root / "usr/bin/m4", f"-D_CF_DIR_={root}/usr/share/sendmail/cf/", folder / "etc" / "sendmail.mc"],
                                 env=libraries(root), capture_output=True, text=True)
        assert written.returncode == 0, written.stderr
        (folder / "etc" / "sendmail.cf").write_text(written.stdout)
        (root / "usr/libexec/sendmail/sendmail").chmod(0o755)  # With a group of its own it would not look for libraries here.
        self.root = root
        # Without a dot in the name of its machine it would wait for a minute.
        alone = ["--uts", *(["--net"] if address else []), *(["--mount"] if logins else [])]
        setting = "hostname mx.dest.example; " + (f"ip link set lo up; ip address add {address} dev lo; " if address else "") + (
            f"mount --bind {logins} /usr/lib/sasl2; " if logins else "")
        self.daemon = processes.start("unshare", *alone, "sh", "-c", setting + 'exec "$@"', "sh", root / "usr/libexec/sendmail/sendmail", "-bD",
                                      "-C", folder / "etc" / "sendmail.cf",
                                      env=libraries(root), stdout=subprocess.DEVNULL, stderr=(folder / "stderr").open("wb"))
        wait_until("Sendmail listens", lambda: self.listens(address or "127.0.0.1"))

    def listens(self, address: str) -> bool:
        with self.within():
            return listens(self.port, address)

    @contextmanager
    def within(self) -> Iterator[None]:
        """Sockets that this thread opens meanwhile are of Sendmail's network."""
        with open("/proc/self/ns/net", "rb") as own, open(f"/proc/{self.daemon.pid}/ns/net", "rb") as its:
            enter(its.fileno())
            try:
                yield
            finally:
                enter(own.fileno())

    def run(self, *arguments: str) -> str:
        """What its command says that people look after the queue with."""
        command = ["unshare", "--uts", "sh", "-c", 'hostname mx.dest.example; exec "$@"', "sh", self.root / "usr/libexec/sendmail/sendmail",
                   "-C", self.folder / "etc" / "sendmail.cf", *arguments]
        done = subprocess.run(command, env=libraries(self.root), capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def arrived(self) -> list[Arrived]:
        found = []
        for file in sorted((self.folder / "queue").rglob("qf*")):
            lines = file.read_bytes()
            # One with letters there is Sendmail's own, for delivery.
            header = b"".join(field.removeprefix(b"H??") for field in re.findall(rb"(?m)^H\?\?.*\n(?:[ \t].*\n)*", lines))
            recipients = frozenset(one.decode() for one in re.findall(rb"(?m)^R[A-Z]*:<?([^<>\n]*)>?$", lines))
            sender = re.search(rb"(?m)^S<?([^<>\n]*)>?$", lines).group(1).decode()
            found.append(Arrived(sender, recipients, header.rstrip(b"\n"), file.with_name("df" + file.name[2:]).read_bytes()))
        return found

    def queued(self) -> list[bytes]:
        return [file.read_bytes() for file in sorted((self.folder / "queue").rglob("*")) if file.name.startswith("qf")]

    def stop(self) -> None:
        self.daemon.send_signal(signal.SIGTERM)
        self.daemon.wait(60)


def enter(namespace: int) -> None:
    if ctypes.CDLL(None, use_errno=True).setns(namespace, 0) != 0:
        raise OSError(ctypes.get_errno(), "setns")


def libraries(root: Path) -> dict[str, str]:
    """The environment in which unpacked programs find what they came with."""
    return {**os.environ, "LD_LIBRARY_PATH": ":".join(map(str, (folder for lib in ("lib", "usr/lib") for folder in (root / lib).glob("*-linux-gnu"))))}


def unpacked(folder: Path, *packages: str) -> Path | None:
    """The packages' files below a folder, never installed; none where no package can be fetched."""
    folder.mkdir(parents=True, exist_ok=True)
    fetched = subprocess.run(["apt-get", "download", *packages], cwd=folder, capture_output=True, timeout=120)
    if fetched.returncode != 0:
        return None
    for file in folder.glob("*.deb"):
        subprocess.run(["dpkg-deb", "-x", file, folder / "root"], check=True)
    return folder / "root"
