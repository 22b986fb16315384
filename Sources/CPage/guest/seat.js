// The member that this phone is: one place for its next event, at whichever device. Protocol/15-seats.md.
import { hex, random, unhex } from './bytes.js';
import { Channel, Ended, Refused, Unreached } from './channel.js';
import { pause } from './dom.js';
import { dropFiles } from './kept.js';
import { set, state, tell } from './state.js';
import { addressesOf, cut, dropLink, forget, hasTab, hostsBy, keepLink, load, save, takeTab } from './store.js';
import { lang, t } from './words.js';

const PATIENCE = 5000; // Milliseconds at one device before others are tried as well.
const SIGN = 12_000; // A device that is in reach has shown it within this time.
const BEHIND = 2000; // And between two questions to one that lacks a part of what this phone wrote.
const BEHIND_MAX = 6000;
const LOST = ['unknown-seat', 'wrong-secret']; // And `behind`: where no device has the log, the place is lost.
const LOST_AFTER = 60_000;
const ENDED = ['over', 'removed', 'tour-ended'];
const CLOSED = [...LOST, 'full', 'may-not-give-seats', 'seats-off']; // Whoever says so says it again.
const AVOIDED = 60_000; // A device that refused a call for help is asked last.
const SOON = 10; // Seconds for which a newcomer waits by itself, so many times.
const ENTERS = 40;
const isExpected = (error) => error instanceof Unreached || error instanceof Ended || error instanceof Refused;

let channel = null; // The open one; null: out of reach.
let newest = null; // The one that was opened last, though the seat may not be there yet.
let stop = new AbortController(); // Ends the stream of news.
let wake = () => {};
let isWriting = false, isTaking = false;
let isOver = false; // The tour has ended: nothing is written at this stay.
let stays = 0; // Counts up whenever this page begins or ends to go on: what an older one began stops then.
let awaySince = 0;
let lostAt = 0; // Since when devices answer that they do not know this place.
let avoided = '', avoidedUntil = 0;
let why = ''; // In the words of the device that was asked last.
let acked = 0, ackTimer = 0, heard = 0;
let saidHere = Promise.resolve(); // The last acknowledgement.
let ownAddresses = []; // Those of the device that was asked last, as it says.
let isComplete = false; // The messages from before the stream are here as well.

const record = () => state.record;
/** Changes what is kept; it is written before anything else happens, and by the tab that goes on alone. */
function change(fn) {
  if (!hasTab()) {
    // What this tab began goes on in the other one, which may have written already.
    pauseHere();
    throw new Ended('another tab goes on');
  }
  fn(state.record);
  save(state.record);
}

/** The device is out of reach. */
export class Away extends Error {}

/** Asks the device. What it refuses is thrown as `Refused`; where it is out of reach that is `Away`. */
export async function ask(object, bytes) {
  if (!channel) throw new Away();
  const asked = channel;
  try {
    return await asked.ask(object, bytes);
  } catch (error) {
    if (error instanceof Refused && !ELSEWHERE.includes(error.code)) throw error;
    if (asked === channel) reconnect();
    throw new Away();
  }
}

/** Whoever looks at the page again sees soon whether the device is still in reach. */
export function look() {
  if (!channel || Date.now() - heard > SIGN) reconnect();
}

export function reconnect() {
  stop.abort();
  wake();
}

// Entering

/** Says hello to the device in the code: which tour that is, and whether it lets anybody in. */
export async function greet(link) {
  const opened = await Channel.open('', unhex(link.key));
  return { ...await opened.ask({ op: 'hello', language: lang }), channel: opened };
}

/** Gets what the code says, for the digits beside it. */
export async function entryBy(digits) {
  const { entry } = await (await Channel.open('', null)).ask({ op: 'digits', digits, language: lang });
  return entry;
}

