/* The roles that see addresses in full. */
const READERS = ['reader', 'quarantine', 'admin'];

const dull = decision => decision.verdict === 'clean' && (decision.action === 'pass' || decision.action === 'none' || decision.action === 'lost');

const shadowed = decision => decision.enforced !== decision.action;

/* The hardest that a feed on trial would have done to mail that was passed. */
const tried = decision => decision.action === 'pass' && ACTIONS.slice(1).findLast(action => Object.values(decision.would || {}).includes(action));

function reasonOf(decision) {
  const why = decision.why[0];
  if (!why) return decision.limits.length ? 'not fully inspected: ' + decision.limits.join(', ') : decision.action === 'none' ? 'no message' : '';
  const by = [why.category, why.feed].filter(Boolean).join(', ');
  const more = decision.whyCount > 1 ? ' and ' + (decision.whyCount - 1) + ' more' : '';
  return why.verdict + ' ' + why.kind + ' ' + (why.key || why.value) + (by ? ' (' + by + ')' : '') + more;
}

/* Without a clipboard, for example over plain HTTP, the text stays selected. */
function copiedBySelection(button) {
  getSelection().selectAllChildren(button);
  if (!document.execCommand('copy')) throw new Error('not copied');
}

/* A token that is put into the clipboard by a click. */
function copied(token, where) {
  const button = el('button', { type: 'button', class: 'plain mono ' + (where || ''), 'aria-label': 'Copy token ' + token, title: 'Copy' }, token);
  button.addEventListener('click', event => {
    event.preventDefault();
    (navigator.clipboard ? navigator.clipboard.writeText(token) : Promise.reject()).catch(() => copiedBySelection(button)).then(() => {
      setText(button, 'copied');
      setTimeout(() => setText(button, token), 1000);
    }, () => {});
  });
  return button;
}

const recipientsOf = decision => decision.recipients.join(', ')
  + (decision.recipientCount > decision.recipients.length ? ' and ' + (decision.recipientCount - decision.recipients.length) + ' more' : '');

function decisionItem(decision) {
  const held = shadowed(decision) || tried(decision);
  const action = held ? 'would ' + (tried(decision) || decision.action) : decision.action;
  const summary = el('summary', {},
    el('time', { datetime: decision.time, title: decision.time }, moment(decision.time)),
    el('span', { class: 'badge ' + (held ? 'shadow' : decision.action) }, action),
    el('span', { class: 'cut party' }, foreign(decision.mailFrom || '<>'), ' → ', foreign(recipientsOf(decision) || 'nobody')),
    el('span', { class: 'cut reason' }, foreign(reasonOf(decision))));
  return el('li', {}, el('details', {}, summary, el('div', { class: 'more' }, more(decision))), copied(decision.token, 'token'));
}

function more(decision) {
  const lines = [
    ['Verdict', decision.verdict + ', ' + decision.action + (shadowed(decision) ? ', in shadow mode: ' + decision.enforced : '')],
    ['Decided', decision.feed ? 'by feed ' + decision.feed + ', category ' + decision.category + (decision.value ? ', value ' + decision.value : '') : ''],
    ['On trial', Object.entries(decision.would).map(([feed, action]) => feed + ' would ' + action).join(', ')],
    ['Client', decision.client + (decision.helo ? ', ' + decision.helo : '')],
    ['Message-ID', decision.messageId],
    ['From', decision.from],
    ['Subject', decision.subject],
    ['Envelope', '<' + decision.mailFrom + '> to ' + (recipientsOf(decision) || 'nobody')],
    ['Message', bytes(decision.sizeBytes) + ', ' + plural(decision.keys, 'key', 'keys') + ', ' + plural(decision.suspects, 'suspect', 'suspects')],
    ['Limits', decision.limits.join(', ')],
    ['Reply', decision.reply],
    ['Next hop', decision.nextHopId],
    ['Time', Object.entries(decision.millis).map(([stage, time]) => stage + ' ' + millis(time)).join(', ')],
    ['Snapshot', decision.snapshot],
  ];
  const whys = decision.why.map(why => el('div', {}, foreign(why.verdict + ' ' + why.kind + ' ' + why.value + ' in ' + why.where
    + (why.key ? ', key ' + why.key : '') + (why.feed ? ', feed ' + why.feed : '') + (why.category ? ', ' + why.category : '')
    + (why.exception ? '; ' + why.exception : ''))));
  const terms = lines.filter(([, text]) => text).flatMap(([name, text]) => [el('dt', {}, name), el('dd', {}, foreign(text))]);
  if (whys.length) terms.splice(2, 0, el('dt', {}, 'Why'), el('dd', {}, ...whys));
  return el('dl', {}, ...terms);
}

const FEW = 14;
let few = true;

function showDecisions(status) {
  const marked = byId('which').value === 'marked';
  const decisions = status.decisions.filter(decision => !marked || !dull(decision));
  // Masked and whole are two items: the page queries again when the token is entered or removed.
  eachIn(byId('decision-list'), few ? decisions.slice(0, FEW) : decisions, decision => decision.token + status.role, decisionItem);
  byId('decision-none').hidden = decisions.length > 0;
  setText(byId('decision-none'), marked && status.decisions.length ? 'Nothing but clean mail.' : 'No mail yet.');
  const button = byId('decision-more');
  button.hidden = decisions.length <= FEW;
  setText(button, few ? 'Show ' + (decisions.length - FEW) + ' more' : 'Show fewer');
  button.setAttribute('aria-expanded', String(!few));
  byId('decision-mask').hidden = READERS.includes(status.role) || decisions.length === 0;
}
