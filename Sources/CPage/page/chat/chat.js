// The Chat view.
import { button, h, icon, iconButton } from '../dom.js';
import { t } from '../words.js';
import { api } from '../api.js';
import { state } from '../state.js';
import { confirm, dialog, fail, toast } from '../dialogs.js';
import { composer } from './composer.js';
import { messageList } from './list.js';
import { author, base, download, view } from './message.js';
import { receipts } from './receipts.js';
import { search } from './search.js';

let list, writer;

/** What can be done with a message. */
function actions(message) {
  const { type, mine, metadata } = message;
  const choice = (symbol, word, act) => button('', () => { el.close(); act(); }, icon(symbol), t(word));
  const isFile = type === 'file' || type === 'image';
  const el = dialog(mine ? t('you') : author(message), h('div', { class: 'choices' },
    state.tour.active && choice('reply', 'reply', () => writer.answer(message)),
    choice('double-check', 'receipts', () => receipts(message)),
    type === 'image' && choice('image', 'open', () => view(message)),
    isFile && choice('download', 'download', () => (metadata.complete ? download(message).catch(fail) : view(message))),
    type !== 'withdrawn' && choice('files', 'copy', () => navigator.clipboard.writeText(message.content).then(() => toast(t('copied')), fail)),
    mine && type !== 'withdrawn' && choice('trash', 'withdraw', async () => {
      const sure = await confirm({ title: t('withdraw'), text: t('withdrawSure'), action: t('withdraw'), danger: true });
      if (sure) await api.del(`${base(message)}/messages/${message.id}`).catch(fail);
    })));
}

function build() {
  list = messageList({ actions, receipts });
  writer = composer(list);
  const el = h('section', { class: 'chat', 'aria-label': t('chat') }, list.elements, writer.el);
  el.addEventListener('dragover', (event) => { if (event.dataTransfer.types.includes('Files')) { event.preventDefault(); el.classList.add('drop'); } });
  el.addEventListener('dragleave', (event) => el.contains(event.relatedTarget) || el.classList.remove('drop'));
  el.addEventListener('drop', (event) => {
    el.classList.remove('drop');
    if (!event.dataTransfer.files.length) return;
    event.preventDefault();
    writer.attach(event.dataTransfer.files);
  });
  return el;
}

export default {
  id: 'chat', word: 'chat', icon: 'chat', build,
  tools: () => [iconButton('search', t('search'), () => search(list.jump))],
  show(id) {
    list.show();
    if (id) list.jump(id);
    else if (matchMedia('(pointer: fine)').matches) writer.focus();
  },
  hide: () => list.hide(),
};
