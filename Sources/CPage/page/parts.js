// What the views are made of.
export * from './dom.js';
export * from './words.js';
export * from './moments.js';
export * from './reaching.js';
export * from './api.js';
export * from './state.js';
export * from './dialogs.js';
import { ApiError } from './api.js';
import { h, icon, name, straight } from './dom.js';
import { day, dir, lang, languages, setLanguage, t, time } from './words.js';
import { daily } from './moments.js';
import { on, state } from './state.js';
import { confirm, dialog, fail, toast } from './dialogs.js';
import { ways } from './ways.js';

const ranks = { member: 1, guide: 2, admin: 3, creator: 4 };
/** Of a member, or of a tour: our own in it. Source: Protocol/05-events.md, "Authority". */
export const rank = (one) => (one?.successor ? 4 : ranks[one?.role] ?? 0);
export const roleWord = (role) => t(role === 'successor' ? role : `role_${role}`);
export const mayLead = () => Boolean(state.tour?.active) && rank(state.tour) > 1;
export const ended = ({ name, active, state }) => !active && `${apart(name)}: ${t(`state_${state}`)}`;
export const isIn = (member) => !member.removed && !member.left && !member.archive;
export const path = (rest) => `tours/${state.tour.tourID}${rest ? `/${rest}` : ''}`;
/** Foreign words inside a sentence: their direction stays theirs. */
export const apart = (text) => `\u2068${straight(text)}\u2069`;
/** A sentence of ours that may begin with a foreign word: its direction is still ours. */
export const ours = (text) => (dir === 'rtl' ? '\u200f' : '\u200e') + text;
const letters = '[\\p{Script=Latin}\\p{M}\\w./:@=~%+-]*[\\p{Script=Latin}\\p{M}\\w]';
const LATIN = new RegExp(`${letters}(?:[ ,()"'&]{1,3}${letters})*`, 'gu');
/** A sentence of the node's: the commands and addresses in it keep the order of their words. */
export const told = (text) => (dir === 'rtl' ? text?.replace(LATIN, '\u2066$&\u2069') : text);
/** With four digits where somebody else's name reads the same. */
export const full = ({ name, namesake }) => straight(name) + (namesake ? ` (${namesake})` : '');
const segments = new Intl.Segmenter();
export const lettersOf = (name) => [...segments.segment(name.trim())][0]?.segment.toLocaleUpperCase() ?? '?';
/** Of a guest: whose device lets it in, and can write as it. */
export const by = (m) => m?.by && t('byHost', { name: m.by.name });
export const who = (m) =>
  h('span', { class: `c${m.color}` }, name(full(m)), m.by && h('small.muted', ` ${by(m)}`));
export const when = (date) => date && `${day(date)} ${time(date)}`;

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
  h('button.button', { onClick: once(act), ...props }, symbol && icon(symbol), t(word));
export const primary = (word, act, symbol) => button(word, act, symbol, { class: 'button primary' });
export const surely = async (title, text, action, act) =>
  await confirm({ title, text: ours(text), action: t(action), danger: true }) && act();
export const risky = (word, text, act, props) => button(word, () => surely(t(word), text(), word, act), null, props);
/** The name of a button that stands several times: what it does, and to what. */
export const named = (word, what) => ({ 'aria-label': what ? t('doTo', { action: t(word), name: what }) : null });
export const copy = (text) => navigator.clipboard.writeText(text).then(() => toast(t('copied')));
export const said = (text, kind = 'p.text') => text && h(kind, { dir: 'auto' }, text);
export const field = (word, input) => h('label.field', t(word), input);
export const check = (word, input) => h('label.row', input, t(word));
export const submit = (word) => h('button.button.primary', { type: 'submit' }, t(word));
export const form = (word, act, ...fields) => h('form.stack', { onSubmit: once(act) }, fields, submit(word));
/** A form that is folded away, and empty again when it is done. */
export function fold(title, word, act, ...fields) {
  const el = h('details', h('summary', t(title)), form(word, async (form) => {
    await act();
    form.reset();
    el.open = false;
    el.firstChild.focus();
  }, fields));
  return el;
}
export function select(options, now, onChange, props) {
  const el = h('select', { ...props, onChange: () => onChange?.(el.value) },
    options.map(([value, text, more]) => h('option', { value, selected: value === now, ...more }, text)));
  return el;
}
export const languageField = () => field('language', select(
  Object.entries(languages).map(([code, own]) => [code, own, { lang: code }]), lang, setLanguage));
