// Lists: feeds and what they stopped, operators' listings and exceptions, the shadow report, rebuilds.
import { ask, withQuery } from './ask.js';
import { actionBadge, dayOf, recipients, sender } from './decision.js';
import { confirm, EXPIRES, SINCE } from './dialogs.js';
import { button, el, faultText, field, fieldsOf, fillForm, foreign, input, link, mono, note, onSubmit, once, select, setText, swap, table, terms } from './dom.js';
import { ACTIONS, between, bytes, capital, dateOf, minute, moment, number, plural, rate, sentence, shown, span, STOPPED } from './format.js';
import { fetchStatus } from './live.js';
import { href, reload } from './router.js';
import { may } from './session.js';

const MOST = 200;
const RUNNING_MILLIS = 2_000;
const KINDS = ['domain', 'url', 'address', 'phone', 'network'];
const SCOPE = ['feed', 'category', 'recipientDomain', 'sender'];
const MARKS = { published: 'mirrors have it', overrules: 'takes precedence over the publisher', publisher: 'from the publisher',
  overruled: 'from the publisher; an entry here takes precedence' };
const TABS = { feeds: 'Feeds', listings: 'Listings', exceptions: 'Exceptions', shadow: 'Shadow report' };
const TYPES = { listings: 'listing', exceptions: 'exception' };

let waiting = 0;

async function load(at) {
  const tab = TABS[at.path[0]] ? at.path[0] : 'feeds', since = at.query.get('since') || '24h', { signal } = at;
  const [status, rebuilds, content] = await Promise.all([fetchStatus(), ask('GET', '/v1/rebuilds', { query: { limit: 50 }, signal }),
    tab === 'feeds' ? reportOf(since, signal) : tab === 'shadow' ? ask('GET', '/v1/shadow', { query: { since, limit: 50 }, signal })
      : ask('GET', '/v1/' + tab, { signal })]);
  return { tab, since, status, rebuilds, content };
}

async function reportOf(since, signal) {
  const report = { feeds: [] };
  do {
    const more = await ask('GET', '/v1/feeds/report', { query: { since, limit: MOST, cursor: report.nextCursor }, signal });
    more.feeds.unshift(...report.feeds);
    delete report.nextCursor;
    Object.assign(report, more);
  } while (report.nextCursor);
  return report;
}

function build() {
  return { tabs: el('nav', { class: 'tabs', 'aria-label': 'Lists' }), layers: el('ul', { class: 'facts' }),
    answer: el('div', { class: 'answer', role: 'status' }), content: el('div', { class: 'pile' }) };
}

function render(root, data, at) {
  const parts = once(root, build), { tab, status } = data;
  const counts = { listings: status.local.listings, exceptions: status.local.exceptions };
  swap(parts.tabs, Object.entries(TABS).map(([name, words]) => el('a', { href: href(['lists', name]), 'aria-current': name === tab && 'page' },
    words + (counts[name] ? ' ' + number(counts[name]) : ''))));
  drawLayers(parts, data, tab);
  if (parts.tab !== tab) {
    parts.content.replaceChildren();
    delete parts.content.parts;
    if (parts.tab) parts.answer.replaceChildren();
  }
  parts.tab = tab;
  if (tab === 'feeds') renderFeeds(parts.content, data, at);
  else if (tab === 'shadow') renderShadow(parts.content, data, at);
  else renderEntries(parts.content, data, at);
}

