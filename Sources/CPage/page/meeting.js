// Where and when all meet, and how each gets on.
import { cry } from './lost.js';
import { coordinates, dots } from './notebook/items.js';
import { apart, api, button, degrees, field, fill, fold, full, h, hour, inRow, isIn, keep, lasting, live, mayLead, moment,
  name, number, once, path, remaining, risky, said, section, state, t, unpack, when } from './parts.js';

const steps = [3600, 1800, 900, 600, 300, 120, 60, 0]; // Seconds before, at which a screen reader says it.
let el, last = null, photo = {};

function tick() {
  const face = el.card.querySelector('.countdown');
  if (!state.meeting?.meetAt || !face) return;
  const at = Number(new Date(state.meeting.meetAt)), left = Math.floor((at - Date.now()) / 1000);
  face.textContent = moment(at);
  face.classList.toggle('trouble', left < 0);
  if (steps.some((step) => left <= step && last > step)) {
    el.voice.textContent = `${t('kind_meeting')}: ${remaining(at)}`;
    setTimeout(() => { el.voice.textContent = ''; }, 5000);
  }
  last = left;
}

async function load({ id, complete, thumbnail }) {
  const whole = complete ? await api.blob(path(`files/${id}/content`)).catch(() => null) : null;
  const blob = whole ?? (thumbnail && unpack(thumbnail));
  return blob ? URL.createObjectURL(blob) : '';
}

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
    (m.at || m.label || m.place) && h('p', dots(m.at && h('strong', m.at), m.label && name(m.label),
      m.place && h('span.mono', { dir: 'ltr' }, m.place))),
    img, h('p.muted.small', t('setBy', { name: apart(m.by) }), m.until && ` · ${m.until}`),
    m.instead && h('p', { class: m.instead.mine ? 'caution' : '' },
      t(m.instead.mine ? 'insteadOfYours' : 'insteadOf', { name: m.instead.name, text: m.instead.text })),
    m.asked && !m.expired && answers(),
    people('areLost', of('lost'), true), people('areLate', of('late')), people('areComing', of('on-my-way')),
    people('unanswered', m.unanswered.map((name) => ({ name }))),
    m.leads && h('div', risky('clearMeeting', () => t('clearWhat'), () => api.del(path('meeting')))));
}

function draw() {
  const m = state.meeting, own = state.me && full(state.me);
  keep(el.card, [!m ? { id: 'none' } : {
    id: m.id, text: m.text, label: m.label, by: m.by, expired: m.expired, answers: m.answers, unanswered: m.unanswered,
    instead: m.insteadOf,
    leads: mayLead(), asked: state.tour.active && m.by !== own, at: when(m.meetAt),
    place: m.latitude !== null && degrees(m.latitude, m.longitude),
    until: m.expiresAt && t(m.expired ? 'expiredAt' : 'until', { time: hour(m.expiresAt) }),
    mine: m.answers.find(({ memberID }) => memberID === state.tour.memberID),
    photo: m.photo && { id: m.id, complete: m.photo.complete, thumbnail: m.photo.thumbnail },
  }], card);
  el.set.hidden = !mayLead();
}

/** What is known of places: stops, saved places, and where people say that they are. */
async function known() {
  const [{ stops }, saved] = await Promise.all([
    import('./plan.js').then(({ load }) => load()), api.lines('notebook/bookmarks')]);
  const soon = (at) => (at && new Date(at) > Date.now() && new Date(at) - Date.now() < 86_400_000 ? hours(at) : '');
  return [
    ['stops', stops.map(({ title, north, east, at }) => ({ title, north, east, at: soon(at) }))],
    ['tab_place', saved.slice(-500).map(({ title, url }) => ({ title, ...coordinates(url) }))],
    ['people', state.members.filter((m) => m.position && isIn(m)).map((m) =>
      ({ title: full(m), north: m.position.latitude, east: m.position.longitude }))],
  ].filter(([, places]) => places.length);
}

const hours = (at) => new Date(at).toTimeString().slice(0, 5);

/** Guides say where, in words or by a place that is known, and when. */
function setting() {
  const line = (props) => h('input', { dir: 'auto', autocomplete: 'off', ...props });
  const where = line({ required: true }), text = line(), place = line({
    dir: 'ltr', placeholder: '41.00824, 28.97836', title: t('coordinates'),
    pattern: '\\s*-?\\d+(\\.\\d+)?\\s*[,;\\s]\\s*-?(?!0\\d)\\d+(\\.\\d+)?\\s*',
  });
  const inMinutes = (n) => t('inMin', { n });
  const at = line({ class: 'input', maxlength: 64, placeholder: `14:00 · ${inMinutes(15)}` });
  const until = lasting(), file = line({ type: 'file', accept: 'image/*' });
  const here = button('nodePlace', async () => {
    const fix = await api.get('position');
    place.value = `${fix.latitude}, ${fix.longitude}`;
  }, 'pin');
  const choose = h('select', { onChange: () => {
    const one = places[choose.value] ?? { title: '' };
    where.value = one.title;
    place.value = 'north' in one ? `${one.north}, ${one.east}` : '';
    at.value ||= one.at ?? '';
    more.open ||= place.value !== '';
  } });
  const pick = field('meetPick', choose);
  let places = [];
  const offer = async () => {
    const groups = await known();
    places = groups.flatMap(([, list]) => list);
    fill(choose, h('option', { value: '' }), groups.map(([word, list]) => h('optgroup', { label: t(word) },
      list.map((one) => h('option', { value: String(places.indexOf(one)) }, one.title)))));
    pick.hidden = !places.length;
  };
  const quick = [5, 15, 30].map(inMinutes)
    .map((said) => h('button.button', { onClick: () => { at.value = said; } }, said));
  const more = h('details', h('summary', t('more')), h('.stack', field('meetText', text), field('coordinates', place),
    here, h('.columns', field('validFor', until), field('meetPhoto', file))));
  const el = fold('setMeeting', 'setMeeting', async () => {
    const [latitude, longitude] = place.value.trim() ? place.value.trim().split(/[,;\s]+/).map(Number) : [];
    const [picture] = file.files, said = text.value.trim();
    const upload = picture
      && (await api.upload(`uploads?name=${encodeURIComponent(picture.name)}`, picture)).upload;
    await api.post(path('meeting'), {
      text: said || where.value, label: said ? where.value : undefined, latitude, longitude, upload,
      time: at.value.trim() || undefined, expiresSeconds: Number(until.value) || undefined,
    });
    more.open = false;
  }, pick, field('meetLabel', where), field('meetTime', at), h('.row', quick), more);
  pick.hidden = true;
  el.addEventListener('toggle', () => el.open && offer().catch(() => {}));
  return el;
}

export function buildMeeting() {
  el = { card: h('div'), voice: h('p.visually-hidden', { role: 'status' }), set: setting() };
  return section('kind_meeting', el.card, el.voice, el.set);
}

export function openSetting() {
  if (el.set.hidden) return;
  el.set.open = true;
  el.set.querySelector('input').focus();
}

export const meeting = live(['meeting', 'tour', 'me'], draw, 1000, tick);
