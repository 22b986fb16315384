// Who is in the tour, and whom its devices hear at the moment.
import { h, who } from './dom.js';
import { on, state } from './state.js';
import { inReach } from './reaching.js';
import { redraw, sheet } from './sheets.js';
import { number, t } from './words.js';

let shown = null;
on('view', 'reach', () => shown && shown.isConnected && draw());

const RANKED = ['guide', 'admin', 'creator'];
function row(one) {
  const words = [RANKED.includes(one.role) && t(`role_${one.role}`), one.role === 'successor' && t('role_guide'),
    one.me && t('you'), one.by && t('by', { name: one.by })].filter(Boolean);
  return h('li', who(one), words.length > 0 && h('small', words.join(' · ')));
}
const group = (word, list) => list.length > 0
  && [h('h3', `${t(word)} (${number(list.length)})`), h('ul.list', list.map(row))];

function draw() {
  const { people } = state.view, isKnown = Boolean(state.reach && state.reach.ok);
  redraw(shown, h('p', inReach({ near: people.reachable, n: people.total }, isKnown).long),
    group('areLost', people.list.filter(({ lost }) => lost)),
    !isKnown && group('people', people.list.filter(({ lost }) => !lost)),
    isKnown && group('notReached', people.list.filter(({ here, lost }) => !here && !lost)),
    isKnown && group('isReached', people.list.filter(({ here, lost }) => here && !lost)));
}

export function showPeople() {
  if (!state.view) return;
  shown = sheet(t('people'));
  draw();
}
