// What is said or asked above the page.
import { button, h, id, iconButton } from './dom.js';
import { t } from './words.js';
import { ApiError } from './api.js';

// Behind an open dialog everything is inert, live regions too: each dialog has its own.
const voices = () => h('div', { class: 'voices' }, h('div', { role: 'status' }), h('div', { role: 'alert' }));
document.body.append(voices());

function say(role, text) {
  const all = document.querySelectorAll(`body > .voices [role=${role}], dialog[open] [role=${role}]`);
  const note = h('p', { class: 'toast', dir: 'auto' }, text);
  all[all.length - 1].append(note);
  setTimeout(() => note.remove(), Math.min(4000 + text.length * 60, 15_000));
}

/** Said when there is a moment. */
export const toast = (text) => say('status', text);
/** Said at once. */
export const alarm = (text) => say('alert', text);

/** Tells what went wrong. What somebody broke off is no failure. */
export function fail(error) {
  if (error?.name === 'AbortError') return;
  if (!(error instanceof ApiError)) reportError(error);
  alarm(error?.message || String(error));
}

/** Opens a dialog; Escape and its button close it, and focus goes back. It is gone from the page then. */
export function dialog(title, ...content) {
  const label = id();
  const el = h('dialog', { 'aria-labelledby': label, onClose: () => el.remove() },
    h('div', { class: 'row top' },
      h('h2', { id: label, dir: 'auto' }, title), iconButton('close', t('close'), () => el.close())),
    h('div', { class: 'stack' }, content), voices());
  el.addEventListener('click', (event) => event.target === el && el.close());
  document.body.append(el);
  el.showModal();
  el.querySelector('.choices > .button, .stack input')?.focus();
  return el;
}

/** Asks; answers false where the dialog is just closed. */
export const confirm = ({ title, text, action, danger }) => new Promise((resolve) => {
  const answer = (value) => () => { resolve(value); el.close(); };
  const el = dialog(title, text && h('p', { dir: 'auto' }, text),
    h('div', { class: 'row end' },
      button('', answer(false), t('cancel')), button(danger ? 'danger' : 'primary', answer(true), action)));
  el.addEventListener('close', () => resolve(false));
});
