"""Lists of ad blockers: entries of each kind as somebody else counts them, in real lists and in one of every option."""
import json
import re
from pathlib import Path

import pytest

from product import Home
from realdata import lines_of

LISTS = [
    "blocklistproject/adguard_scam-ags.txt",
    "hagezi-2022/adblock-fake.txt",
    "scamblocklist-adguard.txt",
    "urlhaus-filter/urlhaus-filter-agh.txt",
]
WHOLE_PAGES = {"all", "document", "doc", "popup"}
BESIDE = {"important", "third-party", "3p"}
MADE_UP = """! Title: every option
||plain.example^
||all.example^$all
||document.example^$document,third-party
||doc.example^$doc,important
||popup.example^$popup,3p
||third.example^$third-party
||image.example^$image
||shop.example^$all,domain=other.example
||host.example/login^$all
||host.example/pay
||host.example/*/x$all
||cancelled.example^$all
||cancelled.example^$all,badfilter
@@||excepted.example^$document
||cancelled.example^$third-party
plain.example##.banner
"""


def options_list_the_page(options: str | None) -> bool:
    if options is None:
        return True
    given = set(options.split(","))
    return given <= WHOLE_PAGES | BESIDE and bool(given & WHOLE_PAGES or given == {"important"})


def counted(rules: list[str]) -> tuple[set[str], set[str]]:
    """Hosts and URLs, by a reading of the rules that shares nothing with the product's."""
    cancelled = {re.sub(r"\$$", "", re.sub(r",?badfilter", "", rule)) for rule in rules if "badfilter" in rule}
    hosts, urls = set(), set()
    for rule in rules:
        if rule in cancelled or "badfilter" in rule:
            continue
        match = re.fullmatch(r"\|\|([^/^$*|]+)(?:\^|(/[^*^$|]*)\^?)\|?(?:\$(.*))?", rule.strip())
        if match and options_list_the_page(match[3]):
            if match[2]:
                urls.add(match[1].lower() + match[2])
                if not match[2].endswith("/") and "?" not in match[2] and "|" not in match[0][2:]:
                    urls.add(match[1].lower() + match[2] + "/")
            else:
                hosts.add(match[1].lower().rstrip("."))
    return hosts, urls


def rebuilt(home: Home, source: str) -> dict:
    home.feeds(f'name: blocked, kind: auto, format: adblock, category: malware, source: "{source}"')
    return json.loads(home.run("rebuild", "--json", "--force").stdout)


def keys(report: dict) -> dict[str, int]:
    return {kind["kind"]: kind["keys"] for kind in report["kinds"]}


@pytest.mark.long
def test_every_option_of_a_rule_is_read_as_it_is_meant(home: Home, expect):
    hosts, urls = counted(MADE_UP.splitlines())
    report = rebuilt(home, str(home.write("list.txt", *MADE_UP.splitlines())))
    feed = report["feeds"][0]
    print(json.dumps(feed, indent=1))
    expect("hosts and URLs as counted", keys(report) == {"domain": len(hosts), "url": len(urls)})
    expect("one row whose counts are sums", feed["counts"]["entries"] == len(hosts) + 2 and len(report["feeds"]) == 1)
    for host in sorted(hosts):
        expect(f"{host} is listed", home.run("check", "domain", host).returncode == 1)
    for host in ("third.example", "image.example", "shop.example", "cancelled.example", "host.example"):
        expect(f"{host} is not", home.run("check", "domain", host).returncode == 0)
    expect("a page is", home.run("check", "url", "http://host.example/login").returncode == 1)
    expect("one below it is", home.run("check", "url", "http://host.example/login/step.php").returncode == 1)
    expect("one that begins so is not", home.run("check", "url", "http://host.example/login-help").returncode == 0)
    expect("another is not", home.run("check", "url", "http://host.example/").returncode == 0)


@pytest.mark.needs_shared
def test_entries_of_real_lists_are_as_counted(home: Home, shared: Path, expect):
    for path in LISTS:
        hosts, urls = counted(lines_of(shared / "data" / "feeds" / path))
        report = rebuilt(home, str(shared / "data" / "feeds" / path))
        counts, made = report["feeds"][0]["counts"], keys(report)
        print(f"{path}: counted {len(hosts)} hosts, {len(urls)} URLs; keys {made}, held {counts['held']}, rejects {counts['rejects']}")
        expect(f"{path}: as many keys", sum(made.values()) + counts["held"] == len(hosts) + len(urls))
