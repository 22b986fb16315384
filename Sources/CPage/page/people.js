// Who is in the tour, who is near, and where they say that they are.
import { ago, api, button, degrees, distance, ended, h, icon, inRow, isIn, keep, live, number, once, path,
  roleWord, section, select, state, t, time, who } from './parts.js';
import { locate } from './here.js';
import { radar } from './radar.js';
import { phones } from './phones.js';

const groups = ['near', 'far', 'quiet', 'unknown', 'gone'];
let minutes = Number(localStorage.getItem('tour-chat.quiet')) || 15;
let here = null, measured = null, el, allowed;

const direct = (m) => m.reachable && (m.hops ?? 1) < 2;
function group(m) {
  if (m.removed || m.left) return 'gone';
  if (!state.online && !m.me) return 'unknown';
  if (m.me || direct(m)) return 'near';
  return m.reachable || m.asleep || m.archive || Date.now() - new Date(m.lastSeen) < minutes * 60_000 ? 'far' : 'quiet';
}

function standing(m) {
  const plain = ['forked', 'removed', 'left', 'archive'].find((key) => m[key]);
  if (plain) return t(plain);
  if (m.me) return t('you');
  if (m.asleep) return [t('asleep'), m.lastSeen && t('lastHeard', { ago: ago(m.lastSeen) })].filter(Boolean).join(' · ');
  if (m.reachable && state.online) return direct(m) ? t('direct') : t('over', { n: m.hops - 1 });
  return m.lastSeen ? t('lastHeard', { ago: ago(m.lastSeen) }) : t('neverHeard');
}

/** What this page shows and the member's version does not. */
const lacks = (m) => group(m) !== 'gone' && m.cannotShow.length > 0
  && t('cannotShow', { things: inRow(m.cannotShow.map((thing) => t(`thing_${thing}`))).join('') });

/** Also where the node says nothing newer. */
const isLive = (position) => position?.live && Date.now() - new Date(position.fixedAt) < 180_000;

/** Where a member is, or was: what is old is never said as if it were now. */
function place({ me, position }) {
  if (!position || me) return '';
  const { distanceMetres, direction, latitude, longitude, fixedAt } = position;
  const where = distanceMetres === null ? degrees(latitude, longitude)
    : direction ? t('towards', { distance: distance(distanceMetres), direction: t(direction) }) : t('samePlace');
  return t(isLive(position) ? 'isAt' : 'wasAt', { where, ago: ago(fixedAt) });
}

const person = (m) => h('li', h('details', null,
  h('summary', h('span', h('span', who(m), m.role && [' ', h('span.badge.soft', m.role)]),
    h('span.muted', m.standing, m.full && ` · ${t('shareFull')}`, m.lacks && ` · ${m.lacks}`),
    m.place && h('span', { class: m.live ? '' : 'muted' }, icon('pin'), m.place))),
  h('p.muted', t('compare')), h('p.big', { lang: 'en', dir: 'ltr' }, m.words)));

const besides = ({ id, count, list }) =>
  h('div', h('h2.small.muted', t(id, { count })), h('ul', list.map((m) => h('li', who(m)))));

function draw() {
  const members = (here && measured) || state.members, others = members.filter((m) => isIn(m) && !m.me);
  const isPlaced = ({ position }) => position && position.distanceMetres !== null;
  const dots = others.filter(isPlaced).map(({ id, name, color, position }) => ({
    id, name, color, live: isLive(position), metres: position.distanceMetres, turn: position.bearingDegrees,
  }));
  keep(el.radar, dots.length ? [{ id: 0, dots }] : [], () => radar(dots));
  const aside = (id, list) => list.length && {
    id, count: number(list.length), list: list.map(({ id, name, namesake, color, by }) => ({ id, name, namesake, color, by })),
  };
  keep(el.aside, [aside('unmeasured', others.filter((m) => m.position && !isPlaced(m))),
    aside('unplaced', others.filter((m) => !m.position))].filter(Boolean), besides);
  const { people, tour } = state;
  el.count.textContent = people
    ? t(state.online ? 'inReach' : 'reachUnknown', { n: people.total, near: people.reachable }) : ended(tour) || '';
  el.count.hidden = people?.total === 1;
  el.alone.hidden = others.length > 0;
  for (const id of groups) {
    const list = members.filter((m) => group(m) === id);
    list.sort((a, b) => b.me - a.me || (a.hops ?? 99) - (b.hops ?? 99) || a.name.localeCompare(b.name));
    el[id].part.hidden = !list.length;
    el[id].title.textContent = t(`group_${id}`, { n: minutes, count: number(list.length) });
    keep(el[id].list, list.map((m) => ({
      id: m.id, name: m.name, namesake: m.namesake, color: m.color, by: m.by, words: m.words, full: m.full,
      live: isLive(m.position),
      role: m.role !== 'member' && roleWord(m.role),
      standing: standing(m), lacks: lacks(m), place: place(m),
    })), person);
  }
  const { sharing, until, problem: trouble } = state.sharing ?? {};
  keep(el.sharing, state.tour.active ? [{ id: 0, sharing, until, trouble }] : [], share);
  el.sharing.parentNode.hidden = !state.tour.active;
}

async function measure() {
  try { measured = (await api.get(`${path('members')}?here=${here}`)).members; } catch { measured = null; }
  draw();
}

/** Where the browser may not say it, distances are those that the node's own receiver gives. */
async function measureHere() {
  const { north, east } = await locate();
  here = `${north},${east}`;
  await measure();
}

const share = ({ sharing, until, trouble }) => h('.stack',
  h('p', sharing ? t('sharing', { time: time(until) }) : t('notSharing')),
  trouble && h('p.trouble', { role: 'status' }, trouble.message),
  h('.row', sharing && button('stopSharing', () => api.del(path('sharing'))), [1, 2, 4].map((n) => h('button.button', {
    onClick: once(() => api.put(path('sharing'), { forSeconds: n * 3600 })),
  }, t('hours', { n })))));

function build() {
  el = { count: h('p'), radar: h('div'), aside: h('.stack'), sharing: h('div'), alone: h('p.empty', t('alone')) };
  allowed = phones();
  for (const id of groups) {
    const title = h('h2'), list = h('ul.list');
    const inside = id === 'gone' ? h('details', h('summary', title), list) : [title, list];
    el[id] = { title, list, part: h('section.card', inside) };
  }
  const choice = select([5, 15, 30].map((n) => [n, t('minutes', { n })]), minutes, (value) => {
    minutes = Number(value);
    localStorage.setItem('tour-chat.quiet', value);
    draw();
  }, { class: 'input' });
  return h('div', h('section.stack.at-people',
    h('section.card.stack', { 'aria-label': t('radarName') }, el.count,
      h('.places', el.radar, el.aside), el.alone,
      h('.row', button('locate', measureHere, 'pin'), h('label.row', t('quietAfter'), choice))),
    groups.map((id) => el[id].part), section('yourPlace', el.sharing), allowed.el));
}

const people = live(['members', 'people', 'tour', 'sharing', 'online'], draw, 10_000, () => (here ? measure() : draw()));
export default {
  id: 'people', build,
  show() { people.show(); allowed.show(); },
  hide() { people.hide(); allowed.hide(); },
};
