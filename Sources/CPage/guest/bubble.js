// One message as an element, and what can be done with it.
import { copy } from './copy.js';
import { fill, h, icon, name, said, who } from './dom.js';
import { fileButton } from './files.js';
import { linked } from './links.js';
import { messages } from './messages.js';
import { fetched } from './picture.js';
import { placeButton } from './places.js';
import { ask, drop, write } from './seat.js';
import { sharedRow } from './shared.js';
import { ended, state } from './state.js';
import { button, choices, confirm, fail, sheet } from './sheets.js';
import { number, t, time } from './words.js';

const LONG = 1500; // Characters shown of a long message.
const GIST = 120;
const EDGE = 240; // Pixels of a picture's longer side.
const TICKS = { sent: 'check', delivered: 'double-check', read: 'double-check', failed: 'warn' };
const KINDS = ['alarm', 'location', 'meeting', 'image', 'file', 'note', 'place', 'itinerary'];

export function colorOf({ authorID }) {
  const one = state.view && state.view.people.list.find(({ member }) => member === authorID);
  return one ? one.color : 0;
}
export const author = (m) => ({ name: m.authorName, namesake: m.authorNamesake, color: colorOf(m) });

export function gist({ type, content, metadata = {} }) {
  const text = content.length > GIST ? `${content.slice(0, GIST).replace(/[\uD800-\uDBFF]$/, '')}…` : content;
  if (type === 'text') return text;
  if (type === 'announcement') return `${t(metadata.urgent ? 'urgent' : 'announcement')}: ${text}`;
  if (metadata.cleared) return t('noMeeting');
  if (type === 'roll-call') return [t('roll'), text].filter(Boolean).join(': ');
  if (KINDS.includes(type)) return [t(`kind_${type}`), text].filter(Boolean).join(': ');
  return t(type === 'withdrawn' ? 'withdrawn' : 'unsupported');
}

function text(content) {
  if (!content) return null;
  const { parts, isCut } = linked(content, LONG), whole = h('p.text', { dir: 'auto' }, parts);
  const more = isCut && button('showAll', () => {
    fill(whole, linked(content).parts);
    more.remove();
  });
  return [whole, more];
}

const kind = (symbol, words) => h('p.kind', icon(symbol), words);
const base64 = /^[A-Za-z0-9+/]+=*$/;

function picture(m) {
  const { thumbnail, width = 4, height = 3, name: called } = m.metadata.photo || m.metadata;
  const pixels = (side) => Math.max(56, Math.round(side * EDGE / Math.max(width, height)));
  const src = thumbnail && base64.test(thumbnail) ? `data:image/jpeg;base64,${thumbnail}` : null;
  const label = t('openPicture', { name: m.content || called || '' });
  return h('button.picture', { 'aria-label': label, onClick: () => view(m) },
    src ? h('img', { src, alt: '', width: pixels(width), height: pixels(height) }) : icon('image'));
}

async function view(m) {
  const bar = h('progress', { max: 1, value: 0, 'aria-label': t('coming') });
  const el = sheet(t('kind_image'), bar, m.content && m.content !== m.metadata.name && said(m.content));
  el.classList.add('wide');
  try {
    const src = await fetched(m.id, (part) => { bar.value = part; }, () => el.isConnected);
    if (!src) return;
    el.onclosed = () => URL.revokeObjectURL(src);
    bar.replaceWith(h('img', { src, alt: m.content || '' }),
      h('a.button', { href: src, download: 'picture.jpg' }, icon('down'), h('span', t('saveFile'))));
  } catch (error) {
    if (el.isConnected) fill(el.body, h('p.trouble', { role: 'alert' }, error.code ? error.message : t('pictureGone')));
  }
}

function body(m) {
  const { type, content, metadata = {} } = m;
  switch (type) {
  case 'text': return text(content);
  case 'announcement': return [kind('announce', t(metadata.urgent ? 'urgent' : 'announcement')), text(content)];
  case 'image': return [picture(m), m.mine && metadata.complete === false && h('p.small', t('pictureAway')),
    content !== metadata.name && text(content)];
  case 'meeting':
    if (metadata.cleared) return kind('pin', t('noMeeting'));
    return [kind('pin', t('kind_meeting')), text(content), metadata.label && h('p', name(metadata.label)),
      metadata.meetAt && h('p.strong', time(metadata.meetAt)), metadata.photo && picture(m),
      placeButton(metadata, metadata.label || content)];
  case 'file': return [fileButton(m), content !== metadata.name && text(content)];
  case 'location': return [kind('pin', t('kind_location')), metadata.label && text(metadata.label),
    placeButton(metadata, metadata.label)];
  case 'alarm': return [kind('sos', t('kind_alarm')), text(content), placeButton(metadata, t('kind_alarm'))];
  case 'note': case 'place': case 'itinerary': return sharedRow(m);
  case 'roll-call': return [kind('people', t('roll')), content && text(content)];
  case 'withdrawn': return h('p.muted', t('withdrawn'));
  default: return h('p.muted', t('unsupported'));
  }
}

