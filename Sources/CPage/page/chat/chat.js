// The Chat view.
import { api, by, copy, dropping, h, iconButton, menu, path, state, surely, t, fail } from '../parts.js';
import { composer } from './composer.js';
import { messageList } from './list.js';
import { author, download, view } from './message.js';
import { receipts } from './receipts.js';
import { search } from './search.js';

let list, writer;

function actions(message) {
  const { id, type, mine, metadata, content } = message;
  const isFile = type === 'file' || type === 'image', isThere = type !== 'withdrawn';
  const withdraw = () =>
    surely(t('withdraw'), t('withdrawSure'), 'withdraw', () => api.del(path(`messages/${id}`)).catch(fail));
  const from = [author(message), by(state.members.find(({ id }) => id === message.authorID))];
  menu(mine ? t('you') : from.filter(Boolean).join(', '), (choice) => [
    state.tour.active && choice('reply', t('reply'), () => writer.answer(message)),
    choice('double-check', t('receipts'), () => receipts(message)),
    type === 'image' && choice('image', t('open'), () => view(message)),
    isFile && choice('download', t('download'),
      () => (metadata.complete ? download(message).catch(fail) : view(message))),
    isThere && choice('files', t('copy'), () => copy(content).catch(fail)),
    mine && isThere && choice('trash', t('withdraw'), withdraw),
  ]);
}

function build() {
  list = messageList({ actions, receipts });
  writer = composer(list);
  return dropping(h('section.chat', { 'aria-label': t('chat') }, list.elements, writer.el), writer.attach);
}

export default {
  id: 'chat', build, hide: () => list.hide(),
  tools: () => [iconButton('search', t('search'), () => search(list.jump))],
  show(id) {
    list.show();
    if (id) list.jump(id);
    else if (matchMedia('(pointer: fine)').matches) writer.focus();
  },
};
