// Quarantine: what is kept back, its preview, and release or deletion of one or many.
import { ask, send } from './ask.js';
import { exceptionText, expiry, findings, historyTerms, listSender, outcomesText, recipients, sender } from './decision.js';
import { confirm, SINCE } from './dialogs.js';
import { button, el, faultText, field, fieldsOf, fillForm, foreign, input, link, note, once, rowsIn, select, setText, table, terms } from './dom.js';
import { bytes, minute, moment, number, plural, shown, shownLines } from './format.js';
import { poll } from './live.js';
import { runMany } from './many.js';
import { go, href } from './router.js';
import { may } from './session.js';

const PAGE = 50, MOST = 200;
const FILTERS = ['since', 'before', 'sender', 'recipient', 'feed'];
const MAX_FAILURES_SHOWN = 20;

/* What the filter matches, as far as it is loaded; the tokens that are selected, and why some of them failed. */
let list = null;
let selected = new Set();
let failures = new Map();
let preview = null;
let busy = false;

const filtersOf = query => Object.fromEntries(FILTERS.map(name => [name, query.get(name) || undefined]));

async function load(at) {
  const filters = filtersOf(at.query), key = JSON.stringify(filters);
  if (!list || list.key !== key || list.stale || at.again) {
    const first = await ask('GET', '/v1/quarantine', { query: { ...filters, limit: PAGE }, signal: at.signal });
    if (!list || list.key !== key) selected = new Set();
    list = { ...first, key, filters };
  }
  const token = at.path[0];
  if (!token) preview = null;
  else if (may('quarantine') && (!preview || preview.token !== token)) preview = { token, ...await fetchPreview(token, at.signal) };
  return list;
}

async function fetchPreview(token, signal) {
  try {
    return await ask('GET', '/v1/quarantine/' + encodeURIComponent(token), { signal });
  } catch (fault) {
    if (fault.status === 404) return { gone: true };
    throw fault;
  }
}

function build() {
  const box = (name, attributes) => input(name, { size: 16, ...attributes });
  const form = el('form', { class: 'filters', role: 'search', autocomplete: 'off' },
    field('From', box('sender', { placeholder: 'mailbox or domain', 'data-search': true })),
      field('To', box('recipient', { placeholder: 'mailbox or domain' })), field('Feed', box('feed')),
    field('Since', select('since', [['', 'any time'], ...SINCE])), field('Before',
      select('before', [['', 'now'], ['24h', '24 hours ago'], ['7d', '7 days ago'], ['30d', '30 days ago']])),
    el('button', {}, 'Find'));
  form.addEventListener('submit', event => {
    event.preventDefault();
    go('quarantine', fieldsOf(form));
  });
  return { form, answer: el('div', { class: 'answer', role: 'status' }), count: note(),
    tools: el('div', { class: 'acts tools', role: 'group', 'aria-label': 'Selected messages' }),
    alone: el('div'), rows: el('ol', { class: 'rows kept', 'aria-label': 'Messages in quarantine' }), foot: el('p', { class: 'acts foot' }) };
}

function render(root, data, at) {
  const parts = once(root, build);
  fillForm(parts.form, at.query, value => value.includes('T') ? minute(value) : value);
  draw(parts, at);
}

function draw(parts, at) {
  const filtered = Object.values(list.filters).some(Boolean);
  setText(parts.count, list.matching === 0 ? (filtered ? 'No message matches.'
    : 'Nothing is kept back. Messages appear here when the policy sends them to quarantine.')
    : (filtered ? number(list.matching) + ' of ' + plural(list.total, 'message') + ', ' + bytes(list.matchingBytes) : plural(list.total, 'message')
      + ', ' + bytes(list.totalBytes)) + ', the newest first.'
      + (list.leftOut ? ' The oldest ' + number(list.leftOut) + ' are not in the list: the index has no memory for them.' : '')
      + (list.unread ? ' ' + number(list.unread) + ' are still being read.' : ''));
  drawTools(parts, at);
  const token = at.path[0], here = token && list.messages.some(message => message.token === token);
  parts.alone.replaceChildren(...token && !here ? [alone(token, parts, at)] : []);
  rowsIn(parts.rows, list.messages, message => message.token, message => message.token === token, message => row(message, parts, at));
  for (const box of parts.rows.querySelectorAll('input[type=checkbox]')) box.checked = selected.has(box.value);
  parts.foot.replaceChildren();
  if (list.nextCursor) parts.foot.append(button('Older', () => older(parts, at), { class: 'plain' }),
    ' ' + number(list.messages.length) + ' of ' + number(list.matching) + ' shown');
}

async function older(parts, at) {
  try {
    const more = await ask('GET', '/v1/quarantine', { query: { ...list.filters, limit: PAGE, cursor: list.nextCursor } });
    list = { ...list, messages: [...list.messages, ...more.messages], nextCursor: more.nextCursor };
    draw(parts, at);
  } catch (fault) {
    say(parts, fault.message, true);
  }
}

