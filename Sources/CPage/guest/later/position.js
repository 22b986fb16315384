// The guest's position, for as long as the guest says so: the device signs it as it signs all else of the guest.
// Protocol/15-seats.md, "Position".
import { Refused } from '../channel.js';
import { h } from '../dom.js';
import { ask, Away } from '../seat.js';
import { ended, on, state, tell } from '../state.js';
import { set, setting } from '../store.js';
import { button, field, form, sheet } from '../sheets.js';
import { day, t, time } from '../words.js';

const PAUSE = 10_000; // Milliseconds between two fixes: others are told no more often.
const FRESH = 5000;
const PATIENCE = 20_000;
const OLD = 60; // Seconds after which a fix says where one was.
const HOURS = [1, 2, 4, 8, 24];
let timer = 0, trouble = '', isAsking = false;

/** { member, until, isOver }; what is over is still to be said to the device. */
function kept() {
  try {
    const one = JSON.parse(setting('sharing'));
    return one && one.member === state.record.member && one.until > Date.now() ? one : null;
  } catch { return null; }
}
function keep(one) {
  set('sharing', one ? JSON.stringify(one) : '');
  tell('sharing');
}

export function beginSharing() {
  on('connected', turn);
  turn();
}

function share(hours) {
  trouble = '';
  keep({ member: state.record.member, until: Date.now() + hours * 3_600_000 });
  turn();
}
export function stopSharing() {
  keep({ ...kept(), isOver: true });
  turn();
}

const located = () => new Promise((resolve, reject) => navigator.geolocation.getCurrentPosition(resolve, reject, {
  enableHighAccuracy: true, maximumAge: FRESH, timeout: PATIENCE,
}));

/** Says where one is, or that this is over, and looks again after a while. */
async function turn() {
  clearTimeout(timer);
  const one = kept();
  if (!one || isAsking || state.phase !== 'in' || ended()) return tell('sharing');
  isAsking = true;
  try {
    if (one.isOver) {
      await ask({ op: 'position', seconds: 0 });
      keep(null);
    } else await say(one);
  } catch (error) {
    if (error instanceof Refused) {
      trouble = error.message;
      if (one.isOver && error.code !== 'slow-down') keep(null);
    } else if (!(error instanceof Away)) console.error(error);
  }
  isAsking = false;
  const now = kept();
  tell('sharing');
  // What is over is said at once; where the device did not take it, again and again.
  if (now && now.isOver && !one.isOver) turn();
  else if (now) timer = setTimeout(turn, PAUSE);
}

async function say({ until }) {
  let fix;
  try {
    fix = await located();
    trouble = '';
  } catch ({ code }) {
    trouble = code === 1 ? 'positionDenied' : 'positionNone';
    return;
  }
  const now = kept();
  if (!now || now.isOver) return;
  const { latitude, longitude, accuracy } = fix.coords, age = Math.max(0, Date.now() - fix.timestamp) / 1000;
  if (age > OLD) return;
  await ask({
    op: 'position', seconds: Math.max(1, Math.round((until - Date.now()) / 1000)), latitude, longitude,
    accuracy: Math.min(20_000_000, Math.ceil(accuracy || 0)), age: Math.round(age),
  });
}

const words = ({ until }) => t('sharedUntil', { time: new Date(until).toDateString() === new Date().toDateString()
  ? time(until) : `${day(until)} ${time(until)}` });

/** For the bar above the chat; null: nothing is shared. */
export function sharingItem() {
  const one = kept();
  return one && !one.isOver ? { trouble, words: words(one) } : null;
}

export function showSharing() {
  const one = sharingItem();
  const hours = h('select', HOURS.map((n) => h('option', { value: n, selected: n === 2 }, t('hours', { n }))));
  const el = sheet(t('position'), h('p', t('positionWhat')), one
    ? [h('p.strong', one.words), button('stopSharing', () => { stopSharing(); el.close(); }, 'close')]
    : form('share', () => { share(Number(hours.value)); el.close(); }, field('howLong', hours)));
}
