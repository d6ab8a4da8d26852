"""Ten million decisions of a day, searched by sender: over HTTP within a second each, with a bounded heap."""
import json
import os
import subprocess
import time
import urllib.parse
import urllib.request

import pytest

from product import CHECKOUT, Home, jdk

COUNT = 10_000_000
TOKEN = "a-token-of-the-check-of-searches"
ABSENT = [f"nobody{i}@nowhere{i}.example" for i in range(20)]


def written(home: Home) -> None:
    jar = CHECKOUT / "target" / "bloomgate.jar"
    classes = home.path("classes")
    subprocess.run([jdk() / "bin" / "javac", "-proc:none", "-d", classes, "-cp", jar,
                    CHECKOUT / "src/test/java/org/bloomgate/journal/ManyDecisions.java"], check=True)
    began = time.monotonic()
    subprocess.run([jdk() / "bin" / "java", "-Xmx256m", "-XX:+UseSerialGC", "-cp", f"{classes}:{jar}", "org.bloomgate.journal.ManyDecisions",
                    home.path("var", "decisions"), str(COUNT)], check=True)
    files = list(home.path("var", "decisions").iterdir())
    size = {end: sum(file.stat().st_size for file in files if file.name.endswith(end)) >> 20 for end in (".jsonl", ".index")}
    print(f"{COUNT:,} decisions in {time.monotonic() - began:.0f} s: {size['.jsonl']:,} MiB, their indexes {size['.index']:,} MiB")


def asked(gateway, **query: str) -> tuple[float, dict]:
    url = f"{gateway.url}/v1/decisions?{urllib.parse.urlencode({'since': '1d', **query})}"
    began = time.monotonic()
    with urllib.request.urlopen(urllib.request.Request(url, headers={"Authorization": f"Bearer {TOKEN}"})) as answer:
        found = json.load(answer)
    return time.monotonic() - began, found


@pytest.mark.long
def test_a_sender_of_a_day_of_ten_million_is_found_within_a_second(home, expect):
    home.configure(f"http: {{ adminToken: {TOKEN} }}", "journal: { maxBytes: 100G }")
    written(home)
    gateway = home.gateway()
    some = [one["mailFrom"] for one in asked(gateway, limit="20")[1]["decisions"]]
    rare = {sender: json.loads(line)["token"] for sender in some
            for line in home.run("decisions", "--mail-from", sender, "--json", "--limit", "1").stdout.splitlines()}
    for what, senders in (("nobody", ABSENT), ("a mailbox", list(rare)), ("its domain", [sender.partition("@")[2] for sender in rare])):
        took = sorted(asked(gateway, mailFrom=sender)[0] for sender in senders)
        expect(f"{what}: median {took[len(took) // 2]:.2f} s, worst {took[-1]:.2f} s (asked: 1)", took[-1] <= 1)
    for sender, token in rare.items():
        found = asked(gateway, mailFrom=sender)[1]
        expect(f"{sender}: {len(found['decisions'])} mails, all of the sender, the newest first",
               found["complete"] and found["decisions"][0]["token"] == token
               and all(one["mailFrom"] == sender for one in found["decisions"]))
    began = time.monotonic()
    home.run("decisions", "--mail-from", ABSENT[0], "--since", "1d", status=0, env={**os.environ, "BLOOMGATE_JAVA_OPTS": "-Xmx64m"})
    print(f"the command with a heap of 64 MiB: {time.monotonic() - began:.2f} s, its start with it")
    began = time.monotonic()
    report = json.loads(home.run("shadow", "--since", "1d", "--json", status=0, env={**os.environ, "BLOOMGATE_JAVA_OPTS": "-Xmx256m"}).stdout)
    print(f"the shadow report with a heap of 256 MiB: {time.monotonic() - began:.0f} s")
    expect(f"of {report['mails']:,} mails {report['messages']} are told of", report["mails"] == COUNT and report["messages"].keys() == {"reject"}
           and abs(report["messages"]["reject"] - COUNT / 100) < COUNT / 1000)
