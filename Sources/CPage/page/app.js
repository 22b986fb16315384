// The shell: which tour, which view, and what comes from the node.
import { button, clear, h, icon, name } from './dom.js';
import { lang, languages, loadWords, number, setLanguage, t } from './words.js';
import './look.js';
import { api, takeToken } from './api.js';
import { leads, on, set, state, tell } from './state.js';
import { confirm, dialog, fail, toast } from './dialogs.js';

const FIRST = ['chat', 'people', 'board', 'files'];
const VIEWS = [...FIRST, 'notebook', 'guide', 'status'];
const START = 100; // Messages that come at first.
const built = new Map();
const ui = {};
let shown = null;

const pick = () => sessionStorage.getItem('tour') ?? localStorage.getItem('tour-chat.tour');

/** Another tour is another page: nothing of this one can be left behind in it. */
function open(tour, view = 'chat') {
  sessionStorage.setItem('tour', tour);
  localStorage.setItem('tour-chat.tour', tour);
  history.replaceState(null, '', `#/${view}`);
  location.reload();
}

function shell() {
  ui.tour = button('tour', menu);
  ui.title = h('h1');
  ui.slot = h('div', { class: 'row' });
  ui.line = h('p', { role: 'status' });
  ui.nav = h('nav', { 'aria-label': t('views') });
  ui.main = h('main');
  document.querySelector('.tour').remove();
  document.body.prepend(ui.tour, h('header', { class: 'tools' }, ui.title, ui.slot), ui.line, ui.nav, ui.main);
  navigation();
}

const badge = (n) => n > 0 && h('span', { class: 'badge', title: t('unread', { n }) }, number(n));

function navigation() {
  const link = (view, cls) => h('a', {
    href: `#/${view}`, class: `button ${cls ?? ''}`, 'aria-current': view === shown?.id ? 'page' : null,
  }, icon(view), t(view), view === 'chat' && badge(state.unread));
  const rest = VIEWS.slice(FIRST.length).filter((view) => view !== 'guide' || leads());
  const more = button('others', () => {
    const el = dialog(t('more'), h('div', { class: 'choices', onClick: () => el.close() }, rest.map((view) => link(view))));
  }, icon('more'), t('more'));
  if (rest.includes(shown?.id)) more.setAttribute('aria-current', 'true');
  const focused = [...ui.nav.children].indexOf(document.activeElement);
  clear(ui.nav).append(...FIRST.map((view) => link(view)), ...rest.map((view) => link(view, 'rest')), more);
  ui.nav.children[focused]?.focus();
}

