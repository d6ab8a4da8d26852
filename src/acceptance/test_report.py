"""What feeds are worth, beside the same figures by sqlite3 over the same JSON lines."""
import json
import random
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from datetime import datetime, timedelta, timezone

import pytest

HOSTS = 400
FEEDS = {"one": range(0, 200), "two": range(100, 300), "three": range(250, 330)}  # 330..399: dropped since
LINE = ('{"time":"%s","token":"%012d","client":"192.0.2.%d","helo":"mail.example","tls":"","mailFrom":"%s",'
        '"recipients":["to%d@dest.example"],"refused":[],"sizeBytes":%d,"keys":%d,"suspects":%d,"found":[%s],"limits":[],%s'
        '"verdict":"%s","action":"%s","enforced":"%s",%s"reply":"250 2.0.0 Ok","nextHopReply":"250 2.0.0 Ok: queued",'
        '"snapshot":"nightly/20260102T030405Z-1a2b","millis":{"scan":0.412,"lookup":0.021,"nextHop":1.77}}\n')
FOUND = ('{"kind":"domain","value":"h%d.example","where":"link","verdict":"%s","key":"h%d.example","feed":"%s","category":"c",'
         '"firstSeen":"%s","exception":"%s"}')
FILTER = '{"filter":"%s/domain","suspects":%d,"refuted":%d}'
SQL = """
    WITH found AS (
        SELECT line.rowid AS decision, json_extract(one.value, '$.feed') AS feed, json_extract(one.value, '$.key') AS key,
               json_extract(one.value, '$.value') AS value, json_extract(one.value, '$.exception') AS exception,
               json_extract(line.text, '$.would.' || json_extract(one.value, '$.feed')) IS NOT NULL AS trial,
               CAST((julianday(json_extract(line.text, '$.time')) - julianday(json_extract(one.value, '$.firstSeen'))) * 24
                    + 1e-6 AS INTEGER) AS hours
        FROM line, json_each(line.text, '$.found') AS one WHERE line.text NOT LIKE '%"found":[],%')
    SELECT feed, count(*), sum(alone), sum(exception <> ''), sum(trial), group_concat(hours) FROM (
        SELECT *, count(*) OVER (PARTITION BY decision, value) = 1 AS alone FROM found) GROUP BY feed"""
FILTERS = """
    SELECT json_extract(one.value, '$.filter'), sum(json_extract(one.value, '$.suspects')), sum(json_extract(one.value, '$.refuted'))
    FROM line, json_each(line.text, '$.filters') AS one GROUP BY 1"""


def decisions(count: int, start: datetime):
    """One in ten found something, and one in fifty a suspect of a filter that was none; feed two is on trial in a third."""
    chance = random.Random(20260304)
    for number in range(count):
        at = start + timedelta(milliseconds=number * 100)
        found = []
        if chance.random() < 0.1:
            host = chance.randrange(HOSTS)
            for feed, listed in FEEDS.items():
                if host in listed or (host >= 330 and feed == "one"):
                    first = at - timedelta(minutes=chance.randrange(60 * 24 * 40))
                    taken_back = chance.random() < 0.05
                    found.append(FOUND % (host, "overridden" if taken_back else "listed", host, feed,
                                          first.strftime("%Y-%m-%dT%H:%M:%SZ"), "exception" if taken_back else ""))
        verdict, action = ("listed", "reject") if found else ("clean", "pass")
        refuted = chance.random() < 0.02
        filters = FILTER % ("nightly", len(found) + refuted, refuted) if found or refuted else ""
        if filters and chance.random() < 0.2:
            filters += "," + FILTER % ("hourly", 1, 1)
        filters = f'"filters":[{filters}],' if filters else ""
        would = '"would":{"two":"reject"},' if found and chance.random() < 0.3 else ""
        yield LINE % (at.strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z", number, number % 250, "a%d@sender.example" % number,
                      number % 1000, chance.randrange(100_000), chance.randrange(40), len(found) + refuted, ",".join(found),
                      filters, verdict, action, action, would)


