"""What people attach every day is not tagged: a photo of a phone, a screenshot in 4K, an A4 scan at 300 dpi, five photos, 25
logos, archives with an empty file, formats that nobody reads. A code in the photo and in the scan is found, and a photo takes little time."""
import json
import statistics
import subprocess
import time
import urllib.request
import zipfile
from email.message import EmailMessage
from pathlib import Path

import pytest

from packages import program
from product import Home

pytestmark = pytest.mark.needs("imagemagick", "qrencode")
IMAGES = {"jpeg", "png", "tiff", "webp", "heic"}
PHOTO, SCREEN, PAGE = "4000x3000", "3840x2160", "2480x3508"
MOST_MS_OF_A_PHOTO, MOST_MS_OF_FIVE = 250, 80


def convert(*arguments: object) -> Path:
    subprocess.run([program("convert-im6.q16"), *map(str, arguments)], check=True, capture_output=True)
    return Path(str(arguments[-1]))


def code(folder: Path) -> Path:
    file = folder / "code.png"
    subprocess.run(["qrencode", "-s", "12", "-o", file, "http://evil.example/qr"], check=True)
    return file


def photo(folder: Path, name: str, *more: object, size: str = PHOTO) -> Path:
    return convert("-size", size, "-seed", "7", "plasma:tan-steelblue", "-attenuate", "0.3", "+noise", "Gaussian", *more,
                   "-quality", "88", folder / f"{name}.jpg")


def pdf_of(page: Path) -> bytes:
    """A page that is one picture, as scanners write it."""
    width, height = PAGE.split("x")
    jpeg, drawn = page.read_bytes(), b"q 595 0 0 842 0 0 cm /I Do Q"
    return (b"%%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
            b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</XObject<</I 4 0 R>>>>/Contents 5 0 R>>endobj\n"
            b"4 0 obj<</Type/XObject/Subtype/Image/Width %s/Height %s/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode"
            b"/Length %d>>stream\n%s\nendstream endobj\n5 0 obj<</Length %d>>stream\n%s\nendstream endobj\ntrailer<</Root 1 0 R>>\n"
            % (width.encode(), height.encode(), len(jpeg), jpeg, len(drawn), drawn))


def mail_of(*files: tuple[str, bytes]) -> bytes:
    mail = EmailMessage()
    mail["From"], mail["Subject"] = "a@sender.example", "Pictures"
    mail.set_content("See what is attached.")
    for name, content in files:
        subtype = {"jpg": "jpeg", "tif": "tiff"}.get(name.rpartition(".")[2], name.rpartition(".")[2])
        mail.add_attachment(content, *(("image", subtype) if subtype in IMAGES else ("application", subtype)), filename=name)
    return mail.as_bytes()


def with_empty_file(folder: Path):
    """Archives with an empty file among others, by the programs that people use."""
    files = folder / "files"
    files.mkdir()
    (files / "empty.txt").write_bytes(b"")
    (files / "text.txt").write_text("some text\n" * 40)
    for name, command in {
        "zip": ("zip", "-q", folder / "x.zip", "empty.txt", "text.txt"),
        "stored.zip": ("zip", "-q", "-0", folder / "x.stored.zip", "empty.txt", "text.txt"),
        "piped.zip": ("sh", "-c", f"zip -q - empty.txt text.txt | cat > {folder}/x.piped.zip"),
        "tgz": ("tar", "czf", folder / "x.tgz", "empty.txt", "text.txt"),
    }.items():
        subprocess.run(command, cwd=files, check=True)
        yield name, (folder / f"x.{name}").read_bytes()
    with zipfile.ZipFile(folder / "x.whl", "w", zipfile.ZIP_DEFLATED) as wheel:
        wheel.writestr("empty.py", "")
        wheel.writestr("text.py", "x = 1\n" * 40)
    yield "whl", (folder / "x.whl").read_bytes()


def everyday(folder: Path) -> dict[str, bytes]:
    taken = photo(folder, "photo").read_bytes()
    screen = convert("-size", SCREEN, "gradient:white-lightblue", "-fill", "black", "-draw", "rectangle 100,100 1800,160", folder / "screen.png")
    page = convert("-size", PAGE, "xc:white", "-fill", "gray", "-draw", "rectangle 200,200 2200,260", "-quality", "80", folder / "page.jpg")
    logo = convert("-size", "160x60", "gradient:navy-white", folder / "logo.png").read_bytes()
    flat = convert("-size", "800x600", "gradient:red-white", folder / "flat.tif")
    return {
        "a photo": mail_of(("photo.jpg", taken)),
        "a screenshot": mail_of(("screen.png", screen.read_bytes())),
        "a scan": mail_of(("scan.pdf", pdf_of(page))),
        "a TIFF": mail_of(("fax.tif", flat.read_bytes())),
        "a WebP": mail_of(("x.webp", convert(folder / "flat.tif", folder / "flat.webp").read_bytes())),
        **{f"a {name} with an empty file": mail_of((f"x.{name}", archive)) for name, archive in with_empty_file(folder)},
        "a HEIC": mail_of(("IMG_1.heic", b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + b"\0" * 5000)),
        "25 logos": mail_of(*((f"logo{i}.png", logo) for i in range(25))),
        "five photos": mail_of(*((f"photo{i}.jpg", taken) for i in range(5))),
    }


def test_what_is_attached_every_day_is_not_tagged(home: Home, tmp_path: Path, expect, pytestconfig):
    home.write("bad.txt", "evil.example")
    home.feeds("name: bad, kind: domain, format: lines, source: bad.txt, category: phishing")
    home.rebuild()
    marked = code(tmp_path)
    lures = {
        "a code in a photo": mail_of(("p.jpg", photo(tmp_path, "lure", marked, "-geometry", "700x700+1500+1100", "-composite").read_bytes())),
        "a code in a scan": mail_of(("s.pdf", pdf_of(convert("-size", PAGE, "xc:white", marked, "-geometry", "354x354+1700+2700", "-composite",
                                                              "-quality", "80", tmp_path / "marked.jpg")))),
    }
    mails = everyday(tmp_path)
    files = []
    for name, content in (mails | lures).items():
        files.append(tmp_path / f"{name}.eml")
        files[-1].write_bytes(content)
    answers = [json.loads(line) for line in home.run("scan", "--json", *files, encoding="utf-8").stdout.splitlines()]
    for file, answer in zip(files, answers):
        wanted = "reject" if file.stem in lures else "pass"
        expect(f"{file.stem}: {answer['action']} {answer['limits']}", answer["action"] == wanted)

    if not pytestconfig.getoption("--all"):  # what follows are figures
        return
    gateway = home.gateway()
    five = mail_of(*((f"p{i}.jpg", photo(tmp_path, f"small{i}", size="1024x768").read_bytes()) for i in range(5)))
    for what, mail, most in (("a photo", mails["a photo"], MOST_MS_OF_A_PHOTO), ("five pictures of 1024x768", five, MOST_MS_OF_FIVE)):
        took = sorted(milliseconds(gateway.url, mail) for _ in range(40))[20:]
        print(f"{what}: median {statistics.median(took):.0f} ms, goal {most}")
    gateway.stop()


def milliseconds(url: str, mail: bytes) -> float:
    request = urllib.request.Request(f"{url}/v1/messages", mail, {"Content-Type": "message/rfc822"})
    began = time.perf_counter()
    with urllib.request.urlopen(request, timeout=60) as answer:
        answer.read()
    return 1000 * (time.perf_counter() - began)
