// The tour's files and pictures: what is here, what is on its way, and more to send.
import { ago, api, button, confirm, dropping, fail, fill, h, iconButton, keep, look, matches, on, once, ours,
  path, primary, said, searching, select, size, state, t, thing, toast, unpack } from './parts.js';
import { uploads } from './upload.js';
import { download, view } from './chat/message.js';

const PAGE = 100;
const small = new Map(); // By message: the address of its small picture.
const ui = {};
let all = [], shown = false, timer = 0, most = PAGE;
/** Pictures that a node makes smaller, and takes the place out of. */
const isPicture = ({ type }) => /^image\/(jpeg|png|webp|heic|heif)$/.test(type);

const looks = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    looks.unobserve(target);
    thumbnail(target.dataset.id).then((src) => src && fill(target, h('img', { src, alt: '' })), () => {});
  }
});

async function thumbnail(id) {
  if (!small.has(id)) {
    const found = (await api.lines(path(`messages?around=${id}&limit=1`))).find((message) => message.id === id);
    const bytes = found?.metadata.thumbnail;
    small.set(id, bytes && URL.createObjectURL(unpack(bytes)));
  }
  return small.get(id);
}

function build() {
  const target = (file) => path(`uploads?name=${encodeURIComponent(file.name)}&image=${isPicture(file)}`);
  const sending = uploads(target, (file) => {
    toast(ours(t('fSent', { name: file.name })));
    refresh();
  });
  ui.search = searching(draw);
  ui.who = select([], '', draw, { class: 'input', 'aria-label': t('fWho') });
  ui.grid = button('fGrid', () => {
    localStorage.setItem('files.list', isGrid() ? '1' : '');
    draw();
  }, 'image');
  ui.pictures = h('ul.tiles', { 'aria-label': t('fPictures') });
  ui.others = h('ul.list.card', { 'aria-label': t('files') });
  ui.empty = h('p.empty');
  ui.more = button('more', () => { most += PAGE; draw(); });
  ui.send = primary('fSend', sending.choose, 'add');
  on('messages', ({ start, messages }) => {
    if (shown && !start && messages.some(({ metadata }) => metadata.size !== undefined)) later(300);
  });
  on('online', () => shown && refresh());
  document.addEventListener('visibilitychange', () => shown && refresh());
  return dropping(h('section', h('.stack', h('.row.bar', ui.send, ui.grid, ui.search, ui.who), sending.el, ui.pictures,
    ui.others, ui.empty, ui.more)), (files) => state.tour.active && sending.add(files));
}

const isGrid = () => !localStorage.getItem('files.list');

function later(time) {
  clearTimeout(timer);
  timer = setTimeout(refresh, time);
}

async function refresh() {
  // What a dialog was opened from stays, for the focus to go back to.
  if (document.querySelector('dialog[open]')) return later(500);
  try {
    all = (await api.get(path('files'))).files.reverse();
    draw();
  } catch (error) {
    if (error.code !== 'offline') fail(error);
  }
  // What moves is looked at while somebody looks.
  if (shown && !document.hidden && all.some((file) => ['fetching', 'waiting'].includes(file.state))) later(2000);
}

function draw() {
  const chosen = ui.who.value;
  const people = new Map(all.map(({ authorID, authorName }) => [authorID, authorName]));
  // A list that is open stays so.
  if (ui.who.length !== people.size + 1) {
    fill(ui.who, [['', t('fAll')], ...people].map(([value, called]) =>
      h('option', { value, selected: value === chosen }, called)));
  }
  const found = all.filter(({ authorID, name: called, caption }) =>
    (!chosen || authorID === chosen) && matches(`${called} ${caption ?? ''}`, ui.search.value));
  const isTile = (file) => isGrid() && file.type === 'image';
  const now = found.slice(0, most);
  const at = document.activeElement.closest('.thing')?.querySelector('.look').dataset.id;
  keep(ui.pictures, now.filter(isTile), row);
  keep(ui.others, now.filter((file) => !isTile(file)), row);
  for (const list of [ui.pictures, ui.others]) list.hidden = !list.firstChild;
  if (at && !document.activeElement.closest('.thing')) document.querySelector(`.look[data-id="${at}"]`)?.focus();
  ui.grid.ariaPressed = isGrid();
  ui.empty.textContent = now.length ? '' : t(all.length ? 'nNotFound' : 'fNone');
  ui.empty.hidden = now.length > 0;
  ui.more.hidden = found.length <= most;
  ui.send.disabled = !state.tour.active;
}

function progress({ state: at, have, size: max, bytesPerSecond, peers }) {
  const part = `${size(have)} / ${size(max)}`;
  return at !== 'complete' && [
    h('p', at === 'fetching' ? `${part} · ${size(bytesPerSecond)}/s · ${t('fPeers', { n: peers })}`
      : [t(`f_${at}`), have > 0 && ` ${part}`]),
    have > 0 && h('progress', { max, value: have, 'aria-label': part })];
}

function row(file) {
  const { id, type, caption, state: at, name: called } = file;
  const message = { id, type, content: caption ?? called, metadata: file };
  const act = (symbol, word, work) => iconButton(symbol, t(word, { name: called }), once(() => work().then(refresh)));
  const isImage = type === 'image', src = small.get(id);
  const shown = look(isImage, t(isImage ? 'openPicture' : 'fOpen', { name: (isImage && caption) || called }),
    () => view(message).then(refresh), { 'data-id': id });
  if (src) fill(shown, h('img', { src, alt: '' }));
  else if (isImage && !small.has(id)) looks.observe(shown);
  const free = async () => {
    const title = ours(t('fFree', { name: called }));
    if (await confirm({ title, text: t('fFreeWhy'), action: t('fDrop') })) await api.del(path(`files/${id}`));
  };
  return thing(shown, called, [
    caption !== called && said(caption, 'p'),
    h('p.muted', size(file.size), ' · ', h('bdi', file.authorName), ` · ${ago(file.sentAt)}`), progress(file),
  ], h('div', at === 'complete' ? [act('download', 'fSave', () => download(message)), act('free', 'fFree', free)]
    : at !== 'fetching' && act('download', 'fFetch', () => api.post(path(`files/${id}/fetch`)))));
}

export default {
  id: 'files', build,
  show() { shown = true; refresh(); },
  hide() { shown = false; clearTimeout(timer); },
};
