// Announcements with who has them, and the meeting point.
import { apart, api, button, check, field, fold, full, h, hour, inRow, keep, lasting, live, mayLead, name, named, on, path,
  risky, said, set, state, t, when } from './parts.js';
import { replacing } from './replacing.js';
import { buildMeeting, meeting, openSetting } from './meeting.js';

const PAGE = 200;
let all = [], from = null, more = false, looked = [], el;
const receipts = new Map(), told = new Set();

async function load() {
  const before = from ? `&before=${from}` : '';
  const page = await api.lines(path(`messages?type=announcement&limit=${PAGE}${before}`));
  more = page.length === PAGE;
  from = page[0]?.id ?? from;
  // What was withdrawn comes too, as such.
  all = [...page.filter((m) => m.type === 'announcement' && !all.some(({ id }) => id === m.id)), ...all];
  draw();
}

function heard({ start, messages }) {
  if (start) {
    // What was missed may be more than what came now.
    [all, from] = [[], null];
    return void load().catch(() => {});
  }
  for (const m of messages) {
    const at = all.findIndex(({ id }) => id === m.id), news = m.type === 'announcement' ? [m] : [];
    if (at >= 0) all.splice(at, 1, ...news);
    else all.push(...news);
  }
  draw();
}

/** What stays on the screen from one look to the next, in a window that has the focus, was displayed. */
function see(ids) {
  const point = state.meeting && { id: state.meeting.id, unread: !told.has(state.meeting.id) };
  const shown = [...all, point].filter((m) => document.hasFocus() && m?.unread && ids.includes(m.id));
  const displayed = shown.filter(({ id }) => looked.includes(id)).map(({ id }) => id);
  looked = shown.map(({ id }) => id);
  if (!displayed.length) return;
  api.post(path('read'), { displayed }).then(({ unread }) => {
    for (const message of shown) if (displayed.includes(message.id)) message.unread = false;
    displayed.forEach((id) => told.add(id));
    set('unread', unread);
  }, () => {});
}

async function ask() {
  if (document.hidden || !state.online) return void (looked = []);
  const view = el.root.getBoundingClientRect();
  const isOn = (row) => {
    const box = row.getBoundingClientRect();
    return box.bottom >= view.top && box.top <= view.bottom;
  };
  const rows = [...el.list.children].filter(isOn);
  see([...rows.map(({ dataset }) => dataset.id), isOn(el.meeting) && state.meeting?.id]);
  for (const { dataset: { id } } of rows) {
    const counts = receipts.get(id)?.counts;
    if (counts && counts.read === counts.members) continue;
    try { receipts.set(id, await api.get(path(`messages/${id}/receipts`))); } catch { break; }
  }
  draw();
}

const card = (a) => h(`li.card.stack${a.urgent ? '.urgent' : ''}${a.expired ? '.over' : ''}`, { 'data-id': a.id },
  h('p.row.small.muted', a.urgent && h('strong.badge.bad', t('urgent')), name(a.from), a.sent,
    a.until && h('span', a.until)),
  said(a.content),
  a.failed && h('p.trouble', a.failed),
  a.have && h('details', h('summary', a.have),
    a.waiting && h('p', t('notUnderstoodBy', { names: inRow(a.waiting.map(apart)).join('') })),
    h('p', a.missing.length ? t('missing', { names: inRow(a.missing.map(apart)).join('') }) : t('noneMissing'))),
  (a.again || a.mine) && h('.row',
    a.again && button('resend', async () => {
      receipts.set(a.id, await api.post(path(`messages/${a.id}/resend`)));
      draw();
    }, null, named('resend', a.content.slice(0, 60))),
    a.mine && risky('withdraw', () => t('withdrawSure'), () => api.del(path(`messages/${a.id}`)),
      named('withdraw', a.content.slice(0, 60)))));

function drawn({ id, content, authorName, authorNamesake, sentAt, mine, status, metadata }) {
  const { urgent, expired, expiresAt } = metadata;
  const { counts, missing, reason } = receipts.get(id) ?? {};
  const pending = state.urgent.find((one) => one.id === id);
  return {
    id, content, mine, urgent, expired, missing, from: full({ name: authorName, namesake: authorNamesake }),
    sent: when(sentAt), until: expiresAt && t(expired ? 'expiredAt' : 'until', { time: hour(expiresAt) }),
    failed: status === 'failed' && (reason ?? t('notCounted')), again: missing?.length > 0 && (mine || mayLead()),
    // Those who have not understood come first.
    waiting: pending?.waiting.length > 0 && pending.waiting,
    have: counts && [pending && t('understoodOf', { understood: pending.understoodBy, n: pending.members }), t('haveIt', { delivered: counts.delivered, read: counts.read, n: counts.members })].filter(Boolean).join(' '),
  };
}

function draw() {
  keep(el.list, [...all].reverse().map(drawn), card);
  el.none.hidden = all.length > 0 || more;
  el.more.hidden = !more;
  el.write.hidden = !mayLead();
}

function writing() {
  const again = replacing();
  const text = h('textarea', { rows: 3, required: true, dir: 'auto' });
  const until = lasting(), urgent = h('input', { type: 'checkbox', onChange: () => {
    // An urgent word ends by itself, unless somebody chose otherwise.
    if (urgent.checked && until.value === '0') until.value = '14400';
  } });
  return h('section.card', fold('writeNews', 'announceIt', () => api.post(path('messages'), {
    type: 'announcement', content: text.value, urgent: urgent.checked, expiresSeconds: Number(until.value) || undefined,
    replaces: urgent.checked && again.input.checked ? again.id() : undefined,
  }), field('announcement', text), field('validFor', until), check('urgent', urgent), again.el));
}

function build() {
  el = { list: h('ul.stack'), none: h('p.empty', t('noNews')), more: button('older', load), write: writing() };
  on('messages', heard);
  load().catch(() => {});
  el.meeting = buildMeeting();
  return (el.root = h('div', h('section.stack.at-board', el.meeting,
    h('h2', t('announcements')), el.write, el.none, el.list, el.more)));
}

const board = live(['tour', 'urgent'], draw, 2000, ask);
export default {
  id: 'board', build,
  show(part) {
    meeting.show();
    board.show();
    if (part) el.root.scrollTop = 0;
    if (part === 'set') openSetting();
  },
  hide() { meeting.hide(); board.hide(); },
};
