// The messages, the newest at the bottom.
import { bubble, colorOf, goesOut, ownBubble } from './bubble.js';
import { fill, h, icon, keep } from './dom.js';
import { earlier, hasEarlier, inOrder, messages, read, unshown } from './messages.js';
import { on, state } from './state.js';
import { button, once } from './sheets.js';
import { day, t } from './words.js';

const NEAR = 60; // Pixels from the bottom that count as there.
const QUIET = 300_000; // Milliseconds after which an author is named again.
let list, box, newest, more, empty, onReply;
let isAtEnd = true, unseen = 0;

const looks = () => !document.hidden && !document.querySelector('.shade');

function rows() {
  const all = [];
  let before = null;
  for (const message of inOrder()) {
    const at = new Date(message.sentAt);
    const isNewDay = !before || new Date(before.sentAt).toDateString() !== at.toDateString();
    if (isNewDay) all.push({ id: `day ${at.toDateString()}`, day: message.sentAt });
    const isFirst = isNewDay || before.authorID !== message.authorID || at - new Date(before.sentAt) > QUIET;
    const { id, replyTo } = message;
    all.push({ id, message, isFirst, color: colorOf(message), hasQuote: Boolean(replyTo) && messages.has(replyTo) });
    before = message;
  }
  for (const one of unshown()) all.push({ id: one.key, own: one, ok: goesOut() });
  return all;
}

function draw() {
  const height = box.scrollHeight, all = rows();
  keep(list, all, (row) => {
    if (row.day) return h('li.day', h('span', day(row.day)));
    return row.own ? ownBubble(row.own) : bubble({ ...row, onReply });
  });
  empty.hidden = all.length > 0;
  more.hidden = !hasEarlier || messages.size === 0;
  if (isAtEnd) toEnd();
  else if (box.scrollTop < 10) box.scrollTop += box.scrollHeight - height;
  seen();
}

export function toEnd() {
  isAtEnd = true;
  box.scrollTop = box.scrollHeight;
  seen();
}

function seen() {
  if (isAtEnd && looks()) {
    unseen = 0;
    read();
  }
  newest.hidden = isAtEnd;
  fill(newest, icon('down'), h('span', unseen ? t('came', { n: unseen }) : t('newest')));
  document.title = (unseen ? `(${unseen}) ` : '') + state.record.tour;
}

export function buildChat(replies) {
  onReply = replies;
  list = h('ol.messages', { 'aria-label': t('messages') });
  empty = h('p.empty', t('nothing'));
  more = button('older', earlier, null, { hidden: true });
  newest = h('button.newest', { onClick: once(toEnd), hidden: true });
  box = h('.scroll', { tabindex: '0', role: 'log', 'aria-label': t('messages') }, more, empty, list);
  let height = 0;
  box.addEventListener('scroll', () => {
    // What came above or below took room: nobody scrolled.
    if (isAtEnd && box.clientHeight !== height) return resized();
    isAtEnd = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR;
    seen();
  });
  on('list', (added) => {
    if (messages.size > added.length) {
      unseen += added.filter((m) => m.unread && !m.mine && (!isAtEnd || !looks())).length;
    }
    draw();
  });
  on('waiting', 'reach', draw);
  let colors = '';
  on('view', ({ people }) => {
    const now = people.list.map(({ member, color }) => member + color).join();
    if (now !== colors) draw();
    colors = now;
  });
  document.addEventListener('visibilitychange', seen);
  const resized = () => {
    height = box.clientHeight;
    if (isAtEnd) toEnd();
  };
  new ResizeObserver(resized).observe(box);
  return h('.chat', box, newest);
}
