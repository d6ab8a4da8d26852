"""Headless Chromium by the WebDriver protocol, with what the checks ask of a page."""
import base64
import json
import tempfile
import urllib.error
import urllib.request
from pathlib import Path

from processes import Processes, free_port, wait_for_port, wait_until

TAB, ENTER, ESCAPE, DOWN, UP = "\ue004", "\ue007", "\ue00c", "\ue015", "\ue013"
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--mute-audio"]


class Browser:
    """One window.

    flags: of Chromium, instead of one without extensions"""

    def __init__(self, processes: Processes, folder: Path, flags: tuple[str, ...] = ("--disable-extensions",)):
        self.port = free_port()
        with (folder / "chromedriver.log").open("wb") as log:
            self.driver = processes.start("chromedriver", f"--port={self.port}", stdout=log, stderr=log)
        wait_for_port(self.port)
        profile = tempfile.mkdtemp(prefix="profile-", dir=folder)
        wanted = {"browserName": "chrome", "goog:loggingPrefs": {"browser": "ALL"},
                  "goog:chromeOptions": {"args": [*FLAGS, *flags, "--user-data-dir=" + profile]}}
        self.base = ""
        self.base = "/session/" + self.call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]

    def call(self, method, path, body=None):
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{self.base}{path}", method=method,
                                         data=json.dumps(body or {}).encode() if method == "POST" else None,
                                         headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=180) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(error.read().decode()[:2000]) from None

    def open(self, url):
        self.call("POST", "/url", {"url": url})

    def run(self, script, *args):
        return self.call("POST", "/execute/sync", {"script": script, "args": list(args)})

    def run_async(self, script, *args):
        return self.call("POST", "/execute/async", {"script": script, "args": list(args)})

    def wait(self, what, script, seconds=60):
        """The first true value of the script."""
        try:
            return wait_until(what, lambda: self.run(script), seconds, pause=0.1)
        except AssertionError as vain:
            raise AssertionError(f"{vain}; the page says\n{self.run('return document.body.innerText')[:3000]}") from None

    def element(self, selector):
        return list(self.call("POST", "/element", {"using": "css selector", "value": selector}).values())[0]

    def click(self, selector):
        self.call("POST", f"/element/{self.element(selector)}/click")

    def type(self, selector, text):
        self.call("POST", f"/element/{self.element(selector)}/value", {"text": text})

    def keys(self, *keys):
        """Pressed and let go, one after the other, wherever the focus is."""
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.call("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def console(self):
        return [entry for entry in self.call("POST", "/se/log", {"type": "browser"}) if entry["level"] in ("SEVERE", "WARNING")]

    def devtools(self, command, **parameters):
        return self.call("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def look(self, width, scheme, height=900):
        self.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def screenshot(self, path: Path):
        size = self.run("return [innerWidth, document.documentElement.scrollHeight]")
        picture = self.devtools("Page.captureScreenshot", captureBeyondViewport=True,
                                clip={"x": 0, "y": 0, "width": size[0], "height": size[1], "scale": 1})
        path.write_bytes(base64.b64decode(picture["data"]))

    def close(self):
        try:
            self.call("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait(60)
