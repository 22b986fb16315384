// Where and when all meet, and how each gets on.
import { cry } from './lost.js';
import { ago, apart, api, button, field, fold, full, h, inRow, keep, lang, lasting, live, mayLead, name, number, once,
  path, risky, said, section, state, t, unpack, when } from './parts.js';

const steps = [3600, 1800, 900, 600, 300, 120, 60, 30, 10, 0]; // Seconds before, at which a screen reader says it.
let el, last = null, photo = {};

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
  const blob = whole ?? (thumbnail && unpack(thumbnail));
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
  h('strong', `${t(word)} (${number(list.length)}): `),
  inRow(list.map((one) => [name(one.name), one.minutes && ` ${t('minutes', { n: one.minutes })}`])));

function card(m) {
  if (!m.text) return h('p.muted', t('noMeet'));
  const img = m.photo && h('img', { alt: t('meetPhoto'), hidden: true });
  if (img) show(img, m.photo);
  const late = h('input.input', {
    type: 'number', min: 1, max: 1440, required: true, value: m.mine?.minutes ?? 10, 'aria-label': t('lateMinutes'),
  });
  const of = (kind) => m.answers.filter(({ answer }) => answer === kind);
  const say = (answer, minutes) => api.post(path('meeting/answer'), { answer, minutes });
  const mine = (kind) => ({ 'aria-pressed': m.mine?.answer === kind });
  const answers = () => h('.row', { role: 'group', 'aria-label': t('yourAnswer') },
    button('onMyWay', () => say('on-my-way'), null, mine('on-my-way')),
    h('form.row', { onSubmit: once(() => say('late', Number(late.value))) },
      h('button.button', { type: 'submit', ...mine('late') }, t('late')), late),
    button('lost', () => cry(() => say('lost')), 'sos', mine('lost')));
  return h('.stack', m.at && !m.expired && h('p.countdown', { role: 'timer' }),
    said(m.text, 'p.text.big'),
    h('p', m.at && h('strong', `${m.at} · `), m.label && [name(m.label), ' · '],
      h('span.mono', { dir: 'ltr' }, m.place)),
    img, h('p.muted.small', t('setBy', { name: apart(m.by) }), m.until && ` · ${m.until}`),
    m.asked && !m.expired && answers(),
    people('areLost', of('lost'), true), people('areLate', of('late')), people('areComing', of('on-my-way')),
    people('unanswered', m.unanswered.map((name) => ({ name }))),
    m.leads && h('div', risky('clearMeeting', () => t('clearWhat'), () => api.del(path('meeting')))));
}

function draw() {
  const m = state.meeting, own = state.me && full(state.me);
  keep(el.card, [!m ? { id: 'none' } : {
    id: m.id, text: m.text, label: m.label, by: m.by, expired: m.expired, answers: m.answers, unanswered: m.unanswered,
    leads: mayLead(), asked: state.tour.active && m.by !== own, at: when(m.meetAt),
    place: `${m.latitude.toFixed(5)}, ${m.longitude.toFixed(5)}`,
    until: m.expiresAt && t(m.expired ? 'expiredAt' : 'until', { time: when(m.expiresAt) }),
    mine: m.answers.find(({ memberID }) => memberID === state.tour.memberID),
    photo: m.photo && { id: m.id, complete: m.photo.complete, thumbnail: m.photo.thumbnail },
  }], card);
  el.set.hidden = !mayLead();
}

/** Guides say where: by hand, or where this node's receiver says that it is. */
function setting() {
  const line = (props) => h('input', { dir: 'auto', autocomplete: 'off', ...props });
  const text = line({ required: true }), label = line(), place = line({
    required: true, dir: 'ltr', placeholder: '41.00824, 28.97836', title: t('coordinates'),
    pattern: '\\s*-?\\d+(\\.\\d+)?\\s*[,;\\s]\\s*-?\\d+(\\.\\d+)?\\s*',
  });
  const at = line({ type: 'datetime-local' }), until = lasting(), file = line({ type: 'file', accept: 'image/*' });
  const here = button('nodePlace', async () => {
    const fix = await api.get('position');
    place.value = `${fix.latitude}, ${fix.longitude}`;
  }, 'pin');
  return fold('setMeeting', 'setMeeting', async () => {
    const [latitude, longitude] = place.value.trim().split(/[,;\s]+/).map(Number), [picture] = file.files;
    const upload = picture
      && (await api.upload(`uploads?name=${encodeURIComponent(picture.name)}`, picture)).upload;
    await api.post(path('meeting'), {
      text: text.value, latitude, longitude, upload, label: label.value.trim() || undefined,
      at: at.value ? new Date(at.value).toISOString() : undefined, expiresSeconds: Number(until.value) || undefined,
    });
  }, field('meetText', text), field('meetLabel', label), field('coordinates', place), here,
  h('.columns', field('meetTime', at), field('validFor', until), field('meetPhoto', file)));
}

export function buildMeeting() {
  el = { card: h('div'), voice: h('p.visually-hidden', { role: 'status' }), set: setting() };
  return section('kind_meeting', el.card, el.voice, el.set);
}

export const meeting = live(['meeting', 'tour', 'me'], draw, 1000, tick);