/** Becomes a member, by what `greet` found. The secret is kept before it is sent, for a second try. */
export async function enter(link, name, greeted) {
  if (!link.secret) {
    link.secret = hex(random(32));
    keepLink(link);
  }
  const come = async ({ channel: opened }, tries = ENTERS) => {
    try {
      return await opened.ask({ op: 'enter', pass: link.pass, name, secret: link.secret });
    } catch (error) {
      // A large group comes in one after the other: a device asks for some seconds then.
      if (error.code !== 'slow-down' || error.seconds > SOON || tries <= 1) throw error;
      await pause(1000 * error.seconds);
      return come({ channel: opened }, tries - 1);
    }
  };
  let { tour, host } = greeted;
  const answer = await come(greeted).catch(async (error) => {
    // Whoever thinks about a name for long needs a new channel.
    if (!(error instanceof Ended)) throw error;
    const again = await greet(link);
    ({ tour, host } = again);
    return come(again);
  });
  const first = answer.head.seq - answer.tail.length + 1;
  const made = {
    version: 1, tour, member: answer.member, secret: link.secret, page: link.page, name: answer.name || name,
    head: answer.head,
    tail: cut(answer.tail.map((event, index) => ({ seq: first + index, event }))), pending: null, queue: [],
    hosts: hostsBy(answer, []), host: { name: host, key: link.key, base: '' }, used: Date.now(), entered: Date.now(),
  };
  takeTab();
  save(made);
  dropLink();
  start(made, true);
}

/** Goes on as a member that this phone is already. */
export async function start(kept, isNew = false) {
  const own = ++stays;
  takeTab();
  set('record', kept);
  showWaiting();
  set('phase', 'in');
  if (!isNew) {
    // Another tab may have been at work: its last words are sure to be there then.
    isTaking = true;
    await pause(300);
    isTaking = false;
    if (own !== stays) return;
    set('record', load(kept.member) || kept);
    const { over, wentTo } = record();
    if (wentTo || over !== undefined) return pauseHere(wentTo ? 'moved-on' : 'over');
  }
  try {
    change((one) => { one.used = Date.now(); });
  } catch { return; }
  showWaiting();
  run(own);
}

/** Another tab or phone goes on as this member. */
export function pauseHere(phase = 'other-tab') {
  stays += 1;
  channel = null;
  reconnect();
  set('phase', phase);
}

/** The page goes on elsewhere. From here on this copy writes nothing: two would write at one place. */
export function goAway(wentTo) {
  if (isWriting) throw new Away();
  change((one) => { one.wentTo = wentTo; });
  pauseHere('moved-on');
}

export const takeBack = () => start(record());

// Where the seat is

/** The device at which the seat is, also by its name, then all others whose address is known. */
function places() {
  const { host, hosts } = record(), { name, key, base } = host, all = [{ name, key, base }];
  // The device that showed a code serves this page, and may be another one of the tour than before.
  if (state.link && base === '') all.push({ name, key: state.link.key, base });
  for (const { name, key, addresses = [] } of [host, ...hosts]) {
    for (const address of addresses) {
      const isSecure = address.startsWith('https:');
      // A page by https may ask nobody by http.
      if (isSecure || location.protocol === 'http:') all.push({ name, key, base: isSecure ? address : `http://${address}` });
    }
  }
  if (Date.now() < avoidedUntil) all.sort((a, b) => (a.key === avoided) - (b.key === avoided));
  const seen = new Set();
  // The address of this page is one of those under which its device is known.
  return all.filter(({ key, base }) => {
    const id = `${key} ${base || location.origin}`;
    return !seen.has(id) && seen.add(id);
  });
}

