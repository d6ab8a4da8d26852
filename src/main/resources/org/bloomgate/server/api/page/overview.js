// Overview: what needs attention, what was done with the mail, how fast, and how old the lists are.
import { ask } from './ask.js';
import { el, foreign, link, note, once, setText, swap, table } from './dom.js';
import { between, bytes, clock, day, millis, minute, moment, number, plural, span, STOPPED, sumOf } from './format.js';
import { fetchStatus, quantile } from './live.js';
import { drawBars, legend } from './plots.js';
import { href, reload } from './router.js';
import { may } from './session.js';

const HOUR = 3_600_000;
const MAX_REASON_MINUTES = 5;
const LOW_SPACE = 0.1;

/* The stages of a message, in order. */
const STAGES = { receive: 'received from the client', read: 'identifiers found', sender: 'envelope looked up', lookup: 'message looked up',
  envelope: 'envelope at the next hop',
  authenticate: 'sender authenticated', deliver: 'delivered to the next hop', keep: 'kept in quarantine',
    scan: 'evaluated over HTTP' };

/* Those that are work of this gateway, and neither waits for a client nor for the next hop. */
const INSPECTION = ['read', 'sender', 'lookup'];

let resizing = null;
let reasons = { at: 0, byFeed: new Map() };

async function load(at) {
  const status = await fetchStatus();
  const hours = await ask('GET', '/v1/status/hours', { signal: at.signal });
  if (heldFeeds(status).length && may('reader')) learnReasons();
  return { status, hours };
}

const heldFeeds = status => status.layers.flatMap(layer => layer.feeds.filter(feed => feed.from === 'last-good-copy' || feed.from === 'nothing'));

/* Why feeds are held is in their report, which may take seconds; the view does not wait for it. */
async function learnReasons() {
  if (Date.now() - reasons.at < MAX_REASON_MINUTES * 60_000) return;
  reasons.at = Date.now();
  try {
    const report = await ask('GET', '/v1/feeds/report', { query: { since: '1d', limit: 200 } });
    reasons.byFeed = new Map(report.feeds.map(feed => [feed.feed, feed.stateReason]));
    if (resizing) reload();
  } catch {
    reasons.at = 0;
  }
}

function conditions(status) {
  const found = status.refused.map(one => [one.text + ', since ' + minute(one.at), 'Open lists', href('lists')]);
  if (status.layers.length === 0) found.push(['No snapshot is in force: nothing is checked against lists.', 'Open lists', href('lists')]);
  if (status.following && status.following.expired) found.push(['The statement of the publisher has expired.', 'Open lists', href('lists')]);
  for (const feed of heldFeeds(status)) {
    const why = reasons.byFeed.get(feed.name);
    found.push(['Feed ' + feed.name + (feed.from === 'nothing' ? ' has no entries' : ' is held at its last good copy') + (why ? ': ' + why : ''),
      'Open feed', href(['lists', 'feeds', feed.name])]);
  }
  if (status.freeBytes !== undefined && status.freeBytes < LOW_SPACE * status.totalBytes) {
    found.push(['Only ' + bytes(status.freeBytes) + ' of ' + bytes(status.totalBytes) + ' are free for the state of the gateway.']);
  }
  return found;
}

const condition = ([text, words, to]) => el('li', { class: 'notice' }, el('p', {}, foreign(text)), to && may('reader') && link(to, words));

/* Hours of the last day, or calendar days of the last two weeks. */
function barsOf(hours, days) {
  const start = Date.parse(hours.from), count = Math.max(0, ...Object.values(hours.messages).map(of => of.length)) || 336;
  const bars = new Map();
  for (let i = days ? 0 : Math.max(0, count - 24); i < count; i++) {
    const from = start + i * HOUR, key = days ? day(from) : i;
    if (!bars.has(key)) bars.set(key, { from, counts: {}, label: days ? key : clock(from) });
    const bar = bars.get(key);
    bar.to = from + HOUR;
    for (const [action, of] of Object.entries(hours.messages)) bar.counts[action] = (bar.counts[action] || 0) + (of[i] || 0);
  }
  return Array.from(bars.values(), bar => ({ ...bar, words: days ? bar.label : minute(bar.from) + ' to ' + clock(bar.to),
    href: href('messages', { since: new Date(bar.from).toISOString(), before: new Date(bar.to).toISOString() }) }));
}

function sumsOf(bars) {
  const sums = {};
  bars.forEach(bar => Object.entries(bar.counts).forEach(([action, count]) => sums[action] = (sums[action] || 0) + count));
  return sums;
}

function headline(sums, days) {
  const all = sumOf(Object.values(sums)), time = days ? 'last 14 days' : 'last 24 hours';
  if (all === 0) return 'No messages in the ' + time + '.';
  const rest = STOPPED.slice(1).filter(([action]) => sums[action]).map(([action, words]) => number(sums[action]) + ' ' + words).join(', ');
  return (sums.reject ? number(sums.reject) : 'None') + ' of ' + plural(all, 'message') + ' rejected in the ' + time + (rest ? '; ' + rest : '') + '.';
}

