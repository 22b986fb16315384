// The chat and its pictures as one file, which needs neither this page nor a device any more.
import { author, gist } from './bubble.js';
import { h, pause } from './dom.js';
import { earlier, hasEarlier, inOrder, messages } from './messages.js';
import { fetchedBlob, patiently } from './picture.js';
import { state } from './state.js';
import { button, sheet } from './sheets.js';
import { dir, lang, t, time } from './words.js';

const PICTURES_MAX = 200 * 1024 * 1024; // Bytes: a phone has to hold all of them at once.
const NAME_MAX = 60; // Characters of a file's name.
const STYLE = 'body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem}'
  + 'h2{font-size:1rem;text-align:center;color:#666}p{margin:.4rem 0;white-space:pre-wrap;overflow-wrap:anywhere}'
  + 'time{color:#666}img{max-width:100%;border-radius:.5rem}blockquote{margin:0;color:#666}';
const HEAD = "default-src 'none'; img-src data:; style-src 'unsafe-inline'";

/** All messages that the device has; those that are here where it is out of reach. */
async function loadAll(goesOn) {
  for (let before = -1; hasEarlier && messages.size !== before && goesOn();) {
    before = messages.size;
    try { await patiently(earlier); } catch { return; }
    await pause(60); // So that the device lets others ask as well.
  }
}

const dataOf = (blob) => new Promise((resolve, reject) => {
  const reader = new FileReader();
  Object.assign(reader, { onload: () => resolve(reader.result), onerror: () => reject(reader.error) });
  reader.readAsDataURL(blob);
});

/** The whole picture, or the small one that came with the message. */
async function pictureOf(message, room, goesOn) {
  const { photo, thumbnail } = message.metadata;
  const small = (photo || message.metadata).thumbnail || thumbnail;
  try {
    const blob = room > 0 && await fetchedBlob(message.id, () => {}, goesOn);
    if (blob && blob.size <= room) return { src: await dataOf(blob), size: blob.size };
  } catch { /* It is out of reach, or nobody here has it. */ }
  return small ? { src: `data:image/jpeg;base64,${small}`, size: small.length } : null;
}

const hasPicture = ({ type, metadata }) => type === 'image' || Boolean(metadata && metadata.photo);

function row(message, picture) {
  const { replyTo, type, content } = message, quoted = replyTo && messages.get(replyTo);
  const { name, namesake } = author(message), alone = message.metadata && message.metadata.alone;
  return h('article', h('p', h('time', { datetime: message.sentAt }, time(message.sentAt)), ' ',
    h('strong', { dir: 'auto' }, namesake ? `${name} (${namesake})` : name),
  alone && ` · ${t(message.mine ? 'toGuides' : 'aloneYou')}`),
  quoted && h('blockquote', { dir: 'auto' }, `${author(quoted).name}: ${gist(quoted)}`),
  picture && h('p', h('img', { src: picture.src, alt: content || '' })),
  h('p', { dir: 'auto' }, type === 'text' ? content : gist({ ...message, content: content || '' })));
}

/** One page without script that loads nothing; `onProgress` hears a part of 1. */
async function page(onProgress, goesOn) {
  await loadAll(goesOn);
  const all = inOrder().filter(({ type }) => type !== 'withheld'), title = state.record.tour;
  const meta = [h('meta', { charset: 'utf-8' }), h('meta', { 'http-equiv': 'Content-Security-Policy', content: HEAD }),
    h('meta', { name: 'viewport', content: 'width=device-width' }), h('title', title), h('style', STYLE)];
  const parts = [`<!doctype html><html lang="${lang}" dir="${dir}"><head>`, ...meta.map((el) => el.outerHTML),
    '</head><body>', h('h1', { dir: 'auto' }, title).outerHTML];
  let room = PICTURES_MAX, today = '';
  for (const [index, message] of all.entries()) {
    if (!goesOn()) return null;
    const on = new Date(message.sentAt).toLocaleDateString(lang, { dateStyle: 'full' });
    if (on !== today) parts.push(h('h2', on).outerHTML);
    today = on;
    const picture = hasPicture(message) ? await pictureOf(message, room, goesOn) : null;
    if (picture) room -= picture.size;
    parts.push(row(message, picture).outerHTML);
    onProgress((index + 1) / all.length);
  }
  return new Blob([...parts, '</body></html>'], { type: 'text/html' });
}

export function showSave() {
  const bar = h('progress', { max: 1, value: 0, 'aria-label': t('saveAll'), hidden: true });
  const done = h('p', { role: 'status' });
  const el = sheet(t('saveAll'), h('p', t('saveWhat')), bar, done, button('saveAll', async () => {
    bar.hidden = false;
    const blob = await page((part) => { bar.value = part; }, () => el.isConnected);
    if (!blob) return;
    const href = URL.createObjectURL(blob);
    const called = state.record.tour.replace(/[\\/:*?"<>|\u0000-\u001f]/g, '_').slice(0, NAME_MAX);
    const link = h('a', { href, download: `${called || 'tour'}.html` });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(href), 60_000); // A phone may ask first where to put it.
    done.textContent = t('savedFile');
  }, 'file'));
}
