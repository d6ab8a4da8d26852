"""Hosts of links in real mail: ours against what Python's email and html.parser and rspamd agree on.

Every host that both others found and we did not is printed, with what they made of the message; what rspamd alone found
stands in target/acceptance/rspamd-alone.tsv. rspamadm starts no service and asks no network."""
import collections
import email
import email.policy
import html.parser
import json
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from product import OUTPUT, Home
from realdata import archived

LEAST_RECALL = 0.999
# What test sets keep beside a message: what a reader should make of it.
EXPECTATIONS = (".json", ".xml", ".out", ".bin")
COLUMNS = ("messages", "limits", "both", "found", "rspamd", "rspamd alone")
LINK_ATTRIBUTES = {"href", "src", "action", "background", "formaction", "poster", "data", "cite", "longdesc"}
WRITTEN_OUT = re.compile(r"""\b(?i:https?://|www\.)[^\s"'<>()\[\]{}|\\^`\u00a0-\uffff]+""")

RSPAMD = """
local task_of = require "rspamd_task"
local ucl = require "ucl"
require("rspamd_url").init("/usr/share/rspamd/effective_tld_names.dat")
for name in io.lines(arg[1]) do
  local found = {}
  local loaded, task = task_of.load_from_file(name, rspamd_config)
  if loaded and task:process_message() then
    for _, url in ipairs(task:get_urls({"http", "https", "ftp"})) do
      table.insert(found, {host = url:get_host(), text = url:get_text(), flags = url:get_flags()})
    end
    task:destroy()
  end
  print("JSON " .. ucl.to_format({file = name, found = found}, "json-compact"))
end
"""


def unpacked(archives: Path, folder: Path) -> Iterator[str]:
    """Each archive's messages in a folder of its name."""
    for archive in sorted(archives.glob("*.tar.gz")):
        own = folder / archive.name.removesuffix(".tar.gz")
        own.mkdir(parents=True)
        for number, (name, blob) in enumerate(archived(archive)):
            file = own / f"{number:05d}-{os.path.basename(name)}"
            file.write_bytes(blob)
            yield str(file)


def ours(home: Home, files: list[str]) -> dict[str, dict]:
    answers = [json.loads(line) for line in home.run("scan", "--json", *files, encoding="utf-8").stdout.split("\n") if line]
    return {answer["file"]: answer for answer in answers}


def hosts_of(answer: dict) -> set[str]:
    hosts = set()
    for found in answer["identifiers"]:
        if found["kind"] == "url":
            hosts.add(normal(re.match(r"[^:]+://([^/]*)", found["value"]).group(1)))
    return hosts


def others_of(answer: dict) -> set[str]:
    return {normal(f["value"].rpartition("@")[2]) for f in answer["identifiers"] if f["kind"] != "url"}


def rspamd(files: list[str], folder: Path) -> dict[str, dict[str, str]]:
    """URLs that rspamd sees, by host, of each file."""
    listing, script = folder / "files", folder / "urls.lua"
    listing.write_text("\n".join(files) + "\n")
    script.write_text(RSPAMD)
    done = subprocess.run(["rspamadm", "lua", "-a", str(listing), str(script)], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=False)
    found = {}
    for line in done.stdout.decode("utf-8", "replace").split("\n"):
        if line.startswith("JSON "):
            answer = json.loads(line[5:])
            found[answer["file"]] = {normal(url["host"]): url["text"] for url in answer["found"] or []}
    return found


class Links(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.found, self.text = [], []

    def handle_starttag(self, tag, attrs):
        self.found += [value for name, value in attrs if value and name in LINK_ATTRIBUTES]

    def handle_data(self, data):
        self.text.append(data)


def python(blob: bytes) -> dict[str, str]:
    """URLs that Python's parsers see, by host."""
    found = {}
    for part in email.message_from_bytes(blob, policy=email.policy.compat32).walk():
        if part.get_content_maintype() != "text":
            continue
        charset = part.get_content_charset() or "utf-8"
        payload = part.get_payload(decode=True) or b""
        try:
            text = payload.decode(charset, "replace")
        except (LookupError, UnicodeError):
            text = payload.decode("utf-8", "replace")
        urls = []
        if part.get_content_subtype() == "html":
            links = Links()
            links.feed(text)
            urls = [url for url in links.found if re.match(r"\s*(?:https?:)?//", url, re.I)]
            text = "\n".join(links.text)
        for url in urls + WRITTEN_OUT.findall(text):
            host = host_of(url)
            if host:
                found.setdefault(host, url)
    return found


def host_of(url: str) -> str:
    url = re.sub(r"[\t\r\n]", "", url).strip()
    try:
        return normal(urlsplit(url if "//" in url[:9] else "//" + url).hostname or "")
    except ValueError:
        return ""


def normal(host: str | None) -> str:
    host = unquote(host or "").strip("[]").rstrip(".,;:!?'\"*_-").lower().strip(".")
    try:
        return host if host.isascii() else host.encode("idna").decode()
    except UnicodeError:
        return host


@pytest.mark.needs_shared
@pytest.mark.needs("rspamd")
def test_the_hosts_that_two_other_readers_find_in_mail_are_found(home, shared):
    files = list(unpacked(shared / "data" / "mail", home.path("mail")))
    answers = ours(home, files)
    mails = [name for name in files if not name.endswith(EXPECTATIONS) and name in answers]
    theirs = rspamd(mails, home.folder)
    counts, missed, alone = collections.defaultdict(collections.Counter), [], []
    for name in mails:
        archive, mail = name.split("/")[-2:]
        mine, seen, urls = hosts_of(answers[name]), python(Path(name).read_bytes()), theirs.get(name, {})
        both, only = seen.keys() & urls.keys(), urls.keys() - mine
        for count in counts[archive], counts["all"]:
            count.update({"messages": 1, "limits": bool(answers[name]["limits"]), "both": len(both), "found": len(both & mine),
                          "rspamd": len(urls), "rspamd alone": len(only)})
        missed += [(archive, mail, host, seen[host], urls[host]) for host in sorted(both - mine)]
        alone += [(archive, mail, host, str(host in others_of(answers[name])), urls[host]) for host in sorted(only)]
    print(f"{'archive':26}" + "".join(f"{column:>13}" for column in COLUMNS))
    for archive, count in counts.items():
        print(f"{archive:26}" + "".join(f"{count[column]:13}" for column in COLUMNS))
    print("\n".join(f"missed: {row}" for row in missed))
    (OUTPUT / "rspamd-alone.tsv").write_text("".join("\t".join(row) + "\n" for row in alone), encoding="utf-8")
    unread = [name for name in files if name not in answers]
    assert not unread
    assert counts["all"]["both"] and counts["all"]["found"] >= counts["all"]["both"] * LEAST_RECALL
