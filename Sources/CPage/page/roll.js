// The roll call, for those who lead: who said that they are here, and whom somebody saw; the missing stand first.
import { ago, api, apart, button, by, field, form, h, keep, lettersOf, live, name, path, section, select, set, state, t, time }
  from './parts.js';
import { buildBuddies, buddies } from './buddies.js';

let el;
const take = (roll) => set('roll', roll);

async function toggle(m) {
  take(await api.post(path('roll/answer'), { here: m.state !== 'here', members: [m.id] }));
}

function face(m) {
  const act = m.open ? { onClick: () => toggle(m), 'aria-pressed': String(m.state === 'here') } : { disabled: true };
  return h('li', h(`button.button.c${m.color}.is-${m.state}`, act,
    h('span.face', { 'aria-hidden': 'true' }, lettersOf(m.name)), h('span', name(m.full), h('small', m.sign))));
}

function draw() {
  const { roll, members } = state, open = Boolean(roll?.open);
  el.start.hidden = open;
  el.sheet.hidden = !roll;
  el.end.hidden = !open;
  if (!roll) return;
  const sum = t('rollCount', { here: roll.here, n: roll.all });
  if (el.sum.textContent !== sum) el.sum.textContent = sum;
  el.about.textContent = [t('rollBy', { name: [roll.name, ...roll.alsoBy].join(', ') }), roll.text && apart(roll.text),
    roll.endedAt ? t('rollEnded', { name: roll.endedBy, time: time(roll.endedAt) })
      : !open ? null : roll.overdue ? t('timeIsUp') : t('until', { time: time(roll.until) }),
    ...roll.unshown.map(({ name, text, mine }) => t(mine ? 'rollUnshownMine' : 'rollUnshown', { name, text }))].filter(Boolean).join(' · ');
  const colors = new Map(members.map(({ id, color }) => [id, color]));
  keep(el.list, roll.members.map((m) => ({
    id: m.memberID, name: m.name, full: m.namesake ? `${m.name} (${m.namesake})` : m.name, state: m.state, open,
    color: colors.get(m.memberID) ?? 0,
    sign: [by({ by: m.guestBy }), t(`roll_${m.state}`), m.by && t(m.seen ? 'seenBy' : 'saidBy', { name: m.by }), m.near && t('near')]
      .filter(Boolean).join(' · '),
  })), face);
}

function stragglers({ minutes, stragglers: list }) {
  if (minutes && ![...el.minutes.options].some(({ value }) => Number(value) === minutes)) {
    el.minutes.append(h('option', { value: minutes }, t('minutes', { n: minutes })));
  }
  el.minutes.value = minutes ?? 0;
  keep(el.away, list.map((m) => ({ id: m.memberID, name: m.name, ago: ago(m.lastSeen), by: by(m) })),
    (m) => h('li', name(m.name), h('small.muted', ` ${[m.by, t('lastHeard', { ago: m.ago })].filter(Boolean).join(' · ')}`)));
}

export function buildRoll() {
  el = { list: h('ul.faces'), sum: h('p.missing', { role: 'status' }), about: h('p.muted'), away: h('ul.list') };
  const text = h('input', { dir: 'auto', maxlength: 64 });
  const time = select([1, 5, 10, 20, 30, 60].map((n) => [n * 60, t('minutes', { n })]), 600);
  el.start = form('rollStart', async () => {
    take(await api.post(path('roll'), { text: text.value.trim(), seconds: Number(time.value) }));
    text.value = '';
  }, h('p', t('rollWhat')), h('.row', field('rollPlace', text), field('rollTime', time)));
  el.end = button('rollEnd', async () => take(await api.post(path('roll/end'))));
  el.sheet = h('.stack', el.sum, el.about, el.list, el.end);
  el.minutes = select([[0, t('off')], ...[5, 10, 20, 30, 60].map((n) => [n, t('minutes', { n })])], 0, async (value) =>
    stragglers(await api.put(path('stragglers'), { minutes: Number(value) || null })));
  return section('roll', el.sheet, el.start, buildBuddies(), field('stragglers', el.minutes), el.away);
}

const shown = live(['roll', 'members'], draw, 30_000);
const away = live(['stragglers'], () => state.stragglers && stragglers(state.stragglers), 60_000);
const parts = [shown, away, buddies];
export const roll = { show() { for (const one of parts) one.show(); }, hide() { for (const one of parts) one.hide(); } };
