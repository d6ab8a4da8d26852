"""Every range of Pwned Passwords in the data is answered as the original, byte for byte, and a client of that API that
knows nothing of us is served: the npm package hibp."""
import hashlib
import http.client
import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from product import Gateway, files_that_hold
from realdata import unpack

pytestmark = pytest.mark.needs_shared
UNLISTED = f"correct-horse-{os.urandom(8).hex()}"
# The NTLM digests of "123456" and "password", as Windows makes them.
NTLM = ("32ED87BDB5FDC5E9CBA88547376818D4:37359195", "8846F7EAEE8FB117AD06BDD830B7586C:9545824")
ASK = """
import { pwnedPassword, pwnedPasswordRange } from 'hibp';
const baseUrl = process.argv[2];
const [listed, unlisted, suffix] = process.argv.slice(3);
const answers = {
  listed: await pwnedPassword(listed, { baseUrl }),
  padded: await pwnedPassword(listed, { baseUrl, addPadding: true }),
  unlisted: await pwnedPassword(unlisted, { baseUrl }),
  range: (await pwnedPasswordRange('00000', { baseUrl }))[suffix],
  ntlm: (await pwnedPasswordRange('8846f', { baseUrl, mode: 'ntlm' }))['7EAEE8FB117AD06BDD830B7586C'],
};
try { await pwnedPasswordRange('zzzzz', { baseUrl }); } catch (e) { answers.bad = e.message; }
console.log(JSON.stringify(answers));
"""


@pytest.fixture
def plain(shared) -> list[str]:
    """A password list that does not count."""
    return (shared / "data" / "passwords" / "nord_vpn.txt").read_text(encoding="utf-8").splitlines()


@pytest.fixture
def ranges(home, shared) -> list[Path]:
    return unpack(shared / "data" / "passwords" / "hibp-range-sha1-dev.tar.gz", home.path("ranges"))


@pytest.fixture
def gateway(home, shared, ranges) -> Gateway:
    home.write("ntlm.txt", *(line + "\r" for line in NTLM))
    home.feeds("name: pwned, kind: password, format: sha1-count, category: weak, source: ranges",
               "name: ntlm, kind: password, format: ntlm-count, category: weak, source: ntlm.txt",
               "name: plain, kind: password, format: lines, category: weak, cadence: hourly, "
               f'source: "{shared}/data/passwords/nord_vpn.txt"')
    home.run("rebuild", "--all", status=0)
    return home.gateway()


class Client:
    def __init__(self, gateway: Gateway):
        self.connection = http.client.HTTPConnection("127.0.0.1", gateway.http, timeout=60)

    def get(self, path: str, **headers: str) -> tuple[http.client.HTTPResponse, bytes]:
        self.connection.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        answer = self.connection.getresponse()
        return answer, answer.read()


def added_suffixes(plain: list[str]) -> dict[str, set[bytes]]:
    """What the plain list adds to the ranges, by prefix."""
    added = {}
    for digest in (hashlib.sha1(line.encode()).hexdigest().upper() for line in plain):
        added.setdefault(digest[:5], set()).add(digest[5:].encode())
    return added


def test_every_range_is_the_original_byte_for_byte(gateway, ranges, plain, expect):
    client, added, same = Client(gateway), added_suffixes(plain), 0
    for file in ranges:
        original = file.read_bytes()
        more = added.get(file.name, set()) - set(re.findall(rb"^[0-9A-F]{35}", original, re.M))
        expected = b"\r\n".join(sorted(original.split(b"\r\n") + [suffix + b":1" for suffix in more])) if more else original
        answer, body = client.get("/range/" + file.name.lower())
        same += body == expected == original
        _, padded = client.get("/range/" + file.name, Add_Padding="true")
        lines = padded.split(b"\r\n")
        real = b"\r\n".join(line for line in lines if not line.endswith(b":0"))
        if not (answer.status == 200 and body == expected and real == expected and len(lines) >= 800):
            expect(f"range {file.name} is answered as the original, padded too", False)
    print(f"{len(ranges)} ranges; byte for byte the original: {same}")
    expect("there are ranges, most of them untouched by the plain list", same > len(ranges) // 2)

    known, _ = client.get("/range/00000")
    again, body = client.get("/range/00000", If_None_Match=known.headers["ETag"])
    expect("304 for what is known", again.status == 304 and body == b"")
    for path in ("/range/0000", "/range/0000G"):
        answer, body = client.get(path)
        expect(f"{path}: {answer.status} {body}", answer.status == 400 and body == b"The hash prefix was not in a valid format")
    expect("an NTLM range", client.get("/range/32ED8?mode=ntlm")[0].status == 200)


@pytest.mark.needs("npm")
def test_a_foreign_client_of_the_range_api_is_served(home, gateway, ranges, plain, expect):
    client = home.path("client")
    client.mkdir()
    subprocess.run(["npm", "install", "--silent", "--no-fund", "--no-audit", "--prefix", client, "hibp@15.2.1"], check=True)
    (client / "ask.mjs").write_text(ASK, encoding="utf-8")
    listed = next(line for line in plain if re.fullmatch(r"[a-z]{6,}", line))
    first = next(file for file in ranges if file.name == "00000")
    suffix, count = first.read_text(encoding="ascii").splitlines()[0].split(":")
    asked = subprocess.run(["node", "ask.mjs", gateway.url, listed, UNLISTED, suffix], capture_output=True, text=True, cwd=client)
    answers = json.loads(asked.stdout)
    expect(f"hibp 15.2.1: {answers} {asked.stderr}",
           answers["listed"] >= 1 and answers["padded"] == answers["listed"] and answers["unlisted"] == 0
           and answers["range"] == int(count) and answers["ntlm"] == 9545824 and "valid format" in answers["bad"])

    for password, weak in ((listed, True), (UNLISTED, False), (listed.title() + "2026", False)):
        answer = gateway.post("/v1/passwords", {"password": password})
        expect(f"weak: {answer['weak']}", answer["weak"] is weak and UNLISTED not in json.dumps(answer))
    expect("no metric holds the password", UNLISTED not in gateway.get("/metrics"))
    gateway.stop()
    kept = files_that_hold(UNLISTED, home.folder)
    expect(f"the password stands in no file: {kept}", not kept)
