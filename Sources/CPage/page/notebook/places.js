// Saved places: a list, and a plot of those that have coordinates.
import { uploads } from '../upload.js';
import { address, api, area, button, coordinates, dialog, dots, fail, field, form, go, h, icon, iconButton, isIn, item, line, link, listing, name, number, once, page, publishing, removing, said, save, size, standing, state, t, toast, where } from './items.js';
import { plot } from './plot.js';

let category = '', liked = false;

export async function places(id) {
  const called = new Map((await api.lines(item('categories'))).map((one) => [one.id, one.name]));
  if (id) return one(await api.get(item('bookmarks', id)), called);
  const drawing = h('div');
  const choose = h('select', { class: 'input', 'aria-label': t('nCategory'), onChange: () => { category = choose.value; draw(); } },
    h('option', { value: '' }, t('fAll')), [...called].map(([value, text]) => h('option', { value, selected: value === category }, text)));
  const only = button('nLiked', () => {
    liked = !liked;
    only.setAttribute('aria-pressed', liked);
    draw();
  }, 'guide', { 'aria-pressed': liked });
  const { search, body, draw } = listing((await api.lines(item('bookmarks'))).reverse(), (place) => [place.title, place.note, ...(place.tags ?? [])].join(' '), (place) => [
    iconButton('guide', t('nLike', { title: place.title }), once(async (el) => {
      place.is_favorite = (await api.patch(item('bookmarks', place.id), { is_favorite: !place.is_favorite })).is_favorite;
      el.setAttribute('aria-pressed', place.is_favorite);
    }), { 'aria-pressed': Boolean(place.is_favorite) }),
    h('div', { class: 'grow' }, link('place', place), about(place, called), standing(place)),
  ], 'nNoPlace', {
    keys: [(place) => !liked || place.is_favorite, (place) => !category || place.category_id === category],
    each: (found) => {
      const points = found.map(({ id, title, url }) => ({ id, title, ...coordinates(url) })).filter((point) => 'north' in point);
      const people = state.members.filter((member) => member.position && isIn(member)).map(({ name: title, color, position }) => ({ title, color, north: position.latitude, east: position.longitude }));
      drawing.replaceChildren(points.length && drawing.clientWidth ? plot([...points, ...people], drawing.clientWidth, (place) => go('place', place)) : '');
    },
  });
  const file = h('input', { type: 'file', accept: '.gpx,.csv,.json', hidden: true, onChange: () => take(file.files[0]).catch(fail) });
  return {
    content: [h('div', { class: 'row bar' }, button('nAddPlace', () => edit({}, called), 'add', { class: 'button primary' }), search, only, called.size > 0 && choose), drawing, body,
      h('div', { class: 'row end' }, button('nImport', () => file.click()), file, ['GPX', 'CSV', 'JSON'].map((format) => button(format, async () =>
        save(await api.blob(`notebook/export?format=${format.toLowerCase()}`), `notebook.${format.toLowerCase()}`), 'download', { 'aria-label': t('nExport', { format }) })))],
    ready: draw,
  };
}

const about = ({ category_id: id, tags = [], url }, called) => said([called.get(id), ...tags.map((tag) => `#${tag}`), !coordinates(url) && url?.slice(0, 80)].filter(Boolean).join(' · '), 'muted small');

async function take(file) {
  const format = /[^.]*$/.exec(file.name)[0].toLowerCase();
  const { added, unchanged, different, skipped, skippedCount } = await api.post(`notebook/import?format=${format}`, file);
  const words = t('nImported', { n: added, here: unchanged + different });
  if (!skippedCount) toast(words);
  else {
    dialog(t('nImport'), h('p', {}, words), h('p', {}, t('nSkipped', { n: skippedCount })),
      h('ul', { class: 'list' }, skipped.map(({ number: place, title, reason }) => h('li', {}, number(place), ' ', name(title), ' ', h('bdi', { class: 'muted' }, reason)))));
  }
  page.draw();
}

function edit(place, called) {
  const known = h('datalist', { id: 'categories' }, [...called.values()].map((value) => h('option', { value })));
  const [title, url] = [line(place.title, { required: true }), line(place.url)];
  const [kind, tags, note] = [line(called.get(place.category_id), { list: 'categories' }), line((place.tags ?? []).join(', ')), area(place.note)];
  const here = button('nHere', async () => {
    const { latitude, longitude } = await api.get('position');
    url.value = `${latitude}, ${longitude}`;
  }, 'pin');
  form(t(place.id ? 'edit' : 'nAddPlace'), [field('nTitle', title), field('nAddress', url), h('div', { class: 'row' }, here), field('nCategory', kind), known, field('nTags', tags), field('kind_note', note)], async () => {
    const change = {
      title: title.value, url: address(url.value) ?? '', category: kind.value.trim() || null, tags: tags.value.split(',').map((tag) => tag.trim()).filter(Boolean), note: note.value || null,
    };
    if (place.id) await api.patch(item('bookmarks', place.id), { ...change, sync_version: place.sync_version });
    else go('place', (await api.post(item('bookmarks'), change)).id);
  });
}

async function one(place, called) {
  const base = item('bookmarks', place.id);
  const urls = [];
  const sending = uploads((file) => `${base}/files?role=${/^image\//.test(file.type) ? 'picture' : 'file'}&name=${encodeURIComponent(file.name)}`, () => page.draw());
  const content = (file) => api.blob(`${base}/files/${file.id}/content`);
  const row = (file) => {
    const label = { name: file.name, title: file.name };
    const look = h('button', { type: 'button', class: 'button look', 'aria-label': t('fSave', label), onClick: once(async () => save(await content(file), file.name)) }, icon(file.role === 'picture' ? 'image' : 'files'));
    if (/^image\/(jpeg|png|webp|gif)$/.test(file.media)) {
      content(file).then((blob) => {
        urls.push(URL.createObjectURL(blob));
        look.replaceChildren(h('img', { src: urls.at(-1), alt: '' }));
      }, () => {});
    }
    return h('li', { class: 'thing' }, look, h('div', { class: 'grow small' }, h('p', { class: 'called' }, name(file.name)), file.bytes > 0 && h('p', { class: 'muted' }, size(file.bytes))),
      iconButton('trash', t('nRemove', label), once(() => api.patch(base, { detach: [file.id] }).then(page.draw))));
  };
  return {
    content: [h('h2', {}, h('bdi', {}, place.title)), h('p', {}, dots(place.url && where(place.url), standing(place))), about({ ...place, url: '' }, called), said(place.note),
      h('ul', { class: 'tiles' }, place.files.map(row)), sending.el,
      h('div', { class: 'row' }, button('edit', () => edit(place, called), 'edit', { class: 'button primary' }), button('nAddFile', () => sending.choose(), 'image'), await publishing(place.id, 'place'), removing('place', 'bookmarks', place))],
    leave: () => urls.forEach((url) => URL.revokeObjectURL(url)),
  };
}
