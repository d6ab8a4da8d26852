// A decision of the journal: its row in a list, and all that is known of it.
import { ask } from './ask.js';
import { badge, button, copy, el, field, foreign, link, mono, note, select, table, terms } from './dom.js';
import { confirm, EXPIRES } from './dialogs.js';
import { ACTIONS, bytes, eventWords, millis, moment, number, plural } from './format.js';
import { href } from './router.js';
import { may } from './session.js';


const shadowed = decision => decision.enforced !== decision.action;

/* The strongest that a feed in shadow would have done to a message that was passed. */
const wouldBe = decision => ACTIONS.slice(1).findLast(action => Object.values(decision.would || {}).includes(action));

export function actionBadge(decision) {
  const would = shadowed(decision) ? decision.action : decision.action === 'pass' && wouldBe(decision);
  return would ? badge('shadow', 'would ' + would) : badge(decision.action);
}

export const sender = decision => decision.mailFrom || '<>';

export const recipients = all => all.length === 0 ? 'no recipient' : all.length === 1 ? all[0] : plural(all.length, 'recipient');

/* The list that decided, or whatever else is remarkable. */
const cause = decision => decision.feed || decision.category || Object.keys(decision.would || {})[0]
  || (decision.limits.length ? 'not fully inspected' : decision.verdict === 'clean' ? '' : decision.verdict);

export const dayOf = decision => decision.time.slice(0, 10);

export function rowCells(decision) {
  return [el('time', { datetime: decision.time }, moment(decision.time)), actionBadge(decision),
    el('span', { class: 'cut' }, foreign(sender(decision)), ' → ', foreign(recipients(decision.recipients))),
    el('span', { class: 'cut' }, foreign(cause(decision))), el('span', { class: 'mono token' }, decision.token)];
}

/* What was new to the memory of the site. */
export const historyTerms = ({ link, links, sender: contact } = {}) => [
  ['New link', link && link.domain + ', first seen ' + moment(link.firstSeen) + (link.messages ? ', in ' + plural(link.messages, 'message')
    + ' before' : '') + (links > 1 ? '; one of ' + number(links) : '')],
  ['First contact', contact && (contact.firstContact === 'domain' ? 'with the domain of the sender' : 'with the sender, not with its domain')]];

const domainOf = mailbox => mailbox.split('@').at(-1);

/* The form for a listing, which shows what it would do before it counts. */
export const listSender = message => message.mailFrom && may('admin')
  && link(href(['lists', 'listings'], { kind: 'domain', value: domainOf(message.mailFrom) }), 'List sender');

/* What may be done about it; said(text) tells what came of it. */
function acts(decision, kept, said) {
  const work = (words, action) => button(words, async () => {
    try {
      const outcome = await action();
      if (outcome) said(outcome, false);
    } catch (fault) {
      said(fault.message, true);
    }
  }, { class: 'plain' });
  const path = '/v1/quarantine/' + encodeURIComponent(decision.token);
  const listed = decision.found.some(one => one.verdict === 'listed');
  const copied = button('Copy link', () => copy(copied, location.origin + '/' + href(['messages', decision.token], { day: dayOf(decision) })),
    { class: 'plain' });
  const releases = [link(href(['quarantine', decision.token]), 'Open in the quarantine'),
    work('Release', () => release(path, decision, false, releases)),
    listed && work('Except and release', () => release(path, decision, true, releases))].filter(Boolean);
  return el('p', { class: 'acts' },
    kept && may('quarantine') && releases,
    listed && may('admin') && work('Except', () => except(decision)),
    listSender(decision),
    copied);
}

export const expiry = () => field('Exceptions expire after', select('expires', EXPIRES.map(([value, words]) => [value, words])));

export const outcomesText = outcomes => outcomes.map(one => (one.delivered ? 'Released to ' : 'Not released to ') + one.recipient + ': '
  + one.reply).join('; ');

export const exceptionText = made => made.length === 0 ? 'No exception was needed.' : 'Excepted: '
  + made.map(one => (one.value || 'mail of ' + one.sender) + (one.feed ? ' of feed ' + one.feed : '')
    + (one.recipientDomain ? ' to ' + one.recipientDomain : '')).join(', ') + '.';

