"""QR codes in 510 pictures, by trick: ours, attached to mail, against zbarimg and zxing-cpp, each with its own defaults."""
import collections
import json
import subprocess
from email.message import EmailMessage
from pathlib import Path

import pytest

from product import Home
from qrcodes import EACH, TRICKS, write

LEAST = 0.95


def mailed(picture: Path, folder: Path) -> Path:
    mail = EmailMessage()
    mail["Subject"] = "Scan"
    mail.set_content("Scan the code.")
    mail.add_attachment(picture.read_bytes(), "image", "png", filename="code.png")
    file = folder / f"{picture.stem}.eml"
    file.write_bytes(mail.as_bytes())
    return file


def printed(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, errors="replace").stdout


@pytest.mark.long
@pytest.mark.needs("qrencode", "zint", "zbar-tools", "zxing-cpp-tools")
def test_qr_codes_are_read_at_least_as_well_as_by_others(home: Home, folder: Path, expect):
    pictures = list(write(folder / "pictures"))
    mails = {str(mailed(picture, folder)): picture for picture, _, _ in pictures}
    ours = {}
    for answer in map(json.loads, home.run("scan", "--json", *mails, encoding="utf-8").stdout.splitlines()):
        ours[mails[answer["file"]]] = [found["value"] for found in answer["identifiers"] if found["where"] == "qr"]
    read = collections.defaultdict(collections.Counter)
    for picture, trick, text in pictures:
        found = {
            "ours": any(text in value for value in ours[picture]),
            "zbarimg": text in printed("zbarimg", "-q", "--raw", str(picture)).splitlines(),
            "zxing-cpp": text in printed("ZXingReader", "-format", "QRCode", str(picture)),
        }
        read[trick].update(name for name, it in found.items() if it)
    total = sum(read.values(), collections.Counter())
    print(f"{'':20} of  {'ours':>9} {'zbarimg':>9} {'zxing-cpp':>9}")
    for trick, count in (*read.items(), ("all", total)):
        print(f"{trick:20} {len(pictures) if trick == 'all' else EACH:3} {count['ours']:9} {count['zbarimg']:9} {count['zxing-cpp']:9}")
    expect("500 pictures and more", len(pictures) == EACH * len(TRICKS) >= 500)
    expect("enough of them", total["ours"] >= LEAST * len(pictures))
    expect("not fewer than zbarimg", total["ours"] >= total["zbarimg"])
    expect("not fewer than zxing-cpp", total["ours"] >= total["zxing-cpp"])
