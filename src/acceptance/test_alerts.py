"""Prometheus' own tool over what ships for it: rules that parse, that fire when they should, and metrics by its conventions."""
import subprocess

import pytest

from packages import program
from product import CHECKOUT

pytestmark = pytest.mark.needs("prometheus")


def promtool(*arguments: str, blob: bytes = b"") -> None:
    done = subprocess.run([program("promtool"), *arguments], input=blob, capture_output=True, check=False, timeout=120)
    said = (done.stdout + done.stderr).decode()
    print(said)
    assert done.returncode == 0, said


def test_the_rules_are_rules():
    promtool("check", "rules", str(CHECKOUT / "docker" / "alerts.yaml"))


def test_alerts_fire_when_they_should():
    promtool("test", "rules", str(CHECKOUT / "src" / "acceptance" / "alerts_test.yaml"))


def test_metrics_are_named_as_prometheus_wants(home):
    gateway = home.gateway()
    promtool("check", "metrics", blob=gateway.get("/metrics").encode())
