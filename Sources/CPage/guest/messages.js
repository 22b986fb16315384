// The messages that this page knows, in the tour's order.
import { Refused } from './channel.js';
import { pause, seldom } from './dom.js';
import { Away, acknowledged, ask, complete } from './seat.js';
import { on, state, tell } from './state.js';

const PAGE = 40;
const PAGES_MAX = 25; // Asked for in a row, of what was missed.
const KEPT = 60; // Newest messages that are looked through again at each stay: what comes late may stand among them.
const ID = 16; // Digits of an id that are kept.
const NEW = 60_000; // Milliseconds in which hardly a page is written.
export const messages = new Map();
export let hasEarlier = true;
const sent = new Map(); // By key: acts that were confirmed or are just being written, and their place in our log.

const isBefore = (a, b) => a.sentAt < b.sentAt || (a.sentAt === b.sentAt
  && (a.authorID < b.authorID || (a.authorID === b.authorID && a.seq < b.seq)));
export const inOrder = () => [...messages.values()].sort((a, b) => (isBefore(a, b) ? -1 : 1));

function add(list) {
  // What comes late stands among those that were read: that these were read is to be said again.
  const last = messages.get(saidThrough);
  if (last && list.some((one) => !one.mine && !messages.has(one.id) && isBefore(one, last))) sayAgain = true;
  for (const message of list) messages.set(message.id, message);
  for (const [key, { seq }] of sent) {
    if (list.some((message) => message.mine && message.seq === seq)) sent.delete(key);
  }
  if (isWhole) keepHas();
  tell('list', list);
}

/** What one wrote and the list does not show yet, in the order in which it was written. */
export function unshown() {
  const waiting = state.waiting.filter(({ key }) => !sent.has(key));
  return [...[...sent.values()].map((one) => ({ ...one, isSent: true })), ...waiting]
    .filter(({ act }) => act.kind === 'text' || act.kind === 'picture');
}

on('messages', add);
on('written', ({ item, seq }) => {
  if (item.act.kind === 'text' || item.act.kind === 'picture') sent.set(item.key, { ...item, seq });
  tell('list', []);
});

// What was missed. Only a phone that has all of it may say that it has what its device has.

let had = []; // By the first digits of their ids: the oldest of those.
let isWhole = false; // Nothing is missing between these and what the news bring.
let loading = 0; // Counts up with each stay.

const meets = (list) => list.length < PAGE || list.some(({ id }) => had.includes(id.slice(0, ID)));

function whole() {
  isWhole = true;
  sayHas();
  sayRead();
}
const sayHas = () => complete(inOrder().slice(-KEPT).map(({ id }) => id.slice(0, ID)));
const keepHas = seldom(5000, () => isWhole && sayHas());

on('connecting', () => {
  isWhole = false;
  sayAgain = true;
  loading += 1;
});
on('connected', async () => {
  const own = loading;
  while (own === loading) {
    try {
      return await loadMissed(own);
    } catch (error) {
      if (error instanceof Away) return; // It is asked again with the next stay.
      if (!(error instanceof Refused)) console.error(error);
      await pause(1000 * (error.seconds || 2));
    }
  }
});

async function loadMissed(own) {
  const { has, entered } = state.record;
  had = (has || []).slice(0, 5);
  const isNew = !has && Date.now() - entered < NEW;
  const missed = [];
  let before = 'end';
  for (let page = 0; page < PAGES_MAX; page++) {
    const { messages: list } = await ask({ op: 'messages', before, count: PAGE });
    if (own !== loading) return;
    list.sort((a, b) => (isBefore(a, b) ? -1 : 1));
    if (page > 0) missed.push(...list);
    else {
      if (messages.size === 0) hasEarlier = list.length === PAGE;
      add(list);
    }
    if (isNew || meets(list)) {
      if (list.length < PAGE) hasEarlier = false;
      if (missed.length) add(missed);
      return whole();
    }
    before = list[0].id;
  }
  // Too much: what lies between is asked for by scrolling up, and until then it is not said that it is here.
  const oldest = missed[missed.length - PAGE];
  for (const [id, one] of messages) if (isBefore(one, oldest)) messages.delete(id);
  hasEarlier = true;
  add(missed);
}

/** Those before the first one that is here. */
export async function earlier() {
  const [first] = inOrder();
  if (!first || !hasEarlier) return;
  const own = loading;
  const { messages: list } = await ask({ op: 'messages', before: first.id, count: PAGE });
  if (own !== loading) return;
  hasEarlier = list.length === PAGE;
  add(list);
  if (!isWhole && meets(list)) whole();
}

let readThrough = null, saidThrough = null, sayAgain = false;
const sayRead = seldom(700, async () => {
  const through = readThrough;
  if (!isWhole || !through || (through === saidThrough && !sayAgain)) return;
  [saidThrough, sayAgain] = [through, false];
  try {
    await acknowledged();
    await ask({ op: 'read', through });
  } catch (error) {
    sayAgain = true; // With the next stay at the latest.
    if (error instanceof Refused) setTimeout(sayRead, 1000 * (error.seconds || 2));
  }
});
/** The newest one was on the screen. */
export function read() {
  const all = inOrder();
  if (!all.length) return;
  readThrough = all[all.length - 1].id;
  sayRead();
}