function say(parts, text, wrong) {
  parts.answer.replaceChildren(wrong ? faultText(text) : el('p', {}, shown(text)));
}

function row(message, parts, at) {
  const isOpen = at.path[0] === message.token;
  const box = may('quarantine') && el('input', { type: 'checkbox', value: message.token, 'aria-label': 'Select ' + shown(message.subject || message.token) });
  if (box) {
    box.addEventListener('change', () => {
      if (box.checked) selected.add(message.token);
      else selected.delete(message.token);
      failures.delete(message.token);
      drawTools(parts, at);
    });
  }
  const line = el(may('quarantine') ? 'a' : 'div', may('quarantine') ? { 'data-row': true, 'data-close': isOpen, 'aria-expanded': String(isOpen),
    href: href(isOpen ? 'quarantine' : ['quarantine', message.token], list.filters),
    onkeydown: event => {
      if (event.key !== ' ') return;
      event.preventDefault();
      box.click();
    } } : { class: 'row' },
  el('time', { datetime: message.time }, moment(message.time)),
  el('span', { class: 'cut' }, el('b', {}, foreign(message.subject || 'no subject'))),
  el('span', { class: 'cut' }, foreign(sender(message)), ' → ', foreign(recipients(message.recipients))),
  el('span', { class: 'cut' }, foreign(message.feed || message.reason)), el('span', { class: 'size' }, bytes(message.sizeBytes)));
  return el('li', {}, el('div', { class: 'line' }, box, line), isOpen && opened(parts, at));
}

/* A message that the list does not show. */
const alone = (token, parts, at) => el('section', { class: 'one' }, el('div', { class: 'head' },
  el('h2', {}, 'Message ', el('span', { class: 'mono' }, shown(token))),
  el('a', { href: href('quarantine', list.filters), 'data-close': true }, 'Close')), opened(parts, at));

/* The preview: HTML is not rendered, links do not work. */
function opened(parts, at) {
  if (!may('quarantine')) return note('Opening a message needs the role quarantine.');
  if (preview.gone) return note('This message is no longer in quarantine.');
  const { message, attachments } = preview, tokens = [message.token];
  return el('div', { class: 'more' },
    el('p', { class: 'acts' }, button('Release', () => act('release', tokens, parts, at), { class: 'plain' }),
      button('Release to …', () => act('to', tokens, parts, at), { class: 'plain' }),
      button('Except and release', () => act('except', tokens, parts, at), { class: 'plain' }),
        button('Delete', () => act('delete', tokens, parts, at), { class: 'plain' }),
      button('Download', () => download(message.token).catch(fault => say(parts, fault.message, true)),
        { class: 'plain', title: 'The raw message. The download is recorded in the audit log.' }),
      listSender(message), link(href(['messages', message.token], { day: message.time.slice(0, 10) }), 'Open the decision')),
    terms([['From', message.from], ['Sender', sender(message)], ['Recipients', message.recipients.map(to => el('div', {}, foreign(to)))],
      ['Subject', message.subject], ['Client', message.client],
      ['Reason', [message.feed && 'feed ' + message.feed, message.category, message.value, message.reason].filter(Boolean).join(', ')],
        ['Limits reached', preview.limits.join(', ')], ...historyTerms(preview.history)]),
    el('pre', { class: 'text', tabindex: 0, role: 'region', 'aria-label': 'Text of the message' }, marked(preview.text, preview.marks)),
    note('Links do not work here, and HTML is shown as text. What is listed is marked.', preview.complete ? '' : ' This is the beginning of the text.'),
    attachments.length > 0 && table('Attachments', [['Name'], ['type', 'less'], ['size', 'n'], ['SHA-256', 'less']],
      attachments.map(one => [one.name || 'no name', one.mediaType, bytes(one.sizeBytes), el('span', { class: 'mono' }, one.sha256)])),
    preview.moreAttachments > 0 && note('and ' + plural(preview.moreAttachments, 'more attachment', 'more attachments')),
    preview.identifiers.length > 0 && findings(preview.identifiers.map(one => ({ ...one, feed: one.listings.map(listing => listing.feed).join(', ') }))));
}

function marked(text, marks) {
  const parts = [];
  let at = 0;
  for (const mark of marks) {
    parts.push(shownLines(text.slice(at, mark.start)), el('mark', { title: 'feed ' + shown(mark.feed) + ', ' + shown(mark.category) },
      shownLines(text.slice(mark.start, mark.end))));
    at = mark.end;
  }
  return [...parts, shownLines(text.slice(at))];
}

