"""promoteHosts over real days of phishing URLs against the days that follow: how many of the new URLs are listed with it and
without, and which honest URLs are."""
import gzip
import json
from pathlib import Path

import pytest

from product import Home

SPLITS = [(7, 7), (5, 5), (10, 4)]  # days that are listed, days after them
HONEST = ["negative/opendns-top-domains.txt", "negative/alexa2016-odd-ranks.txt.gz", "negative/tranco-2026-odd.csv.gz"]
MOST_HONEST = 35_000


def urls_of(days: list[Path]) -> set[str]:
    return {line.strip() for day in days for line in day.read_text(encoding="utf-8", errors="replace").splitlines() if line.strip()}


def honest_urls(data: Path) -> list[str]:
    """A page, and the page a visitor comes to first, of well-known names."""
    names: dict[str, None] = {}
    for name in HONEST:
        with (gzip.open if name.endswith(".gz") else open)(data / name, "rt", encoding="utf-8", errors="replace") as lines:
            for line in list(lines)[:MOST_HONEST // len(HONEST)]:
                host = line.strip().rpartition(",")[2]
                if "." in host and " " not in host:
                    names[host] = None
    return [f"https://{host}{path}" for host in names for path in ("/", "/account/welcome?from=mail")]


def listed(home: Home, urls: list[str]) -> list[str]:
    done = home.run("check", "url", "-", "--json", stdin="".join(url + "\n" for url in urls))
    return [answer["value"] for answer in map(json.loads, done.stdout.splitlines()) if answer["verdict"] == "listed"]


def shares(home: Home, days: list[Path], split: tuple[int, int], promote: int) -> float:
    """The share of URLs of the later days that the earlier days list, of those that these did not hold."""
    before, after = urls_of(days[:split[0]]), urls_of(days[split[0]:sum(split)])
    home.write("urls.txt", *sorted(before))
    home.feeds(f"name: openphish, kind: url, format: lines, category: phishing, source: urls.txt, promoteHosts: {promote}")
    home.run("rebuild", "--all", status=0)
    new = sorted(after - before)
    return len(listed(home, new)) / len(new)


@pytest.mark.long
@pytest.mark.needs_shared
def test_new_urls_of_hosts_that_were_listed_twice_are_listed_and_honest_ones_are_not(home, shared, expect):
    days = sorted((shared / "data/feeds/openphish-daily").glob("*.txt"))
    honest = honest_urls(shared / "data")
    for split in SPLITS:
        exact, promoted = (shares(home, days, split, promote) for promote in (0, 2))
        hit = listed(home, honest)
        print(f"{split[0]} days against the next {split[1]}: {exact:.2%} of new URLs listed, {promoted:.2%} with promoteHosts: 2; "
              f"{len(hit)} of {len(honest)} honest URLs: {hit[:10]}")
        expect(f"{split}: promotion lists more, at least 4 %: {promoted:.2%}", promoted > exact and promoted >= 0.04)
        expect(f"{split}: no honest URL: {hit[:10]}", not hit)


def test_a_host_that_is_listed_as_a_whole_names_the_urls_it_came_from(home):
    home.write("urls.txt", "http://taken.example/a", "http://taken.example/b?x=1", *(f"http://many.example/{i:02}" for i in range(50)))
    home.feeds("name: list, kind: url, format: lines, source: urls.txt, promoteHosts: 2")
    home.rebuild()
    said = home.run("explain", "http://taken.example/another").stdout
    assert [line.split()[-1] for line in said.splitlines() if "because of" in line] == ["taken.example/a", "taken.example/b?x=1"]
    assert home.run("explain", "http://many.example/another").stdout.count("because of") == 10
    assert "because of" not in home.run("explain", "http://taken.example/a").stdout.partition("(parent)")[0]
