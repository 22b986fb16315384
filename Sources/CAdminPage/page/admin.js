// The operator's page. Every answer comes from /admin/api, and every text of others goes into the page as text.

const KEY = 'tour-server-admin.key';
const main = document.querySelector('main');
const nav = document.querySelector('nav');
const said = document.querySelector('#said');

// Elements

/** @param children texts, elements, and nothing for null */
function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, '');
    else if (value !== false && value != null) element.setAttribute(key, value);
  }
  element.append(...children.flat().filter((child) => child != null));
  return element;
}

const button = (text, act, kind = '') => el('button', { type: 'button', class: kind || null, onclick: act }, text);
const link = (text, place) => el('a', { href: `#${place}` }, text);
const field = (text, control) => el('label', {}, text, control);
const row = (...children) => el('div', { class: 'row' }, ...children);

function choice(options, chosen) {
  return el('select', {}, ...options.map(([value, text]) => el('option', { value, selected: value === chosen }, text)));
}

/** `2026-06-01 08:30Z` */
function time(text) {
  return text ? el('time', { datetime: text }, `${text.slice(0, 16).replace('T', ' ')}Z`) : '-';
}

function size(bytes) {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let [value, unit] = [bytes, 0];
  while (value >= 999.95 && unit < units.length - 1) [value, unit] = [value / 1000, unit + 1];
  return `${unit ? value.toFixed(1) : value} ${units[unit]}`;
}

/** @param columns pairs of a heading and what a row shows below it */
function table(caption, columns, rows, none) {
  if (!rows.length) return el('p', {}, none);
  const cell = ([heading, show], one) => {
    const value = show(one);
    const shown = value instanceof Node ? value : el('span', {}, `${value ?? '-'}`);
    const kind = typeof value === 'number' ? 'number' : null;
    return el('td', { role: 'cell', 'data-name': heading, class: kind }, shown);
  };
  const line = (...cells) => el('tr', { role: 'row' }, ...cells);
  const heads = columns.map(([heading]) => el('th', { role: 'columnheader', scope: 'col' }, heading));
  // The roles stay where a narrow screen has a list of it.
  return el('table', { role: 'table' }, el('caption', {}, caption), el('thead', { role: 'rowgroup' }, line(...heads)),
    el('tbody', { role: 'rowgroup' }, ...rows.map((one) => line(...columns.map((column) => cell(column, one))))));
}

function facts(...pairs) {
  return el('dl', {}, ...pairs.flatMap(([name, value]) => [el('dt', {}, name), el('dd', {}, value ?? '-')]));
}

// What was done, and what was refused

function say(text, isBad = false) {
  said.textContent = text;
  said.classList.toggle('bad', isBad);
}

class Refusal extends Error {
  constructor(status, words) {
    super(words?.message ?? `The server answered ${status}.`);
    this.status = status;
  }
}

/** @returns the JSON of the answer, a text for anything else, and null for none */
async function api(method, path, body, isAnswer = (response) => response.ok) {
  const headers = { 'X-Admin-Key': localStorage.getItem(KEY) ?? '' };
  if (body) headers['Content-Type'] = 'application/json';
  const response = await fetch(`/admin/api${path}`, { method, headers, body: body && JSON.stringify(body) });
  const isJSON = response.headers.get('Content-Type')?.startsWith('application/json');
  const content = response.status === 204 ? null : await (isJSON ? response.json() : response.text());
  if (!isAnswer(response)) throw new Refusal(response.status, content?.error);
  return content;
}

const read = (path, isAnswer) => api('GET', path, undefined, isAnswer);
const part = encodeURIComponent;

/** Whether something is being done: a second click does nothing. */
let isActing = false;

/** Runs what a button does; its words stand on the page, and the view is drawn anew, or another one. */
async function act(work, done, to = '') {
  if (isActing) return null;
  isActing = true;
  try {
    const result = await work(), text = typeof done === 'function' ? done(result) : done;
    say(text);
    if (to) history.pushState(null, '', to);
    await draw(Boolean(to), text);
    return result;
  } catch (error) {
    refuse(error);
    return null;
  } finally {
    isActing = false;
  }
}

function refuse(error) {
  if (error.status === 401) return lock(error.message);
  say(error.message, true);
}

