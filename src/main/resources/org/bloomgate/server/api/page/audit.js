// Audit: who changed what, and the rebuilds of this machine.
import { ask } from './ask.js';
import { SINCE } from './dialogs.js';
import { badge, button, el, faultText, field, fieldsOf, fillForm, foreign, input, link, mono, note, once, select, setText, swap } from './dom.js';
import { eventWords, moment, number, plural, shown } from './format.js';
import { go, href } from './router.js';

const PAGE = 50;
const TABS = { events: 'Changes', rebuilds: 'Rebuilds' };
const WHAT = [['', 'anything'], ['listing', 'listings'], ['exception', 'exceptions'], ['quarantine', 'quarantine'], ['rebuild', 'rebuilds'],
  ['rollback', 'rollbacks'], ['operator', 'operators']];

const pageOf = (tab, query, cursor, signal) => ask('GET', tab === 'rebuilds' ? '/v1/rebuilds' : '/v1/audit',
  { query: { ...Object.fromEntries(query), limit: PAGE, cursor }, signal });

async function load(at) {
  const tab = at.path[0] === 'rebuilds' ? 'rebuilds' : 'events';
  const page = await pageOf(tab, at.query, undefined, at.signal);
  return { tab, items: tab === 'rebuilds' ? page.rebuilds : page.events, page };
}

function build(tab) {
  const form = el('form', { class: 'filters', role: 'search', autocomplete: 'off' },
    tab === 'rebuilds' ? field('Layer', select('layer', [['', 'any'], 'nightly', 'hourly', 'minutes']))
    : [field('Operator', input('who', { placeholder: 'anyone', maxlength: 64, size: 12 })), field('Kind', select('what', WHAT)),
      field('Value', input('value', { placeholder: 'value, token, reason', maxlength: 320, size: 22, 'data-search': true })),
        field('Since', select('since', [['', 'last 7 days'], ...SINCE.filter(([value]) => value !== '7d')]))],
  el('button', {}, 'Find'));
  form.addEventListener('submit', event => {
    event.preventDefault();
    go(tab === 'rebuilds' ? ['audit', tab] : 'audit', fieldsOf(form));
  });
  return { form, list: el('ul', { class: 'entries', 'aria-label': TABS[tab] }), foot: note(), more: el('p', { class: 'acts foot' }) };
}

function render(root, data, at) {
  const { tab } = data, outer = once(root, () => ({ tabs: el('nav', { class: 'tabs', 'aria-label': 'Audit' }), box: el('div', { class: 'pile' }) }));
  swap(outer.tabs, Object.entries(TABS).map(([name, words]) => el('a', { href: href(name === 'rebuilds' ? ['audit', name] : 'audit'),
    'aria-current': name === tab && 'page' }, words)));
  if (outer.tab !== tab) {
    outer.box.replaceChildren();
    delete outer.box.parts;
  }
  outer.tab = tab;
  const parts = once(outer.box, () => build(tab));
  fillForm(parts.form, at.query);
  draw(parts, data, at);
}

function draw(parts, data, at) {
  const { tab, items, page } = data, filtered = Array.from(at.query.values()).some(Boolean);
  swap(parts.list, items.map(tab === 'rebuilds' ? rebuild : event));
  setText(parts.foot, (items.length ? plural(items.length, tab === 'rebuilds' ? 'rebuild' : 'change') + ', the newest first.' : filtered ? 'None matches.'
    : tab === 'rebuilds' ? 'No rebuild is recorded on this machine. The command bloomgate rebuild makes one.'
      : 'Nobody changed anything in the last 7 days. Listings, exceptions, releases and rollbacks are recorded here.')
    + (page.damaged ? ' ' + plural(page.damaged, 'damaged line', 'damaged lines') + ' of the audit log could not be read.' : ''));
  swap(parts.more, page.nextCursor && button('Older', () => older(parts, data, at), { class: 'plain' }));
}

async function older(parts, data, at) {
  try {
    const page = await pageOf(data.tab, at.query, data.page.nextCursor);
    draw(parts, { ...data, page, items: [...data.items, ...page[data.tab]] }, at);
  } catch (fault) {
    parts.more.replaceChildren(faultText(fault.message));
  }
}

const item = (title, about) => el('li', {}, el('div', { class: 'what' }, title, el('small', {}, foreign(about.filter(Boolean).join(' · ')))));

function event(one) {
  const subject = one.what.startsWith('quarantine') ? link(href(['messages', one.subject]), el('span', { class: 'mono' }, shown(one.subject)))
    : mono(one.subject);
  return item([el('time', { datetime: one.time }, moment(one.time)), ' ', el('b', {}, foreign(one.who)), ' ' + (eventWords(one.what)) + ' ', subject],
    ['by ' + { command: 'a command', http: 'the API', page: 'this page' }[one.way] + (one.from ? ' from ' + one.from : ''),
      ...Object.entries(one.detail).map(([name, text]) => name + ' ' + text)]);
}

const difference = one => '+' + number(one.added) + ' −' + number(one.removed);

function rebuild(one) {
  return item([el('time', { datetime: one.time }, moment(one.time)), ' ', el('b', {}, foreign(one.layer)), ' ',
    badge(one.status === 0 ? 'clean' : 'listed', one.outcome.replaceAll('-', ' '))],
    [one.generation && one.generation + (one.previous ? ' after ' + one.previous : ''), one.seconds > 0
      && difference(one) + ' in ' + one.seconds.toFixed(1) + ' s', one.reason,
      ...one.feeds.slice(0, 5).map(feed => feed.feed + ' ' + difference(feed) + (feed.failure ? ' ' + feed.failure : '')), one.feeds.length > 5
        && plural(one.feeds.length - 5, 'more feed')]);
}

export default { title: 'Audit', role: 'reader', load, render };
