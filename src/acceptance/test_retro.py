"""Mail is delivered, one of its links listed afterwards: the rebuild tells how much mail that would have stopped, retro names
exactly those mails; kill -9 of the gateway leaves the records readable."""
import json
import os
import stat
import subprocess
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from pathlib import Path

from processes import wait_until
from product import Gateway, Home, jdk
from smtp import SmtpClient


class Mails:
    """A feed of hosts and one of links, and mails that are known by their number."""

    def __init__(self, home: Home, expect):
        self.home, self.expect, self.keys, self.recorded_bytes = home, expect, home.path("var", "keys"), 0
        home.feeds(*(f"name: {name}, kind: {kind}, format: lines, source: {name}.txt, category: phishing"
                     for name, kind in (("hosts", "domain"), ("links", "url"))))

    def list_entries(self, **feeds: list[str]) -> None:
        for name, entries in feeds.items():
            self.home.write(f"{name}.txt", *entries)

    def run(self, command: str, *options: str) -> tuple[int, list[dict]]:
        done = self.home.run(command, "--json", *options)
        assert done.returncode in (0, 1), f"{command} ended with {done.returncode}: {done.stderr}"
        return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]

    def send(self, gateway: Gateway, numbers: range, link: str, source: str = "127.0.0.1") -> None:
        with SmtpClient(gateway.smtp, source=source) as client:
            for i in numbers:
                text = b"Subject: x\r\n\r\nSee %s\r\n" % (link % i).encode()
                reply = client.send(b"from%d@sender.test" % i, b"to%d@dest.example" % i, text)
                assert reply.startswith("250"), f"mail {i}: {reply}"

    def wait_until_recorded(self) -> None:
        """The last block is written when nothing has been added to it for a moment."""
        def sizes():
            return {file.name: file.stat().st_size for file in self.keys.glob("*.keys")}
        wait_until("a block is written", lambda: sum(sizes().values()) > self.recorded_bytes)
        seen = [{}, {}]
        wait_until("the records are written", lambda: (seen.append(sizes()), seen[-1] and seen[-1] == seen[-2])[1], pause=1)
        self.recorded_bytes = sum(seen[-1].values())

    def torn(self) -> None:
        """What a killed process may leave at the end of the newest file."""
        newest = max(self.keys.glob("*.keys"), key=lambda file: file.stat().st_mtime)
        with newest.open("ab") as file:
            self.recorded_bytes += file.write(b"\x01\x00\x00\x00\xff\x00\x00\x00torn")


def senders(mails) -> list[str]:
    return sorted(mail["mailFrom"] for mail in mails)


def expected(*ranges: range) -> list[str]:
    return sorted(f"from{i}@sender.test" for numbers in ranges for i in numbers)


def test_retro_names_exactly_the_mail_that_was_too_early(home, expect):
    mails = Mails(home, expect)
    mails.list_entries(hosts=["already.example"], links=["http://already.example/a"])
    expect("the first rebuild publishes", mails.run("rebuild", "--all")[0] == 0)
    gateway = home.gateway()
    mails.send(gateway, range(60), "http://www.clean-%d.example/")
    mails.send(gateway, range(60, 70), "http://www.late.example/%d")
    mails.send(gateway, range(70, 73), "http://shared.example/bad/%d/x")
    mails.send(gateway, range(73, 80), "http://shared.example/good/%d/x")
    mails.wait_until_recorded()
    gateway.kill()
    expect("nothing is found before anything is listed", mails.run("retro") == (0, []))
    mails.torn()
    gateway = home.gateway()
    mails.send(gateway, range(80, 100), "http://www.late.example/again/%d")
    mails.wait_until_recorded()
    files = [mails.keys / name for name in os.listdir(mails.keys)]
    blob = b"".join(file.read_bytes() for file in files)
    expect(f"no name is in {len(blob)} bytes of {len(files)} files", blob and b"example" not in blob and b"test" not in blob)
    expect("files are their owner's", all(stat.S_IMODE(file.stat().st_mode) == 0o600 for file in files))

    mails.list_entries(hosts=["already.example", "late.example"])
    code, (report,) = mails.run("rebuild", "--all")
    blast = report["blast"]
    expect(f"no mail before the last day held it, so it may be an outbreak and is published: {report['closedGate']}",
           code == 0 and report["outcome"] == "published" and blast["known"] == 0)
    expect(f"the report counts them: {blast}", blast["mails"] == 100 and blast["listed"] == 30
           and [(f["feed"], f["mails"]) for f in blast["feeds"]] == [("hosts", 30)]
           and blast["feeds"][0]["examples"][0]["key"] == "late.example")
    code, found = mails.run("retro")
    expect("retro names exactly the mails with the late host", code == 1 and senders(found) == expected(range(60, 70), range(80, 100)))
    expect("each with its envelope and listing", all(
        mail["recipients"] == [mail["mailFrom"].replace("from", "to").replace("sender.test", "dest.example")]
        and [(listing["feed"], listing["key"]) for listing in mail["listings"]] == [("hosts", "late.example")] for mail in found))

    mails.list_entries(links=["http://already.example/a", "http://shared.example/bad/"])
    code, (report,) = mails.run("rebuild", "--all")
    blast = report["blast"]
    expect(f"3 mails are below the gate and told: {blast}", code == 0 and blast["listed"] == 3 and blast["feeds"][0]["feed"] == "links")
    code, found = mails.run("retro", "--since", "1h")
    by_link = [mail for mail in found if mail["listings"][0]["feed"] == "links"]
    expect("retro names those too", code == 1 and len(found) == 33 and senders(by_link) == expected(range(70, 73)))
    explained = home.run("explain", found[0]["token"])
    expect("explain knows the token", found[0]["mailFrom"] in explained.stdout + explained.stderr)
    gateway.stop()


