"""rspamd, SpamAssassin and Exim, set up as config/dns/README.md says, refuse and score mail by the gateway's zones."""
import json
import re
import subprocess
import urllib.request
from pathlib import Path

import pytest

from mailservers import libraries, unpacked
from packages import program
from processes import free_port, wait_for_port
from product import CHECKOUT, Home, mail_with_link
from test_dnsbl import RESOLVER, ZONE, DnsServer

SENDER = b"From: a@sender.test\r\nTo: b@dest.example\r\nMessage-ID: <1@sender.test>\r\nDate: Thu, 1 Jan 2026 00:00:00 +0000\r\n"
PHISH, CLEAN = b"www.bad.example", b"www.good.example"
RSPAMD = """
options {{
  pidfile = "{folder}/rspamd.pid";
  control_socket = "{folder}/control mode=0600";
  cache_file = "{folder}/symbols.cache";
  hs_cache_dir = "{folder}";
  tempdir = "{folder}";
  url_tld = "{folder}/suffixes";
  filters = "";
  dns {{ nameserver = ["127.0.0.1:{dns}"]; timeout = 20s; }}
}}
logging {{ type = "file"; filename = "{folder}/rspamd.log"; level = "info"; }}
worker "normal" {{ bind_socket = "127.0.0.1:{port}"; count = 1; }}
modules {{ path = "/usr/share/rspamd/plugins/rbl.lua"; }}
actions {{ reject = 5; }}
group "rbl" {{ {scores} }}
rbl {{ {documented} }}
"""
SPAMASSASSIN = """
loadplugin Mail::SpamAssassin::Plugin::Check
loadplugin Mail::SpamAssassin::Plugin::URIDNSBL
dns_available yes
dns_server [127.0.0.1]:{dns}
util_rb_tld example test
clear_report_template
report _SCORE_ _TESTS_
{documented}
"""


def documented(heading: str) -> list[str]:
    """What the guide says to write for a filter, a text for each file, for the zones of these checks."""
    guide = (CHECKOUT / "config" / "dns" / "README.md").read_text(encoding="utf-8")
    section = re.search(rf"^## {heading}$(.*?)(?=^## |\Z)", guide, re.S | re.M)[1]
    own = section.replace("dbl.example", ZONE).replace("nets.example", f"nets.{ZONE}")
    return re.findall(r"^```\n(.*?)^```$", own, re.S | re.M)


@pytest.fixture
def listener(launcher, open_folder, processes) -> DnsServer:
    home = Home(launcher, open_folder, processes)
    return DnsServer(home, ["bad.example"], codes="phishing: 127.0.0.4")


class Rspamd:
    """Its scanner with no rules but the guide's, which asks the gateway's port."""

    def __init__(self, home: Home, dns: int):
        folder, self.port = home.path("rspamd"), free_port()
        folder.mkdir(mode=0o777)
        folder.chmod(0o777)
        (folder / "suffixes").write_text("example\ntest\n")  # all of them take seconds to compile
        config = folder / "rspamd.conf"
        rules, scores = documented("rspamd")
        config.write_text(RSPAMD.format(folder=folder, dns=dns, port=self.port, documented=rules, scores=scores))
        home.processes.start_silent(program("rspamd"), "-f", "-u", "nobody", "-g", "nogroup", "-c", config)
        wait_for_port(self.port)

    def scan(self, mail: bytes, sender: str = "a@sender.test") -> dict:
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/checkv2", mail, {"From": sender, "IP": "192.0.2.7"})
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)


@pytest.mark.needs("rspamd")
@pytest.mark.needs_root
def test_rspamd_rejects_mail_by_the_zone(listener, expect):
    rspamd = Rspamd(listener.gateway.home, listener.port)
    for what, sender, host, action in (("a listed link", "a@sender.test", PHISH, "reject"), ("neither", "a@sender.test", CLEAN, "no action"),
                                       ("a listed sender", "a@bad.example", CLEAN, "reject")):
        scanned = rspamd.scan(SENDER + mail_with_link(host), sender)
        found = {name: symbol["score"] for name, symbol in scanned["symbols"].items()}
        expect(f"{what}: {scanned['action']}, {found}",
               scanned["action"] == action and found.get("BLOOMGATE_PHISH", 0) == (8 if action == "reject" else 0))
    expect("the gateway was asked", listener.gateway.metric("bloomgate_dns_listed_total") >= 1)


