// A note, a place or an itinerary that guides share.
import { h, icon, name } from './dom.js';
import { linked } from './links.js';
import { placeButton } from './places.js';
import { ask } from './seat.js';
import { button, fail, redraw, sheet } from './sheets.js';
import { day, t, time } from './words.js';

const text = (words) => words && h('p.text', { dir: 'auto' }, linked(words).parts);

/** Stops in their order, each with its hour, and the day above the first of each. */
export function stopList(stops, next = null) {
  let last = '';
  return h('ol.stops', stops.map((stop) => {
    const on = stop.at ? day(stop.at) : last, isNew = on !== last;
    last = on;
    return [isNew && h('li.day', on), h('li', { 'aria-current': stop === next ? 'true' : null },
      h('time', stop.at ? time(stop.at) : ''),
      h('div', h('strong', { dir: 'auto' }, stop.name), text(stop.note), placeButton(stop, stop.name)))];
  }).flat());
}

async function show({ id, content, type }) {
  const el = sheet(content || t(`kind_${type}`), h('p', { role: 'status' }, t('coming')));
  try {
    const record = await ask({ op: 'shared', id });
    redraw(el, text(record.text), type === 'place' && record.url && text(record.url), placeButton(record),
      record.entries.length > 0 && stopList(record.entries.map((stop) => ({ ...stop, name: stop.title }))),
      !record.text && !record.url && !record.entries.length && h('p.muted', t('isEmpty')));
  } catch (error) {
    el.close();
    fail(error);
  }
}

/** As its message shows it. */
export function sharedRow(message) {
  const { type, content, metadata: { takenBack, latitude, longitude } } = message;
  return [h('p.kind', icon(type === 'place' ? 'pin' : type === 'itinerary' ? 'today' : 'file'), t(`kind_${type}`)),
    content && h('p.strong', name(content)),
    takenBack ? h('p.muted', t('takenBack'))
      : button('open', () => show(message), null, { 'aria-label': `${t('open')}: ${content}` }),
    !takenBack && placeButton({ latitude, longitude }, content)];
}
