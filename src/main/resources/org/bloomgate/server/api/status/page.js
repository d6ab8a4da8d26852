const INTERVAL = 2000;
const STAGES = { read: 'read: finding identifiers', lookup: 'lookup: keys of the message', sender: 'sender: keys of the envelope', receive: 'receive: from the client', envelope: 'envelope: at the next hop', deliver: 'deliver: to the next hop', keep: 'keep: into the quarantine' };

let last = null;
let waiting = 0;

function draw(status, fault) {
  showState(status, fault);
  showNotices(status, fault);
  if (fault) return;
  showDay(status);
  showFigures(status);
  drawMail();
  drawTimes(status);
  showDecisions(status);
  showLayers(status);
  showAdmin(status.role);
}

async function poll() {
  clearTimeout(waiting);
  const asked = token;
  try {
    const status = await ask('GET', '/v1/status', undefined, asked);
    if (asked === token) {
      last = status;
      remember(status);
      draw(status, null);
    }
  } catch (fault) {
    if (fault.status === 401 || fault.status === 403) {
      closeAdmin(asked ? 'The token is no longer that of this gateway.' : fault.message);
    } else if (last) {
      draw(last, fault);
    } else {
      showState({ state: 'unknown' }, fault);
    }
  }
  clearTimeout(waiting);
  if (!document.hidden) waiting = setTimeout(poll, INTERVAL);
}

byId('stage').append(...Object.entries(STAGES).map(([value, words]) => el('option', { value }, words)));
byId('stage').addEventListener('change', () => last && drawTimes(last));
byId('which').addEventListener('change', () => last && showDecisions(last));
byId('decision-more').addEventListener('click', () => {
  few = !few;
  showDecisions(last);
});
document.addEventListener('visibilitychange', () => !document.hidden && poll());
new ResizeObserver(() => {
  if (last) {
    drawDay(last);
    drawMail();
    drawTimes(last);
  }
}).observe(byId('mail-plot'));
if (token) openAdmin(token).catch(() => closeAdmin('The token is no longer that of this gateway.')).finally(poll);
else poll();
