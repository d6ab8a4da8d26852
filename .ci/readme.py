#!/usr/bin/env python3
"""Runs the README: every ```sh block in order, and compares what it prints with the ```text block behind it.

`./bloomgate gateway` runs in the background from its ready line to the end. Tokens, generations, times and sizes are
compared by shape. The test command is left to the caller, who runs it first."""
import re, shutil, signal, subprocess, sys, time

SHAPES = [(r"\b[0-9A-HJKMNP-TV-Z]{12}\b", "TOKEN"), (r"\b\d{8}T\d{6}Z-[0-9a-f]{4}\b", "GENERATION"),
          (r"\b\d{4}-\d\d-\d\dT[\d:.]+Z\b", "TIME"), (r"\b[A-Z][a-z]{2}, \d+ [A-Z][a-z]{2} \d{4} [\d:]+ [+-]\d{4}\b", "DATE")]
TEST_COMMAND = "mvn verify"


def shaped(line):
    for pattern, name in SHAPES:
        line = re.sub(pattern, name, line)
    return line.strip()


blocks = re.findall(r"^```(sh|text)\n(.*?)^```", open("README.md", encoding="utf-8").read(), re.M | re.S)
shutil.rmtree("var", ignore_errors=True)
gateway, failures, ran = None, [], 0
try:
    for i, (kind, text) in enumerate(blocks):
        if kind == "text" or text.strip() == TEST_COMMAND:
            continue
        ran += 1
        if text.strip() == "./bloomgate gateway":
            with open("target/readme-gateway.log", "wb") as log:
                gateway = subprocess.Popen(["./bloomgate", "gateway"], stderr=log, stdout=log)
            end = time.time() + 240
            while b"ready smtp=" not in (output := open("target/readme-gateway.log", "rb").read()):
                if gateway.poll() is not None or time.time() > end:
                    sys.exit("the gateway did not get ready:\n" + output.decode())
                time.sleep(0.2)
            output = output.decode()
        else:
            result = subprocess.run(["bash", "-c", text], capture_output=True, text=True, timeout=240)
            output = result.stdout + result.stderr
        print("$ %s\n%s" % (text.strip(), output.strip()))
        if i + 1 < len(blocks) and blocks[i + 1][0] == "text":
            printed = [shaped(line) for line in output.splitlines()]
            for line in blocks[i + 1][1].splitlines():
                if line.strip() and line.strip() != "..." and shaped(line) not in printed:
                    failures.append("README promises %r after %r" % (line, text.strip().splitlines()[0]))
finally:
    if gateway:
        gateway.send_signal(signal.SIGTERM)
        gateway.wait(60)
print("\n".join(failures) or "README: %d blocks ran and printed what it says" % ran)
sys.exit(1 if failures or not ran else 0)