/* What has left the quarantine can no longer be released. */
async function release(path, decision, exceptToo, offers) {
  const given = await confirm({ title: exceptToo ? 'Except and release this message?' : 'Release this message?',
    text: 'It is delivered to ' + recipients(decision.recipients) + '.' + (exceptToo
      ? ' The listings found in it no longer count for mail to the domains of its recipients.' : ''),
    fields: exceptToo ? [expiry()] : [], verb: exceptToo ? 'Except and release' : 'Release' });
  if (!given) return '';
  const gone = () => offers.forEach(offer => offer.remove());
  const done = await ask('POST', path, { body: exceptToo ? { except: true, expires: given.expires || '' } : {} }).catch(fault => {
    if (fault.status !== 404) throw fault;
    gone();
    throw new Error('It is no longer in quarantine.');
  });
  if (done.outcomes.every(one => one.delivered)) gone();
  return outcomesText(done.outcomes) + (exceptToo ? ' ' + exceptionText(done.exceptions) : '');
}

async function except(decision) {
  const given = await confirm({ title: 'Except what is listed in this message?',
    text: 'The listings found in this message no longer count for mail to the domains of its recipients. The message itself is not delivered.',
    fields: [expiry()], verb: 'Except' });
  if (!given) return '';
  return exceptionText((await ask('POST', '/v1/exceptions', { body: { token: decision.token, expires: given.expires || '' } })).entries);
}

export function findings(found) {
  const excepted = found.some(one => one.exception);
  return table('What was found', [['Verdict'], ['Kind'], ['Value'], ['Where', 'less'], ['List'], ...excepted ? [['Exception']] : []], found.map(one =>
    [badge(one.verdict), one.kind, mono(one.value), one.where, [one.feed, one.category].filter(Boolean).join(', '), ...excepted ? [one.exception || ''] : []]));
}

/* `changes` are the audit events about it; `kept` says whether it is in the quarantine now. */
export function details(decision, { changes, kept }, said) {
  const authentication = decision.authentication;
  return el('div', { class: 'more' }, acts(decision, kept, said), terms([
    ['Decision', decision.verdict + ', ' + decision.action + (shadowed(decision) ? '; in shadow, enforced: '
      + (decision.enforced === 'pass' ? 'passed' : decision.enforced) : '')],
    ['Decided by', decision.feed && 'feed ' + decision.feed + (decision.category ? ', category ' + decision.category : '')
      + (decision.value ? ', ' + decision.value : '')],
    ['In shadow', Object.entries(decision.would || {}).map(([feed, action]) => feed + ' would ' + action).join(', ')],
    ['Sender', sender(decision)],
    ['Recipients', decision.recipients.map(to => el('div', {}, foreign(to)))],
    ['Recipients rejected', (decision.refused || []).map(to => el('div', {}, foreign(to)))],
    ['From', decision.from], ['Subject', decision.subject], ['Message-ID', decision.messageId],
    ['Client', decision.client + (decision.helo ? ', HELO ' + decision.helo : '') + (decision.tls ? ', ' + decision.tls : '')],
    ['Authentication', authentication && authentication.name + ': ' + authentication.result
      + (authentication.mechanism ? ' by ' + authentication.mechanism : '') + (authentication.reason ? ', ' + authentication.reason : '')],
    ['Size', bytes(decision.sizeBytes) + ', ' + plural(decision.keys, 'key') + ' looked up, ' + plural(decision.suspects, 'suspect')],
    ['Limits reached', decision.limits.join(', ')], ...historyTerms(decision.history), ['Notes', (decision.notes || []).join('; ')],
    ['Reply to the client', decision.reply], ['Reply of the next hop', decision.nextHopReply], ['ID at the next hop', decision.nextHopId],
    ['Processing time', Object.entries(decision.millis || {}).map(([stage, time]) => stage + ' ' + millis(time)).join(', ')],
    ['Snapshot', decision.snapshot],
    ['Later changes', changes && changes.map(event => el('div', {}, moment(event.time) + ' ', foreign(event.who), ' ', eventWords(event.what)))],
  ]), decision.found.length ? findings(decision.found) : note('Nothing in it is listed.'));
}