async function run(own) {
  [awaySince, lostAt] = [Date.now(), 0];
  let wait = 250, turn = 0, isRefused = false;
  showReach();
  while (own === stays) {
    const all = places(), began = Date.now();
    const others = isRefused || began - awaySince >= PATIENCE ? all.length : 1;
    try {
      const place = all[turn % others];
      await goOnAt(place, all.some(({ key }) => key !== place.key), own);
    } catch (error) {
      if (own !== stays) return;
      if (error instanceof Refused && ENDED.includes(error.code)) return finish(error.message, error.code);
      // One device may not know what another one does: the others are asked as well.
      why = error instanceof Refused ? error.message : '';
      if (why && LOST.includes(error.code)) lostAt = lostAt || Date.now();
      isRefused = isRefused || Boolean(why && !channel && CLOSED.includes(error.code));
      if (!isExpected(error)) console.error(error);
    }
    if (own !== stays) return;
    // It has been out of reach since it was heard last, not since that was noticed.
    if (channel) [channel, turn, awaySince, lostAt, isRefused] = [null, 0, Math.max(heard, began), 0, false];
    else turn += 1;
    if (Date.now() - began > 10_000) wait = 250;
    showReach();
    await new Promise((resolve) => { wake = resolve; setTimeout(resolve, wait); });
    wait = Math.min(wait * 2, Date.now() - awaySince > 60_000 ? 8000 : 2000);
  }
}

/** One stay at a device, until its stream of news ends. Throws where there is none. */
async function goOnAt(place, hasOthers, own) {
  stop = new AbortController();
  const opened = await Channel.open(place.base, unhex(place.key));
  const hello = await opened.ask({ op: 'hello', language: lang });
  newest = opened;
  await resume(opened, hasOthers, own);
  if (own !== stays) return;
  change((one) => {
    one.host = { ...place, name: hello.host, addresses: addressesOf([hello.local, ...ownAddresses]) };
    // Here it may be right.
    for (const item of one.queue) delete item.refused;
  });
  trials.clear();
  channel = opened;
  [acked, isComplete, why, stuck] = [0, false, '', ''];
  showReach();
  set('hello', hello);
  pump();
  let isFirst = true;
  tell('connecting');
  await opened.news((news) => {
    hear(news);
    // Asked for before the stream stands, the messages would lack what comes in between.
    if (isFirst) tell('connected');
    isFirst = false;
  }, stop.signal);
}

async function resume(opened, hasOthers, own) {
  const asked = Date.now();
  for (;;) {
    const { member, secret, head, tail, pending } = record();
    const shown = cut(pending ? [...tail, pending] : tail);
    const answer = await opened.ask({
      op: 'resume', member, secret, tail: shown.map(({ event }) => event),
      head: pending ? { seq: pending.seq, id: pending.id } : head,
    }).catch((error) => {
      if (error instanceof Refused && error.code === 'behind') return { state: 'behind' };
      // Another phone of ours took the place of what was never answered: it is written anew.
      if (error instanceof Refused && error.code === 'moved' && pending) return { state: 'moved' };
      // Of an event that was answered the log has another one: it forks, and this member is over.
      if (error instanceof Refused && error.code === 'moved') error.code = 'over';
      throw error;
    });
    if (own !== stays) throw new Ended('another tab goes on');
    if (answer.state === 'moved') {
      change((one) => takeBackPending(one, pending.id));
      continue;
    }
    isOver = answer.state === 'ended';
    if (isOver) return resumedEnded(answer, pending);
    if (answer.state !== 'behind') return resumed(opened, answer, pending);
    lostAt = lostAt || Date.now();
    showReach(true);
    if (hasOthers && Date.now() - asked >= BEHIND_MAX) throw new Unreached('it lacks what this phone wrote');
    await pause(BEHIND);
    if (own !== stays) throw new Ended('another tab goes on');
  }
}

/**
 * The tour has ended: what waits stays on this phone, to be read and copied. What the device may have stored stays at
 * its place in the log: the end may turn out not to count.
 */
function resumedEnded(answer, pending) {
  change((one) => {
    if (pending && answer.head.id === pending.id) settle(one, pending.id);
    one.hosts = hostsBy(answer, one.hosts);
    if (!one.page) one.page = answer.page;
  });
  ownAddresses = answer.addresses || [];
  showWaiting();
}

