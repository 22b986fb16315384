// What is said or asked above the page.
import { Ended, Refused } from './channel.js';
import { fill, h, icon, id } from './dom.js';
import { Away } from './seat.js';
import { tell } from './state.js';
import { t } from './words.js';

const voices = h('.voices', { role: 'alert' });
document.body.append(voices);

function tellFor(text, kind) {
  const note = h(`p.toast${kind}`, { dir: 'auto' }, text);
  voices.append(note);
  setTimeout(() => note.remove(), Math.min(4000 + text.length * 60, 15_000));
}
export const alarm = (text) => tellFor(text, '');
/** What is well. */
export const note = (text) => tellFor(text, '.well');

export function fail(error) {
  if (error instanceof Away) alarm(t('notNow'));
  else if (error instanceof Refused) alarm(error.message);
  else if (error instanceof Ended) return; // Another tab goes on: the page says so.
  else {
    console.error(error);
    alarm(t('odd'));
  }
}

/** Does what a button or form asks for; until that is done it takes nothing more. */
export const once = (act) => async (event) => {
  event.preventDefault();
  const el = event.currentTarget;
  if (el.getAttribute('aria-busy')) return;
  el.setAttribute('aria-busy', 'true');
  try { await act(el); } catch (error) { fail(error); }
  el.removeAttribute('aria-busy');
};
export const button = (word, act, symbol, props) =>
  h('button.button', { onClick: once(act), ...props }, symbol && icon(symbol), h('span', t(word)));
export const iconButton = (symbol, label, onClick, props) =>
  h('button.button.bare', { 'aria-label': label, title: label, onClick, ...props }, icon(symbol));
export const submit = (word) => h('button.button.primary', { type: 'submit' }, t(word));
export const form = (word, act, ...fields) => h('form.stack', { onSubmit: once(act) }, fields, submit(word));
export const field = (word, input) => h('label.field', t(word), input);

const REACHABLE = 'a[href], button:not(:disabled), input, select, textarea';
const open = [];

/** Opens a sheet; Escape, its button and a tap beside it close it, and focus goes back. */
export function sheet(title, ...content) {
  const label = id(), before = document.activeElement;
  const body = h('.stack', content);
  const box = h('section.sheet', { role: 'dialog', 'aria-modal': 'true', 'aria-labelledby': label, tabindex: '-1' },
    h('.top', h('h2', { id: label, dir: 'auto' }, title), iconButton('close', t('close'), () => el.close())), body);
  const el = h('.shade', { onClick: (event) => event.target === el && el.close() }, box);
  el.body = body;
  el.close = () => {
    if (!el.isConnected) return;
    el.remove();
    open.splice(open.indexOf(el), 1);
    hideRest();
    if (before && before.isConnected) before.focus();
    if (el.onclosed) el.onclosed();
  };
  box.addEventListener('keydown', (event) => {
    if (event.key !== 'Tab') return;
    const all = [...box.querySelectorAll(REACHABLE)], edge = event.shiftKey ? all[0] : all[all.length - 1];
    if (document.activeElement !== edge && document.activeElement !== box) return;
    event.preventDefault();
    (event.shiftKey ? all[all.length - 1] : all[0]).focus();
  });
  document.body.insertBefore(el, voices);
  open.push(el);
  hideRest();
  box.focus();
  return el;
}

addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && open.length) open[open.length - 1].close();
});

/** Draws what is in a sheet anew; the control that had the focus, or the one in its place, has it again. */
export function redraw(el, ...content) {
  const place = [...el.body.querySelectorAll(REACHABLE)].indexOf(document.activeElement);
  fill(el.body, content);
  if (place < 0) return;
  const control = el.body.querySelectorAll(REACHABLE)[place];
  (control || el.firstChild).focus();
}

/** What is behind the topmost sheet is not there for a screen reader. */
function hideRest() {
  const top = open[open.length - 1];
  for (const el of document.body.children) {
    if (el === voices || el === top || !top) el.removeAttribute('aria-hidden');
    else el.setAttribute('aria-hidden', 'true');
  }
  tell('sheets');
}
export const closeAll = () => open.slice().forEach((el) => el.close());

export function choices(title, list) {
  const el = sheet(title, h('.choices', list.filter(Boolean).map(([symbol, text, act]) =>
    h('button.button', { onClick: () => { el.close(); act(); } }, icon(symbol), h('span', text)))));
}

/** Asks; answers false where the sheet is just closed. */
export const confirm = (title, text, action) => new Promise((resolve) => {
  const answer = (word, kind, value) =>
    h(`button.button${kind}`, { onClick: () => { resolve(value); el.close(); } }, word);
  const el = sheet(title, h('p', text), h('.pair', answer(t('cancel'), '', false), answer(action, '.danger', true)));
  el.onclosed = () => resolve(false);
});
