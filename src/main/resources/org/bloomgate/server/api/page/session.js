// The token of the operator, kept until the tab is closed, the operator logs out, or an hour passes without input.
import { ask } from './ask.js';
import { byId, el, faultText, field, input, note, onSubmit, setText } from './dom.js';
import { shown } from './format.js';

const TOKEN_KEY = 'bloomgate.token';
const INPUT_KEY = 'bloomgate.input';
const IDLE_MINUTES = 60;
const CHECK_MILLIS = 30_000;

/* Each includes the one before, as far as this page is concerned. */
const ROLES = ['none', 'client', 'fleet', 'reader', 'quarantine', 'admin'];

export const session = { token: sessionStorage.getItem(TOKEN_KEY) || '', role: 'none', operator: '' };

export const may = role => ROLES.indexOf(session.role) >= ROLES.indexOf(role);

const listeners = [];

/* Called after every sign-in, log-out and change of the role. */
export const onSession = listener => listeners.push(listener);

/* Takes over what the gateway says of the token. */
export function recognise(status) {
  const role = status.role || 'none', operator = status.operator || (role === 'none' ? '' : role);
  if (role === session.role && operator === session.operator) return;
  Object.assign(session, { role, operator });
  showWho();
  listeners.forEach(listener => listener());
}

export function logOut(why) {
  if (!session.token && !why) return;
  Object.assign(session, { token: '', role: 'none', operator: '' });
  sessionStorage.removeItem(TOKEN_KEY);
  showWho();
  listeners.forEach(listener => listener());
  if (why) signIn(why);
}

function showWho() {
  const who = byId('who');
  setText(who, session.token ? shown(session.operator || '…') + ' – Log out' : 'Sign in');
  who.title = session.token ? 'Signed in with the role ' + session.role : '';
}

/* Asks for a token; closes by Escape. */
export function signIn(why) {
  const dialog = byId('sign-in');
  const answer = el('div', { class: 'answer' }, why && faultText(why));
  const token = input('token', { type: 'password', required: true, maxlength: 512 });
  const form = el('form', { class: 'stack' }, el('h2', { id: 'sign-in-title' }, 'Sign in'), field('Token of an operator', token),
    note('The command ', el('code', {}, 'bloomgate operator add NAME --role ROLE'),
      ' makes a token. This tab forgets it when it is closed, and after ', IDLE_MINUTES, ' minutes without input.'),
    answer,
    el('p', { class: 'acts' }, el('button', {}, 'Sign in'), el('button', { type: 'button', class: 'plain', onclick: () => dialog.close() }, 'Cancel')));
  onSubmit(form, answer, async () => {
    const given = token.value.trim();
    token.value = '';
    const status = await ask('GET', '/v1/status', { token: given }).catch(fault => {
      throw fault.status === 401 ? new Error('No operator has this token.') : fault;
    });
    session.token = given;
    sessionStorage.setItem(TOKEN_KEY, given);
    touch();
    dialog.close();
    session.role = '';
    recognise(status);
  });
  dialog.replaceChildren(form);
  if (!dialog.open) dialog.showModal();
  token.focus();
}

function touch() {
  sessionStorage.setItem(INPUT_KEY, String(Date.now()));
}

function checkIdle() {
  if (session.token && Date.now() - Number(sessionStorage.getItem(INPUT_KEY) || 0) > IDLE_MINUTES * 60_000) {
    logOut('You were logged out after ' + IDLE_MINUTES + ' minutes without input.');
  }
}

export function startSession() {
  byId('who').addEventListener('click', () => session.token ? logOut() : signIn());
  ['keydown', 'pointerdown', 'wheel'].forEach(type => document.addEventListener(type, () => session.token && touch(), { passive: true }));
  document.addEventListener('visibilitychange', checkIdle);
  setInterval(checkIdle, CHECK_MILLIS);
  checkIdle();
  showWho();
}
