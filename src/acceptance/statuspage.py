"""What the checks of the status page share: mail of all kinds, and the page in a window, used by keyboard alone."""
import subprocess
import threading
import time

from browser import TAB, Browser
from product import OUTPUT, Gateway, Home
from smtp import SmtpClient

AXE = """const done = arguments[0];
axe.run(document, {resultTypes: ['violations']}).then(
  r => done(r.violations.map(v => [v.impact, v.id, v.nodes.map(n => n.target + ': ' + n.failureSummary).slice(0, 3)])),
  e => done([['serious', String(e), []]]))"""
# Counts what the keyboard can reach, and notes where the focus goes from now on, and whether it is seen there.
NOTE_FOCUS = """document.activeElement.blur();
window.seen = [];
document.addEventListener('focusin', window.noting = e => {
  const s = getComputedStyle(e.target);
  seen.push([e.target.id || e.target.name || e.target.textContent.slice(0, 30),
    s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 2]);
});
window.getSelection().removeAllRanges();
return [...document.querySelectorAll('a[href],button,input,select,summary')]
  .filter(e => e.checkVisibility() && !e.disabled && !e.closest('[hidden]')).length"""
# How often Tab has to be pressed from where the focus is, as far as the elements tell; scrolling boxes are stops too.
TABS_TO = """const stops = [...document.querySelectorAll('a[href],button,input,select,summary,[tabindex="0"]')]
  .filter(e => e.checkVisibility() && !e.disabled && !e.closest('[hidden]'));
const before = e => e.compareDocumentPosition(document.activeElement) & Node.DOCUMENT_POSITION_FOLLOWING;
const to = stops.indexOf(document.querySelector(arguments[0]));
const at = document.activeElement === document.body ? -1 : stops.includes(document.activeElement) ? stops.indexOf(document.activeElement) : stops.filter(before).length - 1;
if (to < 0) throw new Error('cannot be reached: ' + arguments[0]);
return (to - at + stops.length) % stops.length"""
# What is wider than its section, or stands upon its neighbour in a form.
SPILT = """const right = e => e.getBoundingClientRect().right, seen = e => e.checkVisibility();
return [...document.querySelectorAll('table, ul, ol, dl, form')].filter(e => seen(e) && right(e) > right(e.closest('section, header, main')) + 1)
  .concat([...document.querySelectorAll('label > input, label > select')].filter(e => seen(e) && right(e) > right(e.parentElement) + 1))
  .map(e => e.id || e.name || e.outerHTML.slice(0, 80))"""
IS_FOCUSED = "return document.activeElement === document.querySelector(arguments[0])"


class Mail(threading.Thread):
    """A client that sends mail of all kinds until it is told to stop."""

    def __init__(self, gateway: Gateway, pause: float = 0.04):
        super().__init__(daemon=True)
        self.port, self.sending, self.pause = gateway.smtp, True, pause
        self.start()

    def run(self) -> None:
        number = 0
        with SmtpClient(self.port) as client:
            while self.sending:
                number += 1
                to, text = b"someone@dest.test", b"Subject: %d\r\n\r\nSee http://clean-%d.test/ " % (number, number)
                if number % 9 == 0:
                    text += b"and http://www.evil.example/login?who=someone@dest.test"
                elif number % 11 == 0:
                    text = text.replace(b"\r\n\r\n", b"\r\nContent-Type: text/html\r\n\r\n") + b"<a href='http://tried.example/'>now</a>"
                elif number % 14 == 0:
                    to, text = b"b@defer.test", text + b"and http://shared.example/bad/invoice.exe"
                elif number % 5 == 0:
                    text = text.replace(b"\r\n\r\n", b"\r\nContent-Type: text/html\r\n\r\n") + b"<!-- http://worse.example/ -->"
                client.send(b"from%d@sender.test" % number, to, text)
                time.sleep(self.pause)

    def stop(self) -> None:
        self.sending = False
        self.join()


class Page:
    """The status page in a window, and what the check asks of it again and again."""

    def __init__(self, browser: Browser, home: Home, expect):
        self.browser, self.expect = browser, expect
        self.pictures = OUTPUT / "status"
        self.pictures.mkdir(parents=True, exist_ok=True)
        # Accessibility rules that somebody else wrote; from npm's registry.
        subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", home.folder, "axe-core@4"],
                       capture_output=True, check=True)
        self.axe_core = home.path("node_modules", "axe-core", "axe.min.js").read_text(encoding="utf-8")

    def reach(self, selector: str) -> None:
        """By Tab alone. Counted anew where the page has grown or shrunk in between."""
        for _ in range(6):
            self.browser.keys(*[TAB] * self.browser.run(TABS_TO, selector))
            if self.browser.run(IS_FOCUSED, selector):
                return
        raise AssertionError(f"Tab does not reach {selector}, but {self.browser.run('return document.activeElement.outerHTML')[:200]}")

    def press(self, selector: str, *keys: str) -> None:
        self.reach(selector)
        self.browser.keys(*keys)

    def wait_for_text(self, what: str, element: str, text: str, absent: bool = False) -> None:
        self.browser.wait(what, f"return {'!' if absent else ''}document.getElementById('{element}').textContent.includes('{text}')")

    def picture(self, name: str, width: int, scheme: str, height: int = 900) -> None:
        """What axe-core finds in this look; without a horizontal scroll bar."""
        self.browser.look(width, scheme, height)
        self.browser.wait("colours have changed", "return document.getAnimations().every(a => a.playState !== 'running')")
        self.browser.screenshot(self.pictures / f"{name}.png")
        too_wide = self.browser.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
        self.expect(f"{name}: no horizontal scroll: {too_wide}", too_wide <= 0)
        spilt = self.browser.run(SPILT)
        self.expect(f"{name}: nothing is wider than what it stands in: {spilt}", not spilt)
        self.browser.run(self.axe_core + ";return 1")
        faults = self.browser.run_async(AXE)
        self.expect(f"{name}: axe-core finds nothing: {faults}", not faults)

    def walk(self) -> None:
        """By Tab through all there is."""
        stops = self.browser.run(NOTE_FOCUS)
        self.browser.keys(*[TAB] * (stops + 8))
        seen = self.browser.run("document.removeEventListener('focusin', noting); return seen")
        self.expect(f"Tab reaches all {stops}: {len({name for name, _ in seen})}", len(seen) >= stops)
        unseen = [name for name, visible in seen if not visible]
        self.expect(f"the focus is seen everywhere: {unseen}", not unseen)
