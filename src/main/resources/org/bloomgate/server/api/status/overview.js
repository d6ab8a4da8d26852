function showState(status, fault) {
  const state = byId('state');
  const words = fault ? 'No answer' : status.state === 'ready' ? 'Ready'
    : status.layers.length === 0 ? 'Not ready: no snapshot is in force' : 'Not ready: what the publisher said last has expired';
  state.className = 'state ' + (!fault && status.state === 'ready' ? 'ready' : 'not');
  setText(byId('state-text'), words);
  if (!fault) {
    setText(byId('facts'), 'version ' + status.version + ' · up ' + span(between(status.startedAt, status.time))
      + ' · times in ' + ZONE + ' · ' + plural(status.layers.length, 'layer', 'layers')
      + (status.following && status.following.counter ? ' · mirror at counter ' + status.following.counter : ''));
  }
}

function showNotices(status, fault) {
  const notices = status.refused.map(one => ({
    key: one.layer + one.generation + one.at, bad: false,
    text: (one.generation ? 'Snapshot ' + one.layer + '/' + one.generation + ' was refused, the one before serves on: '
      : 'Refused of ' + one.layer + ': ') + one.reason,
  }));
  if (fault) notices.unshift({ key: 'fault', bad: true, text: 'The gateway has not answered since ' + moment(status.time) + '. What follows is of that time.' });
  byId('notices').hidden = notices.length === 0;
  eachIn(byId('notices'), notices, one => one.key, one => el('p', { class: one.bad ? 'notice bad' : 'notice' }),
    (item, one) => setText(item, shown(one.text)));
}

const LISTENERS = { milter: ['By milter', 'messages a second'], dns: ['By DNS', 'queries a second'] };

function showFigures(status) {
  const last = samples.length - 1, totals = status.totals;
  const all = of => Object.values(of.messages).reduce((sum, count) => sum + count, 0);
  const marked = of => all(of) - (of.messages.pass || 0);
  const figures = [
    ['Messages', perSecond(rateAt(last, 10, all)), 'a second · ' + compact.format(all(totals)) + ' since start'],
    ['Not passed', perSecond(rateAt(last, 10, marked)), 'a second · ' + compact.format(marked(totals)) + ' since start'],
    ['Keys asked', perSecond(rateAt(last, 10, of => of.keys)), 'a second'],
    ['Suspects', perSecond(rateAt(last, 10, of => of.suspects)), 'a second · ' + compact.format(totals.refuted) + ' refuted since start'],
    ['Without an answer', perSecond(rateAt(last, 10, of => of.unknown)), 'a second · ' + compact.format(totals.unknown) + ' since start'],
    ['Sessions', number.format(totals.sessions), 'open'],
  ];
  if (totals.nextHop.busy !== undefined && totals.nextHop.busy + totals.nextHop.idle > 0) {
    figures.push(['Next hop', number.format(totals.nextHop.busy), 'busy, ' + number.format(totals.nextHop.idle) + ' idle']);
  }
  const served = name => perSecond(rateAt(last, 10, of => of.listeners[name] ? of.listeners[name].served : 0));
  for (const [name, listener] of Object.entries(totals.listeners)) {
    const [title, words] = LISTENERS[name] || [name, 'a second'];
    figures.push([title, served(name), words + ' · ' + compact.format(listener.served) + ' since start'
      + (listener.connections > 0 ? ', ' + plural(listener.connections, 'connection', 'connections') : '')]);
  }
  eachIn(byId('figures'), figures, ([name]) => name, ([name]) => el('div', {}, el('dt', {}, name), el('dd', {}, el('span'), ' ', el('small'))),
    (item, [, value, words]) => {
      setText(item.querySelector('span'), value);
      setText(item.querySelector('small'), words);
    });
}
