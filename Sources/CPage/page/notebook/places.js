// Saved places: a list, and a plot of those that have coordinates.
import { uploads } from '../upload.js';
import { address, api, area, button, coordinates, dialog, dots, fail, field, fill, form, go, h, iconButton, isIn, item,
  line, link, listing, look, name, number, once, page, pick, primary, publishing, removing, said, save, select, size,
  standing, state, t, thing, title as headline, toast, where } from './items.js';
import { plot } from './plot.js';

let category = '', liked = false;

export async function places(id) {
  const called = new Map((await api.lines(item('categories'))).map((one) => [one.id, one.name]));
  if (id) return one(await api.get(item('bookmarks', id)), called);
  const drawing = h('div');
  const choose = select([['', t('fAll')], ...called], category, (value) => { category = value; draw(); },
    { class: 'input', 'aria-label': t('nCategory') });
  const only = button('nLiked', () => {
    liked = !liked;
    only.ariaPressed = liked;
    draw();
  }, 'guide', { 'aria-pressed': liked });
  const like = (place) => async (el) => {
    const change = { is_favorite: !place.is_favorite };
    place.is_favorite = (await api.patch(item('bookmarks', place.id), change)).is_favorite;
    el.ariaPressed = place.is_favorite;
  };
  const row = (place) => [iconButton('guide', t('nLike', { title: place.title }), once(like(place)),
    { 'aria-pressed': Boolean(place.is_favorite) }),
  h('.grow', link('place', place), about(place, called), standing(place))];
  const text = ({ title, note, tags = [] }) => [title, note, ...tags].join(' ');
  const { search, body, draw } = listing((await api.lines(item('bookmarks'))).reverse(), text, row, 'nNoPlace', {
    keys: [(place) => !liked || place.is_favorite, (place) => !category || place.category_id === category],
    each: (found) => {
      const points = found.map(({ id, title, url }) => ({ id, title, ...coordinates(url) }))
        .filter((point) => 'north' in point);
      const people = state.members.filter((m) => m.position && isIn(m)).map(({ name: title, color, position }) =>
        ({ title, color, north: position.latitude, east: position.longitude }));
      const width = drawing.clientWidth;
      fill(drawing, points.length && width && plot([...points, ...people], width, (id) => go('place', id)));
    },
  });
  const exporting = (format) => button(format, async () => save(
    await api.blob(`notebook/export?format=${format.toLowerCase()}`), `notebook.${format.toLowerCase()}`),
  'download', { 'aria-label': t('nExport', { format }) });
  return {
    content: [
      h('.row.bar', primary('nAddPlace', () => edit({}, called), 'add'), search, only, called.size > 0 && choose),
      drawing, body,
      h('.row.end', button('nImport', () => pick(([file]) => take(file).catch(fail), { accept: '.gpx,.csv,.json' })),
        ['GPX', 'CSV', 'JSON'].map(exporting))],
    ready: draw,
  };
}

const about = ({ category_id: id, tags = [], url }, called) => said([called.get(id), ...tags.map((tag) => `#${tag}`),
  !coordinates(url) && url?.slice(0, 80)].filter(Boolean).join(' · '), 'p.muted.small');

async function take(file) {
  const format = /[^.]*$/.exec(file.name)[0].toLowerCase();
  const { added, unchanged, different, skipped, skippedCount } =
    await api.post(`notebook/import?format=${format}`, file);
  const words = t('nImported', { n: added, here: unchanged + different });
  const row = ({ number: place, title, reason }) =>
    h('li', number(place), ' ', name(title), ' ', h('bdi.muted', reason));
  if (!skippedCount) toast(words);
  else dialog(t('nImport'), h('p', words), h('p', t('nSkipped', { n: skippedCount })), h('ul.list', skipped.map(row)));
  page.draw();
}

function edit(place, called) {
  const known = h('datalist', { id: 'categories' }, [...called.values()].map((value) => h('option', { value })));
  const title = line(place.title, { required: true }), url = line(place.url);
  const kind = line(called.get(place.category_id), { list: 'categories' });
  const tags = line((place.tags ?? []).join(', ')), note = area(place.note);
  const here = button('nodePlace', async () => {
    const { latitude, longitude } = await api.get('position');
    url.value = `${latitude}, ${longitude}`;
  }, 'pin');
  form(t(place.id ? 'edit' : 'nAddPlace'), [field('nTitle', title), field('nAddress', url), h('.row', here),
    field('nCategory', kind), known, field('nTags', tags), field('kind_note', note)], async () => {
    const change = {
      title: title.value, url: address(url.value) ?? '', category: kind.value.trim() || null,
      tags: tags.value.split(/[,،、]/).map((tag) => tag.trim()).filter(Boolean), note: note.value || null,
    };
    if (place.id) await api.patch(item('bookmarks', place.id), { ...change, sync_version: place.sync_version });
    else go('place', (await api.post(item('bookmarks'), change)).id);
  });
}

async function one(place, called) {
  const base = item('bookmarks', place.id);
  const urls = [];
  const roleOf = ({ type }) => (type.startsWith('image/') ? 'picture' : 'file');
  const target = (file) => `${base}/files?role=${roleOf(file)}&name=${encodeURIComponent(file.name)}`;
  const sending = uploads(target, page.draw);
  const row = (file) => {
    const { id, name: called, role, media, bytes } = file;
    const content = () => api.blob(`${base}/files/${id}/content`);
    const shown = look(role === 'picture', t('fSave', { name: called }), async () => save(await content(), called));
    if (/^image\/(jpeg|png|webp|gif)$/.test(media)) {
      content().then((blob) => {
        urls.push(URL.createObjectURL(blob));
        fill(shown, h('img', { src: urls.at(-1), alt: '' }));
      }, () => {});
    }
    const detach = once(() => api.patch(base, { detach: [id] }).then(page.draw));
    return thing(shown, called, bytes > 0 && h('p.muted', size(bytes)),
      iconButton('trash', t('nRemove', { title: called }), detach));
  };
  return {
    content: [headline(place.title), h('p', dots(place.url && where(place.url), standing(place))),
      about({ ...place, url: '' }, called), said(place.note), h('ul.tiles', place.files.map(row)), sending.el,
      h('.row', primary('edit', () => edit(place, called), 'edit'), button('nAddFile', sending.choose, 'image'),
        await publishing(place.id, 'place'), removing('place', 'bookmarks', place))],
    leave: () => urls.forEach((url) => URL.revokeObjectURL(url)),
  };
}
