"""Links in files that other programs wrote, attached as bytes of no type: at least 99 % of them are found."""
import json
from pathlib import Path

import pytest

from documents import of_office_programs, write
from product import Home

LEAST_RECALL = 0.99


def missed(home: Home, expected: dict[str, str]) -> list[str]:
    """Files whose link is not among what a scan found."""
    answers = home.run("scan", "--json", *expected, encoding="utf-8").stdout.split("\n")
    values = {one["file"]: [found["value"] for found in one["identifiers"]] for one in map(json.loads, filter(None, answers))}
    return [file for file, link in expected.items() if not any(link in value for value in values.get(file, []))]


def test_links_in_attached_files_are_found(home: Home, tmp_path: Path):
    expected = {str(file): host for file, host in write(tmp_path / "documents")}
    assert len(expected) == 200
    assert len(lost := missed(home, expected)) <= (1 - LEAST_RECALL) * len(expected), lost


@pytest.mark.long
def test_links_in_files_of_office_programs_are_found(home: Home, tmp_path: Path):
    expected = {str(file): link for file, link in of_office_programs(tmp_path)}
    if not expected:
        pytest.skip("the packages of office programs' libraries cannot be fetched")
    assert len(expected) == 200
    assert len(lost := missed(home, expected)) <= (1 - LEAST_RECALL) * len(expected), lost