/** `pending` was shown to it: what was prepared in between was not. */
async function resumed(opened, answer, pending) {
  const known = pending ? pending.seq : record().head.seq;
  if (answer.head.seq < known) throw new Unreached('it lacks what this phone wrote');
  change((one) => {
    if (pending && answer.head.seq === known && answer.head.id !== pending.id) {
      // Another phone of ours was first at this place.
      takeBackPending(one, pending.id);
      [one.head, one.tail] = [answer.head, []];
    }
    if (pending) settle(one, pending.id);
    if (answer.head.seq > one.head.seq) [one.head, one.tail] = [answer.head, []]; // Written by another phone of ours.
    one.hosts = hostsBy(answer, one.hosts);
    if (answer.name) one.name = answer.name;
    if (!one.page) one.page = answer.page;
  });
  ownAddresses = answer.addresses || [];
  showWaiting();
  // A confirmation that is under way at the channel before this one is shown by the next stay.
  if (record().pending) throw new Ended('something was written in between');
  const prepared = answer.prepared;
  if (prepared) await confirm(opened, typeof prepared === 'string' ? { ...answer, prepared } : prepared, null);
}

// That the place has ended may be heard before the answer to who leaves.
let isLeaving;

function finish(words, code = 'over') {
  try {
    change((one) => {
      one.over = isLeaving ? t('left') : words;
      if (code === 'removed') one.removed = true;
      if (code === 'tour-ended') one.ended = one.ended || { until: new Date().toISOString() };
    });
  } catch { return; }
  pauseHere('over');
  dropFiles(record()); // Nothing that is left here opens them.
}

// What is written

/** What was prepared is part of the log from here on. */
function settle(one, which) {
  if (!one.pending || one.pending.id !== which) return;
  const { seq, id, event } = one.pending;
  one.tail = cut([...one.tail, { seq, id, event }]);
  one.head = { seq, id };
  one.pending = null;
}

/** What was prepared will never count: its act is written anew. */
function takeBackPending(one, which) {
  if (!one.pending || one.pending.id !== which) return;
  if (one.pending.item) one.queue.unshift(one.pending.item);
  one.pending = null;
}

/** Keeps what the device prepared, then lets it count. Where no answer comes it is shown again by `resume`. */
async function confirm(opened, { prepared, seq, id }, item) {
  // At a place that this phone has used already nothing else is ever confirmed.
  if (seq !== record().head.seq + 1 || record().pending) throw new Ended('that is not the next place');
  change((one) => {
    one.pending = { seq, id, event: prepared, item };
    if (item) one.queue = one.queue.filter(({ key }) => key !== item.key);
  });
  try {
    await opened.ask({ op: 'confirm', id });
  } catch (error) {
    // Where another channel has shown it meanwhile, that answer counts.
    if (error instanceof Refused && error.code === 'moved' && opened === newest) {
      change((one) => takeBackPending(one, id));
    }
    throw error;
  }
  change((one) => settle(one, id));
}

/** Has something written, as soon as that is possible: it waits in the phone until then. */
export function write(act) {
  // Whoever writes here goes on here.
  if (!isTaking && !hasTab()) takeBack();
  if (isTaking) return void setTimeout(() => write(act), 100);
  const item = { key: hex(random(8)), at: new Date().toISOString(), act };
  // Nothing is more urgent than that somebody is lost.
  change((one) => (act.kind === 'alarm' ? one.queue.unshift(item) : one.queue.push(item)));
  showWaiting();
  pump();
}

export function drop(key) {
  if (!hasTab()) return pauseHere();
  const item = record().queue.find((one) => one.key === key);
  change((one) => { one.queue = one.queue.filter((one) => one.key !== key); });
  if (item) tell('dropped', item);
  if (trials.delete(key)) showStuck('');
  showWaiting();
}

// What a new stay mends, here or at another device.
const ELSEWHERE = ['no-seat', 'behind', 'unknown-seat', 'seats-off'];
// What is wrong with an act itself. All else passes, though perhaps not at this device.
const WRONG = ['bad-answer', 'bad-name', 'bad-request', 'bad-text', 'bad-time', 'empty-text', 'file-too-large',
  'id-too-short', 'no-meeting', 'no-roll', 'not-for-guests', 'not-urgent', 'not-yours', 'text-too-long', 'too-large',
  'no-guides', 'too-many', 'unknown-alarm', 'unknown-message', 'unknown-op', 'unknown-upload'];