/** Asks before what cannot be taken back: the operator types the name, or the number where nobody can type the name. */
function confirm(title, text, called, number, verb) {
  // A browser shows no space at an end, nor the second of two; and some letters not at all.
  const plain = (one) => one.trim().replace(/\s+/g, ' ');
  const name = plain(called) && !/\p{Cf}/u.test(called) ? plain(called) : number;
  return new Promise((resolve) => {
    const typed = el('input', { autocomplete: 'off', spellcheck: 'false', 'aria-label': `Type ${name}` });
    const sure = el('button', { class: 'danger', value: 'sure', disabled: true }, verb);
    typed.addEventListener('input', () => { sure.disabled = plain(typed.value) !== name; });
    const form = el('form', { method: 'dialog' }, el('label', {}, el('span', {}, 'To confirm, type ',
      el('strong', {}, name)), typed), row(sure, el('button', { value: '', formnovalidate: true }, 'Cancel')));
    const dialog = el('dialog', { 'aria-label': title }, el('h2', {}, title), el('p', {}, text), form);
    dialog.addEventListener('close', () => { resolve(dialog.returnValue === 'sure'); dialog.remove(); });
    document.body.append(dialog);
    dialog.showModal();
    typed.focus();
  });
}

/** Shows something once, such as a code. */
function tell(title, ...content) {
  const dialog = el('dialog', { 'aria-label': title }, el('h2', {}, title), ...content,
    el('form', { method: 'dialog' }, el('button', { class: 'primary' }, 'Close')));
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

// The views

/** A list whose end is not there yet gets a button for more. */
function more(page, load) {
  if (!page.more) return null;
  if (load === moreRows && rows === ROWS_MAX) return el('p', {}, 'There are more: tour-server admin lists them.');
  return button('Show more', load);
}

/** How many rows a view shows, as long as it stays. */
let rows = 50;
const ROWS_MAX = 1000;
const moreRows = () => { rows = Math.min(rows * 2, ROWS_MAX); draw(false); };

async function overview() {
  const [ready, metrics] = await Promise.all([
    read('/readyz', ({ status }) => status === 200 || status === 503), read('/metrics'),
  ]);
  const help = new Map(), kinds = new Map(), gauges = [];
  for (const line of metrics.split('\n')) {
    const head = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line), value = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line);
    if (head) (head[1] === 'HELP' ? help : kinds).set(head[2], head[3]);
    else if (value && kinds.get(value[1]) !== 'histogram' && help.has(value[1])) {
      const labels = [...(value[2] ?? '').matchAll(/(\w+)="([^"]*)"/g)].map(([, , text]) => text).join(', ');
      gauges.push({ what: help.get(value[1]), labels, name: value[1], value: Number(value[3]) });
    }
  }
  const shown = (one) => {
    if (one.name.endsWith('_bytes') || one.name.endsWith('_bytes_total')) return size(one.value);
    if (one.name.endsWith('_timestamp_seconds') || one.name.endsWith('_time_seconds')) {
      return time(new Date(one.value * 1000).toISOString());
    }
    return Number.isInteger(one.value) ? one.value : one.value.toFixed(2);
  };
  return [
    el('h2', {}, 'Overview'),
    el('p', { class: ready.status === 'ready' ? 'good' : 'bad' }, ready.status === 'ready' ? 'Ready.' : 'Not ready.'),
    table('What has to be right', [
      ['Check', (one) => one.name],
      ['State', (one) => el('span', { class: one.status === 'ok' ? 'good' : 'bad' }, one.status)],
      ['Cause', (one) => one.cause],
    ], ready.checks, ''),
    el('h3', {}, 'Figures of this process and its data'),
    table('As /metrics has them; requests and their times are left to programs that draw curves',
      [['What', (one) => one.what], ['Of', (one) => one.labels || '-'], ['Value', shown]],
      gauges.filter((one) => !one.name.includes('_requests_total')), 'There is no figure.'),
  ];
}

let search = '';

