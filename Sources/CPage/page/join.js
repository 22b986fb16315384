// Into a tour: by asking a guide near, by a code, pasted, scanned or read aloud, or by making one.
import { api, button, check, clock, fail, field, form, h, icon, keep, live, once, primary, state, t, tell }
  from './parts.js';
import { big } from './asks.js';
import { readPhoto, scan } from './scan.js';

/** The eight digits that somebody reads aloud, in any script. */
const spoken = (text) =>
  /^\d{8}$/.exec(text.replace(/[\s-]/g, '').replace(/[٠-٩۰-۹０-９]/g, (c) => c.charCodeAt(0) & 15));

/** What is wrong with a code or link, in words; empty if nothing is. Source: Protocol/07-joining.md, "Invite code". */
function fault(text) {
  if (spoken(text)) return '';
  const link = /^\s*([a-z-]+):\/\/(join\/)?([^?#]*)/i.exec(text);
  if (link && (link[1].toLowerCase() !== 'tour-chat' || !link[2])) return t('otherLink');
  const code = (link ? link[3] : text).replace(/[\s\-‐-―/]/g, '');
  const odd = [...code].find((letter) => !/[a-z0-8]/i.test(letter));
  if (odd) return t('oddLetter', { letter: `\u2068${odd}\u2069` });
  return code.length === 56 ? '' : t('codeLength', { n: code.length });
}

let el, own;
let ask = { state: 'none' };
const say = (text) => { if (el.said.textContent !== text) el.said.textContent = text; };

async function join() {
  const code = el.code.value.trim();
  if (spoken(code)) return begin();
  say(t('looking'));
  el.wait.hidden = false;
  const timer = setTimeout(() => say(t('nobodyYet')), 12_000);
  try {
    const { tourID } = await api.post('join', { code, timeoutSeconds: 60 });
    tell('refresh', tourID);
  } catch (error) {
    say(error.code === 'no-member-found' ? `${error.message} ${t('nobodyHow')}` : error.message);
  } finally {
    clearTimeout(timer);
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
  el.byCode.open = true;
  judge();
};

/** Shows the step that is due, from its heading on. */
function draw() {
  const { state: at, label, words, tour, sentence } = ask;
  const due = !own ? 'name' : at === 'none' ? 'ways' : 'asking';
  const was = Object.values(el.steps).find((step) => !step.hidden);
  for (const [id, step] of Object.entries(el.steps)) step.hidden = id !== due;
  el.label.textContent = label ?? t('join');
  keep(el.told, at === 'none' ? [] : [{ id: 0, at, words, tour, sentence }], told);
  el.agree.hidden = at !== 'admitted' || !words;
  el.stop.textContent = t(at === 'refused' ? 'again' : 'cancel');
  el.stop.hidden = at === 'joining';
  el.left.textContent = at === 'waiting' && ask.secondsLeft ? clock(ask.secondsLeft) : '';
  if (was && was !== el.steps[due]) el.steps[due].querySelector('h2').focus();
}

const told = ({ at, words, tour, sentence }) => h('.stack', at === 'refused' ? h('p.trouble', sentence) : [
  h('p', t(at === 'waiting' ? 'showWords' : at === 'admitted' ? 'doAgree' : 'looking', { tour })),
  words && big(words.join(' '))]);

/** Begins to ask: by words, or by the digits that somebody reads aloud, where those are written already. */
async function begin(tag) {
  ask = await api.put('ask', { tag, name: own, digits: spoken(el.code.value)?.[0] });
  draw();
}

async function finish() {
  ask = { ...ask, state: 'joining' };
  draw();
  try {
    tell('refresh', (await api.post('ask/join')).tourID);
  } catch (error) {
    ask = { ...ask, state: 'admitted' };
    draw();
    fail(error);
  }
}

async function stop() {
  await api.del('ask');
  if (!ask.words) el.code.value = ''; // The next tour is asked by words.
  ask = { state: 'none' };
  draw();
}

const tourNear = ({ id, label }) => h('li',
  h('button.button', { onClick: once(() => begin(id)) }, icon('people'), h('bdi', { lang: 'en' }, label)));

let isBusy = false;

async function look() {
  if (isBusy) return;
  isBusy = true;
  await step().finally(() => { isBusy = false; });
}

async function step() {
  if (!own || ['joining', 'refused'].includes(ask.state)) return;
  const asked = ask;
  if (asked.state === 'none') {
    const { tours } = await api.get('nearby').catch(() => ({ tours: [] }));
    keep(el.near, tours.map(({ tag, label }) => ({ id: tag, label })), tourNear);
    el.none.hidden = tours.length > 0;
    return;
  }
  const now = await api.get('ask').catch(() => asked);
  if (ask !== asked) return; // It was ended meanwhile, or begun anew.
  ask = now;
  draw();
  // Digits that fit need nobody to compare words.
  if (now.state === 'admitted' && !now.words) await finish();
}

async function setName() {
  const name = el.name.value.trim();
  await api.put('name', { name });
  own = name;
  draw();
  look();
}

const heading = (text) => h('h2', { tabindex: -1 }, text);
const folded = (word, ...content) => h('details.card', h('summary', h('h2', t(word))), h('.stack', content));

function build() {
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
    tell('created', (await api.post('tours', tour)).tourID);
  };
  el = {
    code: h('textarea.mono', {
      rows: 3, required: true, dir: 'ltr', spellcheck: 'false', autocomplete: 'off', autocapitalize: 'characters',
      'aria-describedby': 'code-fault', onInput: judge,
    }),
    fault: h('p.trouble', { id: 'code-fault', role: 'status' }),
    name: h('input', { maxlength: 128, dir: 'auto', autocomplete: 'nickname', required: true }),
    said: h('p', { role: 'status' }), wait: h('progress', { hidden: true, 'aria-label': t('looking') }),
    near: h('ul.near.stack'), none: h('p.muted', t('noneNear')),
    label: heading(), told: h('div', { role: 'status' }), left: h('span.muted', { 'aria-hidden': 'true' }),
    agree: primary('wordsAgree', finish, 'check'), stop: button('cancel', stop),
  };
  el.byCode = folded('byCode', h('p', t('joinHow')),
    state.features.scan !== false && h('.row',
      navigator.mediaDevices && button('scan', async () => take(await scan()), 'camera'),
      h('label.button', photo, t('scanPhoto'))),
    form('joinNow', join, field('code', el.code), el.fault), el.wait, el.said);
  el.steps = {
    name: h('section.card.stack', heading(t('yourName')), h('p', t('nameHow')),
      form('goOn', setName, field('yourName', el.name))),
    ways: h('.stack', h('section.card.stack', heading(t('nearby')), h('p', t('nearHow')), el.near, el.none), el.byCode,
      folded('create', h('p', t('createHow')), form('create', create, field('tourName', title),
        check('fullHistory', history)))),
    asking: h('section.card.stack', el.label, el.told, h('.row', el.agree, el.stop, el.left)),
  };
  for (const step of Object.values(el.steps)) step.hidden = true;
  begun();
  return h('div', h('section.stack.at-join', Object.values(el.steps)));
}

/** Who has a name is not asked for it; a page that was loaded anew goes on with the asking. */
async function begun() {
  const [{ name }, asked] = await Promise.all([api.get('status'), api.get('ask')].map((one) => one.catch(() => ({}))));
  if (['connecting', 'waiting', 'admitted'].includes(asked.state)) ask = asked;
  own ||= name;
  draw();
  if (!own) el.name.focus();
  look();
}

const view = live([], look, 1000);

export default {
  id: 'join', build, hide: view.hide,
  /** A link that was opened stands in the field; who joins says so. */
  show(link) {
    if (link) {
      take(link);
      history.replaceState(null, '', '#/join');
    }
    view.show();
  },
};
