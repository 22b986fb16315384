// Where and when all meet, the programme, and the way to say that one is lost.
import { h, name, said } from './dom.js';
import { daily, moment } from './moments.js';
import { placeButton } from './places.js';
import { write } from './seat.js';
import { stopList } from './shared.js';
import { on, state } from './state.js';
import { button, field, form, redraw, sheet } from './sheets.js';
import { day, number, t, time } from './words.js';

const WORDS_MAX = 1024; // Bytes that an alarm's words may have.
/** The sheet that is open, drawn again when something changes. */
let shown = null;
on('view', 'waiting', () => shown && shown.isConnected && shown.draw());
setInterval(() => {
  const el = shown && shown.isConnected && shown.querySelector('.countdown');
  if (el) el.textContent = countdown(state.view.meeting);
}, 1000);
daily(() => shown && shown.isConnected && shown.draw());
const countdown = ({ meetAt, deadline }) => moment(Number(new Date(meetAt)), deadline);

function live(title, build) {
  shown = sheet(title);
  shown.draw = () => redraw(shown, build());
  shown.draw();
}

const people = (word, list, kind = '') => list.length > 0 && h(`p${kind}`,
  h('strong', `${t(word)} (${number(list.length)}): `), list.map((one, index) =>
    [index > 0 && ', ', name(one.name), one.minutes && ` ${t('minutes', { n: one.minutes })}`]));

/** What one answered to it is `answer` of the meeting point, or of the view. */
export const showMeeting = () => live(t('kind_meeting'), () => {
  const { meeting } = state.view || {};
  if (!meeting) return h('p.muted', t('noMeet'));
  const mine = meeting.answer || state.view.answer;
  const of = (kind) => meeting.answers.filter(({ answer }) => answer === kind);
  const waiting = state.waiting.find(({ act }) => act.kind === 'meeting-answer');
  const now = waiting ? waiting.act.answer : mine && (mine.answer || mine);
  const say = (answer, minutes) => () => write({ kind: 'meeting-answer', meeting: meeting.id, answer, minutes });
  const isNow = (answer) => ({ 'aria-pressed': `${now === answer}` });
  const minutes = h('select', { 'aria-label': t('lateMinutes') },
    [5, 10, 15, 20, 30, 45, 60].map((n) => h('option', { value: n, selected: n === 10 }, t('minutes', { n }))));
  const late = button('late', () => say('late', Number(minutes.value))(), null, isNow('late'));
  return [
    meeting.deadline && !meeting.expired && h('p.countdown', { role: 'timer' }, countdown(meeting)),
    said(meeting.text, 'p.text.big'), meeting.label && h('p', name(meeting.label)),
    meeting.meetAt && h('p', `${day(meeting.meetAt)} ${time(meeting.meetAt)}`),
    placeButton(meeting, meeting.label || meeting.text),
    h('p.muted.small', t('setBy', { name: meeting.by })),
    meeting.insteadOf && h('p', t('insteadOf', { name: meeting.insteadOf.name, text: meeting.insteadOf.text })),
    !meeting.expired && h('.stack', { role: 'group', 'aria-label': t('yourAnswer') }, h('strong', t('yourAnswer')),
      button('onMyWay', say('on-my-way'), null, isNow('on-my-way')), h('.pair', late, minutes),
      button('lost', () => cry(say('lost')), 'sos', isNow('lost'))),
    waiting && h('p.small', t('waitingHere')),
    people('areLost', of('lost'), '.trouble'), people('areLate', of('late')), people('areComing', of('on-my-way')),
    people('unanswered', meeting.unanswered.map((name) => ({ name }))),
  ];
});

export const showProgramme = () => live(t('programme'), () => {
  const { programme } = state.view || {};
  if (!programme || !programme.stops.length) return h('p.muted', t('noProgramme'));
  const next = programme.stops.find(({ at }) => at && new Date(at) > Date.now());
  return [programme.title && h('p.strong', { dir: 'auto' }, programme.title), stopList(programme.stops, next)];
});

/** Asks how it is to be said; the second tap says it. */
export function cry(also) {
  const text = h('textarea', { rows: 2, dir: 'auto' }), told = h('p', t('lostTold'));
  const only = h('input', { type: 'checkbox', onChange: () => { told.hidden = only.checked; } });
  const el = sheet(t('lost'), told, form('callGuides', async () => {
    const bytes = new TextEncoder().encode(text.value.trim());
    // A letter that is cut in half is left out.
    const words = new TextDecoder().decode(bytes.slice(0, WORDS_MAX)).replace(/\ufffd+$/, '');
    el.close();
    write({ kind: 'alarm', text: words, ...(only.checked && { guidesOnly: true }), ...await battery() });
    if (also) also();
  }, field('lostWords', text), h('label.row', only, h('span', t('guidesOnly')))));
  el.classList.add('alarming');
  el.querySelector('[type=submit]').focus();
}

async function battery() {
  try {
    return { battery: Math.round((await navigator.getBattery()).level * 100) };
  } catch { return {}; }
}
