// Many messages: one request each, four at a time, with progress and Stop.
import { button, el, setText } from './dom.js';
import { number, plural } from './format.js';

const AT_ONCE = 4;

/* Runs the work for each item; resolves to the failures by item, those not reached included when it is stopped. */
export async function runMany(items, work, box, words) {
  const failures = new Map(), left = items.slice();
  let done = 0, stopped = false;
  const bar = el('progress', { max: items.length, 'aria-label': words });
  bar.value = 0;
  const text = el('span', { role: 'status' });
  box.replaceChildren(el('p', { class: 'progress' }, bar, text, button('Stop', () => stopped = true, { class: 'plain' })));
  const worker = async () => {
    while (left.length && !stopped) {
      const item = left.shift();
      try {
        await work(item);
      } catch (fault) {
        failures.set(item, fault.message);
      }
      bar.value = ++done;
      setText(text, words + ': ' + number(done) + ' of ' + number(items.length) + (failures.size ? ', ' + number(failures.size) + ' failed' : ''));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  left.forEach(item => failures.set(item, 'stopped before its turn'));
  box.replaceChildren(el('p', {}, words + ': ' + plural(items.length - failures.size, 'message')
    + (failures.size ? '; ' + number(failures.size) + ' left over, still selected' : '') + '.'));
  return failures;
}
