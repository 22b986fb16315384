// The notebook: one's own itineraries, places and notes, what guides share of theirs, and what gave way.
import { api, fail, h, on, page, t } from './items.js';
import { itineraries } from './itinerary.js';
import { places } from './places.js';
import { notes } from './notes.js';
import { lost, shared } from './shared.js';

const TABS = { itinerary: itineraries, place: places, note: notes, shared, lost };
const tabs = new Map(Object.keys(TABS).map((tab) => [tab, h('a', { class: 'button', href: `#/notebook/${tab}` }, t(`tab_${tab}`))]));
const panel = h('div', { class: 'stack', tabindex: -1, id: 'notebook' });
const standing = h('p', { class: 'muted small', role: 'status' });
let leave, shown = false, turn = 0, at = ['itinerary'];

page.draw = async () => {
  const mine = ++turn;
  const [tab, id] = at;
  // What a message shares is named by the message.
  const here = id && !id.includes('-') ? 'shared' : tab;
  for (const [other, el] of tabs) other === here ? el.setAttribute('aria-current', 'page') : el.removeAttribute('aria-current');
  try {
    await leave?.();
    leave = null;
    const content = await TABS[here](id);
    if (mine !== turn) return;
    const focused = panel.contains(document.activeElement) && document.activeElement;
    panel.replaceChildren(...[content.content ?? content].flat(Infinity).filter(Boolean));
    leave = content.leave;
    content.ready?.();
    if (focused) ([...panel.querySelectorAll('[data-key], .button')].find((el) => focused.dataset.key ? el.dataset.key === focused.dataset.key : el.textContent === focused.textContent) ?? panel).focus({ preventScroll: true });
  } catch (error) {
    if (mine === turn) fail(error);
    if (error.status === 404 && id) location.hash = `#/notebook/${here}`;
  }
  const status = await api.get('status').catch(() => ({}));
  page.syncs = Boolean(status.mailbox);
  standing.textContent = status.notebookProblem?.message ?? (page.syncs && status.notebookPending ? t('nWaiting', { n: status.notebookPending }) : '');
};

export default {
  id: 'notebook', word: 'notebook', icon: 'notebook',
  build() {
    on('messages', ({ start, messages }) => {
      if (shown && at[0] === 'shared' && !start && messages.some(({ metadata }) => metadata?.record)) page.draw();
    });
    // The command line or a sync may have changed it meanwhile. What is being typed stays.
    addEventListener('focus', () => shown && !at[1] && ![...panel.querySelectorAll('input')].some(({ value }) => value) && page.draw());
    return h('section', {}, h('div', { class: 'stack' }, h('div', { role: 'navigation', class: 'tabs', 'aria-label': t('notebook') }, [...tabs.values()]), standing, panel));
  },
  show(tab, id) {
    if (tab in TABS) {
      if (at[0] !== tab || at[1] !== id) panel.closest('.view').scrollTop = 0;
      at = [tab, id];
    }
    shown = true;
    page.draw();
  },
  hide() {
    shown = false;
    leave?.();
  },
};
