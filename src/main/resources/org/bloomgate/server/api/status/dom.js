// Elements hold text nodes: nothing that came with a message is ever read as markup.

const byId = id => document.getElementById(id);

const el = (name, attributes, ...children) => fill(document.createElement(name), attributes, children);

const svg = (name, attributes, ...children) => fill(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children);

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value !== false && value !== undefined) element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.filter(child => child !== null && child !== undefined && child !== ''));
  return element;
}

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/* One child of parent for each item, in order; a child whose key stays is kept, with its focus and whether it is open. */
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

async function ask(method, path, body, token) {
  const headers = {};
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (token) headers.Authorization = 'Bearer ' + token;
  const response = await fetch(path, {
    method, headers, body: body === undefined ? undefined : JSON.stringify(body), cache: 'no-store', credentials: 'omit',
  });
  const answer = await response.json();
  if (!response.ok) throw Object.assign(new Error(answer.detail || answer.title || 'refused'), { status: response.status });
  return answer;
}

/* Runs the work of a form, its button switched off meanwhile; what went wrong stands in the answer. */
function onSubmit(form, answer, work) {
  form.addEventListener('submit', async event => {
    event.preventDefault();
    const button = form.querySelector('button');
    button.setAttribute('aria-disabled', 'true');
    try {
      answer.replaceChildren(...[].concat(await work()));
    } catch (fault) {
      answer.replaceChildren(el('p', { class: 'fault' }, fault.status ? shown(fault.message) : 'The gateway does not answer.'));
    } finally {
      button.removeAttribute('aria-disabled');
    }
  });
}
