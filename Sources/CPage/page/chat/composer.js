// Where messages are written. What is sent is shown at once, with what is true of it.
import { button, clear, h, icon, iconButton, name } from '../dom.js';
import { number, size, t } from '../words.js';
import { api } from '../api.js';
import { leads, on, state } from '../state.js';
import { author, gist, status } from './message.js';

const BYTES = 16_384; // Of a message's text: the protocol's limit.
const bytes = (text) => new TextEncoder().encode(text).length;

export function composer(list) {
  const kept = `draft.${state.tour.tourID}`;
  const path = () => `tours/${state.tour.tourID}`;
  let reply = null;
  let files = [];

  const input = h('textarea', {
    class: 'input', rows: 1, dir: 'auto', 'aria-label': t('write'), placeholder: t('write'), value: sessionStorage.getItem(kept) ?? '',
    enterkeyhint: matchMedia('(pointer: coarse)').matches ? 'enter' : 'send', onInput: typed, onKeydown: key, onPaste: paste,
  });
  const problem = h('p', { class: 'muted small', role: 'status' });
  const strip = h('div', { class: 'strip', hidden: true });
  const chips = h('ul', { class: 'row' });
  const choose = h('input', { type: 'file', multiple: true, hidden: true, onChange: () => { attach(choose.files); choose.value = ''; } });
  const urgent = h('input', { type: 'checkbox', onChange: typed });
  const announce = iconButton('bell', t('announce'), () => {
    announce.setAttribute('aria-pressed', announce.getAttribute('aria-pressed') !== 'true');
    typed();
  }, { 'aria-pressed': 'false' });
  const rush = h('label', { class: 'row' }, urgent, t('urgent'));
  const go = h('button', { class: 'button primary', 'aria-label': t('send'), title: t('send') }, icon('send'));
  const form = h('form', { class: 'composer', onSubmit: (event) => { event.preventDefault(); send(); } },
    strip, chips, rush, h('div', { class: 'row' }, iconButton('attach', t('attach'), () => choose.click()), announce, input, go), problem, choose);
  const ended = h('p', { class: 'composer muted' });
  const el = h('div', { class: 'foot' }, form, ended);

  const isAnnouncing = () => !announce.hidden && announce.getAttribute('aria-pressed') === 'true';

  function allowed() {
    const { tour } = state;
    form.hidden = !tour.active;
    ended.hidden = tour.active;
    ended.textContent = tour.active ? '' : `${tour.name} · ${t(`state_${tour.state}`)}`;
    announce.hidden = !leads();
    typed();
  }

  function typed() {
    sessionStorage.setItem(kept, input.value);
    input.style.blockSize = 'auto';
    input.style.blockSize = `${input.scrollHeight + 2}px`;
    const over = bytes(input.value) - BYTES;
    problem.textContent = over > 0 ? t('tooLong', { n: over }) : '';
    go.disabled = over > 0 || (!input.value.trim() && !files.length);
    rush.hidden = !isAnnouncing();
    form.classList.toggle('announcing', isAnnouncing());
  }

  function key(event) {
    if (event.key === 'Escape') answer(null);
    // While an input method composes, Enter is its own.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    if (matchMedia('(pointer: coarse)').matches && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    send();
  }

  function paste(event) {
    if (!event.clipboardData.files.length) return;
    event.preventDefault();
    attach(event.clipboardData.files);
  }

  function attach(chosen) {
    files.push(...chosen);
    chip();
    input.focus();
  }

  function chip() {
    clear(chips).append(...files.map((file, index) => h('li', { class: 'chip row' }, icon(/^image\//.test(file.type) ? 'image' : 'files'), name(file.name),
      h('span', { class: 'muted small' }, size(file.size)), iconButton('close', t('takeOut', { name: file.name }), () => { files.splice(index, 1); chip(); input.focus(); }))));
    typed();
  }

  /** Answers a message; null: none. */
  function answer(message) {
    reply = message;
    strip.hidden = !message;
    if (!message) return;
    clear(strip).append(icon('reply'), h('div', { class: 'quote' }, name(author(message)), h('span', { dir: 'auto' }, gist(message))), iconButton('close', t('cancel'), () => { answer(null); input.focus(); }));
    input.focus();
  }

  function send() {
    if (go.disabled) return;
    const content = input.value.trim();
    const replyTo = reply?.id;
    const draft = isAnnouncing() ? { content, replyTo, type: 'announcement', urgent: urgent.checked } : { content, replyTo };
    files.forEach((file, index) => upload(file, index ? '' : content, replyTo));
    if (content && !files.length) text(draft);
    files = [];
    input.value = '';
    urgent.checked = false;
    announce.setAttribute('aria-pressed', 'false');
    answer(null);
    chip();
    input.focus();
  }

  /** Shows a bubble while `work` goes on; if that fails, says why, and keeps all. */
  function bubble(shown, is, work, { back, instead }) {
    const foot = h('footer', { class: 'row small', role: 'status' });
    const el = h('div', { class: 'item' }, h('div', { class: 'message mine sending' }, h('div', { class: 'bubble' }, shown, foot)));
    let sent = null;
    const began = Date.now() - 1000;
    const isIt = (message) => message.mine && (sent ? message.id === sent : new Date(message.receivedAt) >= began && is(message));
    const entry = list.pending(el, isIt);
    const stop = new AbortController();
    async function attempt() {
      el.firstChild.classList.remove('failed');
      const bar = h('progress', { max: 1, value: 0, hidden: true });
      clear(foot).append(icon('clock'), t('saving'), bar, ...(back ? [] : [button('', () => stop.abort(), t('cancel'))]));
      try {
        sent = (await work((part) => { bar.hidden = false; bar.value = part; }, stop.signal)).id;
        clear(foot).append(...status('pending'));
        entry.settle();
      } catch (error) {
        if (error.name === 'AbortError') return entry.end();
        el.firstChild.classList.add('failed');
        clear(foot).append(icon('warn'), h('span', {}, `${t('notSent')} ${error.message}`), button('', attempt, t('again')),
          ...(back ? [button('', () => { back(); entry.end(); }, t('edit'))] : []),
          ...(instead && error.code?.startsWith('picture-') ? [button('', () => { instead(); entry.end(); }, t('asFile'))] : []), button('', entry.end, t('discard')));
      }
    }
    attempt();
  }

  function text(draft) {
    bubble(h('p', { class: 'text', dir: 'auto' }, draft.content.slice(0, 2000)), (message) => message.content === draft.content,
      () => api.post(`${path()}/messages`, draft),
      { back: () => { input.value = [draft.content, input.value].filter(Boolean).join('\n'); typed(); input.focus(); } });
  }

  function upload(file, caption, replyTo, plain) {
    const image = !plain && /^image\//.test(file.type) && file.type !== 'image/svg+xml';
    const query = new URLSearchParams({ name: file.name, image, ...(caption && { caption }), ...(replyTo && { replyTo }) });
    bubble([h('p', { class: 'row' }, icon(image ? 'image' : 'files'), name(file.name)), caption && h('p', { class: 'text', dir: 'auto' }, caption)],
      (message) => message.metadata.name === file.name, (onProgress, signal) => api.upload(`${path()}/uploads?${String(query).replaceAll('+', '%20')}`, file, { onProgress, signal }),
      { instead: image && (() => upload(file, caption, replyTo, true)) });
  }

  on('tour', allowed);
  queueMicrotask(allowed);
  return { el, answer, attach, focus: () => input.focus() };
}
