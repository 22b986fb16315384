// The page as an icon on the home screen, which opens without a network: a worker keeps its files.
import { h } from '../dom.js';
import { cleanAddress } from '../sealed.js';
import { state } from '../state.js';
import { carried } from '../store.js';
import { button, sheet } from '../sheets.js';
import { t } from '../words.js';

let offer = null; // What the browser asks by, where it does.
const isApple = 'standalone' in navigator;
const isInstalled = () => navigator.standalone || matchMedia('(display-mode: standalone)').matches;

export function install() {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    offer = event;
  });
  document.head.append(h('link', { rel: 'apple-touch-icon', href: 'icon-192.png' }),
    // An icon of Safari's has a storage of its own: it opens the address that it was made at, place and all.
    isApple ? h('meta', { name: 'apple-mobile-web-app-capable', content: 'yes' })
      : h('link', { rel: 'manifest', href: 'manifest.webmanifest' }));
  navigator.serviceWorker.register('/worker.js').catch((error) => console.error(error));
}

export function showInstall() {
  const el = sheet(t('install'), h('p', t('installWhat')));
  if (isInstalled()) return el.body.append(h('p.strong', t('installed')));
  if (offer) {
    const act = async () => {
      offer.prompt();
      const { outcome } = await offer.userChoice;
      if (outcome === 'accepted') offer = null;
      el.close();
    };
    return el.body.append(button('addIcon', act, 'check'));
  }
  el.body.append(h('p', t(isApple ? 'installApple' : 'installMenu')));
  if (!isApple) return undefined;
  // With what may be confirmed: a copy that does not know of it could write something else at its place.
  history.replaceState(null, '', carried({ ...state.record, tail: [], queue: [] }));
  el.onclosed = cleanAddress;
  return undefined;
}
