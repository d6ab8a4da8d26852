// Settings: what differs from the defaults and where that is written, all keys, health. Files change them, not this page.
import { ask } from './ask.js';
import { badge, el, field, input, mono, note, once, setText, swap, table, terms } from './dom.js';
import { moment, number, plural } from './format.js';
import { fetchStatus } from './live.js';

async function load(at) {
  const { signal } = at;
  const health = ask('GET', '/health/ready', { signal }).catch(fault => {
    if (fault.status !== 503) throw fault;
    return { status: 'not ready', reason: fault.message };
  });
  const [status, configuration, ready] = await Promise.all([fetchStatus(), ask('GET', '/v1/configuration', { signal }), health]);
  return { status, configuration, ready };
}

function build() {
  const find = input('find', { type: 'search', size: 28, 'data-search': true });
  const parts = { health: el('section'), changed: el('section'), find: el('div', { class: 'filters' }, field('Search all keys', find)), foot: note(),
    all: el('div'), box: find };
  find.addEventListener('input', () => parts.draw());
  return parts;
}

const setting = one => [mono(one.key), mono(one.value), mono(one.default), one.origin || ''];

function render(root, { status, configuration, ready }) {
  const parts = once(root, build), { settings } = configuration, differ = settings.filter(one => one.differs);
  swap(parts.health, el('h2', {}, 'Health'), terms([['State', el('span', {}, badge(ready.status === 'ready' ? 'clean' : ready.status === 'degraded'
    ? 'tag' : 'listed', ready.status), ready.reason ? ' ' + ready.reason : '')],
    ['Snapshot', ready.snapshot], ['Version', status.version], ['Running since', moment(status.startedAt)], ['Files', Array.from(new Set(settings.map(one => one.file).filter(Boolean))).join(', ')]]));
  swap(parts.changed, el('h2', {}, plural(differ.length, 'setting') + ' ' + (differ.length === 1 ? 'differs' : 'differ') + ' from the defaults'),
    note('Change them in the files; bloomgate config check shows mistakes. This page changes nothing.'),
    differ.length > 0 && table('Settings that differ', [['Key'], ['value'], ['default', 'less'], ['set in']], differ.map(setting)));
  parts.draw = () => {
    const word = parts.box.value.trim().toLowerCase(), found = settings.filter(one => !word || (one.key + ' ' + one.value).toLowerCase().includes(word));
    setText(parts.foot, found.length ? number(found.length) + ' of ' + plural(settings.length, 'key') : 'No key matches.');
    swap(parts.all, found.length > 0 && table('All settings', [['Key'], ['value'], ['default', 'less'], ['set in', 'less']], found.map(setting)));
  };
  parts.draw();
}

export default { title: 'Settings', role: 'reader', load, render };
