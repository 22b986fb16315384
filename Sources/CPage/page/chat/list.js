// The messages on the page: a window of the tour's, moved by scrolling.
import { api, daily, day, fail, fill, h, icon, name, on, path, said, set, state, t } from '../parts.js';
import { displayed, isLooked } from './displayed.js';
import { article, author, gist } from './message.js';
import { count as countReach } from './reach.js';

const MAX = 400; // Held at a time, as data and as elements.
const PAGE = 100;
const LATE = 1500; // Milliseconds in which a message that came just now may still be about to be seen.
const BEAT = 2000; // Milliseconds between two looks at who has what is on the screen.
const GROUP = 300_000; // Who goes on within five minutes is named once.

/** The tour's order, as far as a message tells it. */
const isBefore = (a, b) => a.sentAt < b.sentAt || (a.sentAt === b.sentAt && a.authorID === b.authorID && a.seq < b.seq);

export function messageList(act) {
  let items = [];
  let more = false; // Older ones stand before the window.
  let atTail = true; // The window ends with the newest.
  let stuck = true; // The end is on screen, and stays there.
  let ready = false, visible = false, isPlaced = false, busy = null, lastTop = 0, lastHeight = 0;
  let first = null; // Asked for before there was anything.
  let line = null; // The first that was new.
  const told = new Set(); // Said to be displayed.
  let arrived = []; // Not on the page yet.
  const rows = new Map(), urls = new Map(), quotes = new Map(), sending = new Set();

  const feed = h('.feed', { role: 'feed', 'aria-label': t('messages') });
  const tail = h('.feed');
  const empty = h('p.empty', { hidden: true }, t('nothing'));
  const scroller = h('.scroll', { onScroll: scrolled, onKeydown: keys }, empty, feed, tail);
  const log = h('.visually-hidden', { role: 'log' });
  const newest = h('button.button.newest', { onClick: () => (isMissed ? toUnread() : toNewest()) });
  const list = { urls, quote, jump, loosen: () => { stuck = false; }, ...act };
  const box = (el) => el.getBoundingClientRect();
  const articleOf = (message) => message && rows.get(message.id)?.querySelector('article');

  function row(message) {
    const el = h('.item', article(message, list));
    rows.set(message.id, el);
    return el;
  }

  function dress(index) {
    const message = items[index], before = items[index - 1];
    if (!message) return;
    const el = rows.get(message.id);
    const then = new Date(message.sentAt), earlier = before && new Date(before.sentAt);
    const isDay = earlier?.toDateString() !== then.toDateString(), isLine = message.id === line;
    while (el.children.length > 1) el.firstChild.remove();
    const above = [isDay && h('.day', { id: `d${message.id}` }, day(then)),
      isLine && h('.new', { id: `n${message.id}` }, t('new'))].filter(Boolean);
    el.prepend(...above);
    // A screen reader goes from article to article: the first of a day says which day that is.
    if (above.length) el.lastChild.setAttribute('aria-describedby', above.map(({ id }) => id).join(' '));
    else el.lastChild.removeAttribute('aria-describedby');
    el.classList.toggle('more-of', !isDay && !isLine && before.authorID === message.authorID
      && then - earlier < GROUP && ![before.type, message.type].includes('announcement'));
  }

  function drop({ id }) {
    rows.get(id)?.remove();
    rows.delete(id);
    if (urls.has(id)) URL.revokeObjectURL(urls.get(id));
    urls.delete(id);
  }

  /** Takes in a message, in the place of what it was before; returns whether it is new. */
  function put(message) {
    let at = items.findIndex(({ id }) => id === message.id);
    if (at >= 0) {
      const old = articleOf(message), fresh = article(message, list);
      const focus = old.contains(document.activeElement);
      items[at] = message;
      fresh.tabIndex = old.tabIndex;
      old.replaceWith(fresh);
      if (focus) fresh.focus({ preventScroll: true });
      dress(at);
      return false;
    }
    for (at = items.length; at > 0 && isBefore(message, items[at - 1]);) at--;
    const isLast = at === items.length;
    if (items.length && (isLast ? !atTail : at === 0 && more)) return isLast;
    feed.insertBefore(row(message), feed.children[at] ?? null);
    items.splice(at, 0, message);
    dress(at);
    dress(at + 1);
    return true;
  }

  function trim(fromStart) {
    if (items.length <= MAX) return;
    (fromStart ? items.splice(0, items.length - MAX) : items.splice(MAX)).forEach(drop);
    if (fromStart) more = true; else atTail = false;
    dress(0);
  }

  function replace(messages, hasMore, isTail) {
    items.forEach(drop);
    items = messages.slice(-MAX);
    more = hasMore || messages.length > MAX;
    atTail = isTail;
    feed.append(...items.map(row));
    items.forEach((_, index) => dress(index));
    settle();
  }

  function settle() {
    for (const bubble of sending) if (items.some(bubble.is)) bubble.end();
    empty.hidden = items.length > 0 || sending.size > 0;
    (feed.querySelector('[tabindex="0"]') ?? articleOf(items.at(-1)) ?? tail).tabIndex = 0;
  }

  const bottom = () => scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight;
  function toEnd() {
    scroller.scrollTop = scroller.scrollHeight;
    stuck = atTail;
  }

  function firstSeen() {
    const { top } = box(scroller);
    let low = 0, high = items.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (box(rows.get(items[middle].id)).bottom <= top) low = middle + 1; else high = middle;
    }
    return items[low];
  }

  /** Changes rows so that what is read stays where it is, or the end at the end. */
  function keep(change) {
    const seen = stuck ? null : firstSeen();
    // What stands above its text may go, as the day does: so its end is what keeps its place.
    const before = seen && box(rows.get(seen.id)).bottom;
    change();
    if (stuck) toEnd();
    else if (rows.has(seen?.id)) scroller.scrollTop += box(rows.get(seen.id)).bottom - before;
  }

  function scrolled() {
    // Who scrolls up leaves the end; what grows, or a window that becomes larger, does not.
    const { scrollTop, clientHeight } = scroller;
    if (bottom() < 48) stuck = atTail;
    else if (scrollTop < lastTop && clientHeight === lastHeight) stuck = false;
    lastTop = scrollTop;
    lastHeight = clientHeight;
    toggle();
    const reach = scroller.clientHeight * 1.5;
    if (!busy && ready) {
      if (more && scroller.scrollTop < reach) older();
      else if (!atTail && bottom() < reach) newer();
    }
    look();
  }

  async function page(query, take) {
    while (busy) await busy;
    feed.setAttribute('aria-busy', 'true');
    busy = api.lines(path(`messages?${query}`)).then(take)
      .catch((error) => error.code === 'offline' || fail(error));
    await busy;
    busy = null;
    feed.removeAttribute('aria-busy');
  }

  /** Adds a page that stands before or behind the window, and lets as much go at the other end. */
  const add = (isOlder) => (messages) => keep(() => {
    const fresh = messages.filter(({ id }) => !rows.has(id));
    const { length } = items;
    if (!isOlder) stuck = false;
    feed[isOlder ? 'prepend' : 'append'](...fresh.map(row));
    items = isOlder ? [...fresh, ...items] : [...items, ...fresh];
    if (isOlder) more = messages.length >= PAGE; else atTail = messages.length < PAGE;
    const from = isOlder ? 0 : length;
    for (let at = from; at <= from + fresh.length; at++) dress(at);
    trim(!isOlder);
    settle();
  });
  const older = () => page(`before=${items[0].id}&limit=${PAGE}`, add(true));
  const newer = () => page(`after=${items.at(-1).id}&limit=${PAGE}`, add(false));
  const around = (id, show) => page(`around=${id}&limit=${PAGE}`, (messages) => {
    const at = messages.findIndex((message) => message.id === id);
    show(() => replace(messages, at < 0 || at >= PAGE, at >= 0 && messages.length - 1 - at < PAGE));
  });

  function fromUnread(messages) {
    const at = messages.findIndex(({ unread, mine }) => unread && !mine);
    if (at >= 0) replace(messages.slice(0, MAX), at >= PAGE, messages.length - 1 - at < PAGE);
  }

  async function toUnread() {
    await page(`around=unread&limit=${PAGE}`, fromUnread);
    mark();
    stuck = isPlaced = false;
    toLine();
    scrolled();
  }

  async function toNewest() {
    if (!atTail) await page(`limit=${PAGE}`, (messages) => replace(messages, messages.length >= PAGE, true));
    toEnd();
    scrolled();
  }

  async function jump(id) {
    if (!ready) return void (first = id);
    if (!rows.has(id)) await around(id, (show) => show());
    const target = articleOf({ id });
    if (!target) return;
    stuck = false;
    select(target);
    target.scrollIntoView({ block: 'center' });
    target.classList.add('found');
    setTimeout(() => target.classList.remove('found'), 2500);
  }

  function select(target) {
    for (const other of feed.querySelectorAll('[tabindex="0"]')) other.tabIndex = -1;
    target.tabIndex = 0;
    target.focus({ preventScroll: true });
    target.scrollIntoView({ block: 'nearest' });
  }

  function keys(event) {
    const at = items.findIndex(({ id }) => id === event.target.closest('article')?.dataset.id);
    const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: items.length - 1 }[event.key];
    if (at < 0 || (to === undefined && (event.key !== 'Enter' || !event.target.matches('article')))) return;
    event.preventDefault();
    if (to === undefined) act.actions(items[at]);
    else if (items[to]) select(articleOf(items[to]));
  }

  function* unseen() {
    for (const message of items.slice(Math.max(items.indexOf(firstSeen()), 0))) {
      if (message.unread && !told.has(message.id)) yield [message, rows.get(message.id)];
    }
  }

  function sayDisplayed(shown) {
    for (const { id } of shown) told.add(id);
    api.post(path('read'), { displayed: shown.map(({ id }) => id) }).then(
      ({ unread }) => {
        for (const message of shown) message.unread = false;
        set('unread', unread);
      },
      () => {
        for (const { id } of shown) told.delete(id);
      });
  }

  function counts() {
    if (!visible || !ready || document.hidden || !state.online) return;
    const { bottom: end } = box(scroller), from = items.indexOf(firstSeen()), ids = [];
    for (let at = Math.max(from, 0); at < items.length && box(rows.get(items[at].id)).top < end; at++) ids.push(items[at].id);
    countReach(ids, feed).catch(() => {});
  }

  let late = 0, isMissed = false; // At the end, and something unread stands further up.
  function count() {
    fill(newest, icon('down'), state.unread > 0 ? t('unread', { n: state.unread }) : t('newest'));
    clearTimeout(late);
    late = setTimeout(toggle, LATE, true);
  }

  function toggle(isSettled = false) {
    isMissed = stuck && state.unread > 0 && (isMissed || isSettled);
    newest.hidden = !items.length || (stuck && !isMissed);
    newest.classList.toggle('above', isMissed);
  }

  let heard = [], speaking = false;
  /** Says what came, not faster than it can be listened to. */
  function announce(messages) {
    const fresh = messages.filter(({ mine, unread }) => unread && !mine);
    const line = (message) => `${author(message)}: ${gist(message)}`;
    heard.push(...fresh);
    if (speaking) return;
    speaking = true;
    setTimeout(() => {
      const texts = heard.length > 3 ? [t('came', { n: heard.length })] : heard.map(line);
      fill(log, texts.map((text) => said(text, 'p')));
      heard = [];
      speaking = false;
    }, 1000);
  }

  function mark() {
    const old = items.findIndex(({ id }) => id === line);
    const at = items.findIndex(({ unread, mine }) => unread && !mine);
    line = items[at]?.id ?? null;
    dress(old);
    dress(at);
  }

  /** Shows the first that is new, once: as soon as there is something to see. */
  function toLine() {
    if (isPlaced || !visible) return;
    isPlaced = true;
    if (!rows.has(line)) return;
    scroller.scrollTop += box(rows.get(line)).top - box(scroller).top - scroller.clientHeight / 4;
    stuck = atTail && bottom() < 48;
  }

  async function begin(data) {
    replace(data.messages, data.more, true);
    const isHere = state.unread <= items.filter(({ unread, mine }) => unread && !mine).length;
    if (!isHere) await page(`around=unread&limit=${PAGE}`, fromUnread);
    mark();
    if (atTail) toEnd();
    ready = true;
    toLine();
    scrolled();
    counts();
    if (first) jump(first);
  }

  async function refresh() {
    const seen = stuck ? null : firstSeen();
    if (seen) await around(seen.id, keep);
    else await page(`limit=${PAGE}`, (messages) => keep(() => replace(messages, messages.length >= PAGE, true)));
    scrolled();
  }

  function take({ start, more: hasMore, messages }) {
    if (!start) {
      if (!arrived.length) setTimeout(news, 4);
      arrived.push(...messages);
      return;
    }
    arrived = [];
    if (!ready) return begin({ messages, more: hasMore });
    // The connection was away: whatever came meanwhile is in here, or between.
    if (!stuck) return refresh();
    keep(() => replace(messages, hasMore, true));
    scrolled();
  }

  /** What came in one moment goes onto the page at once. */
  function news() {
    const messages = arrived;
    arrived = [];
    if (messages.length > MAX) return refresh();
    const away = !visible || !isLooked() || !stuck;
    let fresh;
    keep(() => {
      fresh = messages.filter(put);
      trim(stuck);
      settle();
    });
    const isMarked = items.some(({ id, unread }) => id === line && unread);
    if (away && !isMarked && fresh.some(({ unread }) => unread)) keep(mark);
    announce(fresh);
    scrolled();
  }

  /** Fills a quote; what is not in the window is asked for once. */
  async function quote(id, el) {
    if (!quotes.has(id)) {
      if (quotes.size > 200) quotes.clear();
      const among = (list) => list.find((message) => message.id === id);
      quotes.set(id, among(items) ?? api.lines(path(`messages?around=${id}&limit=1`)).then(among, () => null));
    }
    const found = await quotes.get(id);
    fill(el, found ? [name(author(found)), said(gist(found), 'span')] : t('quoteGone'));
  }

  /** Shows what is being sent until the message itself is there; `is(message)` says whether it is it. */
  function pending(el, is) {
    const bubble = { is, settle, end: () => { sending.delete(bubble); el.remove(); settle(); } };
    sending.add(bubble);
    empty.hidden = true;
    tail.append(el);
    toNewest();
    return bubble;
  }

  const look = displayed(scroller, { canSee: () => visible && ready, rows: unseen, take: sayDisplayed });
  const looks = (members) => members.map(({ id, color }) => id + color).join();
  let people = looks(state.members);
  on('messages', take);
  on('unread', count);
  on('members', (members) => {
    const now = looks(members);
    if (now !== people && ready) keep(() => items.forEach(put));
    people = now;
  });
  daily(() => ready && keep(() => items.forEach(put)));
  const sizes = new ResizeObserver(() => { if (stuck) toEnd(); look(); });
  for (const el of [scroller, feed, tail]) sizes.observe(el);
  count();
  setInterval(counts, BEAT);

  return {
    elements: [log, scroller, newest], jump, pending,
    show() { visible = true; if (stuck) toEnd(); if (ready) toLine(); scrolled(); },
    hide() { visible = false; if (!items.some(({ unread }) => unread)) mark(); },
  };
}
