// The messages, the newest at the bottom.
import { bubble, colorOf, goesOut, ownBubble } from './bubble.js';
import { displayed, isLooked } from './displayed.js';
import { fill, h, icon, keep } from './dom.js';
import { earlier, hasEarlier, inOrder, messages, read, unread, unshown } from './messages.js';
import { daily } from './moments.js';
import { ended, on, state } from './state.js';
import { alarm, button, fail, once } from './sheets.js';
import { day, t } from './words.js';

const NEAR = 60; // Pixels from the bottom that count as there.
const QUIET = 300_000; // Milliseconds after which an author is named again.
const LATE = 1500; // Milliseconds in which a message that came just now may still be about to be seen.
let list, box, newest, more, empty, onReply, look;
let isAtEnd = true;
let isAway = true; // Nobody has looked since something may have come.
let isMissed = false; // At the end, and something unread stands further up.
let line = null; // The first that was new.

const canSee = () => !document.querySelector('.shade');
const isOpen = () => !document.hidden;

function rows() {
  const all = [];
  let before = null;
  for (const message of inOrder()) {
    if (message.type === 'withheld') continue;
    const at = new Date(message.sentAt);
    const isNewDay = !before || new Date(before.sentAt).toDateString() !== at.toDateString();
    if (isNewDay) all.push({ id: `day ${at.toDateString()}`, day: day(at) });
    const isLine = message.id === line;
    if (isLine) all.push({ id: 'new', isLine });
    const isFirst = isNewDay || isLine || before.authorID !== message.authorID || at - new Date(before.sentAt) > QUIET;
    const { id, replyTo } = message;
    all.push({ id, message, isFirst, isOver: Boolean(ended()), color: colorOf(message), hasQuote: Boolean(replyTo) && messages.has(replyTo) });
    before = message;
  }
  for (const one of unshown()) all.push({ id: one.key, own: one, ok: goesOut(), isOver: Boolean(ended()) });
  return all;
}

function draw() {
  const height = box.scrollHeight, all = rows();
  keep(list, all, (row) => {
    if (row.day) return h('li.day', h('span', row.day));
    if (row.isLine) return h('li.day.new', t('new'));
    return row.own ? ownBubble(row.own) : bubble({ ...row, onReply });
  });
  empty.hidden = all.length > 0;
  more.hidden = !hasEarlier || messages.size === 0;
  if (isAtEnd) toEnd();
  else if (box.scrollTop < 10) box.scrollTop += box.scrollHeight - height;
  moved();
}

export function toEnd() {
  isAtEnd = true;
  box.scrollTop = box.scrollHeight;
  moved();
}

const PAGES_MAX = 60; // Asked for in a row, until a message is there.

/** Goes to a message, also to one that is not on the phone yet. */
export async function jump(id) {
  for (let page = 0; page < PAGES_MAX && hasEarlier && !messages.has(id); page++) {
    try { await earlier(); } catch (error) { return fail(error); }
  }
  const el = [...list.children].find(({ dataset }) => dataset.id === id);
  if (!el) return alarm(t('quoteGone'));
  isAtEnd = false;
  box.scrollTop += el.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 3;
  el.classList.add('found');
  setTimeout(() => el.classList.remove('found'), 3000);
  isAtEnd = isNearEnd();
  moved();
  return undefined;
}

function moved() {
  showCount();
  look();
}

let late = 0;
function showCount() {
  const { size } = unread;
  fill(newest, icon('down'), h('span', size ? t('came', { n: size }) : t('newest')));
  document.title = (size ? `(${size}) ` : '') + state.record.tour;
  clearTimeout(late);
  late = setTimeout(toggle, LATE, true);
  toggle();
}

function toggle(isSettled = false) {
  isMissed = isAtEnd && unread.size > 0 && (isMissed || isSettled);
  newest.hidden = isAtEnd && !isMissed;
  newest.classList.toggle('up', isMissed);
}

/** Of the messages that are here. */
function firstUnread() {
  const first = inOrder().find(({ id }) => unread.has(id));
  return first ? first.id : null;
}

/** A line once somebody has been away stays until that was displayed, and something else is new. */
function mark() {
  const first = unread.has(line) ? null : firstUnread();
  if (first) line = first;
}

function toLine() {
  const el = list.querySelector('.new');
  if (!el) return;
  box.scrollTop += el.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 4;
  isAtEnd = isNearEnd();
  moved();
}

function toUnread() {
  line = firstUnread();
  isAtEnd = false;
  draw();
  toLine();
}

/** A guest who comes, or comes back, begins with the first that is new. */
function begin() {
  if (!isAway || !isOpen()) return;
  isAway = false;
  // Something further back may have come since the line was drawn.
  line = firstUnread() || line;
  draw();
  if (isAtEnd && unread.has(line)) toLine();
}

const isNearEnd = () => box.scrollHeight - box.scrollTop - box.clientHeight < NEAR;

/** The ids of unread messages in the list, with their elements. */
function* unseen() {
  for (const el of list.children) if (unread.has(el.dataset.id)) yield [el.dataset.id, el];
}

export function buildChat(replies) {
  onReply = replies;
  list = h('ol.messages', { 'aria-label': t('messages') });
  empty = h('p.empty', t('nothing'));
  more = button('older', earlier, null, { hidden: true });
  newest = h('button.newest', { onClick: once(() => (isMissed ? toUnread() : toEnd())), hidden: true });
  box = h('.scroll', { tabindex: '0', role: 'log', 'aria-label': t('messages') }, more, empty, list);
  look = displayed(box, {
    canSee, rows: unseen,
    take(ids) {
      read(ids);
      showCount();
    },
  });
  let height = 0;
  box.addEventListener('scroll', () => {
    // What came above or below took room: nobody scrolled.
    if (isAtEnd && box.clientHeight !== height) return resized();
    isAtEnd = isNearEnd();
    moved();
  });
  on('list', () => {
    if (isAway || !isAtEnd || !canSee() || !isLooked()) mark();
    draw();
  });
  on('connecting', () => { isAway = true; });
  on('loaded', begin);
  on('waiting', 'reach', draw);
  daily(draw);
  on('sheets', () => look());
  let colors = '';
  on('view', ({ people }) => {
    const now = people.list.map(({ member, color }) => member + color).join() + Boolean(ended());
    if (now !== colors) draw();
    colors = now;
  });
  document.addEventListener('visibilitychange', () => {
    if (isOpen()) return begin();
    isAway = true;
    if (!unread.size) line = null;
    draw();
  });
  const resized = () => {
    height = box.clientHeight;
    if (isAtEnd) toEnd();
    else look();
  };
  new ResizeObserver(resized).observe(box);
  return h('.chat', box, newest);
}
