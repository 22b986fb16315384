// Where one writes.
import { author, gist } from './bubble.js';
import { toEnd } from './chat.js';
import { fill, h, icon, who } from './dom.js';
import { SIZE_MAX, isForDevice, kept, scaled, send } from './picture.js';
import { write } from './seat.js';
import { on, state } from './state.js';
import { draftOf, keepDraft } from './store.js';
import { alarm, field, form, iconButton, once, sheet } from './sheets.js';
import { number, size, t } from './words.js';

const LENGTH = 16_384; // Bytes of a message.
const ALONE = 4096; // And of one that the guides alone read.
const CAPTION = 4096;
const NAME = 'picture.jpg'; // What a camera calls a picture may tell of its owner.
const UNREADABLE = ['picture-no-decoder', 'picture-tool-missing']; // Its device has no program for such pictures.
let el, replyTo = null;
let wantsAlone = false; // The guides alone read what is written.

const isQuiet = () => Boolean(state.view && state.view.quiet);
const isAlone = () => wantsAlone || isQuiet();
const most = () => (isAlone() ? ALONE : LENGTH);

const bytes = (text) => new TextEncoder().encode(text).length;

function grow() {
  el.text.style.height = 'auto';
  el.text.style.height = `${Math.min(el.text.scrollHeight + 2, 140)}px`;
  const over = bytes(el.text.value) - most();
  el.long.hidden = over <= 0;
  el.long.textContent = over > 0 ? t('tooLong', { n: over }) : '';
  keepDraft(state.record, el.text.value, isAlone());
}

/** Whom it reaches, before it is written. */
function show() {
  el.alone.setAttribute('aria-pressed', String(isAlone()));
  el.alone.disabled = isQuiet();
  el.camera.hidden = isAlone();
  el.whom.hidden = !isAlone();
  fill(el.whom, icon('guide'), h('span', t(isQuiet() ? 'quietNow' : 'aloneWhat')));
  grow();
}

export function reply(message) {
  replyTo = message ? message.id : null;
  // An answer to what the guides said to this guest alone is for them alone.
  if (message && message.metadata.alone) wantsAlone = true;
  el.quote.hidden = !message;
  show();
  if (!message) return;
  fill(el.quote, h('p.quote', who(author(message)), h('span', { dir: 'auto' }, gist(message))),
    iconButton('close', t('cancel'), () => reply(null)));
  el.text.focus();
}

function say() {
  const text = el.text.value.trim();
  if (!text || bytes(text) > most()) return;
  write({ kind: 'text', text, replyTo, ...(isAlone() && { alone: true }) });
  wantsAlone = false;
  el.text.value = '';
  reply(null);
  grow();
  toEnd();
  el.text.focus();
}

async function choose(file) {
  let blob, isRaw = false;
  try {
    blob = await scaled(file);
  } catch {
    // A phone's gallery may keep pictures in a form that no browser of it reads.
    isRaw = await isForDevice(file).catch(() => false);
    if (!isRaw) return alarm(t(file.size > SIZE_MAX ? 'pictureLarge' : 'pictureBad', { size: size(SIZE_MAX) }));
    blob = file;
  }
  const src = isRaw ? null : URL.createObjectURL(blob);
  const caption = h('input', { type: 'text', dir: 'auto', maxlength: 500 });
  const to = replyTo;
  const shown = isRaw ? [h('p.strong', t('heicTitle', { name: state.record.host.name })), h('p.small', t('heicHow'))]
    : h('img.preview', { src, alt: '' });
  const box = sheet(t('sendPicture'), shown, form('send', () => {
    const words = caption.value.trim();
    if (bytes(words) > CAPTION) return;
    box.close();
    reply(null);
    handOver(blob, { caption: words || null, replyTo: to, name: NAME });
  }, field('caption', caption)));
  box.onclosed = () => src && URL.revokeObjectURL(src);
}

/** One after the other: a device accepts one upload at once. */
let last = Promise.resolve();
function handOver(blob, about) {
  const signal = { aborted: false };
  const bar = h('progress', { max: 1, value: 0, 'aria-label': t('sendPicture') });
  const words = h('span.small', t('pictureGoes'));
  const row = h('.upload', words, bar, iconButton('close', t('cancel'), () => {
    signal.aborted = true;
    row.remove();
  }));
  el.uploads.append(row);
  last = last.then(() => send(blob, about, (part) => {
    bar.value = part;
    words.textContent = `${t('pictureGoes')} ${number(Math.round(part * 100))} %`;
  }, signal)).catch((error) => alarm(error.code ? error.message : t('odd'))).then(() => row.remove());
}

// A text comes back that only guides could write by then, or for which there was no guide: it is not lost.
on('refused', (what) => {
  const { kind, text, alone } = what.item.act;
  if (kind !== 'text' || !['quiet', 'no-guides'].includes(what.error.code)) return;
  el.text.value = [text, el.text.value].filter(Boolean).join('\n');
  if (alone) wantsAlone = true;
  show();
});

on('refused', (what) => {
  const { kind, upload, caption, replyTo: to } = what.item.act, blob = kind === 'picture' && kept.get(upload);
  // No guest can install what is missing there: the words say what to do here.
  if (UNREADABLE.includes(what.error.code)) {
    what.isMended = true;
    return alarm(t('pictureUnread', { name: state.record.host.name }));
  }
  if (!blob || what.error.code !== 'unknown-upload') return undefined;
  what.isMended = true;
  kept.delete(upload);
  return handOver(blob, { caption, replyTo: to, name: NAME });
});

export function buildComposer() {
  const draft = draftOf(state.record);
  wantsAlone = draft.isAlone;
  const file = h('input', { type: 'file', accept: 'image/*', hidden: true, tabindex: '-1', 'aria-hidden': 'true' });
  file.addEventListener('change', () => {
    if (file.files[0]) choose(file.files[0]);
    file.value = '';
  });
  el = {
    whom: h('p.row.small.whom', { hidden: true, role: 'status' }), quote: h('.replying', { hidden: true }),
    uploads: h('div'),
    long: h('p.trouble.small', { hidden: true, role: 'status' }),
    text: h('textarea', {
      rows: 1, dir: 'auto', 'aria-label': t('write'), placeholder: t('write'), enterkeyhint: 'send', onInput: grow,
      value: draft.words,
    }),
  };
  el.text.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    say();
  });
  el.camera = iconButton('camera', t('sendPicture'), () => file.click());
  el.alone = iconButton('guide', t('toGuides'), () => {
    wantsAlone = !wantsAlone;
    show();
    el.text.focus();
  }, { type: 'button', 'aria-pressed': 'false' });
  let was = isQuiet();
  on('view', ({ quiet }) => {
    // Words that were begun for the guides alone are not for everybody because the quiet is over.
    if (was && !quiet && el.text.value.trim()) wantsAlone = true;
    if (quiet !== was) show();
    was = quiet;
  });
  setTimeout(show);
  return h('form.composer', { onSubmit: once(say) }, el.whom, el.quote, el.uploads, el.long, h('.writing', file,
    el.camera, el.alone, el.text,
    h('button.button.primary.send', { type: 'submit', 'aria-label': t('send'), title: t('send') }, icon('send'))));
}
