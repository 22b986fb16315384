// Elements by script. What others wrote is always text, never markup.
let last = 0;
export const id = () => `e${++last}`;

/** Puts children in place of those that are there; lists are laid flat, and what is missing or false is left out. */
export function fill(el, ...children) {
  el.replaceChildren(...children.flat(Infinity).filter((child) => child || child === 0));
  return el;
}

/** h('p.muted', { onClick: fn }, 'text', node, [more], condition && node); without a tag it is a div. */
export function h(kind, ...children) {
  const [tag, ...classes] = kind.split('.');
  const el = document.createElement(tag || 'div');
  if (classes.length) el.className = classes.join(' ');
  if (tag === 'button') el.type = 'button';
  const props = children[0] && children[0].constructor === Object ? children.shift() : {};
  for (const [key, value] of Object.entries(props)) {
    if (value === null || value === undefined) continue;
    if (key.startsWith('on')) el.addEventListener(key.slice(2).toLowerCase(), value);
    else if (/^(aria|data)-/.test(key)) el.setAttribute(key, value);
    else if (key === 'value') el.value = value;
    else if (typeof value === 'boolean') key in el ? (el[key] = value) : el.toggleAttribute(key, value);
    else el.setAttribute(key, value);
  }
  return children.length ? fill(el, children) : el;
}

/** Without the characters that turn the order of letters, or end what keeps it apart. */
export const straight = (text) => `${text || ''}`.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');
/** Somebody's words within a line: their direction stays theirs. */
export const name = (text) => h('bdi.name', straight(text));
/** With four digits where somebody else's name reads the same. */
export const full = (one) => straight(one.name) + (one.namesake ? ` (${one.namesake})` : '');
export const who = (one) => h('span', { class: `who c${Number(one.color) || 0}` }, name(full(one)));
export const said = (text, kind = 'p.text') => text && h(kind, { dir: 'auto' }, text);

const SVG = 'http://www.w3.org/2000/svg';
export function icon(symbol) {
  const el = document.createElementNS(SVG, 'svg'), use = document.createElementNS(SVG, 'use');
  for (const [key, value] of [['class', `icon i-${symbol}`], ['viewBox', '0 0 24 24'], ['aria-hidden', 'true']]) {
    el.setAttribute(key, value);
  }
  use.setAttribute('href', `#i-${symbol}`);
  el.append(use);
  return el;
}

/** Draws `items`, each with an `id`, as the children of `list`: what did not change stays as it is. */
const drawn = new WeakMap();
export function keep(list, items, draw) {
  const before = drawn.get(list) || new Map(), now = new Map();
  let place = list.firstChild;
  for (const item of items) {
    const text = JSON.stringify(item), old = before.get(item.id);
    const node = old && old.text === text ? old.node : draw(item);
    if (old && old.node !== node) {
      if (place === old.node) place = place.nextSibling;
      const isFocused = old.node.contains(document.activeElement);
      old.node.replaceWith(node);
      const control = isFocused && node.querySelector('button, input, a');
      if (control) control.focus();
    }
    if (node === place) place = place.nextSibling;
    else list.insertBefore(node, place);
    now.set(item.id, { text, node });
  }
  for (const [key, { node }] of before) if (!now.has(key)) node.remove();
  drawn.set(list, now);
}

export const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
/** At most each so often, and once more at the end. */
export function seldom(milliseconds, fn) {
  let timer = 0;
  return () => {
    if (!timer) timer = setTimeout(() => { timer = 0; fn(); }, milliseconds);
  };
}
