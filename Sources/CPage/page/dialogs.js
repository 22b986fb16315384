// What is said or asked above the page.
import { h, icon, iconButton, id } from './dom.js';
import { t } from './words.js';
import { ApiError } from './api.js';

// Behind an open dialog everything is inert, live regions too: each dialog has its own.
const voices = () => h('.voices', h('div', { role: 'status' }), h('div', { role: 'alert' }));
document.body.append(voices());

function say(role, text) {
  const all = document.querySelectorAll(`body > .voices [role=${role}], dialog[open] [role=${role}]`);
  const note = h('p.toast', { dir: 'auto' }, text);
  all[all.length - 1].append(note);
  setTimeout(() => note.remove(), Math.min(4000 + text.length * 60, 15_000));
}

export const toast = (text) => say('status', text);
export const alarm = (text) => say('alert', text);

export function fail(error) {
  if (error.name === 'AbortError') return;
  if (!(error instanceof ApiError)) reportError(error);
  alarm(error.message);
}

/** Opens a dialog; Escape and its button close it, and focus goes back. It is gone from the page then. */
export function dialog(title, ...content) {
  const label = id();
  const el = h('dialog', { 'aria-labelledby': label, onClose: () => el.remove() },
    h('.row.top', h('h2', { id: label, dir: 'auto' }, title), iconButton('close', t('close'), () => el.close())),
    h('.stack', content), voices());
  el.addEventListener('click', (event) => event.target === el && el.close());
  document.body.append(el);
  el.showModal();
  el.querySelector('.choices > .button, .stack input')?.focus();
  return el;
}

export function menu(title, build, ...more) {
  const choice = (symbol, text, act, ...rest) => h('button.button', {
    onClick: () => { el.close(); act(); },
  }, icon(symbol), h('span', text), rest);
  const el = dialog(title, h('.choices', build(choice)), more);
}

/** Asks; answers false where the dialog is just closed. `more`: what else is to be chosen. */
export const confirm = ({ title, text, more, action, danger }) => new Promise((resolve) => {
  const answer = (word, cls, value) =>
    h(`button.button${cls}`, { onClick: () => { resolve(value); el.close(); } }, word);
  const el = dialog(title, h('p', { dir: 'auto' }, text), more,
    h('.row.end', answer(t('cancel'), '', false), answer(action, danger ? '.danger' : '.primary', true)));
  el.addEventListener('close', () => resolve(false));
});