/* The layers with their age, and the rebuild or rollback that is under way. */
function drawLayers(parts, { status, rebuilds }, tab) {
  parts.layers.hidden = tab !== 'feeds';
  const { running } = rebuilds, changes = may('admin') && rebuilds.startable && !running;
  swap(parts.layers, status.layers.filter(layer => layer.layer !== 'local').map(layer => el('li', {}, el('b', {}, foreign(layer.layer)),
    ' built ' + minute(layer.createdAt) + ' ',
    changes && [button('Rebuild now', () => startRebuild(layer.layer, parts), { class: 'plain', 'aria-label': 'Rebuild now: ' + layer.layer }), ' ',
      button('Roll back …', () => rollBack(layer, parts), { class: 'plain', 'aria-label': 'Roll back …: ' + layer.layer })])),
  running && el('li', { role: 'status' }, capital(running.operation === 'rollback' ? 'rolling back' : 'rebuilding') + ' ', foreign(running.layer),
    ' since ' + minute(running.startedAt), running.by && [' by ', foreign(running.by)], ' …'));
  clearTimeout(waiting);
  if (running || parts.started) waiting = setTimeout(() => follow(parts), RUNNING_MILLIS);
}

/* Asks until it has ended, then tells the result. */
async function follow(parts) {
  const now = await ask('GET', '/v1/rebuilds', { query: { limit: 1 } }).catch(() => null);
  if (!parts.layers.isConnected) return;
  if (!now || now.running) {
    waiting = setTimeout(() => follow(parts), RUNNING_MILLIS);
    return;
  }
  parts.started = false;
  const [last] = now.rebuilds;
  if (last) tell(parts, last.layer + ': ' + last.outcome.replaceAll('-', ' ') + (last.generation ? ', generation ' + last.generation : '')
    + (last.reason ? ': ' + last.reason : ''), last.status !== 0);
  reload();
}

function tell(parts, text, wrong) {
  parts.answer.replaceChildren(wrong ? faultText(text) : el('p', {}, shown(text)));
}

async function start(path, body, parts) {
  try {
    await ask('POST', path, { body });
    parts.started = true;
    parts.answer.replaceChildren();
    reload();
  } catch (fault) {
    tell(parts, fault.message, true);
  }
}

async function startRebuild(layer, parts) {
  if (await confirm({ title: 'Rebuild ' + layer + ' now?',
    text: 'Its feeds are fetched, and a new snapshot is published if it passes the gates. Mail is checked against the present one meanwhile.',
      verb: 'Rebuild' })) {
    await start('/v1/rebuilds', { layer }, parts);
  }
}

async function rollBack(layer, parts) {
  const past = await ask('GET', '/v1/rebuilds', { query: { layer: layer.layer, limit: MOST } }).catch(fault => tell(parts, fault.message, true));
  if (!past) return;
  const older = Array.from(new Set(past.rebuilds.flatMap(one => [one.generation, one.previous]))).filter(name => name
    && name < layer.generation).sort().reverse();
  if (older.length === 0) {
    tell(parts, 'No earlier generation of ' + layer.layer + ' is recorded.', true);
    return;
  }
  const given = await confirm({ title: 'Roll back ' + layer.layer + '?',
    text: 'The earlier snapshot is in force within seconds, until the next rebuild publishes a new one. Now in force: ' + layer.generation + '.',
    fields: [field('Back to', select('generation', older))], verb: 'Roll back', danger: true });
  if (given) await start('/v1/rollback', { layer: layer.layer, generation: given.generation }, parts);
}

const sinceForm = (at, words, more) => {
  const form = el('form', { class: 'filters' }, field(words, select('since', SINCE)), more);
  fillForm(form, new URLSearchParams({ since: at.query.get('since') || '24h', all: at.query.get('all') || '' }));
  form.addEventListener('submit', event => event.preventDefault());
  form.addEventListener('change', () => location.hash = href(['lists', ...at.path], fieldsOf(form)));
  return form;
};

const STATES = { held: 'held at its last good copy', missing: 'has no entries', current: 'current' };

function renderFeeds(box, { content: report, since, status }, at) {
  const name = at.path[1], all = at.query.get('all') === 'yes';
  const parts = once(box, () => ({ form: sinceForm(at, 'Messages of the', field('Columns', select('all', [['', 'the main ones'], ['yes', 'all']]))),
    one: el('div'), table: el('div') }));
  const feed = name && report.feeds.find(one => one.feed === name);
  swap(parts.one, name ? oneFeed(name, feed, status, since) : []);
  swap(parts.table, report.feeds.length ? feedTable(report, since, status, all)
    : note('No feed is configured or has listed anything yet. The command bloomgate feeds add adds one.'));
}

