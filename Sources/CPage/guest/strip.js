// Above the chat: what is urgent, who is lost, whether one is asked for, and what is next.
import { h, icon, keep, name, said } from './dom.js';
import { showMeeting, showProgramme } from './meeting.js';
import { hour, moment } from './moments.js';
import { again, drop, write } from './seat.js';
import { showSave } from './save.js';
import { ended, on, state } from './state.js';
import { button } from './sheets.js';
import { isMuted, ring } from './sound.js';
import { toUnderstand } from './urgent.js';
import { t, time } from './words.js';

const rung = new Set();
// Understood here; the view says so a moment later, and must not show it once more until then.
const understood = new Set();
on('written', ({ item }) => { if (item.act.kind === 'understood') understood.add(item.act.message); });
let list, voice;

/** Whether something of this kind is waiting to be written, so that a button says so at once. */
/** The part that is shown: a button that is drawn anew for anything else loses the tap on it. */
const pressed = ({ id, author, at, text }, behind) => ({ id, author, at, text, behind });
const waits = (kind, field, value) => state.waiting.some(({ act }) => act.kind === kind && act[field] === value);

const answerRoll = ({ id }, state) => () => write({ kind: 'roll-answer', roll: id, state });

const draws = {
  urgent: ({ one }) => h('section.banner.bad.pressing', { 'aria-label': t('urgent') },
    h('p.row', icon('announce'), h('strong', t('urgentFrom', { name: one.author })), h('time.small', time(one.at))),
    said(one.text), button('understood', () => write({ kind: 'understood', message: one.id }), 'check'),
    one.behind > 0 && h('p.small', t('moreUrgent', { n: one.behind }))),
  own: ({ one, isWaiting }) => h('section.banner.bad', { 'aria-label': t('lost') },
    h('p.row', icon('sos'), h('strong', t('youAreLost'))), one.guidesOnly && h('p.small', t('guidesOnly')),
    said(one.text),
    h('p', t('guidesHave', { have: one.guidesReached, n: one.guides }),
      !one.answers.length && [' ', t('noneAnswered')]),
    h('ul', one.answers.map((answer) => h('li', t(`said_${answer.answer}`, { name: answer.name })))),
    isWaiting ? waitingLine()
      : button('answer_found', () => write({ kind: 'alarm-answer', alarm: one.id, answer: 'found' }), 'check')),
  calling: ({ one: { key, refused } }) => h('section.banner.bad', { 'aria-label': t('lost') },
    h('p.row', icon('sos'), h('strong', refused ? name(refused) : t('lostWaits'))),
    refused && h('.pair', button('again', () => again(key)), button('discard', () => drop(key)))),
  lost: ({ one }) => h('section.banner.warn', { 'aria-label': t('lost') },
    h('p.row', icon('sos'), h('strong', t('isLost', { name: one.name })), h('time.small', time(one.at))),
    said(one.text)),
  roll: ({ one, isWaiting }) => h('section.banner.call', { 'aria-label': t('roll') },
    h('p.row', icon('people'), h('strong', t('rollBy', { name: one.name })),
      h('span.small', t('rollCount', { here: one.here, n: one.all }))), said(one.text),
    isWaiting && waitingLine(),
    one.asked && !isWaiting && h('.pair',
      button('imHere', answerRoll(one, 'here'), 'check'),
      one.mine !== 'not-here' && button('notHere', answerRoll(one, 'not-here'))),
    one.said && !isWaiting && h('p.row.small', icon('check'), h('span', t(one.said)))),
  farewell: ({ one: { host, until } }) => h('section.banner.call', { 'aria-label': t('tourEnded') },
    h('p.row', icon('check'), h('strong', t('tourEnded'))), h('p', t('farewell', { name: host, time: until })),
    button('saveAll', showSave, 'file')),
  next: ({ one }) => h('button.next', { onClick: one.meeting ? showMeeting : showProgramme },
    icon(one.meeting ? 'pin' : 'today'), one.title ? name(one.title) : h('span.muted', t('nothingNext')),
    h('time', { 'data-at': one.at, 'data-deadline': one.deadline })),
};
const waitingLine = () => h('p.row.small', icon('clock'), h('span', t('waitingHere')));

