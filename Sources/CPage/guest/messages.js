// The messages that this page knows, in the tour's order.
import { Refused } from './channel.js';
import { pause, seldom } from './dom.js';
import { Away, acknowledged, ask, complete, inTurn, keepShown } from './seat.js';
import { on, state, tell } from './state.js';

const PAGE = 40;
const PAGES_MAX = 25; // Asked for in a row, of what was missed.
const KEPT = 60; // Newest messages that are looked through again at each stay: what comes late may stand among them.
const ID = 16; // Digits of an id that are kept.
const NEW = 60_000; // Milliseconds in which hardly a page is written.
export const messages = new Map();
export const unread = new Set(); // Ids of those that were not displayed yet.
export let hasEarlier = true;
const sent = new Map(); // By key: acts that were confirmed or are just being written, and their place in our log.

const isBefore = (a, b) => a.sentAt < b.sentAt || (a.sentAt === b.sentAt
  && (a.authorID < b.authorID || (a.authorID === b.authorID && a.seq < b.seq)));
export const inOrder = () => [...messages.values()].sort((a, b) => (isBefore(a, b) ? -1 : 1));

/** Stands where all was displayed that this phone had. */
const isOld = (one) => Boolean(state.record.read) && !isBefore(state.record.read, one);
const place = ({ sentAt, authorID, seq }) => ({ sentAt, authorID, seq });
const placeBefore = (one) => ({ ...place(one), seq: one.seq - 1 });

