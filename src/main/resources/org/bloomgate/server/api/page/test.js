// Test: what the gateway would say of a value, a password or a message. Nothing is recorded.
import { ask } from './ask.js';
import { findings, historyTerms } from './decision.js';
import { badge, el, faultText, field, fieldsOf, foreign, input, link, mono, note, onSubmit, once, select, table, terms } from './dom.js';
import { bytes, dateOf, number, plural, shown } from './format.js';
import { href } from './router.js';
import { may } from './session.js';

const KINDS = [['', 'auto'], 'domain', 'url', 'address', 'phone', 'network', 'hash'];
const WORDS = { clean: 'not listed', listed: 'listed', unresolved: 'could not be looked up' };

const load = at => ({ kind: at.query.get('kind') || '', value: at.query.get('value') || '' });

function valueForm() {
  const answer = el('div', { class: 'answer', role: 'status' });
  const form = el('form', { class: 'filters', autocomplete: 'off' }, field('Kind', select('kind', KINDS)),
    field('Value', input('value', { required: true, size: 28, maxlength: 8192, placeholder: 'domain, URL, address, phone number',
      'data-search': true })), el('button', {}, 'Test'));
  onSubmit(form, answer, async () => {
    const { kind, value } = fieldsOf(form);
    history.replaceState(null, '', href('test', { kind, value }));
    return testValue(kind, value);
  });
  return { form, section: el('section', {}, el('h2', {}, 'A value'), form, note('With the kind auto, the value is tested as every kind whose form it has.'), answer) };
}

async function testValue(kind, value) {
  const result = (await ask('POST', '/v1/check', { body: { items: [kind ? { kind, value } : { value }] } })).results[0];
  const explained = may('reader') && result.verdict !== 'unresolved' ? await ask('GET', '/v1/explain',
    { query: { kind: result.kind, value } }).catch(() => null) : null;
  const asked = result.verdict === 'unresolved' ? result.reason || '' : result.suspect
    ? (result.verdict === 'clean' ? 'A filter said maybe, the exact lookup said no.' : '') : 'No filter contains it: it is certainly not listed.';
  return [el('p', {}, badge(result.verdict, WORDS[result.verdict]), ' ', result.kind + ' ', mono(result.value || value)), asked && note(shown(asked)),
    result.listings.length > 0 && table('Listed by', [['Feed'], ['category'], ['key'], ['since', 'less']],
      result.listings.map(one => [may('reader') ? link(href(['lists', 'feeds', one.feed]), foreign(one.feed)) : one.feed, one.category,
        mono(one.key), dateOf(one.firstSeen)])),
    explained && explanation(explained)];
}

function explanation(explained) {
  const rows = explained.keys.flatMap(key => key.layers.filter(layer => layer.filter !== 'none').map(layer => [mono(key.key), key.kind, layer.layer,
    layer.filter, layer.exact || 'not asked']));
  return el('details', {}, el('summary', {}, 'How it was looked up'),
    terms([['Canonical form', explained.steps.map(step => el('div', {}, step.name + ': ', mono(step.value)))],
      ['Exceptions', explained.exceptions.map(one => el('div', {}, foreign(one)))], ['Order of precedence', explained.precedence]]),
    rows.length > 0 && table('Each key in each layer', [['Key'], ['kind', 'less'], ['layer'], ['filter'], ['exact lookup']], rows));
}

function passwordForm() {
  const answer = el('div', { class: 'answer', role: 'status' }), password = input('password', { type: 'password', required: true, maxlength: 1024 });
  const form = el('form', { class: 'filters', autocomplete: 'off' }, field('Password', password), el('button', {}, 'Test'));
  onSubmit(form, answer, async () => {
    const given = password.value;
    password.value = '';
    const result = await ask('POST', '/v1/passwords', { body: { password: given } });
    return el('p', {}, badge(result.weak ? 'listed' : 'clean', result.weak ? 'weak' : 'not listed'),
      result.weak ? ' It is in a list of known passwords' + (result.count > 1 ? ', seen ' + number(result.count) + ' times.' : '.')
        : ' It is in no list of known passwords.');
  });
  return el('section', {}, el('h2', {}, 'A password'), form, note('It is sent to this gateway only, and neither kept nor logged.'), answer);
}

function messageForm() {
  const answer = el('div', { class: 'answer', role: 'status' }), file = el('input',
    { type: 'file', name: 'file', accept: '.eml,message/rfc822', required: true });
  const box = (name, words) => field(words, input(name, { maxlength: 320, size: 20 }));
  const form = el('form', { class: 'filters', autocomplete: 'off' }, field('Message, an .eml file to choose or to drop here', file,
    { class: 'grow' }), box('mailFrom', 'Envelope sender'), box('rcptTo', 'Envelope recipient'),
    box('client', 'Client address'), box('helo', 'HELO name'), el('button', {}, 'Test'));
  onSubmit(form, answer, async () => {
    const message = file.files[0], { mailFrom, rcptTo, client, helo } = fieldsOf(form);
    const result = await ask('POST', '/v1/messages', { query: { mailFrom, rcptTo, client, helo }, type: 'message/rfc822', body: new Blob([message]) });
    return scanned(message, result);
  });
  const section = el('section', { class: 'drop' }, el('h2', {}, 'A message'), form, note('It is neither delivered nor counted.'), answer);
  section.addEventListener('dragover', event => {
    event.preventDefault();
    section.classList.add('over');
  });
  section.addEventListener('dragleave', () => section.classList.remove('over'));
  section.addEventListener('drop', event => {
    event.preventDefault();
    section.classList.remove('over');
    if (event.dataTransfer.files.length !== 1) {
      answer.replaceChildren(faultText('Drop one file.'));
      return;
    }
    file.files = event.dataTransfer.files;
    form.requestSubmit();
  });
  return section;
}

function scanned(file, result) {
  const listed = result.identifiers.filter(one => one.verdict !== 'clean'), clean = result.identifiers.length - listed.length;
  const authentication = result.authentication;
  return [el('p', {}, badge(result.verdict, WORDS[result.verdict]), ' The policy says ', badge(result.action),
    result.enforced !== result.action ? ', in shadow: the message would be passed.' : '.'),
    terms([['File', file.name + ', ' + bytes(file.size)], ['Deciding rule', result.rule], ['Limits reached', result.limits.join(', ')],
      ['Authentication', authentication && authentication.name + ': ' + authentication.result],
      ...historyTerms(result.history), ['Look-alikes', (result.lookAlikes || [])
        .map(one => el('div', {}, foreign(one.value + ' looks like ' + one.of + ' (' + one.where + ')')))],
      ['Identifiers', plural(result.identifiers.length, 'identifier') + ', ' + number(clean) + ' of them not listed']]),
    listed.length > 0 && findings(listed.map(one => ({ ...one, feed: (one.listings
      || []).map(listing => listing.feed + ', ' + listing.category).join('; ') })))];
}

function render(root, data) {
  once(root, () => {
    const { form, section } = valueForm();
    form.elements.kind.value = data.kind;
    form.elements.value.value = data.value;
    if (data.value) queueMicrotask(() => form.requestSubmit());
    return { intro: note('Nothing that is tested here is recorded.'), columns: el('div', { class: 'columns' }, section, passwordForm(), messageForm()) };
  });
}

export default { title: 'Test', load, render };
