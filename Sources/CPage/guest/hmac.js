import './vendor/nacl-fast.js';
import { join } from './bytes.js';

const { nacl } = self;

/** HMAC-SHA-512, RFC 2104: a block has 128 bytes. */
export function hmac(key, message) {
  const block = new Uint8Array(128);
  block.set(key.length > 128 ? nacl.hash(key) : key);
  const pad = (byte) => block.map((part) => part ^ byte);
  return nacl.hash(join(pad(0x5c), nacl.hash(join(pad(0x36), message))));
}
