"""What the checks of the operator's page share: a window with the page in it, used by keyboard alone."""
import subprocess

from browser import ENTER, TAB, Browser
from product import OUTPUT, Gateway, Home

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
# What is wider than the window, but for tables that scroll by themselves.
SPILT = """const right = e => e.getBoundingClientRect().right;
return [...document.querySelectorAll('header, header > *, main *')].filter(e => e.checkVisibility() && !e.closest('.scroll, svg, .quiet') && right(e) > innerWidth + 1)
  .map(e => e.id || e.className || e.outerHTML.slice(0, 80))"""
IS_FOCUSED = "return document.activeElement === document.querySelector(arguments[0])"


class Page:
    """The page in a window, and what a check asks of it again and again."""

    def __init__(self, browser: Browser, home: Home, gateway: Gateway, expect):
        self.browser, self.gateway, self.expect = browser, gateway, expect
        self.pictures = OUTPUT / "page"
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

    def wait_for_text(self, selector: str, text: str, absent: bool = False) -> None:
        self.browser.wait(f"{selector} {'without' if absent else 'with'} {text!r}",
                          f"return {'!' if absent else ''}(document.querySelector({selector!r})?.textContent ?? '').includes({text!r})")

    def open(self, view: str = "") -> None:
        """The view of this hash, once it is loaded."""
        self.browser.run_async("""const [hash, done] = arguments;
addEventListener('hashchange', () => setTimeout(done), { once: true });
if (location.hash === hash) dispatchEvent(new Event('hashchange'));
location.hash = hash""", f"#/{view}")
        self.settle(view or "overview")

    def settle(self, what: str) -> None:
        self.browser.wait(f"{what} is loaded", "return document.querySelector('#view:not([aria-busy])') && document.getElementById('title').textContent !== ''")

    def sign_in(self, token: str) -> None:
        self.browser.run("document.getElementById('who').click()")
        self.browser.wait("the dialog", "return document.querySelector('#sign-in[open] input') === document.activeElement")
        self.browser.keys(*token, ENTER)

    def picture(self, name: str, width: int, scheme: str) -> None:
        """What axe-core finds in this look; nothing is wider than the window."""
        self.browser.look(width, scheme)
        self.browser.wait("colours have changed", "return document.getAnimations().every(a => a.playState !== 'running')")
        self.browser.screenshot(self.pictures / f"{name}-{width}-{scheme}.png")
        spilt = self.browser.run(SPILT)
        self.expect(f"{name} {width} {scheme}: nothing is wider than the window: {spilt}", not spilt)
        self.browser.run(self.axe_core + ";return 1")
        faults = self.browser.run_async(AXE)
        self.expect(f"{name} {width} {scheme}: axe-core finds nothing: {faults}", not faults)

    def walk(self) -> None:
        """By Tab through all there is."""
        stops = self.browser.run(NOTE_FOCUS)
        self.browser.keys(*[TAB] * (stops + 8))
        seen = self.browser.run("document.removeEventListener('focusin', noting); return seen")
        self.expect(f"Tab reaches all {stops}: {len({name for name, _ in seen})}", len(seen) >= stops)
        unseen = [name for name, visible in seen if not visible]
        self.expect(f"the focus is seen everywhere: {unseen}", not unseen)
