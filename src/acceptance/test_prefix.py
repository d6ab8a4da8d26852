"""Private questions: pages of hash prefixes beside POST /v1/lookup of the same service, and a gateway that asks by them.

Hashes are computed here from the documented rule, not by the product. Every page is fetched; each listed name and as many
random ones have to be on theirs, with the statements of /v1/lookup, or not. Shown: candidates a page, and how many of 350
million registered names stand behind one."""
import hashlib
import http.client
import json
import math
import random

import pytest

from processes import wait_until

REGISTERED, BATCH = 350_000_000, 1000


def hash_of(name: str) -> str:
    return hashlib.sha256(b"\x02" + name.encode()).digest()[:16].hex()


def digits_for(listed: int) -> int:
    return min(4, max(2, (int(math.log2(listed)) - 4) // 4))


class Asked:
    """The service over one connection."""

    def __init__(self, port: int):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def page(self, prefix: str) -> dict:
        self.connection.request("GET", f"/v1/prefix/nightly/domain/{prefix}")
        answer = self.connection.getresponse()
        octets = answer.read()
        assert answer.status == 200 and len(octets) % 1024 == 0, (answer.status, len(octets))
        return json.loads(octets)

    def lookup(self, names: list[str]) -> list[dict]:
        body = json.dumps({"items": [{"layer": "nightly", "kind": "domain", "key": name} for name in names]})
        self.connection.request("POST", "/v1/lookup", body, {"Content-Type": "application/json"})
        return json.loads(self.connection.getresponse().read())["answers"]


def said_by_page(page: dict, name: str) -> dict:
    found = page["candidates"].get(hash_of(name))
    return {"answer": "not listed"} if found is None else {"answer": "listed", "listings": [page["statements"][i] for i in found]}


@pytest.mark.parametrize("listed", [20_000, pytest.param(1_000_000, marks=pytest.mark.long)])
def test_pages_say_what_the_lookup_says(home, expect, listed):
    drawn = random.Random(5)
    names = sorted({f"{drawn.getrandbits(64):x}.example" for _ in range(listed)})
    others = [f"{drawn.getrandbits(64):x}.test" for _ in range(listed)]
    home.list_domains(*names)
    home.rebuild()
    service = home.lookup_service(f"http.maxItems={BATCH}", "http.maxBodyBytes=1048576")
    asked, digits = Asked(service.http), digits_for(len(names))
    wait_until("pages are made", lambda: "generation" in asked.page("0" * digits), 120)
    pages = {f"{i:0{digits}x}": asked.page(f"{i:0{digits}x}") for i in range(16 ** digits)}
    sizes = sorted(len(page["candidates"]) for page in pages.values())
    print(f"{len(names)} listed: {len(pages)} pages of {sizes[0]} to {sizes[-1]} candidates, {sum(sizes) / len(sizes):.1f} on average; "
          f"{REGISTERED // 16 ** digits} of {REGISTERED} registered names behind one")
    expect("every listed name is a candidate once", sum(sizes) == len(names))
    differing = 0
    for keys in (names, others):
        for at in range(0, len(keys), BATCH):
            some = keys[at:at + BATCH]
            differing += sum(said_by_page(pages[hash_of(name)[:digits]], name) != answer for name, answer in zip(some, asked.lookup(some)))
    expect(f"of {len(names) + len(others)} names {differing} differ from /v1/lookup", differing == 0)

    gateway = home.gateway("exact.store=http", f"exact.http.urls={service.url}", "exact.http.mode=prefix", "exact.deadline=5s")
    sample = drawn.sample(names, 2000) + others[:2000]
    verdicts = [word for at in range(0, len(sample), 50) for word in gateway.verdicts(*sample[at:at + 50])]
    expect("a gateway by prefix refuses what is listed and nothing else", verdicts == ["listed"] * 2000 + ["clean"] * 2000)
    expect("it asked by pages", gateway.metric("bloomgate_exact_pages_total") >= 1000)
    service.stop()
    gone = gateway.verdicts(*[name for name in names[:50] if name not in sample])
    expect("with the service gone a suspect is unresolved, never clean", set(gone) == {"unresolved"})
    gateway.stop()
