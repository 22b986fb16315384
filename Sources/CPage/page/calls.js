// What waits for a word of every reader, above every view: a roll call, and what is urgent.
import { api, button, h, icon, keep, on, once, path, said, set, state, t, time } from './parts.js';
import { ring } from './lost.js';
import { isMuted } from './mute.js';
import { toUnderstand } from './urgent.js';

const rung = new Set(); // Of what was told of aloud.
let urgent, roll, voice;

const here = (members) => async () => set('roll', await api.post(path('roll/answer'), { here: true, members }));

const understand = (id) => async () => {
  await api.post(path(`messages/${id}/understood`));
  set('urgent', state.urgent.map((one) => (one.id === id ? { ...one, understood: true } : one)));
};

const urgentBanner = ({ id, name, text, at, behind }) => h('section.banner.pressing', { 'aria-label': t('urgent') },
  h('p.row', icon('announce'), h('strong', t('urgentFrom', { name })), h('time.small', at)), said(text),
  h('.row', button('understood', understand(id)), behind > 0 && h('span.small', t('moreUrgent', { n: behind }))));

const rollBanner = ({ name, text, at, asked, buddies }) =>
  h(`section.banner.call${asked ? '' : '.known'}`, { 'aria-label': t('roll') },
    h('p.row', icon('people'), h('strong', t('rollBy', { name })), h('time.small', at)), said(text),
    h('.row', asked && button('imHere', here([]), 'check'),
      buddies.map(([id, name]) => h('button.button', { onClick: once(here([id])) },
        t('isHere', { name })))));

function tell(id, words) {
  if (rung.has(id)) return;
  rung.add(id);
  voice.textContent = words;
  if (!isMuted()) ring();
}

function drawUrgent(all) {
  const { next, behind, open } = toUnderstand(all);
  keep(urgent, next ? [{ id: next.id, name: next.name, text: next.text, at: time(next.at), behind }] : [], urgentBanner);
  const fresh = open.filter(({ id }) => !rung.has(id));
  for (const { id } of fresh) rung.add(id);
  if (!fresh.length) return;
  voice.textContent = fresh.map(({ name, text }) => `${t('urgentFrom', { name })} ${text}`).join(' ');
  ring();
}

function drawRoll(call) {
  const { id, name, text, at, asked, open, members } = call ?? {};
  const buddies = (members ?? []).filter((m) => m.buddy && m.state === 'missing').map((m) => [m.memberID, m.name]);
  const shown = open && (asked || buddies.length > 0);
  keep(roll, shown ? [{ id, name, text, at: time(at), asked, buddies }] : [], rollBanner);
  if (shown && asked) tell(id, `${t('rollBy', { name })} ${text}`);
}

export function buildCalls() {
  urgent = h('div');
  roll = h('div');
  voice = h('p.visually-hidden', { role: 'alert' });
  on('urgent', drawUrgent);
  on('roll', drawRoll);
  // The message itself comes before the next look of the node at what stands beside the messages.
  on('messages', ({ start, messages }) => {
    if (start) return;
    if (messages.some(({ type }) => type === 'roll-call')) api.get(path('roll')).then((got) => set('roll', got.roll)).catch(() => {});
    if (messages.some(({ metadata }) => metadata.urgent)) api.get(path('urgent')).then((got) => set('urgent', got.urgent)).catch(() => {});
  });
  return [voice, roll, urgent];
}
