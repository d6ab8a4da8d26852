const SHADOW_ROWS = 10;
const NAMELESS = { Feed: 'no feed', Category: 'no category' };

/* A table of what would have been done: a row a name, a column an action that there is. */
function shadowTable(caption, heading, items, nameOf, more) {
  const actions = ACTIONS.filter(action => items.some(item => item.messages[action])).reverse();
  const columns = [[heading], ...actions.map(action => [action, 'n']), ...more.map(([name]) => [name, 'n'])];
  const made = table(caption, columns);
  rows(made.querySelector('tbody'), columns, items.slice(0, SHADOW_ROWS), nameOf, item => [
    nameOf(item) || NAMELESS[heading] || '<>', ...actions.map(action => number.format(item.messages[action] || 0)),
    ...more.map(([, of]) => number.format(of(item)))]);
  if (items.length > SHADOW_ROWS) made.caption.append(', the first ' + SHADOW_ROWS + ' of ' + number.format(items.length));
  return made;
}

const OF_SENDER = [['messages', sender => sender.mails], ['clean', sender => sender.clean]];

onSubmit(byId('shadow'), byId('shadow-answer'), async () => {
  const query = new URLSearchParams(Array.from(new FormData(byId('shadow'))).filter(([, value]) => value.trim()));
  const report = await ask('GET', '/v1/shadow?' + query, undefined, token);
  const tables = report.feeds.length === 0 ? [] : [
    shadowTable('By feed', 'Feed', report.feeds, row => row.name, []), shadowTable('By category', 'Category', report.categories, row => row.name, []),
    shadowTable('By sender', 'Sender', report.senders, row => row.domain, OF_SENDER)];
  if (report.honest.length) tables.push(shadowTable('Senders that look honest', 'Sender', report.honest, row => row.domain, OF_SENDER));
  byId('shadow-tables').replaceChildren(...tables);
  byId('shadow-list').replaceChildren(...report.honest.filter(sender => sender.newest).slice(0, SHADOW_ROWS)
    .map(sender => foundItem(journalled(sender.newest))));
  const done = ACTIONS.filter(action => report.messages[action]).reverse().map(action => number.format(report.messages[action]) + ' ' + action);
  return el('p', { class: 'note' }, 'Of ' + plural(report.mails, 'message', 'messages') + ': ' + (done.join(', ') || 'nothing would have been done')
    + (report.complete ? '.' : '; the time was up before older mail was read: ask for less.'));
});
