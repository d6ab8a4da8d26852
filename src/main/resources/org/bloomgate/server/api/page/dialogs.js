import { byId, el, fieldsOf } from './dom.js';
import { shown } from './format.js';

/* Asks whether it is meant, with the effect in words; the values of the fields, or null when it is not. */
export function confirm({ title, text, fields = [], verb, danger }) {
  const dialog = byId('confirm');
  const form = el('form', { method: 'dialog', class: 'stack' }, el('h2', { id: 'confirm-title' }, shown(title)),
    [text].flat().map(one => one && el('p', {}, shown(one))), fields,
    el('p', { class: 'acts' }, el('button', { value: 'yes', class: danger ? 'danger' : false }, verb),
      el('button', { type: 'button', class: 'plain', onclick: () => dialog.close('') }, 'Cancel')));
  dialog.replaceChildren(form);
  dialog.returnValue = '';
  dialog.showModal();
  return new Promise(resolve => dialog.addEventListener('close', () => resolve(dialog.returnValue === 'yes' ? fieldsOf(form) : null), { once: true }));
}

/* How long something is to hold. */
export const EXPIRES = [['7d', '7 days'], ['30d', '30 days'], ['90d', '90 days'], ['', 'never']];

export const SINCE = [['1h', 'last hour'], ['24h', 'last 24 hours'], ['7d', 'last 7 days'], ['30d', 'last 30 days'], ['365d', 'last year']];
