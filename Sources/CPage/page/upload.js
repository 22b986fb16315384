// Sends files one after the other; each says how far it is, and can be broken off.
import { api, h, iconButton, name, pick, size, t } from './parts.js';

let open = 0;
addEventListener('beforeunload', (event) => open && event.preventDefault());

export function uploads(path, done) {
  const el = h('ul.list');
  let last = Promise.resolve();

  function add(file) {
    const stop = new AbortController();
    const bar = h('progress', { max: 1, value: 0, 'aria-label': file.name });
    const problem = h('p.bad.small', { role: 'status' });
    const again = iconButton('reply', t('again'), send);
    const close = iconButton('close', t('fStop', { name: file.name }), () => { stop.abort(); row.remove(); });
    const row = h('li.row', h('.grow', name(file.name), h('span.muted.small', ` ${size(file.size)}`), bar, problem),
      again, close);
    el.append(row);
    send();

    function send() {
      again.hidden = true;
      problem.textContent = '';
      open += 1;
      last = last.then(() => api.upload(path(file), file, {
        onProgress: (part) => { bar.value = part; }, signal: stop.signal,
      })).then(() => { row.remove(); done(file); }, (error) => {
        problem.textContent = error.message;
        again.hidden = error.name === 'AbortError';
      }).finally(() => { open -= 1; });
    }
  }

  const addAll = (files) => files.forEach(add);
  return { el, choose: () => pick(addAll), add: addAll };
}
