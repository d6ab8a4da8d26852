// The keyboard: no single letter changes state.
import { byId, el } from './dom.js';

const KEYS = [['/', 'search in this view'], ['↓ ↑', 'next and previous row'], ['Enter', 'open or close the row'],
  ['Space', 'select the row, in the quarantine'],
  ['Escape', 'close, and return to the row'], ['?', 'this list']];

const typing = element => element.matches('input, select, textarea') && element.type !== 'checkbox';

const rowsHere = () => Array.from(document.querySelectorAll('main a[data-row]')).filter(row => row.checkVisibility());

function moveBy(step, event) {
  const rows = rowsHere(), at = rows.findIndex(row => row === document.activeElement || row.parentNode.contains(document.activeElement));
  const next = rows[at < 0 ? (step > 0 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, at + step))];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

function pressed(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector('dialog[open]')) return;
  const active = document.activeElement;
  if (event.key === 'Escape') {
    const open = document.querySelector('main [data-close]');
    if (byId('menu').getAttribute('aria-expanded') === 'true') byId('menu').click();
    else if (open) open.click();
    return;
  }
  if (typing(active)) return;
  if (event.key === '/') {
    const search = document.querySelector('main [data-search]');
    if (search) {
      event.preventDefault();
      search.focus();
      search.select();
    }
  } else if (event.key === '?') {
    showKeys();
  } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    moveBy(event.key === 'ArrowDown' ? 1 : -1, event);
  }
}

function showKeys() {
  const dialog = byId('keys');
  dialog.replaceChildren(el('h2', { id: 'keys-title' }, 'Keyboard shortcuts'),
    el('dl', { class: 'terms' }, KEYS.map(([key, words]) => [el('dt', {}, el('kbd', {}, key)), el('dd', {}, words)])),
    el('p', { class: 'acts' }, el('button', { type: 'button', onclick: () => dialog.close() }, 'Close')));
  dialog.showModal();
}

export function startKeys() {
  addEventListener('keydown', pressed);
  byId('help').addEventListener('click', showKeys);
}
