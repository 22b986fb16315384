// Who has a message, who has read it, and who is missing: as it changes.
import { ago, api, button, by, dialog, fail, fill, h, name, path, pause, said, t } from '../parts.js';
import { gist } from './message.js';

export async function receipts(message) {
  const base = path(`messages/${message.id}`);
  const sum = h('p', { role: 'status' });
  const lists = h('.stack');
  const again = button('resend', async () => show(await api.post(`${base}/resend`)), 'send');
  const el = dialog(t('receipts'), said(gist(message), 'p.muted.text'), sum, again, lists);
  let last = '', isUrgent = false;

  const row = ({ name: called, state, near, read, delivered, understood, ...m }) => {
    const moment = (read ?? delivered)?.atMost;
    const said = state === 'missing' ? [isUrgent && t('hasNot'), t(near ? 'near' : 'notNear')].filter(Boolean).join(', ') : moment && ago(moment);
    return h('li.row', name(called), h('span.muted.small', [by(m), said, understood && t('understood')].filter(Boolean).join(' · ')));
  };

  function show(found) {
    // Where nothing changed nothing is touched: who reads the list loses no place.
    if (JSON.stringify(found) === last) return;
    last = JSON.stringify(found);
    const { counts, members, reason } = found;
    isUrgent = counts.understood !== null;
    sum.textContent = reason ?? [t('haveIt', { ...counts, n: counts.members }),
      counts.understood !== null && t('understoodBy', { n: counts.understood })].filter(Boolean).join(' ');
    again.hidden = !members.some(({ state }) => state === 'missing');
    const group = (word, those) =>
      those.length > 0 && [h('h3', t(word, { n: those.length })), h('ul.list', those.map(row))];
    const byState = (list) => ['missing', 'delivered', 'read'].map((at) => group(`has_${at}`, list.filter(({ state }) => state === at)));
    // Of what is urgent it matters who has not understood it, whatever else became of it.
    fill(lists, counts.understood === null ? byState(members) : [
      group('notUnderstood', members.filter(({ understood }) => !understood)),
      group('haveUnderstood', members.filter(({ understood }) => understood))]);
  }

  for (; el.open; await pause(2000)) {
    try { show(await api.get(`${base}/receipts`)); } catch (error) {
      if (error.code !== 'offline') { el.close(); fail(error); }
    }
  }
}
