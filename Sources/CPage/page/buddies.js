// Who answers for whom in roll calls: two or more who stay together.
import { api, apart, dialog, button, form, full, h, inRow, isIn, keep, live, path, state, t } from './parts.js';

let el;
let groups = [];
const put = async (list) => { ({ groups } = await api.put(path('buddies'), { groups: list })); draw(); };
const ids = (group) => group.members.map(({ memberID }) => memberID);

function draw() {
  keep(el, groups.map((group) => ({ id: ids(group).join(), names: group.members.map((m) => m.name), members: ids(group) })),
    (group) => h('li.row', h('span.grow', inRow(group.names.map(apart))), button('part', () =>
      put(groups.map(ids).filter((one) => one.length > 1 && one.join() !== group.id)))));
}

function choose() {
  const boxes = state.members.filter(isIn).map((m) =>
    h('label.row', h('input', { type: 'checkbox', value: m.id }), full(m)));
  const box = dialog(t('buddies'), form('stayTogether', async () => {
    const chosen = boxes.map((label) => label.firstChild).filter(({ checked }) => checked).map(({ value }) => value);
    await put([...groups.map(ids).map((group) => group.filter((id) => !chosen.includes(id)))
      .filter(({ length }) => length > 1), chosen]);
    box.close();
  }, h('p', t('buddiesWhat')), boxes));
}

export function buildBuddies() {
  el = h('ul.list');
  return h('.stack', el, h('div', button('buddies', choose, 'people')));
}

const look = () => api.get(path('buddies')).then((got) => { ({ groups } = got); draw(); }).catch(() => {});
export const buddies = live([], look, 30_000);