/** `late`: those that came after others had been read that were written later. */
function add(list, late = list) {
  for (const message of list) {
    // Nobody is shown it: it is new to nobody.
    if (message.type === 'withheld') unread.delete(message.id);
    else if (!message.mine && !messages.has(message.id) && (!isOld(message) || late.includes(message))) {
      unread.add(message.id);
      // That later ones were displayed is to be said again, once this one was.
      if (isOld(message)) said = '';
    }
    messages.set(message.id, message);
  }
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

let early = []; // News from before the first page of messages; null: that one is here.
function hear(list) {
  if (early) return void early.push(...list);
  // A message from above the list is asked for by scrolling, with those between.
  const [first] = inOrder(), isAbove = (one) => hasEarlier && first && !messages.has(one.id) && isBefore(one, first);
  const newest = Math.max(...[...messages.values()].map(({ receivedAt }) => Date.parse(receivedAt)));
  for (const one of list.filter(isAbove)) {
    // It came just now, and has not only changed: nobody has read it.
    if (!one.mine && Date.parse(one.receivedAt) >= newest && isOld(one)) {
      said = '';
      keepShown(state.record.has, placeBefore(one));
    }
  }
  add(list.filter((one) => !isAbove(one)));
}
on('messages', hear);
on('written', ({ item, seq }) => {
  if (item.act.kind === 'text' || item.act.kind === 'picture') sent.set(item.key, { ...item, seq });
  tell('list', []);
});

// What was missed. Only a phone that has all of it may say that it has what its device has.

let had = []; // By the first digits of their ids: the oldest of those.
let isWhole = false; // Nothing is missing between these and what the news bring.
let loading = 0; // Counts up with each stay.

const short = ({ id }) => id.slice(0, ID);
const meets = (list) => list.length < PAGE || list.some((one) => had.includes(short(one)));

function whole() {
  isWhole = true;
  sayHas();
  complete();
  sayRead();
  tell('loaded');
}
// Both at once: what is older than the one and not among the other came late.
const sayHas = () => keepShown(inOrder().slice(-KEPT).map(short), displayedTo());
const keepHas = seldom(5000, () => isWhole && sayHas());

on('connecting', () => {
  isWhole = false;
  said = '';
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
  const missed = [], late = [];
  let before = 'end', hasMet = false;
  for (let page = 0; page < PAGES_MAX; page++) {
    const { messages: list } = await ask({ op: 'messages', before, count: PAGE });
    if (own !== loading) return;
    list.sort((a, b) => (isBefore(a, b) ? -1 : 1));
    const isEnd = list.length < PAGE, isHere = !isEnd && messages.has(list[0].id);
    if (has && !hasMet) {
      const oldest = list.findIndex((one) => had.includes(short(one)));
      late.push(...list.slice(oldest + 1).filter((one) => !has.includes(short(one))));
    }
    if (page > 0) missed.push(...list);
    else {
      if (messages.size === 0) hasEarlier = !isEnd;
      add(list, late);
      const waited = early || [];
      early = null;
      if (waited.length) hear(waited);
    }
    hasMet = hasMet || isNew || meets(list);
    if (isEnd) hasEarlier = false;
    // Also what was here before and nobody has read: the page begins with the first of it.
    if (hasMet && (isNew || isEnd || isHere || isOld(list[0]))) break;
    before = list[0].id;
  }
  if (hasMet) {
    if (missed.length) add(missed, late);
    return whole();
  }
  // Too much: what lies between is asked for by scrolling up, and until then it is not said that it is here.
  const oldest = missed[missed.length - PAGE];
  for (const [id, one] of messages) if (isBefore(one, oldest)) messages.delete(id);
  hasEarlier = true;
  add(missed, late);
  tell('loaded');
}

/** Those before the first one that is here. */
export async function earlier() {
  const [first] = inOrder();
  if (!first || !hasEarlier) return;
  const own = loading;
  const { messages: list } = await ask({ op: 'messages', before: first.id, count: PAGE });
  if (own !== loading) return;
  hasEarlier = list.length === PAGE;
  add(list, []);
  if (!isWhole && meets(list)) whole();
  else sayRead();
}

// How far all was displayed. The phone alone knows: its device forgets it with the phone, and another one never knew.

let said = ''; // The last words of this stay.

/** Up to where all was displayed, by what is here now; null where something between this and what was kept is not. */
function displayedTo() {
  const all = inOrder();
  if (!isWhole || !all.length || (hasEarlier && !isOld(all[0]))) return null;
  const first = all.find(({ id }) => unread.has(id));
  return first ? placeBefore(first) : place(all[all.length - 1]);
}

/**
 * The last messages up to which all was displayed in the tour's order. The page knows the order of messages with one
 * time for each author alone: either all of them were displayed, or those that were not are of the same author.
 */
function lastDisplayed() {
  if (!displayedTo()) return [];
  const all = inOrder(), first = all.find(({ id }) => unread.has(id));
  let shown = first ? all.slice(0, all.indexOf(first)) : all;
  if (first) {
    const isOfFirst = ({ authorID }) => authorID === first.authorID, before = shown[shown.length - 1];
    const beside = all.filter(({ sentAt }) => sentAt === first.sentAt);
    if (beside.includes(before) && isOfFirst(before) && beside.every((one) => isOfFirst(one) || !unread.has(one.id))) {
      return [before.id];
    }
    shown = shown.filter((one) => !beside.includes(one));
  }
  const last = shown[shown.length - 1];
  const ends = shown.filter(({ sentAt }) => sentAt === last.sentAt).map(({ authorID, id }) => [authorID, id]);
  return [...new Map(ends).values()];
}

const sayRead = seldom(700, async () => {
  if (!isWhole) return;
  sayHas();
  try {
    await acknowledged();
    // Looked up only now: a message that came meanwhile may be said to be here, and was not displayed yet.
    await inTurn(async () => {
      const ids = lastDisplayed();
      if (said === ids.join()) return;
      said = ids.join();
      for (const through of ids) await ask({ op: 'read', through });
    });
  } catch (error) {
    said = '';
    if (error instanceof Refused) setTimeout(sayRead, 1000 * (error.seconds || 2));
  }
});

/** These were on the screen. */
export function read(ids) {
  for (const id of ids) unread.delete(id);
  sayRead();
}
