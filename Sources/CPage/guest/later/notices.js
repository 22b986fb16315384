// Notifications of what is urgent while another page or program is in front. There is no server that could wake a page
// that is closed: who shows them is this page, through its worker, as phones want it.
import { h } from '../dom.js';
import { messages } from '../messages.js';
import { on, state } from '../state.js';
import { set, setting } from '../store.js';
import { button, sheet } from '../sheets.js';
import { isMuted } from '../sound.js';
import { dir, lang, t } from '../words.js';

const LONG = 240; // Characters of a text.
const told = new Set();

const isWanted = () => setting('notices') === 'on' && 'Notification' in self && Notification.permission === 'granted';

export function beginNotices() {
  on('view', ({ urgent, alarms, roll }) => {
    for (const one of urgent) if (!one.understood) notify(one.id, t('urgentFrom', { name: one.author }), one.text, true);
    for (const one of alarms) if (one.open && !one.mine) notify(one.id, t('isLost', { name: one.name }), one.text, true);
    if (roll && roll.asked && !isMuted()) notify(roll.id, t('rollBy', { name: roll.name }), roll.text, true);
  });
  on('messages', (list) => {
    for (const one of list) {
      if (isMeant(one) && !isMuted()) notify(one.id, t('mentionedBy', { name: one.authorName }), one.content, false);
    }
  });
}

/** It answers one's own message, or has one's name in it. */
function isMeant({ mine, replyTo, content, type }) {
  if (mine || !state.view || (type !== 'text' && type !== 'image' && type !== 'announcement')) return false;
  const answered = replyTo && messages.get(replyTo);
  if (answered && answered.mine) return true;
  const name = state.view.me.name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(^|[^\\p{L}\\p{N}])${name}($|[^\\p{L}\\p{N}])`, 'iu').test(content);
}

/** Once each; what came while the page was in front has been seen there. */
async function notify(id, title, text, isUrgent) {
  if (told.has(id)) return;
  told.add(id);
  if (!document.hidden || !isWanted()) return;
  const { tour } = state.view;
  const body = [(text || '').slice(0, LONG), tour].filter(Boolean).join('\n');
  try {
    const worker = await navigator.serviceWorker.ready;
    await worker.showNotification(title, {
      body, tag: id, lang, dir, icon: '/icon-192.png', badge: '/icon-192.png', requireInteraction: isUrgent,
      vibrate: isUrgent ? [200, 100, 200, 100, 400] : [100],
    });
  } catch (error) { console.error(error); }
}

export function showNotices() {
  const el = sheet(t('notices'));
  const draw = () => el.body.replaceChildren(h('p', t('noticesWhat')), h('p.muted', t('noticesOpen')), ...state_());
  const state_ = () => {
    if (!('Notification' in self)) return [h('p.caution', t('noticesNone'))];
    if (Notification.permission === 'denied') return [h('p.caution', t('noticesDenied'))];
    return [isWanted() ? button('noticesOff', () => { set('notices', 'off'); draw(); }, 'close')
      : button('noticesOn', allow, 'check')];
  };
  const allow = async () => {
    if (await Notification.requestPermission() === 'granted') set('notices', 'on');
    draw();
  };
  draw();
}
