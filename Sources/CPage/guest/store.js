// What this phone keeps: Documentation/guests.md says the same for people.
import { base64url, hex, random, text, unbase64, unhex, utf8 } from './bytes.js';

const SEAT = 'tour-chat.seat.';
const LINK = 'tour-chat.link';
const TAB = 'tour-chat.tab';
const TAIL_MAX = 256; // Events, and base64 of them: Protocol/15-seats.md, "Limits".
const TAIL_SIZE_MAX = 512 * 1024 * 4 / 3;
const memory = new Map();
let isKept = true;

/** Whether what is written here is still there after the page was closed. */
export const keeps = () => isKept;

function read(key) {
  try {
    return localStorage.getItem(key) || memory.get(key) || null;
  } catch { return memory.get(key) || null; }
}

/** Where the browser stores nothing, or no more, the page goes on in memory. */
function write(key, value) {
  try {
    localStorage.setItem(key, value);
    memory.delete(key);
    isKept = true;
  } catch {
    memory.set(key, value);
    try { localStorage.removeItem(key); } catch { /* It was never there. */ }
    isKept = false;
  }
}

function remove(key) {
  memory.delete(key);
  try { localStorage.removeItem(key); } catch { /* It was never there. */ }
}

function parsed(value) {
  try { return JSON.parse(value); } catch { return null; }
}

export const setting = (key) => read(`tour-chat.${key}`);
export const set = (key, value) => write(`tour-chat.${key}`, value);

// The code of a tour, as it stood in the address.

/** Of an address or a captive portal's answer: the device's key and the pass; null where that is none. */
export function readLink(word) {
  const bytes = word && unbase64(word);
  if (!bytes || bytes.length !== 49 || bytes[0] !== 1) return null;
  return { key: hex(bytes.subarray(1, 33)), pass: hex(bytes.subarray(33)) };
}

export const keepLink = (link) => write(LINK, JSON.stringify(link));
export const keptLink = () => parsed(read(LINK));
export const dropLink = () => remove(LINK);

// The member that this phone is: one record of each tour.

const isRecord = (one) => Boolean(one && one.version === 1 && /^[0-9a-f]{64}$/.test(one.member)
  && /^[0-9a-f]{64}$/.test(one.secret) && one.head && Array.isArray(one.tail) && Array.isArray(one.queue)
  && Array.isArray(one.hosts) && one.host);

function allKeys() {
  const keys = new Set(memory.keys());
  try {
    for (let i = 0; i < localStorage.length; i++) keys.add(localStorage.key(i));
  } catch { /* There are those in memory. */ }
  return [...keys].filter((key) => key.startsWith(SEAT));
}

/** All of them, the last used one first. */
export const seats = () => allKeys().map((key) => parsed(read(key))).filter(isRecord)
  .sort((a, b) => b.used - a.used);
export const load = (member) => [parsed(read(SEAT + member))].filter(isRecord)[0] || null;
export const save = (record) => write(SEAT + record.member, JSON.stringify(record));
export const forget = (member) => remove(SEAT + member);

/** The end of the log that others may lack; what is too much falls off at its beginning. */
export function cut(tail) {
  let size = 0, from = tail.length;
  while (from > 0 && tail.length - from < TAIL_MAX && size + tail[from - 1].event.length <= TAIL_SIZE_MAX) {
    size += tail[--from].event.length;
  }
  return tail.slice(from);
}

/** The part of an address behind its # that carries a member to the same page at another device. */
export const carried = (record) => `#w1.${base64url(utf8(JSON.stringify(record)))}`;

/** Keeps what such an address carries, unless this copy has seen more: an old address is no way back. Returns which. */
export function receive(word) {
  const record = parsed(text(unbase64(word) || unhex('')));
  if (!isRecord(record)) return null;
  const own = load(record.member);
  if (own && (own.head.seq > record.head.seq || (!own.wentTo && own.head.seq === record.head.seq))) return own;
  const { wentTo, ...here } = record;
  save(here);
  return here;
}

// Two tabs have one storage, and one member writes at one place at a time: the tab that was opened last goes on.

const tab = hex(random(8));
export const takeTab = () => write(TAB, tab);
export const hasTab = () => {
  const now = read(TAB);
  return now === null || now === tab;
};
export const onTabLost = (fn) => addEventListener('storage', ({ key, newValue }) => {
  if (key === TAB && newValue && newValue !== tab) fn();
});
