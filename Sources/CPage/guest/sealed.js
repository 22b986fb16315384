// A page by http seals what it keeps: its address may be another program's tomorrow, and what is kept there that
// program's to read. The key is in the codes of the tour, and behind the # of this page's address; it is not kept.
// Protocol/15-seats.md, "In the phone".
import './vendor/nacl-fast.js';
import { base64url, hex, join, random, text, unbase64, unhex, utf8 } from './bytes.js';
import { hmac } from './hmac.js';

const { nacl } = self;
const LABEL = utf8('tour-chat/1/seat-storage');
const FORM = /^1\.(\d{1,6})\.([\w-]+)$/; // Version, day since 1970, nonce and box.
const NONCE = 24;
const DAY = 864e5;
const DAYS_MAX = 30; // Anything not used for longer is taken away.
// Nobody else can have a page by https at this name.
const isBound = location.protocol === 'https:';

let page = ''; // The tour's page key, in hexadecimal digits.
let key = null;

/** From here on this opens and seals what is kept. */
export function usePage(digits) {
  if (!digits || digits === page) return;
  page = digits;
  key = hmac(unhex(digits), LABEL).subarray(0, nacl.secretbox.keyLength);
}

const today = () => Math.floor(Date.now() / DAY);

/** As it is where no key is known yet: the device says it as soon as it answers. */
export function seal(plain) {
  if (isBound || !key) return plain;
  const nonce = random(NONCE);
  return `1.${today()}.${base64url(join(nonce, nacl.secretbox(utf8(plain), nonce, key)))}`;
}

/** Null where it does not open; what an older page kept is not sealed. */
export function open(kept) {
  const [, , sealed] = FORM.exec(kept || '') || [];
  if (!sealed) return kept || null;
  const bytes = key && unbase64(sealed);
  if (!bytes || bytes.length <= NONCE) return null;
  const plain = nacl.secretbox.open(bytes.subarray(NONCE), bytes.subarray(0, NONCE), key);
  return plain ? text(plain) : null;
}

export function isOld(kept) {
  const [, day] = FORM.exec(kept || '') || [];
  return day !== undefined && Math.abs(today() - Number(day)) > DAYS_MAX;
}

/** The word behind the # of the address while the page is open, so that it can be loaded again. */
export const pageWord = () => (page && !isBound ? `k1.${base64url(unhex(page))}` : '');

/** The key in such a word; null where it is none. */
export function readPageWord(word) {
  const bytes = word.startsWith('k1.') ? unbase64(word.slice(3)) : null;
  return bytes && bytes.length === 16 ? hex(bytes) : null;
}

/** Takes all else out of the address, and of the history. */
export const cleanAddress = () =>
  history.replaceState(null, '', location.pathname + (pageWord() ? `#${pageWord()}` : ''));
