// Finds messages by words.
import { api, dialog, fail, fill, h, name, path, said, searching, t, when } from '../parts.js';
import { author, gist } from './message.js';

const MOST = 50;

export function search(jump) {
  let wait = 0, running = null;
  const count = h('p.muted', { role: 'status' });
  const results = h('ul.choices');
  const input = searching(() => { clearTimeout(wait); wait = setTimeout(look, 250); });
  const el = dialog(t('search'), input, count, results);
  const result = (message) => h('li', h('button.button.result', {
    onClick: () => { el.close(); jump(message.id); },
  }, h('span', name(author(message)), h('small.muted', ` ${when(message.sentAt)}`)),
  said(gist(message), 'span.excerpt')));

  async function look() {
    running?.abort();
    running = new AbortController();
    const words = encodeURIComponent(input.value.trim());
    try {
      const found = words && await api.lines(path(`messages?search=${words}&limit=${MOST}`), running.signal);
      count.textContent = found && t(found.length < MOST ? 'found' : 'foundMost', { n: found.length });
      fill(results, found && found.reverse().map(result));
    } catch (error) { fail(error); }
  }
}
