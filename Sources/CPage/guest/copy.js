// Copying, also where a page by http may not.
import { h } from './dom.js';
import { note } from './sheets.js';
import { t } from './words.js';

function byHand(text) {
  const field = h('textarea', { value: text, readonly: true, class: 'visually-hidden', 'aria-hidden': 'true' });
  // In a sheet, if one is open: what is outside of it takes no focus.
  const before = document.activeElement;
  (document.querySelector('.shade:last-of-type .sheet') || document.body).append(field);
  field.select();
  const isDone = document.execCommand('copy');
  field.remove();
  if (before) before.focus();
  if (!isDone) throw new Error('the browser copies nothing');
}

export async function copy(text) {
  if (navigator.clipboard) await navigator.clipboard.writeText(text).catch(() => byHand(text));
  else byHand(text);
  note(t('copied'));
}
