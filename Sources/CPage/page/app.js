// The shell: which tour, which view, and what comes from the node.
import { api, dialog, fail, field, fill, form, h, icon, languageField, leads, loadWords, menu, name, number, on, path,
  pause, roleWord, set, state, surely, t, takeToken, tell, toast } from './parts.js';
import { buildAsks, setAsking } from './asks.js';
import { buildCalls } from './calls.js';
import { followKeyboard } from './keyboard.js';
import { buildAlarms, cry } from './lost.js';
import { isMuted, mute } from './mute.js';
import { buildStrip, tellNext } from './strip.js';

const FIRST = ['chat', 'today', 'people', 'board'];
const VIEWS = [...FIRST, 'files', 'notebook', 'guide', 'status'];
const ASIDE = ['join', 'invite']; // Shown, but not in the navigation.
const START = 40; // Messages that come at first.
const built = new Map();
const ui = {};
let shown = null;
let isKnown = false; // Which tours there are.
let turns = 0;

const pick = () => sessionStorage.getItem('tour') ?? localStorage.getItem('tour-chat.tour');

/** Another tour is another page: nothing of this one can be left behind in it. */
function open(tour, view = 'chat') {
  sessionStorage.setItem('tour', tour);
  localStorage.setItem('tour-chat.tour', tour);
  history.replaceState(null, '', `#/${view}`);
  location.reload();
}

function shell() {
  ui.tour = h('button.button.tour', { onClick: tourMenu });
  ui.title = h('h1');
  ui.slot = h('.row');
  ui.line = h('p', { role: 'status' });
  ui.nav = h('nav', { 'aria-label': t('views') });
  ui.main = h('main');
  document.querySelector('.tour').remove();
  ui.sos = h('button.button.bare.sos',
    { onClick: () => cry(), 'aria-label': t('lost'), title: t('lost') }, icon('sos'));
  document.body.prepend(ui.tour, h('header.tools', ui.title, ui.slot, ui.sos), ui.line, buildStrip(),
    buildAlarms(buildAsks(), buildCalls()), ui.nav, ui.main);
  navigation();
}

const badge = (n) => n > 0 && h('span.badge', { title: t('unread', { n }) }, number(n));

function navigation() {
  const link = (cls) => (view) => h(`a.button${cls}`, {
    href: `#/${view}`, 'aria-current': view === shown?.id ? 'page' : null,
  }, icon(view), t(view), view === 'chat' && badge(state.unread));
  const rest = VIEWS.slice(FIRST.length).filter((view) => view !== 'guide' || leads());
  const more = h('button.button.others', {
    'aria-current': rest.includes(shown?.id) ? 'true' : null, onClick: () => {
      const el = dialog(t('more'), h('.choices', { onClick: () => el.close() }, rest.map(link(''))));
    },
  }, icon('more'), t('more'));
  const focused = [...ui.nav.children].indexOf(document.activeElement);
  ui.nav.hidden = !state.tour;
  ui.sos.hidden = !state.tour?.active;
  fill(ui.nav, FIRST.map(link('')), rest.map(link('.rest')), more);
  ui.nav.children[focused]?.focus();
}

/** A part of an address; what no program has written is left as it stands. */
function plain(part) {
  try { return decodeURIComponent(part); } catch { return part; }
}

async function route() {
  if (await takeToken()) return location.reload();
  if (!isKnown) return; // It is asked again then.
  let [, id, ...rest] = location.hash.split('/').map(plain);
  if (![...VIEWS, ...ASIDE].includes(id)) [id, rest] = ['chat', []];
  if (!state.tour) id = 'join';
  const turn = ++turns;
  const view = await load(id);
  if (turn !== turns) return; // Another one was asked for meanwhile.
  if (shown !== view) {
    shown?.hide?.();
    shown = view;
    ui.title.textContent = t(id);
    fill(ui.slot, view.tools?.());
    for (const [other, { el }] of built) el.hidden = other !== id;
    navigation();
  }
  view.show?.(...rest);
}

async function load(id) {
  const folder = ['chat', 'notebook'].includes(id) ? `${id}/` : '';
  const { default: view } = await import(`./${folder}${id}.js`);
  // Two may have waited for it; who shows it also hides the others.
  if (!built.has(id)) {
    const el = view.build();
    el.classList.add('view');
    el.hidden = true;
    built.set(id, { view, el });
    ui.main.append(el);
  }
  return view;
}

function heading() {
  const { tour } = state;
  fill(ui.tour, h('span', name(tour?.name ?? t('noTour')),
    tour && h('small', roleWord(tour.role), ' · ', t('members', { n: tour.members }))), icon('down'));
  const all = state.tours.reduce((sum, { unread }) => sum + unread, 0);
  document.title = `${all ? `(${all}) ` : ''}${tour ? `${tour.name} · ` : ''}tour-chat`;
}

