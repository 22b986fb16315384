// A picture on its way out: made smaller in the browser, without what is written in it, and handed over in pieces.
import { hex, random } from './bytes.js';
import { pause } from './dom.js';
import { Away, ask, write } from './seat.js';
import { on, state } from './state.js';

const EDGE = 1600; // Pixels of the longer side.
const QUALITY = 0.8;
const PIECE = 256 * 1024;
export const SIZE_MAX = 12 * 1024 * 1024;

async function load(file) {
  const src = URL.createObjectURL(file);
  try {
    const img = new Image();
    await new Promise((resolve, reject) => Object.assign(img, { onload: resolve, onerror: reject, src }));
    return img;
  } finally { URL.revokeObjectURL(src); }
}

/** A JPEG, turned as the camera meant it; what a file says of place, time and camera is not drawn and so is gone. */
export async function scaled(file) {
  const img = await load(file);
  const scale = Math.min(1, EDGE / Math.max(img.naturalWidth, img.naturalHeight));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(img.naturalWidth * scale));
  canvas.height = Math.max(1, Math.round(img.naturalHeight * scale));
  const paper = canvas.getContext('2d');
  paper.fillStyle = '#fff';
  paper.fillRect(0, 0, canvas.width, canvas.height);
  paper.drawImage(img, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', QUALITY));
  if (!blob || blob.size > SIZE_MAX) throw new Error('no picture');
  return blob;
}

const HEIC = /^ftyp(heic|heix|heim|heis|mif1)/; // Bytes 4 to 12: what the device reads (ISO/IEC 23008-12, annex B).

/** Whether it is a picture that its device can turn though this browser cannot; only its first bytes say so. */
export async function isForDevice(file) {
  if (file.size > SIZE_MAX) return false;
  const head = new Uint8Array(await new Response(file.slice(4, 12)).arrayBuffer());
  return HEIC.test(String.fromCharCode(...head));
}

// By their uploads: pictures that were handed over, until somebody beside the device has what names them. A device
// that was away from us for long forgets them, and one that took the guest over never had them.
export const kept = new Map();
const places = new Map(); // By their uploads, where in our log they were written last.

on('written', ({ item: { act }, seq }) => {
  if (act.kind === 'picture') places.set(act.upload, seq);
});
on('held', (held) => {
  const waits = (upload) => state.waiting.some(({ act }) => act.upload === upload);
  for (const [upload, seq] of places) {
    if (seq > held || waits(upload)) continue;
    kept.delete(upload);
    places.delete(upload);
  }
});
on('dropped', ({ act }) => kept.delete(act.upload));

/** Hands a picture over, from where it was when the device was out of reach. `signal.aborted` ends it. */
export async function send(blob, { caption, replyTo, name }, onProgress, signal) {
  const upload = hex(random(8)), size = blob.size;
  let offset = 0, host = state.reach.host;
  while (offset < size) {
    if (signal.aborted) return;
    if (state.reach.host !== host) [host, offset] = [state.reach.host, 0];
    const end = Math.min(offset + PIECE, size);
    const bytes = new Uint8Array(await new Response(blob.slice(offset, end)).arrayBuffer());
    try {
      const { have } = await ask({ op: 'upload', upload, offset, size, name }, bytes);
      offset = Number.isInteger(have) ? have : end;
      onProgress(offset / size);
    } catch (error) {
      if (error.code === 'slow-down') await pause(1000);
      else if (error instanceof Away) await pause(700);
      else throw error;
    }
  }
  kept.set(upload, blob);
  write({ kind: 'picture', upload, caption, replyTo });
}

/** Asks again where the device wants a phone to wait. */
export async function patiently(asking, tries = 20) {
  try { return await asking(); } catch (error) {
    if (error.code !== 'slow-down' || tries <= 1) throw error;
    await pause(1000 * (error.seconds || 1));
    return patiently(asking, tries - 1);
  }
}

/** The whole of a picture that somebody sent; null where it is not wanted any more. */
export async function fetchedBlob(id, onProgress, isWanted) {
  const parts = [];
  let offset = 0, size = 1;
  while (offset < size) {
    if (!isWanted()) return null;
    const answer = await patiently(() => ask({ op: 'picture', id, small: false, offset }));
    if (!answer.bytes || !answer.bytes.length) throw new Away();
    size = answer.size;
    parts.push(answer.bytes);
    offset += answer.bytes.length;
    onProgress(offset / size);
  }
  return new Blob(parts, { type: 'image/jpeg' });
}

/** The same as an address for an `img`. */
export async function fetched(...args) {
  const blob = await fetchedBlob(...args);
  return blob && URL.createObjectURL(blob);
}