const count = (feed, since, [action]) => {
  const messages = feed.messages[action] || 0;
  return messages ? link(href('messages', { feed: feed.feed, action, since }), number(messages)) : '0';
};

const stateOf = feed => feed.state === 'current' || !feed.state ? STATES.current : el('span', { class: 'off', title: shown(feed.stateReason || '') },
  STATES[feed.state]);

function feedTable(report, since, status, all) {
  const columns = [['Feed'], ['Entries', 'n'], ['Age', 'n'], ...STOPPED.map(([, words], i) => [capital(words), 'n', i > 1 && 'less']),
    ['Errors', 'n', 'less'], ['State'],
    ...all ? [['Layer'], ['Category'], ['Only in this feed', 'n'], ['Hits', 'n'], ['Hits of no other feed', 'n'], ['Shadow hits', 'n'], ['Excepted hits', 'n'],
      ['Hits since removed', 'n'], ['Median age at hit', 'n'], ['False positives', 'n'], ['Download', 'n'], ['Read in', 'n']] : []];
  const rows = report.feeds.map(feed => [link(href(['lists', 'feeds', feed.feed], { since }), foreign(feed.feed)), number(feed.entries),
    feed.seen ? span(between(feed.seen, status.time)) : '–',
    ...STOPPED.map(one => count(feed, since, one)), number(feed.errors), stateOf(feed),
    ...all ? [feed.layer || '–', feed.category, number(feed.exclusiveEntries), number(feed.hits), number(feed.exclusiveHits),
      number(feed.shadowHits), number(feed.overridden), number(feed.dropped),
      feed.medianAgeHours === undefined ? '–' : span(feed.medianAgeHours * 3600), feed.suspects ? (100 * feed.refuted / feed.suspects).toFixed(1) + ' %' : '–',
      feed.bytes === undefined ? '–' : bytes(feed.bytes), feed.seconds === undefined ? '–' : feed.seconds.toFixed(1) + ' s'] : []]);
  return table('Feeds, those that stopped most messages first; counted ' + minute(report.time || status.time), columns, rows);
}

function oneFeed(name, feed, status, since) {
  const layer = status.layers.find(one => one.feeds.some(of => of.name === name)), made = layer && layer.feeds.find(of => of.name === name);
  return el('section', { class: 'one' }, el('div', { class: 'head' }, el('h2', {}, 'Feed ', foreign(name)),
    el('a', { href: href(['lists', 'feeds'], { since }), 'data-close': true }, 'Close')),
    !feed && !made ? note('No feed has this name.') : terms([
      ['State', feed && feed.state ? STATES[feed.state] + (feed.stateReason ? ': ' + feed.stateReason : '') : ''],
      ['Category', (feed || made).category], ['Kind', made && made.kind],
      ['Last fetched', made && made.seen ? moment(made.seen) : 'never'], ['Entries',
        number((feed || made).entries) + (feed ? ', ' + number(feed.exclusiveEntries) + ' of them in no other feed' : '')],
      ['Lines not understood', made && number(made.rejects)], ['Entries held back', made && made.held ? number(made.held) : ''],
      ['Also listed by', feed && Object.entries(feed.overlap).map(([other, shared]) => other + ' (' + number(shared) + ')').join(', ')],
      ['Messages', feed && el('span', {}, link(href('messages', { feed: name, since }), 'Show the messages'), ' it had an effect on')],
      ['Filters of its layer', layer && layer.filters.map(filter => el('div', {},
        filter.kind + ': ' + plural(filter.entries, 'entry', 'entries') + ', ' + bytes(filter.bytes)
        + ', false positive rate ' + rate(filter.predictedRate) + ' predicted, '
          + (filter.keys ? rate(filter.refutedRate) + ' measured' : 'not measured yet')))]]));
}