/** A part of an address; what no program has written is left as it stands. */
function plain(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Shows what the address says: `#/people`, or `#/chat/ID`. */
async function route() {
  if (await takeToken()) return location.reload();
  let [, id, ...rest] = location.hash.split('/').map(plain);
  if (!VIEWS.includes(id) && id !== 'join') [id, rest] = ['chat', []];
  if (!state.tour) id = 'join';
  const at = location.hash;
  const view = await load(id);
  if (location.hash !== at) return;
  if (shown !== view) {
    shown?.hide?.();
    shown = view;
    ui.title.textContent = t(view.word);
    ui.slot.replaceChildren(...(view.tools?.() ?? []));
    for (const other of built.values()) other.el.hidden = other !== built.get(id);
    navigation();
  }
  view.show?.(...rest);
}

async function load(id) {
  if (!built.has(id)) {
    const view = (await import(id === 'chat' ? './chat/chat.js' : `./${id === 'notebook' ? 'notebook/' : ''}${id}.js`)).default;
    const el = view.build();
    el.classList.add('view');
    built.set(id, { view, el });
    ui.main.append(el);
  }
  return built.get(id).view;
}

function heading() {
  const { tour } = state;
  ui.tour.replaceChildren(h('span', {}, name(tour?.name ?? t('noTour')), tour && h('small', {}, t(`role_${tour.role}`), ' · ', t('members', { n: tour.members }))), icon('down'));
  const all = state.tours.reduce((sum, { unread }) => sum + unread, 0);
  document.title = `${all ? `(${all}) ` : ''}${tour ? `${tour.name} · ` : ''}tour-chat`;
}

function line(error) {
  ui.line.className = error ? 'line' : '';
  ui.line.replaceChildren(...(error ? [icon('warn'), error.code === 'offline' ? t('offline') : error.message] : []));
  if (state.online === Boolean(error)) set('online', !error);
}

async function rename() {
  const status = await api.get('status').catch(fail);
  if (!status) return;
  const input = h('input', { value: status.name, required: true, maxlength: 128, dir: 'auto', autocomplete: 'off' });
  const el = dialog(t('yourName'), h('form', {
    class: 'stack', onSubmit: (event) => {
      event.preventDefault();
      api.put('name', { name: input.value.trim() }).then(() => { el.close(); toast(t('saved')); }, fail);
    },
  }, h('label', { class: 'field' }, t('yourName'), input), h('button', { class: 'button primary' }, t('save'))));
  input.select();
}

async function leave() {
  const sure = await confirm({ title: t('leave'), text: t('leaveSure', { tour: state.tour.name }), action: t('leave'), danger: true });
  if (sure) await api.post(`tours/${state.tour.tourID}/leave`).then(() => location.reload(), fail);
}

function menu() {
  const choice = (symbol, text, act, ...more) => button('', () => { el.close(); act(); }, icon(symbol), h('span', {}, text), more);
  const language = h('select', { onChange: () => setLanguage(language.value) },
    Object.entries(languages).map(([code, own]) => h('option', { value: code, lang: code, selected: code === lang }, own)));
  const el = dialog(t('tours'), h('div', { class: 'choices' },
    state.tours.map((tour) => {
      const here = tour.tourID === state.tour?.tourID;
      const one = choice('board', [name(tour.name), h('small', { class: 'muted' }, ' ', t(`role_${tour.role}`), tour.active ? '' : ` · ${t(`state_${tour.state}`)}`)],
        () => here || open(tour.tourID), badge(tour.unread));
      if (here) one.setAttribute('aria-current', 'true');
      return one;
    }),
    h('hr'), [['qr', 'joinAnother'], ['add', 'create']].map(([symbol, word]) => choice(symbol, t(word), () => { location.hash = '#/join'; })),
    choice('edit', t('yourName'), rename), state.tour?.active && choice('close', t('leave'), leave)),
  h('label', { class: 'field' }, t('language'), language));
}

function refused() {
  document.body.className = 'refused';
  document.body.replaceChildren(h('main', { class: 'stack' }, h('h1', {}, t('refused')), h('p', {}, t('refusedWhy')),
    h('p', { class: 'card mono', dir: 'ltr' }, 'tour-chat page'), h('p', { class: 'muted' }, t('refusedHow'))));
}

function tours(list) {
  set('tours', list);
  set('unread', list.find(({ tourID }) => tourID === state.tour?.tourID)?.unread ?? 0);
  heading();
}

/** Waits for the node, then for a tour. */
async function start() {
  for (;; await new Promise((resolve) => setTimeout(resolve, 2000))) {
    try {
      const [{ features }, { tours: list }] = await Promise.all([api.get('page'), api.get('tours')]);
      set('features', features);
      const tour = list.find(({ tourID }) => tourID === pick()) ?? list.find(({ latest }) => latest) ?? list[0];
      line(null);
      if (tour) {
        const [detail, { members }] = await Promise.all([api.get(`tours/${tour.tourID}`), api.get(`tours/${tour.tourID}/members`)]);
        people(members);
        set('tour', detail);
        tours(list);
        return;
      }
      if (!shown) await route();
    } catch (error) {
      if (error.status === 401) return;
      line(error);
      if (!('status' in error)) throw error;
    }
  }
}

function people(members) {
  set('members', members);
  set('me', members.find(({ me }) => me) ?? null);
}

function follow() {
  api.events(state.tour.tourID, START, {
    connected: () => line(null),
    lost: line,
    messages: (data) => tell('messages', data),
    note: (data) => {
      const note = data.note ?? data;
      tell('note', note);
      if (note.text) toast(note.text);
    },
    members: ({ members }) => people(members),
    tour: (tour) => { set('tour', tour); heading(); },
    meeting: ({ meeting }) => set('meeting', meeting),
    sharing: (sharing) => set('sharing', sharing),
    tours: ({ tours: list }) => tours(list),
  });
}

await loadWords();
api.denied = refused;
shell();
heading();
fetch('icon.svg').then((answer) => answer.text()).then((text) => {
  const sprite = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement;
  sprite.setAttribute('class', 'visually-hidden');
  document.body.append(sprite);
});
addEventListener('hashchange', () => route().catch(fail));
for (const key of ['unread', 'tour']) on(key, () => navigation());
on('refresh', (tour) => (tour && tour !== state.tour?.tourID ? open(tour) : location.reload()));
await start();
if (state.tour) {
  // The chat counts as read what it shows, and hears the first messages: it is always there.
  await load('chat').catch(fail);
  built.get('chat').el.hidden = true;
  follow();
  await route().catch(fail);
}
