// Elements hold text nodes: nothing that came with a message is ever read as markup.
import { capital, shown } from './format.js';

export const byId = id => document.getElementById(id);

/* An attribute whose value is a function is a listener, for example onclick. */
export const el = (name, attributes, ...children) => fill(document.createElement(name), attributes, children);

export const svg = (name, attributes, ...children) =>
  fill(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children);

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else if (value !== false && value !== undefined) element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat(Infinity).filter(child => child !== null && child !== undefined && child !== false && child !== ''));
  return element;
}

export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/* Text of others, which ends where its direction of writing does. */
export const foreign = (text, attributes) => el('bdi', attributes, shown(text));

export const mono = text => foreign(text, { class: 'mono' });

/* One child of parent for each item, in order; a child whose key stays is kept, with its focus. */
function eachIn(parent, items, keyOf, make, update) {
  const before = new Map(Array.from(parent.children, child => [child.dataset.key, child]));
  items.forEach((item, index) => {
    const key = keyOf(item);
    let child = before.get(key);
    if (child === undefined) {
      child = make(item);
      child.dataset.key = key;
    }
    before.delete(key);
    if (parent.children[index] !== child) parent.insertBefore(child, parent.children[index] || null);
    if (update) update(child, item);
  });
  before.forEach(child => child.remove());
}

const STOPS = 'a[href], button, input, select, summary, [tabindex="0"]';

/* Puts other children into parent, unless they are the same; the focus stays where it was. */
export function swap(parent, ...children) {
  const fresh = fill(parent.cloneNode(false), {}, children);
  if (fresh.isEqualNode(parent)) return;
  const focused = Array.from(parent.querySelectorAll(STOPS)).indexOf(document.activeElement);
  parent.replaceChildren(...fresh.childNodes);
  if (focused >= 0) parent.querySelectorAll(STOPS)[focused]?.focus();
}

/* Rows of a list: each has one link, marked data-row. The focus stays in its row when that is made again, as it opens or closes. */
export function rowsIn(list, items, keyOf, isOpen, make) {
  const focused = list.contains(document.activeElement) && document.activeElement.closest('li').dataset.row;
  eachIn(list, items, item => keyOf(item) + isOpen(item), item => {
    const row = make(item);
    row.dataset.row = keyOf(item);
    return row;
  });
  if (focused && !list.contains(document.activeElement)) {
    Array.from(list.children).find(row => row.dataset.row === focused)?.querySelector('a[data-row]').focus();
  }
}

/* What is built the first time that a view renders into root, and found again later. */
export function once(root, build) {
  if (!root.parts) {
    root.parts = build();
    root.append(...Object.values(root.parts).filter(part => part instanceof Node && !part.parentNode));
  }
  return root.parts;
}

export const note = (...text) => el('p', { class: 'note' }, ...text);

export const faultText = text => el('p', { class: 'fault', role: 'alert' }, shown(text));

export const badge = (kind, words) => el('span', { class: 'badge ' + kind }, words || kind);

export const button = (words, onclick, attributes) => el('button', { type: 'button', onclick, ...attributes }, words);

export const link = (href, ...words) => el('a', { href }, ...words);

/* Name and value in two columns; rows without a value are left out. */
export const terms = rows => el('dl', { class: 'terms' }, rows
  .filter(([, value]) => value !== undefined && value !== null && value !== '' && value !== false && !(Array.isArray(value) && value.length === 0))
  .map(([name, value]) => [el('dt', {}, name), el('dd', {}, Array.isArray(value) ? value : value instanceof Node ? value : foreign(value))]));

/* Columns are [heading, 'n' for numbers, 'less' for those that narrow windows leave out]; a cell is a text or a node. */
export function table(caption, columns, rows) {
  const kind = ([, ...kinds]) => ({ class: kinds.filter(Boolean).join(' ') || false });
  return el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': caption }, el('table', {},
    el('caption', {}, caption),
    el('thead', {}, el('tr', {}, columns.map(column => el('th', { scope: 'col', ...kind(column) }, capital(column[0]))))),
    el('tbody', {}, rows.map(cells => el('tr', {}, cells.map((cell, i) =>
      el(i ? 'td' : 'th', { scope: !i && 'row', ...kind(columns[i]) }, cell instanceof Node ? cell : foreign(cell))))))));
}

/* A labelled field. */
export const field = (label, input, attributes) => el('label', attributes, label, input);

export const input = (name, attributes) => el('input', { name, spellcheck: 'false', autocapitalize: 'none', autocomplete: 'off', maxlength: 2048,
  ...attributes });

/* Options are texts or [value, words]. */
export const select = (name, options, attributes) => el('select', { name, ...attributes },
  options.map(option => [option].flat()).map(([value, words]) => el('option', { value }, words || value)));

/* The texts of a form that are not empty. */
export const fieldsOf = form => Object.fromEntries(Array.from(new FormData(form)).filter(([, value]) => typeof value === 'string' && value.trim())
  .map(([name, value]) => [name, value.trim()]));

/* Puts the values of a query into a form; a value that a select lacks becomes an option of it. */
export function fillForm(form, query, words = value => value) {
  for (const control of form.elements) {
    if (!control.name || control === document.activeElement) continue;
    const value = query.get(control.name) || '';
    if (control.tagName === 'SELECT' && !Array.from(control.options).some(option => option.value === value)) {
      control.append(el('option', { value }, words(value)));
    }
    control.value = value;
  }
}

/* Runs the work of a form with its button switched off; the result or the fault goes into the answer. */
export function onSubmit(form, answer, work) {
  form.addEventListener('submit', async event => {
    event.preventDefault();
    const sent = event.submitter || form.querySelector('button');
    if (sent.getAttribute('aria-disabled')) return;
    sent.setAttribute('aria-disabled', 'true');
    try {
      answer.replaceChildren(...[await work()].flat().filter(Boolean));
    } catch (fault) {
      answer.replaceChildren(faultText(fault.message));
    } finally {
      sent.removeAttribute('aria-disabled');
    }
  });
  return form;
}

/* Gives the focus to an element that usually has none. */
export function focusOn(element) {
  if (!element.hasAttribute('tabindex')) element.tabIndex = -1;
  element.focus();
}

/* The text, put into the clipboard; without one, for example over plain HTTP, by selection. */
export async function copy(source, text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = el('textarea', { class: 'quiet', 'aria-hidden': 'true' });
    source.parentNode.append(area);
    area.value = text;
    area.select();
    document.execCommand('copy');
    area.remove();
    source.focus();
  }
  const before = source.textContent;
  setText(source, 'Copied');
  setTimeout(() => setText(source, before), 1200);
}
