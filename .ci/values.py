#!/usr/bin/env python3
"""The password endpoint and the check command over a real snapshot: right answers, and the password in no log.
usage: values.py LAUNCHER SNAPSHOTS"""
import json, os, subprocess, sys, tempfile
from gatewaylib import Gateway

launcher, snapshots = sys.argv[1:3]
folder = tempfile.mkdtemp(prefix="bloomgate-values-")
failures = []
gateway = Gateway(launcher, folder, "maildir:" + os.path.join(folder, "mail"), "snapshots=" + snapshots,
                  "journal.directory=" + os.path.join(folder, "decisions"))
UNLISTED = "correct-horse-%s-battery" % os.urandom(8).hex()
for password, weak in (("123456", True), ("iloveyou", True), (UNLISTED, False)):
    answer = subprocess.run(["curl", "-sS", "-H", "Content-Type: application/json", "-d", json.dumps({"password": password}),
                             "http://127.0.0.1:%d/v1/passwords" % gateway.http], capture_output=True, text=True).stdout
    print(password if weak else "(unlisted)", answer)
    if json.loads(answer)["weak"] is not weak or password in answer:
        failures.append("wrong answer: " + answer)
for body in ('{"password":"%s"' % UNLISTED, '{"pasword":"%s"}' % UNLISTED, '["%s"]' % UNLISTED):
    answer = subprocess.run(["curl", "-sS", "-i", "-H", "Content-Type: application/json", "-d", body,
                             "http://127.0.0.1:%d/v1/passwords" % gateway.http], capture_output=True, text=True).stdout
    if " 400 " not in answer.splitlines()[0] or "application/problem+json" not in answer or UNLISTED in answer:
        failures.append("wrong answer to malformed JSON: " + answer)
gateway.stop()
for name in (f for d, _, fs in os.walk(folder) for f in (os.path.join(d, x) for x in fs)):
    with open(name, "rb") as f:
        if UNLISTED.encode() in f.read():
            failures.append("the password stands in " + name)


def check(status, *arguments):
    result = subprocess.run([launcher, "check", "--set", "snapshots=" + snapshots, *arguments], capture_output=True, text=True)
    print("check %s -> %d: %s" % (" ".join(arguments), result.returncode, result.stdout.strip()))
    if result.returncode != status:
        failures.append("check %s ended with %d" % (arguments, result.returncode))
    return result.stdout


if "123456" in check(1, "password", "123456"):
    failures.append("check echoed a password")
check(0, "domain", "example.com")
check(2, "domain", "not a domain at all", "")
print("\n".join(failures) or "values: all answered right, no password in any file")
sys.exit(1 if failures else 0)
