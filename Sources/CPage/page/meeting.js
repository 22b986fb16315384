// Where and when all meet, and how each gets on.
import { ago, apart, api, button, field, fold, full, h, keep, lang, lasting, live, mayLead, name, number, once, path, risky, state, t, when } from './parts.js';

const steps = [3600, 1800, 900, 600, 300, 120, 60, 30, 10, 0]; // Seconds before, at which a screen reader says it.
let el, last = null, photo = {};

/** 4:05, or 1:04:05. */
function clock(seconds) {
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60];
  if (seconds >= 3600) parts.unshift(Math.floor(seconds / 3600));
  return parts.map((n, i) => n.toLocaleString(lang, { minimumIntegerDigits: i ? 2 : 1 })).join(':');
}

function tick() {
  const at = state.meeting?.meetAt, face = el.card.querySelector('.countdown');
  if (!at || !face) return;
  const left = Math.round((new Date(at) - Date.now()) / 1000), far = Math.abs(left) > 86_400;
  face.textContent = far ? ago(at) : t(left < 0 ? 'sinceTime' : 'inTime', { time: clock(Math.abs(left)) });
  face.classList.toggle('trouble', left < 0);
  if (steps.some((step) => left <= step && last > step)) {
    el.voice.textContent = `${t('kind_meeting')}: ${left > 45 ? ago(at) : face.textContent}`;
    setTimeout(() => { el.voice.textContent = ''; }, 5000);
  }
  last = left;
}

async function load({ id, complete, thumbnail }) {
  const whole = complete ? await api.blob(path(`files/${id}/content`)).catch(() => null) : null;
  const blob = whole ?? (thumbnail && new Blob([Uint8Array.from(atob(thumbnail), (c) => c.charCodeAt(0))]));
  return blob ? URL.createObjectURL(blob) : '';
}

/** The photo as far as it is here: whole, or small as it came with the message. */
function show(img, { id, complete, thumbnail }) {
  if (photo.id !== id || photo.complete !== complete) {
    photo.url?.then((url) => URL.revokeObjectURL(url));
    photo = { id, complete, url: load({ id, complete, thumbnail }) };
  }
  photo.url.then((url) => { img.hidden = !url; if (url) img.src = url; });
}

const people = (word, list, bad) => list.length > 0 && h('p', { class: bad ? 'trouble' : '' },
  h('strong', null, `${t(word)} (${number(list.length)}): `),
  list.map((one, i) => [i > 0 && ', ', name(one.name), one.minutes && ` ${t('minutes', { n: one.minutes })}`]));

function card(m) {
  if (!m.text) return h('p', { class: 'muted' }, t('noMeet'));
  const img = m.photo && h('img', { alt: t('meetPhoto'), hidden: true });
  if (img) show(img, m.photo);
  const late = h('input', { type: 'number', class: 'input', min: 1, max: 1440, required: true, value: m.mine?.minutes ?? 10, 'aria-label': t('lateMinutes') });
  const of = (kind) => m.answers.filter(({ answer }) => answer === kind);
  const say = (answer, minutes) => api.post(path('meeting/answer'), { answer, minutes });
  const mine = (kind) => ({ 'aria-pressed': m.mine?.answer === kind });
  return h('div', { class: 'stack' },
    m.at && !m.expired && h('p', { class: 'countdown', role: 'timer' }),
    h('p', { class: 'text big', dir: 'auto' }, m.text),
    h('p', null, m.at && h('strong', null, `${m.at} · `), m.label && [name(m.label), ' · '], h('span', { class: 'mono', dir: 'ltr' }, m.place)),
    img,
    h('p', { class: 'muted small' }, t('setBy', { name: apart(m.by) }), m.until && ` · ${m.until}`),
    m.asked && !m.expired && h('div', { class: 'row', role: 'group', 'aria-label': t('yourAnswer') },
      button('onMyWay', () => say('on-my-way'), null, mine('on-my-way')),
      h('form', { class: 'row', onSubmit: once(() => say('late', Number(late.value))) }, h('button', { class: 'button', ...mine('late') }, t('late')), late),
      button('lost', () => say('lost'), 'sos', mine('lost'))),
    people('areLost', of('lost'), true), people('late', of('late')), people('onMyWay', of('on-my-way')),
    people('unanswered', m.unanswered.map((name) => ({ name }))),
    m.leads && h('div', null, risky('clearMeeting', () => t('clearWhat'), () => api.del(path('meeting')))));
}

function draw() {
  const m = state.meeting;
  keep(el.card, [!m ? { id: 'none' } : {
    id: m.id, text: m.text, label: m.label, by: m.by, expired: m.expired, answers: m.answers, unanswered: m.unanswered, leads: mayLead(),
    asked: state.tour.active && m.by !== (state.me && full(state.me)), place: `${m.latitude.toFixed(5)}, ${m.longitude.toFixed(5)}`, at: when(m.meetAt),
    until: m.expiresAt && t(m.expired ? 'expiredAt' : 'until', { time: when(m.expiresAt) }),
    mine: m.answers.find(({ memberID }) => memberID === state.tour.memberID),
    photo: m.photo && { id: m.id, complete: m.photo.complete, thumbnail: m.photo.thumbnail },
  }], card);
  el.set.hidden = !mayLead();
}

/** Guides say where: by hand, or where this node's receiver says that it is. */
function setting() {
  const text = h('input', { required: true, dir: 'auto', autocomplete: 'off' }), label = h('input', { dir: 'auto', autocomplete: 'off' });
  const place = h('input', { required: true, dir: 'ltr', placeholder: '41.00824, 28.97836', autocomplete: 'off',
    pattern: '\\s*-?\\d+(\\.\\d+)?\\s*[,;\\s]\\s*-?\\d+(\\.\\d+)?\\s*', title: t('coordinates') });
  const at = h('input', { type: 'datetime-local' }), until = lasting(), file = h('input', { type: 'file', accept: 'image/*' });
  return fold('setMeeting', 'setMeeting', async () => {
    const [latitude, longitude] = place.value.trim().split(/[,;\s]+/).map(Number), [picture] = file.files;
    const upload = picture && (await api.upload(`uploads?name=${encodeURIComponent(picture.name)}`, picture)).upload;
    await api.post(path('meeting'), {
      text: text.value, latitude, longitude, upload, label: label.value.trim() || undefined,
      at: at.value ? new Date(at.value).toISOString() : undefined, expiresSeconds: Number(until.value) || undefined });
  }, field('meetText', text), field('meetLabel', label), field('coordinates', place), button('nodePlace', async () => {
    const fix = await api.get('position');
    place.value = `${fix.latitude}, ${fix.longitude}`;
  }, 'pin'), h('div', { class: 'columns' }, field('meetTime', at), field('validFor', until), field('meetPhoto', file)));
}

export function buildMeeting() {
  el = { card: h('div'), voice: h('p', { class: 'visually-hidden', role: 'status' }), set: setting() };
  return h('section', { class: 'card stack' }, h('h2', null, t('kind_meeting')), el.card, el.voice, el.set);
}

export const meeting = live(['meeting', 'tour', 'me'], draw, 1000, tick);