// While only guides write a picture waits, and a text comes back, since it may go to them alone.
const isWrong = ({ code }, { kind }) =>
  WRONG.includes(code) || /^picture-/.test(code) || (code === 'quiet' && kind === 'text');
const TRIES = 5; // So often refused, an act lets those behind it go first.
const TRY_MAX = 30_000;
const trials = new Map(); // By key, what was refused for the moment: how often, and when it may be asked for again.
let retry = 0, stuck = ''; // In the device's words: why something waits though it is in reach.

const trialOf = ({ key }) => trials.get(key) || { times: 0, at: 0 };
/** What is written next: nothing while the first act may not be asked for again, unless it was refused for long. */
function nextItem() {
  if (isOver || record().ended) return null;
  const isDue = (item) => trialOf(item).at <= Date.now();
  const open = record().queue.filter((item) => !item.refused);
  const first = open.find((item) => isDue(item) || trialOf(item).times < TRIES);
  return first && isDue(first) ? first : null;
}

async function pump() {
  clearTimeout(retry);
  if (isWriting || !channel) return;
  isWriting = true;
  const opened = channel;
  let isLost = false;
  try {
    for (let item = nextItem(); item && channel === opened; item = nextItem()) {
      await writeFirst(opened, item);
      showWaiting();
    }
  } catch (error) {
    if (!isExpected(error)) console.error(error);
    isLost = true;
    if (channel === opened) reconnect();
  } finally {
    isWriting = false;
    showWaiting();
    // What came in the way of a new stay's first words is said now.
    if (channel && channel !== opened) pump();
    else if (!isLost) pumpLater();
  }
}

function pumpLater() {
  const times = record().queue.filter((item) => !item.refused).map((item) => trialOf(item).at);
  if (times.length) retry = setTimeout(pump, Math.max(100, Math.min(...times) - Date.now()));
}

async function writeFirst(opened, item) {
  let prepared;
  try {
    prepared = await opened.ask({ op: 'write', ...item.act });
  } catch (error) {
    if (!(error instanceof Refused) || ELSEWHERE.includes(error.code)) throw error;
    if (error.code === 'tour-ended') {
      isOver = true; // The view says the rest.
      return undefined;
    }
    if (ENDED.includes(error.code)) return finish(error.message, error.code);
    return isWrong(error, item.act) ? refuse(item, error) : postpone(item, error);
  }
  // Meanwhile the phone may have gone on elsewhere, where that place may be another's.
  if (channel !== opened || !record().queue.some(({ key }) => key === item.key)) return;
  if (trials.delete(item.key)) showStuck('');
  tell('written', { item, seq: prepared.seq });
  await confirm(opened, prepared, item);
}

/** Nothing makes it right. A call for help stays nevertheless, until the guest drops it. */
function refuse(item, error) {
  if (item.act.kind === 'alarm') {
    change((one) => {
      for (const other of one.queue) if (other.key === item.key) other.refused = error.message;
    });
  }
  tell('refused', { item, error });
  if (item.act.kind !== 'alarm') drop(item.key);
}

/** It may be asked for again, after a while that grows. */
function postpone(item, error) {
  if (error.code === 'slow-down') {
    trials.set(item.key, { ...trialOf(item), at: Date.now() + 1000 * (error.seconds || 2) });
    return;
  }
  const times = trialOf(item).times + 1, isAlarm = item.act.kind === 'alarm';
  const wait = Math.min(1000 * 2 ** Math.min(times, 5), isAlarm ? 4000 : TRY_MAX);
  trials.set(item.key, { times, at: Date.now() + wait });
  // Where another phone of ours has moved the seat, the news say so by then, and this one stays out of its way.
  if (error.code === 'moved' && times > 1) throw error;
  if (times > 1) showStuck(error.message);
  // Another device may do what this one cannot.
  if (isAlarm && times % TRIES === TRIES - 1 && error.code !== 'busy' && places().length > 1) {
    [avoided, avoidedUntil] = [record().host.key, Date.now() + AVOIDED];
    throw error;
  }
}

function showStuck(words) {
  stuck = words;
  showReach();
}

