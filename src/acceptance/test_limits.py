"""Every bound that cuts a mail (limits/cases.tsv, whose head says what its lines mean): at it the mail is read whole and its
lure found, beyond it the limit is named and the mail is not clean."""
import base64
import csv
import io
import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

from product import CHECKOUT, Home

CASES = CHECKOUT / "src" / "test" / "resources" / "limits" / "cases.tsv"
PASSED = {"encrypted", "pictures", "pictureBytes", "picturePixels", "pictureFormat"}
DOLLAR = "\ue024"


def test_each_bound_names_its_limit(home: Home, tmp_path: Path):
    home.write("domains.txt", "evil.example")
    home.write("words.txt", "casino")
    home.write("phones.txt", "+12025550123")
    home.feeds("name: domains, kind: domain, format: lines, source: domains.txt, category: phishing, use: [sender, header, link]",
               "name: words, kind: keyword, format: lines, source: words.txt, category: spam",
               "name: phones, kind: phone, format: lines, source: phones.txt, category: phishing")
    home.rebuild()
    at, beyond = {}, {}
    for number, (what, limit, form, least, more, recipe) in enumerate(cases()):
        for found, value, name in ((at, least, "at"), (beyond, more, "beyond")):
            if value != "-":
                file = tmp_path / f"{number:02}-{name}.eml"
                file.write_bytes(message(form, int(value), recipe))
                found[str(file)] = what, limit
    answers = scanned(home, [*at, *beyond])
    cut = [(what, answers[file]["limits"], answers[file]["verdict"]) for file, (what, _) in at.items()
           if answers[file]["limits"] or answers[file]["verdict"] != "listed"]
    silent = [(what, answers[file]["limits"], answers[file]["action"]) for file, (what, limit) in beyond.items()
              if answers[file]["limits"] != [limit] or (answers[file]["action"] == "pass" and limit not in PASSED)]
    print(f"{len(at)} mails read whole, {len(beyond)} beyond a bound, of {len({limit for _, limit in beyond.values()})} limits")
    assert len(beyond) >= 47
    assert not cut
    assert not silent


def scanned(home: Home, files: list[str]) -> dict[str, dict]:
    lines = home.run("scan", "--json", *files, encoding="utf-8").stdout.split("\n")
    return {answer["file"]: answer for answer in map(json.loads, filter(None, lines))}


def cases() -> Iterator[list[str]]:
    with CASES.open(encoding="utf-8") as lines:
        yield from csv.reader((line for line in lines if not line.startswith("#")), delimiter="\t", quoting=csv.QUOTE_NONE)


def message(form: str, number: int, recipe: str) -> bytes:
    plain = re.sub(r"\\(x[0-9a-f]{2}|.)", lambda escape: character(escape.group(1)), recipe)
    content = written(plain, number).replace(DOLLAR, "$").encode("latin-1")
    kind, _, name = form.partition(":")
    return {
        "raw": lambda: content,
        "html": lambda: b"Content-Type: text/html\r\n\r\n" + content,
        "file": lambda: attached(name, content),
        "zip": lambda: attached("x.zip", zipped([(name, content)])),
        "zips": lambda: attached("x.zip", nested(name, content, number)),
        "members": lambda: attached("x.zip", zipped([(f"{i}.{name}", numbered(content.decode(), i).encode()) for i in range(number)])),
        "zipcat": lambda: attached("x.zip", zipped([(name, content)]) * (number + 1)),
    }[kind]()


def character(escape: str) -> str:
    if len(escape) > 1:
        return chr(int(escape[1:], 16)).replace("$", DOLLAR)
    return "\r\n" if escape == "n" else escape


def written(recipe: str, number: int) -> str:
    text, i = [], 0
    while i < len(recipe):
        if recipe[i] == "⟦":
            end = behind(recipe, i)
            text.append(repeated(recipe[i + 1:end - 1], number))
            i = end
        else:
            text.append(recipe[i].replace("$", str(number)))
            i += 1
    return "".join(text)


def behind(recipe: str, start: int) -> int:
    nested_in, i = 0, start
    while True:
        nested_in += {"⟦": 1, "⟧": -1}.get(recipe[i], 0)
        i += 1
        if not nested_in:
            return i


def repeated(counted: str, number: int) -> str:
    count, _, body = counted.partition("*")
    times = number if count == "$" else int(count)
    if "#" not in body:
        return written(body, number) * times
    return "".join(written(numbered(body, i), number) for i in range(times))


def numbered(body: str, i: int) -> str:
    return body.replace("#+", str(i + 1)).replace("#", str(i))


def attached(name: str, content: bytes) -> bytes:
    head = f"Content-Type: application/octet-stream; name={name}\r\nContent-Transfer-Encoding: base64\r\n\r\n"
    return head.encode() + base64.encodebytes(content).replace(b"\n", b"\r\n")


def zipped(members: list[tuple[str, bytes]]) -> bytes:
    blob = io.BytesIO()
    with zipfile.ZipFile(blob, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return blob.getvalue()


def nested(name: str, content: bytes, times: int) -> bytes:
    blob = zipped([(name, content)])
    for _ in range(times - 1):
        blob = zipped([("x.zip", blob)])
    return blob
