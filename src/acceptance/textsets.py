"""Vectors of linkifiers: a text and the links a reader could click in it.

A set yields (text, Expected); the text becomes the body of a text/plain message of its own.
"""
import html, json, re
from collections import namedtuple

# links must be found; patterns must match the list of what was found, never must not. With `only` nothing else may
# be found at a surer place than `schemeless`: what stands there and below costs a look into the filter, no more.
# `kinds` are the kinds of identifiers that count.
Expected = namedtuple("Expected", "links patterns never only kinds", defaults=((), (), (), False, ("url", "address")))


def linkify_it(folder):
    """A line that is followed by another is a text and its link; alone it is a link."""
    lines = (folder / "linkify-it-links.txt").read_text(encoding="utf-8").split("\n")
    lines = ["" if line.startswith("%") else line for line in lines] + [""]
    at = 0
    while at < len(lines) - 1:
        if lines[at].strip():
            link = lines[at + 1] if lines[at + 1].strip() else lines[at]
            yield lines[at], Expected(links=(link.strip(),))
            at += 1
        at += 1


def linkify_it_none(folder):
    for line in (folder / "linkify-it-not_links.txt").read_text(encoding="utf-8").split("\n"):
        if line.strip() and not line.startswith("%"):
            yield line, Expected(only=True)


def autolink_java(folder):
    for case in cases(folder, "autolink-java.json"):
        text, marked = case["input"], case["marked"]
        links = (text,) if marked == f"|{text}|" else tuple(re.findall(r"\|([^|]+)\|", marked))
        kinds = ("address",) if case["test"] == "AutolinkEmailTest" else ("url",)
        if text.strip():
            yield text, Expected(links=links, only=not links, kinds=kinds)


def twitter_text(folder):
    for group, text, expected in twitter_cases(folder / "twitter-text-autolink.yml"):
        anchors = re.findall(r'<a ([^>]*href="([^"]*)"[^>]*)>', "".join(expected))
        links = tuple(html.unescape(href) for anchor, href in anchors if "tweet-url" not in anchor)
        if group in ("urls", "all"):
            yield text, Expected(links=links, only=not links, kinds=("url",))


def twitter_tlds(folder):
    for _, text, expected in twitter_cases(folder / "twitter-text-tlds.yml"):
        yield text, Expected(links=tuple(expected))


def twitter_cases(path):
    """Group, text and what is expected: as much YAML as these files use."""
    group, text, expected = "", "", []
    for line in [*path.read_text(encoding="utf-8").split("\n"), "- description:"]:
        found = re.fullmatch(r" *(- description:|- |text:|expected:|(\w+):$) ?(.*)", line)
        key, name, value = found.groups() if found else ("", "", "")
        if key == "- description:" or name:
            if text:
                yield group, text, expected
            group, text, expected = name or group, "", []
        elif key == "text:":
            text = scalar(value)
        elif key == "- " or (key == "expected:" and value):
            expected.append(scalar(value))


def scalar(value):
    if value.startswith('"'):
        value = re.sub(r"\\U([0-9A-Fa-f]{8})", lambda found: chr(int(found.group(1), 16)), value)
        return json.loads(value)
    return value[1:-1].replace("''", "'") if value.startswith("'") else value


def spamassassin(folder):
    """A key has neither scheme, port, userinfo nor upper case; `http://` stands for all schemes."""
    for case in cases(folder, "spamassassin-uri_text-odd.json"):
        patterns = tuple(key_pattern(pattern) for pattern in case["must_match"])
        yield case["text"], Expected(patterns=patterns, never=tuple(case["must_not_match"]))


def key_pattern(pattern):
    pattern = re.sub(r"^(\^?)(https?|ftp)://([\w.\\:]+\\@)?", r"\1http://", pattern, flags=re.I)
    return re.sub(r":\d+", "", pattern).replace("mailto://", "mailto:")


def cases(folder, name):
    return [case for case in json.loads((folder / name).read_text(encoding="utf-8"))["cases"] if isinstance(case, dict)]


def judge(identifiers, expected, canonical_of):
    """True when all that must be is found and nothing that must not."""
    found = [found for found in identifiers if found["kind"] in expected.kinds]
    values = {found["value"] for found in found}
    if not all(canonical_of(link) in values for link in expected.links):
        return False
    listing = "\n".join(line for one in found for line in listed(one))
    if not all(re.search(pattern, listing, re.M | re.I) for pattern in expected.patterns):
        return False
    if any(re.search(pattern, listing, re.M | re.I) for pattern in expected.never):
        return False
    return not (expected.only and any(one["where"] not in ("schemeless", "raw") for one in found))


def listed(found):
    if found["kind"] == "address":
        return ["mailto:" + found["value"]]
    url = re.sub(r"^[^:]+://", "http://", found["value"])
    return [url, url.rstrip("/")]


SETS = {
    "linkify-it": linkify_it,
    "linkify-it, no links": linkify_it_none,
    "autolink-java": autolink_java,
    "twitter-text": twitter_text,
    "twitter-text tlds": twitter_tlds,
    "spamassassin texts": spamassassin,
}
