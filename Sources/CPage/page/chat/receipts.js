// Who has a message, who has read it, and who is missing: as it changes.
import { button, h, icon, name } from '../dom.js';
import { ago, t } from '../words.js';
import { api } from '../api.js';
import { dialog, fail } from '../dialogs.js';
import { base, gist } from './message.js';

const EVERY = 2000;

export async function receipts(message) {
  const path = `${base(message)}/messages/${message.id}`;
  const sum = h('p', { role: 'status' });
  const lists = h('div', { class: 'stack' });
  const again = button('', () => api.post(`${path}/resend`).then(show).catch(fail), icon('send'), t('resend'));
  const el = dialog(t('receipts'), h('p', { class: 'muted text', dir: 'auto' }, gist(message)), sum, again, lists);
  let last = '';

  function show(found) {
    // Where nothing changed nothing is touched: who reads the list loses no place.
    if (JSON.stringify(found) === last) return;
    last = JSON.stringify(found);
    const { counts, members, reason } = found;
    sum.textContent = reason ?? t('haveIt', { delivered: counts.delivered, n: counts.members, read: counts.read });
    again.hidden = !members.some(({ state }) => state === 'missing');
    lists.replaceChildren(...['missing', 'delivered', 'read'].flatMap((state) => {
      const those = members.filter((member) => member.state === state);
      return those.length ? [h('h3', {}, t(`has_${state}`, { n: those.length })), h('ul', { class: 'list' }, those.map((member) => {
        const moment = (member.read ?? member.delivered)?.atMost;
        return h('li', { class: 'row' }, name(member.name), h('span', { class: 'muted small' }, state === 'missing' ? t(member.near ? 'near' : 'notNear') : moment && ago(moment)));
      }))] : [];
    }));
  }

  while (el.open) {
    try { show(await api.get(`${path}/receipts`)); } catch (error) { if (error.code !== 'offline') { el.close(); fail(error); } }
    await new Promise((resolve) => setTimeout(resolve, EVERY));
  }
}
