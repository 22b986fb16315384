// What a guide does: invites, ranks, the roll call, and the end of the tour.
import { apart, api, button, confirm, days, dialog, ended, fail, field, fill, form, full, h, hour, inRow, isIn, keep, lasting,
  live, mayLead, named, number, ours, path, rank, risky, roleWord, section, select, state, t, tell, toast, who }
  from './parts.js';
import { save } from './notebook/items.js';
import { buildHotspot, hotspot } from './hotspot.js';
import { card, nearPart } from './invite.js';
import { newSign, phones } from './phones.js';
import { buildQuiet, quiet } from './quiet.js';
import { buildRoll, roll } from './roll.js';

let el, parts, guests;

const printing = (word, size) => button(word, async () =>
  save(await api.made(path('card'), { size }), `${state.tour.name.slice(0, 60)}.pdf`));

async function show(...of) {
  fill(el.code, await card(...of));
  el.code.scrollIntoView({ block: 'nearest' });
}

const start = ({ code }) => code?.split('-')[0];

async function invites() {
  if (!mayLead()) return;
  const { invites: all, usesStandard, expiresSecondsStandard } = await api.get(path('invites'));
  el.uses.placeholder = number(usesStandard);
  el.until.options[0].textContent = days(expiresSecondsStandard / 86_400);
  const list = all.sort((a, b) => (b.state === 'open') - (a.state === 'open'));
  keep(el.invites, list.map(({ expiresAt, ...one }) => ({ ...one, until: expiresAt && hour(expiresAt) })), (one) => h('li.row',
    h('span.grow', h('strong', t(`invite_${one.state}`)), ' · ', t('joined', { n: one.used }),
      one.uses !== null && ` / ${number(one.uses)}`, one.until && ` · ${t('until', { time: one.until })}`,
      one.overused && h('span.trouble', ` · ${t('overused')}`)),
    one.state === 'open' && [
      one.code && button('showCode', () => show(one.code), null, named('showCode', start(one))),
      button('revoke', () => revoke(one), null, named('revoke', start(one)))]));
}

/** A code that got about ends, and with it, if the guide says since when, the membership of those who came by it. */
async function revoke({ id }) {
  const times = [20, 60, 240, 1440].map((n) => [n, t('cameWithin', { time: n < 60 ? t('minutes', { n }) : t('hours', { n: n / 60 }) })]);
  const since = select([[0, t('cameStay')], ...times, [1e6, t('cameAll')]]);
  const more = field('cameBy', since);
  if (!await confirm({ title: t('revoke'), text: t('revokeWhat'), more, action: t('revoke'), danger: true })) return;
  const time = Number(since.value) && new Date(Date.now() - since.value * 60_000).toISOString().replace(/\.\d+/, '');
  const { out } = await api.del(path(`invites/${id}${time ? `?since=${time}` : ''}`));
  fill(el.code);
  if (out) toast(t('cameOut', { n: out }));
  await invites();
}

/** Asks: by the arrow keys a choice is made before it is meant. */
async function rankAs(m, role) {
  const heir = role === 'successor', name = apart(m.name);
  const title = ours(t('roleOf', { name })), action = t(heir ? role : 'save');
  const text = heir ? ours(t('successorWhat', { name })) : t(`role_${role}`);
  if (!await confirm({ title, text, action, danger: heir })) return;
  await api.post(path(heir ? role : 'role'), { member: m.id, role });
  toast(t('saved'));
}

async function remove(m) {
  const { joinCode, link } = await api.post(path('remove'), { member: m.id });
  const [code, seats] = await Promise.all([card(joinCode, link), api.get(path('seats'))]);
  dialog(ours(t('isRemoved', { name: apart(m.name) })), h('p', t('newCode')), code, newSign(seats));
  await Promise.all([invites(), guests.look()]);
}

/** Asks, and says what would end unanswered. */
async function closeTour() {
  const { lost, unanswered, urgent } = await api.get(path('open-matters'));
  const names = (list) => inRow(list.map(apart)).join('');
  const open = [lost.length > 0 && t('openLost', { names: names(lost) }),
    unanswered.length > 0 && t('openRoll', { names: names(unanswered) }),
    ...urgent.map(({ text, missing }) => t('openUrgent', { n: missing, text }))].filter(Boolean);
  const more = open.length > 0 && h('.stack', h('p', h('strong', t('openMatters'))),
    h('ul', open.map((line) => h('li.trouble', { dir: 'auto' }, line))));
  const action = t('closeTour');
  if (await confirm({ title: action, text: ours(t('closeWhat')), more, action, danger: true })) await api.post(path('close'));
}