function line(error) {
  ui.line.className = error ? 'line' : '';
  fill(ui.line, error && [icon('warn'), error.code === 'offline' ? t('offline') : error.message]);
  if (state.online === Boolean(error)) set('online', !error);
}

async function rename() {
  const status = await api.get('status');
  const input = h('input', { value: status.name, required: true, maxlength: 128, dir: 'auto', autocomplete: 'off' });
  const el = dialog(t('yourName'), form('save', async () => {
    await api.put('name', { name: input.value.trim() });
    el.close();
    toast(t('saved'));
  }, field('yourName', input)));
  input.select();
}

const leave = () => surely(t('leave'), t('leaveSure', { tour: state.tour.name }), 'leave',
  () => api.post(path('leave')).then(() => location.reload()));

function tourMenu() {
  const toJoin = () => { location.hash = '#/join'; };
  menu(t('tours'), (choice) => [
    state.tours.map((tour) => {
      const here = tour.tourID === state.tour?.tourID;
      const over = tour.active ? '' : ` · ${t(`state_${tour.state}`)}`;
      const one = choice('board', [name(tour.name), h('small.muted', ' ', roleWord(tour.role), over)],
        () => here || open(tour.tourID), badge(tour.unread));
      if (here) one.ariaCurrent = 'true';
      return one;
    }),
    h('hr'), choice('qr', t('joinAnother'), toJoin), choice('add', t('create'), toJoin),
    choice('edit', t('yourName'), () => rename().catch(fail)),
    choice('announce', t(isMuted() ? 'unmute' : 'mute'), () => mute(!isMuted())),
    state.tour?.active && choice('close', t('leave'), () => leave().catch(fail)),
  ], languageField());
}

async function refused() {
  await words;
  document.body.className = 'refused';
  fill(document.body, h('main.stack', h('h1', t('refused')), h('p', t('refusedWhy')),
    h('p.card.mono', { dir: 'ltr' }, 'tour-chat page'), h('p.muted', t('refusedHow'))));
}

function tours(list) {
  set('tours', list);
  set('unread', list.find(({ tourID }) => tourID === state.tour?.tourID)?.unread ?? 0);
  heading();
}

function people({ members, people }) {
  set('members', members);
  set('people', people);
  set('me', members.find(({ me }) => me) ?? null);
}

const ask = () => Promise.all([api.get('page'), api.get('tours')]);

/** Learns which tours there are, of an answer that was asked for before, or else as often as it takes. */
async function start(asked) {
  for (;; asked = ask()) {
    try {
      const [{ features }, { tours: list }] = await asked;
      set('features', features);
      const tour = list.find(({ tourID }) => tourID === pick()) ?? list.find(({ latest }) => latest) ?? list[0];
      line(null);
      if (tour) {
        const at = `tours/${tour.tourID}`;
        const [detail, members] = await Promise.all([api.get(at), api.get(`${at}/members`)]);
        people(members);
        set('tour', detail);
        tours(list);
        isKnown = true;
        return;
      }
      isKnown = true;
      if (!shown) await route();
    } catch (error) {
      if (error.status === 401) return;
      line(error);
      if (!('status' in error)) throw error;
    }
    await pause(2000);
  }
}

const follow = () => api.events(state.tour.tourID, START, {
  connected: () => line(null),
  lost: line,
  messages: (data) => tell('messages', data),
  note: ({ text }) => text && toast(text),
  members: people,
  tour: (tour) => { set('tour', tour); heading(); },
  alarms: ({ alarms }) => set('alarms', alarms),
  quiet: (quiet) => set('quiet', quiet),
  roll: ({ roll }) => set('roll', roll),
  urgent: ({ urgent }) => set('urgent', urgent),
  stragglers: (stragglers) => set('stragglers', stragglers),
  meeting: ({ meeting }) => set('meeting', meeting),
  sharing: (sharing) => set('sharing', sharing),
  asking: setAsking,
  tours: (data) => tours(data.tours),
});

api.denied = refused;
const words = loadWords();
const asked = ask();
asked.catch(() => {}); // It is looked at when there are words for it.
await words;
shell();
heading();
fetch('icon.svg').then((answer) => answer.text()).then((text) => {
  const sprite = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement;
  sprite.setAttribute('class', 'visually-hidden');
  sprite.setAttribute('aria-hidden', 'true');
  document.body.append(sprite);
});
followKeyboard();
addEventListener('hashchange', () => route().catch(fail));
for (const key of ['unread', 'tour']) on(key, navigation);
on('created', (tour) => open(tour, 'invite'));
on('refresh', (tour) => (tour ? open(tour) : location.reload()));
await start(asked);
if (state.tour) {
  // The chat counts as read what it shows, and hears the first messages: it is always there.
  const missing = (error) => { reportError(error); line({ code: 'offline' }); };
  while (!await load('chat').catch(missing)) await pause(2000);
  follow();
  await route().catch(fail);
  import('./plan.js').then(({ follow: plan, next }) => { tellNext(next); plan(); }).catch(reportError);
}