function renderShadow(box, { content: report }, at) {
  const parts = once(box, () => ({ form: sinceForm(at, 'Messages of the'), content: el('div', { class: 'columns' }) }));
  const done = STOPPED.filter(([action]) => report.messages[action]).map(([action, words]) => number(report.messages[action]) + ' ' + words).join(', ');
  const named = (words, items, none) => items.length && shadowTable(words, items.map(item => [item.name || none, item]), []);
  const bySender = (words, items) => items.length && shadowTable(words, items.map(item => [item.domain || '<>', item]),
    [['messages', item => item.mails], ['clean', item => item.clean]]);
  const examples = report.honest.filter(one => one.newest).map(one => one.newest);
  swap(parts.content,
    el('p', {}, 'Of ' + plural(report.mails, 'message') + ' in this period, if shadow were enforced: ' + (done || 'none stopped or tagged')
      + '.' + (report.complete ? '' : ' Older messages were not counted in time: choose a shorter time.')
      + (report.time ? ' Counted ' + minute(report.time) + '.' : '')),
    report.feeds.length ? [named('By feed', report.feeds, 'no feed'), named('By category', report.categories, 'no category'),
      bySender('By sender', report.senders), bySender('Senders that look honest', report.honest)]
      : note('Messages are counted here while a feed has shadow: true, or shadow mode (policy.shadow) is on.'),
    examples.length ? table('Messages of senders that look honest', [['Time'], ['action'], ['sender and recipients'], ['token', 'less']],
      examples.map(one => [el('time', { datetime: one.time }, moment(one.time)), actionBadge(one),
      sender(one) + ' → ' + recipients(one.recipients), link(href(['messages', one.token], { day: dayOf(one) }), mono(one.token))])) : '');
}

function shadowTable(caption, items, more) {
  const actions = ACTIONS.filter(action => items.some(([, item]) => item.messages[action])).reverse();
  return table(caption, [['Name'], ...actions.map(action => [action, 'n']), ...more.map(([words]) => [words, 'n'])],
    items.map(([name, item]) => [name, ...actions.map(action => number(item.messages[action] || 0)), ...more.map(([, of]) => number(of(item)))]));
}

function entryForm(type, at, answer) {
  const expires = select('expires', EXPIRES);
  expires.value = type === 'listing' ? '' : '30d';
  const form = el('form', { class: 'filters', autocomplete: 'off' }, field('Kind', select('kind', KINDS)),
    field('Value', input('value', { required: true, size: 24 })),
    type === 'listing' ? field('Category', input('category', { placeholder: 'local', size: 10, maxlength: 64 }))
      : [field('Of feed', input('feed', { placeholder: 'any', size: 10, maxlength: 64 })),
        field('For mail to', input('recipientDomain', { placeholder: 'any domain', size: 14, maxlength: 255 }))],
    field('Expires after', expires), field('Reason', input('reason', { maxlength: 200, size: 20 })),
      el('button', {}, type === 'listing' ? 'List it' : 'Except it'));
  for (const name of ['kind', 'value', 'feed']) if (at.query.get(name) && form.elements[name]) form.elements[name].value = at.query.get(name);
  return onSubmit(form, answer, async () => {
    const fields = fieldsOf(form), query = type === 'listing' ? await confirmListing(fields) : {};
    return query ? add(type, fields, query, form) : 'Not listed.';
  });
}

/* Shows what a listing would do; the query that adds it, or null when it is not wanted. */
async function confirmListing(fields) {
  const { scope, effect, objections } = await ask('POST', '/v1/listings/preview', { body: fields }), objected = objections.length > 0;
  const given = await confirm({ title: 'List this ' + fields.kind + '?', text: [scope, effect, ...objections].map(sentence),
    verb: objected ? 'List it anyway' : 'List it', danger: objected });
  return given && (objected ? { force: true } : {});
}

