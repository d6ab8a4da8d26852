// The state of the gateway, asked again and again: what the bar shows, and most of the overview.
import { ask } from './ask.js';
import { byId, setText } from './dom.js';
import { clock, number } from './format.js';
import { may, recognise, session } from './session.js';

const POLL_MILLIS = 10_000;
const KEPT_SECONDS = 300;

/* The newest status, and the totals of the last five minutes, oldest first. */
export const live = { status: null, samples: [] };

let waiting = 0;
let answeredAt = 0;

function remember(status) {
  const { samples } = live, last = samples.at(-1);
  if (last && last.startedAt !== status.startedAt) samples.length = 0;
  samples.push({ t: Date.parse(status.time) / 1000, startedAt: status.startedAt, totals: status.totals });
  while (samples.length > 2 && samples.at(-1).t - samples[0].t > KEPT_SECONDS) samples.shift();
}

/* Fetches the status; a caller without the right to it learns only whether the gateway is ready. */
export async function fetchStatus() {
  const token = session.token;
  try {
    const status = await ask('GET', '/v1/status');
    if (token !== session.token) return fetchStatus();
    live.status = status;
    remember(status);
    answeredAt = Date.now();
    recognise(status);
    showState(status.state);
    return status;
  } catch (fault) {
    if (token !== session.token) return fetchStatus();
    live.status = null;
    if (fault.status === 401 || fault.status === 403) {
      recognise({ role: token ? 'client' : 'none' });
      showState(await ask('GET', '/health/ready').then(ready => ready.status, () => 'not ready'));
    } else {
      showState(fault.status ? 'failing' : '');
    }
    throw fault;
  }
}

/* Counts for the bar, by a request of its own: the index of the quarantine has them at once. */
async function showKept() {
  const kept = may('reader') ? await ask('GET', '/v1/quarantine', { query: { limit: 1 } }).catch(() => null) : null;
  setText(byId('kept'), kept && kept.total ? number(kept.total) : '');
}

function showState(state) {
  byId('state').className = 'state ' + (state === 'ready' ? 'good' : state === 'degraded' ? 'warn' : 'bad');
  setText(byId('state-text'), state || (answeredAt ? 'no answer since ' + clock(answeredAt) : 'no answer'));
}

export async function poll() {
  clearTimeout(waiting);
  await fetchStatus().catch(() => {});
  await showKept();
  clearTimeout(waiting);
  if (!document.hidden) waiting = setTimeout(poll, POLL_MILLIS);
}

/* A quantile of the time that a stage took in the last minutes, between the bounds of its bucket; null when there was no message. */
export function quantile(name, q) {
  const stageOf = sample => sample && sample.totals.stages.find(stage => stage.stage === name);
  const now = stageOf(live.samples.at(-1)), then = live.samples.length > 1 ? stageOf(live.samples[0]) : undefined;
  const count = now ? now.count - (then ? then.count : 0) : 0;
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
