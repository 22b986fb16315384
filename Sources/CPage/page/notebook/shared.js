// What guides share with the tour, and what gave way when two changed the same.
import { api, button, done, h, inRow, item, link, listing, meeting, name, named, newDay, number, path, page, primary,
  printing, said, small, t, takingBack, time, title as headline, toast, when, where } from './items.js';

const FIELDS = {
  title: 'nTitle', url: 'nAddress', tags: 'nTags', kind: 'nKind', note: 'kind_note', place: 'kind_place', at: 'nTime',
};
const KINDS = {
  notes: 'kind_note', bookmarks: 'kind_place', collections: 'kind_itinerary', samples: 'nStop', categories: 'nCategory',
};
const about = ({ type, version, authorName, publishedAt }) =>
  small(t(`kind_${type}`), t('version', { n: version }), h('bdi', authorName), when(publishedAt));

export async function shared(id) {
  if (id) return one(await api.get(path(`shared/${encodeURIComponent(id)}?changes=true`)));
  const { search, body } = listing((await api.get(path('shared'))).records, ({ title }) => title, (one) =>
    h('.grow', link('shared', { id: one.record, title: one.title }), about(one)), 'nNoShared');
  return [search, body];
}

function one(record) {
  const { title, url, tags, entries, changes, text } = record;
  const base = path(`shared/${record.record}`);
  const copy = () => api.post(`${base}/copy`).then(() => toast(t('nCopied')));
  const stop = (one, index) => {
    const { latitude, longitude } = one, at = latitude !== null && `${latitude},${longitude}`;
    return h('li.card.stop', h('span.grip', number(index + 1)),
      h('.grow', said(newDay(entries, index), 'p.strong'), headline(one.title, 'h3'),
        small(one.at && time(one.at), at && where(at)), said(one.note)), meeting(one));
  };
  return [headline(title), about(record), url && h('p', where(url)),
    said(tags.map((tag) => `#${tag}`).join(' '), 'p.muted'),
    h('.row', primary('nCopy', copy), printing(base, title), takingBack(record)),
    changes && difference(changes), said(text), entries.length > 0 && h('ol.stack.stops', entries.map(stop))];
}

function difference({ since, fields, lines, stops }) {
  const change = (kind, ...what) => h('li', h('span.badge.soft', t(`n_${kind}`)), ' ', what);
  const edit = (kind, text) => said(text, kind === 'added' ? 'ins' : 'del');
  const parts = (list) => inRow(list.map((field) => t(FIELDS[field]))).join('');
  return h('details.card', { open: true }, h('summary', t('nChanges', { n: since })), h('ul.list',
    fields.map(({ field, before, now }) =>
      change('changed', parts([field]), ': ', edit('removed', before), ' ', edit('added', now))),
    stops.map(({ change: kind, title, from, to, fields }) => change(kind, name(title),
      kind === 'moved' && ` ${from} → ${to}`, fields.length > 0 && ` (${parts(fields)})`)),
    lines.map(({ change: kind, text }) => change(kind, edit(kind, text)))));
}

export async function lost() {
  const card = ({ id, kind, item: gone, reason, updated_at: at }) => {
    const called = gone.title ?? gone.name;
    return h('article.card.stack', headline(called, 'h3'), small(t(KINDS[kind]), when(at), t(`n_${reason}`)),
      [gone.content, gone.description, gone.url, gone.note].map((text) => said(text)), h('.row',
        button('nRestore', done(() => api.post(`${item('lost', id)}/restore`), 'nRestored'), null,
          named('nRestore', called)),
        button('nDismiss', () => api.del(item('lost', id)).then(page.draw), null, named('nDismiss', called))));
  };
  const all = await api.lines(item('lost'));
  return all.length ? all.reverse().map(card) : said(t('nNoLost'), 'p.empty');
}