/** The meeting point, or the next stop of the programme. */
function next({ meeting, programme }) {
  if (meeting && !meeting.expired) {
    const at = meeting.meetAt ? Number(new Date(meeting.meetAt)) : null;
    return { meeting: true, title: meeting.label || meeting.text, at, deadline: meeting.deadline || at };
  }
  const stops = programme ? programme.stops : [];
  const stop = stops.find(({ at }) => at && new Date(at) > Date.now()) || stops.find(({ at }) => !at);
  const at = stop && stop.at ? Number(new Date(stop.at)) : null;
  return { meeting: false, title: stop ? stop.name : null, at, deadline: at };
}

function items({ urgent, alarms, roll, rollAnswer, meeting, programme }) {
  // An urgent word that is understood here, and on its way to the others, waits for nobody.
  const { next: pressing, behind } = toUnderstand(urgent.filter(({ id }) =>
    !understood.has(id) && !waits('understood', 'message', id)));
  const open = alarms.filter((one) => one.open), own = open.find((one) => one.mine);
  const calls = state.waiting.filter(({ act }) => act.kind === 'alarm');
  const call = calls.find(({ refused }) => refused) || calls[0];
  const some = ({ id, name, text, at, guidesOnly, guides, guidesReached, answers }) =>
    ({ id, name, text, at, guidesOnly, guides, guidesReached,
      answers: answers.filter(({ memberID }) => memberID !== me()) });
  return [
    call && (!own || call.refused) && { id: 'calling', kind: 'calling', one: { key: call.key, refused: call.refused } },
    own && { id: own.id, kind: 'own', one: some(own), isWaiting: waits('alarm-answer', 'alarm', own.id) },
    pressing && { id: pressing.id, kind: 'urgent', one: pressed(pressing, behind) },
    roll && roll.open && {
      id: roll.id, kind: 'roll', isWaiting: waits('roll-answer', 'roll', roll.id),
      one: {
        id: roll.id, name: roll.name, text: roll.text, here: roll.here, all: roll.all, asked: roll.asked,
        mine: rollAnswer, said: saidOf(roll, rollAnswer),
      },
    },
    ...open.filter((one) => !one.mine).map((one) => ({ id: one.id, kind: 'lost', one: some(one) })),
    { id: 'next', kind: 'next', one: next({ meeting, programme }) },
  ].filter(Boolean);
}
const me = () => state.record.member;

/** The word by which one is counted may be somebody else's. */
function saidOf({ members }, answer) {
  const own = members.find(({ memberID }) => memberID === me());
  if (own && own.state === 'here') return answer === 'here' ? 'saidHere' : 'countedHere';
  return answer === 'not-here' ? 'saidNotHere' : null;
}

/** Nothing of a tour that has ended waits for anybody. */
function farewell({ until }) {
  return { id: 'farewell', kind: 'farewell', one: { host: state.record.host.name, until: hour(Date.parse(until)) } };
}

function draw() {
  const over = ended();
  if (!over && !state.view) return;
  const all = over ? [farewell(over)] : items(state.view);
  keep(list, all, (item) => draws[item.kind](item));
  tick();
  const fresh = all.filter(({ id, kind, one }) =>
    !rung.has(id) && (kind === 'urgent' || kind === 'lost' || (kind === 'roll' && one.asked && !one.mine)));
  if (over) voice.textContent = t('tourEnded');
  if (!state.view) return;
  // Those behind the newest were told of with it.
  for (const { id } of [...fresh, ...state.view.urgent]) rung.add(id);
  if (!fresh.length) return;
  const words = { urgent: 'urgentFrom', lost: 'isLost', roll: 'rollBy' };
  voice.textContent = fresh.map(({ kind, one }) =>
    `${t(words[kind], { name: one.author || one.name })}. ${one.text || ''}`).join(' ');
  if (!isMuted() || fresh.some(({ kind }) => kind !== 'roll')) ring();
}

function tick() {
  for (const el of list.querySelectorAll('[data-at]')) {
    const deadline = Number(el.dataset.deadline);
    el.textContent = moment(Number(el.dataset.at), deadline);
    el.classList.toggle('trouble', deadline < Date.now());
  }
}

export function buildStrip() {
  list = h('.strip');
  voice = h('p.visually-hidden', { role: 'alert' });
  on('view', 'waiting', 'phase', () => state.record && draw());
  setInterval(() => document.hidden || tick(), 1000);
  return h('section.above', { 'aria-label': t('glance'), tabindex: '0' }, voice, list);
}
