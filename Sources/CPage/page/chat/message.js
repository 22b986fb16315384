// One message as an element.
import { api, button, day, degrees, dialog, distance, fail, fill, full, h, icon, iconButton, leads,
  lettersOf, name, onMap, path, pause, roleWord, said, size, state, t, time, unpack, when } from '../parts.js';
import { metres } from '../here.js';
import { linked } from '../links.js';
import { reach } from './reach.js';

const LONG = 2000; // Characters shown of a long message.
const GIST = 200; // And of one that is told in a line.
const EDGE = 320; // Pixels of a picture's longer side in the list.
const TICKS = { sent: 'check', delivered: 'double-check', read: 'double-check', failed: 'warn' };
const KINDS = ['alarm', 'roll-call', 'location', 'meeting', 'image', 'file', 'note', 'place', 'itinerary'];
const expanded = new Set();

const fileOf = ({ metadata }) => metadata.photo ?? metadata;
const fileAt = ({ id }) => path(`files/${id}`);
export const author = ({ authorName, authorNamesake }) => full({ name: authorName, namesake: authorNamesake });
/** A word that few can read has not come to everyone. */
const isFor = (alone, value) => (alone && ['delivered', 'read'].includes(value) ? 'arrived' : value);
export const status = (value, alone) => [icon(TICKS[value] ?? 'clock'), t(`is_${isFor(alone, value)}`)];

export function gist({ type, content, metadata }) {
  const whole = metadata.label ?? content;
  const text = whole.length > GIST ? `${whole.slice(0, GIST).replace(/[\uD800-\uDBFF]$/, '')}…` : whole;
  if (type === 'text') return text;
  if (type === 'announcement') return `${t(metadata.urgent ? 'urgent' : 'announcement')}: ${text}`;
  if (metadata.cleared) return t('noMeeting');
  if (KINDS.includes(type)) return [t(type === 'roll-call' ? 'roll' : `kind_${type}`), text].filter(Boolean).join(': ');
  return t(['withdrawn', 'withheld'].includes(type) ? type : 'unsupported');
}

function text(message, list) {
  const { id, content } = message;
  const { parts, isCut } = linked(content, expanded.has(id) ? Infinity : LONG);
  const p = h('p.text', { dir: 'auto' }, parts);
  return [p, isCut && h('button.button', {
    onClick: (event) => {
      expanded.add(id);
      list.loosen();
      event.target.remove();
      p.replaceWith(text(message, list)[0]);
    },
  }, t('showAll', { n: content.length }))];
}

const strong = (words) => said(words, 'p.text.strong');
const kind = (symbol, ...words) => h('p.kind', icon(symbol), words.filter(Boolean).join(' · '));

function place({ metadata: { latitude, longitude, accuracyMetres } }) {
  const here = state.sharing?.position ?? state.me?.position;
  return h('.row', button('map', () => onMap(latitude, longitude), 'pin'), h('span.muted.small',
    h('bdi', degrees(latitude, longitude)), accuracyMetres && ` ± ${distance(accuracyMetres)}`,
    here && ` · ${t('away', { distance: distance(metres({ north: here.latitude, east: here.longitude }, { north: latitude, east: longitude })) })}`));
}

function picture(message, { urls }) {
  const { thumbnail, width = 4, height = 3, name: called } = fileOf(message);
  const pixels = (side) => Math.max(64, Math.round(side * EDGE / Math.max(width, height)));
  if (thumbnail && !urls.has(message.id)) urls.set(message.id, URL.createObjectURL(unpack(thumbnail)));
  const src = urls.get(message.id);
  return h('button.picture', {
    'aria-label': t('openPicture', { name: message.content || called }), onClick: () => view(message),
  }, src ? h('img', { src, alt: '', width: pixels(width), height: pixels(height) }) : icon('image'));
}

const progress = ({ complete, have, size: max }) =>
  !complete && have > 0 && h('progress', { max, value: have, 'aria-label': t('coming') });
const caption = (message, list) => message.content !== message.metadata.name && text(message, list);

/** Downloads by a link that holds for a moment: a browser sends no token along. */
export async function download(message) {
  const { url } = await api.post(`${fileAt(message)}/ticket`);
  h('a', { href: url, download: fileOf(message).name }).click();
}

export async function view(message) {
  const { name: called, size: max, complete } = fileOf(message);
  const isPicture = message.type !== 'file', at = fileAt(message);
  try {
    if (!isPicture && complete) return await download(message);
    const bar = h('progress', { max, value: 0, 'aria-label': t('coming') });
    const words = h('p', { role: 'status' });
    const stage = h('.stack', bar, words);
    const el = dialog(called, stage);
    el.classList.toggle('wide', isPicture);
    let found = await api.post(`${at}/fetch`);
    for (; !found.complete && el.open; found = await api.get(at)) {
      bar.value = found.have;
      const how = t(['waiting', 'no-room'].includes(found.state) ? found.state : 'coming');
      words.textContent = `${how} ${size(found.have)} / ${size(found.size)}`;
      await pause(700);
    }
    if (!el.open) return;
    if (!isPicture) { el.close(); return await download(message); }
    const src = URL.createObjectURL(await api.blob(`${at}/content`));
    el.addEventListener('close', () => URL.revokeObjectURL(src));
    fill(stage, h('img', { src, alt: message.content }), button('download', () => download(message), 'download'));
  } catch (error) { fail(error); }
}

