// One message as an element.
import { button, h, icon, iconButton, name } from '../dom.js';
import { day, distance, size, t, time } from '../words.js';
import { api } from '../api.js';
import { leads, state } from '../state.js';
import { dialog, fail } from '../dialogs.js';

const LONG = 2000; // Characters shown of a long message.
const EDGE = 320; // Pixels of a picture's longer side in the list.
const TICKS = { pending: 'clock', sent: 'check', delivered: 'double-check', read: 'double-check', failed: 'warn' };
// Addresses become links that show what they are: nothing that turns the order of letters is in them.
const LINK = /(https?:\/\/[^\s<>"\u202a-\u202e\u2066-\u2069]+[^\s<>"\u202a-\u202e\u2066-\u2069.,;:!?)'])/;
const expanded = new Set();

export const base = (message) => `tours/${message.tourID}`;
const fileOf = ({ metadata }) => metadata.photo ?? metadata;
const pathOf = (message) => `${base(message)}/files/${message.id}`;
export const author = ({ authorName, authorNamesake }) => authorName + (authorNamesake ? ` (${authorNamesake})` : '');
export const status = (value) => [icon(TICKS[value] ?? 'clock'), t(`is_${value}`)];

/** What it says, in one line: for quotes, results and announcements. */
export function gist({ type, content, metadata }) {
  const text = (metadata.label ?? content).slice(0, 200);
  if (type === 'text') return text;
  if (type === 'announcement') return `${t(metadata.urgent ? 'urgent' : 'announcement')}: ${text}`;
  if (metadata.cleared) return t('noMeeting');
  const isKnown = ['location', 'meeting', 'image', 'file', 'note', 'place', 'itinerary'].includes(type);
  return isKnown ? `${t(`kind_${type}`)}: ${text}` : t(type === 'withdrawn' ? 'withdrawn' : 'unsupported');
}

/** Metres between two places on a ball. */
function metres(a, b) {
  const rad = Math.PI / 180;
  const part = (degrees) => Math.sin(degrees * rad / 2) ** 2;
  const s = part(a.latitude - b.latitude) + Math.cos(a.latitude * rad) * Math.cos(b.latitude * rad) * part(a.longitude - b.longitude);
  return 12_742_000 * Math.asin(Math.sqrt(Math.min(1, s)));
}

function text(message, list) {
  const { id, content } = message;
  const shown = content.length > LONG && !expanded.has(id) ? content.slice(0, LONG).replace(/[\uD800-\uDBFF]$/, '') : content;
  const p = h('p', { class: 'text', dir: 'auto' }, shown.split(LINK).map((piece, index) =>
    index % 2 ? h('a', { href: piece, target: '_blank', rel: 'noopener noreferrer', dir: 'ltr' }, piece) : piece));
  return [p, shown !== content && button('', (event) => {
    expanded.add(id);
    list.loosen();
    event.target.remove();
    p.replaceWith(text(message, list)[0]);
  }, t('showAll', { n: content.length }))];
}

const kind = (symbol, ...words) => h('p', { class: 'kind' }, icon(symbol), words.filter(Boolean).join(' · '));

function place({ metadata: { latitude, longitude, accuracyMetres } }) {
  const at = `${latitude},${longitude}`;
  const here = state.sharing?.position ?? state.me?.position;
  return h('div', { class: 'row' }, h('a', { class: 'button', href: `geo:${at}?q=${at}` }, icon('pin'), t('map')),
    h('span', { class: 'muted small' }, h('bdi', {}, [latitude, longitude].map((degrees) => Number(degrees).toFixed(5)).join(', ')),
      accuracyMetres && ` ± ${distance(accuracyMetres)}`, here && ` · ${t('away', { distance: distance(metres(here, { latitude, longitude })) })}`));
}

function picture(message, { urls }) {
  const { thumbnail, width = 4, height = 3, name: called } = fileOf(message);
  const pixels = (side) => Math.max(64, Math.round(side * EDGE / Math.max(width, height)));
  if (thumbnail && !urls.has(message.id)) {
    try {
      const bytes = Uint8Array.from(atob(thumbnail), (c) => c.charCodeAt(0));
      urls.set(message.id, URL.createObjectURL(new Blob([bytes], { type: 'image/jpeg' })));
    } catch { /* No base64: no picture. */ }
  }
  const src = urls.get(message.id);
  return h('button', { type: 'button', class: 'picture', 'aria-label': t('openPicture', { name: called }), onClick: () => view(message) },
    src ? h('img', { src, alt: '', width: pixels(width), height: pixels(height) }) : icon('image'));
}

const progress = ({ complete, have, size: max }) =>
  !complete && have > 0 && h('progress', { max, value: have, 'aria-label': t('coming') });
const caption = (message, list) => message.content !== message.metadata.name && text(message, list);

/** Downloads by a link that holds for a moment: a browser sends no token along. */
export async function download(message) {
  const { url } = await api.post(`${pathOf(message)}/ticket`);
  h('a', { href: url, download: fileOf(message).name }).click();
}

/** Shows a picture whole, or gets a file: fetched first where it is not here. */
export async function view(message) {
  const { name: called, size: max, complete } = fileOf(message);
  const isPicture = message.type !== 'file';
  try {
    if (!isPicture && complete) return await download(message);
    const bar = h('progress', { max, value: 0, 'aria-label': t('coming') });
    const words = h('p', { role: 'status' });
    const stage = h('div', { class: 'stack' }, bar, words);
    const el = dialog(called, stage);
    el.classList.toggle('wide', isPicture);
    let found = await api.post(`${pathOf(message)}/fetch`);
    for (; !found.complete && el.open; found = await api.get(pathOf(message))) {
      bar.value = found.have;
      words.textContent = `${t(['waiting', 'no-room'].includes(found.state) ? found.state : 'coming')} ${size(found.have)} / ${size(found.size)}`;
      await new Promise((resolve) => setTimeout(resolve, 700));
    }
    if (!el.open) return;
    if (!isPicture) { el.close(); return await download(message); }
    const url = URL.createObjectURL(await api.blob(`${pathOf(message)}/content`));
    el.addEventListener('close', () => URL.revokeObjectURL(url));
    stage.replaceChildren(h('img', { src: url, alt: message.content }),
      button('', () => download(message).catch(fail), icon('download'), t('download')));
  } catch (error) { fail(error); }
}

function shared(message) {
  const { type, content, metadata: { changes = {}, takenBack, version, latitude } } = message;
  const sum = (part) => Object.entries(changes).reduce((n, [key, value]) => n + (key.startsWith(part) ? value : 0), 0);
  const stops = sum('stops'), lines = sum('lines');
  return [kind(type === 'place' ? 'pin' : 'notebook', t(`kind_${type}`), takenBack ? t('takenBack') : version > 1 && t('version', { n: version }),
    stops > 0 && t('stopsChanged', { n: stops }), lines > 0 && t('linesChanged', { n: lines })), h('p', { class: 'text strong', dir: 'auto' }, content),
  !takenBack && h('a', { class: 'button', href: `#/notebook/${type}/${message.id}` }, t('open')), latitude !== undefined && place(message)];
}

const SAID = {
  text,
  announcement: (m, list) => [kind('bell', t(m.metadata.urgent ? 'urgent' : 'announcement'),
    m.metadata.expiresAt && (m.metadata.expired ? t('expired') : t('until', { time: time(m.metadata.expiresAt) }))), text(m, list)],
  image: (m, list) => [picture(m, list), progress(m.metadata), caption(m, list)],
  file: (m, list) => [button('file', () => view(m), icon(m.metadata.complete ? 'files' : 'download'),
    h('span', {}, name(m.metadata.name), h('small', { class: 'muted' }, ` ${size(m.metadata.size)}`))), progress(m.metadata), caption(m, list)],
  location: (m, list) => [kind('pin', t('kind_location')), m.metadata.label && text(m, list), place(m)],
  meeting: (m, list) => m.metadata.cleared ? kind('pin', t('noMeeting')) : [
    kind('pin', t('kind_meeting'), m.metadata.meetAt && `${day(m.metadata.meetAt)} ${time(m.metadata.meetAt)}`, m.metadata.expired && t('expired')),
    m.metadata.label && h('p', { class: 'text strong', dir: 'auto' }, m.metadata.label), text(m, list), m.metadata.photo && picture(m, list), place(m)],
  note: shared, place: shared, itinerary: shared,
  withdrawn: () => h('p', { class: 'muted' }, t('withdrawn')),
  unsupported: (m) => h('p', { class: 'muted' }, t(m.metadata.reason === 'before-joining' ? 'beforeJoining' : 'unsupported')),
};

/** The article. `list` has `urls` (pictures by message), `quote(id, el)`, `loosen()`, `jump(id)`, `actions(m)`, `receipts(m)`. */
export function article(message, list) {
  const { mine, authorRole, metadata, type, sentAt, replyTo } = message;
  const color = `c${state.members.find(({ id }) => id === message.authorID)?.color ?? 0}`;
  const initial = [...new Intl.Segmenter().segment(message.authorName.trim())][0]?.segment.toLocaleUpperCase();
  const quote = replyTo && h('button', { type: 'button', class: 'quote', onClick: () => list.jump(replyTo) });
  if (quote) list.quote(replyTo, quote);
  return h('article', {
    class: `message ${mine ? 'mine' : 'other'} ${leads(authorRole) ? 'leader' : ''} ${type} ${metadata.urgent && !metadata.expired ? 'urgent' : ''}`,
    tabindex: -1, 'data-id': message.id, 'aria-label': `${mine ? t('you') : author(message)}, ${time(sentAt)}: ${gist(message)}`,
  }, !mine && h('span', { class: `face ${color}`, 'aria-hidden': 'true' }, initial ?? '?'),
  h('div', { class: 'bubble' },
    !mine && h('header', { class: 'row' }, h('span', { class: `who ${color}` }, name(author(message))), leads(authorRole) && h('span', { class: 'lead' }, icon('guide'), t(`role_${authorRole}`))),
    quote, (Object.hasOwn(SAID, type) ? SAID[type] : SAID.unsupported)(message, list),
    h('footer', { class: 'row small muted' }, h('time', { datetime: sentAt, title: day(sentAt) }, time(sentAt)), metadata.clockWrong && t('clockWrong'),
      mine && type !== 'withdrawn' && h('button', { type: 'button', class: `status is-${message.status}`, tabindex: -1, title: t('receipts'), onClick: () => list.receipts(message) }, status(message.status)))),
  iconButton('more', t('actions'), () => list.actions(message), { tabindex: -1 }));
}
