// The notebook: one's own itineraries, places and notes, what guides share of theirs, and what gave way.
import { api, fail, fill, h, on, page, t } from './items.js';
import { itineraries } from './itinerary.js';
import { places } from './places.js';
import { notes } from './notes.js';
import { lost, shared } from './shared.js';

const TABS = { itinerary: itineraries, place: places, note: notes, shared, lost };
const tabs = Object.keys(TABS).map((tab) => h('a.button', { href: `#/notebook/${tab}` }, t(`tab_${tab}`)));
const panel = h('.stack', { tabindex: -1, id: 'notebook' });
const standing = h('p.muted.small', { role: 'status' });
let leave, shown = false, turn = 0, at = ['itinerary'];

page.draw = async () => {
  const mine = ++turn;
  const [tab, id] = at;
  // What a message shares is named by the message.
  const here = id && !id.includes('-') ? 'shared' : tab;
  for (const el of tabs) el.ariaCurrent = el.hash.endsWith(`/${here}`) ? 'page' : null;
  try {
    await leave?.();
    leave = null;
    const content = await TABS[here](id);
    if (mine !== turn) return;
    const { dataset: { key }, textContent } = document.activeElement;
    const hadFocus = panel.contains(document.activeElement);
    fill(panel, content.content ?? content);
    leave = content.leave;
    content.ready?.();
    const isSame = (el) => (key ? el.dataset.key === key : el.textContent === textContent);
    const again = [...panel.querySelectorAll('[data-key], .button')].find(isSame) ?? panel;
    if (hadFocus) again.focus({ preventScroll: true });
  } catch (error) {
    if (mine === turn) fail(error);
    if (error.status === 404 && id) location.hash = `#/notebook/${here}`;
  }
  const { mailbox, notebookProblem, notebookPending: n } = await api.get('status').catch(() => ({}));
  page.syncs = Boolean(mailbox);
  standing.textContent = notebookProblem?.message ?? (mailbox && n ? t('nWaiting', { n }) : '');
};

function build() {
  on('messages', ({ start, messages }) => {
    if (shown && at[0] === 'shared' && !start && messages.some(({ metadata }) => metadata.record)) page.draw();
  });
  // The command line or a sync may have changed it meanwhile. What is being typed stays.
  addEventListener('focus', () => {
    if (shown && !at[1] && ![...panel.querySelectorAll('input')].some(({ value }) => value)) page.draw();
  });
  const navigation = h('.tabs', { role: 'navigation', 'aria-label': t('notebook') }, tabs);
  return h('section', h('.stack', navigation, standing, panel));
}

export default {
  id: 'notebook', build,
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
