// Finds messages by words.
import { button, h, name } from '../dom.js';
import { day, t, time } from '../words.js';
import { api } from '../api.js';
import { state } from '../state.js';
import { dialog, fail } from '../dialogs.js';
import { author, gist } from './message.js';

const MOST = 50;

export function search(jump) {
  let wait = 0, running = null;
  const said = h('p', { role: 'status', class: 'muted' });
  const results = h('ul', { class: 'choices' });
  const input = h('input', { type: 'search', class: 'input', 'aria-label': t('search'), dir: 'auto', onInput: () => { clearTimeout(wait); wait = setTimeout(look, 250); } });
  const el = dialog(t('search'), input, said, results);

  async function look() {
    running?.abort();
    const words = input.value.trim();
    if (!words) { results.replaceChildren(); said.textContent = ''; return; }
    running = new AbortController();
    try {
      const found = await api.lines(`tours/${state.tour.tourID}/messages?search=${encodeURIComponent(words)}&limit=${MOST}`, running.signal);
      said.textContent = t(found.length < MOST ? 'found' : 'foundMost', { n: found.length });
      results.replaceChildren(...found.reverse().map((message) => h('li', {}, button('result', () => { el.close(); jump(message.id); }, h('span', {}, name(author(message)), h('small', { class: 'muted' }, ` ${day(message.sentAt)} ${time(message.sentAt)}`)), h('span', { dir: 'auto', class: 'excerpt' }, gist(message))))));
    } catch (error) { fail(error); }
  }
}
