"""Links in files that other programs wrote, attached as octets of no type: at least 99 % of them are found."""
import json
from pathlib import Path

from documents import write
from product import Home

LEAST_RECALL = 0.99


def test_links_in_attached_files_are_found(home: Home, tmp_path: Path):
    expected = {str(file): host for file, host in write(tmp_path / "documents")}
    answers = home.run("scan", "--json", *expected, encoding="utf-8").stdout.split("\n")
    values = {one["file"]: [found["value"] for found in one["identifiers"]] for one in map(json.loads, filter(None, answers))}
    missed = [file for file, host in expected.items() if not any(host in value for value in values.get(file, []))]
    assert len(expected) == 200
    assert len(missed) <= (1 - LEAST_RECALL) * len(expected), missed
