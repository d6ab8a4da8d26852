// The hash names the view and its filters, so that going back, reloading and bookmarks work.
import { withQuery } from './ask.js';
import { button, byId, el, focusOn, setText } from './dom.js';
import { clock, shown } from './format.js';
import { fetchStatus } from './live.js';
import { may, onSession, session, signIn } from './session.js';

export const LOADING_MILLIS = 200;
const RETRY_MILLIS = 5_000;

/* A view: its title, the role that it needs, load(at) for its data, render(root, data, at), and leave(). With `seconds` it loads again and again. */
let views = {};
let shownView = null;
let root = null;
let loadedAt = 0;
let waiting = 0;
let loading = new AbortController();

/* The view, the words of the path after it, and the filters. */
function parse(hash) {
  const [path, query] = hash.replace(/^#?\/?/, '').split(/\?(.*)/, 2);
  const [name, ...words] = path.split('/').map(word => {
    try {
      return decodeURIComponent(word);
    } catch {
      return word;
    }
  });
  return { name: views[name] ? name : '', path: words.filter(Boolean), query: new URLSearchParams(query || '') };
}

/* A link to a view: #/NAME/WORDS?FILTERS. */
export const href = (words, query) => withQuery('#/' + [words].flat().map(encodeURIComponent).join('/'), query);

export function go(words, query) {
  const next = href(words, query);
  if (location.hash === next) reload();
  else location.hash = next;
}

export const reload = () => route(true);

async function route(again) {
  clearTimeout(waiting);
  loading.abort();
  const controller = loading = new AbortController();
  const at = { ...parse(location.hash), signal: controller.signal, again: again === true };
  const view = views[at.name];
  if (view !== shownView) enter(view, at);
  byId('view').setAttribute('aria-busy', 'true');
  const late = setTimeout(() => byId('loading').hidden = false, LOADING_MILLIS);
  try {
    // A token whose role is not known yet: the gateway did not answer at the start.
    if (session.token && session.role === 'none') await fetchStatus();
    if (view.role && !may(view.role)) {
      showDenied(view);
      return;
    }
    const data = await view.load(at);
    if (controller.signal.aborted) return;
    root.hidden = false;
    root.classList.remove('stale');
    view.render(root, data, at);
    loadedAt = Date.now();
    byId('problem').replaceChildren();
    if (view.seconds) waiting = setTimeout(reload, view.seconds * 1000);
  } catch (fault) {
    if (!controller.signal.aborted) showProblem(view, fault);
  } finally {
    clearTimeout(late);
    if (controller === loading) {
      byId('loading').hidden = true;
      byId('view').removeAttribute('aria-busy');
    }
  }
}

function enter(view, at) {
  if (shownView && shownView.leave) shownView.leave();
  const first = shownView === null;
  shownView = view;
  root = el('div', { class: 'view', hidden: true });
  loadedAt = 0;
  byId('view').replaceChildren(root);
  byId('problem').replaceChildren();
  setText(byId('title'), view.title);
  document.title = view.title + ' – Bloomgate';
  for (const item of document.querySelectorAll('#views a')) {
    if (item.dataset.view === at.name) item.setAttribute('aria-current', 'page');
    else item.removeAttribute('aria-current');
  }
  if (!first) focusOn(byId('title'));
}

function showDenied(view) {
  root.replaceChildren();
  delete root.parts;
  loadedAt = 0;
  byId('problem').replaceChildren(el('div', { class: 'notice' },
    el('p', {}, session.token ? 'Your role ' + session.role + ' may not see this. It needs the role ' + view.role + '.' : 'Sign in with the role '
      + view.role + ' to see this.'),
    session.token ? '' : button('Sign in', () => signIn())));
}

/* The data of before stays, dimmed; what may pass is tried again. */
function showProblem(view, fault) {
  root.classList.add('stale');
  if (fault.status === undefined && !fault.problem) console.error(fault);
  const denied = fault.status === 401 && !session.token;
  byId('problem').replaceChildren(el('div', { class: 'notice bad', role: 'alert' },
    el('p', {}, denied ? 'Sign in to see this.' : shown(fault.message), loadedAt && !denied ? ' The data below is from ' + clock(loadedAt) + '.' : ''),
    denied ? button('Sign in', () => signIn()) : button('Try again', reload)));
  if (fault.passes) waiting = setTimeout(reload, RETRY_MILLIS);
}

export function startRouter(all) {
  views = all;
  addEventListener('hashchange', () => route());
  onSession(() => {
    if (root) {
      root.replaceChildren();
      delete root.parts;
      root.classList.remove('stale');
      loadedAt = 0;
    }
    reload();
  });
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && shownView && shownView.seconds) reload();
  });
  route();
}
