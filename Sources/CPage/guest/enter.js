// Before one is in: the tour in the code, one's name, and one button.
import { unhex } from './bytes.js';
import { Channel, Refused } from './channel.js';
import { fill, h, icon, said } from './dom.js';
import { enter, entryBy, goAway, greet, start, takeBack } from './seat.js';
import { state } from './state.js';
import { carried, dropLink, endPass, isAt, keepLink, keeps, linkWord, seats, setting, set } from './store.js';
import { button, field, form } from './sheets.js';
import { lang, languages, setLanguage, t } from './words.js';

const NAME_MAX = 64; // Bytes.
const NAMED = 1500; // Milliseconds that a device has to answer by its name.
let main;

function show(title, ...content) {
  main = document.querySelector('main') || document.body.appendChild(h('main'));
  main.className = 'start';
  document.body.className = '';
  fill(main, h('.stack.card', h('h1', { dir: 'auto', tabindex: '-1' }, title), content), languageField());
}

export function languageField() {
  const select = h('select', { 'aria-label': t('language'), onChange: () => setLanguage(select.value) },
    Object.entries(languages).map(([code, own]) =>
      h('option', { value: code, selected: code === lang, lang: code }, own)));
  return h('label.language', icon('language'), select);
}

export function showScan(why) {
  show(t('scanTitle'), h('p.figure', icon('qr')), why && h('p.trouble', { role: 'alert' }, why), h('p', t('scanHow')),
    byDigits());
}

const DIGITS = 8;
/** As they are typed in any script, with whatever stands between them. */
const digitsOf = (text) => text.replace(/[\s-]/g, '').replace(/[٠-٩۰-۹０-９]/g, (one) => one.charCodeAt(0) & 15);

/** For whom typed the address of the sign: the digits there are as good as its code. */
function byDigits() {
  const input = h('input.digits', {
    type: 'text', inputmode: 'numeric', autocomplete: 'off', dir: 'ltr', maxlength: 16, required: true,
    enterkeyhint: 'go', placeholder: '0000 0000',
  });
  const trouble = h('p.trouble', { role: 'alert', hidden: true });
  const says = (text) => { [trouble.textContent, trouble.hidden] = [text, !text]; };
  return form('comeIn', async () => {
    const digits = digitsOf(input.value);
    if (!new RegExp(`^\\d{${DIGITS}}$`).test(digits)) {
      says(t('digitsCount', { n: DIGITS }));
      return input.focus();
    }
    says('');
    try {
      location.hash = await entryBy(digits); // As if the code had been scanned: the page begins anew with it.
    } catch (error) {
      says(error instanceof Refused ? error.message : t('notFound'));
    }
  }, field('orDigits', input), trouble);
}

export function showOver({ tour, over, removed, ended }) {
  show(tour, said(ended ? t('tourEnded') : over), h('p', t(removed ? 'removedHow' : ended ? 'endedHow' : 'overHow')));
}

/** Whether what is kept here is found again wherever the device goes. */
export const isStable = () => location.protocol === 'https:' || location.hostname.endsWith('.local');

export const showOtherTab = () => show(t('elsewhere'), h('p', t('otherTab')), button('goOnHere', takeBack));

/** The page at the device at which one went on, and one's place, which is behind its #. */
export function hrefThere({ wentTo: { base, name, key }, ...record }) {
  return `${base}/${carried({ ...record, host: { name, key: key || record.host.key, base: '' } })}`;
}

/** The same place in the tour, at another address; what waits goes along. */
export function go(wentTo) {
  goAway(wentTo);
  location.href = hrefThere({ ...state.record, wentTo });
}

/** Whether one is who an address says: anybody can make such an address. */
export const askBrought = ({ tour, name }) => new Promise((resolve) => show(tour,
  h('p', t('goOnAs', { name, there: t('openThere') })), button('goOnHere', () => resolve(true)),
  button('cancel', () => resolve(false))));

/** Where that device is out of reach for good, the code that was just scanned makes one a new member. */
export const showWentTo = (own, link) => show(own.tour, h('p', t('wentTo', { name: own.wentTo.name })),
  h('a.button.primary', { href: hrefThere(own) }, t('openThere')), link && button('comeInAnew', () => showEnter(link)));

export async function showEnter(link) {
  show('tour-chat', h('p', { role: 'status' }, t('looking')));
  let found;
  try {
    found = await greet(link);
  } catch (error) {
    if (error instanceof Refused) return showScan(error.message);
    return show('tour-chat', h('p.trouble', { role: 'alert' }, t('notFound')), button('again', () => showEnter(link)));
  }
  if (await isNamed(found, link)) return location.replace(`http://${found.local}/#${linkWord(link)}`);
  if (found.entry === 'full') return showRefusal(found, t('entryFull'), link);
  if (found.entry === 'ended') return showEnded(found, link);
  if (found.entry === 'off') return showRefusal(found, t('entryOff'), link);
  showForm(found, link);
}

/**
 * Whether the page is to be had by the device's name in this tour: that stays when the address does not, and so does
 * what the browser keeps there. Not every network finds such names. An entry without an answer is known here alone.
 */
async function isNamed({ local }, { key, secret }) {
  if (location.protocol !== 'http:' || !local || location.host === local || secret) return false;
  const late = new Promise((resolve) => setTimeout(resolve, NAMED, false));
  return Promise.race([late, Channel.open(`http://${local}`, unhex(key)).then(() => true, () => false)]);
}

function showRefusal({ tour }, words, link) {
  show(tour, h('p', words), button('again', () => showEnter(link)));
}

/** Nobody comes in any more; a phone that was in may still read. */
function showEnded({ tour }, link) {
  const own = seats().find((one) => one.over === undefined && one.ended && isAt(one, link));
  const read = () => {
    state.link = link;
    return start(own);
  };
  show(tour, h('p', t('tourEnded')), h('p', t('endedEntry')), own && button('endedRead', read));
}

function showForm(found, link) {
  const { tour, host } = found;
  const input = h('input', {
    type: 'text', name: 'name', autocomplete: 'given-name', autocapitalize: 'words', required: true,
    maxlength: NAME_MAX, dir: 'auto', value: setting('name') || '', enterkeyhint: 'go', spellcheck: false,
  });
  const trouble = h('p.trouble', { role: 'alert', hidden: true });
  const box = form('comeIn', async () => {
    const called = input.value.trim();
    if (!called) return input.focus();
    set('name', called);
    trouble.hidden = true;
    try {
      await enter(link, called, found);
    } catch (error) {
      if (!(error instanceof Refused)) {
        trouble.textContent = t('notFound');
      } else {
        if (error.code.startsWith('pass-') || error.code === 'bad-pass') {
          endPass(link);
          // Somebody who was removed, and tries the code of before, learns what became of it.
          const gone = error.code === 'bad-pass' && seats().find((one) => one.removed && isAt(one, link));
          return gone ? showOver(gone) : showScan(error.message);
        }
        // The secret of an entry without an answer: it is of no use any more.
        if (error.code === 'removed') {
          dropLink();
          return showOver({ tour, over: error.message, removed: true });
        }
        trouble.textContent = error.message;
      }
      trouble.hidden = false;
      keepLink(link);
    }
  }, field('yourName', input), h('p.muted.small', t('nameHow')), trouble);
  show(tour, h('p', t('hostWhat', { name: host })), box, !keeps() && h('p.caution', t('notKept')),
    !isStable() && h('details.small', h('summary', t('wasHere')), h('p', t('wasHereHow')),
      h('p', h('strong', { dir: 'ltr' }, location.host))));
  input.focus();
}
