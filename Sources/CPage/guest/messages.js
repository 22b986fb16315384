// The messages that this page knows, in the tour's order.
import { seldom } from './dom.js';
import { ask, complete } from './seat.js';
import { on, state, tell } from './state.js';

const PAGE = 40;
export const messages = new Map();
export let hasEarlier = true;
const sent = new Map(); // By key: acts that were confirmed or are just being written, and their place in our log.

const isBefore = (a, b) => a.sentAt < b.sentAt || (a.sentAt === b.sentAt
  && (a.authorID < b.authorID || (a.authorID === b.authorID && a.seq < b.seq)));
export const inOrder = () => [...messages.values()].sort((a, b) => (isBefore(a, b) ? -1 : 1));

function add(list) {
  for (const message of list) messages.set(message.id, message);
  for (const [key, { seq }] of sent) {
    if (list.some((message) => message.mine && message.seq === seq)) sent.delete(key);
  }
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
on('connected', async () => {
  try {
    const { messages: list } = await ask({ op: 'messages', before: 'end', count: PAGE });
    if (messages.size === 0) hasEarlier = list.length === PAGE;
    else if (list.length === PAGE && !list.some(({ id }) => messages.has(id))) {
      // Too much came meanwhile: what lies between is asked for by scrolling up.
      messages.clear();
      hasEarlier = true;
    }
    add(list);
    complete();
  } catch { /* It is asked again with the next connection. */ }
});

/** Those before the first one that is here. */
export async function earlier() {
  const [first] = inOrder();
  if (!first || !hasEarlier) return;
  const { messages: list } = await ask({ op: 'messages', before: first.id, count: PAGE });
  hasEarlier = list.length === PAGE;
  add(list);
}

let readThrough = null, saidThrough = null;
const sayRead = seldom(700, () => {
  const through = readThrough;
  if (!through || through === saidThrough) return;
  ask({ op: 'read', through }).then(() => { saidThrough = through; }).catch(() => {});
});
/** The newest one was on the screen. */
export function read() {
  const all = inOrder();
  if (!all.length) return;
  readThrough = all[all.length - 1].id;
  sayRead();
}
