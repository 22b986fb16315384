// What this phone keeps: Documentation/guests.md says the same for people.
import { base64url, hex, random, text, unbase64, unhex, utf8 } from './bytes.js';
import { isOld, open, seal, usePage } from './sealed.js';

const SEAT = 'tour-chat.seat.';
const DRAFT = 'tour-chat.draft.';
const ALONE = '\u0001'; // Before words for the guides alone: nobody types it.
const LINK = 'tour-chat.link';
const TAB = 'tour-chat.tab';
const TAIL_MAX = 256; // Events, and base64 of them: Protocol/15-seats.md, "Limits".
const TAIL_SIZE_MAX = 512 * 1024 * 4 / 3;
const HOSTS_MAX = 8, DAY = 864e5;
const memory = new Map();

/** Whether what is written here is still there after the page was closed. */
export const keeps = () => memory.size === 0;

function read(key) {
  try {
    return localStorage.getItem(key) || memory.get(key) || null;
  } catch { return memory.get(key) || null; }
}

/** Where the browser stores nothing, or no more, the page goes on in memory; `less` is shorter than what is there. */
function write(key, value, less) {
  try {
    localStorage.setItem(key, value);
    memory.delete(key);
  } catch {
    memory.set(key, value);
    try {
      if (less) return localStorage.setItem(key, less());
    } catch { /* Nor does it store that. */ }
    try { localStorage.removeItem(key); } catch { /* It was never there. */ }
  }
}

function remove(key) {
  memory.delete(key);
  try { localStorage.removeItem(key); } catch { /* It was never there. */ }
}

function parsed(value) {
  try { return JSON.parse(value); } catch { return null; }
}
function parsedSeat(value) {
  const record = parsed(value);
  if (isEnded(record)) return { ...record, hosts: [] };
  return isRecord(record) ? { ...record, hosts: hostsOf(record.hosts) } : null;
}

/** The words that a member has begun to write, and whether for the guides alone; sealed as its place is. */
export function draftOf({ member }) {
  const kept = open(read(DRAFT + member)) || '';
  return { words: kept.replace(ALONE, ''), isAlone: kept.startsWith(ALONE) };
}
export function keepDraft({ member }, words, isAlone) {
  if (words) write(DRAFT + member, seal(isAlone ? ALONE + words : words));
  else remove(DRAFT + member);
}

export const setting = (key) => read(`tour-chat.${key}`);
export const set = (key, value) => write(`tour-chat.${key}`, value);

// The code of a tour, as it stood in the address.

/** Reads an address: the device's key, the pass, and the tour's page key; null where that is none. */
export function readLink(word) {
  const bytes = word && unbase64(word);
  if (!bytes || bytes.length !== 65 || bytes[0] !== 2) return null;
  return { key: hex(bytes.subarray(1, 33)), pass: hex(bytes.subarray(33, 49)), page: hex(bytes.subarray(49)) };
}
/** The same, to be carried to another address of the device. */
export const linkWord = ({ key, pass, page }) => base64url(unhex(`02${key}${pass}${page}`));

export const keepLink = (link) => write(LINK, seal(JSON.stringify(link)));
export const keptLink = () => parsed(open(read(LINK)));
export const dropLink = () => remove(LINK);
/** A pass that lets nobody in. An entry by it may have counted, though no answer came: its secret stays. */
export const endPass = ({ key, secret, page }) => keepLink({ key, secret, page });
/** With the secret of an entry at the same device that had no answer: with it the phone gets the same place. */
export function withSecret(link) {
  const kept = keptLink();
  return kept && kept.secret && kept.key === link.key ? { ...link, secret: kept.secret } : link;
}

// The member that this phone is: one record of each tour.

