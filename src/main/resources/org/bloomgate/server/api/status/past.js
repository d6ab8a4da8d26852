onSubmit(byId('trail'), byId('trail-answer'), async () => {
  const query = new URLSearchParams(Array.from(new FormData(byId('trail'))).filter(([, value]) => value.trim()));
  const found = await ask('GET', '/v1/audit?' + query, undefined, token);
  byId('trail-list').replaceChildren(...found.events.map(eventItem));
  return el('p', { class: 'note' }, plural(found.events.length, 'change', 'changes') + ' found.');
});

function eventItem(event) {
  const about = [moment(event.time), 'by ' + event.way + (event.from && ' from ' + event.from),
    ...Object.entries(event.detail).map(([name, text]) => name + ' ' + text)];
  return el('li', {}, el('div', { class: 'what' }, foreign(event.who), ' ', event.what.replaceAll('-', ' '), ' ',
    foreign(event.subject, { class: 'mono' }), el('span', {}, foreign(about.join(' · ')))));
}

async function showRebuilds() {
  const past = (await ask('GET', '/v1/rebuilds?limit=20', undefined, token)).rebuilds;
  byId('rebuild-list').replaceChildren(...past.map(rebuildItem));
  byId('rebuilds-none').hidden = past.length > 0;
}

const difference = one => '+' + number.format(one.added) + ' −' + number.format(one.removed);

function rebuildItem(one) {
  const about = [moment(one.time), one.generation && one.generation + (one.previous && ' after ' + one.previous),
    one.seconds > 0 && difference(one) + ' in ' + one.seconds.toFixed(1) + ' s', one.reason,
    ...one.feeds.slice(0, 5).map(feed => feed.feed + ' ' + difference(feed) + (feed.failure && ' ' + feed.failure)),
    one.feeds.length > 5 && plural(one.feeds.length - 5, 'more feed', 'more feeds')];
  return el('li', {}, el('div', { class: 'what' }, one.layer + ' ', el('span', { class: 'badge inline ' + (one.status === 0 ? 'clean' : 'listed') }, one.outcome.replaceAll('-', ' ')),
    el('span', {}, foreign(about.filter(Boolean).join(' · ')))));
}
