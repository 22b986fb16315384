// The roll call: who is near, who read the call, whom the guide ticked; whoever is missing stands first.
import { api, button, h, isIn, keep, live, number, path, primary, state, t, who } from './parts.js';

let call = null, read = new Set(), el;
const key = () => `roll.${state.tour.tourID}`;
const store = () => (call ? sessionStorage.setItem(key(), JSON.stringify(call)) : sessionStorage.removeItem(key()));

async function start() {
  const { id } = await api.post(path('messages'), { type: 'announcement', content: t('rollText') });
  call = { id, ticked: [] };
  read = new Set();
  store();
  draw();
}

async function ask() {
  if (!call || document.hidden || !state.online) return;
  // A moment without an answer is no news: the next one says it.
  const all = await api.get(path(`messages/${call.id}/receipts`)).catch(() => null);
  if (all) read = new Set(all.members.filter((m) => m.state === 'read').map((m) => m.memberID));
  draw();
}

function row(m) {
  const box = h('input', { type: 'checkbox', checked: m.ticked, onChange: () => {
    call.ticked = call.ticked.filter((id) => id !== m.id).concat(box.checked ? m.id : []);
    store();
    draw();
  } });
  return h('li', { class: m.here ? '' : 'away' }, h('label.row', box, h('span', who(m), h('small.muted', m.signs))));
}

function draw() {
  el.start.hidden = Boolean(call);
  el.sheet.hidden = !call;
  if (!call) return;
  const list = state.members.filter((m) => isIn(m) && !m.me).map(({ id, name, namesake, color, reachable }) => {
    const ticked = call.ticked.includes(id), seen = read.has(id);
    const signs = [reachable && t('near'), seen && t('readCall'), ticked && t('ticked')].filter(Boolean).join(' · ');
    return { id, name, namesake, color, ticked, reachable, seen, here: signs !== '', signs: signs || t('noSign') };
  });
  const order = (m) => (m.ticked ? 3 : m.seen ? 2 : m.reachable ? 1 : 0);
  const count = (test) => list.filter(test).length;
  const missing = t('rollMissing', { n: count((m) => !m.here), all: list.length });
  if (el.missing.textContent !== missing) el.missing.textContent = missing;
  el.counts.textContent = [['near', 'reachable'], ['readCall', 'seen'], ['ticked', 'ticked']]
    .map(([word, key]) => `${t(word)}: ${number(count((m) => m[key]))}`).join(' · ');
  keep(el.list, list.sort((a, b) => order(a) - order(b) || a.name.localeCompare(b.name)), row);
}

export function buildRoll() {
  call = JSON.parse(sessionStorage.getItem(key()));
  el = { list: h('ul.list'), missing: h('p.missing', { role: 'status' }), counts: h('p') };
  el.start = h('.stack', h('p', t('rollWhat')), primary('rollStart', start));
  el.sheet = h('.stack', el.missing, el.counts, el.list, button('rollEnd', () => { call = null; store(); draw(); }));
  return h('section.card.stack.roll', h('h2', t('roll')), el.start, el.sheet);
}

export const roll = live(['members'], draw, 2000, ask);
