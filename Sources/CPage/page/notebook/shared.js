// What guides share with the tour, and what gave way when two changed the same.
import { api, button, dots, h, iconButton, item, link, listing, mayLead, meet, name, number, page, path, printing, said, t, takingBack, toast, when, where } from './items.js';

const FIELDS = { title: 'nTitle', url: 'nAddress', tags: 'nTags', kind: 'nKind', note: 'kind_note', place: 'kind_place', at: 'nTime' };
const KINDS = { notes: 'kind_note', bookmarks: 'kind_place', collections: 'kind_itinerary', samples: 'nStop', categories: 'nCategory' };
const about = ({ type, version, authorName, publishedAt }) => h('p', { class: 'muted small' }, dots(t(`kind_${type}`), t('version', { n: version }), h('bdi', {}, authorName), when(publishedAt)));

export async function shared(id) {
  if (id) return one(await api.get(path(`shared/${encodeURIComponent(id)}?changes=true`)));
  const { search, body } = listing((await api.get(path('shared'))).records, ({ title }) => title,
    (record) => h('div', { class: 'grow' }, link('shared', { id: record.record, title: record.title }), about(record)), 'nNoShared');
  return [search, body];
}

function one(record) {
  const { title, url, tags, entries, changes } = record;
  const base = path(`shared/${record.record}`);
  return [h('h2', {}, h('bdi', {}, title)), about(record), url && h('p', {}, where(url)), said(tags.map((tag) => `#${tag}`).join(' '), 'muted'),
    h('div', { class: 'row' }, button('nCopy', async () => {
      await api.post(`${base}/copy`);
      toast(t('nCopied'));
    }, null, { class: 'button primary' }), printing(base, title), takingBack(record)),
    changes && difference(changes), said(record.text),
    entries.length > 0 && h('ol', { class: 'stack stops' }, entries.map((stop, index) => h('li', { class: 'card stop' }, h('span', { class: 'grip' }, number(index + 1)),
      h('div', { class: 'grow' }, h('h3', {}, h('bdi', {}, stop.title)), h('p', { class: 'muted small' }, dots(when(stop.at), stop.latitude !== null && where(`${stop.latitude},${stop.longitude}`))), said(stop.note)),
      mayLead() && stop.latitude !== null && iconButton('pin', t('nMeetAt', { title: stop.title }), () => meet(stop)))))];
}

function difference({ since, fields, lines, stops }) {
  const change = (kind, ...what) => h('li', {}, h('span', { class: 'badge soft' }, t(`n_${kind}`)), ' ', what);
  const edit = (kind, text) => h(kind === 'added' ? 'ins' : 'del', { dir: 'auto' }, text);
  return h('details', { class: 'card', open: true }, h('summary', {}, t('nChanges', { n: since })), h('ul', { class: 'list' },
    fields.map(({ field, before, now }) => change('changed', t(FIELDS[field]), ': ', edit('removed', before), ' ', edit('added', now))),
    stops.map(({ change: kind, title, from, to, fields: parts }) => change(kind, name(title), kind === 'moved' && ` ${from} → ${to}`, parts.length > 0 && ` (${parts.map((part) => t(FIELDS[part])).join(', ')})`)),
    lines.map(({ change: kind, text }) => change(kind, edit(kind, text)))));
}

export async function lost() {
  const all = await api.lines(item('lost'));
  const card = ({ id, kind, item: gone, reason, updated_at: at }) => h('article', { class: 'card stack' }, h('h3', {}, h('bdi', {}, gone.title ?? gone.name)),
    h('p', { class: 'muted small' }, dots(t(KINDS[kind]), when(at), t(`n_${reason}`))), [gone.content, gone.description, gone.url, gone.note].map((text) => said(text)),
    h('div', { class: 'row' }, button('nRestore', async () => {
      await api.post(`${item('lost', id)}/restore`);
      toast(t('nRestored'));
      page.draw();
    }), button('nDismiss', () => api.del(item('lost', id)).then(page.draw))));
  return all.length ? all.reverse().map(card) : said(t('nNoLost'), 'empty');
}
