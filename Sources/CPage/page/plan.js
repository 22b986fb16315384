// What is planned: the stops of one's own itineraries and of those that guides share.
import { coordinates, item } from './notebook/items.js';
import { api, on, path, set, state } from './parts.js';

const SHARED = 20; // Itineraries of others that are read, the newest.
const DAY = 86_400_000, PAST = 3_600_000;
const midnight = (time, days = 0) => {
  const date = new Date(time);
  date.setDate(date.getDate() + days);
  return date.setHours(0, 0, 0, 0);
};

const versions = new Map(); // Of records that were read, by their messages.
async function read({ record, messageID }) {
  const found = versions.get(messageID) ?? await api.get(path(`shared/${encodeURIComponent(record)}`));
  versions.set(messageID, found);
  return found;
}

export async function load() {
  const [plans, own, { records }] = await Promise.all([
    api.lines(item('collections')), api.lines(item('samples')), api.get(path('shared'))]);
  const known = new Map(own.map((stop) => [stop.id, stop]));
  const others = records.filter(({ type, record }) => type === 'itinerary' && !plans.some(({ id }) => id === record))
    .sort((a, b) => b.publishedAt.localeCompare(a.publishedAt)).slice(0, SHARED);
  // One that is taken back at this moment keeps none of the others away.
  const shared = (await Promise.allSettled(others.map(read))).flatMap(({ value }) => value ?? []);
  const all = [
    ...plans.map(({ id, title, samples }) => ({ id, title, tab: 'itinerary',
      stops: samples.map((one) => known.get(one.id)).filter(Boolean) })),
    ...shared.map(({ record, title, entries }) => ({ id: record, title, tab: 'shared', stops: entries })),
  ];
  set('stops', all.flatMap((plan) => plan.stops.map(({ id, title, note, at, place, latitude, longitude }, index) => ({
    id, title, note, at, index, plan: { id: plan.id, title: plan.title, tab: plan.tab },
    ...(place ? coordinates(place) : latitude != null && { north: latitude, east: longitude }),
  }))));
  return state;
}

/** The meeting point, if it stands on a day from today on: one without a time is today's. */
function meetingOn(now) {
  const { meeting } = state, day = midnight(meeting?.meetAt ?? now);
  return meeting && !meeting.expired && day >= midnight(now) ? { meeting, day } : {};
}

/**
 * Today, or the next day that has something: its stops, and the meeting point if it is on it. A stop without a time
 * stands behind the one before it.
 */
export function agenda(now = Date.now()) {
  const { meeting, day: meetingDay = Infinity } = meetingOn(now);
  const days = state.stops.filter(({ at }) => at).map(({ at }) => midnight(at)).filter((one) => one >= midnight(now));
  const first = Math.min(meetingDay, ...days), day = first === Infinity ? midnight(now) : first;
  const isOn = ({ at }) => at && midnight(at) === day;
  const plans = new Set(state.stops.filter(isOn).map(({ plan }) => plan.id));
  const stops = [];
  let last, plan;
  for (const stop of state.stops) {
    if (stop.plan.id !== plan) [last, plan] = [day, stop.plan.id];
    if (stop.at) last = Number(new Date(stop.at));
    if (isOn(stop) || (!stop.at && plans.has(plan) && midnight(last) === day)) stops.push({ ...stop, sort: last });
  }
  stops.sort((a, b) => a.sort - b.sort);
  return { day, isToday: day === midnight(now), stops, meeting: meetingDay === day ? meeting : null };
}

/** What all wait for: the meeting point, up to an hour late, or a stop of this day. */
export function next(now = Date.now()) {
  const { meeting } = state, at = meeting?.meetAt && Number(new Date(meeting.meetAt));
  const stands = meeting && !meeting.expired && (!at || at > now - PAST);
  const stop = state.stops.filter((one) => one.at && new Date(one.at) > now && new Date(one.at) - now < DAY / 2)
    .sort((a, b) => new Date(a.at) - new Date(b.at))[0];
  if (stands && (!at || !stop || at <= new Date(stop.at))) return { meeting, title: meeting.label ?? meeting.text, at };
  return stop ? { stop, title: stop.title, at: Number(new Date(stop.at)) } : null;
}

let waits = 0;
/** Keeps the stops as they are: a message may share some, and another program may have changed one's own. */
export function follow() {
  const look = () => {
    clearTimeout(waits);
    waits = setTimeout(look, 300_000);
    if (!document.hidden && state.online) load().catch(() => {});
  };
  on('messages', ({ messages }) => messages.some(({ metadata }) => metadata.record) && look());
  addEventListener('focus', look);
  addEventListener('hashchange', ({ oldURL }) => {
    if (oldURL.includes('#/notebook') || location.hash === '#/today') look();
  });
  look();
}
