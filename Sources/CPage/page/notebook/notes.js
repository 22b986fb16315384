// Notes, and a page to write one: what is typed is saved by itself.
import { adder, api, area, button, h, item, line, link, listing, printing, publishing, removing, said, standing, t,
  title as headline, when } from './items.js';

export async function notes(id) {
  if (id) return editor(await api.get(item('notes', id)));
  const all = (await api.lines(item('notes'))).sort((a, b) => (a.updated_at < b.updated_at ? 1 : -1));
  const row = (note) => h('.grow', link('note', note), said(note.content.slice(0, 120), 'p.muted.small'),
    h('p.muted.small', when(note.updated_at), ' ', standing(note)));
  const { search, body } = listing(all, ({ title, content }) => `${title} ${content}`, row, 'nNoNote');
  return [adder('note', 'notes', 'nNewNote', { content: '' }), search, body];
}

async function editor(note) {
  const base = item('notes', note.id);
  const draft = `note.${note.id}`;
  const state = h('p.muted.small', { role: 'status' });
  const clash = h('div');
  const title = line(note.title, { class: 'input', required: true, 'aria-label': t('nTitle'), onInput: typed });
  const text = area(note.content, {
    class: 'input', rows: 14, 'aria-label': t('kind_note'), onInput: typed, onBlur: save,
  });
  let { sync_version: version, ...kept } = note;
  let timer = 0, last = Promise.resolve();
  const now = () => ({ title: title.value, content: text.value });
  const isEqual = (one) => one.title === title.value && one.content === text.value;

  function typed() {
    sessionStorage.setItem(draft, JSON.stringify({ ...now(), version }));
    state.textContent = t('nUnsaved');
    clearTimeout(timer);
    timer = setTimeout(save, 800);
  }
  function save() {
    clearTimeout(timer);
    return (last = last.then(write));
  }
  function saved() {
    sessionStorage.removeItem(draft);
    if (state.textContent) state.textContent = t('saved');
  }

  async function write() {
    if (isEqual(kept)) return saved();
    if (clash.firstChild) return;
    const change = now();
    state.textContent = t('saving');
    try {
      ({ sync_version: version } = await api.patch(base, { ...change, sync_version: version }));
      kept = change;
      if (isEqual(kept)) saved();
    } catch (error) {
      state.textContent = `${t('nUnsaved')} ${error.message}`;
      if (error.code === 'item-changed') await other();
      if (error.code === 'offline' && state.isConnected) timer = setTimeout(save, 3000);
    }
  }

  /** Somebody was faster: both are shown, and one is chosen. */
  async function other() {
    const theirs = await api.get(base).catch(() => null);
    if (!theirs) return;
    const choose = (isOurs) => () => {
      ({ sync_version: version, ...kept } = theirs);
      if (!isOurs) [title.value, text.value] = [theirs.title, theirs.content];
      clash.replaceChildren();
      text.focus();
      return save();
    };
    if (isEqual(theirs)) return void choose(false)();
    clash.replaceChildren(h('section.card.stack', headline(t('nClash'), 'h3'), said(theirs.title, 'p.name'),
      said(theirs.content),
      h('.row', button('nMine', choose(true)), button('nTheirs', choose(false)))));
  }

  // What was typed when the page or the node went.
  const left = sessionStorage.getItem(draft);
  if (left) {
    ({ title: title.value, content: text.value, version } = JSON.parse(left));
    typed();
  }
  const unload = (event) => {
    if (isEqual(kept)) return;
    event.preventDefault();
    save();
  };
  addEventListener('beforeunload', unload);
  return {
    content: [title, text, h('.row', state, standing(note)), clash,
      h('.row', printing(base, note.title), await publishing(note.id, 'note'), removing('note', 'notes', note))],
    leave() {
      removeEventListener('beforeunload', unload);
      return save();
    },
  };
}
