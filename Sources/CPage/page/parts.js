// What the tour's views are made of.
export * from './dom.js';
export * from './words.js';
export * from './api.js';
export * from './state.js';
export * from './dialogs.js';
import { ApiError } from './api.js';
import { h, icon, name } from './dom.js';
import { day, dir, t, time } from './words.js';
import { on, state } from './state.js';
import { confirm, fail } from './dialogs.js';

const ranks = { member: 1, guide: 2, admin: 3, creator: 4 };
/** Of a member, or of a tour: our own in it. Source: Protocol/05-events.md, "Authority". */
export const rank = (one) => (one?.successor ? 4 : ranks[one?.role] ?? 0);
/** Whether we may announce, invite and set a meeting point. */
export const mayLead = () => Boolean(state.tour?.active) && rank(state.tour) > 1;
/** How the tour is over for us, if it is. */
export const ended = ({ name, active, state }) => !active && `${apart(name)}: ${t(`state_${state}`)}`;
/** Neither removed nor gone, and somebody who carries a device. */
export const isIn = (member) => !member.removed && !member.left && !member.archive;
export const path = (rest) => `tours/${state.tour.tourID}/${rest}`;
/** Foreign words inside a sentence: their direction stays theirs. */
export const apart = (text) => `\u2068${text}\u2069`;
/** A sentence of ours that may begin with a foreign word: its direction is still ours. */
export const ours = (text) => (dir === 'rtl' ? '\u200f' : '\u200e') + text;
/** With four digits where somebody else's name reads the same. */
export const full = (m) => (m.namesake ? `${m.name} (${m.namesake})` : m.name);
export const who = (m) => h('span', { class: `c${m.color}` }, name(full(m)));
export const when = (date) => date && `${day(date)} ${time(date)}`;

/** What went wrong here, and not at the node. */
export const problem = (word) => new ApiError(0, word, t(word));

/** Does what a button or form asks for; until that is done it takes nothing more. */
export const once = (act) => async (event) => {
  event.preventDefault();
  const el = event.currentTarget;
  if (el.ariaBusy) return;
  el.ariaBusy = 'true';
  try { await act(el); } catch (error) { fail(error); }
  el.ariaBusy = null;
};
export const button = (word, act, symbol, props) =>
  h('button', { type: 'button', class: 'button', onClick: once(act), ...props }, symbol && icon(symbol), t(word));
/** A button that asks first. */
export const risky = (word, text, act) =>
  button(word, async () => await confirm({ title: t(word), text: ours(text()), action: t(word), danger: true }) && act());
export const field = (word, input) => h('label', { class: 'field' }, t(word), input);
export const form = (word, act, ...fields) =>
  h('form', { class: 'stack', onSubmit: once(act) }, fields, h('button', { class: 'button primary' }, t(word)));
/** A form that is folded away, and empty again when it is done. */
export function fold(title, word, act, ...fields) {
  const el = h('details', null, h('summary', null, t(title)), form(word, async (form) => {
    await act();
    form.reset();
    el.open = false;
    el.firstChild.focus();
  }, fields));
  return el;
}
/** How long something counts, in seconds; 0 is without end. */
export const lasting = () => h('select', null, h('option', { value: 0 }, t('noEnd')),
  [1, 4, 12, 24].map((n) => h('option', { value: n * 3600 }, t('hours', { n }))));

/** What is drawn while it is shown: at first, when one of `keys` changes, and by `beat` each so many milliseconds. */
export function live(keys, draw, every, beat = draw) {
  let timer;
  const view = {
    hide() { view.shown = false; clearInterval(timer); },
    show() { view.hide(); view.shown = true; timer = setInterval(beat, every); draw(); if (beat !== draw) beat(); },
  };
  for (const key of keys) on(key, () => view.shown && draw());
  return view;
}

const kept = new WeakMap();
const reachable = 'a[href], button, input, select, textarea, summary';
/** Draws `items` as the children of `list`. What did not change stays as it is; what did keeps focus and what is open. */
export function keep(list, items, draw) {
  const before = kept.get(list) ?? new Map();
  const now = new Map(items.map((item) => [item.id, { item, text: JSON.stringify(item) }]));
  for (const [id, { node }] of before) if (!now.has(id)) node.remove();
  let place = list.firstChild;
  for (const [id, row] of now) {
    const old = before.get(id);
    row.node = old?.text === row.text ? old.node : draw(row.item);
    if (old && old.node !== row.node) {
      const at = [...old.node.querySelectorAll(reachable)].indexOf(document.activeElement);
      const parts = row.node.querySelectorAll('details');
      old.node.querySelectorAll('details').forEach(({ open }, i) => { if (parts[i]) parts[i].open = open; });
      if (place === old.node) place = row.node;
      old.node.replaceWith(row.node);
      if (at >= 0) row.node.querySelectorAll(reachable)[at]?.focus();
    }
    if (place === row.node) place = place.nextSibling;
    else list.insertBefore(row.node, place);
  }
  kept.set(list, now);
}