const isText = (...all) => all.every((one) => typeof one === 'string');
const isKey = (...all) => all.every((one) => isText(one) && /^[0-9a-f]{64}$/.test(one));
const isList = (list, is) => Array.isArray(list) && list.every((one) => Boolean(one) && is(one));
const isItem = (one) => isText(one.key) && Boolean(one.act) && isText(one.act.kind);
const isEvent = (one) => Number.isInteger(one.seq) && isText(one.event);
const isBase = (base) => isText(base) && /^(https?:\/\/[^/?#@\s]+)?$/.test(base);
const isAddress = (one) => isText(one) && /^(https:\/\/)?[^/?#@\s]+$/.test(one);
export const addressesOf = (list) => (Array.isArray(list) ? list : []).filter(isAddress);
/** Devices that can be asked: in a link they come from anybody at all. */
const hostsOf = (list) => (Array.isArray(list) ? list : [])
  .filter((one) => one && isText(one.name) && isKey(one.key) && Array.isArray(one.addresses))
  .map((one) => ({ ...one, addresses: addressesOf(one.addresses) }));
/** A device never names itself, and may not have heard of others yet: what it says nothing of is kept for a day. */
export function hostsBy({ hosts, formerHosts = [] }, known, now = Date.now()) {
  const named = hostsOf(hosts).map(({ lost, ...one }) => one);
  return named.concat(known.map((one) => ({ lost: now, ...one })).filter(({ key, member, lost }) =>
    Math.abs(now - lost) < DAY && !formerHosts.includes(member) && !named.some((one) => one.key === key),
  ).slice(0, HOSTS_MAX));
}
const isPage = (page) => page === undefined || (isText(page) && /^[0-9a-f]{32}$/.test(page));
const isHost = (host) => Boolean(host) && isText(host.name) && isKey(host.key) && isBase(host.base)
  && (host.addresses === undefined || isList(host.addresses, isAddress));
/** When a tour that has ended can be read no longer. */
const isEnd = (ended) => ended === undefined || (Boolean(ended) && isText(ended.until));
/** Only words are left of a place that has ended, and nothing by which anybody could write or read. */
const isEnded = (one) => Boolean(one && one.version === 1 && isKey(one.member) && isText(one.tour, one.over)
  && isHost(one.host) && isPage(one.page) && isEnd(one.ended) && (one.removed === undefined || one.removed === true));
const endOf = ({ version, tour, member, host: { name, key }, page, used, over, removed, ended }) => (
  { version, tour, member, host: { name, key, base: '' }, page, used, over, removed, ended });
const isPlace = (one) => Boolean(one) && isText(one.sentAt, one.authorID) && Number.isInteger(one.seq);
const isRecord = (one) => Boolean(one && one.version === 1 && isKey(one.member, one.secret)
  && isText(one.tour, one.name) && one.head && Number.isInteger(one.head.seq) && isText(one.head.id)
  && isList(one.tail, isEvent) && isList(one.queue, isItem)
  && (one.pending === null || (isEvent(one.pending) && (!one.pending.item || isItem(one.pending.item))))
  && Array.isArray(one.hosts)
  && isHost(one.host) && isPage(one.page)
  && (one.has === undefined || isList(one.has, isText)) && (one.read === undefined || isPlace(one.read))
  && one.over === undefined && isEnd(one.ended)
  && (one.wentTo === undefined || (isText(one.wentTo.name) && isBase(one.wentTo.base))));

function allKeys() {
  const keys = new Set(memory.keys());
  try {
    for (let i = 0; i < localStorage.length; i++) keys.add(localStorage.key(i));
  } catch { /* There are those in memory. */ }
  return [...keys].filter((key) => key.startsWith(SEAT));
}

/** All that open by the tour's page key, the last used one first. */
export const seats = () => allKeys().map((key) => parsedSeat(open(read(key)))).filter(Boolean)
  .sort((a, b) => b.used - a.used);
/** Whether there are some of another tour, or the address brought no page key: a code of it opens them. */
export const hasSealed = () => allKeys().some((key) => open(read(key)) === null);
/** Nobody comes back after so long: what no code opened since is taken away. Returns the members of these places. */
export function sweep() {
  const old = allKeys().filter((key) => isOld(read(key)));
  for (const key of old) forget(key.slice(SEAT.length));
  if (isOld(read(LINK))) remove(LINK);
  return old.map((key) => key.slice(SEAT.length));
}
/** Whether a place is in the tour of this code, or was known at its device. */
export const isAt = ({ page, host, hosts }, link) =>
  page === link.page || [host, ...hosts].some(({ key }) => key === link.key);
export function load(member) {
  const all = [memory.get(SEAT + member), read(SEAT + member)].map(open).map(parsedSeat).filter(Boolean);
  const end = all.find(({ over }) => over !== undefined);
  return end || all.sort((a, b) => lastOf(b).seq - lastOf(a).seq)[0] || null;
}
/** What may have been confirmed counts as confirmed: nothing else is ever written at its place. */
const lastOf = ({ head, pending }) => (pending ? { seq: pending.seq, id: pending.id } : head);
/** Where there is no room for all of it the place itself stays: another device may have the log. */
export function save(record) {
  usePage(record.page);
  if (record.over !== undefined) {
    forget(record.member);
    return write(SEAT + record.member, seal(JSON.stringify(endOf(record))));
  }
  const less = () => ({ head: lastOf(record), pending: null, tail: [], queue: [], hosts: [], has: undefined });
  return write(SEAT + record.member, seal(JSON.stringify(record)),
    () => seal(JSON.stringify({ ...record, ...less() })));
}
export function forget(member) {
  remove(SEAT + member);
  remove(DRAFT + member);
}

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

/**
 * What such an address carries, or what this phone is here already and has gone further; null where it is none.
 * Anybody can make one. `isKnown`: who made it has the secret of a place here.
 */
export function readCarried(word) {
  const record = parsedSeat(text(unbase64(word) || unhex('')));
  if (!record || record.over !== undefined || record.host.base !== '') return null;
  usePage(record.page);
  const own = load(record.member);
  if (own && (own.secret !== record.secret || own.head.seq > record.head.seq
    || (!own.wentTo && own.head.seq === record.head.seq))) {
    return { record: own, isKnown: true };
  }
  const { wentTo, ...here } = record;
  return { record: here, isKnown: Boolean(own) };
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
