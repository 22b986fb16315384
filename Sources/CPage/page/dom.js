// Elements by script. What others wrote is always text, never markup.
const SVG = 'http://www.w3.org/2000/svg';
let last = 0;

/** An id that no other element has. */
export const id = () => `e${++last}`;

/** h('p', { class: 'muted', onClick: fn }, 'text', node, [more], condition && node) */
export function h(tag, props, ...children) {
  const el = document.createElement(tag);
  for (const [key, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined) continue;
    if (key.startsWith('on')) el.addEventListener(key.slice(2).toLowerCase(), value);
    else if (/^(aria|data)-/.test(key)) el.setAttribute(key, value);
    else if (key === 'value' || (typeof value === 'object' && key in el)) el[key] = value;
    else if (typeof value === 'boolean') key in el ? (el[key] = value) : el.toggleAttribute(key, value);
    else el.setAttribute(key, value);
  }
  el.append(...children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== false && c !== ''));
  return el;
}

/** Somebody's words within a line: their direction stays theirs. */
export const name = (text) => h('bdi', { class: 'name' }, text);

export function icon(symbol) {
  const svg = document.createElementNS(SVG, 'svg');
  for (const [key, value] of [['class', `icon i-${symbol}`], ['viewBox', '0 0 24 24'], ['aria-hidden', 'true']]) svg.setAttribute(key, value);
  const use = document.createElementNS(SVG, 'use');
  use.setAttribute('href', `#i-${symbol}`);
  svg.append(use);
  return svg;
}

export const button = (kind, onClick, ...children) =>
  h('button', { type: 'button', class: `button ${kind}`, onClick }, children);

/** A button that shows only an icon. */
export const iconButton = (symbol, label, onClick, props) =>
  h('button', { type: 'button', class: 'button bare', 'aria-label': label, title: label, onClick, ...props }, icon(symbol));

export function clear(el) {
  el.replaceChildren();
  return el;
}
