"""The password endpoint and the check command over a real snapshot: right answers, and the password in no file."""
import json
import os
import subprocess

import pytest

from product import files_that_hold

pytestmark = [pytest.mark.needs_shared, pytest.mark.needs("curl")]
UNLISTED = f"correct-horse-{os.urandom(8).hex()}-battery"


def curl(gateway, body: str, *options: str) -> str:
    command = ["curl", "-sS", *options, "-H", "Content-Type: application/json", "-d", body, gateway.url + "/v1/passwords"]
    return subprocess.run(command, capture_output=True, text=True).stdout


def test_passwords_are_judged_and_never_kept(home, real_feeds, expect):
    gateway = home.gateway(f"snapshots={real_feeds.snapshots}")
    for password, weak in (("123456", True), ("iloveyou", True), (UNLISTED, False)):
        answer = curl(gateway, json.dumps({"password": password}))
        expect(f"answered: {answer}", json.loads(answer)["weak"] is weak and password not in answer)
    for body in ('{"password":"%s"' % UNLISTED, '{"pasword":"%s"}' % UNLISTED, '["%s"]' % UNLISTED):
        answer = curl(gateway, body, "-i")
        expect(f"malformed JSON is a problem: {answer}",
               " 400 " in answer.splitlines()[0] and "application/problem+json" in answer and UNLISTED not in answer)
    gateway.stop()
    kept = files_that_hold(UNLISTED, home.folder)
    expect(f"the password stands in no file: {kept}", not kept)


def test_the_check_command_ends_with_the_status_of_its_verdict(home, real_feeds):
    def check(status: int, *values: str) -> str:
        return home.run("check", "--set", f"snapshots={real_feeds.snapshots}", *values, status=status).stdout
    assert "123456" not in check(1, "password", "123456")
    check(0, "domain", "example.com")
    check(2, "domain", "not a domain at all", "")