async function accounts(id) {
  if (id) return account(id);
  const query = (behind) => `/accounts?limit=50&search=${part(search)}&after=${behind}`;
  const page = await read(query(0));
  const input = el('input', { type: 'search', value: search, maxlength: '200' });
  const form = el('form', { role: 'search', onsubmit: (event) => {
    event.preventDefault();
    search = input.value;
    draw(false);
  } }, field('Address, phone or number', input), el('button', { class: 'primary' }, 'Search'));
  const list = el('div'), found = page.rows;
  const fill = () => list.replaceChildren(table('By number', [
    ['Number', (one) => link(`${one.id}`, `accounts/${one.id}`)], ['E-mail', (one) => one.email],
    ['Phone', (one) => one.phone], ['Role', (one) => one.role], ['State', state], ['Sessions', (one) => one.sessions],
    ['Last used', (one) => time(one.last_used_at)], ['Since', (one) => time(one.created_at)],
  ], found, 'There is no such account.'), more(page, async () => {
    try {
      const next = await read(query(found.at(-1).id));
      found.push(...next.rows);
      page.more = next.more;
      fill();
    } catch (error) {
      refuse(error);
    }
  }) ?? '');
  fill();
  return [el('h2', {}, 'Accounts'), form, list];
}

function state(one) {
  return el('span', { class: one.disabled_at ? 'bad' : 'good' }, one.disabled_at ? 'disabled' : 'enabled');
}

async function account(id) {
  const found = await read(`/accounts/${part(id)}`), one = found.account;
  const files = size(found.file_bytes);
  const name = one.email ?? one.phone ?? `${one.id}`, place = `/accounts/${one.id}`;
  const proof = one.email && !one.email_verified ? ' (not proven)' : '';
  return [
    el('p', {}, link('All accounts', 'accounts')), el('h2', {}, `Account ${one.id}`),
    facts(['E-mail', one.email && one.email + proof], ['Phone', one.phone], ['Role', one.role], ['State', state(one)],
      ['Second factor', one.second_factor ? 'yes' : 'no'], ['Since', time(one.created_at)],
      ['Notebook', `${found.notebook_items} items; files ${files}`],
      ['Tours', el('span', {}, ...found.tours.flatMap((tour) => [link(tour.slice(0, 8), `tours/${tour}`), ' ']))]),
    ...accountActs(one, name, place),
    el('h3', {}, 'Sessions'),
    table('Those used last come first', [
      ['Device', (session) => session.device], ['Network', (session) => session.network],
      ['Last used', (session) => time(session.last_used_at)], ['Since', (session) => time(session.created_at)],
      ['Until', (session) => time(session.expires_at)], ...sessionActs(place),
    ], found.sessions, 'It has no session.'),
  ];
}

function accountActs(one, name, place) {
  const change = (verb) => act(() => api('POST', `${place}/${verb}`), `Account ${one.id} is ${verb}d.`);
  const reset = async () => {
    if (!await confirm('Reset the account', 'Its sessions, its password and its second factor end. A code, which you '
      + 'pass on, sets a new password.', name, `${one.id}`, 'Reset')) return;
    const made = await act(() => api('POST', `${place}/reset`), `Account ${one.id} is reset.`);
    if (made) {
      tell('A new password', el('p', {}, 'Give the owner this code, for ', el('strong', {}, made.contact), ':'),
        el('p', { class: 'mono', id: 'code' }, made.code),
        el('p', {}, `It is good for ${Math.round(made.valid_seconds / 60)} minutes, and nothing shows it again.`));
    }
  };
  const remove = async () => {
    if (!await confirm('Delete the account', 'Everything that the server has of it goes, as if its owner deleted it. '
      + 'Nothing brings it back.', name, `${one.id}`, 'Delete')) return;
    await act(() => api('DELETE', place), `Account ${one.id} is deleted.`, '#accounts');
  };
  return [row(
    one.disabled_at ? button('Enable', () => change('enable')) : button('Disable', () => change('disable')),
    button('End all sessions', () => act(() => api('DELETE', `${place}/sessions`),
      ({ sessions_ended: ended }) => `Sessions that ended: ${ended}.`)),
    button('Ban …', () => { banned = `${one.id}`; location.hash = '#bans'; }),
    button('Reset …', reset, 'danger'), button('Delete …', remove, 'danger'))];
}

function sessionActs(place) {
  return [['Act', (session) => button('End', () => act(() => api('DELETE', `${place}/sessions/${part(session.id)}`),
    'The session has ended.'))]];
}