def test_flood_of_one_network_hides_nothing(home, expect, monkeypatch, pytestconfig):
    """A key journal with 200 MB (in the long form 400) of one client network, younger than ten messages of another: an operator lists a name while
    a rebuild asks the journal too, and the next message of the network makes it lose its oldest."""
    monkeypatch.setenv("BLOOMGATE_JAVA_OPTS", "-Xmx256m")
    mails, token, megabytes = Mails(home, expect), "admin-token-of-the-check", "400" if pytestconfig.getoption("--all") else "200"
    mails.list_entries(hosts=["already.example"], links=["http://already.example/a"])
    mails.run("rebuild", "--all")
    gateway = home.gateway()
    mails.send(gateway, range(10, 11), "http://www.clean-%d.example/")
    mails.send(gateway, range(10), "http://www.late.example/%d", source="127.0.1.1")
    mails.wait_until_recorded()
    gateway.stop()
    newest = max(mails.keys.glob("*.keys"))
    earlier = mails.keys / (datetime.fromisoformat(newest.stem + ":00+00:00") - timedelta(hours=3)).strftime("%Y-%m-%dT%H.keys")
    newest.rename(earlier)
    subprocess.run([jdk() / "bin" / "java", Path(__file__).with_name("FillKeyJournal.java"), earlier, newest, megabytes], check=True)
    newest.chmod(0o600)

    gateway = home.gateway(f"http.adminToken={token}")
    mails.list_entries(hosts=["already.example", "late.example"])
    rebuild = ThreadPoolExecutor(1).submit(mails.run, "rebuild", "--all")
    body = json.dumps({"kind": "domain", "value": "listed.example", "reason": "check"}).encode()
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    began = time.monotonic()
    with urllib.request.urlopen(urllib.request.Request(f"{gateway.url}/v1/listings", body, headers), timeout=60) as answer:
        listed = answer.status
    took = time.monotonic() - began
    _, (report,) = rebuild.result(120)
    print(f"listed after {took:.1f} s; rebuild: {report['blast']}")
    expect(f"the listing is taken within 30 s: {listed} after {took:.1f} s", listed in (200, 201) and took <= 30)
    expect(f"mail of another network is found: {report['outcome']}, {report['blast']}",
           report["outcome"] == "published" and [(f["feed"], f["mails"]) for f in report["blast"]["feeds"]] == [("hosts", 10)])
    mails.send(gateway, range(11, 12), "http://www.clean-%d.example/")
    wait_until("the network has at most an eighth of 1 GB", lambda: sum(file.stat().st_size for file in mails.keys.glob("*.keys")) <= 1 << 27)
    expect("the loss is counted", gateway.metric("bloomgate_journal_keys_evicted_total") > 0)
    code, found = mails.run("retro")
    expect("mail of another network is found after that", code == 1 and senders(found) == expected(range(10)))
    expect("the gateway is alive", gateway.process.poll() is None and gateway.mail(b"b.example").startswith("250"))
