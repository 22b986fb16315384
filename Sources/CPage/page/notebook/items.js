// What the pages of the notebook are made of.
import { api, button, day, degrees, dialog, field, h, iconButton, matches, mayLead, name, once, onMap, ours,
  outside, path, searching, submit, surely, t, toast } from '../parts.js';
export * from '../parts.js';

/** `draw()` shows the present page anew; `syncs`: there is a server, so that it says something what it lacks. */
export const page = { draw() {}, syncs: false };

export const item = (kind, id = '') => `notebook/${kind}${id && '/'}${encodeURIComponent(id)}`;
export const go = (tab, id = '') => { location.hash = `#/notebook/${tab}/${id}`; };
export const title = (text, size = 'h2') => h(size, h('bdi', text));
export const link = (tab, { id, title }) =>
  h('a.name', { href: `#/notebook/${tab}/${id}`, 'data-key': id }, h('bdi', title));
export const line = (value, props) => h('input', { value: value ?? '', dir: 'auto', autocomplete: 'off', ...props });
export const area = (value, props) => h('textarea', { value: value ?? '', dir: 'auto', rows: 4, ...props });
export const small = (...parts) => h('p.muted.small', dots(...parts));
export const dots = (...parts) => parts.filter(Boolean).flatMap((part) => [' · ', part]).slice(1);

export const standing = ({ pending, problem }) =>
  problem ? h('span.trouble.small', { dir: 'auto' }, t('nProblem', { problem }))
    : pending && page.syncs && h('span.muted.small', t('nPending'));

const typed = {}; // What was searched for, by list.

/** A list that is searched; `keys` are conditions beside the words, and `each` hears what fits. */
export function listing(all, text, row, none, { keys = [], each } = {}) {
  const list = h('ul.list.card');
  const empty = h('p.empty');
  const search = searching(draw, { value: typed[none] ?? '', 'data-key': 'search' });
  function draw() {
    typed[none] = search.value;
    const found = all.filter((one) => keys.every((key) => key(one)) && matches(text(one), search.value));
    const first = found.slice(0, 200);
    list.replaceChildren(...first.map((one) => h('li.row', row(one))));
    list.hidden = !first.length;
    empty.hidden = found.length === first.length && first.length > 0;
    const word = first.length ? 'nMost' : all.length ? 'nNotFound' : none;
    empty.textContent = t(word, { n: first.length, all: found.length });
    each?.(first);
  }
  draw();
  return { search: (all.length > 5 || search.value) && search, body: [list, empty], draw };
}

/** A dialog that saves; it stays open, with all that was typed, where that fails. */
export function form(title, content, save, action = 'save') {
  const el = dialog(ours(title), h('form.stack', { onSubmit: once(async () => {
    await save();
    el.close();
    page.draw();
  }) }, content, h('.row.end', submit(action))));
  el.querySelector('input, textarea').focus();
}

export function adder(tab, kind, word, content) {
  const input = line('', { class: 'input', required: true, 'aria-label': t(word), placeholder: t(word) });
  const add = async () => go(tab, (await api.post(item(kind), { title: input.value, ...content })).id);
  return h('form.row.bar', { onSubmit: once(add) }, input, submit('nAdd'));
}

export const removing = (tab, kind, { id, title }) =>
  button('nDelete', () => surely(ours(t('nRemove', { title })), t('nRemoveWhy'), 'nDelete', async () => {
    await api.del(item(kind, id));
    go(tab);
  }));

export function save(blob, called) {
  const href = URL.createObjectURL(blob);
  h('a', { href, download: called }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}
export const printing = (from, title) =>
  button('nPDF', async () => save(await api.blob(`${from}/pdf`), `${title.slice(0, 60)}.pdf`));

export const done = (work, word) => async () => {
  await work();
  toast(t(word));
  page.draw();
};
export const takingBack = ({ record, type }) =>
  mayLead() && button('nTakeBack', done(() => api.del(path(`shared/${record}?type=${type}`)), 'nTakenBack'));

export async function publishing(id, type) {
  if (!mayLead()) return null;
  const shared = (await api.get(path('shared'))).records.find(({ record }) => record === id);
  const publish = done(() => api.post(path('shared'), { item: id, type }), 'nPublished');
  return [button(shared ? 'nPublishAgain' : 'nPublish', publish), shared && takingBack(shared)];
}

export const meeting = (stop) => mayLead() && iconButton('pin', t('nMeetAt', { title: stop.title }), () => {
  const minutes = line('', { type: 'number', min: 0, max: 10_080 });
  const meet = () => api.post(path('meeting/stop'), {
    stop: stop.id, ...(minutes.value && { inSeconds: minutes.value * 60 }),
  });
  form(t('nMeetAt', { title: stop.title }), field('nMinutes', minutes), done(meet, 'nMeeting'), 'nMeet');
}, { 'data-key': `pin ${stop.id}` });

export function coordinates(text) {
  const numbers = /^\s*(?:geo:)?\s*(-?\d{1,2}(?:\.\d+)?)\s*,\s*(-?\d{1,3}(?:\.\d+)?)\s*(?:[;,?]|$)/i.exec(text);
  const [, north, east] = numbers?.map(Number) ?? [];
  return Math.abs(north) <= 90 && Math.abs(east) <= 180 ? { north, east } : null;
}
export const address = (text) => {
  const at = coordinates(text);
  return at && !/^\s*geo:/i.test(text) ? `geo:${at.north},${at.east}` : text.trim() || null;
};

export function where(url) {
  const at = coordinates(url);
  if (!at) return /^https?:\/\//i.test(url) ? outside(url) : url && name(url);
  const { north, east } = at;
  return h('button.link', { dir: 'ltr', onClick: () => onMap(north, east) },
    degrees(north, east));
}

/** For the field of a browser, which knows no time zones. */
export const local = (at) =>
  at ? new Date(new Date(at) - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 16) : '';
/** The day of a stop where it is another one than that of the stops before it: times stand without a date. */
export function newDay(stops, index) {
  const on = (stop) => stop?.at && new Date(stop.at).toDateString();
  const now = on(stops[index]);
  return now && now !== on(stops.slice(0, index).findLast(on)) ? day(stops[index].at) : null;
}
export const moment = (value) => value ? `${new Date(value).toISOString().slice(0, 19)}Z` : null;
