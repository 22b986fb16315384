// Files that somebody sent: what a phone can do with each, on its way and here.
import { fill, h, icon, name as called, pause } from './dom.js';
import { dropFile, keepFile, keptFile, keptFiles } from './kept.js';
import { Away, ask } from './seat.js';
import { state } from './state.js';
import { button, choices, fail, sheet } from './sheets.js';
import { number, size, t } from './words.js';

const LARGE = 8e6; // Bytes that are worth a word before.
const LARGEST = 64 * 1024 * 1024; // A device gives phones no larger ones: Protocol/15-seats.md, "Limits".
const PAUSE = 1500; // Milliseconds until a device is asked again for a file that comes to it.
// Browsers show these by themselves, and none can hold a script. All else is saved, and never opened as a page.
const SHOWN = /^(application\/pdf|text\/plain|image\/(jpeg|png|webp|gif)|(audio|video)\/[\w.+-]+)$/;
const BY_NAME = {
  pdf: 'application/pdf', txt: 'text/plain', jpg: 'image/jpeg', jpeg: 'image/jpeg', png: 'image/png', mp3: 'audio/mpeg',
  m4a: 'audio/mp4', mp4: 'video/mp4',
};
const BY_PROGRAM = ['csv', 'doc', 'docx', 'epub', 'gpx', 'heic', 'ics', 'kml', 'kmz', 'odp', 'ods', 'odt', 'pkpass',
  'ppt', 'pptx', 'rtf', 'vcf', 'xls', 'xlsx', 'zip'];

const WAITS = { waiting: 'fileWaits', 'no-room': 'fileNoRoom' };

const ending = (file) => (file.includes('.') ? file.slice(file.lastIndexOf('.') + 1).toLowerCase() : '');

/** Its kind, as browsers name it; null where none shows it. */
function shownAs({ name, media }) {
  if (media && SHOWN.test(media)) return media;
  return BY_NAME[ending(name)] || null;
}

/** Says before it is fetched what opens it, and whether it is large. */
async function warnings(file) {
  const words = [];
  if (!shownAs(file)) words.push(t(BY_PROGRAM.includes(ending(file.name)) ? 'fileProgram' : 'fileOdd'));
  if (file.size > LARGE) words.push(t('fileLarge', { size: size(file.size) }));
  // By https alone a browser says how much room there is.
  const { quota, usage } = await (navigator.storage && navigator.storage.estimate
    ? navigator.storage.estimate().catch(() => ({})) : {});
  if (quota && quota - usage < 2 * file.size) words.push(t('roomLeft', { size: size(Math.max(0, quota - usage)) }));
  return words;
}

/** All of a file in parts; null where nobody wants it any more. `tell` hears how far it is, and what it waits for. */
async function fetched(id, tell, isWanted) {
  const parts = [];
  let have = 0;
  while (isWanted()) {
    try {
      const { bytes, state: at, have: there, ...file } = await ask({ op: 'file', id, offset: have });
      if (at === 'complete') {
        if (bytes) {
          parts.push(bytes);
          have += bytes.length;
        }
        tell({ part: file.size ? have / file.size : 1 });
        if (have >= file.size || !bytes) return { ...file, parts };
      } else {
        tell({ part: file.size ? there / file.size : 0, why: WAITS[at] || 'fileComes' });
        await pause(PAUSE);
      }
    } catch (error) {
      if (error.code === 'slow-down') await pause(1000 * (error.seconds || 1));
      else if (error instanceof Away) {
        tell({ why: 'notNow' });
        await pause(PAUSE);
      } else throw error;
    }
  }
  return null;
}

/** A file is named by what was sent; a name is no path. */
const plain = (name) => name.replace(/[/\\\u0000-\u001f\u202a-\u202e\u2066-\u2069]/g, '_') || 'file';

/** Offers a file that is here: to open it, to save it, and to keep it. */
function offer(el, id, file, isKept) {
  const media = shownAs(file);
  const src = URL.createObjectURL(new Blob(file.parts, { type: media || 'application/octet-stream' }));
  const before = el.onclosed;
  el.onclosed = () => {
    // A tab that opens it reads it first.
    setTimeout(() => URL.revokeObjectURL(src), 60_000);
    if (before) before();
  };
  const isPicture = Boolean(media) && media.startsWith('image/');
  const keeping = () => (isKept ? button('dropFile', async () => {
    await dropFile(id);
    isKept = false;
    draw();
  }, 'close') : button('keepFile', async () => {
    try { await keepFile(id, file); } catch { return fill(trouble, t('keepFull')); }
    isKept = true;
    draw();
  }, 'down'));
  const trouble = h('p.trouble', { role: 'alert' });
  const draw = () => fill(el.body,
    isPicture && h('img.preview', { src, alt: file.name }),
    h('p.muted', size(file.size)),
    media && !isPicture && h('a.button.primary', { href: src, target: '_blank', rel: 'noopener' }, icon('file'),
      h('span', t('open'))),
    !media && h('p', t(BY_PROGRAM.includes(ending(file.name)) ? 'fileProgram' : 'fileOdd')),
    h('a.button', { href: src, download: plain(file.name) }, icon('down'), h('span', t('saveFile'))),
    keeping(), isKept && h('p.small', t('isKept', { menu: t('keptFiles') })), trouble);
  draw();
}

export async function showFile({ id, name, media, size: bytes }) {
  const file = { name, media, size: bytes }, el = sheet(name, h('p.muted', size(bytes)));
  const kept = await keptFile(id);
  if (!el.isConnected) return;
  if (kept) return offer(el, id, kept, true);
  const bar = h('progress', { max: 1, value: 0, 'aria-label': t('coming'), hidden: true });
  const words = h('p', { role: 'status' });
  const get = button('getFile', async () => {
    get.hidden = true;
    bar.hidden = false;
    try {
      const found = await fetched(id, ({ part, why }) => {
        if (part !== undefined) bar.value = part;
        const text = why ? t(why, { name: state.record.host.name }) : `${number(Math.round(bar.value * 100))} %`;
        if (words.textContent !== text) words.textContent = text;
      }, () => el.isConnected);
      if (found) offer(el, id, found, false);
    } catch (error) {
      [get.hidden, bar.hidden, words.textContent] = [false, true, ''];
      fail(error);
    }
  }, 'down');
  if (bytes > LARGEST) return void fill(el.body, h('p', t('fileTooLarge', { size: size(bytes) })));
  const warned = await warnings(file);
  fill(el.body, h('p.muted', size(bytes)), warned.map((word) => h('p', word)), get, bar, words);
}

/** A file in the list of messages. */
export const fileButton = ({ id, metadata: { name, media, size: bytes } }) =>
  h('button.button.file', { onClick: () => showFile({ id, name, media, size: bytes }).catch(fail) },
    icon('file'), h('span', called(name), ' ', h('small', size(bytes))));

/** Shows the files that this phone keeps of the tour: they open without a device in reach. */
export async function showKept() {
  const files = await keptFiles();
  if (!files.length) return void sheet(t('keptFiles'), h('p', t('noneKept')));
  choices(t('keptFiles'),
    files.map((file) => ['file', `${file.name} · ${size(file.size)}`, () => showFile(file).catch(fail)]));
}
