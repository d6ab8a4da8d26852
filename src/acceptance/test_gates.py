"""What one list cannot do to the others, and what no list can do to everybody's mail: hostile lists among good ones, shared
hosts, and listings by hand."""
import json

import pytest

from realdata import feed_name
from test_feeds import LISTS

SHARED = ["docs.google.com", "storage.googleapis.com", "s3.eu-central-1.amazonaws.com", "bit.ly", "u1.ct.sendgrid.net",
          "us2.list-manage.com", "linktr.ee", "web.core.windows.net", "nyc3.digitaloceanspaces.com", "forms.gle"]
CUSTOMERS = ["shop-bad.s3.amazonaws.com", "site-bad.web.app", "bad-0123.r2.dev", "bad.github.io",
             "ec2-192-0-2-1.compute-1.amazonaws.com"]


def report_of(home, *options):
    done = home.run("rebuild", "--json", *options)
    assert done.returncode in (0, 1), done.stderr
    return done.returncode, json.loads(done.stdout.splitlines()[0])


def verdicts(home, *domains):
    done = home.run("check", "--json", "domain", *domains)
    return [json.loads(line)["verdict"] for line in done.stdout.splitlines()]


def test_a_hostile_list_costs_itself_alone(home, expect):
    names = [f"list{i}" for i in range(86)]
    home.feeds(*(f"name: {name}, kind: domain, format: lines, source: {name}.txt, category: malware" for name in [*names, "hostile"]))
    for name in names:
        home.write(f"{name}.txt", f"{name}.example")
    home.write("hostile.txt", *(f"h{i}.hostile.test" for i in range(200)))
    expect("the first night publishes", report_of(home)[0] == 0)
    nights = {"grew": [f"x{i}.hostile.test" for i in range(5000)], "shrank": ["h0.hostile.test"],
              "rejected": ["h0.hostile.test", *["not a host at all"] * 9], "no key": SHARED[:3],
              "page": ["<!DOCTYPE html>", "<html></html>"]}
    for night, (word, lines) in enumerate(nights.items()):
        home.write("hostile.txt", *lines)
        for name in names:
            home.write(f"{name}.txt", f"{name}.example", f"{name}-{night}.example")
        code, report = report_of(home)
        failed = [feed for feed in report["feeds"] if feed["failure"]]
        expect(f"{word}: it alone is named", code == 1 and [feed["name"] for feed in failed] == ["hostile"])
        expect(f"{word}: {failed[0]['failure']}", word == "page" or word in failed[0]["failure"])
        expect(f"{word}: its last good copy stands in", failed[0]["from"] == "last-good-copy")
        expect(f"{word}: all others are published",
               set(verdicts(home, *(f"{name}-{night}.example" for name in names))) == {"listed"})


def test_shared_hosts_are_held_and_their_customers_are_not(home, expect):
    home.feeds("name: hosts, kind: domain, format: lines, source: hosts.txt, category: malware, maxHoldShare: 1.0",
               "name: links, kind: url, format: lines, source: links.txt, category: malware")
    home.write("hosts.txt", *SHARED, *CUSTOMERS)
    home.write("links.txt", "https://docs.google.com/forms/d/bad", "https://bit.ly/bad")
    code, report = report_of(home)
    held = [one["excerpt"] for one in report["feeds"][0]["held"]]
    expect(f"they are held, counted and named: {held}", code == 0 and report["feeds"][0]["counts"]["held"] == len(SHARED) and held)
    expect("no mail with a link there is listed", set(verdicts(home, *SHARED)) == {"clean"})
    expect("customers are listed", set(verdicts(home, *CUSTOMERS)) == {"listed"})
    done = home.run("check", "url", "https://docs.google.com/forms/d/bad", "https://docs.google.com/forms/d/good")
    expect("links with a path are listed by themselves", [line.split()[0] for line in done.stdout.splitlines()] == ["listed", "clean"])


def test_a_listing_by_hand_goes_through_the_same_gates(home, expect):
    done = home.run("listing", "add", "domain", "google.com")
    expect(f"google.com wants force: {done.stderr}", done.returncode == 1 and "--force" in done.stderr)
    expect("nothing is listed", not home.run("listing", "list").stdout)
    expect("by force it is", home.run("listing", "add", "domain", "google.com", "--force").returncode == 0)
    expect("an exception for no feed is refused", home.run("exception", "add", "domain", "a.example", "--feed", "none").returncode == 2)


@pytest.mark.needs_shared
def test_real_lists_are_published_without_shared_hosts(home, shared, expect):
    lists = [row for row in LISTS if not row[0].endswith(".tar.gz")]
    home.feeds(*(f"name: {feed_name(file)}, kind: {kind}, format: {form}, source: {shared / 'data' / 'feeds' / file}, category: "
                 + ("disposable" if "disposable" in file else "phishing") + (f", {more}" if more else "")
                 for file, kind, form, more, _ in lists))
    code, report = report_of(home, "--set", "rebuild.examples=1000")
    strangers = {one["excerpt"] for feed in report["feeds"] for one in feed["held"] if "strangers" in one["reason"]}
    expect(f"{len(strangers)} shared hosts are held: {sorted(strangers)[:40]}", strangers)
    expect("none of them is listed as a whole", "listed" not in {v for v in verdicts(home, *SHARED)})
    over = [feed["name"] for feed in report["feeds"] if "maxHoldShare" in (feed["failure"] or "")]
    expect(f"no list is refused for the shared hosts in it: {over}", not over)