async function tours(id) {
  if (id) return tour(id);
  const page = await read(`/tours?limit=${rows}`);
  return [el('h2', {}, 'Tours'), table('Those with the latest activity first', [
    ['Name', (one) => link(one.name?.trim() ? one.name : one.id.slice(0, 8), `tours/${one.id}`)],
    ['Account', (one) => (one.account ? link(`${one.account}`, `accounts/${one.account}`) : '-')],
    ['State', (one) => (one.planned ? 'planned' : one.active ? 'active' : 'over')], ['Members', (one) => one.members],
    ['Size', (one) => size(one.bytes)], ['Last activity', (one) => time(one.last_activity_at)],
    ['Deleted at', (one) => time(one.deleted_at)],
  ], page.rows, 'There is no tour.'), more(page, moreRows)];
}

async function tour(id) {
  const [one, limits] = await Promise.all([read(`/tours/${part(id)}`), read('/limits')]);
  const name = one.name?.trim() ? one.name : one.id.slice(0, 8);
  return [
    el('p', {}, link('All tours', 'tours')), el('h2', {}, name),
    facts(['Id', el('span', { class: 'mono' }, one.id)],
      ['Account', one.account ? link(`${one.account}`, `accounts/${one.account}`) : '-'],
      ['State', one.planned ? 'planned' : one.active ? 'active' : 'over'], ['Members', one.members],
      ['Seats', `${one.seats}`], ['Invitations', `${one.invitations}`], ['Reads along', one.archive ? 'yes' : 'no'],
      ['Messages', `${size(one.event_bytes)} of ${size(limits.tour_bytes)}`],
      ['Files', `${size(one.blob_bytes)} of ${size(limits.tour_blob_bytes)}`], ['Since', time(one.created_at)],
      ['Last activity', time(one.last_activity_at)], ['Deleted at', time(one.deleted_at)]),
    ...tourActs(one, name),
  ];
}

function tourActs(one, name) {
  const remove = async () => {
    if (!await confirm('Delete the tour', 'It goes from this server with all messages and files. It stays on its '
      + 'members’ devices, and a guide who syncs makes it known again.', name, one.id.slice(0, 8), 'Delete')) return;
    await act(() => api('DELETE', `/tours/${one.id}`), `${name} is deleted.`, '#tours');
  };
  return [row(button('Delete …', remove, 'danger'))];
}

async function invitations() {
  const page = await read(`/invitations?limit=${rows}`);
  return [el('h2', {}, 'Invitations'), el('p', {}, 'Each lets one person see that a tour is there; it admits nobody.'),
    table('The newest first', [
      ['Number', (one) => one.id], ['E-mail', (one) => one.email], ['Phone', (one) => one.phone],
      ['Tour', (one) => link(one.tour.slice(0, 8), `tours/${one.tour}`)], ['Since', (one) => time(one.created_at)],
    ], page.rows, 'Nobody is invited.'), more(page, moreRows)];
}

async function organisations(id) {
  if (id) return organisation(id);
  const page = await read(`/organisations?limit=${rows}`);
  return [el('h2', {}, 'Organisations'), ...organisationForms(), table('By number', [
    ['Number', (one) => link(`${one.id}`, `organisations/${one.id}`)], ['Name', (one) => one.name],
    ['Members', (one) => one.members], ['Admins', (one) => one.admins], ['Tours', (one) => one.tours],
    ['Since', (one) => time(one.created_at)],
  ], page.rows, 'There is no organisation.'), more(page, moreRows)];
}

async function organisation(id) {
  const [one, members] = await Promise.all([
    read(`/organisations/${part(id)}`), read(`/organisations/${part(id)}/members`)]);
  return [
    el('p', {}, link('All organisations', 'organisations')), el('h2', {}, one.name),
    facts(['Number', `${one.id}`], ['Tours', `${one.tours}`], ['Since', time(one.created_at)]),
    table('Members in the order in which they came', [
      ['Account', (one) => link(`${one.account}`, `accounts/${one.account}`)], ['Role', (one) => one.role],
      ['E-mail', (one) => one.email], ['Phone', (one) => one.phone], ['Tours', (one) => one.tours],
      ['Since', (one) => time(one.joined_at)],
    ], members, 'It has no member.'),
    ...organisationActs(one),
  ];
}

