const HINTS = { domain: 'www.example.org', url: 'https://www.example.org/path', address: 'name@example.org', phone: '+1 800 555 0199' };

function statement(listing) {
  return el('li', {}, foreign(listing.key, { class: 'mono' }), ' by feed ', foreign(listing.feed), ', ', foreign(listing.category),
    listing.firstSeen ? ', since ' + dateOf(listing.firstSeen) : '');
}

function checkAnswer(result) {
  const words = { clean: 'not listed', listed: 'listed', unresolved: 'could not be asked' }[result.verdict];
  const asked = result.suspect ? (result.verdict === 'clean' ? 'A filter said maybe, the exact lookup said no.' : '') : 'No filter knows it: surely not listed.';
  return [
    el('p', {}, el('span', { class: 'badge ' + result.verdict }, words), ' ', foreign(result.value, { class: 'mono' })),
    asked ? el('p', { class: 'note' }, asked) : '',
    result.listings.length ? el('ul', {}, ...result.listings.map(statement)) : '',
  ].filter(Boolean);
}

onSubmit(byId('check'), byId('check-answer'), async () => {
  const item = { kind: byId('check-kind').value, value: byId('check-value').value.trim() };
  return checkAnswer((await ask('POST', '/v1/check', { items: [item] })).results[0]);
});

byId('check-kind').addEventListener('change', event => byId('check-value').placeholder = HINTS[event.target.value]);

onSubmit(byId('password'), byId('password-answer'), async () => {
  const field = byId('password-value'), password = field.value;
  field.value = '';
  const result = await ask('POST', '/v1/passwords', { password });
  const words = result.weak ? 'On a list of known passwords' + (result.count > 1 ? ', seen ' + number.format(result.count) + ' times' : '') + '.' : 'On no list.';
  return el('p', {}, el('span', { class: 'badge ' + (result.weak ? 'weak' : 'strong') }, result.weak ? 'weak' : 'not listed'), ' ', words);
});