# A process begins with the memory of the one that made it: this small one makes it.
WATCHED = """import os, sys
_, status, used = os.wait4(os.spawnv(os.P_NOWAIT, sys.argv[2], sys.argv[2:]), 0)
open(sys.argv[1], "w").write(str(used.ru_maxrss))
sys.exit(os.waitstatus_to_exitcode(status))"""


def measured(home, *command: str) -> tuple[float, int, str, str]:
    """Seconds, the most memory resident in MB, and what it printed."""
    resident = home.path("resident")
    begun = time.monotonic()
    done = subprocess.run([sys.executable, "-c", WATCHED, resident, home.launcher, *command], cwd=home.folder, capture_output=True, text=True)
    seconds = time.monotonic() - begun
    assert done.returncode == 0, done.stderr
    return seconds, int(resident.read_text()) // 1024, done.stdout, done.stderr


def compared(home, expect, count: int, per_file: int) -> None:
    home.feeds(*(f"name: {name}, kind: domain, source: {name}.txt, category: c" for name in FEEDS))
    for name, listed in FEEDS.items():
        home.write(f"{name}.txt", *(f"h{host}.example" for host in listed))
    assert home.run("rebuild").returncode == 0
    journal = home.path("var", "decisions")
    journal.mkdir(parents=True, exist_ok=True)
    today = datetime.now(timezone.utc).replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=1)
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE line(text)")
    lines, part = [], 0
    for number, line in enumerate(decisions(count, today), 1):
        lines.append(line)
        if number % per_file == 0 or number == count:
            name = f"{today:%Y-%m-%d}" + (f"-{part}" if part else "") + ".jsonl"
            (journal / name).write_text("".join(lines))
            database.executemany("INSERT INTO line VALUES (?)",
                                 ((one,) for one in lines if '"found":[]' not in one or '"filters"' in one))
            lines, part = [], part + 1
    seconds, megabytes, out, err = measured(home, "feeds", "report", "--since", "7d", "--json")
    expect(f"{count:,} decisions in {seconds:.1f} s (asked of 10 million: 20) and {megabytes} MB (asked: 256)",
           f"{count:,} decisions" in err and megabytes <= 256 and seconds <= 20)
    rows = {row["feed"]: row for row in map(json.loads, out.splitlines())}
    tally = {name: (suspects, refuted) for name, suspects, refuted in database.execute(FILTERS)}
    for feed, hits, alone, taken_back, trial, hours in database.execute(SQL):
        ages = sorted(map(int, hours.split(",")))
        wanted = {"hits": hits, "exclusiveHits": alone, "overridden": taken_back, "shadowHits": trial,
                  "suspects": tally["nightly/domain"][0], "refuted": tally["nightly/domain"][1],
                  "medianAgeHours": ages[(len(ages) - 1) // 2]}
        got = {name: rows[feed][name] for name in wanted}
        expect(f"{feed}: {got} equals sqlite3's {wanted}", got == wanted)
    shared = Counter(host for listed in FEEDS.values() for host in listed)
    for feed, listed in FEEDS.items():
        expect(f"{feed}: entries and those of no other feed",
               (rows[feed]["entries"], rows[feed]["exclusiveEntries"]) == (len(listed), sum(shared[h] == 1 for h in listed)))
        size = home.path(f"{feed}.txt").stat().st_size
        expect(f"{feed}: cost of {rows[feed]['seconds']:.3f} s and {size} bytes", rows[feed]["bytes"] == size and rows[feed]["seconds"] > 0)
    dropped = database.execute("""SELECT count(*) FROM line, json_each(line.text, '$.found') AS one
        WHERE CAST(substr(json_extract(one.value, '$.key'), 2) AS INTEGER) >= 330""").fetchone()[0]
    expect(f"{dropped} hits on what was dropped since", rows["one"]["dropped"] == dropped)


def test_the_report_has_the_figures_of_sqlite3(home, expect):
    compared(home, expect, 60_000, 25_000)


@pytest.mark.long
def test_the_report_reads_ten_million_decisions(home, expect):
    compared(home, expect, 10_000_000, 1_000_000)
