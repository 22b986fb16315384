// What the page can do by https, and the way there from http: Protocol/15-seats.md, "By https". A device in reach has
// to be known before any of it is asked for.
import { Channel } from '../channel.js';
import { unhex } from '../bytes.js';
import { h, icon, keep } from '../dom.js';
import { go } from '../enter.js';
import { on, set, state } from '../state.js';
import { set as store, setting } from '../store.js';
import { button, choices } from '../sheets.js';
import { lang, t } from '../words.js';
import { install, showInstall } from './install.js';
import { beginNotices, showNotices } from './notices.js';
import { beginSharing, showSharing, sharingItem, stopSharing } from './position.js';

let bar = null;
let door = ''; // Where the page is by https, once the device has answered there.

/** Called when a device has said where the page is by https, or the page is. */
export async function begin() {
  if (bar) return look();
  const [{ default: words }, { default: more }] =
    await Promise.all([import(`../words/${lang}.js`), import(`./words/${lang}.js`)]);
  // Another device may have answered meanwhile; where the words did not come, its answer begins anew.
  if (bar) return look();
  bar = h('div');
  Object.assign(words, more);
  document.querySelector('.strip').before(bar);
  set('later', { menu, about });
  on('reach', 'sharing', 'door', draw);
  if (isSecureContext) {
    install();
    beginNotices();
    beginSharing();
  }
  look();
}

/** A name that phones do not find in this network helps nobody: the device has to answer at it. */
async function look() {
  const { https } = state.hello;
  if (isSecureContext || !https || door === `https://${https}`) return draw();
  try {
    await Channel.open(`https://${https}`, unhex(state.record.host.key));
    door = `https://${https}`;
  } catch { door = ''; }
  tell();
}
const tell = () => set('door', door);

const goOver = () => go({ base: door, name: state.record.host.name });

/** Devices that a page by https cannot ask, since they have none: the guest can open their pages. */
function elsewhere() {
  const { reach, record } = state;
  if (!reach || reach.ok || location.protocol !== 'https:') return [];
  return record.hosts.filter(({ key, addresses }) =>
    key !== record.host.key && !addresses.some((one) => one.startsWith('https:')));
}
function showElsewhere() {
  choices(t('openThere'), elsewhere().map(({ name, key, addresses: [address] }) =>
    ['reply', name, () => go({ base: `http://${address}`, name, key })]));
}

const draws = {
  door: () => h('section.banner.call', { 'aria-label': t('more') }, h('p', t('offerSecure')),
    h('.pair', button('goOver', goOver, 'check'), button('putOff', putOff))),
  sharing: ({ trouble, words }) => h('section.banner.call', { 'aria-label': t('position') },
    h('p.row', icon('pin'), h('strong', words)), trouble && h('p.small', t(trouble)),
    button('stopSharing', stopSharing, 'close')),
  elsewhere: () => h('section.banner.warn', { 'aria-label': t('openThere') }, h('p', t('onlyHttp')),
    button('openThere', showElsewhere)),
};
function putOff() {
  store('http', door);
  draw();
}

function draw() {
  const sharing = sharingItem();
  keep(bar, [
    door && setting('http') !== door && { id: 'door' },
    sharing && { id: 'sharing', ...sharing },
    elsewhere().length > 0 && { id: 'elsewhere' },
  ].filter(Boolean), (item) => draws[item.id](item));
}

const menu = () => (isSecureContext ? [
  ['pin', t('position'), showSharing], ['announce', t('notices'), showNotices], ['down', t('install'), showInstall],
] : [door && ['reply', t('goOver'), goOver]]);

/** What works here, and what does not. */
const about = () => (isSecureContext
  ? [h('p', t('aboutFront')), h('h3', t('aboutNot')), h('p', t('aboutClosed'))]
  : [h('p', t('aboutOpen')), h('h3', t('aboutNot')), h('p', t('aboutHttp')), door && button('goOver', goOver)]);
