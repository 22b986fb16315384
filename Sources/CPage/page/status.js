// How the node is doing, plain words first, and how the page looks.
import { ago, apart, api, button, ended, field, h, icon, keep, languageField, live, number, path, risky, said,
  section, select, size, state, t, told } from './parts.js';
import { exporting } from './export.js';
import { choose, look, looks } from './look.js';

let turn = 0, el;

/** What matters, in sentences; the second of a pair says whether it is trouble. */
function sentences(s) {
  const own = { recovering: 'logRecovering', forked: 'logForked', retired: 'logRetired' }[s.ownLog];
  return [
    !s.tourID ? [t('noTour')] : s.people && [s.people.total < 2 ? t('alone')
      : t('inReach', { n: s.people.total, near: s.people.reachable })],
    state.tour && ended(state.tour) && [ended(state.tour), true],
    s.unsent ? [t('unsent', { n: s.unsent }), true] : [t('allSent')],
    s.behind && [t('behind', { n: s.behind.messages, ago: ago(s.behind.since) }), true],
    s.sealing === 'waiting' && s.state === 'active' && [t('waitingKey'), true],
    s.multicast === 'blocked' && [t('castBlocked'), true],
    own && [t(own, { n: s.recovery?.heard ?? 0, needed: s.recovery?.needed ?? 0 }), true],
    s.shareUsed > 80 && [t('shareUsed', { n: s.shareUsed }), true],
    ...s.voided.map((text) => [text, true]),
    s.mailbox?.problem && [told(s.mailbox.problem.message), true],
    s.notebookProblem && [told(s.notebookProblem.message), true],
  ].filter(Boolean).map(([text, bad]) => ({ id: text, bad }));
}

const cast = (value) => t(`cast_${value}`);
function facts(s, peers) {
  const { files, mailbox } = s;
  return [
    ['links', peers.map((p) => [apart(p.name), apart(p.address), p.direction === 'in' ? '←' : '→',
      p.rttMilliseconds !== null && apart(`${number(Math.round(p.rttMilliseconds))} ms`),
      p.state === 'restricted' && t('restricted'), p.lagging && t('lagging')].filter(Boolean).join(' · '))],
    ['networks', s.segments.map((g) =>
      [apart(`${g.interface} (${g.addresses.join(', ')})`), cast(g.multicast), t('heardThere', { n: g.heard })]
        .join(' · '))],
    ['multicast', [cast(s.multicast)]],
    ['discovery', [told(s.discovery.reason) ?? s.discovery.state]],
    ['files', files && [`${t('filesHere', { n: files.count, have: files.complete })} (${size(files.bytes)})`,
      files.fetching && `${t('fetching', { n: files.fetching })}, ${size(files.bytesPerSecond)}/s`]],
    ['server', mailbox && [
      [mailbox.server, mailbox.account ? apart(mailbox.account) : t('notLoggedIn'), t(`sync_${mailbox.state}`)]
        .join(' · '),
      mailbox.lastSync && t('answeredAt', { ago: ago(mailbox.lastSync) }),
      s.unsynced && t('unsynced', { n: s.unsynced })]],
    ['versionIs', [[s.commit ? `${s.version} (${s.commit})` : s.version, s.name, s.nodeID.slice(0, 8), `TCP ${s.port}`].map(apart).join(' · ')]],
  ].map(([id, lines]) => ({ id, lines: (lines || []).filter(Boolean) })).filter(({ lines }) => lines.length);
}

const sign = ({ id, bad }) =>
  h('li', { class: bad ? 'trouble' : '' }, icon(bad ? 'warn' : 'check'), said(id, 'span'));

async function draw() {
  if (document.hidden) return;
  const tour = state.tour ? `?tour=${state.tour.tourID}` : '';
  const check = turn++ % 4 === 0; // Each 10 s.
  try {
    const [s, { peers }, doctor] = await Promise.all([
      api.get(`status${tour}`), api.get(`peers${tour}`), check && api.get('doctor')]);
    keep(el.words, sentences(s), sign);
    keep(el.facts, facts(s, peers), ({ id, lines }) => h('div', h('dt', t(id)), lines.map((line) => h('dd', line))));
    el.sync.hidden = !s.mailbox?.account || !state.tour;
    el.recovery.hidden = s.ownLog !== 'recovering';
    if (doctor) {
      keep(el.doctor, doctor.checks.map((one) => ({ id: one.name, ...one })), ({ state, message, advice }) =>
        h('li', { class: { warning: 'caution', failed: 'trouble' }[state] }, icon(state === 'ok' ? 'check' : 'warn'),
          h('span', h('span.visually-hidden', `${t(`check_${state}`)}: `), told(message),
            advice && h('small', told(advice)))));
    }
  } catch (error) {
    keep(el.words, [{ id: error.message, bad: true }], sign);
  }
}

function build() {
  el = { words: h('ul.signs.big'), facts: h('dl'), doctor: h('ul.signs') };
  // The answer is lines, and no JSON; how it ended stands in the status.
  el.sync = button('syncNow', () => api.post(path('sync')).catch((error) => {
    if (!(error instanceof SyntaxError)) throw error;
  }).then(draw));
  const recovering = (word, way) =>
    risky(word, () => t(`${word}What`), () => api.post(path('recovery'), { way }).then(draw));
  el.recovery = h('.row', recovering('nothingSince', 'nothing-since'), recovering('newKey', 'new-key'));
  const looking = (word, kind, wordOf) => field(word,
    select(looks[kind].map((value) => [value, wordOf(value)]), look(kind), (value) => choose(kind, value)));
  return h('div', h('section.stack.at-status',
    h('section.card.stack', el.words, el.recovery, el.sync), section('checks', el.doctor),
    h('section.card', h('h2', t('details')), el.facts),
    state.tour && exporting(), section('looks', h('.columns', languageField(), looking('textSize', 'size', String),
      looking('theme', 'theme', (value) => t(`theme_${value}`)))),
    h('p', h('a', { href: 'handbook.html', target: '_blank', hreflang: 'en' }, t('handbook')))));
}

export default { id: 'status', build, ...live(['online'], draw, 2500) };
