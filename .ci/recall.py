#!/usr/bin/env python3
"""Hosts of links in real mail: ours against what Python's email + html.parser and rspamd agree on.

    .ci/recall.py LAUNCHER FOLDER [--report FILE]

FOLDER holds archives (*.tar.gz) of messages. Needs rspamadm (package rspamd); starts no service, asks no network.
Every host that both others found and we did not is printed, with what we made of the message; --report also takes
what rspamd alone found. Exit status 1 when a message was not read, or when the share found is below 99.9 %.
Takes about two minutes for 4,000 messages.
"""
import argparse, collections, email, email.policy, html.parser, json, os, re, subprocess, sys, tarfile, tempfile
from pathlib import Path
from urllib.parse import unquote, urlsplit

LEAST_RECALL = 0.999
# What test sets keep beside a message: what a reader should make of it.
EXPECTATIONS = (".json", ".xml", ".out", ".bin")
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


def unpack(archives, folder):
    for archive in sorted(Path(archives).glob("*.tar.gz")):
        name = archive.name.removesuffix(".tar.gz")
        with tarfile.open(archive) as tar:
            for number, member in enumerate(sorted((m for m in tar if m.isfile()), key=lambda m: m.name)):
                target = Path(folder, name, "%05d-%s" % (number, os.path.basename(member.name)))
                target.parent.mkdir(exist_ok=True)
                target.write_bytes(tar.extractfile(member).read())
                yield str(target)


def ours(launcher, files):
    done = subprocess.run([launcher, "scan", "--json", *files], stdout=subprocess.PIPE, check=False)
    answers = [json.loads(line) for line in done.stdout.decode("utf-8").split("\n") if line]
    return {answer["file"]: answer for answer in answers}


def hosts_of(answer):
    hosts = set()
    for found in answer["identifiers"]:
        if found["kind"] == "url":
            hosts.add(normal(re.match(r"[^:]+://([^/]*)", found["value"]).group(1)))
    return hosts


def others_of(answer):
    return {normal(f["value"].rpartition("@")[2]) for f in answer["identifiers"] if f["kind"] != "url"}


def rspamd(files, folder):
    listing, script = Path(folder, "files"), Path(folder, "urls.lua")
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


def python(octets):
    """URLs that Python's parsers see, by host."""
    found = {}
    for part in email.message_from_bytes(octets, policy=email.policy.compat32).walk():
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


def host_of(url):
    url = re.sub(r"[\t\r\n]", "", url).strip()
    try:
        return normal(urlsplit(url if "//" in url[:9] else "//" + url).hostname or "")
    except ValueError:
        return ""


def normal(host):
    host = unquote(host or "").strip("[]").rstrip(".,;:!?'\"*_-").lower().strip(".")
    try:
        return host if host.isascii() else host.encode("idna").decode()
    except UnicodeError:
        return host


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("launcher", "folder"):
        parser.add_argument(name)
    parser.add_argument("--report")
    args = parser.parse_args()
    counts = collections.defaultdict(collections.Counter)
    missed, alone = [], []
    with tempfile.TemporaryDirectory(prefix="bloomgate-recall-") as folder:
        files = list(unpack(args.folder, folder))
        answers = ours(args.launcher, files)
        unread = [name for name in files if name not in answers]
        mails = [name for name in files if not name.endswith(EXPECTATIONS) and name in answers]
        theirs = rspamd(mails, folder)
        for name in mails:
            archive, mail = name.split("/")[-2:]
            mine, also = hosts_of(answers[name]), others_of(answers[name])
            seen = python(Path(name).read_bytes())
            both = seen.keys() & theirs.get(name, {}).keys()
            count = counts[archive]
            count.update(messages=1, both=len(both), found=len(both & mine), limits=bool(answers[name]["limits"]))
            missed += [(archive, mail, host, seen[host], theirs[name][host]) for host in sorted(both - mine)]
            only = theirs.get(name, {}).keys() - mine
            count["rspamd"] += len(theirs.get(name, {}))
            count["rspamd alone"] += len(only)
            alone += [(archive, mail, host, host in also, theirs[name][host]) for host in sorted(only)]
    report(counts, missed, unread)
    if args.report:
        with open(args.report, "w", encoding="utf-8") as out:
            for row in alone:
                print("rspamd alone", *row, sep="\t", file=out)
    both, found = (sum(count[what] for count in counts.values()) for what in ("both", "found"))
    sys.exit(1 if unread or found < both * LEAST_RECALL else 0)


def report(counts, missed, unread):
    columns = ["messages", "limits", "both", "found", "rspamd", "rspamd alone"]
    counts["all"] = sum(counts.values(), collections.Counter())
    print(f"{'archive':26}" + "".join(f"{column:>13}" for column in columns))
    for archive, count in counts.items():
        print(f"{archive:26}" + "".join(f"{count[column]:13}" for column in columns))
    total = counts.pop("all")
    print("recall %.3f %%" % (100 * total["found"] / max(1, total["both"])))
    for row in missed:
        print("missed:", *row)
    for name in unread:
        print("not read:", name)


if __name__ == "__main__":
    main()
