// A device that has another address now, in a network that does not find its name: the page that stands open takes the
// guest's place there. The page that a code opens there knows nothing of this one.
import { unhex } from './bytes.js';
import { Channel } from './channel.js';
import { h } from './dom.js';
import { go } from './enter.js';
import { field, form, sheet } from './sheets.js';
import { state } from './state.js';
import { readLink } from './store.js';
import { t } from './words.js';

const DEVICES_MAX = 4; // So many of the known devices are looked for at an address.

/** Reads what somebody typed: the address without a path, and what stands behind its #; null where it is none. */
export function readAddress(typed) {
  const text = typed.trim();
  try {
    const { protocol, hostname, origin, hash } = new URL(/^[a-z]+:\/\//i.test(text) ? text : `http://${text}`);
    // Some browsers take spaces for a part of a name.
    if (!/^https?:$/.test(protocol) || !/^[\w.:[\]-]+$/.test(hostname)) return null;
    return { base: origin, link: readLink(hash.slice(1)) };
  } catch { return null; }
}

/** The device that answers there, and that this phone knows: a code alone proves nothing; null where none does. */
async function deviceAt({ base, link }) {
  const { host, hosts } = state.record;
  const known = [host, ...hosts].filter(({ key }) => !link || key === link.key);
  for (const { name, key } of known.slice(0, DEVICES_MAX)) {
    try {
      await Channel.open(base, unhex(key));
      return { name, key };
    } catch { /* Perhaps it is another one. */ }
  }
  return null;
}

export function askAddress() {
  const input = h('input', {
    type: 'text', inputmode: 'url', required: true, maxlength: 400, dir: 'ltr', autocapitalize: 'none',
    autocomplete: 'off', spellcheck: false, enterkeyhint: 'go', placeholder: 'http://192.168.1.5:8480',
  });
  const trouble = h('p.trouble', { role: 'alert', hidden: true });
  const say = (word) => {
    trouble.textContent = t(word);
    trouble.hidden = false;
  };
  sheet(t('newAddress'), form('openThere', async () => {
    trouble.hidden = true;
    const address = readAddress(input.value);
    if (!address) return say('noAddress');
    if (address.link && address.link.page !== state.record.page) return say('otherTour');
    const device = await deviceAt(address);
    return device ? go({ ...device, base: address.base }) : say('notThere');
  }, h('p', t('newAddressHow')), field('address', input), trouble));
  input.focus();
}
