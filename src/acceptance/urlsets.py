"""Vectors of URL and host parsers: an input and what its canonical form must be.

A set yields Vector(given, judge, like): the bytes given, a judge of our answer, and perhaps another spelling whose
answer the judge compares. A vector without a judge is not asked; its `like` then says why.
"""
import csv, json, re
from collections import namedtuple
from urllib.parse import unquote_to_bytes

Vector = namedtuple("Vector", "given judge like", defaults=(None,))


def gsb_canonical(folder):
    for case in cases(folder, "gsb-url-canonicalization.json"):
        expected = "" if case.get("fail") else case["expected"]
        yield Vector(blob(case), lambda ours, _, expected=expected: ours["canonical"].split("?")[0] == expected)


def gsb_expressions(folder):
    for case in cases(folder, "gsb-suffix-prefix-expressions.json"):
        yield Vector(blob(case), lambda ours, _, case=case: set(ours["keys"]) == set(case.get("expected", [])))


def rspamd_hosts(folder):
    for case in cases(folder, "rspamd-url-host.json"):
        if case["input"].lower().startswith("mailto:"):
            yield Vector(blob(case), None, "an address, not a URL")
            continue
        first_word = re.sub(r"\.? text$", "", case["input"])
        host = case["host"].encode("idna").decode() if not case["host"].isascii() else case["host"]
        yield Vector(first_word.encode(), lambda ours, _, host=host: host_of(ours).strip("[]") == host)


def wpt_urls(folder):
    for case in cases(folder, "wpt-urltestdata-odd.json"):
        text = re.sub(r"[\t\r\n]", "", case.get("input", "")).lstrip("\x00 ")
        absolute = re.match(r"https?:[/\\]{2}" if case.get("base") else r"https?:", text, re.I)
        if case.get("failure"):
            yield Vector(blob(case), None, "refused by a browser: looked up all the same")
        elif absolute and case["protocol"] in ("http:", "https:"):
            yield Vector(blob(case), lambda ours, _, name=case["hostname"]: is_host(host_of(ours), name))
        else:
            yield Vector(blob(case), None, "relative, or of a scheme without a host")


def wpt_idna(name):
    def read(folder):
        for case in cases(folder, name):
            wrapped = blob({"input": f"http://{case['input']}/"})
            if case["output"] is None or not case["output"]:
                yield Vector(wrapped, None, "refused by a browser: looked up all the same")
            elif re.search(r"[/?#@\\:%\t\r\n]", case["input"]):
                yield Vector(wrapped, None, "holds what ends a host in a URL")
            else:
                yield Vector(wrapped, lambda ours, _, host=case["output"]: is_host(host_of(ours), host))
    return read


def is_host(host, expected):
    """Equal after the rules of Safe Browsing: dots folded, and escaped what no host may hold."""
    return unquote_to_bytes(host) in (unquote_to_bytes(expected), unquote_to_bytes(fold_dots(expected)))


def fold_dots(host):
    return re.sub(r"\.+", ".", host).strip(".")


def public_suffixes(folder):
    def judge(ours, name, expected):
        names = {key.split("/")[0] for key in ours["keys"]}
        if expected == "null":
            return names <= {host_of(ours)}
        return min(names, key=len, default="") == expected.encode("idna").decode()
    lines = (folder / "psl" / "psl-tests-odd.txt").read_text(encoding="utf-8").split("\n")
    for line in lines:
        if line and not line.startswith(("//", "null")):
            name, expected = line.split()
            yield Vector(name.encode(), lambda ours, _, name=name, expected=expected: judge(ours, name, expected))


def crawler_commons(folder):
    """Two spellings of one URL, the second normal: one canonical form."""
    path = folder / "crawler-commons-weirdToNormalizedUrls.csv"
    for line in path.read_text(encoding="utf-8").split("\n"):
        if line and not line.startswith("#"):
            url, normal = [cell.strip(" ") for cell in next(csv.reader([line], skipinitialspace=True))][:2]
            yield Vector(url.encode(), lambda ours, theirs: key_text(ours) == key_text(theirs), normal.encode())


def key_text(answer):
    return answer["keys"][:1] or answer["canonical"]


def host_of(answer):
    found = re.match(r"[^:]+://([^/]*)/", answer["canonical"])
    return found.group(1) if found else ""


def blob(case):
    if "input_hex" in case:
        return bytes.fromhex(case["input_hex"])
    return case.get("input", "").encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode("utf-8")


def cases(folder, name):
    found = json.loads((folder / name).read_text(encoding="utf-8"))["cases"]
    return [case for case in found if isinstance(case, dict)]


SETS = {
    "gsb canonical form": gsb_canonical,
    "gsb expressions": gsb_expressions,
    "rspamd hosts": rspamd_hosts,
    "wpt urls": wpt_urls,
    "wpt toascii": wpt_idna("wpt-toascii-odd.json"),
    "wpt IdnaTestV2": wpt_idna("wpt-IdnaTestV2-odd.json"),
    "public suffix list": public_suffixes,
    "crawler-commons": crawler_commons,
}
