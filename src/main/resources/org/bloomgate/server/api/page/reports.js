// Reports: messages that people reported, what is known of what is in them, and what becomes of them.
import { ask, withQuery } from './ask.js';
import { confirm, EXPIRES } from './dialogs.js';
import { button, el, faultText, field, fillForm, foreign, link, mono, note, once, rowsIn, select, setText, table, terms } from './dom.js';
import { minute, moment, number, plural, sentence, shown } from './format.js';
import { go, href, reload } from './router.js';
import { may } from './session.js';

const MOST = 200;
const MAX_NAMES = 20;
const STATES = { open: 'open', listed: 'listed', harmless: 'harmless', later: 'ask again later' };
const MATCHES = [['suffix', 'it and everything below it'], ['exact', 'it alone']];

const path = id => '/v1/reports/' + encodeURIComponent(id);

async function load(at) {
  const state = at.query.get('state') || '', id = at.path[0], { signal } = at;
  const [{ reports }, one] = await Promise.all([ask('GET', '/v1/reports', { query: { state, limit: MOST }, signal }), id && loadOne(id, signal)]);
  return { state, reports, one };
}

/* One report, with what the memory of the gateway has of each name. */
async function loadOne(id, signal) {
  try {
    const one = await ask('GET', path(id), { signal });
    const names = one.identifiers.filter(({ identifier: { key } }) => key.kind === 'domain' || key.kind === 'address').slice(0, MAX_NAMES);
    await Promise.all(names.map(async known => {
      known.seen = await ask('GET', '/v1/seen/' + encodeURIComponent(known.identifier.key.text), { signal }).catch(() => null);
    }));
    return one;
  } catch (fault) {
    if (fault.status === 404) return { gone: true };
    throw fault;
  }
}

function build() {
  const form = el('form', { class: 'filters' }, field('Reports that are', select('state', [['', 'in any state'], ...Object.entries(STATES)])));
  form.addEventListener('submit', event => event.preventDefault());
  form.addEventListener('change', () => go('reports', { state: form.elements.state.value }));
  return { form, answer: el('div', { class: 'answer', role: 'status' }), count: note(), alone: el('div'),
    rows: el('ol', { class: 'rows kept', 'aria-label': 'Reports' }) };
}

function render(root, { state, reports, one }, at) {
  const parts = once(root, build), id = at.path[0];
  fillForm(parts.form, at.query);
  setText(parts.count, reports.length === 0 ? (state ? 'No report is in this state.'
    : 'Nobody reported a message. Reports appear here when people of the site forward a message to an address of reports.addresses.')
    : reports.length === MOST ? 'The ' + number(MOST) + ' that changed last.' : plural(reports.length, 'report') + ', the last changed first.');
  const here = reports.some(report => report.id === id);
  parts.alone.replaceChildren(...id && !here ? [el('section', { class: 'one' }, el('div', { class: 'head' }, el('h2', {}, 'Report ', mono(id)),
    el('a', { href: href('reports', { state }), 'data-close': true }, 'Close')), opened(one, parts))] : []);
  // An open row is made again each time: what is known may have changed.
  const version = report => report.id === id ? Date.now() : report.outcome.time + report.voices.length;
  rowsIn(parts.rows, reports, report => report.id, version, report => row(report, id, state, one, parts));
}

function row(report, id, state, one, parts) {
  const isOpen = report.id === id, { message, voices, outcome } = report;
  return el('li', {}, el('div', { class: 'line' }, el('a', { 'data-row': true, 'data-close': isOpen, 'aria-expanded': String(isOpen),
    href: href(isOpen ? 'reports' : ['reports', report.id], { state }) },
  el('time', { datetime: voices.at(-1).time }, moment(voices.at(-1).time)),
  el('span', { class: 'cut' }, el('b', {}, foreign(message.subject || 'no subject'))),
  el('span', { class: 'cut' }, foreign(message.from || 'unknown sender')),
  el('span', { class: 'cut' }, STATES[outcome.state], outcome.by && [' by ', foreign(outcome.by)]),
  el('span', { class: 'size' }, plural(voices.length, 'reporter')))), isOpen && opened(one, parts));
}

const all = texts => texts.map(text => el('div', {}, foreign(text)));

