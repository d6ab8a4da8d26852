"""A feed that operators took back too much of is held down for a time, and a kill does not free it."""
import json

import pytest

from processes import wait_until

LISTED = [f"shop{number}.example" for number in range(6)]


def wrong(home, gateway, hosts: list[str]) -> None:
    """Mail with these hosts is refused, and an operator takes each refusal back."""
    for host in hosts:
        reply = gateway.mail(host.encode())
        assert reply.startswith("550"), reply
        wait_until("the exception of the decision", lambda: home.run("exception", "add", "--token", reply.split()[-1]).returncode == 0)


@pytest.mark.long
def test_a_feed_with_too_many_errors_tags_for_a_while(home, expect):
    home.write("spam.txt", *LISTED)
    home.write("phishing.txt", *(host.replace("shop", "bank") for host in LISTED))
    home.feeds("name: of-spam, kind: domain, source: spam.txt, category: spam",
               "name: of-harm, kind: domain, source: phishing.txt, category: phishing")
    home.rebuild()
    gateway = home.gateway("policy.probation.action=tag")
    wrong(home, gateway, LISTED[:2])
    expect("two errors hold nothing down", gateway.mail(LISTED[3].encode()).startswith("550"))
    wrong(home, gateway, LISTED[2:3])
    line = gateway.wait_for_line(r"feed of-spam is on probation until \S+, its listings tag at most: 3 errors in 3 .*").group()
    expect(f"the log says so: {line}", True)
    expect("what it lists passes, tagged", gateway.mail(LISTED[4].encode()).startswith("250"))
    last = json.loads(home.run("decisions", "--limit", "1", "--json").stdout)
    expect(f"the decision says why: {last['action']}, {last.get('notes')}",
           last["action"] == "tag" and last["notes"] == ["on probation: feed of-spam"])
    report = home.run("feeds", "report", "--set", "policy.probation.action=tag", "--json", status=0).stdout
    rows = {row["feed"]: row for row in map(json.loads, report.splitlines())}
    expect(f"the report says until when: {rows['of-spam'].get('probationUntil')}", "probationUntil" in rows["of-spam"])
    left = gateway.metric("bloomgate_feed_probation_left_seconds")
    expect(f"the metric too: {left:.0f} s left", 29 * 86_400 < left <= 30 * 86_400)
    scanned = json.loads(home.run("scan", "--set", "policy.probation.action=tag", "--json", "-",
                                  stdin=f"Subject: x\r\n\r\nhttp://{LISTED[5]}/\r\n").stdout)
    expect(f"scan rules the same: {scanned['action']}", scanned["action"] == "tag")
    wrong(home, gateway, [host.replace("shop", "bank") for host in LISTED[:3]])
    gateway.kill()
    again = home.gateway("policy.probation.action=tag")
    expect("after kill -9 it is held down still", again.mail(LISTED[4].encode()).startswith("250"))
    expect("a feed of harm never is", again.mail(LISTED[4].replace("shop", "bank").encode()).startswith("550"))
    again.stop()
    off = home.gateway()
    expect("without the setting it refuses", off.mail(LISTED[4].encode()).startswith("550"))
    off.stop()