/** A form whose fields are all asked for. */
function form(title, verb, fields, send) {
  const own = el('form', { onsubmit: (event) => {
    event.preventDefault();
    send();
  } }, ...fields, el('button', { class: 'primary' }, verb));
  return [el('h3', {}, title), own];
}

const ACCOUNT_HINT = 'number, e-mail or phone';

function organisationForms() {
  const name = el('input', { required: true, maxlength: '100' });
  const admin = el('input', { required: true, placeholder: ACCOUNT_HINT });
  return form('A new organisation', 'Make', [field('Name', name), field('First admin', admin)], () => act(
    () => api('POST', '/organisations', { name: name.value, admin: admin.value.trim() }),
    (made) => `${made.name} is organisation ${made.id}.`));
}

function organisationActs(one) {
  const tour = el('input', { required: true, pattern: '[0-9a-f]{64}', title: '64 digits, as the tour’s page shows' });
  const to = el('input', { required: true, placeholder: ACCOUNT_HINT });
  const remove = async () => {
    if (!await confirm('End the organisation', 'Accounts and tours stay, each tour with its owner.', one.name,
      `${one.id}`, 'End')) return;
    await act(() => api('DELETE', `/organisations/${one.id}`), `${one.name} has ended.`, '#organisations');
  };
  return [
    ...form('Hand a tour over', 'Hand over', [field('Tour', tour), field('To a member', to)], () => act(
      () => api('POST', `/organisations/${one.id}/handover`, { tour: tour.value, to: to.value.trim() }),
      ({ account: owner }) => `The tour is account ${owner}’s.`)),
    row(button('End the organisation …', remove, 'danger'))];
}

async function bans() {
  const page = await read(`/bans?limit=${rows}`);
  return [el('h2', {}, 'Bans'), ...banForms(), table('The newest first', [
    ['Number', (one) => one.number], ['Kind', (one) => one.kind], ['Banned', (one) => one.target],
    ['Since', (one) => time(one.created_at)], ['Until', (one) => time(one.ends_at)], ['Reason', (one) => one.reason],
    ...banActs(),
  ], page.rows, 'Nobody is banned.'), more(page, moreRows)];
}

/** What the form for a ban begins with, once. */
let banned = '';

function banForms() {
  const target = el('input', { required: true, value: banned, placeholder: '203.0.113.0/24, contact, number' });
  const until = choice([['1', 'One day'], ['7', '7 days'], ['30', '30 days'], ['', 'Until it is taken back']], '7');
  const reason = el('input', { maxlength: '200', placeholder: 'for you alone' });
  banned = '';
  return form('A new ban', 'Ban', [field('Whom', target), field('For', until), field('Reason', reason)], () => {
    const end = until.value && new Date(Date.now() + Number(until.value) * 86_400_000).toISOString();
    return act(() => api('POST', '/bans', {
      target: target.value.trim(), ...(end && { until: end }), ...(reason.value && { reason: reason.value }),
    }), (made) => `${made.target} is banned.`);
  });
}

function banActs() {
  return [['Act', (one) => button('Take back', () => act(() => api('DELETE', `/bans/${part(one.target)}`),
    `${one.target} is banned no more.`))]];
}

let days = '1';

async function texts() {
  const page = await read(`/texts?days=${days}&limit=1000`);
  const select = choice([['1', 'Today'], ['7', '7 days'], ['30', '30 days']], days);
  select.addEventListener('change', () => { days = select.value; draw(false); });
  return [el('h2', {}, 'Text messages'), row(field('Of', select)), table('By the prefix of the number', [
    ['Day', (one) => one.day], ['Prefix', (one) => one.prefix ?? 'all'], ['Sent', (one) => one.sent],
    ['Known', (one) => one.known], ['Strangers', (one) => one.strangers], ['Cap', (one) => one.cap],
  ], page.rows, 'None was sent.')];
}

let since = '7';

