// What a guide does: invites, ranks, the roll call, and the end of the tour.
import { apart, api, button, confirm, dialog, ended, fail, field, form, h, isIn, keep, lasting, live, mayLead, name, number, ours, path, rank, risky, state, t, tell, toast, when, who } from './parts.js';
import { qr } from './qr.js';
import { buildRoll, roll } from './roll.js';

let el;
const linkOf = (code) => `tour-chat://join/${code.replaceAll('-', '')}`;
const copy = (word, text) => button(word, () => navigator.clipboard.writeText(text).then(() => toast(t('copied'))));

/** A code to be scanned, read out, or sent. */
async function card(joinCode, link = linkOf(joinCode)) {
  return h('div', { class: 'stack' }, await qr(link, t('qrOf')).catch((error) => h('p', { class: 'trouble' }, error.message)),
    h('p', { class: 'code mono', dir: 'ltr' }, joinCode.split('-').map((part) => h('span', null, part))),
    h('div', { class: 'row' }, copy('copyCode', joinCode), copy('copyLink', link)));
}

async function show(...of) {
  el.code.replaceChildren(await card(...of));
  el.code.scrollIntoView({ block: 'nearest' });
}

async function invites() {
  if (!mayLead()) return;
  const list = (await api.get(path('invites'))).invites.sort((a, b) => (b.state === 'open') - (a.state === 'open'));
  keep(el.invites, list.map(({ expiresAt, ...one }) => ({ ...one, until: when(expiresAt) })), (one) => h('li', { class: 'row' },
    h('span', { class: 'grow' }, h('strong', null, t(`invite_${one.state}`)), ' · ', t('joined', { n: one.used }),
      one.uses !== null && ` / ${number(one.uses)}`, one.until && ` · ${t('until', { time: one.until })}`,
      one.overused && h('span', { class: 'trouble' }, ` · ${t('overused')}`)),
    one.state === 'open' && [
      one.code && button('showCode', () => show(one.code)),
      risky('revoke', () => t('revokeWhat'), () => api.del(path(`invites/${one.id}`)).then(invites))]));
}

/** Asks: by the arrow keys a choice is made before it is meant. */
async function rankAs(m, role) {
  const heir = role === 'successor', name = apart(m.name);
  const text = heir ? ours(t('successorWhat', { name })) : t(`role_${role}`);
  if (!await confirm({ title: ours(t('roleOf', { name })), text, action: t(heir ? role : 'save'), danger: heir })) return;
  await api.post(path(heir ? role : 'role'), { member: m.id, role });
  toast(t('saved'));
}

async function remove(m) {
  const { joinCode, link } = await api.post(path('remove'), { member: m.id });
  dialog(ours(t('isRemoved', { name: apart(m.name) })), h('p', null, t('newCode')), await card(joinCode, link));
  await invites();
}

function member(m) {
  const choice = m.choices && h('select', { class: 'input', 'aria-label': t('roleOf', { name: apart(m.name) }),
    onChange: async () => {
      const role = choice.value;
      choice.value = m.role;
      await rankAs(m, role).catch(fail);
    } }, m.choices.map((role) => h('option', { value: role, selected: role === m.role }, t(role === 'successor' ? role : `role_${role}`))));
  return h('tr', null, h('th', { scope: 'row' }, who(m), m.note && h('small', { class: 'muted' }, ` ${m.note}`)),
    h('td', null, choice || t(`role_${m.role}`)),
    h('td', { class: 'row' },
      m.below && risky('remove', () => t('removeWhat', { name: apart(m.name) }), () => remove(m))));
}

function roster() {
  const { tour, members } = state, own = rank(tour);
  const heir = tour.creatorID === tour.memberID && !members.some((m) => m.successor && isIn(m)) ? ['successor'] : [];
  const list = members.filter((m) => !m.removed && !m.left).sort((a, b) => rank(b) - rank(a) || a.name.localeCompare(b.name));
  keep(el.roster, list.map((m) => {
    const below = mayLead() && !m.me && rank(m) < own;
    return {
      id: m.id, name: m.name, namesake: m.namesake, color: m.color, role: m.role, below,
      note: m.me ? t('you') : m.successor ? t('successor') : m.archive ? t('archive') : null,
      choices: below && own > 2 && !m.archive && [...['member', 'guide', 'admin'].filter((_, i) => i + 1 < own), ...heir],
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
  const uses = h('input', { type: 'number', min: 1, max: 1000, placeholder: t('anyNumber') }), until = lasting();
  const title = h('input', { required: true, maxlength: 128, dir: 'auto', value: state.tour.name });
  el = { code: h('div'), invites: h('ul', { class: 'list' }), roster: h('tbody'), only: h('p', { class: 'empty' }) };
  el.close = risky('closeTour', () => t('closeWhat'), () => api.post(path('close')));
  el.lead = [
    h('section', { class: 'card stack' }, h('h2', null, t('invite')), el.code,
      form('makeCode', async () => {
        const made = await api.post(path('invites'), {
          reuse: true, uses: Number(uses.value) || undefined, expiresSeconds: Number(until.value) || undefined });
        await show(made.joinCode, made.link);
        await invites();
      }, h('div', { class: 'row' }, field('uses', uses), field('validFor', until))), el.invites),
    buildRoll(),
  ];
  el.ends = h('div', { class: 'row' }, risky('leave', () => t('leaveSure', { tour: apart(state.tour.name) }),
    () => api.post(path('leave')).then(() => tell('refresh'))), el.close);
  el.rename = form('rename', () => api.patch(`tours/${state.tour.tourID}`, { name: title.value.trim() }).then(() => toast(t('saved'))), field('tourName', title));
  el.lead.push(el.rename);
  return h('div', null, h('section', { class: 'stack at-guide' }, el.only, el.lead.slice(0, 2),
    h('section', { class: 'card stack' }, h('h2', null, t('roster')), h('table', null,
      h('thead', { class: 'visually-hidden' }, h('tr', null, ['name', 'role', 'actions'].map((word) => h('th', { scope: 'col' }, t(word))))), el.roster)),
    h('section', { class: 'card stack' }, h('h2', null, t('theTour')), el.rename, el.ends)));
}

const guide = live(['members', 'tour'], draw, 30_000, () => invites().catch(() => {}));
export default {
  id: 'guide', word: 'guide', icon: 'guide', build,
  show() { guide.show(); roll.show(); },
  hide() { guide.hide(); roll.hide(); },
};
