const INVISIBLE = /[\u0000-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202f\u205f-\u206f\u3164\ufe00-\ufe0f\ufeff\ufff9-\ufffb]/g;

/* Invisible characters, and those that change the text direction, shown by their code points. */
export const shown = text => String(text).replace(INVISIBLE, c => '\\u' + c.codePointAt(0).toString(16).padStart(4, '0'));

/* The same of a text of several lines. */
export const shownLines = text => text.split('\n').map(line => shown(line.replace(/[\r\t]/g, ' '))).join('\n');

/* The actions of the policy, the mildest first. */
export const ACTIONS = ['pass', 'tag', 'quarantine', 'defer', 'discard', 'reject'];

/* What is done to a message that is not passed, the hardest first, in words. */
export const STOPPED = [['reject', 'rejected'], ['quarantine', 'quarantined'], ['defer', 'deferred'], ['discard', 'discarded'], ['tag', 'tagged']];

export const sumOf = counts => counts.reduce((sum, count) => sum + count, 0);

const numbers = new Intl.NumberFormat('en');

export const number = value => numbers.format(value);

export const plural = (count, one, many) => number(count) + ' ' + (count === 1 ? one : many || one + 's');

export const capital = text => text.charAt(0).toUpperCase() + text.slice(1);

/* The detail of a problem as a sentence. */
export const sentence = text => capital(text) + (/[.!?…]$/.test(text) ? '' : '.');

export function bytes(count) {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let unit = 0;
  while (count >= 1000 && unit < units.length - 1) {
    count /= 1000;
    unit++;
  }
  return (unit === 0 || count >= 100 ? count.toFixed(0) : count.toFixed(1)) + ' ' + units[unit];
}

export function millis(value) {
  if (value >= 1000) return (value / 1000).toFixed(value >= 10000 ? 0 : 1) + ' s';
  return (value >= 100 ? value.toFixed(0) : value >= 1 ? value.toFixed(1) : value.toFixed(2)) + ' ms';
}

/* False positive rates, as 1e-6. */
export const rate = value => value === 0 ? '0' : value.toExponential(1).replace('.0e', 'e');

export function span(seconds) {
  const s = Math.max(0, Math.round(seconds));
  if (s < 60) return s + ' s';
  if (s < 3600) return Math.floor(s / 60) + ' min';
  return s < 172800 ? Math.floor(s / 3600) + ' h' : Math.floor(s / 86400) + ' d';
}

export const between = (from, to) => (Date.parse(to) - Date.parse(from)) / 1000;

const ZONE_KEY = 'bloomgate.zone';
const HERE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/* The zones to choose from: that of the browser, and UTC. */
export const ZONES = HERE === 'UTC' ? ['UTC'] : [HERE, 'UTC'];

/* The zone of every time on the page. */
export const zone = () => localStorage.getItem(ZONE_KEY) === 'UTC' ? 'UTC' : HERE;

export function setZone(name) {
  if (name === 'UTC') localStorage.setItem(ZONE_KEY, name);
  else localStorage.removeItem(ZONE_KEY);
}

const formats = new Map();

function parts(instant) {
  if (!formats.has(zone())) {
    formats.set(zone(), new Intl.DateTimeFormat('en-GB', { timeZone: zone(), weekday: 'short', day: 'numeric', month: 'short', year: 'numeric',
      hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' }));
  }
  return Object.fromEntries(formats.get(zone()).formatToParts(new Date(instant)).map(part => [part.type,
    part.value.slice(0, part.type === 'month' ? 3 : undefined)]));
}

const dayOf = (p, withYear) => p.weekday + ' ' + p.day + ' ' + p.month + (withYear ? ' ' + p.year : '');

/* Thu 26 Nov 08:37:08; with the year where it is not this one. */
export function moment(instant) {
  const p = parts(instant);
  return dayOf(p, p.year !== parts(Date.now()).year) + ' ' + p.hour + ':' + p.minute + ':' + p.second;
}

/* Thu 26 Nov 08:37. */
export const minute = instant => moment(instant).slice(0, -3);

/* Thu 26 Nov 2026. */
export const dateOf = instant => dayOf(parts(instant), true);

/* Thu 26 Nov. */
export const day = instant => dayOf(parts(instant), false);

/* 08:37. */
export const clock = instant => minute(instant).slice(-5);

const EVENTS = {
  'report-decide': 'decided the report', 'listing-add': 'listed', 'listing-remove': 'removed the listing of', 'exception-add': 'excepted', 'exception-remove': 'removed the exception of',
  'quarantine-show': 'opened the message', 'quarantine-download': 'downloaded the message', 'quarantine-release': 'released the message',
    'quarantine-delete': 'deleted the message',
  rollback: 'rolled back', rebuild: 'rebuilt', 'rebuild-force': 'rebuilt without gates', 'operator-add': 'added the operator',
    'operator-remove': 'removed the operator',
};

/* What an audit event says that somebody did. */
export const eventWords = what => EVENTS[what] || what.replaceAll('-', ' ');