function member(m) {
  const name = apart(m.name), more = m.guests > 0 ? ` ${t('goAlong', { n: m.guests })}` : '';
  const choice = m.choices && select(m.choices.map((role) => [role, roleWord(role)]), m.role, (role) => {
    choice.value = m.role;
    rankAs(m, role).catch(fail);
  }, { class: 'input', 'aria-label': t('roleOf', { name }) });
  return h('tr', h('th', { scope: 'row' }, who(m), m.note && h('small.muted', ` ${m.note}`)),
    h('td', choice || roleWord(m.role)),
    h('td.row', m.below && risky('remove', () => t('removeWhat', { name }) + more, () => remove(m),
      named('remove', full(m)))));
}

function roster() {
  const { tour, members } = state, own = rank(tour);
  const heir = tour.creatorID === tour.memberID && !members.some((m) => m.successor && isIn(m)) ? ['successor'] : [];
  const list = members.filter((m) => !m.removed && !m.left);
  list.sort((a, b) => rank(b) - rank(a) || a.name.localeCompare(b.name));
  keep(el.roster, list.map((m) => {
    const below = mayLead() && !m.me && rank(m) < own;
    return {
      id: m.id, name: m.name, namesake: m.namesake, color: m.color, role: m.role, below,
      by: m.by, guests: m.guests,
      note: m.me ? t('you') : m.archive ? t('archive') : null,
      choices: below && own > 2 && !m.archive && !m.guest && [...['member', 'guide', 'admin'].slice(0, own - 1), ...heir],
    };
  }), member);
}

function draw() {
  el.only.hidden = mayLead();
  for (const part of el.lead) part.hidden = !mayLead();
  el.only.textContent = ended(state.tour) || t('onlyGuides');
  el.ends.parentNode.hidden = !state.tour.active;
  el.close.hidden = !mayLead() || rank(state.tour) < 4;
  roster();
}

function build() {
  const uses = h('input', { type: 'number', min: 1, max: 1000 }), until = lasting();
  const title = h('input', { required: true, maxlength: 128, dir: 'auto', value: state.tour.name });
  el = { code: h('div'), invites: h('ul.list'), roster: h('tbody'), only: h('p.empty'), uses, until };
  const invite = form('makeCode', async () => {
    const made = await api.post(path('invites'), {
      reuse: true, uses: Number(uses.value) || undefined, expiresSeconds: Number(until.value) || undefined,
    });
    await show(made.joinCode, made.link);
    await invites();
  }, h('.row', field('uses', uses), field('validFor', until)));
  const rename = form('rename', async () => {
    await api.patch(path(), { name: title.value.trim() });
    toast(t('saved'));
  }, field('tourName', title));
  el.lead = [h('.stack', buildRoll(), buildQuiet()), section('invite', nearPart(), el.code, invite,
    h('.row', printing('printPage', 'a4'), printing('printCard', 'card')), el.invites), buildHotspot(), rename];
  el.close = button('closeTour', closeTour);
  el.ends = h('.row', risky('leave', () => t('leaveSure', { tour: apart(state.tour.name) }),
    () => api.post(path('leave')).then(() => tell('refresh'))), el.close);
  guests = phones(remove);
  parts = [guide, hotspot, roll, quiet, guests];
  const head = h('tr', ['name', 'role', 'actions'].map((word) => h('th', { scope: 'col' }, t(word))));
  return h('div', h('section.stack.at-guide', el.only, el.lead.slice(0, 2), guests.el, el.lead[2],
    section('roster', h('table', h('thead.visually-hidden', head), el.roster)),
    section('theTour', rename, el.ends)));
}

const guide = live(['members', 'tour'], draw, 30_000, () => invites().catch(() => {}));
export default {
  id: 'guide', build,
  show() { for (const one of parts) one.show(); },
  hide() { for (const one of parts) one.hide(); },
};
