// The page of a phone without a program of ours: Protocol/15-seats.md. Which screen, and what stands on top of it.
import { showMenu } from './about.js';
import { askAddress } from './address.js';
import { buildChat } from './chat.js';
import { buildComposer, reply } from './composer.js';
import { fill, h, icon, name } from './dom.js';
import { askBrought, isStable, showEnter, showOtherTab, showOver, showScan, showWentTo } from './enter.js';
import { cry } from './meeting.js';
import { showPeople } from './people.js';
import { dropFiles } from './kept.js';
import { followKeyboard } from './keyboard.js';
import { cleanAddress, readPageWord, usePage } from './sealed.js';
import { look, pauseHere, reconnect, start } from './seat.js';
import { alarm, closeAll, iconButton } from './sheets.js';
import { listenForTaps } from './sound.js';
import { inReach } from './reaching.js';
import { ended, on, state } from './state.js';
import {
  hasSealed, isAt, keepLink, keeps, keptLink, onTabLost, readCarried, readLink, save, seats, sweep, withSecret,
} from './store.js';
import { buildStrip } from './strip.js';
import { clock, loadWords, t } from './words.js';
import './messages.js';

const LONG = 20; // Seconds after which a device may have gone to another network.
let ui = null;

function shell() {
  ui = { title: h('h1', { dir: 'auto' }), line: h('p.line', { role: 'status', hidden: true }), count: h('span') };
  ui.people = h('button.button.bare.reach', { onClick: showPeople }, icon('people'), ui.count);
  ui.sos = h('button.button.bare.sos', { onClick: () => cry(), 'aria-label': t('lost') },
    icon('sos'), h('span', t('lostShort')));
  ui.composer = buildComposer();
  ui.all = [h('header', ui.title, h('.tools', ui.people, ui.sos, iconButton('more', t('more'), showMenu))), ui.line,
    buildStrip(), buildChat(reply), ui.composer];
  on('view', 'reach', head);
  on('reach', 'waiting', line);
  setInterval(line, 1000);
}

function showShell() {
  const main = document.querySelector('main');
  main.className = 'tour';
  document.body.className = 'in';
  fill(main, ui.all);
}

function head() {
  for (const el of [ui.people, ui.sos, ui.composer]) el.hidden = Boolean(ended());
  if (!state.view) return;
  const { tour, people } = state.view;
  const { short, long } = inReach({ near: people.reachable, n: people.total }, Boolean(state.reach && state.reach.ok));
  fill(ui.title, name(tour));
  fill(ui.count, short);
  ui.people.setAttribute('aria-label', long);
}

/** What is left where all devices lost one's place. */
const anew = () => (state.link ? h('button.button', { onClick: enterAnew }, t('comeInAnew')) : t('overHow'));

/** Whether the device is in reach, in plain words, and what waits for it. */
let said = '';
function line() {
  const { reach, waiting } = state;
  if (!ui || !reach) return;
  let key = 'ok', words = [];
  const seconds = (Date.now() - reach.since) / 1000;
  if (ended()) {
    if (state.phase === 'over') [key, words] = ['gone', [t('endedHow')]];
    else if (!reach.ok && seconds >= 3) [key, words] = [`ended ${reach.host}`, [t('endedAway', { name: reach.host })]];
  } else if (!reach.ok && seconds >= 3) {
    const isLong = seconds >= LONG;
    key = `away ${reach.behind} ${waiting.length} ${reach.host} ${reach.why} ${reach.isLost} ${isLong}`;
    const [before, behind] = t('away', { name: reach.host, time: '\u0001' }).split('\u0001');
    words = [reach.why || (reach.behind ? t('behind') : [before, h('time', { 'aria-hidden': 'true' }), behind]), ' ',
      waiting.length > 0 && t('waitingCount', { n: waiting.length }),
      reach.isLost ? anew() : !waiting.length && t('awayHow'),
      isLong && !reach.isLost && [' ', t(isStable() ? 'awayScan' : 'awayAddress'),
        !isStable() && h('button.button', { onClick: askAddress }, t('newAddress'))]];
  } else if (reach.ok && reach.why) [key, words] = [`stuck ${reach.why}`, [reach.why]];
  else if (reach.ok && !keeps()) [key, words] = ['unkept', [t('notKept')]];
  if (key !== said) {
    said = key;
    ui.line.hidden = !words.length;
    fill(ui.line, words.length > 0 && icon('warn'), h('span', words));
  }
  const time = ui.line.querySelector('time');
  if (time) time.textContent = clock(Math.max(0, seconds));
}

on('phase', (phase) => {
  closeAll();
  if (phase === 'in') {
    if (!ui) shell();
    showShell();
    fill(ui.title, name(state.record.tour));
    head();
  } else if (phase === 'over') {
    // What stands on this page stays until it is closed.
    if (!(state.record.ended && state.view)) showOver(state.record);
    line();
  } else if (phase === 'start') location.reload();
  else if (phase === 'other-tab') showOtherTab();
  else if (phase === 'moved-on') showWentTo(state.record);
});
// From here on the page opens by what its address says, and by no code.
on('hello', cleanAddress);
// What needs https is not needed at first.
on('hello', ({ https }) => (https || isSecureContext) && import('./later/secure.js').then(({ begin }) => begin()));
on('refused', ({ error, isMended }) => isMended || alarm(error.message));

/** What the address brings, or what this phone is already. */
async function begin(word) {
  const brought = word.startsWith('w1.') && readCarried(word.slice(3));
  if (brought && (brought.isKnown || await askBrought(brought.record))) {
    save(brought.record);
    return goOn(brought.record);
  }
  const link = readLink(word);
  usePage(link ? link.page : readPageWord(word));
  cleanAddress();
  for (const member of sweep()) dropFiles({ member });
  seats().filter(hasEnded).forEach(wipe);
  const known = seats();
  if (link) {
    const own = known.find((one) =>
      one.over === undefined && !one.ended && isAt(one, link));
    if (own) return goOn(own, link);
    keepLink({ ...withSecret(link), at: Date.now() });
  }
  const kept = keptLink(), own = known.find(({ over }) => over === undefined);
  if (kept && kept.pass && (!own || kept.at > own.used)) return showEnter(kept);
  if (own) return goOn(own);
  const [last] = known;
  if (last) {
    // An older page kept more of a place that has ended.
    save(last);
    showOver(last);
  } else if (hasSealed()) showScan(t('scanAgain'));
  else showScan();
}
/** Whether a tour that has ended can be read no longer. */
const hasEnded = ({ over, ended }) => over === undefined && Boolean(ended) && Date.parse(ended.until) < Date.now();
/** The words stay, and nothing else. */
function wipe(one) {
  dropFiles(one);
  save({ ...one, over: t('tourEnded') });
}
function goOn(own, link) {
  state.link = link;
  if (own.over !== undefined) return showOver(own);
  return own.wentTo ? showWentTo(own, link) : start(own);
}
/** As somebody new, by the code that was just scanned: the page begins anew with it. */
function enterAnew() {
  keepLink({ ...state.link, at: Date.now() });
  location.reload();
}

async function main() {
  // What it brings stays in no address, and in no history, but for what opens the page again.
  const word = location.hash.slice(1);
  if (word && !readPageWord(word)) cleanAddress();
  await loadWords();
  listenForTaps();
  followKeyboard();
  onTabLost(() => { if (state.phase === 'in') pauseHere(); });
  // A phone that was asleep may find its stream dead without a word of it.
  document.addEventListener('visibilitychange', () => document.hidden || look());
  addEventListener('online', reconnect);
  addEventListener('hashchange', () => location.reload());
  await begin(word);
}
main();
