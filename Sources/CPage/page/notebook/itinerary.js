// Itineraries: stops in their order, which is changed by dragging and by keys.
import { adder, address, api, area, button, fail, field, form, h, iconButton, item, keep, line, link, listing,
  local, meeting, moment, newDay, number, page, primary, printing, publishing, removing, said, select, small, standing,
  t, time, title as headline, where } from './items.js';

export async function itineraries(id) {
  if (id) return one(await api.get(item('collections', id)));
  const { search, body } = listing((await api.lines(item('collections'))).reverse(), ({ title }) => title, (plan) => [
    link('itinerary', plan), h('span.muted', t('nStops', { n: plan.samples.length })), standing(plan)], 'nNoItinerary');
  return [adder('itinerary', 'collections', 'nNewItinerary'), search, body];
}

async function one(plan) {
  const base = item('collections', plan.id);
  const list = h('ol.stack.stops');
  const voice = h('p.visually-hidden', { role: 'status' });

  function draw() {
    const key = list.contains(document.activeElement) && document.activeElement.dataset.key;
    keep(list, plan.stops.map((stop, index) => ({ ...stop, index, on: newDay(plan.stops, index) })), stop);
    if (key) list.querySelector(`[data-key="${key}"]`)?.focus();
  }

  async function move(id, to) {
    const from = plan.stops.findIndex((stop) => stop.id === id);
    if (to < 0 || to >= plan.stops.length || to === from) return;
    plan.stops.splice(to, 0, ...plan.stops.splice(from, 1));
    draw();
    voice.textContent = t('nMoved', { title: plan.stops[to].title, n: to + 1, all: plan.stops.length });
    try { await api.put(`${base}/samples/${id}`, { position: to + 1 }); } catch (error) {
      fail(error);
      page.draw();
    }
  }

  function stop(stop) {
    const { id, index, title, note, at, on, place } = stop;
    const tool = (symbol, word, act) => iconButton(symbol, t(word, { title }), act, { 'data-key': `${symbol} ${id}` });
    const step = (event) => {
      const to = { ArrowUp: index - 1, ArrowDown: index + 1 }[event.key];
      if (to === undefined || !(event.altKey || event.target === grip)) return;
      event.preventDefault();
      move(id, to);
    };
    const grip = h('button.button.grip', {
      'data-key': id, 'aria-label': t('nMove', { title, n: index + 1 }), title: t('nMoveHow'),
      onPointerdown: (event) => drag(event, el, (to) => move(id, to)),
    }, number(index + 1));
    const el = h('li.card.stop', { onKeydown: step }, grip,
      h('.grow', said(on, 'p.strong'), headline(title, 'h3'), small(at && time(at), place && where(place), standing(stop)), said(note)),
      h('.row', tool('up', 'nUp', () => move(id, index - 1)), tool('down', 'nDown', () => move(id, index + 1)),
        meeting(stop), tool('edit', 'nEditOf', () => edit(stop)),
        tool('trash', 'nRemove', () => api.del(`${base}/samples/${id}`).then(page.draw, fail))));
    return el;
  }

  async function edit(stop) {
    const title = line(stop?.title, { required: true }), place = line(stop?.place);
    // A programme goes on at the day of the stop before.
    const [date] = local(stop?.at ?? plan.stops.findLast(({ at }) => at)?.at ?? new Date()).split('T');
    const on = line(date, { type: 'date', required: true }), note = area(stop?.note);
    const at = line(local(stop?.at).slice(11), { type: 'time' });
    const known = stop ? [] : (await api.lines(item('bookmarks'))).slice(-500);
    const choose = select([['', ''], ...known.map((one, index) => [index, one.title])], '', (index) => {
      const { title: called, url, note: text } = known[index] ?? {};
      [title.value, place.value, note.value] = [called ?? '', url?.startsWith('geo:') ? url : '', text ?? ''];
    });
    form(t(stop ? 'edit' : 'nAddStop'), [known.length > 0 && field('nFromPlace', choose), field('nTitle', title),
      h('.row', field('nClock', at), field('nDay', on)), field('kind_note', note), field('nWhere', place)], () => {
      const change = {
        title: title.value, at: moment(at.value && `${on.value}T${at.value}`), place: address(place.value), note: note.value || null,
      };
      return stop ? api.patch(`${base}/samples/${stop.id}`, change) : api.post(`${base}/samples`, change);
    });
  }

  function rename() {
    const title = line(plan.title, { required: true }), text = area(plan.description);
    form(t('edit'), [field('nTitle', title), field('nText', text)], () => api.patch(base, {
      title: title.value, description: text.value || null, sync_version: plan.sync_version,
    }));
  }

  draw();
  return [headline(plan.title), said(plan.description), standing(plan),
    h('.row', primary('nAddStop', () => edit(), 'add'), button('edit', rename), printing(base, plan.title),
      await publishing(plan.id, 'itinerary'), removing('itinerary', 'collections', plan)),
    plan.stops.length ? list : said(t('nNoStops'), 'p.empty'), voice];
}

/** The others make room; the stop itself stays in the page, or it would lose its pointer. */
function drag(event, el, done) {
  if (event.button || !event.isPrimary) return;
  const { currentTarget: grip, pointerId } = event;
  const list = el.parentElement, view = el.closest('.view'), ended = new AbortController();
  const before = [...list.children];
  const middle = (other) => { const { top, height } = other.getBoundingClientRect(); return top + height / 2; };
  const end = (isWanted) => {
    ended.abort();
    el.classList.remove('dragged');
    const to = [...list.children].indexOf(el);
    if (!isWanted) list.replaceChildren(...before);
    else if (before[to] !== el) done(to);
  };
  const listen = (on, type, act) => on.addEventListener(type, act, { signal: ended.signal });
  grip.setPointerCapture(pointerId);
  el.classList.add('dragged');
  listen(grip, 'pointermove', ({ clientY }) => {
    const next = () => el.nextElementSibling, former = () => el.previousElementSibling;
    while (next() && middle(next()) < clientY) el.before(next());
    while (former() && middle(former()) > clientY) el.after(former());
    const { top, bottom } = view.getBoundingClientRect();
    view.scrollBy(0, clientY < top + 48 ? -16 : clientY > bottom - 48 ? 16 : 0);
  });
  listen(grip, 'pointerup', () => end(true));
  listen(grip, 'pointercancel', () => end(false));
  listen(window, 'keydown', ({ key }) => key === 'Escape' && end(false));
}