const figure = (name, value, words) => el('div', {}, el('dt', {}, name), el('dd', {}, value, words && el('small', {}, words)));

function figures(status) {
  const { totals } = status, times = INSPECTION.map(name => quantile(name, .95)).filter(value => value !== null);
  return el('dl', { class: 'figures' },
    figure('Open SMTP sessions', number(totals.sessions)),
    figure('Processing time', times.length ? millis(sumOf(times)) : '–', times.length ? 'to inspect a message; 95 % are faster'
      : 'shown with the next messages'),
    figure('Unanswered lookups', number(totals.unknown), 'since ' + minute(status.startedAt)),
    status.freeBytes !== undefined && figure('Free space', bytes(status.freeBytes), 'of ' + bytes(status.totalBytes)));
}

function stoppedBy(status) {
  const stopped = status.day.feeds.map(feed => [feed.feed, sumOf(STOPPED.slice(0, 4).map(([action]) => feed.messages[action] || 0))])
    .filter(([feed, count]) => feed && count).sort((a, b) => b[1] - a[1]).slice(0, 5);
  if (stopped.length === 0) return null;
  return el('p', {}, 'Stopped most in the last 24 hours by ', stopped.map(([feed, count], i) => [i ? ', ' : '',
    feed === '*' ? 'other feeds' : link(href('messages', { feed, since: '24h' }), foreign(feed)), ' ' + number(count)]));
}

function shadowOf(status) {
  const all = sumOf(status.day.shadow.map(feed => sumOf(Object.values(feed.messages))));
  return all > 0 && el('p', {}, 'In shadow, ', link(href(['lists', 'shadow'], { since: '24h' }), plural(all, 'message')),
    ' would have been stopped or tagged.');
}

const layersOf = status => el('ul', { class: 'facts' }, status.layers.map(layer => el('li', {}, el('b', {}, foreign(layer.layer)), ' built ',
  el('time', { datetime: layer.createdAt }, minute(layer.createdAt)), ', ' + span(between(layer.createdAt, status.time)) + ' ago, '
  + plural(sumOf(layer.filters.map(filter => filter.entries)), 'entry', 'entries'))));

function stagesOf(status) {
  const rows = Object.entries(STAGES).map(([name, words]) => [words, status.day.stages.find(stage => stage.stage === name), quantile(name, .5),
    quantile(name, .95)])
    .filter(([, past, now]) => past || now !== null);
  if (rows.length === 0) return note('No message was processed in the last 24 hours.');
  return table('Time of each stage: average of the last 24 hours; median and 95th percentile of the last 5 minutes',
    [['Stage'], ['average', 'n'], ['median', 'n'], ['95 %', 'n']],
    rows.map(([words, past, half, most]) => [words, past ? millis(past.totalMillis / past.count) : '–', half === null ? '–' : millis(half),
      most === null ? '–' : millis(most)]));
}

function build() {
  const title = el('h2', { id: 'headline' }), tabs = el('p', { class: 'tabs' });
  const plot = el('div', { class: 'plot' }), colours = el('div'), more = el('div');
  const parts = {
    conditions: el('ul', { class: 'notices', 'aria-label': 'Needs attention' }),
    mail: el('section', { 'aria-labelledby': 'headline' }, el('div', { class: 'head' }, title, tabs), plot, colours, more),
    rest: el('div', { class: 'columns' }), title, tabs, plot, colours, more,
  };
  leave();
  resizing = new ResizeObserver(() => parts.draw && parts.draw());
  resizing.observe(plot);
  return parts;
}

function render(root, data, at) {
  const days = at.query.get('span') === '14d', { status } = data;
  const parts = once(root, build);
  const bars = barsOf(data.hours, days), sums = sumsOf(bars);
  const tab = (words, value, on) => el('a', { href: href('', value && { span: value }), 'aria-current': on && 'true' }, words);
  swap(parts.conditions, conditions(status).map(condition));
  parts.conditions.hidden = parts.conditions.children.length === 0;
  setText(parts.title, headline(sums, days));
  swap(parts.tabs, tab('24 hours', '', !days), tab('14 days', '14d', days));
  parts.draw = () => drawBars(parts.plot, bars, 'Messages by action, ' + (days ? 'a bar for each day' : 'a bar for each hour'));
  parts.plot.hidden = sumOf(Object.values(sums)) === 0;
  parts.draw();
  swap(parts.colours, legend(sums, action => href('messages', { action, since: days ? '14d' : '24h' })));
  swap(parts.more, figures(status), stoppedBy(status), shadowOf(status));
  swap(parts.rest,
    el('section', {}, el('h2', {}, 'Lists in force'), status.layers.length ? layersOf(status)
      : note('None yet. The command bloomgate rebuild --all builds them.')),
    el('section', {}, el('h2', {}, 'Processing time'), stagesOf(status)),
    note('Version ' + status.version + ', running since ' + moment(status.startedAt) + '.'));
}

function leave() {
  if (resizing) resizing.disconnect();
  resizing = null;
}

export default { title: 'Overview', seconds: 5, load, render, leave };
