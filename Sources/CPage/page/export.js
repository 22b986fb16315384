// The tour as one page to keep: its messages and the pictures that are here, readable in any browser without a tour.
import { api, apart, button, day, h, lang, dir, path, said, section, state, t, time } from './parts.js';
import { author, gist } from './chat/message.js';
import { save } from './notebook/items.js';

const PICTURE_MAX = 4 * 1024 * 1024; // Bytes; of a larger one the page has the preview.
const POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'";
const STYLE = 'body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem}'
  + 'h2{font-size:1rem;text-align:center;color:#666}p{white-space:pre-wrap;overflow-wrap:anywhere}'
  + 'time{color:#666;margin-inline-end:.6rem}img{display:block;max-width:100%;max-height:40rem}';

const DATA = /^data:image\/[a-z]+;base64,[\w+/=]+$/;

const inside = (blob) => new Promise((resolve, reject) => {
  const reader = new FileReader();
  reader.onload = () => resolve(reader.result);
  reader.onerror = () => reject(reader.error);
  reader.readAsDataURL(blob);
});

/** A picture as an address that holds all of it; its preview where it is not here, or large. */
async function picture({ id, metadata }) {
  const { complete, size, thumbnail } = metadata.photo ?? metadata;
  if (complete && size <= PICTURE_MAX) {
    const whole = await api.blob(path(`files/${id}/content`)).then(inside).catch(() => null);
    if (whole?.startsWith('data:image/')) return whole;
  }
  return thumbnail && `data:image/jpeg;base64,${thumbnail}`;
}

async function row(message) {
  const shows = message.type === 'image' || message.metadata.photo;
  const src = shows && await picture(message);
  const words = ['text', 'announcement'].includes(message.type) ? message.content : gist(message);
  const text = h('p', { dir: 'auto' }, h('time', time(message.sentAt)), h('strong', author(message)), ': ', words);
  // As text: an element of this page would load it.
  return text.outerHTML + (DATA.test(src) ? `<img alt="" src="${src}">` : '');
}

/** Piece by piece: a tour with many pictures is larger than one text may be. */
async function page() {
  // The file is passed on: words to the guides alone are not in it, nor what nobody is shown.
  const all = (await api.lines(path('messages')))
    .filter(({ type, metadata }) => type !== 'withheld' && !metadata.alone);
  const title = h('h1', { dir: 'auto' }, state.tour.name).outerHTML;
  const pieces = [`<!doctype html><html lang="${lang}" dir="${dir}"><head><meta charset="utf-8">`,
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}"><style>${STYLE}</style></head><body>${title}`];
  let before;
  for (const message of all) {
    const on = day(message.sentAt);
    if (on !== before) pieces.push(h('h2', before = on).outerHTML);
    pieces.push(await row(message), '\n');
  }
  return new Blob([...pieces, '</body></html>'], { type: 'text/html' });
}

export const exporting = () => section('keepTour', said(t('keepTourWhat', { tour: apart(state.tour.name) })),
  h('.row', button('keepTour', async () => save(await page(), `${state.tour.name.slice(0, 60)}.html`), 'files')));
