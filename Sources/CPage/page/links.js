// Addresses of the web in what people write, on a member's page as on a guest's.
import { h } from './dom.js';

// They become links that show what they are: nothing that turns the order of letters is in them.
const OTHER = '\\s<>"\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069';
const LINK = new RegExp(`(https?://[^${OTHER}]+[^${OTHER}.,;:!?)'])`, 'i');
const SHOWN = 64; // Characters of an address in the view.

/** The address as a browser takes it; null where it shows one place, and leads to another. */
function read(text) {
  try {
    const url = new URL(text);
    return url.hostname && !url.username && !url.password ? url : null;
  } catch { return null; }
}

/** Of a long address the end of its host, which says whose it is, and the beginning of what follows. */
function short(text, { protocol, host }) {
  if (text.length <= SHOWN) return text;
  const rest = text.slice(text.indexOf('//') + 2 + host.length);
  const whose = host.length > SHOWN / 2 ? `…${host.slice(-SHOWN / 2)}` : host;
  return `${protocol}//${whose}${rest.slice(0, SHOWN / 4)}…`;
}

const link = (text, url) => h('a', {
  href: url.href, target: '_blank', rel: 'noopener noreferrer nofollow', dir: 'ltr',
}, short(text, url));

/** What is left of a text behind so many characters: no letter is cut in half. */
const cut = (text, length) => text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');

/**
 * The text with its links, as children of an element, up to `length` characters as they are shown. A link is there as a
 * whole, or not at all: half of one leads elsewhere.
 */
export function linked(text, length = Infinity) {
  const all = [];
  let left = length;
  for (const [index, piece] of text.split(LINK).entries()) {
    const url = index % 2 ? read(piece) : null, shown = url ? short(piece, url) : piece;
    if (shown.length > left) {
      if (!url) all.push(cut(piece, left));
      return { parts: all, isCut: true };
    }
    left -= shown.length;
    all.push(url ? link(piece, url) : piece);
  }
  return { parts: all, isCut: false };
}