async function download(token) {
  const response = await send('GET', '/v1/quarantine/' + encodeURIComponent(token) + '/raw');
  const url = URL.createObjectURL(new Blob([await response.blob()], { type: 'application/octet-stream' }));
  el('a', { href: url, download: token + '.eml' }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

function drawTools(parts, at) {
  const count = selected.size, tools = parts.tools;
  tools.hidden = !may('quarantine') || list.matching === 0;
  if (tools.hidden) return;
  if (!tools.firstChild) {
    const doing = what => () => act(what, Array.from(selected), parts, tools.at);
    tools.append(el('span', { role: 'status' }), button('Select those shown', () => {
      list.messages.forEach(message => selected.add(message.token));
      draw(parts, tools.at);
    }, { class: 'plain' }), button('', () => selectAll(parts, tools.at), { class: 'plain' }), button('Select none', () => {
      selected.clear();
      draw(parts, tools.at);
    }, { class: 'plain' }), button('Release', doing('release')), button('Release to …', doing('to')), button('Except and release', doing('except')),
      button('Delete', doing('delete'), { class: 'danger' }));
  }
  tools.at = at;
  const [state, those, all, none, ...works] = tools.children;
  setText(state, count ? number(count) + ' selected' : 'None selected');
  setText(all, 'Select all ' + number(list.matching) + ' that match');
  all.hidden = !list.nextCursor;
  those.hidden = list.messages.every(message => selected.has(message.token));
  none.hidden = count === 0;
  works.forEach(work => work.hidden = count === 0);
}

/* The tokens of all that match, collected by the cursor. */
async function selectAll(parts, at) {
  if (busy) return;
  busy = true;
  const of = list;
  let cursor;
  try {
    do {
      const more = await ask('GET', '/v1/quarantine', { query: { ...of.filters, limit: MOST, cursor } });
      if (of !== list) return;
      more.messages.forEach(message => selected.add(message.token));
      cursor = more.nextCursor;
      setText(parts.tools.firstChild, 'Selecting: ' + number(selected.size) + ' of ' + number(of.matching));
    } while (cursor);
    draw(parts, at);
  } catch (fault) {
    say(parts, fault.message, true);
  } finally {
    busy = false;
  }
}

const ACTS = {
  release: { verb: 'Release', title: what => 'Release ' + what + '?', text: 'Each is delivered to its recipients and leaves the quarantine.',
    words: 'Released' },
  to: { verb: 'Release to this address', title: what => 'Release ' + what + ' to another address?',
    text: 'A copy of each goes to this address. The messages stay in quarantine.', words: 'Sent a copy of' },
  except: { verb: 'Except and release', title: what => 'Except and release ' + what + '?',
    text: 'The listings found in them no longer count for mail to the domains of their recipients. Each is delivered to its recipients.', words: 'Excepted and released' },
  delete: { verb: 'Delete', title: what => 'Delete ' + what + '?', text: 'They cannot be recovered.', words: 'Deleted', danger: true },
};

async function act(what, tokens, parts, at) {
  if (busy) return;
  const { verb, title, text, words, danger } = ACTS[what];
  const fields = what === 'to' ? [field('Address', input('to', { type: 'email', required: true, maxlength: 320 }))] : what === 'except' ? [expiry()] : [];
  const given = await confirm({ title: title(plural(tokens.length, 'message')), text, fields,
    verb: tokens.length > 1 ? verb + ' (' + number(tokens.length) + ')' : verb, danger });
  if (!given) return;
  busy = true;
  try {
    const said = [];
    failures = await runMany(tokens, async token => {
      const path = '/v1/quarantine/' + encodeURIComponent(token);
      if (what === 'delete') {
        await ask('DELETE', path).catch(fault => {
          if (fault.status !== 404) throw fault;
        });
        return;
      }
      const done = await ask('POST', path, { body: what === 'to' ? { to: given.to } : what === 'except'
        ? { except: true, expires: given.expires || '' } : {} });
      const outcomes = outcomesText(done.outcomes);
      if (done.outcomes.some(one => !one.delivered)) throw new Error(outcomes);
      said.push(outcomes + (what === 'except' ? ' ' + exceptionText(done.exceptions) : ''));
    }, parts.answer, words);
    if (tokens.length === 1 && said.length) say(parts, said[0]);
    if (tokens.length > 1 || selected.has(tokens[0])) selected = new Set(failures.keys());
    if (failures.size) parts.answer.append(failedList());
  } finally {
    busy = false;
  }
  const gone = at.path[0] && !failures.has(at.path[0]) && what !== 'to' && tokens.includes(at.path[0]);
  poll();
  list.stale = true;
  if (gone) go('quarantine', list.filters);
  else go(['quarantine', ...at.path], list.filters);
  parts.answer.tabIndex = -1;
  parts.answer.focus();
}

const failedList = () => el('ul', {}, Array.from(failures).slice(0, MAX_FAILURES_SHOWN).map(([token, why]) => el('li', { class: 'fault' },
  el('span', { class: 'mono' }, token), ' ', foreign(why))),
  failures.size > MAX_FAILURES_SHOWN && el('li', {}, 'and ' + number(failures.size - MAX_FAILURES_SHOWN) + ' more'));

function leave() {
  list = preview = null;
  selected = new Set();
  failures = new Map();
}

export default { title: 'Quarantine', role: 'reader', load, render, leave };
