/* A line of the journal as the list of recent decisions shows one. */
const journalled = line => ({
  helo: '', feed: '', category: '', would: {}, ...line, why: line.found, whyCount: line.found.length, recipientCount: line.recipients.length,
});

onSubmit(byId('search'), byId('search-answer'), async () => {
  const query = new URLSearchParams(Array.from(new FormData(byId('search'))).filter(([, value]) => value.trim()));
  const found = await ask('GET', '/v1/decisions?' + query, undefined, token);
  byId('search-list').replaceChildren(...found.decisions.map(line => foundItem(journalled(line))));
  return el('p', { class: 'note' }, plural(found.decisions.length, 'message', 'messages') + ' found'
    + (found.complete ? '.' : ' before the time was up: ask for less.'));
});

const WORTH = [['Feed'], ['category', '', 'less'], ['entries', 'n'], ['exclusive', 'n', 'less'], ...STOPPED.map(([, words]) => [words, 'n', 'less']), ['hits', 'n'], ['exclusive hits', 'n', 'less'], ['shadow hits', 'n', 'less'],
  ['overridden', 'n', 'less'], ['errors', 'n'], ['dropped', 'n', 'less'], ['median age', 'n', 'less'], ['refuted', 'n', 'less'], ['size', 'n', 'less'], ['seconds', 'n', 'less']];

/* The rows of 'bloomgate feeds report'. */
onSubmit(byId('worth'), byId('worth-answer'), async () => {
  const query = new URLSearchParams(Array.from(new FormData(byId('worth'))).filter(([, value]) => value.trim()));
  const report = await ask('GET', '/v1/feeds/report?' + query, undefined, token);
  const made = table('Hits since ' + moment(report.since) + ', listings now', WORTH);
  rows(made.querySelector('tbody'), WORTH, report.feeds, feed => feed.feed, feed => [
    feed.feed, feed.category, ...['entries', 'exclusiveEntries'].map(name => number.format(feed[name])),
    ...STOPPED.map(([action]) => number.format(feed.messages[action] || 0)), ...['hits', 'exclusiveHits', 'shadowHits', 'overridden', 'errors', 'dropped'].map(name => number.format(feed[name])),
    feed.medianAgeHours === undefined ? '–' : feed.medianAgeHours + ' h', feed.suspects ? (100 * feed.refuted / feed.suspects).toFixed(1) + ' %' : '–',
    feed.bytes === undefined ? '–' : bytes(feed.bytes), feed.seconds === undefined ? '–' : feed.seconds.toFixed(1)
  ]);
  byId('worth-table').replaceChildren(made);
  return el('p', { class: 'note' }, plural(report.decisions, 'decision', 'decisions') + ' looked at.');
});

function foundItem(decision) {
  const item = decisionItem(decision);
  if (decision.found.some(found => found.verdict === 'listed') && mayChange) {
    item.querySelector('.more').append(act('Except this', async () => {
      const made = await ask('POST', '/v1/exceptions', { token: decision.token, expires: '30d' }, token);
      await showEntries('exception');
      return 'Excepted for 30 days: ' + made.entries.map(one => one.value + ' of feed ' + one.feed + (one.recipientDomain ? ' to ' + one.recipientDomain : '')).join(', ');
    }, byId('search-answer')));
  }
  return item;
}

/* A button that asks whether it is meant, works, and says what came of it. */
function act(words, work, answer) {
  const button = el('button', { type: 'button', class: 'plain' }, words);
  button.addEventListener('blur', () => setText(button, words));
  button.addEventListener('click', async () => {
    if (button.textContent === words) {
      setText(button, words + '?');
      return;
    }
    try {
      answer.replaceChildren(el('p', {}, foreign(await work())));
    } catch (fault) {
      answer.replaceChildren(el('p', { class: 'fault' }, shown(fault.message)));
    }
    setText(button, words);
    if (!button.isConnected) focusOn(answer);
  });
  return button;
}

/* Where what had the focus is gone: who uses the keyboard goes on from here. */
function focusOn(answer) {
  answer.tabIndex = -1;
  answer.focus();
}

let mayChange = false;
let mayRelease = false;

async function showQuarantine() {
  const kept = await ask('GET', '/v1/quarantine', undefined, token);
  byId('quarantine-list').replaceChildren(...kept.messages.map(keptItem));
  setText(byId('quarantine-none'), kept.count === 0 ? 'Nothing is kept back.'
    : plural(kept.count, 'message', 'messages') + (kept.count > kept.messages.length ? ', the newest ' + kept.messages.length + ' here.' : '.'));
}

function keptItem(message) {
  const about = [message.subject || 'no subject', '<' + message.mailFrom + '> to ' + message.recipients.join(', '),
    message.feed && message.feed + ' lists ' + message.value, message.reason, bytes(message.sizeBytes), moment(message.time)];
  const what = el('div', { class: 'what' }, foreign(message.from || '<' + message.mailFrom + '>'), el('span', {}, foreign(about.filter(Boolean).join(' · '))));
  return el('li', {}, what, el('div', { class: 'acts' }, copied(message.token), ...(mayRelease ? handles(message) : [])));
}

function handles(message) {
  const answer = byId('quarantine-answer'), path = '/v1/quarantine/' + encodeURIComponent(message.token);
  const release = async body => {
    const done = await ask('POST', path, body, token);
    await showQuarantine();
    return done.outcomes.map(one => (one.delivered ? 'Released to ' : 'Not released to ') + one.recipient + ': ' + one.reply).join('; ');
  };
  const show = el('button', { type: 'button', class: 'plain', 'aria-label': 'Show ' + message.token }, 'Show');
  show.addEventListener('click', async () => {
    try {
      const opened = await ask('GET', path, undefined, token);
      answer.replaceChildren(el('pre', { class: 'kept', tabindex: '0' }, shownLines(opened.text)), opened.complete ? '' : el('p', { class: 'note' }, 'The beginning of it.'));
    } catch (fault) {
      answer.replaceChildren(el('p', { class: 'fault' }, shown(fault.message)));
    }
  });
  return [show, act('Release', () => release({}), answer), act('Except and release', () => release({ except: true, expires: '30d' }), answer),
    act('Delete', async () => {
      await ask('DELETE', path, undefined, token);
      await showQuarantine();
      return 'Deleted.';
    }, answer)];
}

const shownLines = text => text.split('\n').map(line => shown(line.replace(/[\r\t]/g, ' '))).join('\n');
