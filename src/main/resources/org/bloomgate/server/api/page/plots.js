import { el, svg } from './dom.js';
import { ACTIONS, number, sumOf } from './format.js';

const HEIGHT = 150, FLOOR = 20, TOP = 14;

/* Stacked bars, each a link: { counts by action, label, words, href }. The arrow keys move between them. */
export function drawBars(box, bars, caption) {
  const width = Math.max(240, box.clientWidth), each = width / bars.length;
  const totals = bars.map(bar => sumOf(Object.values(bar.counts))), max = Math.max(1, ...totals);
  const columns = bars.map((bar, i) => {
    let base = HEIGHT - FLOOR;
    // What was stopped is at the bottom, where it is seen.
    const stack = ACTIONS.toReversed().filter(action => bar.counts[action]).map(action => {
      const tall = Math.max(1.5, bar.counts[action] * (HEIGHT - FLOOR - TOP) / max);
      base -= tall;
      return svg('rect', { class: 'c-' + action, x: i * each + .5, width: Math.max(1, each - 1), y: Math.max(0, base), height: tall });
    });
    const spoken = bar.words + ': ' + (ACTIONS.toReversed().filter(action => bar.counts[action]).map(action => number(bar.counts[action]) + ' '
      + action).join(', ') || 'no messages');
    return svg('a', { href: bar.href, 'aria-label': spoken, tabindex: i === bars.length - 1 ? 0 : -1 }, svg('title', {}, spoken),
      svg('rect', { class: 'hit', x: i * each, width: each, y: 0, height: HEIGHT - FLOOR }), stack);
  });
  const every = Math.ceil(bars.length / Math.max(2, Math.floor(width / 80)));
  const labels = bars.map((bar, i) => i % every === 0 && i * each < width - 40 && svg('text', { x: i * each + 1, y: HEIGHT - 5 }, bar.label));
  const focused = Array.from(box.querySelectorAll('a')).indexOf(document.activeElement);
  box.replaceChildren(svg('svg', { viewBox: `0 0 ${width} ${HEIGHT}`, role: 'group', 'aria-label': caption },
    svg('line', { class: 'grid', x1: 0, x2: width, y1: HEIGHT - FLOOR, y2: HEIGHT - FLOOR }),
    svg('text', { class: 'max', x: 1, y: 10 }, 'at most ' + number(max) + ' in a bar'), columns, labels.filter(Boolean)));
  columns.forEach((column, i) => column.addEventListener('keydown', event => {
    const next = columns[i + ({ ArrowLeft: -1, ArrowRight: 1 }[event.key] || NaN)];
    if (!next) return;
    event.preventDefault();
    column.setAttribute('tabindex', -1);
    next.setAttribute('tabindex', 0);
    next.focus();
  }));
  if (focused >= 0 && columns[focused]) columns[focused].focus();
}

/* What the colours mean, with the sum of each action. */
export const legend = (sums, hrefOf) => el('ul', { class: 'legend', 'aria-label': 'Actions' }, ACTIONS.toReversed().filter(action => sums[action])
  .map(action => el('li', {}, el('i', { class: 'c-' + action }), el('a', { href: hrefOf(action) }, action + ' ' + number(sums[action])))));
