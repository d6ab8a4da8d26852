const MIRRORS = [['Mirror'], ['seen', 'n'], ['state'], ['generations', '', 'less'], ['counter', 'n', 'less'], ['listings', 'n', 'less'], ['faults', '']];
const LISTED_THERE = [['Listed by mirrors'], ['kind', '', 'less'], ['category', '', 'less'], ['by']];

const mirrorState = one => !one.seen ? 'not seen' : one.behind ? 'behind' : one.ready ? 'ready' : 'not ready';

/* The mirrors of a publisher, and what is listed on them and perhaps should be here. */
function showFleet(status) {
  const section = byId('fleet');
  section.hidden = !status.fleet;
  if (!status.fleet) return;
  if (!section.querySelector('table')) section.append(table('As they reported last', MIRRORS), table('Not in force because of it', LISTED_THERE));
  const [mirrors, listed] = section.querySelectorAll('tbody');
  rows(mirrors, MIRRORS, status.fleet.mirrors, one => one.name, one => [
    one.name, one.seen ? span(between(one.seen, status.time)) + ' ago' : 'never',
    [mirrorState(one), mirrorState(one) !== 'ready' && 'off'],
    one.layers.map(layer => layer.layer + ' ' + layer.generation).join(', '),
    number.format(one.counter || 0), number.format(one.listings || 0),
    one.faults.map(fault => fault.layer + ': ' + fault.reason).join('; ')]);
  const few = status.fleet.entries.slice(0, 50);
  rows(listed, LISTED_THERE, few, one => one.kind + ' ' + one.value + ' ' + one.category, one => [one.value, one.kind, one.category, one.mirrors.join(', ')]);
  section.querySelectorAll('table')[1].hidden = few.length === 0;
}
