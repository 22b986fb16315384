// Files that this phone keeps, for where no device is in reach. Each is sealed by what the place in the tour is sealed
// by: another page at this address, another day, can open none.
import { join, random, text, u64, unhex, utf8 } from './bytes.js';
import { hmac } from './hmac.js';
import { state } from './state.js';

const { nacl } = self;
const NAME = 'tour-chat', STORE = 'files';
const SALT = 16;

function database() {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open(NAME, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(STORE);
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = asked.onblocked = () => reject(asked.error || new Error('the browser keeps no files'));
  });
}

/** Does one thing with the store; it is done once it is written. */
async function within(mode, work) {
  const db = await database();
  try {
    return await new Promise((resolve, reject) => {
      const change = db.transaction(STORE, mode), asked = work(change.objectStore(STORE));
      change.oncomplete = () => resolve(asked.result);
      change.onerror = change.onabort = () => reject(change.error || new Error('the browser keeps no more'));
    });
  } finally { db.close(); }
}

const keyOf = ({ secret }) => hmac(unhex(secret), utf8('tour-chat/1/kept-files')).subarray(0, 32);
const place = (id, { member } = state.record) => `${member} ${id}`;
const all = ({ member } = state.record) => IDBKeyRange.bound(`${member} `, `${member} \uffff`);

function seal(parts, record = state.record) {
  const salt = random(SALT), key = keyOf(record);
  return { salt, boxes: parts.map((part, index) => nacl.secretbox(part, join(salt, u64(index)), key)) };
}
function open({ salt, boxes }, index) {
  const part = nacl.secretbox.open(boxes[index], join(salt, u64(index)), keyOf(state.record));
  if (!part) throw new Error('a kept file does not open');
  return part;
}
const about = (sealed) => JSON.parse(text(open(sealed, 0)));

/** Keeps a file; throws where the phone has no room for it. `parts` are bytes of it, one behind the other. */
export async function keepFile(id, { name, media, size, parts }) {
  const sealed = seal([utf8(JSON.stringify({ id, name, media, size, at: Date.now() })), ...parts]);
  await within('readwrite', (store) => store.put(sealed, place(id)));
}

/** A file that is kept; null where it is not. */
export async function keptFile(id) {
  try {
    const sealed = await within('readonly', (store) => store.get(place(id)));
    if (!sealed) return null;
    return { ...about(sealed), parts: sealed.boxes.slice(1).map((_, index) => open(sealed, index + 1)) };
  } catch { return null; }
}

/** Lists what is kept of this tour, the newest first: `id`, `name`, `media`, `size`. */
export async function keptFiles() {
  const found = await within('readonly', (store) => store.getAll(all())).catch(() => []);
  return found.flatMap((sealed) => {
    try { return [about(sealed)]; } catch { return []; }
  }).sort((a, b) => b.at - a.at);
}

export const dropFile = (id) => within('readwrite', (store) => store.delete(place(id)));

/** With one's place in the tour all that is kept of it goes. */
export const dropFiles = (record) => within('readwrite', (store) => store.delete(all(record))).catch(() => {});