async function add(type, fields, query, form) {
  const made = (await ask('POST', '/v1/' + type + 's', { query, body: fields })).entries[0];
  form.elements.value.value = form.elements.reason.value = '';
  reload();
  form.elements.value.focus();
  return el('p', {}, type === 'listing' ? 'Listed ' : 'Excepted ', mono(made.value), ', in force now.');
}

function renderEntries(box, { tab, content }, at) {
  const type = TYPES[tab], entries = [...content.entries.toReversed(), ...content.publisher || []];
  const parts = once(box, () => {
    const answer = el('div', { class: 'answer', role: 'status' }), find = input('find', { type: 'search', 'data-search': true, size: 24 });
    find.addEventListener('input', () => parts.draw());
    return { intro: note(type === 'listing' ? 'What operators list counts at once, beside the feeds.'
      : 'What is excepted does not count, whatever feed lists it. Exceptions take precedence over listings.'),
      form: may('admin') ? entryForm(type, at, answer) : '', answer, find: el('div', { class: 'filters' }, field('Search the ' + tab, find)),
        list: el('ul', { class: 'entries', 'aria-label': TABS[tab] }), foot: note(), box: find };
  });
  parts.draw = () => {
    const word = parts.box.value.trim().toLowerCase();
    const found = entries.filter(entry => !word || JSON.stringify(entry).toLowerCase().includes(word));
    swap(parts.list, found.slice(0, MOST).map(entry => entryItem(type, entry, parts)));
    setText(parts.foot, found.length > MOST ? 'The newest ' + MOST + ' of ' + number(found.length) + '. Search for the others.' : found.length
      ? plural(found.length, type) + ', the newest first.'
      : word ? 'None matches.' : type === 'listing'
        ? 'Operators list nothing. A listing blocks a domain, URL, address or phone number before any feed knows it.'
          : 'There are no exceptions. An exception lets through what a feed lists wrongly.');
  };
  parts.draw();
}

function entryItem(type, entry, parts) {
  const scope = SCOPE.filter(name => entry[name]).map(name => (name === 'recipientDomain' ? 'for mail to ' : name + ' ') + entry[name]);
  const about = [...scope, entry.reason, 'by ' + (entry.author || 'unknown') + ' on ' + dateOf(entry.added), entry.expires
    && 'until ' + dateOf(entry.expires), MARKS[entry.mark],
    entry.lastHit ? 'last hit ' + dateOf(entry.lastHit + 'T12:00:00Z') : type === 'exception' && 'no hit yet', ...entry.remarks
      || []].filter(Boolean).join(' · ');
  const ours = entry.mark !== 'publisher' && entry.mark !== 'overruled';
  return el('li', {}, el('div', { class: 'what' }, entry.kind + ' ', mono(entry.value), el('small', {}, foreign(about))),
    ours && may('admin') && button('Remove', () => remove(type, entry, parts), { class: 'plain', 'aria-label': 'Remove ' + type + ' ' + shown(entry.value) }));
}

async function remove(type, entry, parts) {
  const given = await confirm({ title: 'Remove this ' + type + '?', text: [entry.kind + ' ' + entry.value,
    type === 'listing' ? 'It stops counting at once, unless a feed lists it too.' : 'What feeds list counts again at once.'], verb: 'Remove', danger: true });
  if (!given) return;
  const query = { kind: entry.kind, value: entry.value };
  if (type === 'exception') SCOPE.forEach(name => query[name] = entry[name]);
  try {
    await ask('DELETE', withQuery('/v1/' + type + 's', query));
    parts.answer.replaceChildren(el('p', {}, 'Removed ', mono(entry.value), '.'));
  } catch (fault) {
    parts.answer.replaceChildren(faultText(fault.message));
  }
  reload();
  parts.box.focus();
}

function leave() {
  clearTimeout(waiting);
}

export default { title: 'Lists', role: 'reader', load, render, leave };
