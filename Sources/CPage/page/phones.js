// Guests: phones without the app, which this device lets in through their browser.
import { api, apart, button, check, dialog, field, form, h, inRow, isIn, keep, lang, languages, lasting, live, mayLead, name,
  named, once, ours, path, primary, risky, section, select, state, t, when } from './parts.js';
import { big } from './asks.js';
import { entrance, served } from './hotspot.js';
import { picture } from './qr.js';

const address = ({ hostname, port }) => [hostname, port && [h('wbr'), `:${port}`]];
// Rounded, so that it is not drawn anew each time.
const signOf = ({ link, plainLink, digits, usesLeft, secondsLeft }) => link && {
  id: link, typed: plainLink ?? link, digits, uses: usesLeft, network: served(),
  until: when(Math.round(Date.now() / 300_000 + secondsLeft / 300) * 300_000),
};
/** First stands what a guest does first: into the network, then into the tour. */
const sign = ({ id, typed, digits, uses, until, network }) => h('.stack',
  network && [h('h3', t('signNetwork')), entrance(network, null), h('h3', t('signTour'))], picture(id, t('guestCode')),
  h('p', t(digits ? 'signType' : 'signSpent')), big(address(new URL(typed))),
  digits && big(`${digits.slice(0, 4)} ${digits.slice(4)}`),
  h('p', [t('usesLeft', { n: uses }), t('signUntil', { time: until })].join(' · ')));

const elsewhere = ({ hosts }) => hosts.filter(({ memberID }) => memberID !== state.tour.memberID);

/** After a removal: which codes for guests have ended, and the one that is shown in place of this device's. */
export function newSign(seats) {
  const drawn = seats.on && signOf(seats), others = elsewhere(seats).filter((m) => m.mayGive);
  return [drawn && [h('p', t('newSign')), sign(drawn)],
    others.length > 0 && h('p', t('newSigns', { names: inRow(others.map((m) => apart(m.name))).join('') }))];
}

/** One panel; `remove` takes a guest out, where that can be done: the guide's own. */
export function phones(remove) {
  const box = h('input', { type: 'checkbox', onChange: once(() => put({ on: box.checked })) });
  const most = h('input', {
    type: 'number', min: 1, max: 200, onChange: once(() => put({ on: true, max: Number(most.value) })),
  });
  const shown = h('div'), guests = h('ul.list'), hosts = h('ul.list'), allow = h('div');
  let now = null;

  const put = (order) => api.put(path('seats'), order).then(take).finally(draw);
  const post = (act, order) => api.post(path(`seats/${act}`), order).then(take);
  const look = () => api.get(path('seats')).then(take).catch(() => {});
  const take = (seats) => {
    now = seats;
    draw();
    if (seats.on && !seats.link) setTimeout(look, 1000); // The door opens in a moment.
  };

  const guest = (m) => h('li.row', h('span.grow', name(m.name), h('small.muted', ` ${t(m.here ? 'roll_here' : 'guestAway')}`)),
    m.below && risky('remove', () => t('removeWhat', { name: apart(m.name) }), () => remove(m),
      named('remove', m.name)));
  const host = (m) => h('li.row', h('span.grow', name(m.name), h('small.muted', ` ${t('guests', { n: m.guests })}`)),
    m.below && risky('deny', () => t('denyWhat', { name: apart(m.name) }),
      () => post('hosts', { member: m.id, allowed: false }), named('deny', m.name)));
  const others = ({ list }) => {
    const choice = select(list.map((m) => [m.id, m.name]));
    return form('allow', () => post('hosts', { member: choice.value, allowed: true }), field('allowWho', choice));
  };

  // The guide's own language first, in the largest letters.
  const print = () => {
    const boxes = [lang, ...Object.keys(languages).filter((code) => code !== lang)].map((code) =>
      h('input', { type: 'checkbox', value: code, checked: code === lang || code === 'en' }));
    const rows = boxes.map((box) => h('label.row', { lang: box.value }, box, languages[box.value]));
    const el = dialog(ours(t('signLanguages')), h('.stack', rows), h('.row.end', primary('printSign', async () => {
      const chosen = boxes.filter(({ checked }) => checked).map(({ value }) => value);
      const [pdf, { save }] = await Promise.all([
        api.made(path('card'), { guests: true, languages: chosen.length ? chosen : [lang] }), import('./notebook/items.js')]);
      save(pdf, `${state.tour.name.slice(0, 60)}.pdf`);
      el.close();
    })));
  };
  const holds = lasting(t('untilEnd'));
  const renew = () => post('pass', { seconds: Number(holds.value) || undefined });
  const more = h('.stack', shown, button('printSign', print),
    h('.row', field('validFor', holds), button('newGuestCode', renew)), field('guestsMost', most), guests);
  const el = section('phones', h('p', t('phonesWhat')), check('phonesOn', box), more, h('h3', t('hosts')), hosts, allow);

  function draw() {
    const leads = mayLead();
    // A member who does not lead finds it among the people.
    el.hidden = !now || !state.tour.active || leads !== Boolean(remove) || !(leads || now.mayGive || now.on);
    if (el.hidden) return;
    const { on, max } = now, code = signOf(now);
    box.checked = on;
    more.hidden = !on;
    if (document.activeElement !== most) most.value = max;
    keep(shown, code ? [code] : [], sign);
    keep(guests, now.guests.map(({ memberID: id, ...m }) => ({ id, ...m, below: leads })), guest);
    const there = elsewhere(now);
    keep(hosts, there.map(({ memberID: id, ...m }) => ({ id, ...m, below: leads && m.mayGive })), host);
    hosts.previousSibling.hidden = !there.length;
    const able = new Set(there.filter((m) => m.mayGive).map(({ memberID }) => memberID));
    const list = leads ? state.members.filter((m) => isIn(m) && !m.me && !m.guest && !able.has(m.id))
      .map(({ id, name }) => ({ id, name })) : [];
    keep(allow, list.length ? [{ id: 0, list }] : [], others);
  }

  return { el, look, ...live(['members', 'tour'], draw, 10_000, look) };
}
