// The sealed channel to the device that lets its guest in: Protocol/15-seats.md, "Channel".
import './vendor/nacl-fast.js';
import { join, readU32, text, u32, u64, utf8 } from './bytes.js';
import { hmac } from './hmac.js';

const { nacl } = self;
const LABEL = utf8('tour-chat/1/seat-channel');
const NONE = new Uint8Array(0);
const HELLO_TIME = 4000; // Milliseconds that a device has to answer.
const ASK_TIME = 12_000;
const SILENCE = 12_000; // There is a frame each 4 s.
const FRAME_MAX = 16 * 1024 * 1024;

/** Nobody answers, or not as the one whose key is known. */
export class Unreached extends Error {}
/** The device knows this channel no more: a new one is to be made. */
export class Ended extends Error {}
/** The device says no; the message is for people. */
export class Refused extends Error {
  constructor({ code, message, ...more }) {
    super(message);
    Object.assign(this, { code, ...more });
  }
}

export function nonce(kind, n, i) {
  return join(Uint8Array.of(kind), u64(n), u64(i), new Uint8Array(7));
}

function agree(secret, key) {
  const shared = nacl.scalarMult(secret, key);
  if (shared.every((byte) => byte === 0)) throw new Unreached('the other side has no key');
  return shared;
}

/** The two keys of a channel: `up` seals what the guest says, `down` what the device says. */
export function keysOf(channelKey, pair, answered) {
  const salt = join(LABEL, channelKey, pair.publicKey, answered);
  const mixed = hmac(salt, join(agree(pair.secretKey, channelKey), agree(pair.secretKey, answered)));
  const keys = hmac(mixed, join(utf8('keys'), Uint8Array.of(1)));
  return { up: keys.subarray(0, 32), down: keys.subarray(32) };
}

const pack = (object, bytes) => {
  const json = utf8(JSON.stringify(object));
  return join(u32(json.length), json, bytes);
};

function unpack(plain) {
  const end = 4 + readU32(plain);
  if (end > plain.length) throw new Unreached('an answer is cut');
  return { json: JSON.parse(text(plain.subarray(4, end))), bytes: plain.subarray(end) };
}

/** Sends bytes. Without a content type a browser asks no other device for leave beforehand. */
async function post(address, body, time, signal) {
  const stop = new AbortController();
  const end = () => stop.abort();
  const watch = time && setTimeout(end, time);
  if (signal) signal.addEventListener('abort', end);
  let answer;
  try {
    answer = await fetch(address, {
      method: 'POST', body: body.buffer, cache: 'no-store', credentials: 'omit', referrerPolicy: 'no-referrer',
      signal: stop.signal,
    });
    if (answer.status === 404) throw new Ended('the device does not know this channel');
    if (!answer.ok) throw new Unreached(`it answers ${answer.status}`);
    return time ? new Uint8Array(await answer.arrayBuffer()) : answer;
  } catch (error) {
    throw error instanceof Ended || error instanceof Unreached ? error : new Unreached(error.message);
  } finally {
    clearTimeout(watch);
    if (signal && time) signal.removeEventListener('abort', end);
  }
}

export class Channel {
  /**
   * Opens one to `base`, an address without a path; `key` is the channel key, as bytes. Without one, as behind an
   * address that somebody typed, the device gives a key that is used once: digits are all that may be shown there.
   */
  static async open(base, key, pair = nacl.box.keyPair()) {
    let answer;
    try {
      const path = key ? 'hello' : 'hello-by-digits';
      answer = await post(`${base}/seat/${path}`, join(Uint8Array.of(1), pair.publicKey), HELLO_TIME);
    } catch (error) {
      throw new Unreached(error.message);
    }
    if (!key) [key, answer] = [answer.slice(0, 32), answer.slice(32)];
    if (answer.length !== 64) throw new Unreached('that is no answer to a hello');
    const keys = keysOf(key, pair, answer.subarray(0, 32));
    // Only who has the private half of the key in the code can have made the proof.
    if (!nacl.secretbox.open(answer.subarray(48), nonce(0, 0, 0), keys.down)) {
      throw new Unreached('another one answers than the one in the code');
    }
    return new Channel(base, answer.slice(32, 48), keys);
  }

  constructor(base, session, keys) {
    Object.assign(this, { base, session, keys, n: 0 });
  }

  request(object, bytes) {
    const n = ++this.n;
    const box = nacl.secretbox(pack(object, bytes), nonce(1, n, 0), this.keys.up);
    return { n, body: join(this.session, u64(n), box) };
  }

  opened(box, kind, n, i) {
    const plain = nacl.secretbox.open(box, nonce(kind, n, i), this.keys.down);
    if (!plain) throw new Ended('an answer does not open');
    return unpack(plain);
  }

  /** What the device answers: its `ok`, with `bytes` where some came along. */
  async ask(object, bytes = NONE) {
    const { n, body } = this.request(object, bytes);
    const { json, bytes: more } = this.opened(await post(`${this.base}/seat/ask`, body, ASK_TIME), 2, n, 0);
    if (json.error) throw new Refused(json.error);
    return more.length ? { ...json.ok, bytes: more } : json.ok;
  }

  /** Calls `receive` with each piece of news until the stream ends, is aborted, or is silent for too long. */
  async news(receive, signal) {
    const { n, body } = this.request({ op: 'news' }, NONE);
    const stop = new AbortController();
    const end = () => stop.abort();
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
    let watch = setTimeout(end, SILENCE);
    try {
      const reader = (await post(`${this.base}/seat/news`, body, 0, stop.signal)).body.getReader();
      const frames = framesOf((box, i) => receive(this.opened(box, 3, n, i).json));
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        clearTimeout(watch);
        watch = setTimeout(end, SILENCE);
        frames(value);
      }
    } catch (error) {
      throw error instanceof Ended || error instanceof Refused ? error : new Unreached(error.message);
    } finally {
      clearTimeout(watch);
      signal.removeEventListener('abort', end);
      stop.abort();
    }
  }
}

/** Frames out of bytes that are cut anywhere. */
export function framesOf(handle) {
  let rest = NONE, i = 0;
  return (bytes) => {
    rest = rest.length ? join(rest, bytes) : bytes;
    for (;;) {
      if (rest.length < 4) return;
      const size = readU32(rest);
      if (size > FRAME_MAX) throw new Unreached('a frame is too long');
      if (rest.length < 4 + size) return;
      const box = rest.slice(4, 4 + size);
      rest = rest.slice(4 + size);
      handle(box, i++);
    }
  };
}
