// Messages: search in the decision journal, and one decision with all that is known of it.
import { ask } from './ask.js';
import { details, dayOf, rowCells } from './decision.js';
import { SINCE } from './dialogs.js';
import { button, el, faultText, field, fieldsOf, fillForm, input, note, once, rowsIn, select, setText } from './dom.js';
import { ACTIONS, minute, moment, number, shown } from './format.js';
import { go, href } from './router.js';

const PAGE = 50;
const TOKEN = /^[0-9A-Za-z]{12}$/;
const FILTERS = ['mailFrom', 'rcptTo', 'value', 'action', 'since', 'id', 'feed', 'client', 'before'];

/* The search that is shown; opening and closing a row does not repeat it. */
let search = null;

/* What the route takes: the box for both is the token if it looks like one. */
function parametersOf(query) {
  const given = Object.fromEntries(FILTERS.map(name => [name, query.get(name)]).filter(([, value]) => value));
  const { id, ...others } = given;
  if (!id) return others;
  const token = id.replace(/[\s-]/g, '');
  return { ...others, ...(TOKEN.test(token) ? { token } : { messageId: id }) };
}

async function load(at) {
  const parameters = parametersOf(at.query), key = JSON.stringify(parameters);
  if (!search || search.key !== key || at.again) {
    if (search) search.stopped = true;
    search = null;
    const next = { key, parameters, decisions: [], wanted: PAGE, cursor: undefined, back: '', stopped: false, running: false };
    await fetchMore(next, at.signal);
    search = next;
  }
  return { search, open: await opened(at) };
}

async function fetchMore(of, signal) {
  const found = await ask('GET', '/v1/decisions', { query: { ...of.parameters, limit: PAGE, cursor: of.cursor }, signal });
  of.decisions.push(...found.decisions);
  of.cursor = found.nextCursor;
  of.back = found.searchedBackTo;
}

/* The decision that the hash names, with later changes; a copied link has its day. */
async function opened(at) {
  const token = at.path[0];
  if (!token) return null;
  const day = at.query.get('day');
  const { decision, kept } = await one(token, day, at.signal);
  if (!decision) return { token };
  const audit = await ask('GET', '/v1/audit', { query: { value: token, since: decision.time, limit: 50 }, signal: at.signal });
  return { token, decision, kept, changes: audit.events };
}

async function one(token, day, signal) {
  let cursor;
  do {
    const found = await ask('GET', '/v1/decisions', { query: { token, day, limit: 1, cursor }, signal });
    if (found.decisions.length) return { decision: found.decisions[0], kept: found.inQuarantine.length > 0 };
    cursor = found.nextCursor;
  } while (cursor);
  return {};
}

function build(at) {
  const box = (name, attributes) => input(name, { size: 14, ...attributes });
  const form = el('form', { class: 'filters', role: 'search', autocomplete: 'off' },
    field('From', box('mailFrom', { placeholder: 'mailbox or domain', 'data-search': true })), field('To', box('rcptTo', { placeholder: 'mailbox or domain' })),
    field('Value', box('value', { placeholder: 'URL, domain, address' })),
    field('Action', select('action', [['', 'any'], ...ACTIONS, ['none', 'none: no message came'], ['lost', 'lost: the client went away']])),
      field('Since', select('since', [['', 'last 7 days'], ...SINCE.filter(([value]) => value !== '7d')])),
    field('Before', select('before', [['', 'now']]), { hidden: true }),
    field('Token or Message-ID', box('id')), field('Feed', box('feed', { size: 10 })), field('Client', box('client', { size: 10, placeholder: 'IP address' })),
    el('button', {}, 'Find'));
  form.addEventListener('submit', event => {
    event.preventDefault();
    const fields = fieldsOf(form);
    if (search && search.key === JSON.stringify(parametersOf(new URLSearchParams(fields)))) search = null;
    go('messages', fields);
  });
  return { form, answer: el('div', { class: 'answer', role: 'status' }), alone: el('div'),
    list: el('ol', { class: 'rows messages', 'aria-label': 'Messages' }), none: note(), foot: el('p', { class: 'acts foot' }) };
}