export const searching = (onInput, props) => h('input.input', {
  type: 'search', dir: 'auto', 'aria-label': t('search'), placeholder: t('search'), onInput, ...props,
});
/** Letters that fold to others, beside those with accents: as the node folds them for its search. */
const others = { ı: 'i', ß: 'ss', æ: 'ae', œ: 'oe', ł: 'l', ø: 'o', đ: 'd', ð: 'd', ħ: 'h', ς: 'σ',
  ى: 'ي', ی: 'ي', ک: 'ك', ة: 'ه', ך: 'כ', ם: 'מ', ן: 'נ', ף: 'פ', ץ: 'צ' };
const marks = new RegExp('[\\u0300-\\u036f\\u0591-\\u05c7\\u0610-\\u061a\\u0640\\u064b-\\u065f\\u0670\\u06d6-\\u06dc'
  + '\\u06df-\\u06e8\\u06ea-\\u06ed\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\p{Default_Ignorable_Code_Point}]', 'gu');
const folded = (text) => text.toLowerCase().normalize('NFKD').replace(marks, '')
  .replace(/[^\0-\x7f]/g, (letter) => others[letter] ?? letter).normalize('NFC');
export const matches = (text, search) => {
  const within = folded(text);
  return folded(search).split(/\s+/).every((word) => within.includes(word));
};
export function pick(take, props = { multiple: true }) {
  const input = h('input', { type: 'file', ...props, onChange: () => take([...input.files]) });
  input.click();
}
export function dropping(el, take) {
  const listen = (type, isOver, act) => el.addEventListener(type, (event) => {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    el.classList.toggle('drop', isOver);
    act?.([...event.dataTransfer.files]);
  });
  listen('dragover', true);
  listen('dragleave', false);
  listen('drop', false, take);
  return el;
}
export const unpack = (base64) =>
  new Blob([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], { type: 'image/jpeg' });
export const outside = (href) => h('a', { href, target: '_blank', rel: 'noopener noreferrer', dir: 'ltr' }, href);
/** Ways to a place; to copy it takes neither a network nor a program for maps. */
export function onMap(north, east) {
  const { at, app, web } = ways(north, east);
  const way = (word, href, props) => h('a.button', { href, onClick: () => el.close(), ...props }, icon('pin'), t(word));
  const el = dialog(t('map'), h('p.mono', { dir: 'ltr' }, at), h('.choices',
    button('copyPlace', () => { el.close(); return copy(at); }, 'files'), way('mapApp', app),
    way('mapWeb', web, { target: '_blank', rel: 'noopener noreferrer' })));
}
export const look = (isPicture, label, act, props) =>
  h('button.button.look', { 'aria-label': label, onClick: once(act), ...props },
    icon(isPicture ? 'image' : 'files'));
export const thing = (look, called, about, ...tools) =>
  h('li.thing', look, h('.grow.small', h('p.called', name(called)), about), tools);
export const section = (word, ...content) => h('section.card.stack', h('h2', t(word)), content);
export const lasting = (otherwise = t('noEnd')) =>
  select([[0, otherwise], ...[1, 4, 12, 24].map((n) => [n * 3600, t('hours', { n })])]);

/**
 * Draws a view while it is shown: at first, when one of `keys` changes, when another day begins, and by `beat` each so
 * many milliseconds.
 */
export function live(keys, draw, every, beat = draw) {
  let timer;
  const view = {
    hide() { view.shown = false; clearInterval(timer); },
    show() { view.hide(); view.shown = true; timer = setInterval(beat, every); draw(); if (beat !== draw) beat(); },
  };
  for (const key of keys) on(key, () => view.shown && draw());
  daily(() => view.shown && draw());
  return view;
}

const kept = new WeakMap();
const reachable = 'a[href], button, input, select, textarea, summary';
const isSeen = (el) => {
  const { top, bottom } = el.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
};
/**
 * Draws `items` as the children of `list`: what did not change stays, what did keeps focus and what is open. What has
 * the focus elsewhere in the view stays on the screen: at its very top a browser lets what comes in push it away.
 */
export function keep(list, items, draw) {
  const focused = list.closest('.view')?.querySelector(':focus'), wasSeen = focused && isSeen(focused);
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
  if (wasSeen && focused === document.activeElement && !isSeen(focused)) focused.scrollIntoView({ block: 'nearest' });
}
