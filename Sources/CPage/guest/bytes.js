// Bytes, and text made of them.
const encoder = new TextEncoder();
const decoder = new TextDecoder();
export const utf8 = (text) => encoder.encode(text);
export const text = (bytes) => decoder.decode(bytes);

export function join(...parts) {
  const all = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** A number as eight bytes, the highest first; numbers here stay below 2^53. */
export function u64(number) {
  const bytes = new Uint8Array(8), view = new DataView(bytes.buffer);
  view.setUint32(0, Math.floor(number / 0x1_0000_0000));
  view.setUint32(4, number % 0x1_0000_0000);
  return bytes;
}
export function u32(number) {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, number);
  return bytes;
}
export const readU32 = (bytes, at = 0) => new DataView(bytes.buffer, bytes.byteOffset).getUint32(at);

export const random = (size) => crypto.getRandomValues(new Uint8Array(size));
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
export const unhex = (digits) => Uint8Array.from(digits.match(/../g) || [], (two) => parseInt(two, 16));

/** Base64, and base64url with or without its padding; null where it is none. */
export function unbase64(base64) {
  try {
    return Uint8Array.from(atob(base64.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0));
  } catch { return null; }
}
export function base64url(bytes) {
  let all = '';
  for (const byte of bytes) all += String.fromCharCode(byte);
  return btoa(all).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}
