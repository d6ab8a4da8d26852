function table(caption, columns) {
  const head = columns.map(([name, kind, less]) => el('th', { scope: 'col', class: [kind, less].filter(Boolean).join(' ') || false }, name));
  const made = el('table', {}, el('caption', {}, caption), el('thead', {}, el('tr', {}, ...head)), el('tbody'));
  return made;
}

/* One row for each item, cells as the columns say. */
function rows(body, columns, items, keyOf, cells) {
  eachIn(body, items, keyOf,
    () => el('tr', {}, ...columns.map(([, kind, less], i) => el(i === 0 ? 'th' : 'td', { scope: i === 0 && 'row', class: [kind, less].filter(Boolean).join(' ') || false }))),
    (row, item) => cells(item).forEach((cell, i) => {
      const [text, mark] = [].concat(cell);
      setText(row.children[i], shown(text));
      row.children[i].classList.toggle('off', mark === 'off');
    }));
}

const FILTERS = [['Filter'], ['entries', 'n'], ['size', 'n', 'less'], ['fill', 'n', 'less'], ['designed', 'n', 'less'], ['predicted', 'n', 'less'], ['measured', 'n'], ['suspects', 'n'], ['refuted', 'n', 'less']];
const FEEDS = [['Feed'], ['category', '', 'less'], ...STOPPED.map(([, words], i) => [words, 'n', i > 0 && 'less']), ['entries', 'n'], ['bad lines', 'n', 'less'], ['held', 'n', 'less'], ['age', 'n'], ['from', '', 'less']];
const FROM = { source: 'source', 'not-modified': 'source', 'last-good-copy': 'last good copy', nothing: 'nothing' };

function layer() {
  return el('div', { class: 'layer' },
    el('p', {}, el('h3'), ' ', el('span')),
    table('Feeds', FEEDS),
    el('details', { class: 'filters' }, el('summary', {}, 'Filters'), table('False positive rate per key: designed, predicted, measured', FILTERS)));
}

const failed = feed => FROM[feed.from] !== 'source';

/* Those that were not fetched first, then those that rejected the most, and so on; else as they come. */
function byTrouble(feeds, marked) {
  const of = (feed, action) => (marked.get(feed.name) || {})[action] || 0;
  return feeds.toSorted((a, b) => failed(b) - failed(a)
    || STOPPED.reduce((order, [action]) => order || of(b, action) - of(a, action), 0));
}

function showLayers(status) {
  const marked = new Map(status.day.feeds.map(feed => [feed.feed, feed.messages]));
  eachIn(byId('layers'), status.layers, one => one.layer, layer, (item, one) => {
    setText(item.querySelector('h3'), one.layer);
    const entries = one.filters.reduce((sum, filter) => sum + filter.entries, 0);
    setText(item.querySelector('p > span'), 'created ' + span(between(one.createdAt, status.time)) + ' ago · generation ' + one.generation
      + ' · ' + plural(entries, 'entry', 'entries') + (one.sizeBytes ? ' · ' + bytes(one.sizeBytes) : ''));
    const [feeds, filters] = item.querySelectorAll('tbody');
    setText(item.querySelector('summary'), plural(one.filters.length, 'filter', 'filters'));
    rows(filters, FILTERS, one.filters, filter => filter.kind, filter => [
      filter.kind, number.format(filter.entries), bytes(filter.bytes), Math.round(filter.fill * 100) + ' %',
      rate(filter.designRate), [rate(filter.predictedRate), filter.predictedRate > filter.designRate && 'off'],
      filter.keys ? rate(filter.refutedRate) : '–',
      compact.format(filter.suspects), compact.format(filter.refuted)]);
    rows(feeds, FEEDS, byTrouble(one.feeds, marked), feed => feed.name, feed => [
      feed.name, feed.category, ...STOPPED.map(([action]) => number.format((marked.get(feed.name) || {})[action] || 0)), number.format(feed.entries), number.format(feed.rejects), number.format(feed.held),
      feed.seen ? span(between(feed.seen, status.time)) : 'never',
      [FROM[feed.from] || feed.from, failed(feed) && 'off']]);
    item.querySelector('table').hidden = one.feeds.length === 0;
    setText(item.querySelector('caption'), (one.feedCount > one.feeds.length ? 'Feeds: ' + one.feeds.length + ' of ' + one.feedCount : 'Feeds')
      + '; messages of the last 24 hours by action');
  });
  setText(byId('local'), 'Operators keep ' + plural(status.local.listings, 'listing', 'listings') + ' and '
    + plural(status.local.exceptions, 'exception', 'exceptions') + '.');
}