/** Asks for it once more. */
export function again(key) {
  change((one) => {
    for (const item of one.queue) if (item.key === key) delete item.refused;
  });
  trials.delete(key);
  showWaiting();
  pump();
}

/** Removes what this phone keeps of a tour that has ended. */
export async function forgetHere() {
  const one = record();
  await dropFiles(one);
  forget(one.member);
  pauseHere('start');
}

/** Goes for good: what waits is given up, and nothing is kept. */
export async function leave() {
  const opened = channel;
  if (!opened || isWriting) throw new Away();
  clearTimeout(retry);
  isWriting = isLeaving = true;
  try {
    await confirm(opened, await opened.ask({ op: 'leave' }), null);
  } catch (error) {
    if (!record().over) {
      isLeaving = false;
      reconnect();
      throw error instanceof Refused ? error : new Away();
    }
  } finally { isWriting = false; }
  finish();
  isLeaving = false;
  forget(record().member);
  await dropFiles(record());
}

// What comes

function hear(news) {
  heard = Date.now();
  if (news.error) throw new Refused(news.error);
  if (news.view) {
    const { meeting } = news.view;
    // The countdown goes by the device's clock: a phone's may be wrong.
    if (meeting && Number.isFinite(meeting.secondsLeft)) meeting.deadline = Date.now() + meeting.secondsLeft * 1000;
    if (JSON.stringify(news.view.ended || undefined) !== JSON.stringify(record().ended)) {
      change((one) => { one.ended = news.view.ended || undefined; });
    }
    const hosts = hostsBy(news.view, record().hosts);
    if (JSON.stringify(hosts) !== JSON.stringify(record().hosts)) change((one) => { one.hosts = hosts; });
    set('view', news.view);
  }
  if (news.messages) tell('messages', news.messages);
  if (Number.isInteger(news.held)) {
    change((one) => { one.tail = one.tail.filter(({ seq }) => seq > news.held); });
    tell('held', news.held);
  }
  acknowledge(news.news);
  if ('over' in news) finish(typeof news.over === 'string' ? news.over : t('overWhat'),
    news.removed === true ? 'removed' : news.ended === true ? 'tour-ended' : 'over');
  else if ('moved' in news) pauseHere();
}

/** What came before the stream of news is here as well. */
export function complete() {
  if (!channel || !hasTab()) return;
  isComplete = true;
  acknowledge(acked);
}

/**
 * Keeps for a page that is loaded anew the newest messages (`has`), and the place up to which all were displayed
 * (`read`; null where that is not known now).
 */
export function keepShown(has, read) {
  if (!channel || !hasTab()) return;
  change((one) => {
    one.has = has;
    if (read !== null) one.read = read;
  });
}

/** What was shown is said to be here, at most twice a second. */
function acknowledge(number) {
  acked = Math.max(acked, number || 0);
  if (ackTimer || !isComplete) return;
  saidHere = new Promise((done) => {
    ackTimer = setTimeout(() => {
      ackTimer = 0;
      done(inTurn(() => ask({ op: 'got', news: acked })));
    }, 500);
  });
  saidHere.catch(() => {});
}
/** Neither `got` nor `read` overtakes the other: a message that is said to be here may not be displayed yet. */
let saying = Promise.resolve();
export function inTurn(say) {
  const said = saying.then(say);
  saying = said.catch(() => {});
  return said;
}
/** Once what was shown so far was said to be here: of anything else the device believes nobody to have read it. */
export const acknowledged = () => saidHere;

// What is shown of it

function showReach(behind = false) {
  const ok = Boolean(channel), before = JSON.stringify(state.reach);
  const now = { ok, behind, why: ok ? stuck : why, since: ok ? 0 : awaySince, host: record().host.name };
  now.isLost = !ok && lostAt > 0 && Date.now() - lostAt >= LOST_AFTER;
  if (JSON.stringify(now) !== before) set('reach', now);
}

function showWaiting() {
  const { queue, pending } = record();
  set('waiting', [...(pending && pending.item ? [pending.item] : []), ...queue]);
}
