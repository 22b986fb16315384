// A Wi-Fi network that this computer serves, for where there is none that lets devices meet.
import { api, apart, button, copy, field, fold, h, keep, live, primary, section, t } from './parts.js';
import { picture } from './qr.js';

let el, now = null;
/** The network that this computer serves, with what lets devices in; null where it serves none. */
export const served = () => (now?.state === 'on' && now.password ? now : null);
const take = (hotspot) => { now = hotspot; draw(); };
const turnOn = async (order) => {
  take({ ...now, state: 'starting' });
  try { take(await api.put('hotspot', order)); } catch (error) { await look(); throw error; }
};

export function entrance({ name, password, code }, how = 'wifiHow') {
  return [code && picture(code, t('wifiCode')), h('dl', h('div', h('dt', t('wifiName')), h('dd.mono', { dir: 'auto' }, name)),
    h('div', h('dt', t('wifiPassword')), h('dd.mono', { dir: 'ltr' }, password))),
  how && h('p.muted', t(how))];
}

function panel(hotspot) {
  const { state, password, replaces, problem } = hotspot;
  if (state === 'starting') return h('.stack', h('p', { role: 'status' }, t('wifiStarts')));
  const isOn = state === 'on', name = h('input', { dir: 'auto', maxlength: 32 });
  const secret = h('input', { dir: 'ltr', minlength: 8, maxlength: 63, autocomplete: 'off' });
  return h('.stack', isOn ? password && entrance(hotspot) : h('p', t('wifiWhat')),
    !isOn && replaces && h('p.muted', t('wifiLeaves', { name: apart(replaces) })),
    problem && h('p.muted', problem.message),
    h('.row', isOn ? button('wifiOff', async () => take(await api.del('hotspot')))
      : !problem && primary('wifiOn', () => turnOn({})), isOn && password && button('copyPassword', () => copy(password))),
    !problem && fold(t('wifiChange'), isOn ? 'save' : 'wifiOn', () => turnOn({
      name: name.value.trim() || undefined, password: secret.value || undefined,
    }), field('wifiName', name), field('wifiPassword', secret)));
}

const draw = () => keep(el, now ? [{ id: 0, ...now }] : [], panel);
const look = () => api.get('hotspot').then(take).catch(() => {});

export function buildHotspot() {
  el = h('div');
  return section('ownNetwork', el);
}

export const hotspot = live([], look, 15_000);
