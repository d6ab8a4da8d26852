"""rspamd and SpamAssassin, set up as config/dns/README.md says, refuse and score mail by the gateway's zones."""
import json
import re
import subprocess
import urllib.request
from pathlib import Path

import pytest

from packages import program
from processes import free_port, wait_for_port
from product import CHECKOUT, Home, mail_with_link
from test_dnsbl import ZONE, Door

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
  dns {{ nameserver = ["127.0.0.1:{dns}"]; timeout = 2s; }}
}}
logging {{ type = "file"; filename = "{folder}/rspamd.log"; level = "info"; }}
worker "normal" {{ bind_socket = "127.0.0.1:{port}"; count = 1; }}
modules {{ path = "/usr/share/rspamd/plugins/rbl.lua"; }}
actions {{ reject = 5; }}
group "bloomgate" {{ symbols {{ BLOOMGATE_PHISH {{ weight = 8.0; }} }} }}
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


def documented(heading: str) -> str:
    """What the guide says to write for a filter, for the zone of this check."""
    guide = (CHECKOUT / "config" / "dns" / "README.md").read_text(encoding="utf-8")
    return re.search(rf"^## {heading}$.*?^```\n(.*?)^```$", guide, re.S | re.M)[1].replace("dbl.example", ZONE)


@pytest.fixture
def door(launcher, open_folder, processes) -> Door:
    home = Home(launcher, open_folder, processes)
    return Door(home, ["bad.example"], codes="phishing: 127.0.0.4")


class Rspamd:
    """Its scanner with no rules but the guide's, which asks the gateway's port."""

    def __init__(self, home: Home, dns: int):
        folder, self.port = home.path("rspamd"), free_port()
        folder.mkdir(mode=0o777)
        folder.chmod(0o777)
        (folder / "suffixes").write_text("example\ntest\n")  # all of them take seconds to compile
        config = folder / "rspamd.conf"
        config.write_text(RSPAMD.format(folder=folder, dns=dns, port=self.port, documented=documented("rspamd")))
        home.processes.start_silent(program("rspamd"), "-f", "-u", "nobody", "-g", "nogroup", "-c", config)
        wait_for_port(self.port)

    def scan(self, mail: bytes, sender: str = "a@sender.test") -> dict:
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/checkv2", mail, {"From": sender, "IP": "192.0.2.7"})
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)


@pytest.mark.needs("rspamd")
@pytest.mark.needs_root
def test_rspamd_rejects_mail_by_the_zone(door, expect):
    rspamd = Rspamd(door.gateway.home, door.port)
    for what, sender, host, action in (("a listed link", "a@sender.test", PHISH, "reject"), ("neither", "a@sender.test", CLEAN, "no action"),
                                       ("a listed sender", "a@bad.example", CLEAN, "reject")):
        scanned = rspamd.scan(SENDER + mail_with_link(host), sender)
        found = {name: symbol["score"] for name, symbol in scanned["symbols"].items()}
        expect(f"{what}: {scanned['action']}, {found}",
               scanned["action"] == action and found.get("BLOOMGATE_PHISH", 0) == (8 if action == "reject" else 0))
    expect("the gateway was asked", door.gateway.metric("bloomgate_dns_listed_total") >= 1)


def spamassassin(folder: Path, mail: bytes) -> str:
    """Score and rules that hit."""
    done = subprocess.run([program("spamassassin"), "-x", "-t", "--configpath", folder, "--siteconfigpath", folder / "none"],
                          input=mail, capture_output=True, timeout=60, env={"HOME": str(folder), "PATH": "/usr/bin:/bin"})
    assert done.returncode == 0, done.stderr
    return done.stdout.decode(errors="replace").rstrip().rpartition("\n")[2]


@pytest.mark.needs("spamassassin")
def test_spamassassin_scores_mail_by_the_zone(door, expect):
    folder = door.gateway.home.path("spamassassin")
    (folder / "none").mkdir(parents=True)
    (folder / "bloomgate.cf").write_text(SPAMASSASSIN.format(dns=door.port, documented=documented("SpamAssassin")))
    listed, clean = (spamassassin(folder, SENDER + mail_with_link(host)) for host in (PHISH, CLEAN))
    expect(f"a listed link: {listed}", listed.startswith("4.0") and "URIBL_BLOOMGATE" in listed)
    expect(f"another: {clean}", "URIBL_BLOOMGATE" not in clean)
    expect("the gateway was asked", door.gateway.metric("bloomgate_dns_listed_total") >= 1)