const filtersOf = query => Object.fromEntries(FILTERS.map(name => [name, query.get(name)]));

function render(root, data, at) {
  const parts = once(root, build), { open } = data;
  fillForm(parts.form, at.query, value => value.includes('T') ? minute(value) : value);
  parts.form.elements.before.parentNode.hidden = !at.query.get('before');
  parts.answer.replaceChildren();
  parts.alone.replaceChildren(...alone(data, at));
  data.search.draw = () => drawList(parts, data.search, open, at);
  data.search.draw();
  if (open && !at.again) parts.list.querySelector('.more')?.scrollIntoView({ block: 'nearest' });
  continueSearch(data.search);
}

/* A decision that the list does not have. */
function alone({ search: shownNow, open }, at) {
  if (!open || shownNow.decisions.some(one => one.token === open.token)) return [];
  const close = el('a', { href: href('messages', filtersOf(at.query)), 'data-close': true }, 'Close');
  if (!open.decision) return [el('div', { class: 'notice' }, el('p', {},
    'No decision with the token ' + shown(open.token) + ' is kept' + (at.query.get('day') ? ' for that day.' : '.')), close)];
  return [el('section', { class: 'one' }, el('div', { class: 'head' }, el('h2', {}, 'Message ', el('span', { class: 'mono' }, open.token),
    ' of ' + moment(open.decision.time)), close),
    details(open.decision, open, teller()))];
}

const teller = () => (text, wrong) => {
  const answer = document.querySelector('.view > .answer');
  answer.replaceChildren(wrong ? faultText(text) : el('p', {}, shown(text)));
  answer.scrollIntoView({ block: 'nearest' });
};

function drawList(parts, of, open, at) {
  const filters = filtersOf(at.query), token = open && open.token;
  rowsIn(parts.list, of.decisions, one => one.token, one => one.token === token, decision => {
    const isOpen = decision.token === token;
    return el('li', {}, el('a', { 'data-row': true, 'data-close': isOpen, 'aria-expanded': String(isOpen),
      href: isOpen ? href('messages', filters) : href(['messages', decision.token], { ...filters, day: dayOf(decision) }) }, rowCells(decision)),
    isOpen && details(decision, open, teller()));
  });
  const filtered = Object.values(filters).some(Boolean);
  parts.none.hidden = of.decisions.length > 0 || of.running;
  setText(parts.none, filtered ? 'No message matches. Search further back, or with fewer filters.'
    : 'No message was decided in the last 7 days. Messages appear here as soon as the gateway has decided them.');
  const back = of.back ? ', searched back to ' + minute(of.back) : '';
  parts.foot.replaceChildren(el('span', { role: 'status' }, (of.running ? 'Searching: ' : '') + number(of.decisions.length) + ' found' + back + '.'));
  const more = () => {
    of.wanted = of.decisions.length + PAGE;
    of.stopped = false;
    continueSearch(of);
  };
  if (of.running) parts.foot.append(button('Stop', () => of.stopped = true, { class: 'plain' }));
  else if (of.cursor) parts.foot.append(button('Older', more, { class: 'plain' }));
}

/* A request scans for a moment only; the page goes on until it has enough. */
async function continueSearch(of) {
  if (of.running) return;
  of.running = true;
  let fault = null;
  while (of === search && of.cursor && of.decisions.length < of.wanted && !of.stopped && !fault) {
    of.draw();
    await fetchMore(of).catch(broken => fault = broken);
  }
  of.running = false;
  if (of === search) of.draw();
  if (fault) teller()(fault.message, true);
}

function leave() {
  if (search) search.stopped = true;
  search = null;
}

export default { title: 'Messages', role: 'reader', load, render, leave };