def spamassassin(folder: Path, mail: bytes) -> str:
    """Score and rules that hit."""
    done = subprocess.run([program("spamassassin"), "-x", "-t", "--configpath", folder, "--siteconfigpath", folder / "none"],
                          input=mail, capture_output=True, timeout=60, env={"HOME": str(folder), "PATH": "/usr/bin:/bin"})
    assert done.returncode == 0, done.stderr
    return done.stdout.decode(errors="replace").rstrip().rpartition("\n")[2]


@pytest.mark.needs("spamassassin")
def test_spamassassin_scores_mail_by_the_zone(listener, expect):
    folder = listener.gateway.home.path("spamassassin")
    (folder / "none").mkdir(parents=True)
    (folder / "bloomgate.cf").write_text(SPAMASSASSIN.format(dns=listener.port, documented=documented("SpamAssassin")[0]))
    listed, clean = (spamassassin(folder, SENDER + mail_with_link(host)) for host in (PHISH, CLEAN))
    expect(f"a listed link: {listed}", listed.startswith("4.0") and "URIBL_BLOOMGATE" in listed)
    expect(f"another: {clean}", "URIBL_BLOOMGATE" not in clean)
    expect("the gateway was asked", listener.gateway.metric("bloomgate_dns_listed_total") >= 1)


EXIM = """
primary_hostname = mail.dest.example
spool_directory = {folder}
log_file_path = {folder}/log-%s
host_lookup =
rfc1413_query_timeout = 0s
acl_smtp_rcpt = rcpt
begin acl
rcpt:
{documented}
  accept
"""


def exim(root: Path, folder: Path, sender: str, address: str = "192.0.2.7") -> str:
    """The reply to RCPT of a session that it plays with itself, as for a client of this address."""
    lines = f"EHLO client.example\r\nMAIL FROM:<{sender}>\r\nRCPT TO:<b@dest.example>\r\nQUIT\r\n"
    alone = (f"mount --bind {folder}/resolv.conf /etc/resolv.conf && mount --bind {folder}/passwd /etc/passwd && mount --bind {folder}/group /etc/group && "
             f"exec {root}/usr/sbin/exim4 -C {folder}/exim.conf -bh {address}")
    done = subprocess.run(["unshare", "-m", "sh", "-c", alone], input=lines, env=libraries(root), capture_output=True, text=True, timeout=60)
    replies = re.findall(r"^\d{3}(?: .*)?$", done.stdout, re.M)
    assert len(replies) >= 4, done.stdout + done.stderr
    return replies[3]


@pytest.mark.needs_root  # a resolver on port 53, and a resolv.conf that Exim alone sees
def test_exim_refuses_a_sender_and_a_client_by_the_zones(launcher, open_folder, processes, expect):
    root = unpacked(open_folder / "packages", "exim4-daemon-light", "libdb5.3", "libgnutls-dane0", "libidn12", "libpcre2-8-0")
    if root is None:
        pytest.skip("the package exim4-daemon-light cannot be fetched")
    home, folder = Home(launcher, open_folder / "gateway", processes), open_folder / "exim"
    home.write("nets.txt", "11.22.33.0/24")
    listener = DnsServer(home, ["bad.example"], f"{RESOLVER}:53", nets="nets.txt")
    folder.mkdir()
    (folder / "exim.conf").write_text(EXIM.format(folder=folder, documented=documented("Exim")[0]))
    (folder / "resolv.conf").write_text(f"nameserver {RESOLVER}\noptions timeout:20 attempts:1\n")
    for name, line in (("passwd", "Debian-exim:x:65533:65533::/:/bin/false"), ("group", "Debian-exim:x:65533:")):
        (folder / name).write_text(Path("/etc", name).read_text() + line + "\n")  # As its package adds them.
    for what, sender, address, wanted in (
            ("a listed sender", "a@www.bad.example", "192.0.2.7", r"550 www\.bad\.example is listed: listed www\.bad\.example phishing"),
            ("a listed client", "a@good.example", "11.22.33.44", r"550 11\.22\.33\.44 is listed: listed 11\.22\.33\.44 botnet"),
            ("neither", "a@good.example", "192.0.2.7", "250 Accepted"), ("the null sender", "", "192.0.2.7", "250 Accepted")):
        reply = exim(root, folder, sender, address)
        expect(f"{what}: {reply}", re.fullmatch(wanted, reply))
    expect("the gateway was asked", listener.gateway.metric("bloomgate_dns_listed_total") >= 2)
