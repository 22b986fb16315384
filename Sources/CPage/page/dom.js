// Elements by script. What others wrote is always text, never markup.
let last = 0;

export const id = () => `e${++last}`;
/** Puts children in place of those that are there; lists are laid flat, and what is missing or false is left out. */
export function fill(el, ...children) {
  el.replaceChildren(...children.flat(Infinity).filter(Boolean));
  return el;
}

/** h('p.muted', { onClick: fn }, 'text', node, [more], condition && node); without a tag it is a div. */
export function h(kind, ...children) {
  const [tag, ...classes] = kind.split('.');
  const el = document.createElement(tag || 'div');
  if (classes.length) el.className = classes.join(' ');
  if (tag === 'button') el.type = 'button';
  const props = children[0]?.constructor === Object ? children.shift() : {};
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

export function svg(tag, props, ...children) {
  const el = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [key, value] of Object.entries(props)) el.setAttribute(key, value);
  return fill(el, children);
}

/** Without the characters that turn the order of letters, or end what keeps it apart. */
export const straight = (text) => text?.replace?.(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '') ?? text;
/** Somebody's words within a line: their direction stays theirs. */
export const name = (text) => h('bdi.name', straight(text));

const icons = {};
export const icon = (symbol) => (icons[symbol] ??= svg('svg',
  { class: `icon i-${symbol}`, viewBox: '0 0 24 24', 'aria-hidden': true },
  svg('use', { href: `#i-${symbol}` }))).cloneNode(true);

export const iconButton = (symbol, label, onClick, props) =>
  h('button.button.bare', { 'aria-label': label, title: label, onClick, ...props }, icon(symbol));

export const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
