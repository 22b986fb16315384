// The day: its stops in their order, the meeting point among them, and a line for now.
import { meeting as meetAt } from './notebook/items.js';
import { button, day, distance, fill, h, keep, live, mayLead, name, primary, remaining, said, state, t, time }
  from './parts.js';
import { locate, metres } from './here.js';
import { agenda } from './plan.js';

let el, here = null, isScrolled = false;

/** Where distances are from: what the browser said, or the place that this member shares. */
function from() {
  const own = state.me?.position;
  return here ?? (own ? { north: own.latitude, east: own.longitude } : null);
}
const away = (one) => (from() && 'north' in one ? distance(metres(from(), one)) : null);

function entries({ isToday, stops, meeting }, now) {
  const isOne = new Set(stops.map(({ plan }) => plan.id)).size < 2;
  const list = stops.map((stop) => ({
    id: stop.id, sort: stop.sort, title: stop.title, note: stop.note, at: stop.at && time(stop.at), away: away(stop),
    past: Boolean(stop.at) && new Date(stop.at) < now, href: `#/notebook/${stop.plan.tab}/${stop.plan.id}`,
    plan: !isOne && stop.plan.title, meet: mayLead() && isToday,
  }));
  if (meeting) {
    const { id, label, text, meetAt: at, latitude: north, longitude: east } = meeting;
    const sort = at ? Number(new Date(at)) : now;
    list.push({ id, sort, isMeeting: true, title: label ?? text, note: label && text, at: at && time(at),
      away: north === null ? null : away({ north, east }), past: sort < now, href: '#/board/meeting' });
    list.sort((a, b) => a.sort - b.sort);
  }
  const next = list.find((one) => one.at && one.sort >= now);
  if (next && state.tour.active) next.wait = remaining(next.sort);
  if (isToday && list.length) {
    const place = list.findIndex((one) => one.sort > now);
    list.splice(place < 0 ? list.length : place, 0, { id: 'now', isNow: true, at: time(now) });
  }
  return list.map(({ sort, ...one }) => one);
}

function row(one) {
  if (one.isNow) return h('li.now', { 'aria-current': 'time' }, h('time', one.at), h('strong', t('now')));
  const kind = `${one.past ? '.past' : ''}${one.isMeeting ? '.meet' : ''}`;
  const about = [one.isMeeting ? t('kind_meeting') : one.plan && name(one.plan), one.wait && h('strong', one.wait),
    one.away].filter(Boolean);
  return h(`li${kind}`, h('time', one.at ?? '·'), h('.grow', h('h3', h('a.name', { href: one.href }, name(one.title))),
    about.length > 0 && h('p.muted.small', about.flatMap((part) => [' · ', part]).slice(1)), said(one.note)),
  one.meet && !one.past && meetAt(one));
}

function draw() {
  const now = Date.now(), plan = agenda(now), list = entries(plan, now);
  const leads = mayLead(), empty = !list.length, titles = [...new Set(plan.stops.map((stop) => stop.plan.title))];
  keep(el.list, list, row);
  fill(el.day, day(empty ? now : plan.day), titles.length === 1 && [' · ', name(titles[0])]);
  el.list.hidden = empty;
  el.where.hidden = empty || from() !== null;
  el.set.hidden = !leads;
  keep(el.empty, empty ? [{ id: 'none', leads }] : [], () => h('.empty.stack', h('p.big', t('noToday')),
    h('p', t(leads ? 'noTodayGuide' : 'noTodayMember')),
    leads && h('.row.center',
      primary('toItineraries', () => { location.hash = '#/notebook/itinerary'; }, 'notebook'))));
  const line = !isScrolled && el.list.querySelector('.now');
  if (!line) return;
  isScrolled = true;
  line.scrollIntoView({ block: 'center' });
}

function build() {
  el = { day: h('h2'), list: h('ol.timeline'), empty: h('div') };
  el.set = button('setMeeting', () => { location.hash = '#/board/set'; }, 'pin');
  el.where = button('locate', async () => { here = await locate(); draw(); }, 'pin');
  return h('div', h('section.stack.at-today', el.day, el.empty, el.list, h('.row.center', el.set, el.where)));
}

const view = live(['stops', 'meeting', 'members', 'tour'], draw, 20_000);
export default {
  id: 'today', build, show: view.show,
  hide() { isScrolled = false; view.hide(); },
};
