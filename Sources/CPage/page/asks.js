// Who asks to join, above every view of those who may let somebody in.
import { api, button, h, icon, keep, named, on, path, set, state, t } from './parts.js';
import { ring } from './lost.js';
import { isMuted } from './mute.js';

const rung = new Set(); // Of whom was told aloud.
let list, voice;

/** What the node says of asking; its seconds count from now. */
export const setAsking = (asking) => set('asking', { ...asking, at: Date.now() });
export const big = (text) => h('p.words', { lang: 'en', dir: 'ltr' }, text);

const answer = (id, admit) => async () => setAsking(await api.post(path(`asks/${id}`), { admit }));

const banner = ({ id, name, words, sameName, label }) => h('section.banner.call',
  { 'aria-label': `${t('asksJoin', { name })}: ${words[0]}` },
  h('p.row', icon('people'), h('strong', t('asksJoin', { name }))), sameName && h('p', t('sameName')),
  big(words.join(' ')), h('.row', button('letIn', answer(id, true), 'check', named('letIn', name)),
    button('no', answer(id, false), null, named('no', name))), label && h('p.small', t('seenAs', { label })));

function draw({ asks }) {
  keep(list, asks.map(({ secondsLeft, ...one }) => one), banner);
  const fresh = asks.filter(({ id }) => !rung.has(id));
  for (const { id } of fresh) rung.add(id);
  if (!fresh.length) return;
  voice.textContent = fresh.map(({ name, words }) => `${t('asksJoin', { name })}: ${words.join(' ')}`).join('. ');
  if (!isMuted()) ring();
}

export function buildAsks() {
  list = h('div');
  voice = h('p.visually-hidden', { role: 'alert' });
  on('asking', draw);
  return [voice, list];
}
