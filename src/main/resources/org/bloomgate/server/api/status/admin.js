const TOKEN_KEY = 'bloomgate.token';
const MAX_SHOWN = 200;
const SCOPE = ['feed', 'category', 'recipientDomain', 'sender'];
const MARKS = { published: 'mirrors have it', overrules: 'takes precedence over the publisher', publisher: 'from the publisher', overruled: 'from the publisher; an entry here takes precedence' };
const THEIRS = ['publisher', 'overruled'];
const KINDS_OF_ENTRY = { listing: '/v1/listings', exception: '/v1/exceptions' };

let token = sessionStorage.getItem(TOKEN_KEY) || '';

function closeAdmin(why) {
  token = '';
  sessionStorage.removeItem(TOKEN_KEY);
  byId('token-answer').replaceChildren(...(why ? [el('p', { class: 'fault' }, why)] : []));
  showAdmin('none');
}

function allow(role) {
  mayChange = role === 'admin';
  mayRelease = mayChange || role === 'quarantine';
}

function showAdmin(role) {
  const reads = READERS.includes(role);
  allow(role);
  byId('token').hidden = reads;
  byId('token-close').hidden = !reads;
  byId('reader').hidden = !reads;
  byId('operator').hidden = !mayChange;
  setText(byId('token-note'), reads
    ? 'Open with the role ' + role + ': addresses are shown in full' + (mayChange ? ', listings and exceptions can be changed.' : mayRelease ? ', messages can be released.' : ', nothing can be changed.')
    : 'Opens listings and exceptions, and shows addresses in full. bloomgate operator add makes a token, which is kept until this tab is closed.');
}

function entryItem(type, entry) {
  const scope = type === 'exception' ? SCOPE.map(name => entry[name] && (name === 'recipientDomain' ? 'to ' + entry[name] : name + ' ' + entry[name])) : [entry.category];
  const about = [...scope, entry.reason, 'by ' + entry.author + ' on ' + dateOf(entry.added), entry.expires && 'until ' + dateOf(entry.expires),
    MARKS[entry.mark], entry.lastHit && 'last hit ' + dateOf(entry.lastHit + 'T12:00:00Z'), ...(entry.remarks || [])].filter(Boolean).join(' · ');
  const what = el('div', { class: 'what' }, entry.kind + ' ', foreign(entry.value, { class: 'mono' }), el('span', {}, foreign(about)));
  if (THEIRS.includes(entry.mark)) return el('li', {}, what);
  const button = el('button', { type: 'button', class: 'plain', 'aria-label': 'Remove ' + type + ' ' + shown(entry.value) }, 'Remove');
  button.addEventListener('click', () => button.classList.contains('sure') ? removeEntry(type, entry) : sure(button, true));
  button.addEventListener('blur', () => sure(button, false));
  return el('li', {}, what, button);
}

function sure(button, on) {
  button.classList.toggle('sure', on);
  setText(button, on ? 'Remove it?' : 'Remove');
}

async function removeEntry(type, entry) {
  const answer = byId(type + '-answer'), named = { kind: entry.kind, value: entry.value };
  if (type === 'exception') SCOPE.filter(name => entry[name]).forEach(name => named[name] = entry[name]);
  try {
    await ask('DELETE', KINDS_OF_ENTRY[type] + '?' + new URLSearchParams(named), undefined, token);
    answer.replaceChildren(el('p', {}, 'Removed ', foreign(entry.value, { class: 'mono' }), '.'));
    byId(type).querySelector('input').focus();
  } catch (fault) {
    answer.replaceChildren(el('p', { class: 'fault' }, shown(fault.message)));
  }
  await showEntries(type);
}

async function showEntries(type) {
  const answer = await ask('GET', KINDS_OF_ENTRY[type], undefined, token);
  const entries = [...answer.entries.reverse(), ...(answer.publisher || [])];
  const list = byId(type + '-list');
  list.replaceChildren(...entries.slice(0, MAX_SHOWN).map(entry => entryItem(type, entry)));
  if (entries.length > MAX_SHOWN) list.append(el('li', { class: 'note' }, 'and ' + number.format(entries.length - MAX_SHOWN) + ' older ones: bloomgate ' + type + ' list'));
  if (entries.length === 0) list.append(el('li', { class: 'note' }, 'None.'));
}

async function openAdmin(given) {
  let status;
  try {
    status = await ask('GET', '/v1/status', undefined, given);
  } catch (fault) {
    throw fault.status === 401 ? Object.assign(new Error('That is not the token of this gateway.'), { status: 401 }) : fault;
  }
  if (!READERS.includes(status.role)) throw new Error('The role ' + status.role + ' sees nothing more here.');
  allow(status.role);
  token = given;
  sessionStorage.setItem(TOKEN_KEY, given);
  await Promise.all([...Object.keys(KINDS_OF_ENTRY).map(showEntries), showQuarantine(), showRebuilds()]);
  return status.role;
}

onSubmit(byId('token'), byId('token-answer'), async () => {
  const field = byId('token-value'), given = field.value.trim();
  field.value = '';
  showAdmin(await openAdmin(given));
  poll();
  byId('token-close').focus();
  return [];
});

byId('token-close').addEventListener('click', () => {
  closeAdmin('');
  poll();
  byId('token-value').focus();
});

Object.keys(KINDS_OF_ENTRY).forEach(type => onSubmit(byId(type), byId(type + '-answer'), async () => {
  const fields = Object.fromEntries(Array.from(new FormData(byId(type))).filter(([, value]) => value.trim()));
  try {
    return el('p', {}, await addEntry(type, fields, ''));
  } catch (fault) {
    if (fault.status !== 409) throw fault;
    return [el('p', { class: 'fault' }, shown(fault.message)),
      act('List it anyway', () => addEntry(type, fields, '?force=true'), byId(type + '-answer'))];
  }
}));

async function addEntry(type, fields, query) {
  const form = byId(type), added = (await ask('POST', KINDS_OF_ENTRY[type] + query, fields, token)).entries[0];
  form.reset();
  await showEntries(type);
  form.querySelector('input').focus();
  return (type === 'listing' ? 'Listed ' : 'Excepted ') + shown(added.value) + ', in force.';
}
