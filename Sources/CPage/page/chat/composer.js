// Where messages are written. What is sent is shown at once, with what is true of it.
import { api, button, check, ended, fill, h, icon, iconButton, leads, name, on, path, pick, said, size, state, t, time }
  from '../parts.js';
import { replacing } from '../replacing.js';
import { author, gist, status } from './message.js';

const BYTES = 16_384; // Of a message's text: the protocol's limit.
const ALONE = 4096; // And of one that only the guides and one person read.
const isCoarse = matchMedia('(pointer: coarse)').matches;
const symbolOf = (isImage) => icon(isImage ? 'image' : 'files');

const byWhom = (quiet) => (quiet?.on ? t('quietBy', { name: quiet.by, time: time(quiet.at) }) : '');

export function composer(list) {
  const kept = `draft.${state.tour.tourID}`;
  let reply = null;
  let files = [];
  // With whom the guides speak alone: `guides`, or a member's id and name. A draft is for the same ones after a reload.
  let person = sessionStorage.getItem(kept) ? JSON.parse(sessionStorage.getItem(`${kept}.to`) ?? 'null') : null;

  const input = h('textarea.input', {
    rows: 1, dir: 'auto', 'aria-label': t('write'), placeholder: t('write'), value: sessionStorage.getItem(kept) ?? '',
    enterkeyhint: isCoarse ? 'enter' : 'send', onInput: typed, onKeydown: key, onPaste: paste,
  });
  const problem = h('p.muted.small', { role: 'status' });
  const strip = h('.strip', { hidden: true });
  const chips = h('ul.row');
  const urgent = h('input', { type: 'checkbox', onChange: typed });
  const announce = iconButton('announce', t('announce'), () => announces(announce.ariaPressed !== 'true'),
    { 'aria-pressed': false });
  const alone = iconButton('guide', t('toGuides'), () => speak(person ? null : { id: 'guides' }),
    { 'aria-pressed': false });
  const whom = h('p.row.small', { hidden: true, role: 'status' });
  const clip = iconButton('attach', t('attach'), () => pick(attach));
  const again = replacing();
  const rush = h('.stack', check('urgent', urgent), h('div', again.el));
  const go = h('button.button.primary', { type: 'submit', 'aria-label': t('send'), title: t('send') }, icon('send'));
  const form = h('form.composer', { onSubmit: (event) => { event.preventDefault(); send(); } }, whom, strip, chips, rush,
    h('.row', clip, announce, alone, input, go), problem);
  const over = h('p.composer.muted');

  function announces(isOn) {
    announce.ariaPressed = isOn;
    typed();
  }

  /** A member who writes while only guides may writes to them alone. */
  const isQuiet = () => Boolean(state.quiet?.on) && !leads();
  const to = () => person ?? (isQuiet() ? { id: 'guides' } : null);

  function speak(one) {
    person = one;
    allowed();
    input.focus();
  }

  function allowed() {
    const one = to();
    alone.hidden = leads() && !one;
    alone.ariaPressed = String(Boolean(one));
    alone.disabled = isQuiet();
    clip.hidden = Boolean(one);
    whom.hidden = !one && !state.quiet?.on;
    fill(whom, icon('guide'), h('span', isQuiet() ? t('quietNow') : !one ? byWhom(state.quiet)
      : one.id === 'guides' ? t('aloneWhat') : t('aloneToWhat', { name: one.name })));
    form.hidden = !state.tour.active;
    over.hidden = state.tour.active;
    over.textContent = ended(state.tour) || '';
    announce.hidden = !leads() || Boolean(one);
    typed();
  }

  function typed() {
    sessionStorage.setItem(kept, input.value);
    sessionStorage.setItem(`${kept}.to`, JSON.stringify(to()));
    input.style.height = 'auto';
    input.style.height = `${input.scrollHeight + 2}px`;
    const extra = new TextEncoder().encode(input.value).length - (to() ? ALONE : BYTES);
    problem.textContent = extra > 0 ? t('tooLong', { n: extra }) : '';
    // A file is for everybody.
    go.disabled = extra > 0 || (to() && files.length > 0) || (!input.value.trim() && !files.length);
    rush.hidden = !isAnnouncing();
    again.el.parentNode.hidden = !urgent.checked;
    form.classList.toggle('announcing', isAnnouncing());
  }
  const isAnnouncing = () => !announce.hidden && announce.ariaPressed === 'true';

  function key(event) {
    if (event.key === 'Escape') answer(null);
    // While an input method composes, Enter is its own.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    if (isCoarse && !event.ctrlKey && !event.metaKey) return;
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
  }

  function chip() {
    fill(chips, files.map((file, index) => h('li.chip.row', symbolOf(file.type.startsWith('image/')), name(file.name),
      h('span.muted.small', size(file.size)),
      iconButton('close', t('takeOut', { name: file.name }), () => { files.splice(index, 1); chip(); }))));
    typed();
    input.focus();
  }

  function answer(message) {
    reply = message;
    // An answer to what only some could read is for them alone.
    const spoken = message?.metadata.alone;
    if (spoken) person = leads() ? { id: spoken.memberID, name: spoken.name } : { id: 'guides' };
    else if (!message) person = null;
    allowed();
    strip.hidden = !message;
    if (message) {
      fill(strip, icon('reply'), h('.quote', name(author(message)), said(gist(message), 'span')),
        iconButton('close', t('cancel'), () => answer(null)));
    }
    input.focus();
  }

  function send() {
    if (go.disabled) return;
    const content = input.value.trim();
    const answered = reply, replyTo = reply?.id;
    files.forEach((file, index) => upload(file, index ? '' : content, replyTo));
    if (!files.length) {
      const one = to();
      text({ content, replyTo, ...(one && { alone: one.id }), ...(isAnnouncing() && {
        type: 'announcement', urgent: urgent.checked,
        replaces: urgent.checked && again.input.checked ? again.id() : undefined,
      }) }, () => {
        if (answered) answer(answered);
        if (one) speak(one);
      });
    }
    files = [];
    input.value = '';
    urgent.checked = false;
    announces(false);
    answer(null);
    chip();
  }

  /** Shows a bubble while `work` goes on; if that fails, says why, and keeps all. */
  function bubble(shown, is, work, { back, instead }) {
    const foot = h('footer.row.small', { role: 'status' });
    const message = h('.message.mine.sending', h('.bubble', shown, foot));
    let sent = null;
    const began = Date.now() - 1000;
    const isIt = (one) =>
      one.mine && (sent ? one.id === sent : new Date(one.receivedAt) >= began && is(one));
    const entry = list.pending(h('.item', message), isIt);
    const stop = new AbortController();
    const leaving = (word, act) => act && button(word, () => { act(); entry.end(); });
    async function attempt() {
      message.classList.remove('failed');
      const bar = h('progress', { max: 1, value: 0, hidden: true });
      fill(foot, icon('clock'), t('saving'), bar, !back && button('cancel', () => stop.abort()));
      try {
        sent = (await work((part) => { bar.hidden = false; bar.value = part; }, stop.signal)).id;
        fill(foot, status('pending'));
        entry.settle();
      } catch (error) {
        if (error.name === 'AbortError') return entry.end();
        message.classList.add('failed');
        fill(foot, icon('warn'), h('span', `${t('notSent')} ${error.message}`), button('again', attempt),
          leaving('edit', back), leaving('asFile', error.code?.startsWith('picture-') && instead),
          button('discard', entry.end));
      }
    }
    attempt();
  }

  /** `restore` makes what is written next an answer to the same one, and for the same ones alone. */
  function text(draft, restore) {
    const back = () => {
      restore();
      input.value = [draft.content, input.value].filter(Boolean).join('\n');
      typed();
      input.focus();
    };
    bubble(said(draft.content.slice(0, 2000)), (message) => message.content === draft.content,
      () => api.post(path('messages'), draft), { back });
  }

  function upload(file, caption, replyTo, plain) {
    const image = !plain && file.type.startsWith('image/') && file.type !== 'image/svg+xml';
    const query = Object.entries({ name: file.name, image, caption, replyTo }).filter(([, value]) => value)
      .map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join('&');
    bubble([h('p.row', symbolOf(image), name(file.name)), said(caption)],
      (message) => message.metadata.name === file.name,
      (onProgress, signal) => api.upload(path(`uploads?${query}`), file, { onProgress, signal }),
      { instead: image && (() => upload(file, caption, replyTo, true)) });
  }

  on('tour', allowed);
  let was = isQuiet();
  on('quiet', () => {
    // Words that were begun for the guides alone are not for everybody because the quiet is over.
    if (was && !isQuiet() && input.value.trim()) person ??= { id: 'guides' };
    was = isQuiet();
    allowed();
  });
  queueMicrotask(allowed);
  return { el: h('.foot', form, over), answer, attach, focus: () => input.focus() };
}
