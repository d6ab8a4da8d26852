"""200 mails whose links stand in files that other programs wrote: zip, tar, gzip, openssl, Python's zipfile, tarfile, email.

`write(folder)` writes them and yields each with the host that its link leads to."""
import base64
import io
import os
import quopri
import subprocess
import tarfile
import zipfile
import zlib
from email.message import EmailMessage
from pathlib import Path

from mailservers import unpacked

# Of Debian, with what they need of each other.
OFFICE_PACKAGES = tuple(f"python3-{name}" for name in (
    "dateutil", "defusedxml", "docx", "et-xmlfile", "icalendar", "lxml", "odf", "openpyxl", "pypdf2", "six", "tz", "vobject", "xlsxwriter"))  # fmt: skip
XML = "<?xml version='1.0' encoding='UTF-8'?>"
ROUNDS = 10


def page(url: str) -> bytes:
    return f"<p>Your invoice <a href='{url}'>here</a></p>".encode()


def zipped(members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    blob = io.BytesIO()
    with zipfile.ZipFile(blob, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return blob.getvalue()


def by_command(folder: Path, content: bytes, *command: str) -> bytes:
    """What a command makes of the file invoice.html in its folder, on its standard output."""
    (folder / "invoice.html").write_bytes(content)
    return subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout


def tarred(url: str, mode: str) -> bytes:
    blob = io.BytesIO()
    with tarfile.open(fileobj=blob, mode=mode) as archive:
        entry = tarfile.TarInfo("folder/" * 20 + "invoice.html")
        entry.size = len(page(url))
        archive.addfile(entry, io.BytesIO(page(url)))
    return blob.getvalue()


def message(url: str) -> bytes:
    mail = EmailMessage()
    mail["Subject"] = "Invoice"
    mail.set_content("see the page")
    mail.add_alternative(page(url).decode(), subtype="html", cte="base64")
    return mail.as_bytes()


def relationship(url: str) -> str:
    return f"{XML}<Relationships><Relationship Id='r1' Type='hyperlink' Target='{url}' TargetMode='External'/></Relationships>"


def in_pieces(url: str) -> str:
    runs = "".join(f"<w:r><w:rPr><w:b/></w:rPr><w:instrText>{piece}</w:instrText></w:r>" for piece in (" HYPER", 'LINK "', url, '"'))
    return f"{XML}<w:document xmlns:w='w'><w:p>{runs}</w:p></w:document>"


def pdf(url: str) -> bytes:
    objects = zlib.compress(f"4 0 5 {len(url) + 3} ({url}) <</S/URI/URI 4 0 R>>".encode())
    return b"%PDF-1.7\n1 0 obj<</Type/ObjStm/N 2/First 9/Filter/FlateDecode>>stream\n" + objects + b"\nendstream endobj\n"


def calendar(url: str) -> bytes:
    return f"BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDESCRIPTION:Pay\\n{url[:20]}\r\n {url[20:]}\\nnow\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n".encode()


def card(url: str) -> bytes:
    text = quopri.encodestring(url.encode(), quotetabs=True)
    return b"BEGIN:VCARD\r\nVERSION:2.1\r\nURL;ENCODING=QUOTED-PRINTABLE:" + text + b"\r\nEND:VCARD\r\n"


def documents(folder: Path, url: str):
    """Name and bytes of each file, all with the one link."""
    text = page(url)
    yield "invoice.zip", by_command(folder, text, "zip", "-q", "-", "invoice.html")
    yield "stored.zip", by_command(folder, text, "zip", "-q", "-0", "-", "invoice.html")
    yield "invoice.tgz", by_command(folder, text, "tar", "czf", "-", "invoice.html")
    yield "invoice.html.gz", by_command(folder, text, "gzip", "-c", "invoice.html")
    yield "bzip2.zip", zipped({"invoice.html": text}, zipfile.ZIP_BZIP2)
    yield "twice.zip", zipped({"inner.zip": zipped({"invoice.html": text})})
    yield "pax.tar", tarred(url, "w")
    yield "invoice.eml", message(url)
    yield "mail.zip", zipped({"invoice.eml": message(url)})
    yield "link.docx", zipped({"word/_rels/document.xml.rels": relationship(url).encode()})
    yield "field.docx", zipped({"word/document.xml": in_pieces(url).encode()})
    yield "cell.xlsx", zipped({"xl/worksheets/sheet1.xml": f'{XML}<c><f>HYPERLINK("{url}","x")</f></c>'.encode()})
    yield "text.pptx", zipped({"ppt/slides/slide1.xml": f"{XML}<a:p><a:r><a:t>{url}</a:t></a:r></a:p>".encode()})
    yield "link.odt", zipped({"content.xml": f"{XML}<text:p><text:a xlink:href='{url}'>x</text:a></text:p>".encode()})
    yield "invoice.rtf", f'{{\\rtf1{{\\field{{\\*\\fldinst HYPERLINK "{url}"}}{{\\fldrslt x}}}}}}'.encode()
    yield "invoice.pdf", pdf(url)
    yield "invoice.ics", calendar(url)
    yield "card.vcf", card(url)
    yield "invoice.url", f"[InternetShortcut]\r\nURL={url}\r\n".encode()
    yield "smime.p7m", signed(folder, text)


def signed(folder: Path, content: bytes) -> bytes:
    key = folder / "key.pem"
    if not key.exists():
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=sender.example", "-days", "2",
             "-keyout", "key.pem", "-out", "certificate.pem"], cwd=folder, stderr=subprocess.DEVNULL, check=True)  # fmt: skip
    return by_command(
        folder, b"Content-Type: text/html\r\n\r\n" + content, "openssl", "smime", "-sign", "-nodetach", "-binary", "-outform", "DER",
        "-in", "invoice.html", "-signer", "certificate.pem", "-inkey", "key.pem")  # fmt: skip


def mailed(folder: Path, name: str, blob: bytes) -> Path:
    """A mail with the file, whose type says nothing."""
    mail = folder / f"{name}.eml"
    mail.write_bytes(
        f"Subject: x\r\nContent-Type: application/octet-stream; name=\"{name}\"\r\n".encode()
        + b"Content-Transfer-Encoding: base64\r\nContent-Disposition: attachment\r\n\r\n"
        + base64.encodebytes(blob))  # fmt: skip
    return mail


def write(folder: Path):
    scratch = folder / "scratch"
    scratch.mkdir(parents=True)
    for turn in range(ROUNDS):
        for number, (name, blob) in enumerate(documents(scratch, f"http://h{turn}-office.example/pay/{turn}")):
            host = f"h{turn}-office.example".lower()
            yield mailed(folder, f"{turn:02d}-{number:02d}-{name}", blob), host


def of_office_programs(folder: Path):
    """The same of office.py, with the modules it needs in the folder; nothing where they cannot be had."""
    root = unpacked(folder / "packages", *OFFICE_PACKAGES)
    if root is None:
        return
    written = folder / "written"
    written.mkdir()
    modules = {**os.environ, "PYTHONPATH": str(root / "usr/lib/python3/dist-packages")}
    command = ["/usr/bin/python3", Path(__file__).with_name("office.py"), written]
    for line in subprocess.run(command, env=modules, capture_output=True, encoding="utf-8", check=True).stdout.splitlines():
        name, link = line.split("\t")
        yield mailed(folder, name, (written / name).read_bytes()), link