function shared(message) {
  const { id, type, content, metadata: { changes = {}, takenBack, version, latitude } } = message;
  const sum = (part) => Object.entries(changes).reduce((n, [key, value]) => n + (key.startsWith(part) ? value : 0), 0);
  const stops = sum('stops'), lines = sum('lines');
  return [kind(type === 'place' ? 'pin' : 'notebook', t(`kind_${type}`),
    takenBack ? t('takenBack') : version > 1 && t('version', { n: version }),
    stops && t('stopsChanged', { n: stops }), lines && t('linesChanged', { n: lines })), strong(content),
  !takenBack && h('a.button', { href: `#/notebook/${type}/${id}` }, t('open')),
  latitude !== undefined && place(message)];
}

const SAID = {
  text, note: shared, place: shared, itinerary: shared,
  announcement: (m, list) => [kind('announce', t(m.metadata.urgent ? 'urgent' : 'announcement'),
    m.metadata.expiresAt && (m.metadata.expired ? t('expired') : t('until', { time: time(m.metadata.expiresAt) }))),
  text(m, list)],
  image: (m, list) => [picture(m, list), progress(m.metadata), caption(m, list)],
  file: (m, list) => [h('button.button.file', { onClick: () => view(m) },
    icon(m.metadata.complete ? 'files' : 'download'),
    h('span', name(m.metadata.name), h('small.muted', ` ${size(m.metadata.size)}`))),
  progress(m.metadata), caption(m, list)],
  location: (m, list) => [kind('pin', t('kind_location')), m.metadata.label && text(m, list), place(m)],
  meeting: (m, list) => m.metadata.cleared ? kind('pin', t('noMeeting')) : [
    kind('pin', t('kind_meeting'), when(m.metadata.meetAt), m.metadata.expired && t('expired')),
    strong(m.metadata.label), text(m, list), m.metadata.photo && picture(m, list),
    m.metadata.latitude !== undefined && place(m)],
  alarm: (m, list) => [kind('sos', t('kind_alarm')), m.content && text(m, list),
    m.metadata.latitude !== undefined && place(m)],
  'roll-call': (m, list) => [kind('people', t('roll')), m.content && text(m, list)],
  withdrawn: () => h('p.muted', t('withdrawn')),
  withheld: () => h('p.muted', t('withheld')),
  unsupported: (m) => h('p.muted', t(m.metadata.reason === 'before-joining' ? 'beforeJoining' : 'unsupported')),
};

/** For whom alone a word between one person and the guides is. */
function whom({ authorID, metadata: { alone } }) {
  if (alone.memberID === authorID) return t('toGuides');
  return alone.memberID === state.tour.memberID ? t('aloneYou') : t('aloneTo', { name: alone.name });
}

export function article(message, list) {
  const { mine, authorRole, metadata, type, sentAt, replyTo, authorID, status: at } = message;
  const isUrgent = type === 'alarm' || (metadata.urgent && !metadata.expired), isLeader = leads(authorRole);
  const color = `c${state.members.find(({ id }) => id === authorID)?.color ?? 0}`;
  const quote = replyTo && h('button.quote', { onClick: () => list.jump(replyTo) });
  if (quote) list.quote(replyTo, quote);
  const from = () => h('header.row', h('span', { class: `who ${color}` }, name(author(message))),
    isLeader && h('span.lead', icon('guide'), roleWord(authorRole)));
  const ticks = () => h(`button.status${mine ? `.is-${at}` : ''}`, {
    tabindex: -1, [mine ? 'title' : 'aria-label']: t('receipts'), onClick: () => list.receipts(message),
  }, mine && status(at, metadata.alone), reach(message));
  return h('article', {
    class: `message ${mine ? 'mine' : 'other'} ${isLeader ? 'leader' : ''} ${type} ${isUrgent ? 'urgent' : ''}`,
    tabindex: -1, 'data-id': message.id,
    'aria-label': `${mine ? t('you') : author(message)}, ${time(sentAt)}: ${gist(message)}`,
  }, !mine && h('span', { class: `face ${color}`, 'aria-hidden': 'true' }, lettersOf(message.authorName)),
  h('.bubble', !mine && from(), metadata.alone && kind('guide', whom(message)), quote, (Object.hasOwn(SAID, type) ? SAID[type] : SAID.unsupported)(message, list),
    metadata.reason === 'quiet' && h('p.trouble.small', t('quietMine')),
    h('footer.row.small.muted', h('time', { datetime: sentAt, title: day(sentAt) }, time(sentAt)),
      metadata.clockWrong && t('clockWrong'), type !== 'withdrawn' && ticks())),
  iconButton('more', t('actions'), () => list.actions(message), { tabindex: -1 }));
}