/* No text of the message: reports do not have it, and its decision leads to the quarantine. */
function opened(one, parts) {
  if (one.gone) return note('There is no such report any more.');
  const { report, identifiers } = one, { message, outcome } = report;
  return el('div', { class: 'more' },
    el('p', { class: 'acts' }, button('Harmless', () => decide(report, { state: 'harmless' }, parts), { class: 'plain' }),
      button('Ask again later', () => decide(report, { state: 'later' }, parts), { class: 'plain' }),
      message.token && link(href(['messages', message.token], message.date && { day: message.date.slice(0, 10) }), 'Open the decision')),
    terms([['Subject', message.subject], ['From', message.from], ['Message-ID', message.messageId], ['Date', message.date && moment(message.date)],
      ['Reported by', report.voices.map(voice => el('div', {}, foreign(voice.reporter.mailbox || 'a provider at ' + voice.reporter.clientNetwork),
        ' ' + minute(voice.time)))],
      ['Received by', all(message.recipients)],
      ['State', STATES[outcome.state] + (outcome.by ? ' by ' + outcome.by + ' on ' + minute(outcome.time) : '')]]),
    identifiers.length === 0 ? note('Nothing in this message can be listed.')
      : table('What it contains', [['Kind'], ['Value'], ['Where', 'less'], ['Lists'], ['First seen', 'less'], ['Would have stopped', 'n'], ['Listing']],
        identifiers.map(known => cells(known, report, parts))));
}

function cells(known, report, parts) {
  const { identifier: { key, where }, preview, check, seen } = known, { mail, objections } = preview;
  const own = check && check.listings.some(listing => listing.feed === 'local' && listing.key === key.text);
  return [key.kind, el('div', {}, mono(key.text), objections.map(objection => el('div', { class: 'note' }, shown(sentence(objection))))), where,
    !check || check.verdict === 'unresolved' ? 'not known' : check.listings.map(listing => listing.feed).join(', ') || 'none', firstSeen(seen),
    mail.delivered ? number(mail.stopped) + ' of ' + number(mail.delivered) : 'not known',
    !may('admin') ? 'needs the role admin' : own ? act('Take back', takeBack, known, report, parts)
      : act(objections.length ? 'List anyway …' : 'List …', list, known, report, parts)];
}

const act = (words, work, known, report, parts) => button(words, () => work(known, report, parts),
  { class: 'plain', 'aria-label': words + ': ' + shown(known.identifier.key.text) });

const firstSeen = seen => !seen ? '–' : seen.link ? minute(seen.link.firstSeen) + (seen.known ? ', known' : '') : seen.known ? 'known' : 'never';

async function list({ identifier: { key }, preview }, report, parts) {
  const objected = preview.objections.length > 0;
  const given = await confirm({ title: 'List this ' + key.kind + '?', text: [preview.scope, preview.effect, ...preview.objections].map(sentence),
    fields: [field('List', select('match', MATCHES)), field('Expires after', select('expires', EXPIRES))],
    verb: objected ? 'List it anyway' : 'List it', danger: objected });
  if (given) await decide(report, { state: 'listed', kind: key.kind, value: key.text, ...given, force: objected }, parts);
}

async function decide(report, body, parts) {
  await tell(parts, async () => {
    await ask('POST', path(report.id), { body });
    return 'The report is decided: ' + STATES[body.state] + '.';
  });
}

/* Removes the listing; an automatic one then switches automatic listing off for a day. */
async function takeBack({ identifier: { key } }, report, parts) {
  const given = await confirm({ title: 'Take back this listing?', text: [key.kind + ' ' + key.text + ' stops counting at once, unless a feed lists it too.',
    'After an automatic listing was taken back, nothing is listed automatically for 24 hours.'], verb: 'Take back', danger: true });
  if (!given) return;
  await tell(parts, async () => {
    await ask('DELETE', withQuery('/v1/listings', { kind: key.kind, value: key.text }));
    await ask('POST', path(report.id), { body: { state: 'harmless' } });
    return 'The listing is taken back, and the report is harmless.';
  });
}

async function tell(parts, work) {
  try {
    parts.answer.replaceChildren(el('p', {}, await work()));
  } catch (fault) {
    parts.answer.replaceChildren(faultText(fault.message));
  }
  reload();
  parts.answer.tabIndex = -1;
  parts.answer.focus();
}

export default { title: 'Reports', role: 'quarantine', load, render };
