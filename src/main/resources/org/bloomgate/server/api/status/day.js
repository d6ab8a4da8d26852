const BAR_MINUTES = 10;

const sumOf = counts => counts.reduce((sum, count) => sum + count, 0);
const allOf = messages => sumOf(Object.values(messages));
const refusedOf = messages => (messages.reject || 0) + (messages.discard || 0);
const feedName = feed => feed === '' ? 'no feed' : feed === '*' ? 'other feeds' : feed;
const DONE = { tag: 'tagged', quarantine: 'kept in quarantine', defer: 'deferred' };

/* The day in words: what was refused, by which feed most, and what else was marked. */
function headline(day) {
  const all = allOf(day.messages), refused = refusedOf(day.messages);
  if (all === 0) return 'No mail in the last 24 hours.';
  const worst = day.feeds.find(feed => refusedOf(feed.messages) > 0);
  const most = worst && refused ? ', most by ' + (worst.feed === '*' ? 'other feeds' : 'feed ' + worst.feed) + ' (' + number.format(refusedOf(worst.messages)) + ')' : '';
  const marked = Object.entries(DONE).filter(([action]) => day.messages[action])
    .map(([action, words]) => number.format(day.messages[action]) + ' ' + words).join(', ');
  return (refused ? number.format(refused) : 'None') + ' of ' + plural(all, 'message', 'messages') + ' refused in the last 24 hours' + most
    + (marked ? '; ' + marked : '') + '.';
}

/* The effect that shadow mode and feeds in shadow mode would have had; empty without either. */
function shadowLine(day) {
  const would = (words, of) => {
    const by = day.shadow.map(feed => [feedName(feed.feed), of(feed.messages)]).filter(([, count]) => count > 0);
    return by.length && 'would have ' + words + ' ' + number.format(sumOf(by.map(([, count]) => count)))
      + ' (' + by.slice(0, 3).map(([feed, count]) => feed + ' ' + number.format(count)).join(', ') + (by.length > 3 ? ', …' : '') + ')';
  };
  const said = [would('refused', refusedOf), ...Object.entries(DONE).map(([action, words]) => would(words, messages => messages[action] || 0))].filter(Boolean);
  return said.length ? 'In shadow or on trial: ' + said.join(', ') + '.' : '';
}

/* Ten minutes a bar, actions one upon the other; what was not passed stands below, where it is seen. */
function drawDay(status) {
  const day = status.day, actions = ACTIONS.filter(action => day.minutes[action]);
  const bars = actions.map(action => Array.from({ length: Math.ceil(day.minutes[action].length / BAR_MINUTES) },
    (_, i) => sumOf(day.minutes[action].slice(i * BAR_MINUTES, (i + 1) * BAR_MINUTES)))).reverse();
  const count = bars.length ? bars[0].length : 1;
  const max = Math.max(1, ...Array.from({ length: count }, (_, i) => sumOf(bars.map(of => of[i]))));
  const box = byId('day-plot'), width = Math.max(200, box.clientWidth), height = 64, floor = 16;
  const each = width / count, unit = (height - floor - 2) / max, base = Array(count).fill(height - floor);
  const marks = [svg('line', { class: 'grid', x1: 0, x2: width, y1: height - floor, y2: height - floor })];
  actions.toReversed().forEach((action, a) => {
    const path = bars[a].map((value, i) => {
      if (value === 0) return '';
      const tall = Math.max(1, value * unit);
      base[i] -= tall;
      return `M${(i * each).toFixed(1)} ${base[i].toFixed(1)}h${Math.max(1, each - .5).toFixed(1)}v${tall.toFixed(1)}h-${Math.max(1, each - .5).toFixed(1)}z`;
    }).join('');
    marks.push(svg('path', { class: 'c-' + action, d: path }));
  });
  [[0, 'start'], [.5, 'middle'], [1, 'end']].forEach(([at, anchor]) => marks.push(svg('text',
    { x: width * at, y: height - 3, 'text-anchor': anchor }, at === 1 ? 'now' : moment(Date.parse(day.from) + at * 864e5).slice(0, -3))));
  show(box, { width, height, grid: [] }, 'Mail of the last 24 hours by action: '
    + (actions.map(action => number.format(day.messages[action]) + ' ' + action).join(', ') || 'none'), marks);
}

function showDay(status) {
  const day = status.day;
  setText(byId('headline'), shown(headline(day)));
  drawDay(status);
  eachIn(byId('day-legend'), ACTIONS.filter(action => day.messages[action]), action => action,
    action => el('li', {}, el('i', { class: 'c-' + action }), action + ' ', el('b')),
    (item, action) => setText(item.querySelector('b'), number.format(day.messages[action])));
  const shadow = shadowLine(day);
  byId('day-shadow').hidden = shadow === '';
  setText(byId('day-shadow'), shown(shadow));
}
