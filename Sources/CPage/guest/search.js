// Finds messages by words; the device looks through all of them, also those that are not on the phone.
import { author, gist } from './bubble.js';
import { jump } from './chat.js';
import { fill, h, said, who } from './dom.js';
import { ask } from './seat.js';
import { field, form, sheet } from './sheets.js';
import { day, t, time } from './words.js';

const MOST = 50;

export function showSearch() {
  const input = h('input', { type: 'text', inputmode: 'search', enterkeyhint: 'search', dir: 'auto', maxlength: 100 });
  const count = h('p.muted', { role: 'status' }), results = h('ul.choices');
  const result = (message) => h('li', h('button.button', { onClick: () => { el.close(); jump(message.id); } },
    h('span', who(author(message)), h('small', ` ${day(message.sentAt)} ${time(message.sentAt)}`),
      said(gist(message), 'span.excerpt'))));
  const el = sheet(t('search'), form('search', async () => {
    const words = input.value.trim();
    if (!words) return;
    const { messages } = await ask({ op: 'search', words });
    count.textContent = t(messages.length < MOST ? 'found' : 'foundMost', { n: messages.length });
    fill(results, messages.reverse().map(result));
  }, field('searchFor', input)), count, results);
  input.focus();
}
