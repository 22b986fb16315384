// Into a tour: by a code, pasted or scanned, or by making one.
import { api, button, check, fail, field, form, h, number, section, state, t, tell } from './parts.js';
import { readPhoto, scan } from './scan.js';

/** What is wrong with a code or link, in words; empty if nothing is. Source: Protocol/07-joining.md, "Invite code". */
function fault(text) {
  const link = /^\s*([a-z-]+):\/\/(join\/)?([^?#]*)/i.exec(text);
  if (link && (link[1].toLowerCase() !== 'tour-chat' || !link[2])) return t('otherLink');
  const code = (link ? link[3] : text).replace(/[\s\-‐-―/]/g, '');
  const odd = [...code].find((letter) => !/[a-z0-8]/i.test(letter));
  if (odd) return t('oddLetter', { letter: `\u2068${odd}\u2069` });
  return code.length === 56 ? '' : t('codeLength', { n: code.length });
}

let el;
const say = (text) => { if (el.said.textContent !== text) el.said.textContent = text; };

async function join() {
  const code = el.code.value.trim(), own = el.name.value.trim();
  const since = Date.now();
  say(t('looking'));
  el.wait.hidden = false;
  const timer = setInterval(() => {
    const seconds = Math.round((Date.now() - since) / 1000);
    el.seconds.textContent = number(seconds);
    if (seconds > 12) say(t('nobodyYet'));
  }, 1000);
  try {
    const { tourID } = await api.post('join', { code, timeoutSeconds: 60, ...(own && { name: own }) });
    tell('refresh', tourID);
  } catch (error) {
    say(error.code === 'no-member-found' ? `${error.message} ${t('nobodyHow')}` : error.message);
  } finally {
    clearInterval(timer);
    el.wait.hidden = true;
  }
}

function judge() {
  const text = el.code.value.trim() && fault(el.code.value);
  el.fault.textContent = text;
  el.code.setAttribute('aria-invalid', Boolean(text));
  el.code.setCustomValidity(text);
}

const take = (text) => {
  if (!text) return;
  el.code.value = text;
  judge();
  el.name.focus();
};

function build() {
  const fresh = !state.tours.length;
  el = {
    code: h('textarea.mono', {
      rows: 3, required: true, dir: 'ltr', spellcheck: 'false', autocomplete: 'off', autocapitalize: 'characters',
      'aria-describedby': 'code-fault', onInput: judge,
    }),
    fault: h('p.trouble', { id: 'code-fault', role: 'status' }),
    name: h('input', { maxlength: 128, dir: 'auto', autocomplete: 'nickname', required: fresh }),
    said: h('p', { role: 'status' }), seconds: h('span.muted', { 'aria-hidden': 'true' }),
  };
  el.wait = h('.row.wait', { hidden: true }, h('progress', { 'aria-label': t('looking') }), el.seconds);
  api.get('status').then((status) => { el.name.value ||= status.name; }).catch(() => {});
  const photo = h('input.visually-hidden', {
    type: 'file', accept: 'image/*', onChange: () => {
      if (photo.files[0]) readPhoto(photo.files[0]).then(take, fail);
      photo.value = '';
    },
  });
  const title = h('input', { required: true, maxlength: 128, dir: 'auto', autocomplete: 'off' });
  const history = h('input', { type: 'checkbox', checked: true });
  const create = async () => {
    const tour = { name: title.value.trim(), history: history.checked ? 'full' : 'none' };
    tell('refresh', (await api.post('tours', tour)).tourID);
  };
  return h('div', h('section.stack.at-join',
    section('join', h('p', t('joinHow')),
      state.features.scan !== false && h('.row',
        navigator.mediaDevices && button('scan', async () => take(await scan()), 'camera'),
        h('label.button', photo, t('scanPhoto'))),
      form('joinNow', join, field('code', el.code), el.fault, field('yourName', el.name)), el.wait, el.said),
    section('create', h('p', t('createHow')),
      form('create', create, field('tourName', title), check('fullHistory', history)))));
}

/** A link that was opened stands in the field; who joins says so. */
function show(link) {
  if (link) {
    take(link);
    history.replaceState(null, '', '#/join');
  } else if (matchMedia('(pointer: fine)').matches) el.code.focus();
}

export default { id: 'join', build, show };
