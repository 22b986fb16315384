// Above every view: what is next, how many are in reach, and whom to look for. One tap leads there.
import { ended, fill, h, icon, inReach, keep, moment, name, number, on, state, t } from './parts.js';

let el, shown, next = () => null;

function tick() {
  // Nothing comes next in a tour that has ended.
  const over = state.tour && ended(state.tour), now = over ? null : next();
  const key = JSON.stringify([over, now && [now.title, now.at, Boolean(now.meeting)]]);
  if (key !== shown) {
    shown = key;
    el.next.href = now?.meeting ? '#/board/meeting' : '#/today';
    fill(el.next, icon(now?.meeting ? 'pin' : 'today'), now ? name(now.title) : h('span.muted', over || t('nothingNext')),
      now?.at && h('time'));
  }
  const time = el.next.querySelector('time');
  if (!time) return;
  time.textContent = moment(now.at);
  time.classList.toggle('trouble', now.at < Date.now());
}

function toBanner() {
  const banner = document.querySelector('.alarms .banner');
  banner?.scrollIntoView({ block: 'nearest' });
  banner?.querySelector('button')?.focus();
}

/** `short` stands where there is no room for the words. */
const told = (short, long) => [h('span.short', { 'aria-hidden': 'true' }, short), h('span.long', long)];
const way = ({ kind, href, short, long }) => h('span', href
  ? h(`a.${kind}`, { href, title: long }, icon('people'), told(short, long))
  : h(`button.${kind}`, { onClick: toBanner }, icon('sos'), told(short, long)));

function draw() {
  const { people, roll } = state;
  const lost = state.alarms.filter((a) => a.open && (a.mine || a.leads)).length;
  const missing = roll?.open && roll.leads ? roll.members.filter((m) => m.state === 'missing').length : 0;
  el.root.hidden = !state.tour;
  keep(el.rest, [
    lost > 0 && { kind: 'bad', short: number(lost), long: t('lostCount', { n: lost }) },
    missing > 0 && { kind: 'caution', href: '#/guide', short: number(missing), long: t('notAnswered', { n: missing }) },
    people?.total > 1 && { kind: 'reach', href: '#/people',
      ...inReach({ near: people.reachable, n: people.total }, state.online) },
  ].filter(Boolean).map((one) => ({ id: one.kind, ...one })), way);
  tick();
}

export function buildStrip() {
  el = { next: h('a.next'), rest: h('.rest') };
  el.root = h('section.glance', { 'aria-label': t('glance'), hidden: true }, el.next, el.rest);
  for (const key of ['tour', 'people', 'alarms', 'meeting', 'stops', 'roll', 'online']) on(key, draw);
  setInterval(() => document.hidden || tick(), 1000);
  return el.root;
}

/** What is planned is learned behind the first view; from then on `fn` says what is next. */
export function tellNext(fn) {
  next = fn;
  draw();
}
