const INVISIBLE = /[\u0000-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202f\u205f-\u206f\u3164\ufe00-\ufe0f\ufeff\ufff9-\ufffb]/g;

/* Invisible characters, and those that change the text direction, shown by their code points. */
const shown = text => String(text).replace(INVISIBLE, c => '\\u' + c.codePointAt(0).toString(16).padStart(4, '0'));

/* Text of others: what it does to the direction of writing ends with it. */
const foreign = (text, attributes) => el('bdi', attributes, shown(text));

/* What is done to a message that is not passed, the hardest first, and the heading of its column. */
const STOPPED = [['reject', 'rejected'], ['quarantine', 'quarantined'], ['defer', 'deferred'], ['discard', 'discarded'], ['tag', 'tagged']];

const number = new Intl.NumberFormat('en');
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

function perSecond(rate) {
  if (rate === 0) return '0';
  if (rate >= 1000) return compact.format(rate);
  return rate >= 10 ? rate.toFixed(0) : rate >= 1 ? rate.toFixed(1) : rate.toFixed(2);
}

function bytes(count) {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let unit = 0;
  while (count >= 1024 && unit < units.length - 1) {
    count /= 1024;
    unit++;
  }
  return (unit === 0 || count >= 100 ? count.toFixed(0) : count.toFixed(1)) + ' ' + units[unit];
}

/* False positive rates, as 1e-6. */
const rate = value => value === 0 ? '0' : value.toExponential(1).replace('.0e', 'e');

function millis(value) {
  if (value >= 1000) return (value / 1000).toFixed(value >= 10000 ? 0 : 1) + ' s';
  return (value >= 100 ? value.toFixed(0) : value >= 1 ? value.toFixed(1) : value.toFixed(2)) + ' ms';
}

function span(seconds) {
  const s = Math.max(0, Math.round(seconds));
  if (s < 60) return s + ' s';
  if (s < 3600) return Math.floor(s / 60) + ' min';
  if (s < 86400) return Math.floor(s / 3600) + ' h ' + Math.floor(s % 3600 / 60) + ' min';
  return Math.floor(s / 86400) + ' d ' + Math.floor(s % 86400 / 3600) + ' h';
}

const between = (from, to) => (Date.parse(to) - Date.parse(from)) / 1000;

/* The zone of every time here, which the header names. */
const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/* Thu 26 Nov 08:37:08; with the year where it is not this one. */
function moment(instant) {
  const [weekday, month, date, year, time] = String(new Date(instant)).split(' ');
  return [weekday, Number(date), month, year !== String(new Date().getFullYear()) && year, time].filter(Boolean).join(' ');
}

/* Thu 26 Nov 2026. */
function dateOf(instant) {
  const [weekday, month, date, year] = String(new Date(instant)).split(' ');
  return [weekday, Number(date), month, year].join(' ');
}

const plural = (count, one, many) => number.format(count) + ' ' + (count === 1 ? one : many);
