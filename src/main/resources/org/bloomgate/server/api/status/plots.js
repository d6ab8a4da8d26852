const SECONDS = 300;
const ACTIONS = ['pass', 'tag', 'quarantine', 'defer', 'discard', 'reject'];

/* Polls, oldest first: what the plots are drawn of. */
const samples = [];

function remember(status) {
  const last = samples[samples.length - 1];
  if (last && last.startedAt !== status.startedAt) samples.length = 0;
  samples.push({ t: Date.parse(status.time) / 1000, startedAt: status.startedAt, totals: status.totals });
  while (samples.length > 2 && samples[samples.length - 1].t - samples[0].t > SECONDS + 20) samples.shift();
}

/* The sample some seconds before this one, or the first there is. */
function before(index, seconds) {
  let from = index;
  while (from > 0 && samples[index].t - samples[from].t < seconds) from--;
  return samples[from];
}

function rateAt(index, seconds, of) {
  const now = samples[index], then = before(index, seconds);
  return now.t > then.t ? Math.max(0, of(now.totals) - of(then.totals)) / (now.t - then.t) : 0;
}

const stageOf = (totals, name) => totals.stages.find(stage => stage.stage === name);

/* A quantile of what a stage took in the last seconds, between the bounds of its bucket; null when there was nothing. */
function quantileAt(index, name, q, seconds) {
  const now = stageOf(samples[index].totals, name), then = stageOf(before(index, seconds).totals, name);
  if (!now) return null;
  const count = now.count - (then ? then.count : 0);
  if (count <= 0) return null;
  let below = 0, lower = 0;
  for (let i = 0; i < now.upTo.length; i++) {
    const upTo = now.counts[i] - (then ? then.counts[i] : 0);
    if (upTo >= q * count) return lower + (now.upTo[i] - lower) * (q * count - below) / Math.max(1, upTo - below);
    below = upTo;
    lower = now.upTo[i];
  }
  return lower;
}

/* The frame of a plot: size, place of a moment, grid with labels. */
function frame(box, ticks, yOf) {
  const width = Math.max(200, box.clientWidth), height = Math.max(100, box.clientHeight);
  const left = 46, right = 6, top = 8, bottom = 20;
  const y = value => top + (height - top - bottom) * (1 - yOf(value));
  const end = samples.length ? samples[samples.length - 1].t : 0;
  const x = t => left + (width - left - right) * (1 - (end - t) / SECONDS);
  const grid = ticks.flatMap(([value, label]) => [
    svg('line', { class: 'grid', x1: left, x2: width - right, y1: y(value), y2: y(value) }),
    svg('text', { x: left - 6, y: y(value) + 4, 'text-anchor': 'end' }, label),
  ]);
  [['5 min ago', 0, 'start'], ['2½ min', .5, 'middle'], ['now', 1, 'end']].forEach(([label, at, anchor]) =>
    grid.push(svg('text', { x: left + (width - left - right) * at, y: height - 5, 'text-anchor': anchor }, label)));
  return { width, height, x, y, left, grid };
}

function show(box, plot, label, marks) {
  box.replaceChildren(svg('svg', { viewBox: `0 0 ${plot.width} ${plot.height}`, role: 'img', 'aria-label': label }, ...plot.grid, ...marks));
}

/* Indexes of the samples inside the plot. */
const inPlot = () => samples.map((_, index) => index).filter(index => index > 0 && samples[samples.length - 1].t - samples[index].t <= SECONDS);

const points = list => list.map(([x, y]) => x.toFixed(1) + ',' + y.toFixed(1)).join(' ');

function niceMax(value) {
  const power = Math.pow(10, Math.floor(Math.log10(Math.max(value, .1))));
  return [1, 2, 5, 10].map(step => step * power).find(step => step >= value);
}

function drawMail() {
  const indexes = inPlot();
  const rates = ACTIONS.map(action => indexes.map(index => rateAt(index, 6, totals => totals.messages[action] || 0)));
  const sums = indexes.map((_, i) => rates.reduce((sum, of) => sum + of[i], 0));
  const max = niceMax(Math.max(1, ...sums));
  const plot = frame(byId('mail-plot'), [0, .5, 1].map(part => [max * part, perSecond(max * part)]), value => value / max);
  const floor = indexes.map(() => 0), marks = [];
  ACTIONS.forEach((action, a) => {
    if (!rates[a].some(value => value > 0)) return;
    const low = indexes.map((index, i) => [plot.x(samples[index].t), plot.y(floor[i])]);
    rates[a].forEach((value, i) => floor[i] += value);
    const high = indexes.map((index, i) => [plot.x(samples[index].t), plot.y(floor[i])]);
    marks.push(svg('polygon', { class: 'c-' + action, points: points(high.concat(low.reverse())) }));
  });
  const now = ACTIONS.map((action, a) => [action, rates[a].length ? rates[a][rates[a].length - 1] : 0]);
  const spoken = now.filter(([, value]) => value > 0).map(([action, value]) => perSecond(value) + ' ' + action).join(', ');
  show(byId('mail-plot'), plot, 'Messages a second by action. Now: ' + (spoken || 'none'), marks);
  const totals = samples[samples.length - 1].totals.messages;
  const seen = now.filter(([action]) => action === 'pass' || totals[action] > 0);
  eachIn(byId('mail-legend'), seen, ([action]) => action,
    ([action]) => el('li', {}, el('i', { class: 'c-' + action }), action + ' ', el('b'), ' ', el('span')),
    (item, [action, value]) => {
      setText(item.querySelector('b'), perSecond(value) + '/s');
      setText(item.querySelector('span'), '(' + compact.format(totals[action] || 0) + ')');
    });
}

const TIMES = [[.1, '0.1 ms'], [1, '1 ms'], [10, '10 ms'], [100, '100 ms'], [1000, '1 s'], [10000, '10 s']];

function drawTimes(status) {
  const name = byId('stage').value, indexes = inPlot();
  const plot = frame(byId('time-plot'), TIMES, value => (Math.log10(Math.min(1e4, Math.max(.1, value))) + 1) / 5);
  const marks = [], spoken = [];
  const legend = [['q50', .5, 'half are faster than'], ['q99', .99, '99 in 100 are faster than']].map(([key, q, words]) => {
    let line = [], last = null;
    const finish = () => {
      if (line.length) marks.push(svg('polyline', { class: 'line ' + key, points: points(line.length > 1 ? line : [line[0], [line[0][0] + 2, line[0][1]]]) }));
      line = [];
    };
    for (const index of indexes) {
      last = quantileAt(index, name, q, 10);
      if (last === null) finish(); else line.push([plot.x(samples[index].t), plot.y(last)]);
    }
    finish();
    const now = last === null ? '–' : millis(last);
    spoken.push(last === null ? 'no mail' : words + ' ' + now);
    return [key, words, now];
  });
  show(byId('time-plot'), plot, 'Time of the stage ' + name + '. Now: ' + Array.from(new Set(spoken)).join(', '), marks);
  eachIn(byId('time-legend'), legend, ([key]) => key,
    ([key, words]) => el('li', {}, el('i', { class: key }), words + ' ', el('b')),
    (item, [, , now]) => setText(item.querySelector('b'), now));
  const past = status.day.stages.find(stage => stage.stage === name);
  setText(byId('time-day'), past ? 'In the last 24 hours ' + millis(past.totalMillis / past.count) + ' on average, ' + number.format(past.count) + ' times.' : '');
}
