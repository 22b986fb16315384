// Whether only guides write: said and changed by a guide.
import { api, button, h, keep, live, path, section, set, state, t, time } from './parts.js';

let el;

const change = (on) => async () => set('quiet', await api.put(path('quiet'), { on }));

const part = ({ on, by, at }) => h('.stack', h('p', on ? t('quietBy', { name: by, time: at }) : t('quietWhat')),
  h('.row', button(on ? 'quietOff' : 'quietOn', change(!on))));

function draw() {
  const { on, by, at } = state.quiet ?? {};
  keep(el, state.quiet ? [{ id: 0, on, by, at: at && time(at) }] : [], part);
}

export function buildQuiet() {
  el = h('div');
  return section('quiet', el);
}

export const quiet = live(['quiet', 'tour'], draw, 30_000);
