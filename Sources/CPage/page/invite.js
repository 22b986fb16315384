// Letting others in: a code as a picture, eight digits to read out, and whether people near may ask.
import { api, button, check, clock, copy, fail, fill, h, keep, on, once, path, section, state, t } from './parts.js';
import { big, setAsking } from './asks.js';
import { qr } from './qr.js';

const linkOf = (code) => `tour-chat://join/${code.replaceAll('-', '')}`;
const copying = (word, text) => button(word, () => copy(text));

export async function card(joinCode, link = linkOf(joinCode)) {
  const drawn = await qr(link, t('qrOf')).catch((error) => h('p.trouble', error.message));
  return h('.stack', drawn,
    h('p.code.mono', { dir: 'ltr' }, joinCode.split('-').map((part) => h('span', part))),
    h('.row', copying('copyCode', joinCode), copying('copyLink', link)));
}

const turn = (on) => api.put(path('asking'), { on }).then(setAsking);
const readOut = async () => setAsking(await api.post(path('spoken-code'), { uses: 10 }));
const endCode = async () => setAsking(await api.del(path('spoken-code')));

const near = ({ on, label, code, uses }) => h('.stack',
  check('mayAsk', h('input', { type: 'checkbox', checked: on, onChange: once((box) => turn(box.checked)) })),
  on && label && [h('p', t('seenAs', { label }))],
  code ? h('.stack', big(`${code.slice(0, 4)} ${code.slice(4)}`),
    h('p.row', h('span', t('usesLeft', { n: uses })), h('time')), h('.row', button('endCode', endCode)))
    : h('.row', button('readOut', readOut, 'announce')));

/** What lets in people who stand near: the label, the switch and the spoken code. */
export function nearPart() {
  const el = h('div');
  const tick = () => {
    const { code, at } = state.asking ?? {}, time = el.querySelector('time');
    if (code && time) time.textContent = clock(Math.max(0, Math.round(code.secondsLeft - (Date.now() - at) / 1000)));
  };
  const draw = () => {
    const { mayInvite, on, label, code } = state.asking ?? {};
    keep(el, mayInvite ? [{ id: 0, on, label, code: code?.digits, uses: code?.usesLeft }] : [], near);
    tick();
  };
  on('asking', draw);
  setInterval(tick, 1000);
  draw();
  return el;
}

let code;

/** The code that the tour began with, or another one. */
async function show() {
  if (code.firstChild) return;
  const { joinCode, link } = await api.post(path('invites'), { reuse: true });
  fill(code, await card(joinCode, link));
}

function build() {
  code = h('div');
  return h('div', h('section.stack.at-invite', section('youAreIn', h('p', t('inviteHow')), nearPart(), code)));
}

export default { id: 'invite', build, show: () => show().catch(fail) };
