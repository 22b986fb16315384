// Who is lost: above every view until it is over, and the way to say so oneself.
import { apart, api, button, by, check, degrees, dialog, field, form, h, icon, inRow, keep, on, path, said, set,
  state, t, time, toast } from './parts.js';

const WORDS = ['seen', 'on-my-way', 'wait', 'found'];
const LENGTH = 1024; // Bytes that an alarm's words may have.
const rung = new Set(); // Alarms that were told of aloud.
let el, voice;

/** Asks how it is to be said; the second tap says it. */
export function cry(also) {
  const text = h('textarea', { rows: 2, dir: 'auto' }), told = h('p', t('lostWhat'));
  const only = h('input', { type: 'checkbox', onChange: () => { told.hidden = only.checked; } });
  const box = dialog(t('lost'), told, form('callGuides', async () => {
    const bytes = new TextEncoder().encode(text.value.trim());
    // A letter that is cut in half is left out.
    const words = new TextDecoder().decode(bytes.slice(0, LENGTH)).replace(/\ufffd+$/, '');
    await api.post(path('alarms'), { text: words, guidesOnly: only.checked });
    box.close();
    await look();
    await also?.();
  }, field('lostWords', text), check('guidesOnly', only)));
  box.querySelector('[type=submit]').focus();
}

async function look() {
  const { alarms } = await api.get(path('alarms'));
  set('alarms', alarms);
}

/** Short tones; silent where the browser wants a click first and there was none, say after a reload. */
export function ring() {
  if (navigator.userActivation?.hasBeenActive === false) return;
  try {
    const audio = new AudioContext(), from = audio.currentTime;
    for (const [at, frequency] of [[0, 880], [0.25, 660], [0.5, 880]]) {
      const tone = audio.createOscillator();
      tone.frequency.value = frequency;
      tone.connect(audio.destination);
      tone.start(from + at);
      tone.stop(from + at + 0.2);
    }
    setTimeout(() => audio.close(), 1500);
  } catch { /* There is no sound here. */ }
}

const say = (a, answer) => async () => {
  await api.post(path(`alarms/${a.alarm}/answer`), { answer });
  await look();
};

function about({ place, near, battery, host }) {
  const words = [host, near.length && t('nearTo', { names: inRow(near).join('') }),
    battery !== null && t('battery', { n: battery })];
  return h('p.small', place && [t('lastPlace'), ' ', h('span.mono', { dir: 'ltr' }, place), ' · '],
    words.filter(Boolean).join(' · '));
}

const answered = ({ answers }) =>
  h('ul.small', answers.map(([who, word]) => h('li', t(`said_${word}`, { name: who }))));

function banner(a) {
  const head = a.mine ? h('strong', t('youAreLost')) : h('strong', t('isLost', { name: a.name }));
  const words = a.mine ? ['found'] : a.leads ? WORDS : [];
  const reach = a.mine && h('p', t('guidesHave', { have: a.have, n: a.guides }),
    a.answers.length === 0 && [' ', t('noneAnswered')]);
  return h(`section.banner${a.answered ? '.known' : ''}`, { 'aria-label': t('lost') },
    h('p.row', icon('sos'), head, h('time.small', a.at)), a.only && h('p.small', t('guidesOnly')), said(a.text), !a.mine && about(a), reach, answered(a),
    words.length > 0 && h('.row', words.map((word) => button(`answer_${word}`, say(a, word), null,
      { 'aria-pressed': String(a.answered === word) }))));
}

function draw() {
  const open = state.alarms.filter((a) => a.open && (a.mine || a.leads));
  const items = open.map((a) => ({
    // Where nothing but the time changes nothing is drawn anew.
    id: a.id, alarm: a.id, mine: a.mine, leads: a.leads, name: a.name, text: a.text, at: time(a.at),
    host: by(a), only: a.guidesOnly, near: a.near.map(apart), battery: a.batteryPercent, have: a.guidesReached, guides: a.guides, answered: a.answered,
    place: a.location && degrees(a.location.latitude, a.location.longitude),
    answers: a.answers.filter(({ memberID }) => memberID !== state.tour.memberID)
      .map((answer) => [answer.name, answer.answer]),
  }));
  keep(el, items, banner);
  for (const a of open) {
    if (a.mine || a.answered || rung.has(a.id)) continue;
    rung.add(a.id);
    voice.textContent = `${t('isLost', { name: a.name })} ${a.text}`;
    ring();
  }
}

export function buildAlarms(...more) {
  el = h('div');
  voice = h('p.visually-hidden', { role: 'alert' });
  on('alarms', draw);
  // The message itself comes before the next look of the node at what stands beside the messages.
  on('messages', ({ messages }) => { if (messages.some(({ type }) => type === 'alarm')) look().catch(() => {}); });
  return h('.alarms', voice, el, more);
}

let told = 0;
on('alarms', (alarms) => {
  const own = alarms.find((a) => a.mine && a.open);
  const answers = own?.answers.filter(({ memberID }) => memberID !== state.tour.memberID) ?? [];
  if (answers.length > told) toast(t(`said_${answers.at(-1).answer}`, { name: answers.at(-1).name }));
  told = answers.length;
});
