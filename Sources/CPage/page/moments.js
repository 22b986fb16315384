// When something is, and how long until then, on a member's page as on a guest's.
import { day, t, time } from './words.js';

const MINUTE = 60_000;
const NEAR = 720 * MINUTE; // Within half a day it helps to know how long it still is.

/** "in 22 min", "in 1 h 40 min", "5 min ago": never rounded to hours, by which people would come late. */
export function remaining(at) {
  const left = at - Date.now(), minutes = Math.floor(Math.abs(left) / MINUTE), n = minutes % 60;
  if (!minutes) return t('justNow');
  const long = minutes < 60 ? t('minShort', { n }) : t('hourShort', { h: Math.floor(minutes / 60), n });
  return t(left < 0 ? 'sinceTime' : 'inTime', { time: long });
}

/** "21:07", "Tomorrow 09:00": of today the time alone, which also stands in a sentence. */
export function hour(at) {
  const isToday = new Date(at).toDateString() === new Date().toDateString();
  return isToday ? time(at) : `${day(at)} ${time(at)}`;
}

/**
 * "21:07, in 22 min", "Tomorrow 09:00": a countdown alone reads as a time of day. `deadline` is the same moment by this
 * device's clock, which may be wrong.
 */
export function moment(at, deadline = at) {
  const when = hour(at);
  return Math.abs(deadline - Date.now()) < NEAR ? t('momentIn', { time: when, left: remaining(deadline) }) : when;
}

const followers = [];
let today = new Date().toDateString();
function look() {
  const now = new Date().toDateString();
  if (now === today) return;
  today = now;
  for (const fn of followers) fn();
}
setInterval(look, 1000); // A timer until midnight would be late in a page that was asleep.
document.addEventListener('visibilitychange', look);

/** Calls `fn` whenever another day has begun: "Today" in an open page is "Yesterday" then. */
export const daily = (fn) => { followers.push(fn); };
