// How many have a message, in its bubble: a ring that fills, and the same as a number.
import { api, h, number, path, t } from '../parts.js';

const known = new Map(); // Of messages, by id.

function show(el, counts) {
  el.hidden = !counts?.members;
  if (el.hidden) return;
  const { members, delivered, understood } = counts;
  el.style.setProperty('--have', `${delivered / members * 360}deg`);
  el.textContent = `${number(delivered)}/${number(members)}`;
  el.title = [t('haveIt', { ...counts, n: members }), understood !== null && t('understoodBy', { n: understood })]
    .filter(Boolean).join(' ');
}

export function reach({ id }) {
  const el = h('span.reach', { 'data-of': id, 'aria-hidden': 'true' });
  show(el, known.get(id));
  return el;
}

export async function count(ids, root) {
  const open = ids.filter((id) => {
    const { members, read, understood } = known.get(id) ?? {};
    return members === undefined || read < members || (understood ?? members) < members;
  }).slice(0, 100);
  if (!open.length) return;
  const { counts } = await api.post(path('receipts'), { messages: open });
  for (const [id, one] of Object.entries(counts)) {
    known.set(id, one);
    for (const el of root.querySelectorAll(`[data-of="${id}"]`)) show(el, one);
  }
}
