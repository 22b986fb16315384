// The tour's files and pictures: what is here, what is on its way, and more to send.
import { ago, api, button, confirm, fail, h, icon, iconButton, keep, name, on, once, ours, path, size, state, t, toast } from './parts.js';
import { isPicture, uploads } from './upload.js';
import { download, view } from './chat/message.js';

const PAGE = 100;
const small = new Map(); // By message: the address of its small picture.
const ui = {};
let all = [], shown = false, timer = 0, most = PAGE;

const looks = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    looks.unobserve(target);
    thumbnail(target.dataset.id).then((src) => src && target.replaceChildren(h('img', { src, alt: '' })), () => {});
  }
});

/** What came with the message itself. */
async function thumbnail(id) {
  if (!small.has(id)) {
    const { metadata } = (await api.lines(path(`messages?around=${id}&limit=1`))).find((message) => message.id === id) ?? {};
    const bytes = metadata?.thumbnail && Uint8Array.from(atob(metadata.thumbnail), (c) => c.charCodeAt(0));
    small.set(id, bytes && URL.createObjectURL(new Blob([bytes], { type: 'image/jpeg' })));
  }
  return small.get(id);
}

function build() {
  const sending = uploads((file) => path(`uploads?name=${encodeURIComponent(file.name)}&image=${isPicture(file)}`), (file) => {
    toast(ours(t('fSent', { name: file.name })));
    refresh();
  });
  ui.search = h('input', { type: 'search', class: 'input', 'aria-label': t('search'), placeholder: t('search'), onInput: draw });
  ui.who = h('select', { class: 'input', 'aria-label': t('fWho'), onChange: draw });
  ui.grid = button('fGrid', () => {
    localStorage.setItem('files.list', isGrid() ? '1' : '');
    draw();
  }, 'image');
  ui.pictures = h('ul', { class: 'tiles', 'aria-label': t('fPictures') });
  ui.others = h('ul', { class: 'list card', 'aria-label': t('files') });
  ui.empty = h('p', { class: 'empty' });
  ui.more = button('more', () => { most += PAGE; draw(); });
  ui.send = button('fSend', () => sending.choose(), 'add', { class: 'button primary' });
  on('messages', ({ start, messages }) => {
    if (shown && !start && messages.some(({ metadata }) => metadata?.size !== undefined)) later(300);
  });
  on('online', () => shown && refresh());
  document.addEventListener('visibilitychange', () => shown && refresh());
  return h('section', {
    onDragover: (event) => event.dataTransfer.types.includes('Files') && event.preventDefault(),
    onDrop: (event) => {
      event.preventDefault();
      if (state.tour.active) sending.add(event.dataTransfer.files);
    },
  }, h('div', { class: 'stack' }, h('div', { class: 'row bar' }, ui.send, ui.grid, ui.search, ui.who), sending.el, ui.pictures, ui.others, ui.empty, ui.more));
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
  if (ui.who.length !== people.size + 1) ui.who.replaceChildren(h('option', { value: '' }, t('fAll')), ...[...people].map(([value, called]) => h('option', { value, selected: value === chosen }, called)));
  const words = ui.search.value.toLocaleLowerCase().split(/\s+/);
  const found = all.filter((file) => (!chosen || file.authorID === chosen) && words.every((word) => `${file.name} ${file.caption ?? ''}`.toLocaleLowerCase().includes(word)));
  const isTile = (file) => isGrid() && file.type === 'image';
  const now = found.slice(0, most);
  const at = document.activeElement.closest('.thing')?.querySelector('.look').dataset.id;
  keep(ui.pictures, now.filter(isTile), row);
  keep(ui.others, now.filter((file) => !isTile(file)), row);
  for (const list of [ui.pictures, ui.others]) list.hidden = !list.firstChild;
  if (at && !document.activeElement.closest('.thing')) document.querySelector(`.look[data-id="${at}"]`)?.focus();
  ui.grid.setAttribute('aria-pressed', isGrid());
  ui.empty.textContent = now.length ? '' : t(all.length ? 'nNotFound' : 'fNone');
  ui.empty.hidden = now.length > 0;
  ui.more.hidden = found.length <= most;
  ui.send.disabled = !state.tour.active;
}

function row(file) {
  const { id, type, caption, have, state: at } = file;
  // As the chat's are opened and downloaded.
  const message = { id, tourID: file.tourID, type, content: caption ?? file.name, metadata: file };
  const act = (symbol, word, work) => iconButton(symbol, t(word, { name: file.name }), once(() => work().then(refresh)));
  const look = h('button', { type: 'button', class: 'button look', 'data-id': id, 'aria-label': t(type === 'image' ? 'openPicture' : 'fOpen', { name: file.name }), onClick: once(() => view(message).then(refresh)) },
    small.get(id) ? h('img', { src: small.get(id), alt: '' }) : icon(type === 'image' ? 'image' : 'files'));
  if (type === 'image' && !small.has(id)) looks.observe(look);
  const part = `${size(have)} / ${size(file.size)}`;
  return h('li', { class: 'thing' }, look, h('div', { class: 'grow small' }, h('p', { class: 'called' }, name(file.name)), caption && caption !== file.name && h('p', { dir: 'auto' }, caption),
    h('p', { class: 'muted' }, size(file.size), ' · ', h('bdi', {}, file.authorName), ` · ${ago(file.sentAt)}`),
    at !== 'complete' && h('p', {}, at === 'fetching' ? `${part} · ${size(file.bytesPerSecond)}/s · ${t('fPeers', { n: file.peers })}` : [t(`f_${at}`), have > 0 && ` ${part}`]),
    at !== 'complete' && have > 0 && h('progress', { max: file.size, value: have, 'aria-label': part })),
  h('div', {}, at === 'complete' ? [act('download', 'fSave', () => download(message)), act('trash', 'fFree', async () => {
    if (await confirm({ title: ours(t('fFree', { name: file.name })), text: t('fFreeWhy'), action: t('fDrop') })) await api.del(path(`files/${id}`));
  })] : at !== 'fetching' && act('download', 'fFetch', () => api.post(path(`files/${id}/fetch`)))));
}

export default {
  id: 'files', word: 'files', icon: 'files', build,
  show() { shown = true; refresh(); },
  hide() { shown = false; clearTimeout(timer); },
};