async function audit() {
  const from = new Date(Date.now() - Number(since) * 86_400_000).toISOString();
  const page = await read(`/audit?since=${part(from)}&limit=${rows}`);
  const select = choice([['1', 'One day'], ['7', '7 days'], ['30', '30 days'], ['400', 'Everything']], since);
  select.addEventListener('change', () => { since = select.value; draw(false); });
  return [el('h2', {}, 'Audit log'), row(field('Of the last', select)), table('The newest first', [
    ['Time', (one) => time(one.at)], ['By', (one) => one.actor], ['What', (one) => one.action],
    ['Account', (one) => (one.account ? link(`${one.account}`, `accounts/${one.account}`) : '-')],
    ['Tour', (one) => (one.tour ? link(one.tour.slice(0, 8), `tours/${one.tour}`) : '-')],
    ['Detail', (one) => one.detail],
  ], page.rows, 'There is no entry.'), more(page, moreRows)];
}

// The page

const VIEWS = [
  ['overview', 'Overview', overview], ['accounts', 'Accounts', accounts], ['tours', 'Tours', tours],
  ['organisations', 'Organisations', organisations], ['invitations', 'Invitations', invitations],
  ['bans', 'Bans', bans], ['texts', 'Text messages', texts], ['audit', 'Audit log', audit],
];

let drawn = 0;

/** @param isNew whether the operator came from another view: then `text` is said, and the focus comes here */
async function draw(isNew = true, text = '') {
  const [name, id] = location.hash.slice(1).split('/');
  const view = VIEWS.find(([one]) => one === name) ?? VIEWS[0];
  if (isNew) rows = 50;
  drawn += 1;
  const own = drawn;
  try {
    const content = await view[2](id && decodeURIComponent(id));
    if (own !== drawn) return;
    if (isNew) say(text);
    for (const one of nav.children) {
      if (one.hash === `#${view[0]}`) one.setAttribute('aria-current', 'page');
      else one.removeAttribute('aria-current');
    }
    main.replaceChildren(...content.filter((one) => one != null));
    document.title = `${view[1]} · tour-server`;
    // A page opens at its top, with the way to the other views in sight.
    if (isNew) main.focus({ preventScroll: true });
  } catch (error) {
    if (own !== drawn) return;
    if (isNew) main.replaceChildren();
    refuse(error);
  }
}

let end = null;

/** Without a session nothing of the server stays on the page. */
function lock(text = '') {
  drawn += 1;
  clearTimeout(end);
  [search, banned] = ['', ''];
  localStorage.removeItem(KEY);
  document.querySelectorAll('dialog').forEach((dialog) => dialog.remove());
  document.querySelector('#who').textContent = '';
  document.querySelector('#leave').hidden = nav.hidden = true;
  document.title = 'tour-server';
  say(text, true);
  main.replaceChildren(el('h2', {}, 'This page is closed'), el('p', {}, 'On the server, run'),
    el('p', { class: 'mono' }, 'tour-server admin page'), el('p', {}, 'and open the link that it prints.'));
}

async function begin() {
  const token = /^#([\w-]{43})$/.exec(location.hash)?.[1];
  // A token is not to stay in the address, nor in the history.
  if (token) history.replaceState(null, '', '#overview');
  else if (!localStorage.getItem(KEY)) return lock();
  try {
    const session = token ? await api('POST', '/session', { token }) : await read('/session');
    if (session.key) localStorage.setItem(KEY, session.key);
    document.querySelector('#who').textContent = `${session.operator}, until ${time(session.expires_at).textContent}`;
    clearTimeout(end);
    end = setTimeout(lock, Date.parse(session.expires_at) - Date.now(), 'The time of this page is over.');
  } catch (error) {
    if (error.status === 401) return lock(token ? error.message : '');
    // The link is not used, or the session goes on: only the server is not there, or busy.
    say(error.message, true);
    if (token) history.replaceState(null, '', `#${token}`);
    return main.replaceChildren(button('Try again', begin));
  }
  document.querySelector('#leave').hidden = nav.hidden = false;
  nav.replaceChildren(...VIEWS.map(([name, text]) => link(text, name)));
  await draw();
}

document.querySelector('#leave').addEventListener('click', async () => {
  try {
    await api('DELETE', '/session');
  } catch (error) {
    if (error.status !== 401) return refuse(error);
  }
  lock();
});
// Another tab has closed the page.
addEventListener('storage', ({ key, newValue }) => { if (key === KEY && !newValue) lock(); });
addEventListener('hashchange', () => (/^#[\w-]{43}$/.test(location.hash) ? begin() : nav.hidden || draw()));
begin();
