// What the pages of the notebook are made of.
import { api, button, confirm, dialog, field, h, mayLead, name, once, ours, path, t, toast } from '../parts.js';
export * from '../parts.js';

/** `draw()` shows the present page anew; `syncs`: there is a server, so that it says something what it lacks. */
export const page = { draw() {}, syncs: false };

export const item = (kind, id = '') => `notebook/${kind}${id && '/'}${encodeURIComponent(id)}`;
export const go = (tab, id = '') => { location.hash = `#/notebook/${tab}/${id}`; };
export const link = (tab, { id, title }) => h('a', { class: 'name', href: `#/notebook/${tab}/${id}`, 'data-key': id }, h('bdi', {}, title));
export const line = (value, props) => h('input', { value: value ?? '', dir: 'auto', autocomplete: 'off', ...props });
export const area = (value, props) => h('textarea', { value: value ?? '', dir: 'auto', rows: 4, ...props });
export const said = (text, cls = 'text') => text && h('p', { class: cls, dir: 'auto' }, text);
export const dots = (...parts) => parts.flat().filter(Boolean).flatMap((part) => [' · ', part]).slice(1);

/** How an item stands with the server, where that is worth a word. */
export const standing = ({ pending, problem }) =>
  problem ? h('span', { class: 'trouble small', dir: 'auto' }, t('nProblem', { problem })) : pending && page.syncs && h('span', { class: 'muted small' }, t('nPending'));

const typed = {}; // What was searched for, by list.

/** A list that is searched; `keys` are conditions beside the words, and `each` hears what fits. */
export function listing(all, text, row, none, { keys = [], each } = {}) {
  const list = h('ul', { class: 'list card' });
  const empty = h('p', { class: 'empty' });
  const search = h('input', { type: 'search', class: 'input', value: typed[none] ?? '', 'data-key': 'search', 'aria-label': t('search'), placeholder: t('search'), onInput: draw });
  function draw() {
    typed[none] = search.value;
    const words = search.value.toLocaleLowerCase().split(/\s+/);
    const found = all.filter((one) => keys.every((key) => key(one)) && words.every((word) => text(one).toLocaleLowerCase().includes(word)));
    const first = found.slice(0, 200);
    list.replaceChildren(...first.map((one) => h('li', { class: 'row' }, row(one))));
    list.hidden = !first.length;
    empty.hidden = found.length === first.length && first.length > 0;
    empty.textContent = t(first.length ? 'nMost' : all.length ? 'nNotFound' : none, { n: first.length, all: found.length });
    each?.(first);
  }
  draw();
  return { search: (all.length > 5 || search.value) && search, body: [list, empty], draw };
}

/** A dialog that saves; it stays open, with all that was typed, where that fails. */
export function form(title, content, save, action = 'save') {
  const el = dialog(ours(title), h('form', { class: 'stack', onSubmit: once(async () => {
    await save();
    el.close();
    page.draw();
  }) }, content, h('div', { class: 'row end' }, h('button', { class: 'button primary' }, t(action)))));
  el.querySelector('input, textarea').focus();
}

/** Adds what at first is no more than a title, and goes there. */
export function adder(tab, kind, word, content) {
  const input = line('', { class: 'input', required: true, 'aria-label': t(word), placeholder: t(word) });
  return h('form', { class: 'row bar', onSubmit: once(async () => go(tab, (await api.post(item(kind), { title: input.value, ...content })).id)) },
    input, h('button', { class: 'button primary' }, t('nAdd')));
}

export const removing = (tab, kind, { id, title }) => button('nDelete', async () => {
  if (!await confirm({ title: ours(t('nRemove', { title: title })), text: t('nRemoveWhy'), action: t('nDelete'), danger: true })) return;
  await api.del(item(kind, id));
  go(tab);
});

export function save(blob, called) {
  const href = URL.createObjectURL(blob);
  h('a', { href, download: called }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}
export const printing = (from, title) => button('nPDF', async () => save(await api.blob(`${from}/pdf`), `${title.slice(0, 60)}.pdf`));

const done = (work, word) => async () => {
  await work();
  toast(t(word));
  page.draw();
};
export const takingBack = ({ record, type }) => mayLead() && button('nTakeBack', done(() => api.del(path(`shared/${record}?type=${type}`)), 'nTakenBack'));

/** What is given to the tour, and taken back. */
export async function publishing(id, type) {
  if (!mayLead()) return null;
  const shared = (await api.get(path('shared'))).records.find(({ record }) => record === id);
  return [button(shared ? 'nPublishAgain' : 'nPublish', done(() => api.post(path('shared'), { item: id, type }), 'nPublished')), shared && takingBack(shared)];
}

/** Makes a stop the meeting point. */
export function meet({ id, title }) {
  const minutes = line('', { type: 'number', min: 0, max: 10_080 });
  form(t('nMeetAt', { title: title }), field('nMinutes', minutes), done(() =>
    api.post(path('meeting/stop'), { stop: id, ...(minutes.value && { inSeconds: minutes.value * 60 }) }), 'nMeeting'), 'nMeet');
}

/** `geo:48.85,2.29`, or the two numbers alone; null for anything else. */
export function coordinates(text) {
  const [, north, east] = /^\s*(?:geo:)?\s*(-?\d{1,2}(?:\.\d+)?)\s*,\s*(-?\d{1,3}(?:\.\d+)?)\s*(?:[;,?]|$)/i.exec(text) ?? [];
  return Math.abs(north) <= 90 && Math.abs(east) <= 180 ? { north: Number(north), east: Number(east) } : null;
}
export const address = (text) => {
  const at = coordinates(text);
  return at && !/^\s*geo:/i.test(text) ? `geo:${at.north},${at.east}` : text.trim() || null;
};

/** Where something is: coordinates for a map, or an address of the web. */
export function where(url) {
  const at = coordinates(url);
  const link = at ? { class: 'at', href: `geo:${at.north},${at.east}?q=${at.north},${at.east}` } : /^https?:\/\//i.test(url) && { href: url, target: '_blank', rel: 'noopener noreferrer' };
  return link ? h('a', { ...link, dir: 'ltr' }, at ? `${at.north.toFixed(5)}, ${at.east.toFixed(5)}` : url) : url && name(url);
}

/** For the field of a browser, which knows no time zones. */
export const local = (at) => at ? new Date(new Date(at) - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 16) : '';
export const moment = (value) => value ? `${new Date(value).toISOString().slice(0, 19)}Z` : null;
