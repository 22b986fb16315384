// Sends files one after the other; each says how far it is, and can be broken off.
import { api, h, iconButton, name, size, t } from './parts.js';

let open = 0;
addEventListener('beforeunload', (event) => open && event.preventDefault());

/** Pictures that a node makes smaller, and takes the place out of. */
export const isPicture = ({ type }) => /^image\/(jpeg|png|webp|heic|heif)$/.test(type);

/** `path(file)` is where a file goes; `done(file)` hears of each that arrived. */
export function uploads(path, done) {
  const el = h('ul', { class: 'list uploads' });
  let last = Promise.resolve();

  function add(file) {
    const stop = new AbortController();
    const bar = h('progress', { max: 1, value: 0, 'aria-label': file.name });
    const problem = h('p', { class: 'bad small', role: 'status' });
    const again = iconButton('reply', t('again'), send);
    const row = h('li', { class: 'row' }, h('div', { class: 'grow' }, name(file.name), h('span', { class: 'muted small' }, ` ${size(file.size)}`), bar, problem),
      again, iconButton('close', t('fStop', { name: file.name }), () => { stop.abort(); row.remove(); }));
    el.append(row);
    send();

    function send() {
      again.hidden = true;
      problem.textContent = '';
      open += 1;
      last = last.then(async () => {
        try {
          if (stop.signal.aborted) return;
          await api.upload(path(file), file, { onProgress: (part) => { bar.value = part; }, signal: stop.signal });
          row.remove();
          done(file);
        } catch (error) {
          problem.textContent = error.message;
          again.hidden = error.name === 'AbortError';
        }
      }).finally(() => { open -= 1; });
    }
  }

  const choose = (accept) => {
    const input = h('input', { type: 'file', multiple: true, accept, onChange: () => [...input.files].forEach(add) });
    input.click();
  };
  return { el, choose, add: (files) => [...files].forEach(add) };
}