function quote({ replyTo }) {
  if (!replyTo) return null;
  const quoted = messages.get(replyTo);
  return h('p.quote', quoted && quoted.type !== 'withheld' ? [who(author(quoted)), h('span', { dir: 'auto' }, gist(quoted))] : t('quoteGone'));
}

/** A word that few can read has not come to everyone. */
const isFor = (alone, value) => (alone && ['delivered', 'read'].includes(value) ? 'arrived' : value);
export const status = (value, alone) => [icon(TICKS[value] || 'clock'), h('span', t(`is_${isFor(alone, value)}`))];

export function bubble({ message: m, isFirst, isOver, onReply }) {
  const alone = m.metadata && m.metadata.alone;
  const isBad = m.type === 'alarm' || (m.type === 'announcement' && m.metadata.urgent);
  const can = !isOver && m.type !== 'withdrawn' && m.type !== 'unsupported';
  return h(`li.message${m.mine ? '.own' : ''}${isFirst ? '.first' : ''}`, { 'data-id': m.id },
    h(`.bubble${isBad ? '.bad' : m.type === 'announcement' ? '.news' : ''}`,
      !m.mine && isFirst && h('p.author', who(author(m)), m.authorRole !== 'member' && h('small', rank(m))),
      alone && kind('guide', t(m.mine ? 'toGuides' : 'aloneYou')), quote(m), body(m),
      m.metadata && m.metadata.reason === 'quiet' && h('p.trouble.small', t('quietMine')),
      h('p.foot', can && h('button.act', {
        'aria-label': `${t('actions')}: ${gist(m)}`, onClick: () => actions(m, onReply),
      }, icon('more')), h('time', time(m.sentAt)),
      m.mine && h('button.status', { onClick: () => receipts(m).catch(fail) }, status(m.status, alone)))));
}
const rank = ({ authorRole }) => t(authorRole === 'successor' ? 'role_guide' : `role_${authorRole}`);

/** What waits goes out at once: nobody can drop it any more. */
export const goesOut = () => Boolean(state.reach && state.reach.ok && !state.reach.why);

/** What this phone has written and nobody's list shows yet. */
export function ownBubble({ key, act, isSent }) {
  return h('li.message.own.first', h('.bubble.waiting', act.alone && kind('guide', t('toGuides')), quote(act),
    act.kind === 'picture' ? [kind('image', t('kind_image')), act.caption && text(act.caption)] : text(act.text),
    h('p.foot', h('span.status', icon(ended() ? 'warn' : 'clock'),
      h('span', t(ended() ? 'notSentEnded' : isSent ? 'isGoing' : 'waitingHere'))),
      !ended() && !isSent && !goesOut() && h('button.act', {
        'aria-label': `${t('discard')}: ${(act.text || act.caption || '').slice(0, GIST)}`, onClick: () => drop(key),
      }, icon('close')))));
}

function actions(m, onReply) {
  choices(gist(m), [
    m.type !== 'withdrawn' && ['reply', t('reply'), () => onReply(m)],
    m.content && !['withdrawn', 'unsupported'].includes(m.type)
      && ['copy', t('copyText'), () => copy(m.content).catch(fail)],
    m.mine && ['double-check', t('receipts'), () => receipts(m).catch(fail)],
    m.mine && ['close', t('withdraw'), async () => {
      if (await confirm(t('withdraw'), t('withdrawSure'), t('withdraw'))) write({ kind: 'withdraw', message: m.id });
    }],
  ]);
}

async function receipts(m) {
  const { receipts: all } = await ask({ op: 'message', id: m.id });
  const group = (state) => {
    const list = all.members.filter((one) => one.state === state);
    return list.length > 0 && [h('h3', t(`has_${state}`, { n: list.length })),
      h('ul.list', list.map((one) => h('li', name(one.name))))];
  };
  const { delivered, members, read } = all.counts || {};
  sheet(t('receipts'), all.counts && h('p', t('haveIt', { delivered, read, n: members })),
    ['missing', 'delivered', 'read'].map(group), !all.members.length && h('p', number(0)));
}
