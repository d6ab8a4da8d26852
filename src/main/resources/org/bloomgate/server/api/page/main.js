// Starts the page: the bar, the keyboard, the state of the gateway, then the view that the hash names.
import audit from './audit.js';
import { byId, el, focusOn, setText } from './dom.js';
import { setZone, zone, ZONES } from './format.js';
import { startKeys } from './keys.js';
import lists from './lists.js';
import { poll } from './live.js';
import messages from './messages.js';
import overview from './overview.js';
import quarantine from './quarantine.js';
import reports from './reports.js';
import { LOADING_MILLIS, startRouter } from './router.js';
import { onSession, startSession } from './session.js';
import settings from './settings.js';
import test from './test.js';

function startZone() {
  const select = byId('zone');
  select.append(...ZONES.map(name => el('option', { value: name }, name.split('/').at(-1).replaceAll('_', ' '))));
  select.value = zone();
  select.hidden = ZONES.length === 1;
  select.addEventListener('change', () => {
    setZone(select.value);
    location.reload();
  });
}

function startMenu() {
  const menu = byId('menu'), views = byId('views');
  const open = on => {
    menu.setAttribute('aria-expanded', String(on));
    views.classList.toggle('open', on);
  };
  menu.addEventListener('click', () => {
    open(menu.getAttribute('aria-expanded') !== 'true');
    menu.focus();
  });
  addEventListener('hashchange', () => open(false));
}

startZone();
startMenu();
startKeys();
byId('skip').addEventListener('click', () => focusOn(byId('title')));
startSession();
setText(byId('loading'), 'Loading …');
document.addEventListener('visibilitychange', () => !document.hidden && poll());
// The role decides what a view shows, so it is asked first.
const late = setTimeout(() => byId('loading').hidden = false, LOADING_MILLIS);
poll().then(() => {
  clearTimeout(late);
  byId('loading').hidden = true;
  startRouter({ '': overview, messages, quarantine, reports, lists, test, audit, settings });
  onSession(poll);
});
